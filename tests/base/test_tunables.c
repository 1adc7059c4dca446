// Tunables are in force while held, and initial otherwise; two holders cannot want different ones.
#include "base/tunables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ST_SAMPLE_TUNABLES(T)                                                                      \
  T(patience, 16, "steps", "how long", "chosen")                                                   \
  T(fall, 0.5, "", "how fast", "fitted")

typedef struct StSampleTunables {
  ST_SAMPLE_TUNABLES(ST_TUNABLE_FIELD)
} StSampleTunables;

ST_DEFINE_TUNABLES(sample, StSampleTunables, ST_SAMPLE_TUNABLES);

static const StTunableSetting FASTER = {&st_sample_tunable_table, 1, 0.25};

static void rows_follow_the_struct(void **state) {
  (void)state;
  const StTunableTable *const tables[] = {&st_sample_tunable_table, NULL};
  int row = -1;
  assert_ptr_equal(st_tunables_find(tables, "fall", &row), &st_sample_tunable_table);
  assert_int_equal(row, 1);
  assert_string_equal(st_sample_tunable_table.row[row].unit, "");
  assert_true(st_sample_tunable_table.value + row == &st_sample_tunables.fall);
  assert_null(st_tunables_find(tables, "fal", &row));
}

static void held_values_are_in_force(void **state) {
  (void)state;
  assert_int_equal(st_tunables_hold(&FASTER, 1, NULL), ST_OK);
  assert_true(st_sample_tunables.fall == 0.25 && st_sample_tunables.patience == 16);
  assert_int_equal(st_tunables_hold(&FASTER, 1, NULL), ST_OK);
  st_tunables_release();
  assert_true(st_sample_tunables.fall == 0.25);
  st_tunables_release();
  assert_true(st_sample_tunables.fall == 0.5);
}

static void other_values_are_refused_while_held(void **state) {
  (void)state;
  const StTunableSetting slower = {&st_sample_tunable_table, 1, 0.75};
  StError error = {0};
  assert_int_equal(st_tunables_hold(&FASTER, 1, &error), ST_OK);
  assert_int_equal(st_tunables_hold(&slower, 1, &error), ST_BAD_INPUT);
  assert_int_equal(st_tunables_hold(NULL, 0, &error), ST_BAD_INPUT);
  assert_true(st_sample_tunables.fall == 0.25);
  st_tunables_release();
  assert_int_equal(st_tunables_hold(&slower, 1, &error), ST_OK);
  assert_true(st_sample_tunables.fall == 0.75);
  st_tunables_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_follow_the_struct),
      cmocka_unit_test(held_values_are_in_force),
      cmocka_unit_test(other_values_are_refused_while_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
