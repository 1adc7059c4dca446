// Parametric shapes: valid, good, closed, exact on the surface, converging, labelled, refused in
// time.
#include "mesh/shape.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "math/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int param_index(const StShapeType *type, const char *name) {
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

static StStatus try_make(const char *shape, const Setting *setting, int count, StShapeFill fill,
                         StMesh **mesh, StError *error) {
  const StShapeType *type = st_shape_find(shape);
  assert_non_null(type);
  double value[ST_PARAM_MAX];
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < count; i++)
    value[param_index(type, setting[i].name)] = setting[i].value;
  return type->make(value, fill, mesh, error);
}

static StMesh *make(const char *shape, const Setting *setting, int count, StShapeFill fill) {
  StMesh *mesh = NULL;
  StError error;
  if (try_make(shape, setting, count, fill, &mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static StMesh *make_edge(const char *shape, double edge, StShapeFill fill) {
  return make(shape, &(Setting){"edge", edge}, 1, fill);
}

static double tet_quality(const double *position, const int tet[4]) {
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

static Quality mesh_quality(const StMesh *mesh) {
  Quality quality = {1, 0};
  for (int t = 0; t < mesh->tet_count; t++) {
    double q = tet_quality(mesh->position, mesh->tet + 4 * t);
    quality.worst = fmin(quality.worst, q);
    quality.mean += q / mesh->tet_count;
  }
  return quality;
}

static double triangle_quality(const double *position, const int *triangle) {
  double sum = 0, d[3];
  for (int i = 0; i < 3; i++) {
    vec3_sub(position + 3 * triangle[i], position + 3 * triangle[(i + 1) % 3], d);
    sum += vec3_dot(d, d);
  }
  return 4 * sqrt(3) * st_triangle_area(position, triangle) / sum;
}

static double solid_volume(const StMesh *mesh) {
  long double volume = 0; // millions of terms
  for (int t = 0; t < mesh->tet_count; t++)
    volume += st_tet_volume(mesh->position, mesh->tet + 4 * t);
  return (double)volume;
}

static double enclosed_volume(const StMesh *mesh) {
  long double volume = 0; // millions of terms
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *v = mesh->triangle + 3 * t;
    volume += vec3_triple(mesh->position + 3 * v[0], mesh->position + 3 * v[1],
                          mesh->position + 3 * v[2]) /
              6;
  }
  return (double)volume;
}

typedef struct Face {
  double key[9]; // corner positions, the smallest corner first, in order of turning
} Face;

static int compare_bytes(const void *a, const void *b) {
  return memcmp(a, b, sizeof(Face));
}

static Face face_of(const double *position, int a, int b, int c) {
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
static Face *boundary(const StMesh *mesh, int *count) {
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

static void assert_all_used(const StMesh *mesh) {
  char *used = ST_NEW(char, mesh->vertex_count);
  assert_non_null(used);
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    used[mesh->tet[i]] = 1;
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    used[mesh->triangle[i]] = 1;
  for (int v = 0; v < mesh->vertex_count; v++)
    assert_int_equal(used[v], 1);
  free(used);
}

// Cells come out close to cubes at these edge lengths, so that nothing but the maps is measured.
static const struct {
  const char *shape;
  double edge[6];
  double worst, mean;
} quality_goals[] = {
    {"box", {10, 0.5, 0.3, 0.1, 0.05}, 0.76, 0.81},
    {"sphere", {10, 0.3, 0.2, 0.15, 0.1, 0.05}, 0.41, 0.62},
    {"hollow_ball", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.47, 0.66},
    {"bowl", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.47, 0.66},
    {"hollow_box", {0.25, 0.2, 0.12, 0.1}, 0.23, 0.5},
    {"cylinder", {10, 0.5, 0.3, 0.2, 0.1, 0.05}, 0.43, 0.68},
    {"capsule", {10, 0.1, 0.07, 0.05, 0.04, 0.03}, 0.40, 0.67},
    {"tube", {0.2, 0.15, 0.1, 0.07, 0.05, 0.03}, 0.56, 0.60},
    {"torus", {10, 0.1, 0.07, 0.05, 0.04, 0.03}, 0.36, 0.60},
    {"sheet", {0.07, 0.05, 0.03, 0.02, 0.015}, 0.70, 0.75},
};

static void test_solid_quality(void **state) {
  (void)state;
  for (int s = 0; s < ST_LENGTH(quality_goals); s++)
    for (int e = 0; e < 6 && quality_goals[s].edge[e] > 0; e++) {
      StMesh *mesh = make_edge(quality_goals[s].shape, quality_goals[s].edge[e], ST_SHAPE_SOLID);
      Quality quality = mesh_quality(mesh);
      print_message("%-12s edge %5g: %6d tets, worst %.3f, mean %.3f\n", quality_goals[s].shape,
                    quality_goals[s].edge[e], mesh->tet_count, quality.worst, quality.mean);
      assert_true(quality.worst >= quality_goals[s].worst);
      assert_true(quality.mean >= quality_goals[s].mean);
      assert_int_equal(mesh->triangle_count, 0);
      assert_all_used(mesh);
      st_mesh_destroy(mesh);
    }
}

static void test_surface_quality(void **state) {
  (void)state;
  for (int s = 0; st_shape_types[s]; s++)
    for (int e = 0; e < 4; e++) {
      StMesh *mesh = make_edge(st_shape_types[s]->name, 0.08 / (1 << e), ST_SHAPE_SURFACE);
      double worst = 1;
      for (int t = 0; t < mesh->triangle_count; t++)
        worst = fmin(worst, triangle_quality(mesh->position, mesh->triangle + 3 * t));
      assert_true(worst > 0.5);
      assert_int_equal(mesh->tet_count, 0);
      assert_all_used(mesh);
      st_mesh_destroy(mesh);
    }
}

static void test_surface_is_boundary_of_solid(void **state) {
  (void)state;
  const double edge[] = {10, 0.25, 0.11, 0.06};
  for (int s = 0; st_shape_types[s]; s++)
    for (int e = 0; e < ST_LENGTH(edge); e++) {
      const char *name = st_shape_types[s]->name;
      if (strcmp(name, "sheet") == 0 || st_shape_types[s]->surface_only)
        continue;
      StMesh *solid = make_edge(name, edge[e], ST_SHAPE_SOLID);
      StMesh *surface = make_edge(name, edge[e], ST_SHAPE_SURFACE);
      int count;
      Face *face = boundary(solid, &count), *own = ST_NEW(Face, surface->triangle_count);
      assert_non_null(own);
      assert_int_equal(count, surface->triangle_count);
      for (int t = 0; t < count; t++) {
        const int *v = surface->triangle + 3 * t;
        own[t] = face_of(surface->position, v[0], v[1], v[2]);
      }
      qsort(own, (size_t)count, sizeof(Face), compare_bytes);
      assert_memory_equal(own, face, (size_t)count * sizeof(Face));
      double volume = solid_volume(solid);
      assert_true(volume > 0);
      assert_near(enclosed_volume(surface), volume, 1e-13);
      free(face);
      free(own);
      st_mesh_destroy(solid);
      st_mesh_destroy(surface);
    }
}

static int last_fill(const StShapeType *type) {
  return type->surface_only ? ST_SHAPE_SURFACE : ST_SHAPE_SOLID;
}

static void fail_on_warning(void *context, StLevel level, const char *text) {
  (void)context;
  if (level == ST_WARNING)
    fail_msg("%s", text);
}

static void test_passes_the_checks(void **state) {
  (void)state;
  const StLog log = {fail_on_warning, NULL};
  for (int s = 0; st_shape_types[s]; s++)
    for (int fill = ST_SHAPE_SURFACE; fill <= last_fill(st_shape_types[s]); fill++) {
      const char *name = st_shape_types[s]->name;
      StMesh *mesh = make_edge(name, 0.1, (StShapeFill)fill);
      StMeshReport report;
      StError error;
      assert_int_equal(st_mesh_check(mesh, name, &log, &error), ST_OK);
      assert_int_equal(st_mesh_report(mesh, &report, &error), ST_OK);
      bool layer = strcmp(name, "sheet") == 0 || strcmp(name, "sleeve") == 0;
      bool open = fill == ST_SHAPE_SURFACE && layer;
      bool two_parts = fill == ST_SHAPE_SURFACE && strncmp(name, "hollow_", 7) == 0;
      assert_true(report.oriented);
      assert_int_equal(report.closed, !open);
      assert_int_equal(report.component_count, two_parts ? 2 : 1);
      if (fill == ST_SHAPE_SURFACE && !open)
        assert_near(report.enclosed_volume, enclosed_volume(mesh), 1e-12);
      st_mesh_destroy(mesh);
    }
}

#define BALL(radius) (4 * M_PI / 3 * (radius) * (radius) * (radius))

static const struct {
  const char *shape;
  double edge;
  int order; // 0: exact
  double volume;
} volume_cases[] = {
    {"box", 0.1, 0, 1},
    {"sheet", 0.05, 0, 0.05},
    {"sphere", 0.1, 2, BALL(0.5)},
    {"hollow_ball", 0.09, 2, BALL(0.5) - BALL(0.4)},
    {"bowl", 0.09, 2, (BALL(0.5) - BALL(0.4)) / 2},
    {"hollow_box", 0.1, 0, 1 - 0.8 * 0.8 * 0.8},
    {"cylinder", 0.1, 2, M_PI * 0.25},
    {"capsule", 0.05, 2, M_PI * 0.0625 * 0.5 + BALL(0.25)},
    {"tube", 0.1, 2, M_PI *(0.25 - 0.16)},
    {"torus", 0.06, 2, 2 * M_PI *M_PI * 0.35 * 0.15 * 0.15},
};

static void test_volume_converges(void **state) {
  (void)state;
  for (int s = 0; s < ST_LENGTH(volume_cases); s++) {
    const char *name = volume_cases[s].shape;
    double error[2];
    for (int level = 0; level < 2; level++) {
      double edge = volume_cases[s].edge / (1 << level);
      StMesh *mesh = make_edge(name, edge, ST_SHAPE_SOLID);
      error[level] = fabs(solid_volume(mesh) / volume_cases[s].volume - 1);
      st_mesh_destroy(mesh);
    }
    if (volume_cases[s].order == 0) {
      assert_true(error[0] < 1e-13 && error[1] < 1e-13);
      continue;
    }
    double order = log2(error[0] / error[1]);
    print_message("%-12s volume off by %.2e, %.2e: order %.3f\n", name, error[0], error[1], order);
    assert_near(order, volume_cases[s].order, 0.05);
  }
}

static bool tagged(const StMesh *mesh, int vertex, const char *label) {
  int wanted = st_mesh_find_label(mesh, label);
  assert_true(wanted >= 0);
  for (int t = 0; t < mesh->tag_count; t++)
    if (mesh->tag[2 * t] == vertex && mesh->tag[2 * t + 1] == wanted)
      return true;
  return false;
}

static double away_from_axis(const double *x) {
  return hypot(x[0], x[1]);
}

static void test_sphere_vertices_on_surface(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"edge", 0.06}};
  StMesh *mesh = make("sphere", setting, 2, ST_SHAPE_SOLID);
  int on_surface = 0;
  for (int v = 0; v < mesh->vertex_count; v++) {
    double radius = vec3_length(mesh->position + 3 * v);
    assert_true(radius < 0.3 + 1e-15);
    if (tagged(mesh, v, "surface")) {
      assert_near(radius, 0.3, 2e-16);
      on_surface++;
    } else {
      assert_true(radius < 0.3 - 1e-3);
    }
  }
  StMesh *surface = make("sphere", setting, 2, ST_SHAPE_SURFACE);
  assert_int_equal(on_surface, surface->vertex_count);
  assert_int_equal(on_surface, surface->tag_count);
  st_mesh_destroy(mesh);
  st_mesh_destroy(surface);
}

static void test_hollow_ball_vertices_on_surface(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.02}, {"layers", 3}, {"cells", 6}};
  StMesh *mesh = make("hollow_ball", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 6 * 36 * 3 * 5);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double radius = vec3_length(mesh->position + 3 * v);
    if (tagged(mesh, v, "inside"))
      assert_near(radius, 0.28, 2e-16);
    else if (tagged(mesh, v, "outside"))
      assert_near(radius, 0.3, 2e-16);
    else
      assert_true(radius > 0.286 && radius < 0.294);
  }
  st_mesh_destroy(mesh);
}

static double tet_radius(const StMesh *mesh, int tet) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += vec3_length(mesh->position + 3 * mesh->tet[4 * tet + i]) / 4;
  return sum;
}

static void test_hollow_ball_coat(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.05}, {"layers", 2},
                             {"cells", 6},    {"coat", 0.01},      {"coat_layers", 3}};
  StMesh *mesh = make("hollow_ball", setting, 6, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 6 * 36 * 5 * 5);
  int core = st_mesh_find_label(mesh, "core"), coat = st_mesh_find_label(mesh, "coat"), inner = 0;
  assert_true(core >= 0 && coat >= 0);
  for (int t = 0; t < mesh->tet_count; t++) {
    assert_int_equal(mesh->tet_label[t], tet_radius(mesh, t) < 0.29 ? core : coat);
    inner += mesh->tet_label[t] == core;
  }
  assert_int_equal(inner, 6 * 36 * 2 * 5);
  st_mesh_destroy(mesh);
  // Without one nothing is labelled.
  mesh = make("hollow_ball", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(st_mesh_find_label(mesh, "core"), -1);
  st_mesh_destroy(mesh);
}

static void test_bowl_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.3}, {"thickness", 0.02}, {"layers", 2}, {"cells", 5}};
  StMesh *mesh = make("bowl", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->tet_count, 3 * 36 * 2 * 5); // six cells: an even number
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    double radius = vec3_length(x);
    assert_true(x[2] <= 0);
    assert_int_equal(tagged(mesh, v, "rim"), x[2] == 0);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(radius - 0.28) < 2e-16);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(radius - 0.3) < 2e-16);
  }
  st_mesh_destroy(mesh);
}

static void test_hollow_box_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"size_x", 2}, {"thickness", 0.25}, {"layers", 2}, {"cells_x", 6}};
  StMesh *mesh = make("hollow_box", setting, 4, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    // How far outside of the hollow, which is 1.5 by 0.5 by 0.5.
    double depth = fmax(fabs(x[0]) - 0.75, fmax(fabs(x[1]), fabs(x[2])) - 0.25);
    assert_true(depth > -1e-15 && depth < 0.25 + 1e-15);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(depth) < 1e-15);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(depth - 0.25) < 1e-15);
    assert_int_equal(tagged(mesh, v, "x-"), x[0] == -1);
    assert_int_equal(tagged(mesh, v, "x+"), x[0] == 1);
    assert_int_equal(tagged(mesh, v, "y-"), x[1] == -0.5);
    assert_int_equal(tagged(mesh, v, "z+"), x[2] == 0.5);
  }
  st_mesh_destroy(mesh);
}

static void test_cylinder_and_tube_labels(void **state) {
  (void)state;
  StMesh *mesh = make_edge("cylinder", 0.25, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] == -0.5);
    assert_int_equal(tagged(mesh, v, "top"), x[2] == 0.5);
    assert_int_equal(tagged(mesh, v, "side"), fabs(away_from_axis(x) - 0.5) < 2e-16);
  }
  st_mesh_destroy(mesh);
  mesh = make_edge("tube", 0.25, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] == -0.5);
    assert_int_equal(tagged(mesh, v, "top"), x[2] == 0.5);
    assert_int_equal(tagged(mesh, v, "inside"), fabs(away_from_axis(x) - 0.4) < 2e-16);
    assert_int_equal(tagged(mesh, v, "outside"), fabs(away_from_axis(x) - 0.5) < 2e-16);
  }
  st_mesh_destroy(mesh);
}

static void test_capsule_vertices_on_surface(void **state) {
  (void)state;
  StMesh *mesh = make_edge("capsule", 0.1, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    double beyond = fmax(0, fabs(x[2]) - 0.25);
    assert_near(hypot(away_from_axis(x), beyond), 0.25, 2e-16);
    assert_int_equal(tagged(mesh, v, "bottom"), x[2] <= -0.25);
    assert_int_equal(tagged(mesh, v, "top"), x[2] >= 0.25);
    assert_int_equal(tagged(mesh, v, "side"), fabs(x[2]) <= 0.25);
  }
  st_mesh_destroy(mesh);
}

static void test_torus_vertices_on_surface(void **state) {
  (void)state;
  StMesh *mesh = make_edge("torus", 0.06, ST_SHAPE_SURFACE);
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_near(hypot(away_from_axis(x) - 0.35, x[2]), 0.15, 2e-16);
    assert_true(tagged(mesh, v, "surface"));
  }
  st_mesh_destroy(mesh);
}

static void test_box_labels(void **state) {
  (void)state;
  const Setting setting[] = {{"size_x", 2}, {"size_z", 0.5}, {"cells_x", 4}, {"cells_y", 3}};
  StMesh *mesh = make("box", setting, 4, ST_SHAPE_SOLID);
  assert_int_equal(mesh->vertex_count, 5 * 4 * 4); // z: 0.5 m in edges of 2 m / 10, 2.5 cells
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *x = mesh->position + 3 * v;
    assert_int_equal(tagged(mesh, v, "x-"), x[0] == -1);
    assert_int_equal(tagged(mesh, v, "x+"), x[0] == 1);
    assert_int_equal(tagged(mesh, v, "y-"), x[1] == -0.5);
    assert_int_equal(tagged(mesh, v, "y+"), x[1] == 0.5);
    assert_int_equal(tagged(mesh, v, "z-"), x[2] == -0.25);
    assert_int_equal(tagged(mesh, v, "z+"), x[2] == 0.25);
  }
  st_mesh_destroy(mesh);
}

static void test_sheet_labels_and_patterns(void **state) {
  (void)state;
  for (int pattern = 0; pattern < 2; pattern++) {
    const Setting setting[] = {{"cells_x", 4}, {"cells_y", 6}, {"pattern", pattern}};
    StMesh *mesh = make("sheet", setting, 3, ST_SHAPE_SURFACE);
    assert_int_equal(mesh->vertex_count, 35);
    assert_int_equal(mesh->triangle_count, 48);
    int corners = 0, rising = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
      const double *x = mesh->position + 3 * v;
      assert_true(x[2] == 0);
      assert_int_equal(tagged(mesh, v, "x-"), x[0] == -0.5);
      assert_int_equal(tagged(mesh, v, "y+"), x[1] == 0.5);
      corners += tagged(mesh, v, "corners");
    }
    assert_int_equal(corners, 4);
    assert_int_equal(st_mesh_find_label(mesh, "z-"), -1);
    for (int t = 0; t < mesh->triangle_count; t++) {
      const int *v = mesh->triangle + 3 * t;
      double a[3], b[3], n[3];
      vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
      vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
      vec3_cross(a, b, n);
      assert_true(n[2] > 0);
      for (int i = 0; i < 3; i++) {
        vec3_sub(mesh->position + 3 * v[i], mesh->position + 3 * v[(i + 1) % 3], a);
        rising += a[0] * a[1] > 0;
      }
    }
    assert_int_equal(rising, pattern == 0 ? 24 : 48);
    st_mesh_destroy(mesh);
  }
}

static void test_uniform_plate_conforms(void **state) {
  (void)state;
  const Setting setting[] = {{"cells_x", 3}, {"cells_y", 4}, {"pattern", 1}, {"layers", 2}};
  StMesh *mesh = make("sheet", setting, 4, ST_SHAPE_SOLID);
  int count;
  Face *face = boundary(mesh, &count);
  assert_int_equal(mesh->tet_count, 6 * 3 * 4 * 2);
  assert_int_equal(count, 2 * 2 * (3 * 4 + 3 * 2 + 4 * 2));
  assert_near(solid_volume(mesh), 0.05, 1e-15);
  free(face);
  st_mesh_destroy(mesh);
}

static void assert_refused(const char *shape, const Setting *setting, int count, StShapeFill fill,
                           const char *text) {
  StMesh *mesh = NULL;
  StError error;
  assert_int_equal(try_make(shape, setting, count, fill, &mesh, &error), ST_BAD_INPUT);
  assert_null(mesh);
  assert_string_equal(error.text, text);
}

// Two sheets on top of each other, sewn: no triangle lies in the seam with all its corners, so that
// none has a twin in the other sheet, and every edge has two triangles.
static void test_sleeve(void **state) {
  (void)state;
  const Setting setting[] = {{"radius", 0.1}, {"length", 0.5}, {"edge", 0.02}};
  StMesh *mesh = make("sleeve", setting, 3, ST_SHAPE_SURFACE);
  assert_int_equal(mesh->tet_count, 0);
  double area = 0;
  for (int t = 0; t < mesh->triangle_count; t++) {
    const int *v = mesh->triangle + 3 * t;
    double a[3], b[3], normal[3];
    vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
    vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
    vec3_cross(a, b, normal);
    const double *x = mesh->position + 3 * v[0];
    assert_true(normal[0] * x[0] + normal[1] * x[1] > 0); // outward
    assert_true(fabs(hypot(x[0], x[1]) - 0.1) < 1e-15);
    area += st_triangle_area(mesh->position, v);
  }
  int around = 32; // 2π 0.1 m in edges of 2 cm, as four alike quarters
  assert_true(fabs(area - 0.5 * around * 2 * 0.1 * sin(M_PI / around)) < 1e-12);
  int bottom = st_mesh_find_label(mesh, "bottom"), count = 0;
  for (int i = 0; i < mesh->tag_count; i++)
    if (mesh->tag[2 * i + 1] == bottom) {
      assert_true(mesh->position[3 * mesh->tag[2 * i] + 2] == -0.25);
      count++;
    }
  assert_int_equal(count, around);
  st_mesh_destroy(mesh);
  assert_refused("sleeve", NULL, 0, ST_SHAPE_SOLID,
                 "sleeve: it is a single layer and made as a surface only; a tube has a wall");
}

static const char *triangle_label(const StMesh *mesh, int triangle) {
  int label = mesh->triangle_label[triangle];
  return label < 0 ? "none" : mesh->label_name[label];
}

// Along z: 1 facing up, -1 down, 0 across.
static double facing(const StMesh *mesh, int triangle) {
  const int *v = mesh->triangle + 3 * triangle;
  double a[3], b[3], n[3];
  vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
  vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
  vec3_cross(a, b, n);
  return n[2] / sqrt(vec3_dot(n, n));
}

// Parts of a shell can so have materials of their own, also where each is a single cell wide.
static void test_triangles_have_the_label_of_their_face(void **state) {
  (void)state;
  const struct {
    const char *shape, *down, *across, *up;
    Setting setting[3];
    int count;
  } cases[] = {
      {"pillow", "bottom", NULL, "top", {{"cells_x", 2}, {"cells_y", 2}}, 2},
      {"cylinder", "bottom", "side", "top", {{"cells", 2}, {"cells_along", 1}}, 2},
      {"box", "z-", NULL, "z+", {{"cells_x", 1}, {"cells_y", 1}, {"cells_z", 1}}, 3},
      {"sleeve", NULL, "none", NULL, {{"cells_around", 6}, {"cells_along", 1}}, 2},
      {"sheet", NULL, NULL, "none", {{"cells_x", 2}, {"cells_y", 2}}, 2},
  };
  for (int i = 0; i < ST_LENGTH(cases); i++) {
    StMesh *mesh = make(cases[i].shape, cases[i].setting, cases[i].count, ST_SHAPE_SURFACE);
    for (int t = 0; t < mesh->triangle_count; t++) {
      double z = facing(mesh, t);
      const char *expected = z > 0.99 ? cases[i].up : z < -0.99 ? cases[i].down : cases[i].across;
      if (expected)
        assert_string_equal(triangle_label(mesh, t), expected);
      else
        assert_string_not_equal(triangle_label(mesh, t), "none");
    }
    st_mesh_destroy(mesh);
  }
}

static void test_pillow(void **state) {
  (void)state;
  for (int cells_x = 1; cells_x <= 5; cells_x++) {
    const Setting setting[] = {
        {"width", 0.4}, {"length", 0.6}, {"cells_x", cells_x}, {"cells_y", 6}, {"relative_gap", 0}};
    StMesh *mesh = make("pillow", setting, 5, ST_SHAPE_SURFACE);
    int even = cells_x < 3 ? 2 : cells_x < 5 ? 4 : 6;
    assert_int_equal(mesh->triangle_count, 2 * 2 * even * 6);
    assert_int_equal(mesh->vertex_count, (even + 1) * 7 + (even - 1) * 5);
    for (int t = 0; t < mesh->triangle_count; t++) {
      const int *v = mesh->triangle + 3 * t;
      double a[3], b[3], n[3];
      vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
      vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
      vec3_cross(a, b, n);
      const char *side = n[2] > 0 ? "top" : "bottom";
      assert_near(fabs(n[2]), 0.4 / even * 0.1, 1e-15);
      int sewn = 0;
      for (int i = 0; i < 3; i++) {
        assert_true(tagged(mesh, v[i], side));
        sewn += tagged(mesh, v[i], "seam");
      }
      assert_true(sewn < 3);
    }
    StMeshReport report;
    assert_int_equal(st_mesh_report(mesh, &report, NULL), ST_OK);
    assert_true(report.closed && report.oriented);
    assert_near(report.area, 2 * 0.4 * 0.6, 1e-14);
    assert_near(report.enclosed_volume, 0, 1e-17);
    assert_int_equal(report.component_count, 1);
    st_mesh_destroy(mesh);
  }
  // By itself a hundredth of its size apart, but for the rim.
  StMesh *open = make("pillow", (Setting[]){{"cells_x", 20}, {"cells_y", 20}}, 2, ST_SHAPE_SURFACE);
  int apart[3] = {0};
  for (int v = 0; v < open->vertex_count; v++)
    apart[tagged(open, v, "seam") ? 0 : open->position[3 * v + 2] == 0.005 ? 1 : 2]++;
  assert_int_equal(apart[0], 80);
  assert_int_equal(apart[1], 19 * 19);
  assert_int_equal(apart[2], 19 * 19);
  st_mesh_destroy(open);
  assert_refused("pillow", NULL, 0, ST_SHAPE_SOLID,
                 "pillow: nothing lies between its sheets that could be filled; it is made as a "
                 "surface only");
}

// Mirror images in the coordinate planes are vertices too, to the last bit.
static void test_sphere_is_symmetric(void **state) {
  (void)state;
  StMesh *mesh = make("sphere", &(Setting){"cells", 4}, 1, ST_SHAPE_SOLID);
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int axis = 0; axis < 3; axis++) {
      double mirrored[3];
      vec3_copy(mesh->position + 3 * v, mirrored);
      mirrored[axis] = -mirrored[axis];
      bool found = false;
      for (int w = 0; w < mesh->vertex_count && !found; w++) {
        const double *x = mesh->position + 3 * w;
        found = x[0] == mirrored[0] && x[1] == mirrored[1] && x[2] == mirrored[2];
      }
      assert_true(found);
    }
  st_mesh_destroy(mesh);
}

static void test_odd_counts_are_good_too(void **state) {
  (void)state;
  const char *const shape[] = {"sphere", "hollow_ball", "cylinder", "torus"};
  for (int s = 0; s < ST_LENGTH(shape); s++)
    for (int cells = 3; cells < 16; cells += 2) {
      StMesh *mesh = make(shape[s], &(Setting){"cells", cells}, 1, ST_SHAPE_SOLID);
      assert_true(mesh_quality(mesh).worst >= 0.36);
      st_mesh_destroy(mesh);
    }
}

static void test_refuses_bad_values(void **state) {
  (void)state;
  assert_refused("sphere", &(Setting){"radius", 0}, 1, ST_SHAPE_SOLID,
                 "sphere: radius is 0 m; it must be finite and more than 0 m");
  assert_refused("sphere", &(Setting){"radius", NAN}, 1, ST_SHAPE_SOLID,
                 "sphere: radius is nan m; it must be finite and more than 0 m");
  assert_refused("box", &(Setting){"cells_x", 2.5}, 1, ST_SHAPE_SOLID,
                 "box: cells_x is 2.5; it must be whole and at least 0 and at most 1e+06");
  assert_refused("tube", &(Setting){"thickness", 0.5}, 1, ST_SHAPE_SOLID,
                 "tube: thickness is 0.5 m; it must be less than the radius, 0.5 m, and not vanish "
                 "beside it");
  assert_refused("hollow_ball", &(Setting){"thickness", 1e-20}, 1, ST_SHAPE_SURFACE,
                 "hollow_ball: thickness is 1e-20 m; it must be less than the radius, 0.5 m, and "
                 "not vanish beside it");
  assert_refused("hollow_ball", &(Setting){"coat", 0.1}, 1, ST_SHAPE_SOLID,
                 "hollow_ball: coat is 0.1 m; it must be less than the thickness of the wall, 0.1 "
                 "m, and not vanish beside the radius");
  assert_refused("hollow_box", &(Setting){"thickness", 0.5}, 1, ST_SHAPE_SOLID,
                 "hollow_box: thickness is 0.5 m; it must be less than half of the smallest "
                 "extent, 1 m, and not vanish beside it");
  assert_refused("torus", &(Setting){"minor_radius", 0.35}, 1, ST_SHAPE_SOLID,
                 "torus: minor_radius is 0.35 m; it must be less than major_radius, 0.35 m");
}

static void test_refuses_too_many(void **state) {
  (void)state;
  assert_refused(
      "box", &(Setting){"edge", 1e-3}, 1, ST_SHAPE_SOLID,
      "box: this would be about 5e+09 tets; at most 50 million are made: choose a larger "
      "edge or fewer cells");
  for (int s = 0; st_shape_types[s]; s++)
    for (double edge = 1e-5; edge > 0; edge *= 1e-80) {
      StMesh *mesh = NULL;
      StError error;
      Setting setting = {"edge", edge};
      for (int fill = ST_SHAPE_SURFACE; fill <= last_fill(st_shape_types[s]); fill++) {
        assert_int_equal(
            try_make(st_shape_types[s]->name, &setting, 1, (StShapeFill)fill, &mesh, &error),
            ST_BAD_INPUT);
        assert_non_null(strstr(error.text, "at most 50 million are made"));
      }
    }
}

static void test_large_surface(void **state) {
  (void)state;
  StMesh *mesh = make("sphere", &(Setting){"cells", 300}, 1, ST_SHAPE_SURFACE);
  assert_int_equal(mesh->triangle_count, 12 * 300 * 300);
  assert_int_equal(mesh->vertex_count, 6 * 300 * 300 + 2);
  assert_near(enclosed_volume(mesh) / BALL(0.5), 1, 2e-5);
  st_mesh_destroy(mesh);
}

static void test_descriptors(void **state) {
  (void)state;
  assert_null(st_shape_find("teapot"));
  for (int s = 0; st_shape_types[s]; s++) {
    const StShapeType *type = st_shape_types[s];
    assert_ptr_equal(st_shape_find(type->name), type);
    assert_true(type->param_count <= ST_PARAM_MAX);
    assert_true(strlen(type->summary) > 0);
    for (int i = 0; i < type->param_count; i++) {
      assert_false(st_param_required(&type->param[i]));
      assert_true(type->param[i].doc[strlen(type->param[i].doc) - 1] == '.');
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solid_quality),
      cmocka_unit_test(test_surface_quality),
      cmocka_unit_test(test_surface_is_boundary_of_solid),
      cmocka_unit_test(test_passes_the_checks),
      cmocka_unit_test(test_volume_converges),
      cmocka_unit_test(test_sphere_vertices_on_surface),
      cmocka_unit_test(test_hollow_ball_vertices_on_surface),
      cmocka_unit_test(test_hollow_ball_coat),
      cmocka_unit_test(test_bowl_labels),
      cmocka_unit_test(test_hollow_box_labels),
      cmocka_unit_test(test_cylinder_and_tube_labels),
      cmocka_unit_test(test_capsule_vertices_on_surface),
      cmocka_unit_test(test_torus_vertices_on_surface),
      cmocka_unit_test(test_box_labels),
      cmocka_unit_test(test_sheet_labels_and_patterns),
      cmocka_unit_test(test_uniform_plate_conforms),
      cmocka_unit_test(test_triangles_have_the_label_of_their_face),
      cmocka_unit_test(test_pillow),
      cmocka_unit_test(test_sleeve),
      cmocka_unit_test(test_sphere_is_symmetric),
      cmocka_unit_test(test_odd_counts_are_good_too),
      cmocka_unit_test(test_refuses_bad_values),
      cmocka_unit_test(test_refuses_too_many),
      cmocka_unit_test(test_large_surface),
      cmocka_unit_test(test_descriptors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
