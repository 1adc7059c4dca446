// Repeatable random numbers for tests and benchmarks: the same on every machine.
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

// Uniform in [low, high). Start with any state but 0.
static inline double random_between(uint64_t *state, double low, double high) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

static inline void random_fill(uint64_t *state, double low, double high, int count, double *out) {
  for (int i = 0; i < count; i++)
    out[i] = random_between(state, low, high);
}

#endif
