// The section is where the edges of the skin cross a plane.
#include "scene/section.h"

#include "math/eigen.h"
#include "math/vec3.h"
#include "mesh/cage.h"

#include <math.h>

typedef struct Section {
  const double *position;
  int count;        // edges of triangles, so most points come twice
  double middle[3]; // of the points, m
  double moment[9]; // Σ x xᵀ, from the middle
  double axis[3];   // along which …
  double low, high; // … they reach so far
} Section;

typedef void Visit(Section *section, const double point[3]);

static void add(Section *section, const double point[3]) {
  section->count++;
  vec3_add_scaled(1, point, section->middle);
}

static void add_moment(Section *section, const double point[3]) {
  double arm[3];
  vec3_sub(point, section->middle, arm);
  for (int i = 0; i < 9; i++)
    section->moment[i] += arm[i / 3] * arm[i % 3];
}

static void add_extent(Section *section, const double point[3]) {
  double at = vec3_dot(section->axis, point);
  section->low = fmin(section->low, at);
  section->high = fmax(section->high, at);
}

static void visit(Section *section, const int *triangle, int count, const double way[3],
                  double height, Visit *of) {
  for (int i = 0; i < 3 * count; i++) {
    const double *a = section->position + 3 * (size_t)triangle[i];
    const double *b = section->position + 3 * (size_t)triangle[i % 3 == 2 ? i - 2 : i + 1];
    double up[2] = {vec3_dot(way, a) - height, vec3_dot(way, b) - height}, point[3];
    if ((up[0] < 0) == (up[1] < 0))
      continue;
    double part = up[0] / (up[0] - up[1]);
    for (int c = 0; c < 3; c++)
      point[c] = a[c] + part * (b[c] - a[c]);
    of(section, point);
  }
}

static double half_width(Section *section) {
  return 0.5 * (section->high - section->low);
}

static void begin_axis(Section *section, const double axis[3]) {
  vec3_copy(axis, section->axis);
  section->low = INFINITY;
  section->high = -INFINITY;
}

static double body_half_width(Section *section, const StMesh *mesh) {
  begin_axis(section, section->axis);
  for (int v = 0; v < st_mesh_own_count(mesh); v++)
    add_extent(section, mesh->position + 3 * (size_t)v);
  return half_width(section);
}

static double end_of(const StMesh *mesh, const double way[3]) {
  double most = -INFINITY;
  for (int v = 0; v < st_mesh_own_count(mesh); v++)
    most = fmax(most, vec3_dot(way, mesh->position + 3 * (size_t)v));
  return most;
}

// The principal axis that is most nearly the section's normal; the others lie in the section.
static int normal_of(const double vector[9], const double way[3]) {
  int normal = 0;
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double along = fabs(vec3_dot((const double[3]){vector[k], vector[3 + k], vector[6 + k]}, way));
    normal = along > most ? k : normal;
    most = fmax(most, along);
  }
  return normal;
}

double st_section_narrowing(const StMesh *mesh, const int *triangle, int triangle_count,
                            const double from[3], const double way[3], double depth) {
  Section section = {.position = mesh->position};
  double height = end_of(mesh, way) - depth, value[3], vector[9], most = 0;
  visit(&section, triangle, triangle_count, way, height, add);
  for (int c = 0; c < 3; c++)
    section.middle[c] /= fmax(section.count, 1);
  visit(&section, triangle, triangle_count, way, height, add_moment);
  mat3_eigen(section.moment, value, vector);
  int normal = normal_of(vector, way);
  for (int k = 0; k < 3 && section.count > 0; k++) {
    const double axis[3] = {vector[k], vector[3 + k], vector[6 + k]};
    if (k == normal)
      continue;
    begin_axis(&section, axis);
    visit(&section, triangle, triangle_count, way, height, add_extent);
    double width = half_width(&section), at = vec3_dot(axis, from);
    if (at < section.low || at > section.high)
      return 0;
    if (width > 0)
      most = fmax(most, 1 / width - 2 / body_half_width(&section, mesh));
  }
  return most;
}
