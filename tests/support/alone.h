// Tests under mpiexec that compare several ranks with a single process, which is started outside
// MPI's job and leaves its result in a file.
#ifndef TESTS_SUPPORT_ALONE_H
#define TESTS_SUPPORT_ALONE_H

#include "solve/runtime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char alone_file[64]; // where the result is while tests run

// Whether this process was started by alone_run; its result belongs in the file argument[2].
static inline int alone_asked(int count, char **argument) {
  return count == 3 && strcmp(argument[1], "--alone") == 0;
}

static inline int alone_is_first(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return !rank || strcmp(rank, "0") == 0;
}

// Variables through which mpiexec would make a new process part of its job.
static inline int alone_of_job(const char *variable) {
  return (strncmp(variable, "OMPI_", 5) == 0 && !strstr(variable, "ALLOW_RUN_AS_ROOT")) ||
         strncmp(variable, "PMIX_", 5) == 0 || strncmp(variable, "PRTE_", 5) == 0;
}

// Has the program write its result to the path, without those variables.
static inline void alone_run(char *program, char *path) {
  pid_t child = fork();
  if (child == 0) {
    char *kept[1024], *argument[] = {program, "--alone", path, NULL};
    int count = 0;
    for (char **variable = environ; *variable && count < 1023; variable++)
      if (!alone_of_job(*variable))
        kept[count++] = *variable;
    kept[count] = NULL;
    execve(program, argument, kept);
    _exit(1);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "no result of one process alone\n");
    abort();
  }
}

// Opens the result, for reading.
static inline FILE *alone_open(void) {
  FILE *file = fopen(alone_file, "rb");
  assert_non_null(file);
  return file;
}

typedef bool AloneWrite(FILE *file); // simulates, and says whether the result was written

static inline int alone_write(const char *path, AloneWrite *write) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  FILE *file = fopen(path, "wb");
  bool good = file && write(file);
  good = file && fclose(file) == 0 && good;
  st_runtime_stop();
  return good ? 0 : 1;
}

static inline int alone_main(int count, char **argument, AloneWrite *write,
                             const struct CMUnitTest *tests, size_t test_count) {
  if (alone_asked(count, argument))
    return alone_write(argument[2], write);
  snprintf(alone_file, sizeof alone_file, "alone-%d.bin", (int)getpid());
  if (alone_is_first())
    alone_run(argument[0], alone_file);
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = _cmocka_run_group_tests("ranks", tests, test_count, NULL, NULL);
  if (st_runtime_rank() == 0)
    unlink(alone_file);
  st_runtime_stop();
  return failed;
}

#define ALONE_MAIN(count, argument, write, tests)                                                  \
  alone_main(count, argument, write, tests, sizeof(tests) / sizeof(tests[0]))

#endif
