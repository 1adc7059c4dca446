// Closed surfaces: what they enclose, how those at fault are told, and the walls of tet meshes.
#include "base/memory.h"
#include "mesh/closed.h"
#include "mesh/shape.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int outward[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static StEdgeFaults faults_of(const int *triangle, int count, int vertex_count) {
  StEdgeFaults faults;
  assert_int_equal(st_surface_edge_faults(triangle, count, vertex_count, &faults, NULL), ST_OK);
  return faults;
}

static void assert_faults(StEdgeFaults faults, int open, int turned, int crowded) {
  assert_int_equal(faults.open, open);
  assert_int_equal(faults.turned, turned);
  assert_int_equal(faults.crowded, crowded);
}

static void assert_refused(const double *position, int vertex_count, const int *triangle, int count,
                           const char *message) {
  StError error = {0};
  assert_int_equal(st_surface_check_closed(position, vertex_count, triangle, count, &error),
                   ST_BAD_INPUT);
  assert_string_equal(error.text, message);
}

static StMesh *make_shape(const char *name, StShapeFill fill, double edge) {
  const StShapeType *type = st_shape_find(name);
  double value[ST_PARAM_MAX];
  StMesh *mesh;
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < type->param_count; i++)
    if (strcmp(type->param[i].name, "edge") == 0)
      value[i] = edge;
  assert_int_equal(type->make(value, fill, &mesh, NULL), ST_OK);
  return mesh;
}

static double shape_value(const char *name, const char *param) {
  const StShapeType *type = st_shape_find(name);
  for (int i = 0; i < type->param_count; i++)
    if (strcmp(type->param[i].name, param) == 0)
      return type->param[i].fallback;
  fail();
  return NAN;
}

static void move(double *position, int vertex_count, const double by[3]) {
  for (int i = 0; i < 3 * vertex_count; i++)
    position[i] += by[i % 3];
}

static void reverse(int *triangle, int count) {
  for (int t = 0; t < count; t++) {
    int swap = triangle[3 * t];
    triangle[3 * t] = triangle[3 * t + 1];
    triangle[3 * t + 1] = swap;
  }
}

static void a_tet_encloses_its_volume(void **state) {
  (void)state;
  double centroid[3];
  assert_true(fabs(st_surface_volume(corner, outward, 4, centroid) - 1.0 / 6) < 1e-16);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(centroid[k] - 0.25) < 1e-15);
  assert_true(st_surface_volume(corner, outward, 0, NULL) == 0);
  assert_int_equal(st_surface_check_closed(corner, 4, outward, 4, NULL), ST_OK);
}

// Polyhedra inside the smooth shapes: a little less, the less the finer, and the place is exact.
static void round_shapes_enclose_nearly_their_volume(void **state) {
  (void)state;
  const double far[3] = {1000, -2000, 500};
  double ball = shape_value("sphere", "radius");
  double ring = shape_value("torus", "major_radius"), tube = shape_value("torus", "minor_radius");
  const struct {
    const char *name;
    double volume;
  } shape[] = {{"sphere", 4 * M_PI / 3 * ball * ball * ball},
               {"torus", 2 * M_PI * M_PI * ring * tube * tube}};
  for (int i = 0; i < ST_LENGTH(shape); i++) {
    double lack[2];
    for (int fine = 0; fine < 2; fine++) {
      StMesh *mesh = make_shape(shape[i].name, ST_SHAPE_SURFACE, 0.04 / (1 + fine));
      double middle[3], volume;
      volume = st_surface_volume(mesh->position, mesh->triangle, mesh->triangle_count, NULL);
      lack[fine] = 1 - volume / shape[i].volume;
      move(mesh->position, mesh->vertex_count, far);
      volume -= st_surface_volume(mesh->position, mesh->triangle, mesh->triangle_count, middle);
      assert_true(fabs(volume) < 1e-12);
      for (int k = 0; k < 3; k++)
        assert_true(fabs(middle[k] - far[k]) < 1e-12);
      assert_int_equal(st_surface_check_closed(mesh->position, mesh->vertex_count, mesh->triangle,
                                               mesh->triangle_count, NULL),
                       ST_OK);
      st_mesh_destroy(mesh);
    }
    assert_true(lack[0] > 0 && lack[0] < 0.05);
    assert_true(lack[1] > 0.2 * lack[0] && lack[1] < 0.3 * lack[0]); // second order
  }
}

static void open_surfaces_are_told_by_their_edges(void **state) {
  (void)state;
  assert_refused(corner, 4, outward, 3,
                 "the surface is open; 3 edges have one triangle only: 1 – 2 at (1, 0, 0) – "
                 "(0, 1, 0), 1 – 3 at (1, 0, 0) – (0, 0, 1), 2 – 3 at (0, 1, 0) – (0, 0, 1) "
                 "(vertices counted from 0)");
  assert_refused(corner, 4, outward, 0, "the surface has no triangles");
}

// Eight cells around, open at both ends: of 16 edges the first four are named.
static void an_open_tube_has_two_rims(void **state) {
  (void)state;
  enum { AROUND = 8 };
  double position[6 * AROUND];
  int triangle[6 * AROUND], *to = triangle;
  for (int v = 0; v < 2 * AROUND; v++) {
    double angle = 2 * M_PI * (v % AROUND) / AROUND;
    double x[3] = {cos(angle), sin(angle), v / AROUND};
    memcpy(position + 3 * v, x, sizeof x);
  }
  for (int i = 0; i < AROUND; i++) {
    int a = i, b = (i + 1) % AROUND;
    int cell[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
    memcpy(to, cell, sizeof cell);
    to += 6;
  }
  assert_faults(faults_of(triangle, 2 * AROUND, 2 * AROUND), 2 * AROUND, 0, 0);
  StError error = {0};
  assert_int_equal(st_surface_check_closed(position, 2 * AROUND, triangle, 2 * AROUND, &error),
                   ST_BAD_INPUT);
  assert_non_null(
      strstr(error.text, "the surface is open; 16 edges have one triangle only: 0 – 1 "));
  assert_non_null(strstr(error.text, ", … (vertices"));
}

static void a_flipped_triangle_is_told(void **state) {
  (void)state;
  int triangle[12];
  memcpy(triangle, outward, sizeof triangle);
  reverse(triangle, 1);
  assert_faults(faults_of(triangle, 4, 4), 0, 3, 0);
  assert_refused(corner, 4, triangle, 4,
                 "the surface encloses nothing; 3 edges have triangles that disagree on which way "
                 "is out: 0 – 1 at (0, 0, 0) – (1, 0, 0), 0 – 2 at (0, 0, 0) – (0, 1, 0), 1 – 2 at "
                 "(1, 0, 0) – (0, 1, 0) (vertices counted from 0)");
}

// Five triangles in a strip whose ends meet the wrong way round: one border, one seam.
static void a_moebius_strip_has_a_seam(void **state) {
  (void)state;
  const int strip[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 0, 4, 4, 0, 1};
  assert_faults(faults_of(strip, 5, 5), 5, 1, 0);
}

static void fins_and_common_edges_are_told(void **state) {
  (void)state;
  // A tet with a fin on its edge 0 – 1, then two tets that share this edge.
  int triangle[24];
  memcpy(triangle, outward, sizeof outward);
  memcpy(triangle + 12, (int[]){0, 1, 4}, 3 * sizeof(int));
  assert_faults(faults_of(triangle, 5, 5), 2, 0, 1);
  const int other[] = {0, 1, 2, 4, 5};
  for (int i = 0; i < 12; i++)
    triangle[12 + i] = outward[i] < 2 ? outward[i] : other[outward[i] + 1];
  assert_faults(faults_of(triangle, 8, 6), 0, 0, 1);
  const double position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1};
  assert_refused(position, 6, triangle, 8,
                 "the surface encloses nothing; 1 edge has more than two triangles: 0 – 1 at (0, "
                 "0, 0) – (1, 0, 0) (vertices counted from 0)");
}

static void inside_out_surfaces_are_refused(void **state) {
  (void)state;
  int triangle[12];
  memcpy(triangle, outward, sizeof triangle);
  reverse(triangle, 4);
  assert_refused(corner, 4, triangle, 4,
                 "the surface is inside out (-0.166667 m^3) where vertex 2 is, at (0, 1, 0): "
                 "triangles must run counter-clockwise as seen from outside");
}

// Four corners in a plane: a bag that was never blown up.
static void flat_surfaces_are_closed(void **state) {
  (void)state;
  const double flat[] = {0, 0, 0.1, 1, 0, 0.1, 0.3, 1, 0.1, 1.1, 1.2, 0.1};
  int triangle[12];
  memcpy(triangle, outward, sizeof triangle);
  assert_int_equal(st_surface_check_closed(flat, 4, triangle, 4, NULL), ST_OK);
  reverse(triangle, 4);
  assert_int_equal(st_surface_check_closed(flat, 4, triangle, 4, NULL), ST_OK);
}

// Two tets, the second moved and turned inside out: fine within the first, wrong beside it.
static void parts_may_face_inward_only_inside_others(void **state) {
  (void)state;
  const struct {
    double size, at;
    bool good;
  } inner[] = {{0.3, 0.1, true}, {0.3, 2, false}, {2, -0.3, false}};
  for (int i = 0; i < ST_LENGTH(inner); i++) {
    double position[24];
    int triangle[24];
    StParts parts;
    for (int k = 0; k < 12; k++) {
      position[k] = corner[k];
      position[12 + k] = inner[i].at + inner[i].size * corner[k];
      triangle[k] = outward[k];
      triangle[12 + k] = 4 + outward[k];
    }
    reverse(triangle + 12, 4);
    assert_int_equal(st_surface_check_closed(position, 8, triangle, 8, NULL),
                     inner[i].good ? ST_OK : ST_BAD_INPUT);
    assert_int_equal(st_surface_parts(position, 8, triangle, 8, &parts, NULL), ST_OK);
    assert_int_equal(parts.count, 2);
    assert_int_equal(parts.start[1], 4);
    assert_int_equal(parts.start[2], 8);
    assert_memory_equal(parts.triangle, triangle, sizeof triangle);
    assert_true(fabs(parts.volume[1] + pow(inner[i].size, 3) / 6) < 1e-14);
    st_parts_free(&parts);
  }
}

static double tet_volume(const StMesh *mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->tet_count; t++)
    sum += st_tet_volume(mesh->position, mesh->tet + 4 * t);
  return sum;
}

static void assert_walls_closed(const StMesh *mesh, const StParts *walls) {
  for (int w = 0; w < walls->count; w++) {
    const int *triangle = walls->triangle + 3 * walls->start[w];
    int count = walls->start[w + 1] - walls->start[w];
    assert_int_equal(
        st_surface_check_closed(mesh->position, mesh->vertex_count, triangle, count, NULL), ST_OK);
    double volume = st_surface_volume(mesh->position, triangle, count, NULL);
    assert_true(volume > 0 && fabs(volume - walls->volume[w]) <= 1e-15 * volume);
  }
}

static void a_hollow_ball_has_one_cavity(void **state) {
  (void)state;
  StMesh *mesh = make_shape("hollow_ball", ST_SHAPE_SOLID, 0.08);
  StParts walls;
  int outer;
  double middle[3];
  assert_int_equal(st_mesh_walls(mesh, &walls, &outer, NULL), ST_OK);
  assert_int_equal(outer, 1);
  assert_int_equal(walls.count, 2);
  assert_walls_closed(mesh, &walls);
  double inner = shape_value("hollow_ball", "radius") - shape_value("hollow_ball", "thickness");
  double round = 4 * M_PI / 3 * inner * inner * inner;
  assert_true(walls.volume[1] < round && walls.volume[1] > 0.97 * round);
  assert_true(fabs(walls.volume[0] - walls.volume[1] - tet_volume(mesh)) < 1e-14);
  st_surface_volume(mesh->position, walls.triangle + 3 * walls.start[1],
                    walls.start[2] - walls.start[1], middle);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(middle[k]) < 1e-15);
  st_parts_free(&walls);
  st_mesh_destroy(mesh);
}

// A box of unit cells without some of them.
static StMesh *box_with_holes(const BoxGrid *grid, const int (*hole)[3], int holes) {
  StMesh *mesh = box_mesh_create(grid);
  int kept = 0;
  for (int t = 0; t < mesh->tet_count; t++) {
    int cell = t / 6, x = cell % grid->cells[0], y = cell / grid->cells[0] % grid->cells[1];
    int z = cell / grid->cells[0] / grid->cells[1];
    bool gone = false;
    for (int h = 0; h < holes; h++)
      gone = gone || (hole[h][0] == x && hole[h][1] == y && hole[h][2] == z);
    if (!gone)
      memmove(mesh->tet + 4 * kept++, mesh->tet + 4 * t, 4 * sizeof(int));
  }
  mesh->tet_count = kept;
  return mesh;
}

static void cavities_are_told_apart(void **state) {
  (void)state;
  const BoxGrid grid = {{5, 4, 4}, {0, 0, 0}, {5, 4, 4}, 0};
  const struct {
    int hole[2][3];
    int cavities;
  } trial[] = {
      {{{1, 1, 1}, {3, 1, 1}}, 2}, // apart
      {{{1, 1, 1}, {2, 2, 2}}, 2}, // a common vertex joins nothing
      {{{1, 1, 1}, {2, 1, 1}}, 1}, // a common face does
  };
  for (int i = 0; i < ST_LENGTH(trial); i++) {
    StMesh *mesh = box_with_holes(&grid, trial[i].hole, 2);
    StParts walls;
    int outer;
    assert_int_equal(st_mesh_walls(mesh, &walls, &outer, NULL), ST_OK);
    assert_int_equal(outer, 1);
    assert_int_equal(walls.count - outer, trial[i].cavities);
    assert_walls_closed(mesh, &walls);
    assert_true(fabs(walls.volume[0] - 80) < 1e-12);
    for (int w = 1; w < walls.count; w++)
      assert_true(fabs(walls.volume[w] * trial[i].cavities - 2) < 1e-14);
    st_parts_free(&walls);
    st_mesh_destroy(mesh);
  }
}

// A mesh of several bodies has as many outer walls; one without tets has none.
static void outer_walls_come_first(void **state) {
  (void)state;
  const BoxGrid grid = {{7, 3, 3}, {0, 0, 0}, {7, 3, 3}, 0};
  int hole[10][3] = {{1, 1, 1}};
  for (int i = 0; i < 9; i++)
    hole[1 + i][0] = 3, hole[1 + i][1] = i / 3, hole[1 + i][2] = i % 3;
  StMesh *mesh = box_with_holes(&grid, hole, 10);
  StParts walls;
  int outer;
  assert_int_equal(st_mesh_walls(mesh, &walls, &outer, NULL), ST_OK);
  assert_int_equal(outer, 2);
  assert_int_equal(walls.count, 3);
  assert_true(fabs(walls.volume[0] - 27) < 1e-12 && fabs(walls.volume[1] - 27) < 1e-12);
  assert_true(fabs(walls.volume[2] - 1) < 1e-14);
  assert_walls_closed(mesh, &walls);
  st_parts_free(&walls);
  mesh->tet_count = 0;
  assert_int_equal(st_mesh_walls(mesh, &walls, &outer, NULL), ST_OK);
  assert_int_equal(outer, 0);
  assert_int_equal(walls.count, 0);
  st_parts_free(&walls);
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tet_encloses_its_volume),
      cmocka_unit_test(round_shapes_enclose_nearly_their_volume),
      cmocka_unit_test(open_surfaces_are_told_by_their_edges),
      cmocka_unit_test(an_open_tube_has_two_rims),
      cmocka_unit_test(a_flipped_triangle_is_told),
      cmocka_unit_test(a_moebius_strip_has_a_seam),
      cmocka_unit_test(fins_and_common_edges_are_told),
      cmocka_unit_test(inside_out_surfaces_are_refused),
      cmocka_unit_test(flat_surfaces_are_closed),
      cmocka_unit_test(parts_may_face_inward_only_inside_others),
      cmocka_unit_test(a_hollow_ball_has_one_cavity),
      cmocka_unit_test(cavities_are_told_apart),
      cmocka_unit_test(outer_walls_come_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
