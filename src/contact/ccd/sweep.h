// The sweep: continuous collision detection over the motion of a whole step, from its start to its
// end. Newton's method moves along paths free of contact (contact/ccd/conservative_advancement.h),
// but its iterates may go around an obstacle and end behind it. The sweep follows vertices from
// start to end instead: a body moves along its mean rotation and the straight path of its mass
// centre and deforms evenly in its own frame, and obstacles move as prescribed.
#pragma once

#include "contact/ccd/conservative_advancement.h"
#include "contact/core/contacts.h"

// Mean rigid motion of a body over the step.
typedef struct StTurn {
  double centre[3]; // mass centre at the start
  double shift[3];  // of the mass centre
  double axis[3];
  double angle; // 0: vertices move straight
} StTurn;

typedef struct StCcdMotion {
  double start, end;            // times
  const double *before, *after; // [vertex_count][3]
  const StTurn *turn;           // [bodies]; NULL: none turns
} StCcdMotion;

typedef struct StPassage {
  bool found;
  int vertex;         // local, a vertex of one of the features that pass through each other
  int body, obstacle; // the other side; one of them is -1
} StPassage;

typedef struct StCcdSweep StCcdSweep;

// contacts: of contact by primitives. set: the sweep uses its lists of candidate pairs.
StStatus st_ccd_create(const StContacts *contacts, StContactSet *set, StCcdSweep **sweep,
                       StError *error);
void st_ccd_destroy(StCcdSweep *sweep); // NULL is fine

// Number of parts into which the motion is cut. Each part is followed along straight lines; in none
// of them does a body or obstacle turn by more than a quarter of a radian.
int st_ccd_parts(const StCcdSweep *sweep, const StCcdMotion *motion);

// Positions of the local vertices [first, end) at a fraction of the motion, 0 … 1.
void st_ccd_place(const StCcdSweep *sweep, const StCcdMotion *motion, double share, int first,
                  int end, double *position);

// `begin` starts a sweep, `follow` follows one part of it, and `decide` looks for a passage among
// the crossings found. Each rank sees the pairs with one of its vertices. ST_NOT_SOLVED: there are
// too many candidate pairs.
void st_ccd_begin(StCcdSweep *sweep);
StStatus st_ccd_follow(StCcdSweep *sweep, const StCcdMotion *motion, double from, double to);
StStatus st_ccd_decide(StCcdSweep *sweep, const StCcdMotion *motion, StPassage *passage);
