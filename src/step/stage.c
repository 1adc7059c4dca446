// Creates a stage, predicts it, and prepares its terms.
#include "force/joint.h"
#include "step/stage_parts.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "step/rigidity.h"
#include "step/turning.h"

#include <string.h>

static void describe(StStageProblem *stage) {
  const StSystem *system = stage->system;
  const StFolding *folding = system->folding;
  stage->problem = (StProblem){
      .context = stage,
      .size = st_stage_unknown_size(stage),
      .residual = st_stage_residual,
      .round_off = st_stage_round_off,
      .linearise = st_stage_linearise,
      .assemble = st_stage_assemble,
      .product = st_stage_product,
      .coupling_count = st_system_couplings(system),
      .coupling = stage->coupling,
      .coupling_weight = stage->coupling_weight,
      .matrix = st_system_unknown_matrix(system),
      .global = folding ? folding->global : st_exchange_global(system->exchange),
      .global_count = folding ? folding->global_count : st_exchange_global_count(system->exchange),
      .coordinates = system->piece->rest,
      .scale = stage->scale,
      .group_count = stage->frame_count,
      .group = stage->frame,
      .position = stage->position,
  };
  if (st_system_needs_descent(system)) {
    stage->problem.add_tangent = st_stage_add_tangent;
    stage->problem.limit = st_stage_limit;
    stage->problem.retract = st_stage_retract;
    stage->problem.find_islands = st_stage_find_islands;
    stage->problem.limit_islands = st_stage_limit_islands;
    stage->problem.freeze = st_stage_freeze;
    stage->problem.update = st_stage_update;
  }
}

static StStatus create_arc(const StSystem *system, StArc **arc, StError *error) {
  ST_FREE bool *tied = ST_NEW(bool, system->description->body_count);
  ST_TRY_MEMORY(tied, error);
  st_joints_mark_tied(system->description, tied);
  return st_arc_create(system->piece, system->description->body_count, tied, arc, error);
}

StStatus st_stage_create(StSystem *system, StStageProblem **result, StError *error) {
  StStageProblem *stage = ST_OWNER(StStageProblem);
  ST_TRY_MEMORY(stage, error);
  stage->system = system;
  stage->contact_weight = 1;
  size_t owned = (size_t)st_stage_owned_size(stage),
         local = 3 * (size_t)system->piece->vertex_count;
  size_t couplings = (size_t)st_system_couplings(system);
  stage->fixed = ST_OWN(stage, bool, system->piece->vertex_count);
  stage->fixed_column = ST_OWN(stage, bool, system->piece->vertex_count);
  stage->coupling = ST_OWN(stage, double, couplings *owned);
  stage->coupling_weight = ST_OWN(stage, double, couplings);
  double **owned_array[] = {&stage->history, &stage->held, &stage->shift};
  double **local_array[] = {&stage->goal,     &stage->start,    &stage->origin, &stage->scale,
                            &stage->position, &stage->velocity, &stage->force,  &stage->direction,
                            &stage->result,   &stage->pull,     &stage->from};
  for (int i = 0; i < ST_LENGTH(owned_array); i++)
    *owned_array[i] = ST_OWN(stage, double, owned);
  for (int i = 0; i < ST_LENGTH(local_array); i++)
    *local_array[i] = ST_OWN(stage, double, local);
  ST_TRY(st_owner_give(stage, result, error));
  ST_TRY(create_arc(system, &stage->arc, error));
  ST_TRY(st_islands_create(system->piece, &stage->islands, error));
  ST_TRY(st_parking_create(system->piece, system->contacts ? system->contacts->skins : NULL,
                           &stage->parking, error));
  ST_TRY(st_rigidity_find_frames(system, &stage->frame, &stage->frame_count, error));
  describe(stage);
  return ST_OK;
}

void st_stage_destroy(StStageProblem *stage) {
  if (!stage)
    return;
  st_arc_destroy(stage->arc);
  st_islands_destroy(stage->islands);
  st_parking_destroy(stage->parking);
  st_advance_hits_free(&stage->hits);
  free(stage->frame);
  st_owner_free(stage);
}

void st_stage_use_contact_step(StStageProblem *stage, StContactStep *contact_step) {
  stage->contact_step = contact_step;
}

void st_stage_begin_step(StStageProblem *stage) {
  stage->keeps_room = false;
}

// Contact and friction of a decoupled integrator act fully at the end of the step.
static double contact_weight(const StIntegrator *method) {
  return method->decoupled ? 1 / method->stage[0].shift : 1;
}

void st_stage_predict(StStageProblem *stage, const StIntegrator *method, const StStage *row,
                      const StStageKnown *known, double h) {
  const StState *state = known->state;
  stage->contact_weight = contact_weight(method);
  for (int i = 0; i < state->size; i++) {
    stage->start[i] =
        row->now * state->position[i] + row->before * state->position_before[i] +
        row->stage * known->position[i] +
        h * (row->drift_now * state->velocity[i] + row->drift_stage * known->velocity[i]);
    stage->goal[i] = row->now * state->velocity[i] + row->before * state->velocity_before[i] +
                     row->stage * known->velocity[i];
    stage->history[i] = row->force_now * state->force[i] + row->force_stage * known->force[i];
  }
}

void st_stage_predict_rotation(StStageProblem *stage, StTurning *turning,
                               const StBoundary *boundary, const StTurningStep *step) {
  st_boundary_mask(boundary, step->state->time, stage->scale);
  st_turning_predict(turning, stage, step, stage->scale);
}

// The columns of Newton's matrix leave out what is carried.
static void fix_vertices(StStageProblem *stage) {
  const StPiece *piece = stage->system->piece;
  int carried = st_piece_owned_carried(piece);
  bool changed = false;
  for (int v = 0; v < piece->vertex_count; v++) {
    const double *scale = stage->scale + 3 * v;
    bool stands = v < piece->independent_count || (v >= piece->owned_count && v < piece->ghost_end);
    bool fixed = stands && scale[0] == 0 && scale[1] == 0 && scale[2] == 0;
    changed = changed || fixed != stage->fixed[v];
    stage->fixed[v] = fixed;
    if (stands)
      stage->fixed_column[v < piece->owned_count ? v : v - carried] = fixed;
  }
  stage->system->matrix->fixed = stage->fixed;
  st_system_unknown_matrix(stage->system)->fixed = stage->fixed_column;
  stage->problem.pattern += st_runtime_any(changed);
}

void st_stage_prepare(StStageProblem *stage, const StBoundary *boundary, const double *origin,
                      const StStageTimes *times) {
  const StSystem *system = stage->system;
  size_t bytes = (size_t)st_stage_owned_size(stage) * sizeof(double);
  double unit = stage->reach > 0 ? stage->reach / times->h : 1;
  stage->period = 0;
  stage->time = times->time;
  stage->step_start = times->step_start;
  stage->progress = 1;
  stage->ah = times->ah;
  stage->h = times->h;
  stage->trouble = (StTrouble){.vertex = -1, .element = -1};
  memcpy(stage->origin, origin, bytes);
  memset(stage->held, 0, bytes);
  st_boundary_mask(boundary, times->step_start, stage->scale);
  st_boundary_apply(boundary, times->step_start, times->arrival, stage->start, NULL);
  st_boundary_apply(boundary, times->step_start, times->time, NULL, stage->held);
  for (int i = 0; i < st_stage_unknown_size(stage); i++) {
    if (stage->scale[i] == 0)
      stage->start[i] -= stage->ah * stage->held[i];
    else
      stage->scale[i] = unit / sqrt(system->piece->mass[i / 3]);
  }
  double *array[] = {stage->start, stage->scale, stage->origin, stage->goal};
  for (int i = 0; i < ST_LENGTH(array); i++)
    st_exchange_forward(system->exchange, array[i]);
  fix_vertices(stage);
}

double st_stage_inertia(const StStageProblem *stage) {
  double part = stage->period > 0 ? stage->h / stage->period : 0;
  return stage->reach > 0 ? part * part : 1;
}

void st_stage_use_period(StStageProblem *stage, double period, const double *velocity) {
  double before = stage->period > 0 ? stage->period : stage->reach;
  double by = (period > 0 ? period : stage->reach) / before;
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    stage->scale[i] *= by;
  memcpy(stage->goal, velocity, (size_t)st_stage_unknown_size(stage) * sizeof(double));
  st_exchange_forward(stage->system->exchange, stage->scale);
  st_exchange_forward(stage->system->exchange, stage->goal);
  stage->period = period;
}

void st_stage_fix(StStageProblem *stage, const StBoundary *boundary, double step_start) {
  st_boundary_mask(boundary, step_start, stage->scale);
  st_exchange_forward(stage->system->exchange, stage->scale);
  fix_vertices(stage);
}

StStatus st_stage_evaluate_state(StStageProblem *stage, const StState *state, StPoint *at) {
  const StSystem *system = stage->system;
  size_t bytes = (size_t)state->size * sizeof(double);
  memcpy(stage->position, state->position, bytes);
  memcpy(stage->velocity, state->velocity, bytes);
  st_exchange_forward(system->exchange, stage->position);
  st_exchange_forward(system->exchange, stage->velocity);
  st_contact_cache_moved(system->contact_cache, stage->position);
  *at = st_stage_point(stage, state->time);
  return st_system_total_force(system, at, 1, stage->force, &stage->trouble);
}

const double *st_stage_single_force(StStageProblem *stage, int index) {
  StPoint at = st_stage_now(stage);
  st_system_single_force(stage->system, index, &at, stage->result);
  return stage->result;
}

void st_stage_unknown(const StStageProblem *stage, const double *velocity, double *y) {
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    y[i] = stage->scale[i] > 0 ? velocity[i] / stage->scale[i] : 0;
}

void st_stage_result(const StStageProblem *stage, const double *y, double *position,
                     double *velocity) {
  for (int i = 0; i < st_stage_unknown_size(stage); i++) {
    velocity[i] = stage->held[i] + stage->scale[i] * y[i];
    position[i] = stage->start[i] + stage->ah * velocity[i];
  }
  st_piece_follow_owned(stage->system->piece, position);
  st_piece_follow_owned(stage->system->piece, velocity);
}
