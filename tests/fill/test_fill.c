// Filled surfaces: volume, distance, labels and repeatability. Without Gmsh the tets are left out.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fill/fill.h"
#include "fill/nearest.h"
#include "fill/remesh.h"
#include "fill/thickness.h"
#include "fill/tets.h"
#include "mesh/check.h"
#include "support/surface_soup.h"

#define NEEDS_GMSH()                                                                               \
  if (!st_tets_maker()) {                                                                          \
    print_message("this build has no Gmsh to fill surfaces with\n");                               \
    skip();                                                                                        \
  }

static StMesh *fill_well(const StMesh *surface, double edge, StFillReport *report) {
  StError error = {0};
  StMesh *mesh = NULL;
  const StFillWish wish = {.edge = edge};
  if (st_fill(surface, "s", &wish, NULL, &mesh, report, &error) != ST_OK)
    fail_msg("%s", error.text);
  StMeshReport shape;
  assert_int_equal(st_mesh_report(mesh, &shape, &error), ST_OK);
  print_message("%d tets, worst quality %.3f, angles %.1f to %.1f\n", mesh->tet_count,
                shape.worst_quality, shape.smallest_angle, shape.largest_angle);
  assert_true(report->deviation <= report->wish.tolerance);
  return mesh;
}

static double tet_volume(const StMesh *mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->tet_count; t++) {
    double volume = st_tet_volume(mesh->position, mesh->tet + 4 * t);
    assert_true(volume > 0);
    sum += volume;
  }
  return sum;
}

// Every vertex of the boundary is within the tolerance of the given surface, seen from outside.
static void assert_close(const StMesh *mesh, const StMesh *surface, double tolerance) {
  StNearest nearest;
  int *triangle, count;
  assert_int_equal(st_nearest_create(surface, &nearest, NULL), ST_OK);
  assert_int_equal(st_mesh_boundary(mesh, &triangle, &count, NULL), ST_OK);
  for (int i = 0; i < 3 * count; i++)
    assert_true(st_nearest_find(&nearest, mesh->position + 3 * (size_t)triangle[i], 1, NULL,
                                NULL) <= tolerance);
  free(triangle);
  st_nearest_free(&nearest);
}

static StMesh *remesh_well(const StMesh *surface, double edge, double tolerance) {
  StError error = {0};
  StMesh *mesh = NULL;
  const StRemeshWish wish = {.edge = edge, .tolerance = tolerance};
  if (st_remesh(surface, &wish, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_int_equal(st_surface_check_closed(mesh->position, mesh->vertex_count, mesh->triangle,
                                           mesh->triangle_count, &error),
                   ST_OK);
  return mesh;
}

// A box has nothing that a tolerance may take: its volume and corners are exact, fine or coarse.
static void test_box_stays(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    StMesh *box = soup_shape("box", k == 0 ? 0.5 : 0.1);
    StMesh *mesh = remesh_well(box, k == 2 ? 0.4 : 0.2, 0.02);
    StMeshReport a, b;
    assert_int_equal(st_mesh_report(box, &a, NULL), ST_OK);
    assert_int_equal(st_mesh_report(mesh, &b, NULL), ST_OK);
    assert_true(fabs(soup_volume(mesh) - soup_volume(box)) < 1e-12);
    for (int c = 0; c < 3; c++) {
      assert_true(fabs(a.low[c] - b.low[c]) < 1e-15);
      assert_true(fabs(a.high[c] - b.high[c]) < 1e-15);
    }
    assert_true(b.longest_edge < 1.5 * (k == 2 ? 0.4 : 0.2));
    st_mesh_destroy(box);
    st_mesh_destroy(mesh);
  }
}

// Two triangles a side, twenty times as long as thick.
static StMesh *rod(void) {
  static const int SIDE[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                 {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  StMesh *mesh = st_mesh_create(8, 0, 12);
  assert_non_null(mesh);
  for (int v = 0; v < 8; v++) {
    mesh->position[3 * v] = v & 4 ? 2 : 0;
    mesh->position[3 * v + 1] = v & 2 ? 0.1 : 0;
    mesh->position[3 * v + 2] = v & 1 ? 0.1 : 0;
  }
  for (int t = 0; t < 12; t++)
    for (int i = 0; i < 3; i++)
      mesh->triangle[3 * t + i] = SIDE[t / 2][i == 0 ? 0 : i + t % 2];
  return mesh;
}

// Long triangles are cut into hardly more than equilateral ones would be. With slivers in between
// there were five times as many.
static void test_slender(void **state) {
  (void)state;
  StMesh *given = rod();
  for (double edge = 0.1; edge > 0.01; edge *= 0.8) {
    StMesh *mesh = remesh_well(given, edge, edge / 10);
    StMeshReport report;
    assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
    assert_true(mesh->triangle_count < 1.7 * 0.82 / (sqrt(3) / 4 * edge * edge));
    assert_true(report.longest_edge < 1.5 * edge);
    assert_true(fabs(soup_volume(mesh) / 0.02 - 1) < 1e-4);
    st_mesh_destroy(mesh);
  }
  st_mesh_destroy(given);
}

static void test_thickness(void **state) {
  (void)state;
  StMesh *mesh = rod(), *ball = soup_shape("sphere", 0.05);
  double thickness;
  assert_int_equal(st_fill_thickness(mesh, &thickness, NULL), ST_OK);
  assert_true(fabs(thickness - 0.1) < 1e-12);
  assert_int_equal(st_fill_thickness(ball, &thickness, NULL), ST_OK);
  assert_true(fabs(thickness - 1) < 0.02);
  st_mesh_destroy(mesh);
  st_mesh_destroy(ball);
}

static void test_coarser(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.04), *mesh = remesh_well(ball, 0.15, 0.015);
  assert_true(mesh->triangle_count < ball->triangle_count / 5);
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

static void test_ball(void **state) {
  (void)state;
  NEEDS_GMSH();
  StMesh *ball = soup_shape("sphere", 0.05);
  StFillReport report;
  StMesh *mesh = fill_well(ball, 0.12, &report);
  // A layer of the tolerance's thickness around a ball of radius 0.5 is the most that may go.
  double lost = 1 - tet_volume(mesh) / soup_volume(ball);
  assert_true(fabs(lost) < 3 * report.wish.tolerance / 0.5);
  assert_close(mesh, ball, report.wish.tolerance);
  st_mesh_destroy(ball);
  st_mesh_destroy(mesh);
}

static void test_same_again(void **state) {
  (void)state;
  NEEDS_GMSH();
  StMesh *tube = soup_shape("torus", 0.05);
  StFillReport report;
  StMesh *a = fill_well(tube, 0.1, &report), *b = fill_well(tube, 0.1, &report);
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->tet_count, b->tet_count);
  assert_memory_equal(a->position, b->position, 3 * (size_t)a->vertex_count * sizeof(double));
  assert_memory_equal(a->tet, b->tet, 4 * (size_t)a->tet_count * sizeof(int));
  st_mesh_destroy(tube);
  st_mesh_destroy(a);
  st_mesh_destroy(b);
}

// A hollow ball beside a box: the cavity stays empty, both parts are filled.
static void test_parts(void **state) {
  (void)state;
  NEEDS_GMSH();
  StMesh *big = soup_shape("sphere", 0.1), *small = soup_shape("sphere", 0.1);
  for (int i = 0; i < 3 * small->vertex_count; i++)
    small->position[i] *= 0.5;
  StMesh *box = soup_shape("box", 0.2);
  StMesh *hollow = soup_join(big, small, (double[3]){0, 0, 0});
  StMesh *all = soup_join(hollow, box, (double[3]){2.5, 0, 0});
  StFillReport report;
  StMesh *mesh = fill_well(all, 0.15, &report);
  double wanted = soup_volume(big) - soup_volume(small) + soup_volume(box);
  assert_true(fabs(tet_volume(mesh) - wanted) < 0.02 * wanted);
  StMeshReport shape;
  assert_int_equal(st_mesh_report(mesh, &shape, NULL), ST_OK);
  assert_int_equal(shape.component_count, 2);
  st_mesh_destroy(big);
  st_mesh_destroy(small);
  st_mesh_destroy(box);
  st_mesh_destroy(hollow);
  st_mesh_destroy(all);
  st_mesh_destroy(mesh);
}

// A label's border stays where it is, and its vertices are found in the filled mesh.
static void test_labels(void **state) {
  (void)state;
  NEEDS_GMSH();
  StMesh *box = soup_shape("box", 0.25);
  int top = st_mesh_label(box, "top");
  for (int t = 0; t < box->triangle_count; t++) {
    double low = INFINITY;
    for (int i = 0; i < 3; i++)
      low = fmin(low, box->position[3 * box->triangle[3 * t + i] + 2]);
    box->triangle_label[t] = low > 0.49 ? top : -1;
  }
  StFillReport report;
  StMesh *mesh = fill_well(box, 0.3, &report);
  int label = st_mesh_find_label(mesh, "top"), tagged = 0, above = 0;
  assert_true(label >= 0);
  for (int k = 0; k < mesh->tag_count; k++) {
    if (mesh->tag[2 * k + 1] != label)
      continue;
    assert_true(mesh->position[3 * mesh->tag[2 * k] + 2] > 0.499999);
    tagged++;
  }
  for (int v = 0; v < mesh->vertex_count; v++)
    above += mesh->position[3 * v + 2] > 0.499999;
  assert_int_equal(tagged, above);
  st_mesh_destroy(box);
  st_mesh_destroy(mesh);
}

static void test_kept(void **state) {
  (void)state;
  NEEDS_GMSH();
  setenv("STICTION_CACHE", "kept", 1);
  StMesh *ball = soup_shape("sphere", 0.1), *a, *b;
  const StFillWish wish = {.edge = 0.2}, other = {.edge = 0.21};
  char *path = st_fill_cache_path(ball, &wish), *path_other = st_fill_cache_path(ball, &other);
  assert_string_not_equal(path, path_other);
  unlink(path);
  assert_int_equal(st_fill_cached(ball, "s", &wish, NULL, &a, NULL), ST_OK);
  assert_int_equal(access(path, R_OK), 0);
  assert_int_equal(st_fill_cached(ball, "s", &wish, NULL, &b, NULL), ST_OK);
  assert_memory_equal(a->position, b->position, 3 * (size_t)a->vertex_count * sizeof(double));
  assert_memory_equal(a->tet, b->tet, 4 * (size_t)a->tet_count * sizeof(int));
  st_mesh_destroy(b);
  FILE *file = fopen(path, "w"); // broken: made again
  fputs("<VTKFile", file);
  fclose(file);
  assert_int_equal(st_fill_cached(ball, "s", &wish, NULL, &b, NULL), ST_OK);
  assert_int_equal(a->tet_count, b->tet_count);
  free(path);
  free(path_other);
  st_mesh_destroy(ball);
  st_mesh_destroy(a);
  st_mesh_destroy(b);
}

static void test_refused(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.3), *mesh;
  const StFillWish tiny = {.edge = 1e-6}, wish = {.edge = 0.3};
  StFillReport report;
  StError error;
  const bool here = st_tets_maker() != NULL;
  assert_int_equal(st_fill(ball, "s", here ? &tiny : &wish, NULL, &mesh, &report, &error),
                   ST_BAD_INPUT);
  assert_non_null(strstr(error.text, here ? "is its file in other units?"
                                          : "made without Gmsh; install Debian's package "
                                            "libgmsh-dev and build again"));
  st_mesh_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_stays), cmocka_unit_test(test_slender),
      cmocka_unit_test(test_thickness), cmocka_unit_test(test_coarser),
      cmocka_unit_test(test_ball),      cmocka_unit_test(test_same_again),
      cmocka_unit_test(test_parts),     cmocka_unit_test(test_labels),
      cmocka_unit_test(test_kept),      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
