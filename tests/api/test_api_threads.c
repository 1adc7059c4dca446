// Calls from several threads, from within callbacks, after the end and with NULL: those on
// different simulations run at once, others in turn, and what cannot be is rejected with a message.
#include "api/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define BRICK(more)                                                                                \
  "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"   \
  "  \"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","            \
  "    \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } }," more               \
  "  \"time\": { \"duration\": \"0.2 s\", \"step\": \"5 ms\" } }"
#define FLOOR                                                                                      \
  "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" },"                         \
  " \"translate\": [0, 0, -0.06] } },"
#define FOOT "\"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } } },"

typedef struct Work {
  Stiction *session;
  StictionSimulation *simulation;
  int steps, failures;
  char text[256]; // of a failure that is asked for
} Work;

static void *work(void *context) {
  Work *own = context;
  while (!stiction_simulation_finished(own->simulation)) {
    own->failures += stiction_simulation_step(own->simulation) != STICTION_OK;
    own->steps++;
    const double *force;
    stiction_simulation_forces(own->simulation, own->text, &force);
    if (!strstr(stiction_error(own->session), own->text))
      own->failures++; // another thread's words
  }
  return NULL;
}

// As many steps, and bitwise the same state, as one after the other.
static void steps_at_once_are_those_alone(void **state) {
  enum { THREADS = 4 };
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  StictionSimulation *wanted = start(*state, scene);
  go_on(*state, wanted, 1000);
  Work all[THREADS];
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    all[i] = (Work){.session = *state, .simulation = start(*state, scene)};
    snprintf(all[i].text, sizeof all[i].text, "no_such_force_%d", i);
    assert_int_equal(pthread_create(&thread[i], NULL, work, &all[i]), 0);
  }
  size_t bytes = 3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(wanted);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(all[i].steps, 40);
    assert_int_equal(all[i].failures, 0);
    assert_memory_equal(stiction_simulation_positions(all[i].simulation),
                        stiction_simulation_positions(wanted), bytes);
    stiction_simulation_free(all[i].simulation);
  }
  finish(scene, wanted);
}

// Threads that meet within a step of their own, or give up after a while.
enum { MEETING = 3, PATIENCE = 20000 /* ms */ };

static bool wait_until(const atomic_int *count, int least) {
  for (int i = 0; i < PATIENCE && atomic_load(count) < least; i++)
    usleep(1000);
  return atomic_load(count) >= least;
}

typedef struct Guest {
  atomic_int *here;
  StictionSimulation *simulation;
  bool met, began;
  StictionStatus status;
} Guest;

static bool meet(void *context, double time, StictionPose *pose) {
  Guest *guest = context;
  (void)time, (void)pose;
  if (!guest->began || guest->met)
    return true;
  atomic_fetch_add(guest->here, 1);
  return guest->met = wait_until(guest->here, MEETING);
}

static void *step_guest(void *context) {
  Guest *guest = context;
  guest->status = stiction_simulation_step(guest->simulation);
  return NULL;
}

// Each step ends only when all others are under way.
static void nobody_waits_for_another_simulation(void **state) {
  atomic_int here = 0;
  Guest guest[MEETING];
  pthread_t thread[MEETING];
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  for (int i = 0; i < MEETING; i++) {
    guest[i] = (Guest){.here = &here, .simulation = start(*state, scene)};
    must(*state, stiction_simulation_drive(guest[i].simulation, "foot", meet, &guest[i]));
    must(*state, stiction_simulation_step(guest[i].simulation)); // it is rebuilt to move
    guest[i].began = true;
  }
  for (int i = 0; i < MEETING; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, step_guest, &guest[i]), 0);
  for (int i = 0; i < MEETING; i++) {
    pthread_join(thread[i], NULL);
    assert_true(guest[i].met);
    assert_int_equal(guest[i].status, STICTION_OK);
    stiction_simulation_free(guest[i].simulation);
  }
  stiction_scene_free(scene);
}

// Scenes that go through other libraries: LU with Scotch's order and BLAS, iterations, shells and a
// volume, HDF5 for a state as bytes; and a step that cannot be solved.
#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"200 kPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BALL(solver)                                                                               \
  "{ " GUM "\"bodies\": { \"ball\": { \"shape\": { \"type\": \"sphere\", \"radius\": 0.05,"        \
  " \"edge\": 0.02 }, \"translate\": [0, 0, 0.051] } }, \"obstacles\": { \"floor\": { \"shape\":"  \
  " { \"type\": \"half_space\" }, \"material\": \"ice\" } }, \"friction\": [{ \"between\":"        \
  " [\"gum\", \"ice\"], \"dynamic\": 0.5 }], \"solver\": { " solver " },"                          \
  "\"time\": { \"duration\": \"40 ms\", \"step\": \"4 ms\" } }"
#define ITERATIVE(preconditioner)                                                                  \
  "\"type\": \"iterative\", \"preconditioner\": \"" preconditioner "\""
static const char *const KIND[] = {
    BALL("\"type\": \"direct\""),
    BALL(ITERATIVE("ilu")),
    "{ \"materials\": { \"fabric\": { \"law\": \"membrane\", \"young\": \"2 kN/m\", \"poisson\":"
    " 0.3, \"area_density\": \"200 g/m^2\" } }, \"bodies\": { \"cushion\": { \"shape\": { \"type\":"
    " \"pillow\", \"width\": \"20 cm\", \"length\": \"20 cm\", \"edge\": \"5 cm\" } } },"
    "\"volumes\": { \"air\": { \"body\": \"cushion\", \"model\": \"ideal_gas\", \"overpressure\":"
    " \"1 kPa\" } }, \"time\": { \"duration\": \"40 ms\", \"step\": \"4 ms\" } }",
    "{ " GUM "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1,"
    " \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } }, \"boundaries\": { \"foot\": {"
    " \"region\": { \"label\": \"z-\" } } }, \"solver\": { \"max_iterations\": 1 },"
    "\"time\": { \"step\": \"10 ms\", \"smallest_step\": \"10 ms\" } }",
};
enum { KINDS = sizeof KIND / sizeof *KIND };

typedef struct Course {
  Stiction *session;
  const char *text;
  StictionStatus status;
  char error[512];
  int count;
  double *position; // at the end
} Course;

static void remember(Course *course, StictionSimulation *simulation) {
  size_t bytes;
  const void *packed;
  StictionState *saved = NULL, *unpacked = NULL;
  size_t size = 3 * (size_t)stiction_simulation_vertex_count(simulation) * sizeof(double);
  StictionStatus status = stiction_simulation_save(simulation, &saved);
  if (status == STICTION_OK)
    status = stiction_state_bytes(course->session, saved, &packed, &bytes);
  if (status == STICTION_OK)
    status = stiction_state_from_bytes(course->session, packed, bytes, &unpacked);
  if (status == STICTION_OK)
    status = stiction_simulation_restore(simulation, unpacked);
  course->status = course->status != STICTION_OK ? course->status : status;
  course->position = malloc(size);
  memcpy(course->position, stiction_simulation_positions(simulation), size);
  course->count = stiction_simulation_vertex_count(simulation);
  stiction_state_free(saved);
  stiction_state_free(unpacked);
}

static void *run_course(void *context) {
  Course *course = context;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  course->status = stiction_scene_parse(course->session, course->text, NULL, &scene);
  if (course->status == STICTION_OK)
    course->status = stiction_simulation_create(course->session, scene, &simulation);
  while (course->status == STICTION_OK && !stiction_simulation_finished(simulation))
    course->status = stiction_simulation_step(simulation);
  snprintf(course->error, sizeof course->error, "%s",
           course->status == STICTION_OK ? "" : stiction_error(NULL));
  if (simulation)
    remember(course, simulation);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  return NULL;
}

static void run_together(Stiction *session, const char *const *text, int kinds) {
  enum { EACH = 2, MOST = EACH * KINDS };
  Course alone[KINDS], together[MOST];
  pthread_t thread[MOST];
  for (int i = 0; i < kinds; i++) {
    alone[i] = (Course){.session = session, .text = text[i]};
    run_course(&alone[i]);
    if (!alone[i].position)
      fail_msg("%s", alone[i].error);
  }
  for (int i = 0; i < EACH * kinds; i++) {
    together[i] = (Course){.session = session, .text = text[i % kinds]};
    assert_int_equal(pthread_create(&thread[i], NULL, run_course, &together[i]), 0);
  }
  for (int i = 0; i < EACH * kinds; i++) {
    const Course *same = &alone[i % kinds];
    pthread_join(thread[i], NULL);
    assert_int_equal(together[i].status, same->status);
    assert_string_equal(together[i].error, same->error);
    assert_int_equal(together[i].count, same->count);
    assert_memory_equal(together[i].position, same->position,
                        3 * (size_t)same->count * sizeof(double));
    free(together[i].position);
  }
  for (int i = 0; i < kinds; i++)
    free(alone[i].position);
}

static void kinds_of_scenes_at_once(void **state) {
  Course failing = {.session = *state, .text = KIND[KINDS - 1]};
  run_course(&failing);
  if (failing.status != STICTION_NOT_SOLVED)
    fail_msg("%s", failing.error);
  free(failing.position);
  run_together(*state, KIND, KINDS);
}

// PETSc supports one thread: those that need it take turns for that alone.
static void multigrid_at_once(void **state) {
  const char *const text[] = {BALL(ITERATIVE("gamg")), BALL("\"type\": \"direct\"")};
  run_together(*state, text, 2);
}

typedef struct Share {
  StictionSimulation *simulation;
  int steps, failures;
} Share;

static void *take_share(void *context) {
  Share *share = context;
  for (int i = 0; i < share->steps; i++)
    share->failures += stiction_simulation_step(share->simulation) != STICTION_OK;
  return NULL;
}

static void a_shared_simulation_takes_turns(void **state) {
  enum { SHARES = 4 };
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  StictionSimulation *shared = start(*state, scene), *wanted = start(*state, scene);
  Share share[SHARES];
  pthread_t thread[SHARES];
  for (int i = 0; i < SHARES; i++) {
    share[i] = (Share){.simulation = shared, .steps = 5};
    assert_int_equal(pthread_create(&thread[i], NULL, take_share, &share[i]), 0);
  }
  for (int i = 0; i < SHARES; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(share[i].failures, 0);
  }
  go_on(*state, wanted, 5 * SHARES);
  size_t bytes = 3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(wanted);
  assert_memory_equal(stiction_simulation_positions(shared), stiction_simulation_positions(wanted),
                      bytes);
  stiction_simulation_free(shared);
  finish(scene, wanted);
}

// A step that stays within its callback until it is let go.
typedef struct Pause {
  StictionSimulation *simulation;
  atomic_int reached, let_go;
  StictionStatus status;
  bool began;
} Pause;

static bool pause_step(void *context, double time, StictionPose *pose) {
  Pause *pause = context;
  (void)time, (void)pose;
  if (!pause->began)
    return true;
  atomic_store(&pause->reached, 1);
  return wait_until(&pause->let_go, 1);
}

static void *step_paused(void *context) {
  Pause *pause = context;
  pause->status = stiction_simulation_step(pause->simulation);
  return NULL;
}

static pthread_t begin_paused(Stiction *session, StictionScene *scene, Pause *pause) {
  pthread_t thread;
  *pause = (Pause){.simulation = start(session, scene)};
  must(session, stiction_simulation_drive(pause->simulation, "foot", pause_step, pause));
  must(session, stiction_simulation_step(pause->simulation));
  pause->began = true;
  assert_int_equal(pthread_create(&thread, NULL, step_paused, pause), 0);
  assert_true(wait_until(&pause->reached, 1));
  return thread;
}

static bool look_at_paused(void *context, double time, StictionPose *pose) {
  Pause *pause = context;
  (void)time, (void)pose;
  return !pause->began || (!stiction_simulation_report(pause->simulation) &&
                           strcmp(stiction_simulation_verdict(pause->simulation), "") == 0 &&
                           stiction_simulation_time(pause->simulation) > 0);
}

// Nor do calls on other simulations and on the scene's contents. A callback that could wait for
// another thread's step gets no report instead.
static void the_time_never_waits(void **state) {
  Pause pause;
  StictionBody body;
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  pthread_t thread = begin_paused(*state, scene, &pause);
  assert_near(stiction_simulation_time(pause.simulation), 0.005, 1e-12);
  assert_false(stiction_simulation_finished(pause.simulation));
  must(*state, stiction_scene_body(scene, 0, &body));
  StictionSimulation *other = start(*state, scene);
  must(*state, stiction_simulation_drive(other, "foot", look_at_paused, &pause));
  must(*state, stiction_simulation_step(other));
  assert_non_null(stiction_simulation_report(other));
  stiction_simulation_free(other);
  atomic_store(&pause.let_go, 1);
  pthread_join(thread, NULL);
  assert_int_equal(pause.status, STICTION_OK);
  assert_near(stiction_simulation_time(pause.simulation), 0.01, 1e-12);
  finish(scene, pause.simulation);
}

// What another thread's call uses is freed when that has ended.
static void freeing_never_waits(void **state) {
  Pause pause;
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  pthread_t thread = begin_paused(*state, scene, &pause);
  double *position = stiction_simulation_positions(pause.simulation), low = position[2];
  stiction_simulation_free(pause.simulation);
  stiction_scene_free(scene);
  assert_near(position[2], low, 0); // still there
  atomic_store(&pause.let_go, 1);
  pthread_join(thread, NULL);
  assert_int_equal(pause.status, STICTION_OK);
}

typedef struct Closing {
  Stiction *session;
  atomic_int closed;
} Closing;

static void *close_it(void *context) {
  Closing *closing = context;
  stiction_close(closing->session);
  atomic_store(&closing->closed, 1);
  return NULL;
}

static void closing_waits_for_steps(void **state) {
  Pause pause;
  Closing closing = {0};
  pthread_t closer;
  (void)state;
  assert_int_equal(stiction_open(&closing.session), STICTION_OK);
  StictionScene *scene = parse_scene(closing.session, BRICK(FOOT));
  pthread_t thread = begin_paused(closing.session, scene, &pause);
  assert_int_equal(pthread_create(&closer, NULL, close_it, &closing), 0);
  usleep(20000);
  assert_int_equal(atomic_load(&closing.closed), 0);
  atomic_store(&pause.let_go, 1);
  pthread_join(thread, NULL);
  pthread_join(closer, NULL);
  assert_int_equal(pause.status, STICTION_OK);
  assert_int_equal(stiction_simulation_step(pause.simulation), STICTION_BAD_INPUT);
  finish(scene, pause.simulation);
}

typedef struct Branch {
  StictionSimulation *simulation;
  const StictionState *from;
  double speed, place;
} Branch;

static void *go_branch(void *context) {
  Branch *branch = context;
  StictionPose pose = {.velocity = {branch->speed, 0, 0}};
  bool good = stiction_simulation_restore(branch->simulation, branch->from) == STICTION_OK &&
              stiction_simulation_move(branch->simulation, "foot", &pose) == STICTION_OK &&
              stiction_simulation_advance(branch->simulation, 0.03) == STICTION_OK;
  branch->place = good ? stiction_simulation_report(branch->simulation)->centre_of_mass[0] : NAN;
  return NULL;
}

// Many simulations go on from one saved state, at once, and as they would alone.
static void one_state_for_many(void **state) {
  enum { BRANCHES = 4 };
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  StictionSimulation *first = start(*state, scene);
  StictionState *here = NULL;
  Branch branch[BRANCHES];
  pthread_t thread[BRANCHES];
  go_on(*state, first, 3);
  must(*state, stiction_simulation_save(first, &here));
  for (int i = 0; i < BRANCHES; i++) {
    branch[i] = (Branch){start(*state, scene), here, 0.1 * (i + 1), 0};
    assert_int_equal(pthread_create(&thread[i], NULL, go_branch, &branch[i]), 0);
  }
  for (int i = 0; i < BRANCHES; i++) {
    Branch alone = {first, here, branch[i].speed, 0};
    pthread_join(thread[i], NULL);
    go_branch(&alone);
    assert_true(isfinite(alone.place) && alone.place == branch[i].place);
    stiction_simulation_free(branch[i].simulation);
  }
  stiction_state_free(here);
  finish(scene, first);
}

// A pool of workers that takes ten tasks one after the other. Each has a session, a scene and a
// simulation of its own, tries something, goes back and does it.
enum { TASKS = 10, WORKERS = 4 };

typedef struct Pool {
  pthread_mutex_t lock;
  int next;
  double height[TASKS];
} Pool;

// How high a brick bounces that falls with this speed; NAN: something failed.
static double bounce(double speed) {
  Stiction *session = NULL;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  StictionState *here = NULL;
  double height = NAN;
  bool good = stiction_open(&session) == STICTION_OK &&
              stiction_scene_parse(session, BRICK(FLOOR), NULL, &scene) == STICTION_OK &&
              stiction_simulation_create(session, scene, &simulation) == STICTION_OK;
  double *velocity = good ? stiction_simulation_velocities(simulation) : NULL;
  for (int i = 0; good && i < stiction_simulation_vertex_count(simulation); i++)
    velocity[3 * i + 2] = -speed;
  good = good && stiction_simulation_state_changed(simulation) == STICTION_OK &&
         stiction_simulation_save(simulation, &here) == STICTION_OK &&
         stiction_simulation_advance(simulation, 0.02) == STICTION_OK &&
         stiction_simulation_restore(simulation, here) == STICTION_OK &&
         stiction_simulation_advance(simulation, 0.05) == STICTION_OK;
  if (good)
    height = stiction_simulation_report(simulation)->centre_of_mass[2];
  stiction_state_free(here);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  stiction_close(session);
  return height;
}

static double speed_of(int task) {
  return 0.5 + 0.1 * task;
}

static void *take_tasks(void *context) {
  Pool *pool = context;
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    int task = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    if (task >= TASKS)
      return NULL;
    pool->height[task] = bounce(speed_of(task));
  }
}

static void ten_in_a_pool(void **state) {
  Pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t thread[WORKERS];
  (void)state;
  for (int i = 0; i < WORKERS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, take_tasks, &pool), 0);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(thread[i], NULL);
  for (int i = 0; i < TASKS; i++) {
    double alone = bounce(speed_of(i));
    assert_true(isfinite(alone) && pool.height[i] == alone); // to the bit
    if (i > 0)
      assert_true(pool.height[i] != pool.height[i - 1]);
  }
}

typedef struct Inside {
  Stiction *session;
  StictionScene *scene, *other_scene;
  StictionSimulation *simulation, *other;
  int calls;
} Inside;

static void refused(Stiction *session, StictionStatus status, const char *function) {
  must_fail(session, status, STICTION_BAD_INPUT, "called from within a callback");
  if (strncmp(stiction_error(session), function, strlen(function)) != 0)
    fail_msg("%s does not begin with %s", stiction_error(session), function);
}

// Anything that would change state is rejected; reading is allowed; freeing is deferred.
static bool misbehave(void *context, double time, StictionPose *pose) {
  Inside *own = context;
  (void)time, (void)pose;
  if (!own->simulation || own->calls++ > 0)
    return true;
  const double *array;
  double wrong[2];
  StictionContactFields fields;
  StictionFindings findings;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  Stiction *session = NULL;
  StictionBody body;
  StictionForce force = {0};
  StictionRunOptions options = {.folder = "inner"};
  refused(own->session, stiction_simulation_step(own->simulation), "stiction_simulation_step");
  refused(own->session, stiction_simulation_step(own->other), "stiction_simulation_step");
  refused(own->session, stiction_simulation_state_changed(own->simulation),
          "stiction_simulation_state_changed");
  refused(own->session, stiction_simulation_forces(own->simulation, NULL, &array),
          "stiction_simulation_forces");
  refused(own->session, stiction_simulation_contact_fields(own->simulation, &fields),
          "stiction_simulation_contact_fields");
  refused(own->session, stiction_simulation_findings(own->simulation, &findings),
          "stiction_simulation_findings");
  refused(own->session, stiction_simulation_stress(own->simulation, &array),
          "stiction_simulation_stress");
  refused(own->session,
          stiction_simulation_check_force(own->simulation, "solid", 1e-3, wrong, wrong + 1),
          "stiction_simulation_check_force");
  refused(own->session, stiction_scene_parse(own->session, "{}", NULL, &scene),
          "stiction_scene_parse");
  refused(own->session, stiction_scene_load(own->session, "x", &scene), "stiction_scene_load");
  refused(own->session, stiction_simulation_create(own->session, own->scene, &simulation),
          "stiction_simulation_create");
  refused(own->session, stiction_scene_drive(own->scene, "foot", misbehave, NULL),
          "stiction_scene_drive");
  refused(own->session, stiction_scene_add_force(own->scene, &force), "stiction_scene_add_force");
  refused(own->session, stiction_scene_run(own->session, own->scene, &options),
          "stiction_scene_run");
  refused(own->session, stiction_open(&session), "stiction_open");
  stiction_close(own->session); // does nothing
  assert_near(stiction_simulation_time(own->simulation), 0, 0);
  assert_int_equal(stiction_scene_body(own->scene, 0, &body), STICTION_OK);
  assert_non_null(stiction_simulation_report(own->simulation));
  stiction_scene_free(own->other_scene);
  stiction_simulation_free(own->other);
  return true;
}

static void callbacks_may_only_look(void **state) {
  Inside own = {.session = *state,
                .scene = parse_scene(*state, BRICK(FOOT)),
                .other_scene = parse_scene(*state, BRICK(FOOT))};
  must(*state, stiction_scene_drive(own.scene, "foot", misbehave, &own));
  StictionSimulation *simulation = start(*state, own.scene);
  own.other = start(*state, own.other_scene);
  own.simulation = simulation;
  must(*state, stiction_simulation_step(simulation));
  assert_true(own.calls > 1);
  must(*state, stiction_simulation_step(simulation));
  finish(own.scene, simulation);
}

// A simulation that is freed during a step ends after it.
static bool free_itself(void *context, double time, StictionPose *pose) {
  StictionSimulation **simulation = context;
  (void)time, (void)pose;
  stiction_simulation_free(*simulation);
  *simulation = NULL;
  return true;
}

static void what_is_in_use_is_freed_later(void **state) {
  StictionSimulation *simulation = NULL, *used;
  StictionScene *scene = parse_scene(*state, BRICK(FOOT));
  must(*state, stiction_scene_drive(scene, "foot", free_itself, &simulation));
  used = simulation = start(*state, scene);
  stiction_scene_free(scene); // its simulation still needs it
  must(*state, stiction_simulation_step(used));
  assert_null(simulation);
}

// Arrays remain valid when a session is closed, and calls are rejected.
static void arrays_outlive_the_session(void **state) {
  Stiction *session = NULL;
  assert_int_equal(stiction_open(&session), STICTION_OK);
  StictionScene *scene = parse_scene(session, BRICK(""));
  StictionSimulation *simulation = start(session, scene);
  StictionScene *again = NULL;
  StictionBody body;
  must(session, stiction_simulation_step(simulation));
  must(session, stiction_scene_body(scene, 0, &body));
  double *position = stiction_simulation_positions(simulation), kept = position[2];
  stiction_close(session);
  assert_near(position[2], kept, 0);
  assert_true(body.rest[0] < 1);
  must_fail(*state, stiction_simulation_step(simulation), STICTION_BAD_INPUT,
            "stiction_simulation_step: the session has been closed");
  assert_int_equal(stiction_scene_parse(session, "{}", NULL, &again), STICTION_BAD_INPUT);
  assert_null(again);
  assert_true(isnan(stiction_simulation_time(simulation)));
  assert_true(stiction_simulation_finished(simulation));
  assert_null(stiction_simulation_report(simulation));
  assert_string_equal(stiction_simulation_verdict(simulation), "");
  stiction_scene_free(scene);
  stiction_simulation_free(simulation);
  StictionScene *other = parse_scene(*state, BRICK("")); // the first session is still open
  stiction_scene_free(other);
}

static void nothing_is_refused(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK("")), *made = scene;
  StictionSimulation *simulation = NULL;
  must_fail(*state, stiction_scene_parse(NULL, "{}", NULL, &made), STICTION_BAD_INPUT,
            "stiction_scene_parse: session is NULL");
  assert_null(made);
  must_fail(*state, stiction_scene_parse(*state, NULL, NULL, &made), STICTION_BAD_INPUT,
            "text is NULL");
  must_fail(*state, stiction_scene_parse(*state, "{}", NULL, NULL), STICTION_BAD_INPUT,
            "scene is NULL");
  must_fail(*state, stiction_simulation_create(*state, NULL, &simulation), STICTION_BAD_INPUT,
            "scene is NULL");
  must_fail(*state, stiction_simulation_step(NULL), STICTION_BAD_INPUT, "simulation is NULL");
  must_fail(*state, stiction_scene_drive(scene, NULL, NULL, NULL), STICTION_BAD_INPUT,
            "name is NULL");
  must_fail(*state, stiction_scene_run(*state, scene, NULL), STICTION_BAD_INPUT, "options is NULL");
  StictionState *saved = NULL;
  StictionHit hit;
  double value[3] = {0};
  must_fail(*state, stiction_simulation_advance(NULL, 1), STICTION_BAD_INPUT, "simulation is NULL");
  must_fail(*state, stiction_simulation_save(NULL, &saved), STICTION_BAD_INPUT, "is NULL");
  must_fail(*state, stiction_simulation_restore(NULL, NULL), STICTION_BAD_INPUT, "is NULL");
  must_fail(*state, stiction_simulation_set(NULL, "gravity", 3, value), STICTION_BAD_INPUT,
            "is NULL");
  must_fail(*state, stiction_simulation_move(NULL, "foot", NULL), STICTION_BAD_INPUT, "is NULL");
  must_fail(*state, stiction_simulation_nearest(NULL, NULL, value, 1, &hit), STICTION_BAD_INPUT,
            "is NULL");
  must_fail(*state, stiction_simulation_contacts(NULL, NULL, NULL), STICTION_BAD_INPUT, "is NULL");
  stiction_state_free(NULL);
  assert_true(isnan(stiction_state_time(NULL)));
  assert_int_equal(stiction_open(NULL), STICTION_BAD_INPUT);
  assert_int_equal(stiction_scene_vertex_count(NULL), 0);
  assert_true(isnan(stiction_scene_duration(NULL)));
  assert_null(stiction_simulation_positions(NULL));
  assert_string_equal(stiction_scene_title(NULL), "");
  stiction_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_at_once_are_those_alone),
      cmocka_unit_test(nobody_waits_for_another_simulation),
      cmocka_unit_test(kinds_of_scenes_at_once),
      cmocka_unit_test(a_shared_simulation_takes_turns),
      cmocka_unit_test(the_time_never_waits),
      cmocka_unit_test(freeing_never_waits),
      cmocka_unit_test(closing_waits_for_steps),
      cmocka_unit_test(one_state_for_many),
      cmocka_unit_test(ten_in_a_pool),
      cmocka_unit_test(callbacks_may_only_look),
      cmocka_unit_test(what_is_in_use_is_freed_later),
      cmocka_unit_test(arrays_outlive_the_session),
      cmocka_unit_test(nothing_is_refused),
  };
  // With no other session open: each that is opened may be the first, and each closed the last.
  const struct CMUnitTest alone[] = {cmocka_unit_test(ten_in_a_pool)};
  // Last: it starts MPI, which cannot be started again.
  const struct CMUnitTest last[] = {cmocka_unit_test(multigrid_at_once)};
  int failed = cmocka_run_group_tests(alone, NULL, NULL);
  failed += cmocka_run_group_tests(tests, open_session, close_session);
  return failed + cmocka_run_group_tests(last, open_session, close_session);
}
