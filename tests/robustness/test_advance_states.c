// A cloth, a cube, a needle and rigid things pushed about and into each other, thousands of times,
// each way cut by the filter: no state may show an edge that passes through a triangle, by exact
// signs of code that shares nothing with the filter.
#include "contact/ccd/conservative_advancement.h"
#include "judge/crossing.h"
#include "support/skin_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool touching_skins(const StSkins *skins, int edge, int triangle) {
  return st_skins_law(skins, skins->edge_skin[edge], skins->triangle_skin[triangle]) >= 0;
}

static bool shares_corner(const StSkins *skins, int edge, int triangle) {
  for (int i = 0; i < 6; i++)
    if (skins->edge_place[2 * edge + i / 3] == skins->triangle_place[3 * triangle + i % 3])
      return true;
  return false;
}

static int count_crossings(const StSkins *skins, const double *x) {
  int count = 0;
  for (int t = 0; t < skins->triangle_count; t++) {
    const int *corner = skins->triangle_place + 3 * t;
    const double *const at[3] = {x + 3 * corner[0], x + 3 * corner[1], x + 3 * corner[2]};
    for (int e = 0; e < skins->edge_count; e++) {
      const int *end = skins->edge_place + 2 * e;
      int rim;
      if (touching_skins(skins, e, t) && !shares_corner(skins, e, t))
        count += st_edge_passes(x + 3 * end[0], x + 3 * end[1], at, &rim) || rim >= 0;
    }
  }
  return count;
}

// A tet with one cell along its length.
static StMesh *needle(void) {
  StMesh *mesh = st_mesh_create(4, 1, 0);
  static const double position[12] = {-1, 0, 0.5, 1, 0, 0.5, 1, 0.01, 0.5, 1, 0, 0.51};
  memcpy(mesh->position, position, sizeof position);
  for (int i = 0; i < 4; i++)
    mesh->tet[i] = i;
  return mesh;
}

static SkinScene crowd(void) {
  SkinScene scene = skin_scene_open();
  const double box[3] = {0.4, 0.4, 0.4};
  BoxGrid grid = {{2, 2, 2}, {0.2, 0.2, 0.6}, {0.7, 0.7, 1.1}, 0};
  skin_scene_body(&scene, skin_sheet(7, 1, 0));
  skin_scene_body(&scene, box_mesh_create(&grid));
  skin_scene_body(&scene, needle());
  int obstacle = skin_scene_obstacle(&scene, "box", 3, box, NULL);
  vec3_set(0.5, 0.5, -0.5, scene.description->obstacle[obstacle].origin);
  for (int a = 0; a < 3; a++) {
    for (int b = a; b < 3; b++)
      skin_scene_contact(&scene, a, b, -1, 1e-3);
    skin_scene_contact(&scene, a, -1, obstacle, 1e-3);
  }
  skin_scene_build(&scene);
  return scene;
}

// By turns: all towards the middle, each body as a whole, each vertex at random; the rigid box
// stays.
static void push(const SkinScene *scene, int round, uint64_t *state, const double *from,
                 double *to) {
  double size = exp(random_between(state, log(1e-3), log(round % 50 ? 1 : 1e3))), whole[3][3];
  random_fill(state, -size, size, 9, whole[0]);
  for (int v = 0; v < scene->skins->vertex_count; v++)
    for (int c = 0; c < 3; c++) {
      double random = random_between(state, -size, size), x = from[3 * v + c];
      int body = scene->piece->body[v];
      to[3 * v + c] = x + (round % 3 == 0   ? size * (0.3 - x) + 0.01 * random
                           : round % 3 == 1 ? whole[body][c] + 0.01 * random
                                            : 0.1 * random);
    }
}

static double go(const SkinScene *scene, double *from, double *to) {
  StStatus status;
  size_t size = 3 * (size_t)scene->skins->place_count;
  while ((status = st_candidates_cover(scene->near, from, to, 1e-3, NULL)) == ST_NOT_SOLVED)
    for (size_t i = 0; i < size; i++)
      to[i] = 0.5 * (from[i] + to[i]);
  assert_int_equal(status, ST_OK);
  StAdvanceHit hit;
  double share = st_advance(scene->near, from, to, &hit);
  assert_false(hit.closed);
  for (size_t i = 0; i < size; i++)
    from[i] += share * (to[i] - from[i]);
  return share;
}

static void test_crowd(void **unused) {
  (void)unused;
  SkinScene scene = crowd();
  double *from = skin_scene_positions(&scene), *to = skin_scene_positions(&scene);
  uint64_t state = 0xc01d;
  int cut = 0, would_cross = 0;
  assert_int_equal(count_crossings(scene.skins, from), 0);
  for (int round = 0; round < 1000; round++) {
    push(&scene, round, &state, from, to);
    if (round % 10 == 0)
      would_cross += count_crossings(scene.skins, to) > 0;
    double share = go(&scene, from, to);
    assert_true(share > 0);
    cut += share < 1;
    assert_int_equal(count_crossings(scene.skins, from), 0);
  }
  assert_true(cut > 400 && would_cross > 40); // the filter had something to do
  free(from);
  free(to);
  skin_scene_close(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_crowd)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
