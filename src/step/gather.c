// Gathering to rank 0 and spreading from it.
#include "step/gather.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"

#include <mpi.h>
#include <math.h>
#include <string.h>

// One kind of item (vertices or tets) that ranks own parts of.
typedef struct Items {
  int owned, total;
  const int *id; // [owned] description's numbers
  // On rank 0:
  int *count; // [ranks]
  int *all;   // [total] ids, rank by rank
} Items;

struct StGather {
  const StPiece *piece;
  Items vertices, tets;
};

static void offsets(const int *count, int ranks, int width, int *sizes, int *starts) {
  int start = 0;
  for (int r = 0; r < ranks; r++) {
    sizes[r] = count[r] * width;
    starts[r] = start;
    start += sizes[r];
  }
}

static StStatus items_create(Items *items, StError *error) {
  int ranks = st_runtime_size();
  items->count = ST_NEW(int, 3 * (size_t)ranks);
  StStatus status = items->count ? ST_OK : st_fail_memory(error);
  ST_TRY(st_runtime_agree(status, error));
  items->count[0] = items->total = items->owned;
  if (ranks > 1) {
    MPI_Allgather(&items->owned, 1, MPI_INT, items->count, 1, MPI_INT, st_communicator());
    MPI_Allreduce(&items->owned, &items->total, 1, MPI_INT, MPI_SUM, st_communicator());
  }
  items->all = ST_NEW(int, st_runtime_rank() == 0 ? items->total : 0);
  ST_TRY(st_runtime_agree(items->all ? ST_OK : st_fail_memory(error), error));
  if (ranks == 1) {
    memcpy(items->all, items->id, (size_t)items->total * sizeof(int));
    return ST_OK;
  }
  int *sizes = items->count + ranks, *starts = items->count + 2 * ranks;
  offsets(items->count, ranks, 1, sizes, starts);
  MPI_Gatherv(items->id, items->owned, MPI_INT, items->all, sizes, starts, MPI_INT, 0,
              st_communicator());
  return ST_OK;
}

StStatus st_gather_create(const StPiece *piece, StGather **result, StError *error) {
  StGather *gather = ST_NEW(StGather, 1);
  ST_TRY(st_runtime_agree(gather ? ST_OK : st_fail_memory(error), error));
  gather->piece = piece;
  gather->vertices.owned = piece->owned_count;
  gather->vertices.id = piece->vertex_id;
  gather->tets.owned = piece->owned_tet_count;
  gather->tets.id = piece->tet_id;
  StStatus status = items_create(&gather->vertices, error);
  if (status == ST_OK)
    status = items_create(&gather->tets, error);
  if (status != ST_OK) {
    st_gather_destroy(gather);
    return status;
  }
  *result = gather;
  return ST_OK;
}

void st_gather_destroy(StGather *gather) {
  if (!gather)
    return;
  free(gather->vertices.count);
  free(gather->vertices.all);
  free(gather->tets.count);
  free(gather->tets.all);
  free(gather);
}

int st_gather_vertex_total(const StGather *gather) {
  return gather->vertices.total;
}
int st_gather_tet_total(const StGather *gather) {
  return gather->tets.total;
}

// Data rank by rank on rank 0.
static void collect(const Items *items, const double *local, int width, double *packed) {
  int ranks = st_runtime_size();
  if (ranks == 1) {
    memcpy(packed, local, (size_t)items->owned * (size_t)width * sizeof(double));
    return;
  }
  int *sizes = items->count + ranks, *starts = items->count + 2 * ranks;
  offsets(items->count, ranks, width, sizes, starts);
  MPI_Gatherv(local, items->owned * width, MPI_DOUBLE, packed, sizes, starts, MPI_DOUBLE, 0,
              st_communicator());
}

static StStatus gather_items(const Items *items, const double *local, int width, double **whole,
                             StError *error) {
  bool root = st_runtime_rank() == 0;
  size_t size = root ? (size_t)items->total * (size_t)width : 0;
  double *packed = ST_NEW(double, size);
  *whole = root ? ST_NEW(double, size) : NULL;
  StStatus status = packed && (*whole || !root) ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  if (status == ST_OK) {
    collect(items, local, width, packed);
    size_t bytes = (size_t)width * sizeof(double);
    for (int i = 0; root && i < items->total; i++)
      memcpy(*whole + (size_t)items->all[i] * (size_t)width, packed + (size_t)i * (size_t)width,
             bytes);
  } else {
    free(*whole);
    *whole = NULL;
  }
  free(packed);
  return status;
}

StStatus st_gather_vertices(const StGather *gather, const double *local, int width, double **whole,
                            StError *error) {
  return gather_items(&gather->vertices, local, width, whole, error);
}

StStatus st_gather_tets(const StGather *gather, const double *local, int width, double **whole,
                        StError *error) {
  return gather_items(&gather->tets, local, width, whole, error);
}

static bool are_numbers(const double *value, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(value[i]))
      return false;
  return true;
}

StStatus st_gather_spread(const StGather *gather, const double *whole, double *local,
                          StError *error) {
  int total = gather->vertices.total;
  double *copy = ST_NEW(double, 3 * (size_t)total);
  StStatus status = copy ? ST_OK : st_fail_memory(error);
  if (copy && st_runtime_rank() == 0 && !(whole && are_numbers(whole, 3 * (size_t)total)))
    status = st_fail(error, ST_BAD_INPUT, "an array of the state is missing or holds no numbers");
  status = st_runtime_agree(status, error);
  if (status != ST_OK) {
    free(copy);
    return status;
  }
  if (st_runtime_rank() == 0)
    memcpy(copy, whole, 3 * (size_t)total * sizeof(double));
  if (st_runtime_size() > 1)
    MPI_Bcast(copy, 3 * total, MPI_DOUBLE, 0, st_communicator());
  for (int i = 0; i < gather->piece->owned_count; i++)
    memcpy(local + 3 * i, copy + 3 * (size_t)gather->piece->vertex_id[i], 3 * sizeof(double));
  free(copy);
  return ST_OK;
}
