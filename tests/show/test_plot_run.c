// Plots of runs: quantities find their columns, units suit, and compared runs are told apart.
#include "base/memory.h"
#include "show/plot_run.h"
#include "support/small_run.h"

#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static StRecording run[2];

static int begin(void **state) {
  StError error = {0};
  char command[256];
  if (small_run_begin(state) != 0)
    return -1;
  snprintf(command, sizeof command, "cp -r %s/run %s/other", scratch_folder, scratch_folder);
  if (system(command) != 0 || st_recording_load(scratch("run"), NULL, &run[0], &error) != ST_OK)
    return -1;
  return st_recording_load(scratch("other"), NULL, &run[1], &error) == ST_OK ? 0 : -1;
}

static int end(void **state) {
  st_recording_close(&run[0]);
  st_recording_close(&run[1]);
  return small_run_end(state);
}

// The picture of these words; free() it.
static char *drawn(int run_count, const char *const *word, int word_count) {
  StError error = {0};
  StPlotRequest request = {
      .run_count = run_count, .run = run, .word_count = word_count, .word = word};
  if (st_plot_runs(&request, scratch("plot.svg"), &error) != ST_OK)
    fail_msg("%s", error.text);
  return scratch_read(scratch("plot.svg"), NULL);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void has(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("there is no '%s'", part);
}

static void usual_quantities_are_those_there(void **state) {
  (void)state;
  char *svg = drawn(1, NULL, 0);
  for (int i = 0; i < 6; i++) // once each: an axis says what it shows, and no title says it again
    assert_int_equal(
        count_of(svg, (const char *const[]){"energy (", "height of the centre of mass (",
                                            "friction and normal force (", "deepest gap (",
                                            "Newton iterations over", "linear iterations over"}[i]),
        1);
  assert_null(strstr(svg, "pressure"));
  assert_int_equal(count_of(svg, "over time (ms)"), 6);
  free(svg);
}

static void columns_go_by_pattern_and_name(void **state) {
  (void)state;
  char *svg = drawn(1, (const char *const[]){"energy", "momentum_z", "contact", "momentum_?"}, 4);
  has(svg, "<desc>energy (J) over time (ms): kinetic, solid");
  has(svg, "\nmomentum_z (kg m/s) over time (ms)\n");
  has(svg, "\nnormal force (N) over time (ms)\n");
  has(svg, "\nmomentum_? (kg m/s) over time (ms): x, y, z<");
  assert_null(strstr(svg, "friction"));
  free(svg);
}

static void patterns_tell_what_the_legend_shows(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *name, *shown; // NULL: it does not fit
  } cases[] = {{"a(*)", "a(ball)", "ball"},
               {"a_?(b)", "a_x(b)", "x"},
               {"a_?(*)", "a_x(ball)", "ball"},
               {"a", "a", "a"},
               {"a(*)", "a()", NULL},
               {"a_?", "a_", NULL},
               {"a_?", "a_xy", NULL},
               {"*_b", "a_b", "a"},
               {"*_b", "a_c", NULL},
               {"a?c*", "abcd", "d"},
               {"*", "anything", "anything"}};
  for (int i = 0; i < ST_LENGTH(cases); i++) {
    int begin = -1, length = -1;
    bool fits = st_plot_match(cases[i].pattern, cases[i].name, &begin, &length);
    assert_int_equal(fits, cases[i].shown != NULL);
    if (fits) {
      assert_int_equal(length, (int)strlen(cases[i].shown));
      assert_memory_equal(cases[i].name + begin, cases[i].shown, (size_t)length);
    }
  }
}

// A run of forty bodies and two gases, made up: no more than 21 lines are told apart, one body's
// curves are by themselves, and pressure goes over volume.
static void made_up_columns_are_drawn(void **state) {
  (void)state;
  enum { BODIES = 40, COLUMNS = 1 + 8 * BODIES + 4, ROWS = 5 };
  static const char *const part[] = {"centre_x",   "centre_y",   "centre_z", "velocity_x",
                                     "velocity_y", "velocity_z", "kinetic",  "elastic"};
  static const char *const gas[] = {"volume(air)", "pressure(air)", "volume(oil)", "pressure(oil)"};
  char text[COLUMNS][40], *name[COLUMNS], *unit[COLUMNS];
  double *value = ST_NEW(double, COLUMNS *ROWS);
  assert_non_null(value);
  for (int c = 0; c < COLUMNS; c++) {
    int body = (c - 1) / 8;
    if (c == 0)
      snprintf(text[c], sizeof text[c], "time");
    else if (body < BODIES)
      snprintf(text[c], sizeof text[c], "%s(b%d)", part[(c - 1) % 8], body);
    else
      snprintf(text[c], sizeof text[c], "%s", gas[c - 1 - 8 * BODIES]);
    name[c] = text[c];
    unit[c] = c == 0 ? "s" : body == BODIES ? (c - 1) % 2 ? "Pa" : "m^3" : "m";
    for (int r = 0; r < ROWS; r++)
      value[c * ROWS + r] = 0.01 * r + (c > 0) * 0.1 * c;
  }
  StRecording made = {.folder = "made",
                      .description = run[0].description,
                      .rows = ROWS,
                      .column_count = COLUMNS,
                      .name = name,
                      .unit = unit,
                      .value = value};
  StPlotRequest request = {.run_count = 1,
                           .run = &made,
                           .word_count = 2,
                           .word = (const char *const[]){"heights", "pressure_volume"},
                           .body = "b7"};
  StError error = {0};
  if (st_plot_runs(&request, scratch("made.svg"), &error) != ST_OK)
    fail_msg("%s", error.text);
  char *svg = scratch_read(scratch("made.svg"), NULL);
  has(svg, "<desc>centre of b7 (m) over time (ms): x, y, z\nvelocity of b7 (m) over time (ms): x, "
           "y, z\nenergy of b7 (m) over time (ms): kinetic(b7), elastic(b7)\nheights of bodies "
           "(m) over time (ms): b0, b1, b2,");
  has(svg, ", b20, and 19 more\nabsolute pressure (Pa) over volume (m³): air, oil</desc>");
  free(svg);
  request.body = "b99";
  assert_int_equal(st_plot_runs(&request, scratch("no.svg"), &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "made: the history says nothing of a body 'b99'"));
  free(value);
}

// One column: colours and dashes differ, and the legend names folders. Several: it explains both.
static void runs_are_told_apart(void **state) {
  (void)state;
  char *svg = drawn(2, (const char *const[]){"height"}, 1);
  has(svg, "over time (ms): run, other<");
  assert_int_equal(count_of(svg, "stroke-dasharray"), 2);
  assert_int_equal(count_of(svg, "stroke:rgb(83.529412%,36.862745%,0%)"), 2);
  free(svg);
  svg = drawn(2, (const char *const[]){"energy"}, 1);
  has(svg, "kinetic, solid");
  has(svg, ", run, other<");
  free(svg);
}

static void refuse(const char *word, const char *text) {
  StError error = {0};
  StPlotRequest request = {.run_count = 1, .run = run, .word_count = 1, .word = &word};
  assert_int_equal(st_plot_runs(&request, scratch("no.svg"), &error), ST_BAD_INPUT);
  if (!strstr(error.text, text))
    fail_msg("'%s' does not say '%s'", error.text, text);
  assert_false(st_file_exists(scratch("no.svg")));
}

static void unknown_words_are_refused(void **state) {
  (void)state;
  refuse("enrgy", "did you mean 'energy'?");
  refuse("qqqqqqqqqq", "--list shows what there is");
  refuse("pressure", "this run has no pressure to plot");
}

static void the_list_is_of_this_run(void **state) {
  (void)state;
  StText text = {0};
  st_plot_list(&run[0], &text);
  assert_false(text.failed);
  has(text.data, "  momentum          momentum: momentum_x, momentum_y, momentum_z\n");
  has(text.data, "  deepest_gap (m)\n");
  assert_null(strstr(text.data, "  torque"));
  st_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(usual_quantities_are_those_there),
      cmocka_unit_test(columns_go_by_pattern_and_name),
      cmocka_unit_test(patterns_tell_what_the_legend_shows),
      cmocka_unit_test(made_up_columns_are_drawn),
      cmocka_unit_test(runs_are_told_apart),
      cmocka_unit_test(unknown_words_are_refused),
      cmocka_unit_test(the_list_is_of_this_run),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
