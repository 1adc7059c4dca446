// Hinges of triangle meshes, shells cut into pieces, and curves over time.
#include "base/memory.h"
#include "model/hinge.h"
#include "model/partition.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// A strip of unit squares along x, two triangles each, all facing +z; `flap` more triangles hang on
// the first diagonal.
static StMesh *strip(int squares, int flaps) {
  int columns = squares + 1;
  StMesh *mesh = st_mesh_create(2 * columns + flaps, 0, 2 * squares + flaps);
  assert_non_null(mesh);
  for (int v = 0; v < 2 * columns; v++) {
    mesh->position[3 * v] = v / 2;
    mesh->position[3 * v + 1] = v % 2;
  }
  for (int s = 0; s < squares; s++) {
    const int a = 2 * s, corner[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
    memcpy(mesh->triangle + 6 * s, corner, sizeof corner);
  }
  for (int f = 0; f < flaps; f++) {
    int v = 2 * columns + f, corner[3] = {0, 3, v};
    mesh->position[3 * v] = 1;
    mesh->position[3 * v + 2] = 1 + f;
    memcpy(mesh->triangle + 3 * (2 * squares + f), corner, sizeof corner);
  }
  for (int t = 0; t < mesh->triangle_count; t++)
    mesh->triangle_label[t] = -1;
  return mesh;
}

static void inner_edges_are_hinges(void **unused) {
  (void)unused;
  StMesh *mesh = strip(3, 0);
  StHinge *hinge;
  int count;
  assert_int_equal(st_mesh_hinges(mesh, &hinge, &count, NULL), ST_OK);
  assert_int_equal(count, 3 + 2); // diagonals, and edges between squares
  const int first[4] = {3, 0, 2, 1};
  assert_memory_equal(hinge[0].vertex, first, sizeof first);
  for (int h = 0; h < count; h++) {
    const int *own = mesh->triangle + 3 * hinge[h].triangle[0];
    bool along = false; // the edge runs as the first triangle does
    for (int i = 0; i < 3; i++)
      along |= own[i] == hinge[h].vertex[0] && own[(i + 1) % 3] == hinge[h].vertex[1] &&
               own[(i + 2) % 3] == hinge[h].vertex[2];
    assert_true(along);
    assert_true(hinge[h].triangle[0] < hinge[h].triangle[1]);
  }
  free(hinge);
  st_mesh_destroy(mesh);
}

static void every_two_triangles_of_an_edge_bend(void **unused) {
  (void)unused;
  StMesh *mesh = strip(1, 2);
  StHinge *hinge;
  int count;
  assert_int_equal(st_mesh_hinges(mesh, &hinge, &count, NULL), ST_OK);
  assert_int_equal(count, 6);
  free(hinge);
  st_mesh_destroy(mesh);
}

static void no_triangles_no_hinges(void **unused) {
  (void)unused;
  StMesh *mesh = st_mesh_create(4, 0, 0);
  StHinge *hinge;
  int count;
  assert_int_equal(st_mesh_hinges(mesh, &hinge, &count, NULL), ST_OK);
  assert_int_equal(count, 0);
  free(hinge);
  st_mesh_destroy(mesh);
}

enum { SQUARES = 12, RANKS = 3 };

// Every element belongs to one rank; a rank has all elements that touch its vertices.
static void pieces_share_a_shell(void **unused) {
  (void)unused;
  StMaterialDesc material[2] = {{.shell = true, .density = 0.5}, {.shell = true, .density = 2}};
  StLabelMaterial by_label[1] = {{0, 1}};
  StBodyDesc body = {
      .mesh = strip(SQUARES, 0), .label_material = by_label, .label_material_count = 1};
  assert_int_equal(st_mesh_label(body.mesh, "heavy"), 0);
  for (int t = 0; t < SQUARES; t++)
    body.mesh->triangle_label[t] = 0;
  StDescription description = {
      .material_count = 2, .material = material, .body_count = 1, .body = &body};
  int owner[2 * (SQUARES + 1)], triangles = 0, hinges = 0, *ghost_owner, *ghost_index;
  for (int v = 0; v < 2 * (SQUARES + 1); v++)
    owner[v] = v * 7 % RANKS;
  double mass = 0;
  for (int rank = 0; rank < RANKS; rank++) {
    StCut cut = {.owner = owner, .rank = rank};
    StPiece *piece;
    assert_int_equal(
        st_piece_create_part(&description, &cut, &piece, &ghost_owner, &ghost_index, NULL), ST_OK);
    triangles += piece->owned_triangle_count;
    hinges += piece->owned_hinge_count;
    for (int v = 0; v < piece->owned_count; v++)
      mass += piece->mass[v];
    for (int h = 0; h < piece->hinge_count; h++) {
      bool ours = false;
      for (int i = 0; i < 4; i++)
        ours |= piece->hinge[4 * h + i] < piece->owned_count;
      assert_true(ours);
    }
    for (int t = 0; t < piece->triangle_count; t++)
      assert_int_equal(piece->triangle_material[t], piece->triangle_id[t] < SQUARES);
    st_piece_destroy(piece);
    free(ghost_owner);
    free(ghost_index);
  }
  assert_int_equal(triangles, 2 * SQUARES);
  assert_int_equal(hinges, 2 * SQUARES - 1);
  assert_true(fabs(mass - SQUARES * (0.5 + 2) / 2) < 1e-12);
  st_mesh_destroy(body.mesh);
}

static void curves_are_linear_between_keys(void **unused) {
  (void)unused;
  double time[] = {1, 2, 4}, value[] = {10, 20, 0};
  StCurve curve = {.key_count = 3, .time = time, .value = value}, none = {0};
  const double at[][2] = {{0, 10}, {1, 10}, {1.5, 15}, {2, 20}, {3, 10}, {4, 0}, {9, 0}};
  for (int i = 0; i < ST_LENGTH(at); i++)
    assert_true(fabs(st_curve_at(&curve, at[i][0], -1) - at[i][1]) < 1e-14);
  assert_true(st_curve_at(&none, 3, 7) == 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_edges_are_hinges),
      cmocka_unit_test(every_two_triangles_of_an_edge_bend),
      cmocka_unit_test(no_triangles_no_hinges),
      cmocka_unit_test(pieces_share_a_shell),
      cmocka_unit_test(curves_are_linear_between_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
