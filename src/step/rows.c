// Gathering over MPI.
// Tested by tests/parallel/test_neighbours_ranks.c.
#include "step/rows.h"

#include "base/memory.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <limits.h>
#include <mpi.h>
#include <string.h>

static StStatus gather(void **row, size_t *capacity, int *count, size_t size, int *bytes,
                       int *offset, StError *error) {
  int mine = (int)((size_t)*count * size), ranks = st_runtime_size();
  size_t total = 0;
  MPI_Allgather(&mine, 1, MPI_INT, bytes, 1, MPI_INT, st_communicator());
  for (int r = 0; r < ranks; r++) {
    offset[r] = (int)total;
    total += (size_t)bytes[r];
  }
  char *all = total <= INT_MAX ? malloc(total + 1) : NULL;
  bool room = all && st_grow(row, capacity, total / size, size);
  StStatus status = st_runtime_agree(room ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK) {
    MPI_Allgatherv(*row, mine, MPI_BYTE, all, bytes, offset, MPI_BYTE, st_communicator());
    if (total > 0)
      memcpy(*row, all, total);
    *count = (int)(total / size);
  }
  free(all);
  return status;
}

StStatus st_rows_gather(void **row, size_t *capacity, int *count, size_t size, StError *error) {
  int ranks = st_runtime_size();
  if (ranks == 1)
    return ST_OK;
  ST_FREE int *bytes = ST_NEW(int, ranks), *offset = ST_NEW(int, ranks);
  bool fits = bytes && offset && (size_t)*count <= INT_MAX / size;
  ST_TRY(st_runtime_agree(fits ? ST_OK : st_fail_memory(error), error));
  return gather(row, capacity, count, size, bytes, offset, error);
}
