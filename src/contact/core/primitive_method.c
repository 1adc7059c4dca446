// Contact by primitives: skins, the sharpness of their edges, and adaptive stiffness. Tested by
// tests/contact/test_anchors.c.
#include "base/memory.h"
#include "contact/barrier/facing_area.h"
#include "contact/core/method.h"
#include "contact/core/provider.h"

static StStatus create(StContacts *contacts, StError *error) {
  return st_skins_create(contacts->description, contacts->piece, &contacts->skins, error);
}

static StStatus add_pair(StContacts *contacts, StPair *pair, const int *local, StError *error) {
  (void)contacts, (void)pair, (void)local, (void)error;
  return ST_OK;
}

static void create_state(const StContacts *contacts, StContactState *state) {
  state->sharpness = ST_OWN(state, double, contacts->skins->edge_count);
  st_stiffness_create(contacts, state);
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
    .create_state = create_state,
    .begin = begin,
};
