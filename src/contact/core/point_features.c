// Counts the features near a point by inclusion and exclusion.
#include "contact/core/point_features.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "math/vec3.h"

#include <string.h>

// Lists have a dozen entries: linear search is fastest.
static bool count_feature(StPointFeatures *features, StPrimitiveKind kind, int feature, int count,
                          int triangle) {
  for (int i = 0; i < features->count; i++)
    if (features->item[i].kind == kind && features->item[i].feature == feature) {
      features->item[i].count += count;
      return true;
    }
  if (!ST_GROW(features->item, features->capacity, features->count + 1))
    return false;
  features->item[features->count++] = (StPointFeature){kind, feature, count, triangle};
  return true;
}

static StPointTally *tally(StPointTally **list, int *count, size_t *capacity, int feature) {
  for (int i = 0; i < *count; i++)
    if ((*list)[i].feature == feature)
      return &(*list)[i];
  if (!st_grow((void **)list, capacity, (size_t)*count + 1, sizeof(StPointTally)))
    return NULL;
  (*list)[*count] = (StPointTally){.feature = feature};
  return &(*list)[(*count)++];
}

static StPointTally *tally_edge(StPointFeatures *f, int edge) {
  return tally(&f->edge, &f->edge_count, &f->edge_capacity, edge);
}

static StPointTally *tally_place(StPointFeatures *f, int place) {
  return tally(&f->place, &f->place_count, &f->place_capacity, place);
}

static void gather(const double *position, int point, const int *place, int count, double x[][3]) {
  vec3_copy(position + 3 * point, x[0]);
  for (int k = 0; k < count; k++)
    vec3_copy(position + 3 * place[k], x[k + 1]);
}

// Whether a point is beyond all corners of a triangle by more than `reach` along an axis.
static bool is_past(const double x[4][3], double reach) {
  for (int c = 0; c < 3; c++) {
    double low = x[0][c] - reach, high = x[0][c] + reach;
    if ((x[1][c] > high && x[2][c] > high && x[3][c] > high) ||
        (x[1][c] < low && x[2][c] < low && x[3][c] < low))
      return true;
  }
  return false;
}

static bool count_triangle(StPointFeatures *f, const StSkins *skins, const double *position,
                           int point, int triangle, double reach) {
  const int *place = skins->triangle_place + 3 * triangle;
  const int *edge = skins->triangle_edge + 3 * triangle;
  double x[4][3];
  StClosest closest;
  gather(position, point, place, 3, x);
  if (is_past((const double(*)[3])x, reach))
    return true;
  st_primitive_point_triangle((const double(*)[3])x, &closest);
  if (!(closest.square < reach * reach))
    return true;
  bool good = true;
  for (int k = 0; k < 3; k++) {
    StPointTally *at_edge = tally_edge(f, edge[k]), *at_place = tally_place(f, place[k]);
    good = good && at_edge && at_place;
    if (at_edge)
      at_edge->triangles++, at_edge->triangle = triangle;
    if (at_place)
      at_place->triangles++, at_place->triangle = triangle;
  }
  if (closest.feature == ST_FACE)
    return good && count_feature(f, ST_POINT_TRIANGLE, triangle, 1, triangle);
  if (closest.feature >= ST_EDGE_0)
    return good && count_feature(f, ST_POINT_EDGE, edge[closest.feature - ST_EDGE_0], 1, triangle);
  return good &&
         count_feature(f, ST_POINT_POINT, place[closest.feature - ST_CORNER_0], 1, triangle);
}

// Each triangle counted the features it shares with others: this corrects the count of an edge.
static bool count_edge(StPointFeatures *f, const StSkins *skins, const double *position, int point,
                       const StPointTally *edge, double reach) {
  const int *place = skins->edge_place + 2 * edge->feature;
  int excess = edge->triangles - 1;
  if (excess == 0)
    return true;
  for (int k = 0; k < 2; k++)
    tally_place(f, place[k])->excess += excess;
  double x[3][3];
  StClosest closest;
  gather(position, point, place, 2, x);
  st_primitive_point_edge((const double(*)[3])x, &closest);
  if (!(closest.square < reach * reach))
    return true;
  if (closest.feature == ST_EDGE_0)
    return count_feature(f, ST_POINT_EDGE, edge->feature, -excess, edge->triangle);
  return count_feature(f, ST_POINT_POINT, place[closest.feature - ST_CORNER_0], -excess,
                       edge->triangle);
}

static bool count_corner(StPointFeatures *f, const double *position, int point,
                         const StPointTally *corner, double reach) {
  int count = 1 - corner->triangles + corner->excess;
  double way[3];
  vec3_sub(position + 3 * point, position + 3 * corner->feature, way);
  if (count == 0 || !(vec3_dot(way, way) < reach * reach))
    return true;
  return count_feature(f, ST_POINT_POINT, corner->feature, count, corner->triangle);
}

bool st_point_features_find(StPointFeatures *f, const StSkins *skins, const double *position,
                            int place, const int *triangle, int count, int stride, double reach) {
  bool good = true;
  f->count = f->edge_count = f->place_count = 0;
  for (int i = 0; i < count && good; i++)
    good = count_triangle(f, skins, position, place, triangle[i * stride], reach);
  for (int i = 0; i < f->edge_count && good; i++)
    good = count_edge(f, skins, position, place, &f->edge[i], reach);
  for (int i = 0; i < f->place_count && good; i++)
    good = count_corner(f, position, place, &f->place[i], reach);
  return good;
}

void st_point_features_free(StPointFeatures *f) {
  free(f->item);
  free(f->edge);
  free(f->place);
  *f = (StPointFeatures){0};
}
