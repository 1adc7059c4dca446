// The step: predict, attempt, recover until accepted; then commit, measure and record.
// step/acceptance.c decides whether an attempt is accepted, and step/recovery.h what to do if not.
// Tested by tests/robustness/test_torture.c.
#include "step/simulation.h"

#include "step/diagnose.h"
#include "step/neighbours.h"
#include "step/rigidity.h"
#include "step/simulation_parts.h"
#include "step/tunables.h"

#include <math.h>
#include <string.h>
#include <time.h>

// The present step, attempt by attempt.
typedef struct Step {
  StPlan plan;
  StOutcome outcome; // of the last attempt, …
  StError why;       // … in words
  bool damped;       // backward Euler from here on
  StEffort effort;   // of all attempts
} Step;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Matrix entries for contacts are rebuilt in each step, so that a resumed run factorises the same
// matrices as an uninterrupted one.
static void begin_step(StSimulation *s) {
  st_stage_begin_step(s->stage);
  st_recovery_begin(&s->recovery);
  s->statics.jump = 0;
  s->statics.adrift = (StAdrift){0};
  s->attempt->solving.warm_starts.count = 0;
}

// A two-step method starts, or restarts, with another method.
static bool needs_restart(const StSimulation *s) {
  return s->integrator->two_step && (s->state->h_before == 0 || s->memory.restart);
}

// Largest size of the next step: a two-step method tolerates at most a doubling.
static double step_limit(const StSimulation *s) {
  bool two_step = s->integrator->two_step && s->state->h_before > 0;
  return two_step ? fmin(s->limit, 2 * s->state->h_before) : s->limit;
}

static void predict(const StSimulation *s, Step *step) {
  StPlan *plan = &step->plan;
  double time = s->state->time, limit = step_limit(s);
  plan->method = s->integrator;
  if (needs_restart(s))
    plan->method = s->starter;
  if (step->damped)
    plan->method = st_integrator_find("be");
  plan->h = isnan(s->until) ? st_schedule_step(s->schedule, time, limit, &plan->end)
                            : st_schedule_step_to(s->schedule, time, limit, s->until, &plan->end);
}

static StStatus begin_contact(StSimulation *s, StError *error) {
  StContactState *contact = s->system->contact_state;
  st_neighbours_begin(s->system, s->state->position);
  StPoint start = st_simulation_place(s);
  if (!s->system->contacts)
    return ST_OK;
  ST_TRY(st_contact_step_begin_step(s->contact_step, start.time, start.position, error));
  ST_TRY(st_touching_pairs_list(&contact->before, &s->touching, error));
  return ST_OK;
}

static void take_candidate(StSimulation *s) {
  size_t bytes = (size_t)s->state->size * sizeof(double);
  memcpy(s->candidate, s->attempt->position, bytes);
  memcpy(s->candidate_speed, s->attempt->velocity, bytes);
  st_neighbours_cover(s->system, (const double *[]){s->candidate}, 1);
  st_exchange_forward(s->system->exchange, s->candidate);
  st_exchange_forward(s->system->exchange, s->candidate_speed);
  // The last residual is often that of the solution.
  if (st_exchange_same(s->system->exchange, s->candidate, s->stage->position))
    st_contact_cache_copied(s->system->contact_cache, s->stage->position, s->candidate);
  else
    st_contact_cache_moved(s->system->contact_cache, s->candidate);
}

// Lagged friction is solved again from each solution, as often as requested.
static StStatus solve(StSimulation *s, const StPlan *plan, StError *error) {
  const StContactSettings *contact = &s->description->contact_settings;
  bool lagged = s->system->contacts && contact->friction == ST_FRICTION_LAGGED;
  int rounds = lagged ? contact->friction_iterations : 1;
  ST_TRY(begin_contact(s, error));
  s->attempt->solving.allowance = st_recovery_allowance(&s->recovery);
  s->attempt->solving.effort = (StEffort){0};
  if (plan->method->statics)
    st_statics_choose_tolerances(&s->statics, s->system, st_simulation_place(s).position, plan,
                                 s->force, &s->attempt->solving.options);
  for (int k = 0; k < rounds; k++) {
    if (k > 0)
      ST_TRY(st_contact_step_lag(s->contact_step, plan->end, s->candidate, error));
    ST_TRY(st_attempt_run(s->attempt, s->state, plan, error));
    if (plan->method->statics)
      ST_TRY(st_statics_find_mode(&s->statics, s->attempt, error));
    take_candidate(s);
  }
  return ST_OK;
}

static StStatus attempt(StSimulation *s, Step *step, StError *error) {
  const StSolving *solving = &s->attempt->solving;
  StStatus status = solve(s, &step->plan, error);
  step->outcome = ST_OUTCOME_UNSOLVED;
  if (status == ST_OK)
    status = st_simulation_accept(s, &step->plan, &step->outcome, &step->why, error);
  ST_TRY(st_simulation_check_drivers(s, error));
  step->effort.newton += solving->effort.newton;
  step->effort.linear += solving->effort.linear;
  step->effort.evaluations += solving->effort.evaluations;
  step->effort.uphill += solving->effort.uphill;
  if (status != ST_NOT_SOLVED)
    return status;
  st_fail(&step->why, status, "%s", st_diagnose_reason(solving->newton.reason));
  return step->plan.method->statics
             ? st_statics_note_drift(&s->statics, s->attempt, s->state, step->plan.h, error)
             : ST_OK;
}

static StStatus give_up(StSimulation *s, const Step *step, StError *error) {
  const StPlan *plan = &step->plan;
  bool unstable = step->outcome == ST_OUTCOME_UNSTABLE;
  if (plan->method->statics && (unstable || step->outcome == ST_OUTCOME_UNSOLVED))
    return st_statics_explain(&s->statics, s->attempt, s->state, plan->h, unstable, error);
  if (step->outcome == ST_OUTCOME_UNSOLVED)
    st_diagnose(s->attempt, s->state, plan->h, error);
  else
    st_fail(error, ST_NOT_SOLVED,
            "time %.6g s: no step down to %.3g s keeps bodies apart (force \"contact\"): %.1500s",
            s->state->time, plan->h, step->why.text);
  if (s->recovery.spent >= s->recovery.step_budget && error) {
    StError first_error = *error;
    st_fail(error, ST_NOT_SOLVED,
            "%.1800s; all attempts together took %d Newton iterations (solver.step_iterations)",
            first_error.text, s->recovery.spent);
  }
  return ST_NOT_SOLVED;
}

static void set_limit(StSimulation *s, double limit) {
  s->limit = limit;
  s->steps_since_cut = 0;
}

// *answer: what to do after the attempt; ST_ANSWER_KEEP: it is accepted.
static StStatus recover(StSimulation *s, Step *step, StAnswer *answer, StError *error) {
  const StPlan *plan = &step->plan;
  *answer = ST_ANSWER_KEEP;
  if (step->outcome == ST_OUTCOME_GOOD)
    return ST_OK;
  StChances chances = {.halve = plan->h / 2 >= s->description->time.smallest_step,
                       .damp = !plan->method->statics && plan->method != st_integrator_find("be"),
                       .stored =
                           step->outcome == ST_OUTCOME_GAINED && st_simulation_has_stored_gain(s)};
  *answer =
      st_recovery_answer(&s->recovery, step->outcome, s->attempt->solving.effort.newton, chances);
  st_log(s->log, ST_DETAIL, "time %.6g s: step of %.3g s: %.1500s: %s", s->state->time, plan->h,
         step->why.text, st_answer_text(*answer));
  switch (*answer) {
  case ST_ANSWER_RESTART: s->memory.restart = true; break;
  case ST_ANSWER_DAMP: step->damped = true; break;
  case ST_ANSWER_HALVE: set_limit(s, plan->h / 2); break;
  case ST_ANSWER_GIVE_UP: return give_up(s, step, error);
  case ST_ANSWER_REPEAT:
  case ST_ANSWER_KEEP: break;
  }
  return ST_OK;
}

static bool is_easy(const StSimulation *s, const StPlan *plan) {
  int iterations = s->attempt->solving.effort.newton;
  return !st_system_needs_descent(s->system) ||
         iterations <= st_step_tunables.step_easy * plan->method->stage_count;
}

static void grow_back(StSimulation *s, const StPlan *plan) {
  double full = s->description->time.step;
  if (!(s->limit < full))
    return;
  s->steps_since_cut += is_easy(s, plan) ? (int)st_step_tunables.step_easy_counts : 1;
  if (s->steps_since_cut < st_step_tunables.step_patience)
    return;
  set_limit(s, fmin(2 * s->limit, full));
}

void st_simulation_take_result(StSimulation *s, const StPlan *plan) {
  StState *state = s->state; // arrays change places with the attempt's, which ends with it
  double *oldest_position = state->position_before, *oldest_velocity = state->velocity_before,
         *oldest_solved = state->solved;
  state->position_before = state->position;
  state->velocity_before = state->velocity;
  state->position = s->attempt->position;
  state->velocity = s->attempt->velocity;
  state->solved = s->attempt->solved;
  s->attempt->position = oldest_position;
  s->attempt->velocity = oldest_velocity;
  s->attempt->solved = oldest_solved;
  state->time = plan->end;
  state->h_before = plan->h;
}

// Makes the attempt's result the new state.
static void commit(StSimulation *s, const StPlan *plan) {
  st_simulation_take_result(s, plan);
  s->inverted = s->measure->inverted;
  s->memory.restart = st_simulation_met_or_parted(s);
  st_contact_step_commit(s->contact_step, st_simulation_just_after(s, plan->end), s->candidate);
  st_simulation_place(s);
  st_contact_cache_copied(s->system->contact_cache, s->candidate, s->position);
  grow_back(s, plan);
}

// Reports of contact, friction and the independent check, and the force that the next step starts
// from.
static StStatus measure(StSimulation *s, const StPlan *plan, StError *error) {
  s->report = s->next;
  s->report.step++;
  s->report.time = plan->end;
  s->report.h = plan->h;
  StPoint at = st_simulation_applied(s), applied = at;
  st_motion_loss_measure(s->motion_loss, &at, s->state->velocity_before, s->state->velocity,
                         plan->h);
  ST_TRY(st_simulation_read_applied(s, &at, error));
  ST_TRY(st_reactions_read(s->reactions, s->state, &applied, &s->report, error));
  st_certificate_count(s->certificate, &s->report, s->recovery.rejected[ST_OUTCOME_INSIDE]);
  ST_TRY(st_simulation_inspect(s, true, error));
  st_inspection_count(s->inspection, &s->report, false);
  at = st_simulation_current(s);
  st_system_commit(s->system, &at);
  StTrouble trouble;
  if (st_integrator_uses_force(s->integrator) &&
      st_simulation_take_force(s, &at, &trouble) != ST_OK)
    return st_fail(error, ST_BUG, "the state just solved for is not admissible");
  return ST_OK;
}

static void report_effort(StSimulation *s, const StEffort *effort) {
  const StSolving *solving = &s->attempt->solving;
  StReport *report = &s->report;
  report->newton_iterations = effort->newton;
  report->linear_iterations = effort->linear;
  report->residual_evaluations = effort->evaluations;
  report->retries = 0;
  memcpy(report->rejected, s->recovery.rejected, sizeof report->rejected);
  for (int i = 0; i < ST_OUTCOME_COUNT; i++)
    report->retries += report->rejected[i];
  report->rung = s->recovery.rung > solving->rung ? s->recovery.rung : solving->rung;
  report->residual = solving->newton.residual;
  if (s->stage->reach > 0) // as the speed that it would give in the step
    report->residual *= report->h * report->h / (s->stage->reach * s->stage->reach);
}

// Adds the committed step to the records of the run.
static void record(StSimulation *s, const StIntegrator *method) {
  const StReport *report = &s->report;
  st_energy_count(&s->memory.energy, report);
  st_recovery_count(&s->memory.recovery, report);
  st_rigidity_count(&s->memory.rigidity, report);
  st_spin_loss_count(s->spin_loss, method, report, &s->memory.spin, s->log);
  StLossStep step = {.counts = method == st_integrator_find("be"),
                     .kinetic_energy = s->memory.kinetic_energy,
                     .force_energy = s->memory.force_energy,
                     .led = s->attempt->done.led,
                     .mass = s->measure->mass,
                     .warns = s->memory.spin.body < 0};
  st_motion_loss_count(s->motion_loss, &step, report, &s->memory.loss, s->log);
  s->memory.lost_energy =
      fmax(st_step_tunables.energy_fading * s->memory.lost_energy - report->energy_gain, 0);
  st_simulation_remember_energy(s);
  s->total_newton += report->newton_iterations;
  s->total_linear += report->linear_iterations;
  s->total_retries += report->retries;
}

StStatus st_simulation_step(StSimulation *s, StError *error) {
  double began = now();
  Step step = {0};
  StAnswer answer;
  begin_step(s);
  do {
    predict(s, &step);
    ST_TRY(attempt(s, &step, error));
    ST_TRY(recover(s, &step, &answer, error));
  } while (answer != ST_ANSWER_KEEP);
  if (s->observer.accepted)
    ST_TRY(s->observer.accepted(s->observer.context, &step.plan, error));
  commit(s, &step.plan);
  ST_TRY(measure(s, &step.plan, error));
  report_effort(s, &step.effort);
  record(s, step.plan.method);
  s->report.seconds = now() - began;
  return ST_OK;
}

void st_simulation_observe(StSimulation *s, StStepObserver observer) {
  s->observer = observer;
}

StStatus st_simulation_step_to(StSimulation *s, double until, bool *reached, StError *error) {
  *reached = st_schedule_reached(s->schedule, s->state->time, until);
  if (*reached)
    return ST_OK;
  s->until = until;
  StStatus status = st_simulation_step(s, error);
  s->until = NAN;
  return status;
}
