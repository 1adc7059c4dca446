// How close the iterates of a stage bring bodies to each other, and what is done about it. The
// functions are those of a StProblem; their context is the stage.
#ifndef ST_STEP_CLOSENESS_H
#define ST_STEP_CLOSENESS_H

#include <stdbool.h>

typedef struct StCloseness {
  int iterates;   // so many came too close to something, one after the other, and …
  double closest; // … the last of them that close, over the thickness
} StCloseness;

bool st_closeness_is_hopeless(void *stage);

// Stiffens contact between bodies that meet. Contact is made for weight, and far too soft for what
// comes at speed: gaps would get so small that the solution is rejected. True: the residual has
// changed.
bool st_closeness_brace(void *stage);

#endif
