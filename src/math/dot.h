// Sums over long vectors, with as many separate sums as keep the adders busy. Inlined into
// functions marked ST_HOT.
#pragma once

#include "math/lanes.h"

#include <string.h>

static inline StLanes st_load_lanes(const double *from) {
  StLanes lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline double st_lanes_sum(StLanes a) {
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

// Σ a b from begin to end - 1
static inline double st_dot(const double *a, const double *b, int begin, int end) {
  StLanes sum[4] = {{0}, {0}, {0}, {0}};
  int i = begin;
  for (; i + 4 * ST_LANES <= end; i += 4 * ST_LANES)
    for (int k = 0; k < 4; k++)
      sum[k] += st_load_lanes(a + i + ST_LANES * k) * st_load_lanes(b + i + ST_LANES * k);
  double rest = 0;
  for (; i < end; i++)
    rest += a[i] * b[i];
  return st_lanes_sum((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}
