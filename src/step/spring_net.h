// Bodies connected by springs: how far forces move and turn them.
#pragma once

#include "contact/start/body_forces.h"

enum { ST_SPRING_NET_ROOM = 96 }; // doubles per body

typedef struct StSpringNet {
  const StSpring *spring; // this rank's; everything else is the same on all ranks
  size_t count;
  int body_count;
  const bool *moves;    // [bodies]; NULL: all do
  const double *radius; // [bodies] m, of its mass about its centre; 0: it does not turn
  double *room;         // [bodies][ST_SPRING_NET_ROOM], belongs to the net from `begin` on
  bool sideways;        // springs act along surfaces only
} StSpringNet;

// Which bodies springs connect to something that does not move, directly or by others that do.
// Collective.
void st_spring_net_find_held(const StSpringNet *net, bool *held);

// Marks the bodies that may be and that springs connect to marked ones, directly or by others.
// Collective.
void st_spring_net_spread(const StSpringNet *net, const bool *may, bool *marked);

// Fills force[bodies][6] with what it takes to displace and turn bodies by x[bodies][6].
// Collective.
void st_spring_net_resist(const StSpringNet *net, const double *x, double *force);

// How far x[bodies][6] moves the two ends of a spring apart, m.
double st_spring_net_stretch(const StSpringNet *net, const StSpring *spring, const double *x);

// Each body that moves gets the least of the values[bodies] of those that springs connect it with,
// directly or by others that move. Collective.
void st_spring_net_take_least(const StSpringNet *net, double *values);

// Looks at what holds each body. Collective.
void st_spring_net_begin(const StSpringNet *net);

// Of force[bodies][6], forces and torques, keeps what the springs of each body resist.
void st_spring_net_keep_resisted(const StSpringNet *net, double *force);

// Fills shift[bodies][6] with the displacements and turns at which the springs balance
// force[bodies][6], to about a tenth, also of how far a light body goes with a heavy one; bodies
// that do not move have none. Collective.
void st_spring_net_solve(const StSpringNet *net, const double *force, double *shift);

// Bodies that are held along the surfaces they touch, as if by friction, while they settle. Sliding
// is left to the simulation: otherwise a leaning stack would collapse before it begins, and an arch
// would take another shape.
typedef struct StHold {
  int body_count;
  bool on;       // from where bodies were when it began; before that nothing is held
  double *begin; // [bodies][6] m and rad, displacements and turns there, …
  double *since; // [bodies][6] … and from there
  double *force; // [bodies][6] N and N m, against that
} StHold;

bool st_hold_create(int body_count, StHold *hold); // false: no memory
void st_hold_free(StHold *hold);

// way: [bodies][6] m and rad, where bodies are now.
void st_hold_begin(StHold *hold, const double *moved);

// Adds what holds bodies where they have got to; nothing before it begins. Only springs and radii
// of the net count. Collective.
void st_hold_add(StHold *hold, const StSpringNet *net, const double *moved, double *force);

// How far the bodies of a spring have turned relative to each other, as a length: by so much a turn
// opens the gap on one side.
double st_hold_turned_apart(const StHold *hold, const StSpringNet *net, const StSpring *spring,
                            const double *moved);
