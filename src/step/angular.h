// Angular momentum in a step of backward Euler. Its chords lose some of the rotation of soft
// bodies, and of bodies about each other: forces act where a step ends, with arms from where the
// centres were. What is missing is given back as a rotation (docs/physics.md), so that forces
// between parts of a body, and between bodies that nothing holds, change no angular momentum.
#pragma once

#include "step/stage.h"
#include "step/state.h"
#include "step/touching_pairs.h"
#include "step/turning.h"

typedef struct StAngular StAngular;

StStatus st_angular_create(const StStageProblem *stage, StAngular **angular, StError *error);
void st_angular_destroy(StAngular *angular); // NULL is fine

// Whether bodies may touch or hold each other without touching or being held by anything else.
bool st_angular_has_groups(const StAngular *angular);

typedef struct StAngularStep {
  const StState *state; // in which it began
  double h;
  const double *position;   // [owned][3] there
  const StPoint *at;        // the same with contacts; NULL: nothing touches
  const StTurning *turning; // rigid bodies that have their rotation already
} StAngularStep;

// After the last stage of a step: adds rotations to velocities, [owned][3]. Collective.
StStatus st_angular_restore(StAngular *angular, const StAngularStep *step, double *velocity,
                            StError *error);
