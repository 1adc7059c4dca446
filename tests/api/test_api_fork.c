// Processes that are forked: without MPI they go on with what there was, to the same bits; in the
// middle of another thread's call they are refused, with the reason.
#include "api/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const char BRICK[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
    " \"size_z\": 0.1, \"edge\": 0.05 } } }, \"obstacles\": { \"floor\": { \"shape\": {"
    " \"type\": \"half_space\" }, \"translate\": [0, 0, -0.0505] } },"
    "\"boundaries\": { \"top\": { \"region\": { \"label\": \"z+\" } } },"
    "\"time\": { \"step\": \"5 ms\" } }";

// What a child ended with; 99: not by itself.
static int wait_for(pid_t child) {
  int code = 0;
  assert_true(child > 0 && waitpid(child, &code, 0) == child);
  return WIFEXITED(code) ? WEXITSTATUS(code) : 99;
}

static double push(StictionSimulation *simulation, double speed) {
  const StictionPose pose = {.velocity = {speed, 0, 0}};
  if (stiction_simulation_move(simulation, "top", &pose) != STICTION_OK ||
      stiction_simulation_advance(simulation, 0.05) != STICTION_OK)
    return NAN;
  return stiction_simulation_report(simulation)->centre_of_mass[0];
}

// Each child goes on from where the parent is; a pipe brings back what it found.
static void children_go_on(void **state) {
  enum { CHILDREN = 3 };
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = start(*state, scene);
  StictionState *here = NULL;
  int ends[2];
  must(*state, stiction_simulation_advance(simulation, 0.02));
  must(*state, stiction_simulation_save(simulation, &here));
  assert_int_equal(pipe(ends), 0);
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = fork();
    if (child == 0) {
      double found = push(simulation, 0.1 * (i + 1));
      Stiction *session = NULL;
      StictionScene *own = NULL;
      bool good = stiction_open(&session) == STICTION_OK &&
                  stiction_scene_parse(session, BRICK, NULL, &own) == STICTION_OK &&
                  write(ends[1], &found, sizeof found) == sizeof found;
      stiction_scene_free(own);
      stiction_close(session);
      stiction_simulation_free(simulation);
      stiction_close(*state);
      _exit(good ? 0 : 1);
    }
    double found = 0;
    assert_int_equal(wait_for(child), 0);
    assert_int_equal(read(ends[0], &found, sizeof found), sizeof found);
    assert_true(found == push(simulation, 0.1 * (i + 1)));
    must(*state, stiction_simulation_restore(simulation, here));
  }
  close(ends[0]);
  close(ends[1]);
  stiction_state_free(here);
  finish(scene, simulation);
}

typedef struct Pause {
  atomic_bool reached, go_on;
} Pause;

static bool wait_inside(void *context, double time, StictionPose *pose) {
  Pause *own = context;
  (void)time, (void)pose;
  atomic_store(&own->reached, true);
  while (!atomic_load(&own->go_on))
    usleep(100);
  return true;
}

static void *step_once(void *context) {
  return (void *)(intptr_t)stiction_simulation_step(context);
}

static void the_middle_of_a_call_is_refused(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = start(*state, scene), *idle = start(*state, scene);
  Pause pause = {false, false};
  pthread_t thread;
  must(*state, stiction_simulation_drive(simulation, "top", wait_inside, &pause));
  assert_int_equal(pthread_create(&thread, NULL, step_once, simulation), 0);
  while (!atomic_load(&pause.reached))
    usleep(100);
  pid_t child = fork();
  if (child == 0) {
    bool refused = stiction_simulation_step(idle) == STICTION_BAD_INPUT &&
                   strstr(stiction_error(NULL), "in which another thread was using the library");
    Stiction *session = NULL;
    refused = refused && stiction_open(&session) == STICTION_BAD_INPUT && !session;
    stiction_simulation_free(idle);
    stiction_close(*state);
    _exit(refused ? 0 : 1);
  }
  assert_int_equal(wait_for(child), 0);
  atomic_store(&pause.go_on, true);
  void *status = NULL;
  pthread_join(thread, &status);
  assert_int_equal((intptr_t)status, STICTION_OK);
  stiction_simulation_free(idle);
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(children_go_on),
      cmocka_unit_test(the_middle_of_a_call_is_refused),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
