// A named, documented parameter of an experiment, read from and shown as text.
#ifndef EXPERIMENTS_PARAM_H
#define EXPERIMENTS_PARAM_H

#include <stdbool.h>
#include <stdio.h>

typedef enum ParamKind { REAL, INTEGER, BOOLEAN, WORD } ParamKind;

typedef struct Param {
  const char *name; // lower case, words joined by _
  const char *doc;  // one sentence, what it does
  ParamKind kind;
  const char *unit; // SI, as users write it; NULL: a pure number
  double fallback;
  double min, max; // inclusive unless open; INFINITY: no limit
  bool min_open, max_open;
  const char *const *word; // WORD: allowed words, NULL-terminated; the value is the index
} Param;

// Reads "3 mm", "12", "true" or a word, and checks the range. False: *why says what is wrong,
// free() it.
bool param_read(const Param *param, const char *text, double *value, char **why);

// A value as the user would write it.
void param_show(const Param *param, double value, int digits, FILE *out);

void param_describe(const Param *param, FILE *out); // name, default, range and sentence

// A sentence in lines that fit a terminal, each indented; ends the last one.
void write_wrapped(const char *sentence, int indent, FILE *out);

// "there is no WHAT 'word'; did you mean 'nearest'?", or which there are: free() it.
char *explain_unknown(const char *what, const char *word, const char *const *name, int count);

#endif
