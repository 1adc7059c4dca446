// Packs, unpacked again here: positions to half a step of 16 bits, amounts to half a code.
#include "base/memory.h"
#include "field/field.h"
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
static StText header;
static uint8_t *bytes[1 + ST_VIEW_FIELDS]; // of all frames, inflated, by group
static size_t frame_size[1 + ST_VIEW_FIELDS];

static StStatus unpack_group(const StViewPack *pack, int group, StError *error) {
  StText packed = {0};
  StStatus status = st_view_pack_group(pack, group, &header, &packed, error);
  size_t numbers = group ? (size_t)run.fields.field[group - 1]->count : 6;
  frame_size[group] = (size_t)run.surface.vertex_count * numbers;
  uLongf size = SMALL_RUN_FRAMES * frame_size[group];
  bytes[group] = ST_NEW(uint8_t, size);
  bool inflated = status == ST_OK &&
                  uncompress(bytes[group], &size, (Bytef *)packed.data, packed.length) == Z_OK;
  st_text_free(&packed);
  return inflated && size == SMALL_RUN_FRAMES * frame_size[group] ? ST_OK : ST_BUG;
}

static int begin(void **state) {
  StError error = {0};
  StViewPack pack;
  if (small_run_begin(state) != 0 ||
      st_view_run_open(scratch("run"), false, NULL, &run, &error) != ST_OK ||
      st_view_pack_create(&run.surface, &run.fields, SMALL_RUN_FRAMES, &pack, &error) != ST_OK)
    return -1;
  StStatus status = ST_OK;
  for (int f = 0; f < SMALL_RUN_FRAMES && status == ST_OK; f++)
    status = st_view_pack_add(&pack, &run.recording, f, true, &error);
  for (int g = 0; st_view_pack_name(&pack, g) && status == ST_OK; g++)
    status = unpack_group(&pack, g, &error);
  st_view_pack_free(&pack);
  return status == ST_OK ? 0 : -1;
}

static int end(void **state) {
  st_view_run_close(&run);
  st_text_free(&header);
  for (int g = 0; g <= ST_VIEW_FIELDS; g++)
    free(bytes[g]);
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
    const uint8_t *at = bytes[0] + (size_t)f * frame_size[0] + 2 * (size_t)axis * count;
    int change = 0;
    for (size_t v = 0; v < count; v++) {
      change += undo(at[v] | (unsigned)at[count + v] << 8);
      value[v] = (uint16_t)(value[v] + change);
    }
  }
}

static void unpack_plane(int frame, int group, int plane, uint8_t *value) {
  size_t count = (size_t)run.surface.vertex_count;
  memset(value, 0, count);
  for (int f = 0; f <= frame; f++) {
    const uint8_t *at = bytes[group] + (size_t)f * frame_size[group] + (size_t)plane * count;
    int change = 0;
    for (size_t v = 0; v < count; v++) {
      change += undo(at[v]);
      value[v] = (uint8_t)(value[v] + change);
    }
  }
}

// Number `index` of a group's list in the header, or the value itself.
static double told(const char *group, const char *key, int index) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "\"%s\":{", group);
  const char *at = strstr(header.data, pattern);
  assert_non_null(at);
  snprintf(pattern, sizeof pattern, "\"%s\":", key);
  at = strstr(at, pattern);
  assert_non_null(at);
  at += strlen(pattern);
  for (at += *at == '['; index > 0; index--)
    at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

static int group_named(const char *name) {
  for (int i = 0; i < run.fields.count; i++)
    if (strcmp(run.fields.field[i]->name, name) == 0)
      return i + 1;
  fail_msg("there is no field %s", name);
  return -1;
}

// A field of a frame as it was written; free() it.
static double *written(int frame, const char *name) {
  StFrameFields *fields = NULL;
  double *value = NULL;
  StError error = {0};
  assert_int_equal(st_frame_fields_open(&run.recording, frame, &fields, &error), ST_OK);
  assert_int_equal(st_frame_fields_read(fields, st_frame_fields_find(fields, name), &value, &error),
                   ST_OK);
  st_frame_fields_close(fields);
  return value;
}

// As displacements: precise for small ones, however far apart bodies are.
static void positions_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count;
  uint16_t *value = ST_NEW(uint16_t, count);
  double size = told("position", "size", 0);
  assert_true(size > 0.005 && size < 0.1); // block and sheet are a metre apart, and fall less
  for (int f = 0; f < SMALL_RUN_FRAMES; f++) {
    double *position = NULL;
    StError error = {0};
    assert_int_equal(st_recording_frame(&run.recording, f, &position, &error), ST_OK);
    for (int axis = 0; axis < 3; axis++) {
      unpack_axis(f, axis, value);
      for (int v = 0; v < count; v++) {
        double moved = told("position", "low", axis) + size * value[v] / 65535;
        double x = (double)run.surface.rest[3 * v + axis] + moved;
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
  int count = run.surface.vertex_count, group = group_named("speed");
  double largest = told("speed", "largest", 0), most = 0;
  uint8_t *code = ST_NEW(uint8_t, count);
  for (int f = 0; f < SMALL_RUN_FRAMES; f++) {
    double *velocity = written(f, "velocity");
    unpack_plane(f, group, 0, code);
    for (int v = 0; v < count; v++) {
      const double *u = velocity + 3 * run.surface.vertex[v];
      double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), share = code[v] / 255.0;
      most = fmax(most, speed);
      assert_true(fabs(share * share * largest - speed) <= 1.01 * largest / 255);
    }
    free(velocity);
  }
  assert_true(fabs(most - largest) < 1e-6 * most);
  free(code);
}

// The block hits the floor: contact forces point up, which the two numbers of a direction say.
static void directions_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count, group = group_named("contact"), found = 0;
  uint8_t *code[3];
  for (int i = 0; i < 3; i++)
    unpack_plane(SMALL_RUN_FRAMES - 1, group, i, code[i] = ST_NEW(uint8_t, count));
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

// What the page makes of a number of the stress, which has both signs but for von Mises.
static double stress_of(int component, uint8_t code) {
  double largest = told("stress", "largest", component);
  double root = component ? (code - 128) / 127.0 : code / 255.0;
  return largest * root * fabs(root);
}

// As recovered at the vertices. Principal values are in order, and their sum is that of the
// diagonal. A signed code has half the steps.
static void stresses_come_back(void **state) {
  (void)state;
  int count = run.surface.vertex_count, group = group_named("stress");
  double *stress = written(SMALL_RUN_FRAMES - 1, "nodal_stress"), step[10], most = 0;
  uint8_t *code[10];
  for (int i = 0; i < 10; i++) {
    unpack_plane(SMALL_RUN_FRAMES - 1, group, i, code[i] = ST_NEW(uint8_t, count));
    step[i] = 1.01 * told("stress", "largest", i) / 127;
  }
  for (int v = 0; v < count; v++) {
    const double *own = stress + 6 * run.surface.vertex[v];
    double of[4];
    for (int i = 1; i < 4; i++)
      of[i] = stress_of(i, code[i][v]);
    for (int k = 0; k < 6; k++)
      assert_true(fabs(stress_of(4 + k, code[4 + k][v]) - own[k]) <= step[4 + k]);
    assert_true(fabs(stress_of(0, code[0][v]) - st_von_mises(own)) <= step[0]);
    assert_true(fabs(of[1] + of[2] + of[3] - own[0] - own[1] - own[2]) <=
                step[1] + step[2] + step[3]);
    assert_true(of[1] >= of[2] - step[1] - step[2] && of[2] >= of[3] - step[2] - step[3]);
    most = fmax(most, st_von_mises(own));
  }
  assert_true(most > 0);
  for (int i = 0; i < 10; i++)
    free(code[i]);
  free(stress);
}

// Without a list strain stays out; names are those of frames, and gaps are two fields.
static void fields_are_kept_by_name(void **state) {
  (void)state;
  static const struct {
    const char *names;
    int left_out;
  } expected[] = {{NULL, 1}, {"all", 0}};
  StError error = {0};
  for (size_t i = 0; i < 2; i++) {
    StViewFields fields = run.fields;
    assert_int_equal(st_view_fields_keep(&fields, expected[i].names, &error), ST_OK);
    assert_int_equal(fields.count, run.fields.count - expected[i].left_out);
  }
  StViewFields fields = run.fields;
  assert_int_equal(st_view_fields_keep(&fields, "strain,contact_gap", &error), ST_OK);
  assert_int_equal(fields.count, 3);
  assert_int_equal(fields.number_count, 2 + 9);
  static const char *const wrong[] = {"heat", "", "strain,", "velocity,heat"};
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(st_view_fields_keep(&fields, wrong[i], &error), ST_BAD_INPUT);
    assert_non_null(strstr(error.text, "contact_gap, strain"));
    assert_int_equal(fields.count, 3);
  }
}

static void states_are_exact(void **state) {
  (void)state;
  int count = run.surface.vertex_count, touching = 0;
  uint8_t *code = ST_NEW(uint8_t, count);
  unpack_plane(SMALL_RUN_FRAMES - 1, group_named("state"), 0, code);
  for (int v = 0; v < count; v++) {
    assert_in_range(code[v], 0, 2);
    touching += code[v] > 0;
  }
  assert_true(touching > 0);
  free(code);
}

// Ends of a legend: of the length, then of x, y and z; the block is thrown downwards.
static void header_tells_the_ends(void **state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++)
    assert_true(told("position", "box_low", axis) < told("position", "box_high", axis));
  assert_true(told("position", "farthest", 0) > 0);
  double largest = told("speed", "largest", 0);
  for (int i = 0; i < 4; i++) {
    assert_true(told("speed", "low", i) <= told("speed", "high", i));
    assert_true(told("speed", "high", i) <= largest && told("speed", "low", i) >= -largest);
  }
  assert_true(told("speed", "high", 0) > 0);
  assert_true(told("speed", "low", 3) < -0.4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_come_back),     cmocka_unit_test(speeds_come_back),
      cmocka_unit_test(directions_come_back),    cmocka_unit_test(states_are_exact),
      cmocka_unit_test(header_tells_the_ends),   cmocka_unit_test(stresses_come_back),
      cmocka_unit_test(fields_are_kept_by_name),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
