// Contact's part of a step: what to do before it, and whether its result is acceptable. Combines
// all ranks, so that all decide alike. Does nothing in a system without contact.
#ifndef ST_STEP_CONTACT_STEP_H
#define ST_STEP_CONTACT_STEP_H

#include "base/log.h"
#include "contact/contact_check.h"
#include "contact/handover.h"
#include "step/system.h"

typedef enum StVerdict {
  ST_VERDICT_CLEAR,     // keep the step
  ST_VERDICT_STIFFENED, // something was inside; contact is stiffer now: solve the step again
  ST_VERDICT_CROSSED,   // something passed through: needs a smaller step
} StVerdict;

typedef struct StContactStep {
  const StSystem *system;
  StPairEnds ends;   // of the last check
  StPairEnds met;    // pairs that meet in the step
  double *tried;     // [pairs] gap at which contact was last stiffened, in the step from …
  double start, end; // … here to there, and …
  int repeats;       // … how often
  double *thin;      // [pairs] 0; see st_contact_check_widen
  double energy;     // J, of all bodies' motion and strain at its start
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

// A step from `start` to `end` is about to be solved, perhaps again.
void st_contact_step_begin_attempt(StContactStep *contact_step, double start, double end,
                                   double energy);

// The smallest gap over its thickness for which contact would be stiffened if the step ended with
// these touches, INFINITY if it would not; and stiffens it. Collective.
double st_contact_step_closest(const StContactStep *contact_step, const StTouchSet *set);
StStatus st_contact_step_stiffen(StContactStep *contact_step, const StTouchSet *set,
                                 StError *error);

// Stiffens contact between bodies that meet in the step, by how fast these velocities,
// [vertex_count][3], bring them together within a span (s). Bodies that pressed already are left
// alone. *braced: whether anything was stiffened, so that these touches no longer hold. Collective.
StStatus st_contact_step_brace(StContactStep *contact_step, const StTouchSet *set,
                               const double *velocity, double span, bool *braced);

StStatus st_contact_step_judge(StContactStep *contact_step, double start, double time,
                               const double *before, const double *after, const double *velocity,
                               StVerdict *verdict, StError *error);
void st_contact_step_commit(StContactStep *contact_step, double time, const double *position);

// Makes these touches the ones that lagged friction uses from now on. Requires contact.
StStatus st_contact_step_lag(StContactStep *contact_step, double time, const double *position,
                             StError *error);

// The worst pair of the last check, in words: "vertex 3 of body "a" is 0.1 mm inside …".
void st_contact_step_describe(const StContactStep *contact_step, char *text, size_t size);

#endif
