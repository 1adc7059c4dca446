// Sizes, quality and topology of a mesh, and the boundary of its tets.
#include "mesh/check.h"

#include "base/memory.h"
#include "mesh/face.h"
#include "mesh/tuple.h"
#include "math/vec3.h"

// open[f]: face f has no partner. Returns how many there are.
static int mark_open(const StFaces *faces, bool *open) {
  int count = 0;
  for (size_t at = 0, end; at < faces->count; at = end) {
    end = st_tuple_run(faces->vertex, 3, faces->order, faces->count, at);
    open[faces->order[at]] = end - at == 1;
    count += end - at == 1;
  }
  return count;
}

// Faces in the order of their tets, so that neighbours in the list are neighbours in space.
static int *list_open(const StMesh *mesh, const bool *open, int count) {
  int *triangle = ST_NEW(int, 3 * (size_t)count), *to = triangle;
  for (size_t f = 0; f < 4 * (size_t)mesh->tet_count && triangle; f++)
    for (int i = 0; i < 3 && open[f]; i++)
      *to++ = mesh->tet[4 * (f / 4) + (size_t)st_tet_face[f % 4][i]];
  return triangle;
}

StStatus st_mesh_boundary(const StMesh *mesh, int **triangle, int *count, StError *error) {
  StFaces faces;
  ST_TRY(st_faces_create(mesh->tet, (size_t)mesh->tet_count, mesh->vertex_count, &faces, error));
  bool *open = ST_NEW(bool, faces.count);
  *count = open ? mark_open(&faces, open) : 0;
  *triangle = open ? list_open(mesh, open, *count) : NULL;
  st_faces_free(&faces);
  free(open);
  return *triangle ? ST_OK : st_fail_memory(error);
}

// Adds the squared lengths of an element's edges and widens the range of edge lengths.
static double edge_squares(const StMesh *mesh, const int *element, int corners,
                           StMeshReport *report) {
  double sum = 0;
  for (int i = 1; i < corners; i++)
    for (int j = 0; j < i; j++) {
      double edge[3];
      vec3_sub(mesh->position + 3 * element[i], mesh->position + 3 * element[j], edge);
      double length = vec3_length(edge);
      report->shortest_edge = fmin(report->shortest_edge, length);
      report->longest_edge = fmax(report->longest_edge, length);
      sum += length * length;
    }
  return sum;
}

static void measure_tets(const StMesh *mesh, StMeshReport *report) {
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * t;
    double volume = st_tet_volume(mesh->position, tet);
    double rms = sqrt(edge_squares(mesh, tet, 4, report) / 6);
    double quality = 6 * sqrt(2) * volume / (rms * rms * rms);
    report->volume += volume;
    if (quality < report->worst_quality || report->worst_tet < 0) {
      report->worst_quality = quality;
      report->worst_tet = t;
    }
  }
}

static void measure_triangles(const StMesh *mesh, StMeshReport *report) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *triangle = mesh->triangle + 3 * t;
    double area = st_triangle_area(mesh->position, triangle);
    double quality = 4 * sqrt(3) * area / edge_squares(mesh, triangle, 3, report);
    if (quality < report->worst_triangle_quality || report->worst_triangle < 0) {
      report->worst_triangle_quality = quality;
      report->worst_triangle = t;
    }
  }
}

static void measure_box(const StMesh *mesh, StMeshReport *report) {
  for (int k = 0; k < 3; k++)
    report->low[k] = report->high[k] = mesh->vertex_count ? mesh->position[k] : 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      report->low[k] = fmin(report->low[k], mesh->position[3 * v + k]);
      report->high[k] = fmax(report->high[k], mesh->position[3 * v + k]);
    }
}

// Signed volume between the surface and a vertex of its own, which keeps cancellation small.
static double volume_under(const StMesh *mesh, const int *triangle, int count) {
  double sum = 0;
  for (int t = 0; t < count; t++) {
    const double *origin = mesh->position + 3 * triangle[0];
    double corner[3][3];
    for (int i = 0; i < 3; i++)
      vec3_sub(mesh->position + 3 * triangle[3 * t + i], origin, corner[i]);
    sum += vec3_triple(corner[0], corner[1], corner[2]) / 6;
  }
  return sum;
}

// Each run of equal edges: balance is the number of its triangles going up minus those going down.
static void match_edges(const int *edge, const bool *up, const int *order, size_t count,
                        StMeshReport *report) {
  report->closed = report->oriented = true;
  for (size_t at = 0, end; at < count; at = end) {
    end = st_tuple_run(edge, 2, order, count, at);
    int balance = 0;
    for (size_t k = at; k < end; k++)
      balance += up[order[k]] ? 1 : -1;
    if (end - at != 2 || balance != 0)
      report->closed = false;
    if (end - at > 1 && abs(balance) > 1)
      report->oriented = false;
  }
}

static StStatus measure_edges(const StMesh *mesh, const int *triangle, int triangle_count,
                              StMeshReport *report, StError *error) {
  size_t count = 3 * (size_t)triangle_count;
  int *edge = ST_NEW(int, 2 * count), *order = ST_NEW(int, count);
  bool *up = ST_NEW(bool, count);
  StStatus status = edge && order && up ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    for (size_t e = 0; e < count; e++) {
      edge[2 * e] = triangle[e];
      edge[2 * e + 1] = triangle[e % 3 == 2 ? e - 2 : e + 1];
      up[e] = edge[2 * e] < edge[2 * e + 1];
      st_tuple_ascend(edge + 2 * e, 2);
    }
    status = st_tuple_sort(edge, count, 2, mesh->vertex_count, order, error);
  }
  if (status == ST_OK)
    match_edges(edge, up, order, count, report);
  free(edge);
  free(order);
  free(up);
  return status;
}

static StStatus measure_surface(const StMesh *mesh, StMeshReport *report, StError *error) {
  int *boundary;
  ST_TRY(st_mesh_boundary(mesh, &boundary, &report->boundary_triangle_count, error));
  bool skin = mesh->triangle_count == 0;
  const int *surface = skin ? boundary : mesh->triangle;
  int count = skin ? report->boundary_triangle_count : mesh->triangle_count;
  for (int t = 0; t < count; t++)
    report->area += st_triangle_area(mesh->position, surface + 3 * t);
  StStatus status = measure_edges(mesh, surface, count, report, error);
  if (status == ST_OK && report->closed && !skin)
    report->enclosed_volume = volume_under(mesh, surface, count);
  free(boundary);
  return status;
}

static int root_of(int *parent, int v) {
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

static int join_corners(int *parent, const int *element, int count, int corners) {
  int joins = 0;
  for (int e = 0; e < count; e++)
    for (int i = 1; i < corners; i++) {
      int a = root_of(parent, element[corners * e]);
      int b = root_of(parent, element[corners * e + i]);
      joins += a != b;
      parent[a > b ? a : b] = a < b ? a : b;
    }
  return joins;
}

static StStatus count_components(const StMesh *mesh, StMeshReport *report, StError *error) {
  int *parent = ST_NEW(int, mesh->vertex_count);
  if (!parent)
    return st_fail_memory(error);
  for (int v = 0; v < mesh->vertex_count; v++)
    parent[v] = v;
  int joins = join_corners(parent, mesh->tet, mesh->tet_count, 4) +
              join_corners(parent, mesh->triangle, mesh->triangle_count, 3);
  report->component_count = mesh->vertex_count - joins;
  free(parent);
  return ST_OK;
}

StStatus st_mesh_report(const StMesh *mesh, StMeshReport *report, StError *error) {
  *report = (StMeshReport){.worst_tet = -1, .worst_triangle = -1, .shortest_edge = INFINITY};
  measure_box(mesh, report);
  measure_tets(mesh, report);
  measure_triangles(mesh, report);
  ST_TRY(measure_surface(mesh, report, error));
  return count_components(mesh, report, error);
}
