// A stage as Newton's problem: its Jacobian, its mask, its round-off, and NaN.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/stage.h"
#include "support/random.h"
#include "support/small_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MOST = 64 };
static const double H = 0.01;

typedef struct Fixture {
  SmallWorld world;
  StSystem *system;
  StBoundary *boundary;
  StStageProblem *stage;
  int size;
  double y[MOST], r[MOST];
} Fixture;

// Positions shaken a little, moving.
static void start(Fixture *f) {
  StError error = {0};
  assert_int_equal(st_system_create(&f->world.description, &f->system, &error), ST_OK);
  assert_int_equal(
      st_boundary_create(&f->world.description, f->system->piece, &f->boundary, &error), ST_OK);
  assert_int_equal(st_stage_create(f->system, &f->stage, &error), ST_OK);
  f->size = f->stage->problem.size;
  assert_true(f->size <= MOST);
  uint64_t state = 7;
  for (int i = 0; i < f->size; i++) {
    f->stage->start[i] = f->system->piece->rest[i] + random_between(&state, -0.05, 0.05);
    f->stage->goal[i] = random_between(&state, -1, 1);
    f->stage->history[i] = random_between(&state, -1, 1);
  }
  st_stage_prepare(f->stage, f->boundary, f->system->piece->rest, &(StStageTimes){0, H, H, H, H});
  double velocity[MOST];
  random_fill(&state, -1, 1, f->size, velocity);
  st_stage_unknown(f->stage, velocity, f->y);
}

static void stop(Fixture *f) {
  st_stage_destroy(f->stage);
  st_boundary_destroy(f->boundary);
  st_system_destroy(f->system);
  small_world_stop(&f->world);
}

static void product_at(Fixture *f, double shift, const double *x, double *result) {
  const StProblem *problem = &f->stage->problem;
  StError error = {0};
  double shifts[MOST / 3];
  for (int row = 0; row < problem->size / 3; row++)
    shifts[row] = shift;
  assert_int_equal(problem->linearise(problem->context, f->y, 1, shifts), ST_OK);
  assert_int_equal(problem->assemble(problem->context, ST_ASSEMBLE_PRODUCT, &error), ST_OK);
  problem->product(problem->context, x, result);
}

// J x against differences of the residual; and a shift adds itself.
static void jacobian_is_the_residuals_slope(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  const StProblem *problem = &f.stage->problem;
  double x[MOST], product[MOST], shifted[MOST], to[MOST], ahead[MOST], behind[MOST], largest = 0;
  uint64_t random = 3;
  random_fill(&random, -1, 1, f.size, x);
  product_at(&f, 0, x, product);
  product_at(&f, 2.5, x, shifted);
  const double step = 1e-4; // truncation and round-off both about 1e-9 of the result
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < f.size; i++)
      to[i] = f.y[i] + side * step * x[i];
    assert_int_equal(problem->residual(problem->context, to, 1, side < 0 ? behind : ahead), ST_OK);
  }
  for (int i = 0; i < f.size; i++)
    largest = fmax(largest, fabs(product[i]));
  for (int i = 0; i < f.size; i++) {
    bool held = f.stage->scale[i] == 0; // J is the identity there, r is zero
    double slope = held ? x[i] : (ahead[i] - behind[i]) / (2 * step);
    assert_true(fabs(slope - product[i]) < 1e-6 * largest);
    assert_true(fabs(shifted[i] - product[i] - 2.5 * x[i]) < 1e-12 * largest);
  }
  stop(&f);
}

static void held_coordinates_have_no_residual(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  assert_int_equal(f.stage->problem.residual(f.stage, f.y, 1, f.r), ST_OK);
  int held = 0;
  for (int i = 0; i < f.size; i++)
    if (f.stage->scale[i] == 0) {
      assert_true(f.r[i] == 0);
      assert_int_equal(i % 3, 2);
      held++;
    }
  assert_int_equal(held, 2);
  stop(&f);
}

// Velocity to unknown and back; positions follow.
static void unknowns_stand_for_velocities(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  double velocity[MOST], back[MOST], position[MOST];
  uint64_t random = 5;
  random_fill(&random, -1, 1, f.size, velocity);
  st_stage_unknown(f.stage, velocity, f.y);
  st_stage_result(f.stage, f.y, position, back);
  for (int i = 0; i < f.size; i++) {
    double wanted = f.stage->scale[i] > 0 ? velocity[i] : 0; // the boundary is at rest
    assert_true(fabs(back[i] - wanted) < 1e-14);
    assert_true(fabs(position[i] - f.stage->start[i] - H * back[i]) < 1e-14);
  }
  stop(&f);
}

// One rounding of a position is worth about ε |x| K h²/m / h in the residual: between a tenth and
// ten times ε J_max |x| / h here.
static void round_off_is_what_the_last_digit_makes(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  const StProblem *problem = &f.stage->problem;
  double noise;
  assert_int_equal(problem->residual(f.stage, f.y, 1, f.r), ST_OK);
  assert_int_equal(problem->round_off(f.stage, f.y, f.r, &noise), ST_OK);
  double x[MOST], product[MOST], stiffest = 0;
  for (int i = 0; i < f.size; i++) {
    memset(x, 0, sizeof x);
    x[i] = 1;
    product_at(&f, 0, x, product);
    stiffest = fmax(stiffest, fabs(product[i]));
  }
  double digit = 0x1p-52 * stiffest * 2 / H; // the bar is 2 m long
  print_message("noise %.1e m/s, a digit %.1e\n", noise, digit);
  assert_true(noise > 0.1 * digit && noise < 10 * digit);
  stop(&f);
}

// A NaN at any vertex is the largest speed, whatever comes before and after it.
static void no_number_is_overlooked(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  const StProblem *problem = &f.stage->problem;
  for (int i = 0; i < f.size; i++) {
    if (f.stage->scale[i] == 0)
      continue;
    for (int k = 0; k < f.size; k++)
      f.r[k] = 1;
    assert_true(isfinite(st_problem_magnitude(problem, f.r)));
    f.r[i] = NAN;
    assert_true(isnan(st_problem_magnitude(problem, f.r)));
  }
  stop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_is_the_residuals_slope),
      cmocka_unit_test(held_coordinates_have_no_residual),
      cmocka_unit_test(unknowns_stand_for_velocities),
      cmocka_unit_test(round_off_is_what_the_last_digit_makes),
      cmocka_unit_test(no_number_is_overlooked),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
