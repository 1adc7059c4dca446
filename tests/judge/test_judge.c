// Whole states for the independent check: what it must find, and what it must accept.
#include "judge/judge.h"
#include "model/contact_pairs.h"

#include "base/memory.h"
#include "mesh/check.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct Stage {
  StDescription description;
  StBodyDesc body[3];
  StObstacleDesc obstacle[1];
  StContactDesc contact[4];
  double position[3000];
} Stage;

static StMesh *block(double x, double y, double z, double a, double b, double c, int cells) {
  BoxGrid grid = {.cells = {cells, cells, cells}, .low = {x, y, z}, .high = {x + a, y + b, z + c}};
  return box_mesh_create(&grid);
}

// A sheet of nx × ny squares, each cut in two, in the plane z = 0.
static StMesh *sheet(int nx, int ny, double size) {
  StMesh *mesh = st_mesh_create((nx + 1) * (ny + 1), 0, 2 * nx * ny);
  for (int v = 0; v < mesh->vertex_count; v++) {
    mesh->position[3 * v] = size * (v % (nx + 1));
    mesh->position[3 * v + 1] = size * (v / (nx + 1));
  }
  for (int i = 0; i < nx * ny; i++) {
    int a = i % nx + (nx + 1) * (i / nx), b = a + 1, c = a + nx + 2, d = a + nx + 1;
    memcpy(mesh->triangle + 6 * i, (int[]){a, b, c, a, c, d}, 6 * sizeof(int));
  }
  return mesh;
}

static void add_body(Stage *stage, const char *name, StMesh *mesh) {
  stage->description.body = stage->body;
  stage->body[stage->description.body_count++] = (StBodyDesc){.name = (char *)name, .mesh = mesh};
}

static void add_obstacle(Stage *stage, StChoice shape, StMesh *mesh) {
  stage->description.obstacle = stage->obstacle;
  stage->obstacle[stage->description.obstacle_count++] = (StObstacleDesc){
      .name = "thing", .shape = shape, .mesh = mesh, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void add_contact(Stage *stage, int collider, int body, int obstacle) {
  StDescription *description = &stage->description;
  StContactDesc contact = {.collider = collider, .body = body, .obstacle = obstacle};
  description->contact = stage->contact;
  int at = description->contact_count++;
  int surface = st_contact_surface(description, &contact);
  for (; at > 0 && (stage->contact[at - 1].collider > collider ||
                    (stage->contact[at - 1].collider == collider &&
                     st_contact_surface(description, &stage->contact[at - 1]) > surface));
       at--)
    stage->contact[at] = stage->contact[at - 1];
  stage->contact[at] = contact;
}

static double *take_positions(Stage *stage) {
  int at = 0;
  for (int b = 0; b < stage->description.body_count; b++) {
    const StMesh *mesh = stage->body[b].mesh;
    assert_true(at + 3 * mesh->vertex_count <= (int)ST_LENGTH(stage->position));
    memcpy(stage->position + at, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof(double));
    at += 3 * mesh->vertex_count;
  }
  return stage->position;
}

static StJudgement look(Stage *stage, StJudge **keep) {
  StJudge *judge = NULL;
  StJudgement found;
  assert_int_equal(st_judge_create(&stage->description, &judge, NULL), ST_OK);
  assert_int_equal(st_judge_check(judge, 0, stage->position, &found, NULL), ST_OK);
  if (keep)
    *keep = judge;
  else
    st_judge_destroy(judge);
  return found;
}

static void strike(Stage *stage) {
  for (int b = 0; b < stage->description.body_count; b++)
    st_mesh_destroy(stage->body[b].mesh);
  for (int o = 0; o < stage->description.obstacle_count; o++)
    st_mesh_destroy(stage->obstacle[o].mesh);
  *stage = (Stage){0};
}

static void expect_only(const StJudgement *found, unsigned kinds) {
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    assert_int_equal(found->kind[k].count > 0, kinds >> k & 1);
}

// Two blocks of regular meshes; the second one shifted.
static StJudgement blocks_at(double x, double y, double z, bool contact) {
  static Stage stage;
  add_body(&stage, "a", block(0, 0, 0, 1, 1, 1, 2));
  add_body(&stage, "b", block(x, y, z, 1, 1, 1, 2));
  if (contact)
    add_contact(&stage, 1, 0, -1);
  take_positions(&stage);
  StJudgement found = look(&stage, NULL);
  strike(&stage);
  return found;
}

// That a body touches itself makes no second body of it.
static void test_self_contact(void **state) {
  (void)state;
  static Stage stage;
  add_body(&stage, "a", block(0, 0, 0, 1, 1, 1, 2));
  add_body(&stage, "b", block(0.5, 0.25, 0.5, 1, 1, 1, 2));
  add_contact(&stage, 0, 1, -1);
  take_positions(&stage);
  StJudgement without = look(&stage, NULL);
  add_contact(&stage, 0, 0, -1);
  add_contact(&stage, 1, 1, -1);
  StJudgement with = look(&stage, NULL);
  assert_true(without.kind[ST_FOUND_CROSSING].count > 0);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    assert_int_equal(with.kind[k].count, without.kind[k].count);
  strike(&stage);
}

// Faces, edges and corners that coincide exactly are not findings.
static void test_touching_blocks(void **state) {
  (void)state;
  static const double at[][3] = {{1, 0, 0},     {0, 0, 1},       {1, 1, 0},   {1, 1, 1},
                                 {1, 0.5, 0.5}, {0.25, 0.25, 1}, {2, 0, 0},   {1, 0.25, 0.125},
                                 {0.5, 1, 0},   {-1, 0.5, 1},    {0.3, 1, 1}, {-1, -1, 0.7}};
  for (int i = 0; i < ST_LENGTH(at); i++) {
    StJudgement found = blocks_at(at[i][0], at[i][1], at[i][2], true);
    assert_true(st_judgement_is_clean(&found));
  }
}

// Regular meshes inside each other meet in common planes, edges and corners, where one wrong zero
// hides all of it.
static void test_aligned_overlap(void **state) {
  (void)state;
  static const double at[][3] = {{0.5, 0, 0},   {0.5, 0.5, 0.5}, {0.25, 0, 0}, {0, 0.5, 0.5},
                                 {0.3, 0.3, 0}, {0.5, 0.25, 0},  {0, 0, 0.9}};
  for (int i = 0; i < ST_LENGTH(at); i++) {
    StJudgement found = blocks_at(at[i][0], at[i][1], at[i][2], true);
    assert_false(st_judgement_is_clean(&found));
    found = blocks_at(at[i][0], at[i][1], at[i][2], false);
    assert_true(st_judgement_is_clean(&found)); // no contact between them: they may
  }
}

static void test_overlap_is_named_and_marked(void **state) {
  (void)state;
  static Stage stage;
  StJudge *judge;
  add_body(&stage, "far", block(9, 9, 9, 1, 1, 1, 1));
  add_body(&stage, "a", block(0, 0, 0, 1, 1, 1, 2));
  add_body(&stage, "b", block(0.93, 0.11, 0.07, 1, 0.8, 0.85, 2));
  add_contact(&stage, 1, 0, -1);
  add_contact(&stage, 2, 1, -1);
  add_contact(&stage, 1, 2, -1);
  take_positions(&stage);
  StJudgement found = look(&stage, &judge);
  expect_only(&found, 1 << ST_FOUND_CROSSING | 1 << ST_FOUND_INSIDE);
  assert_int_equal(found.kind[ST_FOUND_CROSSING].body, 1);
  assert_int_equal(found.kind[ST_FOUND_CROSSING].other, 2);
  // The nine vertices of the face x = 0.93 of b are inside a; the middle of a's face is inside b.
  assert_int_equal(found.kind[ST_FOUND_INSIDE].count, 10);
  assert_int_equal(found.kind[ST_FOUND_INSIDE].body, 1);
  assert_int_equal(found.kind[ST_FOUND_INSIDE].other, 2);
  const unsigned char *mark = st_judge_vertex_marks(judge);
  int inside = 0;
  for (int v = 0; v < 8 + 27 + 27; v++) {
    bool is_inside = mark[v] >> ST_FOUND_INSIDE & 1;
    const double *x = stage.position + 3 * v;
    bool middle = x[0] == 1 && x[1] == 0.5 && x[2] == 0.5;
    assert_int_equal(is_inside, v < 35 ? middle : x[0] == 0.93);
    assert_true(v >= 8 || mark[v] == 0);
    inside += is_inside;
  }
  assert_int_equal(inside, 10);
  st_judge_destroy(judge);
  strike(&stage);
}

// A rod of one cell across a box: all its vertices are outside.
static void test_rod_through_box(void **state) {
  (void)state;
  static Stage stage;
  add_body(&stage, "rod", block(-3, -0.1, -0.1, 6, 0.2, 0.2, 1));
  add_obstacle(&stage, (StChoice){"box", {1, 1, 1}}, NULL);
  add_contact(&stage, 0, -1, 0);
  double *x = take_positions(&stage);
  StJudgement found = look(&stage, NULL);
  expect_only(&found, 1 << ST_FOUND_OBSTACLE_CROSSING);
  assert_int_equal(found.kind[ST_FOUND_OBSTACLE_CROSSING].count, 8); // the long faces
  assert_int_equal(found.kind[ST_FOUND_OBSTACLE_CROSSING].obstacle, 0);
  for (int v = 0; v < 8; v++)
    x[3 * v + 2] += 0.6; // lies on it
  found = look(&stage, NULL);
  assert_true(st_judgement_is_clean(&found));
  strike(&stage);
}

// The same box as a mesh: its edges pass through the rod's faces as well as the other way round.
static void test_rod_through_mesh(void **state) {
  (void)state;
  static Stage stage;
  add_body(&stage, "rod", block(-3, -0.13, -0.17, 6, 0.2, 0.2, 1));
  add_obstacle(&stage, (StChoice){"mesh", {0}}, block(-0.5, -0.5, -0.5, 1, 1, 1, 1));
  add_contact(&stage, 0, -1, 0);
  double *x = take_positions(&stage);
  StJudgement found = look(&stage, NULL);
  expect_only(&found, 1 << ST_FOUND_OBSTACLE_CROSSING);
  // Now wide enough to swallow a corner of the box, whose edges then pass through it.
  for (int v = 0; v < 8; v++)
    for (int c = 1; c < 3; c++)
      x[3 * v + c] = x[3 * v + c] > 0 ? 2 : 0.25;
  found = look(&stage, NULL);
  expect_only(&found, 1 << ST_FOUND_OBSTACLE_CROSSING);
  // Wholly inside nothing is crossed, but all vertices are inside.
  for (int i = 0; i < 24; i++)
    x[i] = 0.1 * (stage.body[0].mesh->position[i] > 0) - 0.03;
  found = look(&stage, NULL);
  expect_only(&found, 1 << ST_FOUND_INSIDE);
  assert_int_equal(found.kind[ST_FOUND_INSIDE].count, 8);
  strike(&stage);
}

// A closed surface that faces inward is a container: its inside is where things belong.
static void test_container(void **state) {
  (void)state;
  static Stage stage;
  StMesh *solid = block(-1, -1, -1, 2, 2, 2, 1);
  int *triangle, count;
  assert_int_equal(st_mesh_boundary(solid, &triangle, &count, NULL), ST_OK);
  for (int inward = 0; inward < 2; inward++) {
    StMesh *walls = st_mesh_create(8, 0, count);
    memcpy(walls->position, solid->position, 24 * sizeof(double));
    for (int t = 0; t < 3 * count; t++)
      walls->triangle[t] = triangle[inward && t % 3 ? t + (t % 3 == 1 ? 1 : -1) : t];
    add_body(&stage, "ball", block(-0.5, -0.4, -0.3, 0.5, 0.5, 0.5, 1));
    add_obstacle(&stage, (StChoice){"mesh", {0}}, walls);
    add_contact(&stage, 0, -1, 0);
    take_positions(&stage);
    StJudgement found = look(&stage, NULL);
    expect_only(&found, inward ? 0 : 1 << ST_FOUND_INSIDE);
    strike(&stage);
  }
  free(triangle);
  st_mesh_destroy(solid);
}

// A strip whose one end is bent round and pushed through the other.
static void test_folded_sheet(void **state) {
  (void)state;
  static Stage stage;
  add_body(&stage, "cloth", sheet(12, 2, 0.1));
  double *x = take_positions(&stage);
  StJudgement found = look(&stage, NULL);
  assert_true(st_judgement_is_clean(&found)); // flat: all neighbours lie in one plane
  for (int fold = 0; fold < 2; fold++) {
    for (int v = 0; v < 39; v++) {
      double along = 0.1 * (v % 13), turn = 2 * 3.14159265358979 * along / 1.2;
      double lift = fold ? 0.25 * (1 - cos(turn)) * (along < 0.6 ? 1 : -1) : 0;
      x[3 * v] = fold ? 0.3 * sin(turn) : 0.3 * cos(turn * 0.9);
      x[3 * v + 2] = fold ? lift : 0.3 * sin(turn * 0.9);
    }
    found = look(&stage, NULL);
    // An open ring does not meet itself; a figure of eight does, where its strands cross.
    expect_only(&found, fold ? 1 << ST_FOUND_SELF_CROSSING : 0);
  }
  assert_int_equal(found.kind[ST_FOUND_SELF_CROSSING].body, 0);
  strike(&stage);
}

static void test_inverted(void **state) {
  (void)state;
  static Stage stage;
  StJudge *judge;
  add_body(&stage, "first", block(0, 0, 0, 1, 1, 1, 2));
  add_body(&stage, "second", block(5, 0, 0, 1, 1, 1, 2));
  double *x = take_positions(&stage);
  x[3 * (27 + 13)] += 2; // the middle of the second block out through a side
  StJudgement found = look(&stage, &judge);
  assert_int_equal(found.kind[ST_FOUND_INVERTED].body, 1);
  long expected = 0;
  for (int t = 0; t < 96; t++) {
    const int *tet = stage.body[t / 48].mesh->tet + 4 * (t % 48);
    bool inverted = st_tet_volume(x + 81 * (t / 48), tet) <= 0;
    assert_int_equal(st_judge_tet_marks(judge)[t], inverted);
    expected += inverted;
  }
  assert_true(expected > 0);
  assert_int_equal(found.kind[ST_FOUND_INVERTED].count, expected);
  st_judge_destroy(judge);
  // Flat, and not a number, are no positive volumes either.
  x[3 * (27 + 13)] = NAN;
  found = look(&stage, NULL);
  assert_int_equal(found.kind[ST_FOUND_INVERTED].count, 24);
  strike(&stage);
}

// Each shape just above and just below its rest position: round-off must not matter.
static void test_floor(void **state) {
  (void)state;
  static Stage stage;
  add_body(&stage, "block", block(0, 0, 0, 1, 1, 1, 2));
  add_obstacle(&stage, (StChoice){"half_space", {0}}, NULL);
  add_contact(&stage, 0, -1, 0);
  double *x = take_positions(&stage);
  StJudgement found = look(&stage, NULL);
  assert_true(st_judgement_is_clean(&found));
  for (int v = 0; v < 27; v++)
    x[3 * v + 2] -= 1e-9;
  found = look(&stage, NULL);
  expect_only(&found, 1 << ST_FOUND_OBSTACLE_CROSSING | 1 << ST_FOUND_INSIDE);
  assert_int_equal(found.kind[ST_FOUND_INSIDE].count, 9);
  assert_int_equal(found.kind[ST_FOUND_OBSTACLE_CROSSING].count,
                   8 + 4 * 4); // and the sides' lower rows
  strike(&stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_self_contact),    cmocka_unit_test(test_touching_blocks),
      cmocka_unit_test(test_aligned_overlap), cmocka_unit_test(test_overlap_is_named_and_marked),
      cmocka_unit_test(test_rod_through_box), cmocka_unit_test(test_rod_through_mesh),
      cmocka_unit_test(test_container),       cmocka_unit_test(test_folded_sheet),
      cmocka_unit_test(test_inverted),        cmocka_unit_test(test_floor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
