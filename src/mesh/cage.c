// The parts of a mesh with a cage beyond its tets and triangles.
#include "mesh/cage.h"

#include "base/memory.h"

#include <string.h>

StCage *st_cage_create(int vertex_count, int tet_count) {
  StCage *cage = ST_NEW(StCage, 1);
  if (!cage)
    return NULL;
  cage->vertex_count = vertex_count;
  cage->tet = ST_NEW(int, vertex_count);
  cage->volume = ST_NEW(double, 4 * (size_t)tet_count);
  if (cage->tet && cage->volume)
    return cage;
  st_cage_destroy(cage);
  return NULL;
}

void st_cage_destroy(StCage *cage) {
  if (!cage)
    return;
  free(cage->tet);
  free(cage->volume);
  free(cage);
}

int st_mesh_own_count(const StMesh *mesh) {
  return mesh->cage ? mesh->cage->vertex_count : mesh->vertex_count;
}

void st_mesh_corner_volumes(const StMesh *mesh, int tet, double volume[4]) {
  if (mesh->cage) {
    memcpy(volume, mesh->cage->volume + 4 * (size_t)tet, 4 * sizeof(double));
    return;
  }
  double quarter = st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)tet) / 4;
  for (int i = 0; i < 4; i++)
    volume[i] = quarter;
}

double st_mesh_fill_part(const StMesh *mesh, int tet) {
  double volume[4], sum = 0;
  if (!mesh->cage)
    return 1;
  st_mesh_corner_volumes(mesh, tet, volume);
  for (int i = 0; i < 4; i++)
    sum += volume[i];
  return sum / st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)tet);
}
