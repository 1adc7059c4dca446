// How points count the features of a skin: once over anything convex or flat, also exactly above
// corners and edges; each wall of a concave corner; energy and force are continuous wherever a
// point goes, over closed surfaces and over triangle soups.
#include "contact/barrier/barrier.h"
#include "contact/core/closest_features.h"
#include "contact/core/point_features.h"
#include "support/skin_scene.h"
#include "support/spared.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

// One surface, and a point that goes anywhere: a corner of a separate triangle.
typedef struct Fixture {
  SkinScene scene;
  StPointFeatures features;
  double *position, *point;
  int place, triangle_count, *triangle;
  double reach;
} Fixture;

static StMesh *lone_triangle(void) {
  StMesh *mesh = st_mesh_create(3, 0, 1);
  const double corner[9] = {9, 0, 0, 10, 0, 0, 9, 1, 0};
  memcpy(mesh->position, corner, sizeof corner);
  for (int k = 0; k < 3; k++)
    mesh->triangle[k] = k;
  return mesh;
}

static void start(Fixture *f, StMesh *mesh, double reach) {
  *f = (Fixture){.scene = skin_scene_open(), .reach = reach};
  int surface = skin_scene_body(&f->scene, mesh);
  int other = skin_scene_body(&f->scene, lone_triangle());
  skin_scene_contact(&f->scene, surface, other, -1, reach);
  skin_scene_build(&f->scene);
  const StSkins *skins = f->scene.skins;
  f->position = skin_scene_positions(&f->scene);
  f->triangle = ST_NEW(int, skins->triangle_count);
  for (int t = 0; t < skins->triangle_count; t++)
    if (skins->skin[skins->triangle_skin[t]].body == surface)
      f->triangle[f->triangle_count++] = t;
    else
      f->place = skins->triangle_place[3 * t];
  f->point = f->position + 3 * f->place;
}

static void stop(Fixture *f) {
  st_point_features_free(&f->features);
  free(f->position);
  free(f->triangle);
  skin_scene_close(&f->scene);
}

static void find(Fixture *f) {
  assert_true(st_point_features_find(&f->features, f->scene.skins, f->position, f->place,
                                     f->triangle, f->triangle_count, 1, f->reach));
}

// The gap to one feature and its gradient by the point.
static double feature_gap(const Fixture *f, const StPointFeature *feature, double gradient[3]) {
  const StSkins *skins = f->scene.skins;
  const StPrimitive primitive = {.kind = feature->kind};
  const int *place = &feature->feature;
  if (feature->kind == ST_POINT_EDGE)
    place = skins->edge_place + 2 * feature->feature;
  else if (feature->kind == ST_POINT_TRIANGLE)
    place = skins->triangle_place + 3 * feature->feature;
  double x[4][3];
  StPrimitiveGap gap;
  vec3_copy(f->point, x[0]);
  for (int k = 1; k < st_primitive_count(feature->kind); k++)
    vec3_copy(f->position + 3 * place[k - 1], x[k]);
  assert_true(st_primitive_gap(&primitive, x[0], &gap));
  vec3_copy(gap.gradient, gradient);
  return gap.gap;
}

// Σ count φ(gap/reach), and its gradient by the point.
static double counted_energy(Fixture *f, double slope[3]) {
  double energy = 0, gradient[3];
  vec3_set(0, 0, 0, slope);
  find(f);
  for (int i = 0; i < f->features.count; i++) {
    const StPointFeature *feature = &f->features.item[i];
    if (feature->count == 0)
      continue;
    StBarrierCurve curve = st_barrier_curve(feature_gap(f, feature, gradient) / f->reach);
    energy += feature->count * curve.value;
    for (int k = 0; k < 3; k++)
      slope[k] += feature->count * curve.slope * gradient[k] / f->reach;
  }
  return energy;
}

static const double *corner(const Fixture *f, int triangle, int k) {
  return f->position + 3 * f->scene.skins->triangle_place[3 * triangle + k];
}

static double distance(const Fixture *f) {
  double least = INFINITY;
  for (int i = 0; i < f->triangle_count; i++)
    least = fmin(least, st_primitive_point_triangle_distance(f->point, corner(f, f->triangle[i], 0),
                                                             corner(f, f->triangle[i], 1),
                                                             corner(f, f->triangle[i], 2)));
  return least;
}

// Only the nearest feature counts, with 1. Just above a seam several features are equally near, and
// exactly one of them counts.
static void assert_counts_once(Fixture *f) {
  double least = distance(f), gradient[3];
  int sum = 0;
  find(f);
  assert_true(least > 0 && least < f->reach);
  for (int i = 0; i < f->features.count; i++) {
    const StPointFeature *feature = &f->features.item[i];
    if (feature->count == 0)
      continue;
    assert_true(fabs(feature_gap(f, feature, gradient) - least) < 1e-12);
    sum += feature->count;
  }
  assert_int_equal(sum, 1);
}

// The hull of points on a sphere: a convex surface of irregular triangles.
static StMesh *hull(int count, uint64_t *state) {
  StMesh *mesh = st_mesh_create(count, 0, 2 * count - 4);
  int triangles = 0;
  for (int v = 0; v < count; v++) {
    double *x = mesh->position + 3 * v;
    do
      random_fill(state, -1, 1, 3, x);
    while (vec3_length(x) > 1 || vec3_length(x) < 0.1);
    double length = vec3_length(x);
    for (int k = 0; k < 3; k++)
      x[k] /= length;
  }
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++)
      for (int c = a + 1; c < count; c++) {
        const double *p = mesh->position;
        double ab[3], ac[3], n[3], way[3];
        bool outside = b != c;
        vec3_sub(p + 3 * b, p + 3 * a, ab);
        vec3_sub(p + 3 * c, p + 3 * a, ac);
        vec3_cross(ab, ac, n);
        for (int v = 0; v < count && outside; v++) {
          vec3_sub(p + 3 * v, p + 3 * a, way);
          outside = v == a || v == b || v == c || vec3_dot(n, way) < 0;
        }
        if (!outside)
          continue;
        assert_true(triangles < 2 * count - 4);
        const int three[3] = {a, b, c};
        memcpy(mesh->triangle + 3 * triangles++, three, sizeof three);
      }
  assert_int_equal(triangles, 2 * count - 4);
  return mesh;
}

static void everywhere_above_a_ball_counts_once(void **unused) {
  (void)unused;
  uint64_t state = 11;
  Fixture f;
  start(&f, hull(60, &state), 0.4);
  for (int i = 0; i < 10000; i += SPARED) {
    do
      random_fill(&state, -1.4, 1.4, 3, f.point);
    while (vec3_length(f.point) < 1 || !(distance(&f) < f.reach));
    assert_counts_once(&f);
  }
  stop(&f);
}

// Straight out from the middle through corners, through points of edges and of faces.
static void above_seams_of_a_ball_counts_once(void **unused) {
  (void)unused;
  const double share[][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0, 0.2, 0.8}, {0.3, 0.3, 0.4}};
  uint64_t state = 13;
  Fixture f;
  start(&f, hull(40, &state), 0.3);
  for (int i = 0; i < f.triangle_count * ST_LENGTH(share); i++) {
    const double *part = share[i % ST_LENGTH(share)];
    double out = 1 + random_between(&state, 1e-6, 0.1);
    for (int c = 0; c < 3; c++) {
      f.point[c] = 0;
      for (int k = 0; k < 3; k++)
        f.point[c] += out * part[k] * corner(&f, f.triangle[i / ST_LENGTH(share)], k)[c];
    }
    assert_counts_once(&f);
  }
  stop(&f);
}

static StMesh *block(void) {
  const BoxGrid grid = {{3, 3, 3}, {0, 0, 0}, {3, 3, 3}, 0};
  return box_mesh_create(&grid);
}

// A grid of points that lie exactly over corners, edges and diagonals of the faces' squares, beside
// edges and off corners of the box.
static void exactly_above_a_box_counts_once(void **unused) {
  (void)unused;
  Fixture f;
  start(&f, block(), 0.9);
  const double at[] = {-0.5, -1e-9, 0, 0.25, 0.5, 1, 1.5, 1.75, 2, 3, 3 + 1e-9, 3.5};
  const double height[] = {1e-6, 0.01, 0.5};
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < ST_LENGTH(at) * ST_LENGTH(at); i++)
      for (int h = 0; h < 2 * ST_LENGTH(height); h++) {
        f.point[axis] = h % 2 ? -height[h / 2] : 3 + height[h / 2];
        f.point[(axis + 1) % 3] = at[i % ST_LENGTH(at)];
        f.point[(axis + 2) % 3] = at[i / ST_LENGTH(at)];
        assert_counts_once(&f);
      }
  stop(&f);
}

static void anywhere_above_a_sheet_counts_once(void **unused) {
  (void)unused;
  uint64_t state = 17;
  Fixture f;
  start(&f, skin_sheet(4, 1, 0), 0.3);
  for (int i = 0; i < 2000; i += SPARED) {
    do {
      random_fill(&state, -0.2, 1.2, 2, f.point);
      f.point[2] = random_between(&state, -0.3, 0.3);
      if (i % 4 == 0)
        f.point[0] = round(4 * f.point[0]) / 4;
      if (i % 3 == 0)
        f.point[1] = f.point[0];
    } while (f.point[2] == 0 || !(distance(&f) < f.reach));
    assert_counts_once(&f);
  }
  stop(&f);
}

// Two walls that meet at the y-axis, each of two triangles.
static StMesh *hollow(void) {
  StMesh *mesh = st_mesh_create(6, 0, 4);
  const double x[18] = {0, 0, 0, 0, 4, 0, 4, 0, 0, 4, 4, 0, 0, 0, 4, 0, 4, 4};
  const int corner_of[12] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};
  memcpy(mesh->position, x, sizeof x);
  memcpy(mesh->triangle, corner_of, sizeof corner_of);
  return mesh;
}

static int count_of(const Fixture *f, StPrimitiveKind kind, double gap) {
  double gradient[3];
  int sum = 0;
  for (int i = 0; i < f->features.count; i++)
    if (f->features.item[i].kind == kind && f->features.item[i].count != 0 &&
        fabs(feature_gap(f, &f->features.item[i], gradient) - gap) < 1e-12)
      sum += f->features.item[i].count;
  return sum;
}

static void each_wall_of_a_hollow_counts(void **unused) {
  (void)unused;
  Fixture f;
  start(&f, hollow(), 1);
  vec3_set(0.3, 1.7, 0.2, f.point);
  find(&f);
  assert_int_equal(count_of(&f, ST_POINT_TRIANGLE, 0.2), 1);
  assert_int_equal(count_of(&f, ST_POINT_TRIANGLE, 0.3), 1);
  assert_int_equal(count_of(&f, ST_POINT_EDGE, hypot(0.2, 0.3)), -1);
  assert_int_equal(count_of(&f, ST_POINT_POINT, hypot(0.2, 0.3)), 0);
  // Out of the edge's reach the walls are left.
  vec3_set(0.9, 1.7, 0.8, f.point);
  find(&f);
  assert_int_equal(count_of(&f, ST_POINT_TRIANGLE, 0.8) + count_of(&f, ST_POINT_TRIANGLE, 0.9), 2);
  for (int i = 0; i < f.features.count; i++)
    assert_true(f.features.item[i].kind == ST_POINT_TRIANGLE || f.features.item[i].count == 0);
  stop(&f);
}

static double edge_distance(const double *p, const double *a, const double *b) {
  return st_primitive_point_triangle_distance(p, a, b, b);
}

// What a corner counts once faces count 1 and edges 1 - their triangles, so that all that meet in
// it add up to 1.
static int corner_count(const StSkins *skins, int place) {
  int count = 1;
  for (int t = 0; t < 3 * skins->triangle_count; t++)
    count -= skins->triangle_place[t] == place;
  for (int e = 0; e < 2 * skins->edge_count; e++)
    if (skins->edge_place[e] == place)
      count += skins->edge_adjacent[e / 2] - 1;
  return count;
}

// The same sum without merging: every triangle, edge and corner by its own distance.
static double plain_energy(const Fixture *f) {
  const StSkins *skins = f->scene.skins;
  double sum = 0, way[3];
  for (int i = 0; i < f->triangle_count; i++) {
    int t = f->triangle[i];
    double d = st_primitive_point_triangle_distance(f->point, corner(f, t, 0), corner(f, t, 1),
                                                    corner(f, t, 2));
    sum += st_barrier_curve(d / f->reach).value;
  }
  for (int e = 0; e < skins->edge_count; e++)
    if (skins->skin[skins->edge_skin[e]].body == 0) {
      double d = edge_distance(f->point, f->position + 3 * skins->edge_place[2 * e],
                               f->position + 3 * skins->edge_place[2 * e + 1]);
      sum += (1 - skins->edge_adjacent[e]) * st_barrier_curve(d / f->reach).value;
    }
  for (int p = 0; p < skins->point_count; p++)
    if (skins->skin[skins->point_skin[p]].body == 0) {
      int place = skins->point_place[p];
      vec3_sub(f->point, f->position + 3 * place, way);
      sum += corner_count(skins, place) * st_barrier_curve(vec3_length(way) / f->reach).value;
    }
  return sum;
}

// Straight through space, in steps: the energy is the plain sum, and neither it nor the force
// jumps. d: the least distance met; φ'' and φ'/d bound how fast one feature's force can change.
static void walk(Fixture *f, const double from[3], const double to[3], int *met) {
  enum { STEPS = 400 };
  double slope[3], ahead[3], change[3];
  const double step = 1e-9;
  for (int i = 0; i < STEPS; i += SPARED) {
    for (int k = 0; k < 3; k++)
      f->point[k] = from[k] + (to[k] - from[k]) * i / STEPS;
    double d = distance(f);
    if (!(d < f->reach) || d < 0.02 * f->reach)
      continue;
    double energy = counted_energy(f, slope);
    int terms = f->features.count + f->features.edge_count + f->features.place_count;
    double scale = terms * 10 * st_barrier_curve(d / f->reach).value;
    assert_true(fabs(energy - plain_energy(f)) <= 1e-12 * (1 + scale));
    for (int k = 0; k < 3; k++)
      f->point[k] += step * (to[k] - from[k]);
    counted_energy(f, ahead);
    StBarrierCurve curve = st_barrier_curve(0.9 * d / f->reach);
    double rate = terms * 10 * (curve.curvature / f->reach - curve.slope / d) / f->reach;
    vec3_sub(ahead, slope, change);
    assert_true(vec3_length(change) <= 1e-9 * (1 + scale) / f->reach + 4 * step * rate);
    (*met)++;
  }
}

// Where a change of features happens, found by halving: the force is the same on either side.
static void seam(Fixture *f, double from[3], double to[3]) {
  double middle[3], before[3], after[3], change[3];
  vec3_copy(from, f->point);
  counted_energy(f, before);
  double scale = vec3_length(before);
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < 3; k++)
      middle[k] = (from[k] + to[k]) / 2;
    vec3_copy(from, f->point);
    counted_energy(f, before);
    vec3_copy(middle, f->point);
    counted_energy(f, after);
    vec3_sub(after, before, change);
    double first = vec3_length(change);
    vec3_copy(to, f->point);
    counted_energy(f, before);
    vec3_sub(after, before, change);
    bool left = first > vec3_length(change); // the larger change is kept
    vec3_copy(middle, left ? to : from);
    scale = fmax(scale, vec3_length(after));
  }
  assert_true(vec3_length(change) <= 1e-7 * (scale + 1 / f->reach));
}

static void walk_about(StMesh *mesh, double reach, double low, double high, uint64_t *state) {
  Fixture f;
  int met = 0;
  start(&f, mesh, reach);
  for (int i = 0; i < 60; i++) {
    double from[3], to[3];
    random_fill(state, low, high, 3, from);
    random_fill(state, low, high, 3, to);
    walk(&f, from, to, &met);
    if (i % 2) // axes and diagonals run into seams
      to[i / 2 % 3] = from[i / 2 % 3];
    walk(&f, from, to, &met);
    double way[3];
    vec3_sub(to, from, way);
    double length = vec3_length(way);
    for (int k = 0; k < 3; k++)
      to[k] = from[k] + 0.5 * reach * (to[k] - from[k]) / length;
    vec3_copy(from, f.point);
    if (distance(&f) > 0.6 * reach && distance(&f) < reach)
      seam(&f, from, to);
  }
  assert_true(met > 500 / SPARED);
  stop(&f);
}

// A ball whose corners were shaken: closed, with hollows and ridges.
static StMesh *dented_ball(uint64_t *state) {
  StMesh *mesh = hull(40, state);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double size = random_between(state, 0.7, 1.2);
    for (int k = 0; k < 3; k++)
      mesh->position[3 * v + k] *= size;
  }
  return mesh;
}

static void forces_go_on_smoothly(void **unused) {
  (void)unused;
  uint64_t state = 19;
  walk_about(block(), 0.8, -0.8, 3.8, &state);
  walk_about(dented_ball(&state), 0.3, -1.4, 1.4, &state);
  walk_about(hollow(), 1, -0.5, 4.5, &state);
  walk_about(skin_soup(40, 0.3, &state), 0.2, 0, 1, &state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everywhere_above_a_ball_counts_once),
      cmocka_unit_test(above_seams_of_a_ball_counts_once),
      cmocka_unit_test(exactly_above_a_box_counts_once),
      cmocka_unit_test(anywhere_above_a_sheet_counts_once),
      cmocka_unit_test(each_wall_of_a_hollow_counts),
      cmocka_unit_test(forces_go_on_smoothly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
