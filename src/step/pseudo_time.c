// Rounds of pseudo-time.
// Tested by tests/verify/test_statics_truth.c.
#include "step/pseudo_time.h"

#include "step/tunables.h"

#include <math.h>
#include <string.h>

// The iterate becomes the beginning of a round, and its velocity is left in `guess`.
static void begin_round(StSolving *solving, double period) {
  StStageProblem *stage = solving->stage;
  size_t bytes = (size_t)stage->problem.size * sizeof(double);
  for (int i = 0; i < stage->problem.size; i++)
    solving->guess[i] = stage->held[i] + stage->scale[i] * solving->unknown[i];
  st_stage_use_period(stage, period, solving->guess);
  st_stage_unknown(stage, solving->guess, solving->unknown);
  memcpy(solving->moving, solving->unknown, bytes);
  st_linear_begin_step(solving->linear);
}

// A round need not end exactly where the overdamped motion does.
static StStatus solve_round(StSolving *solving, bool continued, int *iterations, StError *error) {
  static const double ROUGH = 1e5; // times the tolerance on changes
  StNewtonOptions options = solving->options;
  options.change_tolerance *= ROUGH;
  options.residual_tolerance = options.change_tolerance;
  options.start = (StNewtonStart){.continued = continued};
  int before = solving->effort.newton;
  StStatus status = st_strategies_descend(solving, &options, error);
  *iterations = solving->effort.newton - before;
  return status;
}

// A round that fails takes as many iterations as ten easy ones, so half its period is kept for more
// than that. *wait: easy rounds until it grows beyond.
static void choose_period(double *period, bool solved, int iterations, int *wait) {
  int patience = (int)st_step_tunables.step_patience;
  if (!solved) {
    *period /= 4;
    *wait = patience + 1;
  } else if (iterations <= st_step_tunables.step_easy) {
    *wait -= *wait > 0;
    if (*wait == 0 || *wait == patience)
      *period *= 2;
  }
}

StStatus st_pseudo_time_solve(StSolving *solving, StError *error) {
  StStageProblem *stage = solving->stage;
  double least = solving->least_period, period = least;
  int wait = 0;
  bool continued = solving->options.start.continued; // prescribed motion has not arrived
  StStatus status = ST_OK;
  while (period < stage->reach && period >= least && solving->allowance > 0) {
    int iterations;
    begin_round(solving, period);
    status = solve_round(solving, continued, &iterations, error);
    continued = continued && status == ST_NOT_SOLVED;
    if (status == ST_NOT_SOLVED)
      memcpy(solving->unknown, solving->moving, (size_t)stage->problem.size * sizeof(double));
    else if (status != ST_OK)
      return status;
    choose_period(&period, status == ST_OK, iterations, &wait);
  }
  begin_round(solving, 0);
  solving->options.start = (StNewtonStart){0};
  if (status == ST_OK)
    return st_strategies_descend(solving, &solving->options, error);
  StStatus there = // the forces that are left are those of no round
      stage->problem.residual(stage, solving->unknown, continued ? 0 : 1, solving->residual);
  return there == ST_OK ? status : there;
}
