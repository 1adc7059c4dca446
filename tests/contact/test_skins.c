// Features of skins: counts, fans and areas of known shapes, moving rigid obstacles, sharpness of
// edges, laws, and what a rank keeps of a body that it knows in part.
#include "contact/core/obstacle.h"
#include "support/skin_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const double DELTA = 0.01;

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static StMesh *cube(int cells) {
  return box_mesh_create(&(BoxGrid){{cells, cells, cells}, {0, 0, 0}, {1, 1, 1}, 0});
}

static double sum(const double *value, int count) {
  double total = 0;
  for (int i = 0; i < count; i++)
    total += value[i];
  return total;
}

// Places know their points, and edges how many triangles they have.
static void assert_counted(const StSkins *skins) {
  for (int i = 0; i < skins->point_count; i++)
    assert_int_equal(skins->point[skins->point_place[i]], i);
  for (int e = 0; e < skins->edge_count; e++) {
    int triangles = 0;
    for (int k = 0; k < 3 * skins->triangle_count; k++)
      triangles += skins->triangle_edge[k] == e;
    assert_int_equal(skins->edge_adjacent[e], triangles);
  }
}

static void assert_linked(const StSkins *skins) {
  for (int t = 0; t < skins->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      int e = skins->triangle_edge[3 * t + i], a = skins->triangle_place[3 * t + i],
          b = skins->triangle_place[3 * t + (i + 1) % 3];
      const int *end = skins->edge_place + 2 * e, *adjacent = skins->edge_triangle + 2 * e;
      assert_true((end[0] == a && end[1] == b) || (end[0] == b && end[1] == a));
      assert_true(skins->edge_adjacent[e] > 2 || adjacent[0] == t || adjacent[1] == t);
      assert_int_equal(skins->edge_skin[e], skins->triangle_skin[t]);
    }
}

static void test_cube(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, cube(3)), 0, -1, DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  assert_int_equal(s->point_count, 56); // 4³ vertices, 2³ of them inside
  assert_int_equal(s->triangle_count, 108);
  assert_int_equal(s->edge_count, 162); // Euler: 56 - 162 + 108 = 2
  assert_int_equal(s->place_count, 64);
  for (int i = 0; i < s->point_count; i++) { // inside a face, or at its rim
    const double *x = s->rest + 3 * (size_t)s->point_place[i];
    int walls = 0;
    for (int k = 0; k < 3; k++)
      walls += x[k] < 1e-9 || x[k] > 1 - 1e-9;
    assert_true(walls > 1 || fabs(s->point_area[i] - 1. / 9) < 1e-12);
    assert_true(s->point_area[i] > 0.16 / 9 && s->point_area[i] < 1.001 / 9);
  }
  assert_close(sum(s->edge_area, s->edge_count), 6, 1e-12);
  assert_int_equal(st_skins_law(s, 0, 0), 0);
  assert_counted(s);
  assert_linked(s);
  skin_scene_close(&scene);
}

// Three triangles at one edge, and a fourth that meets the others in a single point.
static void test_fan(void **unused) {
  (void)unused;
  static const double position[] = {0, 0,  0,  0, 0, 1,  1,  0, 0,  -1, 1,
                                    0, -1, -1, 0, 0, -1, -1, 1, -1, -1};
  static const int triangle[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 0, 5, 6};
  StMesh *mesh = st_mesh_create(7, 0, 4);
  memcpy(mesh->position, position, sizeof position);
  memcpy(mesh->triangle, triangle, sizeof triangle);
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, mesh), 0, -1, DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  assert_counted(s);
  assert_linked(s);
  assert_int_equal(s->edge_adjacent[0], 3);
  assert_int_equal(s->edge_triangle[0], 0);
  assert_int_equal(s->edge_triangle[1], 1);
  double sharpness[16];
  st_skins_sharpen(s, s->rest, sharpness);
  for (int e = 0; e < s->edge_count; e++)
    assert_close(sharpness[e], 1, 0);
  skin_scene_close(&scene);
}

static void test_box_obstacle(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  const double size[3] = {1, 2, 3};
  int body = skin_scene_body(&scene, cube(1));
  skin_scene_contact(&scene, body, -1, skin_scene_obstacle(&scene, "box", 3, size, NULL), DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  const StSkin *box = &s->skin[1];
  assert_int_equal(s->skin_count, 2);
  assert_int_equal(box->point_count, 8);
  assert_int_equal(box->edge_count, 18);
  assert_int_equal(box->triangle_count, 12);
  for (int i = 0; i < 8; i++) { // one or two triangles of the largest face
    double third = s->point_area[box->first_point + i];
    assert_true(fabs(third - 1) < 1e-12 || fabs(third - 2) < 1e-12);
  }
  assert_counted(s);
  assert_linked(s);
  double volume = 0, sharpness[64];
  for (int t = box->first_triangle; t < box->first_triangle + 12; t++) {
    const int *corner = s->triangle_place + 3 * t;
    volume +=
        vec3_triple(s->rest + 3 * corner[0], s->rest + 3 * corner[1], s->rest + 3 * corner[2]) / 6;
  }
  assert_close(volume, 6, 1e-12); // outward
  // Local positions only: rigid edges do not depend on what lies behind them.
  double *local = ST_NEW(double, 3 * s->vertex_count);
  memcpy(local, s->rest, 3 * (size_t)s->vertex_count * sizeof(double));
  st_skins_sharpen(s, local, sharpness);
  free(local);
  int flat = 0, sharp = 0;
  for (int e = box->first_edge; e < box->first_edge + 18; e++) {
    flat += fabs(sharpness[e]) < 1e-12;
    sharp += sharpness[e] == 1;
  }
  assert_int_equal(flat, 6);
  assert_int_equal(sharp, 12);
  skin_scene_close(&scene);
}

static void test_round_obstacles(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  const double value[2] = {0.5, 2};
  int body = skin_scene_body(&scene, cube(1));
  const char *shape[] = {"sphere", "capsule", "half_space"};
  for (int i = 0; i < 3; i++)
    skin_scene_contact(&scene, body, -1, skin_scene_obstacle(&scene, shape[i], 2, value, NULL),
                       DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  assert_int_equal(s->skin_count, 3); // the last has a closed form
  assert_int_equal(s->skin[1].point_count, 1);
  assert_int_equal(s->skin[1].edge_count, 0);
  assert_int_equal(s->skin[2].point_count, 2);
  assert_int_equal(s->skin[2].edge_count, 1);
  assert_close(st_skins_radii(s, 0, 2), 0.5, 0);
  assert_close(s->edge_length[s->skin[2].first_edge], 2, 1e-15);
  assert_int_equal(st_skins_law(s, 0, 2), 1);
  assert_int_equal(st_skins_law(s, 2, 0), 1);
  assert_int_equal(st_skins_law(s, 1, 2), -1);
  assert_int_equal(st_skins_law(s, 0, 0), -1);
  assert_counted(s);
  skin_scene_close(&scene);
}

// No triangle of the prism reaches into its cylinder, none is farther out than a tenth of the
// thickness, and their normals point outward.
static void check_prism(const StSkins *s, const StSkin *skin, double radius, double height,
                        double reach) {
  double volume = 0;
  for (int t = skin->first_triangle; t < skin->first_triangle + skin->triangle_count; t++) {
    const double *x[3];
    double middle[3] = {0};
    for (int i = 0; i < 3; i++) {
      x[i] = s->rest + 3 * s->triangle_place[3 * t + i];
      vec3_add_scaled(1.0 / 3, x[i], middle);
      assert_true(hypot(x[i][0], x[i][1]) > radius);
      assert_true(hypot(x[i][0], x[i][1]) < radius + 0.1 * reach);
      assert_close(fabs(x[i][2]), height / 2, 1e-15);
    }
    volume += vec3_triple(x[0], x[1], x[2]) / 6;
    double half[2] = {0.5 * (x[0][0] + x[2][0]), 0.5 * (x[0][1] + x[2][1])};
    bool side = fabs(middle[2]) < 0.4 * height;
    assert_true(!side || hypot(half[0], half[1]) >= radius * (1 - 1e-15));
  }
  assert_true(volume > M_PI * radius * radius * height);
  assert_true(volume < M_PI * pow(radius + 0.1 * reach, 2) * height);
}

// Edges along the axis, and rims, press like sharp ones, however small the angle at them; those
// that only cut flat faces into triangles do not.
static void check_edges_of_prism(const StSkins *s, const StSkin *skin) {
  double *sharpness = ST_NEW(double, s->edge_count);
  int along = 0, rim = 0;
  st_skins_sharpen(s, s->rest, sharpness);
  for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++) {
    const double *a = s->rest + 3 * s->edge_place[2 * e],
                 *b = s->rest + 3 * s->edge_place[2 * e + 1];
    bool parallel = a[0] == b[0] && a[1] == b[1];
    along += parallel;
    rim += !parallel && sharpness[e] == 1;
    assert_true(sharpness[e] == 1 || (!parallel && sharpness[e] < 1e-6));
  }
  assert_int_equal(along, skin->point_count / 2);
  assert_int_equal(rim, skin->point_count);
  free(sharpness);
}

static void test_cylinder(void **unused) {
  (void)unused;
  const double radius[] = {0.004, 0.5, 20}, height = 2;
  for (int i = 0; i < 3; i++) {
    SkinScene scene = skin_scene_open();
    const double value[2] = {radius[i], height};
    int body = skin_scene_body(&scene, cube(1));
    int pin = skin_scene_obstacle(&scene, "cylinder", 2, value, NULL);
    skin_scene_contact(&scene, body, -1, pin, DELTA);
    skin_scene_build(&scene);
    const StSkins *s = scene.skins;
    const StSkin *skin = &s->skin[1];
    assert_int_equal(s->skin_count, 2);
    assert_int_equal(skin->edge_count, skin->point_count + skin->triangle_count - 2); // Euler
    for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++)
      assert_int_equal(s->edge_adjacent[e], 2);
    for (int p = skin->first_point; p < skin->first_point + skin->point_count; p++) {
      int place = s->point_place[p];
      assert_in_range(s->around[place + 1] - s->around[place], 3, 32); // no fans
    }
    check_prism(s, skin, radius[i], height, DELTA);
    check_edges_of_prism(s, skin);
    assert_counted(s);
    skin_scene_close(&scene);
  }
}

// A box that turns about an axis of its own while it moves: positions keep their distance function
// at zero, velocities are the derivative of positions.
static void test_moving_obstacle(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  const double size[3] = {1, 2, 3}, quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  int body = skin_scene_body(&scene, cube(1));
  int obstacle = skin_scene_obstacle(&scene, "box", 3, size, NULL);
  StObstacleDesc *desc = &scene.description->obstacle[obstacle];
  memcpy(desc->rotation, quarter, sizeof quarter);
  vec3_set(1, 2, 3, desc->origin);
  StMotion *motion = &desc->motion;
  *motion = (StMotion){.axis = {0.6, 0, 0.8}, .centre = {-1, 0, 2}};
  const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 3, 0}, angle[] = {0, 1.3};
  assert_int_equal(st_motion_set_keys(motion, 2, time, shift, angle, ST_LINEAR, false, NULL),
                   ST_OK);
  skin_scene_contact(&scene, body, -1, obstacle, DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  double *x[3], *v[3], step = 1e-4;
  for (int k = 0; k < 3; k++) {
    x[k] = skin_scene_positions(&scene);
    v[k] = skin_scene_positions(&scene);
    st_skins_place_rigid(s, 0.4 + (k - 1) * step, x[k], v[k]);
  }
  StObstacleNow now;
  st_obstacle_at(desc, 0.4, &now);
  for (int p = s->vertex_count; p < s->place_count; p++) {
    double gradient[3];
    assert_close(st_obstacle_gap(&now, x[1] + 3 * p, gradient), 0, 1e-14);
    for (int c = 0; c < 3; c++) // central differences: h²/6 · |x'''|, at most ω³ 6 m
      assert_close(v[1][3 * p + c], (x[2][3 * p + c] - x[0][3 * p + c]) / (2 * step), 3e-8);
  }
  for (int i = 0; i < 3 * s->vertex_count; i++)
    assert_close(x[1][i], s->rest[i], 0); // bodies' rows stay
  for (int k = 0; k < 3; k++) {
    free(x[k]);
    free(v[k]);
  }
  skin_scene_close(&scene);
}

// Also corners of a triangle without area move with their obstacle; a vertex of no triangle is no
// point.
static void test_flat_triangle(void **unused) {
  (void)unused;
  static const double position[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 9, 9, 9};
  SkinScene scene = skin_scene_open();
  StMesh *mesh = st_mesh_create(4, 0, 1);
  memcpy(mesh->position, position, sizeof position);
  for (int i = 0; i < 3; i++)
    mesh->triangle[i] = i;
  int body = skin_scene_body(&scene, cube(1));
  int obstacle = skin_scene_obstacle(&scene, "mesh", 0, NULL, mesh);
  StMotion *motion = &scene.description->obstacle[obstacle].motion;
  const double time[] = {0}, shift[] = {0, 5, 0};
  assert_int_equal(st_motion_set_keys(motion, 1, time, shift, NULL, ST_LINEAR, false, NULL), ST_OK);
  skin_scene_contact(&scene, body, -1, obstacle, DELTA);
  skin_scene_build(&scene);
  double *x = skin_scene_positions(&scene);
  st_skins_place_rigid(scene.skins, 0, x, NULL);
  assert_int_equal(scene.skins->skin[1].point_count, 3);
  for (int v = 0; v < 3; v++)
    assert_close(x[3 * (scene.skins->vertex_count + v) + 1], 5, 1e-15);
  free(x);
  skin_scene_close(&scene);
}

// Two triangles folded by an angle, convex or concave, in either orientation of the second.
static double fold(double degrees, bool flipped) {
  StMesh *mesh = st_mesh_create(4, 0, 2);
  const int triangle[6] = {0, 1, 2, flipped ? 0 : 1, flipped ? 1 : 0, 3};
  memcpy(mesh->triangle, triangle, sizeof triangle);
  vec3_set(0, 1, 0, mesh->position + 3);
  vec3_set(-2, 0.3, 0, mesh->position + 6);
  double angle = degrees * M_PI / 180;
  vec3_set(0.7 * cos(angle), 0.6, 0.7 * sin(angle), mesh->position + 9);
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, mesh), 0, -1, DELTA);
  skin_scene_build(&scene);
  double sharpness[5], result = NAN;
  st_skins_sharpen(scene.skins, scene.skins->rest, sharpness);
  for (int e = 0; e < 5; e++)
    if (scene.skins->edge_adjacent[e] == 2)
      result = sharpness[e];
    else
      assert_close(sharpness[e], 1, 0);
  skin_scene_close(&scene);
  return result;
}

static void test_sharpness(void **unused) {
  (void)unused;
  for (int flipped = 0; flipped < 2; flipped++) {
    assert_close(fold(0, flipped), 0, 1e-12);
    assert_close(fold(10, flipped), 0.5, 1e-12); // smoothstep's middle
    assert_close(fold(-10, flipped), 0.5, 1e-12);
    assert_true(fold(3, flipped) > 0 && fold(3, flipped) < fold(6, flipped));
    const double sharp[] = {20.001, 90, 170, 180, -90, -20.001};
    for (int i = 0; i < ST_LENGTH(sharp); i++)
      assert_close(fold(sharp[i], flipped), 1, 1e-12);
  }
}

static void test_laws(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  for (int b = 0; b < 4; b++)
    skin_scene_body(&scene, skin_sheet(1, 1, b));
  skin_scene_contact(&scene, 0, 1, -1, 0.1); // either direction, the last that fits
  skin_scene_contact(&scene, 1, 0, -1, 0.2);
  skin_scene_contact(&scene, 2, 2, -1, 0.3);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  assert_int_equal(s->skin_count, 3); // nobody names the last body
  assert_int_equal(st_skins_law(s, 0, 1), 1);
  assert_int_equal(st_skins_law(s, 1, 0), 1);
  assert_close(st_skins_reach(s, 0, 1), 0.2, 0);
  assert_int_equal(st_skins_law(s, 2, 2), 2);
  assert_int_equal(st_skins_law(s, 0, 0), -1);
  assert_int_equal(st_skins_law(s, 0, 2), -1);
  skin_scene_close(&scene);
}

// A rank that knows part of a sheet: that part is the same as on one rank.
static void test_part_of_a_body(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  const double size[3] = {1, 1, 1};
  int body = skin_scene_body(&scene, skin_sheet(6, 1, 2)), owner[49];
  skin_scene_contact(&scene, body, -1, skin_scene_obstacle(&scene, "box", 3, size, NULL), DELTA);
  skin_scene_contact(&scene, body, body, -1, DELTA);
  skin_scene_build(&scene);
  for (int v = 0; v < 49; v++)
    owner[v] = v % 7 >= 3;
  StPiece *piece;
  StSkins *part;
  int *ghost_owner, *ghost_index;
  StCut cut = {.owner = owner, .rank = 1};
  assert_int_equal(
      st_piece_create_part(scene.description, &cut, &piece, &ghost_owner, &ghost_index, NULL),
      ST_OK);
  assert_int_equal(st_skins_create(scene.description, piece, &part, NULL), ST_OK);
  const StSkins *all = scene.skins;
  assert_false(part->skin[0].whole);
  assert_int_equal(st_skins_law(part, 0, 0), -1); // not with itself, for it does not know it all
  assert_int_equal(st_skins_law(part, 0, 1), 0);
  assert_true(part->skin[0].triangle_count < all->skin[0].triangle_count);
  for (int i = 0; i < part->skin[0].point_count; i++) {
    int id = piece->vertex_id[part->point_place[i]], other = all->point[id];
    assert_close(part->point_area[i], all->point_area[other], 1e-15);
  }
  free(ghost_owner);
  free(ghost_index);
  st_skins_destroy(part);
  st_piece_destroy(piece);
  skin_scene_close(&scene);
}

static void test_two_rings(void **unused) {
  (void)unused;
  SkinScene scene = skin_scene_open();
  skin_scene_contact(&scene, skin_scene_body(&scene, skin_sheet(6, 1, 0)), 0, -1, DELTA);
  skin_scene_build(&scene);
  const StSkins *s = scene.skins;
  for (int a = 0; a < 49; a++)
    for (int b = 0; b < 49; b++) {
      int x = b % 7 - a % 7, y = b / 7 - a / 7;
      // Steps along the sides of squares and along one diagonal: two of them reach …
      int steps = x * y > 0 ? (abs(x) > abs(y) ? abs(x) : abs(y)) : abs(x) + abs(y);
      assert_int_equal(st_skins_within_two_rings(s, a, b), steps <= 2);
    }
  skin_scene_close(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube),           cmocka_unit_test(test_fan),
      cmocka_unit_test(test_box_obstacle),   cmocka_unit_test(test_round_obstacles),
      cmocka_unit_test(test_cylinder),       cmocka_unit_test(test_moving_obstacle),
      cmocka_unit_test(test_sharpness),      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_part_of_a_body), cmocka_unit_test(test_two_rings),
      cmocka_unit_test(test_flat_triangle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
