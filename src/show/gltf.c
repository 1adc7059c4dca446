// The buffer, the lists and the two kinds of file.
#include "show/gltf.h"

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "show/export_job.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

void st_gltf_free(StGltf *gltf) {
  st_text_free(&gltf->buffer);
  for (int i = 0; i < ST_GLTF_LISTS; i++)
    st_text_free(&gltf->list[i].text);
  *gltf = (StGltf){0};
}

int st_gltf_next(StGltf *gltf, StGltfList list, StText **text) {
  *text = &gltf->list[list].text;
  if (gltf->list[list].count)
    st_text_add(*text, ",\n");
  return gltf->list[list].count++;
}

// All numbers have four bytes, so every view is aligned.
static int add_view(StGltf *gltf, size_t start, StGltfUse use) {
  StText *text;
  int view = st_gltf_next(gltf, ST_GLTF_VIEWS, &text);
  st_text_add(text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", start,
              gltf->buffer.length - start);
  if (use != ST_GLTF_ANIMATION)
    st_text_add(text, ",\"target\":%d",
                use == ST_GLTF_VERTICES ? ARRAY_BUFFER : ELEMENT_ARRAY_BUFFER);
  st_text_add(text, "}");
  return view;
}

static void add_bounds(StText *text, const char *name, const float *bound, int width) {
  st_text_add(text, ",\"%s\":[", name);
  for (int k = 0; k < width; k++)
    st_text_add(text, "%s%.9g", k ? "," : "", (double)bound[k]);
  st_text_add(text, "]");
}

int st_gltf_add_floats(StGltf *gltf, const float *value, int count, int width, StGltfUse use) {
  static const char *const type[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  float low[4] = {INFINITY, INFINITY, INFINITY, INFINITY},
        high[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  size_t start = gltf->buffer.length;
  for (int i = 0; i < count * width; i++) {
    st_text_add_f32(&gltf->buffer, (double)value[i], false);
    low[i % width] = fminf(low[i % width], value[i]);
    high[i % width] = fmaxf(high[i % width], value[i]);
  }
  StText *text;
  int view = add_view(gltf, start, use), accessor = st_gltf_next(gltf, ST_GLTF_ACCESSORS, &text);
  st_text_add(text, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"", view,
              FLOAT, count, type[width]);
  add_bounds(text, "min", low, width);
  add_bounds(text, "max", high, width);
  st_text_add(text, "}");
  return accessor;
}

int st_gltf_add_indices(StGltf *gltf, const int *value, int count, int subtract) {
  size_t start = gltf->buffer.length;
  for (int i = 0; i < count; i++)
    st_text_add_u32(&gltf->buffer, (unsigned)(value[i] - subtract), false);
  StText *text;
  int view = add_view(gltf, start, ST_GLTF_TRIANGLES);
  int accessor = st_gltf_next(gltf, ST_GLTF_ACCESSORS, &text);
  st_text_add(text, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}",
              view, UNSIGNED_INT, count);
  return accessor;
}

void st_gltf_add_string(StText *text, const char *value) {
  st_json_text_add_string(text, value);
}

int st_gltf_add_material(StGltf *gltf, const char *name, const double colour[3], bool one_sided) {
  StText *text;
  int material = st_gltf_next(gltf, ST_GLTF_MATERIALS, &text);
  st_text_add(text, "{\"name\":");
  st_gltf_add_string(text, name);
  st_text_add(text,
              ",\"doubleSided\":%s,\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,"
              "%.4f,1],\"metallicFactor\":0,\"roughnessFactor\":0.7}}",
              one_sided ? "false" : "true", colour[0], colour[1], colour[2]);
  return material;
}

static void add_list(const StGltf *gltf, StGltfList list, const char *name, StText *json) {
  if (gltf->list[list].count == 0)
    return;
  st_text_add(json, ",\n\"%s\":[\n", name);
  st_text_add_bytes(json, gltf->list[list].text.data, gltf->list[list].text.length);
  st_text_add(json, "]");
}

static void add_animation(const StGltf *gltf, StText *json) {
  if (gltf->list[ST_GLTF_CHANNELS].count == 0)
    return;
  st_text_add(json, ",\n\"animations\":[{\"name\":\"run\"");
  add_list(gltf, ST_GLTF_SAMPLERS, "samplers", json);
  add_list(gltf, ST_GLTF_CHANNELS, "channels", json);
  st_text_add(json, "}]");
}

// A file name as a URI.
static void add_address(StText *json, const char *name) {
  for (; *name; name++)
    if (isalnum((unsigned char)*name) || strchr("-_.~", *name))
      st_text_add_bytes(json, name, 1);
    else
      st_text_add(json, "%%%02X", (unsigned char)*name);
}

static void build(const StGltf *gltf, const char *title, int root, const char *bin, StText *json) {
  st_text_add(json,
              "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Stiction %s\"},\n"
              "\"scene\":0,\"scenes\":[{\"name\":",
              STICTION_VERSION);
  st_gltf_add_string(json, title);
  st_text_add(json, ",\"nodes\":[%d]}],\n\"buffers\":[{\"byteLength\":%zu", root,
              gltf->buffer.length);
  if (bin) {
    st_text_add(json, ",\"uri\":\"");
    add_address(json, bin);
    st_text_add(json, "\"");
  }
  st_text_add(json, "}]");
  add_list(gltf, ST_GLTF_VIEWS, "bufferViews", json);
  add_list(gltf, ST_GLTF_ACCESSORS, "accessors", json);
  add_list(gltf, ST_GLTF_MATERIALS, "materials", json);
  add_list(gltf, ST_GLTF_MESHES, "meshes", json);
  add_list(gltf, ST_GLTF_NODES, "nodes", json);
  add_animation(gltf, json);
  st_text_add(json, "}\n");
}

static void add_chunk(StText *file, const char kind[4], const StText *content, char padding) {
  size_t rest = (4 - content->length % 4) % 4;
  st_text_add_u32(file, (unsigned)(content->length + rest), false);
  st_text_add_bytes(file, kind, 4);
  st_text_add_bytes(file, content->data, content->length);
  for (size_t i = 0; i < rest; i++)
    st_text_add_bytes(file, &padding, 1);
}

static StStatus write_binary(const StGltf *gltf, const StText *json, const char *path,
                             StError *error) {
  ST_FINALLY(st_text_free) StText file = {0};
  size_t whole = 12 + 8 + (json->length + 3) / 4 * 4 + 8 + gltf->buffer.length;
  st_text_add_bytes(&file, "glTF", 4);
  st_text_add_u32(&file, 2, false);
  st_text_add_u32(&file, (unsigned)whole, false);
  add_chunk(&file, "JSON", json, ' ');
  add_chunk(&file, "BIN", &gltf->buffer, 0);
  return file.failed ? st_fail_memory(error) : st_file_write(path, file.data, file.length, error);
}

static bool has_failed(const StGltf *gltf) {
  bool failed = gltf->buffer.failed;
  for (int i = 0; i < ST_GLTF_LISTS; i++)
    failed |= gltf->list[i].text.failed;
  return failed;
}

StStatus st_gltf_write(const StGltf *gltf, const char *path, const char *title, int root,
                       StError *error) {
  const char *ending = strrchr(path, '.'), *slash;
  bool binary = ending && strcmp(ending, ".glb") == 0;
  char *bin = binary ? NULL : st_export_beside(path, "bin");
  if (has_failed(gltf) || (!binary && !bin)) {
    free(bin);
    return st_fail_memory(error);
  }
  ST_FINALLY(st_text_free) StText json = {0};
  slash = bin ? strrchr(bin, '/') : NULL;
  build(gltf, title, root, slash ? slash + 1 : bin, &json);
  StStatus status = json.failed ? st_fail_memory(error) : ST_OK;
  if (status == ST_OK && binary)
    status = write_binary(gltf, &json, path, error);
  if (status == ST_OK && !binary)
    status = st_file_write(bin, gltf->buffer.data, gltf->buffer.length, error);
  if (status == ST_OK && !binary)
    status = st_file_write(path, json.data, json.length, error);
  free(bin);
  return status;
}
