// Calls from several threads, from within callbacks, after the end and with NULL: each is executed
// in turn or rejected with a message.
#include "api/session.h"

#include <pthread.h>

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
static void threads_take_turns(void **state) {
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
      cmocka_unit_test(threads_take_turns),         cmocka_unit_test(ten_in_a_pool),
      cmocka_unit_test(callbacks_may_only_look),    cmocka_unit_test(what_is_in_use_is_freed_later),
      cmocka_unit_test(arrays_outlive_the_session), cmocka_unit_test(nothing_is_refused),
  };
  // With no other session open: each that is opened may be the first, and each closed the last.
  const struct CMUnitTest alone[] = {cmocka_unit_test(ten_in_a_pool)};
  int failed = cmocka_run_group_tests(alone, NULL, NULL);
  return failed + cmocka_run_group_tests(tests, open_session, close_session);
}
