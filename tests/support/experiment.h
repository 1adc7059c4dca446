// Runs an experiment in a folder of its own, at whatever size a test can afford, and finds figures
// in its tables.
#ifndef TESTS_SUPPORT_EXPERIMENT_H
#define TESTS_SUPPORT_EXPERIMENT_H

#include "experiment/lab.h"
#include "output/scratch.h"
#include "solve/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ExperimentSetting {
  const char *name;
  double value; // SI
} ExperimentSetting;

static inline StLabSettings experiment_settings(const char *name, const char *folder,
                                                const ExperimentSetting *setting, int count) {
  StLabSettings settings = {.experiment = st_experiment_find(name), .folder = folder};
  if (!settings.experiment) {
    fprintf(stderr, "there is no experiment %s\n", name);
    abort();
  }
  st_experiment_defaults(settings.experiment, ST_EXPERIMENT_SMALL, settings.value);
  for (int i = 0; i < count; i++) {
    int at = st_experiment_param(settings.experiment, setting[i].name);
    if (at < 0) {
      fprintf(stderr, "%s has no parameter %s\n", name, setting[i].name);
      abort();
    }
    settings.value[at] = setting[i].value;
  }
  return settings;
}

// The program ends when it cannot be run.
static inline StResult experiment_run(const StLabSettings *settings) {
  StResult result;
  StError error = {0};
  if (st_lab_run(settings, &result, &error) != ST_OK) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  return result;
}

// The first row whose texts begin with those given ("be", "cold", …); -1: none.
static inline long experiment_row(const StResultTable *table, const char *const *text, int count) {
  size_t columns = (size_t)table->column_count;
  for (size_t row = 0; row < table->cell_count / columns; row++) {
    bool fits = true;
    for (int i = 0; i < count; i++) {
      const char *found = table->cell[row * columns + (size_t)i].text;
      fits = fits && found && strcmp(found, text[i]) == 0;
    }
    if (fits)
      return (long)row;
  }
  return -1;
}

// A number by row and column name; the program ends when there is no such cell.
static inline double experiment_number(const StResultTable *table, long row, const char *column) {
  for (int c = 0; c < table->column_count && row >= 0; c++)
    if (strcmp(table->column[c].name, column) == 0)
      return table->cell[(size_t)row * (size_t)table->column_count + (size_t)c].value;
  fprintf(stderr, "no cell %s in row %ld of \"%s\"\n", column, row, table->title);
  abort();
}

// For cmocka_run_group_tests: the runtime and a scratch folder.
static inline int experiment_begin(void **state) {
  StError error;
  return st_runtime_start(&error) == ST_OK ? scratch_begin(state) : -1;
}

static inline int experiment_end(void **state) {
  st_runtime_stop();
  return scratch_end(state);
}

#endif
