// Two bounds on the approach of a pair; the longer step counts. By speed: a distance shrinks no
// faster than both features move together. By direction: for any vector n the distance is at least
// the smallest n · (a - b)/|n| over corners a and b. Along the normal this is exact at first; n
// moves with the features, so they may slide past each other and rotate together.
#include "contact/ccd/conservative_advancement.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "contact/core/rest_distance.h"
#include "math/vec3.h"
#include "contact/tunables.h"

enum { MOST_STEPS = 400, ROWS_AT_ONCE = 512 };

double st_advance_keep(double gap, double reach, double rounding) {
  double keep =
      fmax(st_contact_tunables.advance_kept * gap,
           fmin(st_contact_tunables.advance_deep * reach, st_contact_tunables.advance_half * gap));
  if (reach > 0) // pairs farther apart are in some lists only, and must not matter
    keep = fmin(keep, reach);
  return fmax(keep, fmin(rounding, 0.999 * gap));
}

double st_advance_step(double room, double rate, double bend) {
  double root = sqrt(rate * rate + 4 * bend * room);
  if (rate < 0)
    return 2 * room / (root - rate);
  return bend > 0 ? (rate + root) / (2 * bend) : INFINITY;
}

// A pair on its path, relative to its first place at the start and without its mean motion.
typedef struct Path {
  const StCandidatePair *pair;
  double start[4][3], motion[4][3];
  double speed;    // upper bound of the approach
  double rounding; // rounding error of its distances, m
} Path;

// fmax and fmin are slow library calls, because they handle NaN.
static inline double larger(double a, double b) {
  return a > b ? a : b;
}
static inline double smaller(double a, double b) {
  return a < b ? a : b;
}

static double longest(const double motion[][3], int first, int end) {
  double square = 0;
  for (int i = first; i < end; i++)
    square = larger(square, vec3_dot(motion[i], motion[i]));
  return sqrt(square);
}

// False when some coordinate is not finite.
static bool begin_path(const StCandidatePair *pair, const double *from, const double *to,
                       Path *path) {
  double mean[3] = {0}, largest = 0, sum = 0;
  const double *origin = from + 3 * (size_t)pair->place[0];
  path->pair = pair;
  for (int i = 0; i < pair->count; i++) {
    const double *a = from + 3 * (size_t)pair->place[i], *b = to + 3 * (size_t)pair->place[i];
    vec3_sub(a, origin, path->start[i]);
    vec3_sub(b, a, path->motion[i]);
    vec3_add_scaled(1.0 / pair->count, path->motion[i], mean);
    for (int c = 0; c < 3; c++) {
      largest = larger(largest, larger(fabs(a[c]), fabs(b[c])));
      sum += path->motion[i][c];
    }
  }
  for (int i = 0; i < pair->count; i++)
    vec3_add_scaled(-1, mean, path->motion[i]);
  path->speed = longest(path->motion, 0, pair->first_count) +
                longest(path->motion, pair->first_count, pair->count);
  path->rounding = ST_ADVANCE_ROUNDING * largest;
  return isfinite(sum) && isfinite(path->speed);
}

// Distance between the boxes of both features along some axis: a lower bound of their distance.
static double boxes_apart(const Path *path) {
  double most = 0;
  for (int c = 0; c < 3; c++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < path->pair->count; i++) {
      int side = i >= path->pair->first_count;
      low[side] = smaller(low[side], path->start[i][c]);
      high[side] = larger(high[side], path->start[i][c]);
    }
    most = larger(most, larger(low[0] - high[1], low[1] - high[0]));
  }
  return most;
}

static void positions(const Path *path, double share, double x[4][3]) {
  for (int i = 0; i < path->pair->count; i++)
    for (int c = 0; c < 3; c++)
      x[i][c] = path->start[i][c] + share * path->motion[i][c];
}

// A direction that moves with the pair: n(s) = term[0] + term[1] s + term[2] s².
typedef struct Direction {
  double term[3][3];
  bool level; // always perpendicular to both features, so all corners give the same
} Direction;

static void scale(double by, double v[3]) {
  for (int c = 0; c < 3; c++)
    v[c] *= by;
}

// a × b for moving vectors, pointing along `towards` now. Unlike the difference of close points,
// the product keeps its direction.
static void direct_across(const double a[2][3], const double b[2][3], const double towards[3],
                          Direction *direction) {
  double other[3];
  vec3_cross(a[0], b[0], direction->term[0]);
  vec3_cross(a[0], b[1], direction->term[1]);
  vec3_cross(a[1], b[0], other);
  vec3_add_scaled(1, other, direction->term[1]);
  vec3_cross(a[1], b[1], direction->term[2]);
  direction->level = true;
  if (vec3_dot(direction->term[0], towards) < 0)
    for (int k = 0; k < 3; k++)
      scale(-1, direction->term[k]);
}

// Vector from corner i to corner k, and its rate.
static void span(const Path *path, const double x[4][3], int i, int k, double out[2][3]) {
  vec3_sub(x[k], x[i], out[0]);
  vec3_sub(path->motion[k], path->motion[i], out[1]);
}

// From a material point of the second feature to one of the first: Σ weight x.
static void direct_between(const Path *path, const double x[4][3], const double weight[4],
                           Direction *direction) {
  *direction = (Direction){.level = false};
  for (int i = 0; i < path->pair->count; i++) {
    vec3_add_scaled(weight[i], x[i], direction->term[0]);
    vec3_add_scaled(weight[i], path->motion[i], direction->term[1]);
  }
}

// Distance of a point from a triangle, an edge or a point.
static double look_from_point(const Path *path, const double x[4][3], Direction *direction) {
  StClosest closest = {.feature = ST_CORNER_0, .share = {1, 0, 0}};
  double a[2][3], b[2][3], to[2][3];
  if (path->pair->count == 4)
    st_primitive_point_triangle(x, &closest);
  else if (path->pair->count == 3)
    st_primitive_point_edge(x, &closest);
  const double weight[4] = {1, -closest.share[0], -closest.share[1], -closest.share[2]};
  direct_between(path, x, weight, direction);
  if (path->pair->count == 2)
    return vec3_length(direction->term[0]);
  if (closest.feature == ST_FACE) {
    span(path, x, 1, 2, a);
    span(path, x, 1, 3, b);
    span(path, x, 1, 0, to);
    direct_across(a, b, to[0], direction);
  }
  return sqrt(closest.square);
}

static double look_between_edges(const Path *path, const double x[4][3], Direction *direction) {
  double param[2], square, a[2][3], b[2][3], towards[3];
  bool inside = st_primitive_edge_edge(x, param, &square);
  const double weight[4] = {1 - param[0], param[0], param[1] - 1, -param[1]};
  direct_between(path, x, weight, direction);
  vec3_copy(direction->term[0], towards);
  if (inside) {
    span(path, x, 0, 1, a);
    span(path, x, 2, 3, b);
    direct_across(a, b, towards, direction);
  }
  return sqrt(square);
}

// Distance at these positions, and a direction from the second feature to the first.
static double look(const Path *path, const double x[4][3], Direction *direction) {
  return path->pair->first_count == 2 ? look_between_edges(path, x, direction)
                                      : look_from_point(path, x, direction);
}

// How far c₀ + c₁ s + c₂ s² + c₃ s³ is certainly not negative, up to `end`: steps along the
// tangent, with a bound on the higher terms subtracted.
static double stay_positive(const double coefficient[4], double end) {
  double c0 = coefficient[0], c1 = coefficient[1], c2 = coefficient[2], c3 = coefficient[3];
  double at = 0, enough = 1e-3 * c0;
  for (int i = 0; i < MOST_STEPS && c0 > enough; i++) {
    double left = end - at, step = 0;
    for (int k = 0; k < 3; k++) { // the bound is tighter over a shorter range
      double ahead = k == 0 ? left : smaller(left, 2 * step);
      double bend = larger(-c2, 0) + ahead * larger(-c3, 0);
      step = larger(step, smaller(ahead, st_advance_step(c0, c1, bend)));
    }
    if (!(step < left))
      return end;
    at += step;
    c0 += step * (c1 + step * (c2 + step * c3));
    c1 += step * (2 * c2 + 3 * step * c3);
    c2 += 3 * step * c3;
  }
  return at;
}

// How long two corners stay `target` apart along the direction: n · x - target |n| ≥ 0, where |n| ≤
// |n₀| + |n₁| s + |n₂| s².
static double corners_apart(const double n[3][3], const double x[2][3], double target, double end) {
  double c[4] = {vec3_dot(n[0], x[0]), vec3_dot(n[0], x[1]) + vec3_dot(n[1], x[0]),
                 vec3_dot(n[1], x[1]) + vec3_dot(n[2], x[0]), vec3_dot(n[2], x[1])};
  for (int k = 0; k < 3; k++)
    c[k] -= target * vec3_length(n[k]);
  return c[0] > 0 ? stay_positive(c, end) : 0;
}

static double all_apart(const Path *path, const double x[4][3], const Direction *direction,
                        double target, double end) {
  const StCandidatePair *pair = path->pair;
  int last = direction->level ? 1 : pair->first_count;
  int stop = direction->level ? pair->first_count + 1 : pair->count;
  for (int i = 0; i < last; i++)
    for (int k = pair->first_count; k < stop; k++) {
      double between[2][3];
      span(path, x, k, i, between);
      end = fmin(end, corners_apart(direction->term, between, target, end));
    }
  return end;
}

// A direction that joins two points of the features rotates as they slide past each other; a fixed
// direction is also valid, and then better.
static double step_by_direction(const Path *path, const double x[4][3], const Direction *direction,
                                double target, double end) {
  double step = all_apart(path, x, direction, target, end);
  if (direction->level || step >= end)
    return step;
  Direction fixed = {.level = false};
  vec3_copy(direction->term[0], fixed.term[0]);
  return fmax(step, all_apart(path, x, &fixed, target, end));
}

// Advances by the longer of both bounds towards where only keep[0] of the gap is left, and ends
// within keep[1].
static double advance_on(const Path *path, double gap, const double keep[2], const Direction *first,
                         double most) {
  double share = 0, x[4][3];
  Direction direction = *first;
  positions(path, 0, x);
  for (int i = 0; i < MOST_STEPS; i++) {
    double by_speed = (gap - keep[0]) / path->speed;
    share += fmax(by_speed, step_by_direction(path, x, &direction, keep[0] + path->pair->radii,
                                              most - share));
    if (!(share < most))
      return most;
    positions(path, share, x);
    gap = look(path, x, &direction) - path->pair->radii;
    if (!(gap > keep[1]))
      return share;
  }
  return share;
}

// Negative: the gap is closed at the start.
static double advance(const StSkins *skins, StCandidatePair *pair, const double *from,
                      const double *to, double most) {
  Path path;
  Direction direction;
  if (!begin_path(pair, from, to, &path))
    return 0;
  double far = boxes_apart(&path) - pair->radii;
  far -= st_advance_keep(far, pair->reach, path.rounding) + path.rounding;
  if (far > path.speed * most)
    return most;
  double gap = look(&path, path.start, &direction) - pair->radii;
  if (!(gap > 0))
    return -1;
  if (gap - st_advance_keep(gap, pair->reach, path.rounding) - path.rounding >= path.speed * most)
    return most;
  if (pair->same)
    pair->reach = st_resting_reach(skins, pair, pair->reach);
  double keep = st_advance_keep(gap, pair->reach, path.rounding);
  return advance_on(&path, gap,
                    (double[]){keep, keep + st_contact_tunables.advance_close * (gap - keep)},
                    &direction, most);
}

// Whether a pair that is apart at both ends of its path meets in between.
static bool meets_between(const StCandidatePair *pair, const double *from, const double *to) {
  Path path;
  Direction direction;
  double end[4][3];
  if (!begin_path(pair, from, to, &path))
    return true;
  if (boxes_apart(&path) - pair->radii > path.speed + path.rounding)
    return false;
  positions(&path, 1, end);
  double last = look(&path, end, &direction) - pair->radii;
  double first = look(&path, path.start, &direction) - pair->radii;
  double least = st_contact_tunables.advance_kept * smaller(smaller(first, last), pair->reach);
  const double keep[2] = {st_contact_tunables.advance_half * least, least};
  // No gap is smaller than (first + last - speed)/2.
  return !(least > 0) || (first + last - 2 * least < path.speed &&
                          advance_on(&path, first, keep, &direction, 1) < 1);
}

double st_advance_pair(const StCandidatePair *pair, const double *from, const double *to,
                       double most) {
  StCandidatePair alone = *pair;
  alone.same = false;
  return fmax(advance(NULL, &alone, from, to, most), 0);
}

static void note(StAdvanceHit *hit, StCandidateKind kind, const int pair[2], double share) {
  *hit = (StAdvanceHit){.found = true,
                        .closed = share < 0,
                        .kind = kind,
                        .feature = {pair[0], pair[1]},
                        .share = fmax(share, 0)};
}

// Whether a pair certainly does not meet on the whole path, so that advance() would return 1. This
// holds for most pairs and is cheaper.
static bool is_free(const StCandidatePair *pair, const double *from, const double *to) {
  Path path;
  Direction direction;
  if (!begin_path(pair, from, to, &path))
    return false;
  double far = boxes_apart(&path) - pair->radii;
  far -= st_advance_keep(far, pair->reach, path.rounding) + path.rounding;
  if (far > path.speed)
    return true;
  double gap = look(&path, path.start, &direction) - pair->radii;
  return gap > 0 &&
         gap - st_advance_keep(gap, pair->reach, path.rounding) - path.rounding >= path.speed;
}

// The motion of a skin: that of its first place, from which no other place deviates by more than
// `spread`.
typedef struct Drift {
  double motion[3];
  double spread;  // m; NaN or infinite: unknown
  double largest; // largest coordinate on the path
} Drift;

static void drift_begin(Drift *drift, int place, const double *from, const double *to) {
  vec3_sub(to + 3 * (size_t)place, from + 3 * (size_t)place, drift->motion);
  drift->spread = drift->largest = 0;
}

static void drift_take(Drift *drift, int place, const double *from, const double *to) {
  const double *a = from + 3 * (size_t)place, *b = to + 3 * (size_t)place;
  double square = 0;
  for (int c = 0; c < 3; c++) {
    double more = b[c] - a[c] - drift->motion[c];
    square += more * more;
    drift->largest = larger(drift->largest, larger(fabs(a[c]), fabs(b[c])));
  }
  // Squares here, a length in the end. NaN stays NaN.
  drift->spread = square > drift->spread || isnan(square) ? square : drift->spread;
}

typedef struct Drifting {
  const StSkins *skins;
  const double *from, *to;
  Drift *drift; // [skins]
} Drifting;

static void drift_skins(void *context, int begin, int end) {
  const Drifting *drifting = context;
  const StSkins *skins = drifting->skins;
  const double *from = drifting->from, *to = drifting->to;
  for (int s = begin; s < end; s++) {
    const StSkin *skin = &skins->skin[s];
    const int *edge = skins->edge_place + 2 * (size_t)skin->first_edge;
    const int *point = skins->point_place + skin->first_point;
    Drift *drift = &drifting->drift[s];
    if (skin->point_count + skin->edge_count > 0)
      drift_begin(drift, skin->point_count > 0 ? *point : *edge, from, to);
    for (int i = 0; i < skin->point_count; i++)
      drift_take(drift, point[i], from, to);
    for (int i = 0; i < 2 * skin->edge_count && skin->body < 0; i++) // a body's have points, too
      drift_take(drift, edge[i], from, to);
    drift->spread = sqrt(drift->spread);
  }
}

// NULL: out of memory.
static Drift *find_drifts(const StSkins *skins, const double *from, const double *to) {
  Drifting drifting = {skins, from, to, malloc((size_t)(skins->skin_count + 1) * sizeof(Drift))};
  if (drifting.drift)
    st_crew_sweep(skins->crew, 0, skins->skin_count, ST_SKINS_AT_ONCE, drift_skins, &drifting);
  return drifting.drift;
}

// The corners of a feature.
typedef struct Corners {
  const int *place;
  int count, skin;
} Corners;

static inline Corners corners_of(const StSkins *skins, StCandidateKind kind, int side,
                                 int feature) {
  bool edge = kind == ST_CANDIDATE_EDGE_EDGE || (kind == ST_CANDIDATE_POINT_EDGE && side == 1);
  if (kind == ST_CANDIDATE_POINT_TRIANGLE && side == 1)
    return (Corners){skins->triangle_place + 3 * (size_t)feature, 3, skins->triangle_skin[feature]};
  if (edge)
    return (Corners){skins->edge_place + 2 * (size_t)feature, 2, skins->edge_skin[feature]};
  return (Corners){skins->point_place + feature, 1, skins->point_skin[feature]};
}

// Whether two features are farther apart than `least` along some axis.
static inline bool are_past(const double *from, const Corners *a, const Corners *b, double least) {
  for (int c = 0; c < 3; c++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < a->count; i++) {
      double x = from[3 * (size_t)a->place[i] + (size_t)c];
      low[0] = smaller(low[0], x);
      high[0] = larger(high[0], x);
    }
    for (int i = 0; i < b->count; i++) {
      double x = from[3 * (size_t)b->place[i] + (size_t)c];
      low[1] = smaller(low[1], x);
      high[1] = larger(high[1], x);
    }
    if (low[0] - high[1] > least || low[1] - high[0] > least)
      return true;
  }
  return false;
}

// The same for most pairs, by their positions and the motions of their skins, which for rigid
// bodies is as good as their own motions. At most half of a gap must remain (st_advance_keep), so a
// pair at twice the distance by which its skins may approach is free in any case.
static bool is_far(const StSkins *skins, const Drift *drift, StCandidateKind kind,
                   const int pair[2], const double *from) {
  Corners first = corners_of(skins, kind, 0, pair[0]), other = corners_of(skins, kind, 1, pair[1]);
  const Drift *a = &drift[first.skin], *b = &drift[other.skin];
  double between[3], rounding = ST_ADVANCE_ROUNDING * larger(a->largest, b->largest);
  vec3_sub(a->motion, b->motion, between);
  double nearer = vec3_length(between) + a->spread + b->spread + 2 * rounding;
  return are_past(from, &first, &other, 2 * nearer + st_skins_radii(skins, first.skin, other.skin));
}

// Threads sort out the free pairs and may also follow the others. Otherwise those are followed in
// order, each no farther than the ones before it allow.
typedef struct Sieve {
  const StSkins *skins;
  StCandidateKind kind;
  const StCandidateList *list;
  const double *from, *to;
  const Drift *drift; // [skins] NULL: not known
  const bool *parked; // [skins] those that do not move; NULL: none
  const bool *clear;  // [skins] those that do not meet each other; NULL: not known
  bool between;       // whether the question is if pairs meet, not how far they may go
  bool *free;         // [pairs of the list]
  double *share;      // [pairs of the list] fraction of its path that a pair may follow; or NULL
} Sieve;

static bool is_clear(const Sieve *sieve, const int features[2]) {
  int a = corners_of(sieve->skins, sieve->kind, 0, features[0]).skin;
  int b = corners_of(sieve->skins, sieve->kind, 1, features[1]).skin;
  return (sieve->parked && sieve->parked[a] && sieve->parked[b]) ||
         (sieve->clear && sieve->clear[a] && sieve->clear[b]);
}

// Whether a pair is free without following its own path.
static bool is_soon_free(const Sieve *sieve, const int features[2]) {
  return is_clear(sieve, features) ||
         (sieve->drift && is_far(sieve->skins, sieve->drift, sieve->kind, features, sieve->from));
}

static void sieve_rows(void *context, int begin, int end) {
  Sieve *sieve = context;
  for (int i = begin; i < end; i++) {
    const int *features = sieve->list->pair + 2 * (size_t)i;
    sieve->free[i] = is_soon_free(sieve, features);
    if (sieve->free[i])
      continue;
    StCandidatePair pair = st_candidates_pair(sieve->skins, sieve->kind, features);
    if (sieve->share)
      sieve->share[i] = advance(sieve->skins, &pair, sieve->from, sieve->to, 1);
    sieve->free[i] = sieve->share     ? sieve->share[i] == 1
                     : sieve->between ? !meets_between(&pair, sieve->from, sieve->to)
                                      : is_free(&pair, sieve->from, sieve->to);
  }
}

// of: known data of the paths. each: every pair is followed to the end, regardless of the others.
static Sieve sieve_open(const StCandidates *candidates, int kind, const Sieve *of, bool each) {
  const StCandidateList *list = &candidates->list[kind];
  Sieve sieve = *of;
  sieve.skins = candidates->skins;
  sieve.kind = (StCandidateKind)kind;
  sieve.list = list;
  if (st_crew_size(candidates->skins->crew) > 1 && list->count > ROWS_AT_ONCE)
    sieve.free = malloc((size_t)list->count); // if this fails, all pairs are followed
  if (sieve.free && each)
    sieve.share = malloc((size_t)list->count * sizeof(double)); // the same
  if (sieve.free)
    st_crew_sweep(candidates->skins->crew, 0, list->count, ROWS_AT_ONCE, sieve_rows, &sieve);
  return sieve;
}

static void sieve_close(Sieve *sieve) {
  free(sieve->free);
  free(sieve->share);
}

// Fills *pair; false: the pair is free.
static bool sieve_pair(const Sieve *sieve, int row, StCandidatePair *pair) {
  const int *features = sieve->list->pair + 2 * (size_t)row;
  if (sieve->free ? sieve->free[row] : is_soon_free(sieve, features))
    return false;
  *pair = st_candidates_pair(sieve->skins, sieve->kind, features);
  return true;
}

static void advance_list(const Sieve *sieve, StAdvanceHit *hit) {
  const StCandidateList *list = sieve->list;
  for (int i = 0; i < list->count && !hit->closed; i++) {
    StCandidatePair pair;
    if (!sieve_pair(sieve, i, &pair))
      continue;
    double share = advance(sieve->skins, &pair, sieve->from, sieve->to, hit->share);
    if (share < hit->share || share < 0)
      note(hit, sieve->kind, list->pair + 2 * (size_t)i, share);
  }
}

double st_advance(const StCandidates *candidates, const double *from, const double *to,
                  StAdvanceHit *first) {
  StAdvanceHit hit = {.share = 1};
  Drift *drift = find_drifts(candidates->skins, from, to);
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++) {
    Sieve paths = {.from = from, .to = to, .drift = drift};
    Sieve sieve = sieve_open(candidates, kind, &paths, false);
    advance_list(&sieve, &hit);
    sieve_close(&sieve);
  }
  free(drift);
  if (first)
    *first = hit;
  return hit.share;
}

void st_advance_hits_free(StAdvanceHits *hits) {
  free(hits->hit);
}

bool st_advance_hits_add(StAdvanceHits *hits, int place, int other, double share) {
  if (!ST_GROW(hits->hit, hits->capacity, hits->count + 1))
    return false;
  hits->hit[hits->count++] = (StAdvanceMeeting){{place, other}, fmax(share, 0)};
  return true;
}

bool st_advance_all(const StCandidates *candidates, const double *from, const double *to,
                    const bool *parked, bool *clear, StAdvanceHits *hits) {
  const StSkins *skins = candidates->skins;
  bool *meets = calloc((size_t)skins->skin_count + 1, sizeof(bool)), good = meets;
  Drift *drift = find_drifts(skins, from, to);
  for (int kind = 0; kind < ST_CANDIDATE_KINDS && good; kind++) {
    Sieve paths = {.from = from, .to = to, .drift = drift, .parked = parked, .clear = clear};
    Sieve sieve = sieve_open(candidates, kind, &paths, true);
    for (int i = 0; i < sieve.list->count && good; i++) {
      const int *features = sieve.list->pair + 2 * (size_t)i;
      StCandidatePair pair;
      if (!sieve_pair(&sieve, i, &pair))
        continue;
      double share = sieve.share ? sieve.share[i] : advance(skins, &pair, from, to, 1);
      if (!(share < 1))
        continue;
      good = st_advance_hits_add(hits, pair.place[0], pair.place[pair.first_count], share);
      for (int side = 0; side < 2; side++)
        meets[corners_of(skins, sieve.kind, side, features[side]).skin] = true;
    }
    sieve_close(&sieve);
  }
  for (int s = 0; s < skins->skin_count && meets; s++)
    clear[s] = !meets[s];
  free(meets);
  free(drift);
  return good;
}

bool st_advance_crossings(const StCandidates *candidates, const double *from, const double *to,
                          StCrossingList *list) {
  Drift *drift = find_drifts(candidates->skins, from, to);
  bool good = true;
  for (int kind = 0; kind < ST_CANDIDATE_KINDS && good; kind++) {
    Sieve paths = {.from = from, .to = to, .drift = drift, .between = true};
    Sieve sieve = sieve_open(candidates, kind, &paths, false);
    for (int i = 0; i < sieve.list->count && good; i++) {
      StCandidatePair pair;
      const int *of = sieve.list->pair + 2 * (size_t)i;
      if (!sieve_pair(&sieve, i, &pair) || (!sieve.free && !meets_between(&pair, from, to)))
        continue;
      good = ST_GROW(list->crossing, list->capacity, list->count + 1);
      if (good)
        list->crossing[list->count++] = (StCrossing){sieve.kind, {of[0], of[1]}};
    }
    sieve_close(&sieve);
  }
  free(drift);
  return good;
}
