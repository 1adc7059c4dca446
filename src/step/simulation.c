// The step: predict, solve, check, commit. step/recovery.h decides what to do about an attempt that
// cannot be accepted.
#include "step/simulation.h"

#include "solve/runtime.h"
#include "step/diagnose.h"
#include "step/neighbours.h"
#include "step/rigidity.h"
#include "step/simulation_parts.h"

#include <math.h>
#include <string.h>
#include <time.h>

// A step that was cut is doubled again after four easy ones, or sixteen of any kind. Between walls
// a step is easy if its stages took so few Newton iterations each: after others a step of twice the
// size is likely to fail.
enum { PATIENCE = 16, EASY_COUNTS = 4, EASY = 12 };

// Fraction of the lost energy that still counts in the next step.
static const double FADING = 0.5;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

static StPlan predict(const StSimulation *s, bool damped) {
  StPlan plan = {.method = s->integrator};
  if (needs_restart(s))
    plan.method = st_integrator_find(s->integrator->start);
  if (damped)
    plan.method = st_integrator_find("be");
  double time = s->state->time, limit = step_limit(s);
  plan.h = isnan(s->until) ? st_schedule_step(s->schedule, time, limit, &plan.end)
                           : st_schedule_step_to(s->schedule, time, limit, s->until, &plan.end);
  return plan;
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
  st_neighbours_begin(s->system, s->state->position);
  StPoint start = st_simulation_place(s);
  if (s->system->contacts)
    st_contact_state_expect(s->system->contacts, s->system->contact_state, start.velocity,
                            plan->end - s->state->time);
  ST_TRY(st_contact_step_begin_step(s->contact_step, start.time, start.position, error));
  if (s->system->contacts)
    st_simulation_note_touching(s, &s->system->contact_state->before, s->touching);
  s->attempt->solving.allowance = st_recovery_allowance(&s->recovery);
  s->attempt->solving.newton_iterations = s->attempt->solving.linear_iterations = 0;
  s->attempt->solving.evaluations = 0;
  for (int k = 0; k < rounds; k++) {
    if (k > 0)
      ST_TRY(st_contact_step_lag(s->contact_step, plan->end, s->candidate, error));
    ST_TRY(st_attempt_run(s->attempt, s->state, plan, error));
    take_candidate(s);
  }
  return ST_OK;
}

// A two-step method carries the acceleration of the last step into the next, even if bodies
// separate in between, and so creates energy. The step in which they meet or separate, and the
// next, use its starting method.
static bool met_or_parted(const StSimulation *s) {
  size_t bytes = (size_t)st_simulation_pairs(s) * sizeof(bool);
  return memcmp(s->touching, s->touching_next, bytes) != 0;
}

// Puts the candidate's energies and their balance into the next report. Returns the gain that
// counts.
static double balance_energy(StSimulation *s, const StPlan *plan) {
  StReport *next = &s->next;
  StPoint start = st_simulation_place(s);
  StPoint end = {.time = st_simulation_just_after(s, plan->end),
                 .position = s->candidate,
                 .velocity = s->candidate_speed};
  end.contact_set = st_contact_cache_at(s->system->contact_cache, end.time, end.position, 0);
  *next = s->report;
  st_measure_take(s->measure, &end, next);
  StEnergyEnds ends = {.before = &s->report,
                       .after = next,
                       .from = start.position,
                       .to = end.position,
                       .start = start.time,
                       .last = st_attempt_instant(plan->h, plan->end),
                       .end = end.time,
                       .done = s->attempt->done,
                       .pressing_work = st_energy_pressing_work(s->system, &end, &s->report),
                       .lost = s->memory.lost_energy,
                       .noise = s->energy_noise,
                       .mass = s->measure->mass,
                       .velocity_tolerance = s->description->solver.velocity_tolerance};
  StEnergyBalance balance = st_energy_balance(s->system, &ends);
  next->external_work = balance.work;
  next->energy_gain = balance.gain;
  next->energy_error = balance.allowed;
  return balance.worst;
}

// Whether the energy gained is what contact and anchors store of themselves at the start of the
// step. No smaller step would undo that.
static bool has_stored_gain(StSimulation *s) {
  StPoint start = st_simulation_current(s);
  double stored = st_energy_jump(s->system, &start, &s->report);
  return s->next.energy_gain <= s->next.energy_error + stored;
}

// Undamped integrators create energy in impacts. With friction by velocity, as in the experiments
// that compare integrators, this is shown as it is; anchors would be torn off.
static bool is_balanced(const StSimulation *s) {
  for (int i = 0; i < s->description->contact_count; i++) {
    const StFrictionDesc *friction = &s->description->contact[i].friction;
    if (friction->stick == ST_STICK_ANCHORED && friction->static_coefficient > 0)
      return true;
  }
  return !s->integrator->rings;
}

// What is wrong with the attempt, if anything; *why says it in words. Stiffens contact if something
// is inside something.
static StStatus judge(StSimulation *s, const StPlan *plan, StOutcome *outcome, StError *why,
                      StError *error) {
  StVerdict verdict;
  StPoint start = st_simulation_place(s);
  bool passed;
  ST_TRY(st_step_sweep_look(s->step_sweep,
                            &(StStepEnds){.start = s->state->time,
                                          .end = plan->end,
                                          .before = s->position,
                                          .after = s->candidate,
                                          .speed = s->candidate_speed},
                            &passed, why, error));
  *outcome = ST_OUTCOME_CROSSED;
  if (passed)
    return ST_OK;
  ST_TRY(st_contact_step_judge(s->contact_step, s->state->time, plan->end, start.position,
                               s->candidate, &verdict, error));
  *outcome = ST_OUTCOME_GOOD;
  if (verdict != ST_VERDICT_CLEAR) {
    *outcome = verdict == ST_VERDICT_CROSSED ? ST_OUTCOME_CROSSED : ST_OUTCOME_INSIDE;
    st_contact_step_describe(s->contact_step, why->text, sizeof why->text);
    return ST_OK;
  }
  if (s->system->contacts)
    st_simulation_note_touching(
        s, &st_contact_cache_at(s->system->contact_cache, plan->end, s->candidate, 0)->now,
        s->touching_next);
  double gain = balance_energy(s, plan);
  int inverted = s->measure->inverted - s->inverted;
  if (plan->method->two_step && met_or_parted(s)) {
    *outcome = ST_OUTCOME_MET;
    st_fail(why, ST_NOT_SOLVED, "bodies met or separated");
  } else if (!(gain <= s->next.energy_error) && is_balanced(s)) {
    *outcome = ST_OUTCOME_GAINED;
    st_fail(why, ST_NOT_SOLVED, "energy grew by %.3g J beyond the work done", gain);
  } else if (inverted > 0) {
    *outcome = ST_OUTCOME_INVERTED;
    st_fail(why, ST_NOT_SOLVED, "%d tets turned inside out", inverted);
  }
  return ST_OK;
}

static StStatus try_plan(StSimulation *s, const StPlan *plan, StOutcome *outcome, StError *why,
                         StError *error) {
  StStatus status = solve(s, plan, error);
  *outcome = ST_OUTCOME_UNSOLVED;
  if (status == ST_OK)
    status = judge(s, plan, outcome, why, error);
  ST_TRY(st_simulation_check_drivers(s, error));
  if (status == ST_NOT_SOLVED) {
    st_fail(why, status, "%s", st_diagnose_reason(s->attempt->solving.newton.reason));
    status = ST_OK;
  }
  return status;
}

static StStatus give_up(StSimulation *s, const StPlan *plan, StOutcome outcome, const StError *why,
                        StError *error) {
  if (outcome == ST_OUTCOME_UNSOLVED)
    st_diagnose(s->attempt, s->state, plan->h, error);
  else
    st_fail(error, ST_NOT_SOLVED,
            "time %.6g s: no step down to %.3g s keeps bodies apart (force \"contact\"): %.1500s",
            s->state->time, plan->h, why->text);
  if (s->recovery.spent >= s->recovery.step_budget && error) {
    StError first_error = *error;
    st_fail(error, ST_NOT_SOLVED,
            "%.1800s; all attempts together took %d Newton iterations (solver.step_iterations)",
            first_error.text, s->recovery.spent);
  }
  return ST_NOT_SOLVED;
}

static void halve(StSimulation *s, const StPlan *plan) {
  s->limit = plan->h / 2;
  s->steps_since_cut = 0;
}

static bool is_easy(const StSimulation *s, const StPlan *plan) {
  int iterations = s->attempt->solving.newton_iterations;
  return !st_system_needs_descent(s->system) || iterations <= EASY * plan->method->stage_count;
}

static void grow_back(StSimulation *s, const StPlan *plan) {
  double full = s->description->time.step;
  if (!(s->limit < full))
    return;
  s->steps_since_cut += is_easy(s, plan) ? EASY_COUNTS : 1;
  if (s->steps_since_cut < PATIENCE)
    return;
  s->limit = fmin(2 * s->limit, full);
  s->steps_since_cut = 0;
}

// Makes the attempt's result the new state.
static void commit(StSimulation *s, const StPlan *plan) {
  StState *state = s->state;
  double *oldest_position = state->position_before, *oldest_velocity = state->velocity_before;
  state->position_before = state->position;
  state->velocity_before = state->velocity;
  state->position = s->attempt->position;
  state->velocity = s->attempt->velocity;
  s->attempt->position = oldest_position;
  s->attempt->velocity = oldest_velocity;
  state->time = plan->end;
  state->h_before = plan->h;
  s->inverted = s->measure->inverted;
  s->memory.restart = met_or_parted(s);
  s->memory.turned = plan->method->turns;
  st_contact_step_commit(s->contact_step, st_simulation_just_after(s, plan->end), s->candidate);
  st_simulation_place(s);
  st_contact_cache_copied(s->system->contact_cache, s->candidate, s->position);
  grow_back(s, plan);
}

// Adds the committed step to the records of the run.
static void record(StSimulation *s, const StIntegrator *method) {
  const StReport *report = &s->report;
  st_energy_count(&s->memory.energy, report);
  st_recovery_count(&s->memory.recovery, report);
  st_rigidity_count(&s->memory.rigidity, report);
  st_spin_loss_count(s->spin_loss, method, report, &s->memory.spin, s->log);
  s->memory.lost_energy = fmax(FADING * s->memory.lost_energy - report->energy_gain, 0);
  st_simulation_remember_energy(s);
  s->total_newton += report->newton_iterations;
  s->total_linear += report->linear_iterations;
  s->total_retries += report->retries;
}

// Totals of all attempts at a step.
typedef struct Effort {
  int newton, linear, evaluations;
} Effort;

static void add_effort(const StSolving *solving, Effort *effort) {
  effort->newton += solving->newton_iterations;
  effort->linear += solving->linear_iterations;
  effort->evaluations += solving->evaluations;
}

static void report_effort(StSimulation *s, const Effort *effort) {
  StReport *report = &s->report;
  report->newton_iterations = effort->newton;
  report->linear_iterations = effort->linear;
  report->residual_evaluations = effort->evaluations;
  report->retries = 0;
  memcpy(report->rejected, s->recovery.rejected, sizeof report->rejected);
  for (int i = 0; i < ST_OUTCOME_COUNT; i++)
    report->retries += report->rejected[i];
  report->rung =
      s->recovery.rung > s->attempt->solving.rung ? s->recovery.rung : s->attempt->solving.rung;
  report->residual = s->attempt->solving.newton.residual;
}

// Reports of contact, friction and the independent check, and the force that the next step starts
// from.
static StStatus finish(StSimulation *s, const StPlan *plan, StError *error) {
  s->report = s->next;
  s->report.step++;
  s->report.time = plan->end;
  s->report.h = plan->h;
  StPoint at = st_simulation_applied(s);
  ST_TRY(st_simulation_read_applied(s, &at, error));
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

StStatus st_simulation_step(StSimulation *s, StError *error) {
  double began = now();
  bool damped = false;
  Effort effort = {0};
  StPlan plan;
  StError why = {0};
  // Matrix entries for contacts are rebuilt in each step, so that a resumed run factorises the same
  // matrices as an uninterrupted one.
  st_stage_begin_step(s->stage);
  st_recovery_begin(&s->recovery);
  s->attempt->solving.warm_starts.count = 0;
  for (StAnswer answer = ST_ANSWER_REPEAT; answer != ST_ANSWER_KEEP;) {
    StOutcome outcome;
    plan = predict(s, damped);
    ST_TRY(try_plan(s, &plan, &outcome, &why, error));
    add_effort(&s->attempt->solving, &effort);
    if (outcome == ST_OUTCOME_GOOD)
      break;
    StChances chances = {.halve = plan.h / 2 >= s->description->time.smallest_step,
                         .damp = plan.method != st_integrator_find("be"),
                         .stored = outcome == ST_OUTCOME_GAINED && has_stored_gain(s)};
    answer =
        st_recovery_answer(&s->recovery, outcome, s->attempt->solving.newton_iterations, chances);
    st_log(s->log, ST_DETAIL, "time %.6g s: step of %.3g s: %.1500s: %s", s->state->time, plan.h,
           why.text, st_answer_text(answer));
    s->memory.restart = s->memory.restart || answer == ST_ANSWER_RESTART;
    damped = damped || answer == ST_ANSWER_DAMP;
    if (answer == ST_ANSWER_HALVE)
      halve(s, &plan);
    if (answer == ST_ANSWER_GIVE_UP)
      return give_up(s, &plan, outcome, &why, error);
  }
  commit(s, &plan);
  ST_TRY(finish(s, &plan, error));
  report_effort(s, &effort);
  record(s, plan.method);
  s->report.seconds = now() - began;
  return ST_OK;
}

StStatus st_simulation_advance(StSimulation *s, double until, StError *error) {
  StStatus status = ST_OK;
  s->until = until;
  while (status == ST_OK && !st_schedule_reached(s->schedule, s->state->time, until))
    status = st_simulation_step(s, error);
  s->until = NAN;
  return status;
}
