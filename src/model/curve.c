// A number over time.
#include "model/curve.h"

#include <stdlib.h>

void st_curve_free(StCurve *curve) {
  free(curve->time);
  free(curve->value);
  *curve = (StCurve){0};
}

double st_curve_at(const StCurve *curve, double time, double fallback) {
  int next = 0;
  while (next < curve->key_count && curve->time[next] <= time)
    next++;
  if (curve->key_count == 0)
    return fallback;
  if (next == 0 || next == curve->key_count)
    return curve->value[next == 0 ? 0 : next - 1];
  double begin = curve->time[next - 1], end = curve->time[next];
  double share = (time - begin) / (end - begin);
  return (1 - share) * curve->value[next - 1] + share * curve->value[next];
}
