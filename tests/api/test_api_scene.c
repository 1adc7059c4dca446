// Scenes through the public interface: from text, and their contents.
#include "api/session.h"

#include <stiction/build.h>

static const char TWO_BODIES[] =
    "// comments and units are as in files\n"
    "{ \"title\": \"two\",\n"
    "  \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 },\n"
    "    \"silk\": { \"law\": \"membrane\", \"young\": \"100 N/m\", \"poisson\": 0.3, "
    "\"area_density\": \"60 g/m^2\" "
    "} },\n"
    "  \"bodies\": {\n"
    "    \"brick\": { \"material\": \"gum\",\n"
    "      \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, "
    "\"edge\": 0.1 } },\n"
    "    \"sheet\": { \"material\": \"silk\", \"translate\": [0, 0, 1],\n"
    "      \"shape\": { \"type\": \"sheet\", \"width\": 0.2, \"length\": 0.2, \"edge\": 0.1 } } "
    "},\n"
    "  \"boundaries\": { \"edge\": { \"body\": \"sheet\", \"region\": \"all\", \"hold\": [\"x\", "
    "\"y\"] } },\n"
    "  \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" }, \"translate\": [0, "
    "0, -1] },\n"
    "    \"pole\": { \"shape\": { \"type\": \"sphere\", \"radius\": \"10 cm\" }, \"translate\": "
    "[3, 0, 0] } },\n"
    "  \"time\": { \"duration\": \"100 ms\", \"step\": \"4 ms\", \"frame_rate\": 50 } }";

static void text_is_a_scene(void **state) {
  StictionScene *scene = parse_scene(*state, TWO_BODIES);
  assert_string_equal(stiction_scene_title(scene), "two");
  assert_near(stiction_scene_duration(scene), 0.1, 1e-15);
  assert_near(stiction_scene_time_step(scene), 4e-3, 1e-15);
  assert_near(stiction_scene_frame_rate(scene), 50, 0);
  assert_int_equal(stiction_scene_body_count(scene), 2);
  assert_int_equal(stiction_scene_boundary_count(scene), 1);
  assert_int_equal(stiction_scene_obstacle_count(scene), 2);
  stiction_scene_free(scene);
}

// Signed volume enclosed by the skin.
static double enclosed(const StictionBody *body) {
  double sum = 0;
  for (int t = 0; t < body->skin_count; t++) {
    const double *a = body->rest + 3 * body->skin[3 * t];
    const double *b = body->rest + 3 * body->skin[3 * t + 1];
    const double *c = body->rest + 3 * body->skin[3 * t + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

static void bodies_show_their_meshes(void **state) {
  StictionScene *scene = parse_scene(*state, TWO_BODIES);
  StictionBody brick, sheet;
  must(*state, stiction_scene_body(scene, 0, &brick));
  must(*state, stiction_scene_body(scene, 1, &sheet));
  assert_string_equal(brick.name, "brick");
  assert_int_equal(brick.first_vertex, 0);
  assert_int_equal(brick.vertex_count, 8);
  assert_true(brick.tet_count >= 5);
  assert_int_equal(brick.triangle_count, 0);
  assert_int_equal(brick.skin_count, 12);
  assert_near(enclosed(&brick), 1e-3, 1e-15);

  assert_string_equal(sheet.name, "sheet");
  assert_int_equal(sheet.first_vertex, 8);
  assert_int_equal(sheet.vertex_count, 9);
  assert_int_equal(sheet.tet_count, 0);
  assert_int_equal(sheet.triangle_count, sheet.skin_count);
  assert_near(sheet.rest[2], 1, 1e-15);
  assert_int_equal(stiction_scene_vertex_count(scene), 17);
  for (int t = 0; t < sheet.triangle_count; t++)
    assert_true(sheet.triangle_label[t] >= -1 && sheet.triangle_label[t] < sheet.label_count);
  stiction_scene_free(scene);
}

static void boundaries_and_obstacles_are_named(void **state) {
  StictionScene *scene = parse_scene(*state, TWO_BODIES);
  StictionBoundary edge;
  StictionObstacle floor, pole;
  must(*state, stiction_scene_boundary(scene, 0, &edge));
  assert_string_equal(edge.name, "edge");
  assert_int_equal(edge.vertex_count, 9);
  assert_int_equal(edge.vertex[0], 8);
  assert_true(edge.axis[0] && edge.axis[1] && !edge.axis[2]);
  assert_true(isinf(edge.release));
  must(*state, stiction_scene_obstacle(scene, 0, &floor));
  must(*state, stiction_scene_obstacle(scene, 1, &pole));
  assert_string_equal(floor.name, "floor");
  assert_string_equal(floor.shape, "half_space");
  assert_near(floor.origin[2], -1, 1e-15);
  assert_string_equal(pole.shape, "sphere");
  assert_near(pole.origin[0], 3, 1e-15);
  assert_near(pole.rotation[0] + pole.rotation[4] + pole.rotation[8], 3, 1e-15);
  assert_null(pole.position);
  stiction_scene_free(scene);
}

static void wrong_indices_are_refused(void **state) {
  StictionScene *scene = parse_scene(*state, TWO_BODIES);
  StictionBody body;
  StictionBoundary boundary;
  StictionObstacle obstacle;
  must_fail(*state, stiction_scene_body(scene, 2, &body), STICTION_BAD_INPUT, "the scene has 2");
  must_fail(*state, stiction_scene_boundary(scene, -1, &boundary), STICTION_BAD_INPUT, "boundary");
  must_fail(*state, stiction_scene_obstacle(scene, 2, &obstacle), STICTION_BAD_INPUT, "obstacle");
  stiction_scene_free(scene);
}

static void wrong_text_is_explained_with_its_line(void **state) {
  StictionScene *scene = (StictionScene *)state;
  must_fail(*state, stiction_scene_parse(*state, "{\n  \"bodeis\": {} }", NULL, &scene),
            STICTION_BAD_INPUT, "scene:2:");
  assert_null(scene);
  must_fail(*state, stiction_scene_parse(*state, "", "", &scene), STICTION_BAD_INPUT, "scene:1:");
}

static const char WITH_MESH[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },\n"
    "  \"bodies\": { \"one\": { \"material\": \"gum\", \"mesh\": \"tet.msh\" } },\n"
    "  \"time\": { \"duration\": 1 } }";

// The caller chooses the base of relative paths, or that there are none.
static void meshes_are_found_from_the_folder(void **state) {
  static const char TET[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"
                            "3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n"
                            "$EndElements\n";
  StictionScene *scene = NULL;
  StictionBody body;
  FILE *file = fopen("tet.msh", "w");
  assert_non_null(file);
  fputs(TET, file);
  fclose(file);
  must(*state, stiction_scene_parse(*state, WITH_MESH, "", &scene));
  must(*state, stiction_scene_body(scene, 0, &body));
  assert_int_equal(body.tet_count, 1);
  stiction_scene_free(scene);
  must_fail(*state, stiction_scene_parse(*state, WITH_MESH, "nowhere", &scene), STICTION_BAD_INPUT,
            "nowhere/tet.msh");
  must_fail(*state, stiction_scene_parse(*state, WITH_MESH, NULL, &scene), STICTION_BAD_INPUT,
            "mesh files cannot be read here");
}

static void structs_have_the_headers_sizes(void **state) {
  (void)state;
  assert_int_equal(stiction_size("StictionReport"), sizeof(StictionReport));
  assert_int_equal(stiction_size("StictionMesh"), sizeof(StictionMesh));
  assert_int_equal(stiction_size("StictionContact"), sizeof(StictionContact));
  assert_int_equal(stiction_size("Stiction"), 0);
  assert_int_equal(stiction_size(NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_a_scene),
      cmocka_unit_test(bodies_show_their_meshes),
      cmocka_unit_test(boundaries_and_obstacles_are_named),
      cmocka_unit_test(wrong_indices_are_refused),
      cmocka_unit_test(wrong_text_is_explained_with_its_line),
      cmocka_unit_test(meshes_are_found_from_the_folder),
      cmocka_unit_test(structs_have_the_headers_sizes),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
