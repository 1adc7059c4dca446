// The judge's sweep of a step: what passed through bodies, sheets and obstacles of every shape is
// told, what missed, rolled or turned along is not.
#include "base/memory.h"
#include "judge/closest.h"
#include "judge/judge.h"
#include "judge/meeting.h"
#include "math/vec3.h"
#include "support/box_mesh.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double TRIANGLE[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static bool moves_through(const double other[3][3], const double way[3]) {
  double end[3][3];
  StCornerPaths a, b;
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < 3; c++)
      end[i][c] = other[i][c] + way[c];
    a.from[i] = a.to[i] = TRIANGLE[i];
    b.from[i] = other[i];
    b.to[i] = end[i];
  }
  return st_triangles_meet(&a, &b) && st_triangles_meet(&b, &a);
}

static void test_triangles_meet(void **unused) {
  (void)unused;
  for (double far = 1; far > 1e-6; far /= 10) {
    const double tip[3][3] = {{0.2, 0.2, far}, {0.3, 0.1, 1 + far}, {0.1, 0.3, 1 + far}};
    assert_true(moves_through(tip, (double[]){0.1, 0.05, -2 * far}));
    assert_false(moves_through(tip, (double[]){0.1, 0.05, -0.9 * far}));
    assert_false(moves_through(tip, (double[]){2, 0.3, 0})); // along the plane
    // An edge across an edge, corners beside both triangles.
    const double across[3][3] = {{0.5, -1, far}, {0.5, 2, far}, {0.5, 0, 1 + far}};
    assert_true(moves_through(across, (double[]){0, 0, -2 * far}));
    assert_false(moves_through(across, (double[]){1, 0, 0}));
    const double beside[3][3] = {{1.2, -1, far}, {1.2, 2, far}, {1.2, 0, 1 + far}};
    assert_false(moves_through(beside, (double[]){0, 0, -2 * far}));
  }
}

// Neighbours in a plane that moves: volumes are rounding alone.
static void test_neighbours_do_not(void **unused) {
  (void)unused;
  uint64_t state = 5;
  for (int k = 0; k < 200; k++) {
    double axis[3], turn[9], x[6][3], y[6][3], way[3];
    random_fill(&state, -1, 1, 3, axis);
    random_fill(&state, -3, 3, 3, way);
    double length = vec3_length(axis);
    for (int c = 0; c < 3; c++)
      axis[c] /= length;
    mat3_rotation(axis, random_between(&state, 0, 0.3), turn);
    static const double FLAT[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                      {1, 1, 0}, {2, 1, 0}, {1, 2, 0}};
    StCornerPaths a, b;
    for (int i = 0; i < 6; i++) {
      mat3_apply(turn, FLAT[i], x[i]);
      for (int c = 0; c < 3; c++)
        y[i][c] = x[i][c] + way[c];
      (i < 3 ? a.from : b.from)[i % 3] = x[i];
      (i < 3 ? a.to : b.to)[i % 3] = y[i];
    }
    assert_false(st_triangles_meet(&a, &b));
  }
}

// Against samples of both triangles: never larger than what they find, and by no more than their
// spacing smaller.
static void test_distance(void **unused) {
  (void)unused;
  enum { N = 24 };
  uint64_t state = 9;
  for (int k = 0; k < 100; k++) {
    double x[6][3], apart[3], least = INFINITY;
    random_fill(&state, -1, 1, 18, x[0]);
    for (int i = 3; i < 6; i++)
      x[i][2] += 2.5; // they do not cross
    const double *const a[3] = {x[0], x[1], x[2]}, *const b[3] = {x[3], x[4], x[5]};
    double gap = st_triangles_apart(a, b, apart);
    for (int i = 0; i < N * N * N * N; i++) {
      int u = i % N, v = i / N % N, s = i / N / N % N, t = i / N / N / N;
      double between[3];
      if (u + v >= N || s + t >= N)
        continue;
      for (int c = 0; c < 3; c++)
        between[c] = a[0][c] + (u * (a[1][c] - a[0][c]) + v * (a[2][c] - a[0][c])) / (N - 1) -
                     b[0][c] - (s * (b[1][c] - b[0][c]) + t * (b[2][c] - b[0][c])) / (N - 1);
      least = fmin(least, vec3_length(between));
    }
    assert_true(gap <= least + 1e-12);
    assert_true(gap >= least - 4 * sqrt(12) / (N - 1));
    assert_true(fabs(vec3_length(apart) - gap) < 1e-12);
  }
}

// A cube and a target, a body or an obstacle.
typedef struct Stage {
  StBodyDesc body[2];
  StObstacleDesc obstacle;
  StContactDesc contact[2];
  StDescription description;
  double before[300], after[300];
} Stage;

static StMesh *cube(double half) {
  BoxGrid grid = {.cells = {1, 1, 1}, .low = {-half, -half, -half}, .high = {half, half, half}};
  return box_mesh_create(&grid);
}

// An upright square across x.
static StMesh *sheet(void) {
  StMesh *mesh = st_mesh_create(4, 0, 2);
  for (int v = 0; v < 4; v++)
    vec3_set(0, v & 1 ? 0.6 : -0.6, v & 2 ? 0.6 : -0.6, mesh->position + 3 * v);
  memcpy(mesh->triangle, (int[]){0, 1, 3, 0, 3, 2}, 6 * sizeof(int));
  return mesh;
}

static const struct {
  const char *shape;
  double value[3], half; // along x
} TARGETS[] = {{NULL, {0}, 0.3},
               {"sheet", {0}, 0},
               {"mesh", {0}, 0.3},
               {"box", {0.01, 1, 1}, 0.005},
               {"sphere", {0.3, 0, 0}, 0.3},
               {"capsule", {0.05, 2, 0}, 0.05},
               {"cylinder", {0.2, 2, 0}, 0.2},
               {"half_space", {0}, 0}};
enum { HALF_SPACE = 7 };

static void set_up(Stage *stage, int kind) {
  const char *shape = TARGETS[kind].shape;
  bool body = !shape || strcmp(shape, "sheet") == 0;
  *stage = (Stage){.body = {{.name = "cube", .mesh = cube(0.5)}, {.name = "target"}}};
  if (body)
    stage->body[1].mesh = shape ? sheet() : cube(0.3);
  stage->obstacle = (StObstacleDesc){.name = "target", .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  stage->obstacle.shape.name = body ? "sphere" : shape;
  memcpy(stage->obstacle.shape.value, TARGETS[kind].value, sizeof TARGETS[kind].value);
  if (shape && strcmp(shape, "mesh") == 0)
    stage->obstacle.mesh = cube(0.3);
  stage->contact[0] = (StContactDesc){
      .collider = 0, .body = body ? 1 : -1, .obstacle = body ? -1 : 0, .thickness = 0.01};
  stage->description = (StDescription){.body_count = body ? 2 : 1,
                                       .body = stage->body,
                                       .obstacle_count = body ? 0 : 1,
                                       .obstacle = &stage->obstacle,
                                       .contact_count = 1,
                                       .contact = stage->contact};
  for (int b = 0, at = 0; b < stage->description.body_count; b++) {
    const StMesh *mesh = stage->body[b].mesh;
    memcpy(stage->before + at, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof(double));
    at += 3 * mesh->vertex_count;
  }
  memcpy(stage->after, stage->before, sizeof stage->after);
}

static void strike(Stage *stage) {
  for (int b = 0; b < 2; b++)
    st_mesh_destroy(stage->body[b].mesh);
  st_mesh_destroy(stage->obstacle.mesh);
  st_motion_free(&stage->obstacle.motion);
}

static StFinding sweep(Stage *stage) {
  StJudge *judge = NULL;
  StJudgement found;
  assert_int_equal(st_judge_create(&stage->description, &judge, NULL), ST_OK);
  assert_int_equal(st_judge_check(judge, 1, stage->after, &found, NULL), ST_OK);
  assert_int_equal(found.kind[ST_FOUND_PASSAGE].count, 0); // says nothing of the step
  assert_int_equal(st_judge_sweep(judge, 0, stage->before, 1, stage->after, &found, NULL), ST_OK);
  const unsigned char *mark = st_judge_vertex_marks(judge);
  bool marked = false;
  for (int v = 0; v < stage->body[0].mesh->vertex_count; v++)
    marked = marked || mark[v] >> ST_FOUND_PASSAGE & 1;
  assert_int_equal(marked, found.kind[ST_FOUND_PASSAGE].count > 0);
  st_judge_destroy(judge);
  return found.kind[ST_FOUND_PASSAGE];
}

static bool throw_cube(Stage *stage, const double from[3], const double to[3]) {
  const StMesh *mesh = stage->body[0].mesh;
  for (int i = 0; i < 3 * mesh->vertex_count; i++) {
    stage->before[i] = mesh->position[i] + from[i % 3];
    stage->after[i] = mesh->position[i] + to[i % 3];
  }
  return sweep(stage).count > 0;
}

static void test_throws(void **unused) {
  (void)unused;
  for (int kind = 0; kind < HALF_SPACE; kind++) {
    static Stage stage;
    set_up(&stage, kind);
    double near = 0.5 + TARGETS[kind].half + 0.003;
    for (double far = 1; far < 150; far *= 3) {
      print_message("%s, %g m\n", TARGETS[kind].shape ? TARGETS[kind].shape : "body", 2 * far);
      assert_true(throw_cube(&stage, (double[]){-far, 0.1, 0.02}, (double[]){far, 0.1, 0.02}));
      assert_true(throw_cube(&stage, (double[]){-far, -0.5, 0.3}, (double[]){far, -0.5, 0.3}));
      assert_false(throw_cube(&stage, (double[]){-far, 1.12, 0}, (double[]){far, 1.12, 0}));
      assert_false(throw_cube(&stage, (double[]){-far, 0.1, 0}, (double[]){-near, 0.1, 0}));
    }
    // It touches at both ends; slides along the face it touches; goes away from there.
    assert_true(throw_cube(&stage, (double[]){-near, 0.1, 0}, (double[]){near, 0.1, 0}));
    assert_false(throw_cube(&stage, (double[]){-near, 0.1, 0}, (double[]){-near, 0.2, 0.1}));
    assert_false(throw_cube(&stage, (double[]){-near, 0.1, 0}, (double[]){-9, 0.2, 0.1}));
    strike(&stage);
  }
}

// Nothing gets around a half-space.
static void test_half_space(void **unused) {
  (void)unused;
  static Stage stage;
  set_up(&stage, HALF_SPACE);
  assert_false(throw_cube(&stage, (double[]){-9, 0, 0.51}, (double[]){9, 0, 0.51}));
  strike(&stage);
}

// An obstacle that moves, and what it is told to be.
static void test_moving_obstacle(void **unused) {
  (void)unused;
  const double time[] = {0, 1}, way[] = {-3, 0, 0, 3, 0, 0}, beside[] = {-3, 1.5, 0, 3, 1.5, 0};
  for (int hit = 0; hit < 2; hit++) {
    static Stage stage;
    set_up(&stage, 5);
    assert_int_equal(st_motion_set_keys(&stage.obstacle.motion, 2, time, hit ? way : beside, NULL,
                                        ST_LINEAR, true, NULL),
                     ST_OK);
    StFinding found = sweep(&stage);
    assert_int_equal(found.count > 0, hit);
    assert_int_equal(found.obstacle, hit ? 0 : -1);
    strike(&stage);
  }
}

// Cubes on each other turn together; one that turns alone, by a quarter or by half a turn, sweeps
// through what is beside it, though straight ways of its corners would not.
static void test_turns(void **unused) {
  (void)unused;
  static Stage stage;
  set_up(&stage, 0);
  int count = stage.body[0].mesh->vertex_count;
  double rotation[9], at[3];
  for (int i = 0; i < 4; i++) {
    int together = i % 2;
    mat3_rotation((double[]){0, 0, 1}, acos(-1) / (i < 2 ? 2 : 1), rotation);
    for (int v = 0; v < count + stage.body[1].mesh->vertex_count; v++) {
      const double *rest = (v < count ? stage.body[0].mesh->position + 3 * v
                                      : stage.body[1].mesh->position + 3 * (v - count));
      // The target is above the cube, or beside it: between its face and the arc of its edges.
      double high[3] = {together ? 0 : 0.65, 0, together ? 0.8001 : 0};
      for (int c = 0; c < 3; c++)
        stage.before[3 * v + c] =
            rest[c] * (v < count || together ? 1 : 0.3) + (v < count ? 0 : high[c]);
      mat3_apply(rotation, stage.before + 3 * v, at);
      for (int c = 0; c < 3; c++)
        stage.after[3 * v + c] = v < count || together ? at[c] : stage.before[3 * v + c];
    }
    assert_int_equal(sweep(&stage).count > 0, !together);
  }
  strike(&stage);
}

// A roof and a small triangle, all one surface.
enum { ROOF = 4, NEEDLE = 3 };
static const double RIDGE[ROOF][3] = {{0, -1, 0}, {0, 1, 0}, {-0.5, 0, -1}, {0.5, 0, -1}};

static bool fly_by_roof(const double needle[NEEDLE][3], const double way[3]) {
  static Stage stage;
  StMesh *mesh = st_mesh_create(ROOF + NEEDLE, 0, 3);
  memcpy(mesh->position, RIDGE, sizeof RIDGE);
  memcpy(mesh->position + 3 * ROOF, needle, NEEDLE * sizeof *needle);
  memcpy(mesh->triangle, (int[]){0, 1, 2, 1, 0, 3, 4, 5, 6}, 9 * sizeof(int));
  stage = (Stage){.body = {{.name = "roof", .mesh = mesh}},
                  .contact = {{.obstacle = -1, .thickness = 0.02}}};
  stage.description = (StDescription){
      .body_count = 1, .body = stage.body, .contact_count = 1, .contact = stage.contact};
  memcpy(stage.before, mesh->position, 3 * (ROOF + NEEDLE) * sizeof(double));
  memcpy(stage.after, mesh->position, 3 * (ROOF + NEEDLE) * sizeof(double));
  for (int i = 0; i < 3 * NEEDLE; i++)
    stage.after[3 * ROOF + i] += way[i % 3];
  bool found = sweep(&stage).count > 0;
  strike(&stage);
  return found;
}

// What slides over a ridge from one of its faces to the other has not passed, though its straight
// way cuts the ridge off; what goes through one of the faces has.
static void test_ridge(void **unused) {
  (void)unused;
  const double upright[NEEDLE][3] = {
      {-0.0125, 0, -0.02}, {-0.0125, -0.05, 0.5}, {-0.0125, 0.05, 0.5}};
  const double small[NEEDLE][3] = {{-0.26, 0, -0.5}, {-0.27, -0.01, -0.5}, {-0.27, 0.01, -0.5}};
  assert_false(fly_by_roof(upright, (double[]){0.025, 0, 0}));
  assert_true(fly_by_roof(small, (double[]){0.05, 0, 0}));
  assert_false(fly_by_roof(small, (double[]){0, 0.05, 0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangles_meet), cmocka_unit_test(test_neighbours_do_not),
      cmocka_unit_test(test_distance),       cmocka_unit_test(test_throws),
      cmocka_unit_test(test_half_space),     cmocka_unit_test(test_moving_obstacle),
      cmocka_unit_test(test_turns),          cmocka_unit_test(test_ridge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
