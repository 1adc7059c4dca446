// One slide and its expected result.
#include "verify/slide.h"

#include "base/memory.h"

#include <string.h>

StBlock st_slide_block(const StVerifySettings *settings, const char *integrator, double step) {
  StBlock block = st_block_default(settings);
  block.slope = 10 * M_PI / 180;
  block.friction = 0.177;
  block.sticking_speed = 1e-4;
  block.thickness = 1e-4;
  block.integrator = integrator;
  block.step = step;
  block.duration = 50;
  return block;
}

StSlideTruth st_slide_truth(const StBlock *block) {
  const double speed = ST_SLIDE_SPEED;
  double a = ST_VERIFY_GRAVITY * (block->friction * cos(block->slope) - sin(block->slope));
  double lost = strcmp(block->integrator, "be") == 0 ? speed * block->step / 2 : 0;
  return (StSlideTruth){speed / a, speed * speed / (2 * a) - lost};
}

StStatus st_slide_run(const StBlock *block, bool cold, StStop *stop, StError *error) {
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_block_launch(block, ST_SLIDE_SPEED, cold, &trial, error));
  return st_block_stop(block, &trial, stop, error);
}
