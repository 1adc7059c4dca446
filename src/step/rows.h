// Lists of rows distributed over ranks, such as contact forces of pairs of bodies.
#pragma once

#include "base/status.h"

#include <stddef.h>

// Replaces this rank's rows by those of all ranks, in the order of ranks. *row: [*count] of `size`
// bytes each, with capacity *capacity. Collective.
StStatus st_rows_gather(void **row, size_t *capacity, int *count, size_t size, StError *error);
#define ST_ROWS_GATHER(row, capacity, count, error)                                                \
  st_rows_gather((void **)&(row), &(capacity), &(count), sizeof *(row), error)
