// `stiction experiment`: hands over to the program stiction-experiment, which is built from the
// public headers alone. It is beside this one, or on the PATH.
#include "app/command.h"
#include "experiments/usage.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char PROGRAM[] = "stiction-experiment";

static void run_beside(char **argv) {
  char own[PATH_MAX], path[PATH_MAX + sizeof PROGRAM];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  while (length > 0 && own[length - 1] != '/')
    length--;
  if (length <= 0)
    return;
  snprintf(path, sizeof path, "%.*s%s", (int)length, own, PROGRAM);
  execv(path, argv);
}

// Returns only when there is no such program.
static int run_experiment(int argc, char **argv) {
  (void)argc;
  argv[0] = (char *)PROGRAM;
  run_beside(argv);
  execvp(PROGRAM, argv);
  StError error;
  st_fail(&error, ST_SYSTEM_FAULT, "the program %s is neither beside this one nor on the PATH",
          PROGRAM);
  return st_command_fail(&error);
}

const StCommand st_command_experiment = {
    .name = "experiment",
    .summary = "repeat an experiment of the paper and print its figures next to ours",
    .usage = EXPERIMENT_USAGE,
    .answers_help = true,
    .run = run_experiment,
};
