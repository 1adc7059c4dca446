// Raising the order of a mesh: nodes, parts, boundary, tags.
#include "base/memory.h"
#include "mesh/second_order.h"
#include "mesh/check.h"
#include "mesh/closed.h"
#include "mesh/read.h"
#include "mesh/shape.h"
#include "mesh/write.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double *at(const StMesh *mesh, int vertex) {
  return mesh->position + 3 * (size_t)vertex;
}

static StMesh *raised(const BoxGrid *grid) {
  StMesh *mesh = box_mesh_create(grid);
  assert_non_null(mesh);
  assert_int_equal(st_mesh_raise_order(mesh, NULL), ST_OK);
  return mesh;
}

// Every part has an eighth of its element, and together they are a sound mesh.
static void parts_fill_their_element(void **state) {
  (void)state;
  const BoxGrid grid = {{3, 2, 2}, {0, 0, 0}, {1, 0.9, 0.8}, 0.15};
  StMesh *plain = box_mesh_create(&grid), *mesh = raised(&grid);
  assert_int_equal(mesh->tet_count, ST_SECOND_PARTS * plain->tet_count);
  assert_int_equal(st_mesh_element_count(mesh), plain->tet_count);
  assert_true(mesh->second_order);
  for (int t = 0; t < mesh->tet_count; t++) {
    double whole = st_tet_volume(plain->position, plain->tet + 4 * (t / ST_SECOND_PARTS));
    assert_true(fabs(8 * st_tet_volume(mesh->position, mesh->tet + 4 * t) / whole - 1) < 1e-12);
  }
  assert_int_equal(st_mesh_check(mesh, "mesh", NULL, NULL), ST_OK);
  st_mesh_destroy(plain);
  st_mesh_destroy(mesh);
}

static void nodes_are_in_the_middle_of_edges(void **state) {
  (void)state;
  const BoxGrid grid = {{2, 2, 2}, {0, 0, 0}, {1, 1, 1}, 0.15};
  StMesh *plain = box_mesh_create(&grid), *mesh = raised(&grid);
  for (int e = 0; e < plain->tet_count; e++) {
    int node[ST_SECOND_NODES];
    st_second_nodes(mesh->tet + 4 * ST_SECOND_PARTS * e, node);
    assert_memory_equal(node, plain->tet + 4 * e, 4 * sizeof(int));
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < 3; i++)
        assert_true(at(mesh, node[4 + k])[i] == 0.5 * (at(mesh, node[st_second_edge[k][0]])[i] +
                                                       at(mesh, node[st_second_edge[k][1]])[i]));
  }
  st_mesh_destroy(plain);
  st_mesh_destroy(mesh);
}

// The boundary goes through all nodes on it, and encloses the same volume.
static void faces_become_four(void **state) {
  (void)state;
  const BoxGrid grid = {{2, 3, 1}, {0, 0, 0}, {1, 1, 1}, 0.1};
  StMesh *plain = box_mesh_create(&grid), *mesh = raised(&grid);
  int *few, *many, few_count, many_count;
  assert_int_equal(st_mesh_boundary(plain, &few, &few_count, NULL), ST_OK);
  assert_int_equal(st_mesh_boundary(mesh, &many, &many_count, NULL), ST_OK);
  assert_int_equal(many_count, 4 * few_count);
  assert_int_equal(
      st_surface_check_closed(mesh->position, mesh->vertex_count, many, many_count, NULL), ST_OK);
  assert_true(fabs(st_surface_volume(mesh->position, many, many_count, NULL) - 1) < 1e-12);
  free(few);
  free(many);
  st_mesh_destroy(plain);
  st_mesh_destroy(mesh);
}

// All nodes of a box's faces are tagged with their face, and none inside: not even those of a box
// one cell thick, whose edges inside end on two faces.
static void faces_keep_their_labels(void **state) {
  (void)state;
  const StShapeType *box = st_shape_find("box");
  double value[ST_PARAM_MAX];
  StMesh *mesh;
  st_param_defaults(box->param, box->param_count, value);
  for (int i = 0; i < box->param_count; i++)
    if (strncmp(box->param[i].name, "cells_", 6) == 0)
      value[i] = box->param[i].name[6] == 'z' ? 1 : 3;
  assert_int_equal(box->make(value, ST_SHAPE_SOLID, &mesh, NULL), ST_OK);
  assert_int_equal(st_mesh_raise_order(mesh, NULL), ST_OK);
  int count[6] = {0}, tagged[6] = {0};
  static const char *const NAME[] = {"x-", "x+", "y-", "y+", "z-", "z+"};
  for (int f = 0; f < 6; f++) {
    int label = st_mesh_find_label(mesh, NAME[f]);
    double place = f % 2 ? 0.5 : -0.5;
    assert_true(label >= 0);
    for (int v = 0; v < mesh->vertex_count; v++)
      count[f] += fabs(at(mesh, v)[f / 2] - place) < 1e-12;
    for (int i = 0; i < mesh->tag_count; i++) {
      if (mesh->tag[2 * i + 1] != label)
        continue;
      assert_true(fabs(at(mesh, mesh->tag[2 * i])[f / 2] - place) < 1e-12);
      tagged[f]++;
    }
    assert_int_equal(tagged[f], count[f]);
  }
  assert_int_equal(count[0], 7 * 3);
  st_mesh_destroy(mesh);
}

// Five corners of two tets and the nodes of their nine edges, each bulging in its own way. The
// second tet is inside out.
enum { CORNERS = 5, VERTICES = 14 };
static const double CORNER[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int PAIR[9][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3},
                               {2, 3}, {1, 4}, {2, 4}, {3, 4}};
static const int TET[2][4] = {{0, 1, 2, 3}, {1, 3, 2, 4}};

static int node_between(int a, int b) {
  for (int i = 0; i < 9; i++)
    if ((PAIR[i][0] == a && PAIR[i][1] == b) || (PAIR[i][0] == b && PAIR[i][1] == a))
      return CORNERS + i;
  abort();
}

static void place(int vertex, double x[3]) {
  const int *pair = PAIR[vertex < CORNERS ? 0 : vertex - CORNERS];
  for (int i = 0; i < 3; i++)
    x[i] = vertex < CORNERS ? CORNER[vertex][i]
                            : 0.5 * (CORNER[pair[0]][i] + CORNER[pair[1]][i]) +
                                  0.003 * (vertex - CORNERS) * (i - 1);
}

// Corners and nodes of a tet in a file's order: which corners each node is between.
static void add_nodes(FILE *file, const int *tet, const int order[6][2], int first) {
  for (int i = 0; i < 4; i++)
    fprintf(file, " %d", first + tet[i]);
  for (int i = 0; i < 6; i++)
    fprintf(file, " %d", first + node_between(tet[order[i][0]], tet[order[i][1]]));
  fprintf(file, "\n");
}

static void write_msh(const char *path) {
  static const int order[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", VERTICES);
  for (int v = 0; v < VERTICES; v++) {
    double x[3];
    place(v, x);
    fprintf(file, "%d %.17g %.17g %.17g\n", v + 1, x[0], x[1], x[2]);
  }
  fprintf(file, "$EndNodes\n$Elements\n3\n1 9 2 5 1 1 3 2 %d %d %d\n", 1 + node_between(0, 2),
          1 + node_between(1, 2), 1 + node_between(0, 1));
  for (int t = 0; t < 2; t++) {
    fprintf(file, "%d 11 2 7 1", t + 2);
    add_nodes(file, TET[t], order, 1);
  }
  fprintf(file, "$EndElements\n");
  fclose(file);
}

static void write_vtu(const char *path) {
  static const int order[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"><UnstructuredGrid>"
          "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" "
          "NumberOfComponents=\"3\" format=\"ascii\">\n",
          VERTICES);
  for (int v = 0; v < VERTICES; v++) {
    double x[3];
    place(v, x);
    fprintf(file, "%.17g %.17g %.17g\n", x[0], x[1], x[2]);
  }
  fprintf(file, "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" "
                "format=\"ascii\">\n");
  for (int t = 0; t < 2; t++)
    add_nodes(file, TET[t], order, 0);
  fprintf(file, "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">10 20"
                "</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">24 24"
                "</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>\n");
  fclose(file);
}

static StMesh *read_curved(const char *path) {
  StMesh *mesh;
  StError error;
  if (st_mesh_read_second_order(path, NULL, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_true(mesh->second_order);
  assert_int_equal(mesh->vertex_count, VERTICES);
  assert_int_equal(mesh->tet_count, 2 * ST_SECOND_PARTS);
  assert_int_equal(mesh->triangle_count, 0);
  return mesh;
}

// Every node is between the corners that the file says, whatever its order of nodes.
static void files_keep_their_nodes(void **state) {
  (void)state;
  static const char *const PATH[] = {"curved.msh", "curved.vtu"};
  write_msh(PATH[0]);
  write_vtu(PATH[1]);
  for (int f = 0; f < 2; f++) {
    StMesh *mesh = read_curved(PATH[f]);
    for (int e = 0; e < 2; e++) {
      int node[ST_SECOND_NODES];
      st_second_nodes(mesh->tet + 4 * ST_SECOND_PARTS * e, node);
      assert_true(st_tet_volume(mesh->position, node) > 0);
      for (int k = 0; k < 6; k++) {
        double x[3];
        int expected = node_between(node[st_second_edge[k][0]], node[st_second_edge[k][1]]);
        assert_int_equal(node[4 + k], expected);
        place(expected, x);
        assert_memory_equal(at(mesh, expected), x, sizeof x);
      }
    }
    st_mesh_destroy(mesh);
    remove(PATH[f]);
  }
}

// The labelled face of six nodes; labels of tets are those of their parts.
static void files_keep_their_labels(void **state) {
  (void)state;
  write_msh("labels.msh");
  StMesh *mesh = read_curved("labels.msh");
  int face = st_mesh_find_label(mesh, "5"), body = st_mesh_find_label(mesh, "7"), tagged = 0;
  assert_true(face >= 0 && body >= 0);
  for (int i = 0; i < mesh->tag_count; i++)
    tagged += mesh->tag[2 * i + 1] == face;
  assert_int_equal(tagged, 6);
  for (int t = 0; t < mesh->tet_count; t++)
    assert_int_equal(mesh->tet_label[t], body);
  st_mesh_destroy(mesh);
  remove("labels.msh");
}

static void edges_have_one_node(void **state) {
  (void)state;
  StMesh *mesh = st_mesh_create(VERTICES + 1, 2, 0);
  StError error;
  int node[12];
  assert_non_null(mesh);
  for (int v = 0; v < VERTICES; v++)
    place(v, mesh->position + 3 * v);
  memcpy(mesh->tet, TET, sizeof TET);
  for (int i = 0; i < 12; i++)
    node[i] =
        node_between(TET[i / 6][st_second_edge[i % 6][0]], TET[i / 6][st_second_edge[i % 6][1]]);
  node[3] = VERTICES; // from 1 to 2, which the other tet has as well
  assert_int_equal(st_mesh_take_nodes(mesh, node, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, "the edge from vertex 1 to 2 has the node 14 in tet 0 and 8 in "
                                  "tet 1");
  st_mesh_destroy(mesh);
}

// What is written is read again: elements, with labels, and tags.
static void all_formats_write_elements(void **state) {
  (void)state;
  static const char *const PATH[] = {"written.msh", "written.vtu", "written.vtk", "written.vtkhdf"};
  const BoxGrid grid = {{2, 1, 1}, {0, 0, 0}, {1, 0.9, 0.8}, 0.1};
  StMesh *mesh = raised(&grid);
  assert_int_equal(st_mesh_label(mesh, "half"), 0);
  for (int t = 0; t < mesh->tet_count / 2; t++)
    mesh->tet_label[t] = 0;
  for (int i = 0; i < ST_LENGTH(PATH); i++) {
    StError error = {0};
    StMesh *back = NULL;
    assert_int_equal(st_mesh_write(PATH[i], mesh, &error), ST_OK);
    if (st_mesh_read_second_order(PATH[i], NULL, &back, &error) != ST_OK)
      fail_msg("%s: %s", PATH[i], error.text);
    assert_true(back->second_order);
    assert_int_equal(back->vertex_count, mesh->vertex_count);
    assert_int_equal(back->tet_count, mesh->tet_count);
    assert_memory_equal(back->tet, mesh->tet, 4 * (size_t)mesh->tet_count * sizeof(int));
    assert_memory_equal(back->tet_label, mesh->tet_label, (size_t)mesh->tet_count * sizeof(int));
    assert_memory_equal(back->position, mesh->position,
                        3 * (size_t)mesh->vertex_count * sizeof(double));
    st_mesh_destroy(back);
  }
  st_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_fill_their_element),
      cmocka_unit_test(nodes_are_in_the_middle_of_edges),
      cmocka_unit_test(faces_become_four),
      cmocka_unit_test(faces_keep_their_labels),
      cmocka_unit_test(files_keep_their_nodes),
      cmocka_unit_test(all_formats_write_elements),
      cmocka_unit_test(files_keep_their_labels),
      cmocka_unit_test(edges_have_one_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
