// The page as a file: everything is in it, names stay text, and long runs are thinned.
#include "show/view_page.h"
#include "support/small_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Heard {
  int warnings;
  char text[512];
} Heard;

static void hear(void *context, StLevel level, const char *text) {
  Heard *heard = context;
  heard->warnings += level == ST_WARNING;
  snprintf(heard->text, sizeof heard->text, "%s", text);
}

static StViewRun opened(void) {
  StViewRun run;
  StError error = {0};
  if (st_view_run_open(scratch("run"), false, NULL, &run, &error) != ST_OK)
    fail_msg("%s", error.text);
  return run;
}

// A program may be built without the page, and then says how to get it.
static bool there_is_a_page(void) {
  StError error = {0};
  if (st_view_page_check(&error) == ST_OK)
    return true;
  assert_int_equal(error.status, ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "Node.js"));
  return false;
}

static char *written(StViewRun *run, int count, size_t most, Heard *heard) {
  StLog log = {hear, heard};
  StError error = {0};
  if (st_view_page_write(run, count, scratch("page.html"), most, &log, &error) != ST_OK)
    fail_msg("%s", error.text);
  return scratch_read(scratch("page.html"), NULL);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void everything_is_in_the_file(void **state) {
  (void)state;
  if (!there_is_a_page())
    skip();
  StViewRun run = opened();
  Heard heard = {0};
  char *page = written(&run, 1, ST_VIEW_PAGE_BYTES, &heard);
  assert_int_equal(heard.warnings, 0);
  static const char *const blocks[] = {
      "data-0-pack-0-position", "data-0-pack-0-stress", "data-0-surface",
      "data-0-inside",          "data-0-history",       "data-0-held",
      "data-0-obstacle-0",      "data-0-obstacle-1",    "data-0-run"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    char element[64];
    snprintf(element, sizeof element, "id=\"%s\">", blocks[i]);
    assert_int_equal(count_of(page, element), 1);
  }
  assert_int_equal(count_of(page, "<!--stiction-data-->"), 0);
  assert_int_equal(count_of(page, "</html>"), 1);
  free(page);
  st_view_run_close(&run);
}

static void names_stay_text(void **state) {
  (void)state;
  if (!there_is_a_page())
    skip();
  StViewRun run = opened();
  free(run.recording.description->title);
  run.recording.description->title = strdup("</script><img src=x>");
  Heard heard = {0};
  char *page = written(&run, 1, ST_VIEW_PAGE_BYTES, &heard);
  assert_int_equal(count_of(page, "</script><img"), 0);
  assert_int_equal(count_of(page, "\"\\u003c/script>\\u003cimg src=x>\""), 1);
  free(page);
  st_view_run_close(&run);
}

static void two_runs_share_a_page(void **state) {
  (void)state;
  if (!there_is_a_page())
    skip();
  StViewRun run[2] = {opened(), opened()};
  Heard heard = {0};
  char *page = written(run, 2, ST_VIEW_PAGE_BYTES, &heard);
  assert_int_equal(heard.warnings, 0);
  assert_int_equal(count_of(page, "id=\"data-0-run\">"), 1);
  assert_int_equal(count_of(page, "id=\"data-1-run\">"), 1);
  assert_int_equal(count_of(page, "id=\"data-1-pack-0-speed\">"), 1);
  free(page);
  page = written(run, 2, 1, &heard);
  assert_int_equal(count_of(page, "\"times\": [0,0.04]"), 2); // both lose the same frames
  free(page);
  for (int i = 0; i < 2; i++)
    st_view_run_close(&run[i]);
}

// With packs of one frame and a page that is full at once, first and last frame stay. What is
// inside of bodies goes first.
static void long_runs_are_thinned(void **state) {
  (void)state;
  if (!there_is_a_page())
    skip();
  StViewRun run = opened();
  Heard heard = {0};
  char *page = written(&run, 1, 1, &heard);
  assert_true(heard.warnings >= 2);
  assert_true(run.hollow);
  assert_int_equal(run.surface.vertex_count, run.surface.outer_count);
  assert_int_equal(st_view_run_frames(&run), 2);
  assert_non_null(strstr(heard.text, "--every chooses"));
  assert_non_null(strstr(page, "\"times\": [0,0.04]"));
  free(page);
  st_view_run_close(&run);
}

static void every_so_many_frames(void **state) {
  (void)state;
  StViewRun run = opened();
  static const int expected[][4] = {
      {1, 5, 1, 4}, {2, 3, 2, 4}, {3, 3, 3, 4}, {4, 2, 4, 4}, {9, 2, 4, 4}};
  for (int i = 0; i < 5; i++) {
    run.every = expected[i][0];
    int frames = st_view_run_frames(&run);
    assert_int_equal(frames, expected[i][1]);
    assert_int_equal(st_view_run_frame(&run, 1), expected[i][2]);
    assert_int_equal(st_view_run_frame(&run, frames - 1), expected[i][3]);
  }
  st_view_run_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_in_the_file), cmocka_unit_test(names_stay_text),
      cmocka_unit_test(two_runs_share_a_page),     cmocka_unit_test(long_runs_are_thinned),
      cmocka_unit_test(every_so_many_frames),
  };
  return cmocka_run_group_tests(tests, small_run_begin, small_run_end);
}
