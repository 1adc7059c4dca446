// Arnoldi's method for the inverse of a Jacobian.
#include "solve/negative_mode.h"

#include "base/memory.h"
#include "solve/lapack.h"
#include "solve/runtime.h"
#include "solve/search.h"
#include "solve/tunables.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STEPS = 16 };

// Tolerance of linear systems, of mode_error. It disturbs eigenvalues of J⁻¹ by as much of the
// largest, so those above this part of the largest can be found to mode_error.
static const double SOLVED = 1e-3;

// An orthonormal basis of b, J⁻¹ b, J⁻² b …, and J⁻¹ in it: J⁻¹ q_j = Σ_i h_ij q_i.
typedef struct Krylov {
  const StProblem *problem;
  int count;                  // steps made
  double *basis;              // [STEPS + 1][size]
  double h[STEPS + 1][STEPS]; // Hessenberg
  double ritz[STEPS];         // a vector of the basis' coordinates
} Krylov;

static double *vector(Krylov *krylov, int k) {
  return krylov->basis + (size_t)k * (size_t)krylov->problem->size;
}

// From -½ to ½, the same on any number of processes.
static double noise(int row, int axis) {
  uint64_t x = 0x9e3779b97f4a7c15u * (uint64_t)(3 * (int64_t)row + axis + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)(x >> 11) / 9007199254740992.0 - 0.5;
}

// Returns the length of the vector before; 0 stays 0.
static double normalise(const StProblem *problem, double *x) {
  double length = sqrt(st_search_dot(problem, x, x));
  if (length > 0)
    for (int i = 0; i < problem->size; i++)
      x[i] /= length;
  return length;
}

static void begin(Krylov *krylov) {
  const StProblem *problem = krylov->problem;
  double *first = vector(krylov, 0);
  for (int i = 0; i < problem->size; i++)
    first[i] = problem->scale[i] > 0 ? noise(problem->global[i / 3], i % 3) : 0;
  normalise(problem, first);
}

static StStatus extend(Krylov *krylov, StLinear *linear, StError *error) {
  const StProblem *problem = krylov->problem;
  int k = krylov->count, iterations;
  double *next = vector(krylov, k + 1);
  StLinearGoal goal = {.tolerance = SOLVED * st_solve_tunables.mode_error, .coupled = true};
  ST_TRY(st_linear_solve(linear, vector(krylov, k), goal, next, &iterations, error));
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i <= k; i++) {
      double part = st_search_dot(problem, vector(krylov, i), next);
      krylov->h[i][k] += part;
      for (int j = 0; j < problem->size; j++)
        next[j] -= part * vector(krylov, i)[j];
    }
  krylov->h[k + 1][k] = normalise(problem, next);
  krylov->count++;
  return ST_OK;
}

// The last step has added nothing but round-off: the basis spans an invariant subspace.
static bool is_complete(const Krylov *krylov) {
  static const double ROUND_OFF = 1e-12;
  int last = krylov->count - 1;
  double most = 0;
  for (int i = 0; i <= last; i++)
    most = fmax(most, fabs(krylov->h[i][last]));
  return krylov->h[last + 1][last] <= ROUND_OFF * most;
}

// The negative eigenvalue of J⁻¹ in the basis that is largest by magnitude and found well enough;
// 0: none. A pair that is not real is two columns of eigenvectors, and has an imaginary part.
static double find_value(Krylov *krylov) {
  int n = krylov->count, lead = STEPS, work_size = 4 * STEPS, info;
  double a[STEPS * STEPS], real[STEPS], imaginary[STEPS], right[STEPS * STEPS], left[1];
  double work[4 * STEPS], found = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j * STEPS + i] = krylov->h[i][j];
  const int one = 1;
  dgeev_("N", "V", &n, a, &lead, real, imaginary, left, &one, right, &lead, work, &work_size,
         &info);
  for (int k = 0; info == 0 && k < n; k++) {
    double left_over = fabs(krylov->h[n][n - 1] * right[k * STEPS + n - 1]);
    if (imaginary[k] != 0 || !(real[k] < found) ||
        !(left_over <= -st_solve_tunables.mode_error * real[k]))
      continue;
    found = real[k];
    memcpy(krylov->ritz, right + (size_t)k * STEPS, (size_t)n * sizeof(double));
  }
  return found;
}

static StStatus search(Krylov *krylov, StLinear *linear, double *mode, double *value,
                       StError *error) {
  double found = 0;
  *value = 0;
  begin(krylov);
  while (krylov->count < STEPS && found == 0) {
    ST_TRY(extend(krylov, linear, error));
    found = find_value(krylov);
    if (is_complete(krylov))
      break;
  }
  if (found == 0)
    return ST_OK;
  *value = 1 / found;
  memset(mode, 0, (size_t)krylov->problem->size * sizeof(double));
  for (int k = 0; k < krylov->count; k++)
    for (int i = 0; i < krylov->problem->size; i++)
      mode[i] += krylov->ritz[k] * vector(krylov, k)[i];
  return ST_OK;
}

StStatus st_negative_mode_find(const StProblem *problem, StLinear *linear, const double *y,
                               double *mode, double *value, StError *error) {
  Krylov krylov = {.problem = problem};
  krylov.basis = ST_NEW(double, (size_t)(STEPS + 1) * (size_t)problem->size);
  StStatus status = st_runtime_agree(krylov.basis ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = problem->linearise(problem->context, y, 1, NULL);
  if (status == ST_OK)
    status = search(&krylov, linear, mode, value, error);
  free(krylov.basis);
  return status;
}
