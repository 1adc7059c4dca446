// Natural logarithm of eight numbers at once, within 1 ulp: the C library's does not vectorise.
// x = 2^k·m with m in [√½, √2); log m = 2 artanh(s), s = (m − 1)/(m + 1), by its series.
// Below zero: NAN; zero: −∞; infinity and NAN stay.
#pragma once

#include "math/lanes.h"

#include <math.h>

static inline StLanes s_log_lanes(StLanes x) {
  const uint64_t root_half = 0x3fe6a09e667f3bcd; // bits of √½
  const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  StLaneBits tiny = (StLaneBits)(x < 0x1p-1022);
  StLaneWords bits = (StLaneWords)lanes_select(tiny, x * 0x1p54, x);
  StLaneBits exponent = (StLaneBits)(bits - root_half) >> 52;
  StLanes m = (StLanes)(bits - ((StLaneWords)exponent << 52));
  StLanes k = __builtin_convertvector(exponent + (tiny & -54), StLanes);
  StLanes f = m - 1.0, s = f / (f + 2.0), z = s * s;
  StLanes series = lanes_all(2.0 / 21);
  for (int n = 19; n >= 3; n -= 2)
    series = series * z + 2.0 / n;
  // f is exact and carries most of the result: it is added last.
  StLanes half = 0.5 * f * f;
  StLanes tail = s * (half + z * series) + k * ln2_low;
  StLanes result = k * ln2_high - ((half - tail) - f);
  result = lanes_select((StLaneBits)(x == INFINITY), x, result);
  result = lanes_select((StLaneBits)(x == 0.0), lanes_all(-INFINITY), result);
  return lanes_select((StLaneBits)(x >= 0.0), result, lanes_all(NAN));
}
