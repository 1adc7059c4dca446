// Keyframed rigid motion: piecewise linear, or a monotone cubic (harmonic-mean slopes, after
// Fritsch and Butland) whose velocity is continuous and which never overshoots a key.
#include "model/motion.h"

#include "math/vec3.h"

#include <stdlib.h>

// Value and rate of translation (3) and angle (1) at one instant.
typedef struct Pose {
  double value[4];
  double rate[4];
} Pose;

void st_motion_free(StMotion *motion) {
  free(motion->time);
  free(motion->translation);
  free(motion->angle);
  free(motion->spin);
  motion->time = motion->translation = motion->angle = motion->spin = NULL;
  motion->key_count = 0;
}

static double channel(const StMotion *motion, int key, int c) {
  return c < 3 ? motion->translation[3 * key + c] : motion->angle[key];
}

static double secant(const StMotion *motion, int key, int c) {
  return (channel(motion, key + 1, c) - channel(motion, key, c)) /
         (motion->time[key + 1] - motion->time[key]);
}

// Slope of the monotone cubic at a key: zero at the ends and where the direction turns.
static double slope(const StMotion *motion, int key, int c) {
  if (key == 0 || key == motion->key_count - 1)
    return 0;
  double before = secant(motion, key - 1, c), after = secant(motion, key, c);
  if (before * after <= 0)
    return 0;
  double h0 = motion->time[key] - motion->time[key - 1];
  double h1 = motion->time[key + 1] - motion->time[key];
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / before + w1 / after);
}

static void linear_channel(const StMotion *motion, int key, double t, int c, Pose *pose) {
  pose->rate[c] = secant(motion, key, c);
  pose->value[c] = channel(motion, key, c) + pose->rate[c] * (t - motion->time[key]);
}

// The angle of a spin that is linear in the interval and constant past it.
static void spun_channel(const StMotion *motion, int key, double t, Pose *pose) {
  double h = motion->time[key + 1] - motion->time[key], past = t - motion->time[key];
  double inside = past < h ? past : h, from = motion->spin[key];
  double growth = (motion->spin[key + 1] - from) / h;
  pose->rate[3] = from + growth * inside;
  pose->value[3] = motion->angle[key] + inside * (from + 0.5 * growth * inside) +
                   pose->rate[3] * (past - inside);
}

// Hermite cubic on [time[key], time[key + 1]] and its derivative.
static void smooth_channel(const StMotion *motion, int key, double t, int c, Pose *pose) {
  double h = motion->time[key + 1] - motion->time[key];
  double s = (t - motion->time[key]) / h, r = 1 - s;
  double x0 = channel(motion, key, c), x1 = channel(motion, key + 1, c);
  double d0 = slope(motion, key, c), d1 = slope(motion, key + 1, c);
  pose->value[c] = x0 + (x1 - x0) * s * s * (3 - 2 * s) + h * s * r * (d0 * r - d1 * s);
  pose->rate[c] = 6 * (x1 - x0) / h * s * r + d0 * r * (1 - 3 * s) + d1 * s * (3 * s - 2);
}

static int interval(const StMotion *motion, double t) {
  int low = 0, high = motion->key_count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (motion->time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void pose_at(const StMotion *motion, double t, Pose *pose) {
  int last = motion->key_count - 1;
  bool extended =
      t >= motion->time[last] && motion->extend && last > 0 && motion->interpolation == ST_LINEAR;
  if (!extended && (t < motion->time[0] || t >= motion->time[last])) {
    int key = t < motion->time[0] ? 0 : last;
    for (int c = 0; c < 4; c++) {
      pose->value[c] = channel(motion, key, c);
      pose->rate[c] = 0;
    }
    return;
  }
  int key = extended ? last - 1 : interval(motion, t);
  for (int c = 0; c < 4; c++) {
    if (c == 3 && motion->spin)
      spun_channel(motion, key, t, pose);
    else if (motion->interpolation == ST_LINEAR)
      linear_channel(motion, key, t, c, pose);
    else
      smooth_channel(motion, key, t, c, pose);
  }
}

bool st_motion_moves(const StMotion *motion) {
  return motion->driver || motion->key_count > 0;
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
  if (motion->driver || motion->key_count == 0)
    return;
  Pose pose;
  pose_at(motion, t, &pose);
  double turned[3];
  mat3_rotation(motion->axis, pose.value[3], out->rotation);
  mat3_apply(out->rotation, motion->centre, turned);
  for (int k = 0; k < 3; k++) {
    out->pivot[k] = motion->centre[k] + pose.value[k];
    out->shift[k] = out->pivot[k] - turned[k];
    out->velocity[k] = pose.rate[k];
    out->spin[k] = pose.rate[3] * motion->axis[k];
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

double st_motion_speed(const StMotion *motion, double distance) {
  double largest = 0;
  for (int i = 0; i + 1 < motion->key_count; i++) {
    const double shift[3] = {secant(motion, i, 0), secant(motion, i, 1), secant(motion, i, 2)};
    double turning = fabs(secant(motion, i, 3));
    if (motion->spin)
      turning = fmax(fabs(motion->spin[i]), fabs(motion->spin[i + 1]));
    double speed = vec3_length(shift) + turning * distance;
    largest = speed <= largest ? largest : speed; // keeps NaN
  }
  return largest;
}
