// The processes that take part: all of them, or those of a communicator that the program gave when
// it started the runtime (solve/runtime.h). Nothing in the library speaks to others.
#ifndef ST_SOLVE_COMMUNICATOR_H
#define ST_SOLVE_COMMUNICATOR_H

#include <mpi.h>

MPI_Comm st_communicator(void);

#endif
