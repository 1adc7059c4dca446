// Documents built value by value, and written so that reading restores them.
#include "base/json_tree.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static StJsonDocument *new_object(void) {
  StJsonDocument *document = NULL;
  assert_int_equal(st_json_create(&document, NULL), ST_OK);
  st_json_set_object(st_json_top(document));
  return document;
}

static StJson *add(StJson *object, const char *key) {
  StJson *child = NULL;
  assert_int_equal(st_json_append_key(object, key, &child, NULL), ST_OK);
  return child;
}

static StJsonDocument *parse(const char *text, bool packed) {
  StJsonDocument *document = NULL;
  StError error = {0};
  StStatus status = packed ? st_json_parse_packed("t", text, strlen(text), &document, &error)
                           : st_json_parse("t", text, strlen(text), &document, &error);
  if (status != ST_OK)
    fail_msg("%s", error.text);
  return document;
}

static char *write(const StJsonDocument *document) {
  StText text = {0};
  st_json_write(&text, st_json_root(document));
  assert_false(text.failed);
  return text.data;
}

static void same(const StJson *a, const StJson *b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->child_count, b->child_count);
  assert_int_equal(a->key == NULL, b->key == NULL);
  if (a->key)
    assert_string_equal(a->key, b->key);
  if (a->kind == ST_JSON_NUMBER)
    assert_memory_equal(&a->number, &b->number, sizeof a->number);
  if (a->kind == ST_JSON_STRING)
    assert_string_equal(a->text, b->text);
  if (a->kind == ST_JSON_NUMBERS)
    assert_memory_equal(a->array, b->array, (size_t)a->child_count * sizeof(double));
  assert_int_equal(a->truth, b->truth);
  for (a = a->child, b = b->child; a; a = a->next, b = b->next)
    same(a, b);
  assert_null(b);
}

// Bitwise, with numbers that are hard to represent in decimal.
static void writing_and_reading_gives_the_same(void **state) {
  (void)state;
  static const double HARD[] = {0.1,    -0.0,    DBL_MIN, DBL_MAX,
                                5e-324, 1.0 / 3, 1e23,    123456789012345678};
  StJsonDocument *document = new_object();
  StJson *root = st_json_top(document);
  st_json_set_boolean(add(root, "yes"), true);
  assert_int_equal(st_json_set_text(add(root, "a \"b\" \\ ü\n"), "tab\t, 20 µm \x01", NULL), ST_OK);
  st_json_set_list(add(root, "empty list"));
  st_json_set_object(add(root, "empty object"));
  assert_int_equal(st_json_set_numbers(add(root, "hard"), 8, HARD, NULL), ST_OK);
  double many[1000];
  srand(1);
  for (int i = 0; i < 1000; i++)
    many[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 200 - 100);
  assert_int_equal(st_json_set_numbers(add(root, "many"), 1000, many, NULL), ST_OK);
  StJson *deep = add(root, "deep");
  for (int i = 0; i < 40; i++) {
    st_json_set_object(deep);
    deep = add(deep, "further down");
  }
  char *text = write(document);
  StJsonDocument *again = parse(text, true);
  same(st_json_root(document), st_json_root(again));
  char *second = write(again);
  assert_string_equal(text, second);
  free(text);
  free(second);
  st_json_destroy(document);
  st_json_destroy(again);
}

static void short_things_share_a_line(void **state) {
  (void)state;
  StJsonDocument *document =
      parse("{\"bodies\":{\"ball\":{\"at\":[0,0,0.3],\"shape\":{\"type\":\"sphere\"}}},"
            "\"a\":{},\"text\":\"eighty characters, so that the object that has this and one more "
            "like it\",\"c\":{\"one\":\"eighty characters, so that the object that has this and\","
            "\"two\":\"another one like it does not fit on a line\"}}",
            false);
  char *text = write(document);
  assert_string_equal(
      text,
      "{\n"
      "  \"bodies\": { \"ball\": { \"at\": [0, 0, 0.3], \"shape\": { \"type\": \"sphere\" } } },\n"
      "  \"a\": {},\n"
      "  \"text\": \"eighty characters, so that the object that has this and one more like it\",\n"
      "  \"c\": {\n"
      "    \"one\": \"eighty characters, so that the object that has this and\",\n"
      "    \"two\": \"another one like it does not fit on a line\"\n"
      "  }\n"
      "}\n");
  free(text);
  st_json_destroy(document);
}

static void long_lists_of_numbers_are_packed(void **state) {
  (void)state;
  StJsonDocument *document =
      parse("{\"long\": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15, // …\n 1.6e1],"
            " \"short\": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15],"
            " \"mixed\": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\"x\"]}",
            true);
  const StJson *all = st_json_root(document);
  const StJson *list = st_json_get(all, "long");
  assert_int_equal(list->kind, ST_JSON_NUMBERS);
  assert_int_equal(list->child_count, 17);
  assert_true(list->array[16] == 16 && list->array[3] == 3);
  assert_int_equal(list->place, 9);
  assert_int_equal(st_json_get(all, "short")->kind, ST_JSON_LIST);
  assert_int_equal(st_json_get(all, "mixed")->kind, ST_JSON_LIST);
  assert_int_equal(st_json_get(all, "mixed")->child_count, 18);
  st_json_destroy(document);
  document = parse("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", false);
  assert_int_equal(st_json_root(document)->kind, ST_JSON_LIST);
  st_json_destroy(document);
}

static void mistakes_in_long_lists_are_told_with_their_place(void **state) {
  (void)state;
  static const char *const WRONG[][2] = {
      {"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\n 017]",
       "t:2:2: a number must not have leading zeros"},
      {"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\n 1e999]", "t:2:2: this number is too large"},
      {"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,]", "there must be no comma before"},
      {"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "expected ',' or ']'"},
      {"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 17]", "expected ',' or ']'"},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
    StJsonDocument *document = NULL;
    StError error = {0};
    assert_int_equal(st_json_parse_packed("t", WRONG[i][0], strlen(WRONG[i][0]), &document, &error),
                     ST_BAD_INPUT);
    if (!strstr(error.text, WRONG[i][1]))
      fail_msg("\"%s\" does not say \"%s\"", error.text, WRONG[i][1]);
  }
}

static void replaced_and_removed_values_are_told_apart(void **state) {
  (void)state;
  StJsonDocument *document = parse("{\"a\": {\"b\": [1, 2, 3]}, \"c\": 4, \"d\": 5}", true);
  StJson *root = st_json_top(document), *a = root->child, *b = a->child, *c = a->next;
  assert_int_equal(c->place, 29);
  st_json_set_number(c, 7);
  assert_true(c->place == ST_JSON_NOWHERE && c->key_place == ST_JSON_NOWHERE);
  st_json_remove(a);
  assert_true(a->removed && b->removed && b->last->removed && !c->removed);
  assert_int_equal(root->child_count, 2);
  assert_int_equal(c->index, 0);
  st_json_remove(c->next);
  assert_ptr_equal(root->last, c);
  char *text = write(document);
  assert_string_equal(text, "{\n  \"c\": 7\n}\n");
  free(text);
  st_json_destroy(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writing_and_reading_gives_the_same),
      cmocka_unit_test(short_things_share_a_line),
      cmocka_unit_test(long_lists_of_numbers_are_packed),
      cmocka_unit_test(mistakes_in_long_lists_are_told_with_their_place),
      cmocka_unit_test(replaced_and_removed_values_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
