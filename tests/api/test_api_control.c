// Control through the public interface: steps of a given length, saving and restoring states,
// moving objects, and changing parameters between steps.
#include "api/session.h"

#include <unistd.h>

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BOX(at)                                                                                    \
  "{ \"material\": \"gum\", \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"     \
  " \"size_z\": 0.1, \"edge\": 0.1 }, " at " }"
#define SHORT "\"time\": { \"duration\": 0.1, \"step\": \"10 ms\", \"frame_rate\": 50 }"

static const char FREE[] =
    "{" GUM "\"bodies\": { \"brick\": " BOX("\"translate\": [0, 0, 0]") " },"
                                                                        "\"gravity\": 0," SHORT "}";

// One box slides on the floor, another one rests on it and is carried along by friction; a wall
// approaches from the side.
#define PAIR_OF(integrator, stick)                                                                 \
  "{" GUM                                                                                          \
  "\"bodies\": { \"low\": " BOX("\"translate\": [0, 0, 0.0503], \"velocity\": [0.8, 0, "           \
                                "0]") ", \"top\": " BOX("\"translate\": [0.01, 0.005, "            \
                                                        "0.1507], \"velocity\": [0.8, 0, "         \
                                                        "0]") " },"                                \
                                                              "\"obstacles\": { "                  \
                                                              "\"floor\": { \"shape\": { "         \
                                                              "\"type\": \"half_space\" "          \
                                                              "} },"                               \
                                                              " \"wall\": { \"shape\": { "         \
                                                              "\"type\": \"box\", "                \
                                                              "\"size_x\": 0.1, "                  \
                                                              "\"size_y\": 0.3, "                  \
                                                              "\"size_z\": 0.3 },"                 \
                                                              "   \"translate\": [0.2, "           \
                                                              "0, 0.15], \"motion\": { "           \
                                                              "\"interpolation\": "                \
                                                              "\"smooth\","                        \
                                                              "   \"keys\": [{ \"time\": "         \
                                                              "0, \"translate\": [0, 0, "          \
                                                              "0] }, { \"time\": 0.1, "            \
                                                              "\"translate\": [-0.03, 0, "         \
                                                              "0] }] } } },"                       \
                                                              "\"friction\": [{ "                  \
                                                              "\"between\": \"any\", "             \
                                                              "\"dynamic\": 0.4, "                 \
                                                              "\"static\": 0.5, "                  \
                                                              "\"stick\": \"" stick "\" }],"       \
                                                              "\"integrator\": "                   \
                                                              "\"" integrator "\"," SHORT "}"

static double *copy_positions(StictionSimulation *simulation) {
  size_t size = 3 * (size_t)stiction_simulation_vertex_count(simulation) * sizeof(double);
  double *copy = malloc(2 * size);
  assert_non_null(copy);
  memcpy(copy, stiction_simulation_positions(simulation), size);
  memcpy((char *)copy + size, stiction_simulation_velocities(simulation), size);
  return copy;
}

// Bitwise equal.
static void assert_same(StictionSimulation *a, StictionSimulation *b) {
  int count = stiction_simulation_vertex_count(a);
  double *left = copy_positions(a), *right = copy_positions(b);
  for (int i = 0; i < 6 * count; i++)
    if (left[i] != right[i])
      fail_msg("number %d: %.17g is not %.17g", i, left[i], right[i]);
  free(left);
  free(right);
  assert_true(stiction_simulation_time(a) == stiction_simulation_time(b));
}

static void advance(Stiction *session, StictionSimulation *simulation, int times, double by) {
  for (int i = 0; i < times; i++)
    must(session, stiction_simulation_advance(simulation, by));
}

static double mean(const double *value, int count, int axis) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += value[3 * i + axis];
  return sum / count;
}

static double mean_speed(StictionSimulation *simulation, int axis) {
  return mean(stiction_simulation_velocities(simulation),
              stiction_simulation_vertex_count(simulation), axis);
}

static double mean_place(StictionSimulation *simulation, int axis) {
  return mean(stiction_simulation_positions(simulation),
              stiction_simulation_vertex_count(simulation), axis);
}

static void steps_are_as_long_as_asked_for(void **state) {
  StictionScene *scene = parse_scene(*state, FREE);
  StictionSimulation *simulation = start(*state, scene);
  must(*state, stiction_simulation_advance(simulation, 0.003));
  assert_true(stiction_simulation_time(simulation) == 0.003);
  assert_int_equal(stiction_simulation_report(simulation)->step, 1);
  assert_near(stiction_simulation_report(simulation)->step_size, 0.003, 0);
  must(*state, stiction_simulation_advance(simulation, 0.025)); // over a frame, in three steps
  assert_true(stiction_simulation_time(simulation) == 0.003 + 0.025);
  assert_int_equal(stiction_simulation_report(simulation)->step, 4);
  must(*state, stiction_simulation_advance_to(simulation, 0.03));
  assert_true(stiction_simulation_time(simulation) == 0.03);
  must(*state, stiction_simulation_advance_to(simulation, 0.03));
  assert_int_equal(stiction_simulation_report(simulation)->step, 5);
  must(*state, stiction_simulation_advance_to(simulation, 0.5)); // the scene ends at 0.1 s
  assert_true(stiction_simulation_time(simulation) == 0.5);
  assert_true(stiction_simulation_finished(simulation));
  must_fail(*state, stiction_simulation_step(simulation), STICTION_BAD_INPUT, "ends at");
  must_fail(*state, stiction_simulation_advance_to(simulation, 0.4), STICTION_BAD_INPUT,
            "cannot advance to 0.4 s");
  must_fail(*state, stiction_simulation_advance(simulation, 0), STICTION_BAD_INPUT, "step of 0 s");
  must_fail(*state, stiction_simulation_advance(simulation, NAN), STICTION_BAD_INPUT, "step of");
  must_fail(*state, stiction_simulation_advance_to(simulation, INFINITY), STICTION_BAD_INPUT,
            "no time of a simulation");
  finish(scene, simulation);
}

// If steps have the length of frames, `step` and `advance` are the same.
static void advancing_is_stepping(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2", "anchored"));
  StictionSimulation *a = start(*state, scene), *b = start(*state, scene);
  go_on(*state, a, 4);
  for (int i = 1; i <= 2; i++)
    must(*state, stiction_simulation_advance_to(b, 0.02 * i));
  assert_int_equal(stiction_simulation_report(b)->step, stiction_simulation_report(a)->step);
  assert_same(a, b);
  stiction_simulation_free(a);
  finish(scene, b);
}

// Saves a state in the middle, tries others from there, and restores: the result is bitwise that of
// an undisturbed simulation.
static void restoring_gives_the_same_bits(Stiction *session, const char *text) {
  StictionScene *scene = parse_scene(session, text);
  StictionSimulation *plain = start(session, scene), *tried = start(session, scene);
  StictionState *saved = NULL;
  advance(session, plain, 5, 0.008);
  advance(session, tried, 5, 0.008);
  must(session, stiction_simulation_save(tried, &saved));
  assert_near(stiction_state_time(saved), 0.04, 1e-12);
  const StictionPose away = {.velocity = {1, 0, 0}};
  must(session, stiction_simulation_move(tried, "wall", &away));
  advance(session, tried, 4, 0.01);
  must(session, stiction_simulation_restore(tried, saved));
  assert_same(plain, tried);
  for (int i = 0; i < 6; i++) {
    advance(session, plain, 1, 0.008);
    advance(session, tried, 1, 0.008);
    assert_same(plain, tried);
  }
  assert_true(stiction_simulation_report(plain)->contact.touching > 0);
  stiction_state_free(saved);
  stiction_simulation_free(plain);
  finish(scene, tried);
}

static void every_integrator_goes_back(void **state) {
  static const char *const SCENE[] = {
      PAIR_OF("be", "anchored"),      PAIR_OF("bdf2", "anchored"),
      PAIR_OF("tr_bdf2", "anchored"), PAIR_OF("sdirk2", "anchored"),
      PAIR_OF("tr", "anchored"),      PAIR_OF("tr_decoupled", "velocity"),
      PAIR_OF("tr_bdf2", "velocity"),
  };
  for (size_t i = 0; i < sizeof SCENE / sizeof *SCENE; i++)
    restoring_gives_the_same_bits(*state, SCENE[i]);
}

// As bytes, in a file, and into another simulation of the same scene.
static void states_travel(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2", "anchored"));
  StictionSimulation *first = start(*state, scene), *second = start(*state, scene);
  StictionSimulation *third = start(*state, scene);
  StictionState *saved = NULL, *from_bytes = NULL, *from_file = NULL;
  const StictionPose back = {.velocity = {0.2, 0, 0}};
  advance(*state, first, 4, 0.01);
  must(*state, stiction_simulation_move(first, "wall", &back));
  advance(*state, first, 1, 0.01);
  must(*state, stiction_simulation_save(first, &saved));
  const void *bytes = NULL;
  size_t size = 0;
  must(*state, stiction_state_bytes(*state, saved, &bytes, &size));
  char *copy = malloc(size);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  must(*state, stiction_state_from_bytes(*state, copy, size, &from_bytes));
  copy[size / 2] ^= 1;
  StictionState *damaged = NULL;
  must_fail(*state, stiction_state_from_bytes(*state, copy, size, &damaged), STICTION_BAD_INPUT,
            "damaged");
  assert_null(damaged);
  char path[] = "control_state.h5";
  must(*state, stiction_state_write(*state, saved, path));
  must(*state, stiction_state_read(*state, path, &from_file));
  unlink(path);
  must(*state, stiction_simulation_restore(second, from_bytes));
  must(*state, stiction_simulation_restore(third, from_file));
  advance(*state, first, 4, 0.01);
  advance(*state, second, 4, 0.01);
  advance(*state, third, 4, 0.01);
  assert_same(first, second);
  assert_same(first, third);
  free(copy);
  stiction_state_free(saved);
  stiction_state_free(from_bytes);
  stiction_state_free(from_file);
  stiction_simulation_free(first);
  stiction_simulation_free(second);
  finish(scene, third);
}

static void a_state_of_another_scene_is_refused(void **state) {
  StictionScene *one = parse_scene(*state, FREE),
                *other = parse_scene(*state, PAIR_OF("be", "anchored"));
  StictionSimulation *from = start(*state, one), *to = start(*state, other);
  StictionState *saved = NULL;
  must(*state, stiction_simulation_save(from, &saved));
  double *before = copy_positions(to);
  must_fail(*state, stiction_simulation_restore(to, saved), STICTION_BAD_INPUT, "scene with other");
  double *after = copy_positions(to);
  assert_memory_equal(before, after,
                      6 * sizeof(double) * (size_t)stiction_simulation_vertex_count(to));
  free(before);
  free(after);
  stiction_state_free(saved);
  finish(one, from);
  finish(other, to);
}

static void a_reset_is_a_new_beginning(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2", "anchored"));
  StictionSimulation *fresh = start(*state, scene), *used = start(*state, scene);
  const StictionPose away = {.velocity = {1, 0, 0}};
  advance(*state, used, 3, 0.01);
  must(*state, stiction_simulation_move(used, "wall", &away));
  advance(*state, used, 3, 0.01);
  must(*state, stiction_simulation_reset(used));
  assert_true(stiction_simulation_time(used) == 0);
  assert_same(fresh, used);
  advance(*state, fresh, 6, 0.01);
  advance(*state, used, 6, 0.01);
  assert_same(fresh, used);
  stiction_simulation_free(fresh);
  finish(scene, used);
}

// Free fall under changing gravity: backward Euler's velocities are exact.
static void gravity_changes(void **state) {
  StictionScene *scene = parse_scene(*state, FREE);
  StictionSimulation *simulation = start(*state, scene), *other = start(*state, scene);
  const double moon[3] = {0, 0, -1.6}, up[3] = {0, 0, 4};
  double got[3];
  advance(*state, simulation, 2, 0.01);
  assert_near(mean_speed(simulation, 2), 0, 1e-12);
  must(*state, stiction_simulation_set(simulation, "gravity", 3, moon)); // none acted so far
  must(*state, stiction_simulation_get(simulation, "gravity", 3, got));
  assert_near(got[2], -1.6, 0);
  advance(*state, simulation, 5, 0.01);
  assert_near(mean_speed(simulation, 2), -0.08, 1e-9);
  must(*state, stiction_simulation_set(simulation, "gravity", 3, up));
  advance(*state, simulation, 2, 0.01);
  assert_near(mean_speed(simulation, 2), 0, 1e-9);
  const double *force = NULL;
  must(*state, stiction_simulation_forces(simulation, "gravity", &force));
  double sum = 0;
  for (int i = 0; i < stiction_simulation_vertex_count(simulation); i++)
    sum += force[3 * i + 2];
  assert_near(sum, 4, 1e-9);       // 1 kg
  advance(*state, other, 5, 0.01); // of the same scene
  assert_near(mean_speed(other, 2), 0, 1e-12);
  stiction_simulation_free(other);
  finish(scene, simulation);
}

#define ON_FLOOR                                                                                   \
  "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } },"                     \
  "\"friction\": [{ \"between\": \"any\", \"dynamic\": 0.5 }],"

static const char PULLED[] = "{" GUM "\"bodies\": { \"brick\": " BOX(
    "\"translate\": [0, 0, 0.0503]") " }," ON_FLOOR "\"loads\": { \"hand\": { \"region\": \"all\", "
                                     "\"force\": [0, 0, 0] } }," SHORT "}";

// 1 kg on a floor is pulled by 3 N: friction of 0.5 holds it, 0.2 does not.
static void loads_and_friction_change(void **state) {
  StictionScene *scene = parse_scene(*state, PULLED);
  StictionSimulation *simulation = start(*state, scene);
  const double pull[3] = {3, 0, 0}, slippery = 0.2, rough = 0.9, half = 0.5, third = 0.3;
  double value;
  advance(*state, simulation, 20, 0.01);
  must(*state, stiction_simulation_set(simulation, "loads.hand.force", 3, pull));
  advance(*state, simulation, 30, 0.01);
  assert_near(mean_speed(simulation, 0), 0, 1e-4);
  must(*state, stiction_simulation_set(simulation, "friction.brick|floor.dynamic", 1, &slippery));
  must(*state, stiction_simulation_get(simulation, "friction.brick|floor.static", 1, &value));
  assert_near(value, 0.2, 0); // the scene gives dynamic friction alone
  must(*state, stiction_simulation_set(simulation, "friction.brick|floor.static", 1, &half));
  must(*state, stiction_simulation_set(simulation, "friction.brick|floor.dynamic", 1, &third));
  must(*state, stiction_simulation_get(simulation, "friction.brick|floor.static", 1, &value));
  assert_near(value, half, 0);
  must(*state, stiction_simulation_set(simulation, "friction.brick|floor.static", 1, &slippery));
  must(*state, stiction_simulation_get(simulation, "friction.brick|floor.dynamic", 1, &value));
  assert_near(value, 0.2, 0);
  double before = mean_speed(simulation, 0);
  advance(*state, simulation, 20, 0.01);
  double gained = mean_speed(simulation, 0) - before;
  assert_near(gained, 0.2 * (3 - 0.2 * 9.81), 0.02 * 0.2);
  must(*state, stiction_simulation_set(simulation, "friction.brick|floor.dynamic", 1, &rough));
  advance(*state, simulation, 40, 0.01);
  assert_near(mean_speed(simulation, 0), 0, 1e-4);
  const double wrong = -1;
  must_fail(*state, stiction_simulation_set(simulation, "friction.brick|floor.dynamic", 1, &wrong),
            STICTION_BAD_INPUT, "range");
  must_fail(*state, stiction_simulation_set(simulation, "friction.brick|flor.dynamic", 1, &rough),
            STICTION_BAD_INPUT, "did you mean \"friction.brick|floor.dynamic\"");
  must_fail(*state, stiction_simulation_set(simulation, "gravity", 1, &rough), STICTION_BAD_INPUT,
            "has 3 numbers");
  finish(scene, simulation);
}

static const char PRESSED[] =
    "{ \"materials\": { \"gum\": { \"young\": \"100 kPa\", \"poisson\": 0, \"density\": 1000,"
    " \"mass_damping\": \"40 1/s\" } }, \"bodies\": { \"brick\": " BOX(
        "\"translate\": [0, 0, 0]") " },"
                                    "\"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" "
                                    "} } }, \"gravity\": 0,"
                                    "\"loads\": { \"hand\": { \"region\": { \"label\": \"z+\" }, "
                                    "\"force\": [0, 0, \"10 N\"] } }," SHORT "}";

static double stretch(StictionSimulation *simulation) {
  const double *position = stiction_simulation_positions(simulation);
  double high = -1;
  for (int i = 0; i < stiction_simulation_vertex_count(simulation); i++)
    high = fmax(high, position[3 * i + 2]);
  return high - 0.05;
}

// A bar twice as stiff gives half as much, up to its few per cent of nonlinearity.
static void materials_change(void **state) {
  StictionScene *scene = parse_scene(*state, PRESSED);
  StictionSimulation *simulation = start(*state, scene);
  advance(*state, simulation, 100, 0.01);
  double soft = stretch(simulation);
  assert_near(soft, 1e-3, 0.03e-3);
  const double stiff = 200e3;
  must(*state, stiction_simulation_set(simulation, "materials.gum.young", 1, &stiff));
  double time = stiction_simulation_time(simulation), place = stretch(simulation);
  StictionState *saved = NULL;
  must(*state, stiction_simulation_save(simulation, &saved)); // rebuilt; nothing moves
  assert_true(stiction_simulation_time(simulation) == time && stretch(simulation) == place);
  advance(*state, simulation, 100, 0.01);
  assert_near(stretch(simulation), soft / 2, 0.02 * soft);
  int count = stiction_simulation_parameter_count(simulation), found = 0;
  for (int i = 0; i < count; i++) {
    StictionParameter parameter;
    must(*state, stiction_simulation_parameter(simulation, i, &parameter));
    if (strcmp(parameter.name, "materials.gum.young") == 0) {
      found++;
      assert_near(parameter.value[0], stiff, 0);
      assert_string_equal(parameter.unit, "Pa");
    }
  }
  assert_int_equal(found, 1);
  stiction_state_free(saved);
  finish(scene, simulation);
}

// Rebuilding the simulation internally does not change its results.
static void being_made_anew_changes_nothing(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2", "anchored"));
  StictionSimulation *plain = start(*state, scene), *anew = start(*state, scene);
  double young;
  advance(*state, plain, 5, 0.01);
  advance(*state, anew, 5, 0.01);
  must(*state, stiction_simulation_get(anew, "materials.gum.young", 1, &young));
  must(*state, stiction_simulation_set(anew, "materials.gum.young", 1, &young));
  advance(*state, plain, 5, 0.01);
  advance(*state, anew, 5, 0.01);
  assert_same(plain, anew);
  stiction_simulation_free(plain);
  finish(scene, anew);
}

static const char TURNED[] = "{" GUM "\"bodies\": { \"brick\": " BOX(
    "\"translate\": [0.2, 0, 0]") " }, \"gravity\": 0,"
                                  "\"boundaries\": { \"grip\": { \"region\": { \"label\": \"x-\" } "
                                  "} }," SHORT "}";

// A quarter turn about the origin and a lift, in ten moves and in one, then at a velocity.
static void things_are_sent(void **state) {
  StictionScene *scene = parse_scene(*state, TURNED);
  StictionSimulation *simulation = start(*state, scene);
  StictionPose pose = {.translation = {0, 0, 0.1}, .rotation = {0, 0, M_PI / 2}}, now;
  must(*state, stiction_simulation_move_to(simulation, "grip", &pose, 0.5));
  must(*state, stiction_simulation_advance(simulation, 0.25));
  must(*state, stiction_simulation_pose(simulation, "grip", &now));
  assert_near(now.rotation[2], M_PI / 4, 1e-12);
  assert_near(now.translation[2], 0.05, 1e-12);
  assert_near(now.spin[2], M_PI, 1e-12);
  must(*state, stiction_simulation_advance(simulation, 0.5));
  must(*state, stiction_simulation_pose(simulation, "grip", &now));
  assert_near(now.rotation[2], M_PI / 2, 1e-12);
  assert_near(now.velocity[2], 0, 0);
  assert_near(mean_place(simulation, 1), 0.2, 2e-3);
  assert_near(mean_place(simulation, 2), 0.1, 2e-3);
  const StictionPose rate = {.velocity = {0.5, 0, 0}};
  must(*state, stiction_simulation_move(simulation, "grip", &rate));
  advance(*state, simulation, 10, 0.02);
  must(*state, stiction_simulation_pose(simulation, "grip", &now));
  assert_near(now.translation[0], 0.1, 1e-12);
  pose = (StictionPose){.translation = {0.1, 0, 0.1}, .rotation = {M_PI, 0, 0}};
  must(*state, stiction_simulation_move_to(simulation, "grip", &pose, 0.3)); // by a half turn
  must(*state, stiction_simulation_advance(simulation, 0.3));
  must(*state, stiction_simulation_pose(simulation, "grip", &now));
  for (int c = 0; c < 3; c++)
    assert_near(fabs(now.rotation[c]), pose.rotation[c], 1e-7); // about either end of its axis
  const double at_once = stiction_simulation_time(simulation);
  must(*state, stiction_simulation_set(simulation, "boundaries.grip.release", 1, &at_once));
  const double pull[3] = {0, 0, 0.5};
  double before = stiction_simulation_report(simulation)->momentum[2]; // of 1 kg
  must(*state, stiction_simulation_set(simulation, "gravity", 3, pull));
  advance(*state, simulation, 10, 0.01);
  assert_near(stiction_simulation_report(simulation)->momentum[2] - before, 0.05, 1e-9);
  must_fail(*state, stiction_simulation_move(simulation, "hand", &rate), STICTION_BAD_INPUT,
            "no boundary and no obstacle named \"hand\"");
  must_fail(*state, stiction_simulation_move_to(simulation, "grip", &rate, 0), STICTION_BAD_INPUT,
            "above 0 s");
  finish(scene, simulation);
}

static bool push(void *context, double time, StictionPose *pose) {
  (void)context;
  pose->translation[0] = -0.1 * fmax(time - 0.02, 0);
  pose->velocity[0] = time < 0.02 ? 0 : -0.1;
  return true;
}

// A fixed obstacle is driven by a callback from the middle of a simulation on.
static void callbacks_come_late(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("be", "anchored"));
  StictionSimulation *simulation = start(*state, scene);
  StictionPose pose;
  advance(*state, simulation, 2, 0.01);
  must(*state, stiction_simulation_drive(simulation, "floor", push, NULL));
  must(*state, stiction_simulation_drive(simulation, "wall", NULL, NULL)); // as the scene says
  advance(*state, simulation, 3, 0.01);
  must(*state, stiction_simulation_pose(simulation, "floor", &pose));
  assert_near(pose.translation[0], -0.003, 1e-12);
  finish(scene, simulation);
}

static void time_is_set(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2", "anchored"));
  StictionSimulation *simulation = start(*state, scene);
  StictionPose pose;
  must(*state, stiction_simulation_set_time(simulation, 0.05));
  assert_true(stiction_simulation_time(simulation) == 0.05);
  assert_near(stiction_simulation_report(simulation)->time, 0.05, 0);
  must(*state, stiction_simulation_pose(simulation, "wall", &pose));
  assert_near(pose.translation[0], -0.015, 1e-9);
  advance(*state, simulation, 2, 0.01);
  must_fail(*state, stiction_simulation_set_time(simulation, -1), STICTION_BAD_INPUT,
            "no time of a simulation");
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_as_long_as_asked_for),
      cmocka_unit_test(advancing_is_stepping),
      cmocka_unit_test(every_integrator_goes_back),
      cmocka_unit_test(states_travel),
      cmocka_unit_test(a_state_of_another_scene_is_refused),
      cmocka_unit_test(a_reset_is_a_new_beginning),
      cmocka_unit_test(gravity_changes),
      cmocka_unit_test(loads_and_friction_change),
      cmocka_unit_test(materials_change),
      cmocka_unit_test(being_made_anew_changes_nothing),
      cmocka_unit_test(things_are_sent),
      cmocka_unit_test(callbacks_come_late),
      cmocka_unit_test(time_is_set),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
