// Whether the result of an attempt is accepted: it passes through nothing, ends inside nothing, and
// neither gains energy nor inverts elements.
// Tested by tests/verify/test_passage_truth.c.
#include "model/contact_pairs.h"
#include "step/simulation_parts.h"

bool st_simulation_met_or_parted(const StSimulation *s) {
  return !st_touching_pairs_equal(&s->touching, &s->touching_next);
}

// Puts the candidate's energies and their balance into the next report. Returns the gain that
// counts.
static double balance_energy(StSimulation *s, const StPlan *plan) {
  StReport *next = &s->next;
  StPoint start = st_simulation_place(s);
  StPoint end = {.time = st_simulation_just_after(s, plan->end),
                 .position = s->candidate,
                 .velocity = s->candidate_speed};
  end.contact_set = st_contact_cache_at(s->system->contact_cache, end.time, end.position);
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
  next->pressing_work = ends.pressing_work;
  next->energy_gain = balance.gain;
  next->energy_error = balance.allowed;
  return balance.worst;
}

bool st_simulation_has_stored_gain(StSimulation *s) {
  StPoint start = st_simulation_current(s);
  double stored = st_energy_jump(s->system, &start, &s->report);
  return s->next.energy_gain <= s->next.energy_error + stored;
}

// Undamped integrators create energy in impacts. With friction by velocity, as in the experiments
// that compare integrators, this is shown as it is; anchors would be torn off.
static bool is_balanced(const StSimulation *s) {
  const StFrictionDesc *friction;
  for (int i = 0; (friction = st_pairs_friction(s->description, i)); i++)
    if (friction->stick == ST_STICK_ANCHORED && friction->static_coefficient > 0)
      return true;
  return !s->integrator->rings;
}

// The first of these problems, if there is one.
static void find_problem(StSimulation *s, const StPlan *plan, StOutcome *outcome, StError *why) {
  double gain = balance_energy(s, plan);
  int inverted = s->measure->inverted - s->inverted;
  *outcome = ST_OUTCOME_GOOD;
  if (plan->method->statics &&
      (s->statics.mode < 0 ||
       st_statics_jumps(&s->statics, s->system, s->state, s->attempt->position, plan->h))) {
    *outcome = ST_OUTCOME_UNSTABLE;
    st_fail(why, ST_NOT_SOLVED, "the next equilibrium is no continuation of the last");
  } else if (plan->method->two_step && st_simulation_met_or_parted(s)) {
    *outcome = ST_OUTCOME_MET;
    st_fail(why, ST_NOT_SOLVED, "bodies met or separated");
  } else if (!(gain <= s->next.energy_error) && is_balanced(s)) {
    *outcome = ST_OUTCOME_GAINED;
    st_fail(why, ST_NOT_SOLVED, "energy grew by %.3g J beyond the work done", gain);
  } else if (inverted > 0) {
    *outcome = ST_OUTCOME_INVERTED;
    st_fail(why, ST_NOT_SOLVED, "%d tets turned inside out", inverted);
  }
}

StStatus st_simulation_accept(StSimulation *s, const StPlan *plan, StOutcome *outcome, StError *why,
                              StError *error) {
  bool passed;
  st_simulation_place(s);
  StStepEnds ends = {.start = s->state->time,
                     .end = plan->end,
                     .before = s->position,
                     .after = s->candidate,
                     .speed = s->candidate_speed};
  ST_TRY(st_step_sweep_look(s->step_sweep, &ends, s->integrator->rings, &passed, why, error));
  if (passed) {
    *outcome = ST_OUTCOME_CROSSED;
    return ST_OK;
  }
  ST_TRY(st_contact_step_accept(s->contact_step, &ends, outcome, error));
  if (*outcome != ST_OUTCOME_GOOD) {
    st_contact_step_describe(s->contact_step, why->text, sizeof why->text);
    return ST_OK;
  }
  if (s->system->contacts)
    ST_TRY(st_touching_pairs_list(
        &st_contact_cache_at(s->system->contact_cache, plan->end, s->candidate)->now,
        &s->touching_next, error));
  find_problem(s, plan, outcome, why);
  return ST_OK;
}
