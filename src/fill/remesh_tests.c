// The tests that every change of the surface must pass.
#include "fill/remesh_parts.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "math/vec3.h"

// Shapes at least this good may get worse; others may not.
static const double GOOD_ENOUGH = 0.3;

StCorners st_remesh_corners(const StRemesh *work, int triangle) {
  const int *corner = work->net.triangle + 3 * (size_t)triangle;
  return (StCorners){{st_net_place(&work->net, corner[0]), st_net_place(&work->net, corner[1]),
                      st_net_place(&work->net, corner[2])}};
}

void st_remesh_normal(const StCorners *corners, double normal[3]) {
  double a[3], b[3];
  vec3_sub(corners->x[1], corners->x[0], a);
  vec3_sub(corners->x[2], corners->x[0], b);
  vec3_cross(a, b, normal);
}

static double edge_squares(const StCorners *corners, double *longest) {
  double sum = 0;
  *longest = 0;
  for (int i = 0; i < 3; i++) {
    double edge[3];
    vec3_sub(corners->x[(i + 1) % 3], corners->x[i], edge);
    double square = vec3_dot(edge, edge);
    *longest = fmax(*longest, square);
    sum += square;
  }
  return sum;
}

double st_remesh_quality(const StCorners *corners) {
  double normal[3], longest, sum = edge_squares(corners, &longest);
  st_remesh_normal(corners, normal);
  return sum > 0 ? 2 * sqrt(3) * vec3_length(normal) / sum : 0;
}

static double tolerance_at(const StRemesh *work, const double x[3]) {
  const StRemeshWish *wish = work->wish;
  double factor = 1;
  for (int k = 0; k < wish->ball_count; k++) {
    double way[3];
    vec3_sub(x, wish->ball[k].middle, way);
    if (wish->ball[k].factor < factor && vec3_length(way) < wish->ball[k].radius)
      factor = wish->ball[k].factor;
  }
  return factor * wish->tolerance;
}

static bool is_close(const StRemesh *work, const double x[3]) {
  return st_nearest_find(&work->surface, x, tolerance_at(work, x), NULL, NULL) < INFINITY;
}

// Corners are on the surface or close to it; between them midpoints are checked. No point of a
// triangle is farther from a corner than its longest edge.
static bool stays_close(const StRemesh *work, const StCorners *corners) {
  double middle[3] = {0}, longest;
  edge_squares(corners, &longest);
  double tolerance = tolerance_at(work, corners->x[0]);
  if (longest < 0.25 * tolerance * tolerance)
    return true;
  for (int i = 0; i < 3; i++) {
    double half[3] = {0};
    vec3_add_scaled(0.5, corners->x[i], half);
    vec3_add_scaled(0.5, corners->x[(i + 1) % 3], half);
    vec3_add_scaled(1.0 / 3, corners->x[i], middle);
    if (!is_close(work, half))
      return false;
  }
  return is_close(work, middle);
}

// A flat triangle has a normal of round-off, which cannot be compared.
bool st_remesh_fits(const StRemesh *work, const StCorners *corners, const double normal[3]) {
  double mine[3], longest, sum = edge_squares(corners, &longest);
  st_remesh_normal(corners, mine);
  double length = vec3_length(mine), other = vec3_length(normal);
  if (!(length > 1e-6 * sum))
    return false;
  if (other > 1e-6 * sum && vec3_dot(mine, normal) < 0.5 * length * other)
    return false;
  return stays_close(work, corners);
}

static double point_distance(const double x[3], const StCorners *corners) {
  return st_primitive_point_triangle_distance(x, corners->x[0], corners->x[1], corners->x[2]);
}

// The triangle with the place of `from` taken by that of `to`; false where it has both.
static bool moved_corners(const StRemesh *work, int triangle, int from, int to,
                          StCorners *corners) {
  *corners = st_remesh_corners(work, triangle);
  if (to >= 0 && st_net_corner(&work->net, triangle, to) >= 0 &&
      st_net_corner(&work->net, triangle, from) >= 0)
    return false;
  int at = st_net_corner(&work->net, triangle, from);
  if (at >= 0)
    corners->x[at] = st_net_place(&work->net, to);
  return true;
}

// Whether a point stays close to the surface around `to` after `from` is merged into it.
static bool is_kept(const StRemesh *work, int from, int to, const double x[3]) {
  const int center[2] = {to, from};
  double tolerance = tolerance_at(work, x);
  for (int c = 0; c < 2; c++) {
    const StFan *fan = &work->net.fan[center[c]];
    for (int k = 0; k < fan->count; k++) {
      StCorners corners;
      if (moved_corners(work, fan->triangle[k], from, to, &corners) &&
          point_distance(x, &corners) <= tolerance)
        return true;
    }
  }
  return false;
}

static bool all_kept(const StRemesh *work, int from, int to) {
  const int vertex[2] = {from, to};
  if (!is_kept(work, from, to, st_net_place(&work->net, from)))
    return false;
  for (int i = 0; i < 2; i++) {
    const StLost *lost = vertex[i] < work->lost_count ? &work->lost[vertex[i]] : NULL;
    for (int k = 0; lost && k < lost->count; k++)
      if (!is_kept(work, from, to, lost->point[k]))
        return false;
  }
  return true;
}

static bool may_change(const StRemesh *work, const StCorners *old, const StCorners *new) {
  double normal[3], longest;
  double was = st_remesh_quality(old), is = st_remesh_quality(new);
  if (is < GOOD_ENOUGH && is < was)
    return false;
  edge_squares(new, &longest);
  double most = 4.0 / 3 * work->wish->edge, before;
  edge_squares(old, &before);
  if (longest > most * most && longest > before)
    return false;
  st_remesh_normal(old, normal);
  return st_remesh_fits(work, new, normal);
}

bool st_remesh_may_collapse(const StRemesh *work, int triangle, int i) {
  const StNet *net = &work->net;
  int from = net->triangle[3 * triangle + i], to = net->triangle[3 * triangle + (i + 1) % 3];
  const StFan *fan = &net->fan[from];
  for (int k = 0; k < fan->count; k++) {
    StCorners old = st_remesh_corners(work, fan->triangle[k]), new;
    if (moved_corners(work, fan->triangle[k], from, to, &new) && !may_change(work, &old, &new))
      return false;
  }
  return all_kept(work, from, to);
}

// Whether a point stays close to the triangles around a vertex after that has moved.
static bool is_kept_by_move(const StRemesh *work, int vertex, const double to[3],
                            const double x[3]) {
  const StFan *fan = &work->net.fan[vertex];
  double tolerance = tolerance_at(work, x);
  for (int k = 0; k < fan->count; k++) {
    StCorners corners = st_remesh_corners(work, fan->triangle[k]);
    corners.x[st_net_corner(&work->net, fan->triangle[k], vertex)] = to;
    if (point_distance(x, &corners) <= tolerance)
      return true;
  }
  return false;
}

bool st_remesh_may_move(const StRemesh *work, int vertex, const double to[3]) {
  const StFan *fan = &work->net.fan[vertex];
  const StLost *lost = vertex < work->lost_count ? &work->lost[vertex] : NULL;
  for (int k = 0; lost && k < lost->count; k++)
    if (!is_kept_by_move(work, vertex, to, lost->point[k]))
      return false;
  for (int k = 0; k < fan->count; k++) {
    StCorners old = st_remesh_corners(work, fan->triangle[k]), new = old;
    new.x[st_net_corner(&work->net, fan->triangle[k], vertex)] = to;
    if (!may_change(work, &old, &new))
      return false;
  }
  return true;
}

static StStatus add_lost(StLost *lost, const double x[3], StError *error) {
  if (lost->count == lost->capacity) {
    int capacity = lost->capacity ? 2 * lost->capacity : 4;
    double(*grown)[3] = realloc(lost->point, (size_t)capacity * sizeof *grown);
    ST_TRY_MEMORY(grown, error);
    lost->point = grown;
    lost->capacity = capacity;
  }
  vec3_copy(x, lost->point[lost->count++]);
  return ST_OK;
}

StStatus st_remesh_add_lost(StRemesh *work, int vertex, const double x[3], StError *error) {
  return add_lost(&work->lost[vertex], x, error);
}

// Vertices created by splits are not points of the original surface.
StStatus st_remesh_lose(StRemesh *work, int from, int to, StError *error) {
  StLost *lost = from < work->lost_count ? &work->lost[from] : NULL;
  if (to >= work->lost_count || !lost)
    return ST_OK;
  if (from < work->given->vertex_count)
    ST_TRY(add_lost(&work->lost[to], st_net_place(&work->net, from), error));
  for (int k = 0; k < lost->count; k++)
    ST_TRY(add_lost(&work->lost[to], lost->point[k], error));
  lost->count = 0;
  return ST_OK;
}

void st_remesh_free_lost(StRemesh *work) {
  for (int v = 0; v < work->lost_count; v++)
    free(work->lost[v].point);
  free(work->lost);
  work->lost = NULL;
  work->lost_count = 0;
}

StStatus st_remesh_clear_lost(StRemesh *work, StError *error) {
  st_remesh_free_lost(work);
  ST_TRY_MEMORY(work->lost = ST_NEW(StLost, work->net.vertex_count), error);
  work->lost_count = work->net.vertex_count;
  return ST_OK;
}
