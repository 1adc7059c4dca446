// Rays go inward from points that are spread evenly over the area, so that it does not matter how
// the surface is cut into triangles.
#include "fill/thickness.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

enum { RAYS = 256 };

typedef struct Ray {
  double from[3], way[3]; // way: a unit vector
  int triangle;           // that it starts from
} Ray;

static const double *corner(const StMesh *surface, int triangle, int i) {
  return surface->position + 3 * (size_t)surface->triangle[3 * (size_t)triangle + (size_t)i];
}

// Returns the area.
static double normal_of(const StMesh *surface, int triangle, double normal[3]) {
  double a[3], b[3];
  vec3_sub(corner(surface, triangle, 1), corner(surface, triangle, 0), a);
  vec3_sub(corner(surface, triangle, 2), corner(surface, triangle, 0), b);
  vec3_cross(a, b, normal);
  return vec3_length(normal) / 2;
}

// Point number i of a sequence that fills a triangle evenly (Roberts' R₂, folded at the diagonal).
static Ray ray_from(const StMesh *surface, int triangle, int i) {
  Ray ray = {.triangle = triangle};
  double normal[3], x = fmod(0.5 + 0.7548776662466927 * i, 1),
                    y = fmod(0.5 + 0.5698402909980532 * i, 1);
  if (x + y > 1)
    x = 1 - x, y = 1 - y;
  vec3_add_scaled(1 - x - y, corner(surface, triangle, 0), ray.from);
  vec3_add_scaled(x, corner(surface, triangle, 1), ray.from);
  vec3_add_scaled(y, corner(surface, triangle, 2), ray.from);
  double area = normal_of(surface, triangle, normal);
  vec3_add_scaled(-1 / (2 * area), normal, ray.way);
  return ray;
}

// Distance to a triangle along the ray; INFINITY: no intersection.
static double hit(const StMesh *surface, int triangle, const Ray *ray) {
  double a[3], b[3], across[3], arm[3], turned[3];
  vec3_sub(corner(surface, triangle, 1), corner(surface, triangle, 0), a);
  vec3_sub(corner(surface, triangle, 2), corner(surface, triangle, 0), b);
  vec3_cross(ray->way, b, across);
  double determinant = vec3_dot(a, across);
  vec3_sub(ray->from, corner(surface, triangle, 0), arm);
  vec3_cross(arm, a, turned);
  double u = vec3_dot(arm, across) / determinant, v = vec3_dot(ray->way, turned) / determinant;
  double far = vec3_dot(b, turned) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && far > 0 ? far : INFINITY; // false for NaN
}

static double way_through(const StMesh *surface, const Ray *ray) {
  double least = INFINITY;
  for (int t = 0; t < surface->triangle_count; t++)
    if (t != ray->triangle)
      least = fmin(least, hit(surface, t, ray));
  return least;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

StStatus st_fill_thickness(const StMesh *surface, double *thickness, StError *error) {
  double way[RAYS], sum = 0, total = 0, normal[3];
  int next = 0;
  for (int t = 0; t < surface->triangle_count; t++)
    total += normal_of(surface, t, normal);
  ST_CHECK(total > 0, error);
  for (int t = 0; t < surface->triangle_count; t++) {
    sum += normal_of(surface, t, normal);
    for (; next < RAYS && (next + 0.5) * total <= RAYS * sum; next++) {
      Ray ray = ray_from(surface, t, next);
      way[next] = way_through(surface, &ray);
    }
  }
  ST_CHECK(next == RAYS, error);
  qsort(way, RAYS, sizeof *way, ascending);
  *thickness = way[RAYS / 4];
  return ST_OK;
}
