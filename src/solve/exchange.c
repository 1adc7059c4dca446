// Ghost exchange over plain point-to-point messages, in rank order, so that sums have a fixed
// order.
// Tested by tests/parallel/test_solve_ranks.c.
#include "solve/exchange.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"

#include <mpi.h>
#include <string.h>

struct StExchange {
  int owned_count, vertex_count, rank_count;
  int *ghost_owner, *ghost_index; // [ghosts] its rank, and its number there
  // Per rank: ghosts we take from it (their local numbers), owned vertices we give to it.
  int *take_start, *take; // [rank_count + 1], [ghosts]
  int *give_start, *give; // [rank_count + 1], [given]
  size_t give_capacity, data_capacity;
  double *take_data, *give_data;
  int *count;           // [2 rank_count] room for matching lists, …
  int *wanted;          // … [ghosts] numbers at their owners
  MPI_Request *request; // [2 rank_count]
  int *global;          // [vertex_count]
  int global_count;
  StTraffic traffic;
};

static void count_to_start(const int *count, int n, int *start) {
  start[0] = 0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + count[i];
}

static StStatus alloc_fixed(StExchange *e, StError *error) {
  size_t ranks = (size_t)e->rank_count, ghosts = (size_t)(e->vertex_count - e->owned_count);
  int **ints[] = {&e->ghost_owner, &e->ghost_index, &e->take, &e->wanted};
  bool good = (e->take_start = ST_NEW(int, ranks + 1)) != NULL;
  good = (e->give_start = ST_NEW(int, ranks + 1)) && good;
  good = (e->count = ST_NEW(int, 2 * ranks)) && good;
  good = (e->take_data = ST_NEW(double, 3 * ghosts)) && good;
  good = (e->request = ST_NEW(MPI_Request, 2 * ranks)) && good;
  good = (e->global = ST_NEW(int, e->vertex_count)) && good;
  for (int i = 0; i < ST_LENGTH(ints); i++)
    good = (*ints[i] = ST_NEW(int, ghosts)) && good;
  return good ? ST_OK : st_fail_memory(error);
}

// Sorts the ghosts we want by owner.
static void list_taken(StExchange *e, const bool *wanted) {
  int ranks = e->rank_count, ghosts = e->vertex_count - e->owned_count;
  memset(e->count, 0, (size_t)ranks * sizeof(int));
  for (int g = 0; g < ghosts; g++)
    e->count[e->ghost_owner[g]] += !wanted || wanted[g];
  count_to_start(e->count, ranks, e->take_start);
  memset(e->count, 0, (size_t)ranks * sizeof(int));
  for (int g = 0; g < ghosts; g++) {
    if (wanted && !wanted[g])
      continue;
    int slot = e->take_start[e->ghost_owner[g]] + e->count[e->ghost_owner[g]]++;
    e->take[slot] = e->owned_count + g;
    e->wanted[slot] = e->ghost_index[g];
  }
}

// Tells each owner which of its vertices we want.
StStatus st_exchange_select(StExchange *e, const bool *wanted, StError *error) {
  int ranks = e->rank_count, *given = e->count + ranks;
  if (ranks == 1)
    return ST_OK;
  list_taken(e, wanted);
  MPI_Alltoall(e->count, 1, MPI_INT, given, 1, MPI_INT, st_communicator());
  count_to_start(given, ranks, e->give_start);
  size_t total = (size_t)e->give_start[ranks];
  bool good = st_grow((void **)&e->give, &e->give_capacity, total, sizeof(int)) &&
              st_grow((void **)&e->give_data, &e->data_capacity, total, 3 * sizeof(double));
  StStatus status = st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
  if (status != ST_OK) {
    memset(e->take_start, 0, ((size_t)ranks + 1) * sizeof(int));
    memset(e->give_start, 0, ((size_t)ranks + 1) * sizeof(int));
    return status;
  }
  MPI_Alltoallv(e->wanted, e->count, e->take_start, MPI_INT, e->give, given, e->give_start, MPI_INT,
                st_communicator());
  return ST_OK;
}

// Sends part of `from` to each rank and fills `to`; the starts say which part belongs to which
// rank.
static void swap(StExchange *e, const double *from, const int *from_start, double *to,
                 const int *to_start) {
  int open = 0;
  for (int r = 0; r < e->rank_count; r++) {
    int n = to_start[r + 1] - to_start[r];
    if (n)
      MPI_Irecv(to + 3 * to_start[r], 3 * n, MPI_DOUBLE, r, 7, st_communicator(),
                &e->request[open++]);
  }
  for (int r = 0; r < e->rank_count; r++) {
    int n = from_start[r + 1] - from_start[r];
    if (n) {
      MPI_Isend(from + 3 * from_start[r], 3 * n, MPI_DOUBLE, r, 7, st_communicator(),
                &e->request[open++]);
      e->traffic.messages++;
      e->traffic.bytes += 3 * sizeof(double) * (double)n;
    }
  }
  MPI_Waitall(open, e->request, MPI_STATUSES_IGNORE);
}

void st_exchange_forward(StExchange *e, double *local) {
  if (e->rank_count == 1)
    return;
  int given = e->give_start[e->rank_count], taken = e->take_start[e->rank_count];
  for (int i = 0; i < given; i++)
    memcpy(e->give_data + 3 * i, local + 3 * e->give[i], 3 * sizeof(double));
  swap(e, e->give_data, e->give_start, e->take_data, e->take_start);
  for (int i = 0; i < taken; i++)
    memcpy(local + 3 * e->take[i], e->take_data + 3 * i, 3 * sizeof(double));
}

void st_exchange_reverse(StExchange *e, double *local) {
  if (e->rank_count == 1)
    return;
  int given = e->give_start[e->rank_count], taken = e->take_start[e->rank_count];
  for (int i = 0; i < taken; i++) {
    memcpy(e->take_data + 3 * i, local + 3 * e->take[i], 3 * sizeof(double));
    memset(local + 3 * e->take[i], 0, 3 * sizeof(double));
  }
  swap(e, e->take_data, e->take_start, e->give_data, e->give_start);
  for (int i = 0; i < given; i++)
    for (int c = 0; c < 3; c++)
      local[3 * e->give[i] + c] += e->give_data[3 * i + c];
}

// Numbers vertices rank by rank; ghosts learn theirs from their owners through the exchange itself.
static StStatus number_globally(StExchange *e, StError *error) {
  double *carrier = ST_NEW(double, 3 * (size_t)e->vertex_count);
  ST_TRY(st_runtime_agree(carrier ? ST_OK : st_fail_memory(error), error));
  int offset = 0;
  if (e->rank_count > 1) {
    MPI_Exscan(&e->owned_count, &offset, 1, MPI_INT, MPI_SUM, st_communicator());
    if (st_runtime_rank() == 0)
      offset = 0;
    MPI_Allreduce(&e->owned_count, &e->global_count, 1, MPI_INT, MPI_SUM, st_communicator());
  } else {
    e->global_count = e->owned_count;
  }
  for (int i = 0; i < e->owned_count; i++)
    carrier[3 * i] = offset + i;
  st_exchange_forward(e, carrier);
  for (int i = 0; i < e->vertex_count; i++)
    e->global[i] = (int)carrier[3 * i];
  free(carrier);
  return ST_OK;
}

StStatus st_exchange_create(int owned_count, int vertex_count, const int *ghost_owner,
                            const int *ghost_index, StExchange **exchange, StError *error) {
  StExchange *e = ST_NEW(StExchange, 1);
  ST_TRY(st_runtime_agree(e ? ST_OK : st_fail_memory(error), error));
  e->owned_count = owned_count;
  e->vertex_count = vertex_count;
  e->rank_count = st_runtime_size();
  StStatus status = st_runtime_agree(alloc_fixed(e, error), error);
  if (status == ST_OK && vertex_count > owned_count) {
    size_t bytes = (size_t)(vertex_count - owned_count) * sizeof(int);
    memcpy(e->ghost_owner, ghost_owner, bytes);
    memcpy(e->ghost_index, ghost_index, bytes);
  }
  if (status == ST_OK)
    status = st_exchange_select(e, NULL, error);
  if (status == ST_OK)
    status = number_globally(e, error);
  if (status != ST_OK) {
    st_exchange_destroy(e);
    return status;
  }
  *exchange = e;
  return ST_OK;
}

void st_exchange_destroy(StExchange *e) {
  if (!e)
    return;
  free(e->ghost_owner);
  free(e->ghost_index);
  free(e->count);
  free(e->wanted);
  free(e->take_start);
  free(e->give_start);
  free(e->take);
  free(e->give);
  free(e->take_data);
  free(e->give_data);
  free(e->request);
  free(e->global);
  free(e);
}

const int *st_exchange_global(const StExchange *e) {
  return e->global;
}
int st_exchange_global_count(const StExchange *e) {
  return e->global_count;
}

bool st_exchange_same(const StExchange *e, const double *a, const double *b) {
  if (memcmp(a, b, 3 * (size_t)e->owned_count * sizeof(double)) != 0)
    return false;
  for (int i = 0; i < e->take_start[e->rank_count]; i++) {
    size_t at = 3 * (size_t)e->take[i];
    if (memcmp(a + at, b + at, 3 * sizeof(double)) != 0)
      return false;
  }
  return true;
}

int st_exchange_taken(const StExchange *e) {
  return e->take_start[e->rank_count];
}

StTraffic st_exchange_traffic(const StExchange *e) {
  return e->traffic;
}
