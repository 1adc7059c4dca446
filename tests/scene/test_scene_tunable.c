// Tunables of a scene: found by name in all layers, in force while the scene is read, and refused
// with the name that was probably meant.
#include "scene/parts.h"
#include "scene/scene.h"
#include "scene/tunables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static StStatus read(const char *tunable, StDescription **description, StError *error) {
  char text[400];
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"young\": 1e5, \"poisson\": 0.25}}, \"time\": {\"duration\": 1}, "
      "\"bodies\": {\"cube\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}}}%s}",
      tunable);
  *description = NULL;
  return st_scene_parse("s", text, strlen(text), "", NULL, description, error);
}

static void a_value_acts_while_its_scene_is_read(void **state) {
  (void)state;
  StDescription *scene = NULL;
  StError error = {0};
  assert_int_equal(read(", \"tunable\": {\"default_density\": 2000}", &scene, &error), ST_OK);
  assert_true(scene->material[0].density == 2000);
  assert_int_equal(scene->tunable_count, 1);
  st_description_destroy(scene);
  assert_int_equal(read("", &scene, &error), ST_OK);
  assert_true(scene->material[0].density == st_scene_tunables.default_density);
  assert_true(st_scene_tunables.default_density == 1000);
  st_description_destroy(scene);
}

static void refuse(const char *tunable, const char *words) {
  StDescription *scene = NULL;
  StError error = {0};
  assert_int_equal(read(tunable, &scene, &error), ST_BAD_INPUT);
  assert_null(scene);
  if (!strstr(error.text, words))
    fail_msg("%s: said %s", tunable, error.text);
}

static void invalid_ones_are_refused(void **state) {
  (void)state;
  refuse(", \"tunable\": {\"default_densiti\": 1}", "did you mean \"default_density\"?");
  refuse(", \"tunable\": {\"default_density\": -1}", "must be at least 0");
  refuse(", \"tunable\": 1", "{\"name\": number}");
}

static void names_are_unique_and_rows_complete(void **state) {
  (void)state;
  for (const StTunableTable *const *table = st_tunable_tables; *table; table++)
    for (int i = 0; i < (*table)->count; i++) {
      const StTunable *tunable = &(*table)->row[i];
      int row = -1;
      if (st_tunables_find(st_tunable_tables, tunable->name, &row) != *table || row != i)
        fail_msg("%s is in two tables", tunable->name);
      assert_true(tunable->meaning[0] && tunable->reason[0]);
      assert_true((*table)->value[i] == tunable->initial && tunable->initial >= 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_value_acts_while_its_scene_is_read),
      cmocka_unit_test(invalid_ones_are_refused),
      cmocka_unit_test(names_are_unique_and_rows_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
