// Copies arrays of a program into a mesh.
#include "api/given_mesh.h"

#include <limits.h>
#include <string.h>

static bool is_there(int count, const void *array) {
  return count >= 0 && count < INT_MAX / 16 && (count == 0 || array);
}

StStatus st_given_meshes_check(const StGivenMeshes *given, StError *error) {
  if (!is_there(given->count, given->mesh))
    return st_fail(error, ST_BAD_INPUT, "the array of meshes is NULL, or its length negative");
  for (int i = 0; i < given->count; i++) {
    const StictionMesh *mesh = &given->mesh[i];
    if (!mesh->name || !*mesh->name)
      return st_fail(error, ST_BAD_INPUT, "mesh %d has no name", i);
    if (!is_there(mesh->vertex_count, mesh->position) || !is_there(mesh->tet_count, mesh->tet) ||
        !is_there(mesh->triangle_count, mesh->triangle) ||
        !is_there(mesh->label_count, mesh->label) || !is_there(mesh->tag_count, mesh->tag))
      return st_fail(error, ST_BAD_INPUT, "mesh \"%s\": an array is NULL, or a count out of range",
                     mesh->name);
  }
  return ST_OK;
}

static StStatus check_labels(const StictionMesh *from, const int *label, int count,
                             StError *error) {
  for (int i = 0; label && i < count; i++)
    if (label[i] < -1 || label[i] >= from->label_count)
      return st_fail(error, ST_BAD_INPUT, "mesh \"%s\": there is no label %d", from->name,
                     label[i]);
  return ST_OK;
}

static StStatus add_labels(const StictionMesh *from, StMesh *mesh, StError *error) {
  ST_TRY(check_labels(from, from->tet_label, from->tet_count, error));
  ST_TRY(check_labels(from, from->triangle_label, from->triangle_count, error));
  for (int i = 0; i < from->label_count; i++) {
    if (!from->label[i] || st_mesh_find_label(mesh, from->label[i]) >= 0)
      return st_fail(error, ST_BAD_INPUT, "mesh \"%s\": label %d is NULL, or there twice",
                     from->name, i);
    if (st_mesh_label(mesh, from->label[i]) < 0)
      return st_fail_memory(error);
  }
  for (int i = 0; i < from->tag_count; i++) {
    const int *tag = from->tag + 2 * (size_t)i;
    if (tag[0] < 0 || tag[0] >= from->vertex_count || tag[1] < 0 || tag[1] >= from->label_count)
      return st_fail(error, ST_BAD_INPUT, "mesh \"%s\": tag %d names vertex %d and label %d",
                     from->name, i, tag[0], tag[1]);
    ST_TRY(st_mesh_add_tag(mesh, tag[0], tag[1], error));
  }
  return ST_OK;
}

static void copy_labels(const int *from, int count, int *to) {
  for (int i = 0; i < count; i++)
    to[i] = from ? from[i] : -1;
}

static StStatus fill(const StictionMesh *from, StMesh *mesh, StError *error) {
  if (from->vertex_count > 0)
    memcpy(mesh->position, from->position, 3 * (size_t)from->vertex_count * sizeof(double));
  if (from->tet_count > 0)
    memcpy(mesh->tet, from->tet, 4 * (size_t)from->tet_count * sizeof(int));
  if (from->triangle_count > 0)
    memcpy(mesh->triangle, from->triangle, 3 * (size_t)from->triangle_count * sizeof(int));
  copy_labels(from->tet_label, from->tet_count, mesh->tet_label);
  copy_labels(from->triangle_label, from->triangle_count, mesh->triangle_label);
  return add_labels(from, mesh, error);
}

StStatus st_given_mesh_find(const void *context, const char *name, StMesh **mesh, StError *error) {
  const StGivenMeshes *given = context;
  for (int i = 0; i < given->count; i++) {
    const StictionMesh *from = &given->mesh[i];
    if (strcmp(from->name, name) != 0)
      continue;
    *mesh = st_mesh_create(from->vertex_count, from->tet_count, from->triangle_count);
    return *mesh ? fill(from, *mesh, error) : st_fail_memory(error);
  }
  return ST_OK;
}
