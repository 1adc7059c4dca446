// Read-out of contact worked out by hand: a tet with corners at chosen gaps above a floor and
// chosen speeds, with present and with lagged friction; and a point above another body.
#include "base/memory.h"
#include "contact/smooth/surface.h"
#include "math/vec3.h"
#include "model/partition.h"
#include "support/dense_readout.h"
#include "support/box_mesh.h"
#include "support/contact_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double DELTA = 0.01, KAPPA = 5000, MU = 0.5, EPSILON = 1e-3, VISCOUS = 2;

static StMesh *tet_mesh(void) {
  StMesh *mesh = st_mesh_create(4, 1, 0);
  const double position[12] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 2};
  const int tet[4] = {0, 1, 2, 3};
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->tet, tet, sizeof tet);
  mesh->tet_label[0] = -1;
  return mesh;
}

static StDescription *describe(StFrictionMode mode, int bodies) {
  StDescription *d = st_description_create();
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("material"), .density = 1};
  d->body_count = bodies;
  d->body = ST_NEW(StBodyDesc, bodies);
  d->body[0].name = st_copy_string("tet");
  d->body[0].mesh = tet_mesh();
  d->contact_count = 1;
  d->contact = ST_NEW(StContactDesc, 1);
  d->contact[0] = (StContactDesc){.body = -1,
                                  .thickness = DELTA,
                                  .stiffness = KAPPA,
                                  .friction = {.dynamic_coefficient = MU,
                                               .static_coefficient = MU,
                                               .viscous_coefficient = VISCOUS,
                                               .sticking_speed = EPSILON,
                                               .stribeck_speed = 10 * EPSILON}};
  d->contact_settings.friction = mode;
  d->contact_settings.method = ST_CONTACT_SMOOTH;
  d->contact_settings.area_weighted = false;
  return d;
}

static ContactBench floor_bench(StFrictionMode mode, double mu, double viscous, double epsilon) {
  StDescription *d = describe(mode, 1);
  StFrictionDesc *friction = &d->contact[0].friction;
  friction->dynamic_coefficient = friction->static_coefficient = mu;
  friction->viscous_coefficient = viscous;
  friction->sticking_speed = epsilon;
  friction->stribeck_speed = 10 * epsilon;
  d->obstacle_count = 1;
  d->obstacle = ST_NEW(StObstacleDesc, 1);
  d->obstacle[0] = (StObstacleDesc){.name = st_copy_string("floor"),
                                    .shape = {.name = st_obstacle_find("half_space")->name},
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  return contact_bench_open(d);
}

// Vertices by their number in the description.
static int local_of(const ContactBench *bench, int id) {
  for (int i = 0; i < bench->piece->vertex_count; i++)
    if (bench->piece->vertex_id[i] == id)
      return i;
  return -1;
}

static void place(ContactBench *bench, int id, double height, double speed) {
  int i = local_of(bench, id);
  bench->position[3 * i + 2] = height;
  bench->velocity[3 * i] = speed;
}

// 3 κ (δ - d)²/δ
static double pressing(double gap) {
  return 3 * KAPPA * (DELTA - gap) * (DELTA - gap) / DELTA;
}

static double engagement(double gap) {
  return (1 - gap / DELTA) * (1 - gap / DELTA);
}

static double smoothed(double speed) {
  double x = speed / EPSILON;
  return x < 1 ? 2 * x - x * x : 1;
}

static void assert_close(double got, double expected) {
  if (!(fabs(got - expected) <= 1e-13 * fmax(1, fabs(expected))))
    fail_msg("%.17g is not %.17g", got, expected);
}

static void evaluate(ContactBench *bench) {
  assert_int_equal(st_contacts_evaluate(bench->contacts, bench->state, st_instant(0),
                                        bench->position, bench->set),
                   ST_OK);
}

static void read_pairs(ContactBench *bench, StPairReadout *pair, StContactExtremes *worst) {
  evaluate(bench);
  assert_int_equal(dense_readout(bench->set, bench->position, bench->velocity, pair, worst), ST_OK);
}

static void three_corners_by_hand(void **state) {
  (void)state;
  ContactBench bench = floor_bench(ST_FRICTION_IMPLICIT, MU, VISCOUS, EPSILON);
  const double gap[2] = {0.004, 0.002}, speed[2] = {0.25 * EPSILON, -0.3};
  place(&bench, 0, gap[0], speed[0]);
  place(&bench, 1, gap[1], speed[1]);
  place(&bench, 2, 0.5, 1);
  double coulomb[2], friction[2];
  for (int i = 0; i < 2; i++) {
    double size = fabs(speed[i]);
    coulomb[i] = MU * smoothed(size) * pressing(gap[i]);
    friction[i] = -copysign(coulomb[i] + VISCOUS * size * engagement(gap[i]), speed[i]);
  }
  StPairReadout pair;
  StContactExtremes worst;
  read_pairs(&bench, &pair, &worst);
  assert_true(pair.touching == 2 && pair.sticking == 1);
  assert_close(pair.normal_force, pressing(gap[0]) + pressing(gap[1]));
  assert_close(pair.friction[0], friction[0] + friction[1]);
  assert_close(pair.friction_size, fabs(friction[0]) + fabs(friction[1]));
  assert_close(pair.power, friction[0] * speed[0] + friction[1] * speed[1]);
  assert_true(pair.net[0] == 0 && pair.net[2] == 0);
  assert_close(worst.cone_violation, 0);
  assert_true(worst.normal_force_error == 0);
  assert_close(worst.creep_speed, speed[0]);
  assert_close(worst.deepest_gap, gap[1]);
  assert_int_equal(worst.deepest_vertex, 1);
  contact_bench_close(&bench);
}

static void vertices_by_hand(void **state) {
  (void)state;
  ContactBench bench = floor_bench(ST_FRICTION_IMPLICIT, MU, 0, EPSILON);
  place(&bench, 0, 0.004, 0.25 * EPSILON);
  place(&bench, 1, 0.002, -0.3);
  double vertex[4 * ST_READOUT_WIDTH];
  evaluate(&bench);
  assert_int_equal(st_readout_vertices(bench.set, bench.position, bench.velocity, vertex), ST_OK);
  const double expected[4][ST_READOUT_WIDTH] = {
      {pressing(0.004), 0.004, 0.25 * EPSILON, 0, ST_CONTACT_STICKING},
      {pressing(0.002), 0.002, 0.3, 0, ST_CONTACT_SLIDING},
      {0, DELTA, 0, 0, ST_CONTACT_FREE},
      {0, DELTA, 0, 0, ST_CONTACT_FREE}};
  for (int id = 0; id < 4; id++)
    for (int k = 0; k < ST_READOUT_WIDTH; k++)
      assert_close(vertex[ST_READOUT_WIDTH * local_of(&bench, id) + k], expected[id][k]);
  contact_bench_close(&bench);
}

// Corner 0 touched and still does, corner 1 left, corner 2 came.
static void lagged_friction_shows_what_it_went_by(void **state) {
  (void)state;
  ContactBench bench = floor_bench(ST_FRICTION_LAGGED, MU, 0, EPSILON);
  place(&bench, 0, 0.002, 1);
  place(&bench, 1, 0.006, 1);
  StError error = {0};
  evaluate(&bench);
  assert_int_equal(st_contact_state_lag(bench.state, bench.set, &error), ST_OK);
  place(&bench, 0, 0.004, 1);
  place(&bench, 1, 0.5, 1);
  place(&bench, 2, 0.001, 1);
  StPairReadout pair;
  StContactExtremes worst;
  read_pairs(&bench, &pair, &worst);
  assert_true(pair.touching == 2 && pair.sticking == 0);
  assert_close(pair.normal_force, pressing(0.004) + pressing(0.001));
  assert_close(pair.friction[0], -MU * (pressing(0.002) + pressing(0.006)));
  assert_close(worst.normal_force_error, pressing(0.001));
  double excess = fmax(pressing(0.002) - pressing(0.004), pressing(0.006));
  assert_close(worst.cone_violation, MU * excess);
  assert_int_equal(worst.deepest_vertex, 2);
  contact_bench_close(&bench);
}

static void slippery_contact_never_sticks(void **state) {
  (void)state;
  ContactBench bench = floor_bench(ST_FRICTION_IMPLICIT, 0, 0, 0);
  place(&bench, 0, 0.004, 0);
  StPairReadout pair;
  StContactExtremes worst;
  read_pairs(&bench, &pair, &worst);
  assert_true(pair.touching == 1 && pair.sticking == 0);
  assert_true(pair.friction_size == 0 && pair.power == 0 && pair.friction[0] == 0);
  assert_true(worst.cone_violation == -INFINITY);
  assert_true(worst.normal_force_error == 0 && worst.creep_speed == 0);
  contact_bench_close(&bench);
}

static void nothing_touches(void **state) {
  (void)state;
  ContactBench bench = floor_bench(ST_FRICTION_IMPLICIT, MU, 0, EPSILON);
  StPairReadout pair;
  StContactExtremes worst;
  read_pairs(&bench, &pair, &worst);
  assert_true(pair.touching == 0 && pair.normal_force == 0);
  assert_true(worst.deepest_gap == INFINITY && worst.deepest_vertex == -1);
  contact_bench_close(&bench);
}

// The tet's lower corners slide over the top of a bumpy box: what they get, the box gives.
static void action_is_reaction_between_bodies(void **state) {
  (void)state;
  StDescription *d = describe(ST_FRICTION_IMPLICIT, 2);
  BoxGrid grid = {.cells = {8, 8, 2}, .low = {-0.5, -0.5, 0}, .high = {1.5, 1.5, 0.5}};
  d->body[1].name = st_copy_string("box");
  d->body[1].mesh = box_mesh_create(&grid);
  d->contact[0].body = 1;
  d->contact[0].obstacle = -1;
  StSurfaceOptions options = st_surface_defaults(DELTA);
  d->contact_settings.kernel = options.kernel;
  d->contact_settings.radius_multiplier = options.radius_multiplier;
  d->contact_settings.smoothing = options.smoothing;
  ContactBench bench = contact_bench_open(d);
  for (int i = 0; i < bench.piece->vertex_count; i++)
    for (int c = 0; c < 3; c++) {
      double *x = bench.position + 3 * i;
      bench.velocity[3 * i + c] = 0.1 * sin(3 * i + c);
      if (bench.piece->body[i] == 1)
        x[c] += 1e-3 * sin(7 * i + 2 * c);
      else if (c == 2)
        x[c] -= 0.495;
    }
  StPairReadout pair;
  StContactExtremes worst;
  read_pairs(&bench, &pair, &worst);
  assert_true(pair.touching == 3);
  assert_true(pair.friction_size > 0.1 * pair.normal_force);
  assert_true(pair.power < 0);
  assert_true(vec3_length(pair.net) < 1e-13 * pair.normal_force);
  assert_true(worst.cone_violation < 1e-13 * pair.normal_force);
  contact_bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_corners_by_hand),
      cmocka_unit_test(vertices_by_hand),
      cmocka_unit_test(lagged_friction_shows_what_it_went_by),
      cmocka_unit_test(slippery_contact_never_sticks),
      cmocka_unit_test(nothing_touches),
      cmocka_unit_test(action_is_reaction_between_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
