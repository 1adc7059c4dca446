// Runge–Kutta.
#include "verify/spinner.h"

#include "math/vec3.h"

#include <string.h>

enum { MOST = 12 };

typedef void Rate(const void *system, const double *state, double *rate);

static void add(int count, const double *x, double h, const double *rate, double *out) {
  for (int i = 0; i < count; i++)
    out[i] = x[i] + h * rate[i];
}

static void advance(const void *system, Rate *rate, int count, double *x, double h) {
  double k[4][MOST], middle[MOST];
  rate(system, x, k[0]);
  add(count, x, h / 2, k[0], middle);
  rate(system, middle, k[1]);
  add(count, x, h / 2, k[1], middle);
  rate(system, middle, k[2]);
  add(count, x, h, k[2], middle);
  rate(system, middle, k[3]);
  for (int i = 0; i < count; i++)
    x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// state: rotation, then spin. I ω' = r × Rᵀg m − ω × I ω, R' = R [ω]×.
static void spinner_rate(const void *system, const double *state, double *rate) {
  const StSpinner *s = system;
  const double *R = state, *w = state + 9;
  double down[3], torque[3], momentum[3], turned[3];
  for (int i = 0; i < 3; i++) {
    down[i] = R[i] * s->gravity[0] + R[3 + i] * s->gravity[1] + R[6 + i] * s->gravity[2];
    momentum[i] = s->inertia[i] * w[i];
  }
  vec3_cross(s->moment, down, torque);
  vec3_cross(w, momentum, turned);
  for (int i = 0; i < 3; i++) {
    rate[9 + i] = (torque[i] - turned[i]) / s->inertia[i];
    const double *row = R + 3 * i;
    rate[3 * i] = row[1] * w[2] - row[2] * w[1];
    rate[3 * i + 1] = row[2] * w[0] - row[0] * w[2];
    rate[3 * i + 2] = row[0] * w[1] - row[1] * w[0];
  }
}

void st_spinner_advance(StSpinner *spinner, double duration, int steps) {
  double state[12];
  memcpy(state, spinner->rotation, sizeof spinner->rotation);
  memcpy(state + 9, spinner->spin, sizeof spinner->spin);
  for (int i = 0; i < steps; i++)
    advance(spinner, spinner_rate, 12, state, duration / steps);
  memcpy(spinner->rotation, state, sizeof spinner->rotation);
  memcpy(spinner->spin, state + 9, sizeof spinner->spin);
}

// Lagrange's equations of the angles a and b: with c = ½ m l² cos(a − b),
//   (J + 5/4 m l²) a'' + c b'' = −½ m l² sin(a − b) b'² − 3/2 m g l sin a,
//   c a'' + (J + 1/4 m l²) b'' = ½ m l² sin(a − b) a'² − ½ m g l sin b.
static void rods_rate(const void *system, const double *x, double *rate) {
  const StTwoRods *r = system;
  double square = r->mass * r->length * r->length, weight = r->mass * r->gravity * r->length;
  double A = r->inertia + 1.25 * square, B = r->inertia + 0.25 * square;
  double c = 0.5 * square * cos(x[0] - x[1]), s = 0.5 * square * sin(x[0] - x[1]);
  double f = -s * x[3] * x[3] - 1.5 * weight * sin(x[0]);
  double g = s * x[2] * x[2] - 0.5 * weight * sin(x[1]);
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = (B * f - c * g) / (A * B - c * c);
  rate[3] = (A * g - c * f) / (A * B - c * c);
}

void st_two_rods_advance(StTwoRods *rods, double duration, int steps) {
  double state[4] = {rods->angle[0], rods->angle[1], rods->rate[0], rods->rate[1]};
  for (int i = 0; i < steps; i++)
    advance(rods, rods_rate, 4, state, duration / steps);
  memcpy(rods->angle, state, sizeof rods->angle);
  memcpy(rods->rate, state + 2, sizeof rods->rate);
}
