// A run that is killed at random moments, or stopped between two frames, and resumed leaves the
// same bits as one that was never interrupted. Every session is a separate process.
#include "output/checkpoint.h"
#include "output/run.h"
#include "output/scratch.h"
#include "solve/runtime.h"
#include "support/folded_scene.h"
#include "support/random.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <time.h>

enum { STEPS = 40, FRAMES = 10, STOPPED_AT = 7 };

typedef enum Thing {
  BEAM,
  WHEEL, // inflated, of shell, on a bearing
  PILE,  // folded cloth, cubes and a box, in contact by primitives
} Thing;

typedef struct Case {
  const char *integrator;
  StSolverKind solver;
  double checkpoint_interval;
  Thing thing;
} Case;

static volatile sig_atomic_t stop;

static StDescription *swinging_beam(const Case *c) {
  World world = {.grid = {.cells = {8, 3, 3}, .high = {0.8, 0.2, 0.2}, .jitter = 0.1},
                 .young = 1e5,
                 .poisson = 0.4,
                 .density = 1000,
                 .stiffness_damping = 1e-3,
                 .integrator = c->integrator,
                 .step = 1.0 / STEPS,
                 .duration = 1,
                 .solver = c->solver};
  StDescription *d = world_create(&world);
  d->time.frame_rate = FRAMES;
  d->gravity[2] = -9.81;
  d->output.checkpoint_interval = c->checkpoint_interval;
  world_hold(d, 0, 0);
  return d;
}

static bool in_bore(const double X[3], const void *context) {
  (void)context;
  return hypot(X[0], X[1]) < 0.06;
}

// Angles of hinges and of the rim, sides and stiffness of contact, all last from step to step here.
static void add_wheel(StWorld *world) {
  const StCloth rubber = {
      .young = 5000, .poisson = 0.3, .area_density = 1, .bending = 0.05, .stiffness_damping = 1e-4};
  int material = st_world_add_cloth(world, &rubber);
  const double value[] = {0.1, 0.05, 0.1, 0, 1, 12, 2};
  StMesh *mesh = st_world_surface(world, "tube", value, 7, (double[3]){0, 0, 0});
  st_world_add_body(world, "wheel", mesh, material);
  StVolumeDesc *gas = st_world_fill(world, 0, "ideal_gas");
  if (gas)
    st_world_set_curve(world, &gas->pressure, 1, (double[1]){0}, (double[1]){1.02 * ST_ATMOSPHERE});
  StBearingDesc *bearing = st_world_add_bearing(world, 0, in_bore, NULL, 1e4);
  if (bearing)
    st_world_set_curve(world, &bearing->torque, 1, (double[1]){0}, (double[1]){0.1});
}

static StDescription *rubbing_wheel(const Case *c) {
  StWorld world = st_world_begin();
  add_wheel(&world);
  st_world_add_floor(&world, -0.052);
  st_world_add_contact(&world, &(StContactDesc){.body = -1,
                                                .thickness = 5e-3,
                                                .stiffness = 1e5,
                                                .friction = {.dynamic_coefficient = 0.3,
                                                             .static_coefficient = 0.3,
                                                             .sticking_speed = 1e-2,
                                                             .stribeck_speed = 1e-1,
                                                             .stick = ST_STICK_ANCHORED}});
  st_world_set_time(&world, c->integrator, 1.0 / STEPS, 1);
  st_world_set_tolerance(&world, 1e-9);
  StDescription *d = world_finish(&world);
  d->time.frame_rate = FRAMES;
  d->gravity[2] = -9.81;
  d->solver.kind = c->solver;
  d->output.checkpoint_interval = c->checkpoint_interval;
  return d;
}

// Stiffness of contact grows as things land on each other.
static StDescription *landing_pile(const Case *c) {
  const double step = 0.004;
  StDescription *d = folded_create(c->integrator, step, STEPS * step, c->solver);
  d->time.frame_rate = FRAMES / (STEPS * step);
  d->output.checkpoint_interval = c->checkpoint_interval;
  return d;
}

static StDescription *describe(const Case *c) {
  if (c->thing == PILE)
    return landing_pile(c);
  return c->thing == WHEEL ? rubbing_wheel(c) : swinging_beam(c);
}

// What a session does at which step: ask to stop, or tell its parent through a pipe.
typedef struct Plan {
  long stop_at, tell_at; // -1: never
  int pipe;
  bool doomed; // it has reported, and will be killed before its last step
} Plan;

// Slow enough that a kill falls where it is meant to.
static void linger(void *context, const StRunProgress *progress) {
  Plan *plan = context;
  if (progress->report->step == plan->stop_at)
    stop = 1;
  if (plan->tell_at >= 0 && progress->report->step >= plan->tell_at) {
    plan->tell_at = -1;
    plan->doomed = true;
    if (write(plan->pipe, "x", 1) != 1)
      _exit(99);
  }
  while (plan->doomed && progress->report->step >= STEPS - 1)
    pause(); // the killer is late: wait for it
  usleep(1000);
}

static _Noreturn void sit(const Case *c, const char *folder, Plan plan) {
  StError error = {0};
  char run_file[256];
  snprintf(run_file, sizeof run_file, "%s/run.json", folder);
  StRunOptions options = {.folder = folder,
                          .resume = st_file_exists(run_file),
                          .progress = linger,
                          .context = &plan,
                          .stop = &stop};
  StStatus status = st_runtime_start(&error);
  StDescription *description = describe(c);
  if (status == ST_OK)
    status = st_run(description, &options, &error);
  if (status != ST_OK && status != ST_INTERRUPTED)
    fprintf(stderr, "%s\n", error.text);
  st_description_destroy(description);
  st_runtime_stop();
  _exit((int)status);
}

static pid_t begin_session(const Case *c, const char *folder, Plan plan) {
  pid_t child = fork();
  if (child == 0)
    sit(c, folder, plan);
  return child;
}

// The exit code, -1 when it was killed.
static int end_session(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int whole_session(const Case *c, const char *folder, long stop_at) {
  return end_session(
      begin_session(c, folder, (Plan){.stop_at = stop_at, .tell_at = -1, .pipe = -1}));
}

static const char *in(const char *folder, const char *name) {
  static char path[4][512];
  static int next;
  char *chosen = path[next++ % 4];
  snprintf(chosen, sizeof path[0], "%s/%s", folder, name);
  return chosen;
}

static void check_frames(const char *one, const char *two) {
  for (int i = 0; i <= FRAMES; i++) {
    char name[64];
    size_t size[2];
    snprintf(name, sizeof name, "frames/frame_%05d.vtu", i);
    char *a = scratch_read(in(one, name), &size[0]), *b = scratch_read(in(two, name), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a);
    free(b);
  }
}

static StCheckpoint last_state(const char *folder) {
  StCheckpoint checkpoint;
  StWritten written;
  StError error = {0};
  assert_int_equal(st_checkpoint_read(in(folder, "checkpoint.h5"), &checkpoint, &written, &error),
                   ST_OK);
  assert_true(written.history_rows > STEPS); // hard steps are halved
  assert_int_equal(written.frame_count, FRAMES + 1);
  st_written_free(&written);
  return checkpoint;
}

static void check_states(const char *one, const char *two) {
  StCheckpoint a = last_state(one), b = last_state(two);
  size_t size = (size_t)a.vertex_count * 3 * sizeof(double);
  assert_int_equal(a.step, b.step);
  assert_int_equal(a.total_newton, b.total_newton);
  assert_int_equal(a.total_linear, b.total_linear);
  assert_memory_equal(a.position, b.position, size);
  assert_memory_equal(a.velocity, b.velocity, size);
  assert_memory_equal(a.position_previous, b.position_previous, size);
  assert_memory_equal(a.force, b.force, size);
  assert_int_equal(a.extra_size, b.extra_size);
  assert_memory_equal(a.extra, b.extra, a.extra_size);
  st_checkpoint_free(&a);
  st_checkpoint_free(&b);
}

// Blanks the wall time, the tenth column, out of every row.
static char *history_without_seconds(const char *folder) {
  char *text = scratch_read(in(folder, "history.csv"), NULL);
  int comma = 0;
  for (char *c = text; *c; c++) {
    comma = *c == '\n' ? 0 : comma + (*c == ',');
    if (comma == 9 && *c != ',')
      *c = ' ';
  }
  return text;
}

static void check_histories(const char *one, const char *two) {
  char *a = history_without_seconds(one), *b = history_without_seconds(two);
  const char *x = a, *y = b;
  while (*x || *y) { // runs of blanks are as long as the wall time had digits
    x += strspn(x, " ");
    y += strspn(y, " ");
    assert_int_equal(*x, *y);
    x += *x != 0;
    y += *y != 0;
  }
  free(a);
  free(b);
}

// Where nothing may touch, neither has the file.
static void check_contacts(const char *one, const char *two) {
  bool there = st_file_exists(in(one, "contacts.csv"));
  assert_int_equal(st_file_exists(in(two, "contacts.csv")), there);
  if (!there)
    return;
  char *a = scratch_read(in(one, "contacts.csv"), NULL);
  char *b = scratch_read(in(two, "contacts.csv"), NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
}

static void check_runs(const char *one, const char *two) {
  check_frames(one, two);
  check_states(one, two);
  check_histories(one, two);
  check_contacts(one, two);
}

// Kills a session within some milliseconds after the given step.
static void kill_after(const Case *c, const char *folder, long step, double delay) {
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  pid_t child = begin_session(c, folder, (Plan){.stop_at = -1, .tell_at = step, .pipe = ends[1]});
  close(ends[1]); // so that a child that ends without a word ends the wait too
  assert_int_equal(read(ends[0], &byte, 1), 1);
  usleep((useconds_t)(1e6 * delay));
  kill(child, SIGKILL);
  assert_int_equal(end_session(child), -1);
  close(ends[0]);
}

// The first kill falls somewhere into the start, the others all over the run.
static void kill_often(const Case *c, const char *folder, int kills) {
  uint64_t seed = (uint64_t)time(NULL) * 0x9e3779b97f4a7c15;
  print_message("seed %ju\n", (uintmax_t)seed);
  pid_t child = begin_session(c, folder, (Plan){.stop_at = -1, .tell_at = -1, .pipe = -1});
  usleep((useconds_t)random_between(&seed, 0, 1.5e5));
  kill(child, SIGKILL);
  end_session(child);
  for (int i = 1; i < kills; i++)
    kill_after(c, folder, STEPS / 4 + (STEPS / 2) * i / kills, random_between(&seed, 0, 0.006));
}

static void check_case(const Case *c, int kills) {
  const char *whole = strdup(scratch("whole")), *killed = strdup(scratch("killed")),
             *stopped = strdup(scratch("stopped"));
  assert_int_equal(whole_session(c, whole, -1), ST_OK);
  kill_often(c, killed, kills);
  assert_int_equal(whole_session(c, killed, -1), ST_OK);
  check_runs(whole, killed);
  assert_int_equal(whole_session(c, stopped, STOPPED_AT), ST_INTERRUPTED);
  assert_int_equal(whole_session(c, stopped, -1), ST_OK);
  check_runs(whole, stopped);
  free((char *)whole);
  free((char *)killed);
  free((char *)stopped);
}

static void test_be(void **state) {
  (void)state;
  check_case(&(Case){"be", ST_SOLVER_DIRECT, 0, BEAM}, 3);
}

static void test_bdf2(void **state) {
  (void)state;
  check_case(&(Case){"bdf2", ST_SOLVER_DIRECT, 0, BEAM}, 3);
}

static void test_tr_with_few_checkpoints(void **state) {
  (void)state;
  check_case(&(Case){"tr", ST_SOLVER_DIRECT, 0.25, BEAM}, 2);
}

static void test_iterative(void **state) {
  (void)state;
  check_case(&(Case){"be", ST_SOLVER_ITERATIVE, 0, BEAM}, 2);
}

static void test_shell(void **state) {
  (void)state;
  check_case(&(Case){"be", ST_SOLVER_DIRECT, 0, WHEEL}, 2);
}

static void test_shell_iterative(void **state) {
  (void)state;
  check_case(&(Case){"bdf2", ST_SOLVER_ITERATIVE, 0, WHEEL}, 2);
}

static void test_primitives(void **state) {
  (void)state;
  check_case(&(Case){"be", ST_SOLVER_DIRECT, 0, PILE}, 3);
}

static void test_primitives_iterative(void **state) {
  (void)state;
  check_case(&(Case){"bdf2", ST_SOLVER_ITERATIVE, 0, PILE}, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_be, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_bdf2, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_tr_with_few_checkpoints, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_iterative, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_shell, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_shell_iterative, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_primitives, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(test_primitives_iterative, scratch_begin, scratch_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
