// Time integrators as rows of one table. Every stage solves
//   M (v+ - v*) - a h f(q* + a h v+, v+) - h G = 0
// for v+; a row says how q*, v*, G follow from what is known, and a (docs/physics.md).
#pragma once

#include <stdbool.h>

// Weights of the known states: now (start of the step), before (start of the last step) and stage
// (result of this step's first stage).
typedef struct StStage {
  double instant;                // of the stage, in steps from the start: 1 is the end
  double shift;                  // a
  double now, before, stage;     // q* of positions and, alike, v* of velocities …
  double drift_now, drift_stage; // … and h·v added to q* only
  double force_now, force_stage; // G
} StStage;

typedef struct StIntegrator {
  const char *name;
  const char *summary;
  int order;
  int stage_count;
  StStage stage[2];
  bool two_step; // needs the previous step; starts with `start`, and depends on the step ratio
  const char *start, *start_rigid; // of scenes with rigid bodies only
  bool turns;                      // rigid bodies turn freely (step/turning.h): for a single stage
  bool rings;                      // stiff vibration is not damped (not L-stable)
  double spin_loss; // of the energy of rotation in a step, over (ωh) to the power of …
  int spin_order;   // … this, to that order
  bool decoupled;   // contact and friction act fully at the end of the step, outside the rule
  bool statics;     // no inertia and no velocities: each step ends in equilibrium
} StIntegrator;

// Integrator of a static analysis, not in the list: -a h f(q* + a h v+, 0) = 0.
extern const StIntegrator st_integrator_static;

extern const StIntegrator st_integrators[]; // ends with a NULL name

const StIntegrator *st_integrator_find(const char *name); // NULL: no such integrator

// The rows for a step whose size is ratio times that of the step before.
StStage st_integrator_stage(const StIntegrator *integrator, int index, double ratio);

// Whether forces within a step may do work that those at its ends do not account for, with weights
// known exactly: neither backward Euler, which only loses energy, nor methods of two steps.
bool st_integrator_may_gain(const StIntegrator *integrator);

// What a step adds to velocities, as shares of h/m times forces: v+ - v = h/m Σ share f. For
// two-step methods to second order, because they also use forces of the previous step.
typedef struct StImpulse {
  double start;    // of the force the step starts from
  double stage[2]; // of the forces at the stages
} StImpulse;

// Whether a step needs the total force at the state it starts from.
bool st_integrator_uses_force(const StIntegrator *integrator);

StImpulse st_integrator_impulse(const StIntegrator *integrator);
