// Rigid bodies: mass, centre and inertia of closed surfaces, and four carriers that have them.
#include "base/memory.h"
#include "math/vec3.h"
#include "model/body.h"
#include "model/rigid.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void near(double a, double b, double allowed) {
  assert_true(fabs(a - b) <= allowed);
}

// A box of 3 × 2 × 1 m about (5, 6, 7), of 500 kg/m³.
static void a_box_is_exact(void **unused) {
  (void)unused;
  BoxGrid grid = {{2, 3, 2}, {3.5, 5, 6.5}, {6.5, 7, 7.5}, 0};
  StBodyDesc body = {.mesh = box_mesh_create(&grid), .self_contact = true};
  StRigidMass mass;
  assert_non_null(body.mesh);
  assert_int_equal(st_rigid_measure(body.mesh, 500, &mass, NULL), ST_OK);
  near(mass.mass, 3000, 1e-9);
  for (int k = 0; k < 3; k++)
    near(mass.centre[k], 5 + k, 1e-12);
  const double diagonal[3] = {250 * 5, 250 * 10, 250 * 13};
  for (int k = 0; k < 9; k++)
    near(mass.inertia[k], k % 4 == 0 ? diagonal[k / 4] : 0, 1e-8);
  assert_int_equal(st_body_make_rigid(&body, &mass, 0, NULL), ST_OK);
  assert_true(body.rigid && body.closed && !body.self_contact);
  assert_int_equal(body.mesh->tet_count, 0);
  assert_int_equal(st_body_vertex_count(&body), 3 * 4 * 3 - 1 * 2 * 1); // none inside
  near(st_rigid_volume(&body), 6, 1e-12);
  st_mesh_destroy(body.mesh);
  st_carried_free(&body.carried);
}

// Sums over the carriers give back what they were made for, turned axes and all.
static void carriers_have_mass_and_inertia(void **unused) {
  (void)unused;
  BoxGrid grid = {{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0};
  StBodyDesc body = {.mesh = box_mesh_create(&grid)};
  StRigidMass mass = {
      .mass = 8, .centre = {1, -2, 3}, .inertia = {7, 1, -2, 1, 9, 0.5, -2, 0.5, 6}};
  double sum[3] = {0}, inertia[9] = {0};
  assert_int_equal(st_body_make_rigid(&body, &mass, 0, NULL), ST_OK);
  int first = st_rigid_first_carrier(&body);
  for (int i = first; i < first + ST_CARRIERS; i++) {
    double arm[3];
    vec3_add_scaled(0.25, body.mesh->position + 3 * i, sum);
    vec3_sub(body.mesh->position + 3 * i, mass.centre, arm);
    for (int k = 0; k < 9; k++)
      inertia[k] += 2 * ((k % 4 == 0 ? vec3_dot(arm, arm) : 0) - arm[k / 3] * arm[k % 3]);
  }
  for (int k = 0; k < 3; k++)
    near(sum[k], mass.centre[k], 1e-14);
  for (int k = 0; k < 9; k++)
    near(inertia[k], mass.inertia[k], 1e-13);
  double *moved = ST_NEW(double, 3 * body.mesh->vertex_count);
  memcpy(moved + 3 * first, body.mesh->position + 3 * first, 12 * sizeof(double));
  st_carried_follow(&body.carried, 0, body.carried.count, moved);
  for (int i = 0; i < 3 * first; i++)
    near(moved[i], body.mesh->position[i], 1e-14);
  free(moved);
  st_mesh_destroy(body.mesh);
  st_carried_free(&body.carried);
}

// What acts on carried vertices and what they hand on do the same work along every motion.
static void forces_are_handed_on(void **unused) {
  (void)unused;
  BoxGrid grid = {{1, 1, 1}, {0, 0, 0}, {1, 2, 1}, 0};
  StBodyDesc body = {.mesh = box_mesh_create(&grid)};
  StRigidMass mass;
  assert_int_equal(st_rigid_measure(body.mesh, 1, &mass, NULL), ST_OK);
  assert_int_equal(st_body_make_rigid(&body, &mass, 0, NULL), ST_OK);
  int n = 3 * body.mesh->vertex_count, first = 3 * st_rigid_first_carrier(&body);
  double *force = ST_NEW(double, n), *way = ST_NEW(double, n), before = 0, after = 0;
  for (int i = 0; i < n; i++) {
    force[i] = sin(1 + i);
    way[i] = i < first ? 0 : cos(3 * i);
  }
  st_carried_follow(&body.carried, 0, body.carried.count, way);
  for (int i = 0; i < n; i++)
    before += force[i] * way[i];
  st_carried_hand_on(&body.carried, force);
  for (int i = 0; i < n; i++) {
    after += force[i] * way[i];
    assert_true(i >= first || force[i] == 0);
  }
  near(before, after, 1e-12);
  free(force);
  free(way);
  st_mesh_destroy(body.mesh);
  st_carried_free(&body.carried);
}

static void what_is_no_solid_is_refused(void **unused) {
  (void)unused;
  StMesh *open = st_mesh_create(3, 0, 1);
  const double place[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int corner[3] = {0, 1, 2};
  memcpy(open->position, place, sizeof place);
  memcpy(open->triangle, corner, sizeof corner);
  StRigidMass mass = {.mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 2.5}};
  StBodyDesc body = {.mesh = open};
  StError error;
  assert_int_equal(st_rigid_measure(open, 1, &mass, &error), ST_BAD_INPUT);
  mass = (StRigidMass){.mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 2.5}};
  assert_int_equal(st_body_make_rigid(&body, &mass, 0, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "no solid has such an inertia"));
  st_mesh_destroy(body.mesh);
  st_carried_free(&body.carried);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_is_exact),
      cmocka_unit_test(carriers_have_mass_and_inertia),
      cmocka_unit_test(forces_are_handed_on),
      cmocka_unit_test(what_is_no_solid_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
