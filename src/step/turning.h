// Rotation of rigid bodies in a step of one stage, backward Euler or BDF2. A body that nothing
// touches turns as Euler's equations say, with its momentum, angular momentum and energy: the step
// starts from there instead of from straight ways along its velocities, which would damp the
// rotation (docs/physics.md). Velocities are those of the rotation at the end of the step, not
// those of the chord that led there.
#pragma once

#include "step/stage.h"
#include "step/state.h"

typedef struct StTurning {
  int count;    // rigid bodies of this rank
  bool *turned; // [count] in the last prediction
} StTurning;

StStatus st_turning_create(const StStageProblem *stage, StTurning **turning, StError *error);
void st_turning_destroy(StTurning *turning); // NULL is fine

// State at the start of a step.
typedef struct StTurningStep {
  const StState *state;
  const StStage *row; // of the method
  double h;
} StTurningStep;

// Puts velocities that lead to the free rotation over the step into the stage's v*. held:
// [owned][3], 0 for a prescribed coordinate; bodies with such turn as the stage has it, and so do
// those that turn by more than half a turn.
void st_turning_predict(StTurning *turning, StStageProblem *stage, const StTurningStep *step,
                        const double *held);

// Replaces the velocities of chords, [owned][3], after the stage is solved: momentum and angular
// momentum change by the impulses of the step. residual: of the solution, scaled as the stage's.
void st_turning_finish(const StTurning *turning, const StStageProblem *stage,
                       const StTurningStep *step, const double *residual, const double *position,
                       double *velocity);
