// Results as text for a terminal, as JSON and as Markdown. A column in which the paper has figures
// gets another one beside it.
#include "result.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 96, DIGITS = 4 };

static size_t row_count(const Table *table) {
  return table->column_count > 0 ? table->cell_count / (size_t)table->column_count : 0;
}

static const Cell *cell_at(const Table *table, size_t row, int column) {
  return &table->cell[row * (size_t)table->column_count + (size_t)column];
}

static bool has_paper(const Table *table, int column) {
  for (size_t row = 0; row < row_count(table); row++)
    if (!isnan(cell_at(table, row, column)->paper))
      return true;
  return false;
}

static void show_number(const Column *column, double value, char text[CELL_SIZE]) {
  if (isfinite(value))
    snprintf(text, CELL_SIZE, "%.*g", column->digits > 0 ? column->digits : DIGITS, value);
  else
    snprintf(text, CELL_SIZE, "%s", isnan(value) ? "–" : value > 0 ? "∞" : "-∞");
}

static void show_cell(const Column *column, const Cell *cell, char text[CELL_SIZE]) {
  if (cell->text)
    snprintf(text, CELL_SIZE, "%s", cell->text);
  else
    show_number(column, cell->value, text);
}

static void show_heading(const Column *column, char text[CELL_SIZE]) {
  bool unit = column->unit && *column->unit;
  snprintf(text, CELL_SIZE, "%s%s%s%s", column->name ? column->name : "", unit ? " (" : "",
           unit ? column->unit : "", unit ? ")" : "");
}

// The table as it is shown: what a column of the paper's figures takes is counted in.
typedef struct Shown {
  const Table *table;
  int column; // of the table
  bool paper;
} Shown;

// The index-th shown column; false past the end.
static bool shown_at(const Table *table, int index, Shown *shown) {
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
  const Column *column = &shown->table->column[shown->column];
  const Cell *cell = cell_at(shown->table, row, shown->column);
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

static void add_padded(FILE *out, const char *text, int width, bool left) {
  int blanks = width > text_width(text) ? width - text_width(text) : 0;
  if (left)
    fprintf(out, "%s%*s", text, blanks, "");
  else
    fprintf(out, "%*s%s", blanks, "", text);
}

enum { HEADING = -1 };

static void add_line(FILE *out, const Table *table, long row) {
  Shown shown;
  char text[CELL_SIZE];
  for (int i = 0; shown_at(table, i, &shown); i++) {
    if (row == HEADING)
      shown_heading(&shown, text);
    else
      shown_cell(&shown, (size_t)row, text);
    fprintf(out, "  ");
    bool left = is_textual(&shown), last = !shown_at(table, i + 1, &(Shown){0});
    add_padded(out, text, left && last ? 0 : shown_width(&shown), left);
  }
  fprintf(out, "\n");
}

static void add_table(FILE *out, const Table *table) {
  if (row_count(table) == 0)
    return;
  fprintf(out, "%s\n", table->title ? table->title : "");
  for (long row = HEADING; row < (long)row_count(table); row++)
    add_line(out, table, row);
  fprintf(out, "\n");
}

void result_write_text(const Result *result, FILE *out) {
  for (size_t i = 0; i < result->table_count; i++)
    add_table(out, result->table[i]);
  for (size_t i = 0; i < result->note_count; i++)
    fprintf(out, "%s\n", result->note[i]);
  if (result->paper)
    fprintf(out, "The paper: %s\n", result->paper);
}

static void add_markdown_line(FILE *out, const Table *table, long row) {
  Shown shown;
  char text[CELL_SIZE];
  for (int i = 0; shown_at(table, i, &shown); i++) {
    if (row == HEADING)
      shown_heading(&shown, text);
    else
      shown_cell(&shown, (size_t)row, text);
    fprintf(out, i ? " | " : "| ");
    for (const char *c = text; *c; c++)
      fprintf(out, *c == '|' ? "\\%c" : "%c", *c);
  }
  fprintf(out, " |\n");
}

static void add_markdown_table(FILE *out, const Table *table) {
  Shown shown;
  if (row_count(table) == 0)
    return;
  if (table->title)
    fprintf(out, "%s\n\n", table->title);
  add_markdown_line(out, table, HEADING);
  for (int i = 0; shown_at(table, i, &shown); i++)
    fprintf(out, "%s%s", i ? " | " : "| ", is_textual(&shown) ? "---" : "---:");
  fprintf(out, " |\n");
  for (size_t row = 0; row < row_count(table); row++)
    add_markdown_line(out, table, (long)row);
  fprintf(out, "\n");
}

void result_write_markdown(const Result *result, FILE *out) {
  fprintf(out, "## %s\n\n%s\n\n", result->experiment ? result->experiment : "",
          result->summary ? result->summary : "");
  if (result->paper)
    fprintf(out, "The paper: %s\n\n", result->paper);
  fprintf(out, "Size `%s`", result->size ? result->size : "");
  for (size_t i = 0; i < result->entry_count; i++)
    fprintf(out, "%s%s %s", i ? ", " : ": ", result->entry[i].name, result->entry[i].value);
  fprintf(out, ".\n\n");
  for (size_t i = 0; i < result->table_count; i++)
    add_markdown_table(out, result->table[i]);
  for (size_t i = 0; i < result->note_count; i++)
    fprintf(out, "%s\n\n", result->note[i]);
  for (size_t i = 0; i < result->plot_count; i++)
    fprintf(out, "![%s](%s)\n\n", result->plot[i], result->plot[i]);
}

static void add_quoted(FILE *out, const char *value) {
  fputs("\"", out);
  for (const char *c = value ? value : ""; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      fprintf(out, "\\u%04x", (unsigned char)*c);
    else
      fputc(*c, out);
  fputs("\"", out);
}

// With as many digits as bring the same number back.
static void add_exact(FILE *out, double value) {
  char digits[40] = "null";
  for (int precision = 15; precision <= 17 && isfinite(value); precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  fputs(digits, out);
}

static void add_string(FILE *out, const char *key, const char *value) {
  fprintf(out, ",\n  \"%s\": ", key);
  add_quoted(out, value);
}

static void add_json_cell(FILE *out, const Cell *cell) {
  bool beside = !isnan(cell->paper);
  fprintf(out, beside ? "{\"value\": " : "");
  if (cell->text)
    add_quoted(out, cell->text);
  else
    add_exact(out, cell->value);
  if (!beside)
    return;
  fprintf(out, ", \"paper\": ");
  add_exact(out, cell->paper);
  fprintf(out, "}");
}

static void add_json_columns(FILE *out, const Table *table) {
  for (int c = 0; c < table->column_count; c++) {
    fprintf(out, "%s{\"name\": ", c ? ", " : "");
    add_quoted(out, table->column[c].name);
    fprintf(out, ", \"unit\": ");
    add_quoted(out, table->column[c].unit ? table->column[c].unit : "");
    if (table->column[c].digits > 0)
      fprintf(out, ", \"digits\": %d", table->column[c].digits);
    fprintf(out, "}");
  }
}

static void add_json_table(FILE *out, const Table *table) {
  fprintf(out, "    {\"title\": ");
  add_quoted(out, table->title);
  fprintf(out, ",\n     \"columns\": [");
  add_json_columns(out, table);
  fprintf(out, "],\n     \"rows\": [");
  for (size_t row = 0; row < row_count(table); row++) {
    fprintf(out, "%s[", row ? ",\n       " : "\n       ");
    for (int c = 0; c < table->column_count; c++) {
      fprintf(out, c ? ", " : "");
      add_json_cell(out, cell_at(table, row, c));
    }
    fprintf(out, "]");
  }
  fprintf(out, "]}");
}

static void add_strings(FILE *out, const char *key, char *const *text, size_t count) {
  fprintf(out, ",\n  \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    fprintf(out, i ? ", " : "");
    add_quoted(out, text[i]);
  }
  fprintf(out, "]");
}

void result_write_json(const Result *result, FILE *out) {
  fprintf(out, "{\n  \"stiction\": ");
  add_quoted(out, result->version);
  add_string(out, "experiment", result->experiment);
  add_string(out, "summary", result->summary);
  add_string(out, "paper", result->paper);
  add_string(out, "size", result->size);
  fprintf(out, ",\n  \"parameters\": {");
  for (size_t i = 0; i < result->entry_count; i++) {
    fprintf(out, i ? ",\n    " : "\n    ");
    add_quoted(out, result->entry[i].name);
    fprintf(out, ": ");
    add_quoted(out, result->entry[i].value);
  }
  fprintf(out, "\n  },\n  \"tables\": [\n");
  for (size_t i = 0; i < result->table_count; i++) {
    add_json_table(out, result->table[i]);
    fprintf(out, i + 1 < result->table_count ? ",\n" : "\n");
  }
  fprintf(out, "  ]");
  add_strings(out, "notes", result->note, result->note_count);
  add_strings(out, "plots", result->plot, result->plot_count);
  fprintf(out, "\n}\n");
}
