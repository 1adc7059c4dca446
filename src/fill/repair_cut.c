// Where a surface crosses itself in a small region, the triangles there are cut out and the hole is
// closed again, in a wider neighbourhood if that crosses too. Parts that pass through each other
// are not such a region: cutting would destroy the surface.
#include "fill/repair.h"

#include "base/memory.h"
#include "judge/crossing.h"
#include "mesh/closed.h"
#include "mesh/edge.h"
#include "mesh/group.h"

#include <string.h>

enum { ATTEMPTS = 8, ISLAND = 30 };

typedef struct Marks {
  bool *vertex; // [vertex_count] has part in a crossing
  int count;    // of crossings
} Marks;

static void mark_crossing(void *context, const int edge[2], const int triangle[3], bool second) {
  Marks *marks = context;
  (void)second;
  marks->count++;
  for (int i = 0; i < 2; i++)
    marks->vertex[edge[i]] = true;
  for (int i = 0; i < 3; i++)
    marks->vertex[triangle[i]] = true;
}

static StStatus find_crossings(const StMesh *surface, Marks *marks, StError *error) {
  StHull hull;
  ST_TRY(st_hull_create(surface, 0, &hull, error));
  st_box_tree_fit(&hull.tree, surface->position);
  const StSheet sheet = {&hull, surface->position};
  const StCrossings visit = {mark_crossing, marks};
  st_crossings_within(&sheet, &visit);
  st_hull_free(&hull);
  return ST_OK;
}

static bool touches(const int *triangle, const bool *marked) {
  return marked[triangle[0]] || marked[triangle[1]] || marked[triangle[2]];
}

// Vertices with more than one outgoing open edge: their remaining triangles are removed too.
// Returns their number.
static int mark_pinched(const StMesh *surface, const StEdgeList *list, const bool *gone,
                        int *starts, bool *marked) {
  int count = 0;
  memset(starts, 0, (size_t)surface->vertex_count * sizeof(int));
  for (size_t at = 0, end; at < list->count; at = end) {
    end = st_edge_list_run(list, at);
    int left = -1, number = 0;
    for (size_t k = at; k < end; k++)
      if (!gone[list->order[k] / 3]) {
        left = list->order[k];
        number++;
      }
    if (number == 1 && ++starts[surface->triangle[left]] == 2) {
      marked[surface->triangle[left]] = true;
      count++;
    }
  }
  return count;
}

static StStatus mark_gone(const StMesh *surface, bool *marked, bool *gone, StError *error) {
  StEdgeList list;
  ST_FREE int *starts = ST_NEW(int, surface->vertex_count);
  ST_TRY_MEMORY(starts, error);
  ST_TRY(st_edge_list_create(surface->triangle, (size_t)surface->triangle_count,
                             surface->vertex_count, &list, error));
  do
    for (int t = 0; t < surface->triangle_count; t++)
      gone[t] = touches(surface->triangle + 3 * (size_t)t, marked);
  while (mark_pinched(surface, &list, gone, starts, marked) > 0);
  st_edge_list_free(&list);
  return ST_OK;
}

// Removes small pieces that the cut has isolated.
static StStatus drop_islands(const StMesh *surface, bool *gone, StError *error) {
  StGroups groups;
  int *number = ST_NEW(int, surface->vertex_count), *size = ST_NEW(int, surface->vertex_count);
  StStatus status = number && size ? st_groups_create(surface->vertex_count, &groups, error)
                                   : st_fail_memory(error);
  if (status == ST_OK) {
    const int *corner = surface->triangle;
    for (int t = 0; t < surface->triangle_count; t++)
      for (int i = 1; i < 3 && !gone[t]; i++)
        st_groups_join(&groups, corner[3 * t], corner[3 * t + i]);
    st_groups_number(&groups, number);
    for (int t = 0; t < surface->triangle_count; t++)
      size[number[corner[3 * t]]] += !gone[t];
    for (int t = 0; t < surface->triangle_count; t++)
      gone[t] |= size[number[corner[3 * t]]] < ISLAND;
    st_groups_free(&groups);
  }
  free(number);
  free(size);
  return status;
}

static void remove_gone(StMesh *surface, const bool *gone) {
  int count = 0;
  for (int t = 0; t < surface->triangle_count; t++) {
    if (gone[t])
      continue;
    surface->triangle_label[count] = surface->triangle_label[t];
    memmove(surface->triangle + 3 * (size_t)count++, surface->triangle + 3 * (size_t)t,
            3 * sizeof(int));
  }
  surface->triangle_count = count;
}

// A vertex where two holes meet loses its triangles: one hole is left, and it is clear how to close
// it.
StStatus st_repair_loosen(StMesh *surface, StRepair *repair, StError *error) {
  bool *marked = ST_NEW(bool, surface->vertex_count), *gone = ST_NEW(bool, surface->triangle_count);
  int before = surface->triangle_count;
  StStatus status =
      marked && gone ? mark_gone(surface, marked, gone, error) : st_fail_memory(error);
  if (status == ST_OK) {
    remove_gone(surface, gone);
    repair->loose = before - surface->triangle_count;
  }
  free(marked);
  free(gone);
  if (status == ST_OK && surface->triangle_count == 0)
    return st_fail(error, ST_BAD_INPUT, "the surface consists of holes only");
  return status;
}

static StStatus cut(StMesh **surface, bool *marked, double width, StError *error) {
  ST_FREE bool *gone = ST_NEW(bool, (*surface)->triangle_count);
  StRepair ignored = {0};
  StStatus status = gone ? mark_gone(*surface, marked, gone, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = drop_islands(*surface, gone, error);
  if (status == ST_OK)
    remove_gone(*surface, gone);
  if (status == ST_OK && (*surface)->triangle_count == 0)
    return st_fail(error, ST_BAD_INPUT, "nothing is left");
  return status == ST_OK ? st_repair_holes(surface, width, &ignored, error) : status;
}

static StStatus count_parts(const StMesh *surface, int *count, StError *error) {
  ST_FINALLY(st_parts_free) StParts parts = {0};
  ST_TRY(st_surface_parts(surface->position, surface->vertex_count, surface->triangle,
                          surface->triangle_count, &parts, error));
  *count = parts.count;
  return ST_OK;
}

static StStatus copy_surface(const StMesh *surface, StMesh **copy, StError *error) {
  StRepair ignored = {0};
  return st_repair_weld(surface, copy, &ignored, error); // nothing is left to be joined
}

// *clean: no crossing is left.
static StStatus cut_until_clean(StMesh **surface, double width, int *crossings, bool *clean,
                                StError *error) {
  *clean = false;
  for (int attempt = 0; attempt <= ATTEMPTS && !*clean; attempt++) {
    Marks marks = {ST_NEW(bool, (*surface)->vertex_count), 0};
    StStatus status =
        marks.vertex ? find_crossings(*surface, &marks, error) : st_fail_memory(error);
    if (attempt == 0)
      *crossings = marks.count;
    *clean = status == ST_OK && marks.count == 0;
    if (status == ST_OK && !*clean && attempt < ATTEMPTS)
      status = cut(surface, marks.vertex, width, error);
    free(marks.vertex);
    ST_TRY(status);
  }
  return ST_OK;
}

StStatus st_repair_cut(StMesh **surface, double width, StRepair *repair, StError *error) {
  StMesh *copy;
  int before, after = 0, crossings = 0;
  bool clean = false;
  ST_TRY(count_parts(*surface, &before, error));
  ST_TRY(copy_surface(*surface, &copy, error));
  StStatus status = cut_until_clean(&copy, width, &crossings, &clean, error);
  if (status == ST_OK && crossings > 0)
    status = count_parts(copy, &after, error);
  if (status == ST_OK && clean && crossings > 0 && after == before) {
    st_repair_crossings(*surface, 1, repair->crossing_place, NULL, NULL);
    repair->crossings = crossings;
    st_mesh_destroy(*surface);
    *surface = copy;
    return ST_OK;
  }
  st_mesh_destroy(copy);
  if (status == ST_SYSTEM_FAULT || crossings == 0)
    return status;
  return st_repair_crossings(*surface, 0, NULL, NULL, error); // says where
}
