// The sweep: continuous collision detection over the motion that a step means, from its start to
// its end. Newton's method keeps to free paths (contact/ccd/conservative_advancement.h), but its
// iterates may go around a thing and end behind it. The sweep follows vertices from start to end
// instead: a body along its mean rotation and the straight motion of its mass centre, deforming
// evenly in its own frame, and obstacles as they are prescribed.
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
  int vertex;         // local, one of the features that pass through each other
  int body, obstacle; // what it passes through: one of them is -1
} StPassage;

typedef struct StCcdSweep StCcdSweep;

// contacts: by primitives. set: for its lists of near pairs.
StStatus st_ccd_create(const StContacts *contacts, StContactSet *set, StCcdSweep **sweep,
                       StError *error);
void st_ccd_destroy(StCcdSweep *sweep); // NULL is fine

// Number of parts, each followed along straight lines: in none of them anything turns by more than
// a quarter of a radian.
int st_ccd_parts(const StCcdSweep *sweep, const StCcdMotion *motion);

// Positions of the local vertices [first, end) at a share of the motion, 0 … 1.
void st_ccd_place(const StCcdSweep *sweep, const StCcdMotion *motion, double share, int first,
                  int end, double *position);

// Begins a sweep, follows one part of it, and decides. Passages are those of pairs with a vertex of
// this rank. ST_NOT_SOLVED: too many pairs are near each other.
void st_ccd_begin(StCcdSweep *sweep);
StStatus st_ccd_follow(StCcdSweep *sweep, const StCcdMotion *motion, double from, double to);
StStatus st_ccd_decide(StCcdSweep *sweep, const StCcdMotion *motion, StPassage *passage);
