// External motion: boundaries and obstacles moved by callbacks.
#include "api/session.h"

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BRICK                                                                                      \
  "\"bodies\": { \"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","              \
  " \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.05 } } },"
#define TIME "\"integrator\": \"bdf2\", \"time\": { \"duration\": \"0.2 s\", \"step\": \"10 ms\" }"
#define FOOT(motion)                                                                               \
  "{" GUM BRICK "\"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" }" motion           \
  " } }," TIME "}"
#define FLOOR(motion)                                                                              \
  "{" GUM BRICK "\"friction\": [{ \"between\": \"any\", \"dynamic\": 0.5 }],"                      \
  "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" },"                         \
  " \"translate\": [0, 0, -0.0502]" motion " } }," TIME "}"

// As the scenes' motions below: 0.3 m/s along x, and a turn about z through (0.02, 0, 0).
static bool move(void *context, double time, StictionPose *pose) {
  ++*(int *)context;
  assert_near(pose->translation[0], 0, 0);
  pose->pivot[0] = 0.02;
  pose->translation[0] = 0.3 * time;
  pose->velocity[0] = 0.3;
  pose->rotation[2] = 2 * time;
  pose->spin[2] = 2;
  return true;
}

// A scene with keyframes and one that a program drives in the same way give the same result.
static void compare(Stiction *session, const char *with_keys, const char *plain, const char *name) {
  StictionScene *keyed = parse_scene(session, with_keys), *driven = parse_scene(session, plain);
  int calls = 0;
  must(session, stiction_scene_drive(driven, name, move, &calls));
  StictionSimulation *wanted = start(session, keyed), *got = start(session, driven);
  go_on(session, wanted, 1000);
  go_on(session, got, 1000);
  assert_true(stiction_simulation_finished(got) && calls > 20);
  int count = stiction_simulation_vertex_count(got);
  for (int i = 0; i < 3 * count; i++) {
    assert_near(stiction_simulation_positions(got)[i], stiction_simulation_positions(wanted)[i],
                1e-8);
    assert_near(stiction_simulation_velocities(got)[i], stiction_simulation_velocities(wanted)[i],
                1e-5);
  }
  finish(keyed, wanted);
  finish(driven, got);
}

#define MOTION                                                                                     \
  ", \"motion\": { \"velocity\": [0.3, 0, 0], \"spin\": 2, \"axis\": \"z\", \"centre\": [0.02, "   \
  "0, 0] }"

static void boundary_is_driven_like_by_keyframes(void **state) {
  compare(*state, FOOT(MOTION), FOOT(""), "foot");
}

// Friction drags the block along: velocities of the obstacle matter, not only its position.
static void obstacle_is_driven_like_by_keyframes(void **state) {
  compare(*state, FLOOR(MOTION), FLOOR(""), "floor");
}

// Held vertices are exactly where the pose puts them.
static void pose_is_kept_exactly(void **state) {
  StictionScene *scene = parse_scene(*state, FOOT(""));
  StictionBoundary foot;
  StictionBody body;
  int calls = 0;
  must(*state, stiction_scene_boundary(scene, 0, &foot));
  must(*state, stiction_scene_body(scene, 0, &body));
  must(*state, stiction_scene_drive(scene, "foot", move, &calls));
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 7);
  double t = stiction_simulation_time(simulation);
  for (int i = 0; i < foot.vertex_count; i++) {
    const double *X = body.rest + 3 * foot.vertex[i];
    const double *x = stiction_simulation_positions(simulation) + 3 * foot.vertex[i];
    const double *v = stiction_simulation_velocities(simulation) + 3 * foot.vertex[i];
    double arm[2] = {cos(2 * t) * (X[0] - 0.02) - sin(2 * t) * X[1],
                     sin(2 * t) * (X[0] - 0.02) + cos(2 * t) * X[1]};
    assert_near(x[0], 0.02 + 0.3 * t + arm[0], 1e-14);
    assert_near(x[1], arm[1], 1e-14);
    assert_near(x[2], X[2], 1e-15);
    assert_near(v[0], 0.3 - 2 * arm[1], 1e-9); // an instant before the end
    assert_near(v[1], 2 * arm[0], 1e-9);
  }
  finish(scene, simulation);
}

// Spreads the foot, which no rigid motion does.
static bool spread(void *context, double time, int count, double *position, double *velocity) {
  (void)context;
  for (int i = 0; i < count; i++) {
    velocity[3 * i] = 0.5 * position[3 * i];
    position[3 * i] *= 1 + 0.5 * time;
  }
  return true;
}

static void vertices_are_driven_one_by_one(void **state) {
  StictionScene *scene = parse_scene(*state, FOOT(""));
  StictionBoundary foot;
  StictionBody body;
  must(*state, stiction_scene_boundary(scene, 0, &foot));
  must(*state, stiction_scene_body(scene, 0, &body));
  must(*state, stiction_scene_drive_vertices(scene, "foot", spread, NULL));
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 1000);
  for (int i = 0; i < foot.vertex_count; i++) {
    int v = foot.vertex[i];
    assert_near(stiction_simulation_positions(simulation)[3 * v], 1.1 * body.rest[3 * v], 1e-14);
    assert_near(stiction_simulation_velocities(simulation)[3 * v], 0.5 * body.rest[3 * v], 1e-12);
    assert_near(stiction_simulation_positions(simulation)[3 * v + 2], body.rest[3 * v + 2], 1e-15);
  }
  finish(scene, simulation);
}

// A controller: the program reacts between steps to what it has seen.
typedef struct Hand {
  double time, place, speed;
} Hand;

static bool follow(void *context, double time, StictionPose *pose) {
  const Hand *hand = context;
  pose->translation[2] = hand->place + hand->speed * (time - hand->time);
  pose->velocity[2] = hand->speed;
  return true;
}

// Lifts until the foot carries twice the block's weight, by feedback.
static void program_may_react_between_steps(void **state) {
  Hand hand = {.speed = 0};
  StictionScene *scene = parse_scene(*state, FOOT(""));
  must(*state, stiction_scene_drive(scene, "foot", follow, &hand));
  StictionSimulation *simulation = start(*state, scene);
  for (int i = 0; i < 10; i++) {
    hand = (Hand){stiction_simulation_time(simulation),
                  hand.place + hand.speed * (stiction_simulation_time(simulation) - hand.time),
                  0.1 * i};
    must(*state, stiction_simulation_step(simulation));
  }
  // Sum of 0.1 i h for i = 0 … 9.
  assert_near(stiction_simulation_positions(simulation)[2], -0.05 + 0.1 * 45 * 0.01, 1e-14);
  finish(scene, simulation);
}

static bool give_up(void *context, double time, StictionPose *pose) {
  (void)pose;
  return time < *(double *)context;
}

static bool lose_count(void *context, double time, StictionPose *pose) {
  pose->velocity[1] = time < *(double *)context ? 0 : NAN;
  return true;
}

// The step is not taken; once the program answers again, the run continues.
static void refusal_interrupts(Stiction *session, const char *text, const char *name,
                               StictionPoseAt pose) {
  double until = 0.035;
  StictionScene *scene = parse_scene(session, text);
  must(session, stiction_scene_drive(scene, name, pose, &until));
  StictionSimulation *simulation = start(session, scene);
  go_on(session, simulation, 3);
  double height = stiction_simulation_positions(simulation)[2];
  for (int i = 0; i < 2; i++)
    must_fail(session, stiction_simulation_step(simulation), STICTION_INTERRUPTED, name);
  assert_near(stiction_simulation_time(simulation), 0.03, 1e-15);
  assert_near(stiction_simulation_positions(simulation)[2], height, 0);
  until = 1;
  must(session, stiction_simulation_step(simulation));
  assert_near(stiction_simulation_time(simulation), 0.04, 1e-12);
  stiction_simulation_free(simulation);
  until = -1;
  must_fail(session, stiction_simulation_create(session, scene, &simulation), STICTION_INTERRUPTED,
            name);
  assert_null(simulation);
  stiction_scene_free(scene);
}

static void program_may_give_up(void **state) {
  refusal_interrupts(*state, FOOT(""), "foot", give_up);
  refusal_interrupts(*state, FLOOR(""), "floor", give_up);
  refusal_interrupts(*state, FOOT(""), "foot", lose_count);
}

static void wrong_requests_are_explained(void **state) {
  StictionScene *scene = parse_scene(*state, FLOOR(""));
  int calls = 0;
  must_fail(*state, stiction_scene_drive(scene, "flor", move, &calls), STICTION_BAD_INPUT,
            "\"flor\"");
  must_fail(*state, stiction_scene_drive_vertices(scene, "floor", spread, NULL), STICTION_BAD_INPUT,
            "no boundary");
  StictionSimulation *simulation = start(*state, scene);
  must(*state, stiction_scene_drive(scene, "floor", move, &calls)); // not for one that is there
  must(*state, stiction_simulation_step(simulation));
  assert_int_equal(calls, 0);
  stiction_simulation_free(simulation);
  must(*state, stiction_scene_drive(scene, "floor", NULL, NULL));
  simulation = start(*state, scene);
  go_on(*state, simulation, 2);
  assert_int_equal(calls, 0);
  finish(scene, simulation);
}

// Where two boundaries hold vertices still together, neither can be driven.
static void shared_vertices_are_not_driven(void **state) {
  StictionScene *scene = parse_scene(
      *state, "{" GUM BRICK "\"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } },"
              " \"side\": { \"region\": { \"label\": \"x-\" } },"
              " \"top\": { \"region\": { \"box\": { \"min\": [0, -1, 0.04],"
              " \"max\": [1, 1, 1] } } } }," TIME "}");
  int calls = 0;
  must_fail(*state, stiction_scene_drive(scene, "foot", move, &calls), STICTION_BAD_INPUT,
            "boundary \"foot\" cannot be driven: \"side\" holds some of its vertices still");
  must_fail(*state, stiction_scene_drive_vertices(scene, "side", spread, NULL), STICTION_BAD_INPUT,
            "\"foot\" holds some of its vertices still");
  must(*state, stiction_scene_drive(scene, "foot", NULL, NULL));
  must(*state, stiction_scene_drive(scene, "top", move, &calls));
  StictionSimulation *simulation = start(*state, scene);
  must_fail(*state, stiction_simulation_move_to(simulation, "side", &(StictionPose){0}, 0.1),
            STICTION_BAD_INPUT, "\"foot\" holds some of its vertices still");
  finish(scene, simulation);
}

// A rigid body follows a pose; its vertices cannot move independently.
static void rigid_bodies_are_driven_whole(void **state) {
  StictionScene *scene = parse_scene(
      *state, "{ \"materials\": { \"steel\": { \"law\": \"rigid\", \"density\": 7800 } },"
              " \"bodies\": { \"die\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1,"
              " \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 } } },"
              " \"boundaries\": { \"grip\": { \"region\": { \"label\": \"z-\" } } }," TIME "}");
  int calls = 0;
  must_fail(*state, stiction_scene_drive_vertices(scene, "grip", spread, NULL), STICTION_BAD_INPUT,
            "rigid body \"die\"");
  must(*state, stiction_scene_drive(scene, "grip", move, &calls));
  StictionSimulation *simulation = start(*state, scene);
  double before = stiction_simulation_positions(simulation)[2];
  go_on(*state, simulation, 5);
  assert_true(calls > 0);
  assert_near(stiction_simulation_positions(simulation)[2], before, 1e-14);
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boundary_is_driven_like_by_keyframes),
      cmocka_unit_test(obstacle_is_driven_like_by_keyframes),
      cmocka_unit_test(pose_is_kept_exactly),
      cmocka_unit_test(vertices_are_driven_one_by_one),
      cmocka_unit_test(program_may_react_between_steps),
      cmocka_unit_test(program_may_give_up),
      cmocka_unit_test(wrong_requests_are_explained),
      cmocka_unit_test(shared_vertices_are_not_driven),
      cmocka_unit_test(rigid_bodies_are_driven_whole),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
