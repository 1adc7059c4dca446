// No tet is turned inside out, whatever presses: soft cubes of every law under a press that leaves
// a third of them, and under something heavy at 20 m/s. Where a material allows it, a cube that is
// inside out recovers; where not, such a state is refused, written by hand or resumed from.
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define TEXT 4000

static const char *const LAWS[] = {
    "\"law\": \"neo_hookean\", \"young\": 1e4, \"poisson\": 0.3",
    "\"law\": \"stable_neo_hookean\", \"young\": 1e4, \"poisson\": 0.3",
    "\"law\": \"stvk\", \"young\": 1e4, \"poisson\": 0.3",
    "\"law\": \"linear\", \"young\": 1e4, \"poisson\": 0.3",
    "\"law\": \"mooney_rivlin\", \"c10\": 1e3, \"c01\": 9e2, \"bulk\": 8e3",
};

static const char CUBE[] =
    "\"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1,"
    " \"cells_x\": 2, \"cells_y\": 2, \"cells_z\": 2 }";

enum { MIDDLE = 13 }; // the vertex within a cube, which has 27

static StDescription *parse(const char *text) {
  StDescription *d = NULL;
  StError error = {0};
  StStatus status = st_scene_parse("scene.json", text, strlen(text), "", NULL, &d, &error);
  world_must(status == ST_OK, error.text);
  return d;
}

// To its end; the judge has looked at every step.
static StSimulation *run(const StDescription *d) {
  StSimulation *simulation = world_start(d);
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    const StReport *report = st_simulation_report(simulation);
    assert_true(report->judge.checked && st_judgement_is_clean(&report->judge.found));
  }
  return simulation;
}

static void a_press_inverts_nothing(void **state) {
  (void)state;
  const char *const integrator[] = {"be", "sdirk2"};
  for (int i = 0; i < 2 * ST_LENGTH(LAWS); i++) {
    char text[TEXT];
    snprintf(text, sizeof text,
             "{ \"materials\": { \"soft\": { %s, \"density\": 1000 } },"
             "\"bodies\": { \"cube\": { %s, \"translate\": [0, 0, 0.0501] } },"
             "\"gravity\": 0, \"integrator\": \"%s\","
             "\"friction\": [{ \"between\": \"any\", \"dynamic\": 0.8 }],"
             "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } },"
             " \"press\": { \"shape\": { \"type\": \"half_space\", \"normal\": [0, 0, -1],"
             "  \"point\": [0, 0, 0.101] }, \"motion\": { \"velocity\": [0, 0, -0.7] } } },"
             "\"time\": { \"duration\": 0.1, \"step\": 0.01 } }",
             LAWS[i / 2], CUBE, integrator[i % 2]);
    StDescription *d = parse(text);
    StSimulation *simulation = run(d);
    StSnapshot end = world_snapshot(simulation);
    double top = 0;
    for (int v = 0; v < end.vertex_count; v++)
      top = fmax(top, end.position[3 * v + 2]);
    assert_true(top < 0.031);
    st_snapshot_free(&end);
    st_simulation_destroy(simulation);
    st_description_destroy(d);
  }
}

static void a_heavy_impact_inverts_nothing(void **state) {
  (void)state;
  for (int i = 0; i < ST_LENGTH(LAWS); i++) {
    char text[TEXT];
    snprintf(
        text, sizeof text,
        "{ \"materials\": { \"soft\": { %s, \"density\": 300 },"
        " \"steel\": { \"young\": 1e8, \"poisson\": 0.3, \"density\": 8000 } },"
        "\"bodies\": { \"cube\": { %s, \"material\": \"soft\", \"translate\": [0, 0, 0.0501] },"
        " \"bullet\": { %s, \"material\": \"steel\", \"translate\": [0.01, 0, 0.16],"
        "  \"velocity\": [0, 0, -20], \"rotate\": { \"axis\": [1, 2, 0], \"angle\": 0.1 } } },"
        "\"friction\": [{ \"between\": \"any\", \"dynamic\": 0.3 }],"
        "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } },"
        "\"time\": { \"duration\": 0.02, \"step\": 0.001 } }",
        LAWS[i], CUBE, CUBE);
    StDescription *d = parse(text);
    st_simulation_destroy(run(d));
    st_description_destroy(d);
  }
}

// A free cube of rubber, and what is in its place when its middle has been pushed through elements.
static StDescription *loose_cube(const char *inversion) {
  char text[TEXT];
  snprintf(text, sizeof text,
           "{ \"materials\": { \"gum\": { \"law\": \"stable_neo_hookean\", \"young\": 1e5,"
           " \"poisson\": 0.4, \"inversion\": \"%s\" } }, \"bodies\": { \"cube\": { %s } },"
           "\"gravity\": 0, \"time\": { \"duration\": 0.5, \"step\": 0.01 } }",
           inversion, CUBE);
  return parse(text);
}

static StStatus push_middle(StSimulation *simulation, StError *error) {
  StSnapshot now = world_snapshot(simulation);
  now.position[3 * MIDDLE] += 0.06;
  StStatus status = st_simulation_set_state(simulation, now.position, now.velocity, error);
  st_snapshot_free(&now);
  return status;
}

static long inverted(const StSimulation *simulation) {
  return st_simulation_report(simulation)->judge.found.kind[ST_FOUND_INVERTED].count;
}

static void recovers_where_it_is_allowed(void **state) {
  (void)state;
  StError error = {0};
  StDescription *d = loose_cube("allow");
  StSimulation *simulation = world_start(d);
  assert_int_equal(push_middle(simulation, &error), ST_OK);
  assert_true(inverted(simulation) > 0);
  world_run(simulation);
  assert_int_equal(inverted(simulation), 0);
  StSnapshot end = world_snapshot(simulation);
  for (int c = 0; c < 3; c++) // the way back to the middle of the faces before and behind it
    assert_true(fabs(end.position[3 * MIDDLE + c] - 0.5 * (end.position[3 * (MIDDLE - 1) + c] +
                                                           end.position[3 * (MIDDLE + 1) + c])) <
                1e-3);
  st_snapshot_free(&end);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

static void says_why(const StError *error) {
  const char *const words[] = {"the initial state is not admissible", "of body \"cube\"",
                               "element inverted, and its material does not allow that "
                               "(\"inversion\")"};
  for (int i = 0; i < ST_LENGTH(words); i++)
    if (!strstr(error->text, words[i]))
      fail_msg("\"%s\" does not say \"%s\"", error->text, words[i]);
}

// From a checkpoint of a run in which it was allowed, as an older one may be.
static void refused_where_it_is_not(void **state) {
  (void)state;
  StError error = {0};
  StCheckpoint checkpoint;
  StDescription *open = loose_cube("allow"), *closed = loose_cube("prevent");
  StSimulation *before = world_start(open), *after = world_start(closed);
  assert_int_equal(push_middle(after, &error), ST_BAD_INPUT);
  says_why(&error);
  assert_int_equal(inverted(after), 0);
  assert_int_equal(push_middle(before, &error), ST_OK);
  assert_int_equal(st_simulation_checkpoint(before, &checkpoint, &error), ST_OK);
  error = (StError){0};
  assert_int_equal(st_simulation_restore(after, &checkpoint, &error), ST_BAD_INPUT);
  says_why(&error);
  st_checkpoint_free(&checkpoint);
  st_simulation_destroy(before);
  st_simulation_destroy(after);
  st_description_destroy(open);
  st_description_destroy(closed);
}

static int begin(void **state) {
  (void)state;
  StError error;
  return st_runtime_start(&error);
}

static int end(void **state) {
  (void)state;
  st_runtime_stop();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_press_inverts_nothing),
      cmocka_unit_test(a_heavy_impact_inverts_nothing),
      cmocka_unit_test(recovers_where_it_is_allowed),
      cmocka_unit_test(refused_where_it_is_not),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
