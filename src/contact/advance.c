// Two bounds for the approach of a pair, and the longer step counts. One by speed: a distance
// shrinks no faster than both features move together. One by direction: for any fixed unit vector n
// the distance is at least the smallest n · (a - b) over corners a and b, which is linear in time;
// along the present normal it is exact now and lets features slide past each other freely.
#include "contact/advance.h"

#include "base/memory.h"
#include "contact/primitive.h"
#include "math/vec3.h"

#include <float.h>

// An advance ends when the gap has come within this share of what must be left. It is rarely
// needed: steps meet their goal from above, faster and faster.
static const double CLOSE = 0.02;
enum { MOST_STEPS = 400, MOST_HALVINGS = 60 };

// Rounding of positions on the way, in units of the largest coordinate.
static const double ROUNDING = 32 * DBL_EPSILON;

// A pair on its way, seen from its first place at the start, without its mean motion.
typedef struct Way {
  const StNearPair *pair;
  double start[4][3], motion[4][3];
  double speed;    // bound of the approach
  double rounding; // of its distances, m
} Way;

static double longest(const double motion[][3], int first, int end) {
  double square = 0;
  for (int i = first; i < end; i++)
    square = fmax(square, vec3_dot(motion[i], motion[i]));
  return sqrt(square);
}

// False when some coordinate is not finite.
static bool set_out(const StNearPair *pair, const double *from, const double *to, Way *way) {
  double mean[3] = {0}, largest = 0, sum = 0;
  const double *origin = from + 3 * (size_t)pair->place[0];
  way->pair = pair;
  for (int i = 0; i < pair->count; i++) {
    const double *a = from + 3 * (size_t)pair->place[i], *b = to + 3 * (size_t)pair->place[i];
    vec3_sub(a, origin, way->start[i]);
    vec3_sub(b, a, way->motion[i]);
    vec3_add_scaled(1.0 / pair->count, way->motion[i], mean);
    for (int c = 0; c < 3; c++) {
      largest = fmax(largest, fmax(fabs(a[c]), fabs(b[c])));
      sum += way->motion[i][c];
    }
  }
  for (int i = 0; i < pair->count; i++)
    vec3_add_scaled(-1, mean, way->motion[i]);
  way->speed = longest(way->motion, 0, pair->first_count) +
               longest(way->motion, pair->first_count, pair->count);
  way->rounding = ROUNDING * largest;
  return isfinite(sum) && isfinite(way->speed);
}

// How far apart the boxes of both features are along some axis: a lower bound of their distance.
static double boxes_apart(const Way *way) {
  double most = 0;
  for (int c = 0; c < 3; c++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < way->pair->count; i++) {
      int side = i >= way->pair->first_count;
      low[side] = fmin(low[side], way->start[i][c]);
      high[side] = fmax(high[side], way->start[i][c]);
    }
    most = fmax(most, fmax(low[0] - high[1], low[1] - high[0]));
  }
  return most;
}

static void positions(const Way *way, double share, double x[4][3]) {
  for (int i = 0; i < way->pair->count; i++)
    for (int c = 0; c < 3; c++)
      x[i][c] = way->start[i][c] + share * way->motion[i][c];
}

static bool make_unit(double v[3]) {
  double length = vec3_length(v);
  if (!(length > 0))
    return false;
  for (int c = 0; c < 3; c++)
    v[c] /= length;
  return true;
}

// The cross product keeps its direction where the difference of close points has lost it.
static void face_normal(const double x[4][3], double normal[3]) {
  double a[3], b[3], to[3];
  vec3_sub(x[2], x[1], a);
  vec3_sub(x[3], x[1], b);
  vec3_sub(x[0], x[1], to);
  vec3_cross(a, b, normal);
  if (vec3_dot(normal, to) < 0)
    for (int c = 0; c < 3; c++)
      normal[c] = -normal[c];
}

// Distance of a point from a triangle or an edge, and the way between them.
static double look_from_point(const StNearPair *pair, const double x[4][3], double normal[3]) {
  StClosest closest;
  if (pair->count == 4)
    st_primitive_point_triangle(x, &closest);
  else
    st_primitive_point_edge(x, &closest);
  vec3_copy(x[0], normal);
  for (int k = 1; k < pair->count; k++)
    vec3_add_scaled(-closest.share[k - 1], x[k], normal);
  if (closest.feature == ST_FACE)
    face_normal(x, normal);
  return sqrt(closest.square);
}

static double look_between_edges(const double x[4][3], double normal[3]) {
  double param[2], square, a[3], b[3], between[3];
  bool inside = st_primitive_edge_edge(x, param, &square);
  vec3_sub(x[1], x[0], a);
  vec3_sub(x[3], x[2], b);
  vec3_sub(x[0], x[2], between);
  vec3_add_scaled(param[0], a, between);
  vec3_add_scaled(-param[1], b, between);
  vec3_copy(between, normal);
  if (inside) {
    vec3_cross(a, b, normal);
    double sign = vec3_dot(normal, between) < 0 ? -1 : 1;
    for (int c = 0; c < 3; c++)
      normal[c] *= sign;
  }
  return sqrt(square);
}

// Distance at these places and a direction from the second feature to the first; zero: none.
static double look(const StNearPair *pair, const double x[4][3], double normal[3]) {
  double distance;
  if (pair->count == 2) {
    vec3_sub(x[0], x[1], normal);
    distance = vec3_length(normal);
  } else {
    distance =
        pair->first_count == 2 ? look_between_edges(x, normal) : look_from_point(pair, x, normal);
  }
  if (!make_unit(normal))
    vec3_set(0, 0, 0, normal);
  return distance;
}

// Until when the corners keep `target` apart along the normal; negative: not even now.
static double step_by_direction(const Way *way, const double x[4][3], const double normal[3],
                                double target) {
  double step = INFINITY;
  for (int i = 0; i < way->pair->first_count; i++)
    for (int k = way->pair->first_count; k < way->pair->count; k++) {
      double between[3], motion[3];
      vec3_sub(x[i], x[k], between);
      vec3_sub(way->motion[i], way->motion[k], motion);
      double room = vec3_dot(normal, between) - target, rate = vec3_dot(normal, motion);
      if (room < 0)
        return -1;
      if (rate < 0)
        step = fmin(step, room / -rate);
    }
  return step;
}

// Advances by the longer of both bounds until the gap is used up but for `keep`.
static double follow(const Way *way, double gap, const double first_normal[3], double most) {
  double keep = fmax(ST_ADVANCE_KEEP * gap, fmin(way->rounding, 0.9 * gap));
  double enough = keep + CLOSE * (gap - keep), share = 0, x[4][3], normal[3];
  vec3_copy(first_normal, normal);
  positions(way, 0, x);
  for (int i = 0; i < MOST_STEPS; i++) {
    double by_speed = (gap - keep) / way->speed;
    double by_direction = step_by_direction(way, x, normal, keep + way->pair->radii);
    share += fmax(by_speed, by_direction);
    if (!(share < most))
      return most;
    positions(way, share, x);
    gap = look(way->pair, x, normal) - way->pair->radii;
    if (!(gap > enough))
      return share;
  }
  return share;
}

// Negative: the gap is closed at the start.
static double advance(const StNearPair *pair, const double *from, const double *to, double most) {
  Way way;
  double normal[3];
  if (!set_out(pair, from, to, &way))
    return 0;
  double far = (1 - ST_ADVANCE_KEEP) * (boxes_apart(&way) - pair->radii) - way.rounding;
  if (far > way.speed * most)
    return most;
  double gap = look(pair, way.start, normal) - pair->radii;
  if (!(gap > 0))
    return -1;
  if ((1 - ST_ADVANCE_KEEP) * gap - way.rounding >= way.speed * most)
    return most;
  return follow(&way, gap, normal, most);
}

double st_advance_pair(const StNearPair *pair, const double *from, const double *to, double most) {
  return fmax(advance(pair, from, to, most), 0);
}

static void note(StAdvanceHit *hit, StNearKind kind, const int pair[2], double share) {
  *hit = (StAdvanceHit){.found = true,
                        .closed = share < 0,
                        .kind = kind,
                        .feature = {pair[0], pair[1]},
                        .share = fmax(share, 0)};
}

double st_advance(const StNear *near, const double *from, const double *to, StAdvanceHit *first) {
  StAdvanceHit hit = {.share = 1};
  for (int kind = 0; kind < ST_NEAR_KINDS; kind++) {
    const StNearList *list = &near->list[kind];
    for (int i = 0; i < list->count && !hit.closed; i++) {
      const int *features = list->pair + 2 * (size_t)i;
      StNearPair pair = st_near_pair(near->skins, (StNearKind)kind, features);
      double share = advance(&pair, from, to, hit.share);
      if (share < hit.share || share < 0)
        note(&hit, (StNearKind)kind, features, share);
    }
  }
  if (first)
    *first = hit;
  return hit.share;
}

static void go(const StSkins *skins, const double *from, const double *to, double share,
               double *x) {
  for (size_t i = 0; i < 3 * (size_t)skins->place_count; i++)
    x[i] = from[i] + share * (to[i] - from[i]);
}

StStatus st_advance_cover(StNear *near, const double *from, const double *to, double slack,
                          double *share, StAdvanceHit *first, StError *error) {
  StStatus status = st_near_cover(near, from, to, slack, error);
  double part = 1, *end = NULL;
  if (status == ST_NOT_SOLVED && !(end = ST_NEW(double, 3 * (size_t)near->skins->place_count)))
    return st_fail_memory(error);
  for (int i = 0; i < MOST_HALVINGS && status == ST_NOT_SOLVED; i++) {
    part /= 2;
    go(near->skins, from, to, part, end);
    status = st_near_cover(near, from, end, slack, error);
  }
  if (status == ST_OK)
    *share = part * st_advance(near, from, end ? end : to, first);
  if (status == ST_OK && first)
    first->share = *share;
  free(end);
  return status;
}
