// Less usual forms that files may take, and readers' small tools on their own.
#include "base/memory.h"
#include "mesh/number.h"
#include "mesh/read.h"
#include "mesh/table.h"
#include "mesh/tuple.h"
#include "mesh/vtu.h"
#include "support/mesh_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static StMesh *parse(const char *name, const char *text, size_t size, LoggedWarnings *warnings) {
  StMesh *mesh = NULL;
  StError error = {0};
  StLog log = {keep_warning, warnings};
  if (st_mesh_parse(name, text, size, warnings ? &log : NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static void numbers_of_every_type_and_byte_order(void **state) {
  (void)state;
  static const struct {
    StNumberType type;
    size_t size;
    const char *little, *big;
    double value;
  } sample[] = {
      {ST_INT8, 1, "\xfe", "\xfe", -2},
      {ST_UINT8, 1, "\xfe", "\xfe", 254},
      {ST_INT16, 2, "\xfe\xff", "\xff\xfe", -2},
      {ST_UINT16, 2, "\xfe\xff", "\xff\xfe", 65534},
      {ST_INT32, 4, "\xfe\xff\xff\xff", "\xff\xff\xff\xfe", -2},
      {ST_UINT32, 4, "\xfe\xff\xff\xff", "\xff\xff\xff\xfe", 4294967294.},
      {ST_INT64, 8, "\xfe\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xfe", -2},
      {ST_UINT64, 8, "\2\0\0\0\1\0\0\0", "\0\0\0\1\0\0\0\2", 4294967298.},
      {ST_FLOAT32, 4, "\0\0\x40\xc0", "\xc0\x40\0\0", -3},
      {ST_FLOAT64, 8, "\0\0\0\0\0\0\x08\xc0", "\xc0\x08\0\0\0\0\0\0", -3},
  };
  bool swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  for (int i = 0; i < ST_LENGTH(sample); i++) {
    int64_t whole;
    assert_int_equal(st_number_size(sample[i].type), sample[i].size);
    assert_true(st_number_real(sample[i].type, sample[i].little, swap) == sample[i].value);
    assert_true(st_number_real(sample[i].type, sample[i].big, !swap) == sample[i].value);
    assert_true(st_number_integer(sample[i].type, sample[i].little, swap, &whole));
    assert_true((double)whole == sample[i].value);
  }
  int64_t whole;
  double half = 0.5, far = 1e30;
  assert_false(st_number_integer(ST_FLOAT64, (const char *)&half, false, &whole));
  assert_false(st_number_integer(ST_FLOAT64, (const char *)&far, false, &whole));
  assert_false(st_number_integer(ST_UINT64, "\xff\xff\xff\xff\xff\xff\xff\xff", false, &whole));
}

static void tables_number_keys_as_they_come(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  StTable table = {0};
  assert_int_equal(st_table_find(&table, "x", 1), -1);
  for (int64_t i = 0; i < COUNT; i++) {
    int64_t key = i * 1000003;
    assert_int_equal(st_table_add(&table, &key, sizeof key), i);
    assert_int_equal(st_table_add(&table, &key, sizeof key), i);
  }
  for (int64_t i = 0; i < COUNT; i++) {
    int64_t key = i * 1000003, other = key + 1;
    assert_int_equal(st_table_find(&table, &key, sizeof key), i);
    assert_int_equal(st_table_find(&table, &other, sizeof other), -1);
  }
  assert_int_equal(st_table_add(&table, "", 0), COUNT); // the empty key is a key
  st_table_free(&table);
}

static void tuples_sort_by_all_items_and_keep_ties(void **state) {
  (void)state;
  const int pair[] = {2, 1, 0, 3, 2, 0, 0, 3, 1, 1};
  const int expected[] = {1, 3, 4, 2, 0};
  int order[5];
  assert_int_equal(st_tuple_sort(pair, 5, 2, 4, order, NULL), ST_OK);
  assert_memory_equal(order, expected, sizeof expected);
  assert_int_equal(st_tuple_run(pair, 2, order, 5, 0), 2);
  int four[] = {3, 1, 2, 0};
  st_tuple_ascend(four, 4);
  assert_memory_equal(four, ((int[]){0, 1, 2, 3}), sizeof four);
}

static void partitioned_gmsh_files_keep_their_labels(void **state) {
  (void)state;
  StMesh *mesh = NULL;
  const char *path = TEST_DATA "/meshes/two_tets-41-partitioned.msh";
  assert_int_equal(st_mesh_read(path, NULL, &mesh, NULL), ST_OK);
  assert_int_equal(mesh->tet_count, 2);
  assert_int_equal(label_use(mesh, "core").tets, 1);
  assert_int_equal(label_use(mesh, "outer shell").tets, 1);
  assert_int_equal(label_use(mesh, "floor").tags, 4);
  assert_int_equal(label_use(mesh, "flag").triangles, 1);
  st_mesh_destroy(mesh);
}

static void vtk_attributes_are_stepped_over(void **state) {
  (void)state;
  static const char text[] =
      "# vtk DataFile Version 4.2\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 4 double\n0 0 0 1 0 0 0 1 0 1 1 0\n\nMETADATA\nINFORMATION 1\nNAME x LOCATION y\n\n"
      "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n8\n" // a pixel: its last two points are swapped
      "POINT_DATA 4\nTEXTURE_COORDINATES uv 2 float\n0 0 1 0 0 1 1 1\n"
      "COLOR_SCALARS paint 3\n0 0 0 1 1 1 0 0 0 1 1 1\nTENSORS6 s float\n"
      "1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6\n"
      "CELL_DATA 1\nLOOKUP_TABLE colours 2\n0 0 0 1 1 1 1 1\nFIELD f 2\nid 1 1 vtkIdType\n5\n"
      "METADATA\nINFORMATION 0\n\nCellEntityIds 1 1 long\n12\n";
  StMesh *mesh = parse("a.vtk", text, sizeof text - 1, NULL);
  assert_int_equal(mesh->triangle_count, 2);
  assert_int_equal(label_use(mesh, "12").triangles, 2);
  const int expected[] = {0, 1, 3, 0, 3, 2};
  assert_memory_equal(mesh->triangle, expected, sizeof expected);
  st_mesh_destroy(mesh);
}

static void bytes_behind_a_binary_stl_are_ignored(void **state) {
  (void)state;
  char data[84 + 50 + 3] = {0};
  const float one = 1;
  data[80] = 1;
  memcpy(data + 84 + 12 + 12, &one, 4); // the second corner is (1, 0, 0)
  memcpy(data + 84 + 12 + 28, &one, 4); // the third (0, 1, 0)
  LoggedWarnings warnings = {0};
  StMesh *mesh = parse("a.stl", data, sizeof data, &warnings);
  assert_int_equal(mesh->triangle_count, 1);
  assert_string_equal(warnings.text, "a.stl: 3 bytes after the last triangle were ignored\n");
  st_mesh_destroy(mesh);
}

static void frames_are_written_whole(void **state) {
  (void)state;
  const double position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, heat[] = {1, 2, 3};
  const int triangle[] = {0, 1, 2};
  StVtuArray array = {"heat <&\"> flux", 1, ST_VTU_FLOAT32, heat, NULL};
  StVtu vtu = {.point_count = 3,
               .position = position,
               .triangle_count = 1,
               .triangle = triangle,
               .point_array_count = 1,
               .point_array = &array};
  StError error = {0};
  StMesh *mesh = NULL;
  char path[64];
  snprintf(path, sizeof path, "test_mesh_forms-%d.vtu", (int)getpid());
  assert_int_equal(st_vtu_write(path, &vtu, &error), ST_OK);
  assert_int_equal(st_mesh_read(path, NULL, &mesh, &error), ST_OK);
  assert_int_equal(mesh->triangle_count, 1);
  unlink(path);
  st_mesh_destroy(mesh);
  assert_int_equal(st_vtu_write("no/such/folder/a.vtu", &vtu, &error), ST_SYSTEM_FAULT);
  array.real = NULL;
  assert_int_equal(st_vtu_write(path, &vtu, &error), ST_BUG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_every_type_and_byte_order),
      cmocka_unit_test(tables_number_keys_as_they_come),
      cmocka_unit_test(tuples_sort_by_all_items_and_keep_ties),
      cmocka_unit_test(partitioned_gmsh_files_keep_their_labels),
      cmocka_unit_test(vtk_attributes_are_stepped_over),
      cmocka_unit_test(bytes_behind_a_binary_stl_are_ignored),
      cmocka_unit_test(frames_are_written_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
