// The block slide: 1 m³ launched at 0.1 m/s down a slope of 10° with friction 0.177, on which it
// must just come to rest. The case shares it with the
// experiment of that name.
#pragma once

#include "verify/block.h"

#define ST_SLIDE_SPEED 0.1 // m/s, at the start

StBlock st_slide_block(const StVerifySettings *settings, const char *integrator, double step);

typedef struct StSlideTruth {
  double time, distance;
} StSlideTruth;

// Down from v₀ to nothing at constant acceleration. Backward Euler takes each step with the
// velocity at its end, and so falls short by half a step at v₀.
StSlideTruth st_slide_truth(const StBlock *block);

StStatus st_slide_run(const StBlock *block, bool cold, StStop *stop, StError *error);
