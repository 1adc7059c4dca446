// What the check repairs and refuses, what the report measures, what the boundary is.
#include "base/memory.h"
#include "mesh/check.h"
#include "support/mesh_compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static StMesh *make(int vertices, const double *position, int tets, const int *tet, int triangles,
                    const int *triangle) {
  StMesh *mesh = st_mesh_create(vertices, tets, triangles);
  memcpy(mesh->position, position, 3 * (size_t)vertices * sizeof(double));
  if (tets)
    memcpy(mesh->tet, tet, 4 * (size_t)tets * sizeof(int));
  if (triangles)
    memcpy(mesh->triangle, triangle, 3 * (size_t)triangles * sizeof(int));
  return mesh;
}

// n³ cubes of six tets each around the diagonal; every other tet is inside out.
static StMesh *make_box(int n) {
  static const int path[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  int side = n + 1, tets = 0;
  StMesh *mesh = st_mesh_create(side * side * side, 6 * n * n * n, 0);
  for (int v = 0; v < mesh->vertex_count; v++) {
    mesh->position[3 * v] = v % side;
    mesh->position[3 * v + 1] = v / side % side;
    mesh->position[3 * v + 2] = v / side / side;
  }
  for (int c = 0; c < n * n * n; c++)
    for (int p = 0; p < 6; p++) {
      int corner[4] = {0, path[p][0], path[p][1], 7};
      for (int i = 0; i < 4; i++) {
        int x = c % n + (corner[i] & 1), y = c / n % n + (corner[i] >> 1 & 1);
        mesh->tet[4 * tets + i] = x + side * (y + side * (c / n / n + (corner[i] >> 2)));
      }
      tets++;
    }
  return mesh;
}

static void flipped_tets_are_turned_round(void **state) {
  (void)state;
  StMesh *mesh = make_box(3);
  LoggedWarnings warnings = {0};
  StLog log = {keep_warning, &warnings};
  StMeshReport report;
  assert_int_equal(st_mesh_check(mesh, "box", &log, NULL), ST_OK);
  assert_string_equal(warnings.text,
                      "box: 81 tets were inverted and have been reoriented, first tet 1\n");
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_true(fabs(report.volume - 27) < 1e-12);
  warnings = (LoggedWarnings){0};
  assert_int_equal(st_mesh_check(mesh, "box", &log, NULL), ST_OK);
  assert_int_equal(warnings.count, 0);
  st_mesh_destroy(mesh);
}

static void boundary_is_closed_and_outward(void **state) {
  (void)state;
  StMesh *mesh = make_box(4);
  int *triangle, count;
  assert_int_equal(st_mesh_check(mesh, "box", NULL, NULL), ST_OK);
  assert_int_equal(st_mesh_boundary(mesh, &triangle, &count, NULL), ST_OK);
  assert_int_equal(count, 6 * 16 * 2);
  StMesh *skin = make(mesh->vertex_count, mesh->position, 0, NULL, count, triangle);
  StMeshReport of_box, of_skin;
  assert_int_equal(st_mesh_report(mesh, &of_box, NULL), ST_OK);
  assert_int_equal(st_mesh_report(skin, &of_skin, NULL), ST_OK);
  assert_true(of_skin.closed && of_skin.oriented);
  assert_true(fabs(of_skin.enclosed_volume - 64) < 1e-11);
  assert_true(fabs(of_box.area - 96) < 1e-12 && fabs(of_skin.area - 96) < 1e-12);
  assert_int_equal(of_box.boundary_triangle_count, count);
  assert_int_equal(of_box.component_count, 1);
  assert_true(of_box.shortest_edge == 1 && fabs(of_box.longest_edge - sqrt(3)) < 1e-15);
  assert_true(of_box.low[0] == 0 && of_box.high[2] == 4);
  free(triangle);
  st_mesh_destroy(mesh);
  st_mesh_destroy(skin);
}

static void regular_elements_have_quality_one(void **state) {
  (void)state;
  const double corner[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
  StMesh *tet = make(4, corner, 1, (int[]){0, 1, 3, 2}, 0, NULL);
  StMesh *triangle = make(4, corner, 0, NULL, 1, (int[]){0, 1, 2});
  StMeshReport report;
  assert_int_equal(st_mesh_check(tet, "tet", NULL, NULL), ST_OK);
  assert_int_equal(st_mesh_report(tet, &report, NULL), ST_OK);
  assert_true(fabs(report.worst_quality - 1) < 1e-14);
  assert_int_equal(report.worst_tet, 0);
  assert_int_equal(report.worst_triangle, -1);
  assert_int_equal(st_mesh_report(triangle, &report, NULL), ST_OK);
  assert_true(fabs(report.worst_triangle_quality - 1) < 1e-14);
  assert_int_equal(report.worst_tet, -1);
  st_mesh_destroy(tet);
  st_mesh_destroy(triangle);
}

static void surfaces_tell_open_and_disagreeing_from_closed(void **state) {
  (void)state;
  const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int outward[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const int mixed[] = {0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  StMeshReport report;
  StMesh *mesh = make(4, corner, 0, NULL, 4, outward);
  st_mesh_report(mesh, &report, NULL);
  assert_true(report.closed && report.oriented && fabs(report.enclosed_volume - 1. / 6) < 1e-16);
  mesh->triangle_count = 3;
  st_mesh_report(mesh, &report, NULL);
  assert_true(!report.closed && report.oriented && report.enclosed_volume == 0);
  st_mesh_destroy(mesh);
  mesh = make(4, corner, 0, NULL, 4, mixed);
  st_mesh_report(mesh, &report, NULL);
  assert_true(!report.closed && !report.oriented);
  st_mesh_destroy(mesh);
}

static void inside_out_surfaces_have_negative_volume(void **state) {
  (void)state;
  const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  StMesh *mesh = make(4, corner, 0, NULL, 4, (int[]){0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2});
  StMeshReport report;
  st_mesh_report(mesh, &report, NULL);
  assert_true(report.closed && fabs(report.enclosed_volume + 1. / 6) < 1e-16);
  st_mesh_destroy(mesh);
}

static void unreferenced_vertices_go_with_their_tags(void **state) {
  (void)state;
  const double corner[] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 8, 8, 8, 0, 1, 0, 0, 0, 1};
  StMesh *mesh = make(6, corner, 1, (int[]){1, 2, 4, 5}, 0, NULL);
  LoggedWarnings warnings = {0};
  StLog log = {keep_warning, &warnings};
  int label = st_mesh_label(mesh, "top");
  for (int v = 0; v < 6; v++)
    assert_int_equal(st_mesh_add_tag(mesh, v, label, NULL), ST_OK);
  assert_int_equal(st_mesh_check(mesh, "a", &log, NULL), ST_OK);
  assert_string_equal(warnings.text,
                      "a: 2 vertices belong to no element and were left out, first 0\n");
  assert_int_equal(mesh->vertex_count, 4);
  assert_int_equal(mesh->tag_count, 4);
  const int expected[] = {0, 1, 2, 3};
  assert_memory_equal(mesh->tet, expected, sizeof expected);
  for (int i = 0; i < 4; i++)
    assert_int_equal(mesh->tag[2 * i], i);
  assert_true(mesh->position[3] == 1 && mesh->position[7] == 1 && mesh->position[11] == 1);
  st_mesh_destroy(mesh);
}

static void size_does_not_matter(void **state) {
  (void)state;
  const double scale[] = {1e-150, 1e-9, 1, 1e9, 1e150};
  for (int i = 0; i < ST_LENGTH(scale); i++) {
    double s = scale[i], corner[] = {0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, 1e-6 * s};
    StMesh *mesh = make(4, corner, 1, (int[]){0, 1, 2, 3}, 0, NULL);
    assert_int_equal(st_mesh_check(mesh, "thin", NULL, NULL), ST_OK);
    st_mesh_destroy(mesh);
  }
}

static void assert_refused(StMesh *mesh, const char *message) {
  StError error = {0};
  assert_int_equal(st_mesh_check(mesh, "a", NULL, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, message);
  st_mesh_destroy(mesh);
}

static void indices_are_checked_before_they_are_used(void **state) {
  (void)state;
  const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  assert_refused(make(4, corner, 0, NULL, 0, NULL),
                 "a: holds no tetrahedra and no triangles: there is nothing to simulate");
  assert_refused(make(4, corner, 1, (int[]){0, 1, 2, 4}, 0, NULL),
                 "a: tet 0 refers to vertex 4, but there are 4 vertices (counted from 0)");
  assert_refused(make(4, corner, 0, NULL, 2, (int[]){0, 1, 2, 3, -1, 2}),
                 "a: triangle 1 refers to vertex -1, but there are 4 vertices (counted from 0)");
  StMesh *mesh = make(4, corner, 1, (int[]){0, 1, 2, 3}, 0, NULL);
  st_mesh_add_tag(mesh, 7, st_mesh_label(mesh, "x"), NULL);
  assert_refused(mesh, "a: a label is given to vertex 7, but the 4 vertices are numbered from 0");
}

// 40³ cubes, 384000 tets: sorting by faces must stay linear. Seconds would mean it is not.
static void large_meshes_are_checked_quickly(void **state) {
  (void)state;
  StMesh *mesh = make_box(40);
  StMeshReport report;
  assert_int_equal(st_mesh_check(mesh, "box", NULL, NULL), ST_OK);
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_int_equal(report.boundary_triangle_count, 6 * 1600 * 2);
  assert_true(fabs(report.volume - 64000) < 1e-6);
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flipped_tets_are_turned_round),
      cmocka_unit_test(boundary_is_closed_and_outward),
      cmocka_unit_test(regular_elements_have_quality_one),
      cmocka_unit_test(surfaces_tell_open_and_disagreeing_from_closed),
      cmocka_unit_test(inside_out_surfaces_have_negative_volume),
      cmocka_unit_test(unreferenced_vertices_go_with_their_tags),
      cmocka_unit_test(size_does_not_matter),
      cmocka_unit_test(indices_are_checked_before_they_are_used),
      cmocka_unit_test(large_meshes_are_checked_quickly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
