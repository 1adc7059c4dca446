// Good files of every format: what Gmsh, VTK and hand-written files hold comes out the same.
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/read.h"
#include "mesh/scan.h"
#include "support/mesh_compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static StMesh *read_file(const char *name, LoggedWarnings *warnings) {
  char path[512];
  StMesh *mesh = NULL;
  StError error = {0};
  StLog log = {keep_warning, warnings};
  snprintf(path, sizeof path, "%s/meshes/%s", TEST_DATA, name);
  if (st_mesh_read(path, warnings ? &log : NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static StMesh *parse(const char *name, const char *text, LoggedWarnings *warnings) {
  StMesh *mesh = NULL;
  StError error = {0};
  StLog log = {keep_warning, warnings};
  if (st_mesh_parse(name, text, strlen(text), &log, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static void assert_two_tets(const StMesh *mesh, const char *name) {
  print_message("%s\n", name);
  assert_int_equal(mesh->vertex_count, 7);
  assert_int_equal(mesh->tet_count, 2);
  assert_int_equal(mesh->triangle_count, 1); // the other one is a face of a tet
  assert_int_equal(mesh->label_count, 4);
  assert_int_equal(mesh->tag_count, 4);
  assert_int_equal(label_use(mesh, "core").tets, 1);
  assert_int_equal(label_use(mesh, "outer shell").tets, 1);
  assert_int_equal(label_use(mesh, "flag").triangles, 1);
  assert_int_equal(label_use(mesh, "floor").tags, 4);
  assert_true(is_tagged(mesh, "floor", 0, 0, 0) && is_tagged(mesh, "floor", 1, 0, 0) &&
              is_tagged(mesh, "floor", 0, 1, 0) && is_tagged(mesh, "floor", 0, 0, 1));
  StMeshReport report;
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_true(fabs(report.volume - 0.5) < 1e-15);
  assert_true(report.high[2] == 1 && report.high[0] == 2);
  // Float64 all the way: 0.1 must not have passed through a float
  const double *x = mesh->position + 3 * mesh->triangle[2];
  assert_true(x[0] == 2 && x[1] == 1 && x[2] == 0.1);
}

static void gmsh_and_vtk_agree(void **state) {
  (void)state;
  static const char *const name[] = {
      "two_tets-22-text.msh",
      "two_tets-22-binary.msh",
      "two_tets-40-text.msh",
      "two_tets-41-text.msh",
      "two_tets-41-binary.msh",
      "two_tets-42-text.vtk",
      "two_tets-42-binary.vtk",
      "two_tets-51-text.vtk",
      "two_tets-51-binary.vtk",
      "two_tets-ascii-plain-32-raw-little.vtu",
      "two_tets-binary-plain-32-raw-little.vtu",
      "two_tets-binary-zlib-64-raw-little.vtu",
      "two_tets-appended-plain-64-raw-little.vtu",
      "two_tets-appended-zlib-32-raw-little.vtu",
      "two_tets-appended-zlib-64-b64-little.vtu",
      "two_tets-appended-plain-32-b64-little.vtu",
      "two_tets-appended-zlib-64-raw-big.vtu",
  };
  for (int i = 0; i < ST_LENGTH(name); i++) {
    LoggedWarnings warnings = {0};
    StMesh *mesh = read_file(name[i], &warnings);
    assert_two_tets(mesh, name[i]);
    assert_int_equal(warnings.count, 0);
    st_mesh_destroy(mesh);
  }
}

static void polydata_becomes_a_closed_surface(void **state) {
  (void)state;
  static const char *const name[] = {"sphere-strips-42-text.vtk", "sphere-51-binary.vtk"};
  for (int i = 0; i < ST_LENGTH(name); i++) {
    StMesh *mesh = read_file(name[i], NULL);
    StMeshReport report;
    assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
    assert_int_equal(mesh->vertex_count, 50);
    assert_int_equal(mesh->triangle_count, 96);
    assert_true(report.closed && report.oriented);
    assert_true(fabs(report.enclosed_volume - 0.448062) < 2e-6);
    st_mesh_destroy(mesh);
  }
}

static void obj_has_all_forms_of_faces(void **state) {
  (void)state;
  StMesh *mesh = read_file("cube.obj", NULL);
  StMeshReport report;
  assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
  assert_int_equal(mesh->vertex_count, 8);
  assert_int_equal(mesh->triangle_count, 12);
  assert_true(report.closed && report.oriented);
  assert_true(fabs(report.enclosed_volume - 1) < 1e-15);
  // a material outranks groups, a group its object; what is outranked remains as tags
  assert_int_equal(label_use(mesh, "bottom").triangles, 2);
  assert_int_equal(label_use(mesh, "sides").tags, 8);
  assert_int_equal(label_use(mesh, "red paint").triangles, 10);
  assert_int_equal(label_use(mesh, "cube").tags, 8);
  st_mesh_destroy(mesh);
}

static void stl_corners_are_merged(void **state) {
  (void)state;
  StMesh *mesh = read_file("sheets.stl", NULL);
  assert_int_equal(mesh->vertex_count, 7);
  assert_int_equal(mesh->triangle_count, 3);
  assert_int_equal(label_use(mesh, "sheet one").triangles, 2);
  assert_int_equal(mesh->triangle_label[2], -1);
  st_mesh_destroy(mesh);
}

static void put(char *to, size_t *at, const void *bytes, size_t size) {
  memcpy(to + *at, bytes, size);
  *at += size;
}

static void binary_stl_may_begin_with_solid(void **state) {
  (void)state;
  char data[84 + 3 * 50] = "solid but binary";
  float facet[3][12] = {{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                        {0, 0, 1, 1, 0, 0, 1, 1, -0.0f, 0, 1, 0},
                        {0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0}}; // two corners are one
  uint32_t count = 3;
  size_t at = 80;
  put(data, &at, &count, 4);
  for (int i = 0; i < 3; i++) {
    put(data, &at, facet[i], sizeof facet[i]);
    put(data, &at, "\0", 2);
  }
  StMesh *mesh = NULL;
  LoggedWarnings warnings = {0};
  StLog log = {keep_warning, &warnings};
  assert_int_equal(st_mesh_parse("a.stl", data, sizeof data, &log, &mesh, NULL), ST_OK);
  assert_int_equal(mesh->vertex_count, 4);
  assert_int_equal(mesh->triangle_count, 2);
  assert_string_equal(warnings.text,
                      "a.stl: 1 of 3 triangles have equal corners and were left out\n");
  st_mesh_destroy(mesh);
}

static void put_text(char *to, size_t *at, const char *text) {
  put(to, at, text, strlen(text));
}

static void put_swapped(char *to, size_t *at, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[(*at)++] = ((const char *)bytes)[size - 1 - i];
}

// The byte order that this machine does not have.
static void msh_of_the_other_byte_order(void **state) {
  (void)state;
  char data[512];
  size_t at = 0;
  put_text(data, &at, "$MeshFormat\n2.2 1 8\n");
  put_swapped(data, &at, &(int){1}, 4);
  put_text(data, &at, "\n$EndMeshFormat\n$Nodes\n3\n");
  for (int v = 0; v < 3; v++) {
    double x[3] = {v == 1, v == 2, 0.1};
    put_swapped(data, &at, &(int){100 + v}, 4);
    for (int k = 0; k < 3; k++)
      put_swapped(data, &at, &x[k], 8);
  }
  put_text(data, &at, "\n$EndNodes\n$Elements\n1\n");
  const int element[] = {2, 1, 2, 1, 8, 8, 100, 101, 102}; // type, one follows, two tags; number …
  for (int i = 0; i < ST_LENGTH(element); i++)
    put_swapped(data, &at, &element[i], 4);
  put_text(data, &at, "\n$EndElements\n");
  StMesh *mesh = NULL;
  StError error = {0};
  if (st_mesh_parse("a.msh", data, at, NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_int_equal(mesh->triangle_count, 1);
  assert_true(mesh->position[3] == 1 && mesh->position[8] == 0.1);
  assert_int_equal(label_use(mesh, "8").triangles, 1);
  st_mesh_destroy(mesh);
}

static void further_groups_of_an_entity_become_tags(void **state) {
  (void)state;
  StMesh *mesh =
      parse("a.msh",
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"all of it\"\n"
            "$EndPhysicalNames\n$Entities\n0 0 1 0\n5 0 0 0 1 1 0 2 -3 7 0\n"
            "$EndEntities\n$Nodes\n1 3 1 3\n2 5 1 3\n1\n2\n3\n0 0 0 0 0\n1 0 0 1 0\n"
            "0 1 0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n2 5 2 1\n1 1 2 3\n$EndElements\n",
            NULL);
  assert_int_equal(label_use(mesh, "3").triangles, 1);
  assert_int_equal(label_use(mesh, "all of it").tags, 3);
  st_mesh_destroy(mesh);
}

#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"

static void groups_without_names_are_told_apart(void **state) {
  (void)state;
  StMesh *mesh = parse("a.msh",
                       MSH2 NODES "$Elements\n4\n1 4 2 1 1 1 2 3 4\n2 4 2 5 1 2 3 4 5\n"
                                  "3 2 2 1 1 1 2 3\n4 15 2 9 1 4\n$EndElements\n",
                       NULL);
  assert_int_equal(label_use(mesh, "1").tets, 1);
  assert_int_equal(label_use(mesh, "5").tets, 1);
  assert_int_equal(label_use(mesh, "surface 1").tags, 3);
  assert_int_equal(label_use(mesh, "9").tags, 1);
  st_mesh_destroy(mesh);
}

static void an_element_of_two_groups_is_one_element(void **state) {
  (void)state;
  StMesh *mesh = parse("a.msh",
                       MSH2 NODES "$Elements\n3\n1 4 2 1 1 1 2 3 4\n2 4 2 7 1 1 2 3 4\n"
                                  "3 4 2 7 1 2 3 4 5\n$EndElements\n",
                       NULL);
  assert_int_equal(mesh->tet_count, 2);
  assert_int_equal(label_use(mesh, "1").tets, 1);
  assert_int_equal(label_use(mesh, "7").tets, 1);
  assert_int_equal(label_use(mesh, "7").tags, 4);
  st_mesh_destroy(mesh);
}

static void higher_order_leaves_corners(void **state) {
  (void)state;
  LoggedWarnings warnings = {0};
  StMesh *mesh = parse("a.msh",
                       MSH2 "$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n"
                            "7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n"
                            "$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
                       &warnings);
  assert_int_equal(mesh->vertex_count, 4);
  assert_int_equal(mesh->tet_count, 1);
  assert_string_equal(warnings.text,
                      "a.msh: 1 elements of higher order: only their corners are used\n"
                      "a.msh: 6 vertices belong to no element and were left out, first 4\n");
  st_mesh_destroy(mesh);
}

static void windows_line_ends_and_odd_sections_pass(void **state) {
  (void)state;
  StMesh *mesh = parse("A.MSH",
                       "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Comments\r\n$Nodes of $End"
                       "\r\n$EndComments\r\n$Nodes\r\n3\r\n1 0 0 0\r\n2 1 0 0\r\n3 0 1 0\r\n"
                       "$EndNodes\r\n$Elements\r\n1\r\n1 2 0 1 2 3\r\n$EndElements\r\n",
                       NULL);
  assert_int_equal(mesh->triangle_count, 1);
  st_mesh_destroy(mesh);
}

static void vtk_labels_come_from_the_best_array(void **state) {
  (void)state;
  StMesh *mesh = parse("a.vtk",
                       "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET POLYDATA\n"
                       "POINTS 4 float\n0 0 0 1 0 0 0 1 0 1 1 0\nPOLYGONS 2 8\n3 0 1 2\n3 1 3 2\n"
                       "CELL_DATA 2\nSCALARS quality float\nLOOKUP_TABLE default\n0.5 0.5\n"
                       "NORMALS up float\n0 0 1 0 0 1\nFIELD more 2\nregion 1 2 int\n8 9\n"
                       "material 1 2 int\n3 -1\nPOINT_DATA 4\nVECTORS v double\n"
                       "0 0 0 0 0 0 0 0 0 0 0 0\n",
                       NULL);
  assert_int_equal(mesh->label_count, 1);
  assert_string_equal(mesh->label_name[0], "3");
  assert_int_equal(mesh->triangle_label[0], 0);
  assert_int_equal(mesh->triangle_label[1], -1);
  st_mesh_destroy(mesh);
}

static void vtu_pieces_are_joined(void **state) {
  (void)state;
#define PIECE(z)                                                                                   \
  "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" "           \
  "NumberOfComponents=\"3\" format=\"ascii\">0 0 " z " 1 0 " z " 0 1 " z "</DataArray></Points>"   \
  "<Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray>"      \
  "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">3</DataArray>"                      \
  "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5</DataArray></Cells></Piece>"
  StMesh *mesh = parse("a.vtu",
                       "<?xml version=\"1.0\"?><!-- <Piece> --><VTKFile type='UnstructuredGrid'>"
                       "<UnstructuredGrid>" PIECE("0") PIECE("2.5") "</UnstructuredGrid></VTKFile>",
                       NULL);
  assert_int_equal(mesh->vertex_count, 6);
  assert_int_equal(mesh->triangle_count, 2);
  assert_int_equal(mesh->triangle[5], 5);
  assert_true(mesh->position[17] == 2.5);
  st_mesh_destroy(mesh);
}

static void numbers_are_read_exactly(void **state) {
  (void)state;
  static const char *const text[] = {"0.1",
                                     "-0",
                                     "1e-300",
                                     "123456789012345678",
                                     "1.7e308",
                                     ".5",
                                     "5.",
                                     "+3",
                                     "1E5",
                                     "2.5e-10",
                                     "0.30000000000000004",
                                     "9007199254740993.0",
                                     "0.000000000000001"};
  for (int i = 0; i < ST_LENGTH(text); i++) {
    double value, expected = strtod(text[i], NULL);
    assert_true(st_span_real((StSpan){text[i], strlen(text[i])}, &value));
    assert_memory_equal(&value, &expected, sizeof expected);
  }
  static const char *const wrong[] = {"", "-", ".", "1,5", "0x10", "1e", "1.2.3", "--1", "1 "};
  for (int i = 0; i < ST_LENGTH(wrong); i++) {
    double value;
    assert_false(st_span_real((StSpan){wrong[i], strlen(wrong[i])}, &value));
  }
}

static void missing_files_are_named(void **state) {
  (void)state;
  StMesh *mesh = NULL;
  StError error = {0};
  assert_int_equal(st_mesh_read("no/such.msh", NULL, &mesh, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, "no/such.msh: cannot be read: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gmsh_and_vtk_agree),
      cmocka_unit_test(polydata_becomes_a_closed_surface),
      cmocka_unit_test(obj_has_all_forms_of_faces),
      cmocka_unit_test(stl_corners_are_merged),
      cmocka_unit_test(binary_stl_may_begin_with_solid),
      cmocka_unit_test(msh_of_the_other_byte_order),
      cmocka_unit_test(further_groups_of_an_entity_become_tags),
      cmocka_unit_test(groups_without_names_are_told_apart),
      cmocka_unit_test(an_element_of_two_groups_is_one_element),
      cmocka_unit_test(higher_order_leaves_corners),
      cmocka_unit_test(windows_line_ends_and_odd_sections_pass),
      cmocka_unit_test(vtk_labels_come_from_the_best_array),
      cmocka_unit_test(vtu_pieces_are_joined),
      cmocka_unit_test(numbers_are_read_exactly),
      cmocka_unit_test(missing_files_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
