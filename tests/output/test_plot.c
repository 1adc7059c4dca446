// Plots: ranges and ticks of axes, and what is in the picture.
#include "output/plot.h"
#include "output/plot_axis.h"
#include "output/plot_range.h"
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
  for (double one = 5e-6; one < 1e7; one *= 1e6) { // a single value is in the middle
    scale = st_scale(&free, one, one * (1 + 1e-12));
    assert_true(fabs(st_scale_at(&scale, one) - 0.5) < 1e-9);
    assert_true(scale.low > 0 && scale.tick_count > 2);
  }
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

// One value of a hundred far above all others leaves the range to those; five of them do not.
static void outliers_do_not_squash(void **state) {
  (void)state;
  double value[100];
  const StPlotAxis robust = {.robust = true}, plain = {0};
  for (int few = 0; few < 2; few++) {
    for (int i = 0; i < 100; i++)
      value[i] = i % 10 + 1;
    for (int i = 0; i < (few ? 1 : 5); i++)
      value[20 * i + 3] = 400;
    StPlotRange range = st_plot_range(&robust, value, 100);
    assert_true(range.low == 1 && range.high == (few ? 10 : 400));
    assert_int_equal(range.cut, few);
    range = st_plot_range(&plain, value, 100);
    assert_true(range.high == 400 && !range.cut);
  }
  for (int i = 0; i < 100; i++) // nearly constant: no width to measure by
    value[i] = i == 50 ? 7 : 2;
  assert_true(st_plot_range(&robust, value, 100).high == 7);
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

static StText draw(const StPlot *plot) {
  StText text = {0};
  st_plot_add_svg(&text, plot, 1, 1);
  assert_false(text.failed);
  return text;
}

// Solid, dashed and dotted lines, each once in the plot and once in the legend.
static void lines_have_their_dashes(void **state) {
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {0, 1, 4};
  const StPlotSeries series[] = {
      {.name = "quadratic", .style = ST_PLOT_LINE, .count = 3, .x = x, .y = y},
      {.name = "gas", .style = ST_PLOT_LINE, .dash = ST_PLOT_DASHED, .count = 3, .x = x, .y = x},
      {.name = "oil", .style = ST_PLOT_LINE, .dash = ST_PLOT_DOTTED, .count = 3, .x = y, .y = x}};
  const StPlot plot = {.series_count = 3, .series = series};
  StText text = draw(&plot);
  assert_int_equal(count_of(text.data, "class=\"line\""), 6);
  assert_int_equal(count_of(text.data, "stroke-dasharray=\"6 4\""), 2);
  assert_int_equal(count_of(text.data, "stroke-dasharray=\"1.6 3\""), 2);
  assert_null(strstr(text.data, "<circle"));
  st_text_free(&text);
}

static double attribute(const char *element, const char *name) {
  const char *at = strstr(element, name);
  assert_non_null(at);
  return strtod(at + strlen(name), NULL);
}

static void expect_corner(const double y[4], bool right, bool lower) {
  const double x[] = {0, 0.1, 0.9, 1};
  const StPlotSeries series = {.name = "curve", .style = ST_PLOT_LINE, .count = 4, .x = x, .y = y};
  StPlot plot = {.series_count = 1, .series = &series};
  StText beside = draw(&plot);
  plot.legend = ST_PLOT_LEGEND_INSIDE;
  StText inside = draw(&plot);
  const char *box = strstr(inside.data, "class=\"box\"");
  const char *frame = strstr(inside.data, "class=\"frame\"");
  assert_null(strstr(beside.data, "class=\"box\""));
  assert_non_null(box);
  double x0 = attribute(box, " x=\"") - attribute(frame, " x=\"");
  double y0 = attribute(box, " y=\"") - attribute(frame, " y=\"");
  double x1 = x0 + attribute(box, " width=\""), y1 = y0 + attribute(box, " height=\"");
  double width = attribute(frame, " width=\""), height = attribute(frame, " height=\"");
  assert_true(right ? x0 > width / 2 && x1 < width : x0 > 0 && x1 < width / 2);
  assert_true(lower ? y0 > height / 2 && y1 < height : y0 > 0 && y1 < height / 2);
  // The picture is narrower without a legend beside it.
  assert_true(attribute(inside.data, " width=\"") < attribute(beside.data, " width=\"") - 100);
  st_text_free(&beside);
  st_text_free(&inside);
}

static void legend_inside_takes_the_free_corner(void **state) {
  (void)state;
  expect_corner((double[]){1, 0, 0, 0}, true, false);
  expect_corner((double[]){0, 0, 0, 1}, false, false);
  expect_corner((double[]){0, 1, 1, 1}, true, true);
  expect_corner((double[]){1, 1, 1, 0}, false, true);
}

// Data in SI, shown in what suits: 2 m³ as 2000 l.
static void axes_have_units(void **state) {
  (void)state;
  const double x[] = {1, 2, 3}, y[] = {1e5, 2e5, 3e5};
  const StPlotSeries series = {.style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  const StPlot plot = {
      .x = {.unit = 1e-3}, .y = {.unit = 1e3}, .series_count = 1, .series = &series};
  StText text = draw(&plot);
  assert_non_null(strstr(text.data, ">2000<"));
  assert_non_null(strstr(text.data, ">200<"));
  st_text_free(&text);
}

// A path has a dot where it begins and nowhere else, also when it is no longer than that.
static void paths_show_where_they_begin(void **state) {
  (void)state;
  const double x[] = {3, 2, 1}, y[] = {1, 2, 3};
  for (int count = 0; count <= 3; count++) {
    const StPlotSeries series = {.style = ST_PLOT_PATH, .count = count, .x = x, .y = y};
    const StPlot plot = {.x = {.low = 1, .high = 3}, .series_count = 1, .series = &series};
    StText text = draw(&plot);
    assert_int_equal(count_of(text.data, "<circle"), count > 0);
    if (count > 0)
      assert_true(attribute(strstr(text.data, "<circle"), " cx=\"") == 472);
    st_text_free(&text);
  }
}

// A hundred thousand steps that hardly move are few points.
static void close_points_are_one(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  double *x = ST_NEW(double, COUNT);
  assert_non_null(x);
  for (int i = 0; i < COUNT; i++)
    x[i] = i;
  const StPlotSeries series = {.style = ST_PLOT_LINE, .count = COUNT, .x = x, .y = x};
  const StPlot plot = {.series_count = 1, .series = &series};
  StText text = draw(&plot);
  assert_true(text.length < 40000);
  free(x);
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
      cmocka_unit_test(outliers_do_not_squash),
      cmocka_unit_test(picture_holds_what_was_given),
      cmocka_unit_test(lines_have_their_dashes),
      cmocka_unit_test(legend_inside_takes_the_free_corner),
      cmocka_unit_test(axes_have_units),
      cmocka_unit_test(paths_show_where_they_begin),
      cmocka_unit_test(close_points_are_one),
      cmocka_unit_test(lines_break_where_a_value_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
