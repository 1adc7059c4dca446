// Faces that lie flush on each other. Tested by tests/verify/test_flat_face.c.
#include "contact/core/coplanar_faces.h"

#include "contact/core/closest_features.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <math.h>

static const double *start_of(const StCoplanar *flush, int place) {
  return flush->start + 3 * (size_t)place;
}

// False if a triangle has no normal.
static bool find_normal(const StCoplanar *flush, int triangle, double normal[3]) {
  const int *place = flush->skins->triangle_place + 3 * (size_t)triangle;
  double side[2][3];
  for (int k = 0; k < 2; k++)
    vec3_sub(start_of(flush, place[k + 1]), start_of(flush, place[0]), side[k]);
  vec3_cross(side[0], side[1], normal);
  double length = vec3_length(normal);
  for (int i = 0; i < 3; i++)
    normal[i] /= length;
  return length > 0;
}

// Height of a place above the plane of a triangle with this normal.
static double height_above(const StCoplanar *flush, int place, int triangle,
                           const double normal[3]) {
  double way[3];
  vec3_sub(start_of(flush, place),
           start_of(flush, flush->skins->triangle_place[3 * (size_t)triangle]), way);
  return vec3_dot(way, normal);
}

// Whether one of a point's faces is opposite to a normal. A sheet that lies on a face has no such
// face, because it bends around the rim.
static bool has_face_on(const StCoplanar *flush, int point, const double normal[3]) {
  const StSkins *skins = flush->skins;
  if (!skins->skin[skins->point_skin[point]].closed)
    return false;
  for (int i = skins->fan_start[point]; i < skins->fan_start[point + 1]; i++) {
    double own[3];
    if (!find_normal(flush, skins->fan[i], own))
      continue;
    if (-vec3_dot(own, normal) > st_contact_tunables.flush_cosine)
      return true;
  }
  return false;
}

// Height of a point above a triangle that it is flush with; 0: not flush.
static double flush_height(const StCoplanar *flush, int point, int triangle) {
  const StSkins *skins = flush->skins;
  double normal[3];
  if (triangle < 0 || !find_normal(flush, triangle, normal))
    return 0;
  double height = height_above(flush, skins->point_place[point], triangle, normal);
  if (height < 0 && !skins->skin[skins->triangle_skin[triangle]].closed) {
    height = -height;
    for (int i = 0; i < 3; i++)
      normal[i] = -normal[i];
  }
  return height > 0 && has_face_on(flush, point, normal) ? height : 0;
}

// Square of the distance of a point and an edge.
static double edge_square(const StCoplanar *flush, int point, int edge) {
  const StSkins *skins = flush->skins;
  double x[3][3];
  StClosest closest;
  vec3_copy(start_of(flush, skins->point_place[point]), x[0]);
  for (int k = 0; k < 2; k++)
    vec3_copy(start_of(flush, skins->edge_place[2 * (size_t)edge + (size_t)k]), x[k + 1]);
  st_primitive_point_edge((const double(*)[3])x, &closest);
  return closest.square;
}

static bool is_near_rim(const StCoplanar *flush, int point, int triangle) {
  for (int k = 0; k < 3; k++) {
    int edge = flush->skins->triangle_edge[3 * (size_t)triangle + (size_t)k];
    if (!(flush->sharpness[edge] < 1) &&
        edge_square(flush, point, edge) < flush->reach * flush->reach)
      return true;
  }
  return false;
}

static double distance(const StSkins *skins, const double *position, int point, int triangle) {
  const int *corner = skins->triangle_place + 3 * (size_t)triangle;
  return st_primitive_point_triangle_distance(
      position + 3 * (size_t)skins->point_place[point], position + 3 * (size_t)corner[0],
      position + 3 * (size_t)corner[1], position + 3 * (size_t)corner[2]);
}

// Converts the distances of flush triangles into shares.
static void share_out(const StCoplanar *flush, double least, StCoplanarPlanes *planes) {
  double sum = 0;
  int kept = 0;
  for (int i = 0; i < planes->count; i++) {
    double share =
        1 - (planes->share[i] - least) / (st_contact_tunables.flush_spread * flush->reach);
    if (!(share > 0))
      continue;
    planes->triangle[kept] = planes->triangle[i];
    planes->share[kept++] = share;
    sum += share;
  }
  planes->count = kept;
  for (int i = 0; i < kept; i++)
    planes->share[i] /= sum;
}

void st_coplanar_planes(const StCoplanar *flush, int point, const int *triangle, int count,
                        int stride, StCoplanarPlanes *planes) {
  double least = INFINITY;
  bool rim = false;
  planes->count = 0;
  for (int i = 0; i < count && planes->count < ST_COPLANAR_MOST; i++) {
    int t = triangle[i * stride];
    if (!(distance(flush->skins, flush->place, point, t) < flush->reach))
      continue;
    rim = rim || is_near_rim(flush, point, t);
    double far = distance(flush->skins, flush->start, point, t);
    double height = far < flush->reach ? flush_height(flush, point, t) : 0;
    if (!(height > 0))
      continue;
    planes->triangle[planes->count] = t;
    planes->share[planes->count++] = far;
    if (far < least) {
      least = far;
      planes->steep =
          sqrt(1 - fmax(far * far - height * height, 0) / (flush->reach * flush->reach));
    }
  }
  planes->count = rim ? planes->count : 0;
  share_out(flush, least, planes);
}

bool st_coplanar_alike(const StCoplanar *flush, int a, int b) {
  double m[3], n[3];
  return find_normal(flush, a, m) && find_normal(flush, b, n) &&
         fabs(vec3_dot(m, n)) > cos(st_contact_tunables.sharp_angle);
}

double st_coplanar_beside(const StCoplanar *flush, int point, int edge) {
  const int *of = flush->skins->edge_triangle + 2 * (size_t)edge;
  double square = edge_square(flush, point, edge);
  if (flush->sharpness[edge] < 1 || !(square < flush->reach * flush->reach))
    return 1;
  double height = fmax(flush_height(flush, point, of[0]), flush_height(flush, point, of[1]));
  return height > 0 ? sqrt(fmax(square - height * height, 0)) / flush->reach : 1;
}
