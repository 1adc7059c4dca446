// Obstacle shapes and their poses.
#include "contact/core/obstacle.h"

#include "base/memory.h"
#include "contact/core/obstacle_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/core/obstacle_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3.h"

#include <string.h>

#define LENGTH_PARAM(key, text, standard)                                                          \
  {                                                                                                \
    .name = key, .doc = text, .dimension = ST_LENGTH_DIMENSION, .fallback = standard, .min = 0,    \
    .max = INFINITY, .min_open = true, .max_open = true                                            \
  }

static const StParam sphere_param[] = {LENGTH_PARAM("radius", "Radius.", NAN)};
static const StParam capsule_param[] = {
    LENGTH_PARAM("radius", "Radius of the round ends and the straight part.", NAN),
    LENGTH_PARAM("length", "Length of the straight part, along z.", NAN)};
static const StParam cylinder_param[] = {LENGTH_PARAM("radius", "Radius.", NAN),
                                         LENGTH_PARAM("height", "Height, along z.", NAN)};
static const StParam box_param[] = {LENGTH_PARAM("size_x", "Extent along x.", NAN),
                                    LENGTH_PARAM("size_y", "Extent along y.", NAN),
                                    LENGTH_PARAM("size_z", "Extent along z.", NAN)};

static const StObstacleType half_space = {
    .name = "half_space",
    .summary = "Everything below z = 0 of its own frame: a floor, a wall, a slope.",
    .gap = half_space_gap_real,
    .gap_dual = half_space_gap_complex};
static const StObstacleType sphere = {.name = "sphere",
                                      .summary = "A ball about its origin.",
                                      .param = sphere_param,
                                      .param_count = ST_LENGTH(sphere_param),
                                      .gap = sphere_gap_real,
                                      .gap_dual = sphere_gap_complex};
static const StObstacleType capsule = {.name = "capsule",
                                       .summary = "A cylinder with round ends, along z.",
                                       .param = capsule_param,
                                       .param_count = ST_LENGTH(capsule_param),
                                       .gap = capsule_gap_real,
                                       .gap_dual = capsule_gap_complex};
static const StObstacleType cylinder = {.name = "cylinder",
                                        .summary = "A cylinder with flat ends, along z.",
                                        .param = cylinder_param,
                                        .param_count = ST_LENGTH(cylinder_param),
                                        .gap = cylinder_gap_real,
                                        .gap_dual = cylinder_gap_complex};
static const StObstacleType box = {.name = "box",
                                   .summary = "A box about its origin.",
                                   .param = box_param,
                                   .param_count = ST_LENGTH(box_param),
                                   .gap = box_gap_real,
                                   .gap_dual = box_gap_complex};
static const StObstacleType mesh = {
    .name = "mesh",
    .summary = "A rigid triangle mesh, with smooth contact touched through its smooth surface."};

const StObstacleType *const st_obstacle_types[] = {&half_space, &sphere, &capsule, &cylinder,
                                                   &box,        &mesh,   NULL};

const StObstacleType *st_obstacle_find(const char *name) {
  for (int i = 0; st_obstacle_types[i]; i++)
    if (strcmp(st_obstacle_types[i]->name, name) == 0)
      return st_obstacle_types[i];
  return NULL;
}

void st_obstacle_at(const StObstacleDesc *desc, double time, StObstacleNow *now) {
  now->type = st_obstacle_find(desc->shape.name);
  now->value = desc->shape.value;
  st_motion_pose(&desc->motion, time, &now->pose);
  mat3_apply(now->pose.rotation, desc->origin, now->origin);
  vec3_add_scaled(1, now->pose.shift, now->origin);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      now->rotation[3 * i + j] = now->pose.rotation[3 * i] * desc->rotation[j] +
                                 now->pose.rotation[3 * i + 1] * desc->rotation[3 + j] +
                                 now->pose.rotation[3 * i + 2] * desc->rotation[6 + j];
}

double st_obstacle_gap(const StObstacleNow *now, const double x[3], double gradient[3]) {
  double own[3], g[3];
  to_own_frame_real(now, x, own);
  double gap = now->type->gap(now->value, own, g);
  to_world_real(now, g, gradient);
  return gap;
}

StDual st_obstacle_gap_dual(const StObstacleNow *now, const StDual x[3], StDual gradient[3]) {
  StDual own[3], g[3];
  to_own_frame_complex(now, x, own);
  StDual gap = now->type->gap_dual(now->value, own, g);
  to_world_complex(now, g, gradient);
  return gap;
}

void st_obstacle_velocity(const StObstacleNow *now, const double x[3], double velocity[3]) {
  surface_velocity_real(now, x, velocity);
}

void st_obstacle_velocity_dual(const StObstacleNow *now, const StDual x[3], StDual velocity[3]) {
  surface_velocity_complex(now, x, velocity);
}

void st_obstacle_to_own(const StObstacleNow *now, const double x[3], double own[3]) {
  to_own_frame_real(now, x, own);
}

void st_obstacle_to_world(const StObstacleNow *now, const double own[3], double x[3]) {
  to_world_real(now, own, x);
  vec3_add_scaled(1, now->origin, x);
}

void st_obstacle_shift(const StObstacleNow *then, const StObstacleNow *now, const double x[3],
                       double shift[3]) {
  surface_shift_real(then, now, x, shift);
}

void st_obstacle_shift_dual(const StObstacleNow *then, const StObstacleNow *now, const StDual x[3],
                            StDual shift[3]) {
  surface_shift_complex(then, now, x, shift);
}
