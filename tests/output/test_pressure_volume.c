// pressure_volume.svg: units that suit the size, names, and how many panels there are.
#include "output/pressure_volume.h"

#include "output/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { ROWS = 40, ZONES = 20 };

// An ideal gas at 1 bar in the given volume, squeezed by a third and let go, for each zone.
static char *draw(double volume, int zones, long rows) {
  StVolumeDesc desc[ZONES];
  StZoneCourse course;
  assert_int_equal(st_zone_course_create(zones, rows, &course, NULL), ST_OK);
  for (int zone = 0; zone < zones; zone++) {
    desc[zone] = (StVolumeDesc){.name = zone == 1 ? "b & c" : "a"};
    for (long i = 0; i < rows; i++) {
      double V = volume * (1 - sin(M_PI * (double)i / ROWS) / 3);
      st_zone_course_volume(&course, zone)[i] = V;
      st_zone_course_pressure(&course, zone)[i] = 1e5 * volume / V;
    }
  }
  StDescription description = {.volume_count = zones, .volume = desc};
  const char *path = scratch("pressure_volume.svg");
  StError error = {0};
  assert_int_equal(st_pressure_volume_write(path, &description, &course, &error), ST_OK);
  st_zone_course_free(&course);
  return scratch_read(path, NULL);
}

static void expect_text(double volume, const char *unit, const char *tick) {
  char *svg = draw(volume, 2, ROWS);
  assert_non_null(strstr(svg, unit));
  assert_non_null(strstr(svg, tick));
  assert_non_null(strstr(svg, "absolute pressure (kPa)"));
  assert_non_null(strstr(svg, ">120</text>"));
  assert_non_null(strstr(svg, ">b &amp; c</text>"));
  free(svg);
}

static void units_suit_the_size(void **state) {
  (void)state;
  expect_text(5, "volume (m³)", ">4</text>");
  expect_text(5e-3, "volume (l)", ">4</text>");
  expect_text(5e-5, "volume (cm³)", ">40</text>");
  expect_text(5e-10, "volume (mm³)", ">0.4</text>");
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void every_zone_has_a_panel(void **state) {
  (void)state;
  for (int zones = 1; zones <= ZONES; zones += ZONES - 1) {
    char *svg = draw(1, zones, ROWS);
    int panels = zones < ST_PRESSURE_VOLUME_PANELS ? zones : ST_PRESSURE_VOLUME_PANELS;
    assert_int_equal(count_of(svg, "class=\"frame\""), panels);
    assert_int_equal(count_of(svg, "class=\"line\""), panels);
    assert_int_equal(count_of(svg, "<circle"), panels);
    assert_true(strlen(svg) < 40000);
    free(svg);
  }
}

static void few_rows_are_fine(void **state) {
  (void)state;
  for (long rows = 0; rows <= 1; rows++) {
    char *svg = draw(1, 1, rows);
    assert_int_equal(count_of(svg, "<circle"), (int)rows);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    free(svg);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_suit_the_size),
      cmocka_unit_test(every_zone_has_a_panel),
      cmocka_unit_test(few_rows_are_fine),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
