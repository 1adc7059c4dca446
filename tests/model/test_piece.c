// The whole description as one piece: numbering, materials by label, lumped masses.
#include "base/memory.h"
#include "model/partition.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void whole_counts_through_bodies(void **unused) {
  (void)unused;
  BoxGrid first = {{2, 1, 1}, {0, 0, 0}, {2, 1, 1}, 0},
          second = {{1, 1, 1}, {3, 0, 0}, {4, 1, 1}, 0};
  StMaterialDesc material[2] = {{.density = 1000}, {.density = 500}};
  StLabelMaterial by_label[1] = {{0, 1}};
  StBodyDesc body[2] = {
      {.mesh = box_mesh_create(&first),
       .material = 0,
       .label_material = by_label,
       .label_material_count = 1},
      {.mesh = box_mesh_create(&second), .material = 1},
  };
  assert_true(body[0].mesh && body[1].mesh);
  assert_int_equal(st_mesh_label(body[0].mesh, "light"), 0);
  assert_int_equal(st_mesh_label(body[0].mesh, "other"), 1);
  for (int t = 0; t < 6; t++) // the first of its two cubes
    body[0].mesh->tet_label[t] = 0;
  body[0].mesh->tet_label[7] = 1; // a label without a material of its own
  StDescription description = {
      .material_count = 2, .material = material, .body_count = 2, .body = body};
  StPiece *piece;
  assert_int_equal(st_piece_create_whole(&description, &piece, NULL), ST_OK);

  assert_int_equal(piece->vertex_count, 12 + 8);
  assert_int_equal(piece->owned_count, 20);
  assert_int_equal(piece->tet_count, 18);
  assert_int_equal(piece->owned_tet_count, 18);
  double mass[2] = {0};
  for (int v = 0; v < 20; v++) {
    assert_int_equal(piece->vertex_id[v], v);
    assert_int_equal(piece->body[v], v >= 12);
    mass[piece->body[v]] += piece->mass[v];
  }
  assert_true(fabs(mass[0] - 1500) < 1e-10);
  assert_true(fabs(mass[1] - 500) < 1e-10);
  // Corner 0 lies on the diagonal that all six tets of the first cube share.
  assert_true(fabs(piece->mass[0] - 6 * 500.0 / 24) < 1e-10);
  for (int t = 0; t < 18; t++) {
    assert_int_equal(piece->tet_id[t], t);
    assert_int_equal(piece->tet_material[t], t < 6 || t >= 12);
    assert_true(fabs(st_tet_volume(piece->rest, piece->tet + 4 * t) - 1.0 / 6) < 1e-14);
    for (int i = 0; i < 4; i++)
      assert_int_equal(piece->body[piece->tet[4 * t + i]], t >= 12);
  }
  st_piece_destroy(piece);
  st_mesh_destroy(body[0].mesh);
  st_mesh_destroy(body[1].mesh);
}

static void nothing_gives_an_empty_piece(void **unused) {
  (void)unused;
  StDescription description = {0};
  StPiece *piece;
  assert_int_equal(st_piece_create_whole(&description, &piece, NULL), ST_OK);
  assert_int_equal(piece->vertex_count, 0);
  assert_int_equal(piece->tet_count, 0);
  st_piece_destroy(piece);
  st_piece_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_counts_through_bodies),
      cmocka_unit_test(nothing_gives_an_empty_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
