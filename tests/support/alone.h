// A program under mpiexec has a process of its own, free of MPI's job, compute what one rank alone
// finds: for comparing runs on several ranks.
#ifndef TESTS_SUPPORT_ALONE_H
#define TESTS_SUPPORT_ALONE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether this process was started by alone_run; its result belongs in the file argument[2].
static inline int alone_asked(int count, char **argument) {
  return count == 3 && strcmp(argument[1], "--alone") == 0;
}

static inline int alone_is_first(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return !rank || strcmp(rank, "0") == 0;
}

// Runs the program without the variables through which mpiexec would make it part of its job.
static inline void alone_run(const char *program, const char *path) {
  pid_t child = fork();
  if (child == 0) {
    char *plain[] = {"OPENBLAS_NUM_THREADS=1", "OMPI_ALLOW_RUN_AS_ROOT=1",
                     "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL};
    execle(program, program, "--alone", path, NULL, plain);
    _exit(1);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "no result of one process alone\n");
    abort();
  }
}

#endif
