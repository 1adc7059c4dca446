// Meshes in a parcel: all of them come out as they went in, without a copy; one that is to be
// changed gets arrays of its own, and the parcel stays as it was.
#include "base/memory.h"
#include "mesh/cage.h"
#include "mesh/check.h"
#include "mesh/parcel.h"
#include "mesh/shape.h"
#include "support/mesh_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 4, CAGED = 1, NONE = 2, CLOTH = 3 };

static StMesh *make_shape(const char *name, StShapeFill fill) {
  const StShapeType *type = st_shape_find(name);
  double value[ST_PARAM_MAX] = {0};
  StMesh *mesh = NULL;
  for (int i = 0; i < type->param_count; i++)
    value[i] = type->param[i].fallback;
  assert_int_equal(type->make(value, fill, &mesh, NULL), ST_OK);
  return mesh;
}

static void make_all(StMesh *mesh[COUNT]) {
  mesh[0] = make_shape("sphere", ST_SHAPE_SOLID);
  mesh[CAGED] = make_shape("box", ST_SHAPE_SOLID);
  mesh[NONE] = NULL;
  mesh[CLOTH] = make_shape("sheet", ST_SHAPE_SURFACE);
  assert_int_equal(st_mesh_find_boundary(mesh[0], NULL), ST_OK);
  StCage *cage = mesh[CAGED]->cage = st_cage_create(5, mesh[CAGED]->tet_count);
  for (int i = 0; i < 5; i++)
    cage->tet[i] = i;
  for (int i = 0; i < 4 * mesh[CAGED]->tet_count; i++)
    cage->volume[i] = 0.5 * i;
  cage->crossed = true;
  mesh[CLOTH]->triangle_label[3] = st_mesh_label(mesh[CLOTH], "a hem");
}

static void destroy_all(StMesh *mesh[COUNT]) {
  for (int i = 0; i < COUNT; i++)
    st_mesh_destroy(mesh[i]);
}

static void assert_ints(const int *a, const int *b, size_t count) {
  assert_memory_equal(a, b, count * sizeof(int));
}

static void assert_same(const StMesh *a, const StMesh *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->tet_count, b->tet_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->label_count, b->label_count);
  assert_int_equal(a->tag_count, b->tag_count);
  assert_int_equal(a->boundary_count, b->boundary_count);
  assert_int_equal(a->boundary != NULL, b->boundary != NULL);
  assert_memory_equal(a->position, b->position, 3 * (size_t)a->vertex_count * sizeof(double));
  assert_ints(a->tet, b->tet, 4 * (size_t)a->tet_count);
  assert_ints(a->tet_label, b->tet_label, (size_t)a->tet_count);
  assert_ints(a->triangle, b->triangle, 3 * (size_t)a->triangle_count);
  assert_ints(a->triangle_label, b->triangle_label, (size_t)a->triangle_count);
  if (a->tag_count)
    assert_ints(a->tag, b->tag, 2 * (size_t)a->tag_count);
  if (a->boundary)
    assert_ints(a->boundary, b->boundary, (size_t)a->boundary_count);
  for (int i = 0; i < a->label_count; i++)
    assert_string_equal(a->label_name[i], b->label_name[i]);
  assert_int_equal(a->cage != NULL, b->cage != NULL);
  if (!a->cage)
    return;
  assert_int_equal(a->cage->vertex_count, b->cage->vertex_count);
  assert_int_equal(a->cage->closed, b->cage->closed);
  assert_int_equal(a->cage->crossed, b->cage->crossed);
  assert_ints(a->cage->tet, b->cage->tet, (size_t)a->cage->vertex_count);
  assert_memory_equal(a->cage->volume, b->cage->volume, 4 * (size_t)a->tet_count * sizeof(double));
}

// Each array lies where it was packed.
static bool lies_in(const void *array, const char *bytes, size_t size) {
  return (const char *)array >= bytes && (const char *)array < bytes + size;
}

static void comes_out_as_it_went_in(void **state) {
  (void)state;
  StMesh *made[COUNT], *found[COUNT] = {0};
  make_all(made);
  size_t size = st_parcel_size(made, COUNT);
  char *bytes = ST_NEW(char, size);
  st_parcel_pack(made, COUNT, bytes);
  assert_int_equal(st_parcel_unpack(bytes, COUNT, found, NULL), ST_OK);
  assert_null(found[NONE]);
  for (int i = 0; i < COUNT; i++)
    if (i != NONE) {
      assert_same(made[i], found[i]);
      assert_true(found[i]->borrowed);
      assert_true(lies_in(found[i]->position, bytes, size));
      assert_int_equal((uintptr_t)found[i]->position % 64, 0);
    }
  assert_true(lies_in(found[0]->tet, bytes, size));
  assert_true(lies_in(found[CAGED]->cage->volume, bytes, size));
  destroy_all(found);
  destroy_all(made);
  free(bytes);
}

static void owned_can_be_changed(void **state) {
  (void)state;
  StMesh *made[COUNT], *found[COUNT] = {0}, *again[COUNT] = {0};
  make_all(made);
  size_t size = st_parcel_size(made, COUNT);
  char *bytes = ST_NEW(char, size);
  st_parcel_pack(made, COUNT, bytes);
  assert_int_equal(st_parcel_unpack(bytes, COUNT, found, NULL), ST_OK);
  for (int i = 0; i < COUNT; i++)
    if (i != NONE) {
      assert_int_equal(st_mesh_own(found[i], NULL), ST_OK);
      assert_same(made[i], found[i]);
      assert_false(found[i]->borrowed);
      assert_int_equal(st_mesh_add_tag(found[i], 0, 0, NULL), ST_OK);
      found[i]->position[0] += 1;
    }
  assert_int_equal(st_parcel_unpack(bytes, COUNT, again, NULL), ST_OK);
  for (int i = 0; i < COUNT; i++)
    if (i != NONE)
      assert_same(made[i], again[i]);
  destroy_all(again);
  destroy_all(found);
  destroy_all(made);
  free(bytes);
}

// The boundary that a mesh knows is the one that is found without it.
static void boundary_is_remembered(void **state) {
  (void)state;
  StMesh *mesh = make_shape("sphere", ST_SHAPE_SOLID);
  int *found = NULL, *known = NULL, found_count = 0, known_count = 0;
  assert_int_equal(st_mesh_boundary(mesh, &found, &found_count, NULL), ST_OK);
  assert_int_equal(st_mesh_find_boundary(mesh, NULL), ST_OK);
  assert_int_equal(st_mesh_boundary(mesh, &known, &known_count, NULL), ST_OK);
  assert_int_equal(found_count, known_count);
  assert_ints(found, known, 3 * (size_t)found_count);
  free(found);
  free(known);
  st_mesh_destroy(mesh);
}

// Any number of tags, also after an array that is just as long as it must be.
static void tags_can_be_added(void **state) {
  (void)state;
  for (int first = 0; first < 40; first++) {
    StMesh *mesh = st_mesh_create(1, 0, 0);
    mesh->tag = malloc(2 * (size_t)(first ? first : 1) * sizeof(int));
    mesh->tag_count = first;
    for (int i = 0; i < first; i++)
      mesh->tag[2 * i] = mesh->tag[2 * i + 1] = i;
    for (int i = first; i < 100; i++)
      assert_int_equal(st_mesh_add_tag(mesh, i, i, NULL), ST_OK);
    for (int i = 0; i < 200; i++)
      assert_int_equal(mesh->tag[i], i / 2);
    st_mesh_destroy(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_out_as_it_went_in),
      cmocka_unit_test(owned_can_be_changed),
      cmocka_unit_test(boundary_is_remembered),
      cmocka_unit_test(tags_can_be_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
