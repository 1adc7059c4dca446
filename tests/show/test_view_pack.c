// Packs, unpacked again here: positions to half a step of 16 bits, amounts to half a code.
#include "base/memory.h"
#include "show/view_run.h"
#include "support/small_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#include <cmocka.h>

static StViewRun run;
static StText header, packed;
static uint8_t *bytes; // of all frames, inflated
static size_t frame_size;

static int begin(void **state) {
  StError error = {0};
  StViewPack pack;
  if (small_run_begin(state) != 0 ||
      st_view_run_open(scratch("run"), false, NULL, &run, &error) != ST_OK ||
      st_view_pack_create(&run.surface, &run.planes, SMALL_RUN_FRAMES, &pack, &error) != ST_OK)
    return -1;
  StStatus status = ST_OK;
  for (int f = 0; f < SMALL_RUN_FRAMES && status == ST_OK; f++)
    status = st_view_pack_add(&pack, &run.recording, f, &run.surface, &error);
  if (status == ST_OK)
    status = st_view_pack_finish(&pack, 0, &header, &packed, &error);
  st_view_pack_free(&pack);
  frame_size = (size_t)run.surface.vertex_count * (size_t)(6 + run.planes.count);
  uLongf size = SMALL_RUN_FRAMES * frame_size;
  bytes = ST_NEW(uint8_t, size);
  bool inflated = uncompress(bytes, &size, (Bytef *)packed.data, packed.length) == Z_OK;
  return status == ST_OK && inflated && size == SMALL_RUN_FRAMES * frame_size ? 0 : -1;
}

static int end(void **state) {
  st_view_run_close(&run);
  st_text_free(&header);
  st_text_free(&packed);
  free(bytes);
  return small_run_end(state);
}

static int undo(unsigned code) {
  return (int)(code >> 1) ^ -(int)(code & 1);
}

// What the page makes of coordinate `axis` in a frame; value: [vertex_count].
static void unpack_axis(int frame, int axis, uint16_t *value) {
  size_t count = (size_t)run.surface.vertex_count;
  memset(value, 0, count * sizeof *value);
  for (int f = 0; f <= frame; f++) {
    const uint8_t *at = bytes + (size_t)f * frame_size + 2 * (size_t)axis * count;
    int change = 0;
    for (size_t v = 0; v < count; v++) {
      change += undo(at[v] | (unsigned)at[count + v] << 8);
      value[v] = (uint16_t)(value[v] + change);
    }
  }
}

static void unpack_plane(int frame, int plane, uint8_t *value) {
  size_t count = (size_t)run.surface.vertex_count;
  memset(value, 0, count);
  for (int f = 0; f <= frame; f++) {
    const uint8_t *at = bytes + (size_t)f * frame_size + (6 + (size_t)plane) * count;
    int change = 0;
    for (size_t v = 0; v < count; v++) {
      change += undo(at[v]);
      value[v] = (uint8_t)(value[v] + change);
    }
  }
}

// Number `index` of a list in the header, or the value itself.
static double told(const char *key, int index) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "\"%s\":", key);
  const char *at = strstr(header.data, pattern);
  assert_non_null(at);
  at += strlen(pattern);
  for (at += *at == '['; index > 0; index--)
    at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

static int plane_named(const char *name) {
  for (int p = 0; p < run.planes.count; p++)
    if (strcmp(run.planes.plane[p].name, name) == 0)
      return p;
  fail_msg("there is no plane %s", name);
  return -1;
}

static void positions_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count;
  uint16_t *value = ST_NEW(uint16_t, count);
  double size = told("size", 0);
  assert_true(size > 1 && size < 1.3); // block and sheet are a metre apart
  for (int f = 0; f < SMALL_RUN_FRAMES; f++) {
    double *position = NULL;
    StError error = {0};
    assert_int_equal(st_recording_frame(&run.recording, f, &position, &error), ST_OK);
    for (int axis = 0; axis < 3; axis++) {
      unpack_axis(f, axis, value);
      for (int v = 0; v < count; v++) {
        double x = told("low", axis) + size * value[v] / 65535;
        assert_true(fabs(x - position[3 * run.surface.vertex[v] + axis]) < 0.6 * size / 65535);
      }
    }
    free(position);
  }
  free(value);
}

// The root of the share is stored: half a code is at most 1/255 of the largest value.
static void speeds_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count, plane = plane_named("speed");
  double largest = told("largest", plane), most = 0;
  uint8_t *code = ST_NEW(uint8_t, count);
  for (int f = 0; f < SMALL_RUN_FRAMES; f++) {
    StFrameFields *fields = NULL;
    double *velocity = NULL;
    StError error = {0};
    assert_int_equal(st_frame_fields_open(&run.recording, f, &fields, &error), ST_OK);
    assert_int_equal(
        st_frame_fields_read(fields, st_frame_fields_find(fields, "velocity"), &velocity, &error),
        ST_OK);
    unpack_plane(f, plane, code);
    for (int v = 0; v < count; v++) {
      const double *u = velocity + 3 * run.surface.vertex[v];
      double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), share = code[v] / 255.0;
      most = fmax(most, speed);
      assert_true(fabs(share * share * largest - speed) <= 1.01 * largest / 255);
    }
    free(velocity);
    st_frame_fields_close(fields);
  }
  assert_true(fabs(most - largest) < 1e-6 * most);
  free(code);
}

// The block hits the floor: contact forces point up, which the two numbers of a direction say.
static void directions_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count, plane = plane_named("contact"), found = 0;
  uint8_t *code[3];
  for (int i = 0; i < 3; i++)
    unpack_plane(SMALL_RUN_FRAMES - 1, plane + i, code[i] = ST_NEW(uint8_t, count));
  for (int v = 0; v < count; v++) {
    if (code[0][v] < 10)
      continue;
    double x = code[1][v] / 127.5 - 1, y = code[2][v] / 127.5 - 1;
    assert_true(1 - fabs(x) - fabs(y) > 0.9);
    found++;
  }
  assert_true(found > 0);
  for (int i = 0; i < 3; i++)
    free(code[i]);
}

static void states_are_exact(void **state) {
  (void)state;
  int count = run.surface.vertex_count, touching = 0;
  uint8_t *code = ST_NEW(uint8_t, count);
  unpack_plane(SMALL_RUN_FRAMES - 1, plane_named("state"), code);
  for (int v = 0; v < count; v++) {
    assert_in_range(code[v], 0, 2);
    touching += code[v] > 0;
  }
  assert_true(touching > 0);
  free(code);
}

static void header_tells_the_box(void **state) {
  (void)state;
  assert_int_equal(told("first", 0), 0);
  assert_int_equal(told("count", 0), SMALL_RUN_FRAMES);
  for (int axis = 0; axis < 3; axis++)
    assert_true(told("low", axis) < told("high", axis));
  int speed = plane_named("speed");
  assert_true(told("typical", speed) > 0);
  assert_true(told("typical", speed) <= told("largest", speed));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_come_back),  cmocka_unit_test(speeds_come_back),
      cmocka_unit_test(directions_come_back), cmocka_unit_test(states_are_exact),
      cmocka_unit_test(header_tells_the_box),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
