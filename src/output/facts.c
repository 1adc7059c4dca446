// Collects, writes, reads and compares the facts of a run.
#include "output/facts.h"

#include "base/file.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "output/frame.h"
#include "output/series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { FORMAT = 1 };

void st_facts_free(StFacts *facts) {
  free(facts->scene_path);
  free(facts->scene_folder);
  free(facts->series);
  for (int i = 0; i < facts->body_count; i++)
    free(facts->body[i]);
  free(facts->body);
  *facts = (StFacts){0};
}

static uLong crc_more(uLong crc, const void *data, size_t size) {
  return size ? crc32_z(crc, data, size) : crc;
}

uint32_t st_scene_crc(const char *text, size_t size) {
  return text ? (uint32_t)crc_more(crc32_z(0, NULL, 0), text, size) : 0;
}

static uint32_t mesh_crc(const StMesh *mesh) {
  size_t tets = (size_t)mesh->tet_count, triangles = (size_t)mesh->triangle_count;
  uLong crc = crc32_z(0, NULL, 0);
  crc = crc_more(crc, mesh->position, (size_t)mesh->vertex_count * 3 * sizeof(double));
  crc = crc_more(crc, mesh->tet, tets * 4 * sizeof(int));
  crc = crc_more(crc, mesh->tet_label, tets * sizeof(int));
  crc = crc_more(crc, mesh->triangle, triangles * 3 * sizeof(int));
  crc = crc_more(crc, mesh->triangle_label, triangles * sizeof(int));
  crc = crc_more(crc, mesh->tag, (size_t)mesh->tag_count * 2 * sizeof(int));
  for (int i = 0; i < mesh->label_count; i++)
    crc = crc_more(crc, mesh->label_name[i], strlen(mesh->label_name[i]) + 1);
  return (uint32_t)crc;
}

static char *body_fact(const StBodyDesc *body, int index) {
  StText text = {0};
  if (body->name)
    st_text_add(&text, "%s", body->name);
  else
    st_text_add(&text, "body %d", index);
  st_text_add(&text, ": %d vertices, %d tets, %d triangles, crc32 %08x", body->mesh->vertex_count,
              body->mesh->tet_count, body->mesh->triangle_count, mesh_crc(body->mesh));
  return st_text_take(&text);
}

static bool add_body(StFacts *facts, size_t *capacity, char *fact) {
  if (!fact || !st_grow((void **)&facts->body, capacity, (size_t)facts->body_count + 1,
                        sizeof *facts->body)) {
    free(fact);
    return false;
  }
  facts->body[facts->body_count++] = fact;
  return true;
}

// "…/swing.json" gives "swing.pvd" or "swing.vtkhdf.series", so that lists of several runs
// can be told apart.
static char *series_name(const char *scene_path, StFrameFormat format) {
  int stem = 0;
  const char *name = scene_path ? st_path_name(scene_path, &stem) : "";
  return st_format("%.*s%s", stem ? stem : 3, stem ? name : "run", st_series_ending(format));
}

static char *folder_of(const char *path) {
  char *copy = st_copy_string(path);
  char *slash = copy ? strrchr(copy, '/') : NULL;
  if (slash)
    slash[slash == copy ? 1 : 0] = 0;
  return copy;
}

// A scene that has been moved (resumed from the copy) keeps its original path.
static StStatus gather_scene(const char *path, StFacts *facts, StError *error) {
  facts->scene_path = realpath(path, NULL);
  bool gone = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
  if (!facts->scene_path && !gone)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be looked up: %s", path, strerror(errno));
  if (!facts->scene_path)
    facts->scene_path = st_copy_string(path);
  facts->scene_folder = folder_of(facts->scene_path);
  return facts->scene_folder ? ST_OK : st_fail_memory(error);
}

static StStatus gather(const StDescription *description, const StRunOptions *options,
                       StFacts *facts, StError *error) {
  size_t capacity = 0;
  facts->series = series_name(options->scene_path, st_frame_format(description));
  ST_TRY_MEMORY(facts->series, error);
  if (options->scene_path)
    ST_TRY(gather_scene(options->scene_path, facts, error));
  for (int i = 0; i < description->body_count; i++)
    ST_TRY_MEMORY(add_body(facts, &capacity, body_fact(&description->body[i], i)), error);
  return ST_OK;
}

StStatus st_facts_gather(const StDescription *description, const StRunOptions *options,
                         StFacts *facts, StError *error) {
  *facts = (StFacts){.scene_crc = st_scene_crc(options->scene_text, options->scene_size),
                     .has_callbacks = st_description_has_callbacks(description)};
  StStatus status = gather(description, options, facts, error);
  if (status != ST_OK)
    st_facts_free(facts);
  return status;
}

StStatus st_facts_stage(const char *path, const StFacts *facts, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  StJsonOut out = st_json_begin(&text, '{', 2);
  st_json_number(&out, "stiction_run", FORMAT);
  st_json_string(&out, "version", STICTION_VERSION);
  st_json_string(&out, "scene_path", facts->scene_path);
  st_json_string(&out, "scene_folder", facts->scene_folder);
  st_json_key(&out, "scene_crc32");
  st_text_add(&text, "\"%08x\"", facts->scene_crc);
  st_json_string(&out, "series", facts->series);
  st_json_key(&out, "has_callbacks");
  st_text_add(&text, facts->has_callbacks ? "true" : "false");
  StJsonOut bodies = st_json_lines(&out, "bodies", '[');
  for (int i = 0; i < facts->body_count; i++)
    st_json_string(&bodies, NULL, facts->body[i]);
  st_json_end(&bodies);
  st_json_end(&out);
  st_text_add(&text, "\n");
  return text.failed ? st_fail_memory(error) : st_file_stage(path, text.data, text.length, error);
}

// *value stays NULL if the entry is missing or null.
static StStatus copy_text(const StJson *root, const char *key, char **value) {
  const char *text = st_json_get_text(root, key);
  *value = text ? st_copy_string(text) : NULL;
  return text && !*value ? ST_SYSTEM_FAULT : ST_OK;
}

static StStatus read_bodies(const StJson *root, StFacts *facts) {
  const StJson *bodies = st_json_get(root, "bodies");
  size_t capacity = 0;
  if (!bodies || bodies->kind != ST_JSON_LIST)
    return ST_BAD_INPUT;
  for (const StJson *body = bodies->child; body; body = body->next) {
    if (body->kind != ST_JSON_STRING)
      return ST_BAD_INPUT;
    if (!add_body(facts, &capacity, st_copy_string(body->text)))
      return ST_SYSTEM_FAULT;
  }
  return ST_OK;
}

// ST_BAD_INPUT: damaged; ST_SYSTEM_FAULT: out of memory.
static StStatus read_entries(const StJson *root, StFacts *facts) {
  ST_TRY(copy_text(root, "scene_path", &facts->scene_path));
  ST_TRY(copy_text(root, "scene_folder", &facts->scene_folder));
  ST_TRY(copy_text(root, "series", &facts->series));
  const StJson *callbacks = st_json_get(root, "has_callbacks");
  const char *crc = st_json_get_text(root, "scene_crc32");
  facts->has_callbacks = callbacks && callbacks->kind == ST_JSON_BOOLEAN && callbacks->truth;
  if (!facts->series || strchr(facts->series, '/'))
    return ST_BAD_INPUT;
  if (!crc || sscanf(crc, "%8x", &facts->scene_crc) != 1)
    return ST_BAD_INPUT;
  return read_bodies(root, facts);
}

static StStatus read_facts(const char *path, const StJson *root, StFacts *facts, StError *error) {
  double format = st_json_get_number(root, "stiction_run");
  if (isnan(format))
    return st_fail(error, ST_BAD_INPUT, "%s: not the file of a Stiction run", path);
  if (format != FORMAT)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: has format %g, this version of Stiction reads format %d; resume with the "
                   "version that wrote it",
                   path, format, FORMAT);
  StStatus status = read_entries(root, facts);
  if (status == ST_BAD_INPUT)
    return st_fail(error, status, "%s: damaged (unreadable entries)", path);
  return status == ST_OK ? ST_OK : st_fail_memory(error);
}

StStatus st_facts_read(const char *path, StFacts *facts, StError *error) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  *facts = (StFacts){0};
  ST_TRY(st_json_read_own(path, &document, error));
  StStatus status = read_facts(path, st_json_root(document), facts, error);
  if (status != ST_OK)
    st_facts_free(facts);
  return status;
}

StStatus st_facts_compare(const char *path, const StFacts *began_with, const StFacts *now,
                          StError *error) {
  if (began_with->scene_crc != now->scene_crc)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: the run began with another scene (checksum %08x then, %08x now); a changed "
                   "scene is a new run: start it with \"stiction run\"",
                   path, began_with->scene_crc, now->scene_crc);
  if (began_with->has_callbacks != now->has_callbacks)
    return st_fail(error, ST_BAD_INPUT,
                   now->has_callbacks
                       ? "%s: the run began without forces and motions from a program; start a new "
                         "one with them"
                       : "%s: forces or motions of the run came from a program: only that program "
                         "can resume it",
                   path);
  if (began_with->body_count != now->body_count)
    return st_fail(error, ST_BAD_INPUT, "%s: the run began with %d bodies, the scene now gives %d",
                   path, began_with->body_count, now->body_count);
  for (int i = 0; i < now->body_count; i++)
    if (strcmp(began_with->body[i], now->body[i]) != 0)
      return st_fail(
          error, ST_BAD_INPUT,
          "%s: the mesh of a body has changed since the run began (then \"%s\", now "
          "\"%s\"); put the old mesh file back, or start a new run with \"stiction run\"",
          path, began_with->body[i], now->body[i]);
  return ST_OK;
}
