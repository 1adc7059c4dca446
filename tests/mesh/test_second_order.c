// Raising the order of a mesh: nodes, parts, boundary, tags.
#include "base/memory.h"
#include "mesh/second_order.h"
#include "mesh/check.h"
#include "mesh/closed.h"
#include "mesh/shape.h"
#include "support/box_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_fill_their_element),
      cmocka_unit_test(nodes_are_in_the_middle_of_edges),
      cmocka_unit_test(faces_become_four),
      cmocka_unit_test(faces_keep_their_labels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
