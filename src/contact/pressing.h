// How hard the touches of a set press on whole bodies, and how that changes as the bodies move.
// Sums over this rank's touches; no MPI.
#ifndef ST_CONTACT_PRESSING_H
#define ST_CONTACT_PRESSING_H

#include "contact/contacts.h"

// Adds the normal forces on each body to force[bodies][3], N.
void st_pressing_forces(const StTouchSet *set, double *force);

// Adds each body's contact stiffness against motion along direction[bodies][3] to
// stiffness[bodies], N/m.
void st_pressing_stiffness(const StTouchSet *set, const double *direction, double *stiffness);

// Summary of the touches of one body.
typedef struct StPressing {
  double least;     // smallest ratio of gap to thickness
  double energy;    // J, stored
  double force;     // N, sum of magnitudes, so that opposite sides do not cancel
  double thickness; // m, the largest
} StPressing;

// Merges each body's touches into state[bodies].
void st_pressing_states(const StTouchSet *set, StPressing *state);

#endif
