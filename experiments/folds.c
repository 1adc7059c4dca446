// Counting folds: a walk from valley to peak to valley that ignores what is too small.
#include "folds.h"

#include "vec3.h"

#include <math.h>
#include <stdbool.h>

Folds folds_count(const double *height, int count, double least) {
  Folds folds = {0};
  double valley = count ? height[0] : 0, peak = valley, rise = 0;
  bool rising = false;
  for (int i = 1; i < count; i++) {
    double now = height[i];
    peak = rising ? fmax(peak, now) : peak;
    valley = rising ? valley : fmin(valley, now);
    if (rising && peak - now >= least) {
      folds.count++;
      rise = peak - valley, valley = now, rising = false;
    } else if (!rising && now - valley >= least) {
      // Only now is it known how far the last fold went down on this side.
      folds.tallest = fmax(folds.tallest, fmin(rise, peak - valley));
      peak = now, rising = true;
    }
  }
  if (!rising)
    folds.tallest = fmax(folds.tallest, fmin(rise, peak - valley));
  return folds;
}

static double distance_to_segment(const double p[3], const double a[3], const double b[3]) {
  double along[3], from[3];
  vec3_sub(b, a, along);
  vec3_sub(p, a, from);
  double length2 = vec3_dot(along, along);
  double share = length2 > 0 ? fmin(1, fmax(0, vec3_dot(from, along) / length2)) : 0;
  vec3_add_scaled(-share, along, from);
  return vec3_length(from);
}

void folds_heights(const double *point, int points, const double *line, int line_points,
                   double *height) {
  for (int i = 0; i < points; i++) {
    height[i] = INFINITY;
    for (int k = 0; k + 1 < line_points; k++)
      height[i] =
          fmin(height[i], distance_to_segment(point + 3 * i, line + 3 * k, line + 3 * k + 3));
  }
}
