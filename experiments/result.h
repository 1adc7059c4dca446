// What an experiment hands in: tables with the paper's figures beside ours, remarks and plots. Kept
// as summary.json and summary.md, and printed on the terminal.
#ifndef EXPERIMENTS_RESULT_H
#define EXPERIMENTS_RESULT_H

#include <stdio.h>

typedef struct Column {
  const char *name;
  const char *unit; // NULL: none
  int digits;       // shown, significant; 0: four
} Column;

typedef struct Cell {
  char *text;   // instead of a number: a name, or why there is no number; NULL: a number
  double value; // NAN: there can be none, which is shown as –
  double paper; // NAN: the paper has none
} Cell;

typedef struct Result Result;

// Cells are filled one after the other, row by row.
typedef struct Table {
  char *title;
  int column_count;
  Column *column; // with texts of its own
  size_t cell_count;
  Cell *cell; // [rows][column_count]
} Table;

// A name with a value: parameters.
typedef struct Entry {
  char *name, *value;
} Entry;

struct Result {
  char *experiment, *summary, *paper, *size, *version;
  size_t entry_count;
  Entry *entry;
  size_t table_count;
  Table **table;
  size_t note_count;
  char **note;
  size_t plot_count;
  char **plot; // file names in the experiment's folder
};

void result_free(Result *result); // frees what it points to

Table *result_add_table(Result *result, const char *title, const Column *column, int column_count);
void cell_text(Table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cell_number(Table *table, double value);
void cell_beside(Table *table, double value, double paper);   // NAN: neither has one
void cell_lacks(Table *table, const char *why, double paper); // no number of ours

void result_add_entry(Result *result, const char *name, const char *value);
void result_add_note(Result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_add_plot(Result *result, const char *file);

void result_write_text(const Result *result, FILE *out); // for a terminal
void result_write_json(const Result *result, FILE *out);
void result_write_markdown(const Result *result, FILE *out); // plots by their file names

#endif
