// The public interface on several processes: a state that is gone back to gives the same bits as
// having gone on, by the iterative solver (MUMPS on several processes does not repeat itself to the
// bit), and what is asked is answered.
#include "api/session.h"

#include <mpi.h>

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BOX(at)                                                                                    \
  "{ \"material\": \"gum\", \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"     \
  " \"size_z\": 0.1, \"edge\": 0.1 }, " at " }"

// One box carries another along the floor, towards a wall that moves.
#define PAIR_OF(integrator)                                                                        \
  "{" GUM "\"bodies\": { \"low\": " BOX("\"translate\": [0, 0, 0.0503], \"velocity\": [0.8, 0, "   \
                                        "0]") ", "                                                 \
                                              "\"top\": " BOX("\"translate\": [0.01, 0.005, "      \
                                                              "0.1507], \"velocity\": [0.8, 0, "   \
                                                              "0]") " },"                          \
                                                                    "\"obstacles\": { \"floor\": " \
                                                                    "{ \"shape\": { \"type\": "    \
                                                                    "\"half_space\" } }, "         \
                                                                    "\"wall\": {"                  \
                                                                    " \"shape\": { \"type\": "     \
                                                                    "\"box\", \"size_x\": 0.1, "   \
                                                                    "\"size_y\": 0.3, "            \
                                                                    "\"size_z\": 0.3 },"           \
                                                                    " \"translate\": [0.13, 0, "   \
                                                                    "0.15] } },"                   \
                                                                    "\"friction\": [{ "            \
                                                                    "\"between\": \"any\", "       \
                                                                    "\"dynamic\": 0.4, "           \
                                                                    "\"static\": 0.5 }],"          \
                                                                    "\"probes\": { \"top\": { "    \
                                                                    "\"body\": \"top\", "          \
                                                                    "\"region\": \"all\" } },"     \
                                                                    "\"integrator\": "             \
                                                                    "\"" integrator                \
                                                                    "\", \"solver\": { \"type\": " \
                                                                    "\"iterative\" },"             \
                                                                    "\"time\": { \"duration\": "   \
                                                                    "0.1, \"step\": \"10 ms\", "   \
                                                                    "\"frame_rate\": 50 } }"

// Of positions and velocities on rank 0, told to all.
static double *copy_state(StictionSimulation *simulation, size_t *count) {
  *count = 6 * (size_t)stiction_simulation_vertex_count(simulation);
  double *copy = calloc(*count, sizeof(double));
  assert_non_null(copy);
  const double *position = stiction_simulation_positions(simulation);
  const double *velocity = stiction_simulation_velocities(simulation);
  if (position) {
    memcpy(copy, position, *count / 2 * sizeof(double));
    memcpy(copy + *count / 2, velocity, *count / 2 * sizeof(double));
  }
  MPI_Bcast(copy, (int)*count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return copy;
}

static void assert_same(StictionSimulation *a, StictionSimulation *b) {
  size_t count;
  double *left = copy_state(a, &count), *right = copy_state(b, &count);
  for (size_t i = 0; i < count; i++)
    if (left[i] != right[i])
      fail_msg("number %zu: %.17g is not %.17g", i, left[i], right[i]);
  free(left);
  free(right);
}

static void advance(Stiction *session, StictionSimulation *simulation, int times, double by) {
  for (int i = 0; i < times; i++)
    must(session, stiction_simulation_advance(simulation, by));
}

static void goes_back(Stiction *session, const char *text) {
  StictionScene *scene = parse_scene(session, text);
  StictionSimulation *plain = start(session, scene), *tried = start(session, scene);
  StictionState *saved = NULL;
  const StictionPose away = {.velocity = {-0.5, 0, 0}};
  for (int k = 0; k < 2; k++) {
    StictionSimulation *one = k ? tried : plain;
    advance(session, one, 2, 0.008);
    must(session, stiction_simulation_move(one, "wall", &away));
    advance(session, one, 2, 0.008);
  }
  must(session, stiction_simulation_save(tried, &saved));
  advance(session, tried, 2, 0.01);
  must(session, stiction_simulation_restore(tried, saved));
  assert_same(plain, tried);
  advance(session, plain, 3, 0.008);
  advance(session, tried, 3, 0.008);
  assert_same(plain, tried);
  assert_true(stiction_simulation_report(tried)->contact.touching > 0);
  stiction_state_free(saved);
  stiction_simulation_free(plain);
  finish(scene, tried);
}

// Those that remember the step before, and the force it ended with.
static void integrators_go_back(void **state) {
  goes_back(*state, PAIR_OF("bdf2"));
  goes_back(*state, PAIR_OF("tr"));
}

// States from files, contacts, parameters and places on surfaces.
static void questions_are_answered(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("bdf2"));
  StictionSimulation *simulation = start(*state, scene), *other = start(*state, scene);
  StictionState *saved = NULL, *read = NULL;
  const double rough = 0.9, moon[3] = {0, 0, -1.6};
  advance(*state, simulation, 6, 0.01);
  must(*state, stiction_simulation_set(simulation, "friction.low|floor.dynamic", 1, &rough));
  must(*state, stiction_simulation_set(simulation, "gravity", 3, moon));
  const double stiff = 2e6;
  must(*state, stiction_simulation_set(simulation, "materials.gum.young", 1, &stiff));
  advance(*state, simulation, 1, 0.01);
  must(*state, stiction_simulation_save(simulation, &saved));
  must(*state, stiction_state_write(*state, saved, "ranks_state.h5"));
  must(*state, stiction_state_read(*state, "ranks_state.h5", &read));
  assert_true(stiction_state_time(read) == stiction_state_time(saved));
  must(*state, stiction_simulation_restore(other, read));
  if (stiction_rank(*state) == 0) // restoring is collective: all have read it
    assert_int_equal(remove("ranks_state.h5"), 0);
  assert_same(simulation, other);
  const StictionContact *contact = NULL;
  int count = 0;
  must(*state, stiction_simulation_contacts(simulation, &contact, &count));
  assert_true(stiction_rank(*state) > 0 ? !contact && count == 0 : count > 0);
  const StictionReport *report = stiction_simulation_report(simulation);
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += contact[i].body == 1         ? contact[i].force[2]
           : contact[i].other_body == 1 ? -contact[i].force[2]
                                        : 0;
  if (stiction_rank(*state) == 0)
    assert_near(sum, report->body[1].contact_force[2], 1e-9);
  StictionHit hit;
  must(*state,
       stiction_simulation_nearest(simulation, "top", (double[]){0.05, 0, 0.5}, INFINITY, &hit));
  assert_int_equal(hit.body, 1);
  assert_near(hit.point[2], 0.2, 5e-3);
  size_t numbers;
  double *all = copy_state(simulation, &numbers), mean = 0;
  for (int v = 8; v < 16; v++)
    mean += all[3 * v] / 8;
  assert_near(report->probe[0].point[0], mean, 1e-12);
  free(all);
  stiction_state_free(saved);
  stiction_state_free(read);
  stiction_simulation_free(other);
  finish(scene, simulation);
}

// Fields are on the first process, whole: where a vertex is, and pressure where contact presses.
static void fields_are_whole(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("be"));
  StictionSimulation *simulation = start(*state, scene);
  StictionField moved, pressure, stress;
  const double *contact = NULL;
  advance(*state, simulation, 6, 0.01);
  must(*state, stiction_simulation_field(simulation, "displacement", &moved));
  must(*state, stiction_simulation_field(simulation, "contact_pressure", &pressure));
  must(*state, stiction_simulation_field(simulation, "nodal_stress", &stress));
  must(*state, stiction_simulation_forces(simulation, "contact", &contact));
  int pressed = 0, touched = 0;
  if (stiction_rank(*state) > 0) {
    assert_true(!moved.value && !pressure.value && pressure.count == 0);
  } else {
    StictionBody body[2];
    assert_int_equal(pressure.count, 16);
    for (int b = 0; b < 2; b++)
      must(*state, stiction_scene_body(scene, b, &body[b]));
    for (int i = 0; i < 48; i++) {
      double rest = body[i / 24].rest[i % 24];
      assert_near(moved.value[i], stiction_simulation_positions(simulation)[i] - rest, 0);
    }
    for (int v = 0; v < 16; v++) {
      const double *f = contact + 3 * v;
      touched += f[0] != 0 || f[1] != 0 || f[2] != 0;
      pressed += pressure.value[v] > 0;
      assert_true(fabs(stress.value[6 * v + 2]) > 0);
    }
    assert_int_equal(pressed, touched);
    assert_true(pressed >= 4);
  }
  finish(scene, simulation);
}

// On the way along the floor the upper box is held by anchors, which go over to another simulation.
static void takes_over(void **state) {
  StictionScene *scene = parse_scene(*state, PAIR_OF("be"));
  StictionSimulation *first = start(*state, scene), *second = start(*state, scene);
  size_t count;
  advance(*state, first, 6, 0.01);
  must(*state, stiction_simulation_take_over(second, first));
  assert_same(first, second);
  advance(*state, first, 2, 0.01);
  advance(*state, second, 2, 0.01);
  double *left = copy_state(first, &count), *right = copy_state(second, &count);
  for (size_t i = 0; i < count; i++) // to what the solver leaves of the steps
    assert_near(left[i], right[i], i < count / 2 ? 1e-7 : 1e-5);
  free(left);
  free(right);
  stiction_simulation_free(first);
  finish(scene, second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrators_go_back),
      cmocka_unit_test(questions_are_answered),
      cmocka_unit_test(fields_are_whole),
      cmocka_unit_test(takes_over),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
