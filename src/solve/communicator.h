// The participating processes: all of them, or those of a communicator that the program gave when
// it started the runtime (solve/runtime.h). The library communicates with no others. A process that
// works alone has no MPI until this is called: check first whether there are others
// (st_runtime_size).
#pragma once

#include <mpi.h>

MPI_Comm st_communicator(void);
