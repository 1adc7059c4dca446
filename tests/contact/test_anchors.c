// Anchors: a block on a slab and under a ceiling that turns. Sticking contacts keep their anchors
// to the bit, sliding ones drag them along at the yield, common motion stretches nothing, and
// packed bytes survive a round trip.
#include "base/memory.h"
#include "contact/core/contacts.h"
#include "contact/friction/anchor_stiffening.h"
#include "contact/core/provider.h"
#include "contact/smooth/surface.h"
#include "math/vec3.h"
#include "model/partition.h"
#include "support/box_mesh.h"
#include "support/contact_bench.h"
#include "support/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double DELTA = 0.02, SPIN = 0.7, MU = 0.5;
enum { CEILING, SLAB, PAIRS };

// The ceiling turns about the vertical axis through (0.3, 0.2), from time 0 on.
static StMotion turning(void) {
  StMotion motion = {.axis = {0, 0, 1}, .centre = {0.3, 0.2, 0}};
  const double time[] = {0, 1}, angle[] = {0, SPIN};
  assert_int_equal(st_motion_set_keys(&motion, 2, time, NULL, angle, ST_LINEAR, true, NULL), ST_OK);
  return motion;
}

static StDescription *describe(StContactMethod method) {
  StDescription *d = st_description_create();
  BoxGrid block = {.cells = {3, 3, 2}, .low = {0, 0, 0}, .high = {1, 1, 0.5}};
  BoxGrid slab = {.cells = {6, 6, 2}, .low = {-0.5, -0.5, -0.5}, .high = {1.5, 1.5, -0.01}};
  const StFrictionDesc friction = {.dynamic_coefficient = MU,
                                   .static_coefficient = MU,
                                   .sticking_speed = 1e-3,
                                   .stribeck_speed = 1e-2,
                                   .stick = ST_STICK_ANCHORED};
  StSurfaceOptions options = st_surface_defaults(DELTA);
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("material"), .density = 1};
  d->body_count = 2;
  d->body = ST_NEW(StBodyDesc, 2);
  d->body[0] = (StBodyDesc){.name = st_copy_string("block"), .mesh = box_mesh_create(&block)};
  d->body[1] = (StBodyDesc){.name = st_copy_string("slab"), .mesh = box_mesh_create(&slab)};
  d->obstacle_count = 1;
  d->obstacle = ST_NEW(StObstacleDesc, 1);
  d->obstacle[0] = (StObstacleDesc){.name = st_copy_string("ceiling"),
                                    .shape = {.name = st_obstacle_find("half_space")->name},
                                    .rotation = {1, 0, 0, 0, -1, 0, 0, 0, -1},
                                    .origin = {0, 0, 0.51},
                                    .motion = turning()};
  d->contact_count = PAIRS;
  d->contact = ST_NEW(StContactDesc, PAIRS);
  d->contact[CEILING] = (StContactDesc){0, -1, 0, DELTA, 5000, friction};
  d->contact[SLAB] = (StContactDesc){0, 1, -1, DELTA, 5000, friction};
  d->contact_settings = (StContactSettings){.method = method,
                                            .area_weighted = true,
                                            .kernel = options.kernel,
                                            .radius_multiplier = options.radius_multiplier,
                                            .smoothing = options.smoothing};
  return d;
}

static void begin(ContactBench *bench, double time) {
  st_contact_state_begin(bench->contacts, bench->state, time, bench->position);
}

static void look(ContactBench *bench, double time) {
  assert_int_equal(st_contacts_evaluate(bench->contacts, bench->state, st_instant(time),
                                        bench->position, bench->set),
                   ST_OK);
}

static void commit(ContactBench *bench, double time) {
  look(bench, time);
  assert_true(st_contact_state_anchor(bench->state, bench->set, bench->position, NULL));
}

static void move_block(ContactBench *bench, double x, double y, double z) {
  const double way[3] = {x, y, z};
  for (int v = 0; v < bench->piece->vertex_count; v++)
    if (bench->piece->body[v] == 0)
      vec3_add_scaled(1, way, bench->position + 3 * v);
}

// Both bodies, as the ceiling turns.
static void turn_all(ContactBench *bench, double time) {
  double c = cos(SPIN * time), s = sin(SPIN * time);
  for (int i = 0; i < bench->numbers; i += 3) {
    double x = bench->position[i] - 0.3, y = bench->position[i + 1] - 0.2;
    bench->position[i] = 0.3 + c * x - s * y;
    bench->position[i + 1] = 0.2 + s * x + c * y;
  }
}

static double displacement(const ContactBench *bench, const StContact *contact, double z[3]) {
  const StContactSet *set = bench->set;
  double v[3 * 256], wall[3];
  assert_true(contact->count <= 256);
  st_contact_set_friction_velocities(set, contact->count,
                                     st_contact_array_places(&set->now, contact),
                                     ST_FRICTION_PART_DRY, bench->position, NULL, v);
  st_contact_set_friction_wall(set, &set->now, contact, ST_FRICTION_PART_DRY, wall);
  st_contact_slip(contact->count, &contact->normal_state,
                  st_contact_array_shares(&set->now, contact), v, wall, z);
  for (int i = 0; i < 3; i++)
    z[i] *= set->span;
  return vec3_length(z);
}

static double yield(const ContactBench *bench, const StContact *contact) {
  StFrictionLoad load = st_normal_state_load(&contact->normal_state);
  return st_friction_yield(
      &st_contact_set_pair_law(bench->set, contact)->friction[ST_FRICTION_PART_DRY], &load);
}

// Contacts of full weight: nearly parallel edges hardly count, and hold little.
static bool counts(const StContact *contact) {
  return contact->mollifier > 0.1;
}

static void for_both(void (*check)(ContactBench *bench)) {
  for (int m = 0; m < 2; m++) {
    ContactBench bench =
        contact_bench_open(describe(m ? ST_CONTACT_PRIMITIVES : ST_CONTACT_SMOOTH));
    check(&bench);
    contact_bench_close(&bench);
  }
}

// So short that the ceiling hardly turns, s.
static const double STEP = 1e-6;

// A step in which the block moves by less than any contact yields to.
static void stick(ContactBench *bench) {
  begin(bench, 0);
  move_block(bench, 2e-5, 1e-5, 0);
  commit(bench, STEP);
}

// The part of the block's displacement across a contact's normal, from side A.
static void across(const ContactBench *bench, const StContact *contact, double x, double y,
                   double way[3]) {
  int first = st_contact_array_places(&bench->set->now, contact)[0];
  double sign = bench->piece->body[first] == 0 ? 1 : -1;
  vec3_set(sign * x, sign * y, 0, way);
  vec3_add_scaled(-vec3_dot(way, contact->normal_state.normal), contact->normal_state.normal, way);
}

// The displacement since the anchors were set, and back again, to many digits.
static void check_way(ContactBench *bench) {
  stick(bench);
  begin(bench, STEP);
  look(bench, STEP);
  int seen = 0;
  for (int t = 0; t < bench->set->now.count; t++) {
    const StContact *contact = &bench->set->now.contact[t];
    double z[3];
    displacement(bench, contact, z);
    if (contact->pair == SLAB && counts(contact)) {
      double way[3];
      across(bench, contact, 2e-5, 1e-5, way);
      vec3_add_scaled(-1, way, z);
      assert_true(vec3_length(z) < 1e-12);
      seen++;
    }
  }
  assert_true(seen >= 16);
  move_block(bench, -2e-5, -1e-5, 0);
  look(bench, 2 * STEP);
  for (int t = 0; t < bench->set->now.count; t++) {
    double z[3];
    const StContact *contact = &bench->set->now.contact[t];
    if (contact->pair == SLAB && counts(contact))
      assert_true(displacement(bench, contact, z) < 1e-12);
  }
}

static void displacement_is_the_way_since_the_anchor(void **unused) {
  (void)unused;
  for_both(check_way);
}

static void check_sticking(ContactBench *bench) {
  stick(bench);
  StAnchors *now = &bench->state->anchors;
  int count = now->count;
  size_t used = now->used;
  assert_true(count >= 16 + 16);
  double *weight = ST_NEW(double, used);
  StAnchor *item = ST_NEW(StAnchor, count);
  assert_true(weight && item);
  memcpy(weight, now->weight, used * sizeof(double));
  memcpy(item, now->item, (size_t)count * sizeof(StAnchor));
  for (int step = 1; step < 4; step++) {
    begin(bench, STEP * step);
    move_block(bench, -3e-6, 2e-6, -1e-5);
    commit(bench, STEP * (step + 1));
  }
  assert_int_equal(now->count, count);
  assert_memory_equal(now->weight, weight, used * sizeof(double));
  for (int i = 0; i < count; i++)
    assert_memory_equal(now->item[i].point, item[i].point, sizeof item[i].point);
  free(weight);
  free(item);
}

static void what_sticks_keeps_its_anchor(void **unused) {
  (void)unused;
  for_both(check_sticking);
}

static void check_sliding(ContactBench *bench) {
  begin(bench, 0);
  move_block(bench, 0.03, -0.04, 0);
  commit(bench, 0.01);
  begin(bench, 0.01);
  look(bench, 0.01);
  int seen = 0;
  for (int t = 0; t < bench->set->now.count; t++) {
    const StContact *contact = &bench->set->now.contact[t];
    double z[3], way[3], length = displacement(bench, contact, z);
    if (contact->pair != SLAB || !counts(contact) || contact->split > 1)
      continue;
    assert_true(fabs(length / yield(bench, contact) - 1) < 1e-9);
    across(bench, contact, 0.03, -0.04, way);
    assert_true(vec3_dot(z, way) > (1 - 1e-9) * length * vec3_length(way));
    seen++;
  }
  assert_true(seen >= 16);
}

static void what_slides_is_held_at_the_yield(void **unused) {
  (void)unused;
  for_both(check_sliding);
}

// What all anchors on the slab pull with, as springs, and the energy they store; also the largest
// load of one.
typedef struct Hold {
  double tension[3], energy, load;
} Hold;

static Hold measure_hold(const ContactBench *bench) {
  Hold hold = {{0}, 0, 0};
  for (int t = 0; t < bench->set->now.count; t++) {
    const StContact *contact = &bench->set->now.contact[t];
    StFrictionLoad load = st_normal_state_load(&contact->normal_state);
    double z[3], length = displacement(bench, contact, z);
    if (contact->pair != SLAB || contact->split > 1)
      continue;
    vec3_add_scaled(contact->tangent_stiffness, z, hold.tension);
    hold.energy += st_friction_stored(
        &st_contact_set_pair_law(bench->set, contact)->friction[ST_FRICTION_PART_DRY], &load,
        length);
    hold.load =
        fmax(hold.load,
             st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale).load);
  }
  return hold;
}

static void assert_same_tension(const Hold *hold, const Hold *before) {
  double difference[3];
  vec3_sub(hold->tension, before->tension, difference);
  assert_true(vec3_length(before->tension) > 0.1);
  assert_true(vec3_length(difference) < 1e-9 * vec3_length(before->tension));
}

static Hold hold_at(ContactBench *bench, double time) {
  begin(bench, time);
  look(bench, time);
  return measure_hold(bench);
}

// Stiffer contact and heavier load leave the tension as it is and lose energy; an anchor that has
// been tightened stays so when the load falls, and has nothing to give back.
static void anchors_tighten_under_load(void **unused) {
  (void)unused;
  ContactBench bench = contact_bench_open(describe(ST_CONTACT_PRIMITIVES));
  stick(&bench);
  Hold first = hold_at(&bench, STEP);
  for (int k = 0; k < ST_CONTACT_KINDS; k++)
    for (int i = 0; i < bench.state->stiffness.count; i++)
      bench.state->stiffness.factor[k][i] *= 50;
  bench.state->version++;
  look(&bench, STEP);
  Hold stiff = measure_hold(&bench);
  assert_same_tension(&stiff, &first);
  // z²/2k of a spring; where it nears the yield it is softer.
  assert_true(fabs(50 * stiff.energy / first.energy - 1) < 0.01);
  assert_true(stiff.load == 0);
  move_block(&bench, 0, 0, -0.009);
  look(&bench, 2 * STEP);
  Hold pressed = measure_hold(&bench);
  assert_same_tension(&pressed, &first);
  assert_true(pressed.energy < 0.5 * stiff.energy);
  assert_true(pressed.load > 2);
  commit(&bench, 2 * STEP);
  Hold stiffening = hold_at(&bench, 2 * STEP);
  assert_same_tension(&stiffening, &first);
  assert_true(fabs(stiffening.load - 1) < 1e-9);
  assert_true(stiffening.energy < pressed.energy);
  move_block(&bench, 0, 0, 0.009);
  commit(&bench, 3 * STEP);
  Hold eased = hold_at(&bench, 3 * STEP);
  assert_same_tension(&eased, &first);
  assert_true(eased.energy < 1.001 * stiffening.energy);
  contact_bench_close(&bench);
}

// Friction on the point of a contact with the half-space.
static void ceiling_friction(const ContactBench *bench, const StContact *contact, double force[3]) {
  const StContactSet *set = bench->set;
  double v[3], wall[3];
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_DRY);
  st_contact_set_friction_velocities(set, 1, st_contact_array_places(&set->now, contact),
                                     ST_FRICTION_PART_DRY, bench->position, NULL, v);
  st_contact_set_friction_wall(set, &set->now, contact, ST_FRICTION_PART_DRY, wall);
  st_contact_friction(&law, 1, &contact->normal_state, st_contact_array_shares(&set->now, contact),
                      v, wall, force);
}

static const StContact *ceiling_contact(const ContactBench *bench, int vertex) {
  for (int t = 0; t < bench->set->now.count; t++) {
    const StContact *contact = &bench->set->now.contact[t];
    if (contact->pair == CEILING && st_contact_array_places(&bench->set->now, contact)[0] == vertex)
      return contact;
  }
  fail_msg("vertex %d does not touch the ceiling", vertex);
  return NULL;
}

// Slopes of friction by the point's place: complex, and by differences.
static void check_ceiling_slopes(ContactBench *bench, int vertex, double time) {
  double most = 0, error = 0;
  const double h = 1e-9;
  for (int c = 0; c < 3; c++) {
    double side[2][3], *x = bench->position + 3 * (size_t)vertex, at = x[c];
    StDual place[3], moved[3], force[3] = {0};
    look(bench, time);
    for (int i = 0; i < 3; i++)
      place[i] = s_dual(x[i], i == c);
    st_contact_set_friction_dual(bench->set, vertex, place, moved);
    st_provider_obstacle.friction_dual(bench->set, ceiling_contact(bench, vertex),
                                       ST_FRICTION_PART_DRY, place, moved, force);
    for (int k = 0; k < 2; k++) {
      x[c] = at + (k ? -h : h);
      look(bench, time);
      ceiling_friction(bench, ceiling_contact(bench, vertex), side[k]);
    }
    x[c] = at;
    for (int i = 0; i < 3; i++) {
      double slope = (side[0][i] - side[1][i]) / (2 * h);
      most = fmax(most, fabs(slope));
      error = fmax(error, fabs(slope - s_derivative(force[i])));
    }
  }
  assert_true(error < 1e-5 * most);
}

// On a half-space, with a load that tightens: as it sticks, and as it slides.
static void slopes_contain_the_tightening(void **unused) {
  (void)unused;
  for (int slides = 0; slides < 2; slides++) {
    ContactBench bench = contact_bench_open(describe(ST_CONTACT_PRIMITIVES));
    stick(&bench);
    begin(&bench, STEP);
    move_block(&bench, slides ? 0.02 : 2e-5, slides ? -0.01 : 3e-5, 0.008);
    double time = STEP + (slides ? 0.01 : STEP);
    look(&bench, time);
    int seen = 0;
    for (int v = 0; v < bench.piece->vertex_count; v++)
      if (bench.piece->body[v] == 0 && bench.piece->rest[3 * v + 2] > 0.49) {
        look(&bench, time);
        const StContact *contact = ceiling_contact(&bench, v);
        assert_true(
            st_anchor_stiffening(contact->gap, contact->thickness, contact->anchor_scale).load >
            1.5);
        check_ceiling_slopes(&bench, v, time);
        seen++;
      }
    assert_int_equal(seen, 16);
    contact_bench_close(&bench);
  }
}

// An hour of rotation: displacements rotate along and keep their length.
static void check_riding(ContactBench *bench) {
  const double h = 0.1;
  double before[PAIRS] = {0}, after[PAIRS] = {0};
  stick(bench);
  for (int step = 0; step < 400; step++) {
    double start = STEP + step * h;
    begin(bench, start);
    if (step == 0) {
      look(bench, start);
      for (int t = 0; t < bench->set->now.count; t++) {
        const StContact *contact = &bench->set->now.contact[t];
        double z[3], length = displacement(bench, contact, z);
        if (counts(contact))
          before[contact->pair] = fmax(before[contact->pair], length);
      }
    }
    turn_all(bench, h);
    commit(bench, start + h);
  }
  double end = STEP + 400 * h;
  begin(bench, end);
  look(bench, end);
  for (int t = 0; t < bench->set->now.count; t++) {
    const StContact *contact = &bench->set->now.contact[t];
    double z[3], length = displacement(bench, contact, z);
    if (counts(contact))
      after[contact->pair] = fmax(after[contact->pair], length);
  }
  for (int p = 0; p < PAIRS; p++) {
    assert_true(before[p] > 1e-6);
    assert_true(fabs(after[p] - before[p]) < 1e-9);
  }
}

static void what_rides_along_is_not_stretched(void **unused) {
  (void)unused;
  for_both(check_riding);
}

static void check_lifting(ContactBench *bench) {
  stick(bench);
  begin(bench, STEP);
  move_block(bench, 0, 0, 0.005); // off the slab, up to the ceiling
  move_block(bench, 0, 0, DELTA);
  for (int i = 2; i < bench->numbers; i += 3)
    if (bench->piece->body[i / 3] == 0)
      bench->position[i] = fmin(bench->position[i], 0.5);
  commit(bench, 2 * STEP);
  for (int i = 0; i < bench->state->anchors.count; i++)
    assert_int_equal(bench->state->anchors.item[i].key.pair, CEILING);
  st_contact_state_drop_anchors(bench->contacts, bench->state);
  assert_int_equal(bench->state->anchors.count, 0);
}

static void what_lets_go_loses_its_anchor(void **unused) {
  (void)unused;
  for_both(check_lifting);
}

// Between features of a flat face forces do not jump: the block's vertices stand over vertices of
// the slab, where the nearest feature changes with the last digit.
static void check_features(ContactBench *bench) {
  double force[2][3] = {{0}};
  stick(bench);
  begin(bench, STEP);
  for (int side = 0; side < 2; side++) {
    move_block(bench, side ? 2e-9 : -1e-9, side ? 2e-9 : -1e-9, 0);
    look(bench, 2 * STEP);
    for (int t = 0; t < bench->set->now.count; t++) {
      const StContact *contact = &bench->set->now.contact[t];
      StFrictionLoad load = st_normal_state_load(&contact->normal_state);
      double z[3], f[3];
      displacement(bench, contact, z);
      for (int i = 0; i < 3; i++)
        z[i] /= bench->set->span;
      st_friction_force(
          &st_contact_set_pair_law(bench->set, contact)->friction[ST_FRICTION_PART_DRY], &load, z,
          f);
      if (contact->pair == SLAB)
        vec3_add_scaled(1, f, force[side]);
    }
  }
  double jump[3];
  vec3_sub(force[1], force[0], jump);
  assert_true(vec3_length(force[0]) > 0);
  assert_true(vec3_length(jump) < 1e-3 * vec3_length(force[0]));
}

static void forces_do_not_jump_between_features(void **unused) {
  (void)unused;
  for_both(check_features);
}

// The anchored contacts of the block's vertices on the slab whose normals are `degrees` from
// upright, after the block has stuck with its left side over the slab's right rim and tipped over
// it: a turn about the rim, at the same gap.
static int count_held_past_the_rim(double degrees, int *all) {
  ContactBench bench = contact_bench_open(describe(ST_CONTACT_PRIMITIVES));
  const double gap = 0.01, angle = degrees * M_PI / 180;
  int held = 0;
  move_block(&bench, 1.499, 0.1, 0);
  stick(&bench);
  move_block(&bench, 0, 0, 1); // the step begins where its faces are not flush
  begin(&bench, STEP);
  move_block(&bench, 0.001 - 2e-5 + gap * sin(angle), 0, gap * (cos(angle) - 1) - 1);
  look(&bench, 2 * STEP);
  *all = 0;
  for (int t = 0; t < bench.set->now.count; t++) {
    const StContact *contact = &bench.set->now.contact[t];
    bool point = contact->pair == SLAB && contact->split == 1;
    if (!point || fabs(contact->normal_state.normal[2] - cos(angle)) > 1e-6)
      continue;
    ++*all;
    held += vec3_length(contact->held) > 0;
  }
  contact_bench_close(&bench);
  return held;
}

static void an_anchor_lasts_where_a_normal_turns_past_a_rim(void **unused) {
  (void)unused;
  int all;
  for (double degrees = 5; degrees < 90; degrees += 5) {
    int held = count_held_past_the_rim(degrees, &all);
    assert_true(all > 0);
    assert_int_equal(held, all);
  }
}

// A second anchor for each point, farther stretched, as if it also stuck to a wall on the right.
static void double_anchors(ContactBench *bench) {
  StAnchors *from = &bench->state->anchors, both = {0};
  for (int i = 0; i < 2 * from->count; i++) {
    const StAnchor *old = &from->item[i / 2];
    StAnchor *anchor = st_anchors_add(&both, old->count);
    size_t first = anchor->first;
    *anchor = *old;
    anchor->first = first;
    memcpy(both.place + first, from->place + old->first, (size_t)old->count * sizeof(int));
    memcpy(both.weight + first, from->weight + old->first, (size_t)old->count * sizeof(double));
    if (i % 2 == 0)
      continue;
    vec3_set(1, 0, 0, anchor->normal);
    for (int k = 0; k < old->count; k++)
      both.weight[first + (size_t)k] *= 1.01;
  }
  st_anchors_free(from);
  *from = both;
}

// What the contacts of the block's vertices on the slab's rim are held by, in all.
static void sum_held(double degrees, double sum[3]) {
  ContactBench bench = contact_bench_open(describe(ST_CONTACT_PRIMITIVES));
  const double gap = 0.01, angle = degrees * M_PI / 180;
  move_block(&bench, 1.499, 0.1, 0);
  stick(&bench);
  double_anchors(&bench);
  begin(&bench, STEP);
  move_block(&bench, 0.001 - 2e-5 + gap * sin(angle), 0, gap * (cos(angle) - 1));
  look(&bench, 2 * STEP);
  vec3_set(0, 0, 0, sum);
  for (int t = 0; t < bench.set->now.count; t++) {
    const StContact *contact = &bench.set->now.contact[t];
    if (contact->pair == SLAB && contact->split == 1)
      vec3_add_scaled(1, contact->held, sum);
  }
  contact_bench_close(&bench);
}

// Where two anchors match equally well, a normal that turns by the last digit must not change what
// holds: forces that jump within a step break Newton's method.
static void a_contact_has_the_same_anchor_throughout_a_step(void **unused) {
  (void)unused;
  double before[3], after[3];
  sum_held(45 - 1e-6, before);
  sum_held(45 + 1e-6, after);
  assert_true(vec3_length(before) > 0);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(before[i] - after[i]) < 1e-12);
}

static void check_bytes(ContactBench *bench) {
  size_t size, again;
  stick(bench);
  char *bytes = st_anchors_pack(&bench->state->anchors, bench->contacts, &size);
  assert_true(bytes && size > 0 && st_anchors_sort_packed(bytes, size));
  StAnchors other = {0};
  assert_int_equal(st_anchors_unpack(bytes, size, bench->contacts, &other), ST_OK);
  char *second = st_anchors_pack(&other, bench->contacts, &again);
  assert_int_equal(again, size);
  assert_memory_equal(second, bytes, size);
  st_anchors_free(&other);
  // Damaged bytes are refused or mean something else, but never read beyond their end.
  uint64_t random = 3;
  for (int i = 0; i < 2000; i++) {
    size_t length = i % 2 ? size : (size_t)random_between(&random, 0, (double)size);
    char *damaged = ST_NEW(char, length);
    memcpy(damaged, bytes, length);
    for (int k = 0; k < 3 && length > 0; k++)
      damaged[(size_t)random_between(&random, 0, (double)length)] ^=
          (char)(1 << (int)random_between(&random, 0, 8));
    StStatus status = st_anchors_unpack(damaged, length, bench->contacts, &other);
    assert_true(status == ST_OK || status == ST_BAD_INPUT);
    st_anchors_free(&other);
    free(damaged);
  }
  free(bytes);
  free(second);
}

static void bytes_come_back(void **unused) {
  (void)unused;
  for_both(check_bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(displacement_is_the_way_since_the_anchor),
      cmocka_unit_test(what_sticks_keeps_its_anchor),
      cmocka_unit_test(what_slides_is_held_at_the_yield),
      cmocka_unit_test(anchors_tighten_under_load),
      cmocka_unit_test(slopes_contain_the_tightening),
      cmocka_unit_test(what_rides_along_is_not_stretched),
      cmocka_unit_test(what_lets_go_loses_its_anchor),
      cmocka_unit_test(forces_do_not_jump_between_features),
      cmocka_unit_test(an_anchor_lasts_where_a_normal_turns_past_a_rim),
      cmocka_unit_test(a_contact_has_the_same_anchor_throughout_a_step),
      cmocka_unit_test(bytes_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
