// Surfaces as files have them: shapes whose triangles share nothing, are flipped, doubled, lost.
#ifndef ST_TEST_SURFACE_SOUP_H
#define ST_TEST_SURFACE_SOUP_H

#include "mesh/closed.h"
#include "mesh/mesh.h"
#include "mesh/shape.h"

#include <string.h>

static inline StMesh *soup_shape(const char *name, double edge) {
  const StShapeType *type = st_shape_find(name);
  double value[ST_PARAM_MAX];
  StMesh *mesh;
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < type->param_count; i++)
    if (strcmp(type->param[i].name, "edge") == 0)
      value[i] = edge;
  assert_int_equal(type->make(value, ST_SHAPE_SURFACE, &mesh, NULL), ST_OK);
  return mesh;
}

// Three vertices of its own for every triangle, off by up to `noise`.
static inline StMesh *soup_apart(const StMesh *mesh, double noise) {
  StMesh *soup = st_mesh_create(3 * mesh->triangle_count, 0, mesh->triangle_count);
  unsigned state = 1;
  for (int i = 0; i < 3 * mesh->triangle_count; i++) {
    soup->triangle[i] = i;
    for (int c = 0; c < 3; c++) {
      state = state * 1664525u + 1013904223u;
      soup->position[3 * i + c] =
          mesh->position[3 * mesh->triangle[i] + c] + noise * (state / 4294967296.0 - 0.5);
    }
  }
  return soup;
}

static inline void soup_flip(StMesh *mesh, int triangle) {
  int *corner = mesh->triangle + 3 * (size_t)triangle, swap = corner[1];
  corner[1] = corner[2], corner[2] = swap;
}

// The other mesh's triangles too, moved.
static inline StMesh *soup_join(const StMesh *a, const StMesh *b, const double by[3]) {
  StMesh *mesh =
      st_mesh_create(a->vertex_count + b->vertex_count, 0, a->triangle_count + b->triangle_count);
  memcpy(mesh->position, a->position, 3 * (size_t)a->vertex_count * sizeof(double));
  memcpy(mesh->triangle, a->triangle, 3 * (size_t)a->triangle_count * sizeof(int));
  for (int i = 0; i < 3 * b->vertex_count; i++)
    mesh->position[3 * a->vertex_count + i] = b->position[i] + by[i % 3];
  for (int i = 0; i < 3 * b->triangle_count; i++)
    mesh->triangle[3 * a->triangle_count + i] = a->vertex_count + b->triangle[i];
  return mesh;
}

static inline double soup_volume(const StMesh *mesh) {
  return st_surface_volume(mesh->position, mesh->triangle, mesh->triangle_count, NULL);
}

#endif
