// The normal e₁ × e₂ along a straight path is n₀ + n₁ t + n₂ t², and its length is twice the area.
#include "force/triangle_path.h"

#include "math/vec3.h"
#include "force/tunables.h"

#include <stdbool.h>
#include <string.h>

enum { SAMPLES = 16, REFINEMENTS = 20 };

typedef struct Normal {
  double term[3][3];
} Normal;

static Normal normal_on_way(const double from[6], const double to[6]) {
  Normal normal;
  double rate[6], other[3];
  for (int i = 0; i < 6; i++)
    rate[i] = to[i] - from[i];
  vec3_cross(from, from + 3, normal.term[0]);
  vec3_cross(from, rate + 3, normal.term[1]);
  vec3_cross(rate, from + 3, other);
  vec3_add_scaled(1, other, normal.term[1]);
  vec3_cross(rate, rate + 3, normal.term[2]);
  return normal;
}

static double length_at(const Normal *normal, double t) {
  double n[3];
  for (int c = 0; c < 3; c++)
    n[c] = normal->term[0][c] + t * (normal->term[1][c] + t * normal->term[2][c]);
  return vec3_length(n);
}

// Along the first normal the area is a quadratic, and positive where Bernstein's coefficients are:
// so it is on nearly all ways.
static bool keeps_its_side(const Normal *normal) {
  double at = vec3_dot(normal->term[0], normal->term[0]);
  double rate = vec3_dot(normal->term[0], normal->term[1]);
  double end = at + rate + vec3_dot(normal->term[0], normal->term[2]);
  double enough = st_force_tunables.triangle_area_lost * fmin(at, end);
  return end > 0 && at + rate / 2 > enough;
}

// Where the normal is shortest: the best of some points, and what lies around it.
static double find_shortest(const Normal *normal) {
  double best = 0, step = 1.0 / SAMPLES;
  for (int i = 1; i <= SAMPLES; i++)
    if (length_at(normal, i * step) < length_at(normal, best))
      best = i * step;
  for (int i = 0; i < REFINEMENTS; i++) {
    step /= 2;
    for (int side = -1; side <= 1; side += 2) {
      double t = fmin(fmax(best + side * step, 0), 1);
      best = length_at(normal, t) < length_at(normal, best) ? t : best;
    }
  }
  return best;
}

static double limit_once(const double from[6], const double to[6]) {
  Normal normal = normal_on_way(from, to);
  if (keeps_its_side(&normal))
    return 1;
  double shortest = find_shortest(&normal);
  double ends = fmin(length_at(&normal, 0), length_at(&normal, 1));
  return length_at(&normal, shortest) < st_force_tunables.triangle_area_lost * ends
             ? st_force_tunables.triangle_path_taken * shortest
             : 1;
}

// There may be another collapse before the worst.
double st_triangle_path_limit(const double from[6], const double to[6]) {
  double part = 1, next, end[6];
  memcpy(end, to, sizeof end);
  while ((next = limit_once(from, end)) < 1) {
    part *= next;
    for (int i = 0; i < 6; i++)
      end[i] = from[i] + part * (to[i] - from[i]);
  }
  return part;
}
