// Starts and stops what solvers need, once per process: MPI and PETSc where there are several
// processes. A process that works alone does without them: starting MPI takes 0.1 s, sets
// environment variables and catches signals, all of which belong to the host program. Only MUMPS
// and multigrid need it there, and start it when they are first used.
#pragma once

#include "base/status.h"

StStatus st_runtime_start(StError *error);
void st_runtime_stop(void);

// The same for the processes of an MPI_Comm of the program's (NULL: all). A second start is refused
// with another one.
StStatus st_runtime_start_on(const void *communicator, StError *error);

// Starts MPI and PETSc if they are not running.
StStatus st_runtime_need_mpi(StError *error);

// It has been started and can be used: MPI in the process that started it, everything else in its
// forks too.
bool st_runtime_is_here(void);
bool st_runtime_was_forked(void); // from a process that had started MPI

// Threads of the linear algebra libraries: one each, from here on; returns how many the program
// had, for `wake`. BLAS has one number for the process, OpenMP one for each thread.
int st_runtime_calm_blas(void);
void st_runtime_wake_blas(int before);
int st_runtime_calm_openmp(void);
void st_runtime_wake_openmp(int before);

int st_runtime_rank(void); // 0 before the start
int st_runtime_size(void); // 1 before the start

// The worst status of all ranks, with the text of the lowest rank that has it, so that all ranks
// take the same branch after something only rank 0 did.
StStatus st_runtime_agree(StStatus mine, StError *error);

// "3.18.5" and "Open MPI v4.1.4", each within size bytes.
void st_runtime_versions(char *petsc, char *mpi, size_t size);

// Whether several threads may call BLAS at once: OpenBLAS must be built for threads then, though
// each call uses one.
bool st_runtime_blas_is_shared(void);

// Over all ranks, the same on each. Collective.
double st_runtime_sum(double mine);
void st_runtime_sum_all(void *values, int count); // doubles, in place
double st_runtime_max(double mine);               // NaN counts as infinite
bool st_runtime_any(bool mine);
int st_runtime_least(int mine);
void st_runtime_max_all(double *values, int count); // in place, as …
void st_runtime_min_all(double *values, int count); // … these are
void st_runtime_any_all(bool *values, int count);
void st_runtime_largest(double *value, int *label); // with its label, of equal ones the lowest
void st_runtime_share(int rank, void *values, size_t size); // that rank's, so many bytes
