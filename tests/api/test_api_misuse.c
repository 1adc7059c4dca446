// Every function, called with nothing, with the wrong numbers, in the wrong order, after an error
// and after the end: a status with words, or an empty answer; never a crash.
#include "api/session.h"

#include <stiction/build.h>

static const char BRICK[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
    " \"size_z\": 0.1, \"edge\": 0.1 } } }, \"obstacles\": { \"floor\": { \"shape\": {"
    " \"type\": \"half_space\" }, \"translate\": [0, 0, -0.06] } },"
    "\"boundaries\": { \"top\": { \"region\": { \"label\": \"z+\" } } },"
    "\"time\": { \"duration\": 0.1, \"step\": \"10 ms\" } }";

static bool stay(void *context, double time, StictionPose *pose) {
  (void)context, (void)time, (void)pose;
  return true;
}

static bool give_nan(void *context, double time, StictionPose *pose) {
  (void)context, (void)time;
  pose->translation[0] = NAN;
  return true;
}

#define REFUSED(call)                                                                              \
  do {                                                                                             \
    StictionStatus got = (call);                                                                   \
    if (got != STICTION_BAD_INPUT)                                                                 \
      fail_msg("%s: status %d", #call, (int)got);                                                  \
    if (!*stiction_error(NULL))                                                                    \
      fail_msg("%s: no words", #call);                                                             \
  } while (0)

// Whatever may be asked of a simulation; with each of them NULL, or one whose session is closed.
static void ask_everything(StictionSimulation *simulation, StictionState *state) {
  const double place[3] = {0, 0, 0}, *array;
  const StictionContact *contact;
  double value[3] = {0};
  int count;
  StictionPose pose = {0};
  StictionParameter parameter;
  StictionContactFields fields;
  StictionFindings findings;
  StictionHit hit;
  StictionState *saved = NULL;
  REFUSED(stiction_simulation_step(simulation));
  REFUSED(stiction_simulation_advance(simulation, 0.01));
  REFUSED(stiction_simulation_advance_to(simulation, 1));
  REFUSED(stiction_simulation_state_changed(simulation));
  REFUSED(stiction_simulation_set_time(simulation, 1));
  REFUSED(stiction_simulation_take_over(simulation, simulation));
  REFUSED(stiction_simulation_save(simulation, &saved));
  REFUSED(stiction_simulation_restore(simulation, state));
  REFUSED(stiction_simulation_reset(simulation));
  REFUSED(stiction_simulation_move(simulation, "top", &pose));
  REFUSED(stiction_simulation_move_to(simulation, "top", &pose, 1));
  REFUSED(stiction_simulation_pose(simulation, "top", &pose));
  REFUSED(stiction_simulation_drive(simulation, "top", stay, NULL));
  REFUSED(stiction_simulation_drive_vertices(simulation, "top", NULL, NULL));
  REFUSED(stiction_simulation_parameter(simulation, 0, &parameter));
  REFUSED(stiction_simulation_get(simulation, "gravity", 3, value));
  REFUSED(stiction_simulation_set(simulation, "gravity", 3, value));
  REFUSED(stiction_simulation_forces(simulation, NULL, &array));
  REFUSED(stiction_simulation_stress(simulation, &array));
  REFUSED(stiction_simulation_contact_fields(simulation, &fields));
  REFUSED(stiction_simulation_findings(simulation, &findings));
  REFUSED(stiction_simulation_contacts(simulation, &contact, &count));
  REFUSED(stiction_simulation_nearest(simulation, NULL, place, 1, &hit));
  REFUSED(stiction_simulation_ray(simulation, NULL, place, place, 1, &hit));
  REFUSED(stiction_simulation_check_force(simulation, "solid", 1e-3, value, value + 1));
  assert_null(saved);
  assert_null(stiction_simulation_report(simulation));
  assert_true(isnan(stiction_simulation_time(simulation)));
  assert_true(stiction_simulation_finished(simulation));
  assert_false(stiction_simulation_on_frame(simulation));
  assert_int_equal(stiction_simulation_threads(simulation), 0);
  assert_non_null(stiction_simulation_verdict(simulation));
}

static void there_is_no_simulation(void **state) {
  (void)state;
  ask_everything(NULL, NULL);
  assert_int_equal(stiction_simulation_vertex_count(NULL), 0);
  assert_int_equal(stiction_simulation_parameter_count(NULL), 0);
  assert_null(stiction_simulation_velocities(NULL));
  stiction_simulation_free(NULL);
}

static void the_session_is_closed(void **state) {
  Stiction *other = NULL;
  StictionState *saved = NULL;
  must(*state, stiction_open(&other));
  StictionScene *scene = parse_scene(other, BRICK);
  StictionSimulation *simulation = start(other, scene), *made = NULL;
  must(other, stiction_simulation_save(simulation, &saved));
  StictionScene *own_scene = parse_scene(*state, BRICK);
  StictionSimulation *own = start(*state, own_scene);
  stiction_close(other);
  ask_everything(simulation, saved);
  REFUSED(stiction_simulation_take_over(own, simulation));
  REFUSED(stiction_simulation_create(*state, scene, &made)); // the scene is another session's
  assert_null(made);
  must(*state, stiction_simulation_restore(own, saved)); // a state is nobody's
  REFUSED(stiction_scene_set_threads(scene, 1));
  REFUSED(stiction_scene_drive(scene, "top", stay, NULL));
  assert_int_equal(stiction_scene_vertex_count(scene), stiction_simulation_vertex_count(own));
  stiction_state_free(saved);
  finish(scene, simulation);
  finish(own_scene, own);
}

static void arguments_are_missing(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK), *made = NULL;
  StictionSimulation *simulation = start(*state, scene);
  StictionState *saved = NULL;
  StictionBuild *build = NULL;
  const void *bytes;
  size_t size;
  StictionPose pose = {0};
  double value[3] = {0};
  REFUSED(stiction_scene_load(*state, NULL, &made));
  REFUSED(stiction_scene_load(*state, "x", NULL));
  REFUSED(stiction_scene_parse(*state, NULL, NULL, &made));
  REFUSED(stiction_scene_build(*state, NULL, &made));
  REFUSED(stiction_scene_add_force(scene, NULL));
  REFUSED(stiction_scene_body(scene, 0, NULL));
  REFUSED(stiction_scene_boundary(scene, 0, NULL));
  REFUSED(stiction_scene_obstacle(scene, 0, NULL));
  REFUSED(stiction_scene_run(*state, scene, &(StictionRunOptions){0}));
  REFUSED(stiction_simulation_create(*state, scene, NULL));
  REFUSED(stiction_simulation_save(simulation, NULL));
  REFUSED(stiction_simulation_restore(simulation, NULL));
  REFUSED(stiction_simulation_take_over(simulation, NULL));
  REFUSED(stiction_simulation_move(simulation, NULL, &pose));
  REFUSED(stiction_simulation_move(simulation, "top", NULL));
  REFUSED(stiction_simulation_pose(simulation, "top", NULL));
  REFUSED(stiction_simulation_drive(simulation, NULL, stay, NULL));
  REFUSED(stiction_simulation_parameter(simulation, 0, NULL));
  REFUSED(stiction_simulation_get(simulation, NULL, 3, value));
  REFUSED(stiction_simulation_set(simulation, "gravity", 3, NULL));
  REFUSED(stiction_simulation_forces(simulation, NULL, NULL));
  REFUSED(stiction_simulation_stress(simulation, NULL));
  REFUSED(stiction_simulation_contact_fields(simulation, NULL));
  REFUSED(stiction_simulation_findings(simulation, NULL));
  REFUSED(stiction_simulation_contacts(simulation, NULL, NULL));
  REFUSED(stiction_simulation_nearest(simulation, NULL, NULL, 1, NULL));
  REFUSED(stiction_simulation_ray(simulation, NULL, value, NULL, 1, NULL));
  REFUSED(stiction_simulation_check_force(simulation, NULL, 1e-3, value, value));
  REFUSED(stiction_state_write(*state, NULL, "x"));
  REFUSED(stiction_state_read(*state, NULL, &saved));
  REFUSED(stiction_state_bytes(*state, NULL, &bytes, &size));
  REFUSED(stiction_state_from_bytes(*state, NULL, 3, &saved));
  REFUSED(stiction_build_create(NULL));
  REFUSED(stiction_build_load(NULL, &build));
  REFUSED(stiction_build_parse(NULL, &build));
  REFUSED(stiction_build_write(NULL, "x"));
  REFUSED(stiction_part_set_number(NULL, "x", 1));
  REFUSED(stiction_part_set_mesh(NULL, NULL));
  assert_null(stiction_build_root(NULL));
  assert_null(stiction_build_text(NULL));
  assert_null(stiction_part_object(NULL, "x"));
  assert_int_equal(stiction_part_count(NULL), 0);
  stiction_build_free(NULL);
  stiction_close(NULL);
  stiction_listen(NULL, NULL, NULL);
  finish(scene, simulation);
}

static void numbers_are_wrong(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = start(*state, scene);
  StictionState *saved = NULL;
  StictionPose pose = {.velocity = {NAN, 0, 0}};
  StictionBody body;
  StictionHit hit;
  StictionParameter parameter;
  double value[3] = {0, 0, 0}, nothing[3] = {0, 0, 0}, block, energy;
  const char garbage[100] = "no state";
  REFUSED(stiction_scene_body(scene, -1, &body));
  REFUSED(stiction_scene_body(scene, 1, &body));
  REFUSED(stiction_scene_set_threads(scene, -1));
  REFUSED(stiction_simulation_advance(simulation, 0));
  REFUSED(stiction_simulation_advance(simulation, -1));
  REFUSED(stiction_simulation_advance(simulation, NAN));
  REFUSED(stiction_simulation_advance(simulation, INFINITY));
  REFUSED(stiction_simulation_advance_to(simulation, NAN));
  REFUSED(stiction_simulation_set_time(simulation, -1));
  REFUSED(stiction_simulation_set_time(simulation, NAN));
  REFUSED(stiction_simulation_move(simulation, "top", &pose));
  REFUSED(stiction_simulation_move(simulation, "nobody", &(StictionPose){0}));
  REFUSED(stiction_simulation_move_to(simulation, "top", &(StictionPose){0}, 0));
  REFUSED(stiction_simulation_parameter(simulation, -1, &parameter));
  REFUSED(stiction_simulation_parameter(simulation, 1 << 20, &parameter));
  REFUSED(stiction_simulation_get(simulation, "gravity", 1, value));
  REFUSED(stiction_simulation_get(simulation, "gravitas", 3, value));
  value[0] = -1;
  REFUSED(stiction_simulation_set(simulation, "materials.gum.young", 1, value));
  value[0] = NAN;
  REFUSED(stiction_simulation_set(simulation, "gravity", 3, value));
  REFUSED(stiction_simulation_nearest(simulation, NULL, value, 1, &hit));
  REFUSED(stiction_simulation_nearest(simulation, "nobody", nothing, 1, &hit));
  REFUSED(stiction_simulation_nearest(simulation, NULL, nothing, -1, &hit));
  REFUSED(stiction_simulation_ray(simulation, NULL, nothing, nothing, INFINITY, &hit));
  REFUSED(stiction_simulation_check_force(simulation, "nobody", 1e-3, &block, &energy));
  REFUSED(stiction_simulation_check_force(simulation, "solid", NAN, &block, &energy));
  REFUSED(stiction_state_from_bytes(*state, garbage, sizeof garbage, &saved));
  REFUSED(stiction_state_from_bytes(*state, garbage, 0, &saved));
  assert_null(saved);
  must(*state, stiction_simulation_step(simulation)); // all of that has changed nothing
  finish(scene, simulation);
}

// A failed call leaves a simulation that goes on as if it had not been.
static void after_errors_it_goes_on(void **state) {
  StictionScene *scene = parse_scene(*state, BRICK);
  StictionSimulation *simulation = start(*state, scene), *twin = start(*state, scene);
  double *x = stiction_simulation_positions(simulation);
  size_t bytes = 3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(simulation);
  must(*state, stiction_simulation_advance(simulation, 0.03));
  must(*state, stiction_simulation_advance(twin, 0.03));
  must(*state, stiction_simulation_drive(simulation, "top", give_nan, NULL));
  assert_int_equal(stiction_simulation_step(simulation), STICTION_INTERRUPTED);
  must(*state, stiction_simulation_drive(simulation, "top", NULL, NULL));
  x[0] = NAN;
  REFUSED(stiction_simulation_state_changed(simulation));
  assert_memory_equal(x, stiction_simulation_positions(twin), bytes);
  must(*state, stiction_simulation_drive(twin, "top", stay, NULL));
  must(*state, stiction_simulation_drive(twin, "top", NULL, NULL));
  must(*state, stiction_simulation_advance(simulation, 0.03));
  must(*state, stiction_simulation_advance(twin, 0.03));
  assert_memory_equal(x, stiction_simulation_positions(twin), bytes);
  must(*state, stiction_simulation_advance_to(simulation, 0.1));
  REFUSED(stiction_simulation_step(simulation)); // the scene is at its end, …
  REFUSED(stiction_simulation_advance_to(simulation, 0.05));
  must(*state, stiction_simulation_advance(simulation, 0.01)); // … which a program may pass
  stiction_simulation_free(twin);
  finish(scene, simulation);
}

// Who asks for a comparison of structs has to say what to compare.
static void sizes_are_missing(void **state) {
  (void)state;
  const size_t *none = NULL;
  size_t wrong[] = {stiction_sizes[0] + 8};
  Stiction *session = *state;
  must_fail(NULL, stiction_open_checked(NULL, none, 3, &session), STICTION_BAD_INPUT,
            "stiction_open_checked: sizes is NULL");
  assert_null(session);
  must_fail(NULL, stiction_open_checked(NULL, none, 0, &session), STICTION_BAD_INPUT, "is NULL");
  must_fail(NULL, stiction_open_checked(NULL, stiction_sizes, 0, &session), STICTION_BAD_INPUT,
            "0 sizes are given");
  must_fail(NULL, stiction_open_checked(NULL, stiction_sizes, -1, &session), STICTION_BAD_INPUT,
            "-1 sizes are given");
  must_fail(NULL, stiction_open_checked(NULL, wrong, 1, &session), STICTION_BAD_INPUT,
            "another version");
  assert_null(session);
  assert_int_equal(stiction_open_checked(NULL, stiction_sizes, 1, &session), STICTION_OK);
  stiction_close(session);
  assert_int_equal((stiction_open_with)(NULL, &session), STICTION_OK); // compares nothing
  stiction_close(session);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_is_no_simulation),  cmocka_unit_test(the_session_is_closed),
      cmocka_unit_test(arguments_are_missing),   cmocka_unit_test(numbers_are_wrong),
      cmocka_unit_test(after_errors_it_goes_on), cmocka_unit_test(sizes_are_missing),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
