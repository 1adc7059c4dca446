// Packs frames. Every number is replaced by its difference from a prediction: its own value one
// frame earlier, plus the change of the previous vertex. Common motion and rest both become zeros,
// which compress to almost nothing.
#include "show/view_pack.h"

#include "base/memory.h"

#include <stdint.h>
#include <zlib.h>

enum { PACK_BYTES = 3 << 20, MOST_FRAMES = 32, LEVEL = 6, STEPS = 65535 };

static const double RARE = 0.005; // fraction of values that may lie beyond the end of a legend

typedef struct Cube {
  double low[3], high[3]; // bounding box of all positions
  double size;            // its longest side, never 0
} Cube;

int st_view_pack_frames(const StViewSurface *surface, const StViewPlanes *planes) {
  size_t bytes = (size_t)surface->vertex_count * (size_t)(6 + planes->count);
  size_t frames = bytes > 0 ? PACK_BYTES / bytes : MOST_FRAMES;
  return frames < 1 ? 1 : frames > MOST_FRAMES ? MOST_FRAMES : (int)frames;
}

StStatus st_view_pack_create(const StViewSurface *surface, const StViewPlanes *planes, int capacity,
                             StViewPack *pack, StError *error) {
  size_t items = (size_t)capacity * (size_t)surface->vertex_count;
  *pack = (StViewPack){.vertex_count = surface->vertex_count,
                       .planes = planes,
                       .capacity = capacity,
                       .position = ST_NEW(double, 3 * items),
                       .value = ST_NEW(float, (size_t)planes->count *items)};
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

static double *positions_of(const StViewPack *pack, int frame) {
  return pack->position + 3 * (size_t)frame * (size_t)pack->vertex_count;
}

static float *plane_of(const StViewPack *pack, int frame, int plane) {
  size_t at = (size_t)frame * (size_t)pack->planes->count + (size_t)plane;
  return pack->value + at * (size_t)pack->vertex_count;
}

StStatus st_view_pack_add(StViewPack *pack, const StRecording *recording, int frame,
                          const StViewSurface *surface, StError *error) {
  ST_CHECK(pack->count < pack->capacity, error);
  ST_TRY(st_view_fields_read(recording, frame, surface, pack->planes,
                             positions_of(pack, pack->count), plane_of(pack, pack->count, 0),
                             error));
  pack->count++;
  return ST_OK;
}

static Cube measure_cube(const StViewPack *pack) {
  Cube cube = {.size = 0};
  size_t count = (size_t)pack->count * (size_t)pack->vertex_count;
  for (size_t i = 0; i < 3 * count; i++) {
    double x = pack->position[i];
    cube.low[i % 3] = i < 3 ? x : fmin(cube.low[i % 3], x);
    cube.high[i % 3] = i < 3 ? x : fmax(cube.high[i % 3], x);
  }
  for (int i = 0; i < 3; i++)
    cube.size = fmax(cube.size, cube.high[i] - cube.low[i]);
  cube.size = cube.size > 0 ? cube.size : 1;
  return cube;
}

static double largest_of(const StViewPack *pack, int plane) {
  double largest = 0;
  if (pack->planes->plane[plane].kind == ST_VIEW_NUMBER)
    return 255;
  for (int f = 0; f < pack->count; f++)
    for (int v = 0; v < pack->vertex_count; v++)
      largest = fmax(largest, plane_of(pack, f, plane)[v]); // ignores NaN
  return largest;
}

static uint8_t code_of(StViewPlaneKind kind, double value, double largest) {
  if (!(value > 0) || !(largest > 0))
    return 0;
  double share = fmin(value / largest, 1);
  return (uint8_t)lround(255 * (kind == ST_VIEW_NUMBER ? share : sqrt(share)));
}

// A suitable end for a legend: all but a few of the nonzero values are below.
static double typical_of(const long count[256], double largest) {
  long all = 0, above = 0;
  int code = 255;
  for (int i = 1; i < 256; i++)
    all += count[i];
  while (code > 0 && (double)(above + count[code]) <= RARE * (double)all)
    above += count[code--];
  return largest * (code / 255.0) * (code / 255.0);
}

static unsigned zigzag(int difference) {
  return difference < 0 ? 2 * (unsigned)-difference - 1 : 2 * (unsigned)difference;
}

// One coordinate of one frame: low bytes, then high bytes. before: [vertex_count], updated.
static void code_axis(const StViewPack *pack, const Cube *cube, int frame, int axis,
                      uint16_t *before, uint8_t *to) {
  const double *position = positions_of(pack, frame);
  int change = 0;
  for (int v = 0; v < pack->vertex_count; v++) {
    double share = (position[3 * (size_t)v + (size_t)axis] - cube->low[axis]) / cube->size;
    int now = (int)lround(STEPS * share), moved = now - before[v];
    unsigned code = zigzag((int16_t)(uint16_t)(moved - change));
    to[v] = (uint8_t)code;
    to[pack->vertex_count + v] = (uint8_t)(code >> 8);
    before[v] = (uint16_t)now;
    change = moved;
  }
}

static void code_plane(const StViewPack *pack, int frame, int plane, double largest,
                       uint8_t *before, long seen[256], uint8_t *to) {
  const float *value = plane_of(pack, frame, plane);
  StViewPlaneKind kind = pack->planes->plane[plane].kind;
  int change = 0;
  for (int v = 0; v < pack->vertex_count; v++) {
    int now = code_of(kind, value[v], largest), moved = now - before[v];
    to[v] = (uint8_t)zigzag((int8_t)(uint8_t)(moved - change));
    before[v] = (uint8_t)now;
    change = moved;
    seen[now]++;
  }
}

// Input and output of the coding of a pack's planes.
typedef struct Coding {
  Cube cube;
  double largest[ST_VIEW_PLANES], typical[ST_VIEW_PLANES];
  uint16_t *before[3];
  uint8_t *plane_before[ST_VIEW_PLANES];
  long seen[ST_VIEW_PLANES][256];
  uint8_t *bytes;
  size_t size;
} Coding;

static void coding_free(Coding *coding) {
  for (int i = 0; i < 3; i++)
    free(coding->before[i]);
  for (int i = 0; i < ST_VIEW_PLANES; i++)
    free(coding->plane_before[i]);
  free(coding->bytes);
}

static bool coding_create(const StViewPack *pack, Coding *coding) {
  size_t vertices = (size_t)pack->vertex_count;
  *coding = (Coding){.cube = measure_cube(pack)};
  coding->size = (size_t)pack->count * vertices * (size_t)(6 + pack->planes->count);
  coding->bytes = ST_NEW(uint8_t, coding->size);
  bool good = coding->bytes != NULL;
  for (int i = 0; i < 3; i++)
    good = (coding->before[i] = ST_NEW(uint16_t, vertices)) && good;
  for (int i = 0; i < pack->planes->count; i++) {
    coding->largest[i] = largest_of(pack, i);
    good = (coding->plane_before[i] = ST_NEW(uint8_t, vertices)) && good;
  }
  return good;
}

static void code_frames(const StViewPack *pack, Coding *coding) {
  uint8_t *to = coding->bytes;
  for (int f = 0; f < pack->count; f++) {
    for (int axis = 0; axis < 3; axis++, to += 2 * (size_t)pack->vertex_count)
      code_axis(pack, &coding->cube, f, axis, coding->before[axis], to);
    for (int p = 0; p < pack->planes->count; p++, to += pack->vertex_count)
      code_plane(pack, f, p, coding->largest[p], coding->plane_before[p], coding->seen[p], to);
  }
  for (int p = 0; p < pack->planes->count; p++)
    coding->typical[p] = typical_of(coding->seen[p], coding->largest[p]);
}

static void add_list(StText *text, const char *name, const double *value, int count) {
  st_text_add(text, ",\"%s\":[", name);
  for (int i = 0; i < count; i++)
    st_text_add(text, "%s%.9g", i ? "," : "", value[i]);
  st_text_add(text, "]");
}

StStatus st_view_pack_finish(StViewPack *pack, int first, StText *header, StText *bytes,
                             StError *error) {
  Coding coding;
  StStatus status = ST_OK;
  if (coding_create(pack, &coding)) {
    code_frames(pack, &coding);
    status = st_view_deflate(coding.bytes, coding.size, bytes, error);
  } else
    status = st_fail_memory(error);
  st_text_add(header, "{\"first\":%d,\"count\":%d,\"size\":%.9g", first, pack->count,
              coding.cube.size);
  add_list(header, "low", coding.cube.low, 3);
  add_list(header, "high", coding.cube.high, 3);
  add_list(header, "largest", coding.largest, pack->planes->count);
  add_list(header, "typical", coding.typical, pack->planes->count);
  st_text_add(header, "}");
  coding_free(&coding);
  pack->count = 0;
  return status != ST_OK || !header->failed ? status : st_fail_memory(error);
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
