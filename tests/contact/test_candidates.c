// Lists of near pairs against brute force: random soups, folded sheets, self-contact, round
// obstacles, boxes after moves, parts of ranks; and that lists are kept as long as they are valid.
#include "support/skin_scene.h"
#include "support/spared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool has(const StCandidateList *list, int first, int second) {
  int low = 0, high = list->count;
  while (low < high) {
    int middle = (low + high) / 2;
    const int *pair = list->pair + 2 * middle;
    if (pair[0] == first && pair[1] == second)
      return true;
    if (pair[0] < first || (pair[0] == first && pair[1] < second))
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

static void assert_sorted(const StCandidates *near) {
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
    for (int i = 2; i < 2 * near->list[k].count; i += 2) {
      const int *pair = near->list[k].pair + i;
      assert_true(pair[-2] < pair[0] || (pair[-2] == pair[0] && pair[-1] < pair[1]));
    }
}

static bool shares_place(const StCandidatePair *pair) {
  for (int i = 0; i < pair->first_count; i++)
    for (int k = pair->first_count; k < pair->count; k++)
      if (pair->place[i] == pair->place[k])
        return true;
  return false;
}

static bool resting(const StSkins *skins, const StCandidatePair *pair) {
  bool close = false;
  for (int i = 0; i < pair->first_count; i++)
    for (int k = pair->first_count; k < pair->count; k++)
      close = close || st_skins_within_two_rings(skins, pair->place[i], pair->place[k]);
  return close && st_candidates_distance(pair, skins->rest) < 1e-3 * pair->reach;
}

static bool ours(const StSkins *skins, const StCandidatePair *pair) {
  for (int i = 0; i < pair->count; i++)
    if (pair->place[i] < skins->owned_count)
      return true;
  return false;
}

// Whether a pair must be found if it is close.
static bool counts(const StSkins *skins, StCandidateKind kind, const int feature[2],
                   StCandidatePair *pair) {
  int skin[2] = {kind == ST_CANDIDATE_EDGE_EDGE ? skins->edge_skin[feature[0]]
                                                : skins->point_skin[feature[0]]};
  if (kind == ST_CANDIDATE_POINT_TRIANGLE)
    skin[1] = skins->triangle_skin[feature[1]];
  else if (kind == ST_CANDIDATE_POINT_POINT)
    skin[1] = skins->point_skin[feature[1]];
  else
    skin[1] = skins->edge_skin[feature[1]];
  if (st_skins_law(skins, skin[0], skin[1]) < 0)
    return false;
  if (kind == ST_CANDIDATE_POINT_EDGE && skins->edge_adjacent[feature[1]] > 0)
    return false;
  if (kind == ST_CANDIDATE_POINT_POINT && skins->skin[skin[1]].radius == 0)
    return false;
  if (kind == ST_CANDIDATE_POINT_POINT && skins->skin[skin[1]].edge_count > 0)
    return false;
  *pair = st_candidates_pair(skins, kind, feature);
  return ours(skins, pair) && !shares_place(pair) && !(skin[0] == skin[1] && resting(skins, pair));
}

static int firsts(const StSkins *skins, StCandidateKind kind) {
  return kind == ST_CANDIDATE_EDGE_EDGE ? skins->edge_count : skins->point_count;
}

static int seconds(const StSkins *skins, StCandidateKind kind) {
  return kind == ST_CANDIDATE_POINT_TRIANGLE ? skins->triangle_count
         : kind == ST_CANDIDATE_POINT_POINT  ? skins->point_count
                                             : skins->edge_count;
}

// Every pair that is close at these positions is listed, and pairs that do not count never are.
// Returns how many were close.
static int assert_complete(const SkinScene *scene, const double *position) {
  const StSkins *skins = scene->skins;
  int close = 0;
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++)
    for (int i = 0; i < firsts(skins, kind); i++)
      for (int k = kind == ST_CANDIDATE_EDGE_EDGE ? i + 1 : 0; k < seconds(skins, kind); k++) {
        StCandidatePair pair;
        bool listed = has(&scene->near->list[kind], i, k);
        if (!counts(skins, kind, (int[]){i, k}, &pair)) {
          assert_false(listed);
          continue;
        }
        if (st_candidates_distance(&pair, position) - pair.radii >= pair.reach)
          continue;
        close++;
        assert_true(listed);
      }
  return close;
}

static void mix(const SkinScene *scene, const double *a, const double *b, double share,
                double slack, uint64_t *state, double *out) {
  for (int i = 0; i < 3 * scene->skins->place_count; i++)
    out[i] = a[i] + share * (b[i] - a[i]) + random_between(state, -slack, slack);
}

// Covers the path from a to b and checks many positions on and beside it.
static int assert_covered(SkinScene *scene, const double *a, const double *b, double slack,
                          uint64_t *state) {
  double *x = skin_scene_positions(scene);
  int close = 0;
  assert_int_equal(st_candidates_cover(scene->near, a, b, slack, NULL), ST_OK);
  assert_true(st_candidates_covers(scene->near, a, b));
  assert_sorted(scene->near);
  for (int i = 0; i <= 4; i++) {
    bool spared = SPARED > 1 && i % 4 > 0; // brute force, of which lists see nothing
    mix(scene, a, b, i / 4.0, 0, state, x);
    close += spared ? 0 : assert_complete(scene, x);
    mix(scene, a, b, i / 4.0, slack, state, x);
    close += spared ? 0 : assert_complete(scene, x);
    mix(scene, a, b, i / 4.0, slack / 4, state, x); // how far along the way is not known exactly
    assert_true(st_candidates_covers(scene->near, x, x));
  }
  free(x);
  return close;
}

static void shake(const SkinScene *scene, double size, uint64_t *state, double *x) {
  for (int i = 0; i < 3 * scene->skins->place_count; i++)
    x[i] += random_between(state, -size, size);
}

static void test_soups(void **unused) {
  (void)unused;
  uint64_t state = 7;
  int close = 0;
  for (int round = 0; round < 6; round++) {
    SkinScene scene = skin_scene_open();
    for (int b = 0; b < 3; b++)
      skin_scene_body(&scene, skin_soup(30, 0.12, &state));
    skin_scene_contact(&scene, 0, 1, -1, 0.02);
    skin_scene_contact(&scene, 2, 1, -1, 0.05);
    skin_scene_contact(&scene, 0, 0, -1, 0.01);
    skin_scene_build(&scene);
    double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
    close += assert_covered(&scene, a, b, 0.01, &state);
    for (int v = 0; v < scene.skins->vertex_count; v++) // one falls, one is still, one shakes
      b[3 * v + 2] += scene.piece->body[v] == 1 ? 0 : 0.3;
    close += assert_covered(&scene, a, b, 0.005, &state);
    shake(&scene, 0.1, &state, b);
    close += assert_covered(&scene, a, b, 0, &state);
    free(a);
    free(b);
    skin_scene_close(&scene);
  }
  assert_true(close > 5000 / SPARED);
}

// Rolled up to a spiral whose layers are closer than the activation distance.
static void roll(const SkinScene *scene, double *x) {
  for (int v = 0; v < scene->skins->vertex_count; v++) {
    double along = scene->skins->rest[3 * v], angle = 14 * along, radius = 0.05 + 0.002 * angle;
    vec3_set(radius * cos(angle), scene->skins->rest[3 * v + 1], radius * sin(angle), x + 3 * v);
  }
}

static void test_rolled_sheet(void **unused) {
  (void)unused;
  uint64_t state = 9;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, skin_sheet(16, 1, 0)), 0, -1, 0.015);
  skin_scene_build(&scene);
  double *flat = skin_scene_positions(&scene), *rolled = skin_scene_positions(&scene);
  roll(&scene, rolled);
  assert_int_equal(st_candidates_cover(scene.near, flat, flat, 1e-3, NULL), ST_OK);
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++) // flat and coarse: nothing can touch
    assert_int_equal(scene.near->list[k].count, 0);
  assert_true(assert_covered(&scene, rolled, rolled, 1e-3, &state) > 1000);
  // At rest nearer than the activation distance: neighbours are listed like others.
  scene.description->contact[0].thickness = 0.1;
  scene.near->covering = false;
  assert_true(assert_covered(&scene, rolled, rolled, 1e-3, &state) > 1000);
  free(flat);
  free(rolled);
  skin_scene_close(&scene);
}

static void test_obstacles(void **unused) {
  (void)unused;
  uint64_t state = 11;
  int close = 0;
  for (int round = 0; round < 4; round++) {
    SkinScene scene = skin_scene_open();
    const double box[3] = {0.3, 0.3, 0.3}, round_one[2] = {0.1, 0.4};
    int body = skin_scene_body(&scene, skin_soup(40, 0.1, &state));
    const char *shape[] = {"box", "sphere", "capsule"};
    for (int i = 0; i < 3; i++) {
      int o = skin_scene_obstacle(&scene, shape[i], i ? 2 : 3, i ? round_one : box, NULL);
      random_fill(&state, 0.2, 0.8, 3, scene.description->obstacle[o].origin);
      skin_scene_contact(&scene, body, -1, o, 0.03);
    }
    skin_scene_contact(&scene, body, -1,
                       skin_scene_obstacle(&scene, "mesh", 0, NULL, skin_soup(20, 0.1, &state)),
                       0.02);
    skin_scene_build(&scene);
    double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
    shake(&scene, 0.02, &state, b);
    close += assert_covered(&scene, a, b, 0.003, &state);
    for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
      assert_true(scene.near->list[k].count > 0);
    free(a);
    free(b);
    skin_scene_close(&scene);
  }
  assert_true(close > 1000 / SPARED);
}

// However fast a body flies as a whole, it has no more pairs with itself than at rest.
static void test_flight(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, skin_sheet(40, 1, 0)), 0, -1, 1e-3);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  for (int i = 0; i < 3 * scene.skins->place_count; i++)
    b[i] += 50;
  assert_int_equal(st_candidates_cover(scene.near, a, b, 1e-3, NULL), ST_OK);
  assert_int_equal(scene.near->list[ST_CANDIDATE_EDGE_EDGE].count, 0);
  assert_true(st_candidates_covers(scene.near, a, b));
  for (int i = 0; i < 3 * scene.skins->place_count; i++)
    b[i] = a[i] + 17; // on the way
  assert_true(st_candidates_covers(scene.near, b, b));
  b[0] += 2.1e-3;
  assert_false(st_candidates_covers(scene.near, b, b));
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// The same for a block that turns by 45° and swells: all of it moves by many cells, and only
// neighbours are candidates.
static void test_spin(void **unused) {
  (void)unused;
  uint64_t state = 31;
  SkinScene scene = skin_scene_open();
  BoxGrid grid = {{8, 8, 8}, {0, 0, 0}, {1, 1, 1}, 0.1};
  skin_scene_contact(&scene, skin_scene_body(&scene, box_mesh_create(&grid)), 0, -1, 1e-3);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene), turn[9];
  mat3_rotation((double[]){0.6, 0, 0.8}, M_PI / 4, turn);
  for (int v = 0; v < scene.skins->place_count; v++) {
    mat3_apply(turn, a + 3 * v, b + 3 * v);
    vec3_add_scaled(0.1, a + 3 * v, b + 3 * v);
  }
  assert_covered(&scene, a, b, 1e-3, &state);
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
    assert_true(scene.near->list[k].count < 20 * scene.skins->triangle_count);
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// Lists are kept while positions are in the boxes, and not one step longer.
static void test_kept(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_body(&scene, skin_sheet(4, 1, 0));
  skin_scene_body(&scene, skin_sheet(5, 1, 0.05));
  skin_scene_contact(&scene, 0, 1, -1, 0.02);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  assert_false(st_candidates_covers(scene.near, a, a));
  assert_int_equal(st_candidates_cover(scene.near, a, a, 0.01, NULL), ST_OK);
  assert_int_equal(scene.near->list[ST_CANDIDATE_POINT_TRIANGLE].count, 0);
  for (int v = 0; v < 25; v++)
    b[3 * v + 2] += 0.0099;
  assert_true(st_candidates_covers(scene.near, a, b));
  for (int v = 0; v < 25; v++)
    b[3 * v + 2] += 0.0301;
  assert_false(st_candidates_covers(scene.near, a, b));
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0.01, NULL), ST_OK);
  assert_true(scene.near->list[ST_CANDIDATE_POINT_TRIANGLE].count > 0);
  b[5] = NAN;
  assert_false(st_candidates_covers(scene.near, b, b));
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// A path that would sweep everything against everything is rejected, and the lists are empty then.
static void test_too_many(void **unused) {
  (void)unused;
  uint64_t state = 13;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, skin_sheet(20, 1, 0)), 0, -1, 0.01);
  skin_scene_build(&scene);
  double *a = skin_scene_positions(&scene), *b = skin_scene_positions(&scene);
  StError error = {0};
  scene.near->most = 10000;
  shake(&scene, 5, &state, b);
  assert_int_equal(st_candidates_cover(scene.near, a, b, 0, &error), ST_NOT_SOLVED);
  assert_false(st_candidates_covers(scene.near, a, b));
  assert_int_equal(scene.near->list[ST_CANDIDATE_EDGE_EDGE].count, 0);
  assert_int_equal(st_candidates_cover(scene.near, a, a, 0, &error), ST_OK);
  free(a);
  free(b);
  skin_scene_close(&scene);
}

// Every pair with a place of a rank is in its lists, and none without.
static void test_ranks(void **unused) {
  (void)unused;
  uint64_t state = 17;
  SkinScene scene = skin_scene_open();
  for (int b = 0; b < 2; b++)
    skin_scene_body(&scene, skin_soup(40, 0.15, &state));
  skin_scene_contact(&scene, 0, 1, -1, 0.03);
  skin_scene_contact(&scene, 1, 1, -1, 0.03);
  bool shared[240];
  int owner[240], *ghost_owner, *ghost_index;
  memset(shared, 1, sizeof shared);
  for (int v = 0; v < 240; v++)
    owner[v] = v / 7 % 3;
  for (int rank = 0; rank < 3; rank++) {
    StCut cut = {.owner = owner, .shared = shared, .rank = rank};
    assert_int_equal(st_piece_create_part(scene.description, &cut, &scene.piece, &ghost_owner,
                                          &ghost_index, NULL),
                     ST_OK);
    assert_int_equal(st_skins_create(scene.description, scene.piece, &scene.skins, NULL), ST_OK);
    assert_int_equal(st_candidates_create(scene.skins, &scene.near, NULL), ST_OK);
    double *a = skin_scene_positions(&scene);
    assert_true(scene.skins->skin[0].whole && scene.skins->owned_count < 240);
    assert_true(assert_covered(&scene, a, a, 0.005, &state) > 100);
    free(a);
    free(ghost_owner);
    free(ghost_index);
    st_candidates_destroy(scene.near);
    st_skins_destroy(scene.skins);
    st_piece_destroy(scene.piece);
  }
  st_description_destroy(scene.description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_soups),     cmocka_unit_test(test_rolled_sheet),
      cmocka_unit_test(test_obstacles), cmocka_unit_test(test_flight),
      cmocka_unit_test(test_kept),      cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_ranks),     cmocka_unit_test(test_spin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
