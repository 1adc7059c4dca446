// Runs an experiment in a folder of its own, at whatever size a test can afford, and finds figures
// in its tables.
#ifndef TESTS_SUPPORT_EXPERIMENT_H
#define TESTS_SUPPORT_EXPERIMENT_H

#include "lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct ExperimentSetting {
  const char *name;
  double value; // SI
} ExperimentSetting;

static inline LabSettings experiment_settings(const char *name, const char *folder,
                                              const ExperimentSetting *setting, int count) {
  LabSettings settings = {.experiment = experiment_find(name), .folder = folder};
  if (!settings.experiment)
    fail_msg("there is no experiment %s", name);
  experiment_defaults(settings.experiment, SIZE_SMALL, settings.value);
  for (int i = 0; i < count; i++) {
    int at = experiment_param(settings.experiment, setting[i].name);
    if (at < 0)
      fail_msg("%s has no parameter %s", name, setting[i].name);
    settings.value[at] = setting[i].value;
  }
  return settings;
}

static inline Result experiment_run(Stiction *session, const LabSettings *settings) {
  Result result;
  char error[1024];
  if (lab_run(settings, session, &result, error) != STICTION_OK)
    fail_msg("%s", error);
  return result;
}

// The first row whose texts begin with those given ("be", "cold", …); -1: none.
static inline long experiment_row(const Table *table, const char *const *text, int count) {
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

static inline double experiment_number(const Table *table, long row, const char *column) {
  for (int c = 0; c < table->column_count && row >= 0; c++)
    if (strcmp(table->column[c].name, column) == 0)
      return table->cell[(size_t)row * (size_t)table->column_count + (size_t)c].value;
  fail_msg("no cell %s in row %ld of \"%s\"", column, row, table->title);
  return NAN;
}

static inline bool is_there(const char *path) {
  return access(path, F_OK) == 0;
}

// For cmocka_run_group_tests: a session, and an empty folder to work in, which stays.
static inline int experiment_begin(void **state) {
  Stiction *session = NULL;
  bool good = system("rm -rf work && mkdir work") == 0 && chdir("work") == 0;
  int status = (int)stiction_open(&session);
  *state = session;
  return good ? status : -1;
}

static inline int experiment_end(void **state) {
  stiction_close(*state);
  return 0;
}

#endif
