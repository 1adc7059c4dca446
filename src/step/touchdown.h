// Contact's share in a step: what must happen before it, and whether its result may stand. Combines
// the ranks' findings, so that all decide alike. Does nothing in a system without contact.
#ifndef ST_STEP_TOUCHDOWN_H
#define ST_STEP_TOUCHDOWN_H

#include "base/log.h"
#include "contact/closing.h"
#include "step/system.h"

typedef enum StVerdict {
  ST_VERDICT_CLEAR,     // keep the step
  ST_VERDICT_STIFFENED, // something was inside; contact is stiffer now: solve the step again
  ST_VERDICT_CROSSED,   // something passed through: only a smaller step helps
} StVerdict;

typedef struct StTouchdown {
  const StSystem *system;
  StPairEnd *end;     // [pairs] of the last judgement
  double *tried;      // [pairs] gap at which contact was last made stiffer, in the step from …
  double start, time; // … here to there, and …
  int repeats;        // … how often it was
} StTouchdown;

StStatus st_touchdown_create(const StSystem *system, StTouchdown **touchdown, StError *error);
void st_touchdown_destroy(StTouchdown *touchdown);

// All positions: [vertex_count][3] with ghosts.
StStatus st_touchdown_start(StTouchdown *touchdown, double time, const double *position,
                            const StLog *log, StError *error);
StStatus st_touchdown_begin_step(StTouchdown *touchdown, double time, const double *position,
                                 StError *error);
StStatus st_touchdown_judge(StTouchdown *touchdown, double start, double time, const double *before,
                            const double *after, StVerdict *verdict, StError *error);
void st_touchdown_commit(StTouchdown *touchdown, double time, const double *position);

// Takes what touches there as what lagged friction goes by from now on. Not without contact.
StStatus st_touchdown_lag(StTouchdown *touchdown, double time, const double *position,
                          StError *error);

// The worst pair of the last judgement, in words: "vertex 3 of body "a" is 0.1 mm inside …".
void st_touchdown_describe(const StTouchdown *touchdown, char *text, size_t size);

#endif
