// The block slide at reduced length: implicit friction stops where it must, whatever the start;
// lagged friction does not. And the lab: cases that have ended stay, interrupted ones go on.
#include "scene/scene.h"
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static const double exact = 0.76899;        // m
static const double euler = 0.76899 - 5e-3; // m; backward Euler's own: half a step of 0.1 s short

typedef enum Figure { DISTANCE, TIME } Figure;

static const StCell *look(const StResult *result, Figure figure, const char *integrator,
                          const char *start, const char *friction) {
  const char *const text[] = {integrator, start, friction};
  const StResultTable *table = result->table[figure];
  long row = experiment_row(table, text, 3);
  assert_true(row >= 0);
  return &table->cell[row * table->column_count + 3];
}

static double stop(const StResult *result, Figure figure, const char *integrator, const char *start,
                   const char *friction) {
  const StCell *cell = look(result, figure, integrator, start, friction);
  return cell->text ? NAN : cell->value;
}

// How far it is when it has not stopped.
static double beyond(const StResult *result, const char *integrator, const char *start,
                     const char *friction) {
  const StCell *cell = look(result, DISTANCE, integrator, start, friction);
  assert_non_null(cell->text);
  assert_int_equal(strncmp(cell->text, "> ", 2), 0);
  assert_true(isnan(stop(result, TIME, integrator, start, friction)));
  return strtod(cell->text + 2, NULL);
}

#define NEAR(value, expected, relative) assert_true(fabs((value) / (expected)-1) <= (relative))

static void check_figures(const StResult *result) {
  const char *const starts[] = {"settled", "disturbed", "cold"};
  for (int i = 0; i < 3; i++) {
    NEAR(stop(result, DISTANCE, "be", starts[i], "implicit"), euler, 1e-3);
    NEAR(stop(result, TIME, "be", starts[i], "implicit"), 15.38, 0.1 / 15.38);
  }
  NEAR(stop(result, DISTANCE, "tr", "settled", "implicit"), exact, 1e-4);
  NEAR(stop(result, DISTANCE, "tr_decoupled", "settled", "implicit"), exact, 1e-4);
  // With nothing that changes the normal force, friction that lags is as good.
  NEAR(stop(result, DISTANCE, "be", "settled", "lagged ×1"), euler, 1e-3);
  NEAR(stop(result, DISTANCE, "be", "disturbed", "lagged ×1"), exact, 0.2);
  assert_true(stop(result, DISTANCE, "be", "disturbed", "lagged ×1") > 1.08 * exact);
  assert_true(beyond(result, "be", "cold", "lagged ×1") > 4 * exact);
  // The trapezoidal rule rings on, and creeps; friction that lags lets it go far beyond.
  NEAR(beyond(result, "tr", "disturbed", "implicit"), exact, 0.01);
  assert_true(beyond(result, "tr", "disturbed", "lagged ×1") > 1.1 * exact);
  assert_true(beyond(result, "tr_decoupled", "disturbed", "lagged ×1") > 1.1 * exact);
}

typedef struct Watch {
  int runs, finished;
  volatile sig_atomic_t stop;
  int stop_after; // progress calls; 0: never
} Watch;

static void watch_runs(void *context, const StLabMoment *moment) {
  Watch *watch = context;
  watch->runs += moment->run != NULL;
  watch->finished = moment->cases_done;
  if (watch->stop_after > 0 && watch->runs >= watch->stop_after)
    watch->stop = 1;
}

static const ExperimentSetting reduced[] = {
    {"duration", 17}, {"shortest_step", 0.1}, {"most_lags", 1}};

static void it_stops_where_it_must(void **state) {
  (void)state;
  Watch watch = {0};
  StLabSettings settings = experiment_settings("block-slide", scratch("slide"), reduced, 3);
  settings.progress = watch_runs;
  settings.context = &watch;
  StResult result = experiment_run(&settings);
  check_figures(&result);
  assert_int_equal(result.plot_count, 2);
  assert_true(st_file_exists(scratch("slide/distance.svg")));
  assert_true(st_file_exists(scratch("slide/be-cold-implicit-h0.1/scene.json")));
  assert_int_equal(watch.finished, 15);
  st_result_free(&result);
}

static void ended_cases_are_kept(void **state) {
  (void)state;
  Watch watch = {0};
  StLabSettings settings = experiment_settings("block-slide", scratch("slide"), reduced, 3);
  settings.progress = watch_runs;
  settings.context = &watch;
  char *before = scratch_read(scratch("slide/summary.json"), NULL);
  StResult result = experiment_run(&settings);
  char *after = scratch_read(scratch("slide/summary.json"), NULL);
  assert_int_equal(watch.runs, 0);
  assert_string_equal(before, after);
  st_result_free(&result);
  free(before);
  free(after);
  // Another scene is another case; what was not asked for is not run, but shown as it is there.
  settings.value[st_experiment_param(settings.experiment, "disturbance")] = 0.01;
  settings.only = "be-disturbed-implicit-*";
  result = experiment_run(&settings);
  assert_true(watch.runs > 100 && watch.runs < 200);
  assert_int_equal(result.table[0]->cell_count, 9 * result.table[0]->column_count);
  st_result_free(&result);
}

// The block starts at a gap of 1 mm above the floor and is 1 m high.
static void recordings_tell_all(void **state) {
  (void)state;
  StDescription *description = NULL;
  StRecording recording;
  StError error;
  const char *folder = scratch("slide/be-cold-implicit-h0.1");
  double *position = NULL, centre[3];
  assert_int_equal(
      st_scene_load(scratch("slide/be-cold-implicit-h0.1/scene.json"), NULL, &description, &error),
      ST_OK);
  assert_int_equal(st_recording_open(folder, description, &recording, &error), ST_OK);
  assert_int_equal(recording.state, ST_RECORDING_FINISHED);
  assert_int_equal(recording.rows, 171);
  assert_int_equal(recording.cost.steps, 170);
  assert_int_equal(recording.cost.frames, 17);
  assert_int_equal(recording.cost.vertices, 8);
  assert_int_equal(recording.cost.ranks, 1);
  assert_true(recording.cost.memory > 0.01 && recording.cost.memory < 1);
  assert_true(recording.cost.newton_per_step >= 1 && recording.cost.seconds_per_frame > 0);
  assert_null(st_recording_column(&recording, "nothing"));
  assert_true(isnan(st_recording_last(&recording, "nothing")));
  assert_true(fabs(st_recording_last(&recording, "time") - 17) < 1e-9);
  assert_int_equal(st_recording_frame(&recording, 0, &position, &error), ST_OK);
  st_recording_centre(&recording, 0, position, centre);
  assert_true(fabs(centre[0]) < 1e-12 && fabs(centre[2] - 0.501) < 1e-12);
  free(position);
  assert_int_equal(st_recording_frame(&recording, 17, &position, &error), ST_OK);
  st_recording_centre(&recording, 0, position, centre);
  assert_true(fabs(centre[0] - st_recording_last(&recording, "centre_of_mass_x")) < 1e-9);
  free(position);
  st_recording_close(&recording);
}

static void interrupted_cases_go_on(void **state) {
  (void)state;
  Watch watch = {.stop_after = 40};
  StError error;
  StLabSettings settings = experiment_settings("block-slide", scratch("broken"), reduced, 3);
  settings.only = "be-settled-implicit-*";
  settings.progress = watch_runs;
  settings.context = &watch;
  settings.stop = &watch.stop;
  StResult result;
  assert_int_equal(st_lab_run(&settings, &result, &error), ST_INTERRUPTED);
  st_result_free(&result);
  assert_false(st_file_exists(scratch("broken/summary.json")));
  settings.stop = NULL;
  watch = (Watch){0};
  result = experiment_run(&settings);
  NEAR(stop(&result, DISTANCE, "be", "settled", "implicit"), euler, 1e-3);
  assert_int_equal(result.table[0]->cell_count, result.table[0]->column_count);
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stops_where_it_must),
      cmocka_unit_test(recordings_tell_all),
      cmocka_unit_test(ended_cases_are_kept),
      cmocka_unit_test(interrupted_cases_go_on),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
