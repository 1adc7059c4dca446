// Shapes made with some of their parameters set, and what tests ask of the meshes.
#ifndef TESTS_SUPPORT_SHAPE_PROBE_H
#define TESTS_SUPPORT_SHAPE_PROBE_H

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static inline int param_index(const StShapeType *type, const char *name) {
  for (int i = 0; i < type->param_count; i++)
    if (strcmp(type->param[i].name, name) == 0)
      return i;
  fail_msg("%s has no parameter %s", type->name, name);
  return -1;
}

// The one of the test library compares floats.
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

typedef struct Setting {
  const char *name;
  double value;
} Setting;

static inline StStatus try_make(const char *shape, const Setting *setting, int count,
                                StShapeFill fill, StMesh **mesh, StError *error) {
  const StShapeType *type = st_shape_find(shape);
  assert_non_null(type);
  double value[ST_PARAM_MAX];
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < count; i++)
    value[param_index(type, setting[i].name)] = setting[i].value;
  return type->make(value, fill, mesh, error);
}

static inline StMesh *make(const char *shape, const Setting *setting, int count, StShapeFill fill) {
  StMesh *mesh = NULL;
  StError error;
  if (try_make(shape, setting, count, fill, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static inline StMesh *make_edge(const char *shape, double edge, StShapeFill fill) {
  return make(shape, &(Setting){"edge", edge}, 1, fill);
}

static inline void assert_refused(const char *shape, const Setting *setting, int count,
                                  StShapeFill fill, const char *text) {
  StMesh *mesh = NULL;
  StError error;
  assert_int_equal(try_make(shape, setting, count, fill, &mesh, &error), ST_BAD_INPUT);
  assert_null(mesh);
  assert_string_equal(error.text, text);
}

static inline bool tagged(const StMesh *mesh, int vertex, const char *label) {
  int wanted = st_mesh_find_label(mesh, label);
  assert_true(wanted >= 0);
  for (int t = 0; t < mesh->tag_count; t++)
    if (mesh->tag[2 * t] == vertex && mesh->tag[2 * t + 1] == wanted)
      return true;
  return false;
}

static inline double solid_volume(const StMesh *mesh) {
  long double volume = 0; // millions of terms
  for (int t = 0; t < mesh->tet_count; t++)
    volume += st_tet_volume(mesh->position, mesh->tet + 4 * t);
  return (double)volume;
}

static inline double enclosed_volume(const StMesh *mesh) {
  long double volume = 0; // millions of terms
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *v = mesh->triangle + 3 * t;
    volume += vec3_triple(mesh->position + 3 * v[0], mesh->position + 3 * v[1],
                          mesh->position + 3 * v[2]) /
              6;
  }
  return (double)volume;
}

static inline double tet_quality(const double *position, const int tet[4]) {
  double sum = 0;
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++) {
      double d[3];
      vec3_sub(position + 3 * tet[a], position + 3 * tet[b], d);
      sum += vec3_dot(d, d);
    }
  return 6 * sqrt(2) * st_tet_volume(position, tet) / pow(sum / 6, 1.5);
}

typedef struct Quality {
  double worst, mean;
} Quality;

static inline Quality mesh_quality(const StMesh *mesh) {
  Quality quality = {1, 0};
  for (int t = 0; t < mesh->tet_count; t++) {
    double q = tet_quality(mesh->position, mesh->tet + 4 * t);
    quality.worst = fmin(quality.worst, q);
    quality.mean += q / mesh->tet_count;
  }
  return quality;
}

typedef struct Face {
  double key[9]; // corner positions, the smallest corner first, in order of turning
} Face;

static inline int compare_bytes(const void *a, const void *b) {
  return memcmp(a, b, sizeof(Face));
}

static inline Face face_of(const double *position, int a, int b, int c) {
  const int corner[3] = {a, b, c};
  int first = 0;
  for (int i = 1; i < 3; i++)
    if (memcmp(position + 3 * corner[i], position + 3 * corner[first], 3 * sizeof(double)) < 0)
      first = i;
  Face face;
  for (int i = 0; i < 3; i++)
    memcpy(face.key + 3 * i, position + 3 * corner[(first + i) % 3], 3 * sizeof(double));
  return face;
}

static const int tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// Outward faces of tets that no tet on the other side shares, sorted; checks that none is shared
// by more than two.
static inline Face *boundary(const StMesh *mesh, int *count) {
  int all = 4 * mesh->tet_count;
  Face *outward = ST_NEW(Face, all), *inward = ST_NEW(Face, all);
  assert_non_null(outward);
  assert_non_null(inward);
  for (int f = 0; f < all; f++) {
    const int *tet = mesh->tet + 4 * (f / 4), *corner = tet_faces[f % 4];
    int a = tet[corner[0]], b = tet[corner[1]], c = tet[corner[2]];
    outward[f] = face_of(mesh->position, a, b, c);
    inward[f] = face_of(mesh->position, a, c, b);
  }
  qsort(outward, (size_t)all, sizeof(Face), compare_bytes);
  qsort(inward, (size_t)all, sizeof(Face), compare_bytes);
  int kept = 0;
  for (int i = 0, j = 0; i < all; i++) {
    assert_true(i == 0 || compare_bytes(&outward[i - 1], &outward[i]) != 0);
    while (j < all && compare_bytes(&inward[j], &outward[i]) < 0)
      j++;
    if (j == all || compare_bytes(&inward[j], &outward[i]) != 0)
      outward[kept++] = outward[i];
  }
  free(inward);
  *count = kept;
  return outward;
}

#endif
