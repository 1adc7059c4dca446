// The runner's verdicts are right, and rows read well as text and as JSON.
#include "verify/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST_ROWS = 16 };

typedef struct Rows {
  int count;
  StVerifyRow row[MOST_ROWS];
} Rows;

static void keep(void *context, const StVerifyRow *row) {
  Rows *rows = context;
  assert_true(rows->count < MOST_ROWS);
  rows->row[rows->count++] = *row;
}

static StStatus hand_in_some(StVerify *verify, StError *error) {
  (void)error;
  st_verify_compare(verify, "m", 2, 2.01, 0.01, "near %d", 1);
  st_verify_compare(verify, "m", 2, 2.03, 0.01, "far");
  st_verify_compare(verify, "m", 2, NAN, 0.01, "nothing came out");
  st_verify_compare(verify, "m", 2, 7, NAN, "no claim");
  st_verify_bound(verify, "N", -1e-3, 1e-3, "small");
  st_verify_bound(verify, "N", 2e-3, 1e-3, "large");
  return ST_OK;
}

static StStatus give_up(StVerify *verify, StError *error) {
  (void)verify;
  return st_fail(error, ST_NOT_SOLVED, "time 1 s: stuck");
}

static StStatus run_out(StVerify *verify, StError *error) {
  (void)verify;
  return st_fail_memory(error);
}

static const StVerifyCase some = {.name = "some", .run = hand_in_some};
static const StVerifyCase unsolved = {.name = "unsolved", .run = give_up};
static const StVerifyCase broken = {.name = "broken", .run = run_out};

static void verdicts_follow_the_numbers(void **state) {
  (void)state;
  Rows rows = {0};
  StError error;
  StVerify verify = {.take = keep, .context = &rows};
  const StVerifyVerdict expected[] = {ST_VERIFY_PASS,     ST_VERIFY_FAIL, ST_VERIFY_FAIL,
                                      ST_VERIFY_REPORTED, ST_VERIFY_PASS, ST_VERIFY_FAIL};
  assert_int_equal(st_verify_run(&verify, &some, &error), ST_OK);
  assert_int_equal(rows.count, 6);
  for (int i = 0; i < 6; i++)
    assert_int_equal(rows.row[i].verdict, expected[i]);
  assert_string_equal(rows.row[0].what, "near 1");
  assert_string_equal(rows.row[0].case_name, "some");
  assert_int_equal(verify.passed, 2);
  assert_int_equal(verify.failed, 3);
  assert_int_equal(verify.reported, 1);
}

static StStatus hand_in_method(StVerify *verify, StError *error) {
  (void)error;
  st_verify_bound(verify, "", verify->settings.method == ST_CONTACT_PRIMITIVES, 1, "primitives");
  return ST_OK;
}

// Cases about contact are run by either method, and their rows say which.
static void rows_say_by_which_contact(void **state) {
  (void)state;
  static const StVerifyCase rubbing = {.name = "rubbing", .both = true, .run = hand_in_method};
  static const StVerifyCase given_up = {.name = "given up", .both = true, .run = give_up};
  Rows rows = {0};
  StError error;
  StVerify verify = {.take = keep, .context = &rows};
  assert_int_equal(st_verify_run(&verify, &rubbing, &error), ST_OK);
  assert_int_equal(rows.count, 2);
  assert_string_equal(rows.row[0].method, "primitives");
  assert_string_equal(rows.row[1].method, "smooth");
  assert_true(rows.row[0].computed == 1 && rows.row[1].computed == 0);
  assert_int_equal(st_verify_run(&verify, &given_up, &error), ST_OK);
  assert_int_equal(rows.count, 4);
  assert_int_equal(verify.failed, 2);
  assert_int_equal(st_verify_run(&verify, &some, &error), ST_OK);
  assert_string_equal(rows.row[4].method, "");
  assert_string_equal(rows.row[4].stick, "");
}

static StStatus hand_in_stick(StVerify *verify, StError *error) {
  (void)error;
  st_verify_bound(verify, "", verify->settings.stick == ST_STICK_ANCHORED, 1, "anchored");
  return ST_OK;
}

static void rows_say_how_friction_holds(void **state) {
  (void)state;
  static const StVerifyCase rubbing = {
      .name = "rubbing", .both = true, .has_friction = true, .run = hand_in_stick};
  Rows rows = {0};
  StError error;
  StVerify verify = {.take = keep, .context = &rows};
  assert_int_equal(st_verify_run(&verify, &rubbing, &error), ST_OK);
  assert_int_equal(rows.count, 4);
  for (int i = 0; i < 4; i++) {
    assert_string_equal(rows.row[i].method, i < 2 ? "primitives" : "smooth");
    assert_string_equal(rows.row[i].stick, i % 2 ? "velocity" : "anchored");
    assert_true(rows.row[i].computed == (i % 2 ? 0 : 1));
  }
}

static void unsolved_steps_fail_the_case_alone(void **state) {
  (void)state;
  Rows rows = {0};
  StError error;
  StVerify verify = {.take = keep, .context = &rows};
  assert_int_equal(st_verify_run(&verify, &unsolved, &error), ST_OK);
  assert_int_equal(verify.failed, 1);
  assert_string_equal(rows.row[0].note, "time 1 s: stuck");
  assert_int_equal(st_verify_run(&verify, &broken, &error), ST_SYSTEM_FAULT);
  assert_int_equal(rows.count, 1);
}

static int columns(const char *line) {
  int count = 0;
  for (; *line; line++)
    count += ((unsigned char)*line & 0xC0) != 0x80;
  return count;
}

static void lines_stay_in_their_columns(void **state) {
  (void)state;
  StVerifyRow row = {.case_name = "slope",
                     .method = "primitives",
                     .stick = "anchored",
                     .what = "friction 0.1, 5.811°: accelerates",
                     .unit = "m/s²",
                     .expected = 0.0172071,
                     .computed = 0.0172072,
                     .error = 6e-6,
                     .allowed = 0.01};
  StText head = {0}, line = {0};
  st_verify_add_head(&head);
  st_verify_add_line(&line, &row);
  assert_false(head.failed || line.failed);
  assert_non_null(strstr(line.data, "0.017207 m/s²"));
  assert_non_null(strstr(line.data, "1 %"));
  // "verdict" in the head begins where "pass" does.
  int head_width = columns(head.data) - (int)strlen("verdict\n");
  assert_int_equal(columns(line.data) - (int)strlen("pass\n"), head_width);
  st_text_free(&head);
  st_text_free(&line);
}

static void json_has_null_for_no_number(void **state) {
  (void)state;
  StVerifyRow row = {.case_name = "a",
                     .method = "smooth",
                     .stick = "velocity",
                     .what = "say \"b\"",
                     .unit = "",
                     .expected = NAN,
                     .computed = 0.5,
                     .error = 0.5,
                     .allowed = NAN,
                     .verdict = ST_VERIFY_REPORTED};
  StText text = {0};
  st_verify_add_json(&text, &row);
  assert_string_equal(text.data,
                      "{\"case\": \"a\", \"contact\": \"smooth\", \"friction\": \"velocity\", "
                      "\"what\": \"say \\\"b\\\"\", \"unit\": \"\", "
                      "\"expected\": null, \"computed\": 0.5, \"error\": 0.5, \"allowed\": null, "
                      "\"verdict\": \"reported\"}");
  st_text_free(&text);
}

static void every_case_is_found_by_its_name(void **state) {
  (void)state;
  int count = 0;
  for (const StVerifyCase *const *one = st_verify_cases; *one; one++, count++) {
    assert_ptr_equal(st_verify_find((*one)->name), *one);
    assert_non_null((*one)->summary);
    assert_non_null((*one)->run);
  }
  assert_true(count >= 10);
  assert_null(st_verify_find("nothing"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verdicts_follow_the_numbers),
      cmocka_unit_test(rows_say_by_which_contact),
      cmocka_unit_test(rows_say_how_friction_holds),
      cmocka_unit_test(unsolved_steps_fail_the_case_alone),
      cmocka_unit_test(lines_stay_in_their_columns),
      cmocka_unit_test(json_has_null_for_no_number),
      cmocka_unit_test(every_case_is_found_by_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
