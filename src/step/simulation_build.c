// Builds a simulation, and its initial state.
// Tested by tests/robustness/test_torture.c.
#include "base/memory.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"
#include "step/neighbours.h"
#include "step/separate_bodies.h"
#include "step/settle.h"
#include "step/simulation_parts.h"
#include "step/start.h"

#include <math.h>
#include <string.h>

// As a fraction of a step.
static const double JUST_AFTER = 1e-9;

static const StIntegrator *find_starter(const StDescription *description,
                                        const StIntegrator *method) {
  for (int b = 0; b < description->body_count; b++)
    if (!description->body[b].rigid)
      return st_integrator_find(method->start);
  return st_integrator_find(method->start_rigid);
}

double st_simulation_just_after(const StSimulation *s, double time) {
  return time + JUST_AFTER * s->description->time.step;
}

static StPoint place(StSimulation *s, const double *velocity) {
  size_t bytes = (size_t)s->state->size * sizeof(double);
  memcpy(s->position, s->state->position, bytes);
  memcpy(s->velocity, velocity, bytes);
  st_neighbours_cover(s->system, (const double *[]){s->position}, 1);
  st_exchange_forward(s->system->exchange, s->position);
  st_exchange_forward(s->system->exchange, s->velocity);
  return (StPoint){.time = st_simulation_just_after(s, s->state->time),
                   .position = s->position,
                   .velocity = s->velocity};
}

StPoint st_simulation_place(StSimulation *s) {
  return place(s, s->state->velocity);
}

StPoint st_simulation_current(StSimulation *s) {
  StPoint at = st_simulation_place(s);
  at.contact_set = st_contact_cache_at(s->system->contact_cache, at.time, at.position);
  return at;
}

double st_simulation_applied_time(const StSimulation *s) {
  return s->state->h_before > 0 ? st_attempt_instant(s->state->h_before, s->state->time)
                                : st_simulation_just_after(s, s->state->time);
}

StPoint st_simulation_applied(StSimulation *s) {
  StPoint at = place(s, s->state->h_before > 0 ? s->state->solved : s->state->velocity);
  at.time = st_simulation_applied_time(s);
  at.contact_set = st_contact_cache_at(s->system->contact_cache, at.time, at.position);
  return at;
}

StStatus st_simulation_read_applied(StSimulation *s, StPoint *at, StError *error) {
  StStepTaken step = {.h = s->state->h_before,
                      .before = s->state->velocity_before,
                      .after = s->state->velocity,
                      .loss = st_impact_losses(s->attempt->impact, &step.loss_count)};
  bool stepped = s->report.step > 0 && s->state->h_before > 0;
  ST_TRY(st_certificate_measure(s->certificate, at, stepped ? &step : NULL, &s->report, error));
  StPoint after = *at;
  after.time = st_simulation_just_after(s, s->state->time);
  st_measure_read(s->measure, &after, &s->report);
  at->velocity = st_simulation_place(s).velocity;
  st_bodies_measure(s->bodies, at, &s->report);
  return ST_OK;
}

StStatus st_simulation_check_drivers(const StSimulation *s, StError *error) {
  if (!st_description_has_callbacks(s->description))
    return ST_OK;
  return st_runtime_agree(st_description_check_drivers(s->description, error), error);
}

// Decoupled integrators leave contact and friction out of the force a step starts from.
StStatus st_simulation_take_force(StSimulation *s, const StPoint *at, StTrouble *trouble) {
  double contact_weight = s->integrator->decoupled ? 0 : 1;
  ST_TRY(st_system_total_force(s->system, at, contact_weight, s->force, trouble));
  memcpy(s->state->force, s->force, (size_t)s->state->size * sizeof(double));
  return ST_OK;
}

void st_simulation_remember_energy(StSimulation *s) {
  s->memory.kinetic_energy = s->report.kinetic_energy;
  s->memory.total_energy = s->report.total_energy;
  memcpy(s->memory.force_energy, s->report.force_energy, sizeof s->memory.force_energy);
}

StStatus st_simulation_inspect(StSimulation *s, bool step, StError *error) {
  const StState *state = s->state;
  StInspected inspected = {.time = state->time,
                           .start = state->time - state->h_before,
                           .position = state->position,
                           .before = step ? state->position_before : NULL,
                           .on_frame = st_simulation_on_frame(s)};
  return st_inspection_look(s->inspection, &inspected, &s->report, error);
}

StStatus st_simulation_refuse(const StSimulation *s, const StTrouble *trouble, StError *error) {
  char where[200] = "";
  if (trouble->vertex >= 0) {
    memcpy(where, " at ", 5);
    st_description_name_vertex(s->description, trouble->vertex, where + 4, sizeof where - 4);
  }
  return st_fail(error, ST_BAD_INPUT,
                 "the initial state is not admissible: force \"%s\"%s: %s (element %d)",
                 trouble->force, where, trouble->reason, trouble->element);
}

// Force and report of an initial state.
// handover: what contacts remember of another simulation; NULL: nothing.
static StStatus begin_from_state(StSimulation *s, const StHandover *handover, StError *error) {
  StPoint at = st_simulation_place(s);
  StTrouble trouble = {.vertex = -1};
  s->state->h_before = 0;
  s->memory.restart = false;
  st_contact_cache_moved(s->system->contact_cache, s->position);
  ST_TRY(st_contact_step_start(s->contact_step, at.time, at.position, s->log, error));
  if (handover)
    ST_TRY(st_contact_step_recall(s->contact_step, handover, at.time, at.position, error));
  at = st_simulation_current(s);
  bool short_of_memory = at.contact_set && at.contact_set->status == ST_SYSTEM_FAULT;
  ST_TRY(st_runtime_agree(short_of_memory ? st_fail_memory(error) : ST_OK, error));
  ST_TRY(st_contact_cache_check(s->system->contact_cache, error));
  if (st_simulation_take_force(s, &at, &trouble) != ST_OK)
    return st_simulation_refuse(s, &trouble, error);
  st_system_commit(s->system, &at);
  st_measure_take(s->measure, &at, &s->report);
  st_measure_read(s->measure, &at, &s->report);
  st_simulation_remember_energy(s);
  s->inverted = s->measure->inverted;
  s->report.energy = &s->memory.energy;
  s->report.recovery = &s->memory.recovery;
  s->report.rigidity = &s->memory.rigidity;
  s->report.spin = &s->memory.spin;
  s->report.loss = &s->memory.loss;
  ST_TRY(st_certificate_measure(s->certificate, &at, NULL, &s->report, error));
  ST_TRY(st_reactions_read(s->reactions, s->state, &at, &s->report, error));
  st_bodies_measure(s->bodies, &at, &s->report);
  st_spin_loss_begin(s->spin_loss, &s->report);
  ST_TRY(st_simulation_inspect(s, false, error));
  return st_simulation_check_drivers(s, error);
}

// Self-contact does not count: any solid body may have it, but few do.
static bool touches_others(const StDescription *description) {
  int pair = st_pair_next(description, 0);
  for (; pair != ST_NO_PAIR; pair = st_pair_next(description, pair + 1)) {
    StContactDesc contact = st_pair_law(description, pair);
    if (contact.body != contact.collider)
      return true;
  }
  return false;
}

static void warn_of_ringing(const StSimulation *s) {
  bool cloth = s->system->triangle_count > 0, touches = touches_others(s->description);
  if (!s->integrator->rings || !(touches || cloth))
    return;
  st_log(s->log, ST_WARNING,
         "integrator \"%s\" does not damp the stiff vibration of %s may make energy grow: watch "
         "energy_gain, or choose be, bdf2, tr_bdf2 or sdirk2",
         s->integrator->name, touches ? "contacts, and impacts" : "cloth, and folds");
}

static void warn_of_threads(const StSimulation *s) {
  int threads = st_crew_size(s->system->crew), processors = st_crew_processors();
  if (threads > processors)
    st_log(s->log, ST_WARNING,
           "%d threads share %d processor%s, which is slower than one thread per processor",
           threads, processors, processors == 1 ? "" : "s");
}

static StStatus make_arrays(StSimulation *s, StError *error) {
  size_t local = 3 * (size_t)s->system->piece->vertex_count;
  double **array[] = {&s->position, &s->velocity, &s->force, &s->candidate, &s->candidate_speed};
  for (int i = 0; i < ST_LENGTH(array); i++)
    *array[i] = ST_OWN(s, double, local);
  return st_owner_is_whole(s) ? ST_OK : st_fail_memory(error);
}

static StStatus make_parts(StSimulation *s, StError *error) {
  const StPiece *piece = s->system->piece;
  ST_TRY(st_boundary_create(s->description, piece, &s->boundary, error));
  ST_TRY(st_schedule_create(s->description, &s->schedule, error));
  ST_TRY(st_state_create(piece->owned_count, &s->state, error));
  ST_TRY(make_arrays(s, error));
  ST_TRY(st_contact_step_create(s->system, &s->contact_step, error));
  ST_TRY(st_step_sweep_create(s->system, &s->step_sweep, error));
  ST_TRY(st_energy_noise(s->description, &s->energy_noise, error));
  ST_TRY(st_measure_create(s->system, &s->measure, error));
  ST_TRY(st_bodies_create(s->system, &s->bodies, error));
  ST_TRY(st_reactions_create(s->system, s->boundary, &s->reactions, error));
  ST_TRY(st_spin_loss_create(s->description, &s->spin_loss, error));
  ST_TRY(st_motion_loss_create(s->system, &s->motion_loss, error));
  return st_certificate_create(s->system, &s->certificate, error);
}

// Data that placing bodies needs.
static StStatus build(StSimulation *s, StError *error) {
  s->integrator = st_integrator_find(s->description->integrator);
  if (s->integrator->two_step)
    s->starter = find_starter(s->description, s->integrator);
  ST_CHECK(s->integrator, error);
  ST_TRY(st_system_create(s->description, &s->system, error));
  ST_TRY(st_runtime_agree(make_parts(s, error), error));
  ST_TRY(st_gather_create(s->system->piece, &s->gather, error));
  s->until = NAN;
  s->limit = s->description->time.step;
  s->memory.energy.largest_gain = -INFINITY;
  s->memory.spin.body = -1;
  return ST_OK;
}

// Looking for overlaps takes a third of the memory that a simulation of rigid bodies has, so solver
// and judge are made later.
static StStatus place_bodies(StSimulation *s, StError *error) {
  warn_of_ringing(s);
  warn_of_threads(s);
  st_start(s->description, s->system->piece, s->boundary, s->state);
  return st_separate_bodies(s->system, s->gather, s->state, s->log, error);
}

// The rest of everything except the state.
static StStatus build_solver(StSimulation *s, StError *error) {
  ST_TRY(st_inspection_create(s->description, s->gather, &s->inspection, error));
  return st_runtime_agree(st_simulation_choose_solver(s, error), error);
}

static StStatus start(StSimulation *s, StError *error) {
  ST_TRY(st_settle(s->system, s->state, s->log, error));
  st_piece_follow_owned(s->system->piece, s->state->position);
  ST_TRY(begin_from_state(s, NULL, error));
  st_inspection_count(s->inspection, &s->report, true);
  StPoint at = st_simulation_place(s); // without contacts
  return st_start_check(s->system, &at, s->limit, error);
}

// checkpoint: the state to continue from; NULL: start from the description. On ranks other than the
// first it may be empty, but not NULL.
static StStatus create(const StDescription *description, const StLog *log,
                       const StCheckpoint *checkpoint, StSimulation **simulation, StError *error) {
  StSimulation *s = ST_OWNER(StSimulation);
  ST_TRY(st_runtime_agree(s ? ST_OK : st_fail_memory(error), error));
  s->description = description;
  s->log = log;
  StStatus status = st_tunables_hold(description->tunable, description->tunable_count, error);
  s->holds_tunables = status == ST_OK;
  if (status == ST_OK)
    status = build(s, error);
  if (status == ST_OK && !checkpoint)
    status = place_bodies(s, error);
  if (status == ST_OK)
    status = build_solver(s, error);
  if (status == ST_OK)
    status = checkpoint ? st_simulation_restore(s, checkpoint, error) : start(s, error);
  if (status != ST_OK) {
    st_simulation_destroy(s);
    return status;
  }
  *simulation = s;
  return ST_OK;
}

StStatus st_simulation_create(const StDescription *description, const StLog *log,
                              StSimulation **simulation, StError *error) {
  return create(description, log, NULL, simulation, error);
}

StStatus st_simulation_create_at(const StDescription *description, const StLog *log,
                                 const StCheckpoint *checkpoint, StSimulation **simulation,
                                 StError *error) {
  return create(description, log, checkpoint, simulation, error);
}

void st_simulation_destroy(StSimulation *s) {
  if (!s)
    return;
  if (s->holds_tunables)
    st_tunables_release();
  st_inspection_destroy(s->inspection);
  st_gather_destroy(s->gather);
  st_gather_destroy(s->row_gather);
  st_contact_step_destroy(s->contact_step);
  st_step_sweep_destroy(s->step_sweep);
  st_measure_destroy(s->measure);
  st_bodies_destroy(s->bodies);
  st_reactions_destroy(s->reactions);
  st_spin_loss_destroy(s->spin_loss);
  st_motion_loss_destroy(s->motion_loss);
  st_certificate_destroy(s->certificate);
  st_attempt_destroy(s->attempt);
  st_linear_destroy(s->linear);
  st_stage_destroy(s->stage);
  st_state_destroy(s->state);
  st_schedule_destroy(s->schedule);
  st_boundary_destroy(s->boundary);
  st_system_destroy(s->system);
  st_touching_pairs_free(&s->touching);
  st_touching_pairs_free(&s->touching_next);
  st_owner_free(s);
}

// Contact memory is valid only for the old positions.
static void forget_contacts(StSimulation *s) {
  if (!s->system->contacts)
    return;
  st_contact_state_drop_anchors(s->system->contacts, s->system->contact_state);
  st_contact_state_begin(s->system->contacts, s->system->contact_state, s->state->time,
                         st_simulation_place(s).position);
}

// Continues from the arrays of the previous state, at this time.
static StStatus go_on(StSimulation *s, double time, const StHandover *handover, StError *error) {
  StState *state = s->state;
  st_boundary_apply(s->boundary, time, time, state->position_before, state->velocity_before);
  st_piece_follow_owned(s->system->piece, state->position_before);
  st_piece_follow_owned(s->system->piece, state->velocity_before);
  st_state_swap(state);
  s->report.time = state->time = time;
  ST_TRY(st_separate_bodies_check(s->system, s->gather, state, error));
  forget_contacts(s);
  ST_TRY(begin_from_state(s, handover, error));
  st_inspection_count(s->inspection, &s->report, true);
  return ST_OK;
}

StStatus st_simulation_go_on_from(StSimulation *s, double time, const double *position,
                                  const double *velocity, const StHandover *handover,
                                  StError *error) {
  StCheckpoint before = {0};
  ST_TRY(st_simulation_checkpoint(s, &before, error));
  StStatus status = st_gather_spread(s->gather, position, s->state->position_before, error);
  if (status == ST_OK)
    status = st_gather_spread(s->gather, velocity, s->state->velocity_before, error);
  if (status == ST_OK)
    status = go_on(s, time, handover, error);
  if (status != ST_OK)
    st_simulation_restore(s, &before, NULL);
  st_checkpoint_free(&before);
  return status;
}

StStatus st_simulation_set_state(StSimulation *s, const double *position, const double *velocity,
                                 StError *error) {
  return st_simulation_go_on_from(s, s->state->time, position, velocity, NULL, error);
}

StStatus st_simulation_set_time(StSimulation *s, double time, StError *error) {
  ST_FREE double *position = NULL, *velocity = NULL;
  ST_TRY(st_gather_vertices(s->gather, s->state->position, 3, &position, error));
  ST_TRY(st_gather_vertices(s->gather, s->state->velocity, 3, &velocity, error));
  return st_simulation_go_on_from(s, time, position, velocity, NULL, error);
}
