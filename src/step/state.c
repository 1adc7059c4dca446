// Storage of the state.
#include "step/state.h"

#include "base/memory.h"

StStatus st_state_create(int owned_count, StState **result, StError *error) {
  StState *state = ST_NEW(StState, 1);
  if (!state)
    return st_fail_memory(error);
  state->size = 3 * owned_count;
  double **array[] = {&state->position,        &state->velocity, &state->position_before,
                      &state->velocity_before, &state->solved,   &state->force};
  for (int i = 0; i < ST_LENGTH(array); i++)
    if (!(*array[i] = ST_NEW(double, state->size))) {
      st_state_destroy(state);
      return st_fail_memory(error);
    }
  *result = state;
  return ST_OK;
}

void st_state_destroy(StState *state) {
  if (!state)
    return;
  free(state->position);
  free(state->velocity);
  free(state->position_before);
  free(state->velocity_before);
  free(state->solved);
  free(state->force);
  free(state);
}

void st_state_swap(StState *state) {
  double *position = state->position, *velocity = state->velocity;
  state->position = state->position_before;
  state->velocity = state->velocity_before;
  state->position_before = position;
  state->velocity_before = velocity;
}
