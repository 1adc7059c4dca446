// Cache of filled meshes, by a hash of the surface and the settings. An unreadable entry is
// recomputed, an unwritable one is recomputed next time: neither is an error.
#include "fill/fill.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "fill/tets.h"
#include "mesh/read.h"
#include "mesh/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Changes whenever filling the same surface would give another result.
static const char EDITION[] = "fill 2 " STICTION_VERSION;

// FNV-1a; two of them, from different starts, are enough to distinguish all surfaces.
static void add_hash(uint64_t hash[2], const void *data, size_t size) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; i++)
    for (int k = 0; k < 2; k++)
      hash[k] = (hash[k] ^ byte[i]) * UINT64_C(1099511628211);
}

static void hash_all(const StMesh *surface, const StFillWish *wish, uint64_t hash[2]) {
  size_t triangles = (size_t)surface->triangle_count;
  const char *maker = st_tets_maker();
  hash[0] = UINT64_C(14695981039346656037), hash[1] = UINT64_C(0x9e3779b97f4a7c15);
  add_hash(hash, EDITION, sizeof EDITION);
  add_hash(hash, maker ? maker : "", maker ? strlen(maker) : 0);
  add_hash(hash, (double[]){wish->edge, wish->tolerance, wish->hole, wish->order},
           4 * sizeof(double));
  add_hash(hash, surface->position, 3 * (size_t)surface->vertex_count * sizeof(double));
  add_hash(hash, surface->triangle, 3 * triangles * sizeof(int));
  add_hash(hash, surface->triangle_label, triangles * sizeof(int));
  for (int i = 0; i < surface->label_count; i++)
    add_hash(hash, surface->label_name[i], strlen(surface->label_name[i]) + 1);
}

static void add_folder(StText *text) {
  const char *own = getenv("STICTION_CACHE"), *common = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (own && *own)
    st_text_add(text, "%s", own);
  else if (common && *common)
    st_text_add(text, "%s/stiction", common);
  else if (home && *home)
    st_text_add(text, "%s/.cache/stiction", home);
}

char *st_fill_cache_path(const StMesh *surface, const StFillWish *wish) {
  StText text = {0};
  uint64_t hash[2];
  add_folder(&text);
  if (!text.length || text.failed) {
    st_text_free(&text);
    return NULL;
  }
  hash_all(surface, wish, hash);
  st_text_add(&text, "/fill-%016" PRIx64 "%016" PRIx64 ".vtu", hash[0], hash[1]);
  return st_text_take(&text);
}

// Written under a name of this thread first: others may write the same mesh at the same time.
static void keep(const char *path, const StMesh *mesh, const StLog *log) {
  StError error;
  ST_FINALLY(st_text_free) StText own = {0};
  st_text_add(&own, "%.*s-%ld.vtu", (int)(strlen(path) - 4), path, (long)gettid());
  StStatus status = own.failed ? st_fail_memory(&error) : st_folder_create_above(path, &error);
  if (status == ST_OK)
    status = st_mesh_write(own.data, mesh, &error);
  if (status == ST_OK && rename(own.data, path) != 0)
    status = st_fail(&error, ST_SYSTEM_FAULT, "%s cannot be renamed", own.data);
  if (status != ST_OK)
    st_log(log, ST_INFO, "the filled mesh was not kept for the next time: %s", error.text);
}

static void log_fill(const StLog *log, const char *name, const StMesh *mesh,
                     const StFillReport *report) {
  st_log(log, ST_INFO, "%s: filled with %d tets; edges of about %.3g m, surface kept within %.2g m",
         name, mesh->tet_count, report->wish.edge, report->deviation);
}

StStatus st_fill_cached(const StMesh *surface, const char *name, const StFillWish *wish,
                        const StLog *log, StMesh **result, StError *error) {
  ST_FREE char *path = st_fill_cache_path(surface, wish);
  StError ignored;
  StStatus status = ST_BAD_INPUT;
  if (path && st_file_exists(path))
    status = st_mesh_read(path, NULL, result, &ignored);
  if (status == ST_OK) {
    st_log(log, ST_DETAIL, "%s: filled before, read from %s", name, path);
  } else {
    StFillReport report;
    status = st_fill(surface, name, wish, log, result, &report, error);
    if (status == ST_OK)
      log_fill(log, name, *result, &report);
    if (status == ST_OK && path)
      keep(path, *result, log);
  }
  return status;
}
