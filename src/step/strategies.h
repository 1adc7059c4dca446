// Strategies to solve one stage, tried in turn: Newton's method, then alternatives if it fails.
#pragma once

#include "solve/newton.h"
#include "step/outcome.h"
#include "step/stage.h"
#include "step/state.h"

// Velocities at two times before the stage. ahead: the time from the newer one to the stage, over
// the time between the two. newer = NULL: there are none.
typedef struct StTrend {
  const double *newer, *older; // [size]
  double ahead;
} StTrend;

typedef struct StEffort {
  int newton, linear; // iterations
  int evaluations;    // of the residual
  int uphill;         // see StNewtonResult
} StEffort;

enum { ST_WARM_STARTS_MOST = 3 }; // the stages of one attempt and the first of the next

// Warm starts: positions that bodies reach from the start of the step without passing through
// anything. They are solutions of earlier stages and of rejected attempts.
typedef struct StWarmStarts {
  int count;
  struct {
    double *position;           // [size]
    double time, ah;            // s, of the stage it solves: when, and its part of the step
  } place[ST_WARM_STARTS_MOST]; // the newest first
} StWarmStarts;

typedef struct StSolving {
  StStageProblem *stage;
  StLinear *linear;
  StNewtonOptions options;
  double least_period; // s, see step/pseudo_time.h; 0: the analysis is dynamic
  int allowance;       // Newton iterations that are left
  StTrend trend;
  // Results of the last call:
  StEffort effort;                // the iterations are added to it, also those of failed strategies
  StNewtonResult newton;          // of the last strategy
  StRung rung;                    // of the strategy that solved it
  double *unknown, *residual;     // [size]
  double *guess, *guess_residual; // [size] scratch for first guesses: …
  double *moving;                 // … and the part of a residual that moves rigid bodies
  StWarmStarts warm_starts;       // of this step
} StSolving;

// Descent with contact by primitives, from `unknown`. Collective.
StStatus st_strategies_descend(StSolving *solving, const StNewtonOptions *options, StError *error);

// ST_NOT_SOLVED: the reason is in `newton`. Collective.
StStatus st_strategies_solve(StSolving *solving, const StState *state, StError *error);
