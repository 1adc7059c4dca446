// The public interface as an external program uses it: through its header alone.
#include "api/session.h"

#define EXAMPLE TEST_DATA "/../../examples/c/drop.json"
#define FILLED TEST_DATA "/scenes/filled.json"

static void version_has_three_numbers(void **state) {
  (void)state;
  int major, minor, patch;
  assert_int_equal(sscanf(stiction_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

// Free fall by the trapezoidal rule is exact: z = z0 - g t²/2, v = -g t.
static void ball_falls(void **state) {
  Stiction *session = *state;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  assert_int_equal(stiction_scene_load(session, EXAMPLE, &scene), STICTION_OK);
  assert_near(stiction_scene_duration(scene), 0.5, 0);
  assert_int_equal(stiction_simulation_create(session, scene, &simulation), STICTION_OK);
  size_t count = (size_t)stiction_simulation_vertex_count(simulation);
  const double *position = stiction_simulation_positions(simulation);
  const double *velocity = stiction_simulation_velocities(simulation);
  double *before = malloc(3 * count * sizeof(double));
  memcpy(before, position, 3 * count * sizeof(double));
  double energy = stiction_simulation_report(simulation)->total_energy;
  assert_true(stiction_simulation_on_frame(simulation));

  while (!stiction_simulation_finished(simulation))
    assert_int_equal(stiction_simulation_step(simulation), STICTION_OK);

  assert_near(stiction_simulation_time(simulation), 0.5, 1e-12);
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_int_equal(report->step, 50);
  assert_near(report->total_energy, energy, 1e-6 * fabs(energy));
  assert_ptr_equal(stiction_simulation_positions(simulation), position);
  assert_ptr_equal(stiction_simulation_velocities(simulation), velocity);
  for (size_t i = 0; i < count; i++) {
    assert_near(position[3 * i + 2] - before[3 * i + 2], -9.81 * 0.5 * 0.5 / 2, 1e-6);
    assert_near(velocity[3 * i + 2], -9.81 * 0.5, 1e-5);
  }
  assert_int_equal(stiction_simulation_step(simulation), STICTION_BAD_INPUT);
  assert_non_null(strstr(stiction_error(session), "the scene ends at 0.5 s"));
  free(before);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

// Prescribed pressure, constant P·V of an ideal gas, and a wheel with constant acceleration.
static void volumes_and_bearings_are_read(void **state) {
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  assert_int_equal(stiction_scene_load(*state, FILLED, &scene), STICTION_OK);
  assert_int_equal(stiction_simulation_create(*state, scene, &simulation), STICTION_OK);
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_int_equal(report->volume_count, 2);
  assert_string_equal(report->volume[0].name, "whole");
  assert_string_equal(report->volume[1].name, "wheel");
  assert_int_equal(report->bearing_count, 1);
  assert_string_equal(report->bearing[0].name, "hub");
  assert_near(report->volume[0].volume, 1e-3, 1e-15);
  assert_near(report->bearing[0].angle, 0, 1e-12);

  double speed = 0, atm = 101325, wheel = report->volume[1].volume;
  while (!stiction_simulation_finished(simulation)) {
    assert_int_equal(stiction_simulation_step(simulation), STICTION_OK);
    report = stiction_simulation_report(simulation);
    if (fabs(report->time - 0.05) < 1e-9)
      speed = report->bearing[0].speed;
  }
  assert_true(report->volume[0].volume > 1.01e-3);
  assert_near(report->volume[0].pressure, 2 * atm, 1e-3);
  assert_near(report->volume[1].pressure, atm * wheel / report->volume[1].volume, 1e-6);
  assert_near(report->bearing[0].torque, 0.1, 0);
  assert_true(speed > 0);
  assert_near(report->bearing[0].speed, 2 * speed, 0.02 * speed);
  // Constant acceleration.
  assert_near(report->bearing[0].angle, 2 * speed * 0.1 / 2, 0.02 * speed * 0.1);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

// The ball is filled with rubber, has no bearing and touches nothing, not even itself.
static void what_is_not_there_is_said(void **state) {
  static const char ALONE[] =
      "{ \"materials\": { \"gum\": { \"young\": 1e6, \"poisson\": 0.4, \"density\": 1000 } },"
      "  \"bodies\": { \"ball\": { \"material\": \"gum\", \"self_contact\": false,"
      "    \"shape\": { \"type\": \"sphere\", \"edge\": 0.5 } } },"
      "  \"time\": { \"duration\": 1 } }";
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  StictionContactFields fields;
  const double *force = (const double *)state;
  assert_int_equal(stiction_scene_parse(*state, ALONE, NULL, &scene), STICTION_OK);
  assert_int_equal(stiction_simulation_create(*state, scene, &simulation), STICTION_OK);
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_int_equal(report->volume_count, 0);
  assert_int_equal(report->bearing_count, 0);
  assert_false(report->has_contact);
  assert_string_equal(stiction_simulation_verdict(simulation),
                      "Checked at the start: no body passes through itself, no tet is inverted.");
  assert_int_equal(stiction_simulation_contact_fields(simulation, &fields), STICTION_OK);
  assert_null(fields.gap);
  assert_null(fields.state);
  assert_int_equal(stiction_simulation_forces(simulation, "frictoin", &force), STICTION_BAD_INPUT);
  assert_null(force);
  assert_non_null(strstr(stiction_error(*state), "solid, gravity"));
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void wrong_scene_is_explained(void **state) {
  Stiction *session = *state;
  StictionScene *scene = (StictionScene *)state;
  assert_int_equal(stiction_scene_load(session, "nowhere.json", &scene), STICTION_BAD_INPUT);
  assert_null(scene);
  assert_non_null(strstr(stiction_error(session), "nowhere.json"));
}

static void keep_warning(void *context, int level, const char *text) {
  if (level == STICTION_WARNING)
    snprintf(context, 256, "%s", text);
}

// The trapezoidal rule with contact gives a warning; a callback is optional.
static void warnings_are_heard(void **state) {
  static const char RINGS[] =
      "{ \"materials\": { \"gum\": { \"young\": 1e6, \"poisson\": 0.4, \"density\": 1000 } },"
      "  \"bodies\": { \"ball\": { \"material\": \"gum\", \"shape\": { \"type\": \"sphere\","
      "    \"edge\": 0.5 } } }, \"obstacles\": { \"floor\": { \"translate\": [0, 0, -2],"
      "    \"shape\": { \"type\": \"half_space\" } } }, \"integrator\": \"tr\","
      "  \"time\": { \"duration\": 1 } }";
  char heard[256] = "";
  StictionScene *scene = parse_scene(*state, RINGS);
  StictionSimulation *simulation = start(*state, scene);
  assert_string_equal(heard, "");
  stiction_simulation_free(simulation);
  stiction_listen(*state, keep_warning, heard);
  simulation = start(*state, scene);
  assert_non_null(strstr(heard, "integrator \"tr\""));
  stiction_listen(*state, NULL, NULL);
  finish(scene, simulation);
}

static void threads_are_as_many_as_asked_for(void **state) {
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  must(*state, stiction_scene_load(*state, EXAMPLE, &scene));
  must(*state, stiction_scene_set_threads(scene, 2));
  must(*state, stiction_simulation_create(*state, scene, &simulation));
  assert_int_equal(stiction_simulation_threads(simulation), 2);
  must(*state, stiction_simulation_step(simulation));
  stiction_simulation_free(simulation);
  must_fail(*state, stiction_scene_set_threads(scene, -1), STICTION_BAD_INPUT, "from 1 to 256");
  must_fail(*state, stiction_scene_set_threads(scene, 257), STICTION_BAD_INPUT, "from 1 to 256");
  assert_int_equal(stiction_simulation_threads(NULL), 0);
  stiction_scene_free(scene);
}

static void nothing_may_be_freed(void **state) {
  (void)state;
  stiction_scene_free(NULL);
  stiction_simulation_free(NULL);
  stiction_close(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_has_three_numbers),
      cmocka_unit_test(ball_falls),
      cmocka_unit_test(volumes_and_bearings_are_read),
      cmocka_unit_test(what_is_not_there_is_said),
      cmocka_unit_test(wrong_scene_is_explained),
      cmocka_unit_test(warnings_are_heard),
      cmocka_unit_test(threads_are_as_many_as_asked_for),
      cmocka_unit_test(nothing_may_be_freed),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
