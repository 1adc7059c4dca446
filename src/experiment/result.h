// What an experiment hands in: tables with the paper's figures beside ours, remarks and plots. Kept
// as summary.json; printed on the terminal and as Markdown. Running out of memory is remembered in
// `failed`, so that experiments read as plain sequences.
#ifndef ST_EXPERIMENT_RESULT_H
#define ST_EXPERIMENT_RESULT_H

#include "base/status.h"
#include "base/text.h"

typedef struct StColumn {
  const char *name;
  const char *unit; // NULL: none
  int digits;       // shown, significant; 0: four
} StColumn;

typedef struct StCell {
  char *text;   // instead of a number: a name, or why there is no number; NULL: a number
  double value; // NAN: there can be none, which is shown as –
  double paper; // NAN: the paper has none
} StCell;

typedef struct StResult StResult;

// Cells are filled one after the other, row by row.
typedef struct StResultTable {
  StResult *owner;
  char *title;
  int column_count;
  StColumn *column; // with texts of its own
  size_t cell_count, cell_capacity;
  StCell *cell; // [rows][column_count]
} StResultTable;

// A name with a value: parameters.
typedef struct StResultEntry {
  char *name, *value;
} StResultEntry;

struct StResult {
  char *experiment, *summary, *paper, *size, *version;
  size_t entry_count, entry_capacity;
  StResultEntry *entry;
  size_t table_count, table_capacity;
  StResultTable **table;
  size_t note_count, note_capacity;
  char **note;
  size_t plot_count, plot_capacity;
  char **plot; // file names in the experiment's folder
  bool failed; // memory ran out
};

void st_result_free(StResult *result); // frees what it points to

// NULL when memory is short, which the functions below take.
StResultTable *st_result_add_table(StResult *result, const char *title, const StColumn *column,
                                   int column_count);
void st_cell_text(StResultTable *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void st_cell_number(StResultTable *table, double value);
void st_cell_beside(StResultTable *table, double value, double paper);   // NAN: neither has one
void st_cell_lacks(StResultTable *table, const char *why, double paper); // no number of ours

void st_result_add_entry(StResult *result, const char *name, const char *value);
void st_result_add_note(StResult *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void st_result_add_plot(StResult *result, const char *file);

void st_result_write_text(const StResult *result, StText *text); // for a terminal
void st_result_write_json(const StResult *result, StText *text);

// folder: where plots are, seen from where the text will be; NULL: without plots.
void st_result_write_markdown(const StResult *result, const char *folder, StText *text);

// summary.json back; st_result_free it, also after a failure.
StStatus st_result_read(const char *path, StResult *result, StError *error);

#endif
