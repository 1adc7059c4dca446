// The blocks of docs/c-interface.md, each where a program would have it, compiled and run.
#include <stiction/build.h>
#include <stiction/recording.h>

#include <math.h>
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

static double decide(const StictionReport *now) {
  return now->centre_of_mass[2] < 0.02 ? 0.1 : 0;
}

static double cost(StictionSimulation *simulation) {
  double away = stiction_simulation_report(simulation)->centre_of_mass[2] - 0.01;
  return away * away;
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
  StictionSimulation *simulation = start(session, scene);
  StictionStatus status = STICTION_OK;
#include "control.c"
  check(status == STICTION_OK, stiction_error(session));
  check(fabs(stiction_simulation_time(simulation) - 0.5) < 1e-9, "the controller did not end");
  check(fabs(height(simulation) - 0.02) < 0.005, "the controller did not arrive");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void plan(Stiction *session) {
  StictionScene *scene = load(session);
  StictionSimulation *simulation = start(session, scene);
  StictionStatus status = STICTION_OK;
#include "plan.c"
  check(status == STICTION_OK, stiction_error(session));
  check(speed > 0.1 && speed < 0.6, "the plan is a bad one");
  check(stiction_simulation_time(simulation) == 0, "the plan did not go back");
#include "change.c"
  check(status == STICTION_OK, stiction_error(session));
  status = stiction_simulation_advance(simulation, 0.05);
  check(status == STICTION_OK && height(simulation) < 0, "the changes are lost");
  const double eye[3] = {0.05, 0, 1}, ahead[3] = {0, 0, -1};
#include "ask.c"
  check(status == STICTION_OK && hit.body == 0, "the ray met nothing");
  double largest = 0;
#include "field.c"
  check(status == STICTION_OK && field.components == 6 && largest > 0, "nothing is stretched");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void take_over(Stiction *session) {
  StictionScene *scene = load(session), *changed = load(session);
  StictionSimulation *simulation = start(session, scene), *next = NULL;
  StictionStatus status = stiction_simulation_advance(simulation, 0.05);
  check(status == STICTION_OK, stiction_error(session));
#include "bodies.c"
  check(status == STICTION_OK, stiction_error(session));
  check(height(next) == height(simulation), "what was taken over is another thing");
  stiction_simulation_free(next);
  stiction_simulation_free(simulation);
  stiction_scene_free(changed);
  stiction_scene_free(scene);
}

static void differentiate(Stiction *session) {
  StictionScene *scene = load(session);
  StictionSimulation *simulation = start(session, scene);
  StictionStatus status;
#include "differentiate.c"
  check(status == STICTION_OK, stiction_error(session));
  check(by_young && isfinite(by_young[0]), "there is no derivative");
  free(by_young);
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
#include "recording.c"
  check(status == STICTION_OK, stiction_error(session));
  check(strain.of_cells && strain.components == 6 && strain.value[0] == 0, "the strain is wrong");
  check(rows == 6 && height && newton == 0, "the run was not read back"); // it rests
  stiction_recording_free(recording);
  stiction_scene_free(scene);
}

static void record_loop(Stiction *session) {
  StictionScene *scene = load(session);
  StictionSimulation *simulation = start(session, scene);
  StictionStatus status;
#include "record.c"
  check(status == STICTION_OK, stiction_error(session));
  check(fabs(stiction_simulation_time(simulation) - 1) < 1e-9, "the loop did not end");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void build_scenes(Stiction *session) {
  StictionScene *scene = NULL;
#include "build.c"
  check(status == STICTION_OK, stiction_error(session));
  check(stiction_scene_vertex_count(scene) > 20 && stiction_scene_duration(scene) == 0.5,
        "the scene is another one");
  stiction_scene_free(scene);
  const double vertices[] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const int tets[] = {0, 1, 2, 3};
#include "arrays.c"
  status = stiction_scene_build(session, build, &scene);
  check(status == STICTION_OK, stiction_error(session));
  check(stiction_scene_body_count(scene) == 2 && stiction_scene_boundary_count(scene) == 1,
        "the block is not there");
  stiction_scene_free(scene);
  stiction_build_free(build);
  build = NULL;
#include "vary.c"
  check(status == STICTION_OK, stiction_error(session));
  stiction_build_free(build);
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
  plan(session);
  take_over(session);
  differentiate(session);
  run(session);
  record_loop(session);
  build_scenes(session);
  stiction_close(session);
  return 0;
}
