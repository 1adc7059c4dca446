// Tets of second order: what their ten nodes represent exactly. Linear fields, fields of pure
// bending and the energy of any quadratic field are exact on straight elements.
#include "force/list.h"
#include "force/material.h"
#include "force/solid.h"
#include "math/vec3.h"
#include "support/box_mesh.h"
#include "mesh/second_order.h"
#include "model/partition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double YOUNG = 1e6;

// One body of a law, and its elastic force.
typedef struct Bench {
  StMaterialDesc material;
  StBodyDesc body;
  StDescription description;
  StPiece *piece;
  void *solid;
  double *position, *force;
} Bench;

static void bench_start(Bench *bench, const BoxGrid *grid, const char *law, double poisson) {
  bool present;
  *bench = (Bench){.material = {.law = {law, {YOUNG, poisson}}, .density = 1000}};
  assert_non_null(bench->body.mesh = box_mesh_create(grid));
  assert_int_equal(st_mesh_raise_order(bench->body.mesh, NULL), ST_OK);
  bench->description.material = &bench->material;
  bench->description.body = &bench->body;
  bench->description.material_count = bench->description.body_count = 1;
  assert_int_equal(st_piece_create_whole(&bench->description, &bench->piece, NULL), ST_OK);
  StForceSite site = {.description = &bench->description, .piece = bench->piece};
  assert_int_equal(st_force_create(&st_force_solid, &site, &bench->solid, &present, NULL), ST_OK);
  assert_true(present);
  bench->position = ST_NEW(double, 3 * bench->piece->vertex_count);
  bench->force = ST_NEW(double, 3 * bench->piece->vertex_count);
  assert_true(bench->position && bench->force);
}

static void bench_end(Bench *bench) {
  st_force_solid.destroy(bench->solid);
  st_piece_destroy(bench->piece);
  st_mesh_destroy(bench->body.mesh);
  free(bench->position);
  free(bench->force);
}

typedef void Field(const double X[3], const double *k, double u[3]);

static StPoint bench_at(Bench *bench, Field *field, const double *k) {
  for (int v = 0; v < bench->piece->vertex_count; v++) {
    const double *X = bench->piece->rest + 3 * v;
    double u[3];
    field(X, k, u);
    for (int i = 0; i < 3; i++)
      bench->position[3 * v + i] = X[i] + u[i];
  }
  return (StPoint){.position = bench->position, .velocity = bench->position};
}

static void linear_field(const double X[3], const double *k, double u[3]) {
  for (int i = 0; i < 3; i++)
    u[i] = k[3 * i] * X[0] + k[3 * i + 1] * X[1] + k[3 * i + 2] * X[2];
}

static bool is_inside(const BoxGrid *grid, const double X[3]) {
  bool inside = true;
  for (int i = 0; i < 3; i++)
    inside = inside && X[i] > grid->low[i] + 1e-9 && X[i] < grid->high[i] - 1e-9;
  return inside;
}

// The patch test: stress is the same everywhere, and nothing pulls at nodes inside.
static void linear_fields_are_exact(void **state) {
  (void)state;
  const BoxGrid grid = {{3, 3, 3}, {0, 0, 0}, {1, 1, 1}, 0.15};
  const double k[9] = {0.3, 0.2, 0, -0.1, -0.2, 0.3, 0.1, 0, 0.1};
  Bench bench;
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++) {
    if ((*law)->param_count != 2)
      continue;
    bench_start(&bench, &grid, (*law)->name, 0.4);
    StPoint at = bench_at(&bench, linear_field, k);
    StTrouble trouble;
    int tets = bench.piece->tet_count, inside = 0;
    double *stress = ST_NEW(double, 6 * tets);
    assert_true(st_force_solid.add(bench.solid, &at, bench.force, &trouble));
    st_solid_stress(bench.solid, &at, stress);
    for (int i = 0; i < 6 * tets; i++)
      assert_true(fabs(stress[i] - stress[i % 6]) < 1e-12 * YOUNG);
    for (int v = 0; v < bench.piece->vertex_count; v++) {
      if (!is_inside(&grid, bench.piece->rest + 3 * v))
        continue;
      inside++;
      assert_true(vec3_length(bench.force + 3 * v) < 1e-12 * YOUNG);
    }
    assert_in_range(inside, 50, bench.piece->vertex_count);
    free(stress);
    bench_end(&bench);
  }
}

// k: three coefficients of x², y², z², xy, yz, zx.
static void quadratic_field(const double X[3], const double *k, double u[3]) {
  const double term[6] = {X[0] * X[0], X[1] * X[1], X[2] * X[2],
                          X[0] * X[1], X[1] * X[2], X[2] * X[0]};
  for (int i = 0; i < 3; i++) {
    u[i] = 0;
    for (int t = 0; t < 6; t++)
      u[i] += k[6 * i + t] * term[t];
  }
}

static void quadratic_gradient(const double X[3], const double *k, double F[9]) {
  for (int i = 0; i < 3; i++) {
    const double *c = k + 6 * i;
    F[3 * i] = (i == 0) + 2 * c[0] * X[0] + c[3] * X[1] + c[5] * X[2];
    F[3 * i + 1] = (i == 1) + 2 * c[1] * X[1] + c[3] * X[0] + c[4] * X[2];
    F[3 * i + 2] = (i == 2) + 2 * c[2] * X[2] + c[4] * X[1] + c[5] * X[0];
  }
}

// By Gauss's two points along each axis, exact for the quadratic density of small strain.
static double exact_energy(const BoxGrid *grid, const StMaterialDesc *material, const double *k) {
  const StMaterialLaw *law = st_material_law_find(material->law.name);
  double constant[ST_LAW_CONSTANTS] = {0}, sum = 0;
  law->prepare(material->law.value, constant);
  for (int p = 0; p < 8; p++) {
    double X[3], F[9], W, share = 1;
    for (int i = 0; i < 3; i++) {
      double size = grid->high[i] - grid->low[i], side = (p >> i) % 2 ? 1 : -1;
      X[i] = grid->low[i] + size * (0.5 + side * 0.5 / sqrt(3));
      share *= size / 2;
    }
    quadratic_gradient(X, k, F);
    law->energy(constant, F, &W);
    sum += share * W;
  }
  return sum;
}

static void energy_of_quadratic_fields_is_exact(void **state) {
  (void)state;
  const BoxGrid grid = {{2, 2, 3}, {-0.3, 0, 0}, {0.5, 0.7, 1}, 0.2};
  double k[18];
  Bench bench;
  random_fill(&(uint64_t){71}, -0.1, 0.1, 18, k);
  bench_start(&bench, &grid, "linear", 0.3);
  StPoint at = bench_at(&bench, quadratic_field, k);
  double energy = st_force_solid.energy(bench.solid, &at);
  double exact = exact_energy(&grid, &bench.material, k);
  assert_true(fabs(energy / exact - 1) < 1e-12);
  bench_end(&bench);
}

// k: curvature and Poisson's ratio.
static void bending_field(const double X[3], const double *k, double u[3]) {
  u[0] = k[0] * X[0] * X[2];
  u[1] = -k[1] * k[0] * X[1] * X[2];
  u[2] = -0.5 * k[0] * (X[0] * X[0] + k[1] * (X[2] * X[2] - X[1] * X[1]));
}

// A beam one cell through: its sides stay free, and the moment of its ends is E I κ.
static void beams_bend_exactly(void **state) {
  (void)state;
  const double side = 0.1, inertia = side * side * side * side / 12, curvature = 1;
  const BoxGrid grid = {{10, 1, 1}, {0, -side / 2, -side / 2}, {1, side / 2, side / 2}, 0};
  const double poisson[] = {0, 0.3, 0.49};
  for (int p = 0; p < 3; p++) {
    const double k[2] = {curvature, poisson[p]};
    double moment = 0, scale = YOUNG * side * side * curvature * side;
    Bench bench;
    bench_start(&bench, &grid, "linear", poisson[p]);
    StPoint at = bench_at(&bench, bending_field, k);
    StTrouble trouble;
    assert_true(st_force_solid.add(bench.solid, &at, bench.force, &trouble));
    for (int v = 0; v < bench.piece->vertex_count; v++) {
      const double *X = bench.piece->rest + 3 * v;
      if (X[0] > 1 - 1e-9)
        moment -= bench.force[3 * v] * X[2];
      else if (X[0] > 1e-9)
        assert_true(vec3_length(bench.force + 3 * v) < 1e-11 * scale);
    }
    print_message("Poisson's ratio %g: moment off by %.1e\n", poisson[p],
                  moment / (YOUNG * inertia * curvature) - 1);
    assert_true(fabs(moment / (YOUNG * inertia * curvature) - 1) < 1e-11);
    bench_end(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_fields_are_exact),
      cmocka_unit_test(energy_of_quadratic_fields_is_exact),
      cmocka_unit_test(beams_bend_exactly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
