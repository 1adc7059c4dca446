// Compares meshes by meaning, regardless of the order of vertices and labels in a file.
#ifndef TEST_MESH_COMPARE_H
#define TEST_MESH_COMPARE_H

#include "mesh/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct LoggedWarnings {
  int count;
  char text[4096]; // joined by newlines
} LoggedWarnings;

static inline void keep_warning(void *context, StLevel level, const char *text) {
  LoggedWarnings *warnings = context;
  size_t used = strlen(warnings->text);
  if (level != ST_WARNING)
    return;
  warnings->count++;
  snprintf(warnings->text + used, sizeof warnings->text - used, "%s\n", text);
}

// How many tets, triangles and tagged vertices a label has.
typedef struct LabelUse {
  int tets, triangles, tags;
} LabelUse;

static inline LabelUse label_use(const StMesh *mesh, const char *name) {
  LabelUse use = {0, 0, 0};
  int label = st_mesh_find_label(mesh, name);
  for (int i = 0; i < mesh->tet_count && label >= 0; i++)
    use.tets += mesh->tet_label[i] == label;
  for (int i = 0; i < mesh->triangle_count && label >= 0; i++)
    use.triangles += mesh->triangle_label[i] == label;
  for (int i = 0; i < mesh->tag_count && label >= 0; i++)
    use.tags += mesh->tag[2 * i + 1] == label;
  return use;
}

// Whether the vertex at exactly this place carries the label as a tag.
static inline bool is_tagged(const StMesh *mesh, const char *name, double x, double y, double z) {
  int label = st_mesh_find_label(mesh, name);
  for (int i = 0; i < mesh->tag_count; i++) {
    const double *at = mesh->position + 3 * mesh->tag[2 * i];
    if (mesh->tag[2 * i + 1] == label && at[0] == x && at[1] == y && at[2] == z)
      return true;
  }
  return false;
}

static inline bool same_ints(const int *a, const int *b, int count) {
  return count == 0 || memcmp(a, b, (size_t)count * sizeof(int)) == 0;
}

// Bit for bit, in the same order.
static inline bool same_mesh(const StMesh *a, const StMesh *b) {
  if (a->vertex_count != b->vertex_count || a->tet_count != b->tet_count ||
      a->triangle_count != b->triangle_count || a->label_count != b->label_count ||
      a->tag_count != b->tag_count)
    return false;
  for (int i = 0; i < a->label_count; i++)
    if (strcmp(a->label_name[i], b->label_name[i]) != 0)
      return false;
  return memcmp(a->position, b->position, 3 * (size_t)a->vertex_count * sizeof(double)) == 0 &&
         same_ints(a->tet, b->tet, 4 * a->tet_count) &&
         same_ints(a->tet_label, b->tet_label, a->tet_count) &&
         same_ints(a->triangle, b->triangle, 3 * a->triangle_count) &&
         same_ints(a->triangle_label, b->triangle_label, a->triangle_count) &&
         same_ints(a->tag, b->tag, 2 * a->tag_count);
}

#endif
