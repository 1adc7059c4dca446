// A shape's surface and one point to hold against it: all that tests and benchmarks of contact
// surfaces ask for. Failures end the program with a message; this is test code.
#ifndef TESTS_SUPPORT_SURFACE_PROBE_H
#define TESTS_SUPPORT_SURFACE_PROBE_H

#include "base/memory.h"
#include "contact/smooth/surface.h"
#include "mesh/shape.h"

#include <stdio.h>
#include <string.h>

// For tests that include cmocka.
#define assert_below(value, limit)                                                                 \
  do {                                                                                             \
    double measured = (value);                                                                     \
    if (!(measured <= (limit)))                                                                    \
      fail_msg("%s is %.3g, allowed %.3g", #value, measured, (double)(limit));                     \
  } while (0)

typedef struct ShapeSetting {
  const char *name;
  double value;
} ShapeSetting;

enum { PROBE_MOST = 4000 }; // stencil vertices

typedef struct Probe {
  StMesh *mesh;
  double *position; // of the mesh's vertices; the point is one more, the last
  StSurfaceOptions options;
  StSurface *surface;
  StSurfaceScratch *scratch;
  StStencil stencil;
  double at[3 * PROBE_MOST]; // gathered
  StGap gap;
  const StGapDual *dual;
} Probe;

static inline void probe_expect(bool fine, const char *what) {
  if (fine)
    return;
  fprintf(stderr, "surface probe: %s\n", what);
  abort();
}

static inline StMesh *probe_shape(const char *shape, const ShapeSetting *setting, int count) {
  const StShapeType *type = st_shape_find(shape);
  probe_expect(type, "no such shape");
  double value[ST_PARAM_MAX];
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < count; i++) {
    int at = 0;
    while (at < type->param_count && strcmp(type->param[at].name, setting[i].name) != 0)
      at++;
    probe_expect(at < type->param_count, "no such parameter");
    value[at] = setting[i].value;
  }
  StMesh *mesh = NULL;
  StError error;
  if (type->make(value, ST_SHAPE_SURFACE, &mesh, &error) != ST_OK)
    probe_expect(false, error.text);
  return mesh;
}

// Takes as large a radius as the probe's positions need.
static inline void probe_grow(Probe *probe, const double *position) {
  st_surface_set_radius(probe->surface,
                        st_surface_grown_radius(probe->mesh->triangle, probe->mesh->triangle_count,
                                                position, &probe->options,
                                                st_surface_radius(probe->surface)));
}

// Turns every triangle over: inside becomes outside.
static inline StMesh *probe_turn(StMesh *mesh) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    int *corner = mesh->triangle + 3 * t, first = corner[0];
    corner[0] = corner[1];
    corner[1] = first;
  }
  return mesh;
}

// Takes the mesh.
static inline Probe *probe_create(StMesh *mesh, const StSurfaceOptions *options) {
  Probe *probe = ST_NEW(Probe, 1);
  StError error = {0};
  size_t numbers = 3 * (size_t)mesh->vertex_count;
  probe->mesh = mesh;
  probe->options = *options;
  probe->position = ST_NEW(double, numbers + 3);
  memcpy(probe->position, mesh->position, numbers * sizeof(double));
  if (st_surface_create(mesh->triangle, mesh->triangle_count, mesh->position, options,
                        &probe->surface, &error) != ST_OK ||
      st_surface_scratch_create(&probe->scratch, &error) != ST_OK ||
      st_surface_update(probe->surface, probe->position, &error) != ST_OK)
    probe_expect(false, error.text);
  probe->gap.gradient = ST_NEW(double, 3 * PROBE_MOST);
  probe->gap.mollifier_gradient = ST_NEW(double, 3 * PROBE_MOST);
  probe->gap.share = ST_NEW(double, PROBE_MOST);
  return probe;
}

static inline void probe_destroy(Probe *probe) {
  st_surface_destroy(probe->surface);
  st_surface_scratch_destroy(probe->scratch);
  st_mesh_destroy(probe->mesh);
  free(probe->position);
  free(probe->gap.gradient);
  free(probe->gap.mollifier_gradient);
  free(probe->gap.share);
  free(probe);
}

// After the vertices were moved.
static inline void probe_update(Probe *probe) {
  probe_expect(st_surface_update(probe->surface, probe->position, NULL) == ST_OK, "no update");
}

static inline bool probe_find(Probe *probe, const double x[3]) {
  StError error = {0};
  int point = probe->mesh->vertex_count;
  memcpy(probe->position + 3 * point, x, 3 * sizeof(double));
  bool found = st_surface_find(probe->surface, point, x, probe->scratch, &probe->stencil, &error);
  probe_expect(error.status == ST_OK, error.text);
  if (!found)
    return false;
  probe_expect(probe->stencil.count <= PROBE_MOST, "stencil too large");
  for (int k = 0; k < probe->stencil.count; k++)
    memcpy(probe->at + 3 * k, probe->position + 3 * probe->stencil.vertex[k], 3 * sizeof(double));
  return true;
}

// Gap at x into probe->gap; false without contact.
static inline bool probe_gap(Probe *probe, const double x[3]) {
  if (!probe_find(probe, x))
    return false;
  st_surface_gap(probe->surface, probe->scratch, probe->at, &probe->gap);
  return true;
}

// Derivatives of gap, gradients and shares along a direction, [count][3], into probe->dual.
static inline void probe_dual(Probe *probe, const double *direction) {
  static StDual at[3 * PROBE_MOST];
  for (int i = 0; i < 3 * probe->stencil.count; i++)
    at[i] = s_dual(probe->at[i], direction[i]);
  probe->dual = st_surface_gap_dual(probe->surface, probe->scratch, at);
}

#endif
