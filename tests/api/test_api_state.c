// The state through the public interface: arrays that follow it, and continuing from values written
// into them.
#include "api/session.h"

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BRICK                                                                                      \
  "\"brick\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\", \"size_x\": 0.1,"           \
  " \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.05 } }"

static const char FREE[] = "{" GUM "\"bodies\": {" BRICK "}, \"integrator\": \"bdf2\","
                           "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

static const char ON_FLOOR[] =
    "{" GUM "\"bodies\": {" BRICK "}, \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.5 }],"
    "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" },"
    "  \"translate\": [0, 0, -0.0502] } },"
    "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

static const char IN_FLOOR[] =
    "{" GUM "\"bodies\": {" BRICK "}, \"contact\": { \"method\": \"smooth\" },"
    "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" },"
    "  \"translate\": [0, 0, -0.0502] } },"
    "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

static const char HELD[] = "{" GUM "\"bodies\": {" BRICK
                           "}, \"boundaries\": { \"foot\": { \"region\": { \"label\": \"z-\" } } },"
                           "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

static const char PILE[] = "{" GUM "\"bodies\": {" BRICK
                           ", \"top\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","
                           " \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.05 }, "
                           "\"translate\": [0, 0, 0.2] } },"
                           "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

enum { MIDDLE = 13 }; // the vertex within a brick, which has 27

static void shift(double *position, int count, int axis, double by) {
  for (int i = 0; i < count; i++)
    position[3 * i + axis] += by;
}

static double mean(const double *value, int count, int axis) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += value[3 * i + axis];
  return sum / count;
}

// Thrown upwards from elsewhere in the middle of a fall: the past has no influence. BDF2 starts
// again with backward Euler, as in a new simulation.
static void state_is_what_was_written(void **state) {
  StictionScene *scene = parse_scene(*state, FREE);
  StictionSimulation *thrown = start(*state, scene), *fresh = start(*state, scene);
  int count = stiction_simulation_vertex_count(thrown);
  go_on(*state, thrown, 10);
  StictionSimulation *both[] = {thrown, fresh};
  StictionBody body;
  must(*state, stiction_scene_body(scene, 0, &body));
  for (int k = 0; k < 2; k++) {
    double *x = stiction_simulation_positions(both[k]),
           *v = stiction_simulation_velocities(both[k]);
    memcpy(x, body.rest, 3 * (size_t)count * sizeof(double));
    memset(v, 0, 3 * (size_t)count * sizeof(double));
    shift(x, count, 0, 5);
    shift(v, count, 2, 3);
    must(*state, stiction_simulation_state_changed(both[k]));
    assert_near(mean(stiction_simulation_positions(both[k]), count, 0), 5, 1e-12);
    go_on(*state, both[k], 5);
  }
  assert_near(stiction_simulation_time(thrown), 0.15, 1e-12);
  for (int i = 0; i < 3 * count; i++) {
    assert_near(stiction_simulation_positions(thrown)[i], stiction_simulation_positions(fresh)[i],
                1e-9);
    assert_near(stiction_simulation_velocities(thrown)[i], stiction_simulation_velocities(fresh)[i],
                1e-7);
  }
  stiction_simulation_free(fresh);
  finish(scene, thrown);
}

// Impossible states are rejected, and nothing changes.
static void impossible_states_are_refused(void **state) {
  StictionScene *scene = parse_scene(*state, FREE);
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 2);
  double *x = stiction_simulation_positions(simulation), height = x[2], left = x[0];
  const double middle = x[3 * MIDDLE];
  x[0] += 1; // through everything
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT,
            "body \"brick\" touches itself or passes through itself");
  assert_near(x[0], left, 0);
  x[3 * MIDDLE] += 0.06; // through the elements around it; the skin is as it was
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT, "inverted");
  assert_near(x[3 * MIDDLE], middle, 0);
  x[2] = NAN;
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT,
            "position of vertex 0 is not a number");
  assert_near(x[2], height, 0);
  stiction_simulation_velocities(simulation)[4] = INFINITY;
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT,
            "velocity of vertex 1");
  go_on(*state, simulation, 2);
  assert_true(x[2] < height);
  finish(scene, simulation);
}

static void held_vertices_stay_where_they_are_held(void **state) {
  StictionScene *scene = parse_scene(*state, HELD);
  StictionSimulation *simulation = start(*state, scene);
  StictionBoundary foot;
  must(*state, stiction_scene_boundary(scene, 0, &foot));
  double *x = stiction_simulation_positions(simulation);
  int count = stiction_simulation_vertex_count(simulation);
  assert_true(foot.vertex_count > 0 && foot.vertex_count < count);
  shift(x, count, 2, 1e-4);
  must(*state, stiction_simulation_state_changed(simulation));
  for (int i = 0; i < foot.vertex_count; i++)
    assert_near(x[3 * foot.vertex[i] + 2], -0.05, 1e-15);
  finish(scene, simulation);
}

// The block rests: the floor carries its weight, vertex by vertex all forces vanish.
static void forces_follow_the_state(void **state) {
  StictionScene *scene = parse_scene(*state, ON_FLOOR);
  StictionSimulation *simulation = start(*state, scene);
  const double *gravity, *contact, *total;
  must(*state, stiction_simulation_forces(simulation, "gravity", &gravity));
  must(*state, stiction_simulation_forces(simulation, "contact", &contact));
  must(*state, stiction_simulation_forces(simulation, NULL, &total));
  int count = stiction_simulation_vertex_count(simulation);
  assert_near(count * mean(gravity, count, 2), -9.81, 1e-9);
  go_on(*state, simulation, 90);
  const double *again;
  must(*state, stiction_simulation_forces(simulation, NULL, &again));
  assert_ptr_equal(again, total);
  assert_near(count * mean(gravity, count, 2), -9.81, 1e-9);
  assert_near(count * mean(contact, count, 2), 9.81, 1e-3);
  for (int i = 0; i < 3 * count; i++)
    assert_near(total[i], 0, 1e-3);
  finish(scene, simulation);
}

static void contacts_are_read_vertex_by_vertex(void **state) {
  StictionScene *scene = parse_scene(*state, ON_FLOOR);
  StictionSimulation *simulation = start(*state, scene);
  StictionContactFields fields;
  must(*state, stiction_simulation_contact_fields(simulation, &fields));
  go_on(*state, simulation, 50);
  const StictionReport *report = stiction_simulation_report(simulation);
  int touching = 0, count = stiction_simulation_vertex_count(simulation);
  double carried = 0;
  for (int i = 0; i < count; i++) {
    touching += fields.state[i] != 0;
    carried += fields.normal_force[i];
    assert_true(fields.gap[i] > 0);
    assert_true((fields.state[i] != 0) == (fields.normal_force[i] > 0));
  }
  assert_true(report->has_contact);
  assert_int_equal(touching, 9);
  assert_int_equal(report->contact.touching, 9);
  assert_int_equal(report->pair_count, 2);
  assert_string_equal(report->pair[0].name, "brick|brick");
  assert_int_equal(report->pair[0].touching, 0);
  assert_string_equal(report->pair[1].name, "brick|floor");
  assert_int_equal(report->pair[1].touching, 9);
  assert_near(report->pair[1].normal_force, carried, 1e-9);
  assert_near(report->contact.normal_force, carried, 1e-9);
  assert_near(report->contact.pair_net_force, 0, 1e-9);
  assert_true(report->contact.deepest_gap > 0);
  assert_true(report->certificate.deepest_gap > 0);
  assert_int_equal(report->certificate.overlapping_steps, 0);
  assert_non_null(
      strstr(stiction_simulation_verdict(simulation), "Checked at the start and after each of "));
  finish(scene, simulation);
}

// A floor in which the brick stands slightly, as a program may place it with smooth surfaces.
static void findings_are_told_and_marked(void **state) {
  StictionScene *scene = parse_scene(*state, IN_FLOOR);
  StictionSimulation *simulation = start(*state, scene);
  StictionFindings findings;
  must(*state, stiction_simulation_findings(simulation, &findings));
  int count = stiction_simulation_vertex_count(simulation), inside = 0;
  for (int i = 0; i < count; i++)
    assert_int_equal(findings.vertex[i], 0);
  shift(stiction_simulation_positions(simulation), count, 2, -1e-3);
  must(*state, stiction_simulation_state_changed(simulation));
  const StictionReport *report = stiction_simulation_report(simulation);
  assert_true(report->judge.checked);
  assert_int_equal(report->judge.vertices_inside, 9);
  assert_true(report->judge.obstacle_crossings > 8);
  assert_int_equal(report->judge.crossings + report->judge.self_crossings, 0);
  assert_int_equal(report->judge.inverted_tets, 0);
  assert_int_equal(report->judged.states, 2);
  assert_int_equal(report->judged.findings, 1);
  assert_int_equal(report->judged.vertices_inside, 9);
  assert_true(report->judged.first_time == 0);
  for (int i = 0; i < count; i++)
    inside += findings.vertex[i] == 4 + 8;
  assert_int_equal(inside, 9);
  assert_non_null(strstr(stiction_simulation_verdict(simulation),
                         "Found in 1 of 2 states (checked at 2 starts): "));
  finish(scene, simulation);
}

static void energies_are_told_by_force(void **state) {
  StictionScene *scene = parse_scene(*state, ON_FLOOR);
  StictionSimulation *simulation = start(*state, scene);
  go_on(*state, simulation, 5);
  const StictionReport *report = stiction_simulation_report(simulation);
  double sum = report->kinetic_energy;
  bool has_friction = false;
  for (int i = 0; i < report->force_count; i++) {
    has_friction = has_friction || strcmp(report->force[i].name, "friction") == 0;
    assert_false(isnan(report->force[i].energy));
    sum += report->force[i].energy;
  }
  assert_true(has_friction);
  assert_near(report->total_energy, sum, 1e-12);
  assert_near(report->tet_volume, 1e-3, 1e-5);
  assert_near(report->step_size, 0.01, 1e-12);
  assert_true(report->newton_iterations > 0 && report->linear_iterations > 0);
  finish(scene, simulation);
}

// Uniformly compressed by hand: the stress is the same in all elements, and negative.
static void stress_follows_the_state(void **state) {
  StictionScene *scene = parse_scene(*state, FREE);
  StictionSimulation *simulation = start(*state, scene);
  const double *stress;
  StictionBody body;
  must(*state, stiction_scene_body(scene, 0, &body));
  must(*state, stiction_simulation_stress(simulation, &stress));
  for (int i = 0; i < 6 * body.tet_count; i++)
    assert_near(stress[i], 0, 1e-6);
  double *x = stiction_simulation_positions(simulation);
  for (int i = 0; i < 3 * body.vertex_count; i++)
    x[i] *= 0.999;
  must(*state, stiction_simulation_state_changed(simulation));
  // Bulk modulus E / 3(1 - 2ν) times a volume strain of -0.3 %, to first order.
  for (int t = 0; t < body.tet_count; t++)
    for (int k = 0; k < 6; k++)
      assert_near(stress[6 * t + k], k < 3 ? -1e6 / 0.6 * 0.003 : 0, 60);
  finish(scene, simulation);
}

#define SILK                                                                                       \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 },"       \
  " \"silk\": { \"law\": \"membrane\", \"young\": \"1 kN/m\", \"poisson\": 0.3,"                   \
  " \"area_density\": \"1 kg/m^2\" } },"

static const char OVER_SHEET[] =
    "{" SILK "\"bodies\": { \"brick\": { \"material\": \"gum\", \"translate\": [0, 0, 0.0515],"
    "  \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1,"
    "  \"edge\": 0.1 } }, \"sheet\": { \"material\": \"silk\", \"shape\": { \"type\": \"sheet\","
    "  \"width\": 0.3, \"length\": 0.3, \"edge\": 0.1 } } },"
    "\"boundaries\": { \"frame\": { \"body\": \"sheet\", \"region\": \"all\" } },"
    "\"contact\": { \"thickness\": \"2 mm\" },"
    "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

// Contacts remember the side of a cloth that a body is on: one placed on the other side is not
// pulled back through it.
static void sides_of_cloth_are_looked_at_anew(void **state) {
  StictionScene *scene = parse_scene(*state, OVER_SHEET);
  StictionSimulation *simulation = start(*state, scene);
  const double *contact;
  StictionBody brick;
  must(*state, stiction_scene_body(scene, 0, &brick));
  must(*state, stiction_simulation_forces(simulation, "contact", &contact));
  go_on(*state, simulation, 3);
  assert_true(mean(contact, brick.vertex_count, 2) > 0);
  double *x = stiction_simulation_positions(simulation);
  double *v = stiction_simulation_velocities(simulation);
  memset(v, 0, 3 * (size_t)brick.vertex_count * sizeof(double));
  shift(x, brick.vertex_count, 2, -0.0515 - mean(x, brick.vertex_count, 2));
  must(*state, stiction_simulation_state_changed(simulation));
  assert_true(mean(contact, brick.vertex_count, 2) < 0);
  go_on(*state, simulation, 3);
  assert_true(mean(x, brick.vertex_count, 2) < -0.0515);
  finish(scene, simulation);
}

// With primitives an overlap cannot be resolved here, because nothing is moved: it is rejected.
static void overlaps_are_refused(void **state) {
  StictionScene *scene = parse_scene(*state, PILE);
  StictionSimulation *pile = start(*state, scene);
  int half = stiction_simulation_vertex_count(pile) / 2;
  double *top = stiction_simulation_positions(pile) + 3 * half;
  static const double down[] = {0.105, 0.15, 0.2};
  for (int k = 0; k < 3; k++) {
    shift(top, half, 2, -down[k]);
    must_fail(*state, stiction_simulation_state_changed(pile), STICTION_BAD_INPUT, "body \"top\"");
    assert_near(mean(stiction_simulation_positions(pile) + 3 * half, half, 2), 0.2, 1e-12);
  }
  shift(top, half, 2, -0.0995); // a gap
  must(*state, stiction_simulation_state_changed(pile));
  finish(scene, pile);
}

static const char RIGID[] =
    "{ \"materials\": { \"stone\": { \"law\": \"rigid\", \"density\": 2000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"edge\": 1 } } },"
    "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

// A rigid body is moved as a whole; moving one of its vertices alone is rejected with a message.
static void rigid_bodies_are_moved_as_a_whole(void **state) {
  StictionScene *scene = parse_scene(*state, RIGID);
  StictionSimulation *simulation = start(*state, scene);
  StictionBody brick;
  must(*state, stiction_scene_body(scene, 0, &brick));
  double *x = stiction_simulation_positions(simulation);
  double *v = stiction_simulation_velocities(simulation), height = x[2];
  x[2] += 0.1;
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT,
            "position of vertex 0 of body \"brick\" does not fit the others");
  assert_near(x[2], height, 0);
  v[3] = 1;
  must_fail(*state, stiction_simulation_state_changed(simulation), STICTION_BAD_INPUT,
            "velocity of vertex 1 of body \"brick\"");
  shift(x, brick.vertex_count, 2, 0.1);
  shift(v, brick.vertex_count, 0, 1);
  must(*state, stiction_simulation_state_changed(simulation));
  assert_near(x[2], height + 0.1, 1e-12);
  double left = x[0];
  go_on(*state, simulation, 1);
  assert_near(x[0], left + 0.01, 1e-9);
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_is_what_was_written),
      cmocka_unit_test(impossible_states_are_refused),
      cmocka_unit_test(held_vertices_stay_where_they_are_held),
      cmocka_unit_test(forces_follow_the_state),
      cmocka_unit_test(contacts_are_read_vertex_by_vertex),
      cmocka_unit_test(findings_are_told_and_marked),
      cmocka_unit_test(energies_are_told_by_force),
      cmocka_unit_test(stress_follows_the_state),
      cmocka_unit_test(sides_of_cloth_are_looked_at_anew),
      cmocka_unit_test(overlaps_are_refused),
      cmocka_unit_test(rigid_bodies_are_moved_as_a_whole),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
