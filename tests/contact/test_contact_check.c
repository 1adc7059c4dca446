// Which gaps at the end of a step make contact stiffer or softer: a slab above a floor, its lower
// vertices at chosen gaps.
#include "base/memory.h"
#include "contact/contact_check.h"
#include "model/partition.h"
#include "support/box_mesh.h"
#include "support/contact_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double DELTA = 1e-3, KAPPA = 1e4;
enum { CELLS = 20 };
static const BoxGrid SLAB = {{CELLS, CELLS, 1}, {0, 0, 0}, {1, 1, 0.2}, 0};

static StDescription *describe(void) {
  StDescription *d = st_description_create();
  d->material_count = d->body_count = d->obstacle_count = d->contact_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->body = ST_NEW(StBodyDesc, 1);
  d->obstacle = ST_NEW(StObstacleDesc, 1);
  d->contact = ST_NEW(StContactDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("stuff"), .density = 1};
  d->body[0] = (StBodyDesc){.name = st_copy_string("slab"), .mesh = box_mesh_create(&SLAB)};
  d->obstacle[0] = (StObstacleDesc){.name = st_copy_string("floor"),
                                    .shape = {.name = st_obstacle_find("half_space")->name},
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  d->contact[0] = (StContactDesc){.body = -1, .thickness = DELTA, .stiffness = KAPPA};
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->contact_settings.area_weighted = true;
  return d;
}

// κ over its first value after a step that ends with these gaps over the thickness: of one vertex
// inside the lower face, and of all others.
static double stiffen(double of_one, double of_others) {
  ContactBench bench = contact_bench_open(describe());
  StPairEnds ends = {0};
  int count = bench.piece->vertex_count;
  double *position = ST_NEW(double, 3 * (size_t)count), tried = INFINITY;
  memcpy(position, bench.piece->rest, 3 * (size_t)count * sizeof *position);
  for (int i = 0; i < count; i++) {
    int id = bench.piece->vertex_id[i];
    double gap = id == box_vertex(&SLAB, 2, 3, 0) ? of_one : of_others;
    if (bench.piece->rest[3 * i + 2] == 0)
      position[3 * i + 2] = gap * DELTA;
  }
  assert_int_equal(
      st_contacts_evaluate(bench.contacts, bench.state, st_instant(0), position, 0, bench.set),
      ST_OK);
  assert_true(bench.set->now.count >= (CELLS + 1) * (CELLS + 1));
  assert_int_equal(st_contact_check_measure(bench.set, bench.state, 0, NULL, position, NULL, &ends),
                   ST_OK);
  int stiffened = st_contact_check_stiffen(bench.contacts, bench.state, &ends, 0, &tried);
  double growth = bench.state->pair[0].stiffness / KAPPA;
  assert_int_equal(stiffened, growth > 1);
  st_pair_ends_free(&ends);
  free(position);
  contact_bench_close(&bench);
  return growth;
}

static void what_presses_too_close_is_stiffened(void **state) {
  (void)state;
  assert_true(stiffen(0.03, 0.03) == 1);
  double growth = stiffen(0.01, 0.01);
  assert_true(growth > 30 && growth < 100);
}

// κ is the whole slab's, and fine for the rest of it.
static void one_close_vertex_stiffens_nothing(void **state) {
  (void)state;
  assert_true(stiffen(0.01, 0.4) == 1);
  assert_true(stiffen(0.01, 0.05) > 1);
}

static void a_vertex_that_almost_touches_does(void **state) {
  (void)state;
  assert_true(stiffen(0.003, 0.4) == 1);
  assert_true(stiffen(0.001, 0.4) > 1);
}

// κ over its first value in the step after one that ended at this gap over the thickness, with the
// slab coming down by so much of the thickness within the step, if κ was `stiffer` times the first.
static double ease(double gap, double closing, double stiffer) {
  ContactBench bench = contact_bench_open(describe());
  StPairEnd end = {.deepest = gap * DELTA, .impact = {.fastest = closing * DELTA / 0.01}};
  StPairEnds ends = {.count = 1, .end = &end, .span = 0.01};
  bench.state->pair[0].stiffness = stiffer * KAPPA;
  st_contact_state_mark(bench.state, 0);
  st_contact_check_ease(bench.contacts, bench.state, &ends);
  assert_true(bench.state->pair[0].stiffness == stiffer * KAPPA); // the step that ended keeps its κ
  st_contact_state_begin(bench.contacts, bench.state, 0, bench.piece->rest);
  double left = bench.state->pair[0].stiffness / KAPPA;
  contact_bench_close(&bench);
  return left;
}

static void what_is_not_pressed_is_eased(void **state) {
  (void)state;
  assert_true(ease(0.95, 0.01, 100) < 80);
  assert_true(ease(INFINITY, 0, 100) < 80);  // has come apart
  assert_true(ease(0.85, 0.01, 100) == 100); // carries a load
  assert_true(ease(0.95, 0.5, 100) == 100);  // and is about to be hit
  assert_true(ease(0.95, 0.01, 1.1) == 1);
  assert_true(ease(0.95, 0.01, 1) == 1);
}

// An attempt had the slab touch and raised κ beyond measure; the step that is accepted ends above.
static void what_failed_attempts_raised_is_forgotten(void **state) {
  (void)state;
  ContactBench bench = contact_bench_open(describe());
  int count = bench.piece->vertex_count;
  double *position = ST_NEW(double, 3 * (size_t)count);
  for (int i = 0; i < 3 * count; i++)
    position[i] = bench.piece->rest[i] + (i % 3 == 2 ? 3 * DELTA : 0);
  StPairEnds ends = {0};
  assert_int_equal(
      st_contacts_evaluate(bench.contacts, bench.state, st_instant(0), position, 0, bench.set),
      ST_OK);
  bench.state->pair[0].stiffness = 1e6 * KAPPA;
  st_contact_state_mark(bench.state, 0);
  st_contact_check_commit(bench.set, &ends, bench.state);
  assert_true(bench.state->pair[0].stiffness == KAPPA);
  free(position);
  contact_bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_presses_too_close_is_stiffened),
      cmocka_unit_test(one_close_vertex_stiffens_nothing),
      cmocka_unit_test(a_vertex_that_almost_touches_does),
      cmocka_unit_test(what_is_not_pressed_is_eased),
      cmocka_unit_test(what_failed_attempts_raised_is_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
