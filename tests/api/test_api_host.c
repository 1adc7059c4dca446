// The host program's state is unchanged after every call and within callbacks: environment,
// signals, threads of other libraries, floating point, locale, folder, children.
#include "api/session.h"

#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));
extern int MPI_Initialized(int *) __attribute__((weak));

static const char BRICK[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
    " \"size_z\": 0.1, \"edge\": 0.05 } } }, \"obstacles\": { \"floor\": { \"shape\": {"
    " \"type\": \"half_space\" }, \"translate\": [0, 0, -0.051] } },"
    "\"boundaries\": { \"top\": { \"region\": { \"label\": \"z+\" } } },"
    "\"time\": { \"duration\": 0.05, \"step\": \"10 ms\", \"frame_rate\": 100 } }";

enum { SIGNALS = 32, TEXT = 1 << 16 };

typedef struct Host {
  char environment[TEXT];
  void (*handler[SIGNALS])(int);
  int flags[SIGNALS];
  sigset_t mask;
  int blas, openmp, rounding, traps;
  char locale[64], folder[4096];
  mode_t creation;
  struct rlimit stack, core;
} Host;

static void note(int number) {
  (void)number;
}

static void list_environment(char text[TEXT]) {
  size_t used = 0;
  for (char **entry = environ; *entry; entry++)
    used += (size_t)snprintf(text + used, TEXT - used, "%s\n", *entry);
  assert_true(used < TEXT);
}

static void look(Host *host) {
  memset(host, 0, sizeof *host);
  list_environment(host->environment);
  for (int i = 1; i < SIGNALS; i++) {
    struct sigaction action = {0};
    sigaction(i, NULL, &action);
    host->handler[i] = action.sa_handler;
    host->flags[i] = action.sa_flags & (SA_RESTART | SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  }
  sigprocmask(SIG_SETMASK, NULL, &host->mask);
  host->blas = openblas_get_num_threads ? openblas_get_num_threads() : 0;
  host->openmp = omp_get_max_threads ? omp_get_max_threads() : 0;
  host->rounding = fegetround();
  host->traps = fegetexcept();
  snprintf(host->locale, sizeof host->locale, "%s", setlocale(LC_ALL, NULL));
  assert_non_null(getcwd(host->folder, sizeof host->folder));
  host->creation = umask(0);
  umask(host->creation);
  getrlimit(RLIMIT_STACK, &host->stack);
  getrlimit(RLIMIT_CORE, &host->core);
}

static Host before;

static void same(const char *when) {
  Host *now = malloc(sizeof *now);
  assert_non_null(now);
  look(now);
  if (strcmp(now->environment, before.environment) != 0)
    fail_msg("%s: the environment was\n%s\nand is\n%s", when, before.environment, now->environment);
  for (int i = 1; i < SIGNALS; i++)
    if (now->handler[i] != before.handler[i] || now->flags[i] != before.flags[i])
      fail_msg("%s: signal %d is handled by another function", when, i);
  if (memcmp((char *)now + offsetof(Host, mask), (char *)&before + offsetof(Host, mask),
             sizeof(Host) - offsetof(Host, mask)) != 0)
    fail_msg("%s: threads %d %d, rounding %d, traps %d, locale %s, folder %s, mask %o are not "
             "%d %d %d %d %s %s %o",
             when, now->blas, now->openmp, now->rounding, now->traps, now->locale, now->folder,
             now->creation, before.blas, before.openmp, before.rounding, before.traps,
             before.locale, before.folder, before.creation);
  if (waitpid(-1, NULL, WNOHANG) != -1)
    fail_msg("%s: there is a child process", when);
  free(now);
}

// BLAS threads belong to the library while it works.
static bool look_within(void *context, double time, StictionPose *pose) {
  (void)time, (void)pose;
  Host *now = malloc(sizeof *now);
  assert_non_null(now);
  look(now);
  assert_string_equal(now->environment, before.environment);
  assert_memory_equal(now->handler, before.handler, sizeof now->handler);
  assert_memory_equal(&now->mask, &before.mask, sizeof now->mask);
  assert_int_equal(now->traps, before.traps);
  free(now);
  ++*(int *)context;
  return true;
}

static bool watch(void *context, const StictionProgress *progress) {
  (void)progress;
  ++*(int *)context;
  return true;
}

// A program with its own handlers, settings and locale.
static void prepare(void) {
  struct sigaction own = {.sa_handler = note, .sa_flags = SA_RESTART};
  static const int caught[] = {SIGINT, SIGUSR1, SIGPIPE, SIGHUP, SIGCHLD, SIGXFSZ};
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    sigaction(caught[i], &own, NULL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  sigprocmask(SIG_BLOCK, &mask, NULL);
  if (openblas_set_num_threads)
    openblas_set_num_threads(2);
  setenv("OF_THE_HOST", "its own", 1);
  setlocale(LC_ALL, "C.UTF-8");
  umask(027);
  look(&before);
}

// A thread of the host that looks all the time, while the library starts, orders a matrix,
// factorises and steps. Whoever changes the environment or a handler even for a moment is a danger
// to it.
typedef struct Watch {
  atomic_bool done;
  char **environment;
  int looks, changes;
} Watch;

static void *keep_looking(void *context) {
  Watch *own = context;
  do {
    own->looks++;
    own->changes += environ != own->environment;
    own->changes += !getenv("OF_THE_HOST");
    for (int i = 1; i < SIGNALS; i++) {
      struct sigaction action = {0};
      sigaction(i, NULL, &action);
      own->changes += action.sa_handler != before.handler[i];
    }
  } while (!atomic_load(&own->done));
  return NULL;
}

static const char BAR[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"bar\": { \"shape\": { \"type\": \"box\", \"size_x\": 1, \"size_y\": 0.2,"
    " \"size_z\": 0.2, \"edge\": 0.025 } } }, \"solver\": { \"type\": \"direct\" },"
    "\"boundaries\": { \"end\": { \"region\": { \"label\": \"x-\" } } },"
    "\"time\": { \"step\": \"10 ms\" } }";

static void no_thread_sees_a_change(void **state) {
  (void)state;
  Stiction *session = NULL;
  prepare();
  Watch watch = {.environment = environ};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, keep_looking, &watch), 0);
  must(NULL, stiction_open(&session));
  StictionScene *scene = parse_scene(session, BAR);
  StictionSimulation *simulation = start(session, scene);
  must(session, stiction_simulation_advance(simulation, 0.02));
  finish(scene, simulation);
  stiction_close(session);
  atomic_store(&watch.done, true);
  pthread_join(thread, NULL);
  assert_true(watch.looks > 0);
  assert_int_equal(watch.changes, 0);
  int started = 0;
  if (MPI_Initialized)
    MPI_Initialized(&started);
  assert_false(started); // a process alone does without it
}

static void nothing_of_the_host_changes(void **state) {
  (void)state;
  Stiction *session = NULL;
  int looked = 0, steps = 0;
  prepare();
  must(NULL, stiction_open(&session));
  same("after opening");
  StictionScene *scene = parse_scene(session, BRICK);
  must(session, stiction_scene_drive(scene, "top", look_within, &looked));
  StictionSimulation *simulation = start(session, scene);
  same("after creating");
  must(session, stiction_simulation_advance(simulation, 0.03));
  same("after stepping");
  assert_true(looked > 0);
  StictionRunOptions options = {
      .folder = "host-run", .overwrite = true, .progress = watch, .context = &steps};
  must(session, stiction_scene_run(session, scene, &options));
  assert_int_equal(steps, 6);
  same("after a run");
  const char *text = "{ \"bodies\": 3 }";
  StictionScene *wrong = NULL;
  must_fail(session, stiction_scene_parse(session, text, NULL, &wrong), STICTION_BAD_INPUT, "");
  same("after a failure");
  finish(scene, simulation);
  stiction_close(session);
  same("after closing");
}

// Multigrid is PETSc's and starts MPI when it is first used, which cannot be started again: then a
// process goes on without what needs it.
static void multigrid_brings_mpi(void **state) {
  (void)state;
  int started = 0;
  const char *const text =
      "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
      "\"bodies\": { \"bar\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.4, \"size_y\": 0.1,"
      " \"size_z\": 0.1, \"edge\": 0.05 } } }, \"boundaries\": { \"end\": { \"region\": { "
      "\"label\":"
      " \"x-\" } } }, \"solver\": { \"type\": \"iterative\", \"preconditioner\": \"gamg\" },"
      " \"time\": { \"step\": \"10 ms\" } }";
  prepare();
  for (int turn = 0; turn < 2; turn++) {
    Stiction *session = NULL;
    must(NULL, stiction_open(&session));
    StictionScene *scene = parse_scene(session, text), *plain = parse_scene(session, BRICK);
    StictionSimulation *simulation = start(session, scene), *other = start(session, plain);
    if (turn == 0) {
      must(session, stiction_simulation_advance(simulation, 0.02));
      MPI_Initialized(&started);
      assert_true(started);
    } else {
      must_fail(session, stiction_simulation_advance(simulation, 0.02), STICTION_SYSTEM_FAULT,
                "need MPI, which has been stopped");
    }
    must(session, stiction_simulation_advance(other, 0.02));
    same("after multigrid");
    finish(scene, simulation);
    finish(plain, other);
    stiction_close(session);
    same("after closing");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_thread_sees_a_change),
                                     cmocka_unit_test(nothing_of_the_host_changes),
                                     cmocka_unit_test(multigrid_brings_mpi)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
