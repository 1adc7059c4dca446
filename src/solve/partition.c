// By Scotch, on the first rank, which broadcasts. The partitions of PT-Scotch on all ranks depended
// on which message arrived first, so that no run repeated the bits of another.
// Tested by tests/parallel/test_solve_ranks.c.
#include "solve/partition.h"

#include "solve/communicator.h"
#include "solve/runtime.h"
#include "solve/scotch_graph.h"
#include "solve/tunables.h"

#include <string.h>

static bool divide(int count, const int *start, const int *neighbor, int parts, int *owner) {
  StScotchGraph graph;
  for (int i = 0; i < count && start[count] == 0; i++)
    owner[i] = (int)((long)i * parts / count);
  if (start[count] == 0)
    return true; // not a graph for Scotch
  bool good = st_scotch_graph_create(count, start, neighbor, NULL, &graph) &&
              SCOTCH_stratGraphMapBuild(&graph.strategy, SCOTCH_STRATDEFAULT, parts,
                                        st_solve_tunables.partition_imbalance) == 0 &&
              SCOTCH_graphPart(&graph.graph, parts, &graph.strategy, owner) == 0;
  st_scotch_graph_free(&graph);
  return good;
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
  bool good = st_runtime_rank() > 0 || divide(count, start, neighbor, size, owner);
  StStatus status = good ? ST_OK : st_fail(error, ST_SYSTEM_FAULT, "Scotch could not partition");
  ST_TRY(st_runtime_agree(status, error));
  MPI_Bcast(owner, count, MPI_INT, 0, st_communicator());
  return ST_OK;
}
