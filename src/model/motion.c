// Rigid motion by four curves: three for the shift and one for the angle.
#include "model/motion.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

void st_motion_free(StMotion *motion) {
  for (int c = 0; c < 3; c++)
    st_curve_free(&motion->translation[c]);
  st_curve_free(&motion->angle);
}

// The curve takes every stride-th value.
static StStatus set_curve(StCurve *curve, int count, const double *time, const double *value,
                          int stride, StInterpolation interpolation, StError *error) {
  curve->time = ST_NEW(double, count);
  curve->value = ST_NEW(double, count);
  ST_TRY_MEMORY(curve->time && curve->value, error);
  curve->key_count = count;
  memcpy(curve->time, time, (size_t)count * sizeof(double));
  for (int i = 0; i < count; i++)
    curve->value[i] = value[stride * i];
  return st_curve_interpolate(curve, interpolation, error);
}

StStatus st_motion_set_keys(StMotion *motion, int count, const double *time,
                            const double *translation, const double *angle,
                            StInterpolation interpolation, bool extend, StError *error) {
  for (int c = 0; translation && c < 3; c++) {
    motion->translation[c].extend = extend;
    ST_TRY(
        set_curve(&motion->translation[c], count, time, translation + c, 3, interpolation, error));
  }
  motion->angle.extend = extend;
  return angle ? set_curve(&motion->angle, count, time, angle, 1, interpolation, error) : ST_OK;
}

bool st_motion_moves(const StMotion *motion) {
  for (int c = 0; c < 3; c++)
    if (st_curve_is_given(&motion->translation[c]))
      return true;
  return motion->driver || st_curve_is_given(&motion->angle);
}

void st_pose_apply(const StRigidPose *pose, const double X[3], double position[3],
                   double velocity[3]) {
  double arm[3], swing[3];
  mat3_apply(pose->rotation, X, position);
  vec3_add_scaled(1, pose->shift, position);
  vec3_sub(position, pose->pivot, arm);
  vec3_cross(pose->spin, arm, swing);
  for (int k = 0; k < 3; k++)
    velocity[k] = pose->velocity[k] + swing[k];
}

static void ask_driver(StDriver *driver, double t, StRigidPose *pose) {
  if (driver->pose && !driver->pose(driver->context, t, pose))
    driver->failed = true;
}

void st_motion_pose(const StMotion *motion, double t, StRigidPose *out) {
  *out = (StRigidPose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (motion->driver)
    ask_driver(motion->driver, t, out);
  if (motion->driver || !st_motion_moves(motion))
    return;
  double turned[3], spin, angle = st_curve_evaluate(&motion->angle, t, &spin);
  mat3_rotation(motion->axis, angle, out->rotation);
  mat3_apply(out->rotation, motion->centre, turned);
  for (int k = 0; k < 3; k++) {
    double shift = st_curve_evaluate(&motion->translation[k], t, &out->velocity[k]);
    out->pivot[k] = motion->centre[k] + shift;
    out->shift[k] = out->pivot[k] - turned[k];
    out->spin[k] = spin * motion->axis[k];
  }
}

void st_motion_at(const StMotion *motion, double t, const double X[3], double position[3],
                  double velocity[3]) {
  if (!st_motion_moves(motion)) {
    vec3_copy(X, position);
    vec3_set(0, 0, 0, velocity);
    return;
  }
  StRigidPose pose;
  st_motion_pose(motion, t, &pose);
  if (motion->driver) {
    st_pose_apply(&pose, X, position, velocity);
    return;
  }
  double from_centre[3], arm[3], swing[3];
  vec3_sub(X, motion->centre, from_centre);
  mat3_apply(pose.rotation, from_centre, arm);
  vec3_cross(pose.spin, arm, swing);
  for (int k = 0; k < 3; k++) {
    position[k] = pose.pivot[k] + arm[k];
    velocity[k] = pose.velocity[k] + swing[k];
  }
}

double st_motion_speed(const StMotion *motion, double distance, double duration) {
  double along[3];
  for (int k = 0; k < 3; k++)
    along[k] = st_curve_largest_rate(&motion->translation[k], duration);
  return vec3_length(along) + st_curve_largest_rate(&motion->angle, duration) * distance;
}
