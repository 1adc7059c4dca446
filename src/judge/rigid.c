// Distances of triangles from convex shapes in the shape's own frame: sphere and capsule by the
// distance from a point and from a segment, box and cylinder by clipping the triangle.
#include "judge/rigid.h"

#include "math/vec3.h"

#include <string.h>

enum { HALF_SPACE, SPHERE, CAPSULE, CYLINDER, BOX, SHAPES };
static const char *const NAMES[SHAPES] = {"half_space", "sphere", "capsule", "cylinder", "box"};

static int shape_of(const StObstacleDesc *desc) {
  for (int i = 0; i < SHAPES && !desc->mesh; i++)
    if (strcmp(desc->shape.name, NAMES[i]) == 0)
      return i;
  return -1;
}

bool st_rigid_is_known(const StObstacleDesc *desc) {
  return shape_of(desc) >= 0;
}

// Half the sides of the axis-aligned box around the shape in its own frame.
static void half_sides(const StRigid *rigid, double half[3]) {
  const double *value = rigid->value;
  switch (rigid->shape) {
  case SPHERE: vec3_set(value[0], value[0], value[0], half); break;
  case CAPSULE: vec3_set(value[0], value[0], value[0] + value[1] / 2, half); break;
  case CYLINDER: vec3_set(value[0], value[0], value[1] / 2, half); break;
  case BOX: vec3_set(value[0] / 2, value[1] / 2, value[2] / 2, half); break;
  default: vec3_set(INFINITY, INFINITY, INFINITY, half);
  }
}

static void enclose(StRigid *rigid) {
  double half[3];
  half_sides(rigid, half);
  for (int i = 0; i < 3; i++) {
    double reach = INFINITY;
    if (rigid->shape != HALF_SPACE) {
      reach = rigid->rounding;
      for (int j = 0; j < 3; j++)
        reach += fabs(rigid->rotation[3 * i + j]) * half[j];
    }
    rigid->box.low[i] = rigid->origin[i] - reach;
    rigid->box.high[i] = rigid->origin[i] + reach;
  }
}

void st_rigid_place(const StObstacleDesc *desc, double time, double size, StRigid *rigid) {
  StRigidPose pose;
  st_motion_pose(&desc->motion, time, &pose);
  *rigid = (StRigid){.shape = shape_of(desc)};
  memcpy(rigid->value, desc->shape.value, sizeof rigid->value);
  mat3_apply(pose.rotation, desc->origin, rigid->origin);
  vec3_add_scaled(1, pose.shift, rigid->origin);
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      rigid->rotation[i] += pose.rotation[i - i % 3 + k] * desc->rotation[3 * k + i % 3];
  for (int i = 0; i < 3; i++)
    size = fmax(size, fabs(rigid->origin[i]));
  for (int i = 0; i < 3 && rigid->shape != HALF_SPACE; i++)
    size = fmax(size, rigid->value[i]);
  rigid->rounding = ST_RIGID_ROUNDING * size;
  enclose(rigid);
}

static void to_own_frame(const StRigid *rigid, const double x[3], double own[3]) {
  double arm[3];
  vec3_sub(x, rigid->origin, arm);
  for (int i = 0; i < 3; i++)
    own[i] = rigid->rotation[i] * arm[0] + rigid->rotation[3 + i] * arm[1] +
             rigid->rotation[6 + i] * arm[2];
}

// Height of a box's lowest corner above a half-space's face.
static bool half_space_may_meet(const StRigid *rigid, const StBox *box) {
  double lowest = 0;
  for (int i = 0; i < 3; i++) {
    double along = rigid->rotation[3 * i + 2];
    lowest += along * ((along > 0 ? box->low[i] : box->high[i]) - rigid->origin[i]);
  }
  return !(lowest > rigid->rounding);
}

bool st_rigid_may_meet(const StRigid *rigid, const StBox *box) {
  return rigid->shape == HALF_SPACE ? half_space_may_meet(rigid, box)
                                    : st_boxes_meet(&rigid->box, box);
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

// Distance of x from the segment a b, in the first `axes` coordinates.
static double distance_to_segment(const double *x, const double *a, const double *b, int axes) {
  double along = 0, square = 0, rest = 0;
  for (int i = 0; i < axes; i++) {
    along += (x[i] - a[i]) * (b[i] - a[i]);
    square += (b[i] - a[i]) * (b[i] - a[i]);
  }
  double s = square > 0 ? clamp(along / square, 0, 1) : 0;
  for (int i = 0; i < axes; i++) {
    double apart = x[i] - a[i] - s * (b[i] - a[i]);
    rest += apart * apart;
  }
  return sqrt(rest);
}

// Whether the foot of x on the triangle's plane lies inside the triangle; *height: x above it.
static bool has_foot(const double corner[3][3], const double x[3], double *height) {
  double e[3], f[3], normal[3], arm[3];
  vec3_sub(corner[1], corner[0], e);
  vec3_sub(corner[2], corner[0], f);
  vec3_cross(e, f, normal);
  double length = vec3_length(normal);
  if (!(length > 0))
    return false;
  vec3_sub(x, corner[0], arm);
  *height = vec3_dot(normal, arm) / length;
  for (int i = 0; i < 3; i++) {
    double side[3], from[3];
    vec3_sub(corner[(i + 1) % 3], corner[i], side);
    vec3_sub(x, corner[i], from);
    if (vec3_triple(normal, side, from) < 0)
      return false;
  }
  return true;
}

static double distance_to_triangle(const double corner[3][3], const double x[3]) {
  double distance = INFINITY, height;
  for (int i = 0; i < 3; i++)
    distance = fmin(distance, distance_to_segment(x, corner[i], corner[(i + 1) % 3], 3));
  return has_foot(corner, x, &height) ? fmin(distance, fabs(height)) : distance;
}

// Distance of the segments a b and c d: closest points of the lines, then along each segment in
// turn (Ericson's case analysis).
static double segment_distance(const double a[3], const double b[3], const double c[3],
                               const double d[3]) {
  double u[3], v[3], w[3];
  vec3_sub(b, a, u);
  vec3_sub(d, c, v);
  vec3_sub(a, c, w);
  double uu = vec3_dot(u, u), vv = vec3_dot(v, v), uv = vec3_dot(u, v);
  double det = uu * vv - uv * uv;
  double s = det > 0 ? clamp((uv * vec3_dot(v, w) - vv * vec3_dot(u, w)) / det, 0, 1) : 0;
  double point[3];
  vec3_copy(a, point);
  vec3_add_scaled(s, u, point);
  double best = distance_to_segment(point, c, d, 3);
  // If an end is closest, the formula above was clamped, so the ends are checked as well.
  best = fmin(best, fmin(distance_to_segment(a, c, d, 3), distance_to_segment(b, c, d, 3)));
  return fmin(best, fmin(distance_to_segment(c, a, b, 3), distance_to_segment(d, a, b, 3)));
}

// Whether the segment along z from -half to half goes through the triangle.
static bool axis_pierces(const double corner[3][3], double half) {
  double e[3], f[3], normal[3];
  vec3_sub(corner[1], corner[0], e);
  vec3_sub(corner[2], corner[0], f);
  vec3_cross(e, f, normal);
  if (normal[2] == 0)
    return false;
  for (int i = 0; i < 3; i++) {
    const double *a = corner[i], *b = corner[(i + 1) % 3];
    if ((a[0] * b[1] - a[1] * b[0]) * normal[2] < 0)
      return false;
  }
  double z = vec3_dot(normal, corner[0]) / normal[2];
  return fabs(z) <= half;
}

static double distance_to_axis(const double corner[3][3], double half) {
  const double top[3] = {0, 0, half}, bottom[3] = {0, 0, -half};
  if (axis_pierces(corner, half))
    return 0;
  double distance = fmin(distance_to_triangle(corner, top), distance_to_triangle(corner, bottom));
  for (int i = 0; i < 3; i++)
    distance = fmin(distance, segment_distance(bottom, top, corner[i], corner[(i + 1) % 3]));
  return distance;
}

// A triangle clipped by six planes has up to nine corners.
typedef struct Polygon {
  int count;
  double corner[12][3];
} Polygon;

// Keeps the part below `limit` along ± an axis.
static void cut(Polygon *polygon, int axis, double sign, double limit) {
  Polygon kept = {.count = 0};
  for (int i = 0; i < polygon->count; i++) {
    const double *a = polygon->corner[i], *b = polygon->corner[(i + 1) % polygon->count];
    double over_a = sign * a[axis] - limit, over_b = sign * b[axis] - limit;
    if (over_a < 0)
      vec3_copy(a, kept.corner[kept.count++]);
    if ((over_a < 0) == (over_b < 0))
      continue;
    double *at = kept.corner[kept.count++], s = over_a / (over_a - over_b);
    for (int c = 0; c < 3; c++)
      at[c] = a[c] + s * (b[c] - a[c]);
    at[axis] = sign * limit;
  }
  *polygon = kept;
}

static Polygon polygon_of(const double corner[3][3]) {
  Polygon polygon = {.count = 3};
  memcpy(polygon.corner, corner, 9 * sizeof(double));
  return polygon;
}

static bool reaches_box(const double corner[3][3], const double size[3], double rounding) {
  Polygon polygon = polygon_of(corner);
  for (int axis = 0; axis < 3 && polygon.count; axis++) {
    cut(&polygon, axis, 1, size[axis] / 2 - rounding);
    cut(&polygon, axis, -1, size[axis] / 2 - rounding);
  }
  return polygon.count > 0;
}

// Between the flat ends the cylinder is a circle in projection.
static bool reaches_cylinder(const double corner[3][3], double radius, double height,
                             double rounding) {
  Polygon polygon = polygon_of(corner);
  const double centre[3] = {0};
  bool left = false, right = false;
  double distance = INFINITY;
  cut(&polygon, 2, 1, height / 2 - rounding);
  cut(&polygon, 2, -1, height / 2 - rounding);
  for (int i = 0; i < polygon.count; i++) {
    const double *a = polygon.corner[i], *b = polygon.corner[(i + 1) % polygon.count];
    double turn = a[0] * b[1] - a[1] * b[0];
    left = left || turn > 0;
    right = right || turn < 0;
    distance = fmin(distance, distance_to_segment(centre, a, b, 2));
  }
  bool around = left != right;
  return polygon.count > 0 && (around || distance < radius - rounding);
}

bool st_rigid_is_reached(const StRigid *rigid, const double *const corner[3]) {
  double own[3][3];
  const double *value = rigid->value;
  for (int i = 0; i < 3; i++)
    to_own_frame(rigid, corner[i], own[i]);
  switch (rigid->shape) {
  case HALF_SPACE: return fmin(own[0][2], fmin(own[1][2], own[2][2])) < -rigid->rounding;
  case SPHERE: {
    const double centre[3] = {0};
    return distance_to_triangle(own, centre) < value[0] - rigid->rounding;
  }
  case CAPSULE: return distance_to_axis(own, value[1] / 2) < value[0] - rigid->rounding;
  case CYLINDER: return reaches_cylinder(own, value[0], value[1], rigid->rounding);
  case BOX: return reaches_box(own, value, rigid->rounding);
  }
  return false;
}

bool st_rigid_contains(const StRigid *rigid, const double x[3]) {
  double own[3], less = rigid->rounding;
  const double *value = rigid->value;
  to_own_frame(rigid, x, own);
  double from_axis = hypot(own[0], own[1]), beyond = fmax(fabs(own[2]) - value[1] / 2, 0);
  switch (rigid->shape) {
  case HALF_SPACE: return own[2] < -less;
  case SPHERE: return vec3_length(own) < value[0] - less;
  case CAPSULE: return hypot(from_axis, beyond) < value[0] - less;
  case CYLINDER: return from_axis < value[0] - less && fabs(own[2]) < value[1] / 2 - less;
  case BOX:
    return fabs(own[0]) < value[0] / 2 - less && fabs(own[1]) < value[1] / 2 - less &&
           fabs(own[2]) < value[2] / 2 - less;
  }
  return false;
}
