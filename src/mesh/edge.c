// Edges of triangles, matched by sorting.
#include "mesh/edge.h"

#include "base/memory.h"
#include "mesh/tuple.h"

static int edge_end(const int *triangle, size_t edge) {
  return triangle[edge % 3 == 2 ? edge - 2 : edge + 1];
}

StStatus st_edge_list_create(const int *triangle, size_t triangle_count, int vertex_count,
                             StEdgeList *list, StError *error) {
  size_t count = 3 * triangle_count;
  *list = (StEdgeList){count, ST_NEW(int, 2 * count), ST_NEW(int, count)};
  StStatus status = list->vertex && list->order ? ST_OK : st_fail_memory(error);
  for (size_t e = 0; e < count && status == ST_OK; e++) {
    list->vertex[2 * e] = triangle[e];
    list->vertex[2 * e + 1] = edge_end(triangle, e);
    st_tuple_ascend(list->vertex + 2 * e, 2);
  }
  if (status == ST_OK)
    status = st_tuple_sort(list->vertex, count, 2, vertex_count, list->order, error);
  if (status != ST_OK)
    st_edge_list_free(list);
  return status;
}

void st_edge_list_free(StEdgeList *list) {
  free(list->vertex);
  free(list->order);
  *list = (StEdgeList){0};
}

size_t st_edge_list_run(const StEdgeList *list, size_t start) {
  return st_tuple_run(list->vertex, 2, list->order, list->count, start);
}

bool st_edge_is_ascending(const int *triangle, size_t edge) {
  return triangle[edge] < edge_end(triangle, edge);
}
