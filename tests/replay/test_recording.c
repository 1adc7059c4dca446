// A run's folder read back: finished, under way, failed, or no run at all; frames with their
// fields.
#include "base/memory.h"
#include "replay/frame_fields.h"
#include "support/small_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

static StRecording loaded(const char *folder) {
  StRecording recording;
  StError error = {0};
  if (st_recording_load(folder, NULL, &recording, &error) != ST_OK)
    fail_msg("%s", error.text);
  return recording;
}

static void a_folder_is_enough(void **state) {
  (void)state;
  StRecording recording = loaded(scratch("run"));
  assert_int_equal(recording.state, ST_RECORDING_FINISHED);
  assert_null(recording.reason);
  assert_int_equal(recording.rows, SMALL_RUN_STEPS + 1);
  assert_int_equal(recording.frame_count, SMALL_RUN_FRAMES);
  for (int f = 0; f < SMALL_RUN_FRAMES; f++)
    assert_true(fabs(st_recording_frame_time(&recording, f) - 0.01 * f) < 1e-12);
  assert_string_equal(recording.description->body[1].name, "sheet");
  int height = st_recording_column_index(&recording, "centre_of_mass_z");
  assert_string_equal(recording.unit[height], "m");
  assert_string_equal(recording.unit[st_recording_column_index(&recording, "touching")], "");
  assert_int_equal(st_recording_column_index(&recording, "weight"), -1);
  assert_true(st_recording_last(&recording, "centre_of_mass_z") < recording.value[height * 9]);
  st_recording_close(&recording);
}

// A pair that the history has no room for; its last line is still being written.
static void pairs_beyond_the_history_have_columns(void **state) {
  (void)state;
  size_t size = 0;
  char *before = scratch_read(scratch("run/contacts.csv"), &size);
  FILE *file = fopen(scratch("run/contacts.csv"), "a");
  assert_true(file && fputs("2,0.01,a|b,4,1,8,1,2,3,0,0,8\n5,0.025,a|b,2,2,6,0,0,1,0,0,6\n"
                            "6,0.03,a|b,1,1,9",
                            file) >= 0);
  assert_int_equal(fclose(file), 0);
  StRecording recording = loaded(scratch("run"));
  assert_int_equal(st_file_write(scratch("run/contacts.csv"), before, size, NULL), ST_OK);
  free(before);
  const double *normal = st_recording_column(&recording, "normal(a|b)");
  const double *share = st_recording_column(&recording, "sticking_share(a|b)");
  const double *friction = st_recording_column(&recording, "friction_z(a|b)");
  assert_true(normal && share && friction);
  const double wanted[SMALL_RUN_STEPS + 1] = {[2] = 8, [5] = 6};
  assert_memory_equal(normal, wanted, sizeof wanted);
  assert_true(share[2] == 0.25 && share[5] == 1 && friction[2] == 3 && friction[5] == 1);
  int index = st_recording_column_index(&recording, "normal(a|b)");
  assert_string_equal(recording.unit[index], "N");
  st_recording_close(&recording);
  recording = loaded(scratch("run"));
  assert_null(st_recording_column(&recording, "normal(a|b)"));
  int blocks = 0;
  for (int i = 0; i < recording.column_count; i++)
    blocks += strcmp(recording.name[i], "normal(block|floor)") == 0;
  assert_int_equal(blocks, 1); // the history has it already
  st_recording_close(&recording);
}

// The box at rest is 0.2 × 1.15 × 0.49 m; the centre of mass goes down by what the history says.
static void bounds_follow_the_centre(void **state) {
  (void)state;
  StRecording recording = loaded(scratch("run"));
  const double *z = st_recording_column(&recording, "centre_of_mass_z");
  double low[3], high[3], deepest = 0;
  for (long row = 0; row < recording.rows; row++)
    deepest = fmin(deepest, z[row] - z[0]);
  st_recording_bounds(&recording, low, high);
  assert_true(fabs(low[0] + 0.1) < 1e-12 && fabs(high[1] - 1.1) < 1e-12);
  assert_true(deepest < -0.005);
  assert_true(fabs(low[2] - (0.01 + deepest)) < 1e-12);
  assert_true(fabs(high[2] - 0.5) < 1e-12);
  st_recording_close(&recording);
}

static const StGridArray *need(const StFrameFields *fields, const char *name, bool of_cells,
                               bool integer, int components) {
  const StGridArray *field = st_frame_fields_find(fields, name);
  assert_non_null(field);
  assert_int_equal(field->of_cells, of_cells);
  assert_int_equal(field->integer, integer);
  assert_int_equal(field->components, components);
  return field;
}

static void frames_have_fields(void **state) {
  (void)state;
  StRecording recording = loaded(scratch("run"));
  StFrameFields *fields;
  StError error = {0};
  assert_int_equal(st_frame_fields_open(&recording, 2, &fields, &error), ST_OK);
  assert_true(fabs(st_frame_fields_time(fields) - 0.02) < 1e-12);
  need(fields, "stress", true, false, 6);
  need(fields, "contact_state", false, true, 1);
  assert_null(st_frame_fields_find(fields, "colour"));
  double *kind = NULL, *velocity = NULL, *position = NULL;
  assert_int_equal(st_frame_fields_read(fields, need(fields, "kind", true, true, 1), &kind, &error),
                   ST_OK);
  for (int cell = 0; cell < 88; cell++)
    assert_true(kind[cell] == (cell >= 80));
  assert_int_equal(
      st_frame_fields_read(fields, need(fields, "velocity", false, false, 3), &velocity, &error),
      ST_OK);
  assert_int_equal(st_frame_fields_position(fields, &position, &error), ST_OK);
  // The sheet falls freely, by backward Euler with h = 5 ms: v = −g t, z = z₀ − g t (t + h)/2.
  const double *last = velocity + 3 * 53;
  assert_true(fabs(last[2] + 9.81 * 0.02) < 1e-6 && fabs(last[0]) < 1e-9);
  assert_true(fabs(position[3 * 53 + 2] - (0.5 - 9.81 * 0.02 * 0.025 / 2)) < 1e-9);
  free(kind);
  free(velocity);
  free(position);
  st_frame_fields_close(fields);
  st_recording_close(&recording);
}

static void refuse(const char *folder, const char *text) {
  StRecording recording;
  StError error = {0};
  assert_int_equal(st_recording_load(folder, NULL, &recording, &error), ST_BAD_INPUT);
  if (!strstr(error.text, text))
    fail_msg("'%s' does not say '%s'", error.text, text);
}

static void other_folders_are_refused(void **state) {
  (void)state;
  refuse(scratch("nowhere"), "there is no such folder");
  refuse(scratch("small.json"), "is a file");
  refuse(scratch_folder, "is not the folder of a run (it has no run.json); there are runs in");
  refuse(scratch_folder, scratch("run"));
  assert_int_equal(mkdir(scratch("empty"), 0777), 0);
  refuse(scratch("empty"), "it has no run.json)");
}

static void missing_frames_are_named(void **state) {
  (void)state;
  StRecording recording = loaded(scratch("run"));
  double *position = NULL;
  StError error = {0};
  assert_int_not_equal(st_recording_frame(&recording, 77, &position, &error), ST_OK);
  assert_null(position);
  assert_non_null(strstr(error.text, "frame_00077.vtu"));
  st_recording_close(&recording);
}

// The folder as it stands after two frames: nothing but its first rows and frames, no summary.
static void runs_under_way_can_be_read(void **state) {
  (void)state;
  char command[1024];
  snprintf(command, sizeof command,
           "cd %s && cp -r run under && cd under && rm summary.json && "
           "head -n 4 history.csv > h && mv h history.csv && "
           "grep -v 'frame_0000[234]' small.pvd > s && mv s small.pvd",
           scratch_folder);
  assert_int_equal(system(command), 0);
  StRecording recording = loaded(scratch("under"));
  StError error = {0};
  assert_int_equal(recording.state, ST_RECORDING_RUNNING);
  assert_int_equal(recording.frame_count, 2);
  assert_int_equal(recording.rows, 3);
  const StDescription *description = recording.description;
  snprintf(command, sizeof command, "cp %s/run/[hs]* %s/under", scratch_folder, scratch_folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(st_recording_refresh(&recording, &error), ST_OK);
  assert_ptr_equal(recording.description, description);
  assert_int_equal(recording.state, ST_RECORDING_FINISHED);
  assert_int_equal(recording.frame_count, SMALL_RUN_FRAMES);
  assert_int_equal(recording.rows, SMALL_RUN_STEPS + 1);
  // What cannot be read leaves everything as it was.
  assert_int_equal(remove(scratch("under/history.csv")), 0);
  assert_int_not_equal(st_recording_refresh(&recording, &error), ST_OK);
  assert_int_equal(recording.rows, SMALL_RUN_STEPS + 1);
  st_recording_close(&recording);
}

static void the_end_has_a_reason(void **state) {
  (void)state;
  static const struct {
    const char *json;
    StRecordingState state;
  } ends[] = {{"{\"status\": \"failed\", \"reason\": \"too \\\"soft\\\"\"}", ST_RECORDING_FAILED},
              {"{\"status\": \"interrupted\", \"reason\": \"too \\\"soft\\\"\"}",
               ST_RECORDING_INTERRUPTED}};
  char command[1024];
  StError error = {0};
  snprintf(command, sizeof command, "cp -r %s/run %s/ended", scratch_folder, scratch_folder);
  assert_int_equal(system(command), 0);
  for (int i = 0; i < ST_LENGTH(ends); i++) {
    assert_int_equal(
        st_file_write(scratch("ended/summary.json"), ends[i].json, strlen(ends[i].json), &error),
        ST_OK);
    StRecording recording = loaded(scratch("ended"));
    assert_int_equal(recording.state, ends[i].state);
    assert_string_equal(recording.reason, "too \"soft\"");
    st_recording_close(&recording);
  }
}

static void copy_run(const char *name) {
  char command[1024];
  snprintf(command, sizeof command, "rm -rf %s/%s && cp -r %s/run %s/%s", scratch_folder, name,
           scratch_folder, scratch_folder, name);
  assert_int_equal(system(command), 0);
}

// 30 000 columns and 30 000 empty rows would take 7 GB, out of 60 kB.
static void small_histories_stay_small(void **state) {
  (void)state;
  enum { MANY = 30000 };
  char *text = malloc(2 * MANY + 2);
  StError error = {0};
  assert_non_null(text);
  memset(text, ',', MANY);
  memset(text + MANY, '\n', MANY + 1);
  copy_run("wide");
  assert_int_equal(st_file_write(scratch("wide/history.csv"), text, 2 * MANY + 1, &error), ST_OK);
  free(text);
  StRecording recording;
  assert_int_equal(st_recording_load(scratch("wide"), NULL, &recording, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "history.csv"));
}

static void counts_may_be_anything(void **state) {
  (void)state;
  static const char json[] = "{ \"status\": \"finished\", \"steps\": 1e308, \"frames\": -7,\n"
                             "  \"vertices\": \"many\", \"ranks\": 1e12, \"tets\": 12 }";
  StError error = {0};
  copy_run("counted");
  assert_int_equal(st_file_write(scratch("counted/summary.json"), json, sizeof json - 1, &error),
                   ST_OK);
  StRecording recording = loaded(scratch("counted"));
  assert_int_equal(recording.cost.steps, 0);
  assert_int_equal(recording.cost.tets, 12);
  st_recording_close(&recording);
}

// Every way to cut a frame off gives a message or, behind its last array, the frame.
static void cut_frames_are_refused(void **state) {
  (void)state;
  static const char name[] = "cut/frames/frame_00002.vtu";
  StError error = {0};
  copy_run("cut");
  StRecording recording = loaded(scratch("cut"));
  size_t size;
  char *whole = scratch_read(scratch(name), &size);
  for (size_t length = 0; length < size - 100; length += 61) {
    double *position = NULL;
    assert_int_equal(st_file_write(scratch(name), whole, length, &error), ST_OK);
    if (st_recording_frame(&recording, 2, &position, &error) != ST_OK)
      assert_non_null(strstr(error.text, "frame_00002.vtu"));
    free(position);
  }
  free(whole);
  st_recording_close(&recording);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_folder_is_enough),
      cmocka_unit_test(pairs_beyond_the_history_have_columns),
      cmocka_unit_test(bounds_follow_the_centre),
      cmocka_unit_test(frames_have_fields),
      cmocka_unit_test(other_folders_are_refused),
      cmocka_unit_test(missing_frames_are_named),
      cmocka_unit_test(runs_under_way_can_be_read),
      cmocka_unit_test(the_end_has_a_reason),
      cmocka_unit_test(small_histories_stay_small),
      cmocka_unit_test(counts_may_be_anything),
      cmocka_unit_test(cut_frames_are_refused),
  };
  return cmocka_run_group_tests(tests, small_run_begin, small_run_end);
}
