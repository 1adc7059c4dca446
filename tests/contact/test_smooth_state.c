// Sides of a sheet over the steps of a simulation: chosen at the start, kept through penetration,
// forgotten out of reach, the same on every rank, restored from a checkpoint; points on both sides
// at once, and points too fast for a step.
#include "base/memory.h"
#include "contact/core/contact_check.h"
#include "contact/smooth/smooth_memory.h"
#include "contact/smooth/smooth_state.h"
#include "contact/smooth/smooth_provider.h"
#include "math/vec3.h"
#include "model/partition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include <limits.h>

static const double DELTA = 0.02, KAPPA = 5000;
enum { POINTS = 6, CELLS = 10 };

typedef struct Bench {
  StDescription *description;
  StPiece *piece;
  StContacts *contacts;
  StContactState *state;
  StContactSet *set;
  double *position; // [vertex_count][3] local
  double *before;
} Bench;

// Points by threes, each three a triangle to give them area.
static StMesh *dust(void) {
  StMesh *mesh = st_mesh_create(POINTS, 0, POINTS / 3);
  for (int v = 0; v < POINTS; v++) {
    vec3_set(0.1 * (v % 3 == 1), 0.1 * (v % 3 == 2) + v / 3, 1, mesh->position + 3 * v);
    mesh->triangle[v] = v;
  }
  return mesh;
}

// A square of 1 m around the origin.
static StMesh *sheet(void) {
  const int row = CELLS + 1;
  StMesh *mesh = st_mesh_create(row * row, 0, 2 * CELLS * CELLS);
  int *corner = mesh->triangle;
  for (int v = 0; v < row * row; v++)
    vec3_set(0.1 * (v % row) - 0.5, 0.1 * (v / row) - 0.5, 0, mesh->position + 3 * v);
  for (int q = 0; q < CELLS * CELLS; q++) {
    int a = q / CELLS * row + q % CELLS, b = a + 1, c = a + row + 1, d = a + row;
    const int two[6] = {a, b, c, a, c, d};
    memcpy(corner, two, sizeof two);
    corner += 6;
  }
  return mesh;
}

static StDescription *describe(void) {
  StDescription *d = st_description_create();
  d->material_count = 1;
  d->material = ST_NEW(StMaterialDesc, 1);
  d->material[0] = (StMaterialDesc){.name = st_copy_string("cloth"), .shell = true, .density = 1};
  d->body_count = 2;
  d->body = ST_NEW(StBodyDesc, 2);
  d->body[0] = (StBodyDesc){.name = st_copy_string("dust"), .mesh = dust()};
  d->body[1] = (StBodyDesc){.name = st_copy_string("sheet"), .mesh = sheet()};
  d->contact_count = 1;
  d->contact = ST_NEW(StContactDesc, 1);
  d->contact[0] =
      (StContactDesc){.body = 1, .obstacle = -1, .thickness = DELTA, .stiffness = KAPPA};
  d->contact_settings.method = ST_CONTACT_SMOOTH;
  d->contact_settings.area_weighted = false;
  return d;
}

static void open_part(Bench *bench, const int *owner, int rank) {
  bool shared[256];
  int *ghost_owner, *ghost_index;
  memset(shared, 1, sizeof shared);
  StCut cut = {.owner = owner, .shared = shared, .rank = rank};
  assert_int_equal(st_piece_create_part(bench->description, &cut, &bench->piece, &ghost_owner,
                                        &ghost_index, NULL),
                   ST_OK);
  free(ghost_owner);
  free(ghost_index);
  assert_int_equal(st_contacts_create(bench->description, bench->piece, &bench->contacts, NULL),
                   ST_OK);
  assert_int_equal(st_contact_state_create(bench->contacts, &bench->state, NULL), ST_OK);
  assert_int_equal(st_contact_set_create(bench->contacts, &bench->set, NULL), ST_OK);
  size_t numbers = 3 * (size_t)bench->piece->vertex_count;
  bench->position = ST_NEW(double, numbers);
  bench->before = ST_NEW(double, numbers);
  memcpy(bench->position, bench->piece->rest, numbers * sizeof(double));
}

static Bench open_bench(void) {
  Bench bench = {.description = describe()};
  open_part(&bench, NULL, 0);
  return bench;
}

static void close_part(Bench *bench) {
  st_contact_set_destroy(bench->set);
  st_contact_state_destroy(bench->state);
  st_contacts_destroy(bench->contacts);
  st_piece_destroy(bench->piece);
  free(bench->position);
  free(bench->before);
}

static void close_bench(Bench *bench) {
  close_part(bench);
  st_description_destroy(bench->description);
}

static void place(Bench *bench, int id, double x, double y, double z) {
  for (int i = 0; i < bench->piece->vertex_count; i++)
    if (bench->piece->vertex_id[i] == id)
      vec3_set(x, y, z, bench->position + 3 * i);
}

// All points out of reach but the first.
static void place_first(Bench *bench, double x, double y, double z) {
  place(bench, 0, x, y, z);
  for (int id = 1; id < POINTS; id++)
    place(bench, id, 3 + 0.1 * id, 0, 1);
}

static void evaluate(Bench *bench, double time) {
  assert_int_equal(st_contacts_evaluate(bench->contacts, bench->state, st_instant(time),
                                        bench->position, bench->set),
                   ST_OK);
}

static void start(Bench *bench) {
  StPairEnds ends = {0};
  st_smooth_state_forget_sides(bench->contacts, bench->state);
  st_contact_state_begin(bench->contacts, bench->state, 0, bench->position);
  evaluate(bench, 0);
  assert_int_equal(
      st_contact_check_measure(bench->set, bench->state, 0, NULL, bench->position, &ends), ST_OK);
  assert_int_equal(st_contact_check_begin(bench->set, &ends, bench->state, NULL, NULL), ST_OK);
  st_pair_ends_free(&ends);
}

static void begin_step(Bench *bench) {
  size_t bytes = 3 * (size_t)bench->piece->vertex_count * sizeof(double);
  memcpy(bench->before, bench->position, bytes);
  st_contact_state_begin(bench->contacts, bench->state, 0, bench->position);
}

static StPairEnd end_step(Bench *bench) {
  StPairEnds ends = {0};
  evaluate(bench, 1);
  assert_int_equal(
      st_contact_check_measure(bench->set, bench->state, 0, bench->before, bench->position, &ends),
      ST_OK);
  StPairEnd end = st_pair_ends_of(&ends, 0);
  st_pair_ends_free(&ends);
  return end;
}

// One step that takes the first point to this place; *end says how it went.
static StPairEnd step_first(Bench *bench, double x, double y, double z) {
  begin_step(bench);
  place(bench, 0, x, y, z);
  return end_step(bench);
}

static void commit(Bench *bench, StPairEnd *end) {
  const StPairEnds ends = {.count = 1, .end = end};
  assert_false(end->crossed);
  assert_true(end->deepest >= 0);
  st_contact_check_commit(bench->set, &ends, bench->state);
}

static const StContact *only_contact(const Bench *bench) {
  assert_int_equal(bench->set->now.count, 1);
  return &bench->set->now.contact[0];
}

static void assert_near(double a, double b) {
  assert_true(fabs(a - b) <= 1e-12);
}

static void check_kept(double way) {
  Bench bench = open_bench();
  place_first(&bench, 0.03, 0.01, way * 0.3);
  start(&bench);
  // Into reach, and attempts that end inside: always known as such, whatever came before.
  for (int i = 1; i <= 15; i++) {
    StPairEnd end = step_first(&bench, 0.03, 0.01, -way * 0.002 * i);
    assert_false(end.crossed);
    assert_near(end.deepest, -0.002 * i);
    place(&bench, 0, 0.03, 0.01, way * 0.3); // the step is not kept
  }
  StPairEnd end = step_first(&bench, 0.03, 0.01, way * 0.001);
  assert_near(end.deepest, 0.001);
  assert_near(bench.set->now.gradient[2], way);
  commit(&bench, &end);
  // Kept: also where the start of the step is no help, within round-off of the sheet.
  for (int i = 0; i < 5; i++) {
    end = step_first(&bench, 0.03 + 0.02 * i, 0.01, way * 1e-17);
    assert_near(end.deepest, 0);
    commit(&bench, &end);
    end = step_first(&bench, 0.03 + 0.02 * i, 0.01, -way * 0.004);
    assert_near(end.deepest, -0.004);
    place(&bench, 0, 0.03 + 0.02 * i, 0.01, way * 1e-17);
  }
  close_bench(&bench);
}

static void test_kept(void **state) {
  (void)state;
  check_kept(1);
  check_kept(-1);
}

// Out of reach the side is forgotten; a point that goes round the border is on the other side.
static void test_forgotten(void **state) {
  (void)state;
  Bench bench = open_bench();
  place_first(&bench, 0.4, 0.01, 0.01);
  start(&bench);
  assert_true(st_smooth_side(bench.set, only_contact(&bench)) > 0);
  const double way[][2] = {{0.4, 0.1}, {0.8, 0.1}, {0.8, -0.1}, {0.4, -0.1}, {0.4, -0.01}};
  for (int i = 0; i < ST_LENGTH(way); i++) {
    StPairEnd end = step_first(&bench, way[i][0], 0.01, way[i][1]);
    commit(&bench, &end);
    assert_int_equal(bench.set->now.count, i == 4);
    assert_true((bench.state->smooth->pair[0].side[0] != 0) == (i == 4));
  }
  assert_true(st_smooth_side(bench.set, only_contact(&bench)) < 0);
  assert_near(only_contact(&bench)->gap, 0.01);
  close_bench(&bench);
}

// Points above and below are both pushed away, and forces balance.
static void test_both_sides(void **state) {
  (void)state;
  Bench bench = open_bench();
  for (int id = 0; id < POINTS; id++)
    place(&bench, id, 0.07 * id - 0.2, 0.05, id % 2 ? 0.012 : -0.008);
  start(&bench);
  assert_int_equal(bench.set->now.count, POINTS);
  double force[3 * 512], net[3] = {0};
  for (int t = 0; t < POINTS; t++) {
    const StContact *contact = &bench.set->now.contact[t];
    StContactLaw law = st_contact_set_law(bench.set, contact, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&bench.set->now, contact);
    int id = bench.piece->vertex_id[st_contact_set_vertex(bench.set, &bench.set->now, contact)];
    double distance = id % 2 ? 0.012 : 0.008, size = 3 * KAPPA * pow(DELTA - distance, 2) / DELTA;
    memset(force, 0, sizeof force);
    st_contact_add_normal(&law, contact->count, &gap, force);
    assert_true(fabs(force[2] - (id % 2 ? size : -size)) < 1e-10 * size);
    for (int k = 0; k < contact->count; k++)
      vec3_add_scaled(1, force + 3 * k, net);
    assert_true(vec3_length(net) < 1e-9);
  }
  close_bench(&bench);
}

// Nothing starts inside a sheet; a point on it is on the side of its body's centre.
static void test_start(void **state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    Bench bench = open_bench();
    for (int id = 0; id < POINTS; id++)
      place(&bench, id, 0.05 * id, 0.05, id < 3 ? 0 : way * 0.5);
    start(&bench);
    assert_false(bench.state->smooth->pair[0].overlapping);
    assert_int_equal(bench.set->now.count, 3);
    for (int t = 0; t < 3; t++)
      assert_true(st_smooth_side(bench.set, &bench.set->now.contact[t]) * way > 0);
    close_bench(&bench);
  }
}

// Ending out of reach on the other side is a crossing, at any speed and from both sides, also
// through a sheet that moves towards the point.
static void test_fast(void **state) {
  (void)state;
  const double far[] = {0.25, 1, 50, 1e4};
  for (int i = 0; i < 2 * ST_LENGTH(far); i++) {
    double way = i % 2 ? 1 : -1, z = far[i / 2];
    Bench bench = open_bench();
    place_first(&bench, 0.03, 0.01, way * 0.01);
    start(&bench);
    assert_true(step_first(&bench, 0.13, 0.21, -way * z).crossed);
    place_first(&bench, 0.03, 0.01, way * z);
    start(&bench);
    assert_true(step_first(&bench, 0.13, 0.21, -way * z).crossed);
    place(&bench, 0, 0.03, 0.01, way * z);
    assert_false(step_first(&bench, 0.13, 0.21, way * 2 * z).crossed);
    place(&bench, 0, 0.03, 0.01, way * z);
    begin_step(&bench);
    for (int v = 0; v < bench.piece->vertex_count; v++)
      if (bench.piece->body[v] == 1)
        bench.position[3 * v + 2] += way * 2 * z;
    assert_true(end_step(&bench).crossed);
    close_bench(&bench);
  }
}

// Every rank knows all sides, as one alone does.
static void test_ranks(void **state) {
  (void)state;
  Bench whole = open_bench();
  int total = st_description_vertex_count(whole.description), owner[256];
  const double height[] = {0.01, -0.004, 0.3, -0.3, 0.007, -0.019};
  for (int v = 0; v < total; v++)
    owner[v] = v % 3;
  for (int rank = -1; rank < 3; rank++) {
    Bench part = {.description = whole.description};
    Bench *bench = rank < 0 ? &whole : &part;
    if (rank >= 0)
      open_part(bench, owner, rank);
    for (int id = 0; id < POINTS; id++)
      place(bench, id, 0.07 * id - 0.2, 0.05, height[id]);
    start(bench);
    begin_step(bench);
    for (int id = 0; id < POINTS; id++)
      place(bench, id, 0.07 * id - 0.19, 0.06, height[id] > 0 ? 0.003 : -0.005);
    StPairEnd end = end_step(bench);
    commit(bench, &end);
    int side[POINTS], expected[POINTS];
    assert_int_equal(st_smooth_memory_side_count(bench->contacts), POINTS);
    st_smooth_memory_sides(bench->contacts, bench->state, side);
    st_smooth_memory_sides(whole.contacts, whole.state, expected);
    for (int id = 0; id < POINTS; id++) {
      assert_true((side[id] > 0) == (height[id] > 0));
      assert_int_equal(side[id], expected[id]);
    }
    if (rank >= 0)
      close_part(bench);
  }
  close_bench(&whole);
}

// A restored side takes precedence over positions.
static void test_recalled(void **state) {
  (void)state;
  Bench bench = open_bench();
  int side[POINTS] = {0}, again[POINTS];
  place_first(&bench, 0.03, 0.01, 0.005);
  start(&bench);
  st_smooth_memory_sides(bench.contacts, bench.state, side);
  assert_true(side[0] > 0);
  side[0] = -side[0];
  assert_true(st_smooth_memory_restore_sides(bench.contacts, bench.state, side));
  st_smooth_memory_sides(bench.contacts, bench.state, again);
  assert_memory_equal(side, again, sizeof side);
  // No such triangle: a damaged checkpoint.
  for (int k = 0; k < 2; k++) {
    int wrong[POINTS] = {[1] = k ? INT_MIN : 1 << 20};
    assert_false(st_smooth_memory_restore_sides(bench.contacts, bench.state, wrong));
  }
  assert_near(step_first(&bench, 0.03, 0.01, 0.006).deepest, -0.006);
  close_bench(&bench);
}

// The skin of a mesh of both kinds is the boundary of its tets and its own triangles.
static void test_mixed_skin(void **state) {
  (void)state;
  StMesh *mesh = st_mesh_create(6, 1, 1);
  const double position[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 2, 1, 0};
  const int tet[4] = {0, 1, 2, 3}, own[3] = {1, 4, 5};
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->tet, tet, sizeof tet);
  memcpy(mesh->triangle, own, sizeof own);
  int *triangle, count;
  assert_int_equal(st_contacts_skin(mesh, &triangle, &count, NULL), ST_OK);
  assert_int_equal(count, 5);
  assert_memory_equal(triangle + 12, own, sizeof own);
  free(triangle);
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept),     cmocka_unit_test(test_forgotten),
      cmocka_unit_test(test_start),    cmocka_unit_test(test_both_sides),
      cmocka_unit_test(test_fast),     cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_recalled), cmocka_unit_test(test_mixed_skin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
