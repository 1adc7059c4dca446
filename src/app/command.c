// Shared by all commands: exit codes, error texts and the log.
#include "app/command.h"

#include "solve/runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int st_exit_code(StStatus status) {
  switch (status) {
  case ST_OK: return ST_EXIT_GOOD;
  case ST_BAD_INPUT: return ST_EXIT_BAD_INPUT;
  case ST_SYSTEM_FAULT: return ST_EXIT_SYSTEM_FAULT;
  case ST_NOT_SOLVED: return ST_EXIT_NOT_SOLVED;
  case ST_INTERRUPTED: return ST_EXIT_INTERRUPTED;
  case ST_BUG: return ST_EXIT_BUG;
  }
  return ST_EXIT_BUG;
}

// Before MPI starts, only the launcher's variable distinguishes ranks.
bool st_command_prints(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return st_runtime_rank() == 0 && (!rank || strcmp(rank, "0") == 0);
}

const char *st_command_program(void) {
  return strchr(program_invocation_name, '/') ? program_invocation_name : "stiction";
}

// Messages of the library quote commands as "stiction resume DIR": replaces the name by one that
// works here.
static void print_text(const char *text) {
  static const char CALL[] = "\"stiction ";
  for (const char *at; (at = strstr(text, CALL)); text = at + sizeof CALL - 1)
    fprintf(stderr, "%.*s\"%s ", (int)(at - text), text, st_command_program());
  fprintf(stderr, "%s\n", text);
}

int st_command_fail(const StError *error) {
  if (st_command_prints()) {
    fflush(stdout);
    fputs("stiction: ", stderr);
    print_text(error->text);
  }
  return st_exit_code(error->status);
}

int st_command_misused(const char *command, const char *format, ...) {
  if (!st_command_prints())
    return ST_EXIT_BAD_INPUT;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "stiction %s: %s\nSee `stiction help %s`.\n", command, text, command);
  return ST_EXIT_BAD_INPUT;
}

int st_command_print(const StText *text) {
  StError error;
  if (text->failed) {
    st_fail_memory(&error);
    return st_command_fail(&error);
  }
  if (text->length > 0 && st_command_prints())
    fputs(text->data, stdout);
  return ST_EXIT_GOOD;
}

static void write_message(void *context, StLevel level, const char *text) {
  (void)context;
  if (level != ST_DETAIL && st_command_prints())
    fprintf(stderr, "stiction: %s%s\n", level == ST_WARNING ? "warning: " : "", text);
}

const StLog st_command_log = {write_message, NULL};
