// Sides of triangles, matched by sorting.
#include "mesh/side.h"

#include "base/memory.h"
#include "mesh/tuple.h"

static int side_end(const int *triangle, size_t side) {
  return triangle[side % 3 == 2 ? side - 2 : side + 1];
}

StStatus st_sides_create(const int *triangle, size_t triangle_count, int vertex_count,
                         StSides *sides, StError *error) {
  size_t count = 3 * triangle_count;
  *sides = (StSides){count, ST_NEW(int, 2 * count), ST_NEW(int, count)};
  StStatus status = sides->vertex && sides->order ? ST_OK : st_fail_memory(error);
  for (size_t s = 0; s < count && status == ST_OK; s++) {
    sides->vertex[2 * s] = triangle[s];
    sides->vertex[2 * s + 1] = side_end(triangle, s);
    st_tuple_ascend(sides->vertex + 2 * s, 2);
  }
  if (status == ST_OK)
    status = st_tuple_sort(sides->vertex, count, 2, vertex_count, sides->order, error);
  if (status != ST_OK)
    st_sides_free(sides);
  return status;
}

void st_sides_free(StSides *sides) {
  free(sides->vertex);
  free(sides->order);
  *sides = (StSides){0};
}

size_t st_sides_run(const StSides *sides, size_t start) {
  return st_tuple_run(sides->vertex, 2, sides->order, sides->count, start);
}

bool st_side_rises(const int *triangle, size_t side) {
  return triangle[side] < side_end(triangle, side);
}
