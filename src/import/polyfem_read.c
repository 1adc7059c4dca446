// Reads PolyFEM's scene: a file may build on a "common" one, and change it by a merge patch
// (itself) and by a list of operations ("patch"). Tested by tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include "base/expression.h"
#include "base/file.h"
#include "base/memory.h"
#include "import/merge.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 16, SIZE = 64 << 20 };

static char *join(const char *folder, const char *path) {
  return *path == '/' ? st_copy_string(path) : st_format("%s%s", folder, path);
}

static StStatus parse(const char *path, StJsonDocument **document, StError *error) {
  ST_FREE char *text = NULL;
  size_t size;
  ST_TRY(st_file_read_most(path, SIZE, &text, &size, error));
  return st_json_parse(path, text, size, document, error);
}

// Adds a file to what the files below it say.
static StStatus add_file(const char *path, int level, StJson *root, StError *error) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_FREE char *folder = st_import_folder(path);
  ST_TRY_MEMORY(folder, error);
  if (level > LEVELS)
    return st_fail(error, ST_BAD_INPUT, "%s: \"common\" leads to more than %d files", path, LEVELS);
  ST_TRY(parse(path, &document, error));
  StJson *own = st_json_top(document);
  const char *common = st_json_get_text(own, "common");
  if (own->kind != ST_JSON_OBJECT)
    return st_fail(error, ST_BAD_INPUT, "%s: an object is needed", path);
  if (common && *common) {
    ST_FREE char *below = join(folder, common);
    ST_TRY_MEMORY(below, error);
    ST_TRY(add_file(below, level + 1, root, error));
  }
  ST_TRY(st_json_merge(root, own, error));
  const StJson *patch = st_json_get(own, "patch");
  StStatus status = patch ? st_json_patch(root, patch, error) : ST_OK;
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "%s: ", path);
}

StStatus st_polyfem_read(StPolyfem *polyfem, const char *path, StError *error) {
  ST_TRY(st_json_create(&polyfem->document, error));
  StJson *root = st_json_top(polyfem->document);
  st_json_set_object(root);
  ST_TRY(add_file(path, 0, root, error));
  polyfem->scene = root;
  const char *stated = st_json_get_text(root, "root_path");
  ST_FREE char *folder = st_import_folder(path);
  ST_TRY_MEMORY(folder, error);
  polyfem->root = stated && *stated ? st_format("%s%s/", *stated == '/' ? "" : folder, stated)
                                    : st_copy_string(folder);
  ST_TRY_MEMORY(polyfem->root, error);
  if (!st_json_get(root, "geometry"))
    return st_fail(error, ST_BAD_INPUT, "%s: no scene of PolyFEM: \"geometry\" is missing", path);
  return ST_OK;
}

double st_polyfem_number(const StJson *value) {
  if (!value || value->kind == ST_JSON_NUMBER)
    return value ? value->number : NAN;
  ST_FINALLY(st_text_free) StText formula = {0};
  StExpression *expression;
  double number = NAN;
  if (value->kind != ST_JSON_STRING || !st_polyfem_formula(value->text, NULL, &formula) ||
      formula.failed || !formula.data ||
      st_expression_parse(formula.data, (StDimension){0}, &expression, NULL) != ST_OK)
    return NAN;
  number = st_expression_at(expression, 0, NULL);
  if (st_expression_at(expression, 1, NULL) != number)
    number = NAN;
  st_expression_destroy(expression);
  return number;
}

bool st_polyfem_vector(const StJson *value, double vector[3]) {
  if (!value || value->kind != ST_JSON_LIST || value->child_count != 3)
    return false;
  int i = 0;
  for (const StJson *child = value->child; child; child = child->next)
    vector[i++] = st_polyfem_number(child);
  return isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
}

bool st_polyfem_id_matches(const StJson *id, int number) {
  if (!id)
    return false;
  if (id->kind == ST_JSON_STRING)
    return strcmp(id->text, "all") == 0;
  if (id->kind == ST_JSON_NUMBER)
    return id->number == number;
  for (const StJson *one = id->kind == ST_JSON_LIST ? id->child : NULL; one; one = one->next)
    if (st_polyfem_id_matches(one, number))
      return true;
  return false;
}
