// Areas of vertices that face the same way, by fans: the triangles around each vertex.
#include "contact/barrier/facing_area.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "contact/tunables.h"

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
  for (int v = 0, sum = 0; v <= vertex_count; v++) { // ends; the fill below turns them into starts
    sum += fans->first[v];
    fans->first[v] = sum;
  }
  for (int i = 3 * count - 1; i >= 0; i--)
    fans->triangle[--fans->first[triangle[i]]] = i / 3;
  fill_normals(position, triangle, count, fans->normal);
  return ST_OK;
}

// The area of a vertex that faces the direction of one of its triangles.
static double facing(const Fans *fans, int vertex, int triangle) {
  const double *n = fans->normal + 3 * (size_t)triangle;
  double length = vec3_length(n), sum = 0;
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1] && length > 0; i++)
    sum += fmax(vec3_dot(n, fans->normal + 3 * (size_t)fans->triangle[i]) / length, 0) / 3;
  return sum;
}

static double largest_facing(const Fans *fans, int vertex) {
  double largest = 0;
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1]; i++)
    largest = fmax(largest, facing(fans, vertex, fans->triangle[i]));
  return largest;
}

static bool face_the_same_way(const Fans *fans, int a, int b) {
  const double *m = fans->normal + 3 * (size_t)a, *n = fans->normal + 3 * (size_t)b;
  return vec3_dot(m, n) >= st_contact_tunables.same_direction * vec3_length(m) * vec3_length(n);
}

// Whether a vertex lies inside a face: all triangles around it face nearly the same way.
static bool is_amid(const Fans *fans, int vertex) {
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1]; i++)
    for (int k = fans->first[vertex]; k < i; k++)
      if (!face_the_same_way(fans, fans->triangle[i], fans->triangle[k]))
        return false;
  return true;
}

// Whether the face of a triangle at a rim has, next to this vertex, a vertex that lies inside it.
static bool has_inside(const Fans *fans, const int *corner, const bool *amid, int vertex,
                       int triangle) {
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1]; i++) {
    int t = fans->triangle[i];
    if (!face_the_same_way(fans, t, triangle))
      continue;
    for (int c = 0; c < 3; c++)
      if (amid[corner[3 * t + c]])
        return true;
  }
  return false;
}

// For a vertex at a rim: the largest area facing the direction of a face with a vertex inside it
// next to this one; 0: there is no such face.
static double largest_with_inside(const Fans *fans, const int *corner, const bool *amid,
                                  int vertex) {
  double largest = 0;
  for (int i = fans->first[vertex]; i < fans->first[vertex + 1]; i++)
    if (has_inside(fans, corner, amid, vertex, fans->triangle[i]))
      largest = fmax(largest, facing(fans, vertex, fans->triangle[i]));
  return largest;
}

StStatus st_facing_areas(const double *position, const int *triangle, int count, int vertex_count,
                         double *area, StError *error) {
  Fans fans;
  StStatus status = fans_make(position, triangle, count, vertex_count, &fans, error);
  bool *amid = ST_NEW(bool, vertex_count);
  if (status == ST_OK && !amid)
    status = st_fail_memory(error);
  for (int v = 0; v < vertex_count && status == ST_OK; v++) {
    area[v] = largest_facing(&fans, v);
    amid[v] = is_amid(&fans, v);
  }
  for (int v = 0; v < vertex_count && status == ST_OK; v++) {
    double fitting = amid[v] ? 0 : largest_with_inside(&fans, triangle, amid, v);
    area[v] = fitting > 0 ? fitting : area[v];
  }
  free(amid);
  fans_free(&fans);
  return status;
}
