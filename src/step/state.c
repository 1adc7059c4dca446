// Storage of the state.
#include "step/state.h"

#include "base/memory.h"

StStatus st_state_create(int owned_count, StState **result, StError *error) {
  StState *state = ST_OWNER(StState);
  ST_TRY_MEMORY(state, error);
  state->size = 3 * owned_count;
  double **array[] = {&state->position,        &state->velocity, &state->position_before,
                      &state->velocity_before, &state->solved,   &state->force};
  for (int i = 0; i < ST_LENGTH(array); i++)
    *array[i] = ST_OWN(state, double, state->size);
  return st_owner_give(state, result, error);
}

void st_state_destroy(StState *state) {
  st_owner_free(state);
}

void st_state_swap(StState *state) {
  double *position = state->position, *velocity = state->velocity;
  state->position = state->position_before;
  state->velocity = state->velocity_before;
  state->position_before = position;
  state->velocity_before = velocity;
}
