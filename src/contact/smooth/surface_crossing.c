// Whether a point's path went through a triangle, front to back (or either way, for two-sided
// surfaces), while both moved: the point and the three corners become coplanar (a cubic in time)
// and the point changes sides within them. Round-off can cause false crossings near edges, but
// never misses.
#include "contact/smooth/surface_internal.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

#include "math/scalar.h"
#include "contact/smooth/triangle_kernel.h"

// One triangle relative to the point: linear in time, from [0] to [1].
typedef struct Encounter {
  double corner[2][3][3];
} Encounter;

static void corners_at(const Encounter *e, double time, double corner[3][3]) {
  for (int v = 0; v < 3; v++)
    for (int j = 0; j < 3; j++)
      corner[v][j] = (1 - time) * e->corner[0][v][j] + time * e->corner[1][v][j];
}

// Coefficients of f(t) = (p − a)·((b − a)×(c − a)), positive in front; returns a bound on its
// round-off.
static double side_cubic(const Encounter *e, double f[4]) {
  double w[2][3], e1[2][3], e2[2][3], size[3] = {0};
  for (int end = 0; end < 2; end++) {
    const double(*corner)[3] = e->corner[end];
    for (int j = 0; j < 3; j++)
      w[end][j] = -corner[0][j];
    vec3_sub(corner[1], corner[0], e1[end]);
    vec3_sub(corner[2], corner[0], e2[end]);
    size[0] = fmax(size[0], vec3_length(w[end]));
    size[1] = fmax(size[1], vec3_length(e1[end]));
    size[2] = fmax(size[2], vec3_length(e2[end]));
  }
  double dw[3], d1[3], d2[3], a0[3], a1[3], a2[3], other[3];
  vec3_sub(w[1], w[0], dw);
  vec3_sub(e1[1], e1[0], d1);
  vec3_sub(e2[1], e2[0], d2);
  vec3_cross(e1[0], e2[0], a0);
  vec3_cross(e1[0], d2, a1);
  vec3_cross(d1, e2[0], other);
  vec3_add_scaled(1, other, a1);
  vec3_cross(d1, d2, a2);
  f[0] = vec3_dot(w[0], a0);
  f[1] = vec3_dot(w[0], a1) + vec3_dot(dw, a0);
  f[2] = vec3_dot(w[0], a2) + vec3_dot(dw, a1);
  f[3] = vec3_dot(dw, a2);
  return 1e-14 * size[0] * size[1] * size[2];
}

static double cubic_at(const double f[4], double t) {
  return f[0] + t * (f[1] + t * (f[2] + t * f[3]));
}

// Splits [0, 1] into intervals on which the cubic is monotone; returns the number of times, ends
// included.
static int monotone_times(const double f[4], double time[4]) {
  int count = 0;
  time[count++] = 0;
  double a = 3 * f[3], b = f[2], c = f[1], discriminant = b * b - a * c; // a t² + 2 b t + c = 0
  if (discriminant > 0) {
    double q = -(b + copysign(sqrt(discriminant), b));
    double root[2] = {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
    int first = root[0] > root[1];
    for (int i = 0; i < 2; i++) {
      double t = root[i ^ first];
      if (t > time[count - 1] && t < 1)
        time[count++] = t;
    }
  }
  time[count++] = 1;
  return count;
}

// Where the cubic falls below zero between two times; the first time if it starts there.
static double bisect(const double f[4], double from, double to) {
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (from + to);
    if (cubic_at(f, middle) > 0)
      from = middle;
    else
      to = middle;
  }
  return 0.5 * (from + to);
}

// Whether the point lies in the triangle at a time when they are coplanar, up to the distance that
// corners may move relative to it within the time's uncertainty.
static bool within(const Encounter *e, double time, double uncertainty) {
  double corner[3][3], weight[3], away[3] = {0}, move = 0, size = 0;
  corners_at(e, time, corner);
  for (int v = 0; v < 3; v++) {
    double path[3], edge[3];
    vec3_sub(e->corner[1][v], e->corner[0][v], path);
    vec3_sub(corner[(v + 1) % 3], corner[v], edge);
    move = fmax(move, vec3_length(path));
    size = fmax(size, vec3_length(edge));
  }
  double floor = 1e-20 * size * size * size * size;
  triangle_nearest_real(corner[0], corner[1], corner[2], floor, weight);
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(weight[v], corner[v], away);
  return vec3_length(away) <= 1e-9 * size + move * fmin(uncertainty, 1);
}

// Whether it passes from front to back. A point on the plane at the start counts as in front of it,
// or on neither side if the surface is two-sided; one that ends on the plane has not passed.
static bool passes(const Encounter *e, bool either) {
  double f[4], time[4];
  double tolerance = side_cubic(e, f);
  int count = monotone_times(f, time);
  double from = 0, value = either ? f[0] : fmax(f[0], tolerance);
  if (f[0] < -tolerance)
    value = f[0];
  for (int i = 1; i < count; i++) {
    double next = cubic_at(f, time[i]);
    if (fabs(next) <= tolerance)
      continue;
    if (value > (either ? tolerance : 0) && next < 0) {
      if (within(e, bisect(f, from, time[i]), 4 * tolerance / fabs(next - value)))
        return true;
    }
    from = time[i];
    value = next;
  }
  return false;
}

static void turn_over(Encounter *e) {
  for (int end = 0; end < 2; end++)
    for (int j = 0; j < 3; j++) {
      double other = e->corner[end][1][j];
      e->corner[end][1][j] = e->corner[end][2][j];
      e->corner[end][2][j] = other;
    }
}

static const double *corner_at(const StSurface *surface, const double *position, int triangle,
                               int corner) {
  return position +
         3 * (size_t)surface->vertex[surface->corner[3 * (size_t)triangle + (size_t)corner]];
}

typedef struct Question {
  const double *start, *end, *before, *after;
  const double *outward; // triangles that face along it at the end are ignored; NULL: none are
  double box[6];         // around the point's path, less the surface's displacement
  // Two-sided surfaces:
  StSurfaceScratch *scratch;
  const StSurfacePast *ends[2];
} Question;

static bool faces_along(const double direction[3], const double *const corner[3]) {
  double e1[3], e2[3], normal[3];
  vec3_sub(corner[1], corner[0], e1);
  vec3_sub(corner[2], corner[0], e2);
  vec3_cross(e1, e2, normal);
  return vec3_dot(normal, direction) > 0;
}

static bool triangle_crossed(const StSurface *surface, const Question *q, int triangle) {
  Encounter e;
  const double *last[3];
  for (int v = 0; v < 3; v++) {
    last[v] = corner_at(surface, q->after, triangle, v);
    vec3_sub(corner_at(surface, q->before, triangle, v), q->start, e.corner[0][v]);
    vec3_sub(last[v], q->end, e.corner[1][v]);
  }
  if (!q->scratch)
    return passes(&e, false) && !(q->outward && faces_along(q->outward, last));
  bool passed = passes(&e, true);
  turn_over(&e);
  return (passed || passes(&e, true)) &&
         st_surface_changed_sides(surface, q->scratch, triangle, q->ends[0], q->ends[1]);
}

static void mean_displacement(const StSurface *surface, const double *before, const double *after,
                              double mean[3]) {
  vec3_set(0, 0, 0, mean);
  for (int i = 0; i < surface->vertex_count; i++)
    for (int j = 0; j < 3; j++) {
      size_t at = 3 * (size_t)surface->vertex[i] + (size_t)j;
      mean[j] += (after[at] - before[at]) / surface->vertex_count;
    }
}

// The box around a triangle's path, slightly enlarged; returns its longest side.
static double path_box(const StSurface *surface, int triangle, const double *before,
                       const double *after, double box[6]) {
  double *low = box, *high = box + 3, longest = 0;
  for (int j = 0; j < 3; j++) {
    low[j] = INFINITY;
    high[j] = -INFINITY;
    for (int v = 0; v < 3; v++) {
      double first = corner_at(surface, before, triangle, v)[j];
      double last = corner_at(surface, after, triangle, v)[j] - surface->displacement[j];
      low[j] = fmin(low[j], fmin(first, last));
      high[j] = fmax(high[j], fmax(first, last));
    }
    longest = fmax(longest, high[j] - low[j]);
  }
  for (int j = 0; j < 3; j++) {
    low[j] -= 1e-6 * longest;
    high[j] += 1e-6 * longest;
  }
  return longest;
}

// Visits each cell of a box: counts it, or puts the triangle into it.
static void for_cells(StGrid *grid, const double box[6], int triangle, bool put) {
  StGridBox cells = st_grid_box(grid, box, box + 3);
  for (int z = 0; z < cells.count[2]; z++)
    for (int y = 0; y < cells.count[1]; y++) {
      int row = st_grid_row(grid, cells.low[1] + y, cells.low[2] + z);
      for (int x = 0; x < cells.count[0]; x++) {
        int cell = row + st_grid_wrap(grid, cells.low[0] + x, 0);
        int place = grid->start[cell]++;
        if (put)
          grid->item[place] = triangle;
      }
    }
}

static StStatus sort_paths(StSurface *surface, StError *error) {
  StGrid *grid = &surface->path_grid;
  for (int t = 0; t < surface->triangle_count; t++)
    for_cells(grid, surface->path + 6 * (size_t)t, t, false);
  size_t items = (size_t)st_grid_sum(grid);
  if (!ST_GROW(grid->item, grid->item_capacity, items))
    return st_fail_memory(error);
  for (int t = 0; t < surface->triangle_count; t++)
    for_cells(grid, surface->path + 6 * (size_t)t, t, true);
  st_grid_rewind(grid);
  return ST_OK;
}

// Cells as wide as the mean cube of the boxes: all boxes together then contact at most eight cells
// per triangle, however uneven they are.
StStatus st_surface_sweep(StSurface *surface, const double *before, const double *after,
                          StError *error) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double cubes = 0;
  mean_displacement(surface, before, after, surface->displacement);
  for (int t = 0; t < surface->triangle_count; t++) {
    double *box = surface->path + 6 * (size_t)t;
    double longest = path_box(surface, t, before, after, box);
    cubes += longest * longest * longest;
    for (int j = 0; j < 3; j++) {
      low[j] = fmin(low[j], box[j]);
      high[j] = fmax(high[j], box[3 + j]);
    }
  }
  if (!isfinite(cubes + vec3_length(surface->displacement)))
    return st_fail(error, ST_NOT_SOLVED, "a vertex of a contact surface has no finite position");
  double cell = fmax(cbrt(cubes / surface->triangle_count), 1e-300);
  surface->swept = false;
  ST_TRY(st_grid_lay(&surface->path_grid, low, high, cell, (size_t)surface->triangle_count, error));
  ST_TRY(sort_paths(surface, error));
  surface->swept = true;
  return ST_OK;
}

static bool overlap(const double a[6], const double b[6]) {
  bool apart = false;
  for (int j = 0; j < 3; j++)
    apart |= a[j] > b[3 + j] || b[j] > a[3 + j];
  return !apart;
}

static bool cell_crossed(const StSurface *surface, const Question *q, int cell, int *triangle) {
  const StGrid *grid = &surface->path_grid;
  for (int i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
    int t = grid->item[i];
    if (overlap(q->box, surface->path + 6 * (size_t)t) && triangle_crossed(surface, q, t)) {
      *triangle = t;
      return true;
    }
  }
  return false;
}

static bool any_crossed(const StSurface *surface, const Question *q, int *triangle) {
  for (int t = 0; t < surface->triangle_count; t++)
    if (triangle_crossed(surface, q, t)) {
      *triangle = t;
      return true;
    }
  return false;
}

static bool crossed(const StSurface *surface, Question *q, int *triangle) {
  if (!surface->swept)
    return any_crossed(surface, q, triangle);
  const StGrid *grid = &surface->path_grid;
  for (int j = 0; j < 3; j++) {
    double last = q->end[j] - surface->displacement[j];
    q->box[j] = fmin(q->start[j], last);
    q->box[3 + j] = fmax(q->start[j], last);
  }
  StGridBox cells = st_grid_box(grid, q->box, q->box + 3);
  for (int z = 0; z < cells.count[2]; z++)
    for (int y = 0; y < cells.count[1]; y++) {
      int row = st_grid_row(grid, cells.low[1] + y, cells.low[2] + z);
      for (int x = 0; x < cells.count[0]; x++)
        if (cell_crossed(surface, q, row + st_grid_wrap(grid, cells.low[0] + x, 0), triangle))
          return true;
    }
  return false;
}

bool st_surface_crossed(const StSurface *surface, const double start[3], const double end[3],
                        const double *before, const double *after, int *triangle) {
  Question q = {.start = start, .end = end, .before = before, .after = after};
  return crossed(surface, &q, triangle);
}

bool st_surface_crossed_against(const StSurface *surface, const double start[3],
                                const double end[3], const double *before, const double *after,
                                const double outward[3], int *triangle) {
  Question q = {.start = start, .end = end, .before = before, .after = after, .outward = outward};
  return crossed(surface, &q, triangle);
}

bool st_surface_crossed_sides(const StSurface *surface, StSurfaceScratch *scratch,
                              const StSurfacePast *before, const StSurfacePast *after,
                              int *triangle) {
  Question q = {.start = before->point,
                .end = after->point,
                .before = before->position,
                .after = after->position,
                .scratch = scratch,
                .ends = {before, after}};
  return crossed(surface, &q, triangle);
}
