// Bodies come and go: a simulation of another scene goes on where the first one was. What stays in
// both goes on as if nothing had happened, held by the same anchors.
#include "api/session.h"

// Gravity that leans by 15° makes friction hold a quarter of the weight: without its anchors a
// block would slip until it has found new ones. `high` sits on `low`, which sits on a box.
#define BLOCK(name, z)                                                                             \
  "\"" name "\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": " \
  "0.05, \"edge\": 0.05 }, \"translate\": [0, 0, " z "] }"
#define FAR(name, x)                                                                               \
  "\"" name "\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": " \
  "0.1, \"edge\": 0.1 }, \"translate\": [" x ", 0, 0.06] }"
#define BOX                                                                                        \
  "\"plate\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.4, \"size_y\": 0.4, \"size_z\": "    \
  "0.1 }, \"translate\": [0, 0, -0.05] }"
#define SPHERE                                                                                     \
  "\"knob\": { \"shape\": { \"type\": \"sphere\", \"radius\": 0.1 }, \"translate\": [0, 2, -0.1] " \
  "}"
#define FLOOR "\"floor\": { \"shape\": { \"type\": \"half_space\" }, \"translate\": [0, 0, -0.5] }"
#define WORLD(bodies, obstacles)                                                                   \
  "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.3, \"density\": 1000,"       \
  " \"stiffness_damping\": \"20 ms\" } }, \"bodies\": { " bodies " }, \"obstacles\": { " obstacles \
  " },"                                                                                            \
  "\"gravity\": [2.5, 0, -9.4], \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.6 }],"       \
  "\"integrator\": \"be\", \"output\": { \"judge\": \"off\" }, \"time\": { \"step\": \"5 ms\" } }"

#define BEFORE WORLD(FAR("gone", "3") ", " BLOCK("low", "0.0252") ", " BLOCK("high", "0.0756"), BOX)
// Other numbers for all vertices, places and pairs.
#define AFTER                                                                                      \
  WORLD(FAR("new", "-3") ", " FAR("newer", "-4") ", " BLOCK("low", "0.0252") ", " BLOCK("high",    \
                                                                                        "0.0756"), \
        SPHERE ", " FLOOR ", " BOX)

static int find_body(StictionScene *scene, const char *name, StictionBody *body) {
  for (int i = 0; i < stiction_scene_body_count(scene); i++) {
    assert_int_equal(stiction_scene_body(scene, i, body), STICTION_OK);
    if (strcmp(body->name, name) == 0)
      return i;
  }
  fail_msg("there is no %s", name);
  return -1;
}

static const StictionPairReport *find_pair(StictionSimulation *simulation, const char *name) {
  const StictionReport *report = stiction_simulation_report(simulation);
  for (int i = 0; i < report->pair_count; i++)
    if (strcmp(report->pair[i].name, name) == 0)
      return &report->pair[i];
  fail_msg("there is no pair %s", name);
  return NULL;
}

static double distance(StictionScene *scene, StictionSimulation *one, StictionScene *other_scene,
                       StictionSimulation *other, const char *name) {
  StictionBody a, b;
  find_body(scene, name, &a);
  find_body(other_scene, name, &b);
  const double *x = stiction_simulation_positions(one) + 3 * a.first_vertex;
  const double *y = stiction_simulation_positions(other) + 3 * b.first_vertex;
  double most = 0;
  for (int i = 0; i < 3 * a.vertex_count; i++)
    most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

static void friction_holds_on(void **state) {
  StictionScene *before = parse_scene(*state, BEFORE), *after = parse_scene(*state, AFTER);
  StictionSimulation *first = start(*state, before), *second = start(*state, after);
  must(*state, stiction_simulation_advance(first, 0.6));
  must(*state, stiction_simulation_take_over(second, first));
  assert_near(stiction_simulation_time(second), 0.6, 0);
  assert_true(distance(before, first, after, second, "low") == 0);
  assert_true(distance(before, first, after, second, "high") == 0);
  static const char *const pair[] = {"low|high", "low|plate"};
  for (int i = 0; i < 2; i++) {
    const StictionPairReport *held = find_pair(first, pair[i]), *taken = find_pair(second, pair[i]);
    double weight = 0.5 * (1 + i); // kg
    assert_near(fabs(held->force[0]), 2.5 * weight, 0.05 * weight);
    for (int c = 0; c < 3; c++)
      assert_near(taken->friction[c], held->friction[c], 1e-9);
    assert_true(taken->sticking > 0);
  }
  must(*state, stiction_simulation_advance(first, 0.1));
  must(*state, stiction_simulation_advance(second, 0.1));
  // Each step is solved to 1e-6 of its change; lost anchors would let go of 0.2 mm.
  assert_true(distance(before, first, after, second, "low") < 1e-8);
  assert_true(distance(before, first, after, second, "high") < 1e-8);
  stiction_simulation_free(first);
  finish(before, NULL);
  finish(after, second);
}

// A knob that the program has lifted stays where it is, and goes on.
static void courses_go_on(void **state) {
  StictionScene *before = parse_scene(*state, WORLD(BLOCK("low", "0.0252"), SPHERE ", " BOX));
  StictionScene *after = parse_scene(
      *state, WORLD(BLOCK("low", "0.0252") ", " FAR("new", "-3"), FLOOR ", " BOX ", " SPHERE));
  StictionSimulation *first = start(*state, before), *second = start(*state, after);
  const StictionPose lift = {.velocity = {0, 0, 0.5}};
  StictionPose pose;
  must(*state, stiction_simulation_move(first, "knob", &lift));
  must(*state, stiction_simulation_move(first, "plate", &lift));
  must(*state, stiction_simulation_advance(first, 0.1));
  must(*state, stiction_simulation_take_over(second, first));
  must(*state, stiction_simulation_advance(second, 0.1));
  must(*state, stiction_simulation_pose(second, "knob", &pose));
  assert_near(pose.translation[2], 0.1, 1e-12);
  must(*state, stiction_simulation_pose(second, "plate", &pose));
  assert_near(pose.translation[2], 0.1, 1e-12);
  StictionBody body;
  int low = find_body(after, "low", &body); // it went up with the plate
  assert_near(stiction_simulation_report(second)->body[low].centre[2], 0.125, 2e-3);
  stiction_simulation_free(first);
  finish(before, NULL);
  finish(after, second);
}

// A state that cannot be leaves everything as it was, anchors included.
static void refusals_change_nothing(void **state) {
  StictionScene *before = parse_scene(*state, BEFORE);
  StictionScene *after = parse_scene(
      *state,
      WORLD(BLOCK("low", "0.0252") ", \"inside\": { \"shape\": { \"type\": \"box\", \"size_x\": "
                                   "0.02, \"size_y\": 0.02, \"size_z\": 0.02, \"edge\": 0.02 }, "
                                   "\"translate\": [0.04, 0, 0.3] }",
            BOX));
  StictionSimulation *first = start(*state, before), *second = start(*state, after);
  StictionSimulation *twin = start(*state, before);
  StictionBody low;
  find_body(before, "low", &low);
  double *x = stiction_simulation_positions(first);
  must(*state, stiction_simulation_advance(first, 0.05));
  for (int i = 0; i < low.vertex_count; i++)
    x[3 * (low.first_vertex + i) + 2] += 0.27; // where the small one is
  must(*state, stiction_simulation_state_changed(first));
  double time = stiction_simulation_time(second);
  must_fail(*state, stiction_simulation_take_over(second, first), STICTION_BAD_INPUT, "inside");
  assert_near(stiction_simulation_time(second), time, 0);
  must(*state, stiction_simulation_advance(second, 0.05));

  must(*state, stiction_simulation_reset(first));
  must(*state, stiction_simulation_advance(first, 0.1));
  must(*state, stiction_simulation_advance(twin, 0.1));
  x[3 * low.first_vertex] += 1; // turns an element inside out
  must_fail(*state, stiction_simulation_state_changed(first), STICTION_BAD_INPUT, "");
  must(*state, stiction_simulation_advance(first, 0.1));
  must(*state, stiction_simulation_advance(twin, 0.1));
  assert_memory_equal(x, stiction_simulation_positions(twin),
                      3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(first));

  must_fail(*state, stiction_simulation_take_over(NULL, first), STICTION_BAD_INPUT, "is NULL");
  must_fail(*state, stiction_simulation_take_over(first, NULL), STICTION_BAD_INPUT, "is NULL");
  must(*state, stiction_simulation_take_over(first, first));
  stiction_simulation_free(first);
  stiction_simulation_free(twin);
  finish(before, NULL);
  finish(after, second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_holds_on),
      cmocka_unit_test(courses_go_on),
      cmocka_unit_test(refusals_change_nothing),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
