// External forces: correct ones work, wrong ones are detected.
#include "api/session.h"

#define GUM                                                                                        \
  "\"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
#define BOX                                                                                        \
  "\"material\": \"gum\", \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"       \
  " \"size_z\": 0.1, \"edge\": 0.1 }"
#define TIME                                                                                       \
  "\"gravity\": 0, \"integrator\": \"tr\", \"time\": { \"duration\": \"0.5 s\", \"step\": \"5 "    \
  "ms\" }"

static const char ONE[] = "{" GUM "\"bodies\": { \"brick\": {" BOX "} }," TIME "}";
static const char TWO[] =
    "{" GUM "\"bodies\": { \"left\": {" BOX "}, \"right\": {" BOX
    ", \"translate\": [0.5, 0, 0] } }, \"contact\": { \"pairs\": \"none\" }," TIME "}";

// An anchor that every vertex is tied to by a cubic spring, and drag: f = -m (k |r|² r + c v).
typedef struct Anchor {
  double stiffness, drag;
  double mistake; // factor on the blocks, 1: right
} Anchor;

static bool anchor_add(void *context, const StictionPoint *at, double *force) {
  const Anchor *anchor = context;
  for (int i = 0; i < at->vertex_count; i++) {
    const double *x = at->position + 3 * i, *v = at->velocity + 3 * i;
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    for (int c = 0; c < 3; c++)
      force[3 * i + c] -= at->mass[i] * (anchor->stiffness * square * x[c] + anchor->drag * v[c]);
  }
  return true;
}

static void anchor_blocks(void *context, const StictionPoint *at, double by_position,
                          double by_velocity, StictionBlocks *blocks) {
  const Anchor *anchor = context;
  for (int i = 0; i < at->vertex_count; i++) {
    const double *x = at->position + 3 * i;
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], block[9];
    for (int k = 0; k < 9; k++) {
      double same = k % 4 == 0;
      block[k] = -anchor->mistake * at->mass[i] *
                 (by_position * anchor->stiffness * (2 * x[k / 3] * x[k % 3] + same * square) +
                  by_velocity * anchor->drag * same);
    }
    stiction_blocks_add(blocks, 1, &i, &i, block);
  }
}

static double anchor_energy(void *context, const StictionPoint *at) {
  const Anchor *anchor = context;
  double sum = 0;
  for (int i = 0; i < at->vertex_count; i++) {
    const double *x = at->position + 3 * i;
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    sum += at->mass[i] * anchor->stiffness * square * square / 4;
  }
  return sum;
}

static StictionForce anchor_force(Anchor *anchor) {
  return (StictionForce){.name = "anchor",
                         .summary = "Ties vertices to the origin.",
                         .context = anchor,
                         .add = anchor_add,
                         .add_blocks = anchor_blocks,
                         .energy = anchor_energy};
}

static StictionSimulation *start_with(Stiction *session, StictionScene *scene,
                                      const StictionForce *force) {
  must(session, stiction_scene_add_force(scene, force));
  StictionSimulation *simulation = start(session, scene);
  double *v = stiction_simulation_velocities(simulation);
  for (int i = 0; i < stiction_simulation_vertex_count(simulation); i++)
    v[3 * i] = 1;
  must(session, stiction_simulation_state_changed(simulation));
  return simulation;
}

static void right_derivatives_are_confirmed(void **state) {
  Anchor anchor = {1e4, 0, 1};
  StictionForce force = anchor_force(&anchor);
  StictionScene *scene = parse_scene(*state, ONE);
  StictionSimulation *simulation = start_with(*state, scene, &force);
  double blocks, energy;
  go_on(*state, simulation, 5);
  must(*state, stiction_simulation_check_force(simulation, "anchor", 1e-3, &blocks, &energy));
  assert_near(blocks, 0, 1e-7);
  assert_near(energy, 0, 1e-7);
  must(*state, stiction_simulation_check_force(simulation, "solid", 1e-3, &blocks, &energy));
  assert_near(blocks, 0, 1e-7);
  assert_near(energy, 0, 1e-7);
  anchor.drag = 3; // has no energy: the check says so
  must(*state, stiction_simulation_check_force(simulation, "anchor", 1e-3, &blocks, &energy));
  assert_near(blocks, 0, 1e-7);
  assert_true(energy > 0.1);
  finish(scene, simulation);
}

static void wrong_derivatives_are_found(void **state) {
  Anchor anchor = {1e4, 0, 1.01};
  StictionForce force = anchor_force(&anchor);
  StictionScene *scene = parse_scene(*state, ONE);
  StictionSimulation *simulation = start_with(*state, scene, &force);
  double blocks, energy;
  must(*state, stiction_simulation_check_force(simulation, "anchor", 1e-3, &blocks, &energy));
  assert_near(blocks, 0.01, 1e-3);
  assert_near(energy, 0, 1e-7);
  must_fail(*state, stiction_simulation_check_force(simulation, "ancor", 1e-3, &blocks, &energy),
            STICTION_BAD_INPUT, "solid, contact, anchor");
  must_fail(*state, stiction_simulation_check_force(simulation, "anchor", 0, &blocks, &energy),
            STICTION_BAD_INPUT, "distance");
  finish(scene, simulation);
}

// Blocks that are given or found by differences, and iterations, give one motion, up to what 60
// steps within the tolerance can add up to. Energy falls by drag alone, and is in the report.
static void all_ways_to_derivatives_agree(void **state) {
  Anchor anchor = {1e4, 0.5, 1};
  double end[3][3] = {{0}};
  for (int k = 0; k < 3; k++) {
    StictionForce force = anchor_force(&anchor);
    char text[1024];
    snprintf(text, sizeof text,
             "%.*s, \"solver\": { \"velocity_tolerance\": 1e-7, \"change_tolerance\": 1e-6%s } }",
             (int)strlen(ONE) - 1, ONE, k == 2 ? ", \"type\": \"iterative\"" : "");
    StictionScene *scene = parse_scene(*state, text);
    if (k == 1)
      force.add_blocks = NULL;
    StictionSimulation *simulation = start_with(*state, scene, &force);
    double before = stiction_simulation_report(simulation)->total_energy;
    go_on(*state, simulation, 60);
    const StictionReport *report = stiction_simulation_report(simulation);
    assert_true(report->total_energy < before && report->total_energy > 0.5 * before);
    assert_string_equal(report->force[report->force_count - 1].name, "anchor");
    assert_true(report->force[report->force_count - 1].energy > 0);
    memcpy(end[k], report->centre_of_mass, sizeof end[k]);
    finish(scene, simulation);
  }
  for (int k = 1; k < 3; k++)
    for (int c = 0; c < 3; c++)
      assert_near(end[k][c], end[0][c], 1e-7);
}

// Springs of no length between vertex i of one body and of the other, in proportion to mass.
typedef struct Springs {
  double rate; // 1/s²
  int offset;
} Springs;

static bool springs_add(void *context, const StictionPoint *at, double *force) {
  const Springs *springs = context;
  for (int i = 0; i < 3 * springs->offset; i++) {
    int j = i + 3 * springs->offset;
    double pull = springs->rate * at->mass[i / 3] * (at->position[j] - at->position[i]);
    force[i] += pull;
    force[j] -= pull;
  }
  return true;
}

static void springs_blocks(void *context, const StictionPoint *at, double by_position,
                           double by_velocity, StictionBlocks *blocks) {
  const Springs *springs = context;
  (void)by_velocity;
  for (int i = 0; i < springs->offset; i++) {
    double d = -by_position * springs->rate * at->mass[i];
    int j = i + springs->offset, row[4] = {i, j, i, j}, column[4] = {i, j, j, i};
    double block[36] = {0};
    for (int k = 0; k < 4; k++)
      block[9 * k] = block[9 * k + 4] = block[9 * k + 8] = k < 2 ? d : -d;
    stiction_blocks_add(blocks, 4, row, column, block);
  }
}

// Two equal bodies on springs: apart by d cos(√(2k) t), momentum kept.
static void pairs_couple_bodies(void **state) {
  int pair[16];
  Springs springs = {50, 8};
  for (int i = 0; i < 8; i++)
    pair[2 * i] = i, pair[2 * i + 1] = i + 8;
  StictionForce force = {.name = "springs",
                         .context = &springs,
                         .pair_count = 8,
                         .pair = pair,
                         .add = springs_add,
                         .add_blocks = springs_blocks};
  StictionScene *scene = parse_scene(*state, TWO);
  must(*state, stiction_scene_add_force(scene, &force));
  StictionSimulation *simulation = start(*state, scene);
  double blocks, energy;
  must(*state, stiction_simulation_check_force(simulation, "springs", 1e-3, &blocks, &energy));
  assert_near(blocks, 0, 1e-8);
  assert_true(isnan(energy));
  const double *x = stiction_simulation_positions(simulation);
  while (!stiction_simulation_finished(simulation)) {
    go_on(*state, simulation, 1);
    double t = stiction_simulation_time(simulation), apart = 0;
    for (int i = 0; i < 8; i++)
      apart += (x[3 * (i + 8)] - x[3 * i]) / 8;
    assert_near(apart, 0.5 * cos(10 * t), 2e-3);
    assert_near(stiction_simulation_report(simulation)->momentum[0], 0, 1e-9);
    assert_int_equal(stiction_simulation_report(simulation)->retries, 0);
  }
  finish(scene, simulation);
}

static void undeclared_couplings_are_found(void **state) {
  Springs springs = {50, 8};
  StictionForce force = {
      .name = "springs", .context = &springs, .add = springs_add, .add_blocks = springs_blocks};
  StictionScene *scene = parse_scene(*state, TWO);
  must(*state, stiction_scene_add_force(scene, &force));
  StictionSimulation *simulation = start(*state, scene);
  must_fail(*state, stiction_simulation_step(simulation), STICTION_NOT_SOLVED,
            "share no element and are not among its pairs");
  assert_near(stiction_simulation_time(simulation), 0, 0);
  finish(scene, simulation);
}

static bool fail_late(void *context, const StictionPoint *at, double *force) {
  force[5] += at->time > 0.012 ? *(double *)context : 0;
  return !(at->time > 0.012 && *(double *)context == 0);
}

static void astray(void *context, const StictionPoint *at, double by_position, double by_velocity,
                   StictionBlocks *blocks) {
  const int row = 0, column = at->vertex_count;
  const double block[9] = {0};
  (void)context, (void)by_position, (void)by_velocity;
  stiction_blocks_add(blocks, 1, &row, &column, block);
}

static void failures_of_callbacks_are_told(void **state) {
  double value[3] = {NAN, 0, 1};
  const char *text[3] = {"not a number", "not defined", "of which there are 8"};
  for (int k = 0; k < 3; k++) {
    StictionForce force = {.name = "odd", .context = &value[k], .add = fail_late};
    if (k == 2)
      force.add_blocks = astray;
    StictionScene *scene = parse_scene(*state, ONE);
    StictionSimulation *simulation = start_with(*state, scene, &force);
    StictionStatus status = STICTION_OK;
    for (int i = 0; i < 2000 && status == STICTION_OK; i++)
      status = stiction_simulation_step(simulation);
    must_fail(*state, status, STICTION_NOT_SOLVED, text[k]);
    assert_non_null(strstr(stiction_error(*state), "odd"));
    finish(scene, simulation);
  }
}

static void wrong_descriptions_are_refused(void **state) {
  Anchor anchor = {1, 0, 1};
  int pair[2] = {0, 8};
  StictionScene *scene = parse_scene(*state, ONE);
  StictionForce force = anchor_force(&anchor);
  force.name = "My Force";
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "My Force");
  force.name = "gravity";
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "already");
  force.name = "anchor";
  force.pair = pair;
  force.pair_count = 1;
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "vertex 8");
  pair[1] = 7;
  force.add_blocks = NULL;
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "add_blocks");
  force.pair_count = 0;
  force.add = NULL;
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "no function");
  force = anchor_force(&anchor);
  must(*state, stiction_scene_add_force(scene, &force));
  must_fail(*state, stiction_scene_add_force(scene, &force), STICTION_BAD_INPUT, "already");
  StictionSimulation *simulation = start(*state, scene);
  force.name = "second";
  must(*state, stiction_scene_add_force(scene, &force)); // not for one that is there
  const double *second = NULL;
  must_fail(*state, stiction_simulation_forces(simulation, "second", &second), STICTION_BAD_INPUT,
            "no force named");
  stiction_simulation_free(simulation);
  char name[32];
  StictionStatus status = STICTION_OK;
  for (int i = 0; i < 100 && status == STICTION_OK; i++) {
    snprintf(name, sizeof name, "more_%d", i);
    force.name = name;
    status = stiction_scene_add_force(scene, &force);
  }
  must_fail(*state, status, STICTION_BAD_INPUT, "at most");
  simulation = start(*state, scene);
  go_on(*state, simulation, 1);
  finish(scene, simulation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_derivatives_are_confirmed),
      cmocka_unit_test(wrong_derivatives_are_found),
      cmocka_unit_test(all_ways_to_derivatives_agree),
      cmocka_unit_test(pairs_couple_bodies),
      cmocka_unit_test(undeclared_couplings_are_found),
      cmocka_unit_test(failures_of_callbacks_are_told),
      cmocka_unit_test(wrong_descriptions_are_refused),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
