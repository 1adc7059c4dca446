// Rotation-invariant sizes of bodies and scenes, unlike a bounding box.
#include "scene/parts.h"

#include "base/memory.h"
#include "base/search.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "mesh/cage.h"

#include <stdlib.h>

// Adds an element's corners, each with this share of its volume or area.
static void add_corners(const StMesh *mesh, const int *corner, int count, double measure,
                        double centre[3], double *total) {
  for (int i = 0; i < count; i++)
    vec3_add_scaled(measure / count, mesh->position + 3 * corner[i], centre);
  *total += measure;
}

// Centre of volume or area, so that it hardly depends on the mesh: of the tets, or else of the
// triangles.
void st_scene_body_centre(const StMesh *mesh, double centre[3]) {
  double total = 0;
  vec3_set(0, 0, 0, centre);
  for (int t = 0; t < mesh->tet_count && !mesh->cage; t++)
    add_corners(mesh, mesh->tet + 4 * t, 4, st_tet_volume(mesh->position, mesh->tet + 4 * t),
                centre, &total);
  for (int i = 0; i < 4 * mesh->tet_count && mesh->cage; i++)
    add_corners(mesh, mesh->tet + i, 1, mesh->cage->volume[i], centre, &total);
  for (int t = 0; mesh->tet_count == 0 && t < mesh->triangle_count; t++)
    add_corners(mesh, mesh->triangle + 3 * t, 3,
                st_triangle_area(mesh->position, mesh->triangle + 3 * t), centre, &total);
  for (int k = 0; k < 3; k++)
    centre[k] /= total;
}

static double farthest(const StMesh *mesh, const double centre[3]) {
  double most = 0, away[3];
  for (int v = 0; v < st_mesh_own_count(mesh); v++) {
    vec3_sub(mesh->position + 3 * v, centre, away);
    most = fmax(most, vec3_length(away));
  }
  return most;
}

double st_scene_body_size(const StMesh *mesh) {
  double centre[3];
  st_scene_body_centre(mesh, centre);
  return 2 * farthest(mesh, centre);
}

double st_scene_size(const StDescription *description) {
  double middle[3] = {0}, most = 0;
  for (int b = 0; b < description->body_count; b++) {
    double centre[3];
    st_scene_body_centre(description->body[b].mesh, centre);
    vec3_add_scaled(1.0 / description->body_count, centre, middle);
  }
  for (int b = 0; b < description->body_count; b++)
    most = fmax(most, farthest(description->body[b].mesh, middle));
  return 2 * most;
}

// Sides of all triangles: inner edges count twice, which hardly changes the median.
static double median_side(const StMesh *mesh, const int *triangle, int count, double *length) {
  for (int i = 0; i < 3 * count; i++) {
    double side[3];
    int next = i % 3 < 2 ? i + 1 : i - 2;
    vec3_sub(mesh->position + 3 * triangle[next], mesh->position + 3 * triangle[i], side);
    length[i] = vec3_length(side);
  }
  qsort(length, 3 * (size_t)count, sizeof *length, st_compare_doubles);
  return length[3 * count / 2];
}

StStatus st_scene_median_edge(const StReader *reader, const StMesh *mesh, double *edge) {
  int *triangle = NULL, count = 0;
  ST_TRY(st_contacts_skin(mesh, &triangle, &count, reader->error));
  ST_FREE double *length = ST_NEW(double, 3 * (size_t)count);
  if (length)
    *edge = median_side(mesh, triangle, count, length);
  bool made = length != NULL;
  free(triangle);
  return made ? ST_OK : st_fail_memory(reader->error);
}
