// Eight numbers processed together: one per element of a batch. Plain C operators act on all of
// them at once; the compiler turns each into one AVX-512 instruction, two AVX2 or four SSE2 ones.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ST_LANES = 8 };

// Passed only between inlined functions or through memory, so the calling convention does not
// matter, and the build turns off gcc's note about it (-Wno-psabi).
typedef double StLanes __attribute__((vector_size(ST_LANES * sizeof(double))));
typedef int64_t StLaneBits __attribute__((vector_size(ST_LANES * sizeof(int64_t))));
typedef uint64_t StLaneWords __attribute__((vector_size(ST_LANES * sizeof(uint64_t)))); // may wrap

static inline StLanes lanes_all(double x) {
  return (StLanes){0} + x;
}

// a where the mask is set (all bits of a lane), b elsewhere.
static inline StLanes lanes_select(StLaneBits mask, StLanes a, StLanes b) {
  return (StLanes)((mask & (StLaneBits)a) | (~mask & (StLaneBits)b));
}

// Whether all lanes of all numbers are finite.
static inline bool lanes_finite(const StLanes *x, int count) {
  StLanes zero = {0};
  for (int i = 0; i < count; i++)
    zero += x[i] - x[i];
  int64_t wrong = 0;
  StLaneBits mask = zero != zero;
  for (int lane = 0; lane < ST_LANES; lane++)
    wrong |= mask[lane];
  return wrong == 0;
}
