// The run driver with a trivial simulation: which files appear when, and what remains after a stop,
// a kill, a failure, a full disk and a second run in the same folder.
#include "output/run.h"

#include "output/checkpoint.h"
#include "output/fake_simulation.h"
#include "output/folder_lock.h"
#include "base/json.h"
#include "output/sample.h"
#include "output/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/inotify.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SCENE[] = "{\"title\": \"two bodies\"}\n";

static const char *in(const char *folder, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return scratch(path);
}

static StRunOptions options_for(const char *folder) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", scratch_folder, folder);
  fake.stop = 0;
  return (StRunOptions){.folder = path,
                        .scene_path = scratch("kite.json"),
                        .scene_text = SCENE,
                        .scene_size = sizeof SCENE - 1,
                        .stop = &fake.stop};
}

static StStatus start(const char *folder, bool resume, StError *error) {
  Sample sample;
  sample_begin(&sample);
  StRunOptions options = options_for(folder);
  options.resume = resume;
  StStatus status = st_run(&sample.description, &options, error);
  sample_end(&sample);
  return status;
}

static void check_status(const char *folder, const char *expected) {
  StJsonDocument *summary;
  assert_int_equal(st_json_read_own(in(folder, "summary.json"), &summary, NULL), ST_OK);
  assert_string_equal(st_json_get_text(st_json_root(summary), "status"), expected);
  st_json_destroy(summary);
}

static void check_same_file(const char *one, const char *two) {
  size_t one_size, two_size;
  char *a = scratch_read(one, &one_size), *b = scratch_read(two, &two_size);
  assert_int_equal(one_size, two_size);
  assert_memory_equal(a, b, one_size);
  free(a);
  free(b);
}

// Everything except wall times is bitwise equal.
static void check_same_run(const char *one, const char *two) {
  for (int i = 0; i <= 10; i++) {
    char name[64];
    snprintf(name, sizeof name, "frames/frame_%05d.vtu", i);
    check_same_file(in(one, name), in(two, name));
  }
  check_same_file(in(one, "kite.pvd"), in(two, "kite.pvd"));
  check_same_file(in(one, "history.csv"), in(two, "history.csv"));
  char *a = scratch_read(in(one, "summary.json"), NULL);
  char *b = scratch_read(in(two, "summary.json"), NULL);
  const char *zones = strstr(a, "\"volumes\""), *end = strstr(a, "\"files\"");
  assert_memory_equal(strstr(b, "\"volumes\""), zones, (size_t)(end - zones));
  free(a);
  free(b);
}

static void check_text(const StError *error, const char *expected) {
  char whole[512];
  snprintf(whole, sizeof whole, expected, scratch_folder, scratch_folder);
  assert_string_equal(error->text, whole);
}

static void reference_run(void) {
  if (st_file_exists(in("whole", "run.json")))
    return;
  StError error = {0};
  fake.fail_at = fake.stop_at = fake.kill_at = 0;
  assert_int_equal(start("whole", false, &error), ST_OK);
}

static void test_whole_run(void **state) {
  (void)state;
  reference_run();
  check_status("whole", "finished");
  char *scene = scratch_read(in("whole", "scene.json"), NULL);
  assert_string_equal(scene, SCENE);
  free(scene);
  assert_true(st_file_exists(in("whole", "frames/frame_00010.vtu")));
  assert_false(st_file_exists(in("whole", "frames/frame_00011.vtu")));
  StCheckpoint checkpoint;
  StWritten written;
  assert_int_equal(st_checkpoint_read(in("whole", "checkpoint.h5"), &checkpoint, &written, NULL),
                   ST_OK);
  assert_int_equal(checkpoint.step, 20);
  assert_int_equal(checkpoint.total_newton, 40);
  assert_int_equal(checkpoint.total_retries, 5);
  assert_int_equal(written.history_rows, 21);
  assert_int_equal(written.frame_count, 11);
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
}

static void test_stop_and_resume(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  fake.stop_at = 7; // between two frames
  assert_int_equal(start("stopped", false, &error), ST_INTERRUPTED);
  check_text(&error, "stopped on request at t = 0.35 s (step 7); everything is saved; continue "
                     "with \"stiction resume %s/stopped\"");
  check_status("stopped", "interrupted");
  fake.stop_at = 0;
  assert_int_equal(start("stopped", true, &error), ST_OK);
  check_status("stopped", "finished");
  check_same_run("whole", "stopped");
}

static void ask_at_step_7(void *context, const StRunProgress *progress) {
  if (progress->report->step == 7)
    assert_int_equal(st_stop_request(context, NULL), ST_OK);
}

// The request of `stiction stop` is seen before the next step, with and without a flag for signals,
// and neither it nor an old one stops the next session.
static void test_request_in_the_folder(void **state) {
  (void)state;
  reference_run();
  for (int flag = 0; flag < 2; flag++) {
    StError error = {0};
    Sample sample;
    sample_begin(&sample);
    StRunOptions options = options_for(flag ? "asked" : "asked-without");
    options.progress = ask_at_step_7;
    options.context = (void *)options.folder;
    if (!flag)
      options.stop = NULL;
    assert_int_equal(st_run(&sample.description, &options, &error), ST_INTERRUPTED);
    assert_non_null(strstr(error.text, "stopped on request at t = 0.35 s (step 7)"));
    assert_false(st_stop_requested(options.folder));
    assert_int_equal(st_stop_request(options.folder, &error), ST_OK);
    options.resume = true;
    options.progress = NULL;
    assert_int_equal(st_run(&sample.description, &options, &error), ST_OK);
    assert_false(st_stop_requested(options.folder));
    sample_end(&sample);
  }
  check_same_run("whole", "asked");
}

static void test_resume_of_a_finished_run(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  assert_int_equal(start("whole", true, &error), ST_OK);
  check_status("whole", "finished");
}

static void killed_child(const char *folder, long step, bool resume) {
  pid_t child = fork();
  if (child == 0) {
    fake.kill_at = step;
    _exit(start(folder, resume, NULL) == ST_OK ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_kill_and_resume(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  killed_child("killed", 1, false);
  killed_child("killed", 5, true);
  killed_child("killed", 16, true);
  check_status("killed", "running");
  assert_int_equal(start("killed", true, &error), ST_OK);
  check_same_run("whole", "killed");
}

static void test_failure_is_saved(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  fake.fail_at = 10;
  assert_int_equal(start("failed", false, &error), ST_NOT_SOLVED);
  check_text(&error, "no solution at t = 0.45 s; the last good state (t = 0.45 s) is saved in "
                     "%s/failed");
  check_status("failed", "failed");
  fake.fail_at = 0;
  assert_int_equal(start("failed", true, &error), ST_OK);
  check_same_run("whole", "failed");
}

static void test_folder_with_a_run_is_refused(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  assert_int_equal(start("whole", false, &error), ST_BAD_INPUT);
  check_text(&error, "%s/whole: already holds a run; continue it with \"stiction resume "
                     "%s/whole\", replace it with --overwrite, or choose another folder with "
                     "--out");
  assert_int_equal(start("nowhere", true, &error), ST_BAD_INPUT);
  check_text(&error, "%s/nowhere: holds no run to resume (run.json is missing); start one with "
                     "\"stiction run SCENE.json --out %s/nowhere\"");
  assert_int_not_equal(access(scratch("nowhere"), F_OK), 0);
}

static void test_files_of_others_are_safe(void **state) {
  (void)state;
  StError error = {0};
  st_folder_create(scratch("mine"), NULL);
  st_file_write(in("mine", "scene.json"), "{}", 2, NULL);
  Sample sample;
  sample_begin(&sample);
  StRunOptions options = options_for("mine");
  options.overwrite = true;
  assert_int_equal(st_run(&sample.description, &options, &error), ST_BAD_INPUT);
  check_text(&error, "%s/mine: holds \"scene.json\", which is not from a Stiction run; choose "
                     "another folder with --out");
  sample_end(&sample);
  // Nor does it add its own to what is there, whatever that is; the lock of a refused run is none.
  st_folder_create(scratch("notes"), NULL);
  st_file_write(in("notes", "diary.txt"), "hot", 3, NULL);
  assert_int_equal(start("notes", false, &error), ST_BAD_INPUT);
  check_text(&error, "%s/notes: holds \"diary.txt\", which is not from a Stiction run; choose "
                     "another folder with --out");
  assert_false(st_file_exists(in("notes", "run.json")) || st_file_exists(in("notes", ".lock")));
  assert_int_equal(unlink(in("notes", "diary.txt")), 0);
  st_file_write(in("notes", ".lock"), "", 0, NULL);
  assert_int_equal(start("notes", false, &error), ST_OK);
}

static void test_overwrite_leaves_nothing_old(void **state) {
  (void)state;
  StError error = {0};
  assert_int_equal(start("again", false, &error), ST_OK);
  Sample sample;
  sample_begin(&sample);
  sample.description.time.duration = 0.2;
  sample.description.volume_count = 0;
  StRunOptions options = options_for("again");
  options.overwrite = true;
  options.scene_path = scratch("other.json");
  assert_int_equal(st_run(&sample.description, &options, &error), ST_OK);
  sample_end(&sample);
  assert_true(st_file_exists(in("again", "frames/frame_00002.vtu")));
  assert_false(st_file_exists(in("again", "frames/frame_00003.vtu")));
  assert_true(st_file_exists(in("again", "other.pvd")));
  assert_false(st_file_exists(in("again", "pressure_volume.svg")));
  assert_false(st_file_exists(in("again", "kite.pvd")));
}

// A kill between the frames must not leave a checkpoint and a summary that claim a complete run.
static void test_overwrite_removes_claims_before_frames(void **state) {
  (void)state;
  StError error = {0};
  assert_int_equal(start("order", false, &error), ST_OK);
  int watch = inotify_init1(IN_NONBLOCK);
  int top = inotify_add_watch(watch, scratch("order"), IN_DELETE);
  int frames = inotify_add_watch(watch, in("order", "frames"), IN_DELETE);
  assert_true(top >= 0 && frames >= 0);
  Sample sample;
  sample_begin(&sample);
  StRunOptions options = options_for("order");
  options.overwrite = true;
  assert_int_equal(st_run(&sample.description, &options, &error), ST_OK);
  sample_end(&sample);
  _Alignas(struct inotify_event) char events[65536];
  ssize_t size = read(watch, events, sizeof events);
  close(watch);
  bool checkpoint = false, summary = false, frame = false;
  for (ssize_t at = 0; at < size && !frame;) {
    const struct inotify_event *event = (const void *)(events + at);
    frame = event->wd == frames;
    checkpoint |= event->wd == top && strcmp(event->name, "checkpoint.h5") == 0;
    summary |= event->wd == top && strcmp(event->name, "summary.json") == 0;
    at += (ssize_t)(sizeof *event + event->len);
  }
  assert_true(frame && checkpoint && summary);
}

static void test_second_run_at_once_is_refused(void **state) {
  (void)state;
  StError error = {0};
  st_folder_create(scratch("busy"), NULL);
  int lock = -1;
  assert_false(st_folder_lock_look(scratch("busy")).running);
  assert_int_equal(st_folder_lock_take(scratch("busy"), &lock, &error), ST_OK);
  StFolderHolder holder = st_folder_lock_look(scratch("busy"));
  assert_true(holder.running && holder.certain && holder.host[0]);
  assert_int_equal(start("busy", false, &error), ST_BAD_INPUT);
  check_text(&error, "%s/busy: another run is writing there; wait until it ends or choose another "
                     "folder with --out");
  close(lock);
  holder = st_folder_lock_look(scratch("busy"));
  assert_true(!holder.running && holder.certain);
  assert_int_equal(start("busy", false, &error), ST_OK);
}

static void test_changed_mesh_is_refused(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  Sample sample;
  sample_begin(&sample);
  sample.body[1].mesh->position[2] += 1e-15;
  StRunOptions options = options_for("whole");
  options.resume = true;
  assert_int_equal(st_run(&sample.description, &options, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text,
                         "/whole/run.json: the mesh of a body has changed since the run "
                         "began (then \"sheet: 4 vertices, 0 tets, 2 triangles, crc32 "));
  options.scene_text = "{}";
  options.scene_size = 2;
  assert_int_equal(st_run(&sample.description, &options, &error), ST_BAD_INPUT);
  assert_non_null(
      strstr(error.text, "/whole/run.json: the run began with another scene (checksum "));
  sample_end(&sample);
}

static void test_damaged_checkpoint_touches_nothing(void **state) {
  (void)state;
  StError error = {0};
  assert_int_equal(start("damaged", false, &error), ST_OK);
  size_t size;
  char *data = scratch_read(in("damaged", "checkpoint.h5"), &size);
  st_file_write(in("damaged", "checkpoint.h5"), data, size - 1, NULL);
  free(data);
  static const char *const LEFT[] = {"history.csv.tmp", "frames/frame_00099.vtu.tmp", ST_STOP_FILE};
  for (int i = 0; i < ST_LENGTH(LEFT); i++)
    st_file_write(in("damaged", LEFT[i]), "", 0, NULL);
  char *before = scratch_read(in("damaged", "history.csv"), NULL);
  assert_int_equal(start("damaged", true, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "/damaged/checkpoint.h5: damaged ("));
  char *after = scratch_read(in("damaged", "history.csv"), NULL);
  assert_string_equal(before, after);
  check_status("damaged", "finished");
  for (int i = 0; i < ST_LENGTH(LEFT); i++)
    assert_true(st_file_exists(in("damaged", LEFT[i])));
  free(before);
  free(after);
}

static void fill_disk(void *context, const StRunProgress *progress) {
  if (progress->report->step == 9)
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, ((struct rlimit *)context)->rlim_max});
}

static void test_full_disk_then_room_again(void **state) {
  (void)state;
  reference_run();
  StError error = {0};
  Sample sample;
  sample_begin(&sample);
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_IGN);
  StRunOptions options = options_for("full");
  options.progress = fill_disk;
  options.context = &old;
  StStatus status = st_run(&sample.description, &options, &error);
  setrlimit(RLIMIT_FSIZE, &old);
  sample_end(&sample);
  assert_int_equal(status, ST_SYSTEM_FAULT);
  char *place = strstr(error.text, ": cannot be written: ");
  assert_non_null(place);
  memmove(error.text, place, strlen(place) + 1);
  check_text(&error, ": cannot be written: File too large; the run stopped at t = 0.5 s: fix this "
                     "and continue with \"stiction resume %s/full\"");
  assert_int_equal(start("full", true, &error), ST_OK);
  check_same_run("whole", "full");
}

static void test_checkpoint_interval(void **state) {
  (void)state;
  StError error = {0};
  Sample sample;
  sample_begin(&sample);
  sample.description.output.checkpoint_interval = 0.3;
  fake.kill_at = 0;
  StRunOptions options = options_for("interval");
  pid_t child = fork();
  if (child == 0) {
    fake.kill_at = 11;
    st_run(&sample.description, &options, &error);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  StCheckpoint checkpoint;
  StWritten written;
  assert_int_equal(st_checkpoint_read(in("interval", "checkpoint.h5"), &checkpoint, &written, NULL),
                   ST_OK);
  assert_int_equal(checkpoint.step, 6);
  assert_int_equal(written.frame_count, 4);
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
  options.resume = true;
  assert_int_equal(st_run(&sample.description, &options, &error), ST_OK);
  sample_end(&sample);
  reference_run();
  check_same_run("whole", "interval");
}

static void test_scene_is_found_again(void **state) {
  (void)state;
  StError error = {0};
  st_file_write(scratch("kite.json"), SCENE, sizeof SCENE - 1, NULL);
  assert_int_equal(start("found", false, &error), ST_OK);
  StResumeScene scene;
  assert_int_equal(st_run_resume_load(scratch("found"), &scene, &error), ST_OK);
  assert_string_equal(scene.scene_text, SCENE);
  assert_int_equal(scene.scene_size, sizeof SCENE - 1);
  assert_string_equal(scene.scene_folder, scratch_folder);
  assert_string_equal(scene.scene_path, scratch("kite.json"));
  st_resume_scene_free(&scene);
  st_file_write(in("found", "scene.json"), "{}", 2, NULL);
  assert_int_equal(st_run_resume_load(scratch("found"), &scene, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "/found/scene.json: has changed since the run began ("));
  st_file_write(in("found", "run.json"), "{\"stiction_run\": 2}", 19, NULL);
  assert_int_equal(st_run_resume_load(scratch("found"), &scene, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text,
                         "/found/run.json: has format 2, this version of Stiction reads "
                         "format 1"));
}

static void count_calls(void *context, const StRunProgress *progress) {
  int *calls = context;
  assert_int_equal(progress->report->step, *calls);
  assert_int_equal(progress->frames_written, 1 + *calls / 2);
  assert_int_equal(progress->frame_count, 11);
  assert_int_equal(progress->on_frame, *calls % 2 == 0);
  assert_true(*calls ? progress->seconds_left >= 0 : isnan(progress->seconds_left));
  ++*calls;
}

static void test_progress(void **state) {
  (void)state;
  int calls = 0;
  Sample sample;
  sample_begin(&sample);
  StRunOptions options = options_for("progress");
  options.progress = count_calls;
  options.context = &calls;
  assert_int_equal(st_run(&sample.description, &options, NULL), ST_OK);
  assert_int_equal(calls, 21);
  sample_end(&sample);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole_run),
      cmocka_unit_test(test_stop_and_resume),
      cmocka_unit_test(test_request_in_the_folder),
      cmocka_unit_test(test_resume_of_a_finished_run),
      cmocka_unit_test(test_kill_and_resume),
      cmocka_unit_test(test_failure_is_saved),
      cmocka_unit_test(test_folder_with_a_run_is_refused),
      cmocka_unit_test(test_files_of_others_are_safe),
      cmocka_unit_test(test_overwrite_leaves_nothing_old),
      cmocka_unit_test(test_overwrite_removes_claims_before_frames),
      cmocka_unit_test(test_second_run_at_once_is_refused),
      cmocka_unit_test(test_changed_mesh_is_refused),
      cmocka_unit_test(test_damaged_checkpoint_touches_nothing),
      cmocka_unit_test(test_full_disk_then_room_again),
      cmocka_unit_test(test_checkpoint_interval),
      cmocka_unit_test(test_scene_is_found_again),
      cmocka_unit_test(test_progress),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
