// Nonlinear least squares by the method of Levenberg and Marquardt, with bounds and standard
// errors. Every iteration decomposes the Jacobian by its singular values, which also show what the
// data do not determine.
#pragma once

#include "base/status.h"

enum { ST_FIT_MOST = 16 }; // parameters

// Where the parameters are, and how well they fit.
typedef struct StFitProgress {
  int iteration;
  const double *value;   // [count]
  double sum_of_squares; // of weighted residuals
} StFitProgress;

typedef struct StLeastSquares {
  int count, rows;          // parameters, residuals
  const double *low, *high; // [count] bounds; may be infinite
  double scale;   // norm of the weighted data: what changes less than rounding of it is nothing
  bool weighted;  // residuals are divided by known standard deviations
  int iterations; // at most
  // residual [rows]: measured less simulated. jacobian [count][rows]: of what is simulated.
  // ST_NOT_SOLVED and ST_BAD_INPUT reject a trial; at the start every failure ends the search.
  StStatus (*evaluate)(void *context, const double *value, double *residual, double *jacobian,
                       StError *error);
  void (*progress)(void *context, const StFitProgress *now);
  void *context;
} StLeastSquares;

typedef enum StFitFate {
  ST_FIT_FREE,
  ST_FIT_AT_BOUND,       // the data would have it beyond
  ST_FIT_WITHOUT_EFFECT, // no residual depends on it
  ST_FIT_UNDETERMINED,   // others can take its place: the same residuals with both changed
} StFitFate;

typedef struct StFitResult {
  int iterations, evaluations;
  bool converged;        // the next step is far below the standard errors
  double sum_of_squares; // of weighted residuals
  double variance; // of a residual: 1 where standard deviations are known; NAN: no data are left
  StFitFate fate[ST_FIT_MOST];
  double
      covariance[ST_FIT_MOST * ST_FIT_MOST]; // [count][count] NAN for parameters that are not free
} StFitResult;

// value: [count] the start, and then what fits best.
StStatus st_least_squares(const StLeastSquares *problem, double *value, StFitResult *result,
                          StError *error);
