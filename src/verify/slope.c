// A flat block on slopes a tenth of a degree below and above the angle of friction: it sticks on
// the one and slides down the other with the acceleration of the textbook.
#include "base/memory.h"
#include "verify/list.h"

#include "verify/block.h"

static StBlock slope_block(const StVerify *verify, double friction, double angle) {
  StBlock block = st_block_default(&verify->settings);
  block.size[2] = 0.25; // it cannot tip
  block.friction = friction;
  block.slope = angle;
  block.step = 0.01;
  block.duration = 2;
  return block;
}

// Speed after one second and at the end.
static StStatus run_slope(const StBlock *block, double speed[2], StError *error) {
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_block_launch(block, 0, false, &trial, error);
  double velocity[3];
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    status = st_trial_step(&trial, error);
    st_trial_velocity(&trial, velocity);
    speed[st_simulation_time(trial.simulation) > 1 + block->step / 2] = velocity[0];
  }
  return status;
}

static StStatus run_friction(StVerify *verify, double friction, StError *error) {
  const double degree = M_PI / 180, limit = atan(friction);
  double speed[2];
  StBlock below = slope_block(verify, friction, limit - 0.1 * degree);
  double creep = below.sticking_speed;
  if (below.touch.stick ==
      ST_STICK_ANCHORED) { // rests once it has swung out, which long steps hasten
    below.step = 0.05;
    below.duration = 10;
    creep = ST_BLOCK_TOLERANCE * below.sticking_speed;
  }
  ST_TRY(run_slope(&below, speed, error));
  st_verify_bound(verify, "m/s", speed[1], creep, "friction %g, %.3f°: creeps", friction,
                  below.slope / degree);
  StBlock above = slope_block(verify, friction, limit + 0.1 * degree);
  ST_TRY(run_slope(&above, speed, error));
  double expected = ST_VERIFY_GRAVITY * (sin(above.slope) - friction * cos(above.slope));
  // Every step is solved to the tolerance, and the scheme is exact under constant forces.
  double solved = ST_BLOCK_TOLERANCE * above.sticking_speed / above.step;
  st_verify_compare(verify, "m/s²", expected, speed[1] - speed[0], solved / expected,
                    "friction %g, %.3f°: accelerates", friction, above.slope / degree);
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  for (int i = 1; i <= 10; i++)
    ST_TRY(run_friction(verify, i / 10.0, error));
  return ST_OK;
}

const StVerifyCase st_verify_slope = {
    .name = "slope",
    .summary =
        "A block sticks 0.1 degrees below the angle of friction and slides 0.1 degrees above "
        "it with g(sin - mu cos), for friction from 0.1 to 1.",
    .both = true,
    .has_friction = true,
    .run = run,
};
