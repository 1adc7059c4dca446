// Results as text for a terminal, as JSON and as Markdown. A column in which the paper has figures
// gets another one beside it.
#include "experiment/result.h"

#include "base/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL_SIZE = 96, DIGITS = 4 };

static size_t row_count(const StResultTable *table) {
  return table->column_count > 0 ? table->cell_count / (size_t)table->column_count : 0;
}

static const StCell *cell_at(const StResultTable *table, size_t row, int column) {
  return &table->cell[row * (size_t)table->column_count + (size_t)column];
}

static bool has_paper(const StResultTable *table, int column) {
  for (size_t row = 0; row < row_count(table); row++)
    if (!isnan(cell_at(table, row, column)->paper))
      return true;
  return false;
}

static void show_number(const StColumn *column, double value, char text[CELL_SIZE]) {
  if (isfinite(value))
    snprintf(text, CELL_SIZE, "%.*g", column->digits > 0 ? column->digits : DIGITS, value);
  else
    snprintf(text, CELL_SIZE, "%s", isnan(value) ? "–" : value > 0 ? "∞" : "-∞");
}

static void show_cell(const StColumn *column, const StCell *cell, char text[CELL_SIZE]) {
  if (cell->text)
    snprintf(text, CELL_SIZE, "%s", cell->text);
  else
    show_number(column, cell->value, text);
}

static void show_heading(const StColumn *column, char text[CELL_SIZE]) {
  bool unit = column->unit && *column->unit;
  snprintf(text, CELL_SIZE, "%s%s%s%s", column->name ? column->name : "", unit ? " (" : "",
           unit ? column->unit : "", unit ? ")" : "");
}

// The table as it is shown: what a column of the paper's figures takes is counted in.
typedef struct Shown {
  const StResultTable *table;
  int column; // of the table
  bool paper;
} Shown;

// The index-th shown column; false past the end.
static bool shown_at(const StResultTable *table, int index, Shown *shown) {
  for (int c = 0; c < table->column_count; c++) {
    bool paper = has_paper(table, c);
    if (index == 0 || (paper && index == 1)) {
      *shown = (Shown){table, c, index == 1};
      return true;
    }
    index -= paper ? 2 : 1;
  }
  return false;
}

static void shown_heading(const Shown *shown, char text[CELL_SIZE]) {
  if (shown->paper)
    snprintf(text, CELL_SIZE, "paper");
  else
    show_heading(&shown->table->column[shown->column], text);
}

static void shown_cell(const Shown *shown, size_t row, char text[CELL_SIZE]) {
  const StColumn *column = &shown->table->column[shown->column];
  const StCell *cell = cell_at(shown->table, row, shown->column);
  if (shown->paper)
    show_number(column, cell->paper, text);
  else
    show_cell(column, cell, text);
}

// Words among numbers stand for numbers.
static bool is_textual(const Shown *shown) {
  bool words = row_count(shown->table) > 0 && !has_paper(shown->table, shown->column);
  for (size_t row = 0; row < row_count(shown->table) && words; row++)
    words = cell_at(shown->table, row, shown->column)->text != NULL;
  return words;
}

// Characters, not bytes.
static int text_width(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static int shown_width(const Shown *shown) {
  char text[CELL_SIZE];
  shown_heading(shown, text);
  int width = text_width(text);
  for (size_t row = 0; row < row_count(shown->table); row++) {
    shown_cell(shown, row, text);
    int own = text_width(text);
    width = own > width ? own : width;
  }
  return width;
}

static void add_padded(StText *out, const char *text, int width, bool left) {
  int blanks = width > text_width(text) ? width - text_width(text) : 0;
  if (left)
    st_text_add(out, "%s%*s", text, blanks, "");
  else
    st_text_add(out, "%*s%s", blanks, "", text);
}

enum { HEADING = -1 };

static void add_line(StText *out, const StResultTable *table, long row) {
  Shown shown;
  char text[CELL_SIZE];
  for (int i = 0; shown_at(table, i, &shown); i++) {
    if (row == HEADING)
      shown_heading(&shown, text);
    else
      shown_cell(&shown, (size_t)row, text);
    st_text_add(out, "  ");
    bool left = is_textual(&shown), last = !shown_at(table, i + 1, &(Shown){0});
    add_padded(out, text, left && last ? 0 : shown_width(&shown), left);
  }
  st_text_add(out, "\n");
}

static void add_table(StText *out, const StResultTable *table) {
  if (row_count(table) == 0)
    return;
  st_text_add(out, "%s\n", table->title ? table->title : "");
  for (long row = HEADING; row < (long)row_count(table); row++)
    add_line(out, table, row);
  st_text_add(out, "\n");
}

void st_result_write_text(const StResult *result, StText *text) {
  for (size_t i = 0; i < result->table_count; i++)
    add_table(text, result->table[i]);
  for (size_t i = 0; i < result->note_count; i++)
    st_text_add(text, "%s\n", result->note[i]);
  if (result->paper)
    st_text_add(text, "The paper: %s\n", result->paper);
}

static void add_markdown_line(StText *out, const StResultTable *table, long row) {
  Shown shown;
  char text[CELL_SIZE];
  for (int i = 0; shown_at(table, i, &shown); i++) {
    if (row == HEADING)
      shown_heading(&shown, text);
    else
      shown_cell(&shown, (size_t)row, text);
    st_text_add(out, i ? " | " : "| ");
    for (const char *c = text; *c; c++)
      st_text_add(out, *c == '|' ? "\\%c" : "%c", *c);
  }
  st_text_add(out, " |\n");
}

static void add_markdown_table(StText *out, const StResultTable *table) {
  Shown shown;
  if (row_count(table) == 0)
    return;
  if (table->title)
    st_text_add(out, "%s\n\n", table->title);
  add_markdown_line(out, table, HEADING);
  for (int i = 0; shown_at(table, i, &shown); i++)
    st_text_add(out, "%s%s", i ? " | " : "| ", is_textual(&shown) ? "---" : "---:");
  st_text_add(out, " |\n");
  for (size_t row = 0; row < row_count(table); row++)
    add_markdown_line(out, table, (long)row);
  st_text_add(out, "\n");
}

void st_result_write_markdown(const StResult *result, const char *folder, StText *text) {
  st_text_add(text, "## %s\n\n%s\n\n", result->experiment ? result->experiment : "",
              result->summary ? result->summary : "");
  if (result->paper)
    st_text_add(text, "The paper: %s\n\n", result->paper);
  st_text_add(text, "Size `%s`", result->size ? result->size : "");
  for (size_t i = 0; i < result->entry_count; i++)
    st_text_add(text, "%s%s %s", i ? ", " : ": ", result->entry[i].name, result->entry[i].value);
  st_text_add(text, ".\n\n");
  for (size_t i = 0; i < result->table_count; i++)
    add_markdown_table(text, result->table[i]);
  for (size_t i = 0; i < result->note_count; i++)
    st_text_add(text, "%s\n\n", result->note[i]);
  for (size_t i = 0; i < result->plot_count && folder; i++)
    st_text_add(text, "![%s](%s/%s)\n\n", result->plot[i], folder, result->plot[i]);
}

static void add_string(StText *out, const char *key, const char *value) {
  st_text_add(out, ",\n  \"%s\": ", key);
  st_json_text_add_string(out, value);
}

static void add_json_cell(StText *out, const StCell *cell) {
  bool beside = !isnan(cell->paper);
  st_text_add(out, beside ? "{\"value\": " : "");
  if (cell->text)
    st_json_text_add_string(out, cell->text);
  else
    st_json_text_add_number(out, cell->value);
  if (!beside)
    return;
  st_text_add(out, ", \"paper\": ");
  st_json_text_add_number(out, cell->paper);
  st_text_add(out, "}");
}

static void add_json_columns(StText *out, const StResultTable *table) {
  for (int c = 0; c < table->column_count; c++) {
    st_text_add(out, "%s{\"name\": ", c ? ", " : "");
    st_json_text_add_string(out, table->column[c].name);
    st_text_add(out, ", \"unit\": ");
    st_json_text_add_string(out, table->column[c].unit ? table->column[c].unit : "");
    if (table->column[c].digits > 0)
      st_text_add(out, ", \"digits\": %d", table->column[c].digits);
    st_text_add(out, "}");
  }
}

static void add_json_table(StText *out, const StResultTable *table) {
  st_text_add(out, "    {\"title\": ");
  st_json_text_add_string(out, table->title);
  st_text_add(out, ",\n     \"columns\": [");
  add_json_columns(out, table);
  st_text_add(out, "],\n     \"rows\": [");
  for (size_t row = 0; row < row_count(table); row++) {
    st_text_add(out, "%s[", row ? ",\n       " : "\n       ");
    for (int c = 0; c < table->column_count; c++) {
      st_text_add(out, c ? ", " : "");
      add_json_cell(out, cell_at(table, row, c));
    }
    st_text_add(out, "]");
  }
  st_text_add(out, "]}");
}

static void add_strings(StText *out, const char *key, char *const *text, size_t count) {
  st_text_add(out, ",\n  \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    st_text_add(out, i ? ", " : "");
    st_json_text_add_string(out, text[i]);
  }
  st_text_add(out, "]");
}

void st_result_write_json(const StResult *result, StText *text) {
  st_text_add(text, "{\n  \"stiction\": ");
  st_json_text_add_string(text, result->version);
  add_string(text, "experiment", result->experiment);
  add_string(text, "summary", result->summary);
  add_string(text, "paper", result->paper);
  add_string(text, "size", result->size);
  st_text_add(text, ",\n  \"parameters\": {");
  for (size_t i = 0; i < result->entry_count; i++) {
    st_text_add(text, i ? ",\n    " : "\n    ");
    st_json_text_add_string(text, result->entry[i].name);
    st_text_add(text, ": ");
    st_json_text_add_string(text, result->entry[i].value);
  }
  st_text_add(text, "\n  },\n  \"tables\": [\n");
  for (size_t i = 0; i < result->table_count; i++) {
    add_json_table(text, result->table[i]);
    st_text_add(text, i + 1 < result->table_count ? ",\n" : "\n");
  }
  st_text_add(text, "  ]");
  add_strings(text, "notes", result->note, result->note_count);
  add_strings(text, "plots", result->plot, result->plot_count);
  st_text_add(text, "\n}\n");
}
