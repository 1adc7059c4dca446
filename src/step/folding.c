// Map and numbering of a folded matrix.
// Tested by tests/step/test_stage_rigid.c.
#include "step/folding.h"

#include "base/memory.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <mpi.h>

static int column_of(const StPiece *piece, int vertex) {
  return vertex < piece->independent_count ? vertex : vertex - st_piece_owned_carried(piece);
}

// Vertices in their order: carried ones stand after those that move, of ours and of ghosts.
static StStatus fill_map(StFolding *folding, StError *error) {
  const StPiece *piece = folding->piece;
  const StCarried *carried = &piece->carried;
  int entries = 0, i = 0;
  for (int v = 0; v < piece->vertex_count; v++) {
    folding->start[v] = entries;
    bool moves = i == carried->count || carried->vertex[i] != v;
    for (int k = 0; k < (moves ? 1 : ST_CARRIERS); k++, entries++) {
      int carrier = moves ? v : carried->carrier[ST_CARRIERS * i + k];
      ST_CHECK(v >= piece->owned_count || carrier < piece->independent_count, error);
      folding->target[entries] = column_of(piece, carrier);
      folding->weight[entries] = moves ? 1 : carried->weight[ST_CARRIERS * i + k];
    }
    i += !moves;
  }
  folding->start[piece->vertex_count] = entries;
  folding->map = (StFoldMap){.row_count = piece->independent_count,
                             .column_count = piece->ghost_end - st_piece_owned_carried(piece),
                             .start = folding->start,
                             .target = folding->target,
                             .weight = folding->weight};
  return ST_OK;
}

// Numbers travel as the first coordinate of a field.
static StStatus number_columns(StFolding *folding, StExchange *exchange, StError *error) {
  const StPiece *piece = folding->piece;
  double *number = ST_NEW(double, 3 * (size_t)piece->vertex_count);
  ST_TRY(st_runtime_agree(number ? ST_OK : st_fail_memory(error), error));
  int offset = 0;
  folding->global_count = piece->independent_count;
  if (st_runtime_size() > 1) {
    MPI_Exscan(&piece->independent_count, &offset, 1, MPI_INT, MPI_SUM, st_communicator());
    offset = st_runtime_rank() == 0 ? 0 : offset;
    MPI_Allreduce(MPI_IN_PLACE, &folding->global_count, 1, MPI_INT, MPI_SUM, st_communicator());
  }
  for (int v = 0; v < piece->independent_count; v++)
    number[3 * v] = offset + v;
  st_exchange_forward(exchange, number);
  for (int v = 0; v < piece->ghost_end; v++)
    if (v < piece->independent_count || v >= piece->owned_count)
      folding->global[column_of(piece, v)] = (int)number[3 * v];
  free(number);
  return ST_OK;
}

static StStatus build(StFolding *folding, StError *error) {
  const StPiece *piece = folding->piece;
  size_t vertices = (size_t)piece->vertex_count;
  size_t entries = vertices + (ST_CARRIERS - 1) * (size_t)piece->carried.count;
  folding->start = ST_OWN(folding, int, vertices + 1);
  folding->target = ST_OWN(folding, int, entries);
  folding->weight = ST_OWN(folding, double, entries);
  folding->global = ST_OWN(folding, int, vertices);
  ST_TRY_MEMORY(st_owner_is_whole(folding), error);
  ST_TRY(fill_map(folding, error));
  return st_block_fold_create(&folding->map, &folding->fold, error);
}

StStatus st_folding_create(const StPiece *piece, StExchange *exchange, StFolding **result,
                           StError *error) {
  StFolding *folding = ST_OWNER(StFolding);
  ST_TRY(st_runtime_agree(st_owner_give(folding, result, error), error));
  folding->piece = piece;
  ST_TRY(st_runtime_agree(build(folding, error), error));
  return number_columns(folding, exchange, error);
}

void st_folding_destroy(StFolding *folding) {
  if (!folding)
    return;
  st_block_fold_destroy(folding->fold);
  st_owner_free(folding);
}
