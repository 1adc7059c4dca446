// The tube cloth bend at reduced length: nothing gets inside, more friction makes more and smaller
// folds, water keeps the arm's volume, and both solvers find the same.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

enum { COST, FOLDS };

static double look(const Result *result, int table, const char *friction, const char *solver,
                   const char *filling, const char *column) {
  const char *const text[] = {"1K tets", friction, solver, filling};
  return experiment_number(result->table[table], experiment_row(result->table[table], text, 4),
                           column);
}

static Result bend(Stiction *session, const char *folder, const char *only, double angle,
                   double frames) {
  const ExperimentSetting setting[] = {{"angle", angle}, {"frames", frames}, {"step", 0.03}};
  LabSettings settings = experiment_settings("tube-cloth-bend", folder, setting, 3);
  settings.only = only;
  return experiment_run(session, &settings);
}

static double fold(const Result *result, const char *friction, const char *column) {
  return look(result, FOLDS, friction, "iterative", "none", column);
}

static void friction_keeps_folds_small(void **state) {
  Result result = bend(*state, "folds", "1K-mu-0.?-iterative", 0.6, 10);
  assert_true(fold(&result, "0.2", "folds") >= 1);
  assert_true(fold(&result, "0.8", "folds") >= fold(&result, "0.2", "folds"));
  assert_true(fold(&result, "0.8", "tallest") < fold(&result, "0.2", "tallest"));
  assert_true(fold(&result, "0.2", "least gap") > 0);
  assert_true(fold(&result, "0.8", "least gap") > 0);
  assert_true(is_there("folds/folds.svg"));
  result_free(&result);
}

static void water_keeps_the_volume(void **state) {
  Result result = bend(*state, "water", "1K-mu-0.2-*", 0.15, 4);
  double empty = look(&result, COST, "0.2", "iterative", "none", "volume loss");
  double direct = look(&result, COST, "0.2", "direct", "none", "volume loss");
  double filled = look(&result, COST, "0.2", "iterative", "4.6e-5/atm", "volume loss");
  print_message("volume lost: %.4g %%, solved directly %.4g %%, with water %.4g %%\n", empty,
                direct, filled);
  // Solvers agree to the tolerance of velocities, 1e-6 of those of the scene, in each of 4 steps;
  // the loss is a thousandth of the volume.
  assert_true(fabs(direct / empty - 1) < 4e-3);
  // Water takes what the arm's bulk modulus, E/3(1 − 2ν) = 2 atm, leaves to it: κ times that is
  // 1e-4. The held ends make the arm stiffer; ten times as stiff is the limit.
  assert_true(filled > 0 && filled < 1e-3 * empty);
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_keeps_folds_small),
      cmocka_unit_test(water_keeps_the_volume),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
