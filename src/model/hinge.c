// Hinges: triangles matched by their common edges.
#include "model/hinge.h"

#include "base/memory.h"
#include "mesh/tuple.h"

#include <string.h>

// Edge e of triangle t, at 3 t + e, runs from corner e to the next and has the third one opposite.
static int corner(const StMesh *mesh, int side, int step) {
  return mesh->triangle[3 * (side / 3) + (side % 3 + step) % 3];
}

static StHinge join(const StMesh *mesh, int first, int second) {
  return (StHinge){.vertex = {corner(mesh, first, 0), corner(mesh, first, 1),
                              corner(mesh, first, 2), corner(mesh, second, 2)},
                   .triangle = {first / 3, second / 3}};
}

// Sides with the same edge are adjacent in the order, lower triangles first.
static int join_runs(const StMesh *mesh, const int *edge, const int *order, StHinge *hinge) {
  size_t sides = 3 * (size_t)mesh->triangle_count;
  int count = 0;
  for (size_t at = 0, end; at < sides; at = end) {
    end = st_tuple_run(edge, 2, order, sides, at);
    for (size_t i = at; i < end; i++)
      for (size_t j = i + 1; j < end; j++, count++)
        if (hinge)
          hinge[count] = join(mesh, order[i], order[j]);
  }
  return count;
}

static int compare_hinges(const void *a, const void *b) {
  const StHinge *x = a, *y = b;
  for (int i = 0; i < 2; i++)
    if (x->triangle[i] != y->triangle[i])
      return x->triangle[i] < y->triangle[i] ? -1 : 1;
  return memcmp(x->vertex, y->vertex, sizeof x->vertex);
}

static StStatus list_hinges(const StMesh *mesh, int *edge, int *order, StHinge **hinge, int *count,
                            StError *error) {
  int sides = 3 * mesh->triangle_count;
  for (int side = 0; side < sides; side++) {
    edge[2 * side] = corner(mesh, side, 0);
    edge[2 * side + 1] = corner(mesh, side, 1);
    st_tuple_ascend(edge + 2 * side, 2);
  }
  ST_TRY(st_tuple_sort(edge, (size_t)sides, 2, mesh->vertex_count, order, error));
  *count = join_runs(mesh, edge, order, NULL);
  ST_TRY_MEMORY(*hinge = ST_NEW(StHinge, *count), error);
  join_runs(mesh, edge, order, *hinge);
  qsort(*hinge, (size_t)*count, sizeof **hinge, compare_hinges);
  return ST_OK;
}

StStatus st_mesh_hinges(const StMesh *mesh, StHinge **hinge, int *count, StError *error) {
  size_t sides = 3 * (size_t)mesh->triangle_count;
  ST_FREE int *edge = ST_NEW(int, 2 * sides), *order = ST_NEW(int, sides);
  ST_TRY_MEMORY(edge && order, error);
  return list_hinges(mesh, edge, order, hinge, count, error);
}
