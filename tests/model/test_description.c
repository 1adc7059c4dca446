// The description: defaults, bounds, notes, and that it frees all it owns (seen by the sanitizer).
#include "model/description.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void test_defaults(void **state) {
  (void)state;
  StDescription *description = st_description_create();
  assert_non_null(description);
  assert_true(description->gravity[2] == -9.81);
  assert_string_equal(description->integrator, "be");
  assert_true(description->time.step > 0 && description->time.smallest_step > 0);
  assert_true(description->time.smallest_step < description->time.step);
  assert_true(description->solver.velocity_tolerance > 0);
  assert_true(description->solver.change_tolerance > 0);
  assert_true(description->solver.max_iterations > 0);
  assert_int_equal(st_description_vertex_count(description), 0);
  double low[3], high[3];
  assert_false(st_description_bounds(description, low, high));
  assert_true(st_description_diagonal(description) == 0);
  st_description_destroy(description);
  st_description_destroy(NULL);
}

static StMesh *tet_at(double x) {
  static const double CORNERS[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  StMesh *mesh = st_mesh_create(4, 1, 0);
  for (int i = 0; i < 12; i++)
    mesh->position[i] = CORNERS[i] + (i % 3 == 0 ? x : 0);
  for (int i = 0; i < 4; i++)
    mesh->tet[i] = i;
  return mesh;
}

static void test_ownership_and_bounds(void **state) {
  (void)state;
  StDescription *description = st_description_create();
  description->title = st_copy_string("two tets");
  description->material = ST_NEW(StMaterialDesc, 1);
  description->material[description->material_count++].name = st_copy_string("rubber");
  description->body = ST_NEW(StBodyDesc, 2);
  for (int i = 0; i < 2; i++) {
    StBodyDesc *body = &description->body[description->body_count++];
    body->name = st_copy_string("body");
    body->mesh = tet_at(10 * i);
    body->label_material = ST_NEW(StLabelMaterial, 1);
  }
  description->boundary = ST_NEW(StBoundaryDesc, 1);
  StBoundaryDesc *boundary = &description->boundary[description->boundary_count++];
  boundary->name = st_copy_string("floor");
  boundary->vertex = ST_NEW(int, 4);
  const double zero[3] = {0};
  st_motion_set_keys(&boundary->motion, 1, zero, zero, zero, ST_SMOOTH, false, NULL);
  description->acceleration = ST_NEW(StAccelerationDesc, 1);
  description->force = ST_NEW(StForceDesc, 1);
  assert_int_equal(st_description_vertex_count(description), 8);
  double low[3], high[3];
  assert_true(st_description_bounds(description, low, high));
  assert_true(low[0] == 0 && low[1] == 0 && low[2] == 0);
  assert_true(high[0] == 11 && high[1] == 2 && high[2] == 3);
  assert_true(fabs(st_description_diagonal(description) - sqrt(134)) < 1e-14);
  st_description_destroy(description);
}

static void test_notes(void **state) {
  (void)state;
  StDescription *description = st_description_create();
  for (int i = 0; i < 20; i++)
    assert_int_equal(st_description_add_note(description, "time.step", "0.01 s", "why", NULL),
                     ST_OK);
  assert_int_equal(description->note_count, 20);
  assert_string_equal(description->note[19].key, "time.step");
  assert_string_equal(description->note[19].value, "0.01 s");
  assert_string_equal(description->note[19].reason, "why");
  st_description_destroy(description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_ownership_and_bounds),
      cmocka_unit_test(test_notes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
