// Contact's part of a step: what to do before it, and whether its result is acceptable. Combines
// all ranks, so that all decide alike. Does nothing in a system without contact.
#pragma once

#include "base/log.h"
#include "contact/core/contact_check.h"
#include "contact/core/handover.h"
#include "step/state.h"
#include "step/system.h"

typedef struct StContactStep {
  const StSystem *system;
  StPairEnds ends;     // of the last check
  StMeetings meetings; // scratch, and …
  StFactors factors;   // … the factors of stiffness that changed last
} StContactStep;

StStatus st_contact_step_create(const StSystem *system, StContactStep **contact_step,
                                StError *error);
void st_contact_step_destroy(StContactStep *contact_step);

// All positions: [vertex_count][3] with ghosts.
StStatus st_contact_step_start(StContactStep *contact_step, double time, const double *position,
                               const StLog *log, StError *error);

// After the start: goes on with what contacts remember of another simulation. Collective.
StStatus st_contact_step_recall(StContactStep *contact_step, const StHandover *handover,
                                double time, const double *position, StError *error);

StStatus st_contact_step_begin_step(StContactStep *contact_step, double time,
                                    const double *position, StError *error);

// The factors of stiffness of the step after a committed one that ends with this set. Collective.
StStatus st_contact_step_next_factors(const StSystem *system, const StContactSet *set,
                                      StFactors *next, StError *error);

// Stiffens contact that is new in the step (contact/barrier/adaptive_stiffness.h), by the
// velocities it began with, [vertex_count][3], for a stage of this span (s). *changed: the set is
// out of date. Collective.
StStatus st_contact_step_meet(StContactStep *contact_step, const StContactSet *set,
                              const double *velocity, double span, bool *changed, StError *error);

// *outcome: ST_OUTCOME_GOOD; _CROSSED if a body passed through something; _INSIDE if it ended
// inside something, and contact is stiffer now. Collective.
StStatus st_contact_step_accept(StContactStep *contact_step, const StStepEnds *ends,
                                StOutcome *outcome, StError *error);

void st_contact_step_commit(StContactStep *contact_step, double time, const double *position);

// Makes these contacts the ones that lagged friction uses from now on. Requires contact.
StStatus st_contact_step_lag(StContactStep *contact_step, double time, const double *position,
                             StError *error);

// The worst pair of the last check, in words: "vertex 3 of body "a" is 0.1 mm inside …".
void st_contact_step_describe(const StContactStep *contact_step, char *text, size_t size);
