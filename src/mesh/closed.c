// Closed surfaces: edges matched by sorting, parts by joining triangles across edges, volumes as
// sums of tets from a vertex of the surface, which keeps cancellation small.
#include "mesh/closed.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/check.h"
#include "mesh/group.h"
#include "mesh/edge.h"
#include "math/scalar.h"
#include "math/vec3.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"

#include <string.h>

typedef enum Fault { OPEN, TURNED, CROWDED, FAULT_COUNT } Fault;

// Defects of the edge at [at, end) of the order.
static void judge_edge(const int *triangle, const StEdgeList *list, size_t at, size_t end,
                       bool fault[FAULT_COUNT]) {
  int balance = 0;
  for (size_t k = at; k < end; k++)
    balance += st_edge_is_ascending(triangle, (size_t)list->order[k]) ? 1 : -1;
  fault[OPEN] = end - at == 1;
  fault[TURNED] = abs(balance) > 1;
  fault[CROWDED] = end - at > 2;
}

static StEdgeFaults count_faults(const int *triangle, const StEdgeList *list) {
  int count[FAULT_COUNT] = {0};
  bool fault[FAULT_COUNT];
  for (size_t at = 0, end; at < list->count; at = end) {
    end = st_edge_list_run(list, at);
    judge_edge(triangle, list, at, end, fault);
    for (int f = 0; f < FAULT_COUNT; f++)
      count[f] += fault[f];
  }
  return (StEdgeFaults){count[OPEN], count[TURNED], count[CROWDED]};
}

StStatus st_surface_edge_faults(const int *triangle, int count, int vertex_count,
                                StEdgeFaults *faults, StError *error) {
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_TRY(st_edge_list_create(triangle, (size_t)count, vertex_count, &list, error));
  *faults = count_faults(triangle, &list);
  return ST_OK;
}

// "3 – 17 at (0.1, 0, 0) – (0.1, 0.2, 0)" for the first few edges with the fault.
static void name_edges(const double *position, const int *triangle, const StEdgeList *list,
                       Fault of, StText *text) {
  enum { MOST = 4 };
  bool fault[FAULT_COUNT];
  int named = 0;
  for (size_t at = 0, end; at < list->count; at = end) {
    end = st_edge_list_run(list, at);
    judge_edge(triangle, list, at, end, fault);
    if (!fault[of])
      continue;
    if (named++ == MOST) {
      st_text_add(text, ", …");
      return;
    }
    const int *v = list->vertex + 2 * (size_t)list->order[at];
    const double *x = position + 3 * (size_t)v[0], *y = position + 3 * (size_t)v[1];
    st_text_add(text, "%s%d – %d at (%g, %g, %g) – (%g, %g, %g)", named > 1 ? ", " : "", v[0], v[1],
                x[0], x[1], x[2], y[0], y[1], y[2]);
  }
}

static const char *const FAULT_TEXT[FAULT_COUNT] = {
    "one triangle only",
    "triangles that disagree on which way is out",
    "more than two triangles",
};

StStatus st_surface_name_crowded(const double *position, int vertex_count, const int *triangle,
                                 int count, StText *text, StError *error) {
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_TRY(st_edge_list_create(triangle, (size_t)count, vertex_count, &list, error));
  name_edges(position, triangle, &list, CROWDED, text);
  return ST_OK;
}

static StStatus fail_edges(const double *position, const int *triangle, const StEdgeList *list,
                           const StEdgeFaults *faults, StError *error) {
  const int count[] = {faults->open, faults->turned, faults->crowded};
  ST_FINALLY(st_text_free) StText text = {0};
  st_text_add(&text, "the surface %s", faults->open ? "is open" : "encloses nothing");
  for (int f = 0; f < FAULT_COUNT; f++) {
    if (count[f] == 0)
      continue;
    st_text_add(&text, "; %d %s %s: ", count[f], count[f] == 1 ? "edge has" : "edges have",
                FAULT_TEXT[f]);
    name_edges(position, triangle, list, (Fault)f, &text);
  }
  return text.failed ? st_fail_memory(error)
                     : st_fail(error, ST_BAD_INPUT, "%s (vertices counted from 0)", text.data);
}

// part[count]: which part each triangle belongs to.
static StStatus number_parts(const int *triangle, int count, int vertex_count, int *part,
                             int *part_count, StError *error) {
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_FINALLY(st_groups_free) StGroups groups = {0};
  ST_TRY(st_edge_list_create(triangle, (size_t)count, vertex_count, &list, error));
  ST_TRY(st_groups_create(count, &groups, error));
  for (size_t at = 0, end; at < list.count; at = end) {
    end = st_edge_list_run(&list, at);
    for (size_t k = at + 1; k < end; k++)
      st_groups_join(&groups, list.order[at] / 3, list.order[k] / 3);
  }
  st_groups_number(&groups, part);
  *part_count = groups.group_count;
  return ST_OK;
}

static void find_centroid(const double *position, const int *triangle, int count, double volume,
                          double centroid[3]) {
  const double *origin = position + 3 * (size_t)triangle[0];
  double arm[3] = {0};
  for (int t = 0; t < count; t++) {
    double corner[3][3];
    for (int i = 0; i < 3; i++)
      vec3_sub(position + 3 * (size_t)triangle[3 * t + i], origin, corner[i]);
    double share = vec3_triple(corner[0], corner[1], corner[2]) / (24 * volume);
    for (int i = 0; i < 3; i++)
      vec3_add_scaled(share, corner[i], arm);
  }
  for (int k = 0; k < 3; k++)
    centroid[k] = origin[k] + arm[k];
}

double st_surface_volume(const double *position, const int *triangle, int count,
                         double centroid[3]) {
  if (count == 0)
    return 0;
  double volume = surface_volume_real(position, triangle, count);
  if (centroid)
    find_centroid(position, triangle, count, volume, centroid);
  return volume;
}

static StStatus parts_create(int count, int triangle_count, StParts *parts, StError *error) {
  *parts = (StParts){count, ST_NEW(int, count + 1), ST_NEW(int, 3 * (size_t)triangle_count),
                     ST_NEW(double, count)};
  if (parts->start && parts->triangle && parts->volume)
    return ST_OK;
  st_parts_free(parts);
  return st_fail_memory(error);
}

void st_parts_free(StParts *parts) {
  free(parts->start);
  free(parts->triangle);
  free(parts->volume);
  *parts = (StParts){0};
}

// Triangles sorted by part, in their original order within each.
static void sort_parts(const int *triangle, int count, const int *part, StParts *parts) {
  int *start = parts->start;
  for (int t = 0; t < count; t++)
    start[part[t] + 1]++;
  for (int p = 0; p < parts->count; p++)
    start[p + 1] += start[p];
  for (int t = 0; t < count; t++)
    memcpy(parts->triangle + 3 * (size_t)start[part[t]]++, triangle + 3 * (size_t)t,
           3 * sizeof(int));
  // Each start has moved on to where the next part begins.
  memmove(start + 1, start, (size_t)parts->count * sizeof *start);
  start[0] = 0;
}

static int part_size(const StParts *parts, int p) {
  return parts->start[p + 1] - parts->start[p];
}

static int *part_triangle(const StParts *parts, int p) {
  return parts->triangle + 3 * (size_t)parts->start[p];
}

StStatus st_surface_parts(const double *position, int vertex_count, const int *triangle, int count,
                          StParts *parts, StError *error) {
  int part_count, *part = ST_NEW(int, count);
  ST_TRY_MEMORY(part, error);
  StStatus status = number_parts(triangle, count, vertex_count, part, &part_count, error);
  if (status == ST_OK)
    status = parts_create(part_count, count, parts, error);
  if (status == ST_OK) {
    sort_parts(triangle, count, part, parts);
    for (int p = 0; p < part_count; p++)
      parts->volume[p] =
          st_surface_volume(position, part_triangle(parts, p), part_size(parts, p), NULL);
  }
  free(part);
  return status;
}

// Sum of the solid angles of its triangles, seen from the point.
double st_surface_winding(const double *position, const int *triangle, int count,
                          const double x[3]) {
  double sum = 0;
  for (int t = 0; t < count; t++) {
    double arm[3][3], far[3];
    for (int i = 0; i < 3; i++) {
      vec3_sub(position + 3 * (size_t)triangle[3 * t + i], x, arm[i]);
      far[i] = vec3_length(arm[i]);
    }
    double across = far[0] * far[1] * far[2];
    for (int i = 0; i < 3; i++)
      across += vec3_dot(arm[i], arm[(i + 1) % 3]) * far[(i + 2) % 3];
    sum += 2 * atan2(vec3_triple(arm[0], arm[1], arm[2]), across);
  }
  return sum / (4 * M_PI);
}

// A part with negligible volume, such as an uninflated bag.
static bool is_flat(const double *position, const StParts *parts, int p) {
  double area = 0;
  for (int t = 0; t < part_size(parts, p); t++)
    area += st_triangle_area(position, part_triangle(parts, p) + 3 * (size_t)t);
  return fabs(parts->volume[p]) <= 1e-12 * area * sqrt(area);
}

static bool lies_inside(const double *position, const StParts *parts, int p) {
  const int *triangle = part_triangle(parts, p);
  double middle[3] = {0}, sum = 0;
  for (int i = 0; i < 3; i++)
    vec3_add_scaled(1.0 / 3, position + 3 * (size_t)triangle[i], middle);
  for (int q = 0; q < parts->count; q++)
    if (parts->volume[q] > 0)
      sum += st_surface_winding(position, part_triangle(parts, q), part_size(parts, q), middle);
  return sum > 0.5;
}

static StStatus check_facing(const double *position, const StParts *parts, StError *error) {
  for (int p = 0; p < parts->count; p++) {
    if (parts->volume[p] >= 0 || is_flat(position, parts, p) || lies_inside(position, parts, p))
      continue;
    int vertex = part_triangle(parts, p)[0];
    const double *x = position + 3 * (size_t)vertex;
    return st_fail(error, ST_BAD_INPUT,
                   "the surface is inside out (%g m^3) where vertex %d is, at (%g, %g, %g): "
                   "triangles must run counter-clockwise as seen from outside",
                   parts->volume[p], vertex, x[0], x[1], x[2]);
  }
  return ST_OK;
}

StStatus st_surface_check_closed(const double *position, int vertex_count, const int *triangle,
                                 int count, StError *error) {
  if (count == 0)
    return st_fail(error, ST_BAD_INPUT, "the surface has no triangles");
  StEdgeList list;
  StParts parts;
  ST_TRY(st_edge_list_create(triangle, (size_t)count, vertex_count, &list, error));
  StEdgeFaults faults = count_faults(triangle, &list);
  StStatus status = ST_OK;
  if (faults.open || faults.turned || faults.crowded)
    status = fail_edges(position, triangle, &list, &faults, error);
  st_edge_list_free(&list);
  if (status != ST_OK)
    return status;
  ST_TRY(st_surface_parts(position, vertex_count, triangle, count, &parts, error));
  status = check_facing(position, &parts, error);
  st_parts_free(&parts);
  return status;
}

// Appends a part to walls, with cavities reversed.
static void add_wall(const StParts *parts, int p, StParts *walls) {
  bool turn = parts->volume[p] < 0;
  int size = part_size(parts, p), w = walls->count++;
  walls->start[w + 1] = walls->start[w] + size;
  walls->volume[w] = fabs(parts->volume[p]);
  const int *from = part_triangle(parts, p);
  int *to = part_triangle(walls, w);
  for (int i = 0; i < 3 * size; i++)
    to[i] = from[!turn || i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
}

StStatus st_mesh_walls(const StMesh *mesh, StParts *walls, int *outer_count, StError *error) {
  int *boundary, count;
  ST_FINALLY(st_parts_free) StParts parts = {0};
  ST_TRY(st_mesh_boundary(mesh, &boundary, &count, error));
  StStatus status =
      st_surface_parts(mesh->position, mesh->vertex_count, boundary, count, &parts, error);
  free(boundary);
  ST_TRY(status);
  status = parts_create(parts.count, count, walls, error);
  if (status == ST_OK) {
    walls->count = 0;
    for (int p = 0; p < parts.count; p++)
      if (parts.volume[p] >= 0)
        add_wall(&parts, p, walls);
    *outer_count = walls->count;
    for (int p = 0; p < parts.count; p++)
      if (parts.volume[p] < 0)
        add_wall(&parts, p, walls);
  }
  return status;
}
