// Gathering, dealing out and spreading. Items go to the rank that gets their row, in one exchange.
// Tested by tests/step/test_saved_state.c.
#include "step/gather.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"

#include <mpi.h>
#include <math.h>
#include <string.h>

// Items per rank, and where each rank's begin.
typedef struct Shares {
  int *count, *start; // [ranks]
} Shares;

// One kind of item (vertices or tets) that ranks own parts of.
typedef struct Items {
  int owned, total;
  const int *id; // [owned] description's numbers
  StRows rows;   // of this rank
  Shares all;    // rows of all ranks
  Shares sent, received;
  int *order;  // [owned] items by receiver
  bool sorted; // they are in that order
  int *place;  // [rows.count] of received items, from the first row on
} Items;

struct StGather {
  const StPiece *piece;
  Items vertices, tets;
  bool everywhere; // all ranks have rows
};

static Shares shares_create(StGather *gather) {
  int ranks = st_runtime_size();
  return (Shares){ST_OWN(gather, int, ranks), ST_OWN(gather, int, ranks)};
}

static void shares_begin(const Shares *shares, int ranks) {
  for (int r = 0, at = 0; r < ranks; at += shares->count[r++])
    shares->start[r] = at;
}

static int receiver_of(const Items *items, int id) {
  int low = 0, high = st_runtime_size();
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(items->all.start[middle] <= id ? &low : &high) = middle;
  }
  return low;
}

static void make_room(StGather *gather, Items *items) {
  items->all = shares_create(gather);
  items->sent = shares_create(gather);
  items->received = shares_create(gather);
  items->order = ST_OWN(gather, int, items->owned);
  items->place = ST_OWN(gather, int, items->rows.count);
}

// Items by receiver, those of each in their order.
static void sort_items(Items *items) {
  int *next = items->sent.start;
  items->sorted = true;
  for (int i = 0; i < items->owned; i++) {
    int at = next[receiver_of(items, items->id[i])]++;
    items->order[at] = i;
    items->sorted = items->sorted && at == i;
  }
  shares_begin(&items->sent, st_runtime_size());
}

// Which of our rows the items are that we receive.
static void find_places(Items *items, int *packed) {
  for (int i = 0; i < items->owned; i++)
    packed[i] = items->id[items->order[i]];
  if (st_runtime_size() > 1)
    MPI_Alltoallv(packed, items->sent.count, items->sent.start, MPI_INT, items->place,
                  items->received.count, items->received.start, MPI_INT, st_communicator());
  else
    memcpy(items->place, packed, (size_t)items->owned * sizeof(int));
  for (int i = 0; i < items->rows.count; i++)
    items->place[i] -= items->rows.first;
}

static void share_counts(Items *items) {
  int ranks = st_runtime_size();
  items->all.count[0] = items->rows.count;
  if (ranks > 1)
    MPI_Allgather(&items->rows.count, 1, MPI_INT, items->all.count, 1, MPI_INT, st_communicator());
  shares_begin(&items->all, ranks);
  for (int i = 0; i < items->owned; i++)
    items->sent.count[receiver_of(items, items->id[i])]++;
  items->received.count[0] = items->sent.count[0];
  if (ranks > 1)
    MPI_Alltoall(items->sent.count, 1, MPI_INT, items->received.count, 1, MPI_INT,
                 st_communicator());
  shares_begin(&items->sent, ranks);
  shares_begin(&items->received, ranks);
}

static StStatus items_create(StGather *gather, Items *items, StError *error) {
  ST_FREE int *packed = ST_NEW(int, items->owned);
  make_room(gather, items);
  bool good = packed && st_owner_is_whole(gather);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  share_counts(items);
  sort_items(items);
  find_places(items, packed);
  return ST_OK;
}

static StStatus create(const StPiece *piece, const StRows rows[2], StGather **result,
                       StError *error) {
  StGather *gather = ST_OWNER(StGather);
  ST_TRY(st_runtime_agree(gather ? ST_OK : st_fail_memory(error), error));
  gather->piece = piece;
  gather->everywhere = rows;
  gather->vertices = (Items){.owned = piece->owned_count, .id = piece->vertex_id};
  gather->tets = (Items){.owned = piece->owned_tet_count, .id = piece->tet_id};
  Items *items[] = {&gather->vertices, &gather->tets};
  StStatus status = ST_OK;
  for (int k = 0; k < 2 && status == ST_OK; k++) {
    items[k]->total = (int)st_runtime_sum(items[k]->owned);
    items[k]->rows = rows ? rows[k] : (StRows){0, st_runtime_rank() == 0 ? items[k]->total : 0};
    status = items_create(gather, items[k], error);
  }
  if (status != ST_OK) {
    st_gather_destroy(gather);
    return status;
  }
  *result = gather;
  return ST_OK;
}

StStatus st_gather_create(const StPiece *piece, StGather **result, StError *error) {
  return create(piece, NULL, result, error);
}

StStatus st_gather_create_rows(const StPiece *piece, StRows vertices, StRows tets,
                               StGather **result, StError *error) {
  return create(piece, (StRows[]){vertices, tets}, result, error);
}

void st_gather_destroy(StGather *gather) {
  st_owner_free(gather);
}

int st_gather_vertex_total(const StGather *gather) {
  return gather->vertices.total;
}
int st_gather_tet_total(const StGather *gather) {
  return gather->tets.total;
}

bool st_gather_has_rows(const StGather *gather, StRows vertices, StRows tets) {
  const StRows *v = &gather->vertices.rows, *t = &gather->tets.rows;
  return v->first == vertices.first && v->count == vertices.count && t->first == tets.first &&
         t->count == tets.count;
}

// Items of several numbers: what MPI counts in.
static MPI_Datatype type_of(int width) {
  MPI_Datatype type;
  MPI_Type_contiguous(width, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void exchange(const Items *items, const double *packed, int width, double *received) {
  if (st_runtime_size() == 1) {
    memcpy(received, packed, (size_t)items->owned * (size_t)width * sizeof(double));
    return;
  }
  MPI_Datatype type = type_of(width);
  MPI_Alltoallv(packed, items->sent.count, items->sent.start, type, received, items->received.count,
                items->received.start, type, st_communicator());
  MPI_Type_free(&type);
}

// packed: room for what is sent, when that is not in its order yet.
static void send_items(const Items *items, const double *local, int width, double *packed,
                       double *received, double *rows) {
  size_t bytes = (size_t)width * sizeof(double), step = (size_t)width;
  for (int i = 0; i < items->owned && !items->sorted; i++)
    memcpy(packed + (size_t)i * step, local + (size_t)items->order[i] * step, bytes);
  exchange(items, items->sorted ? local : packed, width, received);
  for (int i = 0; i < items->rows.count; i++)
    memcpy(rows + (size_t)items->place[i] * step, received + (size_t)i * step, bytes);
}

static bool has_rows(const StGather *gather) {
  return gather->everywhere || st_runtime_rank() == 0;
}

static StStatus gather_items(const StGather *gather, const Items *items, const double *local,
                             int width, double **whole, StError *error) {
  size_t size = (size_t)items->rows.count * (size_t)width;
  ST_FREE double *packed = ST_NEW(double, items->sorted ? 0 : (size_t)items->owned *(size_t)width);
  ST_FREE double *received = ST_NEW(double, size);
  *whole = has_rows(gather) ? ST_NEW(double, size) : NULL;
  bool good = packed && received && (*whole || !has_rows(gather));
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  send_items(items, local, width, packed, received, *whole);
  return ST_OK;
}

StStatus st_gather_vertices(const StGather *gather, const double *local, int width, double **whole,
                            StError *error) {
  return gather_items(gather, &gather->vertices, local, width, whole, error);
}

StStatus st_gather_tets(const StGather *gather, const double *local, int width, double **whole,
                        StError *error) {
  return gather_items(gather, &gather->tets, local, width, whole, error);
}

static void deal_bytes(const Items *items, const unsigned char *mark, unsigned char *own) {
  if (st_runtime_size() > 1)
    MPI_Scatterv(mark, items->all.count, items->all.start, MPI_UNSIGNED_CHAR, own,
                 items->rows.count, MPI_UNSIGNED_CHAR, 0, st_communicator());
  else
    memcpy(own, mark, (size_t)items->rows.count);
}

static StStatus deal(const StGather *gather, const Items *items, const unsigned char *mark,
                     int **rows, StError *error) {
  ST_FREE unsigned char *own = ST_NEW(unsigned char, items->rows.count);
  *rows = has_rows(gather) ? ST_NEW(int, items->rows.count) : NULL;
  bool good = own && (*rows || !has_rows(gather));
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  deal_bytes(items, mark, own);
  for (int i = 0; i < items->rows.count; i++)
    (*rows)[i] = own[i];
  return ST_OK;
}

StStatus st_gather_deal_vertices(const StGather *gather, const unsigned char *mark, int **rows,
                                 StError *error) {
  return deal(gather, &gather->vertices, mark, rows, error);
}

StStatus st_gather_deal_tets(const StGather *gather, const unsigned char *mark, int **rows,
                             StError *error) {
  return deal(gather, &gather->tets, mark, rows, error);
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
  ST_FREE double *copy = ST_NEW(double, 3 * (size_t)total);
  StStatus status = copy ? ST_OK : st_fail_memory(error);
  if (copy && st_runtime_rank() == 0 && !(whole && are_numbers(whole, 3 * (size_t)total)))
    status = st_fail(error, ST_BAD_INPUT, "an array of the state is missing or holds no numbers");
  ST_TRY(st_runtime_agree(status, error));
  if (st_runtime_rank() == 0)
    memcpy(copy, whole, 3 * (size_t)total * sizeof(double));
  st_runtime_share(0, copy, 3 * (size_t)total * sizeof(double));
  for (int i = 0; i < gather->piece->owned_count; i++)
    memcpy(local + 3 * i, copy + 3 * (size_t)gather->piece->vertex_id[i], 3 * sizeof(double));
  return ST_OK;
}
