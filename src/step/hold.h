// Bodies that are held along the surfaces they touch, as if by friction, while they settle. Sliding
// is left to the simulation: otherwise a leaning stack would collapse before it begins, and an arch
// would take another shape.
#pragma once

#include "step/spring_net.h"

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
