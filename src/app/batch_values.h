// The values of a sweep: a list for each key, and all combinations.
#pragma once

#include "base/status.h"

enum { ST_BATCH_KEYS = 8, ST_BATCH_RUNS = 10000 };

typedef struct StVaried {
  char *key;
  int count;
  char **value; // [count]
} StVaried;

typedef struct StBatchValues {
  int key_count;
  StVaried varied[ST_BATCH_KEYS];
  bool together; // combine the first values of all keys, then the second ones …, instead of all
                 // pairs
  int run_count;
} StBatchValues;

// text: "KEY=1,2,5" or "KEY=1:3:5 MPa": five values from 1 to 3 MPa. Commas inside brackets and
// quotes do not separate.
StStatus st_batch_values_add(StBatchValues *values, const char *text, StError *error);

// Counts the runs.
StStatus st_batch_values_finish(StBatchValues *values, bool together, StError *error);
void st_batch_values_free(StBatchValues *values);

// Index of a key's value in a run; the last key changes fastest.
int st_batch_values_index(const StBatchValues *values, int run, int key);
const char *st_batch_value(const StBatchValues *values, int run, int key);

// The common unit of all values of a key, "" for plain numbers; NULL: they differ, or are not
// numbers.
const char *st_batch_unit(const StBatchValues *values, int key);

// A value as a number in that unit, otherwise in SI units; if it is not a number, its position in
// the list, from 1.
double st_batch_number(const StBatchValues *values, int key, int index);
