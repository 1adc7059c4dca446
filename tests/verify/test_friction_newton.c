// Newton's method on steps with implicit friction converges quadratically, on an obstacle and
// between curved bodies; without the sliding basis' derivatives, between bodies, only linearly.
#include "solve/runtime.h"
#include "support/balls.h"
#include "support/slope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Of the last iteration above round-off: how many times the digits of the one before it were won.
// NAN when the iteration was over too soon to tell; the first residual says nothing.
static double order_of(const StNewtonResult *newton) {
  const double *norm = newton->norm;
  int k = newton->norm_count - 1;
  double floor = 100 * norm[k];
  while (k > 2 && norm[k] < floor)
    k--;
  return k > 2 ? log(norm[k] / norm[k - 1]) / log(norm[k - 1] / norm[k - 2]) : NAN;
}

typedef struct Convergence {
  int steps;
  double lowest, mean, iterations;
} Convergence;

static void print_norms(const StNewtonResult *newton) {
  for (int k = 0; k < newton->norm_count; k++)
    print_message(" %.1e", newton->norm[k]);
  print_message("\n");
}

// Over all steps that end with something sliding and take long enough.
static Convergence watch(StDescription *d, bool show) {
  Convergence seen = {.lowest = INFINITY};
  d->solver.velocity_tolerance = 1e-13;
  StSimulation *simulation = world_start(d);
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    const StNewtonResult *newton = st_simulation_newton(simulation);
    const StContactReport *contact = &st_simulation_report(simulation)->contact;
    double order = order_of(newton);
    if (contact->touching == contact->sticking || isnan(order))
      continue;
    if (show)
      print_norms(newton);
    seen.lowest = fmin(seen.lowest, order);
    seen.mean += order;
    seen.iterations += newton->iterations;
    seen.steps++;
  }
  seen.mean /= seen.steps;
  seen.iterations /= seen.steps;
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return seen;
}

static Convergence slide_block(StFrictionMode mode) {
  Slope slope = {.world = {.grid = {.cells = {3, 3, 3}, .high = {1, 1, 1}, .jitter = 0.1},
                           .young = 1e6,
                           .poisson = 0.3,
                           .density = 1000,
                           .integrator = "be",
                           .step = 0.02,
                           .duration = 0.4,
                           .solver = ST_SOLVER_DIRECT},
                 .angle = 0.5,
                 .gravity = 9.81,
                 .mu = 0.3,
                 .epsilon = 1e-3,
                 .thickness = 2e-3,
                 .stiffness = 1e7,
                 .mode = mode};
  return watch(slope_create(&slope), mode == ST_FRICTION_IMPLICIT);
}

static Convergence friction_balls(StFrictionMode mode) {
  Balls balls = {.radius = 0.1,
                 .edge = 0.04,
                 .young = 1e5,
                 .friction = 0.5,
                 .speed = 0.5,
                 .offset = 0.8,
                 .gap = -0.06,
                 .integrator = "be",
                 .step = 2e-3,
                 .duration = 0.03,
                 .solver = ST_SOLVER_DIRECT};
  StDescription *d = balls_create(&balls);
  d->contact_settings.friction = mode;
  return watch(d, mode == ST_FRICTION_IMPLICIT);
}

static void report(const char *what, const Convergence *seen) {
  print_message("%s: %d sliding steps, order %.2f on average, lowest %.2f, %.1f iterations\n", what,
                seen->steps, seen->mean, seen->lowest, seen->iterations);
}

static void sliding_block_converges_quadratically(void **state) {
  (void)state;
  Convergence seen = slide_block(ST_FRICTION_IMPLICIT);
  report("block", &seen);
  assert_true(seen.steps >= 5);
  assert_true(seen.mean > 1.7 && seen.lowest > 1.3);
}

static void rubbing_balls_converge_quadratically(void **state) {
  (void)state;
  Convergence whole = friction_balls(ST_FRICTION_IMPLICIT),
              fixed = friction_balls(ST_FRICTION_FIXED_BASIS);
  report("balls", &whole);
  report("balls, basis fixed", &fixed);
  assert_true(whole.steps >= 3);
  assert_true(whole.mean > 1.7 && whole.lowest > 1.3);
  assert_true(fixed.mean < 1.3);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_block_converges_quadratically),
      cmocka_unit_test(rubbing_balls_converge_quadratically),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
