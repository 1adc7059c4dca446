// Formats a message and passes it to the callback.
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void st_log(const StLog *log, StLevel level, const char *format, ...) {
  if (!log || !log->write)
    return;
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  log->write(log->context, level, text);
}
