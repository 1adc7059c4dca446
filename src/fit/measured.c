// Reads the table line by line. Headings may have a unit, "x(tip) [mm]"; columns sigma(x(tip)), or
// sigma for all, are standard deviations. An empty cell is not measured.
#include "fit/measured.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unit.h"
#include "output/history.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME = -1, SIGMA_OF_ALL = -2 };

// A column of the file: which value it is, or whose standard deviation.
typedef struct Cell {
  int to; // a column, TIME or SIGMA_OF_ALL
  bool sigma;
  double unit; // in SI
} Cell;

typedef struct Table {
  const char *path;
  const StDescription *description;
  int known_count;
  StMeasuredColumn *known; // [known_count] what can be fitted
  StMeasured *measured;
  int cell_count;
  Cell *cell;     // [cell_count]
  char **name;    // [cell_count] without units
  double *number; // [cell_count] of a row
  double sigma;   // of columns that have none; 0: not known
  size_t row_capacity, value_capacity, sigma_capacity;
  int line; // for messages
  StError *error;
} Table;

void st_measured_free(StMeasured *measured) {
  for (int c = 0; measured->column && c < measured->column_count; c++)
    free(measured->column[c].name);
  free(measured->column);
  free(measured->time);
  free(measured->value);
  free(measured->sigma);
  *measured = (StMeasured){0};
}

static StStatus fail_at(const Table *table, const char *words, const char *what) {
  return st_fail(table->error, ST_BAD_INPUT, "%s:%d: '%.80s' %s", table->path, table->line, what,
                 words);
}

// Positions of probes that do not measure a distance, named as in history.csv: "x(tip)".
static StStatus list_columns(Table *table) {
  const StDescription *description = table->description;
  table->known = ST_NEW(StMeasuredColumn, 3 * description->probe_count);
  ST_TRY_MEMORY(table->known, table->error);
  for (int p = 0; p < description->probe_count; p++)
    for (int axis = 0; axis < 3 && description->probe[p].other_count == 0; axis++) {
      StText text = {0};
      st_text_add(&text, "%c(", "xyz"[axis]);
      st_history_add_name(&text, description->probe[p].name);
      st_text_add(&text, ")");
      char *name = st_text_take(&text);
      ST_TRY_MEMORY(name, table->error);
      table->known[table->known_count++] = (StMeasuredColumn){name, p, axis};
    }
  if (table->known_count > 0)
    return ST_OK;
  return st_fail(table->error, ST_BAD_INPUT,
                 "%s: positions of probes can be fitted, and the scene has no probe: add one to "
                 "its \"probes\"",
                 table->path);
}

static StStatus fail_unknown(const Table *table, const char *name) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = name};
  for (int i = 0; i < table->known_count; i++)
    st_suggestion_add(&known, table->known[i].name);
  return st_fail(table->error, ST_BAD_INPUT,
                 "%s:%d: %s%.80s%s cannot be fitted; what can be: %s, each with sigma(…) of its "
                 "own or sigma for all",
                 table->path, table->line, *name ? "'" : "", *name ? name : "time alone",
                 *name ? "'" : "", st_suggestion_text(&known));
}

static int find_column(const StMeasured *measured, const char *name) {
  for (int c = 0; c < measured->column_count; c++)
    if (strcmp(measured->column[c].name, name) == 0)
      return c;
  return -1;
}

static StStatus add_column(Table *table, const char *name, int *index) {
  StMeasured *measured = table->measured;
  int known = 0;
  if (find_column(measured, name) >= 0)
    return fail_at(table, "is there twice", name);
  while (known < table->known_count && strcmp(table->known[known].name, name) != 0)
    known++;
  if (known == table->known_count)
    return fail_unknown(table, name);
  *index = measured->column_count++;
  measured->column[*index] = table->known[known];
  measured->column[*index].name = st_copy_string(name);
  ST_TRY_MEMORY(measured->column[*index].name, table->error);
  return ST_OK;
}

// Cuts the unit off, "x(tip) [mm]".
static StStatus take_unit(const Table *table, char *heading, bool is_time, double *unit) {
  char *bracket = strstr(heading, " ["), *end = bracket ? strchr(bracket, ']') : NULL;
  *unit = 1;
  if (!bracket)
    return ST_OK;
  *bracket = 0;
  if (end)
    *end = 0;
  ST_FREE char *one = st_format("1 %s", bracket + 2);
  ST_TRY_MEMORY(one, table->error);
  StError why;
  if (!end || st_quantity_parse(one, is_time ? ST_TIME : ST_LENGTH_DIMENSION, unit, &why) != ST_OK)
    return fail_at(table,
                   is_time ? "has no unit of time, such as [s] or [ms]"
                           : "has no unit of length, such as [m] or [mm]",
                   heading);
  return ST_OK;
}

static bool is_sigma(const char *name) {
  size_t length = strlen(name);
  return strcmp(name, "sigma") == 0 ||
         (length > 7 && strncmp(name, "sigma(", 6) == 0 && name[length - 1] == ')');
}

static StStatus find_owner(const Table *table, const char *name, int *to) {
  *to = SIGMA_OF_ALL;
  if (strcmp(name, "sigma") == 0)
    return ST_OK;
  ST_FREE char *owner = strndup(name + 6, strlen(name) - 7);
  ST_TRY_MEMORY(owner, table->error);
  *to = find_column(table->measured, owner);
  return *to >= 0 ? ST_OK : fail_at(table, "belongs to no column of this file", name);
}

static char *trim(char *text) {
  text += strspn(text, " \t\"");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\"", text[length - 1]))
    text[--length] = 0;
  return text;
}

static StStatus take_headings(Table *table, char *line) {
  StMeasured *measured = table->measured;
  table->cell_count = 1;
  for (const char *c = line; *c; c++)
    table->cell_count += *c == ',';
  table->cell = ST_NEW(Cell, table->cell_count);
  table->name = ST_NEW(char *, table->cell_count);
  measured->column = ST_NEW(StMeasuredColumn, table->cell_count);
  table->number = ST_NEW(double, table->cell_count);
  ST_TRY_MEMORY(table->cell && table->name && table->number && measured->column, table->error);
  for (int i = 0; i < table->cell_count; i++) {
    Cell *cell = &table->cell[i];
    table->name[i] = trim(strsep(&line, ","));
    ST_TRY(take_unit(table, table->name[i], i == 0, &cell->unit));
    cell->to = TIME;
    cell->sigma = is_sigma(table->name[i]);
    if (i == 0 && strcmp(table->name[i], "time") != 0)
      return fail_at(table, "is the first column, which must be time", table->name[i]);
    if (i > 0 && !cell->sigma)
      ST_TRY(add_column(table, table->name[i], &cell->to));
  }
  for (int i = 1; i < table->cell_count; i++)
    if (table->cell[i].sigma)
      ST_TRY(find_owner(table, table->name[i], &table->cell[i].to));
  if (measured->column_count == 0)
    return fail_unknown(table, "");
  return ST_OK;
}

static StStatus add_row(Table *table) {
  StMeasured *measured = table->measured;
  size_t rows = (size_t)measured->rows + 1, columns = (size_t)measured->column_count;
  ST_TRY_MEMORY(ST_GROW(measured->time, table->row_capacity, rows), table->error);
  ST_TRY_MEMORY(ST_GROW(measured->value, table->value_capacity, rows * columns), table->error);
  ST_TRY_MEMORY(ST_GROW(measured->sigma, table->sigma_capacity, rows * columns), table->error);
  for (size_t i = (rows - 1) * columns; i < rows * columns; i++) {
    measured->value[i] = NAN;
    measured->sigma[i] = table->sigma;
  }
  measured->rows++;
  return ST_OK;
}

static StStatus read_cell(const Table *table, const char *text, double unit, double *number) {
  char *end;
  *number = NAN;
  if (!*text)
    return ST_OK;
  *number = strtod(text, &end) * unit;
  return *end || !isfinite(*number) ? fail_at(table, "is not a number", text) : ST_OK;
}

static StStatus read_numbers(Table *table, char *line) {
  for (int i = 0; i < table->cell_count; i++) {
    const Cell *cell = &table->cell[i];
    if (!line)
      return st_fail(table->error, ST_BAD_INPUT, "%s:%d: has %d values for %d columns", table->path,
                     table->line, i, table->cell_count);
    char *text = trim(strsep(&line, ","));
    double *number = &table->number[i];
    ST_TRY(read_cell(table, text, cell->unit, number));
    if (cell->to == TIME && !(*number >= 0))
      return fail_at(table, "is not a time from 0 on", text);
    if (cell->sigma && !(*number > 0))
      return fail_at(table, "is not a standard deviation, which is positive", text);
  }
  return line ? st_fail(table->error, ST_BAD_INPUT, "%s:%d: has more values than the %d columns",
                        table->path, table->line, table->cell_count)
              : ST_OK;
}

static StStatus take_row(Table *table, char *line) {
  StMeasured *measured = table->measured;
  ST_TRY(read_numbers(table, line));
  ST_TRY(add_row(table));
  size_t at = (size_t)(measured->rows - 1) * (size_t)measured->column_count;
  double *value = measured->value + at, *sigma = measured->sigma + at;
  measured->time[measured->rows - 1] = table->number[0];
  if (measured->rows > 1 && table->number[0] <= measured->time[measured->rows - 2])
    return st_fail(table->error, ST_BAD_INPUT, "%s:%d: times must rise, but %g s follows %g s",
                   table->path, table->line, table->number[0], measured->time[measured->rows - 2]);
  for (int i = 0; i < table->cell_count; i++)
    for (int c = 0; c < measured->column_count && table->cell[i].to == SIGMA_OF_ALL; c++)
      sigma[c] = table->number[i];
  for (int i = 0; i < table->cell_count; i++)
    if (table->cell[i].to >= 0)
      (table->cell[i].sigma ? sigma : value)[table->cell[i].to] = table->number[i];
  return ST_OK;
}

static StStatus take_lines(Table *table, char *text) {
  char *rest = text;
  while (rest) {
    char *line = strsep(&rest, "\n");
    table->line++;
    if (line[strspn(line, " \t\r")] == 0 || *line == '#')
      continue;
    ST_TRY(table->cell ? take_row(table, line) : take_headings(table, line));
  }
  return table->measured->rows > 0
             ? ST_OK
             : st_fail(table->error, ST_BAD_INPUT,
                       "%s: holds no rows: a line of headings, time first, and one line for each "
                       "time are needed",
                       table->path);
}

// All values have standard deviations, or none has.
static StStatus check_sigma(const Table *table) {
  StMeasured *measured = table->measured;
  int count = 0;
  for (int i = 0; i < measured->rows * measured->column_count; i++) {
    if (isnan(measured->value[i]))
      continue;
    measured->count++;
    count += measured->sigma[i] > 0;
  }
  measured->weighted = count > 0;
  for (int i = 0; i < measured->rows * measured->column_count && count == 0; i++)
    measured->sigma[i] = 1;
  if (measured->count == 0)
    return st_fail(table->error, ST_BAD_INPUT, "%s: all cells are empty", table->path);
  if (count == 0 || count == measured->count)
    return ST_OK;
  return st_fail(table->error, ST_BAD_INPUT,
                 "%s: %d of %d values have a standard deviation: give all of them one, by a column "
                 "sigma or by --sigma",
                 table->path, count, measured->count);
}

StStatus st_measured_read(const char *path, const StDescription *description, double sigma,
                          StMeasured *measured, StError *error) {
  ST_FREE char *text = NULL;
  size_t size;
  *measured = (StMeasured){0};
  ST_TRY(st_file_read(path, &text, &size, error));
  if (strlen(text) != size)
    return st_fail(error, ST_BAD_INPUT, "%s: is not a text", path);
  Table table = {.path = path,
                 .description = description,
                 .measured = measured,
                 .sigma = sigma,
                 .error = error};
  StStatus status = list_columns(&table);
  if (status == ST_OK)
    status = take_lines(&table, text);
  if (status == ST_OK)
    status = check_sigma(&table);
  for (int i = 0; i < table.known_count; i++)
    free(table.known[i].name);
  free(table.known);
  free(table.cell);
  free(table.name);
  free(table.number);
  if (status != ST_OK)
    st_measured_free(measured);
  return status;
}
