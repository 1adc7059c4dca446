// Tennis balls at reduced length: pressure makes them livelier, backward Euler kills the bounce,
// and the quadratic model with half the compressibility stands for the gas.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static double look(const Result *result, const char *ball, const char *what, const char *column) {
  const char *const text[] = {ball, what};
  return experiment_number(result->table[0], experiment_row(result->table[0], text, 2), column);
}

static void rebounds_are_in_order(void **state) {
  const ExperimentSetting reduced[] = {{"shortest_step", 5e-4}, {"cells", 4}};
  LabSettings settings = experiment_settings("tennis-drop", "drop", reduced, 2);
  const char *const column = "h = 0.5 ms", *const full = "pressurised", *flat = "not pressurised";
  settings.only = "pressurised-[bs]*";
  Result result = experiment_run(*state, &settings);
  assert_int_equal(result.plot_count, 2);
  assert_true(is_there("drop/height.svg"));
  double height = look(&result, full, "sdirk2", column), by_be = look(&result, full, "be", column);
  print_message("rebound: sdirk2 %.4g cm, be %.4g cm, bdf2 %.4g cm\n", height, by_be,
                look(&result, full, "bdf2", column));
  assert_true(height > 0 && height < 254); // no more than it fell
  // A linear contact of T = 6 h under backward Euler leaves (1 + (πh/T)²)^(−T/h) of the height,
  // a quarter: half is the limit, and with steps twice as long it is less still.
  assert_true(by_be < height / 2);
  assert_true(look(&result, full, "bdf2", column) < height);
  assert_true(look(&result, full, "be", "h = 1 ms") < by_be);
  result_free(&result);
  settings.only = "unpressurised-sdirk2-h0.0005";
  result = experiment_run(*state, &settings);
  assert_true(look(&result, flat, "sdirk2", column) < height);
  result_free(&result);
}

// The quadratic model is too weak for such compression, unless it is made stiffer.
static void see_the_models(const Result *result) {
  const char *const flat = "not pressurised", *const volume = "least volume";
  double by_gas = look(result, flat, "ideal gas", volume);
  assert_true(look(result, flat, "quadratic, κ_v = 1/P", volume) < by_gas);
  assert_true(look(result, flat, "quadratic, κ_v = 1/2P", volume) > by_gas);
}

static void pressure_makes_it_livelier(void **state) {
  const ExperimentSetting reduced[] = {
      {"mesh_layers", 0}, {"cells", 4}, {"step", 1e-4}, {"duration", 4e-3}};
  const char *const full = "pressurised", *const flat = "not pressurised", *const gas = "ideal gas";
  const char *const ratio = "rebound / impact", *const volume = "least volume";
  LabSettings settings = experiment_settings("tennis-ball", "ball", reduced, 4);
  settings.only = "unpressurised-*";
  Result result = experiment_run(*state, &settings);
  see_the_models(&result);
  result_free(&result);
  settings.only = "*-gas";
  result = experiment_run(*state, &settings);
  print_message("against the wall: %.3f of the speed is left, after %.3g ms\n",
                look(&result, full, gas, ratio), look(&result, full, gas, "contact time"));
  assert_true(look(&result, full, gas, ratio) > 0 && look(&result, full, gas, ratio) < 1);
  assert_true(look(&result, full, gas, "contact time") > 0); // it has left within the 4 ms
  assert_true(look(&result, flat, gas, ratio) < look(&result, full, gas, ratio));
  assert_true(look(&result, flat, gas, volume) < look(&result, full, gas, volume));
  assert_int_equal(result.table_count, 2);
  assert_false(is_there("ball/inflate-pressurised-quadratic"));
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rebounds_are_in_order),
      cmocka_unit_test(pressure_makes_it_livelier),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
