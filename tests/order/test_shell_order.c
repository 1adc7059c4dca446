// Measured order of convergence of every integrator on a shell with gas inside, spinning and
// ringing, with stiffness damping; and the energy that the trapezoidal rule keeps without.
#include "solve/runtime.h"
#include "step/integrator.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double DURATION = 2e-3; // s, about one breath of the ball

static StDescription *ball_with_gas(const char *integrator, double damping, int steps) {
  StWorld world = st_world_begin();
  const StCloth rubber = {.young = 5000,
                          .poisson = 0.3,
                          .area_density = 0.5,
                          .bending = 0.05,
                          .stiffness_damping = damping};
  int material = st_world_add_cloth(&world, &rubber);
  const double value[] = {0.1, 0, 2}, origin[3] = {0, 0, 0};
  StMesh *mesh = st_world_surface(&world, "sphere", value, 3, origin);
  st_world_add_body(&world, "ball", mesh, material);
  StVolumeDesc *gas = st_world_fill(&world, 0, "ideal_gas");
  if (gas)
    st_world_set_curve(&world, &gas->pressure, 1, (double[1]){0}, (double[1]){1.1 * ST_ATMOSPHERE});
  st_world_set_time(&world, integrator, DURATION / steps, DURATION);
  st_world_set_tolerance(&world, 1e-11);
  return world_finish(&world);
}

// Drawn out along x, bent a little, spinning about a slanted axis.
static void drawn_and_spinning(const double X[3], double x[3], double v[3]) {
  const double stretch[3] = {1.1, 0.95, 1}, spin[3] = {60, 40, 100};
  for (int c = 0; c < 3; c++)
    x[c] = stretch[c] * X[c];
  x[1] += X[0] * X[0];
  v[0] = spin[1] * x[2] - spin[2] * x[1];
  v[1] = spin[2] * x[0] - spin[0] * x[2];
  v[2] = spin[0] * x[1] - spin[1] * x[0];
}

// drift: largest distance of the total energy from its start, over the start's.
static StSnapshot simulate(const char *integrator, double damping, int steps, double *drift) {
  StDescription *d = ball_with_gas(integrator, damping, steps);
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, drawn_and_spinning);
  double start = st_simulation_report(simulation)->total_energy, worst = 0;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    worst = fmax(worst, fabs(st_simulation_report(simulation)->total_energy - start));
  }
  assert_int_equal(st_simulation_report(simulation)->step, steps);
  if (drift)
    *drift = worst / fabs(start);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

// Positions and velocities (in units of the ball's own) together.
static double distance(const StSnapshot *a, const StSnapshot *b) {
  double sum = 0;
  for (int i = 0; i < 3 * a->vertex_count; i++) {
    double dx = a->position[i] - b->position[i], dv = a->velocity[i] - b->velocity[i];
    sum += dx * dx + DURATION * DURATION * dv * dv;
  }
  return sqrt(sum);
}

static double measured_order(const char *integrator, double damping, int coarse,
                             const StSnapshot *truth) {
  StSnapshot half = simulate(integrator, damping, coarse, NULL);
  StSnapshot quarter = simulate(integrator, damping, 2 * coarse, NULL);
  double order = log2(distance(&half, truth) / distance(&quarter, truth));
  st_snapshot_free(&half);
  st_snapshot_free(&quarter);
  return order;
}

static void orders_are_as_promised(void **state) {
  (void)state;
  const double damping = 2e-5;
  StSnapshot truth = simulate("tr", damping, 1200, NULL);
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    if (method->decoupled)
      continue; // exists to show a failure
    int coarse = method->order == 1 ? 240 : 120;
    double order = measured_order(method->name, damping, coarse, &truth);
    print_message("%-8s: order %.3f\n", method->name, order);
    assert_true(fabs(order - method->order) < (method->order == 1 ? 0.1 : 0.15));
  }
  st_snapshot_free(&truth);
}

// The rule does not keep it exactly, but comes back to it, the nearer the shorter the step.
static void trapezoidal_rule_keeps_the_energy(void **state) {
  (void)state;
  double drift[2];
  for (int i = 0; i < 2; i++) {
    StSnapshot end = simulate("tr", 0, 100 << i, &drift[i]);
    st_snapshot_free(&end);
  }
  print_message("energy off by %.2e, with half the step by %.2e\n", drift[0], drift[1]);
  assert_true(drift[0] < 1e-2);
  assert_true(log2(drift[0] / drift[1]) > 1.8);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_as_promised),
      cmocka_unit_test(trapezoidal_rule_keeps_the_energy),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
