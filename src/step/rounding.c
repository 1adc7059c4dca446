// Changes the last digits at random, the same on every rank.
#include "step/rounding.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

// A number between -1 and 1 that belongs to a coordinate, whichever rank holds it.
static double random_sign(uint64_t coordinate) {
  uint64_t bits = (coordinate + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93u;
  return (double)(int64_t)(bits ^ (bits >> 32)) * 0x1p-63;
}

void st_round_differently(double x[3], int vertex, int part) {
  double step = DBL_EPSILON * fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
  for (int c = 0; c < 3; c++)
    x[c] += step * random_sign(6 * (uint64_t)vertex + 3 * (uint64_t)part + (uint64_t)c);
}
