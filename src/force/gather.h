// Transfers between vertex fields and batches: coordinates of eight elements into lanes, and their
// blocks from lanes into the rows of a matrix.
#pragma once

#include "math/block_matrix.h"
#include "math/lanes.h"

#include <string.h>

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

// Blocks are computed and added for four elements at a time. gcc keeps lanes that do not fit into a
// register in memory and copies them by pieces too small to be read back at once, for which the
// processor waits; four do fit.
enum { ST_QUAD = 4 };
typedef double StQuad __attribute__((vector_size(ST_QUAD * sizeof(double))));

static inline StQuad st_load_quad(const double *from) {
  StQuad quad;
  memcpy(&quad, from, sizeof quad);
  return quad;
}

// Four of the lanes, from `first` on.
static inline StQuad st_quad(const StLanes *lanes, int first) {
  return st_load_quad((const double *)lanes + first);
}

// Four numbers of four elements, to one vector per element.
static inline void st_transpose(const StQuad from[4], StQuad to[4]) {
  StQuad a = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6);
  StQuad b = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
  StQuad c = __builtin_shufflevector(from[2], from[3], 0, 4, 2, 6);
  StQuad d = __builtin_shufflevector(from[2], from[3], 1, 5, 3, 7);
  to[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  to[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  to[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  to[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

static inline void st_add_quad(StQuad a, double *to) {
  StQuad sum = st_load_quad(to) + a;
  memcpy(to, &sum, sizeof sum);
}

// Adds the blocks of each of the first `elements`, up to four. slot: [elements][count], -1: not
// ours.
static inline void st_scatter_blocks(const StQuad (*block)[9], int count, int elements,
                                     const int *slot, StBlockMatrix *matrix) {
  for (int p = 0; p < count; p++) {
    StQuad begin[4], middle[4];
    st_transpose(block[p], begin);
    st_transpose(block[p] + 4, middle);
    for (int i = 0; i < ST_QUAD && i < elements; i++) {
      int place = slot[count * i + p];
      if (place < 0)
        continue;
      double *value = matrix->value + 9 * (size_t)place;
      st_add_quad(begin[i], value);
      st_add_quad(middle[i], value + 4);
      value[8] += block[p][8][i];
    }
  }
}
