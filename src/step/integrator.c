// The table of integrators.
#include "step/integrator.h"

#include <stddef.h>
#include <string.h>

#define ROOT2 1.41421356237309504880
#define GAMMA (2 - ROOT2)                     // tr_bdf2: both stages have the same shift
#define TR_BDF2_A (1 / (GAMMA * (2 - GAMMA))) // weight of the middle state
#define ALPHA (1 - ROOT2 / 2)                 // sdirk2: L-stable choice

const StIntegrator st_integrators[] = {
    {.name = "be",
     .summary = "Backward Euler: first order, damps vibration and swinging, the most forgiving.",
     .order = 1,
     .stage_count = 1,
     .turns = true,
     .spin_loss = 2, // of centres that go around a joint alone (step/angular.h)
     .spin_order = 2,
     .stage = {{.instant = 1, .shift = 1, .now = 1}}},
    {.name = "tr",
     .summary = "Trapezoidal rule on the whole net force: second order, keeps the energy of smooth "
                "motion, does not damp "
                "stiff vibration.",
     .order = 2,
     .stage_count = 1,
     .rings = true,
     .stage = {{.instant = 1, .shift = 0.5, .now = 1, .drift_now = 0.5, .force_now = 0.5}}},
    {.name = "bdf2",
     .summary = "Two-step backward differentiation: second order, L-stable; starts with sdirk2, or "
                "with be where all bodies are rigid.",
     .order = 2,
     .stage_count = 1,
     .two_step = true,
     .start = "sdirk2",
     .start_rigid = "be", // which turns them exactly; they have no vibration to resolve
     .turns = true,
     .spin_loss = 1, // the error of its difference formula is (ωh)⁴/4 of ω across the motion
     .spin_order = 4,
     .stage = {{.instant = 1, .shift = 2.0 / 3, .now = 4.0 / 3, .before = -1.0 / 3}}},
    {.name = "tr_bdf2",
     .summary = "A trapezoidal stage, then backward differentiation: second order, L-stable.",
     .order = 2,
     .stage_count = 2,
     .spin_loss = 0.049, // measured
     .spin_order = 4,
     .stage = {{.instant = GAMMA,
                .shift = GAMMA / 2,
                .now = 1,
                .drift_now = GAMMA / 2,
                .force_now = GAMMA / 2},
               {.instant = 1,
                .shift = (1 - GAMMA) / (2 - GAMMA),
                .now = -(1 - GAMMA) * (1 - GAMMA) * TR_BDF2_A,
                .stage = TR_BDF2_A}}},
    {.name = "sdirk2",
     .summary = "Two equal implicit stages (singly diagonal Runge-Kutta): second order, L-stable.",
     .order = 2,
     .stage_count = 2,
     .spin_loss = 1, // second order is for soft forces only
     .spin_order = 2,
     .stage = {{.instant = ALPHA, .shift = ALPHA, .now = 1},
               {.instant = 1,
                .shift = ALPHA,
                .now = 1,
                .drift_stage = 1 - ALPHA,
                .force_stage = 1 - ALPHA}}},
    {.name = "tr_decoupled",
     .summary =
         "Trapezoidal rule on all but contact and friction, which act fully at the end of the "
         "step: for comparison with a known failure, not for use.",
     .order = 1,
     .stage_count = 1,
     .rings = true,
     .decoupled = true,
     .stage = {{.instant = 1, .shift = 0.5, .now = 1, .drift_now = 0.5, .force_now = 0.5}}},
    {.name = NULL},
};

const StIntegrator st_integrator_static = {.name = "static",
                                           .summary = "Equilibrium at the end of each step.",
                                           .order = 1,
                                           .stage_count = 1,
                                           .statics = true,
                                           .stage = {{.instant = 1, .shift = 1, .now = 1}}};

const StIntegrator *st_integrator_find(const char *name) {
  if (strcmp(name, st_integrator_static.name) == 0)
    return &st_integrator_static;
  for (const StIntegrator *row = st_integrators; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

bool st_integrator_uses_force(const StIntegrator *integrator) {
  for (int i = 0; i < integrator->stage_count; i++)
    if (integrator->stage[i].force_now != 0)
      return true;
  return false;
}

// Traces each stage's velocity back to the forces in it. A two-step method also carries over the
// previous increment, from a force that acted half a step earlier, whatever the ratio of sizes:
// together with the force at the end it acts at the middle of the step, and so do half the force at
// the start and half that at the end. Work then balances to second order.
StImpulse st_integrator_impulse(const StIntegrator *integrator) {
  if (integrator->two_step)
    return (StImpulse){.start = 0.5, .stage = {0.5}};
  StImpulse impulse[2] = {{0}};
  for (int k = 0; k < integrator->stage_count; k++) {
    StStage row = integrator->stage[k];
    impulse[k].start = row.force_now;
    impulse[k].stage[k] = row.shift;
    if (k > 0) {
      impulse[k].start += row.stage * impulse[0].start;
      impulse[k].stage[0] += row.stage * impulse[0].stage[0] + row.force_stage;
    }
  }
  return impulse[integrator->stage_count - 1];
}

StStage st_integrator_stage(const StIntegrator *integrator, int index, double ratio) {
  StStage stage = integrator->stage[index];
  if (integrator->two_step) {
    double w = ratio;
    stage.shift = (1 + w) / (1 + 2 * w);
    stage.now = (1 + w) * (1 + w) / (1 + 2 * w);
    stage.before = -w * w / (1 + 2 * w);
  }
  return stage;
}

bool st_integrator_may_gain(const StIntegrator *integrator) {
  return integrator->order > 1 && !integrator->two_step && !integrator->decoupled;
}
