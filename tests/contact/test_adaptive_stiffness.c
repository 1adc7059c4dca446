// The law of stiffness, rule by rule: a slab or a sheet above a floor, with chosen gaps at the
// start and at the end of a step.
#include "base/memory.h"
#include "contact/barrier/barrier.h"
#include "contact/barrier/damping.h"
#include "contact/core/contacts.h"
#include "support/box_mesh.h"
#include "support/contact_bench.h"
#include "support/skin_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double DELTA = 1e-3, KAPPA = 1e4;
enum { CELLS = 6 };
static const BoxGrid SLAB = {{CELLS, CELLS, 1}, {0, 0, 0}, {1, 1, 0.2}, 0};

typedef struct Bench {
  ContactBench contact;
  StFactors factors;
  StMeetings meetings;
} Bench;

static StDescription *describe(bool sheet) {
  StDescription *d = st_description_create();
  d->material_count = d->body_count = d->obstacle_count = d->contact_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->body = ST_NEW(StBodyDesc, 1);
  d->obstacle = ST_NEW(StObstacleDesc, 1);
  d->contact = ST_NEW(StContactDesc, 1);
  d->material[0] =
      (StMaterialDesc){.name = st_copy_string("stuff"), .shell = sheet, .density = 1000};
  d->body[0] = (StBodyDesc){.name = st_copy_string("slab"),
                            .mesh = sheet ? skin_sheet(CELLS, 1, 0) : box_mesh_create(&SLAB)};
  d->obstacle[0] = (StObstacleDesc){.name = st_copy_string("floor"),
                                    .shape = {.name = st_obstacle_find("half_space")->name},
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  d->contact[0] = (StContactDesc){.body = -1, .thickness = DELTA, .stiffness = KAPPA};
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->contact_settings.area_weighted = true;
  return d;
}

static Bench open_bench(bool sheet) {
  return (Bench){.contact = contact_bench_open(describe(sheet))};
}

static void close_bench(Bench *bench) {
  st_factors_free(&bench->factors);
  st_meetings_free(&bench->meetings);
  contact_bench_close(&bench->contact);
}

static bool is_low(const Bench *bench, int vertex) {
  return bench->contact.piece->rest[3 * vertex + 2] == 0;
}

// All lower vertices at this gap over the thickness, but for the first one of them.
static const StContactSet *evaluate(Bench *bench, double gap, double of_first) {
  ContactBench *c = &bench->contact;
  int first = -1;
  for (int v = 0; v < c->piece->vertex_count; v++) {
    bool low = is_low(bench, v);
    first = low && first < 0 ? v : first;
    if (low)
      c->position[3 * v + 2] = DELTA * (v == first ? of_first : gap);
  }
  assert_int_equal(st_contacts_evaluate(c->contacts, c->state, st_instant(0), c->position, c->set),
                   ST_OK);
  return c->set;
}

// A step begins with these gaps; the law remembers its contacts.
static void begin(Bench *bench, double gap) {
  const StContactSet *set = evaluate(bench, gap, gap);
  assert_int_equal(st_contact_state_lag(bench->contact.state, set, NULL), ST_OK);
}

static void set_factors(Bench *bench, double began, double now) {
  StStiffness *stiffness = &bench->contact.state->stiffness;
  for (int k = 0; k < ST_CONTACT_KINDS; k++)
    for (int i = 0; i < stiffness->count; i++) {
      stiffness->began[k][i] = began;
      stiffness->factor[k][i] = now;
    }
  bench->contact.state->version++;
}

// The factor of the lower vertices at the start of the next step. Upper ones are 1, so that no
// neighbour matters.
static double released(double gap_before, double gap, double began, double factor, bool sheet) {
  Bench bench = open_bench(sheet);
  StStiffness *stiffness = &bench.contact.state->stiffness;
  begin(&bench, gap_before);
  set_factors(&bench, began, factor);
  const StContactSet *set = evaluate(&bench, gap, gap);
  assert_true(st_stiffness_release(set, bench.contact.state, &bench.factors));
  st_factors_merge(&bench.factors);
  st_stiffness_begin(stiffness, &bench.factors);
  double to = 0;
  const double *after = stiffness->factor[sheet ? ST_SHEET_POINT_CONTACT : ST_POINT_CONTACT];
  for (int v = 0; v < bench.contact.piece->vertex_count; v++)
    if (is_low(&bench, v))
      to = fmax(to, after[bench.contact.piece->vertex_id[v]]);
  close_bench(&bench);
  return to;
}

static double pressure(double part) {
  return -st_barrier_curve(part).slope;
}

static void contact_without_load_falls_back(void **state) {
  (void)state;
  assert_true(released(2, 2, 100, 100, false) == 50);
  assert_true(released(2, 0.95, 100, 100, false) == 50);
  assert_true(released(2, 0.85, 100, 100, false) == 100); // carries a load
  assert_true(released(2, 2, 1.1, 1.1, false) == 1);
  assert_true(released(2, 2, 1, 1, false) == 1);
}

// Raised from 1 to 1000 within a step that ends at 0.8 of the thickness, a contact keeps twice what
// carries the same load at half of it.
static void more_than_a_load_needs_is_forgotten(void **state) {
  (void)state;
  double need = 1000 * pressure(0.8) / pressure(0.5);
  assert_float_equal(released(2, 0.8, 1, 1000, false), 2 * need, 1e-9 * need);
  assert_true(released(0.8, 0.8, 1000, 1000, false) == 1000); // it began with that
}

static void cloth_at_rest_follows_its_load(void **state) {
  (void)state;
  double need = pressure(0.45) / pressure(0.5);
  assert_float_equal(released(0.45, 0.45, 1, 1, true), need, 1e-12);
  assert_true(released(0.1, 0.1, 1, 1, true) == 2);    // by no more than twice in a step
  assert_true(released(0.45, 0.45, 1, 1, false) == 1); // a solid is left alone
  assert_true(released(0.9, 0.45, 1, 1, true) == 1);   // and what still falls
  assert_true(released(0.3, 0.45, 1, 1, true) == 1);   // or is lifted
}

// The factor of all contacts is such that κ f A φ(½) stops the mass behind them within the span.
static void bodies_that_meet_are_stopped(void **state) {
  (void)state;
  const double span = 1e-2, speed = 3;
  Bench bench = open_bench(false);
  ContactBench *c = &bench.contact;
  StStiffness *stiffness = &c->state->stiffness;
  begin(&bench, 2);
  for (int v = 0; v < c->piece->vertex_count; v++)
    c->velocity[3 * v + 2] = -speed;
  const StContactSet *set = evaluate(&bench, 0.7, 0.7);
  assert_true(st_stiffness_meet(set, c->state, c->velocity, &bench.meetings));
  assert_int_equal(bench.meetings.count, 1);
  double area = 0;
  for (int t = 0; t < set->now.count; t++)
    area += set->now.contact[t].weight;
  assert_true(st_stiffness_raise(set, c->state, &bench.meetings, span, &bench.factors));
  st_stiffness_lift(stiffness, &bench.factors);
  double mass = 1000 * 1 * 1 * 0.2;
  double wanted = mass * speed / span / (KAPPA * area * pressure(0.5));
  assert_true(wanted > 2);
  assert_int_equal(bench.factors.count, set->now.count);
  for (int i = 0; i < bench.factors.count; i++)
    assert_float_equal(bench.factors.item[i].factor, wanted, 1e-9 * wanted);
  // Once is enough, and what carried a load is left alone.
  c->state->version++;
  set = evaluate(&bench, 0.7, 0.7);
  assert_true(st_stiffness_meet(set, c->state, c->velocity, &bench.meetings));
  assert_true(st_stiffness_raise(set, c->state, &bench.meetings, span, &bench.factors));
  assert_int_equal(bench.factors.count, 0);
  set_factors(&bench, 1, 1);
  begin(&bench, 0.8);
  set = evaluate(&bench, 0.7, 0.7);
  assert_true(st_stiffness_meet(set, c->state, c->velocity, &bench.meetings));
  assert_true(st_stiffness_raise(set, c->state, &bench.meetings, span, &bench.factors));
  assert_int_equal(bench.factors.count, 0);
  close_bench(&bench);
}

// Whether a vertex that comes this close is stiffened alone, to what it needs.
static void new_contact_that_comes_close_is_rescued(void **state) {
  (void)state;
  for (int loaded = 0; loaded < 2; loaded++) {
    Bench bench = open_bench(false);
    StContactState *contact = bench.contact.state;
    begin(&bench, loaded ? 0.5 : 2);
    const double close = 0.015;
    const StContactSet *set = evaluate(&bench, 0.3, close);
    assert_true(st_stiffness_raise(set, contact, &(StMeetings){0}, 1e-2, &bench.factors));
    assert_int_equal(bench.factors.count, !loaded);
    double need = pressure(close) / pressure(0.5);
    if (!loaded)
      assert_float_equal(bench.factors.item[0].factor, need, 1e-9 * need);
    set = evaluate(&bench, 0.3, 5e-4);
    assert_true(st_stiffness_raise(set, contact, &(StMeetings){0}, 1e-2, &bench.factors));
    if (!loaded)
      assert_true(bench.factors.item[0].factor == 1000); // that is all a step may do
    set_factors(&bench, 1, 1000);
    set = evaluate(&bench, 0.3, 5e-4);
    assert_true(st_stiffness_raise(set, contact, &(StMeetings){0}, 1e-2, &bench.factors));
    assert_int_equal(bench.factors.count, 0);
    close_bench(&bench);
  }
}

// A vertex without load gets half of what its neighbours have, which the contact moves on to.
static void neighbours_prepare(void **state) {
  (void)state;
  Bench bench = open_bench(false);
  const StSkins *skins = bench.contact.contacts->skins;
  StStiffness *stiffness = &bench.contact.state->stiffness;
  begin(&bench, 2);
  int centre = box_vertex(&SLAB, 3, 3, 0), reached = 0;
  stiffness->factor[ST_POINT_CONTACT][centre] = stiffness->began[ST_POINT_CONTACT][centre] = 100;
  const StContactSet *set = evaluate(&bench, 2, 2);
  assert_true(st_stiffness_release(set, bench.contact.state, &bench.factors));
  for (int i = 0; i < bench.factors.count; i++) {
    const StFactor *item = &bench.factors.item[i];
    reached += item->vertex != centre;
    assert_float_equal(item->factor, 50, 1e-12);
  }
  int place = 0;
  while (bench.contact.piece->vertex_id[place] != centre)
    place++;
  assert_int_equal(reached, skins->around[place + 1] - skins->around[place]);
  close_bench(&bench);
}

// A rejected attempt leaves nothing behind.
static void attempts_begin_alike(void **state) {
  (void)state;
  Bench bench = open_bench(false);
  StStiffness *stiffness = &bench.contact.state->stiffness;
  StFactor items[] = {{3, ST_POINT_CONTACT, 7}, {3, ST_POINT_CONTACT, 5}, {2, ST_EDGE_CONTACT, 4}};
  bench.factors = (StFactors){.item = ST_NEW(StFactor, 3), .count = 3, .capacity = 3};
  memcpy(bench.factors.item, items, sizeof items);
  st_factors_merge(&bench.factors);
  assert_int_equal(bench.factors.count, 2);
  st_stiffness_begin(stiffness, &bench.factors);
  bench.factors.item[0].factor = 50;
  st_stiffness_lift(stiffness, &bench.factors);
  assert_true(stiffness->factor[ST_EDGE_CONTACT][2] == 50);
  st_stiffness_restart(stiffness);
  assert_true(stiffness->factor[ST_EDGE_CONTACT][2] == 4);
  assert_true(stiffness->factor[ST_POINT_CONTACT][3] == 7);
  close_bench(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_without_load_falls_back),
      cmocka_unit_test(more_than_a_load_needs_is_forgotten),
      cmocka_unit_test(cloth_at_rest_follows_its_load),
      cmocka_unit_test(bodies_that_meet_are_stopped),
      cmocka_unit_test(new_contact_that_comes_close_is_rescued),
      cmocka_unit_test(neighbours_prepare),
      cmocka_unit_test(attempts_begin_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
