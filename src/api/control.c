// Going on, and changing what goes on: steps of a program's own length, the state and the time it
// sets, numbers it changes between steps.
#include "api/derivative.h"
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"

#include <math.h>

StStatus st_pending_rebuild(StictionSimulation *simulation, const StCheckpoint *checkpoint,
                            StError *error) {
  StSimulation *made = NULL;
  ST_TRY(st_simulation_create_at(simulation->own, &simulation->session->log, checkpoint, &made,
                                 error));
  st_derivatives_destroy(simulation->derivatives);
  simulation->derivatives = NULL;
  st_simulation_destroy(simulation->simulation);
  simulation->simulation = made;
  simulation->pending.rebuild = false;
  return st_record_follow(simulation, error);
}

static StStatus rebuild_here(StictionSimulation *simulation, StError *error) {
  ST_FINALLY(st_checkpoint_free) StCheckpoint checkpoint = {0};
  ST_TRY(st_simulation_checkpoint(simulation->simulation, &checkpoint, error));
  return st_pending_rebuild(simulation, &checkpoint, error);
}

StStatus st_pending_settle(StictionSimulation *simulation, StError *error) {
  StPending *pending = &simulation->pending;
  bool rebuild = pending->rebuild;
  if (!pending->any && !rebuild)
    return ST_OK;
  if (simulation->derivatives)
    return st_fail(error, ST_BAD_INPUT,
                   "parameters and motions cannot be changed while derivatives are followed");
  if (rebuild)
    ST_TRY(rebuild_here(simulation, error));
  ST_TRY(st_simulation_renew(simulation->simulation, pending->change, &rebuild, error));
  if (rebuild) {
    ST_TRY(rebuild_here(simulation, error));
    ST_TRY(st_simulation_renew(simulation->simulation, (StChange){0}, &rebuild, error));
  }
  *pending = (StPending){0};
  return ST_OK;
}

static StStatus step(StictionSimulation *simulation, StError *error) {
  if (st_simulation_finished(simulation->simulation))
    return st_fail(error, ST_BAD_INPUT,
                   "the scene ends at %g s and has no further step; stiction_simulation_advance "
                   "goes on beyond it, and so does a longer time.duration",
                   st_simulation_time(simulation->simulation));
  ST_TRY(st_pending_settle(simulation, error));
  ST_TRY(st_simulation_step(simulation->simulation, error));
  return st_live_follow(simulation, st_record_step(simulation, error), error);
}

StictionStatus stiction_simulation_step(StictionSimulation *simulation) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(step(simulation, st_call_error()));
}

// Frames are counted in whole numbers.
static StStatus check_time(const StictionSimulation *simulation, double time, StError *error) {
  double most = 1e9 / simulation->own->time.frame_rate;
  if (time >= 0 && time <= most)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "%g s is no time of a simulation: it lies between 0 and %g s",
                 time, most);
}

// Arrays follow the state as far as it has come, also when a step on the way could not be solved.
static StStatus advance_to(StictionSimulation *simulation, double time, StError *error) {
  ST_TRY(check_time(simulation, time, error));
  ST_TRY(st_pending_settle(simulation, error));
  StStatus status = ST_OK;
  for (bool reached = false; status == ST_OK && !reached;) {
    status = st_simulation_step_to(simulation->simulation, time, &reached, error);
    if (status == ST_OK && !reached)
      status = st_record_step(simulation, error);
  }
  return st_live_follow(simulation, status, error);
}

static StStatus advance_by(StictionSimulation *simulation, double duration, StError *error) {
  double now = st_simulation_time(simulation->simulation);
  double least = 1e-6 * simulation->own->time.step;
  if (duration >= least)
    return advance_to(simulation, now + duration, error);
  return st_fail(error, ST_BAD_INPUT,
                 "a step of %g s cannot be taken: the scene's own is %g s, and a millionth of that "
                 "is the least",
                 duration, simulation->own->time.step);
}

StictionStatus stiction_simulation_advance(StictionSimulation *simulation, double duration) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(advance_by(simulation, duration, st_call_error()));
}

static StStatus advance_on(StictionSimulation *simulation, double time, StError *error) {
  double now = st_simulation_time(simulation->simulation);
  if (!(time < now - 1e-9 * simulation->own->time.step))
    return advance_to(simulation, time, error);
  return st_fail(error, ST_BAD_INPUT,
                 "the simulation is at %g s and cannot advance to %g s; restore a state saved "
                 "before, or reset it",
                 now, time);
}

StictionStatus stiction_simulation_advance_to(StictionSimulation *simulation, double time) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(advance_on(simulation, time, st_call_error()));
}

static StStatus check_numbers(const double *value, const char *what, int vertex_count,
                              StError *error) {
  for (int i = 0; value && i < 3 * vertex_count; i++)
    if (!isfinite(value[i]))
      return st_fail(error, ST_BAD_INPUT, "the %s of vertex %d is not a number", what, i / 3);
  return ST_OK;
}

// How far a carried vertex may be off, of the largest number around: rounding of what programs
// compute.
static const double CARRIED_ROUNDING = 1e-9;

static bool is_carried(const StCarried *carried, int index, const double *value) {
  const double *of = value + 3 * (size_t)carried->vertex[index];
  for (int c = 0; c < 3; c++) {
    double sum = 0, largest = fabs(of[c]);
    for (int k = 0; k < ST_CARRIERS; k++) {
      size_t entry = ST_CARRIERS * (size_t)index + (size_t)k;
      double part = carried->weight[entry] * value[3 * (size_t)carried->carrier[entry] + (size_t)c];
      sum += part;
      largest = fmax(largest, fabs(part));
    }
    if (fabs(sum - of[c]) > CARRIED_ROUNDING * largest)
      return false;
  }
  return true;
}

// A rigid body moves as a whole: what is written of one of its vertices alone would come to
// nothing.
static StStatus check_carried(const StDescription *description, const double *value,
                              const char *what, StError *error) {
  for (int b = 0; value && b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    for (int i = 0; i < body->carried.count; i++)
      if (!is_carried(&body->carried, i, value))
        return st_fail(error, ST_BAD_INPUT,
                       "the %s of vertex %d of body \"%s\" does not fit the others: the body is "
                       "rigid and goes by the last four of its vertices; change all of them alike",
                       what, body->carried.vertex[i], body->name);
    value += 3 * (size_t)body->mesh->vertex_count;
  }
  return ST_OK;
}

static StStatus take_state(StictionSimulation *simulation, StError *error) {
  const StLive *live = &simulation->live;
  StStatus status = check_numbers(live->position, "position", simulation->vertex_count, error);
  if (status == ST_OK)
    status = check_numbers(live->velocity, "velocity", simulation->vertex_count, error);
  if (status == ST_OK)
    status = check_carried(simulation->own, live->position, "position", error);
  if (status == ST_OK)
    status = check_carried(simulation->own, live->velocity, "velocity", error);
  ST_TRY(st_runtime_agree(status, error));
  return st_simulation_set_state(simulation->simulation, live->position, live->velocity, error);
}

static StStatus change_state(StictionSimulation *simulation, StError *error) {
  ST_TRY(st_pending_settle(simulation, error));
  StStatus status = take_state(simulation, error);
  if (status == ST_OK)
    status = st_record_jump(simulation, error);
  return st_live_follow(simulation, status, error);
}

StictionStatus stiction_simulation_state_changed(StictionSimulation *simulation) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(change_state(simulation, st_call_error()));
}

static StStatus set_time(StictionSimulation *simulation, double time, StError *error) {
  ST_TRY(check_time(simulation, time, error));
  ST_TRY(st_pending_settle(simulation, error));
  StStatus status = st_simulation_set_time(simulation->simulation, time, error);
  if (status == ST_OK)
    status = st_record_jump(simulation, error);
  return st_live_follow(simulation, status, error);
}

StictionStatus stiction_simulation_set_time(StictionSimulation *simulation, double time) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(set_time(simulation, time, st_call_error()));
}

int stiction_simulation_parameter_count(const StictionSimulation *simulation) {
  return simulation ? simulation->parameters.count : 0;
}

static void describe(const StParameter *from, double time, StictionParameter *to) {
  *to = (StictionParameter){.name = from->name,
                            .unit = from->unit,
                            .summary = from->doc,
                            .count = from->count,
                            .least = -INFINITY,
                            .most = INFINITY};
  if (from->param && !(from->param->min == 0 && from->param->max == 0)) {
    to->least = from->param->min;
    to->most = from->param->max;
  }
  st_parameter_get(from, time, to->value);
}

static StStatus get_parameter(const StictionSimulation *simulation, int index,
                              StictionParameter *parameter, StError *error) {
  int count = simulation->parameters.count;
  if (index < 0 || index >= count)
    return st_fail(error, ST_BAD_INPUT, "there is no parameter of index %d: there are %d", index,
                   count);
  describe(&simulation->parameters.item[index], st_simulation_time(simulation->simulation),
           parameter);
  return ST_OK;
}

StictionStatus stiction_simulation_parameter(StictionSimulation *simulation, int index,
                                             StictionParameter *parameter) {
  ST_NEED(parameter);
  *parameter = (StictionParameter){0};
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(get_parameter(simulation, index, parameter, st_call_error()));
}

static StStatus find(const StictionSimulation *simulation, const char *name, int count,
                     const StParameter **parameter, StError *error) {
  ST_TRY(st_parameters_find(&simulation->parameters, name, parameter, error));
  if (count == (*parameter)->count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "parameter \"%s\" has %d number%s, not %d", name,
                 (*parameter)->count, (*parameter)->count > 1 ? "s" : "", count);
}

StictionStatus stiction_simulation_get(StictionSimulation *simulation, const char *name, int count,
                                       double *value) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(value);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  const StParameter *parameter;
  StStatus status = find(simulation, name, count, &parameter, st_call_error());
  if (status == ST_OK)
    st_parameter_get(parameter, st_simulation_time(simulation->simulation), value);
  return st_call_leave(status);
}

static StStatus set(StictionSimulation *simulation, const char *name, int count,
                    const double *value, StError *error) {
  const StParameter *parameter;
  StPending *pending = &simulation->pending;
  ST_TRY(find(simulation, name, count, &parameter, error));
  ST_TRY(st_parameter_set(parameter, value, error));
  pending->any = true;
  pending->change.joints = pending->change.joints || parameter->effect == ST_EFFECT_JOINTS;
  pending->change.friction = pending->change.friction || parameter->effect == ST_EFFECT_FRICTION;
  pending->rebuild = pending->rebuild || parameter->effect == ST_EFFECT_REBUILD;
  return ST_OK;
}

StictionStatus stiction_simulation_set(StictionSimulation *simulation, const char *name, int count,
                                       const double *value) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(value);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(set(simulation, name, count, value, st_call_error()));
}
