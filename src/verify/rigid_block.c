// The block slide and the slopes of the other cases with rigid blocks: on a half-space, and on a
// rigid slab, at the same limits.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/slide.h"

static const char *ground(const StBlock *block) {
  return block->slab ? "slab" : "half-space";
}

static StStatus run_slide(StVerify *verify, bool slab, double step, bool cold, StError *error) {
  StBlock block = st_slide_block(&verify->settings, "be", step);
  StStop stop = {.time = NAN, .distance = NAN};
  block.rigid = true;
  block.slab = slab;
  ST_TRY(st_slide_run(&block, cold, &stop, error));
  StSlideTruth truth = st_slide_truth(&block);
  double a = ST_SLIDE_SPEED / truth.time, drop = cold ? block.thickness / 2 : 0;
  st_verify_compare(verify, "m", truth.distance, stop.distance,
                    st_block_stop_error(&block, a, drop) / truth.distance,
                    "%s, h = %g s, %s: distance", ground(&block), step, cold ? "cold" : "settled");
  st_verify_compare(verify, "s", truth.time, stop.time, st_block_time_error(&block, a) / truth.time,
                    "%s, h = %g s, %s: time", ground(&block), step, cold ? "cold" : "settled");
  return ST_OK;
}

// Speed after one second and at the end.
static StStatus run_down(const StBlock *block, double speed[2], StError *error) {
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_block_launch(block, 0, false, &trial, error);
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    status = st_trial_step(&trial, error);
    double momentum = st_simulation_report(trial.simulation)->momentum[0];
    speed[st_simulation_time(trial.simulation) > 1 + block->step / 2] =
        momentum / st_trial_mass(&trial, 0);
  }
  return status;
}

static StBlock slope_block(const StVerify *verify, bool slab, double friction, double angle) {
  StBlock block = st_block_default(&verify->settings);
  block.rigid = true;
  block.slab = slab;
  block.size[2] = 0.25; // it cannot tip
  block.friction = friction;
  block.slope = angle;
  block.step = 0.01;
  block.duration = 2;
  return block;
}

static StStatus run_slope(StVerify *verify, bool slab, double friction, StError *error) {
  const double degree = M_PI / 180, limit = atan(friction);
  double speed[2];
  StBlock below = slope_block(verify, slab, friction, limit - 0.1 * degree);
  double creep = below.sticking_speed;
  if (below.touch.stick ==
      ST_STICK_ANCHORED) { // rests once it has swung out, which long steps hasten
    below.step = 0.05;
    below.duration = 10;
    creep = ST_BLOCK_TOLERANCE * below.sticking_speed;
  }
  ST_TRY(run_down(&below, speed, error));
  st_verify_bound(verify, "m/s", speed[1], creep, "%s, friction %g, %.3f°: creeps", ground(&below),
                  friction, below.slope / degree);
  StBlock above = slope_block(verify, slab, friction, limit + 0.1 * degree);
  ST_TRY(run_down(&above, speed, error));
  double expected = ST_VERIFY_GRAVITY * (sin(above.slope) - friction * cos(above.slope));
  double solved = ST_BLOCK_TOLERANCE * above.sticking_speed / above.step;
  st_verify_compare(verify, "m/s²", expected, speed[1] - speed[0], solved / expected,
                    "%s, friction %g, %.3f°: accelerates", ground(&above), friction,
                    above.slope / degree);
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  static const double steps[] = {0.1, 0.02}, frictions[] = {0.2, 0.5, 1};
  bool slabs = st_world_method(verify->settings.method)->slabs;
  for (int slab = 0; slab <= slabs; slab++) {
    for (int i = 0; i < 2 * ST_LENGTH(steps); i++)
      ST_TRY(run_slide(verify, slab, steps[i / 2], i % 2, error));
    for (int i = 0; i < ST_LENGTH(frictions); i++)
      ST_TRY(run_slope(verify, slab, frictions[i], error));
  }
  return ST_OK;
}

const StVerifyCase st_verify_rigid_block = {
    .name = "rigid_block",
    .summary = "A rigid block on a half-space and on a rigid slab: distance and time of the block "
               "slide, and slopes just below and above the angle of friction.",
    .both = true,
    .has_friction = true,
    .run = run,
};
