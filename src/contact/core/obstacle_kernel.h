// Distances in closed form and the transport of a pose, on scalars. Where the distance has no
// gradient (a sphere's centre, a cylinder's axis) some axis is returned; contact never gets there.
// Included by obstacle.c for real and for complex numbers.
#include "math/scalar.h"

static inline scalar ST_KERNEL(length)(const scalar *x, int count) {
  scalar square = x[0] * x[0];
  for (int i = 1; i < count; i++)
    square += x[i] * x[i];
  return s_real(square) > 0 ? s_sqrt(square) : s_number(0);
}

// |x| and x/|x| over the first `count` coordinates.
static inline scalar ST_KERNEL(direction)(const scalar *x, int count, scalar *unit) {
  scalar r = ST_KERNEL(length)(x, count);
  for (int i = 0; i < count; i++)
    unit[i] = s_real(r) > 0 ? x[i] / r : s_number(i == 0);
  return r;
}

static scalar ST_KERNEL(half_space_gap)(const double *value, const scalar x[3], scalar g[3]) {
  (void)value;
  g[0] = g[1] = s_number(0);
  g[2] = s_number(1);
  return x[2];
}

static scalar ST_KERNEL(sphere_gap)(const double *value, const scalar x[3], scalar g[3]) {
  return ST_KERNEL(direction)(x, 3, g) - value[0];
}

// value: radius, length of the straight part (along z)
static scalar ST_KERNEL(capsule_gap)(const double *value, const scalar x[3], scalar g[3]) {
  double half = value[1] / 2;
  scalar from[3] = {x[0], x[1], s_number(0)};
  if (s_real(x[2]) > half)
    from[2] = x[2] - half;
  else if (s_real(x[2]) < -half)
    from[2] = x[2] + half;
  return ST_KERNEL(direction)(from, 3, g) - value[0];
}

// Distance of the excesses e over a convex corner of `count` faces: outside, the norm of the
// positive ones; inside, the largest. weight[i] = ∂d/∂e_i.
static inline scalar ST_KERNEL(corner)(const scalar *e, int count, scalar *weight) {
  scalar positive[3], outside;
  int largest = 0;
  bool out = false;
  for (int i = 0; i < count; i++) {
    bool over = s_real(e[i]) > 0;
    positive[i] = over ? e[i] : s_number(0);
    out = out || over;
    if (s_real(e[i]) > s_real(e[largest]))
      largest = i;
    weight[i] = s_number(0);
  }
  if (!out) {
    weight[largest] = s_number(1);
    return e[largest];
  }
  outside = ST_KERNEL(direction)(positive, count, weight);
  return outside;
}

// value: radius, height (along z)
static scalar ST_KERNEL(cylinder_gap)(const double *value, const scalar x[3], scalar g[3]) {
  scalar radial[2], weight[2];
  scalar e[2] = {ST_KERNEL(direction)(x, 2, radial) - value[0], s_abs(x[2]) - value[1] / 2};
  scalar gap = ST_KERNEL(corner)(e, 2, weight);
  g[0] = weight[0] * radial[0];
  g[1] = weight[0] * radial[1];
  g[2] = s_real(x[2]) < 0 ? -weight[1] : weight[1];
  return gap;
}

// value: size along x, y, z
static scalar ST_KERNEL(box_gap)(const double *value, const scalar x[3], scalar g[3]) {
  scalar e[3], weight[3];
  for (int i = 0; i < 3; i++)
    e[i] = s_abs(x[i]) - value[i] / 2;
  scalar gap = ST_KERNEL(corner)(e, 3, weight);
  for (int i = 0; i < 3; i++)
    g[i] = s_real(x[i]) < 0 ? -weight[i] : weight[i];
  return gap;
}

static void ST_KERNEL(to_own_frame)(const StObstacleNow *now, const scalar x[3], scalar own[3]) {
  scalar arm[3];
  for (int i = 0; i < 3; i++)
    arm[i] = x[i] - now->origin[i];
  for (int i = 0; i < 3; i++)
    own[i] =
        now->rotation[i] * arm[0] + now->rotation[3 + i] * arm[1] + now->rotation[6 + i] * arm[2];
}

static void ST_KERNEL(to_world)(const StObstacleNow *now, const scalar own[3], scalar world[3]) {
  const double *r = now->rotation;
  for (int i = 0; i < 3; i++)
    world[i] = r[3 * i] * own[0] + r[3 * i + 1] * own[1] + r[3 * i + 2] * own[2];
}

static void ST_KERNEL(surface_velocity)(const StObstacleNow *now, const scalar x[3],
                                        scalar velocity[3]) {
  const double *spin = now->pose.spin;
  scalar arm[3];
  for (int i = 0; i < 3; i++)
    arm[i] = x[i] - now->pose.pivot[i];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    velocity[i] = now->pose.velocity[i] + spin[j] * arm[k] - spin[k] * arm[j];
  }
}

static void ST_KERNEL(surface_shift)(const StObstacleNow *then, const StObstacleNow *now,
                                     const scalar x[3], scalar shift[3]) {
  scalar own[3], before[3];
  ST_KERNEL(to_own_frame)(now, x, own);
  ST_KERNEL(to_world)(then, own, before);
  for (int i = 0; i < 3; i++)
    shift[i] = x[i] - (before[i] + then->origin[i]);
}
