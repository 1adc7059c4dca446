// Two-sided surfaces. Around a point, the triangles within R are walked edge by edge into connected
// layers. Each layer is oriented as a whole to face the point as it was at the start of the step,
// and layers hidden by others to face away: they then count as the far side of a thin wall. Layers
// end at edges of three or more triangles: every sheet that ends there is a separate layer. Tested
// by tests/contact/test_two_sided.c.
#include "contact/smooth/surface_internal.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/tuple.h"

#include <string.h>

#include "math/scalar.h"
#include "contact/smooth/triangle_kernel.h"
#include "contact/tunables.h"

// link[3 t + e]: the triangle across the edge from corner e to the next, times 2, + 1 if the two
// have opposite orientations; -1 if there is none, or more than one.
static void link_pair(StSurface *surface, const int *edge, int a, int b) {
  // Consistently oriented neighbours traverse the edge in opposite directions.
  bool turned = edge[2 * a] == edge[2 * b];
  surface->link[a] = 2 * (b / 3) + turned;
  surface->link[b] = 2 * (a / 3) + turned;
}

static StStatus link_edges(StSurface *surface, const int *edge, int *sorted, int *order,
                           StError *error) {
  size_t count = 3 * (size_t)surface->triangle_count;
  memcpy(sorted, edge, 2 * count * sizeof(int));
  for (size_t i = 0; i < count; i++) {
    st_tuple_ascend(sorted + 2 * i, 2);
    surface->link[i] = -1;
  }
  ST_TRY(st_tuple_sort(sorted, count, 2, surface->vertex_count, order, error));
  for (size_t i = 0, end; i < count; i = end) {
    end = st_tuple_run(sorted, 2, order, count, i);
    if (end - i == 2)
      link_pair(surface, edge, order[i], order[i + 1]);
  }
  return ST_OK;
}

StStatus st_surface_link(StSurface *surface, StError *error) {
  size_t count = 3 * (size_t)surface->triangle_count;
  ST_FREE int *edge = ST_NEW(int, 2 * count);
  ST_FREE int *sorted = ST_NEW(int, 2 * count);
  ST_FREE int *order = ST_NEW(int, count);
  surface->link = ST_OWN(surface, int, count);
  ST_TRY_MEMORY(edge && sorted && order && surface->link, error);
  for (size_t i = 0; i < count; i++) {
    edge[2 * i] = surface->corner[i];
    edge[2 * i + 1] = surface->corner[i - i % 3 + (i + 1) % 3];
  }
  return link_edges(surface, edge, sorted, order, error);
}

static void walk_free(StSurfaceWalk *walk) {
  free(walk->triangle);
  free(walk->met);
  free(walk->turned);
  *walk = (StSurfaceWalk){0};
}

void st_surface_walks_free(StSurfaceScratch *scratch) {
  walk_free(&scratch->near);
  walk_free(&scratch->past);
  free(scratch->layer);
  free(scratch->patch.corner);
  free(scratch->patch.at);
  free(scratch->patch.work);
}

// Starts a new walk with no triangle visited. False: out of memory.
static bool walk_begin(const StSurface *surface, StSurfaceWalk *walk) {
  size_t needed = (size_t)surface->triangle_count;
  walk->count = 0;
  walk->now++;
  if (needed <= walk->capacity)
    return true;
  walk_free(walk);
  walk->triangle = ST_NEW(int, needed);
  walk->met = ST_NEW(uint64_t, needed);
  walk->turned = ST_NEW(bool, needed);
  walk->now = 1;
  if (!walk->triangle || !walk->met || !walk->turned)
    return false;
  walk->capacity = needed;
  return true;
}

static bool walk_met(const StSurfaceWalk *walk, int triangle) {
  return walk->met[triangle] == walk->now;
}

static void walk_take(StSurfaceWalk *walk, int triangle, bool turned) {
  walk->triangle[walk->count++] = triangle;
  walk->met[triangle] = walk->now;
  walk->turned[triangle] = turned;
}

static void corners_of(const StSurface *surface, int triangle, const StSurfacePast *at,
                       double corner[3][3]) {
  for (int v = 0; v < 3; v++) {
    int vertex = surface->vertex[surface->corner[3 * (size_t)triangle + (size_t)v]];
    vec3_sub(at->position + 3 * (size_t)vertex, at->point, corner[v]);
  }
}

static bool within(const StSurface *surface, double radius, int triangle, const StSurfacePast *at) {
  double corner[3][3], centroid[3];
  corners_of(surface, triangle, at, corner);
  for (int j = 0; j < 3; j++)
    centroid[j] = (corner[0][j] + corner[1][j] + corner[2][j]) / 3;
  return vec3_dot(centroid, centroid) < radius * radius;
}

// Visits the triangle and everything connected with it within a radius of the point.
static void walk_patch(const StSurface *surface, double radius, StSurfaceWalk *walk, int seed,
                       const StSurfacePast *at) {
  int next = walk->count;
  walk_take(walk, seed, false);
  for (; next < walk->count; next++) {
    int triangle = walk->triangle[next];
    for (int e = 0; e < 3; e++) {
      int link = surface->link[3 * (size_t)triangle + (size_t)e], other = link / 2;
      if (link < 0 || walk_met(walk, other) || !within(surface, radius, other, at))
        continue;
      walk_take(walk, other, walk->turned[triangle] != (link % 2 == 1));
    }
  }
}

static bool patch_reserve(StSurfacePatch *patch, int count) {
  size_t needed = (size_t)count;
  if (needed <= patch->capacity)
    return true;
  needed *= 2;
  free(patch->corner);
  free(patch->at);
  free(patch->work);
  patch->capacity = 0;
  patch->corner = ST_NEW(int, 3 * needed);
  patch->at = ST_NEW(double, 3 * (1 + 3 * needed));
  patch->work = ST_NEW(double, ST_SAMPLE_FIELDS *needed);
  if (!patch->corner || !patch->at || !patch->work)
    return false;
  patch->capacity = needed;
  return true;
}

// The walk's triangles, all oriented like the first.
static bool patch_fill(const StSurface *surface, const StSurfaceWalk *walk, const StSurfacePast *at,
                       StSurfacePatch *patch) {
  if (!patch_reserve(patch, walk->count))
    return false;
  patch->count = walk->count;
  vec3_set(0, 0, 0, patch->at);
  for (int i = 0; i < walk->count; i++) {
    int triangle = walk->triangle[i], first = 1 + 3 * i;
    double corner[3][3];
    corners_of(surface, triangle, at, corner);
    memcpy(patch->at + 3 * (size_t)first, corner, sizeof corner);
    bool turned = walk->turned[triangle];
    patch->corner[i] = first;
    patch->corner[patch->capacity + (size_t)i] = first + (turned ? 2 : 1);
    patch->corner[2 * patch->capacity + (size_t)i] = first + (turned ? 1 : 2);
  }
  return true;
}

// Squared distance of the point from the triangle, and its height above the triangle's plane.
static double distance_to(const StSurface *surface, int triangle, const StSurfacePast *at,
                          double *height) {
  double corner[3][3], weight[3], away[3] = {0}, e1[3], e2[3], normal[3];
  corners_of(surface, triangle, at, corner);
  vec3_sub(corner[1], corner[0], e1);
  vec3_sub(corner[2], corner[0], e2);
  vec3_cross(e1, e2, normal);
  double square = vec3_dot(normal, normal);
  *height = square > 0 ? -vec3_dot(normal, corner[0]) / sqrt(square) : 0;
  triangle_nearest_real(corner[0], corner[1], corner[2], 1e-20 * square, weight);
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(weight[v], corner[v], away);
  return vec3_dot(away, away);
}

// Whether one triangle is nearer than another, given squared distances and heights. Next to an edge
// its triangles are equally far, and the one that the point is highest above determines the side;
// of two coincident sheets, the one seen from the front.
static bool is_nearer(double square, double height, double than_square, double than_height) {
  if (fabs(square - than_square) > 1e-9 * fmax(square, than_square))
    return square < than_square;
  if (fabs(fabs(height) - fabs(than_height)) > 1e-9 * fmax(fabs(height), fabs(than_height)))
    return fabs(height) > fabs(than_height);
  return height > 0 && than_height < 0;
}

static void find_nearest(const StSurface *surface, const StSurfaceWalk *walk,
                         const StSurfacePast *at, StSurfaceLayer *layer) {
  layer->nearest = walk->triangle[layer->first];
  layer->square = distance_to(surface, layer->nearest, at, &layer->height);
  for (int i = layer->first + 1; i < layer->end; i++) {
    double height, square = distance_to(surface, walk->triangle[i], at, &height);
    if (is_nearer(square, height, layer->square, layer->height)) {
      layer->nearest = walk->triangle[i];
      layer->square = square;
      layer->height = height;
    }
  }
}

static int sign_of(double height) {
  return height < 0 ? -1 : 1;
}

// ψ differs between the two sides: a sheet folded onto itself hides what is behind it. The correct
// orientation of the patch is the one that puts the point in front, and nearer.
static int side_of_patch(const StSurface *surface, StSurfacePatch *patch, double height) {
  double as_is = st_surface_height(surface, patch, false);
  double over = st_surface_height(surface, patch, true);
  if (isnan(as_is) || isnan(over))
    return sign_of(height);
  if (as_is >= 0)
    return over < 0 || as_is <= (1 + 1e-6) * over ? 1 : -1;
  return over >= 0 ? -1 : sign_of(height);
}

// On which side of the smooth surface around a triangle the point was: 1 in front of the triangle,
// -1 behind; 0: out of memory. A remembered side takes precedence over ψ, which may be nearly zero
// there.
static int side_at(const StSurface *surface, StSurfaceScratch *scratch, int seed,
                   const StSurfacePast *at) {
  StSurfaceWalk *walk = &scratch->past;
  double height;
  distance_to(surface, seed, at, &height);
  if (!within(surface, surface->radius, seed, at))
    return sign_of(height);
  if (!walk_begin(surface, walk))
    return 0;
  walk_patch(surface, st_contact_tunables.smooth_bridge * surface->radius, walk, seed, at);
  int known = abs(at->side) - 1;
  if (known >= 0 && walk_met(walk, known))
    return (at->side < 0) == walk->turned[known] ? 1 : -1;
  if (!patch_fill(surface, walk, at, &scratch->patch))
    return 0;
  return side_of_patch(surface, &scratch->patch, height);
}

// The layers of the samples found, each with everything connected to it within a radius of the
// point now; returns how many, or -1 if out of memory.
static int find_layers(const StSurface *surface, double radius, StSurfaceScratch *scratch,
                       const StSurfacePast *now, const StSurfacePast *past) {
  StSurfaceWalk *walk = &scratch->near;
  int count = 0, known = abs(past->side) - 1;
  if (!walk_begin(surface, walk))
    return -1;
  for (int i = 0; i < scratch->sample_count; i++) {
    int triangle = surface->grid.item[scratch->sample[i]];
    if (walk_met(walk, triangle))
      continue;
    if (!ST_GROW(scratch->layer, scratch->layer_capacity, count + 1))
      return -1;
    StSurfaceLayer *layer = &scratch->layer[count++];
    *layer = (StSurfaceLayer){.first = walk->count};
    walk_patch(surface, radius, walk, triangle, now);
    layer->end = walk->count;
    find_nearest(surface, walk, past, layer);
    for (int k = layer->first; known >= 0 && k < layer->end; k++)
      if (walk->triangle[k] == known)
        *layer = (StSurfaceLayer){layer->first, layer->end, known, -1, 0, false};
  }
  return count;
}

// Whether the segment from the point (the origin) to `target` passes through the triangle, or ends
// on it.
static bool blocks(const double corner[3][3], const double target[3]) {
  double e1[3], e2[3], normal[3], hit[3], weight[3], away[3] = {0};
  vec3_sub(corner[1], corner[0], e1);
  vec3_sub(corner[2], corner[0], e2);
  vec3_cross(e1, e2, normal);
  double fall = vec3_dot(normal, target), depth = vec3_dot(normal, corner[0]);
  if (fall == 0 || !(depth / fall >= 0 && depth / fall <= 1 + 1e-6))
    return false;
  for (int j = 0; j < 3; j++)
    hit[j] = target[j] * (depth / fall);
  double relative[3][3], size = vec3_dot(e1, e1) + vec3_dot(e2, e2);
  for (int v = 0; v < 3; v++)
    vec3_sub(corner[v], hit, relative[v]);
  triangle_nearest_real(relative[0], relative[1], relative[2], 1e-20 * size * size, weight);
  for (int v = 0; v < 3; v++)
    vec3_add_scaled(weight[v], relative[v], away);
  return vec3_dot(away, away) <= 1e-18 * size;
}

// Whether a nearer layer was between the point and the centre of this layer's nearest triangle.
static bool is_hidden(const StSurface *surface, const StSurfaceScratch *scratch, int count,
                      const StSurfaceLayer *layer, const StSurfacePast *past) {
  double corner[3][3], target[3];
  corners_of(surface, layer->nearest, past, corner);
  for (int j = 0; j < 3; j++)
    target[j] = (corner[0][j] + corner[1][j] + corner[2][j]) / 3;
  for (int l = 0; l < count; l++) {
    const StSurfaceLayer *other = &scratch->layer[l];
    if (other == layer || !is_nearer(other->square, other->height, layer->square, layer->height))
      continue;
    for (int i = other->first; i < other->end; i++) {
      corners_of(surface, scratch->near.triangle[i], past, corner);
      if (blocks(corner, target))
        return true;
    }
  }
  return false;
}

// Orients a layer to face where the point was, or away from it.
static bool face_layer(const StSurface *surface, StSurfaceScratch *scratch, int count,
                       StSurfaceLayer *layer, const StSurfacePast *past) {
  StSurfaceWalk *walk = &scratch->near;
  int seed = layer->nearest, side = past->side;
  if (abs(side) - 1 != seed) {
    side = side_at(surface, scratch, seed, past);
    layer->hidden = count > 1 && is_hidden(surface, scratch, count, layer, past);
  }
  bool over = ((side < 0) != layer->hidden) != walk->turned[seed];
  for (int i = layer->first; i < layer->end; i++)
    walk->turned[walk->triangle[i]] ^= over;
  return side != 0;
}

// Flips the samples that the walk has flipped; returns the minimum height of the point.
static double turn_samples(const StSurface *surface, StSurfaceScratch *scratch, const double x[3]) {
  int *second = scratch->corner + scratch->sample_capacity;
  int *third = second + scratch->sample_capacity;
  double least = INFINITY;
  for (int i = 0; i < scratch->sample_count; i++) {
    int place = scratch->sample[i], corner = second[i];
    double height = 0;
    for (int j = 0; j < 3; j++)
      height += surface->normal[j][place] * (x[j] - surface->centroid[j][place]);
    if (scratch->near.turned[surface->grid.item[place]]) {
      second[i] = third[i];
      third[i] = corner;
      height = -height;
    }
    least = height < least ? height : least;
  }
  return least;
}

bool st_surface_face(const StSurface *surface, StSurfaceScratch *scratch, const double x[3],
                     const double *position, const StSurfacePast *past, StError *error) {
  const StSurfacePast now = {x, position, 0};
  int count = find_layers(surface, surface->radius, scratch, &now, past);
  if (count > 1)
    count = find_layers(surface, st_contact_tunables.smooth_bridge * surface->radius, scratch, &now,
                        past);
  scratch->layer_count = count;
  bool good = count >= 0;
  for (int l = 0; good && l < count; l++)
    good = face_layer(surface, scratch, count, &scratch->layer[l], past);
  if (!good) {
    st_fail_memory(error);
    return false;
  }
  return turn_samples(surface, scratch, x) < surface->options.thickness;
}

int st_surface_side(const StSurface *surface, const StSurfaceScratch *scratch, const double x[3],
                    const double *position) {
  const StSurfacePast now = {x, position, 0};
  StSurfaceLayer best = {.nearest = -1, .square = INFINITY};
  for (int l = 0; l < scratch->layer_count; l++) {
    StSurfaceLayer layer = scratch->layer[l];
    if (layer.hidden)
      continue;
    find_nearest(surface, &scratch->near, &now, &layer);
    if (best.nearest < 0 || is_nearer(layer.square, layer.height, best.square, best.height))
      best = layer;
  }
  if (best.nearest < 0)
    return 0;
  return scratch->near.turned[best.nearest] ? -(best.nearest + 1) : best.nearest + 1;
}

bool st_surface_changed_sides(const StSurface *surface, StSurfaceScratch *scratch, int triangle,
                              const StSurfacePast *before, const StSurfacePast *after) {
  int was = side_at(surface, scratch, triangle, before);
  int is = side_at(surface, scratch, triangle, after);
  return was == 0 || is == 0 || was != is;
}
