// What backward Euler takes from motion is counted exactly and told of, and nothing is told where
// damping, friction, impacts or a slow drive bring bodies to rest.
#include "base/memory.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "step/motion_loss.h"
#include "support/warnings.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct Scene {
  const char *name, *material, *shape, *body, *more; // of the body, and of the scene
  double step, duration;                             // s
} Scene;

typedef struct Result {
  double before, after, highest; // J: total energy, and the most kinetic energy
  StLossRecord loss;
  Warnings said;
} Result;

static StDescription *describe(const Scene *scene) {
  char text[1500];
  StError error = {0};
  StDescription *description;
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {%s, \"density\": 1000}}, \"bodies\": {\"b\": {\"shape\": {"
           "\"type\": \"box\", %s}%s}}%s, \"time\": {\"duration\": %g, \"step\": %g}}",
           scene->material, scene->shape, scene->body, scene->more, scene->duration, scene->step);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static Result run(const Scene *scene) {
  Result result = {.said = {.about = "free motion"}};
  StError error = {0};
  StLog log = warnings_log(&result.said);
  StDescription *description = describe(scene);
  StSimulation *simulation = NULL;
  if (st_simulation_create(description, &log, &simulation, &error) != ST_OK)
    fail_msg("%s", error.text);
  const StReport *report = st_simulation_report(simulation);
  result.before = report->total_energy;
  while (report->time < scene->duration - 1e-9) {
    world_step(simulation);
    result.highest = fmax(result.highest, report->kinetic_energy);
  }
  result.after = report->total_energy;
  result.loss = *report->loss;
  print_message("%s: %.3g J taken, %.2g of what moved; highest %.3g J; %d told %s\n", scene->name,
                result.loss.taken, st_motion_loss_share(&result.loss, 0), result.highest,
                result.said.count, result.said.last);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return result;
}

#define RUBBER "\"law\": \"stable_neo_hookean\", \"young\": \"5 MPa\", \"poisson\": 0.3"
#define JELLY "\"law\": \"stable_neo_hookean\", \"young\": \"1 MPa\", \"poisson\": 0.4"
#define RIGID "\"law\": \"rigid\""
#define BEAM "\"size_x\": 0.5, \"size_y\": 0.05, \"size_z\": 0.05, \"edge\": 0.05"
#define CUBE "\"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.05"
#define WEIGHT ", \"gravity\": [0, 0, -9.81]"
#define WALL ", \"boundaries\": {\"wall\": {\"region\": {\"label\": \"x-\"}}}"
#define FLOOR                                                                                      \
  ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"friction\": "          \
  "[{\"between\": \"any\", \"dynamic\": 0.5}]"
#define AT(height) ", \"translate\": [0, 0, " #height "]"

// No force takes energy: all that is missing is the integrator's.
static void vibration_is_counted_exactly_and_told(void **state) {
  (void)state;
  const Scene scenes[] = {{"cantilever", RUBBER, BEAM, "", WEIGHT WALL, 0.01, 1},
                          {"fine steps", RUBBER, BEAM, "", WEIGHT WALL, 0.002, 0.5},
                          {"without weight", RUBBER, BEAM, ", \"velocity\": [0, 0, 0.3]",
                           ", \"gravity\": 0" WALL, 0.005, 0.5}};
  for (int i = 0; i < ST_LENGTH(scenes); i++) {
    Result result = run(&scenes[i]);
    double lost = result.before - result.after;
    assert_true(lost > 0.1 * result.highest);
    assert_true(fabs(result.loss.taken - lost) < 1e-9 * lost);
    assert_int_equal(result.said.count, 1);
    assert_non_null(strstr(result.said.last, "\"integrator\": \"bdf2\""));
  }
}

// e = 1: each step of a flight takes m(gh)²/2, so that balls rise less and less.
static void flights_are_told(void **state) {
  (void)state;
  static const char elastic[] =
      WEIGHT ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
             "\"friction\": [{\"between\": \"any\", \"dynamic\": 0, \"restitution\": 1}]";
  Result result = run(&(Scene){"bouncing", RIGID, CUBE, AT(0.3), elastic, 0.01, 2});
  double lost = result.before - result.after;
  assert_true(fabs(lost / (100 * 9.81 * 9.81 * 1e-4) - 1) < 0.2); // 200 steps of ½ (gh)² kg
  assert_true(result.loss.taken > 0.5 * lost);
  assert_int_equal(result.said.count, 1);
}

static void what_comes_to_rest_is_not_told(void **state) {
  (void)state;
  static const char slow[] =
      WEIGHT FLOOR ", \"boundaries\": {\"top\": {\"region\": {\"label\": \"z+\"}, \"motion\": "
                   "{\"velocity\": [0, 0, -0.01]}}}";
  const Scene scenes[] = {
      {"damped", RUBBER ", \"stiffness_damping\": \"20 ms\"", BEAM, "", WEIGHT WALL, 0.01, 1},
      {"dropped by 1 mm", RIGID, CUBE, AT(0.051), WEIGHT FLOOR, 0.01, 0.3},
      {"dropped by 5 cm", RIGID, CUBE, AT(0.1), WEIGHT FLOOR, 0.01, 0.3},
      {"dropped by 1 m", RIGID, CUBE, AT(1.05), WEIGHT FLOOR, 0.01, 0.6},
      {"sliding", RIGID, CUBE, AT(0.05) ", \"velocity\": [1, 0, 0]", WEIGHT FLOOR, 0.01, 0.5},
      {"soft, sliding", JELLY, CUBE, AT(0.0501) ", \"velocity\": [1, 0, 0]", WEIGHT FLOOR, 0.01,
       0.5},
      {"soft, set down", JELLY, CUBE, AT(0.0501), WEIGHT FLOOR, 0.01, 0.3},
      {"pressed slowly", JELLY, CUBE, AT(0.0501), slow, 0.02, 0.4},
      {"pressed in five steps", JELLY, CUBE, AT(0.0501), slow, 0.1, 0.5}};
  for (int i = 0; i < ST_LENGTH(scenes); i++)
    assert_int_equal(run(&scenes[i]).said.count, 0);
}

// All but 1e-6 of what a plastic impact ends is taken by contact, none by the integrator: what each
// step of the fall takes, the impact gives back.
static void impacts_are_contact_s(void **state) {
  (void)state;
  Result result = run(&(Scene){"landing", RIGID, CUBE, AT(1.05), WEIGHT FLOOR, 0.01, 0.8});
  assert_true(result.before - result.after > 9);
  assert_true(fabs(result.loss.taken) < 1e-4);
}

static void better_integrators_are_not_told_of(void **state) {
  (void)state;
  Result result =
      run(&(Scene){"bdf2", RUBBER, BEAM, "", WEIGHT WALL ", \"integrator\": \"bdf2\"", 0.005, 1});
  assert_int_equal(result.said.count, 0);
  assert_true(result.before - result.after < 0.1 * result.highest);
}

// From a checkpoint before the warning it comes at the same time, from one after it not again, and
// the sum is the same to the bit.
static void a_resumed_run_counts_on(void **state) {
  (void)state;
  const Scene scene = {"resumed", RUBBER, BEAM, "", WEIGHT WALL, 0.01, 0.3};
  double taken = run(&scene).loss.taken;
  StDescription *description = describe(&scene);
  for (int i = 0; i < 2; i++) {
    Warnings said = {.about = "free motion"};
    StLog log = warnings_log(&said);
    StCheckpoint checkpoint;
    StError error = {0};
    StSimulation *first = NULL, *second = NULL;
    assert_int_equal(st_simulation_create(description, &log, &first, &error), ST_OK);
    while (st_simulation_report(first)->time < 0.05 + 0.15 * i)
      world_step(first);
    assert_int_equal(said.count, i);
    assert_int_equal(st_simulation_checkpoint(first, &checkpoint, &error), ST_OK);
    assert_int_equal(st_simulation_create_at(description, &log, &checkpoint, &second, &error),
                     ST_OK);
    while (st_simulation_report(second)->time < scene.duration - 1e-9)
      world_step(second);
    assert_int_equal(said.count, 1);
    assert_true(st_simulation_report(second)->loss->taken == taken);
    st_checkpoint_free(&checkpoint);
    st_simulation_destroy(first);
    st_simulation_destroy(second);
  }
  st_description_destroy(description);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(vibration_is_counted_exactly_and_told),
                                     cmocka_unit_test(flights_are_told),
                                     cmocka_unit_test(what_comes_to_rest_is_not_told),
                                     cmocka_unit_test(impacts_are_contact_s),
                                     cmocka_unit_test(a_resumed_run_counts_on),
                                     cmocka_unit_test(better_integrators_are_not_told_of)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
