// Looks at the touches of the last residual.
#include "step/closeness.h"

#include "step/stage.h"

#include <math.h>

// Iterates come close and go away again: of those that stay for so long most end there.
enum { CLOSE_ITERATES = 3 };
static const double WIDENING = 1.2; // of a gap from one iterate to the next: it opens again

// NULL: nobody minds.
static const StTouchSet *touches_of(const StStageProblem *stage) {
  return stage->contact_step ? st_stage_point(stage, stage->time).touching : NULL;
}

bool st_closeness_is_hopeless(void *context) {
  StStageProblem *stage = context;
  StCloseness *closeness = &stage->closeness;
  const StTouchSet *touching = touches_of(stage);
  double closest = touching ? st_contact_step_closest(stage->contact_step, touching) : INFINITY;
  bool stays = isfinite(closest) && closest <= WIDENING * closeness->closest;
  closeness->iterates = stays ? closeness->iterates + 1 : 0;
  closeness->closest = closest;
  return closeness->iterates >= CLOSE_ITERATES;
}

bool st_closeness_brace(void *context) {
  StStageProblem *stage = context;
  const StTouchSet *touching = touches_of(stage);
  bool braced = false;
  return touching &&
         st_contact_step_brace(stage->contact_step, touching, stage->goal, stage->ah, &braced) ==
             ST_OK &&
         braced;
}
