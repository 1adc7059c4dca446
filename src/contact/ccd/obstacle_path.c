// All these shapes are convex: seen from the obstacle, the distance f lies above its tangent. Let
// the point be at w from the origin and move by u relative to it, let the obstacle rotate by θ
// about k, and let g be the gradient. After a further fraction s of the path,
// f(s) ≥ f + s (g·u + θ (k×g)·w) - s² (θ |u| + θ² (|w⊥| + |u|)), w⊥: off the axis, s ≤ 1.
// Steps to where this bound meets the gap that must remain never go too far, and converge like
// Newton's method.
#include "contact/ccd/obstacle_path.h"

#include "base/memory.h"
#include "contact/core/provider.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <float.h>

enum { MOST_STEPS = 400 };

static void unit_axis(const double turn[9], double axis[3]) {
  // Half a turn: turn = 2 k kᵀ - 1, whose longest column is along k.
  int column = 0;
  for (int c = 1; c < 3; c++)
    if (turn[4 * c] > turn[4 * column])
      column = c;
  for (int r = 0; r < 3; r++)
    axis[r] = turn[3 * r + column] + (r == column);
  double length = vec3_length(axis);
  for (int r = 0; r < 3; r++)
    axis[r] /= length;
}

// Axis and angle in [0, π] of a rotation.
static double axis_angle(const double turn[9], double axis[3]) {
  double twice[3] = {turn[7] - turn[5], turn[2] - turn[6], turn[3] - turn[1]};
  double sine = vec3_length(twice) / 2, cosine = (turn[0] + turn[4] + turn[8] - 1) / 2;
  vec3_set(0, 0, 1, axis);
  if (sine > 1e-7)
    for (int c = 0; c < 3; c++)
      axis[c] = twice[c] / (2 * sine);
  else if (cosine < 0)
    unit_axis(turn, axis);
  else if (sine > 0)
    for (int c = 0; c < 3; c++)
      axis[c] = twice[c] / (2 * sine);
  return atan2(sine, cosine);
}

void st_obstacle_path(const StObstacleDesc *desc, double start, double end, StObstaclePath *path) {
  StObstacleNow before, after;
  st_obstacle_at(desc, start, &before);
  st_obstacle_at(desc, end, &after);
  *path = (StObstaclePath){.type = before.type, .value = before.value};
  double turn[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[3 * i + j] = vec3_dot(after.rotation + 3 * i, before.rotation + 3 * j);
  for (int i = 0; i < 9; i++)
    path->rotation[i] = before.rotation[i];
  vec3_copy(before.origin, path->origin);
  vec3_sub(after.origin, before.origin, path->shift);
  path->angle = axis_angle(turn, path->axis);
  if (path->angle < 4 * DBL_EPSILON)
    path->angle = 0; // rounding error of a pose that does not rotate
}

double st_obstacle_path_gap(const StObstaclePath *path, double share, const double x[3],
                            double gradient[3]) {
  StObstacleNow now = {.type = path->type, .value = path->value};
  double turn[9];
  for (int i = 0; i < 9; i++)
    now.rotation[i] = path->rotation[i];
  for (int c = 0; c < 3; c++)
    now.origin[c] = path->origin[c] + share * path->shift[c];
  if (path->angle > 0 && share > 0) {
    mat3_rotation(path->axis, share * path->angle, turn);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        now.rotation[3 * i + j] = turn[3 * i] * path->rotation[j] +
                                  turn[3 * i + 1] * path->rotation[3 + j] +
                                  turn[3 * i + 2] * path->rotation[6 + j];
  }
  return st_obstacle_gap(&now, x, gradient);
}

// A step from `share` on that leaves at least `keep` of the gap.
static double step(const StObstaclePath *path, double share, const double x[3], const double u[3],
                   double room, const double gradient[3]) {
  double w[3], swing[3], across[3];
  for (int c = 0; c < 3; c++)
    w[c] = x[c] - path->origin[c] - share * path->shift[c];
  vec3_cross(path->axis, gradient, swing);
  vec3_cross(path->axis, w, across);
  double angle = path->angle, speed = vec3_length(u);
  double rate = vec3_dot(gradient, u) + angle * vec3_dot(swing, w);
  double bend = angle * speed + angle * angle * (vec3_length(across) + speed);
  return st_advance_step(room, rate, bend);
}

// Rounding error of distances near this point.
static double rounding(const StObstaclePath *path, const double from[3], const double to[3]) {
  double largest = 0;
  for (int c = 0; c < 3; c++)
    largest = fmax(largest, fmax(fmax(fabs(from[c]), fabs(to[c])), fabs(path->origin[c])));
  return ST_ADVANCE_ROUNDING * largest;
}

double st_obstacle_path_advance(const StObstaclePath *path, const double from[3],
                                const double to[3], double most) {
  double u[3], x[3], gradient[3], share = 0;
  vec3_sub(to, from, u);
  vec3_copy(from, x);
  double gap = st_obstacle_path_gap(path, 0, from, gradient);
  if (!(gap > 0))
    return -1;
  if (!isfinite(u[0] + u[1] + u[2]))
    return 0;
  double keep = st_advance_keep(gap, 0, rounding(path, from, to));
  double enough = keep + st_contact_tunables.advance_close * (gap - keep);
  vec3_add_scaled(-1, path->shift, u);
  for (int i = 0; i < MOST_STEPS && gap > enough; i++) {
    double next = share + step(path, share, x, u, gap - keep, gradient);
    if (next >= most)
      return most;
    if (!(next > share))
      return share;
    share = next;
    for (int c = 0; c < 3; c++)
      x[c] = from[c] + share * (to[c] - from[c]);
    gap = st_obstacle_path_gap(path, share, x, gradient);
  }
  return share;
}

double st_advance_obstacle(const StObstaclePath *path, int count, const int *place,
                           const double *from, const double *to, StAdvanceHit *first) {
  StAdvanceHit hit = {.share = 1};
  for (int i = 0; i < count && !hit.closed; i++) {
    size_t at = 3 * (size_t)place[i];
    double share = st_obstacle_path_advance(path, from + at, to + at, hit.share);
    if (share < hit.share)
      hit = (StAdvanceHit){.found = true,
                           .closed = share < 0,
                           .kind = ST_CANDIDATE_POINT_POINT,
                           .feature = {place[i], -1},
                           .share = fmax(share, 0)};
  }
  if (first)
    *first = hit;
  return hit.share;
}

static double when(const StInstant *instant) {
  return instant->start + instant->progress * (instant->time - instant->start);
}

// The paths of all points relative to the obstacles of their pairs, which threads share.
typedef struct Paths {
  const StContacts *contacts;
  const bool *parked; // [skins] NULL: none
  const StConfiguration *from, *to;
  StObstaclePath *path; // [obstacles]
  int *first;           // [always_count + 1] of a pair's points
  double *share;        // [points] fraction of its path, regardless of other points
} Paths;

enum { PAIRS_AT_ONCE = 64 };

static const StPair *pair_of(const StContacts *contacts, int i) {
  return &contacts->pair[contacts->always[i]];
}

// Whether no point of a pair can get close, by the gap of the first point, the distances of the
// others from it, and the lengths of their paths. Most bodies are far from most obstacles, and
// without this test each of their points would be followed to the end of its path.
static bool is_far(const Paths *paths, const StPair *pair, int count) {
  const StObstaclePath *path = &paths->path[pair->desc->obstacle];
  const double *from = paths->from->position, *to = paths->to->position;
  double gradient[3], spread = 0, way = 0, sum = 0;
  if (count < 2 || path->angle > 0)
    return false;
  const double *first = from + 3 * (size_t)pair->point[0];
  for (int k = 0; k < count; k++) {
    const double *a = from + 3 * (size_t)pair->point[k], *b = to + 3 * (size_t)pair->point[k];
    double off = 0, u = 0;
    for (int c = 0; c < 3; c++) {
      off += (a[c] - first[c]) * (a[c] - first[c]);
      u += (b[c] - a[c]) * (b[c] - a[c]);
    }
    spread = off > spread ? off : spread;
    way = u > way ? u : way;
    sum += off + u; // comparisons ignore NaN, sums keep it
  }
  double gap = st_obstacle_path_gap(path, 0, first, gradient);
  spread = sqrt(spread);
  way = sqrt(way);
  double size = rounding(path, first, first) + ST_ADVANCE_ROUNDING * (spread + way);
  double closing = way + vec3_length(path->shift) + 2 * size;
  return isfinite(sum) && gap - spread - closing > st_advance_keep(gap + spread, 0, size);
}

static void advance_points(void *context, int begin, int end) {
  const Paths *paths = context;
  for (int i = begin; i < end; i++) {
    const StPair *pair = pair_of(paths->contacts, i);
    int count = paths->first[i + 1] - paths->first[i];
    bool far = (paths->parked && st_pair_is_parked(paths->contacts, pair, paths->parked)) ||
               is_far(paths, pair, count);
    for (int k = 0; k < count && far; k++)
      paths->share[paths->first[i] + k] = 1;
    for (int k = 0; k < count && !far; k++) {
      size_t at = 3 * (size_t)pair->point[k];
      paths->share[paths->first[i] + k] =
          st_obstacle_path_advance(&paths->path[pair->desc->obstacle], paths->from->position + at,
                                   paths->to->position + at, 1);
    }
  }
}

static void free_paths(Paths *paths) {
  free(paths->path);
  free(paths->first);
  free(paths->share);
}

static bool make_paths(const StContacts *contacts, const bool *parked, const StConfiguration *from,
                       const StConfiguration *to, Paths *paths) {
  int obstacles = contacts->description->obstacle_count;
  *paths = (Paths){.contacts = contacts,
                   .parked = parked,
                   .from = from,
                   .to = to,
                   .path = ST_NEW(StObstaclePath, obstacles),
                   .first = ST_NEW(int, contacts->always_count + 1)};
  if (!paths->path || !paths->first)
    return false;
  for (int i = 0; i < contacts->always_count; i++) {
    const StPair *pair = pair_of(contacts, i);
    int count = pair->provider == &st_provider_obstacle ? pair->point_count : 0;
    StObstaclePath *path = count > 0 ? &paths->path[pair->desc->obstacle] : NULL;
    if (path && !path->type)
      st_obstacle_path(&contacts->description->obstacle[pair->desc->obstacle], when(&from->instant),
                       when(&to->instant), path);
    paths->first[i + 1] = paths->first[i] + count;
  }
  paths->share = ST_NEW(double, paths->first[contacts->always_count]);
  return paths->share;
}

static bool follow_paths(const StContacts *contacts, const bool *parked,
                         const StConfiguration *from, const StConfiguration *to, Paths *paths) {
  if (!make_paths(contacts, parked, from, to, paths)) {
    free_paths(paths);
    return false;
  }
  st_crew_sweep(contacts->piece->crew, 0, contacts->always_count, PAIRS_AT_ONCE, advance_points,
                paths);
  return true;
}

StStatus st_obstacle_paths_limit(const StContacts *contacts, const StConfiguration *from,
                                 const StConfiguration *to, double *part) {
  Paths paths;
  *part = 1;
  if (!follow_paths(contacts, NULL, from, to, &paths))
    return ST_SYSTEM_FAULT;
  for (int k = 0; k < paths.first[contacts->always_count]; k++)
    *part = paths.share[k] < *part ? fmax(paths.share[k], 0) : *part;
  free_paths(&paths);
  return ST_OK;
}

bool st_obstacle_paths_hits(const StContacts *contacts, const bool *parked,
                            const StConfiguration *from, const StConfiguration *to,
                            StAdvanceHits *hits) {
  Paths paths;
  bool followed = follow_paths(contacts, parked, from, to, &paths), good = followed;
  for (int i = 0; good && i < contacts->always_count; i++)
    for (int k = paths.first[i]; good && k < paths.first[i + 1]; k++)
      if (paths.share[k] < 1)
        good = st_advance_hits_add(hits, pair_of(contacts, i)->point[k - paths.first[i]], -1,
                                   paths.share[k]);
  if (followed)
    free_paths(&paths);
  return good;
}
