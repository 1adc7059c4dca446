// A scene may begin from the positions of a frame, which must be one of the same bodies.
#include "mesh/write.h"
#include "output/scratch.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char scene[] =
    "{ \"materials\": { \"gum\": { \"young\": 1e5, \"poisson\": 0.4 } },\n"
    "  \"bodies\": { \"bar\": { \"shape\": { \"type\": \"box\", \"cells_x\": 1, \"cells_y\": 1, "
    "\"cells_z\": %d } } },\n"
    "  \"start\": \"%s\",\n"
    "  \"time\": { \"duration\": 1 } }\n";

static StStatus parse(int cells, const char *start, StDescription **description, StError *error) {
  char text[1024];
  int length = snprintf(text, sizeof text, scene, cells, start);
  return st_scene_parse("scene.json", text, (size_t)length, scratch_folder, NULL, description,
                        error);
}

static void write_shifted(const StDescription *description, const char *name) {
  StError error;
  StMesh *mesh = description->body[0].mesh;
  for (int i = 0; i < 3 * mesh->vertex_count; i++)
    mesh->position[i] += 0.125;
  assert_int_equal(st_mesh_write(scratch(name), mesh, &error), ST_OK);
}

static StDescription *without_start(int cells) {
  char text[1024];
  StDescription *description = NULL;
  StError error;
  int length = snprintf(text, sizeof text, scene, cells, "");
  char *key = strstr(text, "\"start\"");
  memset(key, ' ', strcspn(key, "\n"));
  assert_int_equal(
      st_scene_parse("scene.json", text, (size_t)length, "", NULL, &description, &error), ST_OK);
  return description;
}

static void positions_are_those_of_the_frame(void **state) {
  (void)state;
  StError error;
  StDescription *rest = without_start(1), *moved = NULL;
  assert_null(rest->start);
  write_shifted(rest, "frame.vtu");
  assert_int_equal(parse(1, "frame.vtu", &moved, &error), ST_OK);
  assert_non_null(moved->start);
  for (int i = 0; i < 3 * st_description_vertex_count(moved); i++)
    assert_true(moved->start[i] == moved->body[0].mesh->position[i] + 0.125);
  st_description_destroy(rest);
  st_description_destroy(moved);
}

static void other_frames_are_refused(void **state) {
  (void)state;
  StError error;
  StDescription *description = NULL;
  assert_int_equal(parse(2, "frame.vtu", &description, &error), ST_BAD_INPUT);
  assert_string_equal(error.text,
                      "scene.json:3:12: start: the frame has 8 vertices, the bodies have 12");
  assert_int_equal(parse(1, "missing.vtu", &description, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "scene.json:3:12: start: there is no file"));
  assert_null(description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_are_those_of_the_frame),
      cmocka_unit_test(other_frames_are_refused),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
