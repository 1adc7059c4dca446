// The ball squish in few and long steps: the more what is inside resists, the less of it is lost,
// as much as in 804 short ones, and all solvers find the same.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static const ExperimentSetting reduced[] = {{"frames", 16}, {"step", 50e-3}};

static double loss(const StResult *result, int table, const char *solver) {
  const char *const text[] = {"1K", solver};
  return experiment_number(result->table[table], experiment_row(result->table[table], text, 2),
                           "volume loss");
}

#define BETWEEN(value, low, high) assert_true((value) > (low) && (value) < (high))

static void what_resists_keeps_its_volume(void **state) {
  (void)state;
  StLabSettings settings = experiment_settings("ball-squish", scratch("squish"), reduced, 2);
  StResult result = experiment_run(&settings);
  assert_int_equal(result.table_count, 4);
  BETWEEN(loss(&result, 0, "iterative"), 31.2, 33.2);
  BETWEEN(loss(&result, 1, "iterative"), 0.43, 0.47);
  BETWEEN(loss(&result, 2, "iterative"), 68, 72);
  for (int t = 0; t < 2; t++)
    assert_true(fabs(loss(&result, t, "direct, exact") / loss(&result, t, "iterative") - 1) < 1e-3);
  assert_true(fabs(loss(&result, 2, "direct") / loss(&result, 2, "iterative") - 1) < 1e-3);
  assert_true(st_file_exists(scratch("squish/volume.svg")));
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_resists_keeps_its_volume)};
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
