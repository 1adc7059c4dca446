// Gradients of gap and fade: exact against differences and against the complex step, symmetric
// second derivatives, translation and rotation; on smooth parts, edges, thin walls, borders and
// rims.
#include "support/surface_probe.h"
#include "support/compare.h"
#include "support/random.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static StGap gap_arrays(double *memory) {
  return (StGap){.gradient = memory,
                 .mollifier_gradient = memory + 3 * PROBE_MOST,
                 .share = memory + 6 * PROBE_MOST};
}

// Differences of gap and fade along a direction, samples and stencil held; to h⁶.
static void difference(Probe *probe, const double *direction, double h, double *gap,
                       double *mollifier) {
  static double at[3 * PROBE_MOST], memory[7 * PROBE_MOST];
  *gap = *mollifier = 0;
  for (int s = 0; s < DIFFERENCE_POINTS; s++) {
    for (int i = 0; i < 3 * probe->stencil.count; i++)
      at[i] = probe->at[i] + h * difference_at[s] * direction[i];
    StGap moved = gap_arrays(memory);
    st_surface_gap(probe->surface, probe->scratch, at, &moved);
    *gap += difference_weight[s] * moved.gap / h;
    *mollifier += difference_weight[s] * moved.mollifier / h;
  }
}

static double along(const double *gradient, const double *direction, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += gradient[i] * direction[i];
  return sum;
}

// How far the analytic gradient lies from the derivatives along random directions.
typedef struct Errors {
  double step, difference, symmetry, translation;
} Errors;

static void check_direction(Probe *probe, const double *u, const double *v, double h, Errors *e) {
  int numbers = 3 * probe->stencil.count;
  double size = sqrt((double)probe->stencil.count);
  const StGap *gap = &probe->gap;
  double slope = along(gap->gradient, u, numbers),
         mollifier_slope = along(gap->mollifier_gradient, u, numbers);
  double mollifier_size = fmax(1, largest(numbers, gap->mollifier_gradient)) * size;

  probe_dual(probe, u);
  double gap_error = fabs(s_derivative(probe->dual->gap) - slope) / size;
  double mollifier_error =
      fabs(s_derivative(probe->dual->mollifier) - mollifier_slope) / mollifier_size;
  e->step = fmax(e->step, fmax(gap_error, mollifier_error));

  double second = 0, mollifier_second = 0, scale = 1e-300;
  for (int i = 0; i < numbers; i++) {
    double rate = s_derivative(probe->dual->gradient[i]);
    double mollifier_rate = s_derivative(probe->dual->mollifier_gradient[i]);
    second += rate * v[i];
    mollifier_second += mollifier_rate * v[i];
    scale = fmax(scale, fmax(fabs(rate), fabs(mollifier_rate)));
  }
  probe_dual(probe, v);
  for (int i = 0; i < numbers; i++) {
    second -= s_derivative(probe->dual->gradient[i]) * u[i];
    mollifier_second -= s_derivative(probe->dual->mollifier_gradient[i]) * u[i];
  }
  e->symmetry = fmax(e->symmetry, fmax(fabs(second), fabs(mollifier_second)) / (scale * size));

  double change, mollifier_change;
  difference(probe, u, h, &change, &mollifier_change);
  gap_error = fabs(change - slope) / size;
  mollifier_error = fabs(mollifier_change - mollifier_slope) / mollifier_size;
  e->difference = fmax(e->difference, fmax(gap_error, mollifier_error));
}

static void check_point(Probe *probe, const double x[3], uint64_t *state, Errors *e) {
  static double u[3 * PROBE_MOST], v[3 * PROBE_MOST];
  if (!probe_gap(probe, x))
    return;
  double h = 1e-5 * st_surface_radius(probe->surface);
  for (int repeat = 0; repeat < 2; repeat++) {
    random_fill(state, -1, 1, 3 * probe->stencil.count, u);
    random_fill(state, -1, 1, 3 * probe->stencil.count, v);
    check_direction(probe, u, v, h, e);
  }
  for (int j = 0; j < 3; j++) {
    double sum = 0, mollifier_sum = 0;
    for (int k = 0; k < probe->stencil.count; k++) {
      sum += probe->gap.gradient[3 * k + j];
      mollifier_sum += probe->gap.mollifier_gradient[3 * k + j];
    }
    double scale = fmax(1, largest(3 * probe->stencil.count, probe->gap.mollifier_gradient));
    e->translation = fmax(e->translation, fmax(fabs(sum), fabs(mollifier_sum) / scale));
  }
}

// Random points in a box around a body whose vertices are a little disturbed.
static Errors check_body(Probe *probe, const double low[3], const double high[3], double shake,
                         int points) {
  uint64_t state = 11;
  Errors e = {0};
  for (int i = 0; i < 3 * probe->mesh->vertex_count; i++)
    probe->position[i] += random_between(&state, -shake, shake);
  probe_grow(probe, probe->position);
  probe_update(probe);
  for (int i = 0; i < points; i++) {
    double x[3];
    for (int j = 0; j < 3; j++)
      x[j] = random_between(&state, low[j], high[j]);
    check_point(probe, x, &state, &e);
  }
  return e;
}

static Probe *probe_of(const char *shape, const ShapeSetting *setting, int count,
                       double thickness) {
  StSurfaceOptions options = st_surface_defaults(thickness);
  return probe_create(probe_shape(shape, setting, count), &options);
}

// A box turned inside out.
static Probe *hollow_box(void) {
  StSurfaceOptions options = st_surface_defaults(0.02);
  return probe_create(probe_turn(probe_shape("box", NULL, 0)), &options);
}

// Differences see kinks of second derivatives (rim, steps, regions of the nearest point), which
// cost them digits when one lies within h; the complex step does not mind.
static void expect_exact(Probe *probe, Errors e) {
  assert_below(e.step, 1e-12);
  assert_below(e.symmetry, 1e-9);
  assert_below(e.translation, 1e-12);
  assert_below(e.difference, 1e-6);
  probe_destroy(probe);
}

static void test_sphere(void **state) {
  (void)state;
  Probe *probe = probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.02);
  const double low[3] = {-0.6, -0.6, -0.6}, high[3] = {0.6, 0.6, 0.6};
  expect_exact(probe, check_body(probe, low, high, 0.01, 400));
}

static void test_box_edge(void **state) {
  (void)state;
  Probe *probe = probe_of("box", NULL, 0, 0.01);
  const double low[3] = {0.4, -0.1, 0.4}, high[3] = {0.55, 0.1, 0.55};
  expect_exact(probe, check_body(probe, low, high, 0.01, 400));
}

static void test_inner_edge(void **state) {
  (void)state;
  Probe *probe = hollow_box();
  const double low[3] = {0.3, -0.1, 0.4}, high[3] = {0.55, 0.1, 0.55};
  expect_exact(probe, check_body(probe, low, high, 0.01, 400));
}

static void test_thin_wall(void **state) {
  (void)state;
  const ShapeSetting wall[] = {{"size_x", 0.1}, {"size_y", 0.1}, {"size_z", 0.002}, {"edge", 0.01}};
  Probe *probe = probe_of("box", wall, 4, 0.0005);
  const double low[3] = {0.02, -0.01, -0.004}, high[3] = {0.06, 0.01, 0.004};
  expect_exact(probe, check_body(probe, low, high, 0.0004, 400));
}

static void test_open_sheet(void **state) {
  (void)state;
  Probe *probe = probe_of("sheet", (ShapeSetting[]){{"edge", 0.1}}, 1, 0.02);
  const double low[3] = {0.3, 0.3, -0.1}, high[3] = {0.65, 0.65, 0.1};
  expect_exact(probe, check_body(probe, low, high, 0.01, 400));
}

static void test_other_kernels(void **state) {
  (void)state;
  for (int kernel = ST_KERNEL_CUBIC; kernel <= ST_KERNEL_INTERPOLATING; kernel++) {
    StSurfaceOptions options = st_surface_defaults(0.02);
    options.kernel = (StSurfaceKernel)kernel;
    StMesh *mesh = probe_shape("sphere", (ShapeSetting[]){{"cells", 6}}, 1);
    Probe *probe = probe_create(mesh, &options);
    const double low[3] = {-0.6, -0.6, -0.6}, high[3] = {0.6, 0.6, 0.6};
    Errors e = check_body(probe, low, high, 0.01, 100);
    expect_exact(probe, e);
  }
}

// What the complex step says of gradients and shares, against differences of the real kernel's.
static double second_error(Probe *probe, const double *direction, double h) {
  static double at[3 * PROBE_MOST], memory[7 * PROBE_MOST], rate[4 * PROBE_MOST];
  int count = probe->stencil.count;
  memset(rate, 0, sizeof rate);
  for (int s = 0; s < DIFFERENCE_POINTS; s++) {
    for (int i = 0; i < 3 * count; i++)
      at[i] = probe->at[i] + h * difference_at[s] * direction[i];
    StGap moved = gap_arrays(memory);
    st_surface_gap(probe->surface, probe->scratch, at, &moved);
    for (int i = 0; i < 3 * count; i++)
      rate[i] += difference_weight[s] * moved.gradient[i] / h;
    for (int k = 1; k < count; k++)
      rate[3 * count + k] += difference_weight[s] * moved.share[k] / h;
  }
  probe_dual(probe, direction);
  double most = 0, scale = largest(4 * count, rate);
  for (int i = 0; i < 3 * count; i++)
    most = fmax(most, fabs(s_derivative(probe->dual->gradient[i]) - rate[i]));
  for (int k = 1; k < count; k++)
    most = fmax(most, fabs(s_derivative(probe->dual->share[k]) - rate[3 * count + k]));
  return most / scale;
}

// Second derivatives jump at a few places (rims of samples, bounds of steps); nine in ten points
// have none of them within the differences.
static void check_second(Probe *probe, double near, double far) {
  static double direction[3 * PROBE_MOST];
  uint64_t random = 31;
  int good = 0, all = 0;
  while (all < 200) {
    double x[3];
    for (int j = 0; j < 3; j++)
      x[j] = random_between(&random, near, far);
    if (!probe_gap(probe, x))
      continue;
    random_fill(&random, -1, 1, 3 * probe->stencil.count, direction);
    double error = second_error(probe, direction, 1e-5 * st_surface_radius(probe->surface));
    assert_true(isfinite(error));
    good += error < 1e-6;
    all++;
  }
  assert_true(good > 180);
  probe_destroy(probe);
}

static void test_second_derivatives(void **state) {
  (void)state;
  check_second(probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.02), 0.2, 0.3);
  check_second(probe_of("box", NULL, 0, 0.01), 0.4, 0.51);
  check_second(hollow_box(), 0.4, 0.51);
}

// At a centroid r = 0, where the root in the kernel has no derivative.
static void test_at_a_centroid(void **state) {
  (void)state;
  Probe *probe = probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.02);
  const int *triangle = probe->mesh->triangle + 3 * 17;
  double x[3] = {0};
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(1.0 / 3, probe->position + 3 * triangle[v], x);
  uint64_t random = 5;
  Errors e = {0};
  check_point(probe, x, &random, &e);
  assert_true(probe->gap.gap == probe->gap.gap);
  expect_exact(probe, e);
}

// The gap's gradient turns with the bodies; gap, fade and shares do not change.
static void test_rotation(void **state) {
  (void)state;
  Probe *probe = probe_of("box", NULL, 0, 0.01);
  double axis[3] = {0.6, 0, 0.8}, turn[9], at[3 * PROBE_MOST];
  static double memory[7 * PROBE_MOST];
  mat3_rotation(axis, 1.1, turn);
  uint64_t random = 3;
  for (int i = 0; i < 200; i++) {
    double x[3] = {random_between(&random, 0.3, 0.6), random_between(&random, 0.3, 0.6),
                   random_between(&random, 0.48, 0.505)};
    if (!probe_gap(probe, x))
      continue;
    for (int k = 0; k < probe->stencil.count; k++)
      mat3_apply(turn, probe->at + 3 * k, at + 3 * k);
    StGap turned = gap_arrays(memory);
    st_surface_gap(probe->surface, probe->scratch, at, &turned);
    assert_below(fabs(turned.gap - probe->gap.gap), 1e-14);
    assert_below(fabs(turned.mollifier - probe->gap.mollifier), 1e-12);
    for (int k = 0; k < probe->stencil.count; k++) {
      double expected[3], difference[3];
      mat3_apply(turn, probe->gap.gradient + 3 * k, expected);
      vec3_sub(turned.gradient + 3 * k, expected, difference);
      assert_below(vec3_length(difference), 1e-11);
      if (k)
        assert_below(fabs(turned.share[k] - probe->gap.share[k]), 1e-9);
    }
  }
  probe_destroy(probe);
}

// Where a sample enters the reach R: value and gradient from both sides.
static void test_rim_of_the_kernel(void **state) {
  (void)state;
  Probe *probe = probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.02);
  uint64_t random = 5;
  double R = st_surface_radius(probe->surface);
  int checked = 0;
  for (int t = 0; t < probe->mesh->triangle_count && checked < 50; t++) {
    double c[3] = {0}, way[3], gap[2], gradient[2][3];
    for (int v = 0; v < 3; v++)
      vec3_add_scaled(1.0 / 3, probe->position + 3 * probe->mesh->triangle[3 * t + v], c);
    random_fill(&random, -1, 1, 3, way);
    double length = vec3_length(way);
    bool found = true;
    for (int side = 0; side < 2 && found; side++) {
      double x[3], at = R * (1 + (side ? 1e-7 : -1e-7)) / length;
      for (int j = 0; j < 3; j++)
        x[j] = c[j] + at * way[j];
      found = probe_gap(probe, x);
      gap[side] = probe->gap.gap;
      vec3_copy(probe->gap.gradient, gradient[side]);
    }
    if (!found || fabs(gap[0]) > 0.5 * R)
      continue;
    checked++;
    assert_below(fabs(gap[0] - gap[1]), 1e-6 * R);
    for (int j = 0; j < 3; j++)
      assert_below(fabs(gradient[0][j] - gradient[1][j]), 2e-5);
  }
  assert_true(checked > 10);
  probe_destroy(probe);
}

// Along paths over edges, through a wall and past a border: with half the spacing, the largest jump
// of energy gradient between neighbours halves. A kink of the energy would leave it as it is.
static double largest_jump(Probe *probe, const double from[3], const double to[3], int steps) {
  double last[3] = {0}, most = 0;
  for (int i = 0; i <= steps; i++) {
    double x[3], force[3] = {0};
    for (int j = 0; j < 3; j++)
      x[j] = from[j] + (to[j] - from[j]) * i / steps;
    if (probe_gap(probe, x)) {
      double close = fmax(0, 1 - probe->gap.gap / 0.02);
      for (int j = 0; j < 3; j++)
        force[j] = 3 * probe->gap.mollifier * close * close * probe->gap.gradient[j] -
                   0.02 * probe->gap.mollifier_gradient[j] * close * close * close;
    }
    double jump[3];
    vec3_sub(force, last, jump);
    if (i)
      most = fmax(most, vec3_length(jump));
    vec3_copy(force, last);
  }
  return most;
}

static void check_path(const char *shape, const ShapeSetting *setting, int count,
                       const double from[3], const double to[3]) {
  Probe *probe =
      strcmp(shape, "hollow") == 0 ? hollow_box() : probe_of(shape, setting, count, 0.02);
  double coarse = largest_jump(probe, from, to, 10000);
  double fine = largest_jump(probe, from, to, 40000);
  if (!(fine < 0.3 * coarse))
    fail_msg("%s: force jumps by %g at 10000 points and by %g at 40000", shape, coarse, fine);
  probe_destroy(probe);
}

static void test_smooth_paths(void **state) {
  (void)state;
  const ShapeSetting sheet[] = {{"edge", 0.1}}, wall[] = {{"size_z", 0.04}, {"edge", 0.1}};
  const ShapeSetting box[] = {{"edge", 0.1}};
  check_path("sheet", sheet, 1, (double[3]){0.2, 0.11, 0.01}, (double[3]){0.9, 0.13, 0.01});
  check_path("sheet", sheet, 1, (double[3]){0.2, 0.11, -0.05}, (double[3]){0.9, 0.13, -0.05});
  check_path("sheet", sheet, 1, (double[3]){0.2, 0.21, 0.01}, (double[3]){0.9, 0.91, 0.01});
  check_path("sheet", sheet, 1, (double[3]){0.13, 0.11, 0.3}, (double[3]){0.12, 0.13, -0.3});
  check_path("box", wall, 2, (double[3]){0.13, 0.11, 0.3}, (double[3]){0.12, 0.13, -0.3});
  check_path("box", wall, 2, (double[3]){0.13, 0.11, 0.01}, (double[3]){0.9, 0.13, 0});
  check_path("box", box, 1, (double[3]){0.13, 0.11, 0.51}, (double[3]){0.9, 0.13, 0.5});
  check_path("hollow", NULL, 0, (double[3]){0.1, 0.11, 0.51}, (double[3]){0.6, 0.13, 0.5});
  check_path("hollow", NULL, 0, (double[3]){0.1, 0.11, 0.49}, (double[3]){0.6, 0.13, 0.5});
  check_path("hollow", NULL, 0, (double[3]){0.3, 0.31, 0.32}, (double[3]){0.6, 0.61, 0.6});
  check_path("box", box, 1, (double[3]){0.3, 0.31, 0.32}, (double[3]){0.6, 0.61, 0.6});
}

// Columns of a Jacobian one after the other, as blocks of forces ask for them, against columns of
// their own: only samples whose corners moved are computed again.
static double column_error(Probe *probe, const double x[3]) {
  static double direction[3 * PROBE_MOST];
  static StDual kept[7 * PROBE_MOST];
  int count = probe->stencil.count;
  double most = 0, scale = 1e-300;
  for (int c = 0; c < 3 * count; c++) {
    direction[c] = 1;
    probe_dual(probe, direction);
    const StGapDual *gap = probe->dual;
    memcpy(kept, gap->gradient, 3 * (size_t)count * sizeof(StDual));
    memcpy(kept + 3 * count, gap->share, (size_t)count * sizeof(StDual));
    assert_true(probe_find(probe, x)); // forgets the last column
    probe_dual(probe, direction);
    for (int i = 0; i < 4 * count; i++) {
      StDual alone = i < 3 * count ? gap->gradient[i] : gap->share[i - 3 * count];
      most = fmax(most, fabs(s_derivative(kept[i]) - s_derivative(alone)));
      scale = fmax(scale, fabs(s_derivative(alone)));
    }
    assert_true(probe_find(probe, x));
    direction[c] = 0;
    direction[(c + 5) % (3 * count)] = 1; // some other column first
    probe_dual(probe, direction);
    direction[(c + 5) % (3 * count)] = 0;
  }
  return most / scale;
}

static void check_columns(Probe *probe, const double x[3]) {
  assert_true(probe_gap(probe, x));
  assert_below(column_error(probe, x), 1e-12);
  probe_destroy(probe);
}

static void test_columns_in_turn(void **state) {
  (void)state;
  const ShapeSetting wall[] = {{"size_z", 0.04}, {"edge", 0.1}};
  check_columns(probe_of("sphere", (ShapeSetting[]){{"cells", 6}}, 1, 0.05),
                (double[3]){0.01, 0.02, 0.51});
  check_columns(probe_of("box", wall, 2, 0.02), (double[3]){0.13, 0.11, 0.03});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere),
      cmocka_unit_test(test_box_edge),
      cmocka_unit_test(test_inner_edge),
      cmocka_unit_test(test_thin_wall),
      cmocka_unit_test(test_open_sheet),
      cmocka_unit_test(test_other_kernels),
      cmocka_unit_test(test_second_derivatives),
      cmocka_unit_test(test_columns_in_turn),
      cmocka_unit_test(test_at_a_centroid),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_rim_of_the_kernel),
      cmocka_unit_test(test_smooth_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
