// How hard a set's touches press on whole bodies, and how that changes if the bodies yield. Only
// this rank's touches, no MPI: sums over touches.
#ifndef ST_CONTACT_PRESSING_H
#define ST_CONTACT_PRESSING_H

#include "contact/contacts.h"

// Adds each body's normal forces into force[bodies][3], N.
void st_pressing_forces(const StTouchSet *set, double *force);

// Adds each body's stiffness against its own way along direction[bodies][3] into stiffness[bodies],
// N/m.
void st_pressing_stiffness(const StTouchSet *set, const double *direction, double *stiffness);

// What one body's touches amount to.
typedef struct StPressing {
  double least;     // smallest gap over thickness
  double energy;    // J, stored
  double force;     // N, sum of magnitudes: what presses from two sides does not cancel
  double thickness; // m, the largest
} StPressing;

// Takes each body's touches into state[bodies].
void st_pressing_states(const StTouchSet *set, StPressing *state);

#endif
