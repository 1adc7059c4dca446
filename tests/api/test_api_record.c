// A loop of a program, recorded like a run: what is in the folder, going back, going on.
#include "api/session.h"

#include "stiction/recording.h"

#include <sys/wait.h>
#include <unistd.h>

static const char BRICK[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
    " \"size_z\": 0.1, \"edge\": 0.1 }, \"translate\": [0, 0, 0.0501] } },"
    "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" }, \"material\": \"ice\" "
    "} },"
    "\"friction\": [{ \"between\": [\"gum\", \"ice\"], \"dynamic\": 0.5 }],"
    "\"time\": { \"step\": \"10 ms\", \"frame_rate\": 50 } }";

static StictionSimulation *record(Stiction *session, StictionScene *scene, const char *folder,
                                  bool resume) {
  const StictionRecordOptions options = {.folder = folder, .resume = resume, .overwrite = !resume};
  StictionSimulation *simulation = start(session, scene);
  must(session, stiction_simulation_record(simulation, &options));
  return simulation;
}

static void push(Stiction *session, StictionSimulation *simulation, double duration) {
  const StictionPose pose = {.velocity = {0.1, 0, 0}};
  must(session, stiction_simulation_move(simulation, "floor", &pose));
  must(session, stiction_simulation_advance(simulation, duration));
}

static StictionRecording *opened(Stiction *session, const char *folder) {
  StictionRecording *recording = NULL;
  must(session, stiction_recording_open(session, folder, &recording));
  return recording;
}

static void check_rows(const StictionRecording *recording, long rows, int frames) {
  const double *time = stiction_recording_column(recording, "time");
  assert_int_equal(stiction_recording_row_count(recording), rows);
  assert_int_equal(stiction_recording_frame_count(recording), frames);
  for (long i = 0; i < rows; i++)
    assert_near(time[i], 0.01 * (double)i, 1e-12);
}

// Rows of the steps within one call, frames at multiples of 20 ms, and one of the last state.
static void a_loop_is_like_a_run(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = record(*state, scene, "loop", false);
  push(*state, simulation, 0.05);
  push(*state, simulation, 0.02);
  StictionRecording *recording = opened(*state, "loop");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_UNDER_WAY);
  stiction_recording_free(recording);
  size_t bytes = 3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(simulation);
  double *end = malloc(bytes), *last = malloc(bytes);
  memcpy(end, stiction_simulation_positions(simulation), bytes);
  must(*state, stiction_simulation_record_end(simulation, NULL));
  must(*state, stiction_simulation_record_end(simulation, NULL)); // there is none
  recording = opened(*state, "loop");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_FINISHED);
  check_rows(recording, 8, 5);
  must(*state, stiction_recording_frame(*state, recording, 4, last));
  assert_memory_equal(last, end, bytes);
  stiction_recording_free(recording);
  free(end);
  free(last);
  finish(scene, simulation);
}

// To the bits of one that was not interrupted, with the motions that the program had set.
static void resuming_goes_on(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *whole = record(*state, scene, "whole", false);
  push(*state, whole, 0.06);
  must(*state, stiction_simulation_advance(whole, 0.06));
  StictionSimulation *part = record(*state, scene, "part", false);
  push(*state, part, 0.06);
  must(*state, stiction_simulation_record_end(part, "the hand got tired"));
  stiction_simulation_free(part);
  StictionRecording *recording = opened(*state, "part");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_INTERRUPTED);
  assert_string_equal(stiction_recording_reason(recording), "the hand got tired");
  stiction_recording_free(recording);
  part = record(*state, scene, "part", true);
  assert_near(stiction_simulation_time(part), 0.06, 1e-12);
  must(*state, stiction_simulation_advance(part, 0.06));
  assert_memory_equal(stiction_simulation_positions(part), stiction_simulation_positions(whole),
                      3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(part));
  stiction_simulation_free(part); // ends it
  recording = opened(*state, "part");
  check_rows(recording, 13, 7);
  stiction_recording_free(recording);
  finish(scene, whole);
}

static void going_back_cuts_off(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = record(*state, scene, "back", false);
  StictionState *here = NULL;
  push(*state, simulation, 0.03);
  must(*state, stiction_simulation_save(simulation, &here));
  for (int i = 0; i < 3; i++) {
    push(*state, simulation, 0.04);
    must(*state, stiction_simulation_restore(simulation, here));
  }
  must(*state, stiction_simulation_advance(simulation, 0.01));
  must(*state, stiction_simulation_record_end(simulation, NULL));
  StictionRecording *recording = opened(*state, "back");
  check_rows(recording, 5, 3);
  stiction_recording_free(recording);
  stiction_state_free(here);
  finish(scene, simulation);
}

// A forked process goes on by itself, and the recording with its parent.
static void forked_processes_do_not_write(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = record(*state, scene, "forked", false);
  push(*state, simulation, 0.02);
  pid_t child = fork();
  if (child == 0) {
    bool good = stiction_simulation_advance(simulation, 0.05) == STICTION_OK;
    stiction_simulation_free(simulation);
    _exit(good ? 0 : 1);
  }
  int code = 1;
  assert_true(child > 0 && waitpid(child, &code, 0) == child);
  assert_int_equal(code, 0);
  StictionRecording *recording = opened(*state, "forked");
  assert_int_equal(stiction_recording_state(recording), STICTION_RUN_UNDER_WAY);
  stiction_recording_free(recording);
  push(*state, simulation, 0.02);
  must(*state, stiction_simulation_record_end(simulation, NULL));
  recording = opened(*state, "forked");
  check_rows(recording, 5, 3);
  stiction_recording_free(recording);
  finish(scene, simulation);
}

static void mistakes_are_told(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = start(*state, scene);
  StictionRecordOptions options = {.folder = ""};
  must_fail(*state, stiction_simulation_record(simulation, &options), STICTION_BAD_INPUT,
            "needs the name of a folder");
  options = (StictionRecordOptions){.folder = "never", .frame_rate = -1};
  must_fail(*state, stiction_simulation_record(simulation, &options), STICTION_BAD_INPUT,
            "the frame rate of a recording");
  options = (StictionRecordOptions){.folder = "never", .resume = true};
  must_fail(*state, stiction_simulation_record(simulation, &options), STICTION_BAD_INPUT,
            "holds no run to resume");
  assert_int_not_equal(access("never", F_OK), 0);
  options = (StictionRecordOptions){.folder = "twice", .overwrite = true};
  must(*state, stiction_simulation_record(simulation, &options));
  must_fail(*state, stiction_simulation_record(simulation, &options), STICTION_BAD_INPUT,
            "is being recorded into twice already");
  must_fail(*state, stiction_simulation_record(simulation, NULL), STICTION_BAD_INPUT, "is NULL");
  must(*state, stiction_simulation_step(simulation));
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_is_like_a_run), cmocka_unit_test(resuming_goes_on),
      cmocka_unit_test(going_back_cuts_off),  cmocka_unit_test(forked_processes_do_not_write),
      cmocka_unit_test(mistakes_are_told),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
