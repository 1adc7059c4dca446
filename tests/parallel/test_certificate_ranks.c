// Read-out and certificate of contact on several ranks agree with one process: a block that slides
// over a slab of its own kind, both ways, and the slab stands on a floor.
#include "support/alone.h"
#include "support/slope.h"

enum { PAIRS = 3, STEPS = 12 };

static const double THICKNESS = 2e-3;

// What is compared; forces in the file order of the description.
typedef struct Result {
  StContactReport contact;
  StContactRecord record;
  StPairReport pair[PAIRS];
  int vertex_count;
  double *field[3]; // normal force, gap, slip speed: [vertex_count]
  int *state;
} Result;

static StContactDesc pair_of(int collider, int body, int obstacle) {
  return (StContactDesc){.collider = collider,
                         .body = body,
                         .obstacle = obstacle,
                         .thickness = THICKNESS,
                         .stiffness = 1e8,
                         .friction = {.dynamic_coefficient = 0.3,
                                      .static_coefficient = 0.3,
                                      .sticking_speed = 1e-3,
                                      .stribeck_speed = 1e-2}};
}

static StDescription *block_on_slab(void) {
  Slope slope = {.world = {.grid = {.cells = {8, 8, 2},
                                    .low = {0, 0, 0.5 * THICKNESS},
                                    .high = {0.4, 0.4, 0.1 + 0.5 * THICKNESS}},
                           .young = 1e6,
                           .poisson = 0.3,
                           .density = 1000,
                           .stiffness_damping = 5e-3,
                           .integrator = "be",
                           .step = 0.005,
                           .duration = 0.005 * STEPS,
                           .solver = ST_SOLVER_DIRECT},
                 .gravity = 9.81,
                 .mu = 0.3,
                 .thickness = THICKNESS};
  BoxGrid block = {.cells = {3, 3, 3},
                   .low = {0.11, 0.12, 0.1 + 1.2 * THICKNESS},
                   .high = {0.26, 0.27, 0.2 + 1.2 * THICKNESS}};
  StDescription *d = slope_create(&slope);
  d->body = realloc(d->body, 2 * sizeof *d->body);
  d->body[1] = d->body[0];
  d->body[1].name = st_copy_string("block");
  d->body[1].mesh = box_mesh_create(&block);
  d->body[1].velocity[0] = 0.2;
  d->body_count = 2;
  d->contact = realloc(d->contact, PAIRS * sizeof *d->contact);
  d->contact_count = PAIRS;
  d->contact[0] = pair_of(0, -1, 0);
  d->contact[1] = pair_of(1, 0, -1);
  d->contact[2] = pair_of(0, 1, -1);
  d->solver.velocity_tolerance = 1e-12;
  d->solver.change_tolerance = 1e-10;
  return d;
}

static Result simulate(void) {
  StDescription *d = block_on_slab();
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  const StReport *report = st_simulation_report(simulation);
  Result result = {.contact = report->contact, .record = *report->record};
  world_must(report->pair_count == PAIRS, "pairs");
  memcpy(result.pair, report->pair, sizeof result.pair);
  for (int p = 0; p < PAIRS; p++)
    result.pair[p].name = NULL;
  StSnapshot snapshot;
  StError error = {0};
  if (st_simulation_snapshot(simulation, true, false, &snapshot, &error) != ST_OK)
    world_must(false, error.text);
  result.vertex_count = snapshot.vertex_count;
  double **field[3] = {&snapshot.contact_normal_force, &snapshot.contact_gap, &snapshot.slip_speed};
  for (int f = 0; f < 3; f++) {
    result.field[f] = *field[f];
    *field[f] = NULL;
  }
  result.state = snapshot.contact_state;
  snapshot.contact_state = NULL;
  st_snapshot_free(&snapshot);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return result;
}

static void result_free(Result *result) {
  for (int f = 0; f < 3; f++)
    free(result->field[f]);
  free(result->state);
}

static bool write_alone(FILE *file) {
  Result result = simulate();
  size_t count = (size_t)result.vertex_count;
  bool good = fwrite(&result, sizeof result, 1, file) == 1;
  for (int f = 0; f < 3; f++)
    good = good && fwrite(result.field[f], sizeof(double), count, file) == count;
  good = good && fwrite(result.state, sizeof(int), count, file) == count;
  result_free(&result);
  return good;
}

static Result read_alone(void) {
  Result result;
  FILE *file = alone_open();
  assert_int_equal(fread(&result, sizeof result, 1, file), 1);
  size_t count = (size_t)result.vertex_count;
  for (int f = 0; f < 3; f++) {
    result.field[f] = ST_NEW(double, count);
    assert_int_equal(fread(result.field[f], sizeof(double), count, file), count);
  }
  result.state = ST_NEW(int, count);
  assert_int_equal(fread(result.state, sizeof(int), count, file), count);
  fclose(file);
  return result;
}

static void assert_near(double got, double expected, double scale) {
  if (!(fabs(got - expected) <= 1e-7 * scale))
    fail_msg("%.17g is not %.17g (scale %g)", got, expected, scale);
}

static void compare_reports(const Result *got, const Result *expected) {
  const StContactReport *a = &got->contact, *b = &expected->contact;
  double force = b->normal_force;
  assert_int_equal(a->touching, b->touching);
  assert_int_equal(a->sticking, b->sticking);
  assert_int_equal(a->deepest_vertex, b->deepest_vertex);
  assert_int_equal(a->repeats, b->repeats);
  assert_near(a->normal_force, force, force);
  assert_near(a->friction_force, b->friction_force, force);
  assert_near(a->friction_power, b->friction_power, fabs(b->friction_power));
  assert_near(a->deepest_gap, b->deepest_gap, THICKNESS);
  assert_near(a->creep_speed, b->creep_speed, 1e-3);
  assert_true(a->stiffness_growth == b->stiffness_growth);
  for (int p = 0; p < PAIRS; p++) {
    assert_int_equal(got->pair[p].touching, expected->pair[p].touching);
    assert_int_equal(got->pair[p].sticking, expected->pair[p].sticking);
    assert_near(got->pair[p].normal_force, expected->pair[p].normal_force, force);
    for (int c = 0; c < 3; c++)
      assert_near(got->pair[p].friction[c], expected->pair[p].friction[c], force);
  }
  assert_near(got->record.deepest_gap, expected->record.deepest_gap, THICKNESS);
  assert_int_equal(got->record.deepest_vertex, expected->record.deepest_vertex);
}

static void compare_fields(const Result *got, const Result *expected) {
  const double scale[3] = {expected->contact.normal_force, THICKNESS, 0.1};
  assert_int_equal(got->vertex_count, expected->vertex_count);
  for (int v = 0; v < got->vertex_count; v++) {
    assert_int_equal(got->state[v], expected->state[v]);
    for (int f = 0; f < 3; f++)
      assert_near(got->field[f][v], expected->field[f][v], scale[f]);
  }
}

static void check_laws(const StContactReport *contact, const StContactRecord *record) {
  double round_off = 1e-12 * contact->normal_force;
  assert_true(record->pair_net_force < round_off);
  assert_true(record->cone_violation < round_off);
  assert_true(record->friction_power <= 0);
  assert_true(record->normal_force_error == 0);
  assert_true(record->deepest_gap >= 0);
}

static void ranks_agree(void **state) {
  (void)state;
  Result result = simulate();
  check_laws(&result.contact, &result.record);
  if (st_runtime_rank() == 0) {
    Result expected = read_alone();
    print_message("%d touch, %d stick; normal force %.9g N, alone %.9g N; net force %.1e N\n",
                  result.contact.touching, result.contact.sticking, result.contact.normal_force,
                  expected.contact.normal_force, result.record.pair_net_force);
    compare_reports(&result, &expected);
    compare_fields(&result, &expected);
    assert_true(expected.pair[1].touching > 0);
    result_free(&expected);
  }
  result_free(&result);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_agree)};
  return ALONE_MAIN(count, argument, write_alone, tests);
}
