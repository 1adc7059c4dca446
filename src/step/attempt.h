// One try at a step of a given size: the integrator's stages, each solved by Newton. The state is
// only read; the result waits in the attempt until someone commits it.
#ifndef ST_STEP_ATTEMPT_H
#define ST_STEP_ATTEMPT_H

#include "solve/newton.h"
#include "step/boundary.h"
#include "step/integrator.h"
#include "step/stage.h"
#include "step/state.h"

typedef struct StAttempt {
  const StIntegrator *integrator;
  const StBoundary *boundary;
  StStageProblem *stage;
  StLinear *linear;
  StNewtonOptions options;

  // Of the last call:
  int newton_iterations, linear_iterations;
  StNewtonResult newton;              // of the last stage
  double *position, *velocity;        // [size] result, before which the first stage's
  double *stage_force;                // [size] force at the first stage's result
  double *unknown, *residual, *guess; // [size]
} StAttempt;

StStatus st_attempt_create(int size, StAttempt **attempt, StError *error);
void st_attempt_destroy(StAttempt *attempt); // stage, linear and boundary are not its own

// ST_NOT_SOLVED: newton says why. Collective.
StStatus st_attempt_run(StAttempt *attempt, const StState *state, double h, double end,
                        StError *error);

// When the last stage of a step of size h sees its forces: an instant before its end.
double st_attempt_instant(double h, double end);

// Whether the integrator needs the total force at the state a step starts from.
bool st_attempt_needs_force(const StAttempt *attempt);

#endif
