// Makes each allocation and each file system call of `check`, `run` and `resume` fail once, and
// then all later ones too: no crash, no hang, a documented exit code with a message, nothing broken
// on disk, and afterwards the same bits as without the failure.
#include "app/command.h"
#include "base/memory.h"
#include "output/checkpoint.h"
#include "output/scratch.h"
#include "solve/runtime.h"
#include "support/faults.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { LEAKED = 99 }; // an exit code no command has

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
enum { STRIDE = 23 }; // sanitized code is slow
static bool has_leaks(void) {
  return __lsan_do_recoverable_leak_check() != 0;
}
#else
enum { STRIDE = 1 };
static bool has_leaks(void) {
  return false;
}
#endif

enum { LONGEST = 120, MESSAGE = 1024 }; // s, bytes

// Solids, cloth, gas, a bearing, obstacles that move, contact of bodies, friction; keys follow.
static const char SCENE[] =
    "{ \"materials\": {\n"
    "    \"gum\": { \"young\": \"50 kPa\", \"poisson\": 0.4, \"density\": 1000,\n"
    "      \"stiffness_damping\": \"1 ms\" },\n"
    "    \"silk\": { \"law\": \"membrane\", \"young\": \"100 N/m\", \"poisson\": 0.3,\n"
    "      \"area_density\": \"60 g/m^2\", \"bending\": \"10 uJ\" } },\n"
    "  \"bodies\": {\n"
    "    \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,\n"
    "      \"size_z\": 0.1, \"edge\": 0.1 }, \"material\": \"gum\", \"translate\": [0, 0, "
    "0.0502],\n"
    "      \"velocity\": [0.1, 0, -0.3] },\n"
    "    \"wheel\": { \"shape\": { \"type\": \"tube\", \"radius\": 0.1, \"thickness\": 0.05,\n"
    "      \"length\": 0.05, \"edge\": 0.1 }, \"material\": \"gum\", \"translate\": [1, 0, 0.5] "
    "},\n"
    "    \"sheet\": { \"shape\": { \"type\": \"sheet\", \"width\": 0.1, \"length\": 0.1,\n"
    "      \"edge\": 0.05 }, \"material\": \"silk\", \"translate\": [0, 0, 0.1012],\n"
    "      \"velocity\": [0, 0, -0.3] } },\n"
    "  \"volumes\": { \"air\": { \"body\": \"wheel\", \"of\": \"boundary\",\n"
    "      \"model\": \"ideal_gas\" } },\n"
    "  \"bearings\": { \"hub\": { \"body\": \"wheel\", \"region\": { \"label\": \"inside\" },\n"
    "      \"axis\": \"z\", \"torque\": \"0.1 J\" } },\n"
    "  \"obstacles\": {\n"
    "    \"floor\": { \"shape\": { \"type\": \"half_space\" } },\n"
    "    \"ball\": { \"shape\": { \"type\": \"sphere\", \"radius\": 0.1 },\n"
    "      \"translate\": [-1, 0, 0.2], \"motion\": { \"axis\": \"z\", \"keys\": [\n"
    "      { \"time\": 0 }, { \"time\": 0.04, \"angle\": \"90 deg\" }] } } },\n"
    "  \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.5,\n"
    "      \"sticking_speed\": \"10 cm/s\" }],\n"
    "  \"time\": { \"duration\": 0.003, \"step\": 0.001, \"frame_rate\": 500 },\n"
    "  %s }\n";
static const char DIRECT[] = "\"integrator\": \"bdf2\"";
static const char ITERATIVE[] =
    "\"integrator\": \"be\", \"contact\": { \"friction\": \"lagged\" },\n"
    "  \"solver\": { \"type\": \"iterative\" }";

// Rigid bodies alone, so close that they are solved for with six unknowns each.
enum { LAYERS = 3, SIDE = 2 };
static const char RIGID[] =
    "{ \"materials\": { \"brick\": { \"law\": \"rigid\", \"density\": 1900 } },\n"
    "  \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } },\n"
    "  \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.3 }],\n"
    "  \"time\": { \"duration\": 0.003, \"step\": 0.001, \"frame_rate\": 500 },\n"
    "  \"bodies\": {";

static void add_bricks(StText *text) {
  st_text_add(text, "%s", RIGID);
  for (int i = 0; i < LAYERS * SIDE * SIDE; i++)
    st_text_add(text,
                "%s \"b%d\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
                " \"size_z\": 0.1, \"edge\": 0.1 }, \"material\": \"brick\","
                " \"translate\": [%g, %g, %g] }",
                i > 0 ? ",\n" : "\n", i, 0.1001 * (i % SIDE), 0.1001 * (i / SIDE % SIDE),
                0.0501 + 0.1001 * (i / (SIDE * SIDE)));
  st_text_add(text, " } }\n");
}

// Result of a command, in memory shared by parent and child.
typedef struct Outcome {
  int code;   // exit code, -1: killed
  int signal; // by which it was killed, 0: it was not
  long calls[FAULT_KIND_COUNT];
  char failed[32];       // the call that was made to fail
  char message[MESSAGE]; // standard error
  char words[MESSAGE];   // standard output
} Outcome;

static Outcome *outcome;
static char scene_path[128];
static char whole[128], out[128], halfway[128];

static int open_stream(const char *name) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
  return __real_open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
}

static void take_stream(int from, char to[MESSAGE]) {
  lseek(from, 0, SEEK_SET);
  ssize_t got = __real_read(from, to, MESSAGE - 1);
  to[got > 0 ? got : 0] = 0;
  __real_close(from);
}

static void run_child(const StCommand *command, int argc, char **argv, Fault wanted,
                      const int stream[2]) {
  dup2(stream[0], 1);
  dup2(stream[1], 2);
  // cmocka would treat a crash as its own and end the group.
  for (int i = 1; i < NSIG; i++)
    signal(i, SIG_DFL);
  alarm(LONGEST);
  memset(fault_calls, 0, sizeof fault_calls);
  fault = wanted;
  int code = command->run(argc, argv);
  fault = (Fault){0};
  memcpy(outcome->calls, fault_calls, sizeof fault_calls);
  snprintf(outcome->failed, sizeof outcome->failed, "%s", fault_name);
  fflush(NULL);
  _exit(has_leaks() ? LEAKED : code);
}

// Runs a command in a process of its own, with one call failing.
static void attempt(const StCommand *command, Fault wanted, const char *first, const char *second,
                    const char *third, const char *fourth) {
  char *argv[] = {(char *)command->name, (char *)first,  (char *)second,
                  (char *)third,         (char *)fourth, NULL};
  int argc = 0, status = 0;
  while (argv[argc])
    argc++;
  int stream[2] = {open_stream("stdout.txt"), open_stream("stderr.txt")};
  memset(outcome, 0, sizeof *outcome);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    run_child(command, argc, argv, wanted, stream);
  waitpid(child, &status, 0);
  outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  take_stream(stream[0], outcome->words);
  take_stream(stream[1], outcome->message);
}

static void run_scene(Fault wanted, const char *folder, const char *option) {
  attempt(&st_command_run, wanted, scene_path, "--out", folder, option);
}

static void resume(Fault wanted, const char *folder) {
  attempt(&st_command_resume, wanted, folder, NULL, NULL, NULL);
}

static void explain(const char *what, Fault wanted) {
  print_error("%s of %s, call %ld (%s), %s: exit code %d, signal %d\n%s\n",
              wanted.kind == FAULT_MEMORY ? "allocation" : "file call", what, wanted.at,
              outcome->failed, wanted.lasting ? "all after it too" : "once", outcome->code,
              outcome->signal, outcome->message);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about, (void)kind, (void)place;
  return remove(path);
}

static void remove_folder(const char *path) {
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static bool is_there(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

// NULL when there is no such file; free() it.
static char *content(const char *folder, const char *name, size_t *size) {
  char path[1024], *data = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return st_file_read(path, &data, size, NULL) == ST_OK ? data : NULL;
}

static bool same_file(const char *one, const char *two, const char *name) {
  size_t size[2] = {0, 0};
  char *data[2] = {content(one, name, &size[0]), content(two, name, &size[1])};
  bool same = data[0] && data[1] && size[0] == size[1] && memcmp(data[0], data[1], size[0]) == 0;
  free(data[0]);
  free(data[1]);
  return same;
}

typedef bool (*Judge)(const char *folder, const char *name);

static bool tells = true; // which file is not as it should be

// Whether all files of a folder (frames/ too) pass the check.
static bool all_files(const char *folder, const char *below, Judge judge) {
  char path[1024];
  bool good = true;
  snprintf(path, sizeof path, "%s/%s", folder, below);
  DIR *entries = __real_opendir(path);
  for (struct dirent *entry; entries && (entry = __real_readdir(entries));) {
    char name[512];
    snprintf(name, sizeof name, "%s%s", below, entry->d_name);
    if (entry->d_name[0] == '.')
      continue;
    bool fine =
        strcmp(name, "frames") == 0 ? all_files(folder, "frames/", judge) : judge(folder, name);
    if (!fine && tells && strcmp(name, "frames") != 0)
      print_error("%s/%s is not as it should be\n", folder, name);
    good = good && fine;
  }
  if (entries)
    closedir(entries);
  return good;
}

static bool as_in_whole(const char *folder, const char *name) {
  return same_file(folder, whole, name);
}

static bool as_in_halfway(const char *folder, const char *name) {
  return same_file(folder, halfway, name);
}

static bool as_in_out(const char *folder, const char *name) {
  return same_file(folder, out, name);
}

static bool copy_to_out(const char *folder, const char *name) {
  char path[1024];
  size_t size = 0;
  char *data = content(folder, name, &size);
  snprintf(path, sizeof path, "%s/%s", out, name);
  bool good = data && st_file_write(path, data, size, NULL) == ST_OK;
  free(data);
  return good;
}

// from: NULL leaves nothing there.
static void make_out(const char *from) {
  char frames[160];
  snprintf(frames, sizeof frames, "%s/frames", out);
  remove_folder(out);
  if (!from)
    return;
  assert_int_equal(st_folder_create(frames, NULL), ST_OK);
  assert_true(all_files(from, "", copy_to_out));
}

static bool is_whole_run(const char *folder) {
  return all_files(folder, "", as_in_whole) && all_files(whole, "", as_in_out);
}

static bool is_prefix(const char *folder, const char *name) {
  size_t size = 0, most = 0;
  char *data = content(folder, name, &size), *all = content(whole, name, &most);
  bool good = data && all && size <= most && memcmp(data, all, size) == 0 &&
              (size == 0 || data[size - 1] == '\n');
  free(data);
  free(all);
  return good;
}

static bool is_checkpoint(const char *folder, const char *name) {
  char path[1024];
  StCheckpoint checkpoint;
  StWritten written;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (st_checkpoint_read(path, &checkpoint, &written, NULL) != ST_OK)
    return false;
  st_checkpoint_free(&checkpoint);
  st_written_free(&written);
  return true;
}

static bool ends_with(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcmp(name + length - tail, ending) == 0;
}

// A file under its final name is complete: the final content, or an earlier version of it.
static bool is_unbroken(const char *folder, const char *name) {
  if (ends_with(name, ".tmp"))
    return true;
  if (strcmp(name, "history.csv") == 0 || strcmp(name, "contacts.csv") == 0)
    return is_prefix(folder, name);
  if (strcmp(name, "checkpoint.h5") == 0)
    return is_checkpoint(folder, name);
  size_t size = 0;
  char *data = content(folder, name, &size);
  bool closed = data && size > 2 && (data[size - 2] == '}' || data[size - 2] == '>');
  free(data);
  bool grows = ends_with(name, ".pvd") || ends_with(name, ".svg") || !strcmp(name, "summary.json");
  return grows ? closed : as_in_whole(folder, name);
}

// Success with nothing lost, or a reported system fault. A file whose lookup fails is in some cases
// left to the user.
static bool ended_well(Fault wanted) {
  bool failed = outcome->code == ST_EXIT_SYSTEM_FAULT ||
                (wanted.kind == FAULT_FILE && outcome->code == ST_EXIT_BAD_INPUT);
  return outcome->code == ST_EXIT_GOOD ||
         (failed && strncmp(outcome->message, "stiction: ", 10) == 0);
}

static bool goes_on(void) {
  if (is_there(out, "run.json"))
    resume((Fault){0}, out);
  else
    run_scene((Fault){0}, out, NULL);
  return outcome->code == 0 && is_whole_run(out);
}

// Unchanged, so there is nothing to check.
static bool is_untouched(const char *before) {
  if (!before)
    return !is_there(out, "");
  tells = false;
  bool same = all_files(before, "", as_in_out) &&
              all_files(out, "", before == halfway ? as_in_halfway : as_in_whole);
  tells = true;
  return same;
}

typedef void (*Command)(Fault wanted);

static void run_new(Fault wanted) {
  run_scene(wanted, out, NULL);
}

// Without memory for analytic derivatives contacts use complex numbers: equal to round-off, which
// Newton with an iterative solver does not hide.
static void run_roughly(Fault wanted) {
  run_scene(wanted, out, NULL);
}

static void run_over(Fault wanted) {
  run_scene(wanted, out, "--overwrite");
}

static void resume_out(Fault wanted) {
  resume(wanted, out);
}

static const char *checked = scene_path;

static void check_out(Fault wanted) {
  attempt(&st_command_check, wanted, checked, "--quiet", NULL, NULL);
}

// Whether everything is fine after a failed call: the command, the files on disk, and a later run.
// A run that starts again although its state is saved gives the same, later.
static bool is_well(Command command, const char *before, Fault wanted) {
  if (!ended_well(wanted))
    return false;
  if (command == check_out)
    return true;
  if (outcome->code == 0 && command == run_roughly)
    return is_there(out, "summary.json") && is_there(out, "frames/frame_00001.vtu");
  if (outcome->code == 0)
    return is_whole_run(out) && (command != resume_out || strstr(outcome->words, "resumed at"));
  return is_untouched(before) || (all_files(out, "", is_unbroken) && goes_on());
}

// Whether the same functions asked for memory before.
static bool is_repeated(long at) {
  for (long i = 0; i < at; i++)
    if (fault_places[i] == fault_places[at])
      return true;
  return false;
}

// The calls of an undisturbed command that are made to fail, from 1: all; of the allocations that
// the same functions repeat some. Returns how many.
static long choose_calls(const char *before, Command command, FaultKind kind,
                         long chosen[FAULT_PLACES]) {
  long count = 0;
  make_out(before);
  command((Fault){0});
  assert_int_equal(outcome->code, 0);
  assert_true(outcome->calls[kind] <= FAULT_PLACES);
  for (long i = 0; i < outcome->calls[kind]; i++)
    if (kind != FAULT_MEMORY || i % 7 == 0 || !is_repeated(i))
      chosen[count++] = i + 1;
  return count;
}

// Makes one call after the other fail. before: the folder is a copy of that one, NULL: it does not
// exist. Returns the number of problems; stops after a few.
static int try_all(const char *what, const char *before, Command command, Fault wanted,
                   int stride) {
  static long chosen[FAULT_PLACES];
  long count = choose_calls(before, command, wanted.kind, chosen),
       calls = outcome->calls[wanted.kind];
  int bad = 0;
  for (long i = 0; i < count && bad < 8; i += stride) {
    wanted.at = chosen[i];
    make_out(before);
    command(wanted);
    Outcome first = *outcome;
    if (is_well(command, before, wanted))
      continue;
    bad++;
    Outcome second = *outcome;
    *outcome = first;
    explain(what, wanted);
    if (memcmp(&first, &second, sizeof first) != 0)
      print_error("afterwards: exit code %d, signal %d\n%s\n", second.code, second.signal,
                  second.message);
  }
  print_message("%s: every %d of %ld calls of %ld\n", what, stride, count, calls);
  return bad;
}

// If a single failure is survived, persistent failure rarely adds anything: some samples are
// enough.
static void try_memory(const char *what, const char *before, Command command) {
  int bad = try_all(what, before, command, (Fault){.kind = FAULT_MEMORY}, STRIDE);
  bad += try_all(what, before, command, (Fault){.kind = FAULT_MEMORY, .lasting = true}, 7 * STRIDE);
  assert_int_equal(bad, 0);
}

static void try_files(const char *what, const char *before, Command command) {
  Fault broken = {.kind = FAULT_FILE, .reason = EIO};
  Fault full = {.kind = FAULT_FILE, .lasting = true, .reason = ENOSPC};
  int bad = try_all(what, before, command, broken, STRIDE);
  bad += try_all(what, before, command, full, 5 * STRIDE);
  assert_int_equal(bad, 0);
}

static void test_check_memory(void **state) {
  (void)state;
  try_memory("check", NULL, check_out);
}

static void test_check_files(void **state) {
  (void)state;
  try_files("check", NULL, check_out);
}

// Keys and meshes that the other tests do not have.
static void test_check_others(void **state) {
  (void)state;
  static const char *const scenes[] = {"everything", "shells", "filled", "two_parts"};
  int bad = 0;
  for (int i = 0; i < ST_LENGTH(scenes); i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.json", TEST_DATA, scenes[i]);
    checked = path;
    bad += try_all(scenes[i], NULL, check_out, (Fault){.kind = FAULT_MEMORY}, STRIDE);
    bad += try_all(scenes[i], NULL, check_out, (Fault){.kind = FAULT_FILE, .reason = EIO}, STRIDE);
  }
  checked = scene_path;
  assert_int_equal(bad, 0);
}

static void test_run_memory(void **state) {
  (void)state;
  try_memory("run", NULL, run_new);
}

static void test_run_files(void **state) {
  (void)state;
  try_files("run", NULL, run_new);
}

static void test_overwrite_files(void **state) {
  (void)state;
  try_files("run --overwrite", whole, run_over);
}

static void test_resume_memory(void **state) {
  (void)state;
  try_memory("resume", halfway, resume_out);
}

static void test_resume_files(void **state) {
  (void)state;
  try_files("resume", halfway, resume_out);
  Fault forbidden = {.kind = FAULT_FILE, .reason = EACCES};
  assert_int_equal(try_all("resume", halfway, resume_out, forbidden, STRIDE), 0);
}

// With no room for anything new the old run stays, whole.
static void test_overwrite_on_a_full_disk(void **state) {
  (void)state;
  for (long at = 1; at <= 2; at++) { // run.json and scene.json of the new one
    make_out(whole);
    run_over((Fault){.kind = FAULT_ROOM, .at = at, .lasting = true, .reason = ENOSPC});
    assert_int_equal(outcome->code, ST_EXIT_SYSTEM_FAULT);
    assert_non_null(strstr(outcome->message, ".json: cannot be written: No space left on device"));
    assert_true(is_whole_run(out));
  }
}

// The undisturbed run, and one that a disk error stopped after its second frame.
// keys: NULL: of rigid bodies.
static bool prepare(const char *keys) {
  StText text = {0};
  if (keys)
    st_text_add(&text, SCENE, keys);
  else
    add_bricks(&text);
  remove_folder(whole);
  remove_folder(halfway);
  bool written = st_file_write(scene_path, text.data, text.length, NULL) == ST_OK;
  st_text_free(&text);
  if (!written)
    return false;
  run_scene((Fault){0}, whole, NULL);
  long calls = outcome->calls[FAULT_FILE];
  if (outcome->code != 0) {
    explain("the undisturbed run", (Fault){0});
    return false;
  }
  run_scene((Fault){.kind = FAULT_FILE, .at = calls - 12, .reason = EIO}, halfway, NULL);
  return outcome->code == ST_EXIT_SYSTEM_FAULT && is_there(halfway, "checkpoint.h5");
}

static void test_iterative_memory(void **state) {
  (void)state;
  Fault once = {.kind = FAULT_MEMORY};
  assert_true(prepare(ITERATIVE)); // most of what it calls, the direct run calls as well
  assert_int_equal(try_all("iterative run", NULL, run_roughly, once, 3 * STRIDE), 0);
}

static void test_rigid_memory(void **state) {
  (void)state;
  Fault once = {.kind = FAULT_MEMORY}, lasting = {.kind = FAULT_MEMORY, .lasting = true};
  assert_true(prepare(NULL)); // of the start, most is as in the other runs
  int bad = try_all("rigid run", NULL, run_new, once, 3 * STRIDE);
  bad += try_all("rigid run", NULL, run_new, lasting, 21 * STRIDE);
  assert_int_equal(bad, 0);
}

static void *shared_memory(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int begin(void **state) {
  StError error = {0};
  if (scratch_begin(state) != 0 || st_runtime_start(&error) != ST_OK)
    return -1;
  outcome = shared_memory(sizeof *outcome);
  fault_places = shared_memory(FAULT_PLACES * sizeof *fault_places);
  snprintf(scene_path, sizeof scene_path, "%s/small.json", scratch_folder);
  snprintf(whole, sizeof whole, "%s/whole", scratch_folder);
  snprintf(out, sizeof out, "%s/out", scratch_folder);
  snprintf(halfway, sizeof halfway, "%s/halfway", scratch_folder);
  return prepare(DIRECT) ? 0 : -1;
}

static int end(void **state) {
  return scratch_end(state);
}

// A pattern of names, such as "test_run*", runs those tests alone.
int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check_memory),
      cmocka_unit_test(test_check_files),
      cmocka_unit_test(test_check_others),
      cmocka_unit_test(test_run_memory),
      cmocka_unit_test(test_run_files),
      cmocka_unit_test(test_overwrite_files),
      cmocka_unit_test(test_overwrite_on_a_full_disk),
      cmocka_unit_test(test_resume_memory),
      cmocka_unit_test(test_resume_files),
      cmocka_unit_test(test_iterative_memory),
      cmocka_unit_test(test_rigid_memory),
  };
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, begin, end);
}
