// Prescribed vertices.
#include "step/boundary.h"

#include "base/memory.h"

static StStatus list_held(StBoundary *boundary, const int *local, StError *error) {
  const StDescription *description = boundary->description;
  size_t count = 0;
  for (int b = 0; b < description->boundary_count; b++)
    count += (size_t)description->boundary[b].vertex_count;
  boundary->held = ST_NEW(StHeld, count);
  if (!boundary->held)
    return st_fail_memory(error);
  for (int b = 0; b < description->boundary_count; b++)
    for (int i = 0; i < description->boundary[b].vertex_count; i++) {
      int here = local[description->boundary[b].vertex[i]];
      if (here >= 0)
        boundary->held[boundary->held_count++] = (StHeld){here, b};
    }
  return ST_OK;
}

StStatus st_boundary_create(const StDescription *description, const StPiece *piece,
                            StBoundary **result, StError *error) {
  StBoundary *boundary = ST_NEW(StBoundary, 1);
  int total = st_description_vertex_count(description);
  int *local = ST_NEW(int, total);
  StStatus status = boundary && local ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    boundary->description = description;
    boundary->piece = piece;
    for (int v = 0; v < total; v++)
      local[v] = -1;
    for (int i = 0; i < piece->owned_count; i++)
      local[piece->vertex_id[i]] = i;
    status = list_held(boundary, local, error);
  }
  free(local);
  if (status != ST_OK) {
    st_boundary_destroy(boundary);
    return status;
  }
  *result = boundary;
  return ST_OK;
}

void st_boundary_destroy(StBoundary *boundary) {
  if (!boundary)
    return;
  free(boundary->held);
  free(boundary);
}

static bool acts(const StBoundaryDesc *desc, double start) {
  return start < desc->release;
}

void st_boundary_mask(const StBoundary *boundary, double start, double *free_axis) {
  for (int i = 0; i < 3 * boundary->piece->owned_count; i++)
    free_axis[i] = 1;
  for (int i = 0; i < boundary->held_count; i++) {
    const StBoundaryDesc *desc = &boundary->description->boundary[boundary->held[i].boundary];
    for (int c = 0; c < 3; c++)
      if (desc->axis[c] && acts(desc, start))
        free_axis[3 * boundary->held[i].vertex + c] = 0;
  }
}

void st_boundary_apply(const StBoundary *boundary, double start, double time, double *position,
                       double *velocity) {
  for (int i = 0; i < boundary->held_count; i++) {
    int vertex = boundary->held[i].vertex;
    const StBoundaryDesc *desc = &boundary->description->boundary[boundary->held[i].boundary];
    if (!acts(desc, start))
      continue;
    double x[3], v[3];
    st_motion_at(&desc->motion, time, boundary->piece->rest + 3 * vertex, x, v);
    for (int c = 0; c < 3; c++) {
      if (!desc->axis[c])
        continue;
      if (position)
        position[3 * vertex + c] = x[c];
      if (velocity)
        velocity[3 * vertex + c] = v[c];
    }
  }
}
