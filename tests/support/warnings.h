// Counts the warnings of a simulation that contain some words.
#ifndef TESTS_SUPPORT_WARNINGS_H
#define TESTS_SUPPORT_WARNINGS_H

#include "base/log.h"

#include <stdio.h>
#include <string.h>

typedef struct Warnings {
  int count;
  char last[600];
  const char *about; // words of the warnings that count
} Warnings;

static inline void warnings_write(void *context, StLevel level, const char *text) {
  Warnings *warnings = context;
  if (level != ST_WARNING || !strstr(text, warnings->about))
    return;
  warnings->count++;
  snprintf(warnings->last, sizeof warnings->last, "%s", text);
}

static inline StLog warnings_log(Warnings *warnings) {
  return (StLog){.write = warnings_write, .context = warnings};
}

#endif
