// An edge is sharp where the normals of its two triangles differ by more than 40 degrees; a line
// that bends by more than that at a vertex has a corner there.
#include "fill/sharp.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/group.h"

static const double COSINE = 0.766; // of 40 degrees

static bool unit_normal(const StNet *net, int triangle, double normal[3]) {
  const int *corner = net->triangle + 3 * (size_t)triangle;
  double a[3], b[3];
  vec3_sub(st_net_place(net, corner[1]), st_net_place(net, corner[0]), a);
  vec3_sub(st_net_place(net, corner[2]), st_net_place(net, corner[0]), b);
  vec3_cross(a, b, normal);
  double length = vec3_length(normal);
  for (int c = 0; c < 3; c++)
    normal[c] /= length;
  // Triangles with negligible area have no normal.
  return length > 1e-9 * (vec3_dot(a, a) + vec3_dot(b, b));
}

static bool is_sharp(const StNet *net, int triangle, int other) {
  double a[3], b[3];
  if (net->label[triangle] != net->label[other])
    return true;
  return unit_normal(net, triangle, a) && unit_normal(net, other, b) && vec3_dot(a, b) < COSINE;
}

// Marks all sharp edges and joins their ends; length[3 t + i] of the one at edge i of triangle t.
static void mark_edges(StNet *net, StGroups *groups, double *length) {
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      int edge, other = st_net_across(net, t, i, &edge);
      if (other <= t || !is_sharp(net, t, other))
        continue;
      int a = net->triangle[3 * t + i], b = net->triangle[3 * t + (i + 1) % 3];
      double way[3];
      vec3_sub(st_net_place(net, b), st_net_place(net, a), way);
      st_groups_join(groups, a, b);
      length[3 * t + i] = vec3_length(way);
      st_net_sharpen(net, t, i);
    }
}

// total[group] of the lengths; number[vertex] is its group.
static void sum_lengths(const StNet *net, const int *number, const double *length, double *total) {
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      total[number[net->triangle[3 * t + i]]] += length[3 * t + i];
}

// A sharp edge has both ends in one group.
static void blunt(StNet *net, const int *number, const double *total, double shortest) {
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      if (total[number[net->triangle[3 * t + i]]] < shortest)
        net->sharp[t] &= (unsigned char)~(1 << i);
}

// The other ends of sharp edges at a vertex, the first two of them.
static int sharp_ends(const StNet *net, int vertex, int end[2]) {
  const StFan *fan = &net->fan[vertex];
  int count = 0;
  for (int k = 0; k < fan->count; k++) {
    int at = st_net_corner(net, fan->triangle[k], vertex);
    if (!st_net_is_sharp(net, fan->triangle[k], at))
      continue;
    if (count < 2)
      end[count] = net->triangle[3 * fan->triangle[k] + (at + 1) % 3];
    count++;
  }
  return count;
}

static StNetKind find_kind(const StNet *net, int vertex) {
  int end[2], count = sharp_ends(net, vertex, end);
  if (count == 0)
    return ST_NET_FREE;
  if (count != 2)
    return ST_NET_CORNER;
  double a[3], b[3];
  vec3_sub(st_net_place(net, vertex), st_net_place(net, end[0]), a);
  vec3_sub(st_net_place(net, end[1]), st_net_place(net, vertex), b);
  bool straight = vec3_dot(a, b) >= COSINE * vec3_length(a) * vec3_length(b);
  return straight ? ST_NET_LINE : ST_NET_CORNER;
}

StStatus st_sharp_mark(StNet *net, double shortest, StError *error) {
  ST_FINALLY(st_groups_free) StGroups groups = {0};
  ST_FREE double *length = ST_NEW(double, 3 * (size_t)net->triangle_count);
  ST_FREE double *total = ST_NEW(double, net->vertex_count);
  ST_FREE int *number = ST_NEW(int, net->vertex_count);
  ST_TRY_MEMORY(length && total && number, error);
  ST_TRY(st_groups_create(net->vertex_count, &groups, error));
  mark_edges(net, &groups, length);
  st_groups_number(&groups, number);
  sum_lengths(net, number, length, total);
  blunt(net, number, total, shortest);
  for (int v = 0; v < net->vertex_count; v++)
    net->kind[v] = (unsigned char)find_kind(net, v);
  return ST_OK;
}

StStatus st_sharp_lines(const StNet *net, StMesh **lines, StError *error) {
  int count = 0;
  for (int t = 0; t < net->triangle_count; t++)
    count += __builtin_popcount(net->sharp[t]);
  StMesh *mesh = st_mesh_create(net->vertex_count, 0, count);
  ST_TRY_MEMORY(mesh, error);
  for (int v = 0; v < net->vertex_count; v++)
    vec3_copy(st_net_place(net, v), mesh->position + 3 * (size_t)v);
  int *corner = mesh->triangle;
  for (int t = 0; t < net->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      if (st_net_is_sharp(net, t, i)) {
        *corner++ = net->triangle[3 * t + i];
        *corner++ = net->triangle[3 * t + (i + 1) % 3];
        *corner++ = net->triangle[3 * t + (i + 1) % 3];
      }
  *lines = mesh;
  return ST_OK;
}
