// The ball squish in few and long steps: the more what is inside resists, the less of it is lost,
// as its law says, and all solvers find the same.
#include "scene/scene.h"
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

// What the filling's own law makes of the pressure that was recorded: κ (P − P₀), in %.
static double loss_by_law(const char *name, double compressibility) {
  char path[100];
  StRecording recording;
  StDescription *description = NULL;
  StError error;
  snprintf(path, sizeof path, "squish/%s/scene.json", name);
  assert_int_equal(st_scene_load(scratch(path), NULL, &description, &error), ST_OK);
  snprintf(path, sizeof path, "squish/%s", name);
  assert_int_equal(st_recording_open(scratch(path), description, &recording, &error), ST_OK);
  double more = st_recording_last(&recording, "pressure(hollow)") - 101325;
  st_recording_close(&recording);
  return 100 * compressibility * more / 101325;
}

#define NEAR(value, expected, relative) assert_true(fabs((value) / (expected)-1) <= (relative))

// Solvers find the same to the tolerance of velocities: 1e-6 of the plates' speed is 1e-6 of their
// way, which is six tenths of the hollow's size; a hundred times that leaves room for 16 steps.
static const double solvers_agree = 1e-4;

static void what_resists_keeps_its_volume(void **state) {
  (void)state;
  StLabSettings settings = experiment_settings("ball-squish", scratch("squish"), reduced, 2);
  StResult result = experiment_run(&settings);
  assert_int_equal(result.table_count, 4);
  double air = loss(&result, 0, "iterative"), water = loss(&result, 1, "iterative");
  double nothing = loss(&result, 2, "iterative");
  print_message("volume lost: %.4g %%, air %.4g %%, water %.4g %%\n", nothing, air, water);
  assert_true(0 < water && water < air && air < nothing && nothing < 100);
  // Files keep 17 digits; what is left is the round-off of two volumes that are subtracted.
  NEAR(air, loss_by_law("1K-E100-kappa-1-iterative", 1), 1e-9);
  NEAR(water, loss_by_law("1K-E100-kappa-0.01-iterative", 0.01), 1e-9);
  NEAR(loss(&result, 0, "direct, exact"), air, solvers_agree);
  NEAR(loss(&result, 1, "direct, exact"), water, solvers_agree);
  NEAR(loss(&result, 2, "direct"), nothing, solvers_agree);
  assert_true(st_file_exists(scratch("squish/volume.svg")));
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_resists_keeps_its_volume)};
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
