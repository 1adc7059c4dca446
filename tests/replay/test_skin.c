// Skins of bodies and shapes of obstacles: closed where they should be, turned outward, the right
// size, and with the cells of a frame behind them.
#include "math/vec3.h"
#include "replay/obstacle_shape.h"
#include "replay/skin.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static StDescription *described(const char *text) {
  StDescription *description = NULL;
  StError error = {0};
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static const char two_bodies[] =
    "{ \"time\": { \"duration\": 1 }, \"materials\": { \"gum\": { \"young\": 1e5, \"poisson\": 0.4 "
    "},\n"
    "    \"silk\": { \"law\": \"membrane\", \"young\": 100, \"poisson\": 0.3, \"area_density\": "
    "0.06 } },\n"
    "  \"bodies\": {\n"
    "    \"sheet\": { \"shape\": { \"type\": \"sheet\", \"width\": 1, \"length\": 1, \"edge\": 0.5 "
    "},\n"
    "      \"material\": \"silk\", \"translate\": [0, 0, 3] },\n"
    "    \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": 1, \"size_y\": 1, \"size_z\": "
    "1,\n"
    "      \"edge\": 0.25 }, \"material\": \"gum\" } } }\n";

static double enclosed(const double *position, const int *triangle, int count) {
  double volume = 0;
  for (int t = 0; t < count; t++)
    volume += vec3_triple(position + 3 * triangle[3 * t], position + 3 * triangle[3 * t + 1],
                          position + 3 * triangle[3 * t + 2]) /
              6;
  return volume;
}

static void skins_are_compact_and_outward(void **state) {
  (void)state;
  StDescription *description = described(two_bodies);
  StSkin skin;
  StError error = {0};
  assert_int_equal(st_skin_create(description, &skin, &error), ST_OK);
  const StMesh *sheet = description->body[0].mesh, *block = description->body[1].mesh;
  int shell = sheet->triangle_count, all = st_description_vertex_count(description);
  assert_int_equal(skin.triangle_count, shell + 6 * 4 * 4 * 2);
  assert_int_equal(skin.vertex_count, all - 3 * 3 * 3); // of 5³ vertices 3³ are inside
  double *rest = malloc((size_t)all * 3 * sizeof(double));
  double *own = malloc((size_t)skin.vertex_count * 3 * sizeof(double));
  memcpy(rest, sheet->position, (size_t)sheet->vertex_count * 3 * sizeof(double));
  memcpy(rest + 3 * sheet->vertex_count, block->position,
         (size_t)block->vertex_count * 3 * sizeof(double));
  st_skin_take(&skin, rest, 3, own);
  assert_true(fabs(enclosed(own, skin.triangle + 3 * shell, skin.triangle_count - shell) - 1) <
              1e-12);
  for (int t = 0; t < skin.triangle_count; t++) {
    bool of_sheet = t < shell;
    assert_int_equal(skin.body[t], !of_sheet);
    assert_int_equal(skin.shell[t], of_sheet);
    assert_string_equal(description->material[skin.material[t]].name, of_sheet ? "silk" : "gum");
    // Frames hold the tets of all bodies before the triangles of any.
    if (of_sheet) {
      assert_int_equal(skin.cell[t], block->tet_count + t);
      continue;
    }
    assert_in_range(skin.cell[t], 0, block->tet_count - 1);
    for (int i = 0; i < 3; i++) {
      int vertex = skin.vertex[skin.triangle[3 * t + i]] - sheet->vertex_count, found = 0;
      for (int k = 0; k < 4; k++)
        found += block->tet[4 * skin.cell[t] + k] == vertex;
      assert_int_equal(found, 1);
    }
  }
  free(own);
  free(rest);
  st_skin_free(&skin);
  st_description_destroy(description);
}

static const char obstacles[] =
    "{ \"time\": { \"duration\": 1 }, \"materials\": { \"gum\": { \"young\": 1e5, \"poisson\": 0.4 "
    "} },\n"
    "  \"bodies\": { \"block\": { \"shape\": { \"type\": \"box\" }, \"translate\": [0, 0, 9] } },\n"
    "  \"obstacles\": {\n"
    "    \"sphere\": { \"shape\": { \"type\": \"sphere\", \"radius\": 2 } },\n"
    "    \"capsule\": { \"shape\": { \"type\": \"capsule\", \"radius\": 1, \"length\": 3 } },\n"
    "    \"cylinder\": { \"shape\": { \"type\": \"cylinder\", \"radius\": 1, \"height\": 3 } },\n"
    "    \"box\": { \"shape\": { \"type\": \"box\", \"size_x\": 1, \"size_y\": 2, \"size_z\": 3 } "
    "},\n"
    "    \"ring\": { \"shape\": { \"type\": \"torus\", \"major_radius\": 1, \"minor_radius\": 0.2 "
    "} },\n"
    "    \"wall\": { \"shape\": { \"type\": \"half_space\", \"normal\": [1, 0, 1],\n"
    "      \"point\": [0, 0, 0] } } } }\n";

// Vertices lie on the obstacle's surface, and the triangles enclose nearly what it does.
static void obstacles_become_triangles(void **state) {
  (void)state;
  const double volume[] = {4.0 / 3 * M_PI * 8, 3 * M_PI + 4.0 / 3 * M_PI, 3 * M_PI, 6,
                           2 * M_PI * M_PI * 0.04};
  const double low[3] = {-1, -1, 8}, high[3] = {1, 1, 10};
  StDescription *description = described(obstacles);
  for (int o = 0; o < 5; o++) {
    StMesh *mesh = NULL;
    StError error = {0};
    const StObstacleDesc *obstacle = &description->obstacle[o];
    assert_int_equal(st_obstacle_shape_create(obstacle, low, high, &mesh, &error), ST_OK);
    double got = enclosed(mesh->position, mesh->triangle, mesh->triangle_count);
    assert_true(got > 0.94 * volume[o] && got < volume[o] + 1e-9);
    StObstacleNow now;
    st_obstacle_at(obstacle, 0, &now);
    for (int v = 0; v < mesh->vertex_count && now.type->gap; v++) {
      double gradient[3];
      assert_true(fabs(st_obstacle_gap(&now, mesh->position + 3 * v, gradient)) < 1e-12);
    }
    st_mesh_destroy(mesh);
  }
  st_description_destroy(description);
}

static void half_spaces_lie_under_the_scene(void **state) {
  (void)state;
  StDescription *description = described(obstacles);
  const StObstacleDesc *wall = &description->obstacle[5];
  const double low[3] = {4, -1, 4}, high[3] = {6, 1, 6};
  StMesh *mesh = NULL;
  StError error = {0};
  StObstacleNow now;
  assert_int_equal(st_obstacle_shape_create(wall, low, high, &mesh, &error), ST_OK);
  st_obstacle_at(wall, 0, &now);
  double world[3], gradient[3], middle[3] = {0, 0, 0};
  for (int v = 0; v < 4; v++) {
    mat3_apply(now.rotation, mesh->position + 3 * v, world);
    vec3_add_scaled(1, now.origin, world);
    vec3_add_scaled(0.25, world, middle);
    assert_true(fabs(st_obstacle_gap(&now, world, gradient)) < 1e-12);
  }
  // The box about (5, 0, 5) is put onto the plane x + z = 0.
  assert_true(vec3_length(middle) < 1e-12);
  double side[3];
  vec3_sub(mesh->position + 3, mesh->position, side);
  assert_true(vec3_length(side) > 2 * sqrt(12) - 1e-9);
  st_mesh_destroy(mesh);
  st_description_destroy(description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skins_are_compact_and_outward),
      cmocka_unit_test(obstacles_become_triangles),
      cmocka_unit_test(half_spaces_lie_under_the_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
