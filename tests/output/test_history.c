// history.csv: headings with units, numbers that come back exactly, whole lines only, rows dropped
// on resume.
#include "output/history.h"

#include "base/text.h"
#include "output/sample.h"
#include "output/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>

static const char HEADING[] =
    "step,time [s],h [s],newton_iterations,linear_iterations,residual_evaluations,retries,rung,"
    "residual [m/s],seconds [s],"
    "kinetic_energy [J],elastic_energy [J],gravity_energy [J],total_energy [J],"
    "external_work [J],energy_gain [J],energy_error [J],"
    "momentum_x [kg m/s],momentum_y [kg m/s],momentum_z [kg m/s],"
    "angular_momentum_x [kg m^2/s],angular_momentum_y [kg m^2/s],angular_momentum_z [kg m^2/s],"
    "centre_of_mass_x [m],centre_of_mass_y [m],centre_of_mass_z [m],volume [m^3]\n";

static StHistory *make(long rows) {
  StHistory *history = NULL;
  StReport first = sample_report(0);
  assert_int_equal(st_history_create(&first, &history, NULL), ST_OK);
  for (long i = 0; i < rows; i++) {
    StReport report = sample_report(i);
    assert_int_equal(st_history_add(history, &report, NULL), ST_OK);
  }
  return history;
}

static void publish(const StHistory *history, const char *path) {
  StError error = {0};
  assert_int_equal(st_history_publish(history, path, &error), ST_OK);
}

static void test_rows_come_back_exactly(void **state) {
  (void)state;
  StHistory *history = make(4);
  publish(history, scratch("history.csv"));
  assert_int_equal(st_history_rows(history), 4);
  st_history_destroy(history);
  char *text = scratch_read(scratch("history.csv"), NULL);
  assert_memory_equal(text, HEADING, sizeof HEADING - 1);
  char *cursor = text + sizeof HEADING - 1;
  for (long row = 0; row < 4; row++) {
    StReport r = sample_report(row);
    const double expected[27] = {(double)r.step,
                                 r.time,
                                 r.h,
                                 r.newton_iterations,
                                 r.linear_iterations,
                                 r.residual_evaluations,
                                 r.retries,
                                 r.rung,
                                 r.residual,
                                 r.seconds,
                                 r.kinetic_energy,
                                 r.force_energy[0],
                                 r.force_energy[2],
                                 r.total_energy,
                                 r.external_work,
                                 r.energy_gain,
                                 r.energy_error,
                                 1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 6,
                                 7,
                                 8,
                                 9,
                                 r.volume};
    for (int i = 0; i < 27; i++) {
      double got = strtod(cursor, &cursor);
      assert_memory_equal(&got, &expected[i], sizeof got);
      assert_int_equal(*cursor++, i < 26 ? ',' : '\n');
    }
  }
  assert_int_equal(*cursor, 0);
  free(text);
}

static StHistory *make_filled(long rows) {
  StHistory *history = NULL;
  StReport first = sample_filled_report(0);
  assert_int_equal(st_history_create(&first, &history, NULL), ST_OK);
  for (long i = 0; i < rows; i++) {
    StReport report = sample_filled_report(i);
    assert_int_equal(st_history_add(history, &report, NULL), ST_OK);
  }
  return history;
}

static void test_zones_and_bearings_have_columns(void **state) {
  (void)state;
  static const char heading[] =
      ",volume(air_ _hot_) [m^3],pressure(air_ _hot_) [Pa],volume(oil) [m^3],pressure(oil) [Pa],"
      "angle(hub) [rad],speed(hub) [rad/s],torque(hub) [N m]\n";
  StHistory *history = make_filled(3);
  publish(history, scratch("filled.csv"));
  st_history_destroy(history);
  char *text = scratch_read(scratch("filled.csv"), NULL);
  assert_memory_equal(text, HEADING, sizeof HEADING - 2);
  assert_memory_equal(text + sizeof HEADING - 2, heading, sizeof heading - 1);
  char *cursor = text + sizeof HEADING + sizeof heading - 3;
  for (long row = 0; row < 3; row++) {
    StReport r = sample_filled_report(row);
    const double expected[7] = {r.zone[0].volume,   r.zone[0].pressure, r.zone[1].volume,
                                r.zone[1].pressure, r.bearing[0].angle, r.bearing[0].speed,
                                r.bearing[0].torque};
    for (int i = 0; i < 27; i++)
      cursor = strchr(cursor, ',') + 1;
    for (int i = 0; i < 7; i++) {
      double got = strtod(cursor, &cursor);
      assert_memory_equal(&got, &expected[i], sizeof got);
      assert_int_equal(*cursor++, i < 6 ? ',' : '\n');
    }
  }
  assert_int_equal(*cursor, 0);
  free(text);
}

static void check_course(const StHistory *history, long rows) {
  StZoneCourse course;
  assert_int_equal(st_history_zones(history, &course, NULL), ST_OK);
  assert_int_equal(course.zone_count, 2);
  assert_int_equal(course.rows, rows);
  for (long row = 0; row < rows; row++)
    for (int zone = 0; zone < 2; zone++) {
      StReport report = sample_filled_report(row);
      assert_memory_equal(&st_zone_course_volume(&course, zone)[row], &report.zone[zone].volume,
                          sizeof(double));
      assert_memory_equal(&st_zone_course_pressure(&course, zone)[row], &report.zone[zone].pressure,
                          sizeof(double));
    }
  st_zone_course_free(&course);
}

// To the last bit, and over a resume: what is drawn and summed up does not know of sessions.
static void test_courses_come_back_exactly(void **state) {
  (void)state;
  const char *path = scratch("course.csv");
  StHistory *whole = make_filled(9), *resumed = make_filled(0);
  check_course(resumed, 0);
  check_course(whole, 9);
  publish(whole, path);
  assert_int_equal(st_history_load(resumed, path, st_history_crc(whole), 4, NULL, NULL), ST_OK);
  check_course(resumed, 4);
  for (long i = 4; i < 6; i++) {
    StReport report = sample_filled_report(i);
    assert_int_equal(st_history_add(resumed, &report, NULL), ST_OK);
  }
  check_course(resumed, 6);
  st_history_destroy(whole);
  st_history_destroy(resumed);
}

static const char CONTACT_HEADING[] =
    ",touching,sticking,contact_normal_force [N],contact_friction_force [N],cone_violation [N],"
    "friction_power [W],pair_net_force [N],normal_force_error [N],deepest_gap [m],"
    "creep_speed [m/s],sticking_speed [m/s],held_displacement [m],stiffness_growth,contact_repeats,"
    "touching(kite|floor),sticking_share(kite|floor),normal(kite|floor) [N],"
    "friction_x(kite|floor) [N],friction_y(kite|floor) [N],friction_z(kite|floor) [N],"
    "touching(she_et|ki_te),sticking_share(she_et|ki_te),normal(she_et|ki_te) [N],"
    "friction_x(she_et|ki_te) [N],friction_y(she_et|ki_te) [N],friction_z(she_et|ki_te) [N]\n";

static void test_contact_has_columns(void **state) {
  (void)state;
  const char *path = scratch("contact.csv");
  StHistory *history = NULL;
  StReport report = sample_contact_report(1);
  assert_int_equal(st_history_create(&report, &history, NULL), ST_OK);
  assert_int_equal(st_history_add(history, &report, NULL), ST_OK);
  publish(history, path);
  st_history_destroy(history);
  char *text = scratch_read(path, NULL);
  size_t plain = sizeof HEADING - 2; // without the end of its line
  assert_memory_equal(text, HEADING, plain);
  assert_memory_equal(text + plain, CONTACT_HEADING, sizeof CONTACT_HEADING - 1);
  char *cursor = text + plain + sizeof CONTACT_HEADING - 1;
  for (int i = 0; i < 27; i++)
    cursor = strchr(cursor, ',') + 1;
  const double expected[] = {4,    3,    8.1,  3.75, -0.125, -0.5, 1e-15, 0.25, 2e-5,
                             1e-5, 1e-4, 2e-6, 2,    1,      4,    0.75,  8,    1,
                             2,    3,    0,    0,    0.1,    0,    0,     0};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    double got = strtod(cursor, &cursor);
    assert_memory_equal(&got, &expected[i], sizeof got);
    cursor++;
  }
  assert_int_equal(*cursor, 0);
  free(text);
}

static void test_bodies_and_probes_have_columns(void **state) {
  (void)state;
  StBodyReport body[] = {{.name = "a", .centre = {1, 2, 3}, .velocity = {4, 5, 6}},
                         {.name = "b, c", .kinetic_energy = 7, .elastic_energy = 8}};
  StProbeReport probe[] = {{.name = "tip", .point = {9, 10, 11}, .distance = NAN},
                           {.name = "gap", .distance = 12}};
  StReport report = {.body_count = 2, .body = body, .probe_count = 2, .probe = probe};
  static const char plain[] = ",x(tip) [m],y(tip) [m],z(tip) [m],distance(gap) [m]\n";
  static const char listed[] =
      ",distance(gap) [m],centre_x(a) [m],centre_y(a) [m],centre_z(a) [m],velocity_x(a) [m/s],"
      "velocity_y(a) [m/s],velocity_z(a) [m/s],kinetic(a) [J],elastic(a) [J],centre_x(b_ c) [m]";
  for (int k = 0; k < 2; k++) {
    StHistory *history = NULL;
    report.listed_bodies = 2 * k;
    assert_int_equal(st_history_create(&report, &history, NULL), ST_OK);
    assert_int_equal(st_history_add(history, &report, NULL), ST_OK);
    publish(history, scratch("bodies.csv"));
    char *text = scratch_read(scratch("bodies.csv"), NULL);
    assert_non_null(strstr(text, k ? listed : plain));
    assert_non_null(
        strstr(text, k ? ",9,10,11,12,1,2,3,4,5,6,0,0,0,0,0,0,0,0,7,8\n" : ",9,10,11,12\n"));
    free(text);
    st_history_destroy(history);
  }
}

// Ten bodies on a floor: those that may meet have columns before any that only folds onto itself.
static void test_many_pairs_are_capped(void **state) {
  (void)state;
  StPairReport pair[100];
  char name[100][16];
  StReport report = sample_contact_report(0);
  for (int i = 0; i < 100; i++) {
    snprintf(name[i], sizeof name[i], "%d|%d", i / 10, i % 10);
    pair[i] = (StPairReport){.name = name[i], .itself = i % 10 == i / 10};
  }
  report.pair = pair;
  report.pair_count = 100;
  StHistory *history = NULL;
  assert_int_equal(st_history_create(&report, &history, NULL), ST_OK);
  publish(history, scratch("many.csv"));
  st_history_destroy(history);
  char *text = scratch_read(scratch("many.csv"), NULL);
  int columns = 1;
  for (const char *c = text; *c; c++)
    columns += *c == ',';
  assert_int_equal(columns, 27 + 14 + 6 * ST_HISTORY_PAIRS);
  assert_non_null(strstr(text, ",normal(0|1) [N],"));
  assert_non_null(strstr(text, ",normal(1|7) [N],")); // the sixteenth without 0|0 and 1|1
  assert_null(strstr(text, "(0|0)"));
  free(text);
}

static void test_selves_come_last(void **state) {
  (void)state;
  StPairReport pair[] = {{.name = "a|a", .itself = true}, {.name = "a|b"}};
  StReport report = sample_contact_report(0);
  report.pair = pair;
  StHistory *history = NULL;
  assert_int_equal(st_history_create(&report, &history, NULL), ST_OK);
  publish(history, scratch("selves.csv"));
  st_history_destroy(history);
  char *text = scratch_read(scratch("selves.csv"), NULL);
  assert_non_null(strstr(text, "friction_z(a|b) [N],touching(a|a),"));
  free(text);
}

static void test_resume_drops_later_rows(void **state) {
  (void)state;
  const char *path = scratch("resumed.csv");
  StHistory *whole = make(6), *resumed = make(0);
  publish(whole, path);
  char *expected = scratch_read(path, NULL);
  assert_int_equal(st_history_load(resumed, path, st_history_crc(whole), 3, NULL, NULL), ST_OK);
  assert_int_equal(st_history_rows(resumed), 3);
  for (long i = 3; i < 6; i++) {
    StReport report = sample_report(i);
    assert_int_equal(st_history_add(resumed, &report, NULL), ST_OK);
  }
  publish(resumed, path);
  char *got = scratch_read(path, NULL);
  assert_string_equal(got, expected);
  free(got);
  free(expected);
  st_history_destroy(whole);
  st_history_destroy(resumed);
}

static void keep_warning(void *context, StLevel level, const char *text) {
  assert_int_equal(level, ST_WARNING);
  snprintf(context, 512, "%s", text);
}

static const char ADVICE[] =
    "; restore the file as it was, or move it away to continue without the rows up to here";

static void expect_failure(const char *path, const StHistory *published, long rows,
                           const char *message) {
  StError error = {0};
  StHistory *history = make(0);
  assert_int_equal(st_history_load(history, path, st_history_crc(published), rows, NULL, &error),
                   ST_BAD_INPUT);
  size_t length = strlen(message);
  assert_memory_equal(error.text, path, strlen(path));
  assert_memory_equal(error.text + strlen(path), message, length);
  assert_string_equal(error.text + strlen(path) + length, ADVICE);
  assert_int_equal(st_history_rows(history), 0);
  st_history_destroy(history);
}

// Perhaps removed on purpose.
static void test_removed_history_is_a_warning(void **state) {
  (void)state;
  const char *path = scratch("removed.csv");
  char warning[512] = "";
  StLog log = {keep_warning, warning};
  StHistory *history = make(2), *empty = make(0);
  assert_int_equal(st_history_load(empty, path, st_history_crc(history), 2, &log, NULL), ST_OK);
  assert_string_equal(warning + strlen(path), ": is missing; the history begins here");
  assert_int_equal(st_history_rows(empty), 0);
  st_history_destroy(history);
  st_history_destroy(empty);
}

static void test_damage_is_located(void **state) {
  (void)state;
  const char *path = scratch("damaged.csv");
  StHistory *history = make(5);
  publish(history, path);
  size_t size;
  char *text = scratch_read(path, &size), *third = text;
  for (int i = 0; i < 3; i++)
    third = strchr(third, '\n') + 1;
  st_file_write(path, text, size - 1, NULL);
  expect_failure(path, history, 5, ": damaged (it ends in line 6, 6 are needed)");
  st_file_write(path, text, (size_t)(third - text), NULL);
  expect_failure(path, history, 5, ": damaged (it ends in line 4, 6 are needed)");
  third[0] ^= 1;
  st_file_write(path, text, size, NULL);
  expect_failure(path, history, 5, ": damaged (line 4 has changed)");
  text[size - 2] ^= 1;
  st_file_write(path, text, size, NULL);
  expect_failure(path, history, 5, ": damaged (line 4 has changed, and 1 after it)");
  // What a resumed run computes again may be damaged.
  StHistory *resumed = make(0);
  assert_int_equal(st_history_load(resumed, path, st_history_crc(history), 2, NULL, NULL), ST_OK);
  st_history_destroy(resumed);
  st_file_write(path, "step,mood\n", 10, NULL);
  expect_failure(path, history, 1, ": line 1 names other columns than this run has");
  free(text);
  st_history_destroy(history);
}

// An unreadable file is not a missing one.
static void test_unreadable_history(void **state) {
  (void)state;
  const char *path = scratch("folder.csv");
  StError error = {0};
  StHistory *history = make(2);
  assert_int_equal(st_folder_create(path, &error), ST_OK);
  assert_int_equal(st_history_load(history, path, st_history_crc(history), 2, NULL, &error),
                   ST_BAD_INPUT);
  assert_string_equal(error.text + strlen(path), ": is a folder, a file is needed");
  assert_int_equal(st_history_rows(history), 2);
  st_history_destroy(history);
}

static void test_full_disk_keeps_the_old_file(void **state) {
  (void)state;
  const char *path = scratch("full.csv");
  StHistory *small = make(2), *large = make(200);
  publish(small, path);
  char *before = scratch_read(path, NULL);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){2000, old.rlim_max});
  StError error = {0};
  StStatus status = st_history_publish(large, path, &error);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(status, ST_SYSTEM_FAULT);
  char *after = scratch_read(path, NULL);
  assert_string_equal(before, after);
  assert_false(st_file_exists(scratch("full.csv.tmp")));
  free(before);
  free(after);
  st_history_destroy(small);
  st_history_destroy(large);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_come_back_exactly),
      cmocka_unit_test(test_zones_and_bearings_have_columns),
      cmocka_unit_test(test_courses_come_back_exactly),
      cmocka_unit_test(test_contact_has_columns),
      cmocka_unit_test(test_bodies_and_probes_have_columns),
      cmocka_unit_test(test_many_pairs_are_capped),
      cmocka_unit_test(test_selves_come_last),
      cmocka_unit_test(test_resume_drops_later_rows),
      cmocka_unit_test(test_removed_history_is_a_warning),
      cmocka_unit_test(test_damage_is_located),
      cmocka_unit_test(test_unreadable_history),
      cmocka_unit_test(test_full_disk_keeps_the_old_file),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
