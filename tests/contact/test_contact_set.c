// Sets of contacts: a block over a slab, beside a mesh obstacle and under a ceiling that move. Sets
// are independent, contacts satisfy their invariants whatever the provider, and evaluating has no
// side effects.
#include "base/memory.h"
#include "contact/barrier/damping.h"
#include "contact/smooth/smooth_state.h"
#include "contact/core/contact_check.h"
#include "contact/core/provider.h"
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

static const double DELTA = 0.02, KAPPA = 5000;
enum { CEILING, SLAB, WALL, PAIRS, MOST = 256 };

typedef struct Bench {
  StDescription *description;
  StPiece *piece;
  StContacts *contacts;
  StContactState *state;
  double *position, *velocity; // [vertex_count][3]
} Bench;

// 0.2 m/s along y and a turn about z, from time 0 on.
static StMotion motion_of(double spin) {
  StMotion motion = {.axis = {0, 0, 1}, .centre = {1, 0.5, 0}};
  const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 0.2, 0}, angle[] = {0, spin};
  assert_int_equal(st_motion_set_keys(&motion, 2, time, shift, angle, ST_LINEAR, true, NULL),
                   ST_OK);
  return motion;
}

static void add_obstacles(StDescription *d) {
  BoxGrid wall = {.cells = {2, 4, 3}, .low = {0, -0.5, -0.3}, .high = {0.5, 1.5, 0.9}};
  d->obstacle_count = 2;
  d->obstacle = ST_NEW(StObstacleDesc, 2);
  d->obstacle[0] = (StObstacleDesc){.name = st_copy_string("wall"),
                                    .shape = {.name = st_obstacle_find("mesh")->name},
                                    .mesh = box_mesh_create(&wall),
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    .origin = {1.004, 0, 0},
                                    .motion = motion_of(0.003)};
  d->obstacle[1] = (StObstacleDesc){.name = st_copy_string("ceiling"),
                                    .shape = {.name = st_obstacle_find("half_space")->name},
                                    .rotation = {1, 0, 0, 0, -1, 0, 0, 0, -1},
                                    .origin = {0, 0, 0.506},
                                    .motion = motion_of(0)};
}

static StDescription *describe(StFrictionMode mode) {
  StDescription *d = st_description_create();
  BoxGrid block = {.cells = {3, 3, 2}, .low = {0, 0, 0}, .high = {1, 1, 0.5}};
  BoxGrid slab = {.cells = {8, 8, 2}, .low = {-0.5, -0.5, -0.5}, .high = {1.5, 1.5, -0.005}};
  const StFrictionDesc friction = {.dynamic_coefficient = 0.3,
                                   .static_coefficient = 0.5,
                                   .viscous_coefficient = 2,
                                   .sticking_speed = 1e-3,
                                   .stribeck_speed = 1e-2};
  StSurfaceOptions options = st_surface_defaults(DELTA);
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("material"), .density = 1};
  d->body_count = 2;
  d->body = ST_NEW(StBodyDesc, 2);
  d->body[0] = (StBodyDesc){.name = st_copy_string("block"), .mesh = box_mesh_create(&block)};
  d->body[1] = (StBodyDesc){.name = st_copy_string("slab"), .mesh = box_mesh_create(&slab)};
  add_obstacles(d);
  d->contact_count = PAIRS;
  d->contact = ST_NEW(StContactDesc, PAIRS);
  d->contact[CEILING] = (StContactDesc){0, -1, 1, DELTA, KAPPA, friction};
  d->contact[SLAB] = (StContactDesc){0, 1, -1, DELTA, KAPPA, friction};
  d->contact[WALL] = (StContactDesc){0, -1, 0, DELTA, KAPPA, friction};
  d->contact_settings = (StContactSettings){.friction = mode,
                                            .area_weighted = true,
                                            .kernel = options.kernel,
                                            .radius_multiplier = options.radius_multiplier,
                                            .smoothing = options.smoothing};
  return d;
}

static Bench open_bench(StFrictionMode mode) {
  Bench bench = {.description = describe(mode)};
  StError error = {0};
  assert_int_equal(st_piece_create_whole(bench.description, &bench.piece, &error), ST_OK);
  assert_int_equal(st_contacts_create(bench.description, bench.piece, &bench.contacts, &error),
                   ST_OK);
  assert_int_equal(st_contact_state_create(bench.contacts, &bench.state, &error), ST_OK);
  int numbers = 3 * bench.piece->vertex_count;
  uint64_t random = 11;
  bench.position = ST_NEW(double, numbers);
  bench.velocity = ST_NEW(double, numbers);
  for (int i = 0; i < numbers; i++)
    bench.position[i] = bench.piece->rest[i] + random_between(&random, -1e-3, 1e-3);
  random_fill(&random, -0.1, 0.1, numbers, bench.velocity);
  st_contact_state_begin(bench.contacts, bench.state, 0, bench.position);
  return bench;
}

static void close_bench(Bench *bench) {
  st_contact_state_destroy(bench->state);
  st_contacts_destroy(bench->contacts);
  st_piece_destroy(bench->piece);
  st_description_destroy(bench->description);
  free(bench->position);
  free(bench->velocity);
}

static StContactSet *evaluate(const Bench *bench, double time, double ease) {
  StContactSet *set;
  if (bench->state->ease != ease)
    st_contact_state_ease(bench->state, ease);
  assert_int_equal(st_contact_set_create(bench->contacts, &set, NULL), ST_OK);
  assert_int_equal(
      st_contacts_evaluate(bench->contacts, bench->state, st_instant(time), bench->position, set),
      ST_OK);
  return set;
}

// All pairs touch, in order; shares and gradients of places sum to zero.
static void contacts_keep_their_promises(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *set = evaluate(&bench, 0.3, 0);
  int touching[PAIRS] = {0};
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t], *last = contact - 1;
    const int *place = st_contact_array_places(&set->now, contact);
    const double *share = st_contact_array_shares(&set->now, contact);
    StGap gap = st_contact_array_gap(&set->now, contact);
    double shares = 0, gradient[3] = {0};
    assert_true(t == 0 || last->pair < contact->pair ||
                (last->pair == contact->pair && last->id < contact->id));
    touching[contact->pair]++;
    for (int k = 0; k < contact->count; k++) {
      shares += share[k];
      vec3_add_scaled(1, gap.gradient + 3 * k, gradient);
      assert_int_equal(st_contact_set_is_local(set, place[k]), contact->pair != WALL || k == 0);
      assert_in_range(place[k], 0, bench.piece->vertex_count + set->rigid_count - 1);
    }
    assert_true(contact->owned && contact->split == 1 && contact->gap < DELTA &&
                contact->weight > 0);
    assert_int_equal(st_contact_set_vertex(set, &set->now, contact), place[0]);
    assert_true(fabs(shares - (contact->pair == CEILING)) < 1e-13);
    assert_true(vec3_length(gradient) < 1e-12 || contact->pair == CEILING);
  }
  assert_int_equal(touching[CEILING], 16);
  assert_int_equal(touching[SLAB], 16);
  assert_int_equal(touching[WALL], 12);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// Normal force and friction of a contact: in real numbers by its law, and as the provider has them.
static void check_dual(const Bench *bench, const StContactSet *set, const StContact *contact) {
  const int *place = st_contact_array_places(&set->now, contact);
  const double *share = st_contact_array_shares(&set->now, contact);
  int n = 3 * contact->count;
  double x[3 * MOST], v[3 * MOST], real[2][3 * MOST] = {{0}}, by_dual[3 * MOST], friction[3];
  static StDual dual_x[3 * MOST], dual_v[3 * MOST], force[2][3 * MOST];
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(&set->now, contact);
  assert_true(contact->count <= MOST);
  st_contact_set_positions(set, contact->count, place, bench->position, x);
  st_contact_set_velocities(set, contact->count, place, bench->velocity, v);
  memset(force, 0, sizeof force);
  for (int i = 0; i < n; i++) {
    dual_x[i] = x[i];
    dual_v[i] = v[i];
  }
  st_contact_add_normal(&law, contact->count, &gap, real[0]);
  st_contact_friction(&law, contact->count, &contact->normal_state, share, v, contact->wall,
                      friction);
  st_contact_spread(contact->count, share, friction, real[1]);
  contact->provider->normal_dual(set, contact, dual_x, force[0]);
  contact->provider->friction_dual(set, contact, ST_FRICTION_PART_ALL, dual_x, dual_v, force[1]);
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < n; i++)
      by_dual[i] = creal(force[kind][i]);
    assert_true(relative_error(n, by_dual, real[kind]) < 1e-11);
  }
}

static void forces_are_the_same_in_complex_numbers(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *set = evaluate(&bench, 0.3, 0);
  for (int t = 0; t < set->now.count; t++)
    check_dual(&bench, set, &set->now.contact[t]);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// Derivatives of the forces of all contacts along a direction, added up with signs.
static double sum_derivatives(const Bench *bench, const StContactSet *set) {
  double sum = 0;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    const int *place = st_contact_array_places(&set->now, contact);
    double x[3 * MOST], v[3 * MOST];
    static StDual dual_x[3 * MOST], dual_v[3 * MOST], force[3 * MOST];
    st_contact_set_positions(set, contact->count, place, bench->position, x);
    st_contact_set_velocities(set, contact->count, place, bench->velocity, v);
    memset(force, 0, sizeof force);
    for (int i = 0; i < 3 * contact->count; i++) {
      dual_x[i] = s_dual(x[i], cos(i));
      dual_v[i] = s_dual(v[i], sin(i));
    }
    contact->provider->normal_dual(set, contact, dual_x, force);
    contact->provider->friction_dual(set, contact, ST_FRICTION_PART_ALL, dual_x, dual_v, force);
    for (int i = 0; i < 3 * contact->count; i++)
      sum += sin(i + t) * s_derivative(force[i]);
  }
  return sum;
}

// Queries of a set do not depend on what was evaluated after it, elsewhere and at another time,
// into another set.
static void a_set_stands_for_itself(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *set = evaluate(&bench, 0.3, 0);
  StPairReadout before[PAIRS], after[PAIRS];
  StContactExtremes worst;
  double sum = sum_derivatives(&bench, set);
  assert_int_equal(dense_readout(set, bench.position, bench.velocity, before, &worst), ST_OK);
  size_t bytes = 3 * (size_t)bench.piece->vertex_count * sizeof(double);
  double *here = ST_NEW(double, 3 * bench.piece->vertex_count);
  memcpy(here, bench.position, bytes);
  for (int v = 0; v < bench.piece->vertex_count; v++)
    vec3_add_scaled(1, (const double[3]){0.13, -0.2, 0.002}, bench.position + 3 * v);
  StContactSet *other = evaluate(&bench, 1.7, 0);
  assert_true(other->now.count > 0);
  memcpy(bench.position, here, bytes);
  assert_true(sum_derivatives(&bench, set) == sum);
  assert_int_equal(dense_readout(set, bench.position, bench.velocity, after, &worst), ST_OK);
  assert_memory_equal(before, after, sizeof before);
  // And once more at the same place: the same set to the bit.
  StContactSet *again = evaluate(&bench, 0.3, 0);
  assert_int_equal(again->now.count, set->now.count);
  assert_memory_equal(again->now.vertex, set->now.vertex, set->now.used * sizeof(int));
  assert_memory_equal(again->now.gradient, set->now.gradient, 3 * set->now.used * sizeof(double));
  assert_memory_equal(again->now.share, set->now.share, set->now.used * sizeof(double));
  free(here);
  st_contact_set_destroy(again);
  st_contact_set_destroy(other);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// A block that moves with the wall and the ceiling slides over neither, lagged or not, and receives
// the power that they report.
static void check_carried(StFrictionMode mode) {
  Bench bench = open_bench(mode);
  StRigidPose pose;
  const double time = 0.3;
  StContactSet *set = evaluate(&bench, 0, 0);
  assert_int_equal(st_contact_state_lag(bench.state, set, NULL), ST_OK);
  for (int pair = CEILING; pair <= WALL; pair += WALL - CEILING) {
    int obstacle = bench.description->contact[pair].obstacle;
    st_motion_pose(&bench.description->obstacle[obstacle].motion, time, &pose);
    for (int v = 0; v < bench.piece->vertex_count; v++) {
      double arm[3], *u = bench.velocity + 3 * v;
      vec3_sub(bench.position + 3 * v, pose.pivot, arm);
      vec3_cross(pose.spin, arm, u);
      vec3_add_scaled(1, pose.velocity, u);
    }
    assert_int_equal(
        st_contacts_evaluate(bench.contacts, bench.state, st_instant(time), bench.position, set),
        ST_OK);
    StPairReadout of[PAIRS];
    StContactExtremes worst;
    assert_int_equal(dense_readout(set, bench.position, bench.velocity, of, &worst), ST_OK);
    assert_true(of[pair].touching > 10 && of[pair].sticking == of[pair].touching);
    // A wall that turns is faster or slower by spin times gap where its matter is than where the
    // point is. 2 v/ε is the slope of friction that sticks.
    double slow = pair == WALL ? 0.003 * DELTA : 1e-15, sticking = 2 * slow / 1e-3 * 0.5;
    double most = sticking * of[pair].normal_force + 2 * slow * of[pair].touching;
    assert_true(of[pair].friction_size <= most && fabs(of[pair].power) <= most * slow);
  }
  st_contact_set_destroy(set);
  close_bench(&bench);
}

static void what_is_carried_does_not_slide(void **unused) {
  (void)unused;
  check_carried(ST_FRICTION_IMPLICIT);
  check_carried(ST_FRICTION_LAGGED);
}

static void assert_same_law(const StFrictionLaw *a, const StFrictionLaw *b) {
  assert_true(a->dynamic_coefficient == b->dynamic_coefficient &&
              a->static_coefficient == b->static_coefficient &&
              a->viscous_coefficient == b->viscous_coefficient &&
              a->sticking_speed == b->sticking_speed && a->stribeck_speed == b->stribeck_speed &&
              a->peak == b->peak && a->anchored == b->anchored && a->span == b->span &&
              a->damping == b->damping);
}

static void friction_is_eased(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *plain = evaluate(&bench, 0.3, 0), *eased = evaluate(&bench, 0.3, 100);
  StContactSet *steady = evaluate(&bench, 0.3, 0.5), *again = evaluate(&bench, 0.3, 0);
  for (int p = 0; p < PAIRS; p++) {
    const StFrictionLaw *law = &plain->law[p].friction[ST_FRICTION_PART_ALL];
    assert_true(eased->law[p].friction[ST_FRICTION_PART_ALL].sticking_speed ==
                100 * law->sticking_speed);
    assert_true(steady->law[p].friction[ST_FRICTION_PART_ALL].sticking_speed ==
                law->sticking_speed);
    assert_true(steady->law[p].friction[ST_FRICTION_PART_ALL].dynamic_coefficient ==
                law->static_coefficient);
    assert_same_law(law, &again->law[p].friction[ST_FRICTION_PART_ALL]);
    StFrictionLaw own = bench.contacts->pair[p].friction;
    own.span = law->span;
    assert_same_law(law, &own);
  }
  StContactSet *all[] = {plain, eased, steady, again};
  for (int i = 0; i < ST_LENGTH(all); i++)
    st_contact_set_destroy(all[i]);
  close_bench(&bench);
}

// A set keeps the stiffness it was made with; changes that invalidate it change the version.
static void the_state_tells_of_changes(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *set = evaluate(&bench, 0.3, 0);
  StPairEnds ends = {0};
  assert_int_equal(st_contact_check_measure(set, bench.state, 0, NULL, bench.position, &ends),
                   ST_OK);
  assert_true(set->version == bench.state->version);
  assert_int_equal(st_contact_check_begin(set, &ends, bench.state, NULL, NULL), ST_OK);
  assert_int_equal(st_contact_check_stiffen(bench.contacts, bench.state, &ends), 0);
  st_contact_check_commit(set, &ends, bench.state);
  assert_true(set->version == bench.state->version);
  ends.end[SLAB].deepest = -DELTA;
  assert_int_equal(st_contact_check_stiffen(bench.contacts, bench.state, &ends), 1);
  assert_true(set->version != bench.state->version);
  assert_true(bench.state->smooth->pair[SLAB].stiffness == 16 * KAPPA);
  assert_true(set->law[SLAB].stiffness == KAPPA);
  uint64_t stiffened = bench.state->version;
  ends.end[SLAB].deepest = INFINITY; // parted
  st_contact_check_commit(set, &ends, bench.state);
  assert_true(bench.state->smooth->pair[SLAB].stiffness == KAPPA &&
              bench.state->version != stiffened);
  st_pair_ends_free(&ends);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// A NaN position is an error of the set, and gone with the next evaluation.
static void no_number_is_told(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactSet *set = evaluate(&bench, 0.3, 0);
  int count = set->now.count;
  StPairReadout of[PAIRS];
  StContactExtremes worst;
  int vertex = st_contact_array_places(&set->now, &set->now.contact[count / 2])[1];
  double right = bench.position[3 * vertex];
  bench.position[3 * vertex] = NAN;
  StStatus status =
      st_contacts_evaluate(bench.contacts, bench.state, st_instant(0.3), bench.position, set);
  assert_true(status != ST_OK && set->status == status);
  assert_int_equal(dense_readout(set, bench.position, bench.velocity, of, &worst), status);
  bench.position[3 * vertex] = right;
  assert_int_equal(
      st_contacts_evaluate(bench.contacts, bench.state, st_instant(0.3), bench.position, set),
      ST_OK);
  assert_int_equal(set->now.count, count);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

static double law_difference(const StPairLaw *a, const StPairLaw *b) {
  double most = fabs(a->stiffness - b->stiffness) + fabs(a->thickness - b->thickness);
  for (int i = 0; i < ST_FRICTION_PART_COUNT; i++) {
    const StFrictionLaw *x = &a->friction[i], *y = &b->friction[i];
    const double change[] = {x->dynamic_coefficient - y->dynamic_coefficient,
                             x->static_coefficient - y->static_coefficient,
                             x->viscous_coefficient - y->viscous_coefficient,
                             x->sticking_speed - y->sticking_speed,
                             x->stribeck_speed - y->stribeck_speed,
                             x->peak - y->peak,
                             x->span - y->span,
                             x->damping - y->damping};
    for (int k = 0; k < ST_LENGTH(change); k++)
      most = fmax(most, fabs(change[k]));
  }
  return most;
}

// What a law depends on is changed between two evaluations of one set: the laws are those of a new
// set, and others than before. changed: false to see that they are kept otherwise.
static void check_laws(const Bench *bench, double time, double ease, bool changed,
                       StContactSet *set) {
  StPairLaw before = set->law[SLAB];
  if (bench->state->ease != ease)
    st_contact_state_ease(bench->state, ease);
  assert_int_equal(
      st_contacts_evaluate(bench->contacts, bench->state, st_instant(time), bench->position, set),
      ST_OK);
  StContactSet *new = evaluate(bench, time, ease);
  assert_int_equal(set->law_count, PAIRS);
  assert_int_equal(new->law_count, PAIRS);
  for (int p = 0; p < PAIRS; p++)
    assert_true(law_difference(&set->law[p], &new->law[p]) == 0);
  assert_int_equal(law_difference(&set->law[SLAB], &before) > 0, changed);
  assert_int_equal(set->law_known, changed ? 0 : PAIRS);
  st_contact_set_destroy(new);
}

static void laws_follow_what_they_depend_on(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StFrictionDesc *friction = &bench.description->contact[SLAB].friction;
  StContactSet *set = evaluate(&bench, 1, 0);
  check_laws(&bench, 1, 0, false, set);
  check_laws(&bench, 0.3, 0, true, set); // another span
  check_laws(&bench, 0.3, 2, true, set); // another ease
  check_laws(&bench, 0.3, 0, true, set);
  friction->sticking_speed *= 2;
  assert_int_equal(st_contacts_renew_friction(bench.contacts, NULL), ST_OK);
  bench.state->version++;
  check_laws(&bench, 0.3, 0, true, set);
  bench.state->smooth->pair[SLAB].stiffness *= 2;
  bench.state->version++;
  check_laws(&bench, 0.3, 0, true, set);
  check_laws(&bench, 0.3, 0, false, set);
  st_contact_state_begin(bench.contacts, bench.state, 0.2, bench.position);
  check_laws(&bench, 0.3, 0, true, set); // the step began later
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// At the very start of a step displacements are not damped, though the span is that of a second.
static void laws_know_the_start_of_a_step(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  for (int p = 0; p < bench.contacts->pair_count; p++)
    bench.contacts->pair[p].friction.damping = 0.1;
  StContactSet *set = evaluate(&bench, 1, 0);
  check_laws(&bench, 0, 0, true, set);
  check_laws(&bench, 1, 0, true, set);
  st_contact_set_destroy(set);
  close_bench(&bench);
}

// 2ζ √(m/k), with the lighter body and the stiffness of anchors.
static void anchors_are_damped_like_a_spring(void **unused) {
  (void)unused;
  Bench bench = open_bench(ST_FRICTION_IMPLICIT);
  StContactDesc desc = bench.description->contact[SLAB];
  StBulk *bulk = bench.contacts->bulk;
  desc.friction.stick = ST_STICK_ANCHORED;
  desc.friction.damping = 0.1;
  double time = st_damping_time(bench.contacts, &desc);
  assert_true(time > 0);
  desc.friction.damping = 0.2;
  assert_float_equal(st_damping_time(bench.contacts, &desc), 2 * time, 1e-12 * time);
  desc.stiffness *= 16;
  assert_float_equal(st_damping_time(bench.contacts, &desc), time / 2, 1e-12 * time);
  bulk[desc.collider].mass = 4 * fmin(bulk[desc.collider].mass, bulk[desc.body].mass);
  bulk[desc.body].mass = 4 * bulk[desc.collider].mass;
  assert_float_equal(st_damping_time(bench.contacts, &desc), time, 1e-12 * time);
  desc.friction.stick = ST_STICK_VELOCITY;
  assert_true(st_damping_time(bench.contacts, &desc) == 0);
  close_bench(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anchors_are_damped_like_a_spring),
      cmocka_unit_test(contacts_keep_their_promises),
      cmocka_unit_test(forces_are_the_same_in_complex_numbers),
      cmocka_unit_test(a_set_stands_for_itself),
      cmocka_unit_test(what_is_carried_does_not_slide),
      cmocka_unit_test(friction_is_eased),
      cmocka_unit_test(the_state_tells_of_changes),
      cmocka_unit_test(no_number_is_told),
      cmocka_unit_test(laws_follow_what_they_depend_on),
      cmocka_unit_test(laws_know_the_start_of_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
