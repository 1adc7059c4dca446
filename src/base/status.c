// Error texts: formatting and prefixing.
#include "base/status.h"

#include <stdio.h>
#include <string.h>

StStatus st_fail(StError *error, StStatus status, const char *format, ...) {
  if (!error)
    return status;
  va_list arguments;
  va_start(arguments, format);
  error->status = status;
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return status;
}

StStatus st_fail_memory(StError *error) {
  return st_fail(error, ST_SYSTEM_FAULT, "out of memory");
}

StStatus st_error_prefix(StError *error, StStatus status, const char *format, ...) {
  if (!error)
    return status;
  char tail[sizeof error->text];
  memcpy(tail, error->text, sizeof tail);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  if (length >= 0 && (size_t)length < sizeof error->text)
    snprintf(error->text + length, sizeof error->text - (size_t)length, "%s", tail);
  error->status = status;
  return status;
}
