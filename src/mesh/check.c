// Finds defects that would spoil a simulation; repairs those with an obvious fix.
#include "mesh/check.h"

#include "base/memory.h"
#include "mesh/face.h"
#include "mesh/tuple.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

// 6 V / L³ of a tet and 2 A / L² of a triangle, L its longest edge, below which it counts as flat:
// well below the values of thin layers, well above the rounding error of a volume.
static const double flat_limit = 1e-9;

typedef struct Offence {
  int first, count; // first: -1 while there is none
} Offence;

static void offend(Offence *offence, int index) {
  if (!offence->count++)
    offence->first = index;
}

typedef struct Rest {
  char text[48];
} Rest;

static Rest rest(Offence offence) {
  Rest more = {" (counted from 0)"};
  if (offence.count > 1)
    snprintf(more.text, sizeof more.text, " (counted from 0; %d more like it)", offence.count - 1);
  return more;
}

static StStatus check_positions(const StMesh *mesh, const char *name, StError *error) {
  Offence bad = {-1, 0};
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
      offend(&bad, v);
  }
  if (!bad.count)
    return ST_OK;
  const double *x = mesh->position + 3 * bad.first;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: vertex %d is at (%g, %g, %g): every coordinate must be finite%s", name,
                 bad.first, x[0], x[1], x[2], rest(bad).text);
}

// Index of a corner that is out of range; -1: none.
static int corner_outside(const int *element, int corners, int vertex_count) {
  for (int i = 0; i < corners; i++)
    if (element[i] < 0 || element[i] >= vertex_count)
      return i;
  return -1;
}

static int corner_repeated(const int *element, int corners) {
  for (int i = 1; i < corners; i++)
    for (int j = 0; j < i; j++)
      if (element[i] == element[j])
        return i;
  return -1;
}

static const char *kind_of(int corners) {
  return corners == 4 ? "tet" : "triangle";
}

static StStatus check_range(const StMesh *mesh, const int *element, int count, int corners,
                            const char *name, StError *error) {
  Offence outside = {-1, 0};
  for (int e = 0; e < count; e++)
    if (corner_outside(element + corners * e, corners, mesh->vertex_count) >= 0)
      offend(&outside, e);
  if (!outside.count)
    return ST_OK;
  const int *at = element + corners * outside.first;
  return st_fail(error, ST_BAD_INPUT, "%s: %s %d refers to vertex %d, but there are %d vertices%s",
                 name, kind_of(corners), outside.first,
                 at[corner_outside(at, corners, mesh->vertex_count)], mesh->vertex_count,
                 rest(outside).text);
}

static StStatus check_corners(const int *element, int count, int corners, const char *name,
                              StError *error) {
  Offence repeated = {-1, 0};
  for (int e = 0; e < count; e++)
    if (corner_repeated(element + corners * e, corners) >= 0)
      offend(&repeated, e);
  if (!repeated.count)
    return ST_OK;
  const int *at = element + corners * repeated.first;
  return st_fail(error, ST_BAD_INPUT, "%s: %s %d has vertex %d twice: its corners must differ%s",
                 name, kind_of(corners), repeated.first, at[corner_repeated(at, corners)],
                 rest(repeated).text);
}

static double longest_edge(const double *position, const int *element, int corners) {
  double longest = 0;
  for (int i = 1; i < corners; i++)
    for (int j = 0; j < i; j++) {
      double edge[3];
      vec3_sub(position + 3 * element[i], position + 3 * element[j], edge);
      longest = fmax(longest, vec3_length(edge));
    }
  return longest;
}

// 6 V / L³, signed. Scaled before multiplying, so that nothing under- or overflows.
static double tet_shape(const double *position, const int *tet) {
  double longest = longest_edge(position, tet, 4), edge[3][3];
  if (!(longest > 0) || !isfinite(longest))
    return 0;
  for (int i = 0; i < 3; i++) {
    vec3_sub(position + 3 * tet[i + 1], position + 3 * tet[0], edge[i]);
    for (int k = 0; k < 3; k++)
      edge[i][k] /= longest;
  }
  return vec3_triple(edge[0], edge[1], edge[2]);
}

static double triangle_shape(const double *position, const int *triangle) {
  double longest = longest_edge(position, triangle, 3), edge[2][3], normal[3];
  if (!(longest > 0) || !isfinite(longest))
    return 0;
  for (int i = 0; i < 2; i++) {
    vec3_sub(position + 3 * triangle[i + 1], position + 3 * triangle[0], edge[i]);
    for (int k = 0; k < 3; k++)
      edge[i][k] /= longest;
  }
  vec3_cross(edge[0], edge[1], normal);
  return vec3_length(normal);
}

static StStatus check_tet_shapes(StMesh *mesh, const char *name, const StLog *log, StError *error) {
  Offence flat = {-1, 0}, flipped = {-1, 0};
  for (int t = 0; t < mesh->tet_count; t++) {
    int *tet = mesh->tet + 4 * t;
    double shape = tet_shape(mesh->position, tet);
    bool part = mesh->second_order && shape < 0; // it cannot turn alone
    if (fabs(shape) < flat_limit || part) {
      offend(&flat, t);
    } else if (shape < 0) {
      offend(&flipped, t);
      int swap = tet[2];
      tet[2] = tet[3];
      tet[3] = swap;
    }
  }
  if (flat.count) {
    const int *tet = mesh->tet + 4 * flat.first;
    return st_fail(error, ST_BAD_INPUT,
                   "%s: tet %d (vertices %d, %d, %d, %d) is flat: six times its volume must be at "
                   "least %g of its longest edge cubed%s",
                   name, flat.first, tet[0], tet[1], tet[2], tet[3], flat_limit, rest(flat).text);
  }
  if (flipped.count == 1)
    st_log(log, ST_WARNING, "%s: tet %d was inverted and has been reoriented", name, flipped.first);
  else if (flipped.count)
    st_log(log, ST_WARNING, "%s: %d tets were inverted and have been reoriented, first tet %d",
           name, flipped.count, flipped.first);
  return ST_OK;
}

static StStatus check_triangle_shapes(const StMesh *mesh, const char *name, StError *error) {
  Offence flat = {-1, 0};
  for (int t = 0; t < mesh->triangle_count; t++)
    if (triangle_shape(mesh->position, mesh->triangle + 3 * t) < flat_limit)
      offend(&flat, t);
  if (!flat.count)
    return ST_OK;
  const int *triangle = mesh->triangle + 3 * flat.first;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: triangle %d (vertices %d, %d, %d) is degenerate: twice its area must be at "
                 "least %g of its longest edge squared%s",
                 name, flat.first, triangle[0], triangle[1], triangle[2], flat_limit,
                 rest(flat).text);
}

static StStatus report_repeats(const int *tuple, const int *order, int count, int corners,
                               const char *name, StError *error) {
  Offence repeated = {-1, 0};
  for (int k = 1; k < count; k++)
    if (st_tuple_equal(tuple, corners, order[k - 1], order[k]))
      offend(&repeated, k);
  if (!repeated.count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "%s: %s %d and %d have the same vertices%s", name,
                 corners == 4 ? "tets" : "triangles", order[repeated.first - 1],
                 order[repeated.first], rest(repeated).text);
}

static StStatus check_repeats(const StMesh *mesh, const int *element, int count, int corners,
                              const char *name, StError *error) {
  size_t size = (size_t)count * (size_t)corners;
  ST_FREE int *tuple = ST_NEW(int, size), *order = ST_NEW(int, count);
  ST_TRY_MEMORY(tuple && order, error);
  memcpy(tuple, element, size * sizeof(int));
  for (int e = 0; e < count; e++)
    st_tuple_ascend(tuple + corners * e, corners);
  ST_TRY(st_tuple_sort(tuple, (size_t)count, corners, mesh->vertex_count, order, error));
  return report_repeats(tuple, order, count, corners, name, error);
}

// Faces are sorted here, so the boundary is known as well.
static StStatus check_faces(StMesh *mesh, const char *name, StError *error) {
  ST_FINALLY(st_faces_free) StFaces faces = {0};
  ST_TRY(st_faces_create(mesh->tet, (size_t)mesh->tet_count, mesh->vertex_count, &faces, error));
  Offence crowded = {-1, 0};
  for (size_t at = 0, end; at < faces.count; at = end) {
    end = st_tuple_run(faces.vertex, 3, faces.order, faces.count, at);
    if (end - at > 2)
      offend(&crowded, (int)at);
  }
  if (crowded.count) {
    const int *order = faces.order + crowded.first, *face = faces.vertex + 3 * (size_t)order[0];
    return st_fail(error, ST_BAD_INPUT,
                   "%s: tets %d, %d and %d share one face (vertices %d, %d, %d): two at most "
                   "can%s",
                   name, order[0] / 4, order[1] / 4, order[2] / 4, face[0], face[1], face[2],
                   rest(crowded).text);
  }
  if (!mesh->cage)
    ST_TRY(st_faces_list_open(&faces, &mesh->boundary, &mesh->boundary_count, error));
  return ST_OK;
}

static void renumber(int *index, size_t count, const int *number) {
  for (size_t i = 0; i < count; i++)
    index[i] = number[index[i]];
}

// number[v]: the new number of vertex v, -1 for a dropped one.
static void drop_vertices(StMesh *mesh, const int *number, int kept) {
  for (int v = 0; v < mesh->vertex_count; v++)
    if (number[v] >= 0)
      memmove(mesh->position + 3 * number[v], mesh->position + 3 * v, 3 * sizeof(double));
  mesh->vertex_count = kept;
  renumber(mesh->tet, 4 * (size_t)mesh->tet_count, number);
  renumber(mesh->triangle, 3 * (size_t)mesh->triangle_count, number);
  int tags = 0;
  for (int i = 0; i < mesh->tag_count; i++) {
    int vertex = number[mesh->tag[2 * i]];
    if (vertex < 0)
      continue;
    mesh->tag[2 * tags + 1] = mesh->tag[2 * i + 1];
    mesh->tag[2 * tags++] = vertex;
  }
  mesh->tag_count = tags;
}

static void mark_used(const int *index, size_t count, int *used) {
  for (size_t i = 0; i < count; i++)
    used[index[i]] = 1;
}

static StStatus drop_unreferenced(StMesh *mesh, const char *name, const StLog *log,
                                  StError *error) {
  int *number = ST_NEW(int, mesh->vertex_count);
  ST_TRY_MEMORY(number, error);
  mark_used(mesh->tet, 4 * (size_t)mesh->tet_count, number);
  mark_used(mesh->triangle, 3 * (size_t)mesh->triangle_count, number);
  Offence unused = {-1, 0};
  int kept = 0;
  for (int v = 0; v < mesh->vertex_count; v++) {
    if (!number[v])
      offend(&unused, v);
    number[v] = number[v] ? kept++ : -1;
  }
  if (unused.count == 1)
    st_log(log, ST_WARNING, "%s: vertex %d belongs to no element and was left out", name,
           unused.first);
  else if (unused.count)
    st_log(log, ST_WARNING, "%s: %d vertices belong to no element and were left out, first %d",
           name, unused.count, unused.first);
  if (unused.count)
    drop_vertices(mesh, number, kept);
  free(number);
  return ST_OK;
}

static StStatus check_tags(const StMesh *mesh, const char *name, StError *error) {
  for (int i = 0; i < mesh->tag_count; i++)
    if (mesh->tag[2 * i] < 0 || mesh->tag[2 * i] >= mesh->vertex_count)
      return st_fail(error, ST_BAD_INPUT,
                     "%s: a label is given to vertex %d, but the %d vertices are numbered from 0",
                     name, mesh->tag[2 * i], mesh->vertex_count);
  return ST_OK;
}

StStatus st_mesh_check_numbers(const StMesh *mesh, const char *name, StError *error) {
  if (!mesh->tet_count && !mesh->triangle_count)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: holds no tetrahedra and no triangles: there is nothing to simulate", name);
  ST_TRY(check_range(mesh, mesh->tet, mesh->tet_count, 4, name, error));
  ST_TRY(check_range(mesh, mesh->triangle, mesh->triangle_count, 3, name, error));
  ST_TRY(check_tags(mesh, name, error));
  return check_positions(mesh, name, error);
}

enum { CHECKS = 7 };

static StStatus check_one(int which, StMesh *mesh, const char *name, const StLog *log,
                          StError *error) {
  switch (which) {
  case 0: return check_corners(mesh->tet, mesh->tet_count, 4, name, error);
  case 1: return check_corners(mesh->triangle, mesh->triangle_count, 3, name, error);
  case 2: return check_tet_shapes(mesh, name, log, error);
  case 3: return check_triangle_shapes(mesh, name, error);
  case 4: return check_repeats(mesh, mesh->tet, mesh->tet_count, 4, name, error);
  case 5: return check_repeats(mesh, mesh->triangle, mesh->triangle_count, 3, name, error);
  default: return check_faces(mesh, name, error);
  }
}

StStatus st_mesh_check(StMesh *mesh, const char *name, const StLog *log, StError *error) {
  st_mesh_forget_boundary(mesh);
  ST_TRY(st_mesh_check_numbers(mesh, name, error));
  for (int i = 0; i < CHECKS; i++)
    ST_TRY(check_one(i, mesh, name, log, error));
  // Last, so that the messages above use the file's vertex numbers.
  return drop_unreferenced(mesh, name, log, error);
}

StStatus st_mesh_diagnose(StMesh *mesh, const char *name, const StLog *log, StMeshDefect defect,
                          void *context, StError *error) {
  bool sound = true;
  st_mesh_forget_boundary(mesh);
  ST_TRY(st_mesh_check_numbers(mesh, name, error));
  for (int i = 0; i < CHECKS; i++) {
    StError found = {0};
    StStatus status = check_one(i, mesh, name, log, &found);
    if (status != ST_OK && status != ST_BAD_INPUT)
      return st_fail(error, status, "%s", found.text);
    if (status == ST_BAD_INPUT)
      defect(context, found.text);
    sound = sound && status == ST_OK;
  }
  return sound ? drop_unreferenced(mesh, name, log, error) : ST_OK;
}
