// The texts of the progress bar and of the plain log: fields, widths, units.
#include "app/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const StMoment half_way = {.time = 0.5,
                                  .duration = 1,
                                  .h = 0.01,
                                  .newton_iterations = 3,
                                  .frame = 12,
                                  .frame_count = 25,
                                  .seconds_left = 42};

// Columns of a UTF-8 text: bytes that start a character.
static int columns(const char *text) {
  int count = 0;
  for (; *text; text++)
    count += (*text & 0xC0) != 0x80;
  return count;
}

static void bar_says_everything_when_wide(void **state) {
  (void)state;
  char text[512];
  st_progress_bar(&half_way, ST_PROGRESS_ASCII, 120, text, sizeof text);
  assert_string_equal(text, " 50% [####################                    ]"
                            "  0.500 of 1 s  h 10 ms  Newton 3  frame 12/24  42 s left");
}

static void bar_fits_any_width(void **state) {
  (void)state;
  for (int width = 9; width <= 200; width++)
    for (StProgressStyle style = ST_PROGRESS_ASCII; style <= ST_PROGRESS_UTF8; style++) {
      char text[512];
      int told = st_progress_bar(&half_way, style, width, text, sizeof text);
      assert_int_equal(columns(text), told);
      assert_true(told < width);
    }
}

static void narrow_bar_keeps_what_tells_most(void **state) {
  (void)state;
  char text[512];
  st_progress_bar(&half_way, ST_PROGRESS_ASCII, 48, text, sizeof text);
  assert_non_null(strstr(text, "42 s left"));
  assert_non_null(strstr(text, "0.500 of 1 s"));
  assert_null(strstr(text, "frame"));
}

static void blocks_are_drawn_in_eighths(void **state) {
  (void)state;
  StMoment moment = half_way;
  moment.time = 1.0 / 320;
  char text[512];
  st_progress_bar(&moment, ST_PROGRESS_UTF8, 200, text, sizeof text);
  assert_non_null(strstr(text, "▕▏ "));
  moment.time = 1;
  st_progress_bar(&moment, ST_PROGRESS_UTF8, 200, text, sizeof text);
  assert_int_equal(columns(strstr(text, "▕")) - columns(strstr(text, "▏")), 41);
}

static void times_have_fitting_units(void **state) {
  (void)state;
  const struct {
    double seconds;
    const char *left, *step;
  } cases[] = {{0, "0.0 s", "0 s"},
               {3.21, "3.2 s", "3.21 s"},
               {0.01, "0.0 s", "10 ms"},
               {4e-5, "0.0 s", "40 us"},
               {59.4, "59 s", "59.4 s"},
               {200, "3 min 20 s", "200 s"},
               {7500, "2 h 5 min", "7.5e+03 s"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[64];
    st_duration_text(cases[i].seconds, text, sizeof text);
    assert_string_equal(text, cases[i].left);
    st_step_text(cases[i].seconds, text, sizeof text);
    assert_string_equal(text, cases[i].step);
  }
}

static void unknown_time_left_is_not_said(void **state) {
  (void)state;
  StMoment moment = half_way;
  moment.seconds_left = NAN;
  char text[512];
  st_progress_line(&moment, text, sizeof text);
  assert_string_equal(text, " 50%  0.500 of 1 s  h 10 ms  Newton 3  frame 12/24");
}

static void style_follows_stream(void **state) {
  (void)state;
  FILE *file = tmpfile();
  assert_int_equal(st_progress_style(file, false), ST_PROGRESS_PLAIN);
  assert_int_equal(st_progress_style(file, true), ST_PROGRESS_QUIET);
  fclose(file);
}

static void plain_lines_are_few(void **state) {
  (void)state;
  FILE *file = tmpfile();
  StProgress progress = {.stream = file, .style = ST_PROGRESS_PLAIN};
  StMoment moment = half_way;
  for (int i = 0; i < 1000; i++) {
    moment.time = i / 1000.0;
    st_progress_update(&progress, &moment, true);
  }
  moment.time = 1;
  st_progress_update(&progress, &moment, true);
  rewind(file);
  int lines = 0;
  for (int c = fgetc(file); c != EOF; c = fgetc(file))
    lines += c == '\n';
  assert_int_equal(lines, 2);
  fclose(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bar_says_everything_when_wide),
      cmocka_unit_test(bar_fits_any_width),
      cmocka_unit_test(narrow_bar_keeps_what_tells_most),
      cmocka_unit_test(blocks_are_drawn_in_eighths),
      cmocka_unit_test(times_have_fitting_units),
      cmocka_unit_test(unknown_time_left_is_not_said),
      cmocka_unit_test(style_follows_stream),
      cmocka_unit_test(plain_lines_are_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
