// Plots of the public interface: the files written, and the messages on failure.
#include <stiction/plot.h>

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void must(StictionStatus status) {
  if (status != STICTION_OK)
    fail_msg("%s", stiction_plot_error());
}

static void must_fail(StictionStatus status, StictionStatus wanted, const char *text) {
  assert_int_equal(status, wanted);
  if (!strstr(stiction_plot_error(), text))
    fail_msg("'%s' does not say '%s'", stiction_plot_error(), text);
}

static StictionStatus draw(const char *path) {
  const double x[] = {1, 2, 3}, y[] = {1, 4, NAN};
  const StictionSeries series[] = {
      {.name = "measured", .style = STICTION_MARKS, .count = 3, .x = x, .y = y},
      {.name = NULL, .style = STICTION_REFERENCE, .count = 2, .x = x, .y = x},
  };
  StictionPlot plot = {.size = sizeof plot,
                       .title = "Growth",
                       .x = {.label = "time (s)"},
                       .y = {.label = "height (m)", .logarithmic = true},
                       .series_count = 2,
                       .series = series};
  return stiction_plot_write(path, (StictionPlot[]){plot, plot}, 2, 2);
}

static void plots_have_their_labels(void **state) {
  (void)state;
  must(draw("growth.svg"));
  must(draw("growth.png"));
  FILE *file = fopen("growth.svg", "r");
  assert_non_null(file);
  char text[1 << 16] = {0};
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  assert_non_null(strstr(text, "<desc>Growth: height (m) over time (s): measured\nGrowth: "));
}

static void folder_must_be_there(void **state) {
  (void)state;
  must_fail(draw("nowhere/growth.svg"), STICTION_SYSTEM_FAULT, "nowhere/growth.svg");
}

// The axes of numbers near the largest there is end there.
static void huge_numbers_have_axes(void **state) {
  (void)state;
  static const double values[] = {1e-300, 1, 1e300, 1.7e308};
  StictionSeries series = {.name = "huge", .count = 4, .x = values, .y = values};
  for (int i = 0; i < 4; i++) {
    StictionPlot plot = {.size = sizeof plot,
                         .title = "huge",
                         .x = {.logarithmic = i % 2},
                         .y = {.logarithmic = i / 2},
                         .series_count = 1,
                         .series = &series};
    must(stiction_plot_write("huge.svg", &plot, 1, 1));
  }
}

static void odd_plots_are_refused(void **state) {
  (void)state;
  static const double values[] = {1, 2};
  StictionSeries series = {.count = 2, .x = values};
  StictionPlot plot = {.size = sizeof plot, .series_count = 1, .series = &series};
  must_fail(stiction_plot_write("odd.svg", &plot, 1, 1), STICTION_BAD_INPUT, "a plot needs series");
  series.y = values;
  series.colour = -1;
  must_fail(stiction_plot_write("odd.svg", &plot, 1, 1), STICTION_BAD_INPUT, "a plot needs series");
  plot.series_count = -1;
  must_fail(stiction_plot_write("odd.svg", &plot, 1, 1), STICTION_BAD_INPUT, "a plot needs series");
  plot.size = 8;
  must_fail(stiction_plot_write("odd.svg", &plot, 1, 1), STICTION_BAD_INPUT, "sizeof");
  must_fail(stiction_plot_write(NULL, &plot, 1, 1), STICTION_BAD_INPUT, "needs a path");
  must_fail(stiction_plot_write("odd.svg", &plot, 0, 1), STICTION_BAD_INPUT, "needs a path");
}

static void *draw_often(void *context) {
  for (int i = 0; i < 20; i++)
    if (draw(context) != STICTION_OK)
      return context;
  return NULL;
}

static void threads_draw_at_once(void **state) {
  (void)state;
  char path[4][24];
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) {
    snprintf(path[i], sizeof path[i], "thread%d.%s", i, i % 2 ? "svg" : "png");
    assert_int_equal(pthread_create(&thread[i], NULL, draw_often, path[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    void *failed = NULL;
    pthread_join(thread[i], &failed);
    assert_null(failed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(huge_numbers_have_axes),  cmocka_unit_test(odd_plots_are_refused),
      cmocka_unit_test(plots_have_their_labels), cmocka_unit_test(folder_must_be_there),
      cmocka_unit_test(threads_draw_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
