// The participating processes: all of them, or those of a communicator that the program gave when
// it started the runtime (solve/runtime.h). The library communicates with no others. A process that
// works alone has no MPI until this is called, so that whoever communicates first asks whether
// there are others.
#ifndef ST_SOLVE_COMMUNICATOR_H
#define ST_SOLVE_COMMUNICATOR_H

#include <mpi.h>

MPI_Comm st_communicator(void);

#endif
