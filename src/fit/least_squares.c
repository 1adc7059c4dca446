// Levenberg–Marquardt with Marquardt's scaling: columns of the Jacobian have unit length, so that
// units of parameters do not matter. Bounds are kept by leaving out parameters that are at one and
// would go beyond, and by cutting steps off.
#include "fit/least_squares.h"

#include "base/memory.h"
#include "solve/lapack.h"

#include <math.h>
#include <string.h>

// The derivatives are good to 1e-9 (docs/gradients.md); singular values of scaled columns below a
// thousand times that are theirs, and a parameter whose effect is below ten times that has none.
static const double SINGULAR = 1e-6, NO_EFFECT = 1e-8;
// A step this small, relative to the parameter, is none.
static const double SMALL_CHANGE = 1e-7;
// Parts of standard errors: when to stop, and what may be left where no step fits better, because
// the derivatives know nothing of events that come sooner or later.
static const double CLOSE = 1e-4, CLOSE_ENOUGH = 0.1;
static const double DAMPING = 1e-3, DAMPING_MOST = 1e8, FACTOR = 10;

// Parameters that move, and the decomposition of their scaled Jacobian, U S Vᵀ.
typedef struct Factors {
  int count, index[ST_FIT_MOST];
  double unit[ST_FIT_MOST]; // change of a parameter that changes the residuals by one
  double *left;             // [count][rows]
  double singular[ST_FIT_MOST];
  double right[ST_FIT_MOST * ST_FIT_MOST]; // Vᵀ, [count of V's columns] fastest
  double along[ST_FIT_MOST];               // Uᵀ r
} Factors;

typedef struct Search {
  const StLeastSquares *problem;
  double *value, *residual, *jacobian; // where it is
  double *trial, *trial_residual, *trial_jacobian;
  double *work;
  int work_size;
  double sum; // of squares of residuals
  Factors factors;
} Search;

static double sum_of_products(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static double size_of(double value) {
  return value == 0 ? 1 : fabs(value); // 0 does not say how large it may be
}

static StFitFate fate_of(const Search *s, int j) {
  const StLeastSquares *problem = s->problem;
  const double *column = s->jacobian + (size_t)j * (size_t)problem->rows;
  double length = sqrt(sum_of_products(column, column, problem->rows));
  double slope = sum_of_products(column, s->residual, problem->rows);
  if (!(length * size_of(s->value[j]) > NO_EFFECT * problem->scale))
    return ST_FIT_WITHOUT_EFFECT;
  bool out = (s->value[j] <= problem->low[j] && slope < 0) ||
             (s->value[j] >= problem->high[j] && slope > 0);
  return out ? ST_FIT_AT_BOUND : ST_FIT_FREE;
}

static StStatus factor(Search *s, StFitResult *result, StError *error) {
  const StLeastSquares *problem = s->problem;
  Factors *f = &s->factors;
  int rows = problem->rows, info = 0;
  f->count = 0;
  for (int j = 0; j < problem->count; j++) {
    const double *column = s->jacobian + (size_t)j * (size_t)rows;
    result->fate[j] = fate_of(s, j);
    if (result->fate[j] != ST_FIT_FREE)
      continue;
    int k = f->count++;
    double *to = f->left + (size_t)k * (size_t)rows;
    f->index[k] = j;
    f->unit[k] = 1 / sqrt(sum_of_products(column, column, rows));
    for (int i = 0; i < rows; i++)
      to[i] = column[i] * f->unit[k];
  }
  if (f->count == 0)
    return ST_OK;
  dgesvd_("O", "S", &rows, &f->count, f->left, &rows, f->singular, NULL, &rows, f->right, &f->count,
          s->work, &s->work_size, &info);
  if (info != 0)
    return st_fail(error, ST_NOT_SOLVED, "singular values of the Jacobian could not be found");
  for (int k = 0; k < f->count; k++)
    f->along[k] = sum_of_products(f->left + (size_t)k * (size_t)rows, s->residual, rows);
  return ST_OK;
}

static bool is_singular(const Factors *f, int k) {
  return f->singular[k] <= SINGULAR * f->singular[0];
}

static double degrees_of_freedom(const Search *s) {
  return s->problem->rows - s->factors.count;
}

// Whether a Gauss–Newton step is at most this part of the standard errors: the square of that is
// what it takes away from the sum of squares, over the variance of a residual.
static bool is_within(const Search *s, double part) {
  double gain = 0, freedom = degrees_of_freedom(s);
  for (int k = 0; k < s->factors.count; k++)
    if (!is_singular(&s->factors, k))
      gain += s->factors.along[k] * s->factors.along[k];
  return freedom > 0 && gain <= part * part * fmax(s->sum - gain, 0) / freedom;
}

// Into trial; the largest change of a parameter relative to itself.
static double step(Search *s, double damping) {
  const Factors *f = &s->factors;
  double most = 0;
  memcpy(s->trial, s->value, (size_t)s->problem->count * sizeof(double));
  for (int k = 0; k < f->count; k++) {
    int j = f->index[k];
    double change = 0;
    for (int i = 0; i < f->count; i++)
      if (!is_singular(f, i))
        change += f->right[i + f->count * k] * f->along[i] * f->singular[i] /
                  (f->singular[i] * f->singular[i] + damping);
    s->trial[j] =
        fmin(fmax(s->value[j] + change * f->unit[k], s->problem->low[j]), s->problem->high[j]);
    most = fmax(most, fabs(s->trial[j] - s->value[j]) / size_of(s->value[j]));
  }
  return most;
}

static void swap(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

// *better: the trial fits better, and is where the search is now.
static StStatus try_step(Search *s, bool *better, StError *error) {
  const StLeastSquares *problem = s->problem;
  StStatus status =
      problem->evaluate(problem->context, s->trial, s->trial_residual, s->trial_jacobian, error);
  *better = false;
  if (status == ST_NOT_SOLVED || status == ST_BAD_INPUT)
    return ST_OK;
  ST_TRY(status);
  double sum = sum_of_products(s->trial_residual, s->trial_residual, problem->rows);
  *better = sum < s->sum;
  if (!*better)
    return ST_OK;
  s->sum = sum;
  memcpy(s->value, s->trial, (size_t)problem->count * sizeof(double));
  swap(&s->residual, &s->trial_residual);
  swap(&s->jacobian, &s->trial_jacobian);
  return ST_OK;
}

static void tell(const Search *s, int iteration) {
  StFitProgress now = {iteration, s->value, s->sum};
  if (s->problem->progress)
    s->problem->progress(s->problem->context, &now);
}

// *ended: no step of any length fits better by more than rounding.
static StStatus improve(Search *s, double *damping, bool *ended, StFitResult *result,
                        StError *error) {
  for (bool better = false; !better; *damping *= better ? 1 / FACTOR : FACTOR) {
    *ended = *damping > DAMPING_MOST || step(s, *damping) < SMALL_CHANGE;
    if (*ended)
      return ST_OK;
    ST_TRY(try_step(s, &better, error));
    result->evaluations++;
  }
  return ST_OK;
}

static StStatus search(Search *s, StFitResult *result, StError *error) {
  const StLeastSquares *problem = s->problem;
  double damping = DAMPING;
  StStatus status = problem->evaluate(problem->context, s->value, s->residual, s->jacobian, error);
  if (status == ST_BAD_INPUT || status == ST_NOT_SOLVED)
    return st_error_prefix(error, status, "at the start, or a little beside it: ");
  ST_TRY(status);
  s->sum = sum_of_products(s->residual, s->residual, problem->rows);
  result->evaluations = 1;
  tell(s, 0);
  ST_TRY(factor(s, result, error));
  for (bool ended = false;;) {
    result->converged = is_within(s, CLOSE) || step(s, 0) < SMALL_CHANGE;
    if (result->converged || result->iterations == problem->iterations)
      return ST_OK;
    ST_TRY(improve(s, &damping, &ended, result, error));
    if (ended) {
      result->converged = is_within(s, CLOSE_ENOUGH);
      return ST_OK;
    }
    tell(s, ++result->iterations);
    ST_TRY(factor(s, result, error));
  }
}

// Parameters with a part in a direction that changes no residual.
static void mark_undetermined(const Factors *f, StFitResult *result) {
  for (int i = 0; i < f->count; i++)
    for (int k = 0; k < f->count && is_singular(f, i); k++)
      if (fabs(f->right[i + f->count * k]) > SINGULAR)
        result->fate[f->index[k]] = ST_FIT_UNDETERMINED;
}

static void find_covariance(const Search *s, StFitResult *result) {
  const Factors *f = &s->factors;
  int count = s->problem->count;
  double freedom = degrees_of_freedom(s);
  result->variance = s->problem->weighted ? 1 : freedom > 0 ? s->sum / freedom : NAN;
  for (int i = 0; i < count * count; i++)
    result->covariance[i] = NAN;
  for (int a = 0; a < f->count; a++)
    for (int b = 0; b < f->count; b++) {
      double sum = 0;
      for (int i = 0; i < f->count && !is_singular(f, i); i++) // they fall
        sum += f->right[i + f->count * a] * f->right[i + f->count * b] /
               (f->singular[i] * f->singular[i]);
      bool known =
          result->fate[f->index[a]] == ST_FIT_FREE && result->fate[f->index[b]] == ST_FIT_FREE;
      if (known)
        result->covariance[f->index[a] * count + f->index[b]] =
            sum * f->unit[a] * f->unit[b] * result->variance;
    }
}

StStatus st_least_squares(const StLeastSquares *problem, double *value, StFitResult *result,
                          StError *error) {
  size_t count = (size_t)problem->count, rows = (size_t)problem->rows;
  *result = (StFitResult){0};
  if (problem->rows < problem->count || problem->count < 1 || problem->count > ST_FIT_MOST)
    return st_fail(error, ST_BAD_INPUT,
                   "as many measured values as parameters are needed at least: %d, not %d",
                   problem->count, problem->rows);
  int work_size = 5 * (problem->rows + problem->count);
  ST_FREE double *room = ST_NEW(double, (3 * count + 2) * rows + count + (size_t)work_size);
  ST_TRY_MEMORY(room, error);
  Search s = {.problem = problem, .value = value, .work_size = work_size};
  double *next = room;
  s.residual = next;
  s.trial_residual = next += rows;
  s.jacobian = next += rows;
  s.trial_jacobian = next += count * rows;
  s.factors.left = next += count * rows;
  s.trial = next += count * rows;
  s.work = next + count;
  ST_TRY(search(&s, result, error));
  result->sum_of_squares = s.sum;
  mark_undetermined(&s.factors, result);
  find_covariance(&s, result);
  return ST_OK;
}
