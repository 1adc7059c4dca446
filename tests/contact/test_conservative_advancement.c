// How far a path is free: closed-form cases, degenerate ones, and random moves against an
// independent test of crossing paths.
#include "contact/ccd/conservative_advancement.h"
#include "contact/core/rest_distance.h"
#include "support/path_crossing.h"
#include "support/skin_scene.h"
#include "support/spared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define assert_between(value, low, high) assert_true((value) >= (low) && (value) <= (high))

// How much of a gap an advance may leave at most if something blocks it.
static const double LEFT = 0.1 + 0.02 * 0.9;

static const StCandidatePair POINT_TRIANGLE = {.first_count = 1, .count = 4, .place = {0, 1, 2, 3}},
                             EDGE_EDGE = {.first_count = 2, .count = 4, .place = {0, 1, 2, 3}};

static double gap_at(const StCandidatePair *pair, const double *from, const double *to,
                     double share) {
  double x[12];
  for (int i = 0; i < 3 * pair->count; i++)
    x[i] = from[i] + share * (to[i] - from[i]);
  return st_candidates_distance(pair, x) - pair->radii;
}

static const double TRIANGLE[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};

static double move_point(const double start[3], const double end[3]) {
  double from[12], to[12];
  memcpy(from, TRIANGLE, sizeof from);
  memcpy(to, TRIANGLE, sizeof to);
  memcpy(from, start, 3 * sizeof(double));
  memcpy(to, end, 3 * sizeof(double));
  return st_advance_pair(&POINT_TRIANGLE, from, to, 1);
}

// The fraction at which a gap that is used up at `hit` is down to a tenth, within what may be left
// and the rounding of coordinates near 1 for gaps from 1e-9 on.
static void assert_meets(double share, double hit) {
  assert_between(share, (1 - LEFT) * hit * (1 - 1e-6), 0.9 * hit * (1 + 1e-6));
}

static void test_point_through_triangle(void **unused) {
  (void)unused;
  for (double h = 1; h > 0.9e-9; h /= 10) {
    assert_meets(move_point((double[]){0.3, 0.3, h}, (double[]){0.3, 0.3, -1}), h / (h + 1));
    assert_meets(move_point((double[]){0.3, 0.3, -h}, (double[]){0.5, 0.2, 1e3}), h / (h + 1e3));
    assert_meets(move_point((double[]){0.5, 0, h}, (double[]){0.5, 0, -1}), h / (h + 1)); // an edge
    assert_meets(move_point((double[]){0, 1, h}, (double[]){0, 1, -1}), h / (h + 1)); // a corner
    // In the plane, towards an edge; along an edge's extension, towards its corner.
    assert_meets(move_point((double[]){0.5, -h, 0}, (double[]){0.5, 2, 0}), h / (h + 2));
    assert_meets(move_point((double[]){1 + h, 0, 0}, (double[]){-3, 0, 0}), h / (h + 4));
  }
}

// From a gap of 1 above a triangle, through it, for several activation distances: half of the gap
// is left if it is deep inside, otherwise only what is not deep.
static void test_deep_gaps_keep_half(void **unused) {
  (void)unused;
  const double from[12] = {0.3, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double to[12] = {0.3, 0.3, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  static const double known[][2] = {{0, 0.1},    {0.3, 0.1}, {1, 0.3},
                                    {1.5, 0.45}, {5, 0.5},   {50, 0.5}};
  for (int i = 0; i < ST_LENGTH(known); i++) {
    StCandidatePair pair = POINT_TRIANGLE;
    pair.reach = known[i][0];
    double left = 1 - 2 * st_advance_pair(&pair, from, to, 1), keep = known[i][1];
    assert_between(left, keep - 1e-12, keep + 0.02 * (1 - keep) + 1e-12);
  }
}

static void test_point_that_misses(void **unused) {
  (void)unused;
  for (double h = 1; h > 0.9e-9; h /= 10) {
    double along = move_point((double[]){0.3, 0.3, h}, (double[]){1e3, 0.3, h});
    assert_true(along == 1); // slides over the face, however close
    assert_true(move_point((double[]){0.3, 0.3, h}, (double[]){0.3, 0.3, 1e3}) == 1);
    assert_true(move_point((double[]){1.5, 1.5, h}, (double[]){1.5, 1.5, -1}) == 1);
    assert_true(move_point((double[]){0.1, -h, 0}, (double[]){2, -h, 0}) == 1); // along an edge
  }
}

static double move_edge(const double start[6], const double shift[3]) {
  double from[12] = {0}, to[12];
  memcpy(from, start, 6 * sizeof(double));
  from[6] = -1;
  from[9] = 1;
  memcpy(to, from, sizeof to);
  for (int i = 0; i < 6; i++)
    to[i] += shift[i % 3];
  return st_advance_pair(&EDGE_EDGE, from, to, 1);
}

static void test_edges(void **unused) {
  (void)unused;
  for (double h = 1; h > 0.9e-9; h /= 10) {
    const double across[6] = {0.1, -1, h, 0.1, 2, h}, along[6] = {-1, 0, h, 1, 0, h};
    assert_meets(move_edge(across, (double[]){0.2, 0.3, -1}), h);
    assert_meets(move_edge(across, (double[]){0, 0, -1e3}), h / 1e3);
    assert_true(move_edge(across, (double[]){5, 5, 0}) == 1);
    assert_meets(move_edge(along, (double[]){0.5, 0, -1}), h);
    assert_true(move_edge(along, (double[]){100, 0, 0}) == 1); // parallel, past each other
    assert_true(move_edge(along, (double[]){0, 100, 0}) == 1);
    const double behind[6] = {1 + h, 0, 0, 2, 0, 0};
    assert_meets(move_edge(behind, (double[]){-10, 0, 0}), h / 10); // on one line, end to end
    assert_true(move_edge(behind, (double[]){10, 0, 0}) == 1);
  }
}

// A triangle that spins about its corner and reaches the point after a known angle.
static void test_rotation(void **unused) {
  (void)unused;
  const double from[12] = {0.5, 0, 0.1, 0, -1, 0, 0, 1, 0, 1, 0, 0};
  const double to[12] = {0.5, 0, 0.1, 0, -1, 0, 0, 1, 0, 1, 0, 1};
  // The tip rises along z = t; at the point's x the plane is at t/2.
  double share = st_advance_pair(&POINT_TRIANGLE, from, to, 1),
         gap = gap_at(&POINT_TRIANGLE, from, to, share);
  assert_true(share < 0.2);
  assert_between(gap, 0.1 * 0.1 * (1 - 1e-12), LEFT * 0.1);
}

static void test_radii(void **unused) {
  (void)unused;
  StCandidatePair ball = POINT_TRIANGLE;
  double from[12], to[12];
  memcpy(from, TRIANGLE, sizeof from);
  memcpy(to, TRIANGLE, sizeof to);
  vec3_set(0.2, 0.2, 0.75, from);
  vec3_set(0.2, 0.2, -5, to);
  ball.radii = 0.5;
  assert_meets(st_advance_pair(&ball, from, to, 1), 0.25 / 5.75);
  StCandidatePair edge = {.first_count = 1, .count = 3, .place = {0, 1, 2}, .radii = 0.5};
  vec3_set(0, 0, 3, from + 6); // an edge upright from the origin
  vec3_set(0, 0, 3, to + 6);
  vec3_set(2, 0, 1, from);
  vec3_set(-2, 0, 1, to);
  assert_meets(st_advance_pair(&edge, from, to, 1), 1.5 / 4);
  StCandidatePair points = {.first_count = 1, .count = 2, .place = {0, 1}, .radii = 0.5};
  vec3_set(2, 0, 0, from);
  vec3_set(-2, 0, 0, to);
  assert_meets(st_advance_pair(&points, from, to, 1), 1.5 / 4);
  vec3_set(0.5, 0, 0, from);
  assert_true(st_advance_pair(&points, from, to, 1) == 0);
}

static void test_bad_ways(void **unused) {
  (void)unused;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < ST_LENGTH(bad); i++)
    assert_true(move_point((double[]){0.3, 0.3, 1}, (double[]){0.3, bad[i], 1}) == 0);
  assert_true(move_point((double[]){0.3, 0.3, 0}, (double[]){0.3, 0.3, 1}) == 0); // touches
  assert_true(move_point((double[]){0.3, 0.3, 1}, (double[]){0.3, 0.3, 1}) == 1); // stays
}

static double log_uniform(uint64_t *state, double low, double high) {
  return low * exp(random_between(state, 0, log(high / low)));
}

// Two features a given gap apart: the second is moved along the line between them.
static bool place_apart(const StCandidatePair *pair, uint64_t *state, double gap, double x[12]) {
  random_fill(state, -1, 1, 12, x);
  if (random_between(state, 0, 1) < 0.3) // a needle
    for (int i = 3; i < 6; i++)
      x[6 + i] = x[i + (pair->first_count == 2 ? 3 : 0)] + 1e-3 * random_between(state, -1, 1);
  double normal[3], a[3], b[3];
  if (pair->first_count == 2) {
    vec3_sub(x + 3, x, a);
    vec3_sub(x + 9, x + 6, b);
  } else {
    vec3_sub(x + 6, x + 3, a);
    vec3_sub(x + 9, x + 3, b);
  }
  vec3_cross(a, b, normal);
  double length = vec3_length(normal), weight[4], mean[2][3] = {{0}};
  for (int i = 0; i < 4; i++)
    weight[i] = random_between(state, 0.01, 1);
  for (int side = 0; side < 2; side++) {
    int first = side ? pair->first_count : 0, end = side ? 4 : pair->first_count;
    double sum = 0;
    for (int i = first; i < end; i++)
      sum += weight[i];
    for (int i = first; i < end; i++)
      vec3_add_scaled(weight[i] / sum, x + 3 * i, mean[side]);
  }
  for (int i = 0; i < pair->first_count; i++)
    for (int c = 0; c < 3; c++)
      x[3 * i + c] += mean[1][c] - mean[0][c] + gap * normal[c] / length;
  return length > 1e-6 && st_candidates_distance(pair, x) > 0.2 * gap;
}

static PathQuery ask(const StCandidatePair *pair, const double *from, const double *to) {
  PathQuery query = {.edges = pair->first_count == 2};
  memcpy(query.from, from, sizeof query.from);
  memcpy(query.to, to, sizeof query.to);
  return query;
}

// Gaps down to 1e-9 of the size, moves up to 1e3 sizes: nothing crosses, a tenth of the gap is left
// all along, and not much more where a path is cut.
static void test_random_moves(void **unused) {
  (void)unused;
  uint64_t state = 0x5eed;
  int cut = 0, would_pass = 0, loose = 0, tried = 0;
  for (int round = 0; round < 100000; round += SPARED) {
    const StCandidatePair *pair = round % 2 ? &EDGE_EDGE : &POINT_TRIANGLE;
    double from[12], to[12], gap = log_uniform(&state, 1e-9, 1);
    double way = log_uniform(&state, 1e-3, 1e3);
    if (!place_apart(pair, &state, gap, from))
      continue;
    tried++;
    for (int i = 0; i < 12; i++)
      to[i] = from[i] + way * random_between(&state, -1, 1);
    double share = st_advance_pair(pair, from, to, 1), start = gap_at(pair, from, to, 0);
    PathQuery query = ask(pair, from, to);
    assert_true(share > 0 && share <= 1);
    assert_false(path_crosses(&query, share));
    // Distances carry the rounding of coordinates and moves.
    double rounding = 1e-15 * (1 + way);
    for (int i = 1; i <= 8; i++)
      assert_true(gap_at(pair, from, to, share * i / 8) >= 0.1 * start - rounding);
    cut += share < 1;
    would_pass += round % 10 < 2 && path_crosses(&query, 1);
    loose += share < 1 && gap_at(pair, from, to, share) > LEFT * start + 1e-13 * (1 + way);
  }
  assert_true(tried > 80000 / SPARED && cut > tried / 4 && would_pass > tried / 20);
  assert_int_equal(loose, 0);
}

static void test_scene(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_body(&scene, skin_sheet(6, 1, 0));
  skin_scene_body(&scene, skin_sheet(5, 1, 0.3));
  skin_scene_contact(&scene, 0, 1, -1, 0.01);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  StAdvanceHit hit;
  for (int v = 0; v < 49; v++)
    b[3 * v + 2] += 3;
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0.01, NULL), ST_OK);
  double share = st_advance(scene.near, a, b, &hit);
  // Down to the activation distance of 0.01, of 0.3, give or take a fiftieth of the rest.
  assert_between(share, (0.3 - 0.01 - 0.02 * 0.29) / 3, (0.3 - 0.01) / 3 + 1e-9);
  assert_true(hit.found && !hit.closed && hit.share == share);
  StCandidatePair pair = st_candidates_pair(scene.skins, hit.kind, hit.feature);
  assert_true(st_advance_pair(&pair, a, b, 1) == share);
  assert_true(st_advance(scene.near, a, a, &hit) == 1 && !hit.found);
  for (int v = 0; v < 49; v++)
    a[3 * v + 2] = 0.3; // on the other sheet
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0.01, NULL), ST_OK);
  assert_true(st_advance(scene.near, a, b, &hit) == 0 && hit.found && hit.closed);
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// Three sheets above each other, of which the lowest goes up through the next one. Those two meet;
// what is known to be clear is not looked at, but only if both are, and what is parked only with
// others that are: one that was clear when the other still moved may meet it.
static void test_clear_skins(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  for (int i = 0; i < 3; i++)
    skin_scene_body(&scene, skin_sheet(6, 1, 0.3 * i));
  skin_scene_contact(&scene, 0, 1, -1, 0.01);
  skin_scene_contact(&scene, 1, 2, -1, 0.01);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  static const struct {
    bool clear[3], parked[3], meets;
  } row[] = {{{false, false, false}, {false, false, false}, true},
             {{false, true, true}, {false, false, false}, true},
             {{true, true, false}, {false, false, false}, false},
             {{true, false, true}, {false, true, true}, true},
             {{false, false, false}, {true, true, false}, false}};
  for (int v = 0; v < 49; v++)
    b[3 * v + 2] += 0.4;
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0.01, NULL), ST_OK);
  for (int i = 0; i < ST_LENGTH(row); i++) {
    StAdvanceHits hits = {0};
    bool clear[3], meets = row[i].meets;
    memcpy(clear, row[i].clear, sizeof clear);
    assert_true(st_advance_all(scene.near, a, b, row[i].parked, clear, &hits));
    assert_true((hits.count > 0) == meets);
    assert_true(clear[0] == !meets && clear[1] == !meets && clear[2]);
    st_advance_hits_free(&hits);
  }
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// The last column of a sheet, upright above the one before it and then equally far below. At rest
// both are adjacent, closer than the activation distance: that is allowed, but they must not cross.
static void test_neighbours(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, skin_sheet(16, 1, 0)), 0, -1, 0.1);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  StAdvanceHit hit;
  assert_int_equal(st_candidates_cover(scene.near, a, a, 0.01, NULL), ST_OK);
  assert_true(st_advance(scene.near, a, a, &hit) == 1 && !hit.found);
  for (int v = 0; v < scene.skins->vertex_count; v++)
    if (a[3 * v] > 1 - 0.5 / 16) {
      a[3 * v] = b[3 * v] = 1 - 1.5 / 16; // over the middle of the cells
      a[3 * v + 2] = 0.06, b[3 * v + 2] = -0.06;
    }
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0.01, NULL), ST_OK);
  double share = st_advance(scene.near, a, b, &hit);
  assert_true(hit.found && share > 0.3 && share < 0.5);
  StCandidatePair pair = st_candidates_pair(scene.skins, hit.kind, hit.feature);
  double rest = st_candidates_distance(&pair, scene.skins->rest);
  assert_true(pair.same && rest < 0.1);
  assert_true(st_resting_reach(scene.skins, &pair, 0.1) == 0.5 * rest);
  assert_true(st_resting_reach(scene.skins, &pair, 0.9 * rest) == 0.9 * rest);
  free(a);
  free(b);
  skin_scene_close(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_point_through_triangle),
      cmocka_unit_test(test_deep_gaps_keep_half),
      cmocka_unit_test(test_point_that_misses),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_radii),
      cmocka_unit_test(test_bad_ways),
      cmocka_unit_test(test_random_moves),
      cmocka_unit_test(test_scene),
      cmocka_unit_test(test_clear_skins),
      cmocka_unit_test(test_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
