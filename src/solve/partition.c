// Graph partitioning over the ranks.
#include "solve/partition.h"

#include "solve/runtime.h"
#include "solve/communicator.h"

#include <petscmat.h>
#include <string.h>

// Each rank puts in its contiguous share of the rows. PETSc takes the arrays over and frees them.
static PetscErrorCode create_adjacency(int count, int first, int last, const int *start,
                                       const int *neighbor, Mat *adjacency) {
  PetscInt *rows, *columns;
  PetscCall(PetscMalloc1(last - first + 1, &rows));
  PetscCall(PetscMalloc1(start[last] - start[first] + 1, &columns));
  for (int i = first; i <= last; i++)
    rows[i - first] = start[i] - start[first];
  memcpy(columns, neighbor + start[first], (size_t)(start[last] - start[first]) * sizeof(int));
  PetscCall(
      MatCreateMPIAdj(st_communicator(), last - first, count, rows, columns, NULL, adjacency));
  return 0;
}

static PetscErrorCode partition(int count, const int *start, const int *neighbor, int *owner) {
  int rank = st_runtime_rank(), size = st_runtime_size();
  int first = (int)((long)count * rank / size), last = (int)((long)count * (rank + 1) / size);
  Mat adjacency;
  MatPartitioning method;
  IS part, all;
  const PetscInt *index;
  PetscCall(create_adjacency(count, first, last, start, neighbor, &adjacency));
  PetscCall(MatPartitioningCreate(st_communicator(), &method));
  PetscCall(MatPartitioningSetAdjacency(method, adjacency));
  PetscCall(MatPartitioningSetType(method, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningApply(method, &part));
  PetscCall(ISAllGather(part, &all));
  PetscCall(ISGetIndices(all, &index));
  memcpy(owner, index, (size_t)count * sizeof(int));
  PetscCall(ISRestoreIndices(all, &index));
  PetscCall(ISDestroy(&all));
  PetscCall(ISDestroy(&part));
  PetscCall(MatPartitioningDestroy(&method));
  PetscCall(MatDestroy(&adjacency));
  return 0;
}

StStatus st_partition_graph(int count, const int *start, const int *neighbor, int *owner,
                            StError *error) {
  int size = st_runtime_size();
  if (size == 1) {
    memset(owner, 0, (size_t)count * sizeof(int));
    return ST_OK;
  }
  if (count < 4 * size)
    return st_fail(error, ST_BAD_INPUT, "%d vertices are too few for %d ranks; use at most %d",
                   count, size, count / 4 > 1 ? count / 4 : 1);
  _Static_assert(sizeof(PetscInt) == sizeof(int), "PETSc with 32-bit indices is needed");
  PetscErrorCode code = partition(count, start, neighbor, owner);
  if (code)
    return st_fail(error, ST_SYSTEM_FAULT, "partitioning failed with PETSc code %d", (int)code);
  return ST_OK;
}
