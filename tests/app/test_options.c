// Command-line options: both spellings, operands, and what is said of mistakes.
#include "app/options.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

typedef struct Parsed {
  bool quiet;
  const char *out;
  const char *operand[2];
  int operand_count;
  StError error;
} Parsed;

static StStatus parse(Parsed *parsed, int argc, char **argv) {
  *parsed = (Parsed){0};
  const StArgument options[] = {{.name = "quiet", .flag = &parsed->quiet},
                                {.name = "out", .value = &parsed->out}};
  return st_options_parse(argc, argv, options, 2, parsed->operand, 2, &parsed->operand_count,
                          &parsed->error);
}

#define PARSE(parsed, ...)                                                                         \
  parse(parsed, (int)(sizeof((char *[]){"run", __VA_ARGS__}) / sizeof(char *)),                    \
        (char *[]){"run", __VA_ARGS__})

static void both_spellings(void **state) {
  (void)state;
  Parsed parsed;
  assert_int_equal(PARSE(&parsed, "a.json", "--out", "there", "--quiet"), ST_OK);
  assert_true(parsed.quiet);
  assert_string_equal(parsed.out, "there");
  assert_int_equal(parsed.operand_count, 1);
  assert_int_equal(PARSE(&parsed, "--out=here", "a.json"), ST_OK);
  assert_string_equal(parsed.out, "here");
  assert_string_equal(parsed.operand[0], "a.json");
}

static void two_dashes_end_options(void **state) {
  (void)state;
  Parsed parsed;
  assert_int_equal(PARSE(&parsed, "--", "--quiet", "-"), ST_OK);
  assert_false(parsed.quiet);
  assert_string_equal(parsed.operand[0], "--quiet");
  assert_string_equal(parsed.operand[1], "-");
}

static void mistakes_are_named(void **state) {
  (void)state;
  const struct {
    char *argument[3];
    const char *text;
  } cases[] = {
      {{"--quite", "a", "b"}, "there is no option --quite; did you mean --quiet?"},
      {{"--colour", "a", "b"}, "there is no option --colour"},
      {{"-q", "a", "b"}, "there is no option -q"},
      {{"a", "b", "--out"}, "--out needs a value"},
      {{"a", "b", "--quiet=yes"}, "--quiet takes no value"},
      {{"a", "b", "c"}, "'c' is an unexpected argument"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Parsed parsed;
    assert_int_equal(
        PARSE(&parsed, cases[i].argument[0], cases[i].argument[1], cases[i].argument[2]),
        ST_BAD_INPUT);
    assert_string_equal(parsed.error.text, cases[i].text);
  }
}

static void nearest_name_is_near(void **state) {
  (void)state;
  const char *const names[] = {"run", "check", "resume", "mesh", "list"};
  assert_string_equal(st_nearest_name("chekc", names, 5), "check");
  assert_string_equal(st_nearest_name("resum", names, 5), "resume");
  assert_string_equal(st_nearest_name("lsit", names, 5), "list");
  assert_null(st_nearest_name("simulate", names, 5));
  assert_null(st_nearest_name("", names, 5));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_spellings),
      cmocka_unit_test(two_dashes_end_options),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(nearest_name_is_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
