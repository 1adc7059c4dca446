// How the lab handles bad scenes: one that cannot be solved is a result, an invalid one an error
// that names the case, and neither crashes.
#include "experiment/scene_text.h"
#include "support/experiment.h"

#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static int runs;
static StRecordingState seen;
static const char *case_name, *young;

// One Newton iteration is never enough, and steps may not be shortened.
static void write_scene(StText *scene) {
  st_scene_text(scene,
                "{ 'materials': { 'gum': { 'young': '%s', 'poisson': 0.4 } },\n"
                "  'bodies': { 'bar': { 'shape': { 'type': 'box', 'cells_x': 2 } } },\n"
                "  'boundaries': { 'wall': { 'body': 'bar', 'region': { 'label': 'x-' } } },\n"
                "  'time': { 'duration': '1 s', 'step': '0.1 s', 'smallest_step': '0.1 s' },\n"
                "  'solver': { 'type': 'direct', 'max_iterations': 1 } }\n",
                young);
}

static StStatus run(StLab *lab, StError *error) {
  StText scene = {0};
  StRecording recording;
  write_scene(&scene);
  st_lab_expect(lab, 1);
  StStatus status = st_lab_simulate(lab, case_name, &scene, &recording, error);
  st_text_free(&scene);
  if (status != ST_OK)
    return status;
  seen = recording.state;
  st_recording_close(&recording);
  return ST_OK;
}

static const StExperiment sample = {
    .name = "sample", .summary = "A bar.", .paper = "nothing.", .run = run};

static void count_runs(void *context, const StLabMoment *moment) {
  (void)context;
  runs += moment->run != NULL;
}

static StLabSettings settings_in(const char *folder) {
  return (StLabSettings){.experiment = &sample, .folder = folder, .progress = count_runs};
}

static void unsolved_scenes_are_results(void **state) {
  (void)state;
  case_name = "bar", young = "1 kPa";
  StLabSettings settings = settings_in(scratch("unsolved"));
  for (int again = 0; again < 2; again++) {
    runs = 0;
    StResult result = experiment_run(&settings);
    assert_int_equal(seen, ST_RECORDING_FAILED);
    assert_int_equal(result.note_count, 1);
    assert_non_null(strstr(result.note[0], "Case bar could not be solved to its end:"));
    assert_true(again ? runs == 0 : runs > 0);
    st_result_free(&result);
  }
}

static void wrong_scenes_are_errors(void **state) {
  (void)state;
  case_name = "bar", young = "1 kg";
  StResult result;
  StError error;
  StLabSettings settings = settings_in(scratch("wrong"));
  assert_int_equal(st_lab_run(&settings, &result, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "case bar: "));
  assert_non_null(strstr(error.text, "materials.gum.young"));
  st_result_free(&result);
}

static void names_stay_in_the_folder(void **state) {
  (void)state;
  const char *const names[] = {"../bar", "", ".bar", "a b"};
  StResult result;
  StError error;
  StLabSettings settings = settings_in(scratch("names"));
  young = "1 kPa";
  for (int i = 0; i < 4; i++) {
    case_name = names[i];
    assert_int_equal(st_lab_run(&settings, &result, &error), ST_BUG);
    st_result_free(&result);
  }
}

static void folders_that_cannot_be_made_are_told(void **state) {
  (void)state;
  StResult result;
  StError error;
  assert_int_equal(st_file_write(scratch("file"), "x", 1, &error), ST_OK);
  StLabSettings settings = settings_in(scratch("file/inside"));
  assert_int_equal(st_lab_run(&settings, &result, &error), ST_SYSTEM_FAULT);
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsolved_scenes_are_results),
      cmocka_unit_test(wrong_scenes_are_errors),
      cmocka_unit_test(names_stay_in_the_folder),
      cmocka_unit_test(folders_that_cannot_be_made_are_told),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
