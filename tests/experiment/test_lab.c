// How the lab handles bad scenes: one that cannot be solved is a result, an invalid one an error
// that names the case, and neither crashes.
#include "scene.h"
#include "support/experiment.h"

#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static int runs;
static StictionRunState seen;
static const char *case_name, *young;

// One Newton iteration is never enough, and steps may not be shortened.
static StictionBuild *build_scene(void) {
  StictionBuild *scene = scene_begin("A bar");
  StictionPart *gum = stiction_build_add_material(scene, "gum", NULL);
  set_text(gum, "young", young);
  set(gum, "poisson", 0.4);
  set(stiction_part_set_shape(stiction_build_add_body(scene, "bar", NULL), "box"), "cells_x", 2);
  stiction_part_choose_label(stiction_build_add_boundary(scene, "wall", "bar"), "x-");
  scene_set_time(scene, 1, 0.1, 0.1);
  set(stiction_build_settings(scene, "time"), "smallest_step", 0.1);
  set_text(stiction_build_settings(scene, "solver"), "type", "direct");
  set(stiction_build_settings(scene, "solver"), "max_iterations", 1);
  return scene;
}

static StictionStatus run(Lab *lab) {
  Recording recording;
  lab_expect(lab, 1);
  TRY(lab_simulate(lab, case_name, build_scene(), &recording));
  seen = recording.state;
  recording_close(&recording);
  return STICTION_OK;
}

static const Experiment sample = {
    .name = "sample", .summary = "A bar.", .paper = "nothing.", .run = run};

static void count_runs(void *context, const Moment *moment) {
  (void)context;
  runs += moment->run != NULL;
}

static LabSettings settings_in(const char *folder) {
  return (LabSettings){.experiment = &sample, .folder = folder, .progress = count_runs};
}

static void unsolved_scenes_are_results(void **state) {
  case_name = "bar", young = "1 kPa";
  LabSettings settings = settings_in("unsolved");
  for (int again = 0; again < 2; again++) {
    runs = 0;
    Result result = experiment_run(*state, &settings);
    assert_int_equal(seen, STICTION_RUN_FAILED);
    assert_int_equal(result.note_count, 1);
    assert_non_null(strstr(result.note[0], "Case bar could not be solved to its end:"));
    assert_true(again ? runs == 0 : runs > 0);
    result_free(&result);
  }
}

static void wrong_scenes_are_errors(void **state) {
  case_name = "bar", young = "1 kg";
  Result result;
  char error[1024];
  LabSettings settings = settings_in("wrong");
  assert_int_equal(lab_run(&settings, *state, &result, error), STICTION_BAD_INPUT);
  assert_non_null(strstr(error, "case bar: "));
  assert_non_null(strstr(error, "materials.gum.young"));
  result_free(&result);
}

static void names_stay_in_the_folder(void **state) {
  const char *const names[] = {"../bar", "", ".bar", "a b"};
  Result result;
  char error[1024];
  LabSettings settings = settings_in("names");
  young = "1 kPa";
  for (int i = 0; i < 4; i++) {
    case_name = names[i];
    assert_int_equal(lab_run(&settings, *state, &result, error), STICTION_BUG);
    result_free(&result);
  }
}

static void folders_that_cannot_be_made_are_told(void **state) {
  Result result;
  char error[1024];
  assert_int_equal(system("touch file"), 0);
  LabSettings settings = settings_in("file/inside");
  assert_int_equal(lab_run(&settings, *state, &result, error), STICTION_SYSTEM_FAULT);
  result_free(&result);
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
