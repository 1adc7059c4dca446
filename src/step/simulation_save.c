// Checkpoints: everything a run needs to continue with the same bits.
// Tested by tests/robustness/test_resume.c.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/neighbours.h"
#include "step/simulation_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static StSavedState saved_state_of(StSimulation *s) {
  const StContactState *state = s->system->contact_state;
  return (StSavedState){
      s->linear,    s->system,    s->certificate,         &s->memory,
      s->spin_loss, s->reactions, &s->inspection->record, state ? &state->anchors : NULL,
      NULL};
}

// The factors of stiffness for the next step: those that the step just committed leaves behind.
StStatus st_simulation_next_factors(StSimulation *s, StFactors *factors, StError *error) {
  const StSystem *system = s->system;
  if (!system->contacts)
    return ST_OK;
  if (!system->contact_state->committed) {
    bool good = st_stiffness_list(&system->contact_state->stiffness, factors);
    return st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
  }
  StPoint at = st_simulation_place(s);
  const StContactSet *set = st_contact_cache_at(system->contact_cache, at.time, at.position);
  return st_contact_step_next_factors(system, set, factors, error);
}

// The same for the anchors.
static StStatus next_anchors(StSimulation *s, StAnchors *anchors, StSavedState *saved,
                             StError *error) {
  if (!s->system->contacts || !s->system->contact_state->committed)
    return ST_OK;
  StPoint at = st_simulation_place(s);
  const StContactSet *set = st_contact_cache_at(s->system->contact_cache, at.time, at.position);
  bool good = set->status == ST_OK &&
              st_anchors_renew(&s->system->contact_state->anchors, set, at.position, anchors);
  saved->anchors = anchors;
  return good ? ST_OK : st_fail_memory(error);
}

StStatus st_simulation_checkpoint(StSimulation *s, StCheckpoint *out, StError *error) {
  *out = (StCheckpoint){.step = s->report.step,
                        .frame = st_simulation_frame(s),
                        .time = s->state->time,
                        .h = s->limit,
                        .h_previous = s->state->h_before,
                        .steps_since_cut = s->steps_since_cut,
                        .total_newton = s->total_newton,
                        .total_linear = s->total_linear,
                        .total_retries = s->total_retries,
                        .vertex_count = st_gather_vertex_total(s->gather)};
  const StState *state = s->state;
  const double *from[] = {state->position,        state->velocity, state->position_before,
                          state->velocity_before, state->solved,   state->force};
  double **to[] = {&out->position,          &out->velocity, &out->position_previous,
                   &out->velocity_previous, &out->solved,   &out->force};
  StStatus status = ST_OK;
  StSavedState saved = saved_state_of(s);
  for (int i = 0; i < ST_LENGTH(from) && status == ST_OK; i++)
    status = st_gather_vertices(s->gather, from[i], 3, to[i], error);
  StAnchors anchors = {0};
  StFactors factors = {0};
  if (status == ST_OK)
    status = st_simulation_next_factors(s, &factors, error);
  saved.factors = &factors;
  if (status == ST_OK)
    status = st_runtime_agree(next_anchors(s, &anchors, &saved, error), error);
  if (status == ST_OK)
    status = st_runtime_agree(st_saved_state_pack(&saved, out, error), error);
  st_anchors_free(&anchors);
  st_factors_free(&factors);
  if (status != ST_OK)
    st_checkpoint_free(out);
  return status;
}

StStatus st_simulation_gather_anchors(StSimulation *s, char **bytes, size_t *size, StError *error) {
  StSavedState saved = saved_state_of(s);
  StAnchors anchors = {0};
  *bytes = NULL;
  *size = 0;
  StStatus status = st_runtime_agree(next_anchors(s, &anchors, &saved, error), error);
  if (status == ST_OK)
    status = st_saved_state_gather_anchors(&saved, bytes, size, error);
  st_anchors_free(&anchors);
  return status;
}

typedef struct Scalars {
  long step, newton, linear, retries;
  double time, h, h_previous;
  int steps_since_cut, vertex_count;
} Scalars;

static Scalars scalars_of(const StCheckpoint *from) {
  return (Scalars){.step = from->step,
                   .newton = from->total_newton,
                   .linear = from->total_linear,
                   .retries = from->total_retries,
                   .time = from->time,
                   .h = from->h,
                   .h_previous = from->h_previous,
                   .steps_since_cut = from->steps_since_cut,
                   .vertex_count = from->vertex_count};
}

static bool is_count(long value) {
  return value >= 0 && value < LONG_MAX / 2;
}

// A file may contain any numbers. Steps of a program may go beyond the scene's end, but not farther
// than frames can be counted.
static StStatus check_scalars(const StSimulation *s, const Scalars *scalars, StError *error) {
  const StTimeDesc *time = &s->description->time;
  double end = fmax(INT_MAX / 2 / time->frame_rate, time->duration + time->step);
  if (scalars->time >= 0 && scalars->time <= end && scalars->h > 0 && scalars->h <= end &&
      scalars->h_previous >= 0 && scalars->h_previous <= end && is_count(scalars->step) &&
      is_count(scalars->newton) && is_count(scalars->linear) && is_count(scalars->retries) &&
      scalars->steps_since_cut >= 0 && scalars->steps_since_cut < INT_MAX / 2)
    return ST_OK;
  return st_fail(
      error, ST_BAD_INPUT,
      "the checkpoint's time (%g s), steps (%g s, %g s) or counts do not belong to this scene",
      scalars->time, scalars->h, scalars->h_previous);
}

static void take_scalars(StSimulation *s, const Scalars *scalars) {
  s->state->time = scalars->time;
  s->state->h_before = scalars->h_previous;
  s->limit = scalars->h;
  s->steps_since_cut = scalars->steps_since_cut;
  s->total_newton = scalars->newton;
  s->total_linear = scalars->linear;
  s->total_retries = scalars->retries;
  s->report = (StReport){.step = scalars->step,
                         .time = scalars->time,
                         .h = scalars->h_previous,
                         .energy = &s->memory.energy,
                         .recovery = &s->memory.recovery,
                         .rigidity = &s->memory.rigidity,
                         .spin = &s->memory.spin,
                         .loss = &s->memory.loss};
}

static StStatus take_state(StSimulation *s, const StCheckpoint *from, StError *error) {
  StState *state = s->state;
  const double *whole[] = {from->position,          from->velocity, from->position_previous,
                           from->velocity_previous, from->solved,   from->force};
  double *local[] = {state->position,        state->velocity, state->position_before,
                     state->velocity_before, state->solved,   state->force};
  for (int i = 0; i < ST_LENGTH(whole); i++)
    ST_TRY(st_gather_spread(s->gather, whole[i], local[i], error));
  return ST_OK;
}

// Restores everything that is not in the file but follows from it.
static StStatus take_up(StSimulation *s, StError *error) {
  StTrouble trouble = {.vertex = -1, .element = -1};
  st_neighbours_forget(s->system);
  st_contact_cache_moved(s->system->contact_cache, s->position);
  StPoint at = st_simulation_place(s);
  ST_TRY(st_contact_step_begin_step(s->contact_step, st_simulation_applied_time(s), at.position,
                                    error));
  at = st_simulation_applied(s);
  ST_TRY(st_simulation_read_applied(s, &at, error));
  st_reactions_report(s->reactions, &s->report);
  ST_TRY(st_simulation_inspect(s, false, error));
  at = st_simulation_current(s);
  if (st_system_total_force(s->system, &at, 1, s->force, &trouble) != ST_OK)
    return st_simulation_refuse(s, &trouble, error);
  st_measure_take(s->measure, &at, &s->report);
  s->inverted = s->measure->inverted;
  s->report.kinetic_energy = s->memory.kinetic_energy;
  s->report.total_energy = s->memory.total_energy;
  memcpy(s->report.force_energy, s->memory.force_energy, sizeof s->report.force_energy);
  return ST_OK;
}

StStatus st_simulation_restore(StSimulation *s, const StCheckpoint *from, StError *error) {
  Scalars scalars = {0};
  if (st_runtime_rank() == 0)
    scalars = scalars_of(from);
  st_runtime_share(0, &scalars, sizeof scalars);
  if (scalars.vertex_count != st_gather_vertex_total(s->gather))
    return st_fail(error, ST_BAD_INPUT, "the checkpoint has %d vertices, the scene has %d",
                   scalars.vertex_count, st_gather_vertex_total(s->gather));
  ST_TRY(check_scalars(s, &scalars, error));
  StSavedState saved = saved_state_of(s);
  ST_TRY(st_saved_state_check(&saved, from, error));
  ST_TRY(take_state(s, from, error));
  take_scalars(s, &scalars);
  ST_TRY(st_saved_state_unpack(&saved, from, error));
  return take_up(s, error);
}
