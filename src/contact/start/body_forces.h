// Contact forces on whole bodies, from the contacts of a set, and how they change as the bodies
// move. Sums over this rank's contacts; no MPI.
#pragma once

#include "contact/core/contacts.h"

// Where bodies are: torques are about their centres.
typedef struct StPlacing {
  const double *position; // [vertex_count][3]
  const double *centre;   // [bodies][3]
} StPlacing;

// Adds the normal forces on each body, and their torques, to force[bodies][6], N and N m.
void st_pressing_forces(const StContactSet *set, StPlacing placing, double *force);

// The contact stiffness between two bodies; a body of -1 is an obstacle. Tangential stiffness is a
// fraction of normal stiffness, as if friction held every contact.
typedef struct StSpring {
  int body[2];
  double arm[2][3];     // m, from the centre of each body to the point where they are connected
  double stiffness[36]; // N/m, N and N m: against displacements of that point, and turns about it
  double sideways[36];  // its tangential part
} StSpring;

typedef struct StSpringList {
  size_t count, capacity;
  StSpring *spring;
} StSpringList;

// Fills the list, in the order of the contacts; false: no memory.
bool st_pressing_springs(const StContactSet *set, StPlacing placing, StSpringList *list);

// Summary of the contacts of one body.
typedef struct StBodyForces {
  double least;     // smallest gap over thickness
  double energy;    // J, stored
  double force;     // N, sum of magnitudes, so that opposite sides do not cancel
  double thickness; // m, the largest
  double carrying;  // N, the part of the force that acts against the weight
} StBodyForces;

// Merges each body's contacts into state[bodies]. weight: [bodies][3] N.
void st_pressing_states(const StContactSet *set, const double *weight, StBodyForces *state);
