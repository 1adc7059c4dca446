// How hard the touches of a set press on whole bodies, and how that changes as the bodies move.
// Sums over this rank's touches; no MPI.
#ifndef ST_CONTACT_PRESSING_H
#define ST_CONTACT_PRESSING_H

#include "contact/contacts.h"

// Adds the normal forces on each body to force[bodies][3], N.
void st_pressing_forces(const StTouchSet *set, double *force);

// The contact stiffness between two bodies against translations; a body of -1 is an obstacle.
typedef struct StSpring {
  int body[2];
  double stiffness[9]; // N/m
} StSpring;

typedef struct StSpringList {
  size_t count, capacity;
  StSpring *spring;
} StSpringList;

// Fills the list, in the order of the touches; false: no memory.
bool st_pressing_springs(const StTouchSet *set, StSpringList *list);

// Summary of the touches of one body.
typedef struct StPressing {
  double least;     // smallest ratio of gap to thickness
  double energy;    // J, stored
  double force;     // N, sum of magnitudes, so that opposite sides do not cancel
  double thickness; // m, the largest
  double carrying;  // N, of what presses against the weight
} StPressing;

// Merges each body's touches into state[bodies]. weight: [bodies][3] N.
void st_pressing_states(const StTouchSet *set, const double *weight, StPressing *state);

#endif
