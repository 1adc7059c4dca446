// Round obstacles use the parametric shapes of the same name and parameters.
#include "replay/obstacle_shape.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/shape.h"

#include <string.h>

enum { QUARTER = 10 }; // cells along a quarter of a circle: looks round

// A square on the face, centred at the projection of the box's centre.
static StStatus make_face(const StObstacleDesc *obstacle, const double low[3], const double high[3],
                          StMesh **mesh, StError *error) {
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  static const int triangle[6] = {0, 1, 2, 0, 2, 3};
  StObstacleNow now;
  double from_origin[3], diagonal[3], middle[2] = {0, 0};
  st_obstacle_at(obstacle, 0, &now);
  vec3_sub(high, low, diagonal);
  for (int k = 0; k < 3; k++)
    from_origin[k] = (low[k] + high[k]) / 2 - now.origin[k];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      middle[i] += now.rotation[3 * k + i] * from_origin[k];
  double half = vec3_length(diagonal) > 0 ? vec3_length(diagonal) : 1;
  ST_TRY_MEMORY(*mesh = st_mesh_create(4, 0, 2), error);
  memcpy((*mesh)->triangle, triangle, sizeof triangle);
  for (int v = 0; v < 4; v++)
    for (int i = 0; i < 2; i++)
      (*mesh)->position[3 * v + i] = middle[i] + half * corner[v][i];
  return ST_OK;
}

static double value_of(const StObstacleDesc *obstacle, const StObstacleType *type,
                       const StParam *param) {
  static const struct {
    const char *name;
    double value;
  } detail[] = {
      {"cells", QUARTER}, {"cells_along", 1}, {"cells_x", 1}, {"cells_y", 1}, {"cells_z", 1}};
  for (int i = 0; i < type->param_count; i++)
    if (strcmp(type->param[i].name, param->name) == 0)
      return obstacle->shape.value[i];
  for (int i = 0; i < ST_LENGTH(detail); i++)
    if (strcmp(detail[i].name, param->name) == 0)
      return detail[i].value;
  return param->fallback;
}

static StStatus make_shape(const StObstacleDesc *obstacle, StMesh **mesh, StError *error) {
  const StObstacleType *type = st_obstacle_find(obstacle->shape.name);
  const StShapeType *shape = st_shape_find(obstacle->shape.name);
  ST_CHECK(type && shape, error);
  double value[ST_PARAM_MAX];
  for (int i = 0; i < shape->param_count; i++)
    value[i] = value_of(obstacle, type, &shape->param[i]);
  return shape->make(value, ST_SHAPE_SURFACE, mesh, error);
}

// The skin of the tets and the triangles, without interior vertices.
static StStatus copy_surface(const StMesh *from, StMesh **mesh, StError *error) {
  int *skin, skin_count;
  ST_TRY(st_mesh_boundary(from, &skin, &skin_count, error));
  *mesh = st_mesh_create(from->vertex_count, 0, skin_count + from->triangle_count);
  if (*mesh) {
    memcpy((*mesh)->position, from->position, (size_t)from->vertex_count * 3 * sizeof(double));
    if (skin_count)
      memcpy((*mesh)->triangle, skin, (size_t)skin_count * 3 * sizeof(int));
    if (from->triangle_count)
      memcpy((*mesh)->triangle + 3 * skin_count, from->triangle,
             (size_t)from->triangle_count * 3 * sizeof(int));
  }
  free(skin);
  return *mesh ? ST_OK : st_fail_memory(error);
}

StStatus st_obstacle_shape_create(const StObstacleDesc *obstacle, const double low[3],
                                  const double high[3], StMesh **mesh, StError *error) {
  if (obstacle->mesh)
    return copy_surface(obstacle->mesh, mesh, error);
  if (strcmp(obstacle->shape.name, "half_space") == 0)
    return make_face(obstacle, low, high, mesh, error);
  return make_shape(obstacle, mesh, error);
}
