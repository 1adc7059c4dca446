// A block at rest presses on the floor with its weight, for every step and integrator.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/block.h"

enum { STEPS = 20 };

// Largest deviation of the floor's force from the weight over a number of steps.
static StStatus weigh(const StBlock *block, const StSnapshot *rest, double *worst, StError *error) {
  const double weight = st_block_mass(block) * ST_VERIFY_GRAVITY;
  StWorld world = st_block_world(block);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_throw(&trial, rest->position, (double[3]){0, 0, 0}, error));
  *worst = weight;
  while (!st_simulation_finished(trial.simulation)) {
    double force[3];
    ST_TRY(st_trial_step(&trial, error));
    ST_TRY(st_trial_force(&trial, "contact", force, error));
    if (fabs(force[2] - weight) >= fabs(*worst - weight))
      *worst = force[2];
  }
  return ST_OK;
}

// It rests where a step of settling moves it no further, to h₀ v₀.
static double rest_error(const StBlock *block) {
  double offset = ST_BLOCK_REST * block->sticking_speed * ST_BLOCK_SETTLING_STEP;
  return st_block_press_slope(block) * offset;
}

static StStatus weigh_all(StVerify *verify, StBlock *block, const StSnapshot *rest,
                          StError *error) {
  static const char *const integrator[] = {"be", "tr", "bdf2", "tr_bdf2", "sdirk2"};
  static const double step[] = {0.1, 0.03, 0.01, 0.003, 0.001};
  for (int i = 0; i < ST_LENGTH(integrator); i++)
    for (int s = 0; s < ST_LENGTH(step); s++) {
      double worst;
      block->integrator = integrator[i];
      block->step = step[s];
      block->duration = STEPS * step[s];
      ST_TRY(weigh(block, rest, &worst, error));
      st_verify_compare(verify, "N", st_block_mass(block) * ST_VERIFY_GRAVITY, worst,
                        rest_error(block), "%s, h = %g s: worst of %d steps", integrator[i],
                        step[s], (int)STEPS);
    }
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  StBlock block = st_block_default(&verify->settings);
  block.friction = 0.3;
  ST_FINALLY(st_snapshot_free) StSnapshot rest = {0};
  ST_TRY(st_block_settle(&block, 0, &rest, error));
  return weigh_all(verify, &block, &rest, error);
}

const StVerifyCase st_verify_weight = {
    .name = "weight",
    .summary = "The contact force under 1 m^3 of density 1000 at rest is its weight, 9810 N, for "
               "every integrator and for steps from 0.1 to 0.001 s.",
    .both = true,
    .run = run,
};
