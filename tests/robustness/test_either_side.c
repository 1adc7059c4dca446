// A ball on a cloth, from above and from below: both motions are each other's mirror image, nothing
// gets inside or through, at rest or at speed, and a run that is taken up again in the middle of a
// contact goes on as if nothing had happened.
#include "solve/runtime.h"
#include "support/cloth_ball.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const ClothBall falling = {
    .way = 1, .x = 0.013, .y = 0.007, .speed = 1, .step = 0.01, .duration = 0.16};

// Runs to the end; every committed step must be clear. Returns how many vertices touched at most.
static int run_clear(StSimulation *simulation) {
  int touching = 0;
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    const StReport *report = st_simulation_report(simulation);
    touching = (int)fmax(touching, report->contact.touching);
    if (report->contact.touching > 0)
      assert_true(report->contact.deepest_gap >= 0);
  }
  return touching;
}

static StSnapshot simulate(const ClothBall *scene) {
  StDescription *d = cloth_ball_create(scene);
  StSimulation *simulation = world_start(d);
  assert_true(run_clear(simulation) > 3);
  StSnapshot end = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return end;
}

// Height of the ball's middle over the sheet's lowest or highest vertex, on the side it came from.
static double height_over_sheet(const ClothBall *scene, const StSnapshot *end, int sheet) {
  double middle = 0, extreme = INFINITY;
  for (int v = 0; v < end->vertex_count; v++) {
    double z = scene->way * end->position[3 * v + 2];
    if (v < end->vertex_count - sheet)
      middle += z / (end->vertex_count - sheet);
    else
      extreme = fmin(extreme, z);
  }
  return middle - extreme;
}

static void both_sides_alike(void **state) {
  (void)state;
  ClothBall above = falling, below = falling;
  below.way = -1;
  StSnapshot a = simulate(&above), b = simulate(&below);
  assert_true(height_over_sheet(&above, &a, 81) > 0.03);
  assert_true(height_over_sheet(&below, &b, 81) > 0.03);
  double off = 0;
  for (int v = a.vertex_count - 81; v < a.vertex_count; v++)
    off = fmax(off, fabs(a.position[3 * v + 2] + b.position[3 * v + 2]));
  print_message("the sheet's mirror images differ by %.1e m\n", off);
  assert_true(off < 1e-12);
  st_snapshot_free(&a);
  st_snapshot_free(&b);
}

// So fast that the first steps tried end far behind the sheet.
static void fast_ball_is_caught(void **state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    ClothBall fast = falling;
    fast.way = way;
    fast.speed = 8;
    fast.step = 0.02;
    fast.duration = 0.02;
    StSnapshot end = simulate(&fast);
    assert_true(height_over_sheet(&fast, &end, 81) > 0.02);
    st_snapshot_free(&end);
  }
}

// Over the border, half on the sheet: it slips off or stays, but is never caught in between.
static void border_is_no_trap(void **state) {
  (void)state;
  ClothBall beside = falling;
  beside.x = 0.2;
  StSnapshot end = simulate(&beside);
  st_snapshot_free(&end);
}

static double difference(const StSnapshot *a, const StSnapshot *b) {
  double most = 0;
  for (int i = 0; i < 3 * a->vertex_count; i++)
    most = fmax(most, fabs(a->position[i] - b->position[i]));
  return most;
}

// Bit for bit: the matrix of the run that goes on forgets past contacts at a checkpoint.
static void resumes_in_contact(void **state) {
  (void)state;
  ClothBall below = falling;
  below.way = -1;
  StDescription *d = cloth_ball_create(&below);
  StSimulation *whole = world_start(d), *again = world_start(d);
  StCheckpoint checkpoint;
  StError error = {0};
  for (int i = 0; i < 10; i++)
    world_step(whole);
  assert_true(st_simulation_report(whole)->contact.touching > 0);
  assert_int_equal(st_simulation_checkpoint(whole, &checkpoint, &error), ST_OK);
  assert_int_equal(st_simulation_restore(again, &checkpoint, &error), ST_OK);
  st_checkpoint_free(&checkpoint);
  world_run(whole);
  world_run(again);
  StSnapshot a = world_snapshot(whole), b = world_snapshot(again);
  assert_true(difference(&a, &b) == 0);
  st_snapshot_free(&a);
  st_snapshot_free(&b);
  st_simulation_destroy(whole);
  st_simulation_destroy(again);
  st_description_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_sides_alike),
      cmocka_unit_test(fast_ball_is_caught),
      cmocka_unit_test(border_is_no_trap),
      cmocka_unit_test(resumes_in_contact),
  };
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
