// Derivatives of contact and friction that are written out, against the complex step: normal force,
// friction with all its derivatives and with a fixed basis, on smooth parts of surfaces, near edges
// and over thin walls.
#include "contact/smooth/smooth_jacobian.h"
#include "support/compare.h"
#include "support/random.h"
#include "support/surface_probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { MOST = 200 };
static const double by_position = 0.7, by_velocity = 30;

typedef struct Bench {
  Probe *probe;
  StContactLaw law;
  bool fixed_basis;
  double velocity[3 * MOST], direction[3 * MOST];
  double point_rows[9 * MOST], share_slope[3 * MOST * MOST], work[ST_SLOPE_WORK * MOST];
  double jacobian[9 * MOST * MOST];
  StDual x[3 * MOST], v[3 * MOST], force[3 * MOST];
  int plain; // points where derivatives could be written out
  double normal_error, friction_error;
} Bench;

static void seed_duals(Bench *bench, int numbers) {
  for (int i = 0; i < numbers; i++) {
    bench->x[i] = s_dual(bench->probe->at[i], by_position * bench->direction[i]);
    bench->v[i] = s_dual(bench->velocity[i], by_velocity * bench->direction[i]);
    bench->force[i] = 0;
  }
}

// How far jacobian · direction is from what the complex forces say.
static double mismatch(const Bench *bench, int numbers) {
  double worst = 0, scale = 1e-300;
  for (int i = 0; i < numbers; i++) {
    double sum = 0, exact = s_derivative(bench->force[i]);
    for (int j = 0; j < numbers; j++) {
      double part = bench->jacobian[i * numbers + j] * bench->direction[j];
      sum += part;
      scale = fmax(scale, fabs(part));
    }
    worst = fmax(worst, fabs(sum - exact));
  }
  return worst / scale;
}

// What is in the work space before must not matter.
static void spoil(Bench *bench) {
  memset(bench->point_rows, 0xff, sizeof bench->point_rows);
  memset(bench->share_slope, 0xff, sizeof bench->share_slope);
  memset(bench->work, 0xff, sizeof bench->work);
  memset(bench->jacobian, 0xff, sizeof bench->jacobian);
}

static void check_normal(Bench *bench) {
  Probe *probe = bench->probe;
  int count = probe->stencil.count;
  st_contact_normal_jacobian(&bench->law, count, &probe->gap, by_position, bench->jacobian);
  seed_duals(bench, 3 * count);
  st_surface_gap_dual(probe->surface, probe->scratch, bench->x, &probe->dual);
  st_contact_add_normal_dual(&bench->law, count, &probe->dual, bench->force);
  bench->normal_error = fmax(bench->normal_error, mismatch(bench, 3 * count));
}

static void check_friction(Bench *bench) {
  Probe *probe = bench->probe;
  int count = probe->stencil.count;
  const StDual wall[3] = {0, 0, 0};
  spoil(bench);
  assert_true(st_surface_gap_slopes(probe->surface, probe->scratch, probe->at, &probe->gap,
                                    bench->point_rows, bench->share_slope, bench->work));
  StFrictionSite site = {.point_rows = bench->point_rows,
                         .share_slope = bench->share_slope,
                         .velocity = bench->velocity,
                         .fixed_basis = bench->fixed_basis};
  st_contact_friction_jacobian(&bench->law, count, &probe->gap, &site, by_position, by_velocity,
                               bench->jacobian, bench->work);
  seed_duals(bench, 3 * count);
  st_surface_gap_dual(probe->surface, probe->scratch, bench->x, &probe->dual);
  st_contact_add_friction_dual(&bench->law, count, &probe->dual, bench->fixed_basis, bench->v, wall,
                               bench->force);
  bench->friction_error = fmax(bench->friction_error, mismatch(bench, 3 * count));
}

static void check_point(Bench *bench, const double x[3], uint64_t *state) {
  Probe *probe = bench->probe;
  if (!probe_gap(probe, x) || fabs(probe->gap.gap) >= bench->law.thickness)
    return;
  int count = probe->stencil.count;
  assert_true(count <= MOST);
  spoil(bench);
  random_fill(state, -2e-3, 2e-3, 3 * count, bench->velocity);
  random_fill(state, -1, 1, 3 * count, bench->direction);
  if (!st_surface_gap_hessian(probe->surface, probe->scratch, probe->at, &probe->gap,
                              bench->jacobian, bench->work))
    return;
  bench->plain++;
  check_normal(bench);
  check_friction(bench);
}

static void check_shape(const char *shape, const ShapeSetting *setting, int count, double thickness,
                        double reach, bool fixed_basis) {
  static Bench bench;
  static StFrictionLaw friction = {.dynamic_coefficient = 0.3,
                                   .static_coefficient = 0.5,
                                   .viscous_coefficient = 2,
                                   .sticking_speed = 1e-3,
                                   .stribeck_speed = 1e-2};
  StSurfaceOptions options = st_surface_defaults(thickness);
  uint64_t state = 5;
  st_friction_prepare(&friction);
  bench = (Bench){.probe = probe_create(probe_shape(shape, setting, count), &options),
                  .law = {.normal_law = ST_NORMAL_PENALTY,
                          .thickness = thickness,
                          .stiffness = 1e4,
                          .film = 1,
                          .friction = &friction},
                  .fixed_basis = fixed_basis};
  for (int i = 0; i < 3 * bench.probe->mesh->vertex_count; i++)
    bench.probe->position[i] += random_between(&state, -0.1 * thickness, 0.1 * thickness);
  probe_grow(bench.probe, bench.probe->position);
  probe_update(bench.probe);
  for (int i = 0; i < 4000; i++) {
    double x[3];
    for (int j = 0; j < 3; j++)
      x[j] = random_between(&state, -reach, reach);
    check_point(&bench, x, &state);
  }
  assert_true(bench.plain > 50);
  assert_below(bench.normal_error, 1e-12);
  assert_below(bench.friction_error, 1e-11);
  probe_destroy(bench.probe);
}

static const ShapeSetting ball[] = {{"cells", 6}};
static const ShapeSetting wall[] = {
    {"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", 0.01}};

static void on_a_ball(void **state) {
  (void)state;
  check_shape("sphere", ball, 1, 0.05, 0.6, false);
}

static void on_a_ball_with_a_fixed_basis(void **state) {
  (void)state;
  check_shape("sphere", ball, 1, 0.05, 0.6, true);
}

static void on_a_box(void **state) {
  (void)state;
  check_shape("box", NULL, 0, 0.05, 0.6, false);
}

static void on_a_thin_wall(void **state) {
  (void)state;
  check_shape("box", wall, 4, 0.0005, 0.04, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_a_ball),
      cmocka_unit_test(on_a_ball_with_a_fixed_basis),
      cmocka_unit_test(on_a_box),
      cmocka_unit_test(on_a_thin_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
