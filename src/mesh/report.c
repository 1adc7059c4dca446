// Sizes, quality and topology of a mesh, and the boundary of its tets.
#include "mesh/check.h"

#include "base/memory.h"
#include "mesh/cage.h"
#include "mesh/closed.h"
#include "mesh/face.h"
#include "mesh/group.h"
#include "math/vec3.h"

#include <string.h>

static StStatus copy_known(const StMesh *mesh, int **face, int *count, StError *error) {
  *count = mesh->boundary_count;
  ST_TRY_MEMORY(*face = ST_ROOM(int, *count), error);
  memcpy(*face, mesh->boundary, (size_t)*count * sizeof(int));
  return ST_OK;
}

StStatus st_mesh_boundary_faces(const StMesh *mesh, int **face, int *count, StError *error) {
  StFaces faces;
  if (mesh->boundary)
    return copy_known(mesh, face, count, error);
  size_t tets = mesh->cage ? 0 : (size_t)mesh->tet_count;
  ST_TRY(st_faces_create(mesh->tet, tets, mesh->vertex_count, &faces, error));
  StStatus status = st_faces_list_open(&faces, face, count, error);
  st_faces_free(&faces);
  return status;
}

StStatus st_mesh_find_boundary(StMesh *mesh, StError *error) {
  if (mesh->boundary)
    return ST_OK;
  return st_mesh_boundary_faces(mesh, &mesh->boundary, &mesh->boundary_count, error);
}

StStatus st_mesh_boundary(const StMesh *mesh, int **triangle, int *count, StError *error) {
  ST_FREE int *face = NULL;
  ST_TRY(st_mesh_boundary_faces(mesh, &face, count, error));
  int *to = *triangle = ST_NEW(int, 3 * (size_t)*count);
  for (int f = 0; f < *count && to; f++)
    for (int i = 0; i < 3; i++)
      *to++ = mesh->tet[4 * (face[f] / 4) + st_tet_face[face[f] % 4][i]];
  return *triangle ? ST_OK : st_fail_memory(error);
}

double st_tet_quality(const double *position, const int tet[4]) {
  double sum = 0;
  for (int i = 1; i < 4; i++)
    for (int j = 0; j < i; j++) {
      double edge[3];
      vec3_sub(position + 3 * (size_t)tet[i], position + 3 * (size_t)tet[j], edge);
      sum += vec3_dot(edge, edge);
    }
  double rms = sqrt(sum / 6);
  return 6 * sqrt(2) * st_tet_volume(position, tet) / (rms * rms * rms);
}

// Sums the squared edge lengths of an element and extends the range of edge lengths.
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

// The angle between the faces at each edge: that of the other two corners, seen along the edge.
static void measure_angles(const StMesh *mesh, const int *tet, StMeshReport *report) {
  static const int SIDE[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                 {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  for (int e = 0; e < 6; e++) {
    double edge[3], a[3], b[3], left[3], right[3], across[3];
    const double *from = mesh->position + 3 * (size_t)tet[SIDE[e][0]];
    vec3_sub(mesh->position + 3 * (size_t)tet[SIDE[e][1]], from, edge);
    vec3_sub(mesh->position + 3 * (size_t)tet[SIDE[e][2]], from, a);
    vec3_sub(mesh->position + 3 * (size_t)tet[SIDE[e][3]], from, b);
    vec3_cross(edge, a, left);
    vec3_cross(edge, b, right);
    vec3_cross(left, right, across);
    double angle = atan2(vec3_length(across), vec3_dot(left, right)) * 180 / M_PI;
    report->smallest_angle = fmin(report->smallest_angle, angle);
    report->largest_angle = fmax(report->largest_angle, angle);
  }
}

static void measure_tets(const StMesh *mesh, StMeshReport *report) {
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * t;
    double volume = st_tet_volume(mesh->position, tet);
    double quality = st_tet_quality(mesh->position, tet);
    edge_squares(mesh, tet, 4, report);
    report->volume += st_mesh_fill_part(mesh, t) * volume;
    measure_angles(mesh, tet, report);
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
  for (int v = 0; v < st_mesh_own_count(mesh); v++)
    for (int k = 0; k < 3; k++) {
      report->low[k] = fmin(report->low[k], mesh->position[3 * v + k]);
      report->high[k] = fmax(report->high[k], mesh->position[3 * v + k]);
    }
}

static StStatus measure_surface(const StMesh *mesh, StMeshReport *report, StError *error) {
  ST_FREE int *boundary = NULL;
  ST_TRY(st_mesh_boundary(mesh, &boundary, &report->boundary_triangle_count, error));
  bool skin = mesh->triangle_count == 0;
  const int *surface = skin ? boundary : mesh->triangle;
  int count = skin ? report->boundary_triangle_count : mesh->triangle_count;
  for (int t = 0; t < count; t++)
    report->area += st_triangle_area(mesh->position, surface + 3 * t);
  StEdgeFaults faults;
  StStatus status = st_surface_edge_faults(surface, count, mesh->vertex_count, &faults, error);
  if (status == ST_OK) {
    report->closed = !faults.open && !faults.turned && !faults.crowded;
    report->oriented = !faults.turned;
    report->crowded_edges = skin ? 0 : faults.crowded;
  }
  if (report->closed && !skin)
    report->enclosed_volume = st_surface_volume(mesh->position, surface, count, NULL);
  return status;
}

static void join_corners(StGroups *groups, const int *element, int count, int corners) {
  for (int e = 0; e < count; e++)
    for (int i = 1; i < corners; i++)
      st_groups_join(groups, element[corners * e], element[corners * e + i]);
}

static StStatus count_components(const StMesh *mesh, StMeshReport *report, StError *error) {
  ST_FINALLY(st_groups_free) StGroups groups = {0};
  ST_TRY(st_groups_create(mesh->vertex_count, &groups, error));
  join_corners(&groups, mesh->tet, mesh->tet_count, 4);
  join_corners(&groups, mesh->triangle, mesh->triangle_count, 3);
  report->component_count = groups.group_count;
  return ST_OK;
}

StStatus st_mesh_report(const StMesh *mesh, StMeshReport *report, StError *error) {
  *report = (StMeshReport){
      .worst_tet = -1, .worst_triangle = -1, .smallest_angle = INFINITY, .shortest_edge = INFINITY};
  measure_box(mesh, report);
  measure_tets(mesh, report);
  measure_triangles(mesh, report);
  ST_TRY(measure_surface(mesh, report, error));
  return count_components(mesh, report, error);
}
