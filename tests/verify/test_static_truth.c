// Bodies at rest under load: constant strain, the bending of a beam, and Newton's convergence.
#include "solve/runtime.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double STRAIN[9] = {1.3, 0.2, 0, -0.1, 0.8, 0.3, 0.1, 0, 1.1};

static void strained(const double X[3], double x[3]) {
  for (int i = 0; i < 3; i++)
    x[i] = STRAIN[3 * i] * X[0] + STRAIN[3 * i + 1] * X[1] + STRAIN[3 * i + 2] * X[2];
}

// Every surface vertex goes where one linear map sends it; the inside must follow exactly.
static void prescribe_surface(StDescription *d) {
  const StMesh *mesh = d->body[0].mesh;
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *X = mesh->position + 3 * v;
    bool inside = true;
    for (int c = 0; c < 3; c++)
      inside = inside && X[c] > 1e-9 && X[c] < 1 - 1e-9;
    if (inside)
      continue;
    StBoundaryDesc *boundary = world_add_boundary(d);
    boundary->vertex = ST_NEW(int, 1);
    boundary->vertex[0] = v;
    boundary->vertex_count = 1;
    StMotion *motion = &boundary->motion;
    double x[3], time[] = {0, 1}, shift[6] = {0};
    strained(X, x);
    for (int c = 0; c < 3; c++)
      shift[3 + c] = x[c] - X[c];
    assert_int_equal(st_motion_set_keys(motion, 2, time, shift, NULL, ST_LINEAR, false, NULL),
                     ST_OK);
  }
}

static void patch_test(const char *law) {
  World world = {.grid = {.cells = {4, 4, 4}, .high = {1, 1, 1}, .jitter = 0.15},
                 .law = law,
                 .young = 1e5,
                 .poisson = 0.4,
                 .density = 1,
                 .mass_damping = 1,
                 .integrator = "be",
                 .step = 0.25,
                 .duration = 20,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = world_create(&world);
  prescribe_surface(d);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot result = world_snapshot(simulation);
  double worst = 0;
  for (int v = 0; v < result.vertex_count; v++) {
    double x[3];
    strained(d->body[0].mesh->position + 3 * v, x);
    for (int c = 0; c < 3; c++)
      worst = fmax(worst, fabs(result.position[3 * v + c] - x[c]));
  }
  print_message("%s: off constant strain by %.1e\n", law, worst);
  assert_true(worst < 1e-10);
  st_snapshot_free(&result);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

static void constant_strain_is_exact(void **state) {
  (void)state;
  patch_test("neo_hookean");
  patch_test("stable_neo_hookean");
  patch_test("linear");
}

// Deflection of the free end under the beam's own weight.
static double tip_deflection(int across) {
  const double length = 1, side = 0.1;
  World world = {.grid = {.cells = {10 * across, across, across}, .high = {length, side, side}},
                 .law = "linear",
                 .young = 1e8,
                 .poisson = 0,
                 .density = 1000,
                 .integrator = "be",
                 .step = 100,
                 .duration = 300,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = world_create(&world);
  d->gravity[2] = -9.81;
  world_hold(d, 0, 0);
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  StSnapshot result = world_snapshot(simulation);
  double sum = 0;
  int count = 0;
  for (int v = 0; v < result.vertex_count; v++)
    if (d->body[0].mesh->position[3 * v] > length - 1e-9) {
      sum += d->body[0].mesh->position[3 * v + 2] - result.position[3 * v + 2];
      count++;
    }
  st_snapshot_free(&result);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return sum / count;
}

// Timoshenko: bending q L⁴/(8 E I) and shear q L²/(2 k G A) with k = 5/6.
static double beam_theory(void) {
  const double q = 1000 * 9.81 * 0.01, E = 1e8, inertia = 1e-4 / 12, G = E / 2, area = 0.01;
  return q / (8 * E * inertia) + q / (2 * 5.0 / 6 * G * area);
}

static void cantilever_converges_to_beam_theory(void **state) {
  (void)state;
  double expected = beam_theory(), error[4];
  for (int i = 0; i < 4; i++) {
    double tip = tip_deflection(1 << i);
    error[i] = (expected - tip) / expected;
    print_message("%d elements across: %.6e m, beam theory %.6e m, %.2f %% off\n", 1 << i, tip,
                  expected, 100 * error[i]);
  }
  // Linear tets are too stiff; the error falls at second order.
  for (int i = 1; i < 4; i++)
    assert_true(error[i] > 0 && error[i] < error[i - 1]);
  assert_true(log2(error[2] / error[3]) > 1.7);
  double extrapolated = error[3] - (error[2] - error[3]) / 3;
  print_message("extrapolated: %.2f %% off\n", 100 * extrapolated);
  assert_true(fabs(extrapolated) < 0.02);
}

static void wrung(const double X[3], double x[3], double v[3]) {
  double angle = 1.2 * X[0];
  x[0] = 1.3 * X[0];
  x[1] = cos(angle) * (X[1] - 0.5) - sin(angle) * (X[2] - 0.5) + 0.5;
  x[2] = sin(angle) * (X[1] - 0.5) + cos(angle) * (X[2] - 0.5) + 0.5;
  v[0] = v[1] = v[2] = 0;
}

// On the way to the solution each residual is bounded by a constant times the square of the last.
static void newton_converges_quadratically(void **state) {
  (void)state;
  World world = {.grid = {.cells = {6, 3, 3}, .high = {2, 1, 1}, .jitter = 0.1},
                 .young = 1e5,
                 .poisson = 0.4,
                 .density = 1000,
                 .stiffness_damping = 1e-3,
                 .integrator = "be",
                 .step = 0.05,
                 .duration = 0.05,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = world_create(&world);
  d->solver.velocity_tolerance = 1e-13;
  world_hold(d, 0, 0);
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, wrung);
  world_step(simulation);
  const StNewtonResult *newton = st_simulation_newton(simulation);
  int last = newton->norm_count - 1;
  for (int k = 0; k <= last; k++)
    print_message("iteration %d: residual %.3e\n", k, newton->norm[k]);
  assert_true(newton->norm_count >= 4);
  // The step before round-off takes over: twice the digits of the one before.
  int k = last;
  while (k > 1 && newton->norm[k] < 1e-10 * newton->norm[0])
    k--;
  double ratio =
      log(newton->norm[k + 1] / newton->norm[k]) / log(newton->norm[k] / newton->norm[k - 1]);
  print_message("order %.2f\n", ratio);
  assert_true(ratio > 1.7);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_strain_is_exact),
      cmocka_unit_test(cantilever_converges_to_beam_theory),
      cmocka_unit_test(newton_converges_quadratically),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
