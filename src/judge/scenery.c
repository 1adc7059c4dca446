// Moves obstacles to their current pose; whether a point is inside a closed mesh is the parity of
// the triangles between it and a point outside.
#include "judge/scenery.h"

#include "base/memory.h"
#include "judge/facets.h"
#include "judge/inside.h"
#include "math/vec3.h"
#include "mesh/check.h"

static StStatus find_whether_solid(StScenery *scenery, StError *error) {
  StMeshReport report;
  scenery->is_solid = scenery->desc->mesh->tet_count > 0;
  if (scenery->is_solid)
    return ST_OK;
  ST_TRY(st_mesh_report(scenery->desc->mesh, &report, error));
  scenery->is_solid = report.closed && report.enclosed_volume > 0;
  return ST_OK;
}

static StStatus build(StScenery *scenery, StError *error) {
  const StObstacleDesc *desc = scenery->desc;
  ST_CHECK(scenery->is_mesh || st_rigid_is_known(desc), error);
  if (!scenery->is_mesh)
    ST_TRY(st_facets_create(desc, &scenery->facets, &scenery->sagitta, error));
  scenery->surface = scenery->is_mesh ? desc->mesh : scenery->facets;
  if (!scenery->surface)
    return ST_OK;
  ST_TRY(st_hull_create(scenery->surface, 0, &scenery->hull, error));
  size_t size = 3 * (size_t)scenery->surface->vertex_count;
  scenery->position = ST_NEW(double, size);
  scenery->place[0] = ST_NEW(double, size);
  scenery->place[1] = ST_NEW(double, size);
  ST_TRY_MEMORY(scenery->position && scenery->place[0] && scenery->place[1], error);
  return scenery->is_mesh ? find_whether_solid(scenery, error) : ST_OK;
}

StStatus st_scenery_create(const StObstacleDesc *desc, StScenery *scenery, StError *error) {
  *scenery = (StScenery){.desc = desc, .is_mesh = desc->mesh != NULL};
  StStatus status = build(scenery, error);
  if (status != ST_OK)
    st_scenery_free(scenery);
  return status;
}

void st_scenery_free(StScenery *scenery) {
  st_hull_free(&scenery->hull);
  st_mesh_destroy(scenery->facets);
  free(scenery->position);
  free(scenery->place[0]);
  free(scenery->place[1]);
  *scenery = (StScenery){.desc = scenery->desc};
}

static void place_mesh(StScenery *scenery, double time) {
  const StObstacleDesc *desc = scenery->desc;
  StRigidPose pose;
  st_motion_pose(&desc->motion, time, &pose);
  for (int v = 0; v < desc->mesh->vertex_count; v++) {
    double rest[3], *x = scenery->position + 3 * (size_t)v;
    mat3_apply(desc->rotation, desc->mesh->position + 3 * (size_t)v, rest);
    vec3_add_scaled(1, desc->origin, rest);
    mat3_apply(pose.rotation, rest, x);
    vec3_add_scaled(1, pose.shift, x);
  }
  st_box_tree_fit(&scenery->hull.tree, scenery->position);
}

void st_scenery_place(StScenery *scenery, double time, double size) {
  if (scenery->is_mesh)
    place_mesh(scenery, time);
  else
    st_rigid_place(scenery->desc, time, size, &scenery->rigid);
}

void st_scenery_move(StScenery *scenery, const double time[2], StCourse *course) {
  st_course_of_obstacle(scenery->desc, &scenery->hull, scenery->surface->position,
                        scenery->surface->vertex_count, time, scenery->place[0], scenery->place[1],
                        course);
}

bool st_scenery_may_meet(const StScenery *scenery, const StBox *box) {
  return scenery->is_mesh ? st_boxes_meet(&scenery->hull.tree.node[0].box, box)
                          : st_rigid_may_meet(&scenery->rigid, box);
}

static bool mesh_holds(const StScenery *scenery, const double x[3]) {
  return scenery->is_solid && st_hull_contains(&scenery->hull, scenery->position, x);
}

bool st_scenery_contains(const StScenery *scenery, const double x[3]) {
  StBox point;
  vec3_copy(x, point.low);
  vec3_copy(x, point.high);
  if (!st_scenery_may_meet(scenery, &point))
    return false;
  return scenery->is_mesh ? mesh_holds(scenery, x) : st_rigid_contains(&scenery->rigid, x);
}
