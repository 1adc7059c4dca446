// Cages: where the surface's vertices are, what the tets hold, and surfaces that cannot be filled.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fill/cage.h"
#include "fill/winding.h"
#include "math/vec3.h"
#include "mesh/moments.h"
#include "support/surface_soup.h"

static void assert_near(double a, double b, double by) {
  if (!(fabs(a - b) <= by))
    fail_msg("%.17g is not %.17g", a, b);
}

static StMesh *cage_well(const StMesh *surface, double edge, StCageReport *report) {
  StError error = {0};
  StMesh *mesh = NULL;
  if (st_cage(surface, "s", edge, NULL, &mesh, report, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

// Every vertex of the surface is in its tet, every tet has a volume and something of the body, and
// nothing belongs to no tet.
static void assert_sound(const StMesh *mesh) {
  bool *used = calloc((size_t)mesh->vertex_count, sizeof *used);
  for (int t = 0; t < mesh->tet_count; t++) {
    assert_true(st_tet_volume(mesh->position, mesh->tet + 4 * t) > 0);
    for (int i = 0; i < 4; i++) {
      assert_true(mesh->tet[4 * t + i] >= mesh->cage->vertex_count);
      assert_true(mesh->cage->volume[4 * t + i] > 0);
      used[mesh->tet[4 * t + i]] = true;
    }
    assert_true(st_mesh_fill_part(mesh, t) < 1.5);
  }
  for (int v = mesh->cage->vertex_count; v < mesh->vertex_count; v++)
    assert_true(used[v]);
  for (int v = 0; v < mesh->cage->vertex_count; v++) {
    double whole = st_tet_volume(mesh->position, mesh->tet + 4 * mesh->cage->tet[v]);
    for (int i = 0; i < 4; i++) {
      int corner[4];
      memcpy(corner, mesh->tet + 4 * mesh->cage->tet[v], sizeof corner);
      corner[i] = v;
      assert_true(st_tet_volume(mesh->position, corner) > -1e-6 * whole);
    }
  }
  free(used);
}

static double find_centre(const StMesh *mesh, double centre[3]) {
  double whole = 0;
  vec3_set(0, 0, 0, centre);
  for (int i = 0; i < 4 * mesh->tet_count; i++) {
    whole += mesh->cage->volume[i];
    vec3_add_scaled(mesh->cage->volume[i], mesh->position + 3 * mesh->tet[i], centre);
  }
  for (int c = 0; c < 3; c++)
    centre[c] /= whole;
  return whole;
}

// A lattice that fits is full: its tets hold what tets of a solid do.
static void fits_a_box(void **state) {
  (void)state;
  StCageReport report;
  StMesh *box = soup_shape("box", 0.25), *mesh = cage_well(box, 0.25, &report);
  assert_sound(mesh);
  assert_int_equal(mesh->tet_count, 5 * 4 * 4 * 4);
  assert_true(report.exact && mesh->cage->closed && !mesh->cage->crossed);
  for (int t = 0; t < mesh->tet_count; t++)
    for (int i = 0; i < 4; i++)
      assert_near(mesh->cage->volume[4 * t + i],
                  st_tet_volume(mesh->position, mesh->tet + 4 * t) / 4, 1e-15);
  st_mesh_destroy(mesh);
  st_mesh_destroy(box);
}

// Mass and centre are those of the space that a closed surface encloses, however coarse the cage:
// to rounding, which grows with the number of corners that are summed.
static void keeps_mass_and_centre(void **state) {
  (void)state;
  static const char *const SHAPES[] = {"sphere", "torus", "capsule", "bowl", NULL};
  for (int k = 0; SHAPES[k]; k++) {
    StMesh *shape = soup_shape(SHAPES[k], 0.15), *soup = soup_apart(shape, 0);
    StMoments own;
    st_surface_moments(shape->position, shape->triangle, shape->triangle_count, &own);
    for (double edge = 0.9; edge > 0.1; edge /= 2.1) {
      StCageReport report;
      StMesh *mesh = cage_well(soup, edge, &report);
      double centre[3];
      assert_sound(mesh);
      assert_true(report.exact);
      assert_int_equal(mesh->cage->vertex_count, shape->vertex_count);
      assert_near(find_centre(mesh, centre) / own.volume, 1, 1e-12);
      for (int c = 0; c < 3; c++)
        assert_near(centre[c], own.centre[c], 1e-12);
      st_mesh_destroy(mesh);
    }
    st_mesh_destroy(soup);
    st_mesh_destroy(shape);
  }
}

// Two balls of radius 1 stuck into each other at a distance d: what both have counts once. The lens
// is π (2 − d)² (d² + 4 d)/(12 d). Samples miss by a few thousandths.
static void counts_overlaps_once(void **state) {
  (void)state;
  StMesh *ball = soup_shape("sphere", 0.15);
  double radius = 0, d;
  for (int v = 0; v < ball->vertex_count; v++)
    radius = fmax(radius, vec3_length(ball->position + 3 * v));
  const double by[3] = {1.2 * radius, 0.13 * radius, 0.07 * radius};
  d = vec3_length(by) / radius;
  StMesh *both = soup_join(ball, ball, by);
  StCageReport report;
  StMesh *mesh = cage_well(both, 0.4 * radius, &report);
  double lens = M_PI * (2 - d) * (2 - d) * (d * d + 4 * d) / (12 * d) / (4 * M_PI / 3);
  assert_sound(mesh);
  assert_true(report.crossings > 0 && mesh->cage->crossed && !report.exact && !report.whole);
  assert_near(report.volume / soup_volume(ball), 2 - lens, 0.01 * (2 - lens));
  st_mesh_destroy(mesh);
  st_mesh_destroy(both);
  st_mesh_destroy(ball);
}

// Part of a unit ball's volume that is below a height.
static double below(double height) {
  double cap = 1 - height;
  return 1 - cap * cap * (3 - cap) / 4;
}

// A ball without its cap: the inside ends where the hole's rim is, which runs along edges and so up
// and down by as much as these are long.
static void takes_open_surfaces(void **state) {
  (void)state;
  const double edge = 0.05;
  StMesh *ball = soup_shape("sphere", edge);
  int kept = 0;
  double radius = 0, whole = soup_volume(ball);
  for (int v = 0; v < ball->vertex_count; v++)
    radius = fmax(radius, vec3_length(ball->position + 3 * v));
  for (int t = 0; t < ball->triangle_count; t++) {
    double high = -INFINITY;
    for (int i = 0; i < 3; i++)
      high = fmax(high, ball->position[3 * ball->triangle[3 * t + i] + 2]);
    if (high <= 0.7 * radius)
      memmove(ball->triangle + 3 * kept++, ball->triangle + 3 * t, 3 * sizeof(int));
  }
  ball->triangle_count = kept;
  StCageReport report;
  StMesh *mesh = cage_well(ball, 0.3 * radius, &report);
  assert_sound(mesh);
  assert_true(report.open > 0 && !report.whole && !report.exact && !mesh->cage->closed);
  print_message("%.4f of the ball, of %.4f to %.4f\n", report.volume / whole,
                below(0.7 - 1.5 * edge / radius), below(0.7));
  assert_true(report.volume / whole > below(0.7 - 1.5 * edge / radius));
  assert_true(report.volume / whole < below(0.7));
  st_mesh_destroy(mesh);
  st_mesh_destroy(ball);
}

static void fills_the_cells_of_sheets(void **state) {
  (void)state;
  StCageReport report;
  StMesh *sheet = soup_shape("sheet", 0.1), *mesh = cage_well(sheet, 0.25, &report);
  assert_sound(mesh);
  assert_true(report.whole && !report.exact);
  assert_near(report.volume, 0.25, 1e-12); // one layer of cells below and above
  st_mesh_destroy(mesh);
  for (int v = 0; v < sheet->vertex_count; v++) // waves enclose nothing either
    sheet->position[3 * v + 2] = 0.05 * sin(8 * sheet->position[3 * v]);
  mesh = cage_well(sheet, 0.25, &report);
  assert_sound(mesh);
  assert_true(report.whole);
  st_mesh_destroy(mesh);
  st_mesh_destroy(sheet);
}

// Three sheets that meet in an edge, as no solid has.
static void takes_crowded_edges(void **state) {
  (void)state;
  static const double POSITION[] = {0, 0, -1, 0, 1, -1, 0, 0, 0, 0, 1, 0,
                                    0, 0, 1,  0, 1, 1,  1, 0, 0, 1, 1, 0};
  static const int TRIANGLE[] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4, 2, 7, 3, 2, 6, 7};
  StMesh *fins = st_mesh_create(8, 0, 6);
  memcpy(fins->position, POSITION, sizeof POSITION);
  memcpy(fins->triangle, TRIANGLE, sizeof TRIANGLE);
  StCageReport report;
  StMesh *mesh = cage_well(fins, 0.4, &report);
  assert_sound(mesh);
  assert_int_equal(report.crowded, 1);
  st_mesh_destroy(mesh);
  st_mesh_destroy(fins);
}

static void winds_as_the_sum_does(void **state) {
  (void)state;
  StMesh *shape = soup_shape("torus", 0.06);
  StWinding winding;
  double most = 0;
  shape->triangle_count -= 40; // a hole
  assert_int_equal(st_winding_create(shape, &winding, NULL), ST_OK);
  for (int k = 0; k < 1000; k++) {
    const double x[3] = {(k % 10 - 4.7) * 0.3, (k / 10 % 10 - 4.6) * 0.3, (k / 100 - 4.4) * 0.1};
    double exact = st_surface_winding(shape->position, shape->triangle, shape->triangle_count, x);
    most = fmax(most, fabs(st_winding_about(&winding, x) - exact));
  }
  print_message("off by %.2g turns at most\n", most);
  assert_true(most < 0.05);
  st_winding_free(&winding);
  st_mesh_destroy(shape);
}

static void refuse(const StMesh *surface, double edge, const char *why) {
  StError error = {0};
  StCageReport report;
  StMesh *mesh = NULL;
  assert_int_equal(st_cage(surface, "s", edge, NULL, &mesh, &report, &error), ST_BAD_INPUT);
  if (!strstr(error.text, why))
    fail_msg("\"%s\" does not say \"%s\"", error.text, why);
  assert_null(mesh);
}

static void refuses_what_is_no_surface(void **state) {
  (void)state;
  StMesh *none = st_mesh_create(3, 0, 0), *point = st_mesh_create(3, 0, 1);
  StMesh *tets = st_mesh_create(4, 1, 0), *ball = soup_shape("sphere", 0.5);
  for (int i = 0; i < 3; i++)
    point->triangle[i] = i;
  refuse(none, 1, "there are no triangles");
  refuse(point, 1, "no triangle has an area");
  refuse(tets, 1, "already has tets");
  refuse(ball, 1e-4, "Is the file in other units?");
  st_mesh_destroy(none);
  st_mesh_destroy(point);
  st_mesh_destroy(tets);
  st_mesh_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits_a_box),
      cmocka_unit_test(keeps_mass_and_centre),
      cmocka_unit_test(counts_overlaps_once),
      cmocka_unit_test(takes_open_surfaces),
      cmocka_unit_test(fills_the_cells_of_sheets),
      cmocka_unit_test(takes_crowded_edges),
      cmocka_unit_test(winds_as_the_sum_does),
      cmocka_unit_test(refuses_what_is_no_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
