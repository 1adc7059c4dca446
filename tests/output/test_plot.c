// Plots: ranges and ticks of axes, and what is in the picture.
#include "output/plot.h"
#include "output/plot_axis.h"
#include "base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void expect_ticks(const StScale *scale, int count, const double *tick) {
  assert_int_equal(scale->tick_count, count);
  for (int i = 0; i < count; i++)
    assert_true(fabs(scale->tick[i] - tick[i]) <= 1e-9 * fabs(tick[i]));
}

static void linear_ticks_are_round(void **state) {
  (void)state;
  StPlotAxis given = {.low = 0, .high = 2}, free = {0};
  StScale scale = st_scale(&given, 0.5, 0.6);
  expect_ticks(&scale, 5, (double[]){0, 0.5, 1, 1.5, 2});
  scale = st_scale(&free, -1, 3);
  expect_ticks(&scale, 5, (double[]){-1, 0, 1, 2, 3});
  assert_true(scale.low < -1 && scale.high > 3);
  scale = st_scale(&free, 5, 5); // a single value is in the middle
  assert_true(fabs(st_scale_at(&scale, 5) - 0.5) < 1e-12);
}

static void logarithmic_ticks_fit_the_decades(void **state) {
  (void)state;
  StPlotAxis few = {.logarithmic = true, .low = 0.005, .high = 0.1},
             many = {.logarithmic = true, .low = 1e-6, .high = 1};
  StScale scale = st_scale(&few, 1, 1);
  expect_ticks(&scale, 5, (double[]){0.005, 0.01, 0.02, 0.05, 0.1});
  assert_true(fabs(st_scale_at(&scale, sqrt(0.005 * 0.1)) - 0.5) < 1e-12);
  scale = st_scale(&many, 1, 1);
  expect_ticks(&scale, 7, (double[]){1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1});
}

static void no_data_gives_a_range_all_the_same(void **state) {
  (void)state;
  StPlotAxis axis = {.logarithmic = true};
  StScale scale = st_scale(&axis, INFINITY, -INFINITY);
  assert_true(scale.low > 0 && scale.high > scale.low && isfinite(scale.high));
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void picture_holds_what_was_given(void **state) {
  (void)state;
  const double x[] = {1, 2, 3, 4}, y[] = {1, NAN, 2, 3};
  const StPlotSeries series[] = {
      {.name = "a < b", .count = 4, .x = x, .y = y},
      {.name = "exact", .style = ST_PLOT_REFERENCE, .count = 4, .x = x, .y = x}};
  const StPlot plot[2] = {{.title = "one & two",
                           .x = {.label = "time (s)"},
                           .y = {.label = "way (m)"},
                           .series_count = 2,
                           .series = series},
                          {.title = "empty"}};
  StText text = {0};
  st_plot_add_svg(&text, plot, 2, 2);
  assert_false(text.failed);
  assert_int_equal(strncmp(text.data, "<svg ", 5), 0);
  assert_int_equal(strcmp(text.data + text.length - 7, "</svg>\n"), 0);
  for (int i = 0; i < 5; i++)
    assert_non_null(strstr(text.data, (const char *const[]){"one &amp; two", "a &lt; b", "time (s)",
                                                            "way (m)", "empty"}[i]));
  assert_null(strstr(text.data, "nan"));
  assert_null(strstr(text.data, "inf"));
  assert_int_equal(count_of(text.data, "<circle"), 3 + 1); // points, and one in the legend
  assert_int_equal(count_of(text.data, "stroke-dasharray"), 2);
  assert_int_equal(count_of(text.data, "<g"), count_of(text.data, "</g>"));
  st_text_free(&text);
}

// The line is drawn in two pieces around the missing point.
static void lines_break_where_a_value_is_missing(void **state) {
  (void)state;
  const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 2, NAN, 2, 3};
  const StPlotSeries series = {.style = ST_PLOT_LINE, .count = 5, .x = x, .y = y};
  const StPlot plot = {.series_count = 1, .series = &series};
  StText text = {0};
  st_plot_add_svg(&text, &plot, 1, 1);
  const char *line = strstr(text.data, "class=\"line\"");
  assert_non_null(line);
  const char *end = strstr(line, "/>");
  int starts = 0, strokes = 0;
  for (const char *at = strstr(line, "d=\"") + 3; at < end; at++) {
    starts += *at == 'M';
    strokes += *at == 'L';
  }
  assert_int_equal(starts, 2);
  assert_int_equal(strokes, 2);
  st_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_ticks_are_round),
      cmocka_unit_test(logarithmic_ticks_fit_the_decades),
      cmocka_unit_test(no_data_gives_a_range_all_the_same),
      cmocka_unit_test(picture_holds_what_was_given),
      cmocka_unit_test(lines_break_where_a_value_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
