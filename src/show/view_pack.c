// Packs frames. Every number is replaced by its difference from a prediction: its own value one
// frame earlier, plus the change of the previous vertex. Common motion and rest both become zeros,
// which compress to almost nothing.
#include "show/view_pack.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { PACK_BYTES = 3 << 20, MOST_FRAMES = 32, LEVEL = 6, STEPS = 65535, ROOTS = 255 };

static const double RARE = 0.005; // fraction of values that may lie beyond an end of a legend

typedef struct Box {
  double low[3], high[3];
} Box;

static size_t bytes_per_vertex(const StViewFields *fields) {
  return 6 + (size_t)fields->number_count;
}

int st_view_pack_frames(const StViewSurface *surface, const StViewFields *fields) {
  size_t bytes = (size_t)surface->vertex_count * bytes_per_vertex(fields);
  size_t frames = bytes > 0 ? PACK_BYTES / bytes : MOST_FRAMES;
  return frames < 1 ? 1 : frames > MOST_FRAMES ? MOST_FRAMES : (int)frames;
}

StStatus st_view_pack_create(const StViewSurface *surface, const StViewFields *fields, int capacity,
                             StViewPack *pack, StError *error) {
  size_t items = (size_t)capacity * (size_t)surface->vertex_count;
  *pack = (StViewPack){.surface = surface,
                       .fields = fields,
                       .capacity = capacity,
                       .position = ST_NEW(double, 3 * items),
                       .value = ST_NEW(float, (size_t)fields->number_count *items)};
  if (pack->position && pack->value)
    return ST_OK;
  st_view_pack_free(pack);
  return st_fail_memory(error);
}

void st_view_pack_free(StViewPack *pack) {
  free(pack->position);
  free(pack->value);
  *pack = (StViewPack){0};
}

void st_view_pack_empty(StViewPack *pack) {
  pack->count = 0;
}

const char *st_view_pack_name(const StViewPack *pack, int group) {
  if (group == 0)
    return "position";
  return group <= pack->fields->count ? pack->fields->field[group - 1]->name : NULL;
}

static double *positions_of(const StViewPack *pack, int frame) {
  return pack->position + 3 * (size_t)frame * (size_t)pack->surface->vertex_count;
}

// One of all fields' numbers.
static float *numbers_of(const StViewPack *pack, int frame, int number) {
  size_t at = (size_t)frame * (size_t)pack->fields->number_count + (size_t)number;
  return pack->value + at * (size_t)pack->surface->vertex_count;
}

StStatus st_view_pack_add(StViewPack *pack, const StRecording *recording, int frame, bool positions,
                          StError *error) {
  ST_CHECK(pack->count < pack->capacity, error);
  double *position = positions ? positions_of(pack, pack->count) : NULL;
  ST_TRY(st_view_fields_read(recording, frame, pack->surface, pack->fields, position,
                             numbers_of(pack, pack->count, 0), error));
  pack->count++;
  return ST_OK;
}

static void grow(Box *box, const double x[3], bool first) {
  for (int i = 0; i < 3; i++) {
    box->low[i] = first ? x[i] : fmin(box->low[i], x[i]);
    box->high[i] = first ? x[i] : fmax(box->high[i], x[i]);
  }
}

static double size_of(const Box *box) {
  double size = 0;
  for (int i = 0; i < 3; i++)
    size = fmax(size, box->high[i] - box->low[i]);
  return size > 0 ? size : 1;
}

static void displacement(const StViewPack *pack, int frame, int vertex, double d[3]) {
  const double *x = positions_of(pack, frame) + 3 * (size_t)vertex;
  for (int i = 0; i < 3; i++)
    d[i] = x[i] - (double)pack->surface->rest[3 * (size_t)vertex + (size_t)i];
}

static unsigned zigzag(int difference) {
  return difference < 0 ? 2 * (unsigned)-difference - 1 : 2 * (unsigned)difference;
}

// One coordinate of one frame: low bytes, then high bytes. before: [vertex_count], updated.
static void code_axis(const StViewPack *pack, const Box *cube, int frame, int axis,
                      uint16_t *before, uint8_t *to) {
  int count = pack->surface->vertex_count, change = 0;
  double size = size_of(cube), moved_by[3];
  for (int v = 0; v < count; v++) {
    displacement(pack, frame, v, moved_by);
    double share = (moved_by[axis] - cube->low[axis]) / size;
    int now = (int)lround(STEPS * share), moved = now - before[v];
    unsigned code = zigzag((int16_t)(uint16_t)(moved - change));
    to[v] = (uint8_t)code;
    to[count + v] = (uint8_t)(code >> 8);
    before[v] = (uint16_t)now;
    change = moved;
  }
}

static void add_list(StText *text, const char *name, const double *value, int count) {
  st_text_add(text, ",\"%s\":[", name);
  for (int i = 0; i < count; i++)
    st_text_add(text, "%s%.9g", i ? "," : "", value[i]);
  st_text_add(text, "]");
}

static StStatus pack_positions(const StViewPack *pack, StText *header, StText *bytes,
                               StError *error) {
  size_t count = (size_t)pack->surface->vertex_count;
  Box cube = {0}, box = {0};
  double farthest = 0;
  for (int f = 0; f < pack->count; f++)
    for (int v = 0; v < pack->surface->vertex_count; v++) {
      double moved[3];
      displacement(pack, f, v, moved);
      farthest = fmax(farthest, vec3_length(moved));
      grow(&cube, moved, f + v == 0);
      grow(&box, positions_of(pack, f) + 3 * (size_t)v, f + v == 0);
    }
  st_text_add(header, "\"position\":{\"size\":%.9g,\"farthest\":%.9g", size_of(&cube), farthest);
  add_list(header, "low", cube.low, 3);
  add_list(header, "high", cube.high, 3);
  add_list(header, "box_low", box.low, 3);
  add_list(header, "box_high", box.high, 3);
  st_text_add(header, "}");
  size_t size = (size_t)pack->count * 6 * count;
  ST_FREE uint8_t *coded = ST_NEW(uint8_t, size);
  ST_FREE uint16_t *before = ST_NEW(uint16_t, 3 * count);
  ST_TRY_MEMORY(coded && before, error);
  for (int i = 0; i < 3 * pack->count; i++)
    code_axis(pack, &cube, i / 3, i % 3, before + count * (size_t)(i % 3),
              coded + 2 * count * (size_t)i);
  return st_view_deflate(coded, size, bytes, error);
}

// Scale and distribution of a field's numbers: by the root of their share of the largest, with
// their sign, as they are coded.
typedef struct Spread {
  double largest;
  long seen[2 * ROOTS + 1];
} Spread;

static void note(Spread *spread, double value) {
  double share = spread->largest > 0 ? fmin(fabs(value) / spread->largest, 1) : 0;
  int code = share > 0 ? (int)lround(ROOTS * sqrt(share)) : 0; // 0 for NaN
  spread->seen[ROOTS + (value < 0 ? -code : code)]++;
}

// A suitable end for a legend: all but a few of the nonzero values are on one side. way: 1 for the
// high end, -1 for the low one.
static double end_of(const Spread *spread, int way) {
  long all = -spread->seen[ROOTS], beyond = 0;
  int code = ROOTS;
  for (int i = 0; i <= 2 * ROOTS; i++)
    all += spread->seen[i];
  while (code > -ROOTS) {
    beyond += code ? spread->seen[ROOTS + way * code] : 0;
    if ((double)beyond > RARE * (double)all)
      break;
    code--;
  }
  double root = all > 0 ? (double)(way * code) / ROOTS : 0;
  return spread->largest * root * fabs(root);
}

static void vector_at(const StViewPack *pack, int frame, int number, int vertex, double x[3]) {
  for (int i = 0; i < 3; i++)
    x[i] = numbers_of(pack, frame, number + i)[vertex];
}

static double component_at(const StViewPack *pack, int frame, int number, int vertex) {
  return numbers_of(pack, frame, number)[vertex];
}

// A byte: the root of the share of the largest, from 0 up or on both sides of 128.
static uint8_t code_of(StViewKind kind, double value, double largest) {
  double share = largest > 0 ? fmin(fabs(value) / largest, 1) : 0;
  if (kind == ST_VIEW_NUMBER)
    return (uint8_t)fmin(fmax(value, 0), 255);
  if (!(share > 0))
    return kind == ST_VIEW_SIGNED ? 128 : 0;
  if (kind == ST_VIEW_SIGNED)
    return (uint8_t)(128 + lround(copysign(127 * sqrt(share), value)));
  return value > 0 ? (uint8_t)lround(255 * sqrt(share)) : 0;
}

// The vector's point on the octahedron |x| + |y| + |z| = 1, with the lower half unfolded into a
// square, 0 … 255 along its sides.
static void code_direction(const double x[3], uint8_t code[2]) {
  double sum = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
  code[0] = code[1] = 0;
  if (!(sum > 0) || !isfinite(sum))
    return;
  double a = x[0] / sum, b = x[1] / sum;
  double first = x[2] < 0 ? copysign(1 - fabs(b), x[0]) : a;
  double second = x[2] < 0 ? copysign(1 - fabs(a), x[1]) : b;
  code[0] = (uint8_t)lround(127.5 * (first + 1));
  code[1] = (uint8_t)lround(127.5 * (second + 1));
}

// Replaces codes of one plane by their differences. before: [count], updated.
static void predict(int count, uint8_t *before, uint8_t *code) {
  int change = 0;
  for (int v = 0; v < count; v++) {
    int now = code[v], moved = now - before[v];
    code[v] = (uint8_t)zigzag((int8_t)(uint8_t)(moved - change));
    before[v] = (uint8_t)now;
    change = moved;
  }
}

// A field of a pack. number: its first among those of all fields.
typedef struct Part {
  const StViewPack *pack;
  const StViewField *field;
  int number;
  Spread spread[ST_VIEW_COMPONENTS]; // of a vector: length, x, y, z
} Part;

static void measure_vector(Part *part) {
  Spread *spread = part->spread;
  int vertices = part->pack->surface->vertex_count, items = part->pack->count * vertices;
  double x[3];
  for (int i = 0; i < items; i++) {
    vector_at(part->pack, i / vertices, part->number, i % vertices, x);
    spread->largest = fmax(spread->largest, vec3_length(x)); // ignores NaN
  }
  for (int k = 1; k < 4; k++)
    spread[k].largest = spread->largest;
  for (int i = 0; i < items; i++) {
    vector_at(part->pack, i / vertices, part->number, i % vertices, x);
    note(spread, vec3_length(x));
    for (int k = 0; k < 3; k++)
      note(&spread[k + 1], x[k]);
  }
}

static void measure(Part *part, int component) {
  Spread *spread = &part->spread[component];
  int vertices = part->pack->surface->vertex_count, items = part->pack->count * vertices;
  int number = part->number + component;
  for (int i = 0; i < items; i++)
    spread->largest =
        fmax(spread->largest, fabs(component_at(part->pack, i / vertices, number, i % vertices)));
  for (int i = 0; i < items; i++)
    note(spread, component_at(part->pack, i / vertices, number, i % vertices));
}

// code: [numbers of the field][vertex_count].
static void code_frame(const Part *part, int frame, uint8_t *code) {
  const StViewField *field = part->field;
  int count = part->pack->surface->vertex_count;
  for (int v = 0; v < count && field->kind == ST_VIEW_VECTOR; v++) {
    double x[3];
    uint8_t direction[2];
    vector_at(part->pack, frame, part->number, v, x);
    code_direction(x, direction);
    code[v] = code_of(ST_VIEW_AMOUNT, vec3_length(x), part->spread->largest);
    code[count + v] = direction[0];
    code[2 * (size_t)count + (size_t)v] = direction[1];
  }
  for (int i = 0; i < field->count && field->kind != ST_VIEW_VECTOR; i++)
    for (int v = 0; v < count; v++)
      code[(size_t)i * (size_t)count + (size_t)v] =
          code_of(st_view_field_kind(field, i),
                  component_at(part->pack, frame, part->number + i, v), part->spread[i].largest);
}

static void describe(const Part *part, StText *header) {
  bool vector = part->field->kind == ST_VIEW_VECTOR;
  int count = vector ? 4 : part->field->count;
  double largest[ST_VIEW_COMPONENTS], low[ST_VIEW_COMPONENTS], high[ST_VIEW_COMPONENTS];
  for (int i = 0; i < count; i++) {
    largest[i] = part->spread[i].largest;
    low[i] = end_of(&part->spread[i], -1);
    high[i] = end_of(&part->spread[i], 1);
  }
  st_text_add(header, "\"%s\":{\"count\":%d", part->field->name, part->field->count);
  add_list(header, "largest", largest, vector ? 1 : count);
  add_list(header, "low", low, count);
  add_list(header, "high", high, count);
  st_text_add(header, "}");
}

static StStatus pack_field(Part *part, StText *header, StText *bytes, StError *error) {
  int count = part->pack->surface->vertex_count, planes = part->field->count;
  if (part->field->kind == ST_VIEW_VECTOR)
    measure_vector(part);
  for (int i = 0; i < planes && part->field->kind != ST_VIEW_VECTOR; i++)
    measure(part, i);
  describe(part, header);
  size_t each = (size_t)planes * (size_t)count, size = (size_t)part->pack->count * each;
  ST_FREE uint8_t *coded = ST_NEW(uint8_t, size);
  ST_FREE uint8_t *before = ST_NEW(uint8_t, each);
  ST_TRY_MEMORY(coded && before, error);
  for (int f = 0; f < part->pack->count; f++) {
    uint8_t *code = coded + each * (size_t)f;
    code_frame(part, f, code);
    for (int i = 0; i < planes; i++)
      predict(count, before + (size_t)i * (size_t)count, code + (size_t)i * (size_t)count);
  }
  return st_view_deflate(coded, size, bytes, error);
}

StStatus st_view_pack_group(const StViewPack *pack, int group, StText *header, StText *bytes,
                            StError *error) {
  if (group == 0)
    return pack_positions(pack, header, bytes, error);
  Part part = {.pack = pack, .field = pack->fields->field[group - 1]};
  for (int i = 0; i < group - 1; i++)
    part.number += pack->fields->field[i]->count;
  return pack_field(&part, header, bytes, error);
}

StStatus st_view_deflate(const void *bytes, size_t size, StText *text, StError *error) {
  uLongf room = compressBound((uLong)size);
  ST_FREE Bytef *packed = ST_NEW(Bytef, room);
  ST_TRY_MEMORY(packed, error);
  int result = compress2(packed, &room, bytes, (uLong)size, LEVEL);
  if (result == Z_OK)
    st_text_add_bytes(text, packed, room);
  return result == Z_OK && !text->failed ? ST_OK : st_fail_memory(error);
}
