// VTKHDF of other programs and of broken disks: grids of several parts are read as one, and what
// cannot be read is named.
#include "mesh/hdf_image.h"

#include "base/memory.h"
#include "mesh/grid_file.h"
#include "mesh/read.h"
#include "mesh/vtkhdf.h"
#include "mesh/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add_list(hid_t group, const char *name, hid_t type, hsize_t count, hsize_t columns,
                     const void *value) {
  hid_t space = H5Screate_simple(columns ? 2 : 1, (hsize_t[]){count, columns}, NULL);
  hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

static void add_word(hid_t group, const char *name, const char *word) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(word));
  hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, word);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

// What is wrong with a file.
typedef struct Fault {
  const char *kind;    // of data
  const char *missing; // an array that is left out
  int64_t last_offset; // of the second part
  int64_t point_count; // that the second part claims
} Fault;

static const Fault NONE = {"UnstructuredGrid", "", 4, 4};

static void add_grid(hid_t group, const Fault *fault) {
  static const double points[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                      {2, 0, 0}, {3, 0, 0}, {2, 1, 0}, {2, 0, 1}};
  static const int64_t ones[] = {1, 1}, fours[] = {4, 4};
  static const int64_t corners[] = {0, 1, 2, 3, 0, 1, 2, 3};
  static const unsigned char types[] = {10, 10};
  const int64_t point_counts[] = {4, fault->point_count};
  const int64_t offsets[] = {0, 4, 0, fault->last_offset};
  const struct {
    const char *name;
    hid_t type;
    hsize_t count, columns;
    const void *value;
  } list[] = {{"NumberOfPoints", H5T_NATIVE_INT64, 2, 0, point_counts},
              {"NumberOfCells", H5T_NATIVE_INT64, 2, 0, ones},
              {"NumberOfConnectivityIds", H5T_NATIVE_INT64, 2, 0, fours},
              {"Points", H5T_NATIVE_DOUBLE, 8, 3, points},
              {"Offsets", H5T_NATIVE_INT64, 4, 0, offsets},
              {"Connectivity", H5T_NATIVE_INT64, 8, 0, corners},
              {"Types", H5T_NATIVE_UINT8, 2, 0, types}};
  add_word(group, "Type", fault->kind);
  for (int i = 0; i < ST_LENGTH(list); i++)
    if (strcmp(list[i].name, fault->missing) != 0)
      add_list(group, list[i].name, list[i].type, list[i].count, list[i].columns, list[i].value);
}

static void build(const char *group_name, const Fault *fault, char **bytes, size_t *size) {
  hid_t file = st_hdf_image_create(0);
  hid_t group = H5Gcreate2(file, group_name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  add_grid(group, fault);
  H5Gclose(group);
  assert_true(st_hdf_image_take(file, 0, bytes, size));
  H5Fclose(file);
}

static void parts_become_one_mesh(void **state) {
  (void)state;
  char *bytes;
  size_t size;
  StMesh *mesh = NULL;
  StError error = {0};
  build("VTKHDF", &NONE, &bytes, &size);
  if (st_mesh_parse("two.vtkhdf", bytes, size, NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_int_equal(mesh->vertex_count, 8);
  assert_memory_equal(mesh->tet, ((int[]){0, 1, 2, 3, 4, 5, 6, 7}), 8 * sizeof(int));
  st_mesh_destroy(mesh);
  free(bytes);
}

static void check_refused(char *bytes, size_t size, const char *message) {
  StMesh *mesh = NULL;
  StError error = {0};
  assert_int_equal(st_mesh_parse("bad.vtkhdf", bytes, size, NULL, &mesh, &error), ST_BAD_INPUT);
  if (!strstr(error.text, message))
    fail_msg("\"%s\" does not say \"%s\"", error.text, message);
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    Fault fault;
    const char *message;
  } bad[] = {
      {{"ImageData", "", 4, 4}, "bad.vtkhdf: its data are of the type ImageData; only"},
      {{"UnstructuredGrid", "Points", 4, 4}, "damaged (Points is missing or malformed)"},
      {{"UnstructuredGrid", "Types", 4, 4}, "damaged (Types is missing or malformed)"},
      {{"UnstructuredGrid", "NumberOfCells", 4, 4}, "damaged (NumberOfCells is missing"},
      {{"UnstructuredGrid", "", 9, 4}, "the offsets of its cells go from 0 to 9"},
      {{"UnstructuredGrid", "", 4, 5}, "damaged (Points is missing or malformed)"},
      {{"UnstructuredGrid", "", 4, -1}, "damaged (NumberOfPoints is missing or malformed)"},
  };
  for (int i = 0; i < ST_LENGTH(bad); i++) {
    char *bytes;
    size_t size;
    build("VTKHDF", &bad[i].fault, &bytes, &size);
    check_refused(bytes, size, bad[i].message);
    free(bytes);
  }
}

static void other_hdf5_files_are_refused(void **state) {
  (void)state;
  char *bytes;
  size_t size;
  build("weather", &NONE, &bytes, &size);
  check_refused(bytes, size, "an HDF5 file, but none of VTK");
  free(bytes);
}

// Wherever a file ends too early, it is refused.
static void cut_files_are_refused(void **state) {
  (void)state;
  char *bytes;
  size_t size;
  build("VTKHDF", &NONE, &bytes, &size);
  for (size_t length = 1; length < size; length += 97) {
    char *cut = ST_NEW(char, length);
    memcpy(cut, bytes, length);
    check_refused(cut, length, "bad.vtkhdf: ");
    free(cut);
  }
  free(bytes);
}

// A file can be made, and another one read, while one is open.
static void open_files_are_different_ones(void **state) {
  (void)state;
  Fault crowded = NONE;
  char *bytes[2], *made = NULL;
  size_t size[2], made_size = 0;
  StGridFile *file[2];
  double *point = NULL;
  crowded.point_count = 3;
  build("VTKHDF", &NONE, &bytes[0], &size[0]);
  assert_int_equal(st_grid_format_vtkhdf.open("one", bytes[0], size[0], &file[0], NULL), ST_OK);
  build("VTKHDF", &crowded, &bytes[1], &size[1]);
  assert_int_equal(st_grid_format_vtkhdf.open("other", bytes[1], size[1], &file[1], NULL), ST_OK);
  assert_int_equal(file[0]->part[1].point_count, 4);
  assert_int_equal(file[1]->part[1].point_count, 3);
  assert_int_equal(st_grid_format_vtkhdf.points(file[0], 1, &point, NULL), ST_OK);
  assert_true(point[0] == 2 && point[9] == 2);
  const StVtu content = {.point_count = 4, .position = point};
  assert_int_equal(st_vtkhdf_build(&content, &made, &made_size, NULL), ST_OK);
  free(made);
  free(point);
  for (int i = 0; i < 2; i++) {
    st_grid_file_close(file[i]);
    free(bytes[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_become_one_mesh),         cmocka_unit_test(faults_are_named),
      cmocka_unit_test(other_hdf5_files_are_refused),  cmocka_unit_test(cut_files_are_refused),
      cmocka_unit_test(open_files_are_different_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
