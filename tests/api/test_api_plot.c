// Plots of the public interface: what is written, and what is said when it cannot be.
#include "api/session.h"

static StictionStatus draw(Stiction *session, const char *path) {
  const double x[] = {1, 2, 3}, y[] = {1, 4, NAN};
  const StictionSeries series[] = {
      {.name = "measured", .style = STICTION_MARKS, .count = 3, .x = x, .y = y},
      {.name = NULL, .style = STICTION_REFERENCE, .count = 2, .x = x, .y = x},
  };
  StictionPlot plot = {.title = "Growth",
                       .x_label = "time (s)",
                       .y_label = "height (m)",
                       .y_logarithmic = true,
                       .series_count = 2,
                       .series = series};
  return stiction_plot_write(session, path, &plot);
}

static void plot_has_its_labels(void **state) {
  must(*state, draw(*state, "growth.svg"));
  FILE *file = fopen("growth.svg", "r");
  assert_non_null(file);
  char text[1 << 16] = {0};
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  const char *const wanted[] = {"<svg", "Growth", "time (s)", "height (m)", "measured", "</svg>"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    assert_non_null(strstr(text, wanted[i]));
}

static void folder_must_be_there(void **state) {
  StictionStatus status = draw(*state, "nowhere/growth.svg");
  must_fail(*state, status, STICTION_SYSTEM_FAULT, "nowhere/growth.svg");
}

// The axes of numbers near the largest there is end there.
static void huge_numbers_have_axes(void **state) {
  static const double values[] = {1e-300, 1, 1e300, 1.7e308};
  StictionSeries series = {.name = "huge", .count = 4, .x = values, .y = values};
  for (int i = 0; i < 4; i++) {
    StictionPlot plot = {.title = "huge",
                         .x_logarithmic = i % 2,
                         .y_logarithmic = i / 2,
                         .series_count = 1,
                         .series = &series};
    must(*state, stiction_plot_write(*state, "huge.svg", &plot));
  }
}

static void odd_plots_are_refused(void **state) {
  static const double values[] = {1, 2};
  StictionSeries series = {.count = 2, .x = values};
  StictionPlot plot = {.series_count = 1, .series = &series};
  must_fail(*state, stiction_plot_write(*state, "odd.svg", &plot), STICTION_BAD_INPUT,
            "a plot needs series");
  plot.series_count = -1;
  must_fail(*state, stiction_plot_write(*state, "odd.svg", &plot), STICTION_BAD_INPUT,
            "a plot needs series");
  must_fail(*state, stiction_plot_write(*state, NULL, &plot), STICTION_BAD_INPUT, "path is NULL");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(huge_numbers_have_axes),
      cmocka_unit_test(odd_plots_are_refused),
      cmocka_unit_test(plot_has_its_labels),
      cmocka_unit_test(folder_must_be_there),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
