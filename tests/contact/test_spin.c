// Round obstacles that spin: velocity and displacement of the surface under a contact, and the drag
// on a block at rest, against the formulas of a wheel.
#include "base/memory.h"
#include "contact/core/contacts.h"
#include "contact/friction/spin.h"
#include "math/vec3.h"
#include "model/partition.h"
#include "support/dense_readout.h"
#include "support/box_mesh.h"
#include "support/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double DELTA = 0.02, RADIUS = 0.3, GAP = 0.012, MU = 0.4, SPIN = 3;

// About y, through the obstacle's middle, from time 0 on.
static StMotion turning(void) {
  StMotion motion = {.axis = {0, 1, 0}, .centre = {0.5, 0.5, 0}};
  const double time[] = {0, 1}, angle[] = {0, SPIN};
  assert_int_equal(st_motion_set_keys(&motion, 2, time, NULL, angle, ST_LINEAR, true, NULL), ST_OK);
  return motion;
}

// A block whose lower face is z = 0, on top of a round thing; a capsule lies along y.
static StDescription *describe(const char *shape, StStick stick) {
  StDescription *d = st_description_create();
  BoxGrid block = {.cells = {4, 4, 1}, .low = {0, 0, 0}, .high = {1, 1, 0.3}};
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("material"), .density = 1};
  d->body_count = 1;
  d->body = ST_NEW(StBodyDesc, 1);
  d->body[0] = (StBodyDesc){.name = st_copy_string("block"), .mesh = box_mesh_create(&block)};
  d->obstacle_count = 1;
  d->obstacle = ST_NEW(StObstacleDesc, 1);
  d->obstacle[0] =
      (StObstacleDesc){.name = st_copy_string(shape),
                       .shape = {.name = st_obstacle_find(shape)->name, .value = {RADIUS, 0.4}},
                       .rotation = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                       .origin = {0.5, 0.5, -RADIUS - GAP},
                       .motion = turning()};
  d->obstacle[0].motion.centre[2] = -RADIUS - GAP;
  d->contact_count = 1;
  d->contact = ST_NEW(StContactDesc, 1);
  d->contact[0] = (StContactDesc){0,
                                  -1,
                                  0,
                                  DELTA,
                                  5000,
                                  {.dynamic_coefficient = MU,
                                   .static_coefficient = MU,
                                   .sticking_speed = 1e-3,
                                   .stribeck_speed = 1e-2,
                                   .stick = stick}};
  d->contact_settings = (StContactSettings){.method = ST_CONTACT_PRIMITIVES};
  d->time.step = 0.1;
  return d;
}

// Matter at the foot of a contact goes at ω × r, along x on top; in a step it has come from where
// it was turned back by the angle.
static void check_matter(const StContact *contact, double span) {
  const double *n = contact->normal_state.normal;
  const double velocity[3] = {SPIN * RADIUS * n[2], 0, -SPIN * RADIUS * n[0]};
  double c = cos(SPIN * span), s = sin(SPIN * span);
  const double shift[3] = {RADIUS * (n[0] - c * n[0] + s * n[2]), 0,
                           RADIUS * (n[2] - c * n[2] - s * n[0])};
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(contact->wall[i] - velocity[i]) < 1e-14);
    assert_true(fabs(contact->shift[i] - shift[i]) < 1e-14);
  }
}

// The block does not move: all of it is dragged with μN, the way the top goes.
static void check_drag(const StContactSet *set, const double *position, const double *velocity) {
  StPairReadout pair;
  StContactExtremes extremes;
  assert_int_equal(dense_readout(set, position, velocity, &pair, &extremes), ST_OK);
  assert_true(pair.touching > 0 && pair.sticking == 0 && pair.normal_force > 0);
  assert_true(pair.friction[0] > 0);
  assert_true(fabs(pair.friction_size - MU * pair.normal_force) < 1e-12 * pair.normal_force);
}

static void turn(const char *shape, StStick stick) {
  StDescription *d = describe(shape, stick);
  StPiece *piece;
  StContacts *contacts;
  StContactState *state;
  StContactSet *set;
  const double span = 0.1;
  assert_int_equal(st_piece_create_whole(d, &piece, NULL), ST_OK);
  assert_int_equal(st_contacts_create(d, piece, &contacts, NULL), ST_OK);
  assert_int_equal(st_contact_state_create(contacts, &state, NULL), ST_OK);
  assert_int_equal(st_contact_set_create(contacts, &set, NULL), ST_OK);
  double *still = ST_NEW(double, 3 * piece->vertex_count);
  st_contact_state_begin(contacts, state, 0.2, piece->rest);
  assert_int_equal(st_contacts_evaluate(contacts, state, st_instant(0.2 + span), piece->rest, set),
                   ST_OK);
  assert_true(set->now.count > 0);
  for (int t = 0; t < set->now.count; t++)
    check_matter(&set->now.contact[t], span);
  check_drag(set, piece->rest, still);
  free(still);
  st_contact_set_destroy(set);
  st_contact_state_destroy(state);
  st_contacts_destroy(contacts);
  st_piece_destroy(piece);
  st_description_destroy(d);
}

static void a_sphere_drags_like_a_wheel(void **state) {
  (void)state;
  turn("sphere", ST_STICK_VELOCITY);
  turn("sphere", ST_STICK_ANCHORED);
}

static void a_capsule_drags_like_a_wheel(void **state) {
  (void)state;
  turn("capsule", ST_STICK_VELOCITY);
  turn("capsule", ST_STICK_ANCHORED);
}

// Without a radius, or a motion, nothing turns.
static void what_does_not_turn(void **state) {
  (void)state;
  StDescription *d = describe("sphere", ST_STICK_VELOCITY);
  StSpin spin;
  st_spin_at(&d->obstacle[0], 0, 0, 1, &spin);
  assert_false(spin.turns);
  st_spin_at(&d->obstacle[0], RADIUS, 0, 1, &spin);
  assert_true(spin.turns);
  StObstacleDesc still = d->obstacle[0];
  still.motion = (StMotion){0};
  st_spin_at(&still, RADIUS, 0, 1, &spin);
  assert_false(spin.turns);
  st_description_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_drags_like_a_wheel),
      cmocka_unit_test(a_capsule_drags_like_a_wheel),
      cmocka_unit_test(what_does_not_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
