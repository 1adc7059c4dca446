// How far a Newton step may go: until bodies meet or elements invert; along arcs on which bodies
// turn; and for islands, each by itself.
// Tested by tests/step/test_stage.c.
#include "step/stage_parts.h"

#include "solve/runtime.h"
#include "step/tunables.h"

#include <string.h>

// The fraction of the path on which elements keep their orientation.
static double limit_of_forces(const StStageProblem *stage) {
  const StSystem *system = stage->system;
  double fraction = 1;
  for (int i = 0; i < system->force_count; i++) {
    const StForce *force = &system->force[i];
    if (force->type->limit)
      fraction = fmin(fraction, force->type->limit(force->data, stage->from, stage->position));
  }
  return fraction;
}

// Both ends of a Newton step. p NULL: only what is prescribed moves.
static void find_path(StStageProblem *stage, const double *y, const double *p,
                      StConfiguration *from, StConfiguration *to) {
  const StPiece *piece = stage->system->piece;
  double progress = stage->progress;
  *from = (StConfiguration){st_stage_instant(stage, stage->time), stage->from};
  *to = (StConfiguration){{stage->step_start, stage->time, 1}, stage->position};
  st_stage_move(stage, NULL, y);
  memcpy(stage->from, stage->position, 3 * (size_t)piece->vertex_count * sizeof(double));
  for (int i = 0; i < st_stage_unknown_size(stage); i++)
    stage->direction[i] = y[i] + (p ? p[i] : 0);
  stage->progress = 1;
  st_stage_move(stage, stage->from, stage->direction);
  stage->progress = progress;
}

StStatus st_stage_limit(void *context, const double *y, double progress, const double *p,
                        double *fraction) {
  StStageProblem *stage = context;
  StConfiguration from, to;
  stage->progress = progress;
  find_path(stage, y, p, &from, &to);
  *fraction = 1;
  if (stage->system->contact_cache) {
    StStatus status = st_contact_cache_limit(stage->system->contact_cache, &from, &to, fraction);
    ST_TRY(st_runtime_agree(status, NULL));
  }
  *fraction = fmin(*fraction, limit_of_forces(stage));
  st_runtime_min_all(fraction, 1);
  return ST_OK;
}

// A Newton step as displacements, and back.
typedef struct Change {
  StStageProblem *stage;
  const double *y;
  double *p;
} Change;

static void take_path(void *context, int begin, int end) {
  Change *change = context;
  StStageProblem *stage = change->stage;
  for (int i = begin; i < end; i++) {
    double velocity = stage->held[i] + stage->scale[i] * change->y[i];
    stage->from[i] = stage->start[i] + stage->ah * velocity;
    stage->direction[i] = stage->ah * stage->scale[i] * change->p[i];
  }
}

static void give_path(void *context, int begin, int end) {
  Change *change = context;
  const StStageProblem *stage = change->stage;
  for (int i = begin; i < end; i++)
    if (stage->scale[i] > 0)
      change->p[i] = stage->direction[i] / (stage->ah * stage->scale[i]);
}

static void change_path(StStageProblem *stage, const double *y, double *p,
                        void (*along)(StArc *, const double *, const double *, double *)) {
  StCrew *crew = stage->system->crew;
  int size = st_stage_unknown_size(stage);
  Change change = {stage, y, p};
  st_crew_sweep(crew, 0, size, ST_STAGE_COORDINATES, take_path, &change);
  along(stage->arc, stage->from, stage->scale, stage->direction);
  st_crew_sweep(crew, 0, size, ST_STAGE_COORDINATES, give_path, &change);
}

void st_stage_retract(void *context, const double *y, double *p) {
  change_path(context, y, p, st_arc_bend);
}

void st_stage_take_strain(StStageProblem *stage, const double *y, double *p) {
  change_path(stage, y, p, st_arc_take_strain);
}

// The matrix shows all couplings, on one rank and without dense terms. Without contact islands have
// no limits of their own.
static bool knows_islands(const StStageProblem *stage) {
  return stage->system->contact_cache && st_runtime_size() == 1 &&
         stage->problem.coupling_count == 0;
}

int st_stage_find_islands(void *context, bool merge, int *island) {
  StStageProblem *stage = context;
  size_t bytes = (size_t)st_stage_unknown_size(stage) / 3 * sizeof(int);
  if (!knows_islands(stage)) {
    memset(island, 0, bytes);
    return 1;
  }
  if (merge)
    st_islands_merge(stage->islands, &st_stage_now(stage).contact_set->now);
  else
    st_islands_find(stage->islands, st_system_unknown_matrix(stage->system));
  memcpy(island, stage->islands->of, bytes);
  return stage->islands->count;
}

StStatus st_stage_limit_islands(void *context, const double *y, const double *tangent,
                                double *length, double *p, bool *inside) {
  StStageProblem *stage = context;
  StIslands *islands = stage->islands;
  bool whole = true;
  *inside = false;
  stage->progress = 1;
  st_islands_set_lengths(islands, length);
  for (int round = 0; round < st_step_tunables.path_rounds && whole && !*inside; round++) {
    StConfiguration from, to;
    st_islands_apply(islands, tangent, p);
    st_stage_retract(stage, y, p);
    find_path(stage, y, p, &from, &to);
    ST_TRY(st_contact_cache_hits(stage->system->contact_cache, &from, &to, &stage->hits, &whole));
    *inside = whole && stage->hits.count == 0;
    if (!*inside)
      st_islands_shorten(islands, &stage->hits);
  }
  *inside = *inside && limit_of_forces(stage) == 1;
  memcpy(length, islands->factor, (size_t)islands->count * sizeof(double));
  return ST_OK;
}
