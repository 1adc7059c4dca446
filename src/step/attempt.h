// One attempt at a step of a given size: the integrator's stages, each solved by one of several
// strategies. The state is only read; the result stays in the attempt until committed.
#pragma once

#include "step/angular.h"
#include "step/boundary.h"
#include "step/impact.h"
#include "step/integrator.h"
#include "step/turning.h"
#include "step/strategies.h"
#include "step/work.h"

// The step to attempt.
typedef struct StPlan {
  const StIntegrator *method;
  double h, end; // s, size and end time of the step
} StPlan;

typedef struct StAttempt {
  const StBoundary *boundary;
  StSolving solving;
  StWork *work;
  StImpact *impact;            // NULL: nothing rebounds
  StAngular *angular;          // restores angular momentum that steps of one stage lose
  StTurning *turning;          // of rigid bodies, in such steps
  double *position, *velocity; // [size] result; before that, the first stage's
  double *solved;              // [size] velocity that solves the last stage
  double *solved_first;        // [size] the same of the first stage
  double *stage_force;         // [size] force at the first stage's result
  double rebound_work;         // J, by prescribed motion in impacts, beyond the work of forces
  StWorkDone done;             // in the step, by moving obstacles and boundaries
} StAttempt;

StStatus st_attempt_create(StStageProblem *stage, StAttempt **attempt, StError *error);
void st_attempt_destroy(StAttempt *attempt); // does not own stage, linear and boundary

// Iterations are added to those in `solving`. ST_NOT_SOLVED: the reason is in the Newton result.
// Collective.
StStatus st_attempt_run(StAttempt *attempt, const StState *state, const StPlan *plan,
                        StError *error);

// The parts of a stage before and after its solution. `end` takes the solution from `solving`:
// unknowns and residual. The second stage of a method begins after the first has ended.
void st_attempt_begin_stage(StAttempt *attempt, const StState *state, const StPlan *plan, int k);
StStatus st_attempt_end_stage(StAttempt *attempt, const StState *state, const StPlan *plan, int k,
                              StError *error);

// The time at which the last stage of a step of size h evaluates its forces: just before its end.
double st_attempt_instant(double h, double end);
