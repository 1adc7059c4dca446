// The viewer's surface: sharp edges are split, round bodies and cloth are not.
#include "scene/scene.h"
#include "show/view_surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <cmocka.h>

// A scene of one body with the given shape and material, read as users write it.
static StDescription *scene_of(const char *shape) {
  char text[1024];
  StDescription *description = NULL;
  StError error = {0};
  int size = snprintf(text, sizeof text,
                      "{\"materials\": {\"gum\": {\"young\": 1e5, \"poisson\": 0.4, \"density\": "
                      "1000}, \"jelly\": {\"young\": 1e4, \"poisson\": 0.4, \"density\": 1000}},"
                      "\"bodies\": {\"thing\": {%s, \"material\": \"gum\"}},"
                      "\"time\": {\"duration\": 1}}",
                      shape);
  if (st_scene_parse("test", text, (size_t)size, NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static StViewSurface surface_of(const char *shape) {
  StDescription *description = scene_of(shape);
  StViewSurface surface;
  StError error = {0};
  if (st_view_surface_create(description, false, &surface, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_description_destroy(description);
  return surface;
}

// 2 × 2 cells a side have 9 vertices: each of the six sides keeps its own.
static void boxes_keep_their_edges(void **state) {
  (void)state;
  StViewSurface surface = surface_of("\"shape\": {\"type\": \"box\", \"cells_x\": 2, "
                                     "\"cells_y\": 2, \"cells_z\": 2}");
  assert_int_equal(surface.skin.vertex_count, 26);
  assert_int_equal(surface.outer_count, 6 * 9);
  st_view_surface_free(&surface);
}

// The one vertex in the middle comes last, and tets have the corners that the mesh has.
static void tets_fill_what_the_surface_holds(void **state) {
  (void)state;
  StViewSurface surface =
      surface_of("\"shape\": {\"type\": \"box\", \"size_x\": 2, \"cells_x\": 2, "
                 "\"cells_y\": 2, \"cells_z\": 2}");
  StDescription *description =
      scene_of("\"shape\": {\"type\": \"box\", \"size_x\": 2, \"cells_x\": 2, "
               "\"cells_y\": 2, \"cells_z\": 2}");
  const StMesh *mesh = description->body[0].mesh;
  assert_int_equal(surface.vertex_count, surface.outer_count + 1);
  assert_int_equal(surface.tet_count, mesh->tet_count);
  for (int i = 0; i < 4 * surface.tet_count; i++)
    assert_int_equal(surface.vertex[surface.tet[i]], mesh->tet[i]);
  for (int t = 0; t < surface.tet_count; t++)
    assert_int_equal(surface.tet_material[t], 0);
  assert_int_equal(surface.body[surface.vertex_count - 1], 0);
  st_description_destroy(description);
  st_view_surface_free(&surface);
}

static void balls_stay_whole(void **state) {
  (void)state;
  StViewSurface surface = surface_of("\"shape\": {\"type\": \"sphere\", \"cells\": 8}");
  assert_int_equal(surface.outer_count, surface.skin.vertex_count);
  st_view_surface_free(&surface);
}

// Every corner of a triangle must still be the vertex of the skin it was.
static void corners_are_the_skins(void **state) {
  (void)state;
  StViewSurface surface = surface_of("\"shape\": {\"type\": \"cylinder\", \"cells\": 4}");
  const StSkin *skin = &surface.skin;
  assert_true(surface.outer_count > skin->vertex_count);
  for (int c = 0; c < 3 * skin->triangle_count; c++) {
    int v = surface.triangle[c];
    assert_in_range(v, 0, surface.outer_count - 1);
    assert_int_equal(surface.vertex[v], skin->vertex[skin->triangle[c]]);
    assert_int_equal(surface.material[v], skin->material[c / 3]);
    assert_int_equal(surface.body[v], 0);
  }
  st_view_surface_free(&surface);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_keep_their_edges),
      cmocka_unit_test(tets_fill_what_the_surface_holds),
      cmocka_unit_test(balls_stay_whole),
      cmocka_unit_test(corners_are_the_skins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
