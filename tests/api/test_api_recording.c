// Runs read back through the public interface, runs that do only what is left, and quantities.
#include "api/session.h"

#include <stiction/build.h>
#include <stiction/recording.h>

#include <malloc.h>

#define SCENE(duration, iterations) SCENE_OF("0.1", duration, iterations)
#define SCENE_OF(edge, duration, iterations)                                                       \
  "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"   \
  " \"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","             \
  "  \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": " edge " } } },"                 \
  " \"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } } },"                          \
  " \"solver\": { \"max_iterations\": " iterations " },"                                           \
  " \"time\": { \"duration\": " duration ", \"step\": \"10 ms\", \"smallest_step\": \"10 ms\","    \
  "  \"frame_rate\": 20 } }"

typedef struct Watch {
  int calls, stop_after;
} Watch;

static bool watch(void *context, const StictionProgress *progress) {
  Watch *seen = context;
  (void)progress;
  return ++seen->calls != seen->stop_after;
}

static StictionStatus run(Stiction *session, const char *text, const char *folder, bool reuse,
                          Watch *seen) {
  StictionRunOptions options = {
      .folder = folder, .overwrite = !reuse, .reuse = reuse, .progress = watch, .context = seen};
  StictionScene *scene = parse_scene(session, text);
  StictionStatus status = stiction_scene_run(session, scene, &options);
  stiction_scene_free(scene);
  return status;
}

static StictionRecording *opened(Stiction *session, const char *folder) {
  StictionRecording *recording = NULL;
  must(session, stiction_recording_open(session, folder, &recording));
  return recording;
}

static void recordings_tell_all(void **state) {
  Watch seen = {0};
  must(*state, run(*state, SCENE("0.2", "40"), "whole", false, &seen));
  StictionRecording *recording = opened(*state, "whole");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_FINISHED);
  assert_string_equal(stiction_recording_reason(recording), "");
  assert_int_equal(stiction_recording_row_count(recording), 21);
  assert_near(stiction_recording_number(recording, "steps"), 20, 0);
  assert_near(stiction_recording_number(recording, "vertices"), 8, 0);
  assert_true(stiction_recording_number(recording, "peak_memory_bytes") > 1e6);
  assert_true(isnan(stiction_recording_number(recording, "nothing")));
  const double *time = stiction_recording_column(recording, "time");
  assert_non_null(time);
  assert_near(time[20], 0.2, 1e-12);
  assert_null(stiction_recording_column(recording, "nothing"));
  assert_string_equal(stiction_recording_column_name(recording, 0), "step");
  int last = stiction_recording_column_count(recording);
  assert_null(stiction_recording_column_name(recording, last));
  assert_non_null(stiction_recording_column_name(recording, last - 1));
  for (int i = 0; i < last; i++)
    if (strcmp(stiction_recording_column_name(recording, i), "time") == 0)
      assert_string_equal(stiction_recording_column_unit(recording, i), "s");
  stiction_recording_free(recording);
}

// The last frame is where the run ended: at the mean of the corners, each of which has the same.
static void frames_are_read(void **state) {
  StictionRecording *recording = opened(*state, "whole");
  assert_int_equal(stiction_recording_frame_count(recording), 5);
  assert_near(stiction_recording_frame_time(recording, 4), 0.2, 1e-12);
  assert_true(isnan(stiction_recording_frame_time(recording, 5)));
  assert_int_equal(stiction_recording_vertex_count(recording), 8);
  double position[24], low = INFINITY;
  must(*state, stiction_recording_frame(*state, recording, 0, position));
  for (int v = 0; v < 8; v++)
    low = fmin(low, position[3 * v + 2]);
  assert_near(low, -0.05, 1e-7); // frames have single precision
  must_fail(*state, stiction_recording_frame(*state, recording, 5, position), STICTION_BAD_INPUT,
            "whole has frames 0 to 4, not 5");
  stiction_recording_free(recording);
  recording = NULL;
  must_fail(*state, stiction_recording_open(*state, "nowhere", &recording), STICTION_BAD_INPUT,
            "nowhere");
  assert_null(recording);
}

// 0: the allocator does not tell.
static size_t held(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Frames and histories can be read without the meshes of the scene: many recordings may be open.
static void recordings_hold_no_meshes(void **state) {
  Watch seen = {0};
  must(*state, run(*state, SCENE_OF("0.01", "0.01", "40"), "fine", false, &seen));
  size_t before = held();
  if (before == 0)
    skip();
  StictionRecording *recording = opened(*state, "fine");
  double corners = 4 * stiction_recording_number(recording, "tets") * sizeof(int);
  size_t vertices = (size_t)stiction_recording_vertex_count(recording);
  print_message("%.0f bytes held, %.0f of corners alone\n", (double)(held() - before), corners);
  assert_true((double)held() < (double)before + corners);
  double *position = malloc(3 * vertices * sizeof *position);
  must(*state, stiction_recording_frame(*state, recording, 0, position));
  free(position);
  stiction_recording_free(recording);
}

// The same scene again costs nothing; an interrupted run continues; another scene replaces it.
static void runs_are_reused(void **state) {
  Watch first = {0}, again = {0}, other = {0}, stopped = {.stop_after = 5}, rest = {0};
  must(*state, run(*state, SCENE("0.1", "40"), "reused", true, &first));
  assert_int_equal(first.calls, 11);
  must(*state, run(*state, SCENE("0.1", "40"), "reused", true, &again));
  assert_int_equal(again.calls, 0);
  must(*state, run(*state, SCENE("0.15", "40"), "reused", true, &other));
  assert_int_equal(other.calls, 16);
  assert_int_equal(run(*state, SCENE("0.2", "40"), "reused", true, &stopped), STICTION_INTERRUPTED);
  StictionRecording *recording = opened(*state, "reused");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_INTERRUPTED);
  stiction_recording_free(recording);
  must(*state, run(*state, SCENE("0.2", "40"), "reused", true, &rest));
  assert_int_equal(rest.calls, 17); // from the state after the fifth call on
}

// One that failed fails again with the same words, without a step.
static void failures_are_reused(void **state) {
  Watch first = {0}, again = {0};
  assert_int_equal(run(*state, SCENE("0.1", "1"), "failed", true, &first), STICTION_NOT_SOLVED);
  assert_int_equal(run(*state, SCENE("0.1", "1"), "failed", true, &again), STICTION_NOT_SOLVED);
  assert_int_equal(again.calls, 0);
  StictionRecording *recording = opened(*state, "failed");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_FAILED);
  assert_string_equal(stiction_error(*state), stiction_recording_reason(recording));
  stiction_recording_free(recording);
}

static void quantities_have_units(void **state) {
  double value = 0;
  must(*state, stiction_quantity("3 mm", "m", &value));
  assert_near(value, 3e-3, 1e-18);
  must(*state, stiction_quantity("90 deg", "rad", &value));
  assert_near(value, acos(0), 1e-15);
  must(*state, stiction_quantity("1.5", "kg/m^3", &value));
  assert_near(value, 1.5, 0);
  must(*state, stiction_quantity("2", "", &value));
  assert_near(value, 2, 0);
  must_fail(*state, stiction_quantity("3 mm", "s", &value), STICTION_BAD_INPUT, "a time");
  must_fail(*state, stiction_quantity("3", "parsec", &value), STICTION_BAD_INPUT, "'parsec'");
  must_fail(*state, stiction_quantity("much", "m", &value), STICTION_BAD_INPUT, "much");
  assert_near(value, 2, 0);
}

// A body gives back the groups of vertices that its mesh was given.
static void bodies_have_tags(void **state) {
  static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int tet[4] = {0, 1, 2, 3}, tag[2][2] = {{3, 0}, {1, 0}};
  static const char *const label = "tips";
  const StictionMesh mesh = {.vertex_count = 4,
                             .position = &corner[0][0],
                             .tet_count = 1,
                             .tet = tet,
                             .label_count = 1,
                             .label = &label,
                             .tag_count = 2,
                             .tag = &tag[0][0]};
  StictionBuild *build = NULL;
  StictionScene *scene = NULL;
  StictionBody body;
  must(*state, stiction_build_create(&build));
  StictionPart *gum = stiction_build_add_material(build, "gum", NULL);
  stiction_part_set_number(gum, "young", 1e6);
  stiction_part_set_number(gum, "poisson", 0.3);
  stiction_part_set_mesh(stiction_build_add_body(build, "tet", NULL), &mesh);
  stiction_part_set_number(stiction_build_settings(build, "time"), "duration", 1);
  must(*state, stiction_scene_build(*state, build, &scene));
  must(*state, stiction_scene_body(scene, 0, &body));
  assert_int_equal(body.tag_count, 2);
  assert_int_equal(body.tag[0] + body.tag[2], 4);
  assert_string_equal(body.label[body.tag[1]], "tips");
  stiction_scene_free(scene);
  stiction_build_free(build);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recordings_tell_all),       cmocka_unit_test(frames_are_read),
      cmocka_unit_test(recordings_hold_no_meshes), cmocka_unit_test(runs_are_reused),
      cmocka_unit_test(failures_are_reused),       cmocka_unit_test(quantities_have_units),
      cmocka_unit_test(bodies_have_tags),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
