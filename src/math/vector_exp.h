// Exponential of eight numbers at once, within 1.1 ulp. x = k ln 2 + r, |r| <= ln 2 / 2; exp r by
// its series. Above 709 the result is infinite, below −708 zero (no subnormal results).
#pragma once

#include "math/lanes.h"

#include <math.h>

static inline StLanes s_exp_lanes(StLanes x) {
  const double shifter = 0x1.8p52; // adding it leaves the rounded integer in the low bits
  const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  StLanes shifted = x * 0x1.71547652b82fep0 + shifter;
  StLanes k = shifted - shifter;
  StLanes r = (x - k * ln2_high) - k * ln2_low;
  static const double factorial[] = {2,     6,      24,      120,      720,       5040,
                                     40320, 362880, 3628800, 39916800, 479001600, 6227020800};
  StLanes series = lanes_all(1 / factorial[11]);
  for (int n = 10; n >= 0; n--)
    series = series * r + 1 / factorial[n];
  StLanes small = series * r * r + r; // exp r − 1: the 1 is added last
  StLanes scale = (StLanes)(((StLaneWords)shifted + 1023) << 52);
  StLanes result = scale * small + scale;
  result = lanes_select((StLaneBits)(x > 709.0), lanes_all(INFINITY), result);
  return lanes_select((StLaneBits)(x < -708.0), lanes_all(0.0), result);
}
