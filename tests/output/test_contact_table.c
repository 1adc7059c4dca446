// contacts.csv: a row per touching pair and step, appended; what a resumed run finds again.
#include "output/contact_table.h"
#include "output/sample.h"
#include "output/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static const char HEADING[] =
    "step,time [s],pair,touching,sticking,normal [N],friction_x [N],friction_y [N],friction_z [N],"
    "force_x [N],force_y [N],force_z [N],lost [J]\n";

// The kite touches in every step, the sheet in those after the second.
static StReport touching_report(long step) {
  static const int touching[] = {0, 1};
  StReport report = sample_contact_report(step);
  report.touching = touching;
  report.touching_count = step > 2 ? 2 : 1;
  return report;
}

static void add(StContactTable *table, long step) {
  StReport report = touching_report(step);
  assert_int_equal(st_contact_table_add(table, &report, NULL), ST_OK);
}

static StContactTable *make(const char *path, long steps) {
  StContactTable *table = NULL;
  assert_int_equal(st_contact_table_create(path, &table, NULL), ST_OK);
  for (long i = 0; i < steps; i++)
    add(table, i);
  assert_int_equal(st_contact_table_flush(table, NULL), ST_OK);
  return table;
}

static void assert_text(const char *path, const char *wanted) {
  char *text = scratch_read(path, NULL);
  assert_string_equal(text, wanted);
  free(text);
}

static void test_each_touching_pair_has_a_row(void **state) {
  (void)state;
  const char *path = scratch("rows.csv");
  StContactTable *table = make(path, 1);
  char *text = scratch_read(path, NULL);
  assert_memory_equal(text, HEADING, sizeof HEADING - 1);
  assert_string_equal(text + sizeof HEADING - 1, "0,0,kite|floor,4,3,8,1,2,3,0,0,0,0\n");
  free(text);
  add(table, 4);
  assert_int_equal(st_contact_table_flush(table, NULL), ST_OK);
  assert_int_equal(st_contact_table_flush(table, NULL), ST_OK); // adds nothing
  text = scratch_read(path, NULL);
  assert_string_equal(text + sizeof HEADING - 1,
                      "0,0,kite|floor,4,3,8,1,2,3,0,0,0,0\n"
                      "4,0.20000000000000001,kite|floor,4,3,8,1,2,3,0,0,0,0\n"
                      "4,0.20000000000000001,she_et|ki_te,0,0,0.1,0,0,0,0,0,0,0\n");
  free(text);
  st_contact_table_destroy(table);
}

// What was written when a run had got to this step.
static StContactsWritten written_at(long step) {
  StContactTable *table = make(scratch("so_far.csv"), step + 1);
  StContactsWritten written = st_contact_table_written(table);
  st_contact_table_destroy(table);
  return written;
}

static void resume(const char *path, long step, long steps) {
  StContactTable *table = NULL;
  StContactsWritten written = written_at(step);
  assert_int_equal(st_contact_table_resume(path, written, NULL, &table, NULL), ST_OK);
  for (long i = step + 1; i < steps; i++)
    add(table, i);
  assert_int_equal(st_contact_table_flush(table, NULL), ST_OK);
  st_contact_table_destroy(table);
}

// Later rows go, and so does a line that was being written when the run was killed.
static void test_resume_drops_later_rows(void **state) {
  (void)state;
  const char *path = scratch("resumed.csv");
  st_contact_table_destroy(make(path, 6));
  char *whole = scratch_read(path, NULL);
  resume(path, 3, 6);
  assert_text(path, whole);
  FILE *file = fopen(path, "a");
  assert_true(file && fputs("6,0.3,kite|fl", file) >= 0 && fclose(file) == 0);
  resume(path, 5, 6);
  assert_text(path, whole);
  free(whole);
}

static void expect_damage(const char *path, StContactsWritten written, const char *words) {
  StContactTable *table = NULL;
  StError error = {0};
  char *before = scratch_read(path, NULL);
  assert_int_equal(st_contact_table_resume(path, written, NULL, &table, &error), ST_BAD_INPUT);
  assert_null(table);
  assert_non_null(strstr(error.text, words));
  assert_text(path, before);
  free(before);
}

// A change in any byte up to the checkpoint, or a file that ends before it; nothing is touched.
static void test_damage_is_found(void **state) {
  (void)state;
  const char *path = scratch("damaged.csv");
  StContactsWritten written = written_at(3);
  for (long at = 0; at < written.size; at += 37) {
    st_contact_table_destroy(make(path, 6));
    FILE *file = fopen(path, "r+");
    assert_true(file && fseek(file, at, SEEK_SET) == 0 && fputc('#', file) == '#');
    assert_int_equal(fclose(file), 0);
    expect_damage(path, written,
                  "damaged.csv: damaged (rows up to here have changed); restore the file");
  }
  st_contact_table_destroy(make(path, 2));
  expect_damage(path, written, "damaged.csv: damaged (");
  assert_true(written_at(1).size < written.size);
}

static void test_a_lost_file_begins_again(void **state) {
  (void)state;
  const char *path = scratch("lost.csv");
  resume(path, 3, 3);
  assert_text(path, HEADING);
}

static void test_failures_are_reported(void **state) {
  (void)state;
  StError error = {0};
  const char *path = scratch("gone.csv");
  StContactTable *table = make(path, 1);
  add(table, 1);
  assert_int_equal(remove(path), 0);
  assert_int_equal(st_contact_table_flush(table, &error), ST_SYSTEM_FAULT);
  assert_non_null(strstr(error.text, "gone.csv: cannot be written"));
  st_contact_table_destroy(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_touching_pair_has_a_row),
      cmocka_unit_test(test_resume_drops_later_rows),
      cmocka_unit_test(test_damage_is_found),
      cmocka_unit_test(test_a_lost_file_begins_again),
      cmocka_unit_test(test_failures_are_reported),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
