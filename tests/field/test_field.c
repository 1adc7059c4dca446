// Fields of given states: stretched, bent and pressed boxes of both orders, cloth, shells and rigid
// bodies, for which every field is known.
#include "field/field.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/face.h"
#include "mesh/second_order.h"
#include "model/rigid.h"
#include "support/box_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const double YOUNG = 1e6, POISSON = 0.3, STRETCH = 1.2, THICKNESS = 2e-3;

// One body, and its positions and contact forces.
typedef struct Bench {
  StMaterialDesc material;
  StBodyDesc body;
  StDescription description;
  double *position, *force, *friction;
} Bench;

static void bench_start(Bench *bench, StMesh *mesh) {
  assert_non_null(mesh);
  bench->body.mesh = mesh;
  bench->description.material = &bench->material;
  bench->description.body = &bench->body;
  bench->description.material_count = bench->description.body_count = 1;
  bench->position = ST_NEW(double, 3 * mesh->vertex_count);
  bench->force = ST_NEW(double, 3 * mesh->vertex_count);
  bench->friction = ST_NEW(double, 3 * mesh->vertex_count);
  assert_true(bench->position && bench->force && bench->friction);
}

static void solid_start(Bench *bench, const char *law, bool second_order) {
  const BoxGrid grid = {{3, 2, 2}, {0, 0, 0}, {1.5, 1, 1}, 0.15};
  *bench = (Bench){.material = {.law = {law, {YOUNG, POISSON}}, .density = 1000}};
  StMesh *mesh = box_mesh_create(&grid);
  assert_non_null(mesh);
  if (second_order)
    assert_int_equal(st_mesh_raise_order(mesh, NULL), ST_OK);
  bench_start(bench, mesh);
}

// Two triangles of a unit square.
static void sheet_start(Bench *bench, const char *law) {
  static const double corner[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  static const int triangle[6] = {0, 1, 2, 0, 2, 3};
  *bench = (Bench){.material = {.shell = true, .law = {law, {THICKNESS, YOUNG, POISSON, 0}}}};
  if (strcmp(law, "membrane") == 0) {
    bench->material.law.value[0] = YOUNG * THICKNESS;
    bench->material.law.value[1] = POISSON;
    bench->material.law.value[2] = 1;
  }
  StMesh *mesh = st_mesh_create(4, 0, 2);
  assert_non_null(mesh);
  memcpy(mesh->position, corner, sizeof corner);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  bench_start(bench, mesh);
}

static void bench_end(Bench *bench) {
  st_mesh_destroy(bench->body.mesh);
  free(bench->position);
  free(bench->force);
  free(bench->friction);
}

static void deform(Bench *bench, const double F[9]) {
  for (int v = 0; v < bench->body.mesh->vertex_count; v++)
    mat3_apply(F, bench->body.mesh->position + 3 * v, bench->position + 3 * v);
}

static StFieldState state_of(const Bench *bench) {
  return (StFieldState){.description = &bench->description,
                        .position = bench->position,
                        .contact = bench->force,
                        .friction = bench->friction};
}

static double *field_of(const StFieldState *state, const char *name) {
  double *value = NULL;
  const StFieldType *type = st_field_find(name);
  assert_non_null(type);
  assert_int_equal(st_field_compute(type, state, &value, NULL), ST_OK);
  return value;
}

static double *field(const Bench *bench, const char *name) {
  StFieldState state = state_of(bench);
  return field_of(&state, name);
}

static int vertices(const Bench *bench) {
  return bench->body.mesh->vertex_count;
}

static int cells(const Bench *bench) {
  return st_field_cell_count(&bench->description);
}

// Every item has these values.
static void expect(const Bench *bench, const char *name, int components, const double *wanted,
                   double tolerance) {
  const StFieldType *type = st_field_find(name);
  double *value = field(bench, name);
  assert_int_equal(type->components, components);
  int items = type->of_cells ? cells(bench) : vertices(bench);
  for (int i = 0; i < items * components; i++)
    if (!(fabs(value[i] - wanted[i % components]) <= tolerance))
      fail_msg("%s %d: %.15g, not %.15g", name, i, value[i], wanted[i % components]);
  free(value);
}

// The stretch across for which nothing pulls there, and the true stress along, of W = μ/2 (I − 3) −
// μ ln J + λ/2 ln²J.
typedef struct Pull {
  double across, stress, energy;
} Pull;

static Pull neo_hookean_pull(void) {
  double mu = YOUNG / (2 * (1 + POISSON));
  double lambda = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), low = 0.5, high = 1,
         s = STRETCH;
  for (int i = 0; i < 100; i++) {
    double l = (low + high) / 2;
    *(mu * (l * l - 1) + lambda * log(s * l * l) > 0 ? &high : &low) = l;
  }
  double l = (low + high) / 2, J = s * l * l, L = log(J);
  return (Pull){l, (mu * (s * s - 1) + lambda * L) / J,
                mu / 2 * (s * s + 2 * l * l - 3) - mu * L + lambda / 2 * L * L};
}

// A bar along x, turned afterwards by a right angle about z: it points along y.
static void a_stretched_bar(void **unused) {
  (void)unused;
  Pull pull = neo_hookean_pull();
  double l = pull.across, s = STRETCH, small = 1e-12 * YOUNG;
  const double F[9] = {0, -l, 0, s, 0, 0, 0, 0, l};
  const double strain[6] = {(s * s - 1) / 2, (l * l - 1) / 2, (l * l - 1) / 2};
  const double stress[6] = {0, pull.stress}, principal[3] = {pull.stress};
  for (int order = 1; order <= 2; order++) {
    Bench bench;
    solid_start(&bench, "neo_hookean", order == 2);
    deform(&bench, F);
    expect(&bench, "strain", 6, strain, 1e-13);
    expect(&bench, "stress", 6, stress, small);
    expect(&bench, "nodal_stress", 6, stress, small);
    expect(&bench, "principal_stress", 3, principal, small);
    expect(&bench, "von_mises", 1, &pull.stress, small);
    expect(&bench, "energy_density", 1, &pull.energy, small);
    double *moved = field(&bench, "displacement");
    for (int i = 0; i < 3 * vertices(&bench); i++)
      assert_true(moved[i] == bench.position[i] - bench.body.mesh->position[i]);
    free(moved);
    bench_end(&bench);
  }
}

// Any uniform strain, of every law: vertices have the stress of the elements.
static void nodal_stress_passes_the_patch_test(void **unused) {
  (void)unused;
  const double F[9] = {1.1, 0.2, 0, -0.1, 0.9, 0.15, 0.05, 0, 1.05};
  for (const StMaterialLaw *const *law = st_material_laws; *law; law++)
    for (int order = 1; order <= 2 && (*law)->param_count == 2; order++) {
      Bench bench;
      solid_start(&bench, (*law)->name, order == 2);
      deform(&bench, F);
      double *stress = field(&bench, "stress");
      expect(&bench, "nodal_stress", 6, stress, 1e-12 * YOUNG);
      free(stress);
      bench_end(&bench);
    }
}

// Pure bending under small strains, u = (x z, 0, −x²/2 …): stress is linear, and elements of second
// order have it exactly at every node.
static void bending_has_exact_stress_at_nodes(void **unused) {
  (void)unused;
  const double curvature = 1e-3;
  Bench bench;
  solid_start(&bench, "linear", true);
  for (int v = 0; v < vertices(&bench); v++) {
    const double *X = bench.body.mesh->position + 3 * v;
    const double u[3] = {X[0] * X[2], -POISSON * X[1] * X[2],
                         -(X[0] * X[0] + POISSON * (X[2] * X[2] - X[1] * X[1])) / 2};
    for (int i = 0; i < 3; i++)
      bench.position[3 * v + i] = X[i] + curvature * u[i];
  }
  double *stress = field(&bench, "nodal_stress");
  for (int i = 0; i < 6 * vertices(&bench); i++) {
    double wanted = i % 6 == 0 ? YOUNG * curvature * bench.body.mesh->position[i / 6 * 3 + 2] : 0;
    assert_true(fabs(stress[i] - wanted) < 1e-12 * YOUNG);
  }
  free(stress);
  bench_end(&bench);
}

// In its plane a shell pulled along x is in plane stress; cloth has no thickness to relate a stress
// to.
static void shells_have_membrane_stress(void **unused) {
  (void)unused;
  const double small = 1e-5, F[9] = {0, -(1 - POISSON * small), 0, 1 + small, 0, 0, 0, 0, 1};
  const double strain[6] = {small + small * small / 2, (pow(1 - POISSON * small, 2) - 1) / 2};
  const double stress[6] = {0, YOUNG * small}, zero[6] = {0};
  const double energy = YOUNG * small * small / 2;
  Bench bench;
  sheet_start(&bench, "shell");
  deform(&bench, F);
  expect(&bench, "strain", 6, strain, 1e-15);
  expect(&bench, "stress", 6, stress,
         5 * small * stress[1]); // that of small strains to first order
  expect(&bench, "nodal_stress", 6, stress, 5 * small * stress[1]);
  expect(&bench, "energy_density", 1, &energy, 5 * small * energy);
  bench_end(&bench);
  sheet_start(&bench, "membrane");
  deform(&bench, F);
  expect(&bench, "strain", 6, strain, 1e-15);
  expect(&bench, "stress", 6, zero, 0);
  expect(&bench, "nodal_stress", 6, zero, 0);
  expect(&bench, "energy_density", 1, zero, 0);
  bench_end(&bench);
}

// Forces of a uniform pressure on all faces of a box in any shape, rims and corners included.
static void add_pressure(Bench *bench, double pressure) {
  const StMesh *mesh = bench->body.mesh;
  int *face = NULL, count = 0;
  assert_int_equal(st_mesh_boundary_faces(mesh, &face, &count, NULL), ST_OK);
  for (int f = 0; f < count + mesh->triangle_count; f++) {
    int corner[3];
    double side[2][3], normal[3];
    for (int i = 0; i < 3; i++)
      corner[i] = f < count ? mesh->tet[face[f] / 4 * 4 + st_tet_face[face[f] % 4][i]]
                            : mesh->triangle[3 * (f - count) + i];
    for (int i = 0; i < 2; i++)
      vec3_sub(bench->position + 3 * corner[i + 1], bench->position + 3 * corner[0], side[i]);
    vec3_cross(side[0], side[1], normal);
    for (int i = 0; i < 3; i++)
      vec3_add_scaled(-pressure / 6, normal, bench->force + 3 * corner[i]);
  }
  free(face);
}

// A vertex has the force of a uniform pressure times its area, and so that of a uniform shear.
static void uniform_traction_is_found(void **unused) {
  (void)unused;
  const double F[9] = {1.1, 0.2, 0, -0.1, 0.9, 0.15, 0.05, 0, 1.05}, pressure = 1234;
  const double drag[3] = {120, -30, 40}; // of size 130
  for (int order = 1; order <= 2; order++) {
    Bench bench;
    solid_start(&bench, "neo_hookean", order == 2);
    deform(&bench, F);
    add_pressure(&bench, pressure);
    int pressed = 0;
    for (int v = 0; v < vertices(&bench); v++)
      vec3_add_scaled(vec3_length(bench.force + 3 * v) / pressure, drag, bench.friction + 3 * v);
    double *found = field(&bench, "contact_pressure"), *shear = field(&bench, "contact_shear");
    double *size = field(&bench, "contact_shear_magnitude");
    for (int v = 0; v < vertices(&bench); v++) {
      bool outside = vec3_length(bench.force + 3 * v) > 0;
      pressed += outside;
      assert_true(fabs(found[v] - (outside ? pressure : 0)) < 1e-9);
      assert_true(fabs(size[v] - (outside ? 130 : 0)) < 1e-10);
      for (int i = 0; i < 3; i++)
        assert_true(fabs(shear[3 * v + i] - (outside ? drag[i] : 0)) < 1e-10);
    }
    assert_true(pressed > 24);
    free(found);
    free(shear);
    free(size);
    bench_end(&bench);
  }
}

// Whatever the forces on a flat face are: pressure times area gives their sum.
static void averages_keep_the_force(void **unused) {
  (void)unused;
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int order = 1; order <= 2; order++) {
    Bench bench;
    double wanted = 0, sum = 0;
    uint64_t random = 7;
    solid_start(&bench, "neo_hookean", order == 2);
    deform(&bench, unit);
    add_pressure(&bench, 1);
    double *area = ST_NEW(double, vertices(&bench));
    assert_non_null(area);
    for (int v = 0; v < vertices(&bench); v++) {
      double *f = bench.force + 3 * v;
      bool below = bench.position[3 * v + 2] == 0;
      double force = fmax(random_between(&random, -10, 10), 0); // half of them not pressed
      area[v] = below ? f[2] : 0;
      vec3_set(0, 0, below ? force : 0, f);
      wanted += f[2];
    }
    double *found = field(&bench, "contact_pressure");
    for (int v = 0; v < vertices(&bench); v++)
      sum += area[v] * found[v];
    assert_true(fabs(sum / wanted - 1) < 1e-13);
    free(found);
    free(area);
    bench_end(&bench);
  }
}

// Both sides of a shell can be pressed.
static void sheets_are_pressed_from_both_sides(void **unused) {
  (void)unused;
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, pressure = 10;
  for (int side = -1; side <= 1; side += 2) {
    Bench bench;
    sheet_start(&bench, "shell");
    deform(&bench, unit);
    add_pressure(&bench, side * pressure);
    expect(&bench, "contact_pressure", 1, &pressure, 1e-12);
    bench_end(&bench);
  }
}

// Of a rigid body the surface is pressed, and nothing else is known.
static void rigid_bodies_have_pressure_and_no_stress(void **unused) {
  (void)unused;
  const BoxGrid grid = {{2, 2, 2}, {0, 0, 0}, {1, 1, 1}, 0};
  const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[6] = {0}, pressure = 100;
  Bench bench = {.material = {.rigid = true, .law = {ST_RIGID_LAW}}};
  StRigidMass mass;
  bench.body.mesh = box_mesh_create(&grid);
  assert_non_null(bench.body.mesh);
  assert_int_equal(st_rigid_measure(bench.body.mesh, 1000, &mass, NULL), ST_OK);
  assert_int_equal(st_body_make_rigid(&bench.body, &mass, 1e9, NULL), ST_OK);
  bench_start(&bench, bench.body.mesh);
  deform(&bench, unit);
  add_pressure(&bench, pressure);
  double *found = field(&bench, "contact_pressure");
  for (int v = 0; v < vertices(&bench); v++)
    assert_true(fabs(found[v] - (vec3_length(bench.force + 3 * v) > 0 ? pressure : 0)) < 1e-10);
  free(found);
  const char *const none[] = {"strain", "stress", "nodal_stress"};
  for (int i = 0; i < 3; i++)
    expect(&bench, none[i], 6, zero, 0);
  expect(&bench, "energy_density", 1, zero, 0);
  st_carried_free(&bench.body.carried);
  bench_end(&bench);
}

// A program may have changed a material since: what the run has stored is what it had.
static void stored_stress_counts(void **unused) {
  (void)unused;
  const double F[9] = {STRETCH, 0, 0, 0, 1, 0, 0, 0, 1};
  Bench bench;
  solid_start(&bench, "neo_hookean", false);
  deform(&bench, F);
  double *stress = field(&bench, "stress");
  StFieldState state = state_of(&bench);
  for (int factor = 1; factor <= 2; factor++) {
    double *stored = ST_NEW(double, 6 * cells(&bench));
    assert_non_null(stored);
    for (int i = 0; i < 6 * cells(&bench); i++)
      stored[i] = (float)(factor * stress[i]);
    state.stress = stored;
    double *found = field_of(&state, "stress"), *nodal = field_of(&state, "nodal_stress");
    for (int i = 0; i < 6 * cells(&bench); i++)
      assert_true(found[i] == (factor == 1 ? stress[i] : stored[i]));
    assert_true(fabs(nodal[0] - factor * stress[0]) < 1e-6 * nodal[0]);
    free(found);
    free(nodal);
    free(stored);
  }
  free(stress);
  bench_end(&bench);
}

static void von_mises_of_known_stresses(void **unused) {
  (void)unused;
  assert_true(fabs(st_von_mises((double[]){5, 0, 0, 0, 0, 0}) - 5) < 1e-14);
  assert_true(fabs(st_von_mises((double[]){0, 0, 0, 2, 0, 0}) - 2 * sqrt(3)) < 1e-14);
  assert_true(st_von_mises((double[]){7, 7, 7, 0, 0, 0}) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stretched_bar),
      cmocka_unit_test(nodal_stress_passes_the_patch_test),
      cmocka_unit_test(bending_has_exact_stress_at_nodes),
      cmocka_unit_test(shells_have_membrane_stress),
      cmocka_unit_test(uniform_traction_is_found),
      cmocka_unit_test(averages_keep_the_force),
      cmocka_unit_test(sheets_are_pressed_from_both_sides),
      cmocka_unit_test(rigid_bodies_have_pressure_and_no_stress),
      cmocka_unit_test(stored_stress_counts),
      cmocka_unit_test(von_mises_of_known_stresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
