// Lists of rows that every rank has some of, such as what pairs of bodies carry.
#ifndef ST_STEP_ROWS_H
#define ST_STEP_ROWS_H

#include "base/status.h"

#include <stddef.h>

// Puts the rows of all ranks, one rank's after the other's, in place of this rank's own.
// *row: [*count] of `size` bytes each, with room for *capacity. Collective.
StStatus st_rows_gather(void **row, size_t *capacity, int *count, size_t size, StError *error);

#endif
