// A grasp planned by trial: save, try twenty squeezes, restore, take the best. And a controller
// that sends the fingers anew in every step holds as firmly as one that sends them once.
#include "api/session.h"

// A soft block of 1 kg stands between two fingers on a floor. μ = 0.5: each finger must press with
// 9.8 N to lift it, which takes about 2 mm.
static const char FINGERS[] =
    "{ \"materials\": { \"foam\": { \"young\": \"50 kPa\", \"poisson\": 0, \"density\": 1000,"
    " \"stiffness_damping\": \"5 ms\" } }, \"bodies\": { \"block\": { \"shape\": { \"type\": "
    "\"box\","
    " \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1 },"
    " \"translate\": [0, 0, 0.0502] } },"
    "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } },"
    " \"left\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.02, \"size_y\": 0.2, \"size_z\": "
    "0.2 },"
    "  \"translate\": [-0.0605, 0, 0.1002], \"material\": \"skin\" },"
    " \"right\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.02, \"size_y\": 0.2, \"size_z\": "
    "0.2 },"
    "  \"translate\": [0.0605, 0, 0.1002], \"material\": \"skin\" } },"
    "\"friction\": [{ \"between\": [\"foam\", \"skin\"], \"dynamic\": 0.5 }],"
    "\"output\": { \"judge\": \"off\" }, \"time\": { \"step\": \"10 ms\" } }";

enum { TRIES = 20 };
static const double LIFT = 0.05;

// Both fingers close by so much, then rise. Returns how high the block is then.
static double lift(Stiction *session, StictionSimulation *simulation, double squeeze) {
  for (int up = 0; up < 2; up++) {
    StictionPose left = {.translation = {0.0005 + squeeze, 0, up * LIFT}};
    StictionPose right = {.translation = {-0.0005 - squeeze, 0, up * LIFT}};
    must(session, stiction_simulation_move_to(simulation, "left", &left, 0.1));
    must(session, stiction_simulation_move_to(simulation, "right", &right, 0.1));
    must(session, stiction_simulation_advance(simulation, 0.1));
  }
  must(session, stiction_simulation_advance(simulation, 0.05));
  return stiction_simulation_report(simulation)->body[0].centre[2];
}

static void the_gentlest_grasp_that_lifts(void **state) {
  StictionScene *scene = parse_scene(*state, FINGERS);
  StictionSimulation *simulation = start(*state, scene);
  StictionState *here = NULL;
  must(*state, stiction_simulation_advance(simulation, 0.1));
  must(*state, stiction_simulation_save(simulation, &here));
  double height[TRIES], best = 0;
  for (int i = 0; i < TRIES; i++) {
    double squeeze = 0.4e-3 * (i + 1);
    height[i] = lift(*state, simulation, squeeze);
    if (best == 0 && height[i] > 0.05 + 0.9 * LIFT)
      best = squeeze;
    must(*state, stiction_simulation_restore(simulation, here));
  }
  assert_true(height[0] < 0.06);               // pressed by 2 N it stays behind
  assert_true(best > 1.5e-3 && best < 4.5e-3); // 9.8 N at 5 N/mm of half a block, and some slip
  double done = lift(*state, simulation, best);
  assert_true(done == height[(int)(best / 0.4e-3 + 0.5) - 1]); // as foreseen, to the bit
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_near(report->body[0].contact_force[2], 9.81, 1);
  stiction_state_free(here);
  finish(scene, simulation);
}

static void send(Stiction *session, StictionSimulation *simulation, double closing,
                 double lifting) {
  const StictionPose left = {.velocity = {closing, 0, lifting}};
  const StictionPose right = {.velocity = {-closing, 0, lifting}};
  must(session, stiction_simulation_move(simulation, "left", &left));
  must(session, stiction_simulation_move(simulation, "right", &right));
}

// How far the block falls behind fingers that press by 20 N, twice what it takes, and rise by 2 cm.
static double fall_behind(Stiction *session, bool every_step) {
  StictionScene *scene = parse_scene(session, FINGERS);
  StictionSimulation *simulation = start(session, scene);
  StictionPose left;
  for (int i = 0; i < 40; i++) {
    if (every_step || i % 10 == 0)
      send(session, simulation, i < 10 ? 0.045 : 0, i < 20 ? 0 : 0.1);
    must(session, stiction_simulation_advance(simulation, 0.01));
  }
  must(session, stiction_simulation_pose(simulation, "left", &left));
  double height = stiction_simulation_report(simulation)->body[0].centre[2];
  finish(scene, simulation);
  return left.translation[2] - (height - 0.05);
}

static void a_controller_keeps_the_grip(void **state) {
  double once = fall_behind(*state, false), always = fall_behind(*state, true);
  assert_near(once, 0, 2e-3); // sag: the skin of the block shears
  assert_near(always, once, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_gentlest_grasp_that_lifts),
                                     cmocka_unit_test(a_controller_keeps_the_grip)};
  return cmocka_run_group_tests(tests, open_session, close_session);
}
