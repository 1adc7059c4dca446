// All triangles of a part are oriented consistently with their neighbours; which way is out follows
// from the volume, and from the number of other parts around it.
#include "fill/repair.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/closed.h"
#include "mesh/edge.h"
#include "math/vec3.h"
#include "mesh/group.h"

#include <string.h>

static void turn_round(int *corner) {
  int swap = corner[1];
  corner[1] = corner[2];
  corner[2] = swap;
}

static void add_edge_place(const StMesh *mesh, const int vertex[2], StText *text) {
  const double *a = mesh->position + 3 * (size_t)vertex[0];
  const double *b = mesh->position + 3 * (size_t)vertex[1];
  st_text_add(text, "(%g, %g, %g) – (%g, %g, %g)", a[0], a[1], a[2], b[0], b[1], b[2]);
}

static StStatus fail_crowded(const StMesh *mesh, const StEdgeList *list, StError *error) {
  enum { MOST = 5 };
  int count = 0;
  ST_FINALLY(st_text_free) StText text = {0};
  for (size_t at = 0, end; at < list->count; at = end) {
    end = st_edge_list_run(list, at);
    if (end - at <= 2)
      continue;
    if (count++ < MOST) {
      st_text_add(&text, "%s%d at ", count > 1 ? ", " : "", (int)(end - at));
      add_edge_place(mesh, list->vertex + 2 * (size_t)list->order[at], &text);
    }
  }
  return text.failed
             ? st_fail_memory(error)
             : st_fail(
                   error, ST_BAD_INPUT,
                   "%d %s more than two triangles, so that the surface has no inside there: %s%s",
                   count, count == 1 ? "edge has" : "edges have", text.data,
                   count > MOST ? ", …" : "");
}

// beside[3 t + i]: the triangle across edge i, -1 where there is none.
static StStatus find_beside(const StMesh *mesh, int *beside, StError *error) {
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_TRY(st_edge_list_create(mesh->triangle, (size_t)mesh->triangle_count, mesh->vertex_count,
                             &list, error));
  bool crowded = false;
  for (size_t at = 0, end; at < list.count; at = end) {
    end = st_edge_list_run(&list, at);
    crowded |= end - at > 2;
    int first = list.order[at], second = list.order[end - 1];
    beside[first] = end - at == 2 ? second / 3 : -1;
    beside[second] = end - at == 2 ? first / 3 : -1;
  }
  return crowded ? fail_crowded(mesh, &list, error) : ST_OK;
}

// Whether two triangles run along the edge that they share in opposite directions.
static bool agree(const int *a, const int *b) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (a[i] == b[(j + 1) % 3] && a[(i + 1) % 3] == b[j])
        return true;
  return false;
}

// Goes from neighbour to neighbour, flipping those that disagree. False if it returns to a triangle
// with the opposite orientation: a one-sided surface.
static bool align(StMesh *mesh, const int *beside, int start, bool *seen, int *queue, bool *turned,
                  int *last) {
  int first = 0, count = 0;
  queue[count++] = start;
  seen[start] = true;
  while (first < count) {
    int t = queue[first++];
    for (int i = 0; i < 3; i++) {
      int other = beside[3 * t + i];
      if (other < 0)
        continue;
      bool fine = agree(mesh->triangle + 3 * (size_t)t, mesh->triangle + 3 * (size_t)other);
      *last = t;
      if (seen[other] && !fine)
        return false;
      if (seen[other])
        continue;
      if (!fine) {
        turn_round(mesh->triangle + 3 * (size_t)other);
        turned[other] = true;
      }
      seen[other] = true;
      queue[count++] = other;
    }
  }
  int minority = 0;
  for (int k = 0; k < count; k++)
    minority += turned[queue[k]];
  for (int k = 0; k < count && 2 * minority > count; k++) { // the start was the odd one out
    turn_round(mesh->triangle + 3 * (size_t)queue[k]);
    turned[queue[k]] = !turned[queue[k]];
  }
  return true;
}

static StStatus align_all(StMesh *mesh, const int *beside, bool *seen, int *queue, bool *turned,
                          StError *error) {
  int last = 0;
  for (int t = 0; t < mesh->triangle_count; t++)
    if (!seen[t] && !align(mesh, beside, t, seen, queue, turned, &last)) {
      const double *x = mesh->position + 3 * (size_t)mesh->triangle[3 * last];
      return st_fail(error, ST_BAD_INPUT,
                     "the surface has one side only, like a Möbius strip: no way round agrees with "
                     "itself near (%g, %g, %g)",
                     x[0], x[1], x[2]);
    }
  return ST_OK;
}

StStatus st_repair_turn(StMesh *surface, StRepair *repair, StError *error) {
  size_t count = (size_t)surface->triangle_count;
  ST_FREE int *beside = ST_NEW(int, 3 * count), *queue = ST_NEW(int, count);
  ST_FREE bool *seen = ST_NEW(bool, count), *turned = ST_NEW(bool, count);
  ST_TRY_MEMORY(beside && queue && seen && turned, error);
  ST_TRY(find_beside(surface, beside, error));
  ST_TRY(align_all(surface, beside, seen, queue, turned, error));
  for (size_t t = 0; t < count; t++)
    repair->turned += turned[t];
  return ST_OK;
}

// Winding number of a part about a point that is not on it.
static int depth_of(const StMesh *mesh, const StParts *parts, int part) {
  const double *x = mesh->position + 3 * (size_t)parts->triangle[3 * (size_t)parts->start[part]];
  int depth = 0;
  for (int p = 0; p < parts->count; p++) {
    const int *triangle = parts->triangle + 3 * (size_t)parts->start[p];
    int count = parts->start[p + 1] - parts->start[p];
    depth += p != part && fabs(st_surface_winding(mesh->position, triangle, count, x)) > 0.5;
  }
  return depth;
}

// The parts' triangles are copies; the surface's own are found by the part of their first vertex.
static StStatus face_parts(StMesh *surface, const StParts *parts, StRepair *repair,
                           StError *error) {
  ST_FREE bool *turn = ST_NEW(bool, surface->vertex_count);
  ST_TRY_MEMORY(turn, error);
  int turned = 0, total = surface->triangle_count;
  for (int p = 0; p < parts->count; p++) {
    bool cavity = depth_of(surface, parts, p) % 2 == 1;
    repair->cavities += cavity;
    if ((parts->volume[p] < 0) == cavity)
      continue;
    for (int i = 3 * parts->start[p]; i < 3 * parts->start[p + 1]; i++)
      turn[parts->triangle[i]] = true;
  }
  for (int t = 0; t < total; t++)
    if (turn[surface->triangle[3 * t]]) {
      turn_round(surface->triangle + 3 * (size_t)t);
      turned++;
    }
  repair->turned += turned;
  return ST_OK;
}

StStatus st_repair_face(StMesh *surface, StRepair *repair, StError *error) {
  ST_FINALLY(st_parts_free) StParts parts = {0};
  ST_TRY(st_surface_parts(surface->position, surface->vertex_count, surface->triangle,
                          surface->triangle_count, &parts, error));
  return face_parts(surface, &parts, repair, error);
}
