// A linear system in a file: what an iteration failed on, to be solved again by tests and tools.
// docs/running.md describes the format.
#pragma once

#include "solve/problem.h"

typedef struct StSystemNote {
  const char *method, *reason; // which method failed on it, and how
  double tolerance;            // that was asked for, relative
} StSystemNote;

// Writes the problem's matrix, as assembled last, and a right-hand side into a new file of the
// folder, which is made if it is missing. One rank only.
StStatus st_system_file_write(const char *folder, const StProblem *problem, const double *b,
                              const StSystemNote *note, StError *error);
