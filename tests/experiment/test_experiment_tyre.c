// The turning tyre at reduced size: its walls wrinkle and its tread sticks and slips where static
// friction is more than dynamic friction; with one coefficient it just slides, and lags less.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static double look(const Result *result, const char *name, const char *column) {
  const Table *table = result->table[0];
  return experiment_number(table, experiment_row(table, &name, 1), column);
}

static void static_friction_wrinkles_it(void **state) {
  const ExperimentSetting reduced[] = {{"cells_around", 32},
                                       {"cells_tread", 4},
                                       {"cells_wall", 4},
                                       {"step", 0.01},
                                       {"duration", 0.5}};
  LabSettings settings = experiment_settings("tyre-wrinkle", "tyre", reduced, 5);
  Result result = experiment_run(*state, &settings);
  const char *const both = "stick-slip", *const one = "one-coefficient";
  const char *const traction = "greatest traction / load", *const bend = "greatest bend";
  const char *const lag = "greatest lag of the tread", *const smooth = "bend of the walls, pressed";
  assert_int_equal(result.table_count, 2);
  assert_true(is_there("tyre/course.svg"));
  double most = look(&result, both, traction),
         fall = look(&result, both, "fall of traction / load");
  double level = look(&result, one, traction);
  print_message("traction: %.3f, falls by %.3f; one coefficient %.3f, falls by %.3f\n", most, fall,
                level, look(&result, one, "fall of traction / load"));
  print_message("lag: %.3g and %.3g deg; bend: %.3g, from %.3g, and %.3g 1/m\n",
                look(&result, both, lag), look(&result, one, lag), look(&result, both, bend),
                look(&result, both, smooth), look(&result, one, bend));
  // Friction has no more than its coefficients, to round-off. That all of the contact has them at
  // the same time is another matter: more than half of the way from one to the other is asked for.
  assert_true(most > 1 && most <= 1.5 + 1e-9);
  assert_true(level > 0.25 && level <= 0.5 + 1e-9);
  assert_true(look(&result, both, "sticks again") >= 1);
  assert_true(fall > (most - 0.5) / 2 && fall <= most + 0.5);
  // With one coefficient there is nowhere to fall to from where all of it slides.
  assert_true(look(&result, one, "slides") == 1 && look(&result, one, "sticks again") == 0);
  assert_true(look(&result, one, "fall of traction / load") < 0.1 * fall);
  // Walls are elastic: they lag and wrinkle with the traction, two to three times as much.
  assert_true(look(&result, both, lag) > look(&result, one, lag) * most / level / 2);
  assert_true(look(&result, both, smooth) == look(&result, one, smooth));
  assert_true(look(&result, both, bend) > look(&result, both, smooth));
  assert_true(look(&result, both, bend) > look(&result, one, bend));
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_friction_wrinkles_it),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
