// Contact before and after a step.
// Tested by tests/step/test_stage_contact.c.
#include "step/contact_step.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "step/rows.h"

StStatus st_contact_step_create(const StSystem *system, StContactStep **result, StError *error) {
  StContactStep *contact_step = ST_NEW(StContactStep, 1);
  if (!contact_step)
    return st_fail_memory(error);
  contact_step->system = system;
  *result = contact_step;
  return ST_OK;
}

void st_contact_step_destroy(StContactStep *contact_step) {
  if (!contact_step)
    return;
  st_pair_ends_free(&contact_step->ends);
  st_meetings_free(&contact_step->meetings);
  st_factors_free(&contact_step->factors);
  free(contact_step);
}

// The deepest of all ranks first; if equally deep, the lowest rank's; crossings before all others.
static int compare_ends(const void *a, const void *b) {
  const StPairEnd *x = a, *y = b;
  double deepest[2] = {x->crossed ? -INFINITY : x->deepest, y->crossed ? -INFINITY : y->deepest};
  if (x->pair != y->pair)
    return x->pair < y->pair ? -1 : 1;
  if (deepest[0] != deepest[1])
    return deepest[0] < deepest[1] ? -1 : 1;
  return x->rank - y->rank;
}

static StStatus combine(StPairEnds *ends, StError *error) {
  int count = 0;
  if (st_runtime_size() == 1)
    return ST_OK;
  for (int i = 0; i < ends->count; i++)
    ends->end[i].rank = st_runtime_rank();
  ST_TRY(ST_ROWS_GATHER(ends->end, ends->capacity, ends->count, error));
  if (ends->count > 0)
    qsort(ends->end, (size_t)ends->count, sizeof *ends->end, compare_ends);
  for (int i = 0; i < ends->count; i++)
    if (count == 0 || ends->end[count - 1].pair != ends->end[i].pair)
      ends->end[count++] = ends->end[i];
  ends->count = count;
  return ST_OK;
}

static StStatus measure(StContactStep *contact_step, const StContactSet *set, double start,
                        const double *before, const double *after, StError *error) {
  StStatus status = st_contact_check_measure(set, contact_step->system->contact_state, start,
                                             before, after, &contact_step->ends);
  if (status == ST_NOT_SOLVED)
    st_fail(error, status, "bodies meet exactly");
  else if (status != ST_OK)
    status = st_fail(error, ST_SYSTEM_FAULT, "the contact search ran out of memory");
  ST_TRY(st_runtime_agree(status, error));
  return combine(&contact_step->ends, error);
}

StStatus st_contact_step_start(StContactStep *contact_step, double time, const double *position,
                               const StLog *log, StError *error) {
  const StSystem *system = contact_step->system;
  const StContacts *contacts = system->contacts;
  StContactState *state = system->contact_state;
  if (!contacts)
    return ST_OK;
  st_contact_state_drop_anchors(contacts, state);
  st_contact_state_begin(contacts, state, time, position);
  const StContactSet *set = st_contact_cache_at(system->contact_cache, time, position);
  ST_TRY(measure(contact_step, set, time, NULL, position, error));
  ST_TRY(st_contact_check_begin(set, &contact_step->ends, state, log, error));
  // Lagged friction acts on the initial state as on any other.
  return st_contact_step_lag(contact_step, time, position, error);
}

StStatus st_contact_step_recall(StContactStep *contact_step, const StHandover *handover,
                                double time, const double *position, StError *error) {
  const StContacts *contacts = contact_step->system->contacts;
  StContactState *state = contact_step->system->contact_state;
  if (!contacts)
    return ST_OK;
  st_contact_state_release(state, &handover->factors);
  StStatus status =
      st_contact_state_unpack(contacts, state, handover->memory, handover->memory_size);
  if (status == ST_OK)
    status =
        st_anchors_unpack(handover->anchors, handover->anchors_size, contacts, &state->anchors);
  if (status != ST_OK)
    status = st_fail(error, status, "the memory of contact could not be taken over");
  ST_TRY(st_runtime_agree(status, error));
  st_contact_state_begin(contacts, state, time, position);
  return st_contact_step_lag(contact_step, time, position, error);
}

StStatus st_contact_step_next_factors(const StSystem *system, const StContactSet *set,
                                      StFactors *next, StError *error) {
  bool good = set->status == ST_OK && st_stiffness_release(set, system->contact_state, next);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  ST_TRY(ST_ROWS_GATHER(next->item, next->capacity, next->count, error));
  st_factors_merge(next);
  return ST_OK;
}

// The previous step has been committed: its anchors and factors of stiffness hold from here on.
static StStatus take_memory(StContactStep *contact_step, double time, const double *position,
                            StError *error) {
  const StSystem *system = contact_step->system;
  StContactState *state = system->contact_state;
  if (!state->committed) {
    st_contact_state_restart(state);
    return ST_OK;
  }
  const StContactSet *set = st_contact_cache_at(system->contact_cache, time, position);
  ST_TRY(st_contact_step_next_factors(system, set, &contact_step->factors, error));
  bool good = st_contact_state_anchor(state, set, position, NULL);
  st_contact_state_release(state, &contact_step->factors);
  return st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
}

StStatus st_contact_step_begin_step(StContactStep *contact_step, double time,
                                    const double *position, StError *error) {
  const StSystem *system = contact_step->system;
  if (!system->contacts)
    return ST_OK;
  ST_TRY(take_memory(contact_step, time, position, error));
  st_contact_state_begin(system->contacts, system->contact_state, time, position);
  return st_contact_step_lag(contact_step, time, position, error);
}

StStatus st_contact_step_lag(StContactStep *contact_step, double time, const double *position,
                             StError *error) {
  const StSystem *system = contact_step->system;
  const StContactSet *set = st_contact_cache_at(system->contact_cache, time, position);
  return st_runtime_agree(st_contact_state_lag(system->contact_state, set, error), error);
}

StStatus st_contact_step_meet(StContactStep *contact_step, const StContactSet *set,
                              const double *velocity, double span, bool *changed, StError *error) {
  const StSystem *system = contact_step->system;
  StContactState *state = system->contact_state;
  StMeetings *meetings = &contact_step->meetings;
  StFactors *raised = &contact_step->factors;
  *changed = false;
  bool good = set->status == ST_OK && st_stiffness_meet(set, state, velocity, meetings);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  ST_TRY(ST_ROWS_GATHER(meetings->item, meetings->capacity, meetings->count, error));
  st_meetings_merge(meetings);
  good = st_stiffness_raise(set, state, meetings, span, raised);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  ST_TRY(ST_ROWS_GATHER(raised->item, raised->capacity, raised->count, error));
  *changed = raised->count > 0;
  if (*changed)
    st_contact_state_lift(state, raised);
  return ST_OK;
}

StStatus st_contact_step_accept(StContactStep *contact_step, const StStepEnds *ends,
                                StOutcome *outcome, StError *error) {
  const StSystem *system = contact_step->system;
  const StContacts *contacts = system->contacts;
  *outcome = contacts ? ST_OUTCOME_CROSSED : ST_OUTCOME_GOOD;
  if (!contacts)
    return ST_OK;
  const StContactSet *set = st_contact_cache_at(system->contact_cache, ends->end, ends->after);
  ST_TRY(measure(contact_step, set, ends->start, ends->before, ends->after, error));
  *outcome = ST_OUTCOME_GOOD;
  for (int i = 0; i < contact_step->ends.count; i++)
    if (contact_step->ends.end[i].crossed)
      *outcome = ST_OUTCOME_CROSSED;
  if (*outcome == ST_OUTCOME_GOOD &&
      st_contact_check_stiffen(contacts, system->contact_state, &contact_step->ends) > 0)
    *outcome = ST_OUTCOME_INSIDE;
  return ST_OK;
}

void st_contact_step_commit(StContactStep *contact_step, double time, const double *position) {
  const StSystem *system = contact_step->system;
  if (!system->contacts)
    return;
  st_contact_check_commit(st_contact_cache_at(system->contact_cache, time, position),
                          &contact_step->ends, system->contact_state);
}

// Crossing is worse than being inside.
static bool is_worse(const StPairEnd *end, const StPairEnd *than) {
  return end->crossed != than->crossed ? end->crossed : end->deepest < than->deepest;
}

void st_contact_step_describe(const StContactStep *contact_step, char *text, size_t size) {
  const StContacts *contacts = contact_step->system->contacts;
  const StPairEnd *worst = contact_step->ends.end;
  for (int i = 1; i < contact_step->ends.count; i++)
    if (is_worse(&contact_step->ends.end[i], worst))
      worst = &contact_step->ends.end[i];
  st_pair_end_describe(worst, contacts->description, text, size);
}
