// The scaled Jacobian of a stage: its matrix, its dense terms, and products with it. Only for
// step/stage.c, whose problem they are part of.
#ifndef ST_STEP_STAGE_MATRIX_H
#define ST_STEP_STAGE_MATRIX_H

#include "step/stage.h"

// Coordinates of this rank's vertices that move by themselves, and of all of them.
static inline int st_stage_unknown_size(const StStageProblem *stage) {
  return 3 * stage->system->piece->independent_count;
}

static inline int st_stage_owned_size(const StStageProblem *stage) {
  return 3 * stage->system->piece->owned_count;
}

// How much a force counts in -∂r/∂v, for positions (-a²h²) and velocities (-a h).
static inline double st_stage_weight(const StStageProblem *stage, const StForce *force) {
  return -stage->ah * (force->type->of_contact ? stage->contact_weight : 1);
}

// Where the stage is, at its own time.
static inline StPoint st_stage_now(const StStageProblem *stage) {
  return st_stage_point(stage, stage->time);
}

// Of the problem that Newton sees (solve/problem.h); context: the stage.
void st_stage_reshift(StStageProblem *stage, const double *shift);
StStatus st_stage_assemble(void *context, StAssembly what, StError *error);
void st_stage_product(void *context, const double *x, double *result);

#endif
