// The ball squish in few and long steps: the more what is inside resists, the less of it is lost,
// as its law says, and all solvers find the same.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static const ExperimentSetting reduced[] = {{"frames", 16}, {"step", 50e-3}};

static double loss(const Result *result, int table, const char *solver) {
  const char *const text[] = {"1K", solver};
  return experiment_number(result->table[table], experiment_row(result->table[table], text, 2),
                           "volume loss");
}

// What the filling's own law makes of the pressure that was recorded: κ (P − P₀), in %.
static double loss_by_law(Stiction *session, const char *name, double compressibility) {
  char path[100];
  StictionRecording *recording = NULL;
  snprintf(path, sizeof path, "squish/%s", name);
  assert_int_equal(stiction_recording_open(session, path, &recording), STICTION_OK);
  const double *pressure = stiction_recording_column(recording, "pressure(hollow)");
  assert_non_null(pressure);
  double more = pressure[stiction_recording_row_count(recording) - 1] - 101325;
  stiction_recording_free(recording);
  return 100 * compressibility * more / 101325;
}

#define NEAR(value, expected, relative) assert_true(fabs((value) / (expected)-1) <= (relative))

// Solvers find the same to the tolerance of velocities: 1e-6 of the plates' speed is 1e-6 of their
// way, which is six tenths of the hollow's size; a hundred times that leaves room for 16 steps.
static const double solvers_agree = 1e-4;

static void what_resists_keeps_its_volume(void **state) {
  LabSettings settings = experiment_settings("ball-squish", "squish", reduced, 2);
  Result result = experiment_run(*state, &settings);
  assert_int_equal(result.table_count, 4);
  double air = loss(&result, 0, "iterative"), water = loss(&result, 1, "iterative");
  double nothing = loss(&result, 2, "iterative");
  print_message("volume lost: %.4g %%, air %.4g %%, water %.4g %%\n", nothing, air, water);
  assert_true(0 < water && water < air && air < nothing && nothing < 100);
  // Files keep 17 digits; what is left is the round-off of two volumes that are subtracted.
  NEAR(air, loss_by_law(*state, "1K-E100-kappa-1-iterative", 1), 1e-9);
  NEAR(water, loss_by_law(*state, "1K-E100-kappa-0.01-iterative", 0.01), 1e-9);
  NEAR(loss(&result, 0, "direct, exact"), air, solvers_agree);
  NEAR(loss(&result, 1, "direct, exact"), water, solvers_agree);
  NEAR(loss(&result, 2, "direct"), nothing, solvers_agree);
  assert_true(is_there("squish/volume.svg"));
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_resists_keeps_its_volume)};
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
