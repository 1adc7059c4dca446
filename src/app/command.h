// What a command of the program is: a name, its help and a function. main.c holds the table.
#ifndef ST_APP_COMMAND_H
#define ST_APP_COMMAND_H

#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

// What the shell gets; `stiction --help` and docs/running.md say the same.
enum {
  ST_EXIT_GOOD = 0,
  ST_EXIT_BAD_INPUT = 2,
  ST_EXIT_SYSTEM_FAULT = 3,
  ST_EXIT_NOT_SOLVED = 4,
  ST_EXIT_BUG = 5,
  ST_EXIT_FOUND = 6, // with --strict: the judge found something
  ST_EXIT_INTERRUPTED = 130,
};

typedef struct StCommand {
  const char *name;    // the word after `stiction`
  const char *summary; // one line for `stiction --help`
  const char *usage;   // all that `stiction help NAME` prints: how to call it, options, examples
  void (*more)(StText *text); // adds to that what is known at run time only; NULL: nothing
  bool hidden;                // left out of `stiction --help`
  bool answers_help;          // `--help` reaches `run`, which has more to say than its usage
  // argv[0] is the command's own name. Returns an exit code. `--help` is else answered before.
  int (*run)(int argc, char **argv);
} StCommand;

extern const StCommand st_command_run, st_command_check, st_command_resume, st_command_mesh,
    st_command_list, st_command_schema, st_command_verify, st_command_experiment, st_command_view,
    st_command_export, st_command_plot, st_command_sweep, st_command_completion, st_command_manual;

// All of them in the order of `stiction --help`, NULL at the end.
extern const StCommand *const st_commands[];

// What `stiction --help` prints, without and with the list of commands.
extern const char st_help_introduction[], st_help_conclusion[];
void st_help_text(StText *text);

int st_exit_code(StStatus status);

// How the user called the program, for commands that they can type as they stand: "stiction" where
// it is found by its name, else with its path.
const char *st_command_program(void);

// Whether this process may print: only rank 0 does.
bool st_command_prints(void);

// Prints the error on stderr and returns its exit code.
int st_command_fail(const StError *error);

// The same for a command line that makes no sense; points at `stiction help NAME`.
int st_command_misused(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Warnings and news on stderr, rank 0 only.
extern const StLog st_command_log;

#endif
