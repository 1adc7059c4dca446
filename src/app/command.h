// A command of the program: a name, its help and a function. main.c holds the table.
#pragma once

#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

// Exit codes; `stiction --help` and docs/running.md list them.
enum {
  ST_EXIT_GOOD = 0,
  ST_EXIT_BAD_INPUT = 2,
  ST_EXIT_SYSTEM_FAULT = 3,
  ST_EXIT_NOT_SOLVED = 4,
  ST_EXIT_BUG = 5,
  ST_EXIT_FOUND = 6, // with --strict: the independent check found something
  ST_EXIT_INTERRUPTED = 130,
};

typedef struct StCommand {
  const char *name;           // the word after `stiction`
  const char *summary;        // one line for `stiction --help`
  const char *usage;          // all that `stiction help NAME` prints: synopsis, options, examples
  void (*more)(StText *text); // adds what is known only at run time; may be NULL
  bool hidden;                // left out of `stiction --help`
  bool answers_help;          // `--help` goes to `run`, which has more to print than its usage
  // argv[0] is the command's own name. Returns an exit code. `--help` is normally handled before.
  int (*run)(int argc, char **argv);
} StCommand;

extern const StCommand st_command_run, st_command_check, st_command_resume, st_command_stop,
    st_command_mesh, st_command_list, st_command_schema, st_command_verify, st_command_experiment,
    st_command_view, st_command_export, st_command_plot, st_command_sweep, st_command_completion,
    st_command_manual, st_command_import, st_command_fit;

// All commands in the order of `stiction --help`, NULL-terminated.
extern const StCommand *const st_commands[];

// The text of `stiction --help`, without and with the list of commands.
extern const char st_help_introduction[], st_help_conclusion[];
void st_help_text(StText *text);

int st_exit_code(StStatus status);

// How the user called the program, for commands in messages that work as printed: "stiction" if it
// is in the PATH, otherwise with its path.
const char *st_command_program(void);

// Whether this process may print: only rank 0 does.
bool st_command_prints(void);

// Prints the error on stderr and returns its exit code.
int st_command_fail(const StError *error);

// The same for an invalid command line; refers to `stiction help NAME`.
int st_command_misused(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Prints a text on stdout and returns an exit code.
int st_command_print(const StText *text);

// Warnings and messages on stderr, rank 0 only.
extern const StLog st_command_log;
