// Contact by primitives: skins, the sharpness of their edges, and adaptive stiffness. Tested by
// tests/contact/test_anchors.c.
#include "base/memory.h"
#include "contact/barrier/facing_area.h"
#include "contact/core/method.h"
#include "contact/core/provider.h"

static StStatus create(StContacts *contacts, StError *error) {
  return st_skins_create(contacts->description, contacts->piece, &contacts->skins, error);
}

static void destroy(StContacts *contacts) {
  st_skins_destroy(contacts->skins);
}

static StStatus add_pair(StContacts *contacts, StPair *pair, const int *local, StError *error) {
  (void)contacts, (void)pair, (void)local, (void)error;
  return ST_OK;
}

static bool create_state(const StContacts *contacts, StContactState *state) {
  state->sharpness = ST_NEW(double, contacts->skins->edge_count);
  return state->sharpness && st_stiffness_create(contacts, &state->stiffness);
}

static void destroy_state(StContactState *state) {
  st_stiffness_free(&state->stiffness);
  free(state->sharpness);
}

static void begin(const StContacts *contacts, StContactState *state, const double *position) {
  st_skins_sharpen(contacts->skins, position, state->sharpness);
}

const StContactMethodType st_method_primitives = {
    .provider = {&st_provider_primitives, &st_provider_obstacle},
    .normal_law = ST_NORMAL_BARRIER,
    .keeps_apart = true,
    .areas = st_facing_areas,
    .create = create,
    .add_pair = add_pair,
    .destroy = destroy,
    .create_state = create_state,
    .destroy_state = destroy_state,
    .begin = begin,
};
