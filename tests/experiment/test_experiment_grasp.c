// The bowl grasp and the ball in a box at reduced length: implicit friction holds a bowl that
// lagged friction drops; the trapezoidal rule keeps the ball's energy bounded.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static long row_of(const Table *table, const char *first) {
  long row = experiment_row(table, &first, 1);
  assert_true(row >= 0);
  return row;
}

static void lagged_friction_drops_the_bowl(void **state) {
  const ExperimentSetting reduced[] = {{"duration", 0.45}, {"shortest_step", 0.005}};
  LabSettings settings = experiment_settings("bowl-grasp", "bowl", reduced, 2);
  Result result = experiment_run(*state, &settings);
  const Table *table = result.table[0];
  long held = row_of(table, "implicit"), slips = row_of(table, "lagged");
  double used = experiment_number(table, held, "utilisation");
  double frame = experiment_number(table, slips, "frame of slip");
  print_message("implicit friction uses %.3f of what there can be; lagged slips at frame %g\n",
                used, frame);
  assert_true(isnan(experiment_number(table, held, "frame of slip")));
  assert_true(used > 0 && used <= 1 + 1e-9); // friction's own law
  // Slipping means to be a millimetre behind the pads, which do not wait.
  assert_false(isnan(frame));
  assert_true(experiment_number(table, held, "height at the end") >
              experiment_number(table, slips, "height at the end") + 1);
  result_free(&result);
}

static void coupled_energy_is_bounded(void **state) {
  // Which of two ways it goes after the first bounces hangs on the last digit: either keeps below
  // three times its first kinetic energy.
  const ExperimentSetting reduced[] = {{"frames", 5}, {"alone_frames", 1}, {"blow_up", 4}};
  LabSettings settings = experiment_settings("ball-in-box", "ball", reduced, 3);
  settings.only = "*-tr-2-4";
  Result result = experiment_run(*state, &settings);
  const Table *fates = result.table[0];
  long row = row_of(fates, "tr");
  assert_true(isnan(experiment_number(fates, row, "blows up at")));
  assert_true(experiment_number(fates, row, "lost in all") > 0);
  result_free(&result);
}

// Without contact both are the same rule, so that elasticity cannot be what makes them differ.
static void bodies_alone_swing_alike(void **state) {
  const ExperimentSetting reduced[] = {{"frames", 1}, {"alone_frames", 30}};
  LabSettings settings = experiment_settings("ball-in-box", "alone", reduced, 2);
  settings.only = "b[ao][lx]*";
  Result result = experiment_run(*state, &settings);
  const Table *alone = result.table[1];
  const char *const bodies[] = {"ball", "box"};
  for (int b = 0; b < 2; b++) {
    const char *const coupled[] = {bodies[b], "tr"}, *const decoupled[] = {bodies[b],
                                                                           "tr_decoupled"};
    double most = experiment_number(alone, experiment_row(alone, coupled, 2), "first swing");
    double other = experiment_number(alone, experiment_row(alone, decoupled, 2), "first swing");
    assert_true(most > 0 && other <= most * (1 + 1e-9));
  }
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lagged_friction_drops_the_bowl),
      cmocka_unit_test(coupled_energy_is_bounded),
      cmocka_unit_test(bodies_alone_swing_alike),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
