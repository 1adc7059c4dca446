// The schema and the reference: complete, well-formed, and the same as the published files. After a
// change of the tables, `STICTION_PUBLISH=1 test_scene_schema` writes those anew.
#include "scene/scene.h"

#include "base/file.h"
#include "force/force.h"
#include "force/material.h"
#include "mesh/shape.h"
#include "base/json.h"
#include "scene/tables.h"
#include "step/integrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROOT TEST_DATA "/../.."

static const StJson *need(const StJson *object, const char *key) {
  const StJson *found = object ? st_json_get(object, key) : NULL;
  if (!found)
    fail_msg("the schema has no \"%s\" here", key);
  return found;
}

static const StJson *definition_of(const StJson *root, const StKeyTable *table) {
  if (strcmp(table->name, "scene") == 0)
    return root;
  char name[64];
  snprintf(name, sizeof name, "%s", table->name);
  for (char *c = name; *c; c++)
    *c = *c == ' ' ? '_' : *c;
  return need(need(root, "$defs"), name);
}

static bool lists(const StJson *list, const char *word) {
  for (const StJson *item = list->child; item; item = item->next)
    if (item->kind == ST_JSON_STRING && strcmp(item->text, word) == 0)
      return true;
  return false;
}

static void check_table(const StJson *root, const StKeyTable *table) {
  const StJson *definition = definition_of(root, table);
  const StJson *properties = need(definition, "properties");
  assert_int_equal(properties->child_count, table->key_count);
  for (int i = 0; i < table->key_count; i++) {
    const StKey *key = &table->key[i];
    const StJson *property = need(properties, key->param.name);
    assert_non_null(strstr(need(property, "description")->text, key->param.doc));
    assert_int_equal(lists(need(definition, "required"), key->param.name), key->required);
  }
}

// Every "$ref" leads to a definition.
static void check_references(const StJson *root, const StJson *at) {
  if (at->key && strcmp(at->key, "$ref") == 0) {
    assert_int_equal(strncmp(at->text, "#/$defs/", 8), 0);
    need(need(root, "$defs"), at->text + 8);
  }
  for (const StJson *child = at->child; child; child = child->next)
    check_references(root, child);
}

static void check_variants(const StJson *definition, const StKeyTable *table) {
  const StJson *branch = need(definition, "allOf")->child;
  StVariant variant;
  const StKey *chooser = table->chooser;
  for (int i = 0; chooser->variant(i, &variant); i++, branch = branch->next) {
    const StJson *properties = need(need(branch, "then"), "properties");
    assert_int_equal(properties->child_count, variant.param_count);
    for (int k = 0; k < variant.param_count; k++)
      need(properties, variant.param[k].name);
  }
  assert_null(branch);
}

static void test_schema_is_complete(void **state) {
  (void)state;
  StText text = {0};
  st_scene_schema(&text);
  assert_false(text.failed);
  StJsonDocument *document = NULL;
  StError error = {0};
  if (st_json_parse("schema", text.data, text.length, &document, &error) != ST_OK)
    fail_msg("%s", error.text);
  const StJson *root = st_json_root(document);
  StTableList list;
  st_table_list(&list);
  assert_true(list.count >= 15 && list.count < ST_TABLES_MAX);
  for (int i = 0; i < list.count; i++) {
    check_table(root, list.table[i]);
    if (list.table[i]->chooser)
      check_variants(definition_of(root, list.table[i]), list.table[i]);
  }
  check_references(root, root);
  st_json_destroy(document);
  st_text_free(&text);
}

static void assert_mentions(const StText *text, const char *word) {
  if (!strstr(text->data, word))
    fail_msg("the reference does not mention %s", word);
}

static void test_reference_is_complete(void **state) {
  (void)state;
  StText text = {0};
  st_scene_reference(&text);
  assert_false(text.failed);
  StTableList list;
  st_table_list(&list);
  for (int i = 0; i < list.count; i++)
    for (int k = 0; k < list.table[i]->key_count; k++)
      assert_mentions(&text, list.table[i]->key[k].param.doc);
  for (int i = 0; st_material_laws[i]; i++)
    assert_mentions(&text, st_material_laws[i]->summary);
  for (int i = 0; st_shape_types[i]; i++)
    assert_mentions(&text, st_shape_types[i]->summary);
  for (int i = 0; st_integrators[i].name; i++)
    assert_mentions(&text, st_integrators[i].summary);
  for (int i = 0; st_force_types[i]; i++)
    assert_mentions(&text, st_force_types[i]->summary);
  st_text_free(&text);
}

// The example that the reference shows must be a scene.
static void test_example_of_reference(void **state) {
  (void)state;
  StText text = {0};
  st_scene_reference(&text);
  char *start = strstr(text.data, "```json\n") + 8;
  size_t size = (size_t)(strstr(start, "```") - start);
  StDescription *description = NULL;
  StError error = {0};
  if (st_scene_parse("docs/scene.md", start, size, NULL, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  assert_string_equal(description->integrator, "bdf2");
  st_description_destroy(description);
  st_text_free(&text);
}

static void check_published(const char *path, void write(StText *)) {
  StText text = {0};
  write(&text);
  assert_false(text.failed);
  if (getenv("STICTION_PUBLISH"))
    assert_int_equal(st_file_write(path, text.data, text.length, NULL), ST_OK);
  char *published;
  size_t size;
  assert_int_equal(st_file_read(path, &published, &size, NULL), ST_OK);
  if (size != text.length || memcmp(published, text.data, size) != 0)
    fail_msg("%s is not what the tables say; see the head of this file", path);
  free(published);
  st_text_free(&text);
}

static void test_published_files(void **state) {
  (void)state;
  check_published(ROOT "/schema/scene.schema.json", st_scene_schema);
  check_published(ROOT "/docs/scene.md", st_scene_reference);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_schema_is_complete),
      cmocka_unit_test(test_reference_is_complete),
      cmocka_unit_test(test_example_of_reference),
      cmocka_unit_test(test_published_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
