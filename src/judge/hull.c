// Finds surfaces by sorting faces and edges.
#include "judge/hull.h"

#include "base/memory.h"
#include "base/search.h"
#include "mesh/check.h"
#include "mesh/edge.h"
#include "mesh/face.h"

#include <string.h>

// Faces of tets without a neighbour; a cage's faces are not a skin.
static StStatus add_faces(const StMesh *mesh, StHull *hull, StError *error) {
  int *boundary = NULL, count = 0;
  ST_TRY(st_mesh_boundary(mesh, &boundary, &count, error));
  hull->triangle = ST_NEW(int, 3 * ((size_t)count + (size_t)mesh->triangle_count));
  if (hull->triangle && count)
    memcpy(hull->triangle, boundary, 3 * (size_t)count * sizeof(int));
  hull->triangle_count = hull->triangle ? count : 0;
  free(boundary);
  return hull->triangle ? ST_OK : st_fail_memory(error);
}

// Triangles, except those on a tet's face, which is included already.
static StStatus add_triangles(const StMesh *mesh, StHull *hull, StError *error) {
  ST_FREE bool *coats = ST_NEW(bool, mesh->triangle_count);
  ST_TRY_MEMORY(coats, error);
  if (mesh->tet_count > 0 && mesh->triangle_count > 0)
    ST_TRY(st_faces_mark_skin(mesh->tet, (size_t)mesh->tet_count, mesh->triangle,
                              (size_t)mesh->triangle_count, mesh->vertex_count, coats, error));
  for (int t = 0; t < mesh->triangle_count; t++)
    if (!coats[t])
      memcpy(hull->triangle + 3 * (size_t)hull->triangle_count++, mesh->triangle + 3 * (size_t)t,
             3 * sizeof(int));
  return ST_OK;
}

static int third_corner(const int *triangle, int edge) {
  return triangle[edge % 3 == 0 ? edge + 2 : edge - 1];
}

// The first triangle of an edge represents it; if there are two triangles, they are linked.
static void link_edge(StHull *hull, const StEdgeList *list, size_t at, size_t end) {
  int first = list->order[at];
  hull->stands_for[first / 3] |= (unsigned char)(1 << first % 3);
  memcpy(hull->edge + 2 * (size_t)hull->edge_count++, list->vertex + 2 * (size_t)first,
         2 * sizeof(int));
  for (size_t k = at; k < end; k++) {
    int other = end - at == 2 ? list->order[at + end - 1 - k] : -1;
    hull->across[list->order[k]] = other < 0 ? -1 : third_corner(hull->triangle, other);
  }
}

static StStatus link_edges(StHull *hull, int vertex_count, StError *error) {
  size_t count = (size_t)hull->triangle_count;
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  hull->stands_for = ST_NEW(unsigned char, count);
  hull->across = ST_NEW(int, 3 * count);
  hull->edge = ST_NEW(int, 6 * count);
  ST_TRY_MEMORY(hull->stands_for && hull->across && hull->edge, error);
  ST_TRY(st_edge_list_create(hull->triangle, count, vertex_count, &list, error));
  for (size_t at = 0, end; at < list.count; at = end) {
    end = st_edge_list_run(&list, at);
    link_edge(hull, &list, at, end);
  }
  return ST_OK;
}

static StStatus list_points(StHull *hull, int vertex_count, StError *error) {
  ST_FREE bool *used = ST_NEW(bool, vertex_count);
  hull->point = ST_NEW(int, vertex_count);
  bool good = used && hull->point;
  for (int i = 0; i < 3 * hull->triangle_count && good; i++)
    used[hull->triangle[i]] = true;
  for (int v = 0; v < vertex_count && good; v++)
    if (used[v])
      hull->point[hull->point_count++] = v;
  return good ? ST_OK : st_fail_memory(error);
}

static void shift(int *number, int count, int by) {
  for (int i = 0; i < count; i++)
    number[i] += number[i] < 0 ? 0 : by;
}

// From the mesh's own numbers to those of all bodies.
static void renumber(StHull *hull, int by) {
  shift(hull->triangle, 3 * hull->triangle_count, by);
  shift(hull->across, 3 * hull->triangle_count, by);
  shift(hull->point, hull->point_count, by);
  shift(hull->edge, 2 * hull->edge_count, by);
}

static StStatus build(const StMesh *mesh, int first_vertex, StHull *hull, StError *error) {
  ST_TRY(add_faces(mesh, hull, error));
  ST_TRY(add_triangles(mesh, hull, error));
  ST_FREE int *order = ST_NEW(int, hull->triangle_count);
  ST_TRY_MEMORY(order, error);
  StStatus status = st_box_tree_create(3, hull->triangle_count, hull->triangle, mesh->position,
                                       order, &hull->tree, error);
  ST_TRY(status);
  ST_TRY(link_edges(hull, mesh->vertex_count, error));
  ST_TRY(list_points(hull, mesh->vertex_count, error));
  renumber(hull, first_vertex);
  return ST_OK;
}

StStatus st_hull_create(const StMesh *mesh, int first_vertex, StHull *hull, StError *error) {
  *hull = (StHull){0};
  StStatus status = build(mesh, first_vertex, hull, error);
  if (status != ST_OK)
    st_hull_free(hull);
  return status;
}

void st_hull_free(StHull *hull) {
  free(hull->triangle);
  free(hull->stands_for);
  free(hull->across);
  free(hull->point);
  free(hull->edge);
  st_box_tree_free(&hull->tree);
  *hull = (StHull){0};
}

bool st_hull_has_point(const StHull *hull, int vertex) {
  return bsearch(&vertex, hull->point, (size_t)hull->point_count, sizeof(int), st_compare_ints);
}

static int compare_edges(const void *a, const void *b) {
  int first = st_compare_ints(a, b);
  return first ? first : st_compare_ints((const int *)a + 1, (const int *)b + 1);
}

bool st_hull_has_edge(const StHull *hull, int a, int b) {
  int edge[2] = {a < b ? a : b, a < b ? b : a};
  return bsearch(edge, hull->edge, (size_t)hull->edge_count, sizeof edge, compare_edges);
}
