// Merge patches and patches: the examples of RFC 7386 and RFC 6902 that apply.
#include "import/merge.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static StJsonDocument *parse(const char *text) {
  StJsonDocument *document;
  StError error;
  if (st_json_parse("test", text, strlen(text), &document, &error) != ST_OK)
    fail_msg("%s", error.text);
  return document;
}

// Compares as text, which has one form for each value.
static void assert_same(const StJson *value, const char *text) {
  StText is = {0}, wanted = {0};
  StJsonDocument *document = parse(text);
  st_json_write(&is, value);
  st_json_write(&wanted, st_json_root(document));
  assert_string_equal(is.data, wanted.data);
  st_text_free(&is);
  st_text_free(&wanted);
  st_json_destroy(document);
}

static const struct {
  const char *target, *patch, *result;
} MERGES[] = {
    {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
    {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
    {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
    {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
    {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
    {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
    {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
    {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
};

static void merges_as_specified(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof MERGES / sizeof *MERGES; i++) {
    StJsonDocument *target = parse(MERGES[i].target), *patch = parse(MERGES[i].patch);
    assert_int_equal(st_json_merge(st_json_top(target), st_json_root(patch), NULL), ST_OK);
    assert_same(st_json_root(target), MERGES[i].result);
    st_json_destroy(target);
    st_json_destroy(patch);
  }
}

// result NULL: refused.
static const struct {
  const char *target, *patch, *result;
} PATCHES[] = {
    {"{\"a\":1}", "[{\"op\":\"add\",\"path\":\"/b\",\"value\":2}]", "{\"a\":1,\"b\":2}"},
    {"{\"a\":[1]}", "[{\"op\":\"add\",\"path\":\"/a/-\",\"value\":2}]", "{\"a\":[1,2]}"},
    {"{\"a\":1,\"b\":2}", "[{\"op\":\"remove\",\"path\":\"/a\"}]", "{\"b\":2}"},
    {"{\"a\":[1,2]}", "[{\"op\":\"remove\",\"path\":\"/a/0\"}]", "{\"a\":[2]}"},
    {"{\"a\":[{\"b\":1}]}", "[{\"op\":\"replace\",\"path\":\"/a/0/b\",\"value\":[]}]",
     "{\"a\":[{\"b\":[]}]}"},
    {"{\"a/b\":1,\"~\":2}",
     "[{\"op\":\"replace\",\"path\":\"/a~1b\",\"value\":3},{\"op\":\"remove\",\"path\":\"/~0\"}]",
     "{\"a/b\":3}"},
    {"{\"a\":1}", "[{\"op\":\"replace\",\"path\":\"/b\",\"value\":2}]", NULL},
    {"{\"a\":1}", "[{\"op\":\"add\",\"path\":\"/b/c\",\"value\":2}]", NULL},
    {"{\"a\":1}", "[{\"op\":\"turn\",\"path\":\"/a\",\"value\":2}]", NULL},
    {"{\"a\":[1]}", "[{\"op\":\"remove\",\"path\":\"/a/7\"}]", NULL},
    {"{\"a\":[1]}", "[{\"op\":\"replace\",\"path\":\"/a/x\",\"value\":0}]", NULL},
    {"{\"a\":1}", "[{\"op\":\"replace\",\"value\":2}]", NULL},
};

static void patches_as_specified(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof PATCHES / sizeof *PATCHES; i++) {
    StJsonDocument *target = parse(PATCHES[i].target), *patch = parse(PATCHES[i].patch);
    StError error;
    StStatus status = st_json_patch(st_json_top(target), st_json_root(patch), &error);
    assert_int_equal(status, PATCHES[i].result ? ST_OK : ST_BAD_INPUT);
    if (PATCHES[i].result)
      assert_same(st_json_root(target), PATCHES[i].result);
    st_json_destroy(target);
    st_json_destroy(patch);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(merges_as_specified),
      cmocka_unit_test(patches_as_specified),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
