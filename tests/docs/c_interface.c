// The blocks of docs/c-interface.md, each where a program would have it, compiled and run.
#include <stiction/stiction.h>

#include <stdio.h>
#include <stdlib.h>

#include "lift.c"

static void check(bool good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "docs/c-interface.md: %s\n", what);
  exit(1);
}

// MPI cannot be started twice in a process, so that this one is a program of its own.
static StictionStatus live(void) {
#include "life.c"
  return status;
}

typedef struct Hand {
  double place, speed, time;
} Hand;

static bool follow(void *context, double time, StictionPose *pose) {
  const Hand *now = context;
  pose->translation[2] = now->place + now->speed * (time - now->time);
  pose->velocity[2] = now->speed;
  return true;
}

static double decide(const double *force) {
  return force[2] > 1e9 ? 0 : 0.1;
}

static bool show(void *context, const StictionProgress *progress) {
  (void)progress;
  ++*(int *)context;
  return true;
}

static StictionScene *load(Stiction *session) {
  StictionScene *scene = NULL;
  check(stiction_scene_load(session, "scene.json", &scene) == STICTION_OK, stiction_error(session));
  return scene;
}

static StictionSimulation *start(Stiction *session, StictionScene *scene) {
  StictionSimulation *simulation = NULL;
  check(stiction_simulation_create(session, scene, &simulation) == STICTION_OK,
        stiction_error(session));
  return simulation;
}

static void push(Stiction *session) {
  StictionScene *scene = load(session);
  StictionSimulation *simulation = start(session, scene);
  int vertex = 7;
  StictionStatus status;
#include "push.c"
  check(status == STICTION_OK, stiction_error(session));
  check(stiction_simulation_velocities(simulation)[3 * vertex + 2] == 1, "the push is lost");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static double height(StictionSimulation *simulation) {
  return stiction_simulation_report(simulation)->centre_of_mass[2];
}

static void drive(Stiction *session) {
  StictionScene *scene = load(session);
  double speed = 0.5;
  StictionStatus status;
#include "drive.c"
  check(status == STICTION_OK, stiction_error(session));
  StictionSimulation *simulation = start(session, scene);
  double before = height(simulation);
  while (status == STICTION_OK && !stiction_simulation_finished(simulation))
    status = stiction_simulation_step(simulation);
  check(status == STICTION_OK, stiction_error(session));
  check(height(simulation) > before, "the grip did not lift");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void control(Stiction *session) {
  StictionScene *scene = load(session);
  Hand hand = {0};
  StictionStatus status = stiction_scene_drive(scene, "grip", follow, &hand);
  check(status == STICTION_OK, stiction_error(session));
  StictionSimulation *simulation = start(session, scene);
  const double *force = NULL;
  status = stiction_simulation_forces(simulation, NULL, &force);
  check(status == STICTION_OK, stiction_error(session));
#include "control.c"
  check(status == STICTION_OK, stiction_error(session));
  check(hand.speed == 0.1, "the controller was not asked");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void run(Stiction *session) {
  StictionScene *scene = load(session);
  int window = 0;
  StictionStatus status;
#include "run.c"
  check(status == STICTION_OK, stiction_error(session));
  check(window > 0, "the progress was not told");
  stiction_scene_free(scene);
}

int main(int count, char **argument) {
  (void)argument;
  if (count > 1)
    return live();
  Stiction *session = NULL;
  check(stiction_open(&session) == STICTION_OK, "no session");
  push(session);
  drive(session);
  control(session);
  run(session);
  stiction_close(session);
  return 0;
}
