// The mesh container.
#include "mesh/mesh.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/cage.h"

#include <string.h>

StMesh *st_mesh_create(int vertex_count, int tet_count, int triangle_count) {
  StMesh *mesh = ST_NEW(StMesh, 1);
  if (!mesh)
    return NULL;
  mesh->vertex_count = vertex_count;
  mesh->tet_count = tet_count;
  mesh->triangle_count = triangle_count;
  mesh->position = ST_NEW(double, 3 * (size_t)vertex_count);
  mesh->tet = ST_NEW(int, 4 * (size_t)tet_count);
  mesh->tet_label = ST_NEW(int, tet_count);
  mesh->triangle = ST_NEW(int, 3 * (size_t)triangle_count);
  mesh->triangle_label = ST_NEW(int, triangle_count);
  if (!mesh->position || !mesh->tet || !mesh->tet_label || !mesh->triangle ||
      !mesh->triangle_label) {
    st_mesh_destroy(mesh);
    return NULL;
  }
  for (int i = 0; i < tet_count; i++)
    mesh->tet_label[i] = -1;
  for (int i = 0; i < triangle_count; i++)
    mesh->triangle_label[i] = -1;
  return mesh;
}

static void free_arrays(StMesh *mesh) {
  void *array[] = {mesh->position,       mesh->tet, mesh->tet_label, mesh->triangle,
                   mesh->triangle_label, mesh->tag, mesh->boundary};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  st_cage_destroy(mesh->cage);
}

void st_mesh_destroy(StMesh *mesh) {
  if (!mesh)
    return;
  for (int i = 0; i < mesh->label_count; i++)
    free(mesh->label_name[i]);
  free(mesh->label_name);
  if (mesh->borrowed)
    free(mesh->cage);
  else
    free_arrays(mesh);
  free(mesh);
}

int st_mesh_find_label(const StMesh *mesh, const char *name) {
  for (int i = 0; i < mesh->label_count; i++)
    if (strcmp(mesh->label_name[i], name) == 0)
      return i;
  return -1;
}

int st_mesh_label(StMesh *mesh, const char *name) {
  int found = st_mesh_find_label(mesh, name);
  if (found >= 0)
    return found;
  size_t size = ((size_t)mesh->label_count + 1) * sizeof(char *);
  char **grown = realloc(mesh->label_name, size);
  if (!grown)
    return -1;
  mesh->label_name = grown;
  if (!(grown[mesh->label_count] = st_copy_string(name)))
    return -1;
  return mesh->label_count++;
}

StStatus st_mesh_add_tag(StMesh *mesh, int vertex, int label, StError *error) {
  size_t count = (size_t)mesh->tag_count;
  ST_TRY_MEMORY(st_grow((void **)&mesh->tag, &mesh->tag_capacity, count + 1, 2 * sizeof(int)),
                error);
  mesh->tag[2 * count] = vertex;
  mesh->tag[2 * count + 1] = label;
  mesh->tag_count++;
  return ST_OK;
}

void st_mesh_forget_boundary(StMesh *mesh) {
  free(mesh->boundary);
  mesh->boundary = NULL;
  mesh->boundary_count = 0;
}

double st_tet_volume(const double *position, const int tet[4]) {
  const double *x0 = position + 3 * tet[0];
  double a[3], b[3], c[3];
  vec3_sub(position + 3 * tet[1], x0, a);
  vec3_sub(position + 3 * tet[2], x0, b);
  vec3_sub(position + 3 * tet[3], x0, c);
  return vec3_triple(a, b, c) / 6;
}

double st_triangle_area(const double *position, const int triangle[3]) {
  const double *x0 = position + 3 * triangle[0];
  double a[3], b[3], n[3];
  vec3_sub(position + 3 * triangle[1], x0, a);
  vec3_sub(position + 3 * triangle[2], x0, b);
  vec3_cross(a, b, n);
  return vec3_length(n) / 2;
}
