// The JSON reader: values, escapes, comments, places, and size; and what is written comes back.
#include "base/json.h"
#include "base/json_tree.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static StJsonDocument *parse(const char *text) {
  StJsonDocument *document = NULL;
  StError error = {0};
  if (st_json_parse("test", text, strlen(text), &document, &error) != ST_OK)
    fail_msg("%s", error.text);
  return document;
}

static void test_values(void **state) {
  (void)state;
  StJsonDocument *document =
      parse("{\"a\": [1, -2.5e-3, 0, 1E+2], \"b\": true, \"c\": false, \"d\": null, \"e\": {}, "
            "\"f\": [], \"\": \"x\"}");
  const StJson *root = st_json_root(document);
  assert_int_equal(root->kind, ST_JSON_OBJECT);
  assert_int_equal(root->child_count, 7);
  const StJson *list = st_json_get(root, "a");
  const double wanted[] = {1, -2.5e-3, 0, 100};
  const StJson *item = list->child;
  for (int i = 0; i < 4; i++, item = item->next) {
    assert_int_equal(item->kind, ST_JSON_NUMBER);
    assert_true(item->number == wanted[i]);
    assert_int_equal(item->index, i);
    assert_ptr_equal(item->parent, list);
    assert_null(item->key);
  }
  assert_null(item);
  assert_true(st_json_get(root, "b")->truth);
  assert_false(st_json_get(root, "c")->truth);
  assert_int_equal(st_json_get(root, "d")->kind, ST_JSON_NULL);
  assert_int_equal(st_json_get(root, "e")->child_count, 0);
  assert_int_equal(st_json_get(root, "f")->kind, ST_JSON_LIST);
  assert_string_equal(st_json_get(root, "")->text, "x");
  assert_null(st_json_get(root, "g"));
  assert_null(st_json_get(list, "a"));
  st_json_destroy(document);
}

static void test_escapes(void **state) {
  (void)state;
  StJsonDocument *document =
      parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\", \"é€😀\"]");
  const StJson *item = st_json_root(document)->child;
  assert_string_equal(item->text, "\"\\/\b\f\n\r\t");
  assert_string_equal(item->next->text, "Aé€😀");
  assert_string_equal(item->next->next->text, "é€😀");
  st_json_destroy(document);
}

static void test_comments_and_byte_order_mark(void **state) {
  (void)state;
  StJsonDocument *document =
      parse("\xEF\xBB\xBF// head\r\n{ // one\n\"a\": // two {\n 1 // three ]\n} // tail");
  assert_true(st_json_get(st_json_root(document), "a")->number == 1);
  st_json_destroy(document);
  document = parse("{\"url\": \"http://x\"}"); // no comment within a string
  assert_string_equal(st_json_get(st_json_root(document), "url")->text, "http://x");
  st_json_destroy(document);
}

static void assert_place(const StJsonDocument *document, size_t place, int line, int column) {
  int found_line, found_column;
  st_json_place(document, place, &found_line, &found_column);
  assert_int_equal(found_line, line);
  assert_int_equal(found_column, column);
}

static void test_places(void **state) {
  (void)state;
  StJsonDocument *document = parse("{\n  \"größe\": [1,\n    22], \"b\": 3\n}");
  const StJson *list = st_json_get(st_json_root(document), "größe");
  assert_place(document, list->key_place, 2, 3);
  assert_place(document, list->place, 2, 12);
  assert_place(document, list->child->next->place, 3, 5);
  const StJson *b = st_json_get(st_json_root(document), "b");
  assert_place(document, b->key_place, 3, 10);
  assert_place(document, b->place, 3, 15);
  st_json_destroy(document);
}

// Lines and columns of every byte, counted here from the start: texts of several marks, ending at
// one and beside one, in one line and in many, with letters of two and three bytes.
static void test_places_in_long_texts(void **state) {
  (void)state;
  for (int size = 3 * ST_JSON_STRIDE - 1; size <= 3 * ST_JSON_STRIDE + 1; size++)
    for (int lines = 0; lines < 2; lines++) {
      char text[3 * ST_JSON_STRIDE + 2];
      memset(text, ' ', (size_t)size);
      memcpy(text, "[\"", 2);
      int at = 2;
      for (; at + 5 < size - 1000; at += 5)
        memcpy(text + at, "ö€", 5);
      memcpy(text + at, "\"]", 2);
      for (at += 2; at < size && lines; at += 7)
        text[at] = '\n';
      StJsonDocument *document = NULL;
      StError error = {0};
      assert_int_equal(st_json_parse("test", text, (size_t)size, &document, &error), ST_OK);
      int line = 1, column = 1;
      for (int i = 0; i <= size + 1; i++) {
        assert_place(document, (size_t)i, line, column);
        if (i < size && text[i] == '\n')
          line++, column = 1;
        else if (i < size && (text[i] & 0xC0) != 0x80)
          column++;
      }
      st_json_destroy(document);
    }
}

static void test_depth(void **state) {
  (void)state;
  char text[2 * ST_JSON_DEPTH + 3];
  StJsonDocument *document = NULL;
  StError error = {0};
  for (int depth = ST_JSON_DEPTH; depth <= ST_JSON_DEPTH + 1; depth++) {
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    StStatus status = st_json_parse("test", text, 2 * (size_t)depth, &document, &error);
    assert_int_equal(status, depth == ST_JSON_DEPTH ? ST_OK : ST_BAD_INPUT);
  }
  st_json_destroy(document);
}

// A hundred thousand keys: read in linear, checked for repeats in n log n time.
static void test_size(void **state) {
  (void)state;
  StText text = {0};
  enum { COUNT = 100000 };
  for (int i = 0; i < COUNT; i++)
    st_text_add(&text, "%s\"key%d\": [%d, \"v\"]", i ? "," : "{", i, i);
  st_text_add(&text, "}");
  StJsonDocument *document = parse(text.data);
  assert_int_equal(st_json_root(document)->child_count, COUNT);
  assert_true(st_json_get(st_json_root(document), "key99999")->child->number == 99999);
  st_json_destroy(document);
  text.length--;
  st_text_add(&text, ",\"key500\": 1}");
  StError error = {0};
  assert_int_equal(st_json_parse("test", text.data, text.length, &document, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "the key \"key500\" occurs twice in this object"));
  st_text_free(&text);
}

// Every prefix of a valid text is rejected, and nothing reads past its end (checked by the
// sanitizer).
static void test_every_beginning(void **state) {
  (void)state;
  const char *text = "{\"a\": [1.5e+3, true, null, \"\\u00e9\\n\"], // c\n \"b\": {\"c\": -0}}";
  for (size_t size = 0; size < strlen(text); size++) {
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    StJsonDocument *document = NULL;
    assert_int_equal(st_json_parse("test", copy, size, &document, NULL), ST_BAD_INPUT);
    assert_null(document);
    free(copy);
  }
}

// File names are bytes: those that are not UTF-8 survive a round trip, but are not accepted in a
// scene.
static void what_is_written_comes_back(void **state) {
  (void)state;
  const char *odd = "a\"b\\c\nd\te\x01\x1f\x7f/ü€\r\xff\xc3(\xed\xa0\x80😀\xe2\x82";
  static const double number[] = {0.1, 1.0 / 3, -5e-324, 1.7976931348623157e308, 0};
  StText text = {0};
  StError error = {0};
  StJsonDocument *document = NULL;
  st_text_add(&text, "{\"name\": ");
  st_json_text_add_string(&text, odd);
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    st_text_add(&text, ", \"%zu\": ", i);
    st_json_text_add_number(&text, number[i]);
  }
  st_text_add(&text, ", \"none\": ");
  st_json_text_add_number(&text, NAN);
  st_text_add(&text, ", \"null\": ");
  st_json_text_add_string(&text, NULL);
  st_text_add(&text, "}");
  assert_false(text.failed);
  assert_int_equal(st_file_write("own.json", text.data, text.length, &error), ST_OK);
  if (st_json_read_own("own.json", &document, &error) != ST_OK)
    fail_msg("%s", error.text);
  const StJson *root = st_json_root(document);
  assert_string_equal(st_json_get_text(root, "name"), odd);
  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    const char key[] = {(char)('0' + i), 0};
    double value = st_json_get_number(root, key);
    assert_memory_equal(&value, &number[i], sizeof value);
  }
  assert_true(isnan(st_json_get_number(root, "none")) && isnan(st_json_get_number(root, "name")));
  assert_null(st_json_get_text(root, "null"));
  assert_null(st_json_get_text(root, "0"));
  assert_null(st_json_get_text(root, "missing"));
  st_json_destroy(document);
  assert_int_equal(st_json_parse("scene", text.data, text.length, &document, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "half a surrogate pair"));
  st_text_free(&text);
  assert_int_equal(st_json_read_own("nowhere.json", &document, &error), ST_BAD_INPUT);
  assert_null(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_comments_and_byte_order_mark),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_places_in_long_texts),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_every_beginning),
      cmocka_unit_test(what_is_written_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
