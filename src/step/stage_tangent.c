// Prescribed motion and moving obstacles: how the residual changes with the progress of both.
// Tested by tests/step/test_stage.c.
#include "step/stage_parts.h"

#include "solve/runtime.h"

#include <string.h>

bool st_stage_moves(const StStageProblem *stage) {
  const StSystem *system = stage->system;
  bool moving = system->contacts && !system->contacts->still;
  for (int i = 0; i < st_stage_unknown_size(stage) && !moving; i++)
    moving =
        stage->scale[i] == 0 && stage->held[i] * stage->ah + stage->start[i] != stage->origin[i];
  return st_runtime_any(moving);
}

// Of the rest of the path, by which obstacles move for a difference quotient. Small against gaps.
static const double NUDGE = 1e-5;

static StStatus add_obstacles(StStageProblem *stage, const double *y, const double *r,
                              double *rhs) {
  double fraction = 1;
  ST_TRY(st_stage_limit(stage, y, stage->progress, NULL, &fraction));
  double nudge = NUDGE * fraction;
  stage->lead = nudge * (1 - stage->progress);
  StStatus status = st_stage_residual(stage, y, stage->progress, stage->result);
  stage->lead = 0;
  for (int i = 0; i < st_stage_unknown_size(stage) && status == ST_OK; i++)
    rhs[i] -= (stage->result[i] - r[i]) / nudge;
  return status;
}

// Prescribed vertices move farther than gaps: their effect has to be exact, or vertices that they
// touch are sent through them.
static void add_boundary(StStageProblem *stage, const double *y, double *rhs) {
  const StSystem *system = stage->system;
  st_stage_move(stage, NULL, y);
  for (int i = 0; i < 3 * system->piece->vertex_count; i++) {
    double end = stage->start[i] + stage->ah * stage->velocity[i];
    stage->direction[i] = stage->scale[i] == 0 ? end - stage->position[i] : 0;
  }
  st_piece_follow(system->piece, stage->direction);
  memset(stage->result, 0, 3 * (size_t)system->piece->vertex_count * sizeof(double));
  StPoint at = st_stage_now(stage);
  for (int i = 0; i < system->force_count; i++)
    system->force[i].type->add_product(system->force[i].data, &at,
                                       -st_stage_weight(stage, &system->force[i]), 0,
                                       stage->direction, stage->result);
  st_carried_hand_on(&system->piece->carried, stage->result);
  st_exchange_reverse(system->exchange, stage->result);
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    rhs[i] += stage->scale[i] * stage->result[i];
}

StStatus st_stage_add_tangent(void *context, const double *y, double progress, const double *r,
                              double *rhs) {
  StStageProblem *stage = context;
  stage->progress = progress;
  if (stage->system->contacts && !stage->system->contacts->still)
    ST_TRY(add_obstacles(stage, y, r, rhs));
  add_boundary(stage, y, rhs);
  return ST_OK;
}
