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
// touch are sent through them. It does not change with the shift.
static StStatus find_boundary(StStageProblem *stage, const double *y) {
  const StSystem *system = stage->system;
  bool led = false;
  st_stage_move(stage, NULL, y);
  for (int i = 0; i < 3 * system->piece->vertex_count; i++) {
    double end = stage->start[i] + stage->ah * stage->velocity[i];
    stage->direction[i] = stage->scale[i] == 0 ? end - stage->position[i] : 0;
    led = led || stage->direction[i] != 0;
  }
  st_piece_follow(system->piece, stage->direction);
  stage->led = true;
  if (st_runtime_any(led))
    return st_stage_find_pull(stage, stage->direction, stage->result, stage->pull);
  memset(stage->pull, 0, (size_t)st_stage_unknown_size(stage) * sizeof(double));
  return ST_OK;
}

StStatus st_stage_add_tangent(void *context, const double *y, double progress, const double *r,
                              double *rhs) {
  StStageProblem *stage = context;
  stage->progress = progress;
  if (stage->system->contacts && !stage->system->contacts->still)
    ST_TRY(add_obstacles(stage, y, r, rhs));
  if (!stage->led)
    ST_TRY(find_boundary(stage, y));
  st_stage_move(stage, NULL, y);
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    rhs[i] += stage->scale[i] * stage->pull[i];
  return ST_OK;
}
