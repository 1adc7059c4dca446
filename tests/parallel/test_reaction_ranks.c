// Reactions of boundaries and obstacles: with weights and loads they are the rate of change of
// momentum, whatever the number of processes.
#include "math/vec3.h"
#include "solve/runtime.h"
#include "support/scene_run.h"

#define TOLERANCE 1e-9 // m/s, of the residual
#define MASS 40.0      // kg, 1 × 0.2 × 0.2 m
#define WEIGHT (9.81 * MASS)

// A bar along x with its near end at the origin.
#define BAR(young, material)                                                                       \
  "'materials': {'m': {'young': '" young "', 'poisson': 0.3, 'density': 1000" material "}},"       \
  "'bodies': {'bar': {'shape': {'type': 'box', 'size_x': 1, 'size_y': 0.2, 'size_z': 0.2,"         \
  "'cells_x': 5, 'cells_y': 1, 'cells_z': 1}, 'translate': [0.5, 0, 0.1005]}},"                    \
  "'solver': {'velocity_tolerance': 1e-9, 'change_tolerance': 1e-8}, 'output': {'judge': 'off'},"
#define TIME(duration, step)                                                                       \
  "'time': {'duration': " #duration ", 'step': " #step ", 'frame_rate': 1}"
#define END "'region': {'box': {'min': [-0.01, -1, -1], 'max': [0.01, 1, 1]}}"
#define PUSH "'loads': {'push': {'region': {'label': 'x+'}, 'force': [30, 20, -10]}},"

static void step(SceneRun *run) {
  scene_run_go_on(run);
  scene_run_must(run);
}

// Weight, loads and reactions: what acts on the bodies from outside.
static void add_up(const SceneRun *run, double force[3], double torque[3]) {
  const StReport *report = run->report;
  const double weight[3] = {0, 0, -WEIGHT};
  vec3_copy(weight, force);
  vec3_cross(report->centre_of_mass, weight, torque);
  for (int i = 0; i < report->action_count; i++) {
    vec3_add_scaled(1, report->action[i].action.force, force);
    vec3_add_scaled(1, report->action[i].action.torque, torque);
  }
  for (int i = 0; i < report->reaction_count; i++) {
    vec3_add_scaled(1, report->reaction[i].force, force);
    vec3_add_scaled(1, report->reaction[i].torque, torque);
  }
}

static void assert_vector_near(const char *what, const double value[3], const double wanted[3],
                               double error) {
  double away[3];
  vec3_sub(value, wanted, away);
  if (!(vec3_length(away) <= error))
    fail_msg("%s: (%.12g, %.12g, %.12g), not (%.12g, %.12g, %.12g) within %g", what, value[0],
             value[1], value[2], wanted[0], wanted[1], wanted[2], error);
}

// The residual of a free vertex is at most its mass times the tolerance, so the sum of forces is
// that of the bodies over a step of 10 ms.
static const double EXACT = 1.5 * MASS * TOLERANCE / 0.01;

// Backward Euler: the outer forces at the end of a step are the change of momentum in it, exactly.
static void balance_each_step(const char *scene, int steps) {
  SceneRun run = scene_run_start(scene);
  for (int k = 0; k < steps; k++) {
    double before[3], rate[3], force[3], torque[3];
    vec3_copy(run.report->momentum, before);
    step(&run);
    vec3_sub(run.report->momentum, before, rate);
    for (int c = 0; c < 3; c++)
      rate[c] /= run.report->h;
    add_up(&run, force, torque);
    assert_vector_near("force", force, rate, EXACT);
  }
  scene_run_end(&run);
}

static void held_and_loaded(void **state) {
  (void)state;
  balance_each_step("{" BAR("1 MPa", "") "'boundaries': {'clamp': {" END "}}," PUSH
                                         "'integrator': 'be'," TIME(1, 0.01) "}",
                    15);
}

// Motions that speed up, on some axes only, and end.
static void moved(void **state) {
  (void)state;
  balance_each_step(
      "{" BAR("1 MPa",
              "") "'boundaries': {'clamp': {" END ", 'hold': ['x', 'z'], 'release': 0.2,"
                  "'motion': {'translate': [0, 0, {'sine': {'amplitude': 0.02, 'frequency': 2}}]}},"
                  "'tip': {'region': {'label': 'x+'}, 'hold': 'y'}}," PUSH
                  "'integrator': 'be'," TIME(1, 0.01) "}",
      15);
}

// Between a floor and a plate that comes down, sliding.
static void pressed(void **state) {
  (void)state;
  balance_each_step(
      "{" BAR("1 MPa",
              "") "'obstacles': {'floor': {'shape': {'type': 'half_space'}}, 'plate': {"
                  "'shape': {'type': 'box', 'size_x': 0.4, 'size_y': 0.5, 'size_z': 0.1},"
                  "'translate': [0.5, 0, 0.2515], 'motion': {'translate': [{'ramp': {'to': 0.1, "
                  "'end': 1}}, 0, {'ramp': {'to': -0.02, 'end': 0.2}}]}}},"
                  "'friction': [{'between': 'any', 'dynamic': 0.4}],"
                  "'integrator': 'be'," TIME(1, 0.01) "}",
      15);
}

// At rest forces and torques vanish.
static void at_rest(void **state) {
  (void)state;
  const char *integrator[] = {"be", "tr_bdf2"};
  for (int i = 0; i < ST_LENGTH(integrator); i++) {
    char scene[2000];
    snprintf(scene, sizeof scene,
             "{" BAR("1 MPa", ", 'mass_damping': 13") "'boundaries': {'clamp': {" END "}}," PUSH
                                                      "'integrator': '%s'," TIME(3, 0.01) "}",
             integrator[i]);
    SceneRun run = scene_run_start(scene);
    while (!st_simulation_finished(run.simulation))
      step(&run);
    double force[3], torque[3], zero[3] = {0};
    add_up(&run, force, torque);
    assert_vector_near(integrator[i], force, zero, EXACT);
    assert_vector_near("torque", torque, zero, EXACT);
    assert_vector_near("clamp", scene_run_reaction(&run, "clamp")->force,
                       (const double[]){-30, -20, 10 + WEIGHT}, EXACT);
    scene_run_end(&run);
  }
}

// A body that is held everywhere: mass times the acceleration that it is given, less its weight.
static void whole_body(void **state) {
  (void)state;
  const char *integrator[] = {"be", "tr", "bdf2", "tr_bdf2", "sdirk2"};
  for (int i = 0; i < ST_LENGTH(integrator); i++) {
    char scene[2000];
    snprintf(scene, sizeof scene,
             "{" BAR("1 MPa", "") "'boundaries': {'lift': {'region': 'all', 'motion': {"
                                  "'translate': [0, '2 m/s^2*t^2', 0]}}},"
                                  "'integrator': '%s'," TIME(0.2, 0.01) "}",
             integrator[i]);
    SceneRun run = scene_run_start(scene);
    while (!st_simulation_finished(run.simulation))
      step(&run);
    assert_vector_near(integrator[i], scene_run_reaction(&run, "lift")->force,
                       (const double[]){0, 4 * MASS, WEIGHT}, 1e-6);
    scene_run_end(&run);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(held_and_loaded), cmocka_unit_test(moved),
                                     cmocka_unit_test(pressed), cmocka_unit_test(at_rest),
                                     cmocka_unit_test(whole_body)};
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failures;
}
