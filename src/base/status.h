// Status codes and error texts: what every fallible function of the library returns. Bad input,
// numerical outcomes and bugs have different codes and are never mixed.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum StStatus {
  ST_OK = 0,
  ST_BAD_INPUT,    // the user's file, scene or argument is wrong; the text says what would be right
  ST_SYSTEM_FAULT, // memory, disk, a library that could not start
  ST_NOT_SOLVED,   // a numerical outcome; the caller may cut the step and try again
  ST_INTERRUPTED,  // stopped on request, everything saved
  ST_BUG,          // an internal check failed
} StStatus;

// The text is complete: callers print it unchanged. Callers own the struct and may pass NULL.
typedef struct StError {
  StStatus status;
  char text[2048];
} StError;

// Fills *error (when given) and returns status, so that a failure is one line: return st_fail(...).
StStatus st_fail(StError *error, StStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
StStatus st_fail_memory(StError *error);

// Puts text in front of the text already in *error ("scene.json: " + the message of a lower layer).
StStatus st_error_prefix(StError *error, StStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A check that stays on in release builds; returns ST_BUG with the location of the failed
// condition.
#define ST_CHECK(condition, error)                                                                 \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return st_fail((error), ST_BUG, "internal check failed at %s:%d: %s (please report)",        \
                     __FILE__, __LINE__, #condition);                                              \
  } while (0)

// Returns from the calling function if memory ran out: a pointer is NULL, or a count 0.
#define ST_TRY_MEMORY(allocated, error)                                                            \
  do {                                                                                             \
    if (!(allocated))                                                                              \
      return st_fail_memory(error);                                                                \
  } while (0)

// Returns from the calling function if a call failed; the error text is already filled.
#define ST_TRY(call)                                                                               \
  do {                                                                                             \
    StStatus st_try_status = (call);                                                               \
    if (st_try_status != ST_OK)                                                                    \
      return st_try_status;                                                                        \
  } while (0)
