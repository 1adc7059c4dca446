// Building results.
#include "result.h"

#include "common.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void free_table(Table *table) {
  for (int i = 0; i < table->column_count; i++) {
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

void result_free(Result *result) {
  char *own[] = {result->experiment, result->summary, result->paper, result->size, result->version};
  for (int i = 0; i < LENGTH(own); i++)
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
  *result = (Result){0};
}

// Room for one more in an array that is doubled whenever its length is a power of two.
static void *append(void **array, size_t *count, size_t size) {
  if ((*count & (*count - 1)) == 0)
    *array = take_memory(*array, *count ? 2 * *count : 1, size);
  return (char *)*array + (*count)++ * size;
}

#define APPEND(owner, what)                                                                        \
  append((void **)&(owner)->what, &(owner)->what##_count, sizeof *(owner)->what)

Table *result_add_table(Result *result, const char *title, const Column *column, int column_count) {
  Table *table = NEW(Table, 1);
  *table = (Table){
      .title = copy_text(title), .column = NEW(Column, column_count), .column_count = column_count};
  for (int i = 0; i < column_count; i++)
    table->column[i] =
        (Column){copy_text(column[i].name), copy_text(column[i].unit), column[i].digits};
  *(Table **)APPEND(result, table) = table;
  return table;
}

static void add_cell(Table *table, char *text, double value, double paper) {
  *(Cell *)APPEND(table, cell) = (Cell){text, value, paper};
}

static char *formatted(const char *format, va_list arguments) {
  char *text = NULL;
  return vasprintf(&text, format, arguments) < 0 ? copy_text("") : text;
}

void cell_text(Table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_cell(table, formatted(format, arguments), NAN, NAN);
  va_end(arguments);
}

void cell_number(Table *table, double value) {
  add_cell(table, NULL, value, NAN);
}

void cell_beside(Table *table, double value, double paper) {
  add_cell(table, NULL, value, paper);
}

void cell_lacks(Table *table, const char *why, double paper) {
  add_cell(table, copy_text(why), NAN, paper);
}

void result_add_entry(Result *result, const char *name, const char *value) {
  *(Entry *)APPEND(result, entry) = (Entry){copy_text(name), copy_text(value)};
}

void result_add_note(Result *result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  *(char **)APPEND(result, note) = formatted(format, arguments);
  va_end(arguments);
}

void result_add_plot(Result *result, const char *file) {
  *(char **)APPEND(result, plot) = copy_text(file);
}
