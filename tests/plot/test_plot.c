// Plots: ranges and ticks of axes, and what is in the picture.
#include "base/file.h"
#include "base/memory.h"
#include "plot/axis.h"
#include "plot/palette.h"
#include "plot/plot.h"
#include "plot/range.h"
#include "plot/unit.h"
#include "support/picture.h"

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

static void expect_labels(const StScale *scale, const char *const *label, const char *factor) {
  char text[ST_SCALE_LABEL];
  for (int i = 0; i < scale->tick_count; i++) {
    assert_non_null(label[i]);
    st_scale_label(scale, i, text);
    assert_string_equal(text, label[i]);
  }
  assert_null(label[scale->tick_count]);
  st_scale_factor(scale, text);
  assert_string_equal(text, factor);
}

// The same number of decimals for all, and powers of ten where zeros would have to be counted.
static void ticks_are_called_by_short_names(void **state) {
  (void)state;
  static const struct {
    double low, high;
    bool logarithmic;
    const char *factor, *label[8];
  } cases[] = {
      {-0.5, 1, false, "", {"−0.4", "−0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
      {0, 2000, false, "", {"0", "500", "1000", "1500", "2000"}},
      {0, 4e5, false, "× 10³", {"0", "100", "200", "300", "400"}},
      {0, 8e-6, false, "× 10⁻⁶", {"0", "2", "4", "6", "8"}},
      {2e-8, 4e-8, false, "× 10⁻⁹", {"20", "25", "30", "35", "40"}},
      {0.01, 0.1, true, "", {"0.01", "0.02", "0.05", "0.1"}},
      {1e-5, 1e-4, true, "", {"10⁻⁵", "2·10⁻⁵", "5·10⁻⁵", "10⁻⁴"}},
      {1e-14, 1e-10, true, "", {"10⁻¹⁴", "10⁻¹³", "10⁻¹²", "10⁻¹¹", "10⁻¹⁰"}},
  };
  for (int i = 0; i < ST_LENGTH(cases); i++) {
    StPlotAxis axis = {
        .logarithmic = cases[i].logarithmic, .low = cases[i].low, .high = cases[i].high};
    StScale scale = st_scale(&axis, 0, 0);
    const char *label[9] = {0};
    memcpy(label, cases[i].label, sizeof cases[i].label);
    expect_labels(&scale, label, cases[i].factor);
  }
}

static StText draw(StPicture kind, const StPlot *plot, int count, int columns) {
  StText file = {0};
  StError error = {0};
  if (st_plot_draw(kind, plot, count, columns, &file, &error) != ST_OK)
    fail_msg("%s", error.text);
  return file;
}

static Picture picture(const StPlot *plot) {
  StText file = draw(ST_PICTURE_PNG, plot, 1, 1);
  Picture seen = picture_of(&file);
  assert_non_null(seen.dot);
  st_text_free(&file);
  return seen;
}

static int ink(const StPlot *plot, int colour) {
  Picture seen = picture(plot);
  int count = picture_count(&seen, 0, seen.width, st_palette[colour]);
  free(seen.dot);
  return count;
}

static void picture_says_what_was_given(void **state) {
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
  StText text = draw(ST_PICTURE_SVG, plot, 2, 2);
  assert_non_null(strstr(text.data, "<desc>one &amp; two: way (m) over time (s): a &lt; b, exact\n"
                                    "empty:  over </desc>"));
  assert_null(strstr(text.data, "nan"));
  assert_null(strstr(text.data, "inf"));
  st_text_free(&text);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

// Solid, dashed and dotted lines, each once in the plot and once in the legend; and where colours
// come round again, the next kind.
static void lines_have_their_dashes(void **state) {
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {0, 1, 4};
  StPlotSeries series[ST_PALETTE_SIZE + 1] = {
      {.name = "quadratic", .style = ST_PLOT_LINE, .count = 3, .x = x, .y = y},
      {.name = "gas", .style = ST_PLOT_LINE, .dash = ST_PLOT_DASHED, .count = 3, .x = x, .y = x},
      {.name = "oil", .style = ST_PLOT_LINE, .dash = ST_PLOT_DOTTED, .count = 3, .x = y, .y = x}};
  StPlot plot = {.series_count = 3, .series = series};
  StText text = draw(ST_PICTURE_SVG, &plot, 1, 1);
  assert_int_equal(count_of(text.data, "stroke-dasharray:6,4"), 2);
  assert_int_equal(count_of(text.data, "stroke-dasharray:1.6,3"), 2);
  assert_int_equal(count_of(text.data, "stroke-dasharray"), 4);
  st_text_free(&text);
  for (int s = 0; s <= ST_PALETTE_SIZE; s++)
    series[s] = (StPlotSeries){.name = "one", .style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  plot.series_count = ST_PALETTE_SIZE + 1;
  text = draw(ST_PICTURE_SVG, &plot, 1, 1);
  assert_int_equal(count_of(text.data, "stroke-dasharray:6,4"), 2);
  st_text_free(&text);
}

// Where two pictures differ.
static StBox difference(const Picture *a, const Picture *b) {
  int low[2] = {a->width, a->height}, high[2] = {0, 0};
  assert_int_equal(a->width, b->width);
  assert_int_equal(a->height, b->height);
  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++)
      if (memcmp(picture_dot(a, x, y), picture_dot(b, x, y), 3) != 0) {
        low[0] = x < low[0] ? x : low[0];
        low[1] = y < low[1] ? y : low[1];
        high[0] = x > high[0] ? x : high[0];
        high[1] = y > high[1] ? y : high[1];
      }
  assert_true(low[0] <= high[0]);
  return (StBox){low[0], low[1], high[0] - low[0], high[1] - low[1]};
}

static void expect_corner(const double y[4], bool right, bool lower) {
  const double x[] = {0, 0.1, 0.9, 1};
  StPlotSeries series = {.style = ST_PLOT_LINE, .count = 4, .x = x, .y = y};
  const StPlot plot = {.legend = ST_PLOT_LEGEND_INSIDE, .series_count = 1, .series = &series};
  Picture without = picture(&plot);
  series.name = "curve";
  Picture with = picture(&plot);
  StBox box = difference(&without, &with);
  assert_true(right ? box.x > 0.6 * with.width : box.x + box.width < 0.5 * with.width);
  assert_true(lower ? box.y > 0.5 * with.height : box.y + box.height < 0.4 * with.height);
  free(without.dot);
  free(with.dot);
}

static void legend_inside_takes_the_free_corner(void **state) {
  (void)state;
  expect_corner((double[]){1, 0, 0, 0}, true, false);
  expect_corner((double[]){0, 0, 0, 1}, false, false);
  expect_corner((double[]){0, 1, 1, 1}, true, true);
  expect_corner((double[]){1, 1, 1, 0}, false, true);
}

// A legend beside makes the picture wider by what its names need, up to a limit; one with more
// names than there is room for becomes narrower in height, and never covers the panel below.
static void legend_beside_finds_room(void **state) {
  (void)state;
  char name[3][200] = {"a", "a name of some length", ""};
  memset(name[2], 'w', 199);
  const double x[] = {0, 1}, y[] = {0, 1};
  int width[3];
  for (int i = 0; i < 3; i++) {
    const StPlotSeries series = {
        .name = name[i], .style = ST_PLOT_LINE, .count = 2, .x = x, .y = y};
    const StPlot plot = {.series_count = 1, .series = &series};
    Picture seen = picture(&plot);
    width[i] = seen.width;
    free(seen.dot);
  }
  assert_true(width[0] + 100 < width[1] && width[1] < width[2] && width[2] < width[0] + 2 * 220);
  StPlotSeries many[24];
  for (int s = 0; s < 24; s++)
    many[s] = (StPlotSeries){
        .name = "mine", .style = ST_PLOT_LINE, .ink = 1 + s % 2, .count = 2, .x = x, .y = y};
  const StPlot plot[2] = {{.series_count = 24, .series = many}, {0}};
  StText file = draw(ST_PICTURE_PNG, plot, 2, 1);
  Picture seen = picture_of(&file);
  for (int v = seen.height / 2; v < seen.height; v++)
    for (int u = 0; u < seen.width; u++)
      assert_false(picture_is(&seen, u, v, st_palette[1]));
  free(seen.dot);
  st_text_free(&file);
}

// A path has a dot where it begins; a value all alone is a dot as well, since it is no line.
static void lonely_values_are_dots(void **state) {
  (void)state;
  const double x[] = {3, 2, 1}, y[] = {1, 2, 3}, gaps[] = {1, NAN, 3};
  const StPlotAxis range = {.low = 0, .high = 4};
  StPlotSeries series = {.style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  const StPlot plot = {.x = range, .y = range, .series_count = 1, .series = &series};
  int line = ink(&plot, 0);
  series.style = ST_PLOT_PATH;
  int path = ink(&plot, 0);
  assert_true(path > line + 30 && path < line + 110); // π 3² pixels of four dots
  series.style = ST_PLOT_LINE;
  series.y = gaps;
  int dots = ink(&plot, 0);
  assert_true(dots > 150 && dots < 230);
  series.count = 0;
  assert_int_equal(ink(&plot, 0), 0);
}

// The line is drawn in two pieces around the missing point.
static void lines_break_where_a_value_is_missing(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 4}, whole[] = {1, 1, 1, 1, 1}, gap[] = {1, 1, NAN, 1, 1};
  StPlotSeries series = {.style = ST_PLOT_LINE, .count = 5, .x = x, .y = whole};
  const StPlot plot = {.series_count = 1, .series = &series};
  int all = ink(&plot, 0);
  series.y = gap;
  assert_true(fabs(ink(&plot, 0) - 0.5 * all) < 0.02 * all);
}

// Data in SI, shown in what suits: 2 m³ as 2000 l. Half a unit is the same picture.
static void axes_have_units(void **state) {
  (void)state;
  const double x[] = {1, 2, 3}, y[] = {1e5, 2e5, 3e5},
               shown[2][3] = {{1e3, 2e3, 3e3}, {100, 200, 300}};
  StPlotSeries series = {.style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  StPlot plot = {.x = {.unit = 1e-3}, .y = {.unit = 1e3}, .series_count = 1, .series = &series};
  StText with = draw(ST_PICTURE_SVG, &plot, 1, 1);
  series.x = shown[0], series.y = shown[1];
  plot.x.unit = plot.y.unit = 0;
  StText plain = draw(ST_PICTURE_SVG, &plot, 1, 1);
  assert_string_equal(with.data, plain.data);
  st_text_free(&with);
  st_text_free(&plain);
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
  StText text = draw(ST_PICTURE_SVG, &plot, 1, 1);
  assert_true(text.length < 80000);
  free(x);
  st_text_free(&text);
}

// Drawn twice, the bytes are the same: nothing of the process is in the file.
static void the_same_is_drawn_alike(void **state) {
  (void)state;
  const double x[] = {1, 2, 3};
  const StPlotSeries series = {.name = "one", .count = 3, .x = x, .y = x};
  const StPlot plot = {.title = "title", .series_count = 1, .series = &series};
  for (int kind = ST_PICTURE_SVG; kind <= ST_PICTURE_PNG; kind++) {
    StText one = draw((StPicture)kind, &plot, 1, 1), two = draw((StPicture)kind, &plot, 1, 1);
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.data, two.data, one.length);
    st_text_free(&one);
    st_text_free(&two);
  }
}

static void the_ending_tells_the_kind(void **state) {
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {0, 2e-3, 1e-3};
  const StPlotSeries series = {.name = "curve", .style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  const StPlot plot = {.title = "plot", .series_count = 1, .series = &series};
  StError error = {0};
  char *data = NULL;
  size_t size;
  assert_int_equal(st_plot_write("plot.png", &plot, 1, 1, &error), ST_OK);
  assert_int_equal(st_plot_write("plot.svg", &plot, 1, 1, &error), ST_OK);
  assert_int_equal(st_file_read("plot.png", &data, &size, &error), ST_OK);
  assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
  free(data);
  assert_int_equal(st_file_read("plot.svg", &data, &size, &error), ST_OK);
  assert_non_null(strstr(data, "<svg "));
  free(data);
  assert_int_equal(st_plot_write("nowhere/plot.svg", &plot, 1, 1, &error), ST_SYSTEM_FAULT);
  assert_non_null(strstr(error.text, "nowhere/plot.svg"));
}

static void units_fit(void **state) {
  (void)state;
  static const struct {
    const char *si;
    double most;
    const char *shown;
  } cases[] = {{"J", 3e-4, "µJ"},    {"J", 0, "J"},         {"m", 0.5, "mm"},     {"m", 2, "m"},
               {"m^3", 1e-5, "cm³"}, {"Pa", 101325, "kPa"}, {"rad", 1e-9, "rad"}, {"", 7, ""},
               {"m^3", 0, "m³"},     {"s", 1e-12, "µs"}};
  for (int i = 0; i < ST_LENGTH(cases); i++)
    assert_string_equal(st_plot_unit(cases[i].si, cases[i].most).shown, cases[i].shown);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_ticks_are_round),
      cmocka_unit_test(logarithmic_ticks_fit_the_decades),
      cmocka_unit_test(no_data_gives_a_range_all_the_same),
      cmocka_unit_test(outliers_do_not_squash),
      cmocka_unit_test(ticks_are_called_by_short_names),
      cmocka_unit_test(picture_says_what_was_given),
      cmocka_unit_test(lines_have_their_dashes),
      cmocka_unit_test(legend_inside_takes_the_free_corner),
      cmocka_unit_test(legend_beside_finds_room),
      cmocka_unit_test(lonely_values_are_dots),
      cmocka_unit_test(lines_break_where_a_value_is_missing),
      cmocka_unit_test(axes_have_units),
      cmocka_unit_test(close_points_are_one),
      cmocka_unit_test(the_same_is_drawn_alike),
      cmocka_unit_test(the_ending_tells_the_kind),
      cmocka_unit_test(units_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
