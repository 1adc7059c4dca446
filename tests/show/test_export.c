// Exports of a small run: which frames are taken, where files go, and what the bytes of the simple
// formats say. Whole formats are read by other programs' readers in tests/app/export.sh.
#include "base/memory.h"
#include "math/vec3.h"
#include "show/export.h"
#include "show/rotation.h"
#include "support/small_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static StRecording recording;

static int begin(void **state) {
  StError error = {0};
  if (small_run_begin(state) != 0)
    return -1;
  return st_recording_load(scratch("run"), NULL, &recording, &error) == ST_OK ? 0 : -1;
}

static int end(void **state) {
  st_recording_close(&recording);
  return small_run_end(state);
}

static StExportSettings to(const char *format, const char *out) {
  return (StExportSettings){.format = st_export_find(format),
                            .out = out ? scratch(out) : NULL,
                            .from = -INFINITY,
                            .until = INFINITY};
}

static void good(StExportSettings settings, int frames, const char *opens) {
  StExported exported;
  StError error = {0};
  if (st_export(&recording, &settings, &exported, &error) != ST_OK)
    fail_msg("%s: %s", settings.format->name, error.text);
  assert_int_equal(exported.frame_count, frames);
  assert_string_equal(exported.path, scratch(opens));
  assert_int_equal(access(exported.path, R_OK), 0);
  free(exported.path);
}

static void every_format_has_its_place(void **state) {
  (void)state;
  static const char *const place[] = {
      "glb", "small.glb",     "gltf", "small.gltf",    "usda",   "small.usda",
      "vtu", "vtu/small.pvd", "vtm",  "vtm/small.pvd", "vtkhdf", "vtkhdf/small.vtkhdf.series",
      "obj", "obj",           "ply",  "ply",           "pc2",    "small.pc2",
      "mdd", "small.mdd"};
  int count = 0;
  while (st_export_formats[count])
    count++;
  assert_int_equal(2 * count, ST_LENGTH(place));
  for (int i = 0; i < ST_LENGTH(place); i += 2) {
    char opens[64];
    snprintf(opens, sizeof opens, "run/export/%s", place[i + 1]);
    good(to(place[i], NULL), SMALL_RUN_FRAMES, opens);
  }
  assert_null(st_export_find("stl"));
}

static uint32_t u32(const char *at, bool big) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++)
    value |= (uint32_t)(unsigned char)at[i] << (big ? 24 - 8 * i : 8 * i);
  return value;
}

static float f32(const char *at, bool big) {
  uint32_t bits = u32(at, big);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void frames_are_chosen(void **state) {
  (void)state;
  StExportSettings settings = to("mdd", "some.mdd");
  settings.every = 2;
  settings.from = 0.01;
  good(settings, 2, "some.mdd");
  size_t size;
  char *data = scratch_read(scratch("some.mdd"), &size);
  assert_int_equal(u32(data, true), 2);
  int points = (int)u32(data + 4, true);
  assert_int_equal(points, 51); // of 54 vertices 3 are inside of the block
  assert_int_equal(size, 8 + 2 * 4 + 2 * 12 * points);
  assert_true(f32(data + 8, true) == 0 && fabsf(f32(data + 12, true) - 0.02f) < 1e-8f);
  // The last vertex is a corner of the sheet in free fall: the frames are those of 0.01 and 0.03 s.
  for (int i = 0; i < 2; i++) {
    double t = 0.01 + 0.02 * i, z = 0.5 - 9.81 * t * (t + 0.005) / 2;
    const char *last = data + 16 + 12 * (points * (i + 1) - 1);
    assert_true(fabs((double)f32(last + 8, true) - z) < 1e-6);
  }
  free(data);
}

static void bad(StExportSettings settings, const char *text) {
  StExported exported;
  StError error = {0};
  assert_int_equal(st_export(&recording, &settings, &exported, &error), ST_BAD_INPUT);
  assert_null(exported.path);
  if (!strstr(error.text, text))
    fail_msg("'%s' does not say '%s'", error.text, text);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  StExportSettings settings = to("glb", NULL);
  settings.part = ST_EXPORT_VOLUME;
  bad(settings, "surfaces only");
  settings = to("obj", NULL);
  settings.from = 1;
  bad(settings, "there are 5, from 0 s to 0.04 s");
  bad(to("vtu", "run"), "is the folder of a run");
  bad(to("glb", "film.gltf"), "must end in .glb");
  settings = to("vtkhdf", NULL);
  settings.field = (const char *const[]){"velocity", "taste"};
  settings.field_count = 2;
  bad(settings, "no field 'taste'; they have velocity,");
}

static int told;

static void count_news(void *context, StLevel level, const char *text) {
  (void)context, (void)level;
  told += strstr(text, "--every") != NULL;
}

// A run that seems to have 1000 frames is thinned out to what players bear, unless asked otherwise.
static void long_animations_are_thinned_out(void **state) {
  (void)state;
  enum { MANY = 1000 };
  StRecording many = recording;
  double time[MANY];
  for (int f = 0; f < MANY; f++)
    time[f] = 0.01 * f;
  many.frame_count = MANY;
  many.frame_time = time;
  StExportSettings settings = to("glb", "long.glb");
  const StLog log = {count_news, NULL};
  settings.log = &log;
  settings.from = 0;
  settings.until = 0.04; // of which files are there
  StExported exported;
  StError error = {0};
  assert_int_equal(st_export(&many, &settings, &exported, &error), ST_OK);
  assert_int_equal(exported.every, 1);
  assert_int_equal(told, 0);
  free(exported.path);
  settings.until = INFINITY;
  assert_int_not_equal(st_export(&many, &settings, &exported, &error), ST_OK); // no such files
  assert_int_equal(exported.every, 4);
  assert_int_equal(told, 1);
}

// What a file cannot hold is refused before anything is read, with a number that would do.
static void endless_animations_are_refused(void **state) {
  (void)state;
  enum { ENDLESS = 4000000 };
  StRecording endless = recording;
  endless.frame_count = ENDLESS;
  endless.frame_time = ST_NEW(double, ENDLESS);
  assert_non_null(endless.frame_time);
  StExportSettings settings = to("glb", "endless.glb");
  StExported exported;
  StError error = {0};
  settings.every = 1;
  assert_int_equal(st_export(&endless, &settings, &exported, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "take fewer with --every 2"));
  assert_false(st_file_exists(scratch("endless.glb")));
  free(endless.frame_time);
}

static void rotations_become_quaternions(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int degree = 0; degree < 720; degree += 30) {
      // About axis k, row-major.
      double angle = degree * M_PI / 180, c = cos(angle), s = sin(angle), m[9] = {0};
      int i = (k + 1) % 3, j = (k + 2) % 3;
      m[4 * k] = 1, m[4 * i] = m[4 * j] = c, m[3 * i + j] = -s, m[3 * j + i] = s;
      float before[4] = {0}, q[4];
      before[k] = (float)sin((angle - 0.1) / 2), before[3] = (float)cos((angle - 0.1) / 2);
      st_rotation_quaternion(m, before, q);
      assert_true(fabs((double)q[k] - sin(angle / 2)) < 1e-6);
      assert_true(fabs((double)q[3] - cos(angle / 2)) < 1e-6);
      assert_true(fabsf(q[i]) + fabsf(q[j]) < 1e-6f);
    }
}

// Where the views of the buffer begin, in their order.
static void view_starts(const char *json, size_t *start, int count) {
  static const char key[] = "\"byteOffset\":";
  const char *at = strstr(json, "\"bufferViews\"");
  for (int i = 0; i < count; i++) {
    at = at ? strstr(at + 1, key) : NULL;
    assert_non_null(at);
    start[i] = (size_t)strtoul(at + strlen(key), NULL, 10);
  }
}

// The deltas of the last frame on top of the first are the last frame; weights pick it at its time.
static void morph_targets_add_up(void **state) {
  (void)state;
  good(to("gltf", "film.gltf"), SMALL_RUN_FRAMES, "film.gltf");
  char *json = scratch_read(scratch("film.gltf"), NULL),
       *bin = scratch_read(scratch("film.bin"), NULL);
  // Views come in the order of frames, and in a frame by body: block, sheet.
  size_t start[10];
  view_starts(json, start, 10);
  double *first = NULL, *last = NULL;
  StError error = {0};
  assert_int_equal(st_recording_frame(&recording, 0, &first, &error), ST_OK);
  assert_int_equal(st_recording_frame(&recording, 4, &last, &error), ST_OK);
  for (int v = 0; v < 9; v++) // the sheet's, behind the 45 of the block
    for (int k = 0; k < 3; k++) {
      double base = (double)f32(bin + start[1] + 12 * v + 4 * k, false);
      double delta = (double)f32(bin + start[9] + 12 * v + 4 * k, false);
      assert_true(fabs(base - first[3 * (45 + v) + k]) < 1e-7);
      assert_true(fabs(base + delta - last[3 * (45 + v) + k]) < 1e-7);
    }
  assert_non_null(strstr(json, "\"path\":\"weights\""));
  assert_non_null(strstr(json, "\"path\":\"rotation\""));
  assert_non_null(strstr(json, "\"targetNames\":[\"0.01 s\",\"0.02 s\",\"0.03 s\",\"0.04 s\"]"));
  free(first);
  free(last);
  free(json);
  free(bin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_has_its_place),
      cmocka_unit_test(frames_are_chosen),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(long_animations_are_thinned_out),
      cmocka_unit_test(endless_animations_are_refused),
      cmocka_unit_test(rotations_become_quaternions),
      cmocka_unit_test(morph_targets_add_up),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
