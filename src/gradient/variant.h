// Variants of a simulation: of the same scene, or of one in which a number is a little different.
// They are put next to the state that it begins a step with, and are led through the step that it
// has taken, with its method, size and factors of stiffness. Nothing is solved: velocities are
// given, and the residual says how well they fit.
#pragma once

#include "gradient/tangent.h"
#include "step/simulation_parts.h"

// Puts a variant where the simulation is, moved by an amount of a tangent (NULL: not moved).
StStatus st_variant_place(StSimulation *variant, const StSimulation *like, const StTangent *tangent,
                          double amount, StError *error);

// The residual of a stage that has begun at these velocities, [size], in N s, in unscaled numbers;
// 0 where coordinates are prescribed. ST_NOT_SOLVED: outside the domain.
StStatus st_variant_residual(StSimulation *variant, const double *velocity, double *residual,
                             StError *error);

// Makes the result of the last stage the state, with the anchors that the next step begins with,
// which are kept where those of `like` were.
StStatus st_variant_commit(StSimulation *variant, const StPlan *plan, const StAnchors *like,
                           StError *error);

// The contacts at the end of a step, at these positions, [size]. NULL: nothing can touch.
const StContactSet *st_variant_contacts(StSimulation *variant, const StPlan *plan,
                                        const double *position);

// Four variants on both sides, at these places, for a difference quotient of fourth order with
// these weights.
enum { ST_FAMILY = 4 };
extern const double st_family_place[ST_FAMILY], st_family_weight[ST_FAMILY];

typedef struct StFamily {
  StDescription *scene[ST_FAMILY];
  StSimulation *member[ST_FAMILY];
} StFamily;

void st_family_free(StFamily *family);

// Turns what is arbitrary in a scene, the carriers of its rigid bodies, as it is in another one.
// False: it has other bodies.
bool st_variant_align(StDescription *scene, const StDescription *like);
