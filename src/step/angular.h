// Angular momentum in a step of one stage, backward Euler or BDF2. Straight paths lose some of the
// rotation of soft bodies, and of bodies about each other: forces act where a step ends, but
// momenta of its start keep the arms that they had there. The lost angular momentum is restored as
// a rotation (docs/physics.md), so that forces between parts of a body, and between bodies that are
// not held, change no angular momentum.
#pragma once

#include "step/stage.h"
#include "step/state.h"
#include "step/touching_pairs.h"
#include "step/turning.h"

typedef struct StAngular StAngular;

StStatus st_angular_create(const StStageProblem *stage, StAngular **angular, StError *error);
void st_angular_destroy(StAngular *angular); // NULL is fine

// Whether there may be groups of bodies that contact or hold each other and that nothing else
// holds.
bool st_angular_has_groups(const StAngular *angular);

typedef struct StAngularStep {
  const StState *state; // at the start of the step
  const StStage *row;   // of the method
  double h;
  const double *position;   // [owned][3] at the end of the step
  const StPoint *at;        // the same with its contacts; NULL: there is no contact
  const StTurning *turning; // rigid bodies whose rotation is restored already
} StAngularStep;

// Adds the lost rotation to velocities, [owned][3], after the last stage of a step. Collective.
StStatus st_angular_restore(StAngular *angular, const StAngularStep *step, double *velocity,
                            StError *error);
