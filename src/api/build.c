// Builds of the public interface: created, read, and turned into text. scene.c makes scenes of
// them.
#include "api/build.h"

#include "api/call.h"
#include "base/file.h"
#include "base/memory.h"
#include "scene/scene.h"

#include <string.h>

static StStatus take_path(StictionBuild *build, const char *path, StError *error) {
  build->name = st_copy_string(path);
  build->path = st_copy_string(path);
  build->folder = st_copy_string(path);
  ST_TRY_MEMORY(build->name && build->path && build->folder, error);
  char *slash = strrchr(build->folder, '/');
  build->folder[slash ? slash + 1 - build->folder : 0] = 0;
  return ST_OK;
}

static StStatus read_text(StictionBuild *build, const char *text, size_t size, StError *error) {
  if (size > ST_SCENE_SIZE)
    return st_fail(error, ST_BAD_INPUT, "%s: is larger than %d MB, the maximum for a scene",
                   build->name, ST_SCENE_SIZE >> 20);
  return st_json_parse_packed(build->name, text, size, &build->document, error);
}

static StStatus read_file(StictionBuild *build, const char *path, StError *error) {
  ST_FREE char *text = NULL;
  size_t size = 0;
  ST_TRY(take_path(build, path, error));
  ST_TRY(st_file_read_most(path, ST_SCENE_SIZE, &text, &size, error));
  return read_text(build, text, size, error);
}

static StStatus fill(StictionBuild *build, const char *path, const char *text, StError *error) {
  if (path) {
    ST_TRY(read_file(build, path, error));
  } else {
    build->name = st_copy_string("scene");
    build->folder = st_copy_string("");
    ST_TRY_MEMORY(build->name && build->folder, error);
    ST_TRY(text ? read_text(build, text, strlen(text), error)
                : st_json_create(&build->document, error));
    if (!text)
      st_json_set_object(st_json_top(build->document));
  }
  build->document->owner = build;
  build->lost = (StJson){.document = build->document, .removed = true};
  return ST_OK;
}

StStatus st_build_make(const char *path, const char *text, StictionBuild **build, StError *error) {
  StictionBuild *made = ST_NEW(StictionBuild, 1);
  StStatus status = made ? fill(made, path, text, error) : st_fail_memory(error);
  if (status == ST_OK)
    *build = made;
  else
    stiction_build_free(made);
  return status;
}

static StictionStatus report(StStatus status, const StError *error) {
  if (status != ST_OK)
    st_call_report(error);
  return (StictionStatus)status;
}

static StictionStatus create(const char *path, const char *text, StictionBuild **build) {
  StError error = {0};
  return report(st_build_make(path, text, build, &error), &error);
}

StictionStatus stiction_build_create(StictionBuild **build) {
  ST_NEED(build);
  *build = NULL;
  return create(NULL, NULL, build);
}

StictionStatus stiction_build_load(const char *path, StictionBuild **build) {
  ST_NEED(build);
  *build = NULL;
  ST_NEED(path);
  return create(path, NULL, build);
}

StictionStatus stiction_build_parse(const char *text, StictionBuild **build) {
  ST_NEED(build);
  *build = NULL;
  ST_NEED(text);
  return create(NULL, text, build);
}

void stiction_build_free(StictionBuild *build) {
  if (!build)
    return;
  st_json_destroy(build->document);
  st_text_free(&build->text);
  free(build->name);
  free(build->folder);
  free(build->path);
  free(build);
}

StStatus st_build_place(StictionBuild *build, const char *folder, StError *error) {
  char *copy = st_copy_string(folder);
  if (folder && !copy)
    return st_fail_memory(error);
  free(build->folder);
  build->folder = copy;
  return ST_OK;
}

StictionStatus stiction_build_set_folder(StictionBuild *build, const char *folder) {
  ST_NEED(build);
  StError error = {0};
  return report(st_build_place(build, folder, &error), &error);
}

StStatus st_build_text(const StictionBuild *build, const char **text, size_t *size, StText *made,
                       StError *error) {
  if (build->error.status != ST_OK) {
    *error = build->error;
    return error->status;
  }
  if (!build->changed && build->document->source) {
    *text = build->document->source;
    *size = build->document->size;
    return ST_OK;
  }
  st_json_write(made, st_json_root(build->document));
  *text = made->data;
  *size = made->length;
  return made->failed ? st_fail_memory(error) : ST_OK;
}

const char *stiction_build_text(StictionBuild *build) {
  StError error = {0};
  const char *text = NULL;
  size_t size;
  if (!build) {
    st_call_missing(__func__, "build");
    return NULL;
  }
  st_text_free(&build->text);
  if (st_build_text(build, &text, &size, &build->text, &error) == ST_OK)
    return text;
  st_call_report(&error);
  return NULL;
}

StictionStatus stiction_build_write(StictionBuild *build, const char *path) {
  ST_NEED(build);
  ST_NEED(path);
  StError error = {0};
  ST_FINALLY(st_text_free) StText made = {0};
  const char *text = NULL;
  size_t size = 0;
  StStatus status = st_build_text(build, &text, &size, &made, &error);
  if (status == ST_OK)
    status = st_file_write(path, text, size, &error);
  return report(status, &error);
}
