// The step loop: choose a size, attempt, retry smaller, commit, report.
#include "step/simulation.h"

#include "base/memory.h"
#include "contact/sides.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/attempt.h"
#include "step/certificate.h"
#include "step/diagnose.h"
#include "step/extra.h"
#include "step/fields.h"
#include "step/gather.h"
#include "step/measure.h"
#include "step/schedule.h"
#include "step/start.h"
#include "step/touchdown.h"

#include <math.h>
#include <mpi.h>
#include <string.h>
#include <time.h>

// After this many good steps a step that had to be cut is doubled again.
enum { PATIENCE = 4 };
// Below these a sparse LU beats any iteration (measured); surfaces fill in less than solids do.
enum { LU_TETS = 2500, LU_TRIANGLES = 20000 };

struct StSimulation {
  const StDescription *description;
  const StLog *log;
  StSystem *system;
  StBoundary *boundary;
  StSchedule *schedule;
  StStageProblem *stage;
  StLinear *linear;
  StAttempt *attempt;
  StState *state;
  StGather *gather;
  StTouchdown *touchdown;
  StMeasure *measure;
  StCertificate *certificate; // NULL where nothing can touch
  StReport report;
  double limit;                        // size that steps may have at present
  int steps_since_cut;                 // good ones since the limit last changed
  double *position, *velocity, *force; // [vertex_count][3] scratch with ghosts
  double *candidate;                   // [vertex_count][3] where an attempt has led
  bool *touching, *touching_next;      // [pairs] at the committed state; at the candidate
  long total_newton, total_linear, total_retries;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool small_for_lu(const StSystem *system) {
  return (double)system->tet_count / LU_TETS + (double)system->triangle_count / LU_TRIANGLES < 1;
}

static StLinearMethod first_method(const StSimulation *s, bool *may_change) {
  const StSolverDesc *solver = &s->description->solver;
  *may_change = false;
  if (solver->kind == ST_SOLVER_DIRECT)
    return ST_LINEAR_LU;
  if (solver->kind == ST_SOLVER_AUTO) {
    *may_change = true;
    return small_for_lu(s->system) ? ST_LINEAR_LU : ST_LINEAR_ILU;
  }
  switch (solver->preconditioner) {
  case ST_PC_ILU: return ST_LINEAR_ILU;
  case ST_PC_GAMG: return ST_LINEAR_GAMG;
  case ST_PC_NONE: return ST_LINEAR_NONE;
  case ST_PC_AUTO: break;
  }
  *may_change = true;
  return ST_LINEAR_ILU;
}

static StStatus create_solver(StSimulation *s, StError *error) {
  const StSolverDesc *solver = &s->description->solver;
  bool may_change;
  StLinearMethod method = first_method(s, &may_change);
  bool matrix_free = solver->matrix_free && method != ST_LINEAR_LU;
  ST_TRY(st_stage_create(s->system, matrix_free, &s->stage, error));
  StLinearOptions linear = {.method = method,
                            .may_change = may_change,
                            .max_iterations = solver->max_linear_iterations,
                            .inexact_coupling = solver->inexact_coupling};
  ST_TRY(st_linear_create(&s->stage->problem, &linear, &s->linear, error));
  ST_TRY(st_attempt_create(s->state->size, &s->attempt, error));
  s->attempt->integrator = st_integrator_find(s->description->integrator);
  ST_CHECK(s->attempt->integrator, error);
  if (s->attempt->integrator->decoupled)
    s->stage->contact_weight = 1 / s->attempt->integrator->stage[0].shift;
  s->attempt->boundary = s->boundary;
  s->attempt->stage = s->stage;
  s->attempt->linear = s->linear;
  s->attempt->options =
      (StNewtonOptions){.inexact = method != ST_LINEAR_LU,
                        .rough = method == ST_LINEAR_LU && solver->inexact_coupling &&
                                 st_system_couplings(s->system) > 0,
                        .velocity_tolerance = solver->velocity_tolerance,
                        .change_tolerance = solver->change_tolerance,
                        .max_iterations = solver->max_iterations};
  return ST_OK;
}

// What starts at the instant a step starts from acts on it already. As a fraction of a step.
static const double JUST_AFTER = 1e-9;

// Local copy of the committed state with ghosts, as the next step sees it.
static StPoint current_point(StSimulation *s) {
  size_t bytes = (size_t)s->state->size * sizeof(double);
  memcpy(s->position, s->state->position, bytes);
  memcpy(s->velocity, s->state->velocity, bytes);
  st_exchange_forward(s->system->exchange, s->position);
  st_exchange_forward(s->system->exchange, s->velocity);
  double time = s->state->time + JUST_AFTER * s->description->time.step;
  return (StPoint){time, s->position, s->velocity};
}

// The committed state as the step that led to it saw it: forces read out there are those that were
// applied.
static StPoint applied_point(StSimulation *s) {
  StPoint at = current_point(s);
  if (s->state->h_before > 0)
    at.time = st_attempt_instant(s->state->h_before, s->state->time);
  return at;
}

// Decoupled integrators leave contact and friction out of the force a step starts from.
static double history_weight(const StSimulation *s) {
  return s->attempt->integrator->decoupled ? 0 : 1;
}

static int pair_count(const StSimulation *s) {
  return s->system->contacts ? s->system->contacts->pair_count : 0;
}

// Which pairs touch at these positions. Collective.
static void note_touching(StSimulation *s, double time, const double *position, bool *touching) {
  StContacts *contacts = s->system->contacts;
  int pairs = pair_count(s);
  if (!pairs)
    return;
  memset(touching, 0, (size_t)pairs * sizeof(bool));
  if (st_contacts_update(contacts, time, position) == ST_OK)
    for (int t = 0; t < contacts->now.count; t++)
      touching[contacts->now.touch[t].pair] = true;
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, touching, pairs, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
}

// Whether bodies met or parted in the step that leads to the candidate.
static bool met_or_parted(const StSimulation *s) {
  return memcmp(s->touching, s->touching_next, (size_t)pair_count(s) * sizeof(bool)) != 0;
}

// Programs that drive motions run on every rank, and any may give up.
static StStatus heed_drivers(const StSimulation *s, StError *error) {
  if (!st_description_has_callbacks(s->description))
    return ST_OK;
  return st_runtime_agree(st_description_heed_drivers(s->description, error), error);
}

// Force and report of a state that no step has led to.
static StStatus begin_from_state(StSimulation *s, StError *error) {
  StPoint at = current_point(s);
  StTrouble trouble = {.vertex = -1};
  s->state->h_before = 0;
  s->state->forgetful = false;
  note_touching(s, s->state->time, at.position, s->touching);
  ST_TRY(st_touchdown_start(s->touchdown, at.time, at.position, s->log, error));
  if (st_system_total_force(s->system, &at, history_weight(s), s->force, &trouble) != ST_OK)
    return st_fail(
        error, ST_BAD_INPUT,
        "the state to start from is not admissible: force \"%s\": %s (vertex %d, element %d)",
        trouble.force, trouble.reason, trouble.vertex, trouble.element);
  memcpy(s->state->force, s->force, (size_t)s->state->size * sizeof(double));
  st_system_commit(s->system, &at);
  st_measure_take(s->measure, &at, &s->report);
  ST_TRY(st_certificate_measure(s->certificate, &at, &s->report, error));
  return heed_drivers(s, error);
}

static void warn_of_ringing(const StSimulation *s) {
  bool cloth = s->system->triangle_count > 0;
  if (!s->attempt->integrator->rings || !(s->system->contacts || cloth))
    return;
  st_log(s->log, ST_WARNING,
         "integrator \"%s\" does not damp the stiff vibration of %s may make energy grow: watch "
         "total_energy, or choose be, bdf2, tr_bdf2 or sdirk2",
         s->attempt->integrator->name,
         s->system->contacts ? "contacts, and impacts" : "cloth, and folds");
}

static StStatus build(StSimulation *s, StError *error) {
  ST_TRY(st_system_create(s->description, &s->system, error));
  const StPiece *piece = s->system->piece;
  size_t local = 3 * (size_t)piece->vertex_count;
  StStatus status = st_boundary_create(s->description, piece, &s->boundary, error);
  if (status == ST_OK)
    status = st_schedule_create(s->description, &s->schedule, error);
  if (status == ST_OK)
    status = st_state_create(piece->owned_count, &s->state, error);
  s->position = ST_NEW(double, local);
  s->velocity = ST_NEW(double, local);
  s->force = ST_NEW(double, local);
  s->candidate = ST_NEW(double, local);
  s->touching = ST_NEW(bool, pair_count(s));
  s->touching_next = ST_NEW(bool, pair_count(s));
  bool good =
      s->position && s->velocity && s->force && s->candidate && s->touching && s->touching_next;
  if (status == ST_OK && !good)
    status = st_fail_memory(error);
  if (status == ST_OK)
    status = st_touchdown_create(s->system, &s->touchdown, error);
  if (status == ST_OK)
    status = st_measure_create(s->system, &s->measure, error);
  if (status == ST_OK)
    status = st_certificate_create(s->system, &s->certificate, error);
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(st_gather_create(piece, &s->gather, error));
  ST_TRY(st_runtime_agree(create_solver(s, error), error));
  s->limit = s->description->time.step;
  warn_of_ringing(s);
  st_start(s->description, piece, s->boundary, s->state);
  return begin_from_state(s, error);
}

StStatus st_simulation_create(const StDescription *description, const StLog *log,
                              StSimulation **simulation, StError *error) {
  StSimulation *s = ST_NEW(StSimulation, 1);
  ST_TRY(st_runtime_agree(s ? ST_OK : st_fail_memory(error), error));
  s->description = description;
  s->log = log;
  StStatus status = build(s, error);
  if (status != ST_OK) {
    st_simulation_destroy(s);
    return status;
  }
  *simulation = s;
  return ST_OK;
}

void st_simulation_destroy(StSimulation *s) {
  if (!s)
    return;
  st_gather_destroy(s->gather);
  st_touchdown_destroy(s->touchdown);
  st_measure_destroy(s->measure);
  st_certificate_destroy(s->certificate);
  st_attempt_destroy(s->attempt);
  st_linear_destroy(s->linear);
  st_stage_destroy(s->stage);
  st_state_destroy(s->state);
  st_schedule_destroy(s->schedule);
  st_boundary_destroy(s->boundary);
  st_system_destroy(s->system);
  free(s->position);
  free(s->velocity);
  free(s->force);
  free(s->candidate);
  free(s->touching);
  free(s->touching_next);
  free(s);
}

// Takes the attempt's result over as the new state.
static void commit(StSimulation *s, double h, double end) {
  StState *state = s->state;
  double *oldest_position = state->position_before, *oldest_velocity = state->velocity_before;
  state->position_before = state->position;
  state->velocity_before = state->velocity;
  state->position = s->attempt->position;
  state->velocity = s->attempt->velocity;
  s->attempt->position = oldest_position;
  s->attempt->velocity = oldest_velocity;
  state->time = end;
  state->h_before = h;
  if (++s->steps_since_cut >= PATIENCE && s->limit < s->description->time.step) {
    s->limit = fmin(2 * s->limit, s->description->time.step);
    s->steps_since_cut = 0;
  }
}

// What contact and friction did in the step just committed.
static StStatus certify(StSimulation *s, StError *error) {
  StPoint at = applied_point(s);
  ST_TRY(st_certificate_measure(s->certificate, &at, &s->report, error));
  st_certificate_count(s->certificate, &s->report, s->touchdown->repeats);
  return ST_OK;
}

// Total force at the new state (for methods that start from it), energies and counts.
static StStatus finish_step(StSimulation *s, double h, int retries, double began, StError *error) {
  StReport *report = &s->report;
  report->step++;
  report->time = s->state->time;
  ST_TRY(certify(s, error));
  StPoint at = current_point(s);
  st_system_commit(s->system, &at);
  if (st_attempt_needs_force(s->attempt)) {
    StTrouble trouble;
    if (st_system_total_force(s->system, &at, history_weight(s), s->force, &trouble) != ST_OK)
      return st_fail(error, ST_BUG, "the state just solved for is not admissible");
    memcpy(s->state->force, s->force, (size_t)s->state->size * sizeof(double));
  }
  report->h = h;
  report->retries = retries;
  report->newton_iterations = s->attempt->newton_iterations;
  report->linear_iterations = s->attempt->linear_iterations;
  report->residual = s->attempt->newton.speed;
  st_measure_take(s->measure, &at, report);
  report->seconds = now() - began;
  s->total_newton += report->newton_iterations;
  s->total_linear += report->linear_iterations;
  s->total_retries += retries;
  return ST_OK;
}

// Largest size the next step may have: a two-step method bears at most a doubling.
static double step_limit(const StSimulation *s) {
  bool two_step = s->attempt->integrator->two_step && s->state->h_before > 0;
  return two_step ? fmin(s->limit, 2 * s->state->h_before) : s->limit;
}

// Solves the step; lagged friction does so again from each solution, as often as asked for.
static StStatus solve_step(StSimulation *s, double h, double end, StError *error) {
  const StContactSettings *contact = &s->description->contact_settings;
  bool lagged = s->system->contacts && contact->friction == ST_FRICTION_LAGGED;
  int rounds = lagged ? contact->friction_iterations : 1;
  for (int k = 0; k < rounds; k++) {
    if (k > 0)
      ST_TRY(
          st_runtime_agree(st_contacts_lag(s->system->contacts, end, s->candidate, error), error));
    ST_TRY(st_attempt_run(s->attempt, s->state, h, end, error));
    memcpy(s->candidate, s->attempt->position, (size_t)s->state->size * sizeof(double));
    st_exchange_forward(s->system->exchange, s->candidate);
  }
  return ST_OK;
}

// A two-step method carries the acceleration of the last step on into the next, also when bodies
// part in between, and so makes energy. The step in which they meet or part is taken by the method
// it starts with, and so is the next. True when the step has to be solved again for that.
static bool must_forget(StSimulation *s, double end) {
  bool two_step = s->attempt->integrator->two_step && s->state->h_before > 0;
  note_touching(s, end, s->candidate, s->touching_next);
  if (!two_step || s->state->forgetful || !met_or_parted(s))
    return false;
  s->state->forgetful = true;
  return true;
}

// Solves until nothing is inside anything, stiffening contact in between. ST_NOT_SOLVED when that
// takes too long or something passed through: *why says what.
static StStatus try_step(StSimulation *s, double h, double end, StError *why, StError *error) {
  StPoint start = current_point(s);
  int newton = 0, linear = 0;
  for (int repeat = 0; repeat <= s->description->contact_settings.max_repeats; repeat++) {
    ST_TRY(st_touchdown_begin_step(s->touchdown, start.time, start.position, error));
    StStatus status = solve_step(s, h, end, error);
    newton += s->attempt->newton_iterations;
    linear += s->attempt->linear_iterations;
    if (status == ST_NOT_SOLVED)
      return st_fail(why, status, "%s", st_newton_reason_text(s->attempt->newton.reason));
    ST_TRY(status);
    StVerdict verdict;
    ST_TRY(st_touchdown_judge(s->touchdown, s->state->time, end, start.position, s->candidate,
                              &verdict, error));
    s->attempt->newton_iterations = newton;
    s->attempt->linear_iterations = linear;
    if (verdict == ST_VERDICT_CROSSED)
      break;
    if (verdict == ST_VERDICT_CLEAR && !must_forget(s, end))
      return ST_OK;
  }
  st_fail(why, ST_NOT_SOLVED, "%s", "");
  st_touchdown_describe(s->touchdown, why->text, sizeof why->text);
  s->attempt->newton.reason = ST_NEWTON_CONVERGED;
  return ST_NOT_SOLVED;
}

static StStatus give_up(StSimulation *s, double h, const StError *why, StError *error) {
  if (s->attempt->newton.reason != ST_NEWTON_CONVERGED)
    return st_diagnose(s->attempt, s->state, h, error);
  return st_fail(
      error, ST_NOT_SOLVED,
      "time %.6g s: no step down to %.3g s keeps bodies apart (force \"contact\"): %.1500s",
      s->state->time, h, why->text);
}

StStatus st_simulation_step(StSimulation *s, StError *error) {
  double began = now(), h, end;
  int retries = 0;
  StError why = {0};
  s->touchdown->repeats = 0;
  for (;;) {
    h = st_schedule_step(s->schedule, s->state->time, step_limit(s), &end);
    StStatus status = try_step(s, h, end, &why, error);
    ST_TRY(heed_drivers(s, error));
    if (status == ST_OK)
      break;
    if (status != ST_NOT_SOLVED)
      return status;
    if (h / 2 < s->description->time.smallest_step)
      return give_up(s, h, &why, error);
    st_log(s->log, ST_DETAIL, "time %.6g s: step of %.3g s not taken (%.1500s), halving it",
           s->state->time, h, why.text);
    s->limit = h / 2;
    s->steps_since_cut = 0;
    retries++;
  }
  commit(s, h, end);
  s->state->forgetful = met_or_parted(s);
  memcpy(s->touching, s->touching_next, (size_t)pair_count(s) * sizeof(bool));
  st_touchdown_commit(s->touchdown);
  return finish_step(s, h, retries, began, error);
}

const StReport *st_simulation_report(const StSimulation *s) {
  return &s->report;
}

const StNewtonResult *st_simulation_newton(const StSimulation *s) {
  return &s->attempt->newton;
}

const StSystem *st_simulation_system(const StSimulation *s) {
  return s->system;
}

double st_simulation_time(const StSimulation *s) {
  return s->state->time;
}

bool st_simulation_finished(const StSimulation *s) {
  return st_schedule_finished(s->schedule, s->state->time);
}

bool st_simulation_on_frame(const StSimulation *s) {
  return st_schedule_on_frame(s->schedule, s->state->time);
}

int st_simulation_frame(const StSimulation *s) {
  return st_schedule_frame(s->schedule, s->state->time);
}

int st_simulation_frame_count(const StSimulation *s) {
  return st_schedule_frame_count(s->schedule);
}

StStatus st_simulation_snapshot(StSimulation *s, bool forces, bool stress, StSnapshot *out,
                                StError *error) {
  *out = (StSnapshot){.time = s->state->time,
                      .frame = st_simulation_frame(s),
                      .vertex_count = st_gather_vertex_total(s->gather),
                      .tet_count = st_gather_tet_total(s->gather)};
  StPoint at = applied_point(s);
  StStatus status = st_gather_vertices(s->gather, s->state->position, 3, &out->position, error);
  if (status == ST_OK)
    status = st_gather_vertices(s->gather, s->state->velocity, 3, &out->velocity, error);
  if (status == ST_OK && forces)
    status = st_fields_forces(s->system, s->gather, &at, s->force, out, error);
  if (status == ST_OK && forces)
    status = st_certificate_gather(s->certificate, s->gather, &at, out, error);
  if (status == ST_OK && stress)
    status = st_fields_stress(s->system, s->gather, &at, out, error);
  if (status != ST_OK)
    st_snapshot_free(out);
  return status;
}

// What contacts remember belongs to where things were.
static StStatus begin_anew(StSimulation *s, StError *error) {
  if (s->system->contacts) {
    st_sides_forget(s->system->contacts);
    st_contacts_begin_step(s->system->contacts, current_point(s).position);
  }
  return begin_from_state(s, error);
}

StStatus st_simulation_set_state(StSimulation *s, const double *position, const double *velocity,
                                 StError *error) {
  StState *state = s->state;
  ST_TRY(st_gather_spread(s->gather, position, state->position_before, error));
  ST_TRY(st_gather_spread(s->gather, velocity, state->velocity_before, error));
  st_boundary_apply(s->boundary, state->time, state->time, state->position_before,
                    state->velocity_before);
  st_state_swap(state);
  StStatus status = begin_anew(s, error);
  if (status != ST_OK) {
    st_state_swap(state);
    begin_anew(s, NULL);
  }
  return status;
}

static StExtra extra_of(const StSimulation *s) {
  return (StExtra){s->linear, s->system, s->system->contacts, s->certificate};
}

StStatus st_simulation_checkpoint(StSimulation *s, StCheckpoint *out, StError *error) {
  *out =
      (StCheckpoint){.step = s->report.step,
                     .frame = st_simulation_frame(s),
                     .time = s->state->time,
                     .h = s->limit,
                     .h_previous = s->state->forgetful ? -s->state->h_before : s->state->h_before,
                     .steps_since_cut = s->steps_since_cut,
                     .total_newton = s->total_newton,
                     .total_linear = s->total_linear,
                     .total_retries = s->total_retries,
                     .vertex_count = st_gather_vertex_total(s->gather)};
  const StState *state = s->state;
  const double *from[] = {state->position, state->velocity, state->position_before,
                          state->velocity_before, state->force};
  double **to[] = {&out->position, &out->velocity, &out->position_previous, &out->velocity_previous,
                   &out->force};
  StStatus status = ST_OK;
  StExtra extra = extra_of(s);
  for (int i = 0; i < ST_LENGTH(from) && status == ST_OK; i++)
    status = st_gather_vertices(s->gather, from[i], 3, to[i], error);
  if (status == ST_OK)
    status = st_runtime_agree(st_extra_pack(&extra, out, error), error);
  if (status == ST_OK)
    status = st_stage_forget_contacts(s->stage, error);
  if (status != ST_OK)
    st_checkpoint_free(out);
  return status;
}

typedef struct Scalars {
  long step, newton, linear, retries;
  double time, h, h_previous;
  int steps_since_cut, vertex_count;
} Scalars;

static Scalars scalars_of(const StCheckpoint *from) {
  Scalars scalars = {.step = from->step,
                     .newton = from->total_newton,
                     .linear = from->total_linear,
                     .retries = from->total_retries,
                     .time = from->time,
                     .h = from->h,
                     .h_previous = from->h_previous,
                     .steps_since_cut = from->steps_since_cut,
                     .vertex_count = from->vertex_count};
  return scalars;
}

StStatus st_simulation_restore(StSimulation *s, const StCheckpoint *from, StError *error) {
  Scalars scalars = {0};
  if (st_runtime_rank() == 0)
    scalars = scalars_of(from);
  if (st_runtime_size() > 1)
    MPI_Bcast(&scalars, (int)sizeof scalars, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (scalars.vertex_count != st_gather_vertex_total(s->gather))
    return st_fail(error, ST_BAD_INPUT, "the checkpoint has %d vertices, the scene has %d",
                   scalars.vertex_count, st_gather_vertex_total(s->gather));
  StState *state = s->state;
  const double *whole[] = {from->position, from->velocity, from->position_previous,
                           from->velocity_previous, from->force};
  double *local[] = {state->position, state->velocity, state->position_before,
                     state->velocity_before, state->force};
  for (int i = 0; i < ST_LENGTH(whole); i++)
    ST_TRY(st_gather_spread(s->gather, whole[i], local[i], error));
  state->time = scalars.time;
  state->h_before = fabs(scalars.h_previous);
  state->forgetful = scalars.h_previous < 0;
  s->limit = scalars.h;
  s->steps_since_cut = scalars.steps_since_cut;
  s->total_newton = scalars.newton;
  s->total_linear = scalars.linear;
  s->total_retries = scalars.retries;
  StExtra extra = extra_of(s);
  ST_TRY(st_extra_unpack(&extra, from, error));
  ST_TRY(st_stage_forget_contacts(s->stage, error));
  note_touching(s, state->time, current_point(s).position, s->touching);
  StPoint at = applied_point(s);
  ST_TRY(st_touchdown_begin_step(s->touchdown, at.time, at.position, error));
  s->report = (StReport){.step = scalars.step, .time = scalars.time, .h = state->h_before};
  ST_TRY(st_certificate_measure(s->certificate, &at, &s->report, error));
  at = current_point(s);
  st_measure_take(s->measure, &at, &s->report);
  return ST_OK;
}
