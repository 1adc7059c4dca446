// A block slides down a slope on which it must just come to rest: distance and time are known.
// Friction that lags behind contact misses both, most of all when contact has not begun yet (cold).
#include "verify/list.h"

#include "base/memory.h"
#include "step/integrator.h"
#include "verify/slide.h"

#include <stdio.h>

static const double steps[] = {0.1, 0.05, 0.02, 0.01};

// The trapezoidal rule over long steps rings on anchors before it rests, and may slide by a h² in
// each of these steps: m.
static double ringing_error(const StBlock *block, double a, double late) {
  bool rings =
      st_integrator_find(block->integrator)->rings && block->touch.stick == ST_STICK_ANCHORED;
  return rings ? a * block->step * fmax(late, 0) : 0;
}

// claim: whether the figures are known.
static StStatus compare(StVerify *verify, const StBlock *block, bool cold, bool claim,
                        StError *error) {
  StStop stop = {.time = NAN, .distance = NAN};
  char name[64];
  StStatus status = st_slide_run(block, cold, &stop, error);
  if (status != ST_OK && !(status == ST_NOT_SOLVED && !claim))
    return status;
  StSlideTruth truth = st_slide_truth(block);
  double a = ST_SLIDE_SPEED / truth.time, drop = cold ? block->thickness / 2 : 0;
  double off =
      st_block_stop_error(block, a, drop) + ringing_error(block, a, stop.time - truth.time);
  double distance = claim ? off / truth.distance : NAN;
  double time = claim ? st_block_time_error(block, a) / truth.time : NAN;
  int length = snprintf(name, sizeof name, "%s, h = %g s, %s", block->integrator, block->step,
                        cold ? "cold" : "settled");
  if (block->touch.mode == ST_FRICTION_LAGGED)
    snprintf(name + length, sizeof name - (size_t)length, ", lagged ×%d",
             block->touch.friction_iterations);
  st_verify_compare(verify, "m", truth.distance, stop.distance, distance, "%s: distance", name);
  st_verify_compare(verify, "s", truth.time, stop.time, time, "%s: time", name);
  return ST_OK;
}

static StStatus run_euler(StVerify *verify, bool cold, StError *error) {
  for (int i = 0; i < ST_LENGTH(steps); i++) {
    StBlock block = st_slide_block(&verify->settings, "be", steps[i]);
    ST_TRY(compare(verify, &block, cold, true, error));
  }
  return ST_OK;
}

// A cold start drops the block by half the thickness, which `tr` never damps: nothing is claimed.
static StStatus run_trapezoidal(StVerify *verify, bool cold, StError *error) {
  for (int i = 1; i < ST_LENGTH(steps); i++) {
    StBlock block = st_slide_block(&verify->settings, "tr", steps[i]);
    block.duration = 20;
    ST_TRY(compare(verify, &block, cold, !cold, error));
  }
  return ST_OK;
}

static StStatus report_lagged(StVerify *verify, bool cold, StError *error) {
  StVerifySettings settings = {
      .method = verify->settings.method, .friction = ST_FRICTION_LAGGED, .friction_iterations = 1};
  for (int i = 0; i < ST_LENGTH(steps); i++) {
    StBlock block = st_slide_block(&settings, "be", steps[i]);
    ST_TRY(compare(verify, &block, cold, false, error));
  }
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  double epsilon = st_slide_block(&verify->settings, "be", 1).sticking_speed;
  st_verify_bound(verify, "m/s", epsilon, NAN, "stopped: slower than this for 0.5 s");
  for (int cold = 0; cold < 2; cold++)
    ST_TRY(run_euler(verify, cold, error));
  for (int cold = 0; cold < 2; cold++)
    ST_TRY(run_trapezoidal(verify, cold, error));
  // Beside the form that others lag as well.
  bool beside = verify->settings.friction != ST_FRICTION_LAGGED &&
                verify->settings.stick == ST_STICK_VELOCITY;
  for (int cold = 0; cold < 2 && beside; cold++)
    ST_TRY(report_lagged(verify, cold, error));
  return ST_OK;
}

const StVerifyCase st_verify_block_slide = {
    .name = "block_slide",
    .summary = "A block slides down 10 degrees with friction 0.177 until it stops: distance and "
               "time, for steps from 0.1 to 0.01 s, from a settled and from a cold start.",
    .both = true,
    .has_friction = true,
    .run = run,
};
