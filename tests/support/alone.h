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

#endif
