// Whole runs through the public interface: files, progress, stopping and resuming.
#include "api/session.h"

#define SCENE(duration)                                                                            \
  "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"   \
  " \"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","             \
  "  \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } },"                      \
  " \"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } } },"                          \
  " \"time\": { \"duration\": " duration ", \"step\": \"10 ms\", \"frame_rate\": 20 } }"

typedef struct Watch {
  int calls, frames, stop_after;
  double time, energy;
} Watch;

static bool watch(void *context, const StictionProgress *progress) {
  Watch *seen = context;
  seen->calls++;
  seen->frames += progress->on_frame;
  seen->energy = progress->report->total_energy;
  assert_true(progress->time >= seen->time);
  assert_near(progress->report->time, progress->time, 1e-15);
  assert_near(progress->duration, 0.2, 1e-15);
  seen->time = progress->time;
  return seen->calls != seen->stop_after;
}

static void must_exist(const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("%s is missing", path);
  else
    fclose(file);
}

static void run_writes_its_folder(void **state) {
  Watch seen = {.time = -1};
  StictionRunOptions options = {
      .folder = "whole", .overwrite = true, .progress = watch, .context = &seen};
  StictionScene *scene = parse_scene(*state, SCENE("0.2"));
  must(*state, stiction_scene_run(*state, scene, &options));
  assert_int_equal(seen.calls, 21);
  assert_int_equal(seen.frames, 5);
  assert_near(seen.time, 0.2, 1e-12);
  const char *const names[] = {
      "frames/frame_00004.vtu", "history.csv", "summary.json", "run.json", "scene.json",
      "checkpoint.h5",          "scene.pvd"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    must_exist("whole", names[i]);
  options.overwrite = false;
  must_fail(*state, stiction_scene_run(*state, scene, &options), STICTION_BAD_INPUT,
            "already holds a run");
  stiction_scene_free(scene);
}

// A stopped and resumed run ends where an uninterrupted one does.
static void run_stops_and_resumes(void **state) {
  Watch first = {.time = -1, .stop_after = 8}, second = {.time = -1}, whole = {.time = -1};
  StictionRunOptions options = {
      .folder = "stopped", .overwrite = true, .progress = watch, .context = &first};
  StictionScene *scene = parse_scene(*state, SCENE("0.2"));
  must_fail(*state, stiction_scene_run(*state, scene, &options), STICTION_INTERRUPTED,
            "stopped on request at t = 0.07 s");
  options = (StictionRunOptions){
      .folder = "stopped", .resume = true, .progress = watch, .context = &second};
  must(*state, stiction_scene_run(*state, scene, &options));
  assert_int_equal(second.calls, 14);
  options = (StictionRunOptions){
      .folder = "straight", .overwrite = true, .progress = watch, .context = &whole};
  must(*state, stiction_scene_run(*state, scene, &options));
  assert_near(second.energy, whole.energy, 0);
  stiction_scene_free(scene);
}

static bool lift(void *context, double time, StictionPose *pose) {
  const double *until = context;
  pose->translation[2] = time;
  pose->velocity[2] = 1;
  return time < *until;
}

// A run driven by a program can only be resumed by a program that drives it.
static void callbacks_belong_to_a_run(void **state) {
  double until = 0.115;
  StictionScene *plain = parse_scene(*state, SCENE("0.2")),
                *driven = parse_scene(*state, SCENE("0.2"));
  StictionRunOptions options = {.folder = "driven", .overwrite = true};
  must(*state, stiction_scene_drive(driven, "foot", lift, &until));
  must_fail(*state, stiction_scene_run(*state, driven, &options), STICTION_INTERRUPTED,
            "the program that drives boundary \"foot\" failed to give a pose at t = 0.11 s");
  options = (StictionRunOptions){.folder = "driven", .resume = true};
  must_fail(*state, stiction_scene_run(*state, plain, &options), STICTION_BAD_INPUT,
            "only that program can resume it");
  until = 1;
  must(*state, stiction_scene_run(*state, driven, &options));
  stiction_scene_free(driven);
  stiction_scene_free(plain);
}

static void runs_need_a_folder(void **state) {
  StictionScene *scene = parse_scene(*state, SCENE("0.2"));
  must_fail(*state, stiction_scene_run(*state, scene, &(StictionRunOptions){.folder = ""}),
            STICTION_BAD_INPUT, "folder");
  stiction_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(run_writes_its_folder),
      cmocka_unit_test(run_stops_and_resumes),
      cmocka_unit_test(callbacks_belong_to_a_run),
      cmocka_unit_test(runs_need_a_folder),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
