// The parts of a stage problem, for the files stage*.c alone: they, and no others, change its
// fields.
#pragma once

#include "step/stage.h"

enum { ST_STAGE_COORDINATES = 8192 }; // for one thread at once

// Coordinates of this rank's vertices that are unknowns, and of all its vertices.
static inline int st_stage_unknown_size(const StStageProblem *stage) {
  return 3 * stage->system->piece->independent_count;
}

static inline int st_stage_owned_size(const StStageProblem *stage) {
  return 3 * stage->system->piece->owned_count;
}

// Weight of a force in -∂r/∂v: -a h of the residual.
static inline double st_stage_weight(const StStageProblem *stage, const StForce *force) {
  double share = st_system_share(stage->system, force->type, stage->time);
  return -stage->ah * (force->type->of_contact ? stage->contact_weight : share);
}

// Moves the stage's point to y, with ghosts. from: NULL, or positions at which a path to there
// begins.
void st_stage_move(StStageProblem *stage, const double *from, const double *y);

static inline StInstant st_stage_instant(const StStageProblem *stage, double time) {
  return (StInstant){stage->step_start, time, stage->progress + stage->lead};
}

static inline StPoint st_stage_now(const StStageProblem *stage) {
  return st_stage_point(stage, stage->time);
}

// Callbacks of the problem (solve/problem.h), whose context is the stage.
// In stage_residual.c:
StStatus st_stage_residual(void *context, const double *y, double progress, double *r);
StStatus st_stage_round_off(void *context, const double *y, const double *r, double *noise);
void st_stage_freeze(void *context, const bool *row, const double *r);
StStatus st_stage_update(void *context, bool *changed, StError *error);
// In stage_matrix.c:
StStatus st_stage_linearise(void *context, const double *y, double progress, const double *shift);
StStatus st_stage_assemble(void *context, StAssembly what, StError *error);
void st_stage_product(void *context, const double *x, double *result);
// Change of the forces on owned vertices when all vertices go along a path, with the sign reversed.
// It is assembled in the place of the Jacobian, which is filled anew. [vertex_count][3], room too.
StStatus st_stage_find_pull(StStageProblem *stage, const double *path, double *room, double *pull);
// In stage_tangent.c:
StStatus st_stage_add_tangent(void *context, const double *y, double progress, const double *r,
                              double *rhs);
// In stage_limit.c:
StStatus st_stage_limit(void *context, const double *y, double progress, const double *p,
                        double *fraction);
void st_stage_retract(void *context, const double *y, double *p);
int st_stage_find_islands(void *context, bool merge, int *island);
StStatus st_stage_limit_islands(void *context, const double *y, const double *tangent,
                                double *length, double *p, bool *inside);
