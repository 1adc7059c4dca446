// What all experiments share: arrays, memory that cannot be short, statuses passed on.
#ifndef EXPERIMENTS_COMMON_H
#define EXPERIMENTS_COMMON_H

#include <stiction/stiction.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

// Ends the program with exit code 3 when memory is short, so that nobody else need look.
void *take_memory(void *before, size_t count, size_t size); // grown from `before`, else zeroed
char *copy_text(const char *text);                          // NULL stays NULL
char *join_path(const char *folder, const char *name);
char *print_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define NEW(type, count) ((type *)take_memory(NULL, (size_t)(count), sizeof(type)))

#define TRY(call)                                                                                  \
  do {                                                                                             \
    StictionStatus tried = (call);                                                                 \
    if (tried != STICTION_OK)                                                                      \
      return tried;                                                                                \
  } while (0)

#endif
