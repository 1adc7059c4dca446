// summary.json, the list of frames, and the JSON they are made of.
#include "base/json.h"
#include "output/series.h"
#include "output/summary.h"

#include "base/memory.h"

#include "output/sample.h"
#include "output/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static StJsonDocument *read_last;

static const StJson *read_summary(const char *path) {
  StError error = {0};
  st_json_destroy(read_last);
  if (st_json_read_own(path, &read_last, &error) != ST_OK)
    fail_msg("%s", error.text);
  return st_json_root(read_last);
}

static const StJson *get(const StJson *object, const char *key) {
  const StJson *value = st_json_get(object, key);
  if (!value)
    fail_msg("there is no %s", key);
  return value;
}

static void check_string(const StJson *object, const char *key, const char *expected) {
  assert_int_equal(get(object, key)->kind, ST_JSON_STRING);
  assert_string_equal(get(object, key)->text, expected);
}

static void check_number(const StJson *object, const char *key, double expected) {
  double got = get(object, key)->number;
  assert_int_equal(get(object, key)->kind, ST_JSON_NUMBER);
  assert_memory_equal(&got, &expected, sizeof got);
}

static void check_null(const StJson *object, const char *key) {
  assert_int_equal(get(object, key)->kind, ST_JSON_NULL);
}

static void write_report(const char *path, const char *state, const char *reason, int frames,
                         StReport report, const StZoneCourse *zones) {
  Sample sample;
  sample_begin(&sample);
  StSummary summary = {.description = &sample.description,
                       .state = state,
                       .reason = reason,
                       .report = &report,
                       .zones = zones,
                       .total_newton = 40,
                       .total_linear = 80,
                       .total_retries = 1,
                       .wall_seconds = 10,
                       .ranks = 2,
                       .threads = 3,
                       .frames_written = frames,
                       .frame_count = 11,
                       .peak_memory = 123456,
                       .sent = 7890,
                       .series = "kite.pvd"};
  StError error = {0};
  assert_int_equal(st_summary_write(path, &summary, &error), ST_OK);
  sample_end(&sample);
}

static void write_summary(const char *path, const char *state, const char *reason, int frames) {
  write_report(path, state, reason, frames, sample_report(12), NULL);
}

static void test_summary(void **state) {
  (void)state;
  write_summary(scratch("summary.json"), "failed", "vertex 3:\n\"too hot\"", 6);
  const StJson *json = read_summary(scratch("summary.json"));
  check_string(json, "status", "failed");
  check_string(json, "reason", "vertex 3:\n\"too hot\"");
  check_string(json, "title", "two \"bodies\"");
  check_string(json, "integrator", "be");
  check_string(json, "solver", "direct");
  check_number(json, "bodies", 2);
  check_number(json, "vertices", 9);
  check_number(json, "tets", 2);
  check_number(json, "triangles", 3);
  check_number(json, "ranks", 2);
  check_number(json, "threads", 3);
  check_number(json, "time_s", 0.05 * 12);
  check_number(json, "steps", 12);
  check_number(json, "retries", 1);
  check_number(json, "newton_iterations", 40);
  check_number(json, "linear_iterations", 80);
  check_number(json, "wall_s", 10);
  check_number(json, "wall_per_frame_s", 2);
  check_number(json, "peak_memory_bytes", 123456);
  check_number(json, "sent_bytes", 7890);
  const StJson *energy = get(json, "energy_J");
  check_number(energy, "elastic", 0.1 + 0.05 * 12);
  assert_null(st_json_get(energy, "damping"));
  assert_null(st_json_get(json, "elastic"));
  check_string(get(json, "files"), "series", "kite.pvd");
  assert_null(st_json_get(json, "contact"));
  assert_null(st_json_get(json, "volumes"));
  assert_null(st_json_get(json, "bearings"));
}

static void check_range(const StJson *json, const char *key, const double expected[4]) {
  static const char *const part[] = {"first", "last", "least", "most"};
  const StJson *range = get(json, key);
  for (int i = 0; i < 4; i++)
    check_number(range, part[i], expected[i]);
}

static void test_zones_and_bearings(void **state) {
  (void)state;
  double value[2][5] = {{0.25, 0.2, 0.125, 0.5, 0.25}, {1e5, 1.25e5, 2.5e5, 4e4, 1e5}};
  StZoneCourse course = {.zone_count = 1, .rows = 5, .value = value[0]};
  const char *path = scratch("filled.json");
  write_report(path, "finished", NULL, 6, sample_filled_report(12), &course);
  const StJson *json = read_summary(path);
  const StJson *zone = get(get(json, "volumes"), "air, \"hot\"");
  check_string(zone, "model", "ideal_gas");
  check_number(zone, "rest_volume_m3", 0.25);
  check_number(zone, "outside_pressure_Pa", 101325);
  check_range(zone, "volume_m3", (double[]){0.25, 0.25, 0.125, 0.5});
  check_range(zone, "pressure_Pa", (double[]){1e5, 1e5, 4e4, 2.5e5});
  double spread = st_json_get_number(zone, "pressure_volume_spread");
  assert_true(fabs(spread - 0.25) < 1e-15); // 0.125 × 2.5e5 against 0.25 × 1e5
  check_number(zone, "volume_loss_percent", 0);
  check_number(zone, "largest_volume_loss_percent", 50);
  const StJson *hub = get(get(json, "bearings"), "hub");
  check_number(hub, "angle_rad", 0.7 * 12);
  check_number(hub, "speed_rad_per_s", 14);
  check_number(hub, "torque_N_m", -2.0 / 3);
}

// After a history that was lost there is nothing to tell until the next step.
static void test_no_rows_are_null(void **state) {
  (void)state;
  StZoneCourse course = {0};
  assert_int_equal(st_zone_course_create(1, 0, &course, NULL), ST_OK);
  write_report(scratch("lost.json"), "running", NULL, 6, sample_filled_report(12), &course);
  const StJson *json = read_summary(scratch("lost.json"));
  const StJson *zone = get(get(json, "volumes"), "air, \"hot\"");
  check_null(zone, "volume_loss_percent");
  check_null(get(zone, "volume_m3"), "most");
  st_zone_course_free(&course);
}

static void test_certificate(void **state) {
  (void)state;
  write_report(scratch("contact.json"), "finished", NULL, 6, sample_contact_report(12), NULL);
  const StJson *json = read_summary(scratch("contact.json"));
  const StJson *contact = get(json, "contact");
  check_number(contact, "deepest_gap_m", 1e-5);
  check_number(contact, "deepest_gap_time_s", 0.15);
  check_number(contact, "overlapping_steps", 0);
  check_number(contact, "cone_violation_N", -1e-16);
  check_number(contact, "friction_power_W", -0.25);
  check_number(contact, "pair_net_force_N", 1e-15);
  check_number(contact, "normal_force_error_N", 0.5);
  check_number(contact, "creep_speed_m_per_s", 2e-5);
  check_number(contact, "sticking_speed_m_per_s", 1e-4);
  check_number(contact, "held_displacement_m", 3e-6);
  check_number(contact, "stiffness_growth", 4);
  check_number(contact, "repeats", 7);
  check_string(get(json, "files"), "series", "kite.pvd");
}

static void test_judge(void **state) {
  (void)state;
  write_report(scratch("judged.json"), "finished", NULL, 6, sample_judged_report(12), NULL);
  const StJson *json = read_summary(scratch("judged.json"));
  check_string(
      json, "verdict",
      "Found in 4 of 13 states (checked at the start and after each of 12 steps): up to 12 "
      "edges of one body through triangles of another (\"kite\" and \"sheet\", first at t = "
      "0.1 s), 1 inverted tet (\"kite\", first at t = 0.3 s). Pairs without contact in the "
      "scene were not compared. By contact's own measure the smallest gap was 1e-05 m "
      "(vertex 1 of body \"sheet\", t = 0.15 s).");
  const StJson *judge = get(json, "judge");
  check_string(judge, "checked", "step");
  check_number(judge, "states", 13);
  check_number(judge, "states_with_findings", 4);
  const StJson *crossings = get(judge, "crossings");
  check_number(crossings, "states", 3);
  check_number(crossings, "most", 12);
  check_number(crossings, "most_time_s", 0.2);
  check_number(crossings, "first_time_s", 0.1);
  check_string(crossings, "first", "kite|sheet");
  const StJson *none = get(judge, "self_crossings");
  check_number(none, "states", 0);
  check_null(none, "first_time_s");
  check_string(get(judge, "inverted_tets"), "first", "kite");
}

static void test_unknown_is_null(void **state) {
  (void)state;
  write_summary(scratch("first.json"), "running", NULL, 1);
  const StJson *json = read_summary(scratch("first.json"));
  check_null(json, "reason");
  check_null(json, "wall_per_frame_s");
}

static void test_series(void **state) {
  (void)state;
  const double time[2] = {0, 1.0 / 30};
  assert_int_equal(st_series_write(scratch("kite.pvd"), time, 2, NULL), ST_OK);
  char *text = scratch_read(scratch("kite.pvd"), NULL);
  assert_string_equal(text,
                      "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                      "  <Collection>\n"
                      "    <DataSet timestep=\"0\" part=\"0\" file=\"frames/frame_00000.vtu\"/>\n"
                      "    <DataSet timestep=\"0.033333333333333333\" part=\"0\" "
                      "file=\"frames/frame_00001.vtu\"/>\n"
                      "  </Collection>\n"
                      "</VTKFile>\n");
  free(text);
}

static void test_series_of_vtkhdf(void **state) {
  (void)state;
  const double time[2] = {0, 1.0 / 30};
  const char *path = scratch("kite.vtkhdf.series");
  assert_int_equal(st_series_write(path, time, 2, NULL), ST_OK);
  char *text = scratch_read(path, NULL);
  assert_string_equal(
      text, "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n"
            "    { \"name\": \"frames/frame_00000.vtkhdf\", \"time\": 0 },\n"
            "    { \"name\": \"frames/frame_00001.vtkhdf\", \"time\": 0.03333333333333333 }\n"
            "  ]\n}\n");
  free(text);
  double *read = NULL;
  int count = 0;
  assert_int_equal(st_series_read(path, &read, &count, NULL), ST_OK);
  assert_int_equal(count, 2);
  assert_memory_equal(read, time, sizeof time);
  free(read);
}

static void test_broken_series(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } broken[] = {{"{\"files\": [{\"name\": \"a\"}]}", "file 0 has no time"},
                {"{\"files\": [3]}", "file 0 has no time"},
                {"{\"file\": []}", "has no list \"files\""},
                {"[]", "has no list \"files\""},
                {"{\"files\": [", "broken.vtkhdf.series"}};
  for (int i = 0; i < ST_LENGTH(broken); i++) {
    const char *path = scratch("broken.vtkhdf.series");
    double *time = NULL;
    int count = 0;
    StError error = {0};
    assert_int_equal(st_file_write(path, broken[i].text, strlen(broken[i].text), NULL), ST_OK);
    assert_int_equal(st_series_read(path, &time, &count, &error), ST_BAD_INPUT);
    assert_non_null(strstr(error.text, broken[i].message));
    assert_null(time);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_summary),
      cmocka_unit_test(test_certificate),
      cmocka_unit_test(test_judge),
      cmocka_unit_test(test_zones_and_bearings),
      cmocka_unit_test(test_no_rows_are_null),
      cmocka_unit_test(test_unknown_is_null),
      cmocka_unit_test(test_series),
      cmocka_unit_test(test_series_of_vtkhdf),
      cmocka_unit_test(test_broken_series),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
