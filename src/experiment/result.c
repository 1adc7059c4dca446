// Building results, and reading them back.
#include "experiment/result.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void free_table(StResultTable *table) {
  if (!table)
    return;
  for (int i = 0; i < table->column_count && table->column; i++) {
    free((char *)table->column[i].name);
    free((char *)table->column[i].unit);
  }
  for (size_t i = 0; i < table->cell_count; i++)
    free(table->cell[i].text);
  free(table->title);
  free(table->column);
  free(table->cell);
  free(table);
}

static void free_texts(char **text, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(text[i]);
  free(text);
}

void st_result_free(StResult *result) {
  char *own[] = {result->experiment, result->summary, result->paper, result->size, result->version};
  for (int i = 0; i < ST_LENGTH(own); i++)
    free(own[i]);
  for (size_t i = 0; i < result->entry_count; i++) {
    free(result->entry[i].name);
    free(result->entry[i].value);
  }
  for (size_t i = 0; i < result->table_count; i++)
    free_table(result->table[i]);
  free(result->entry);
  free(result->table);
  free_texts(result->note, result->note_count);
  free_texts(result->plot, result->plot_count);
  *result = (StResult){0};
}

static char *kept(StResult *result, const char *text) {
  char *copy = st_copy_string(text);
  if (text && !copy)
    result->failed = true;
  return copy;
}

static char *formatted(StResult *result, const char *format, va_list arguments) {
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) {
    result->failed = true;
    return NULL;
  }
  return text;
}

// Room for one more; NULL when memory is short.
static void *append(StResult *result, void **array, size_t *count, size_t *capacity, size_t size) {
  if (!st_grow(array, capacity, *count + 1, size)) {
    result->failed = true;
    return NULL;
  }
  void *item = (char *)*array + (*count)++ * size;
  memset(item, 0, size);
  return item;
}

#define APPEND(result, owner, what)                                                                \
  append(result, (void **)&(owner)->what, &(owner)->what##_count, &(owner)->what##_capacity,       \
         sizeof *(owner)->what)

StResultTable *st_result_add_table(StResult *result, const char *title, const StColumn *column,
                                   int column_count) {
  StResultTable *table = ST_NEW(StResultTable, 1);
  StColumn *own = ST_NEW(StColumn, column_count);
  StResultTable **slot = table && own ? APPEND(result, result, table) : NULL;
  if (!slot) {
    result->failed = true;
    free(table);
    free(own);
    return NULL;
  }
  *slot = table;
  *table = (StResultTable){.owner = result, .column = own, .column_count = column_count};
  table->title = kept(result, title);
  for (int i = 0; i < column_count; i++)
    own[i] =
        (StColumn){kept(result, column[i].name), kept(result, column[i].unit), column[i].digits};
  return table;
}

static void add_cell(StResultTable *table, char *text, double value, double paper) {
  StCell *cell = table ? APPEND(table->owner, table, cell) : NULL;
  if (cell)
    *cell = (StCell){text, value, paper};
  else
    free(text);
}

void st_cell_text(StResultTable *table, const char *format, ...) {
  if (!table)
    return;
  va_list arguments;
  va_start(arguments, format);
  char *text = formatted(table->owner, format, arguments);
  va_end(arguments);
  if (text)
    add_cell(table, text, NAN, NAN);
}

void st_cell_number(StResultTable *table, double value) {
  add_cell(table, NULL, value, NAN);
}

void st_cell_beside(StResultTable *table, double value, double paper) {
  add_cell(table, NULL, value, paper);
}

void st_cell_lacks(StResultTable *table, const char *why, double paper) {
  char *text = table ? kept(table->owner, why) : NULL;
  if (text)
    add_cell(table, text, NAN, paper);
}

void st_result_add_entry(StResult *result, const char *name, const char *value) {
  StResultEntry *entry = APPEND(result, result, entry);
  if (entry)
    *entry = (StResultEntry){kept(result, name), kept(result, value)};
}

void st_result_add_note(StResult *result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = formatted(result, format, arguments);
  va_end(arguments);
  char **note = text ? APPEND(result, result, note) : NULL;
  if (note)
    *note = text;
  else
    free(text);
}

void st_result_add_plot(StResult *result, const char *file) {
  char **plot = APPEND(result, result, plot);
  if (plot)
    *plot = kept(result, file);
}

static const char *text_of(const StJson *object, const char *key) {
  const StJson *value = object ? st_json_get(object, key) : NULL;
  return value && value->kind == ST_JSON_STRING ? value->text : NULL;
}

static double number_of(const StJson *value) {
  return value && value->kind == ST_JSON_NUMBER ? value->number : NAN;
}

static const StJson *children(const StJson *root, const char *key) {
  const StJson *list = root ? st_json_get(root, key) : NULL;
  return list && list->child_count > 0 ? list->child : NULL;
}

static void load_cell(StResultTable *table, const StJson *cell) {
  const StJson *value = cell->kind == ST_JSON_OBJECT ? st_json_get(cell, "value") : cell;
  double paper = cell->kind == ST_JSON_OBJECT ? number_of(st_json_get(cell, "paper")) : NAN;
  if (value && value->kind == ST_JSON_STRING)
    st_cell_lacks(table, value->text, paper);
  else
    st_cell_beside(table, number_of(value), paper);
}

static void load_table(StResult *result, const StJson *at) {
  enum { MOST = 32 };
  StColumn column[MOST] = {{0}};
  int count = 0;
  for (const StJson *one = children(at, "columns"); one && count < MOST; one = one->next) {
    double digits = number_of(st_json_get(one, "digits"));
    column[count++] = (StColumn){text_of(one, "name"), text_of(one, "unit"),
                                 isnan(digits) ? 0 : (int)fmin(fmax(digits, 0), 17)};
  }
  StResultTable *table = st_result_add_table(result, text_of(at, "title"), column, count);
  for (const StJson *row = children(at, "rows"); row; row = row->next) {
    const StJson *cell = row->child_count == count ? row->child : NULL;
    for (; cell; cell = cell->next)
      load_cell(table, cell);
  }
}

static void load(StResult *result, const StJson *root) {
  result->experiment = kept(result, text_of(root, "experiment"));
  result->summary = kept(result, text_of(root, "summary"));
  result->paper = kept(result, text_of(root, "paper"));
  result->size = kept(result, text_of(root, "size"));
  result->version = kept(result, text_of(root, "stiction"));
  for (const StJson *one = children(root, "parameters"); one; one = one->next)
    if (one->kind == ST_JSON_STRING)
      st_result_add_entry(result, one->key, one->text);
  for (const StJson *one = children(root, "tables"); one; one = one->next)
    load_table(result, one);
  for (const StJson *one = children(root, "notes"); one; one = one->next)
    if (one->kind == ST_JSON_STRING)
      st_result_add_note(result, "%s", one->text);
  for (const StJson *one = children(root, "plots"); one; one = one->next)
    if (one->kind == ST_JSON_STRING)
      st_result_add_plot(result, one->text);
}

StStatus st_result_read(const char *path, StResult *result, StError *error) {
  *result = (StResult){0};
  char *text = NULL;
  size_t size = 0;
  ST_TRY(st_file_read(path, &text, &size, error));
  StJsonDocument *document = NULL;
  StStatus status = st_json_parse(path, text, size, &document, error);
  free(text);
  if (status != ST_OK)
    return status;
  const StJson *root = st_json_root(document);
  if (root->kind != ST_JSON_OBJECT || !text_of(root, "experiment"))
    status = st_fail(error, ST_BAD_INPUT, "%s: is no summary of an experiment", path);
  else
    load(result, root);
  st_json_destroy(document);
  return status == ST_OK && result->failed ? st_fail_memory(error) : status;
}
