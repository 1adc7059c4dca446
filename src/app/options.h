// Command-line options: a table per command, so that every command accepts `--name value` and
// `--name=value`, suggests the nearest name for an unknown one and handles `--` alike.
#pragma once

#include "base/status.h"

typedef struct StArgument {
  const char *name;   // without the dashes
  char letter;        // for -x, -x VALUE and -xVALUE; 0: none
  bool *flag;         // set to true when given; or
  const char **value; // gets the text that follows (points into argv)
  int *count;         // NULL: given once, the last counts; otherwise value is an array of …
  int most;           // … this many, filled in order, and *count says how many there are
} StArgument;

// Fills the options and collects everything else in operand[] (at most operand_max, in order).
StStatus st_options_parse(int argc, char **argv, const StArgument *option, int option_count,
                          const char **operand, int operand_max, int *operand_count,
                          StError *error);

// The text of an option as an integer from low to high.
StStatus st_option_whole(const char *name, const char *text, int low, int high, int *value,
                         StError *error);

// The text of --threads as a number; NULL: unchanged.
StStatus st_option_threads(const char *text, int *threads, StError *error);

// The name among names[count] nearest to word by edit distance; NULL: none is near.
const char *st_nearest_name(const char *word, const char *const *names, int count);

// "there is no WHAT 'word'; did you mean 'nearest'?", or a list of names.
StStatus st_fail_name(const char *what, const char *word, const char *const *names, int count,
                      StError *error);

// Splits "a,b,c": *word [*count]; one free() frees them all.
StStatus st_split_words(const char *text, char ***word, int *count, StError *error);
