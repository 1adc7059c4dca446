// Areas that face the same way.
#include "contact/facing_area.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/mesh.h"

// Triangles around the vertices, and their normals as long as their areas.
typedef struct Fans {
  int *first;     // [vertex_count + 1]
  int *triangle;  // [3 count]
  double *normal; // [count][3]
} Fans;

static void fans_free(Fans *fans) {
  free(fans->first);
  free(fans->triangle);
  free(fans->normal);
}

static void fill_normals(const double *position, const int *triangle, int count, double *normal) {
  for (int t = 0; t < count; t++) {
    const int *corner = triangle + 3 * t;
    double side[2][3], *n = normal + 3 * (size_t)t;
    for (int i = 0; i < 2; i++)
      vec3_sub(position + 3 * (size_t)corner[i + 1], position + 3 * (size_t)corner[0], side[i]);
    vec3_cross(side[0], side[1], n);
    for (int i = 0; i < 3; i++)
      n[i] /= 2;
  }
}

static StStatus fans_make(const double *position, const int *triangle, int count, int vertex_count,
                          Fans *fans, StError *error) {
  *fans = (Fans){.first = ST_NEW(int, (size_t)vertex_count + 1),
                 .triangle = ST_NEW(int, 3 * (size_t)count),
                 .normal = ST_NEW(double, 3 * (size_t)count)};
  if (!fans->first || !fans->triangle || !fans->normal)
    return st_fail_memory(error);
  for (int i = 0; i < 3 * count; i++)
    fans->first[triangle[i]]++;
  for (int v = 0, sum = 0; v <= vertex_count; v++) { // ends for now
    sum += fans->first[v];
    fans->first[v] = sum;
  }
  for (int i = 3 * count - 1; i >= 0; i--)
    fans->triangle[--fans->first[triangle[i]]] = i / 3;
  fill_normals(position, triangle, count, fans->normal);
  return ST_OK;
}

// What of a fan faces the way one of its triangles does.
static double facing(const Fans *fans, int vertex, int triangle) {
  const double *n = fans->normal + 3 * (size_t)triangle;
  double length = vec3_length(n), sum = 0;
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1] && length > 0; i++)
    sum += fmax(vec3_dot(n, fans->normal + 3 * (size_t)fans->triangle[i]) / length, 0) / 3;
  return sum;
}

StStatus st_facing_areas(const double *position, const int *triangle, int count, int vertex_count,
                         double *area, StError *error) {
  Fans fans;
  StStatus status = fans_make(position, triangle, count, vertex_count, &fans, error);
  for (int v = 0; v < vertex_count && status == ST_OK; v++) {
    area[v] = 0;
    for (int i = fans.first[v]; i < fans.first[v + 1]; i++)
      area[v] = fmax(area[v], facing(&fans, v, fans.triangle[i]));
  }
  fans_free(&fans);
  return status;
}
