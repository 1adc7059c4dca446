// In turn: collapses short edges, splits long ones, flips others if that improves triangles, and
// moves vertices to the centre of their neighbours. Every change is tested against the original
// surface (remesh_tests.c). Deterministic: everything goes in the order of numbers.
#include "fill/remesh.h"

#include "base/memory.h"
#include "fill/remesh_parts.h"
#include "fill/sharp.h"
#include "math/vec3.h"

#include <string.h>

enum { ROUNDS = 5 };

static const double LONG = 4.0 / 3, SHORT = 0.75; // of the wanted length: what is changed
static const double BAD = 0.2;                    // quality below which a triangle should go

static double edge_length(const StNet *net, int triangle, int i) {
  double way[3];
  vec3_sub(st_net_place(net, net->triangle[3 * triangle + (i + 1) % 3]),
           st_net_place(net, net->triangle[3 * triangle + i]), way);
  return vec3_length(way);
}

static int longest_edge(const StNet *net, int triangle, double *length) {
  int longest = 0;
  *length = 0;
  for (int i = 0; i < 3; i++) {
    double one = edge_length(net, triangle, i);
    if (one > *length) {
      *length = one;
      longest = i;
    }
  }
  return longest;
}

// The point of the original surface, or of its sharp lines, nearest to x.
static void pull_back(const StRemesh *work, bool on_line, double x[3]) {
  double near[3];
  const StNearest *to = on_line ? &work->lines : &work->surface;
  if (st_nearest_find(to, x, work->wish->edge, near, NULL) < INFINITY)
    vec3_copy(near, x);
}

// The middle of an edge, projected to the original surface if its triangles allow it.
static StStatus split_edge(StRemesh *work, int triangle, int i, StError *error) {
  StNet *net = &work->net;
  double middle[3] = {0};
  int vertex;
  vec3_add_scaled(0.5, st_net_place(net, net->triangle[3 * triangle + i]), middle);
  vec3_add_scaled(0.5, st_net_place(net, net->triangle[3 * triangle + (i + 1) % 3]), middle);
  ST_TRY(st_net_split(net, triangle, i, middle, &vertex, error));
  pull_back(work, net->kind[vertex] == ST_NET_LINE, middle);
  if (st_remesh_may_move(work, vertex, middle))
    vec3_copy(middle, net->position + 3 * (size_t)vertex);
  return ST_OK;
}

// New triangles come last and are looked at too.
static StStatus split_above(StRemesh *work, double above, StError *error) {
  StNet *net = &work->net;
  for (int t = 0; t < net->triangle_count; t++) {
    double length;
    while (st_net_has(net, t)) {
      int longest = longest_edge(net, t, &length);
      if (length <= above)
        break;
      ST_TRY(split_edge(work, t, longest, error));
    }
  }
  return ST_OK;
}

// Kinds of vertices: a line can only be collapsed along itself.
static bool kinds_allow(const StRemesh *work, int triangle, int i) {
  const StNet *net = &work->net;
  int from = net->triangle[3 * triangle + i];
  return net->kind[from] == ST_NET_FREE ||
         (net->kind[from] == ST_NET_LINE && st_net_is_sharp(net, triangle, i));
}

static StStatus collapse(StRemesh *work, int t, int i, StError *error) {
  StNet *net = &work->net;
  ST_TRY(st_remesh_lose(work, net->triangle[3 * t + i], net->triangle[3 * t + (i + 1) % 3], error));
  return st_net_collapse(net, t, i, error);
}

static StStatus collapse_short(StRemesh *work, double below, StError *error) {
  StNet *net = &work->net;
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 3 && st_net_has(net, t); i++) {
      if (edge_length(net, t, i) < below && kinds_allow(work, t, i) &&
          st_net_can_collapse(net, t, i) && st_remesh_may_collapse(work, t, i))
        ST_TRY(collapse(work, t, i, error));
    }
  return ST_OK;
}

// Bad triangles lose an edge wherever the surface allows it, also at sharp lines and corners.
static StStatus collapse_bad(StRemesh *work, StError *error) {
  StNet *net = &work->net;
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 6 && st_net_has(net, t); i++) {
      StCorners corners = st_remesh_corners(work, t);
      if (st_remesh_quality(&corners) >= BAD)
        break;
      int edge = i % 3, at = t;
      if (i >= 3) // the other way round
        at = st_net_across(net, t, i % 3, &edge);
      if (st_net_can_collapse(net, at, edge) && st_remesh_may_collapse(work, at, edge))
        ST_TRY(collapse(work, at, edge, error));
    }
  return ST_OK;
}

// Whether flipping edge i improves the worse of its two triangles.
static bool flip_helps(const StRemesh *work, int triangle, int i) {
  const StNet *net = &work->net;
  int edge, other = st_net_across(net, triangle, i, &edge);
  const StCorners one = st_remesh_corners(work, triangle), two = st_remesh_corners(work, other);
  const double *a = one.x[i], *b = one.x[(i + 1) % 3], *c = one.x[(i + 2) % 3];
  const double *d = two.x[(edge + 2) % 3];
  const StCorners first = {{a, d, c}}, second = {{b, c, d}};
  double before = fmin(st_remesh_quality(&one), st_remesh_quality(&two)), normal[3], more[3];
  double after = fmin(st_remesh_quality(&first), st_remesh_quality(&second));
  if (after <= before + 1e-3)
    return false;
  st_remesh_normal(&one, normal);
  st_remesh_normal(&two, more);
  vec3_add_scaled(1, more, normal);
  return st_remesh_fits(work, &first, normal) && st_remesh_fits(work, &second, normal);
}

static StStatus flip_edges(StRemesh *work, StError *error) {
  StNet *net = &work->net;
  for (int sweep = 0, changed = 1; sweep < 4 && changed; sweep++) {
    changed = 0;
    for (int t = 0; t < net->triangle_count; t++)
      for (int i = 0; i < 3 && st_net_has(net, t); i++)
        if (st_net_can_flip(net, t, i) && flip_helps(work, t, i)) {
          ST_TRY(st_net_flip(net, t, i, error));
          changed++;
        }
  }
  return ST_OK;
}

static double longest_of_all(const StNet *net) {
  double longest = 0, length;
  for (int t = 0; t < net->triangle_count; t++)
    if (st_net_has(net, t)) {
      longest_edge(net, t, &length);
      longest = fmax(longest, length);
    }
  return longest;
}

// The longest first, with flips between: an edge that is much shorter than others of its triangles
// would be cut into slivers, and those into more.
static StStatus split_long(StRemesh *work, StError *error) {
  double least = LONG * work->wish->edge, above = longest_of_all(&work->net);
  while (above > least) {
    above = fmax(M_SQRT1_2 * above, least);
    ST_TRY(split_above(work, above, error));
    ST_TRY(flip_edges(work, error));
  }
  return ST_OK;
}

// The mean of the neighbours; of those along the line for a vertex on one.
static void find_middle(const StNet *net, int vertex, double middle[3]) {
  const StFan *fan = &net->fan[vertex];
  bool on_line = net->kind[vertex] == ST_NET_LINE;
  int count = 0;
  vec3_set(0, 0, 0, middle);
  for (int k = 0; k < fan->count; k++) {
    int at = st_net_corner(net, fan->triangle[k], vertex);
    if (on_line && !st_net_is_sharp(net, fan->triangle[k], at))
      continue;
    vec3_add_scaled(1, st_net_place(net, net->triangle[3 * fan->triangle[k] + (at + 1) % 3]),
                    middle);
    count++;
  }
  for (int c = 0; c < 3; c++)
    middle[c] = count ? middle[c] / count : st_net_place(net, vertex)[c];
}

static void smooth(StRemesh *work) {
  StNet *net = &work->net;
  for (int v = 0; v < net->vertex_count; v++) {
    if (!net->fan[v].count || net->kind[v] == ST_NET_CORNER)
      continue;
    double middle[3];
    find_middle(net, v, middle);
    pull_back(work, net->kind[v] == ST_NET_LINE, middle);
    if (st_remesh_may_move(work, v, middle))
      vec3_copy(middle, net->position + 3 * (size_t)v);
  }
}

// Assigns each point of the original surface to the nearest vertex, after triangles have moved.
static StStatus attach_lost(StRemesh *work, const StMesh *view, const int *index, StError *error) {
  ST_FINALLY(st_nearest_free) StNearest nearest = {0};
  ST_TRY(st_nearest_create(view, &nearest, error));
  ST_TRY(st_remesh_clear_lost(work, error));
  for (int v = 0; v < work->given->vertex_count; v++) {
    const double *x = work->given->position + 3 * (size_t)v;
    int at = 0, best = 0;
    double least = INFINITY;
    if (st_nearest_find(&nearest, x, work->wish->edge, NULL, &at) == INFINITY)
      continue;
    const int *corner = work->net.triangle + 3 * (size_t)index[at];
    for (int i = 0; i < 3; i++) {
      double way[3];
      vec3_sub(st_net_place(&work->net, corner[i]), x, way);
      if (vec3_length(way) < least) {
        least = vec3_length(way);
        best = corner[i];
      }
    }
    if (least > 0)
      ST_TRY(st_remesh_add_lost(work, best, x, error));
  }
  return ST_OK;
}

static StStatus renew_lost(StRemesh *work, StError *error) {
  const StNet *net = &work->net;
  size_t most = (size_t)net->triangle_count;
  int *triangle = ST_NEW(int, 3 * most), *index = ST_NEW(int, most), count = 0;
  StStatus status = triangle && index ? ST_OK : st_fail_memory(error);
  for (int t = 0; t < net->triangle_count && status == ST_OK; t++)
    if (st_net_has(net, t)) {
      memcpy(triangle + 3 * (size_t)count, net->triangle + 3 * (size_t)t, 3 * sizeof(int));
      index[count++] = t;
    }
  const StMesh view = {.vertex_count = net->vertex_count,
                       .position = net->position,
                       .triangle_count = count,
                       .triangle = triangle};
  if (status == ST_OK)
    status = attach_lost(work, &view, index, error);
  free(triangle);
  free(index);
  return status;
}

static StStatus improve(StRemesh *work, StError *error) {
  double edge = work->wish->edge;
  for (double below = 0.1; below < SHORT; below *= 2)
    ST_TRY(collapse_short(work, below * edge, error));
  for (int round = 0; round < ROUNDS; round++) {
    ST_TRY(renew_lost(work, error));
    ST_TRY(collapse_short(work, SHORT * edge, error));
    ST_TRY(split_long(work, error));
    smooth(work);
  }
  ST_TRY(flip_edges(work, error));
  ST_TRY(renew_lost(work, error));
  for (int round = 0; round < 2; round++) {
    ST_TRY(collapse_bad(work, error));
    ST_TRY(flip_edges(work, error));
    smooth(work);
  }
  return ST_OK;
}

static StStatus prepare(const StMesh *surface, StRemesh *work, StError *error) {
  ST_TRY(st_net_create(surface, &work->net, error));
  ST_TRY(st_sharp_mark(&work->net, 3 * work->wish->edge, error));
  ST_TRY(st_sharp_lines(&work->net, &work->line_mesh, error));
  ST_TRY(st_nearest_create(surface, &work->surface, error));
  ST_TRY(st_nearest_create(work->line_mesh, &work->lines, error));
  return st_remesh_clear_lost(work, error);
}

StStatus st_remesh(const StMesh *surface, const StRemeshWish *wish, StMesh **result,
                   StError *error) {
  StRemesh work = {.wish = wish, .given = surface};
  StStatus status = prepare(surface, &work, error);
  if (status == ST_OK)
    status = improve(&work, error);
  if (status == ST_OK)
    status = st_net_mesh(&work.net, surface, result, error);
  st_remesh_free_lost(&work);
  st_nearest_free(&work.surface);
  st_nearest_free(&work.lines);
  st_mesh_destroy(work.line_mesh);
  st_net_free(&work.net);
  return status;
}
