// Triangles store their corners, and vertices their triangles; edges follow from these.
#include "fill/net.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

static StStatus fan_add(StFan *fan, int triangle, StError *error) {
  if (fan->count == fan->capacity) {
    int capacity = fan->capacity ? 2 * fan->capacity : 8;
    int *grown = realloc(fan->triangle, (size_t)capacity * sizeof(int));
    ST_TRY_MEMORY(grown, error);
    fan->triangle = grown;
    fan->capacity = capacity;
  }
  fan->triangle[fan->count++] = triangle;
  return ST_OK;
}

static void fan_drop(StFan *fan, int triangle) {
  int k = 0;
  while (fan->triangle[k] != triangle)
    k++;
  fan->triangle[k] = fan->triangle[--fan->count];
}

static StStatus add_vertex(StNet *net, const double at[3], StNetKind kind, StError *error) {
  size_t needed = (size_t)net->vertex_count + 1;
  ST_TRY_MEMORY(
      st_grow((void **)&net->position, &net->position_capacity, needed, 3 * sizeof(double)) &&
          st_grow((void **)&net->kind, &net->kind_capacity, needed, 1) &&
          st_grow((void **)&net->fan, &net->fan_capacity, needed, sizeof(StFan)),
      error);
  vec3_copy(at, net->position + 3 * (size_t)net->vertex_count);
  net->kind[net->vertex_count] = (unsigned char)kind;
  net->fan[net->vertex_count++] = (StFan){0};
  return ST_OK;
}

static StStatus add_triangle(StNet *net, const int corner[3], int label, StError *error) {
  size_t needed = (size_t)net->triangle_count + 1;
  ST_TRY_MEMORY(
      st_grow((void **)&net->triangle, &net->triangle_capacity, needed, 3 * sizeof(int)) &&
          st_grow((void **)&net->sharp, &net->sharp_capacity, needed, 1) &&
          st_grow((void **)&net->label, &net->label_capacity, needed, sizeof(int)),
      error);
  int t = net->triangle_count++;
  memcpy(net->triangle + 3 * (size_t)t, corner, 3 * sizeof(int));
  net->sharp[t] = 0;
  net->label[t] = label;
  for (int i = 0; i < 3; i++)
    ST_TRY(fan_add(&net->fan[corner[i]], t, error));
  return ST_OK;
}

StStatus st_net_create(const StMesh *mesh, StNet *net, StError *error) {
  *net = (StNet){0};
  StStatus status = ST_OK;
  for (int v = 0; v < mesh->vertex_count && status == ST_OK; v++)
    status = add_vertex(net, mesh->position + 3 * (size_t)v, ST_NET_FREE, error);
  for (int t = 0; t < mesh->triangle_count && status == ST_OK; t++)
    status = add_triangle(net, mesh->triangle + 3 * (size_t)t, mesh->triangle_label[t], error);
  if (status != ST_OK)
    st_net_free(net);
  return status;
}

void st_net_free(StNet *net) {
  for (int v = 0; v < net->vertex_count; v++)
    free(net->fan[v].triangle);
  free(net->position);
  free(net->kind);
  free(net->fan);
  free(net->triangle);
  free(net->sharp);
  free(net->label);
  *net = (StNet){0};
}

static StStatus copy_names(const StMesh *names, StMesh *mesh, StError *error) {
  for (int i = 0; i < names->label_count; i++)
    if (st_mesh_label(mesh, names->label_name[i]) < 0)
      return st_fail_memory(error);
  return ST_OK;
}

StStatus st_net_mesh(const StNet *net, const StMesh *names, StMesh **mesh, StError *error) {
  int *number = ST_NEW(int, net->vertex_count), vertices = 0, triangles = 0;
  ST_TRY_MEMORY(number, error);
  for (int v = 0; v < net->vertex_count; v++)
    number[v] = net->fan[v].count ? vertices++ : -1;
  for (int t = 0; t < net->triangle_count; t++)
    triangles += st_net_has(net, t);
  StMesh *made = st_mesh_create(vertices, 0, triangles);
  StStatus status = made ? copy_names(names, made, error) : st_fail_memory(error);
  triangles = 0;
  for (int v = 0; v < net->vertex_count && status == ST_OK; v++)
    if (number[v] >= 0)
      vec3_copy(st_net_place(net, v), made->position + 3 * (size_t)number[v]);
  for (int t = 0; t < net->triangle_count && status == ST_OK; t++) {
    if (!st_net_has(net, t))
      continue;
    made->triangle_label[triangles] = net->label[t];
    for (int i = 0; i < 3; i++)
      made->triangle[3 * triangles + i] = number[net->triangle[3 * t + i]];
    triangles++;
  }
  free(number);
  if (status != ST_OK)
    st_mesh_destroy(made);
  else
    *mesh = made;
  return status;
}

int st_net_corner(const StNet *net, int triangle, int vertex) {
  const int *corner = net->triangle + 3 * (size_t)triangle;
  return corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : corner[2] == vertex ? 2 : -1;
}

int st_net_across(const StNet *net, int triangle, int i, int *edge) {
  int a = net->triangle[3 * triangle + i], b = net->triangle[3 * triangle + (i + 1) % 3];
  const StFan *fan = &net->fan[b];
  for (int k = 0; k < fan->count; k++) {
    int other = fan->triangle[k], at = st_net_corner(net, other, b);
    if (net->triangle[3 * other + (at + 1) % 3] == a) {
      *edge = at;
      return other;
    }
  }
  return -1;
}

// All triangles around a vertex have the same orientation, so each neighbour follows it in exactly
// one.
bool st_net_joined(const StNet *net, int a, int b) {
  const StFan *fan = &net->fan[a];
  for (int k = 0; k < fan->count; k++) {
    int at = st_net_corner(net, fan->triangle[k], a);
    if (net->triangle[3 * fan->triangle[k] + (at + 1) % 3] == b)
      return true;
  }
  return false;
}

bool st_net_is_sharp(const StNet *net, int triangle, int i) {
  return net->sharp[triangle] >> i & 1;
}

static void set_sharp(StNet *net, int triangle, int i, bool sharp) {
  if (sharp)
    net->sharp[triangle] |= (unsigned char)(1 << i);
  else
    net->sharp[triangle] &= (unsigned char)~(1 << i);
}

void st_net_sharpen(StNet *net, int triangle, int i) {
  int edge, other = st_net_across(net, triangle, i, &edge);
  set_sharp(net, triangle, i, true);
  if (other >= 0)
    set_sharp(net, other, edge, true);
}

static StStatus replace_corner(StNet *net, int triangle, int i, int vertex, StError *error) {
  fan_drop(&net->fan[net->triangle[3 * triangle + i]], triangle);
  net->triangle[3 * triangle + i] = vertex;
  return fan_add(&net->fan[vertex], triangle, error);
}

// Splits one triangle at a vertex in its edge i: the triangle keeps the first half of the edge.
static StStatus cut(StNet *net, int triangle, int i, int vertex, StError *error) {
  const int *corner = net->triangle + 3 * (size_t)triangle;
  int next = (i + 1) % 3, last = (i + 2) % 3;
  int half[3] = {vertex, corner[next], corner[last]};
  bool sharp = st_net_is_sharp(net, triangle, i), after = st_net_is_sharp(net, triangle, next);
  ST_TRY(add_triangle(net, half, net->label[triangle], error));
  ST_TRY(replace_corner(net, triangle, next, vertex, error));
  set_sharp(net, net->triangle_count - 1, 0, sharp);
  set_sharp(net, net->triangle_count - 1, 1, after);
  set_sharp(net, triangle, next, false); // the new edge
  return ST_OK;
}

StStatus st_net_split(StNet *net, int triangle, int i, const double at[3], int *vertex,
                      StError *error) {
  int edge, other = st_net_across(net, triangle, i, &edge);
  ST_CHECK(other >= 0, error);
  *vertex = net->vertex_count;
  ST_TRY(add_vertex(net, at, st_net_is_sharp(net, triangle, i) ? ST_NET_LINE : ST_NET_FREE, error));
  ST_TRY(cut(net, triangle, i, *vertex, error));
  return cut(net, other, edge, *vertex, error);
}

bool st_net_can_collapse(const StNet *net, int triangle, int i) {
  int edge, other = st_net_across(net, triangle, i, &edge), common = 0;
  if (other < 0)
    return false;
  int from = net->triangle[3 * triangle + i], to = net->triangle[3 * triangle + (i + 1) % 3];
  int left = net->triangle[3 * triangle + (i + 2) % 3];
  int right = net->triangle[3 * other + (edge + 2) % 3];
  if (left == right || net->fan[left].count <= 3 || net->fan[right].count <= 3)
    return false;
  const StFan *fan = &net->fan[from];
  for (int k = 0; k < fan->count; k++) {
    int at = st_net_corner(net, fan->triangle[k], from);
    common += st_net_joined(net, net->triangle[3 * fan->triangle[k] + (at + 1) % 3], to);
  }
  return common == 2;
}

static void remove_triangle(StNet *net, int triangle) {
  for (int i = 0; i < 3; i++)
    fan_drop(&net->fan[net->triangle[3 * triangle + i]], triangle);
  net->triangle[3 * triangle] = -1;
}

// Two edges of a triangle become one: sharpness is passed on to the triangles beyond.
static void merge_sharp(StNet *net, int triangle, int i, int j) {
  bool sharp = st_net_is_sharp(net, triangle, i) || st_net_is_sharp(net, triangle, j);
  const int side[2] = {i, j};
  for (int k = 0; k < 2 && sharp; k++) {
    int edge, beyond = st_net_across(net, triangle, side[k], &edge);
    if (beyond >= 0)
      set_sharp(net, beyond, edge, true);
  }
}

StStatus st_net_collapse(StNet *net, int triangle, int i, StError *error) {
  int edge, other = st_net_across(net, triangle, i, &edge);
  ST_CHECK(other >= 0, error);
  int from = net->triangle[3 * triangle + i], to = net->triangle[3 * triangle + (i + 1) % 3];
  merge_sharp(net, triangle, (i + 1) % 3, (i + 2) % 3);
  merge_sharp(net, other, (edge + 1) % 3, (edge + 2) % 3);
  remove_triangle(net, triangle);
  remove_triangle(net, other);
  StFan *fan = &net->fan[from];
  while (fan->count > 0) {
    int last = fan->triangle[fan->count - 1];
    ST_TRY(replace_corner(net, last, st_net_corner(net, last, from), to, error));
  }
  return ST_OK;
}

bool st_net_can_flip(const StNet *net, int triangle, int i) {
  int edge, other = st_net_across(net, triangle, i, &edge);
  if (other < 0 || st_net_is_sharp(net, triangle, i))
    return false;
  int a = net->triangle[3 * triangle + i], b = net->triangle[3 * triangle + (i + 1) % 3];
  int c = net->triangle[3 * triangle + (i + 2) % 3], d = net->triangle[3 * other + (edge + 2) % 3];
  return c != d && net->fan[a].count > 3 && net->fan[b].count > 3 && !st_net_joined(net, c, d);
}

// (a b c) and (b a d) become (a d c) and (b c d).
StStatus st_net_flip(StNet *net, int triangle, int i, StError *error) {
  int edge, other = st_net_across(net, triangle, i, &edge);
  ST_CHECK(other >= 0, error);
  int c = net->triangle[3 * triangle + (i + 2) % 3], d = net->triangle[3 * other + (edge + 2) % 3];
  bool first = st_net_is_sharp(net, triangle, (i + 1) % 3);  // b c
  bool second = st_net_is_sharp(net, other, (edge + 1) % 3); // a d
  ST_TRY(replace_corner(net, triangle, (i + 1) % 3, d, error));
  ST_TRY(replace_corner(net, other, (edge + 1) % 3, c, error));
  set_sharp(net, triangle, i, second);
  set_sharp(net, triangle, (i + 1) % 3, false);
  set_sharp(net, other, edge, first);
  set_sharp(net, other, (edge + 1) % 3, false);
  return ST_OK;
}
