// Prescribed vertices.
#include "step/boundary.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// A rigid body is held by its carriers, and a surface in a cage by the corners of its tets, each
// once.
// taken: [owned] last boundary that holds a vertex.
static void hold_carriers(StBoundary *boundary, int carried, int index, int *taken) {
  const StPiece *piece = boundary->piece;
  size_t entry = ST_CARRIERS * (size_t)(carried - piece->independent_count);
  const int *carrier = piece->carried.carrier + entry;
  for (int k = 0; k < ST_CARRIERS; k++) {
    if (piece->carried.weight[entry + (size_t)k] == 0)
      continue;
    if (taken[carrier[k]] != index)
      boundary->held[boundary->held_count++] = (StHeld){carrier[k], index, -1};
    taken[carrier[k]] = index;
  }
}

static void list_vertices(StBoundary *boundary, int index, const int *local, int *taken) {
  const StBoundaryDesc *desc = &boundary->description->boundary[index];
  for (int i = 0; i < desc->vertex_count; i++) {
    int here = local[desc->vertex[i]];
    if (here >= boundary->piece->independent_count)
      hold_carriers(boundary, here, index, taken);
    else if (here >= 0)
      boundary->held[boundary->held_count++] = (StHeld){here, index, i};
  }
}

static StStatus list_held(StBoundary *boundary, const int *local, StError *error) {
  const StDescription *description = boundary->description;
  size_t count = 0, owned = (size_t)boundary->piece->owned_count;
  for (int b = 0; b < description->boundary_count; b++)
    count += (size_t)description->boundary[b].vertex_count;
  boundary->held = ST_OWN(boundary, StHeld, ST_CARRIERS * count);
  boundary->target = ST_OWN(boundary, double, 6 * count);
  ST_FREE int *taken = ST_NEW(int, owned);
  ST_TRY_MEMORY(taken && st_owner_is_whole(boundary), error);
  memset(taken, 0xff, owned * sizeof(int));
  for (int b = 0; b < description->boundary_count; b++)
    list_vertices(boundary, b, local, taken);
  return ST_OK;
}

StStatus st_boundary_create(const StDescription *description, const StPiece *piece,
                            StBoundary **result, StError *error) {
  StBoundary *boundary = ST_OWNER(StBoundary);
  ST_TRY(st_owner_give(boundary, result, error));
  boundary->description = description;
  boundary->piece = piece;
  int total = st_description_vertex_count(description);
  ST_FREE int *local = ST_NEW(int, total);
  ST_TRY_MEMORY(local, error);
  for (int v = 0; v < total; v++)
    local[v] = -1;
  for (int i = 0; i < piece->owned_count; i++)
    local[piece->vertex_id[i]] = i;
  return list_held(boundary, local, error);
}

void st_boundary_destroy(StBoundary *boundary) {
  st_owner_free(boundary);
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

// Calls the program once for all vertices of a boundary.
static void ask_driver(const StBoundary *boundary, const StBoundaryDesc *desc, double time,
                       StRigidPose *pose) {
  StDriver *driver = desc->motion.driver;
  if (!driver->targets) {
    st_motion_pose(&desc->motion, time, pose);
  } else if (!driver->targets(driver->context, time, boundary->target,
                              boundary->target + 3 * desc->vertex_count)) {
    driver->failed = true;
  }
}

static void locate(const StBoundary *boundary, const StHeld *held, const StRigidPose *pose,
                   double time, double x[3], double v[3]) {
  const StBoundaryDesc *desc = &boundary->description->boundary[held->boundary];
  const double *rest = boundary->piece->rest + 3 * held->vertex;
  const double *target = boundary->target + 3 * held->index;
  if (!desc->motion.driver) {
    st_motion_at(&desc->motion, time, rest, x, v);
  } else if (!desc->motion.driver->targets) {
    st_pose_apply(pose, rest, x, v);
  } else {
    vec3_copy(target, x);
    vec3_copy(target + 3 * desc->vertex_count, v);
  }
}

void st_boundary_apply(const StBoundary *boundary, double start, double time, double *position,
                       double *velocity) {
  StRigidPose pose = {0};
  int asked = -1;
  for (int i = 0; i < boundary->held_count; i++) {
    const StHeld *held = &boundary->held[i];
    int vertex = held->vertex;
    const StBoundaryDesc *desc = &boundary->description->boundary[held->boundary];
    if (!acts(desc, start))
      continue;
    if (desc->motion.driver && asked != held->boundary)
      ask_driver(boundary, desc, time, &pose);
    asked = held->boundary;
    double x[3], v[3];
    locate(boundary, held, &pose, time, x, v);
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
