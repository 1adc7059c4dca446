// A nearly flat tet with two faces on the surface has four vertices on the surface, so no inner
// vertex can improve it. Removing it flips the surface edge between the two faces.
#include "fill/polish.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/face.h"
#include "mesh/table.h"

#include <string.h>

enum { PEELS = 4, SWEEPS = 6 };

static const double FLAT = 0.15, POOR = 0.35; // qualities below which something is tried

static double quality(const double *const x[4]) {
  double edge[3][3], sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) {
      double way[3];
      vec3_sub(x[i], x[j], way);
      sum += vec3_dot(way, way);
    }
  for (int i = 0; i < 3; i++)
    vec3_sub(x[i + 1], x[0], edge[i]);
  double rms = sqrt(sum / 6);
  return sqrt(2) * vec3_triple(edge[0], edge[1], edge[2]) / (rms * rms * rms);
}

static double tet_quality(const StMesh *mesh, int t) {
  const double *x[4];
  for (int i = 0; i < 4; i++)
    x[i] = mesh->position + 3 * (size_t)mesh->tet[4 * t + i];
  return quality(x);
}

// Distance between the lines through two opposite edges.
static double thickness(const StMesh *mesh, const int a[2], const int b[2]) {
  double first[3], second[3], across[3], way[3];
  vec3_sub(mesh->position + 3 * (size_t)a[1], mesh->position + 3 * (size_t)a[0], first);
  vec3_sub(mesh->position + 3 * (size_t)b[1], mesh->position + 3 * (size_t)b[0], second);
  vec3_sub(mesh->position + 3 * (size_t)b[0], mesh->position + 3 * (size_t)a[0], way);
  vec3_cross(first, second, across);
  double length = vec3_length(across);
  return length > 0 ? fabs(vec3_dot(way, across)) / length : INFINITY;
}

typedef struct Peel {
  StMesh *mesh;
  unsigned char *open; // [tet_count] bit f: face f lies on the surface
  StTable edges;       // of the surface, as two ascending vertices
  bool *busy;          // [vertex_count] of a tet that is removed in this round
  double spare, shift;
} Peel;

static StStatus add_edge(Peel *peel, int a, int b, StError *error) {
  const int key[2] = {a < b ? a : b, a < b ? b : a};
  return st_table_add(&peel->edges, key, sizeof key) < 0 ? st_fail_memory(error) : ST_OK;
}

static StStatus find_surface(Peel *peel, StError *error) {
  int *face, count;
  ST_TRY(st_mesh_boundary_faces(peel->mesh, &face, &count, error));
  StStatus status = ST_OK;
  for (int k = 0; k < count && status == ST_OK; k++) {
    const int *tet = peel->mesh->tet + 4 * (size_t)(face[k] / 4);
    const int *corner = st_tet_face[face[k] % 4];
    peel->open[face[k] / 4] |= (unsigned char)(1 << face[k] % 4);
    for (int i = 0; i < 3 && status == ST_OK; i++)
      status = add_edge(peel, tet[corner[i]], tet[corner[(i + 1) % 3]], error);
  }
  free(face);
  return status;
}

// The corner that a face does not have.
static int opposite(int face) {
  int sum = 6;
  for (int i = 0; i < 3; i++)
    sum -= st_tet_face[face][i];
  return sum;
}

static bool may_go(Peel *peel, int t) {
  const int *tet = peel->mesh->tet + 4 * (size_t)t;
  if (__builtin_popcount(peel->open[t]) != 2 || tet_quality(peel->mesh, t) >= FLAT)
    return false;
  int ends[2], sides[2], end_count = 0, side_count = 0;
  bool is_end[4] = {false};
  for (int f = 0; f < 4; f++)
    if (peel->open[t] >> f & 1)
      is_end[opposite(f)] = true;
  for (int i = 0; i < 4; i++) {
    if (peel->busy[tet[i]])
      return false;
    if (is_end[i])
      ends[end_count++] = tet[i];
    else
      sides[side_count++] = tet[i];
  }
  const int key[2] = {ends[0] < ends[1] ? ends[0] : ends[1], ends[0] < ends[1] ? ends[1] : ends[0]};
  double thick = thickness(peel->mesh, ends, sides);
  if (st_table_find(&peel->edges, key, sizeof key) >= 0 || !(thick < peel->spare))
    return false;
  peel->shift = fmax(peel->shift, thick);
  return true;
}

static int take_away(Peel *peel) {
  StMesh *mesh = peel->mesh;
  int kept = 0, count = mesh->tet_count;
  for (int t = 0; t < count; t++) {
    bool go = may_go(peel, t);
    for (int i = 0; i < 4 && go; i++)
      peel->busy[mesh->tet[4 * t + i]] = true;
    if (go)
      continue;
    mesh->tet_label[kept] = mesh->tet_label[t];
    memmove(mesh->tet + 4 * (size_t)kept++, mesh->tet + 4 * (size_t)t, 4 * sizeof(int));
  }
  mesh->tet_count = kept;
  st_mesh_forget_boundary(mesh);
  return count - kept;
}

static StStatus peel_once(StMesh *mesh, double spare, double *shift, int *gone, StError *error) {
  Peel peel = {.mesh = mesh,
               .open = ST_NEW(unsigned char, mesh->tet_count),
               .busy = ST_NEW(bool, mesh->vertex_count),
               .spare = spare};
  StStatus status = peel.open && peel.busy ? find_surface(&peel, error) : st_fail_memory(error);
  if (status == ST_OK)
    *gone = take_away(&peel);
  *shift += peel.shift;
  st_table_free(&peel.edges);
  free(peel.open);
  free(peel.busy);
  return status;
}

typedef struct Stars {
  StMesh *mesh;
  int *start, *tet; // tets of vertex v: tet[start[v]] … tet[start[v + 1] - 1]
  bool *fixed;      // on the surface
} Stars;

static void fill_stars(Stars *stars) {
  const StMesh *mesh = stars->mesh;
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    stars->start[mesh->tet[i] + 1]++;
  for (int v = 0; v < mesh->vertex_count; v++)
    stars->start[v + 1] += stars->start[v];
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    stars->tet[stars->start[mesh->tet[i]]++] = i / 4;
  memmove(stars->start + 1, stars->start, (size_t)mesh->vertex_count * sizeof(int));
  stars->start[0] = 0;
}

// The worst of a vertex's tets with the vertex at x.
static double worst_around(const Stars *stars, int vertex, const double x[3]) {
  double worst = INFINITY;
  for (int k = stars->start[vertex]; k < stars->start[vertex + 1]; k++) {
    const int *tet = stars->mesh->tet + 4 * (size_t)stars->tet[k];
    const double *corner[4];
    for (int i = 0; i < 4; i++)
      corner[i] = tet[i] == vertex ? x : stars->mesh->position + 3 * (size_t)tet[i];
    worst = fmin(worst, quality(corner));
  }
  return worst;
}

static void find_middle(const Stars *stars, int vertex, double middle[3]) {
  int count = 0;
  vec3_set(0, 0, 0, middle);
  for (int k = stars->start[vertex]; k < stars->start[vertex + 1]; k++)
    for (int i = 0; i < 4; i++) {
      int v = stars->mesh->tet[4 * stars->tet[k] + i];
      if (v == vertex)
        continue;
      vec3_add_scaled(1, stars->mesh->position + 3 * (size_t)v, middle);
      count++;
    }
  for (int c = 0; c < 3; c++)
    middle[c] /= count;
}

// Tries positions towards the centre of the neighbours and around the current one.
static void move_vertex(const Stars *stars, int vertex) {
  double *x = stars->mesh->position + 3 * (size_t)vertex, middle[3], way[3];
  double best = worst_around(stars, vertex, x);
  if (best >= POOR)
    return;
  find_middle(stars, vertex, middle);
  vec3_sub(middle, x, way);
  double radius = 0.3 * vec3_length(way);
  for (int k = 0; k < 10; k++) {
    double place[3];
    vec3_copy(x, place);
    if (k < 4)
      vec3_add_scaled(1.0 / (1 << k), way, place);
    else
      place[(k - 4) / 2] += k % 2 ? radius : -radius;
    double worst = worst_around(stars, vertex, place);
    if (worst > best) {
      best = worst;
      vec3_copy(place, x);
      vec3_sub(middle, x, way);
    }
  }
}

static StStatus smooth(StMesh *mesh, StError *error) {
  Stars stars = {mesh, ST_NEW(int, mesh->vertex_count + 2),
                 ST_NEW(int, 4 * (size_t)mesh->tet_count), ST_NEW(bool, mesh->vertex_count)};
  int *boundary = NULL, count;
  StStatus status = stars.start && stars.tet && stars.fixed ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_mesh_boundary(mesh, &boundary, &count, error);
  if (status == ST_OK) {
    for (int i = 0; i < 3 * count; i++)
      stars.fixed[boundary[i]] = true;
    fill_stars(&stars);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      for (int v = 0; v < mesh->vertex_count; v++)
        if (!stars.fixed[v] && stars.start[v + 1] > stars.start[v])
          move_vertex(&stars, v);
  }
  free(boundary);
  free(stars.start);
  free(stars.tet);
  free(stars.fixed);
  return status;
}

StStatus st_polish(StMesh *mesh, double spare, double *shift, StError *error) {
  *shift = 0;
  for (int round = 0, gone = 1; round < PEELS && gone > 0; round++)
    ST_TRY(peel_once(mesh, 0.7 * (spare - *shift), shift, &gone, error));
  return smooth(mesh, error);
}
