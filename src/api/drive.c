// Motion from outside: the callbacks of programs, as drivers of the description's motions.
#include "api/handles.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

static void turn(const double by[3], double rotation[9]) {
  double angle = vec3_length(by), axis[3] = {1, 0, 0};
  for (int c = 0; c < 3 && angle > 0; c++)
    axis[c] = by[c] / angle;
  mat3_rotation(axis, angle, rotation);
}

static bool is_finite(const double *value, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(value[i]))
      return false;
  return true;
}

_Static_assert(sizeof(StictionPose) == 15 * sizeof(double), "a pose is an array of numbers");

static bool ask_pose(void *context, double time, StRigidPose *out) {
  const StDrive *drive = context;
  StictionPose pose = {0};
  double turned[3];
  if (!drive->pose(drive->context, time, &pose) || !is_finite((const double *)&pose, 15))
    return false;
  turn(pose.rotation, out->rotation);
  mat3_apply(out->rotation, pose.pivot, turned);
  for (int c = 0; c < 3; c++) {
    out->pivot[c] = pose.pivot[c] + pose.translation[c];
    out->shift[c] = out->pivot[c] - turned[c];
    out->velocity[c] = pose.velocity[c];
    out->spin[c] = pose.spin[c];
  }
  return true;
}

static bool ask_targets(void *context, double time, double *position, double *velocity) {
  const StDrive *drive = context;
  size_t bytes = 3 * (size_t)drive->vertex_count * sizeof(double);
  memcpy(position, drive->rest, bytes);
  memset(velocity, 0, bytes);
  if (drive->targets(drive->context, time, drive->vertex_count, position, velocity) &&
      is_finite(position, 3 * drive->vertex_count) && is_finite(velocity, 3 * drive->vertex_count))
    return true;
  memcpy(position, drive->rest, bytes);
  memset(velocity, 0, bytes);
  return false;
}

static int find_boundary(const StDescription *description, const char *name) {
  for (int i = 0; i < description->boundary_count; i++)
    if (strcmp(description->boundary[i].name, name) == 0)
      return i;
  return -1;
}

static int find_obstacle(const StDescription *description, const char *name) {
  for (int i = 0; i < description->obstacle_count; i++)
    if (strcmp(description->obstacle[i].name, name) == 0)
      return i;
  return -1;
}

static StStatus fail_name(const StictionScene *scene, bool obstacles_too, const char *name) {
  return st_fail(&scene->session->error, ST_BAD_INPUT,
                 "the scene has no boundary%s named \"%s\" that could be driven",
                 obstacles_too ? " and no obstacle" : "", name);
}

static void drive_rigidly(StDrive *own, StMotion *motion, StictionPoseAt pose, void *context) {
  own->driver = (StDriver){.pose = ask_pose, .context = own};
  own->pose = pose;
  own->context = context;
  motion->driver = pose ? &own->driver : NULL;
}

static StStatus drive_thing(StictionScene *scene, const char *name, StictionPoseAt pose,
                            void *context) {
  StDescription *description = scene->description;
  ST_TRY(st_scene_may_change(scene, &scene->session->error));
  int boundary = find_boundary(description, name), obstacle = find_obstacle(description, name);
  if (boundary < 0 && obstacle < 0)
    return fail_name(scene, true, name);
  if (boundary >= 0)
    drive_rigidly(&scene->boundary_drive[boundary], &description->boundary[boundary].motion, pose,
                  context);
  if (obstacle >= 0)
    drive_rigidly(&scene->obstacle_drive[obstacle], &description->obstacle[obstacle].motion, pose,
                  context);
  return ST_OK;
}

StictionStatus stiction_scene_drive(StictionScene *scene, const char *name, StictionPoseAt pose,
                                    void *context) {
  ST_NEED(scene);
  ST_NEED(name);
  ST_ENTER(scene->session);
  return st_call_leave(scene->session, drive_thing(scene, name, pose, context));
}

static const double *rest_of(const StDescription *description, int vertex) {
  int body = 0;
  while (vertex >= description->body[body].mesh->vertex_count)
    vertex -= description->body[body++].mesh->vertex_count;
  return description->body[body].mesh->position + 3 * vertex;
}

static StStatus prepare_targets(StDrive *drive, const StDescription *description,
                                const StBoundaryDesc *desc, StError *error) {
  double *rest = ST_NEW(double, 3 * (size_t)desc->vertex_count);
  if (!rest)
    return st_fail_memory(error);
  for (int i = 0; i < desc->vertex_count; i++)
    vec3_copy(rest_of(description, desc->vertex[i]), rest + 3 * i);
  free(drive->rest);
  drive->rest = rest;
  drive->vertex_count = desc->vertex_count;
  return ST_OK;
}

static StStatus drive_vertices(StictionScene *scene, const char *name, StictionTargetsAt targets,
                               void *context, StError *error) {
  ST_TRY(st_scene_may_change(scene, error));
  int index = find_boundary(scene->description, name);
  if (index < 0)
    return fail_name(scene, false, name);
  StDrive *own = &scene->boundary_drive[index];
  StBoundaryDesc *desc = &scene->description->boundary[index];
  ST_TRY(prepare_targets(own, scene->description, desc, error));
  own->driver = (StDriver){.targets = ask_targets, .context = own};
  own->targets = targets;
  own->context = context;
  desc->motion.driver = targets ? &own->driver : NULL;
  return ST_OK;
}

StictionStatus stiction_scene_drive_vertices(StictionScene *scene, const char *name,
                                             StictionTargetsAt targets, void *context) {
  ST_NEED(scene);
  ST_NEED(name);
  ST_ENTER(scene->session);
  return st_call_leave(scene->session,
                       drive_vertices(scene, name, targets, context, &scene->session->error));
}
