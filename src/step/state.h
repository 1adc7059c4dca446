// What changes from step to step, for the vertices a rank owns.
#pragma once

#include "base/status.h"

typedef struct StState {
  int size; // 3 × owned vertices
  double time;
  double h_before; // size of the last step, 0 before the first
  // [size]
  double *position, *velocity;
  double *position_before, *velocity_before; // at the start of the last step
  double *solved; // velocity that solved the last stage: the one that forces of the step saw
  double *force;  // total at this state, if the integrator needs it
} StState;

// Both ends of a step that is not committed yet, with ghosts: [vertex_count][3].
typedef struct StStepEnds {
  double start, end; // times
  double *before, *after;
  double *speed; // at the end
} StStepEnds;

StStatus st_state_create(int owned_count, StState **state, StError *error);
void st_state_destroy(StState *state);

// Swaps position and velocity with the previous ones.
void st_state_swap(StState *state);
