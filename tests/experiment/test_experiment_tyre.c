// The turning tyre at reduced size: its walls wrinkle and its tread sticks and slips where static
// friction is more than dynamic friction; with one coefficient it just slides, and lags less.
#include "base/file.h"
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static double look(const StResult *result, const char *name, const char *column) {
  const StResultTable *table = result->table[0];
  return experiment_number(table, experiment_row(table, &name, 1), column);
}

#define BETWEEN(value, low, high) assert_true((value) > (low) && (value) < (high))

static void static_friction_wrinkles_it(void **state) {
  (void)state;
  const ExperimentSetting reduced[] = {{"cells_around", 32},
                                       {"cells_tread", 4},
                                       {"cells_wall", 4},
                                       {"step", 0.01},
                                       {"duration", 0.5}};
  StLabSettings settings = experiment_settings("tyre-wrinkle", scratch("tyre"), reduced, 5);
  StResult result = experiment_run(&settings);
  const char *const both = "stick-slip", *const one = "one-coefficient";
  const char *const traction = "greatest traction / load", *const bend = "greatest bend";
  const char *const lag = "greatest lag of the tread", *const smooth = "bend of the walls, pressed";
  assert_int_equal(result.table_count, 2);
  assert_true(st_file_exists(scratch("tyre/course.svg")));
  BETWEEN(look(&result, both, traction), 1.2, 1.5);
  assert_true(look(&result, both, "sticks again") >= 1);
  assert_true(look(&result, both, "fall of traction / load") > 0.7);
  BETWEEN(look(&result, one, traction), 0.49, 0.5 + 1e-9);
  assert_true(look(&result, one, "slides") == 1 && look(&result, one, "sticks again") == 0);
  assert_true(look(&result, one, "fall of traction / load") < 0.02);
  assert_true(look(&result, both, lag) > 2 * look(&result, one, lag));
  assert_true(look(&result, both, smooth) == look(&result, one, smooth));
  assert_true(look(&result, both, bend) > 1.6 * look(&result, both, smooth));
  assert_true(look(&result, both, bend) > 1.5 * look(&result, one, bend));
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_friction_wrinkles_it),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
