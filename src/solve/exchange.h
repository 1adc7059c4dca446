// Ghost exchange: the only place where vertex data crosses ranks during a step. Forward copies
// owners' values to ghosts; reverse adds ghosts' values into owners (the one reverse scatter of a
// residual).
#pragma once

#include "base/status.h"

#include <stdbool.h>

typedef struct StExchange StExchange;

// ghost_owner, ghost_index: for each ghost (local vertices owned_count … vertex_count-1) the rank
// that owns it and its number there, in any order. Collective.
StStatus st_exchange_create(int owned_count, int vertex_count, const int *ghost_owner,
                            const int *ghost_index, StExchange **exchange, StError *error);
void st_exchange_destroy(StExchange *exchange);

void st_exchange_forward(StExchange *exchange, double *local); // [vertex_count][3]
void st_exchange_reverse(StExchange *exchange, double *local); // ghosts are zero afterwards

// Exchanges only these ghosts from now on, [ghosts] in their order; NULL: all of them, the default.
// The others keep their values. After ST_SYSTEM_FAULT nothing is exchanged any more. Collective.
StStatus st_exchange_select(StExchange *exchange, const bool *wanted, StError *error);

// Whether two arrays are bitwise equal, except for ghosts that are not exchanged.
bool st_exchange_same(const StExchange *exchange, const double *a, const double *b);

int st_exchange_taken(const StExchange *exchange); // ghosts that are exchanged

// What this rank has sent so far.
typedef struct StTraffic {
  double messages, bytes;
} StTraffic;
StTraffic st_exchange_traffic(const StExchange *exchange);

// Number of each local vertex in the numbering over all ranks (rank by rank): [vertex_count].
const int *st_exchange_global(const StExchange *exchange);
int st_exchange_global_count(const StExchange *exchange);
