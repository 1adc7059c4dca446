// Impacts of rigid bodies with restitution. A step stops what meets in it: contact is plastic at
// steps longer than an impact lasts. Where bodies of a pair with a restitution meet, the velocities
// at the end of the step become those that a reflection (step/reflection.h) makes of the velocities
// that they met with. Positions stay those of the step. Nothing of it lasts beyond the step.
#pragma once

#include "step/certificate.h"
#include "step/stage.h"
#include "step/state.h"

typedef struct StImpact StImpact;

// *impact is NULL if no pair of the scene has a restitution.
StStatus st_impact_create(const StStageProblem *stage, StImpact **impact, StError *error);
void st_impact_destroy(StImpact *impact); // NULL is fine

// The losses of pairs in impacts of the last step, beyond the step's forces: *count of them.
const StPairLoss *st_impact_losses(const StImpact *impact, int *count); // NULL is fine

// After the last stage of a step of size h from `state`, with the stage's point, contacts and total
// force at the solution: changes velocities, [owned][3]. *work: J, what moving obstacles and bodies
// that are led do beyond the work of the step's forces. Collective.
StStatus st_impact_apply(StImpact *impact, const StPoint *at, const StState *state, double h,
                         double *velocity, double *work, StError *error);
