// Measured positions of probes over time, from a CSV file whose columns are named as those of
// history.csv.
#pragma once

#include "model/description.h"

typedef struct StMeasuredColumn {
  char *name;      // "x(tip)"
  int probe, axis; // of the scene
} StMeasuredColumn;

typedef struct StMeasured {
  int rows, column_count, count; // count: of all values that are there
  double *time;                  // [rows] s, rising
  StMeasuredColumn *column;      // [column_count]
  double *value;                 // [rows][column_count] m; NAN: not measured
  double *sigma;                 // the same: standard deviations, 1 where none are known …
  bool weighted;                 // … which then holds for all
} StMeasured;

// sigma: for columns that have none of their own; 0: not known.
StStatus st_measured_read(const char *path, const StDescription *description, double sigma,
                          StMeasured *measured, StError *error);
void st_measured_free(StMeasured *measured);
