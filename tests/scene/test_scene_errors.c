// Broken scenes, each with its exact message: tests/data/scenes/broken.txt holds them as
//   === name
//   the scene
//   --- the message
#include "base/file.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct Case {
  const char *name, *scene, *message;
} Case;

// Cuts the next case out of the text, which is overwritten with 0 bytes; false at the end.
static bool next_case(char **cursor, Case *found) {
  char *start = strstr(*cursor, "=== ");
  if (!start)
    return false;
  char *line = strchr(start, '\n');
  *line = 0;
  char *message = strstr(line + 1, "--- ");
  char *end = strchr(message, '\n');
  *end = message[-1] = 0;
  message[0] = 0;
  *found = (Case){start + 4, line + 1, message + 4};
  *cursor = end + 1;
  return true;
}

static void check_case(const Case *broken) {
  StError error = {0};
  StDescription *description = (void *)&error; // must stay untouched
  StStatus status = st_scene_parse("scene.json", broken->scene, strlen(broken->scene), "", NULL,
                                   &description, &error);
  if (status != ST_BAD_INPUT)
    fail_msg("%s: status %d", broken->name, status);
  if (strcmp(error.text, broken->message) != 0)
    fail_msg("%s:\n  said   %s\n  wanted %s", broken->name, error.text, broken->message);
  assert_ptr_equal(description, &error);
  assert_int_equal(error.status, ST_BAD_INPUT);
}

static void test_broken_scenes(void **state) {
  (void)state;
  char *text;
  size_t size;
  assert_int_equal(st_file_read("broken.txt", &text, &size, NULL), ST_OK);
  char *cursor = text;
  Case broken;
  int count = 0;
  for (; next_case(&cursor, &broken); count++)
    check_case(&broken);
  free(text);
  assert_true(count >= 200);
}

typedef struct Bytes {
  const char *data;
  size_t size;
  const char *message;
} Bytes;

#define BYTES(text) text, sizeof text - 1

static void test_bytes_that_are_no_text(void **state) {
  (void)state;
  const Bytes all[] = {
      {BYTES("{\n  \"title\": \"a\xff\"\n}"), "scene.json:2:14: this byte is not UTF-8 text"},
      {BYTES("\"\xC0\xAF\""), "scene.json:1:2: this byte is not UTF-8 text"},         // overlong
      {BYTES("\"\xE0\x80\xAF\""), "scene.json:1:2: this byte is not UTF-8 text"},     // overlong
      {BYTES("\"\xED\xA0\x80\""), "scene.json:1:2: this byte is not UTF-8 text"},     // surrogate
      {BYTES("\"\xF4\x90\x80\x80\""), "scene.json:1:2: this byte is not UTF-8 text"}, // beyond
      {BYTES("\"\xE2\x82"), "scene.json:1:2: this byte is not UTF-8 text"},           // cut short
      {BYTES("{\n  \"title\": \"a\0\"\n}"),
       "scene.json:2:14: a zero byte; this must be a text file"},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    StDescription *description = NULL;
    StError error = {0};
    StStatus status =
        st_scene_parse("scene.json", all[i].data, all[i].size, NULL, NULL, &description, &error);
    assert_int_equal(status, ST_BAD_INPUT);
    assert_string_equal(error.text, all[i].message);
    assert_null(description);
  }
}

static void test_size(void **state) {
  (void)state;
  StDescription *description = NULL;
  StError error = {0};
  char *text = calloc(1, ST_SCENE_SIZE + 1);
  assert_non_null(text);
  StStatus status =
      st_scene_parse("scene.json", text, ST_SCENE_SIZE + 1, NULL, NULL, &description, &error);
  assert_int_equal(status, ST_BAD_INPUT);
  assert_string_equal(error.text, "scene.json: is larger than 256 MB, the maximum for a scene");
  free(text);
}

static void test_files(void **state) {
  (void)state;
  StDescription *description = NULL;
  StError error = {0};
  assert_int_equal(st_scene_load("no_such_scene.json", NULL, &description, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, "no_such_scene.json: cannot be read: No such file or directory");
  assert_int_equal(st_scene_load(".", NULL, &description, &error), ST_BAD_INPUT);
  assert_string_equal(error.text, ".: is a folder, a file is needed");
  const char *scene =
      "{\"materials\": {\"m\": {\"young\": 1, \"poisson\": 0}},"
      " \"bodies\": {\"b\": {\"mesh\": \"two_parts.msh\"}}, \"time\": {\"duration\": 1}}";
  StStatus status = st_scene_parse("-", scene, strlen(scene), NULL, NULL, &description, &error);
  assert_int_equal(status, ST_BAD_INPUT);
  assert_string_equal(error.text,
                      "-:1:75: bodies.b.mesh: mesh files cannot be read here; use a shape");
  assert_null(description);
}

// The error struct is optional everywhere.
static void test_without_error_struct(void **state) {
  (void)state;
  StDescription *description = NULL;
  assert_int_equal(st_scene_parse("-", "{\"a\": 1}", 8, NULL, NULL, &description, NULL),
                   ST_BAD_INPUT);
  assert_int_equal(st_scene_parse("-", "{", 1, NULL, NULL, &description, NULL), ST_BAD_INPUT);
}

int main(void) {
  if (chdir(TEST_DATA "/scenes") != 0)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_broken_scenes),
      cmocka_unit_test(test_bytes_that_are_no_text),
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_without_error_struct),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
