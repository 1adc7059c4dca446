// What is written reads back: bit for bit where a format can keep everything, else what it can
// keep.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/read.h"
#include "mesh/vtu.h"
#include "mesh/write.h"
#include "support/mesh_compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

// Two tets with one free triangle, labels with odd characters, tags, positions of many digits.
static StMesh *make_sample(void) {
  static const double position[7][3] = {{0, 0, -0.0},      {1, 0, 0},    {0, 1, 1e-17},
                                        {0.1, 0.2, 1},     {1, 1, M_PI}, {5e-324, 2, 0},
                                        {1. / 3, 3, -1e-5}};
  static const int tet[] = {0, 1, 2, 3, 1, 2, 3, 4}, triangle[] = {0, 5, 6};
  StMesh *mesh = st_mesh_create(7, 2, 1);
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->tet, tet, sizeof tet);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  mesh->tet_label[0] = st_mesh_label(mesh, "core");
  mesh->triangle_label[0] = st_mesh_label(mesh, "a <flag> & 100%");
  st_mesh_label(mesh, "unused");
  int floor = st_mesh_label(mesh, "Fu\xc3\x9f");
  st_mesh_add_tag(mesh, 0, floor, NULL);
  st_mesh_add_tag(mesh, 2, mesh->tet_label[0], NULL);
  st_mesh_add_tag(mesh, 2, floor, NULL);
  return mesh;
}

static StMesh *round_trip(const char *name, const StMesh *mesh) {
  StText text = {0};
  StMesh *back = NULL;
  StError error = {0};
  LoggedWarnings warnings = {0};
  StLog log = {keep_warning, &warnings};
  assert_int_equal(st_mesh_format(name, mesh, &text, &error), ST_OK);
  if (st_mesh_parse(name, text.data, text.length, &log, &back, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_string_equal(warnings.text, "");
  st_text_free(&text);
  return back;
}

static void vtu_keeps_every_bit(void **state) {
  (void)state;
  StMesh *mesh = make_sample(), *back = round_trip("a.vtu", mesh);
  assert_true(same_mesh(mesh, back));
  st_mesh_destroy(mesh);
  st_mesh_destroy(back);
}

static void vtkhdf_keeps_every_bit(void **state) {
  (void)state;
  StMesh *mesh = make_sample(), *back = round_trip("a.vtkhdf", mesh);
  assert_true(same_mesh(mesh, back));
  st_mesh_destroy(mesh);
  st_mesh_destroy(back);
}

static void legacy_vtk_keeps_every_bit(void **state) {
  (void)state;
  StMesh *mesh = make_sample(), *back = round_trip("a.vtk", mesh);
  assert_true(same_mesh(mesh, back));
  st_mesh_destroy(mesh);
  st_mesh_destroy(back);
}

static void msh_keeps_everything(void **state) {
  (void)state;
  StMesh *mesh = make_sample(), *back = round_trip("a.msh", mesh);
  assert_true(same_mesh(mesh, back));
  st_mesh_destroy(mesh);
  st_mesh_destroy(back);
}

static void unlabelled_meshes_stay_so(void **state) {
  (void)state;
  static const char *const name[] = {"a.vtu", "a.vtkhdf", "a.vtk", "a.msh", "a.obj"};
  static const double position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 1, 1};
  static const int triangle[] = {0, 1, 2, 1, 3, 2};
  for (int i = 0; i < ST_LENGTH(name); i++) {
    StMesh *mesh = st_mesh_create(4, 0, 2);
    memcpy(mesh->position, position, sizeof position);
    memcpy(mesh->triangle, triangle, sizeof triangle);
    StMesh *back = round_trip(name[i], mesh);
    assert_true(same_mesh(mesh, back));
    st_mesh_destroy(mesh);
    st_mesh_destroy(back);
  }
}

static void surfaces_go_through_obj_and_stl(void **state) {
  (void)state;
  static const char *const name[] = {"a.obj", "a.stl"};
  StMesh *mesh = make_sample();
  for (int i = 0; i < ST_LENGTH(name); i++) {
    StMesh *back = round_trip(name[i], mesh);
    StMeshReport before, after;
    mesh->triangle_count = 0; // the area of the tets' boundary alone
    st_mesh_report(mesh, &before, NULL);
    mesh->triangle_count = 1;
    st_mesh_report(back, &after, NULL);
    double flag = st_triangle_area(mesh->position, mesh->triangle);
    assert_int_equal(back->triangle_count, 6 + 1);
    assert_int_equal(back->vertex_count, 7);
    assert_true(fabs(after.area - before.area - flag) < 1e-6);
    if (i == 0)
      assert_int_equal(label_use(back, "a <flag> & 100%").triangles, 1);
    st_mesh_destroy(back);
  }
  st_mesh_destroy(mesh);
}

// Arrays of every kind and size, also past one block; the reader takes the points back.
static void frames_hold_arrays(void **state) {
  (void)state;
  enum { COUNT = 50000 };
  double *position = ST_NEW(double, 3 * COUNT), *stress = ST_NEW(double, 9 * COUNT);
  int *triangle = ST_NEW(int, 3 * (COUNT - 2)), *label = ST_NEW(int, COUNT);
  for (int i = 0; i < COUNT; i++) {
    position[3 * i] = i, position[3 * i + 1] = i % 2, position[3 * i + 2] = sin(i);
    for (int k = 0; k < 9; k++)
      stress[9 * i + k] = cos(i + k);
    label[i] = i % 3 - 1;
  }
  for (int i = 0; i < COUNT - 2; i++)
    for (int k = 0; k < 3; k++)
      triangle[3 * i + k] = i + k;
  StVtuArray points[] = {{"velocity", 3, ST_VTU_FLOAT32, position, NULL},
                         {"stress", 9, ST_VTU_FLOAT64, stress, NULL},
                         {"rank", 1, ST_VTU_INT32, NULL, label}};
  StVtuArray cells[] = {{"label", 1, ST_VTU_INT32, NULL, label},
                        {"strain", 6, ST_VTU_FLOAT32, stress, NULL}};
  StVtu vtu = {.point_count = COUNT,
               .position = position,
               .triangle_count = COUNT - 2,
               .triangle = triangle,
               .point_array_count = 3,
               .point_array = points,
               .cell_array_count = 2,
               .cell_array = cells,
               .has_time = true,
               .time = 0.125};
  StText text = {0};
  StMesh *back = NULL;
  StError error = {0};
  assert_int_equal(st_vtu_build(&vtu, &text, &error), ST_OK);
  if (st_mesh_parse("f.vtu", text.data, text.length, NULL, &back, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_memory_equal(back->position, position, 3 * COUNT * sizeof(double));
  assert_memory_equal(back->triangle, triangle, 3 * (COUNT - 2) * sizeof(int));
  assert_int_equal(label_use(back, "0").triangles, (COUNT - 2 + 1) / 3);
  assert_int_equal(back->label_count, 2);
  st_mesh_destroy(back);
  st_text_free(&text);
  free(position);
  free(stress);
  free(triangle);
  free(label);
}

// Frames of one run: other points, the same cells, and not a byte other than without the first.
static void kept_cells_make_the_same_file(void **state) {
  (void)state;
  enum { POINTS = 60000, TETS = POINTS - 3, TRIANGLES = 5 };
  double *position = ST_NEW(double, 3 * POINTS);
  int *corner = ST_NEW(int, 4 * TETS);
  for (int i = 0; i < 4 * TETS; i++)
    corner[i] = i / 4 + i % 4;
  StVtuCells cells = {0};
  for (int frame = 0; frame < 3; frame++) {
    for (int i = 0; i < 3 * POINTS; i++)
      position[i] = sin(i + frame);
    StVtu vtu = {.point_count = POINTS,
                 .position = position,
                 .tet_count = TETS,
                 .tet = corner,
                 .triangle_count = TRIANGLES,
                 .triangle = corner};
    StText plain = {0}, kept = {0};
    assert_int_equal(st_vtu_build(&vtu, &plain, NULL), ST_OK);
    vtu.cells = &cells;
    assert_int_equal(st_vtu_build(&vtu, &kept, NULL), ST_OK);
    assert_non_null(cells.packed);
    assert_int_equal(plain.length, kept.length);
    assert_memory_equal(plain.data, kept.data, plain.length);
    st_text_free(&plain);
    st_text_free(&kept);
  }
  free(cells.packed);
  free(position);
  free(corner);
}

static void files_appear_under_their_name(void **state) {
  (void)state;
  StMesh *mesh = make_sample(), *back = NULL;
  StError error = {0};
  char path[64];
  snprintf(path, sizeof path, "test_mesh_write-%d.vtu", (int)getpid());
  assert_int_equal(st_mesh_write(path, mesh, &error), ST_OK);
  assert_int_equal(st_mesh_read(path, NULL, &back, &error), ST_OK);
  assert_true(same_mesh(mesh, back));
  unlink(path);
  assert_int_equal(st_mesh_write("a.ply", mesh, &error), ST_BAD_INPUT);
  assert_string_equal(error.text,
                      "a.ply: unknown mesh format; known extensions are .vtu, .vtkhdf, .vtk, "
                      ".msh, .obj and .stl");
  st_mesh_destroy(mesh);
  st_mesh_destroy(back);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vtu_keeps_every_bit),
      cmocka_unit_test(vtkhdf_keeps_every_bit),
      cmocka_unit_test(legacy_vtk_keeps_every_bit),
      cmocka_unit_test(msh_keeps_everything),
      cmocka_unit_test(unlabelled_meshes_stay_so),
      cmocka_unit_test(surfaces_go_through_obj_and_stl),
      cmocka_unit_test(frames_hold_arrays),
      cmocka_unit_test(kept_cells_make_the_same_file),
      cmocka_unit_test(files_appear_under_their_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
