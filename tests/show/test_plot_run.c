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
  if (st_plot_runs(run, run_count, word, word_count, scratch("plot.svg"), &error) != ST_OK)
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
        count_of(svg, (const char *const[]){">energy (", ">height of the centre of mass (",
                                            ">friction and normal force (", ">deepest gap (",
                                            ">Newton iterations<", ">linear iterations<"}[i]),
        1);
  assert_null(strstr(svg, "pressure"));
  assert_int_equal(count_of(svg, ">time (s)<"), 6);
  free(svg);
}

static void columns_go_by_pattern_and_name(void **state) {
  (void)state;
  char *svg = drawn(1, (const char *const[]){"energy", "momentum_z", "contact"}, 3);
  has(svg, ">kinetic<");
  has(svg, ">solid<");
  has(svg, ">energy (J)<");
  has(svg, ">momentum_z (kg m/s)<");
  has(svg, ">normal force (N)<");
  assert_null(strstr(svg, ">friction<"));
  free(svg);
}

// One column: colours and dashes differ, and the legend names folders. Several: it explains both.
static void runs_are_told_apart(void **state) {
  (void)state;
  char *svg = drawn(2, (const char *const[]){"height"}, 1);
  has(svg, ">run<");
  has(svg, ">other<");
  assert_int_equal(count_of(svg, "class=\"line\""), 4);
  assert_int_equal(count_of(svg, "stroke-dasharray"), 2);
  assert_int_equal(count_of(svg, "stroke=\"#d55e00\""), 2);
  free(svg);
  svg = drawn(2, (const char *const[]){"energy"}, 1);
  has(svg, ">run<");
  has(svg, ">other<");
  assert_int_equal(count_of(svg, ">kinetic<"), 1);
  assert_int_equal(count_of(svg, "class=\"line reference\""), 2);
  free(svg);
}

static void refuse(const char *word, const char *text) {
  StError error = {0};
  assert_int_equal(st_plot_runs(run, 1, &word, 1, scratch("no.svg"), &error), ST_BAD_INPUT);
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
      cmocka_unit_test(runs_are_told_apart),
      cmocka_unit_test(unknown_words_are_refused),
      cmocka_unit_test(the_list_is_of_this_run),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
