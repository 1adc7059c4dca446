// The judge finds the same on several ranks as in one process: a bar that falls through a box,
// since the box fits between its vertices.
#include "math/vec3.h"
#include "support/alone.h"
#include "support/slope.h"

enum { STEPS = 12, VERTICES = 28, TETS = 36 };

typedef struct Result {
  StJudgement found; // of the last state
  StJudgeRecord record;
  int finding[VERTICES], inverted[TETS]; // of the snapshot, on rank 0
} Result;

static StDescription *bar_over_box(void) {
  Slope slope = {.world = {.grid = {.cells = {6, 1, 1}, .low = {0, 0, 0}, .high = {1.2, 0.1, 0.1}},
                           .young = 1e7,
                           .poisson = 0.3,
                           .density = 1000,
                           .integrator = "be",
                           .step = 0.01,
                           .duration = 0.01 * STEPS,
                           .solver = ST_SOLVER_DIRECT},
                 .gravity = 9.81,
                 .mu = 0.3,
                 .epsilon = 1e-3,
                 .thickness = 1e-3,
                 .stiffness = 1e7};
  StDescription *d = slope_create(&slope);
  d->obstacle[0].shape = (StChoice){"box", {0.08, 0.3, 0.08}};
  vec3_copy((double[3]){0.5, 0.05, -0.06}, d->obstacle[0].origin);
  return d;
}

static Result simulate(void) {
  StDescription *d = bar_over_box();
  StSimulation *simulation = world_start(d);
  world_run(simulation);
  const StReport *report = st_simulation_report(simulation);
  Result result;
  memset(&result, 0, sizeof result);
  world_must(report->judge.checked, "not judged");
  result.found = report->judge.found;
  memcpy(&result.record, report->judged, sizeof result.record);
  StSnapshot snapshot;
  StError error = {0};
  if (st_simulation_snapshot(simulation, false, false, &snapshot, &error) != ST_OK)
    world_must(false, error.text);
  world_must((st_runtime_rank() == 0) == (snapshot.findings != NULL), "marks on rank 0 alone");
  if (snapshot.findings) {
    world_must(snapshot.vertex_count == VERTICES && snapshot.tet_count == TETS, "another mesh");
    memcpy(result.finding, snapshot.findings, sizeof result.finding);
    memcpy(result.inverted, snapshot.inverted, sizeof result.inverted);
  }
  st_snapshot_free(&snapshot);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return result;
}

static bool write_alone(FILE *file) {
  Result result = simulate();
  return fwrite(&result, sizeof result, 1, file) == 1;
}

static void ranks_agree(void **state) {
  (void)state;
  Result got = simulate(), expected;
  const StFindingRecord *through = &got.record.kind[ST_FOUND_OBSTACLE_CROSSING];
  assert_int_equal(got.record.starts, 1);
  assert_int_equal(got.record.steps, STEPS);
  assert_true(through->states > 0 && through->most > 0);
  assert_int_equal(got.record.kind[ST_FOUND_INSIDE].states, 0);
  if (st_runtime_rank() != 0)
    return;
  FILE *file = alone_open();
  assert_int_equal(fread(&expected, sizeof expected, 1, file), 1);
  fclose(file);
  print_message("%ld of %d states, up to %ld at once, first at %g s\n", through->states, STEPS + 1,
                through->most, through->first_time);
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    const StFindingRecord *a = &got.record.kind[k], *b = &expected.record.kind[k];
    assert_int_equal(got.found.kind[k].count, expected.found.kind[k].count);
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->most, b->most);
    assert_true(a->first_time == b->first_time && a->most_time == b->most_time);
  }
  assert_memory_equal(got.finding, expected.finding, sizeof got.finding);
  assert_memory_equal(got.inverted, expected.inverted, sizeof got.inverted);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_agree)};
  return ALONE_MAIN(count, argument, write_alone, tests);
}
