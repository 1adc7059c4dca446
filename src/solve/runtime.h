// Starts and stops MPI and PETSc, once per process, with the settings a single process needs to
// start fast and solvers need not to crawl. Nothing else in the library calls MPI_Init.
#ifndef ST_SOLVE_RUNTIME_H
#define ST_SOLVE_RUNTIME_H

#include "base/status.h"

StStatus st_runtime_start(StError *error);
void st_runtime_stop(void);

int st_runtime_rank(void); // 0 before the start
int st_runtime_size(void); // 1 before the start

// The worst status of all ranks, with the text of the lowest rank that has it, so that all ranks
// take the same branch after something only rank 0 did.
StStatus st_runtime_agree(StStatus mine, StError *error);

// "3.18.5" and "Open MPI v4.1.4", each within size bytes.
void st_runtime_versions(char *petsc, char *mpi, size_t size);

double st_runtime_sum(double mine); // over all ranks, the same on each

#endif
