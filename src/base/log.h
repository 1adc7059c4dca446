// Where messages go: the library itself never prints. A NULL log drops everything.
#pragma once

typedef enum StLevel { ST_DETAIL, ST_INFO, ST_WARNING } StLevel;

typedef struct StLog {
  void (*write)(void *context, StLevel level, const char *text); // text has no newline at its end
  void *context;
} StLog;

void st_log(const StLog *log, StLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
