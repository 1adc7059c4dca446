// Lumped masses of tets of second order: mass, centre and moments of inertia of whole bodies.
#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/second_order.h"
#include "model/partition.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

typedef struct Moments {
  double mass, first[3], second[9];
} Moments;

static void add(const double x[3], double mass, Moments *sum) {
  sum->mass += mass;
  vec3_add_scaled(mass, x, sum->first);
  for (int k = 0; k < 9; k++)
    sum->second[k] += mass * x[k / 3] * x[k % 3];
}

// Of the volume: four points are exact for polynomials of second degree.
static Moments exact(const StMesh *mesh, const double density[2]) {
  Moments sum = {0};
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * t;
    double quarter = density[mesh->tet_label[t] == 0] * st_tet_volume(mesh->position, tet) / 4;
    for (int p = 0; p < 4; p++) {
      double x[3] = {0};
      for (int a = 0; a < 4; a++)
        vec3_add_scaled((a == p ? 5 + 3 * sqrt(5) : 5 - sqrt(5)) / 20, mesh->position + 3 * tet[a],
                        x);
      add(x, quarter, &sum);
    }
  }
  return sum;
}

static double difference(const double *a, const double *b, int count) {
  double most = 0;
  for (int k = 0; k < count; k++)
    most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

// Gives the grid's body second order and compares the masses of its vertices. Returns the surplus
// of the moments, over their trace.
static double surplus(const BoxGrid *grid, double heavy, bool lumped) {
  StMaterialDesc material[2] = {{.density = 1000}, {.density = heavy}};
  StLabelMaterial by_label[1] = {{0, 1}};
  StMesh *mesh = box_mesh_create(grid);
  assert_int_equal(st_mesh_label(mesh, "heavy"), 0);
  for (int t = 0; t < mesh->tet_count / 3; t++)
    mesh->tet_label[t] = 0;
  assert_int_equal(st_mesh_raise_order(mesh, NULL), ST_OK);
  StBodyDesc body = {.mesh = mesh, .label_material = by_label, .label_material_count = 1};
  StDescription description = {
      .material_count = 2, .material = material, .body_count = 1, .body = &body};
  StPiece *piece;
  assert_int_equal(st_piece_create_whole(&description, &piece, NULL), ST_OK);
  Moments right = exact(mesh, (double[]){1000, heavy}), sum = {0};
  for (int v = 0; v < piece->vertex_count; v++) {
    assert_true(piece->lumping[v] >= 0.1 * (1 - 1e-12));
    add(piece->rest + 3 * v, piece->mass[v] / (lumped ? 1 : piece->lumping[v]), &sum);
  }
  double size = right.second[0] + right.second[4] + right.second[8];
  assert_true(fabs(sum.mass / right.mass - 1) < 1e-12);
  assert_true(difference(sum.first, right.first, 3) < 1e-12 * sqrt(right.mass * size));
  double part = difference(sum.second, right.second, 9) / size;
  st_piece_destroy(piece);
  st_mesh_destroy(mesh);
  return part;
}

static void bodies_have_the_inertia_of_their_volume(void **state) {
  (void)state;
  static const BoxGrid GRIDS[] = {{{3, 3, 3}, {-1, 2, 0}, {0.5, 3, 1}, 0.15},
                                  {{12, 2, 2}, {-1, -1, -1}, {10, 1, 1}, 0.1},
                                  {{9, 8, 2}, {0, 0, 0}, {1, 0.8, 0.002}, 0.05}};
  for (int i = 0; i < ST_LENGTH(GRIDS); i++)
    for (int heavy = 1; heavy <= 3; heavy += 2) {
      assert_true(surplus(&GRIDS[i], 1000 * heavy, false) > 1e-4);
      assert_true(surplus(&GRIDS[i], 1000 * heavy, true) < 1e-12);
    }
}

// A cell has no vertex inside: a part of the surplus stays, as masses stay positive.
static void single_cells_keep_some_surplus(void **state) {
  (void)state;
  const BoxGrid cell = {{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0};
  double plain = surplus(&cell, 1000, false), lumped = surplus(&cell, 1000, true);
  print_message("surplus %.3f, %.3f without\n", lumped, plain);
  assert_true(lumped < 0.7 * plain && lumped > 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_have_the_inertia_of_their_volume),
      cmocka_unit_test(single_cells_keep_some_surplus),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
