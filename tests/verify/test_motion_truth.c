// Bodies that move: free fall, momentum, energy, the frequency of a bar; against known answers.
#include "solve/runtime.h"
#include "step/integrator.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static World cube(const char *integrator, double step, double duration) {
  return (World){.grid = {.cells = {3, 3, 3}, .high = {1, 1, 1}, .jitter = 0.1},
                 .young = 1e5,
                 .poisson = 0.3,
                 .density = 1000,
                 .integrator = integrator,
                 .step = step,
                 .duration = duration,
                 .solver = ST_SOLVER_DIRECT};
}

// Second-order methods reproduce the parabola exactly; backward Euler falls g t h / 2 too far.
static void free_fall(void **state) {
  (void)state;
  const double g = 9.81, h = 0.05, T = 1;
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    if (method->decoupled)
      continue; // exists to show a failure
    World world = cube(method->name, h, T);
    StDescription *d = world_create(&world);
    d->gravity[2] = -g;
    d->body[0].velocity[0] = 2;
    StSimulation *simulation = world_start(d);
    double start = st_simulation_report(simulation)->centre_of_mass[2];
    world_run(simulation);
    const StReport *report = st_simulation_report(simulation);
    double lag = method->order == 1 ? g * T * h / 2 : 0;
    assert_true(fabs(report->centre_of_mass[2] - (start - g * T * T / 2 - lag)) < 1e-10);
    double mass = 1000;
    assert_true(fabs(report->momentum[2] + mass * g * T) < 1e-8);
    assert_true(fabs(report->momentum[0] - 2 * mass) < 1e-8);
    assert_true(fabs(report->volume - 1) < 1e-10);
    st_simulation_destroy(simulation);
    st_description_destroy(d);
  }
}

static void twirl(const double X[3], double x[3], double v[3]) {
  const double spin[3] = {1, -2, 4};
  for (int c = 0; c < 3; c++)
    x[c] = X[c] * (c == 0 ? 1.1 : 1);
  v[0] = spin[1] * x[2] - spin[2] * x[1] + 0.3;
  v[1] = spin[2] * x[0] - spin[0] * x[2];
  v[2] = spin[0] * x[1] - spin[1] * x[0];
}

typedef struct Drift {
  double linear, angular; // relative to the initial momenta
} Drift;

static Drift drift_of(const char *integrator, int steps) {
  World world = cube(integrator, 0.4 / steps, 0.4);
  StDescription *d = world_create(&world);
  d->solver.velocity_tolerance = 1e-12;
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, twirl);
  StReport first = *st_simulation_report(simulation);
  world_run(simulation);
  const StReport *last = st_simulation_report(simulation);
  double p = 0, dp = 0, l = 0, dl = 0;
  for (int c = 0; c < 3; c++) {
    p += pow(first.momentum[c], 2);
    dp += pow(last->momentum[c] - first.momentum[c], 2);
    l += pow(first.angular_momentum[c], 2);
    dl += pow(last->angular_momentum[c] - first.angular_momentum[c], 2);
  }
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return (Drift){sqrt(dp / p), sqrt(dl / l)};
}

static void momentum_is_kept(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    if (method->decoupled)
      continue; // exists to show a failure
    int steps = method->order == 1 ? 160 : 80;
    Drift coarse = drift_of(method->name, steps), fine = drift_of(method->name, 2 * steps);
    double order = log2(coarse.angular / fine.angular);
    print_message("%-8s linear %.1e, angular %.1e at order %.2f\n", method->name, fine.linear,
                  fine.angular, order);
    assert_true(fine.linear < 1e-12);
    assert_true(order > method->order - 0.2);
  }
}

static void stretched(const double X[3], double x[3], double v[3]) {
  for (int c = 0; c < 3; c++) {
    x[c] = X[c] * (c == 0 ? 1.05 : 1);
    v[c] = 0;
  }
}

static double energy_left(const char *integrator) {
  World world = cube(integrator, 0.002, 0.5);
  StDescription *d = world_create(&world);
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, stretched);
  double first = st_simulation_report(simulation)->total_energy;
  world_run(simulation);
  double left = st_simulation_report(simulation)->total_energy / first;
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return left;
}

static void trapezoidal_rule_keeps_energy(void **state) {
  (void)state;
  double tr = energy_left("tr"), be = energy_left("be");
  print_message("energy left: tr %.6f, be %.3f\n", tr, be);
  assert_true(fabs(tr - 1) < 1e-3);
  assert_true(be < 0.7);
}

// First mode of a bar held at x = 0 and free at x = L.
static const double BAR_LENGTH = 1;
static void first_mode(const double X[3], double x[3], double v[3]) {
  memcpy(x, X, 3 * sizeof(double));
  v[0] = 1e-4 * sin(PI * X[0] / (2 * BAR_LENGTH));
  v[1] = v[2] = 0;
}

// Returns the time of the centre of mass' first return to where it began: half a period.
static double half_period(int cells, double c) {
  double period = 4 * BAR_LENGTH / c;
  World world = {.grid = {.cells = {cells, 1, 1}, .high = {BAR_LENGTH, 0.05, 0.05}},
                 .young = c * c * 1000,
                 .poisson = 0,
                 .density = 1000,
                 .integrator = "tr",
                 .step = period / 400,
                 .duration = period,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = world_create(&world);
  d->solver.velocity_tolerance = 1e-12;
  world_hold(d, 0, 0);
  StSimulation *simulation = world_start(d);
  world_set_state(simulation, first_mode);
  double rest = st_simulation_report(simulation)->centre_of_mass[0], before = 0, crossing = 0;
  while (crossing == 0 && !st_simulation_finished(simulation)) {
    world_step(simulation);
    const StReport *report = st_simulation_report(simulation);
    double now = report->centre_of_mass[0] - rest;
    if (before > 0 && now <= 0)
      crossing = report->time - report->h * now / (now - before);
    before = now;
  }
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return crossing;
}

static void bar_frequency(void **state) {
  (void)state;
  const double c = 20; // √(E/ρ), m/s
  double expected = 2 * BAR_LENGTH / c;
  double coarse = half_period(10, c), fine = half_period(40, c);
  print_message("half period: expected %.6f s, 10 cells %.6f s, 40 cells %.6f s\n", expected,
                coarse, fine);
  // Lumped cells of length d are slow by (kd)²/24 and the trapezoidal rule by (ωh)²/12: twice that.
  double cells = PI / 2 / 40, steps = 2 * PI / 400;
  assert_true(fabs(fine - expected) < (cells * cells / 12 + steps * steps / 6) * expected);
  assert_true(fabs(fine - expected) < fabs(coarse - expected));
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(trapezoidal_rule_keeps_energy),
      cmocka_unit_test(bar_frequency),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
