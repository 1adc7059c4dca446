// Measured order of convergence of every integrator on a spinning, vibrating, nonlinear elastic
// body, with and without stiffness damping.
#include "solve/runtime.h"
#include "step/integrator.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double DURATION = 0.1;

// Stretched by a fifth along x, squeezed along y, spinning about a slanted axis.
static void stretched_and_spinning(const double X[3], double x[3], double v[3]) {
  const double stretch[3] = {1.2, 0.9, 1.0}, spin[3] = {3, 2, 5};
  for (int c = 0; c < 3; c++)
    x[c] = stretch[c] * X[c];
  x[1] += 0.1 * X[0] * X[0];
  v[0] = spin[1] * x[2] - spin[2] * x[1];
  v[1] = spin[2] * x[0] - spin[0] * x[2];
  v[2] = spin[0] * x[1] - spin[1] * x[0];
}

static StSnapshot simulate(const char *integrator, double damping, int steps) {
  World world = {.grid = {.cells = {2, 2, 2}, .high = {1, 1, 1}, .jitter = 0.1},
                 .young = 1e4,
                 .poisson = 0.3,
                 .density = 1000,
                 .stiffness_damping = damping,
                 .integrator = integrator,
                 .step = DURATION / steps,
                 .duration = DURATION,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = world_create(&world);
  d->solver.velocity_tolerance = 1e-12;
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, stretched_and_spinning);
  world_run(simulation);
  assert_int_equal(st_simulation_report(simulation)->step, steps);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

// Positions and velocities (in units of the body's own) together.
static double distance(const StSnapshot *a, const StSnapshot *b) {
  double sum = 0;
  for (int i = 0; i < 3 * a->vertex_count; i++) {
    double dx = a->position[i] - b->position[i], dv = a->velocity[i] - b->velocity[i];
    sum += dx * dx + 0.01 * dv * dv;
  }
  return sqrt(sum);
}

static double measured_order(const char *integrator, double damping, int coarse,
                             const StSnapshot *truth) {
  StSnapshot half = simulate(integrator, damping, 2 * coarse);
  StSnapshot quarter = simulate(integrator, damping, 4 * coarse);
  double order = log2(distance(&half, truth) / distance(&quarter, truth));
  st_snapshot_free(&half);
  st_snapshot_free(&quarter);
  return order;
}

static void check_orders(double damping) {
  StSnapshot truth = simulate("tr", damping, 1600);
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    if (method->decoupled)
      continue; // exists to show a failure
    int coarse = method->order == 1 ? 160 : 20;
    double order = measured_order(method->name, damping, coarse, &truth);
    print_message("%-8s damping %g: order %.3f\n", method->name, damping, order);
    assert_true(fabs(order - method->order) < (method->order == 1 ? 0.1 : 0.15));
  }
  st_snapshot_free(&truth);
}

static void orders_are_as_promised(void **state) {
  (void)state;
  check_orders(0);
}

static void orders_hold_with_damping(void **state) {
  (void)state;
  check_orders(0.02);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_as_promised),
      cmocka_unit_test(orders_hold_with_damping),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
