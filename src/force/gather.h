// Transfers between vertex fields and batches: coordinates of eight elements into lanes, and their
// blocks from lanes into the rows of a matrix.
#ifndef ST_FORCE_GATHER_H
#define ST_FORCE_GATHER_H

#include "math/block_matrix.h"
#include "math/lanes.h"

// One coordinate of the same corner of all elements.
static inline StLanes st_gather(const double *field, const int vertex[ST_LANES], int axis) {
  const double *from = field + axis;
  return (StLanes){from[3 * (size_t)vertex[0]], from[3 * (size_t)vertex[1]],
                   from[3 * (size_t)vertex[2]], from[3 * (size_t)vertex[3]],
                   from[3 * (size_t)vertex[4]], from[3 * (size_t)vertex[5]],
                   from[3 * (size_t)vertex[6]], from[3 * (size_t)vertex[7]]};
}

// Blocks of a large matrix are rarely in a cache: asks for them while the batch is still computed.
static inline void st_prefetch_blocks(int count, int lanes, const int *slot,
                                      const StBlockMatrix *matrix) {
  for (int i = 0; i < lanes * count; i++) {
    const double *value = matrix->value + 9 * (size_t)(slot[i] < 0 ? 0 : slot[i]);
    __builtin_prefetch(value, 1);
    __builtin_prefetch(value + 8, 1);
  }
}

// Adds the blocks of each of the first `lanes` elements. slot: [lanes][count], -1: not ours.
static inline void st_scatter_blocks(const StLanes (*block)[9], int count, int lanes,
                                     const int *slot, StBlockMatrix *matrix) {
  for (int lane = 0; lane < lanes; lane++, slot += count)
    for (int p = 0; p < count; p++) {
      if (slot[p] < 0)
        continue;
      double *value = matrix->value + 9 * (size_t)slot[p];
      for (int e = 0; e < 9; e++)
        value[e] += block[p][e][lane];
    }
}

#endif
