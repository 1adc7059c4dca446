// Rigid bodies that rebound: drops, rows of blocks, oblique impacts, and what has to stay at rest.
#include "base/text.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct Trial {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
} Trial;

// A cube of 10 cm and 1 kg, turned about (1, 2, 3).
static void add_cube(StText *text, int index, const double place[3], const double velocity[3],
                     double turn) {
  st_text_add(text,
              "%s\"b%d\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, "
              "\"size_z\": 0.1, \"edge\": 0.1}, \"translate\": [%.9g, %.9g, %.9g], \"velocity\": "
              "[%g, %g, %g], \"rotate\": {\"axis\": [1, 2, 3], \"angle\": %g}}",
              index ? ", " : "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"bodies\": {", index,
              place[0], place[1], place[2], velocity[0], velocity[1], velocity[2], turn);
}

static Trial start(StText *text, double restitution, double friction, double gravity, bool floor,
                   double duration, double step) {
  StError error = {0};
  Trial trial;
  st_text_add(text,
              "}, %s\"gravity\": %g, \"friction\": [{\"between\": \"any\", \"dynamic\": %g, "
              "\"restitution\": %g}], \"time\": {\"duration\": %g, \"step\": %g}}",
              floor ? "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, " : "",
              gravity, friction, restitution, duration, step);
  assert_false(text->failed);
  if (st_scene_parse("scene", text->data, strlen(text->data), NULL, NULL, &trial.description,
                     &error) != ST_OK)
    fail_msg("%s", error.text);
  st_text_free(text);
  trial.simulation = world_start(trial.description);
  trial.report = st_simulation_report(trial.simulation);
  return trial;
}

static void end(Trial *trial) {
  assert_int_equal(trial->report->energy->unexplained, 0);
  assert_int_equal(trial->report->judged->found, 0);
  st_simulation_destroy(trial->simulation);
  st_description_destroy(trial->description);
}

static const double REST[3] = {0, 0, 0};

// Falls by 1 m and rises by e². Backward Euler loses g²h/2 of every kilogram's energy in a second
// of flight, 1 % here, and contact keeps a little at e = 1.
static void drops_rise_by_the_square(void **state) {
  (void)state;
  const double e[] = {0, 0.5, 1};
  for (int i = 0; i < 3; i++) {
    StText text = {0};
    add_cube(&text, 0, (double[]){0, 0, 1.05}, REST, 0);
    Trial trial = start(&text, e[i], 0.3, 9.81, true, 1.0, 0.002);
    double lowest = 1, highest = 0, lost = 0;
    while (!st_simulation_finished(trial.simulation)) {
      world_step(trial.simulation);
      if (trial.report->time < 0.6)
        lost += trial.report->pair[0].lost;
      double height = trial.report->centre_of_mass[2] - 0.05;
      lowest = fmin(lowest, height);
      if (trial.report->time > 0.46)
        highest = fmax(highest, height);
    }
    print_message("e = %g: %.4f m, %.4f J lost\n", e[i], highest, lost);
    assert_true(fabs(lost - (1 - e[i] * e[i]) * 9.81) < 0.02 * 9.81);
    assert_true(fabs(highest - e[i] * e[i]) < 0.02);
    assert_true(lowest > 0);
    end(&trial);
  }
}

// A cube strikes another of the same mass: e of the speed they met with is between them
// afterwards. At e = 1 contact keeps up to 1 % of the energy.
static void cubes_part_at_their_restitution(void **state) {
  (void)state;
  const double e[] = {0, 0.5, 1};
  for (int i = 0; i < 3; i++) {
    StText text = {0};
    add_cube(&text, 0, REST, (double[]){1, 0, 0}, 0);
    add_cube(&text, 1, (double[]){0.13, 0, 0}, REST, 0);
    Trial trial = start(&text, e[i], 0, 0, false, 0.2, 0.005);
    double energy = trial.report->total_energy;
    world_run(trial.simulation);
    const StBodyReport *body = trial.report->body;
    assert_true(fabs(body[1].velocity[0] - body[0].velocity[0] - e[i]) < 0.01);
    assert_true(fabs(trial.report->momentum[0] - 1) < 1e-12);
    assert_true(trial.report->total_energy <= energy);
    end(&trial);
  }
}

// Newton's cradle, in cubes that stand 0.1 mm apart, and at one that comes in the middle of a step.
static void rows_send_the_last(void **state) {
  (void)state;
  for (int count = 3; count <= 5; count += 2) {
    StText text = {0};
    for (int i = 0; i < count; i++)
      add_cube(&text, i, (double[]){i ? 0.1001 * i : -0.0537, 0, 0}, (double[]){i ? 0 : 1, 0, 0},
               0);
    Trial trial = start(&text, 1, 0, 0, false, 0.2, 0.005);
    double energy = trial.report->total_energy;
    while (!st_simulation_finished(trial.simulation)) {
      world_step(trial.simulation);
      assert_true(trial.report->total_energy <= energy * (1 + 1e-4));
      assert_true(fabs(trial.report->momentum[0] - 1) < 1e-12);
    }
    for (int i = 0; i < count; i++)
      assert_true(fabs(trial.report->body[i].velocity[0] - (i == count - 1)) < 0.01);
    end(&trial);
  }
}

// A corner slides over the floor: its friction is μ times what presses it, in impulses too.
static void friction_is_of_the_whole_impulse(void **state) {
  (void)state;
  const double e[] = {0.5, 1};
  for (int i = 0; i < 2; i++) {
    StText text = {0};
    add_cube(&text, 0, (double[]){0, 0, 0.1}, (double[]){3, 0, -2}, 0.7);
    Trial trial = start(&text, e[i], 0.1, 0, true, 0.1, 0.002);
    while (!st_simulation_finished(trial.simulation) && trial.report->momentum[2] < 0)
      world_step(trial.simulation);
    double pressed = trial.report->momentum[2] + 2, rubbed = 3 - trial.report->momentum[0];
    print_message("e = %g: friction over pressure %.6f\n", e[i], rubbed / pressed);
    assert_true(pressed > 2);
    assert_true(fabs(rubbed - 0.1 * pressed) < 1e-2 * rubbed); // the corner also turns aside
    end(&trial);
  }
}

// Cubes on each other stay as they are, whatever e is.
static void stacks_stay_quiet(void **state) {
  (void)state;
  double height[2];
  for (int i = 0; i < 2; i++) {
    StText text = {0};
    for (int k = 0; k < 4; k++)
      add_cube(&text, k, (double[]){0, 0, 0.0501 + 0.1002 * k}, REST, 0);
    Trial trial = start(&text, i, 0.5, 9.81, true, 0.5, 0.005);
    double fastest = 0;
    while (!st_simulation_finished(trial.simulation)) {
      world_step(trial.simulation);
      if (trial.report->time > 0.25)
        fastest = fmax(fastest, trial.report->kinetic_energy);
    }
    height[i] = trial.report->centre_of_mass[2];
    assert_true(fastest < 1e-9);
    end(&trial);
  }
  assert_true(fabs(height[0] - height[1]) < 1e-6);
}

// Two cubes that tumble into each other: momentum stays to round-off. Angular momentum does up to
// what the bodies move in the step of the impact, and energy does not grow.
static void tumbling_cubes_keep_momentum(void **state) {
  (void)state;
  double off[2];
  for (int i = 0; i < 2; i++) {
    StText text = {0};
    add_cube(&text, 0, REST, (double[]){2, 0, 0}, 0.7);
    add_cube(&text, 1, (double[]){0.25, 0.01, 0.02}, (double[]){-1, 0, 0}, 0.3);
    Trial trial = start(&text, 0.5, 0.3, 0, false, 0.1, i ? 0.0005 : 0.005);
    double momentum[3], angular[3], energy = trial.report->total_energy;
    vec3_copy(trial.report->momentum, momentum);
    vec3_copy(trial.report->angular_momentum, angular);
    while (!st_simulation_finished(trial.simulation)) {
      world_step(trial.simulation);
      assert_true(trial.report->total_energy <= energy * (1 + 1e-9));
    }
    vec3_add_scaled(-1, trial.report->momentum, momentum);
    vec3_add_scaled(-1, trial.report->angular_momentum, angular);
    assert_true(vec3_length(momentum) < 1e-12);
    off[i] = vec3_length(angular);
    print_message("angular momentum off by %.2g kg m²/s\n", off[i]);
    end(&trial);
  }
  assert_true(off[0] < 0.005 * 3 * 0.1); // h times the speed times the impulse's arm
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drops_rise_by_the_square),
      cmocka_unit_test(cubes_part_at_their_restitution),
      cmocka_unit_test(rows_send_the_last),
      cmocka_unit_test(friction_is_of_the_whole_impulse),
      cmocka_unit_test(stacks_stay_quiet),
      cmocka_unit_test(tumbling_cubes_keep_momentum),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
