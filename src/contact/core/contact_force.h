// One active contact: its gap and the forces on its stencil, in real and in complex
// numbers. No lists, no search: contact_set.h and contacts.h have those.
#pragma once

#include "contact/barrier/normal_law.h"
#include "contact/core/gap.h"
#include "contact/friction/friction.h"

struct StContactLaw {
  StNormalLawForm normal_law;
  double thickness;         // δ, m
  double stiffness;         // κ, with the contact's area where κ is per area
  double tangent_stiffness; // N/m, of an anchor, without the mollifier
  double damper_stiffness; // N/m, before the anchor stiffens (contact/friction/friction.h), without
                           // the mollifier
  double stiffening;       // 1/m, slope of its logarithm by the gap, see
                           // contact/friction/anchor_stiffening.h
  double film; // factor of the viscous part: the contact's area with primitives, otherwise 1
  const StFrictionLaw *friction;
  double held[3]; // anchored: elastic displacement at the start of the step, as a velocity
};

// The part of a contact that lagged friction keeps: it treats force and basis as constants.
typedef struct StNormalState {
  double normal_force;
  double engagement;        // film (1 - ψ/δ)², or of a barrier film times st_barrier_film
  double tangent_stiffness; // N/m, of an anchor, …
  double damper_stiffness;  // … before it stiffens
  double normal[3];
} StNormalState;

static inline StFrictionLoad st_normal_state_load(const StNormalState *normal_state) {
  return (StFrictionLoad){normal_state->normal_force, normal_state->engagement,
                          normal_state->tangent_stiffness, normal_state->damper_stiffness};
}

// Stiffness of an anchor, for a law without one: a fraction of the contact stiffness at half
// the thickness.
double st_contact_tangent_stiffness(const StContactLaw *law);

double st_contact_energy(const StContactLaw *law, const StGap *gap);
StNormalState st_contact_normal_state(const StContactLaw *law, const StGap *gap);

// The same where the gradients are shares of a unit normal. The mollifier also scales friction.
StNormalState st_contact_normal_state_along(const StContactLaw *law, double gap, double mollifier,
                                            const double normal[3]);

// These functions add to force [count][3]. wall: velocity of an obstacle surface that has no place
// in the stencil.
void st_contact_add_normal(const StContactLaw *law, int count, const StGap *gap, double *force);
void st_contact_add_normal_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                StDual *force);

// Slope of the normal force with depth, N/m.
double st_contact_normal_stiffness(const StContactLaw *law, const StGap *gap);

// Sliding velocity of side A over side B. Returns the component along the normal.
double st_contact_slip(int count, const StNormalState *normal_state, const double *share,
                       const double *velocity, const double wall[3], double slip[3]);

// Force of the damper along the normal for that component of velocity, and the normal force
// including it.
StFrictionDamper st_contact_damper(const StContactLaw *law, const StNormalState *normal_state,
                                   double along);
StFrictionLoad st_contact_load(const StContactLaw *law, const StNormalState *normal_state,
                               double along);

// ∂(friction on side A)/∂(velocity) with normal force and basis fixed, row-major, N s/m.
void st_contact_drag(const StContactLaw *law, const StNormalState *normal_state,
                     const double slip[3], double along, double drag[9]);

// Friction on side A, damping by anchors included; velocity: [count][3]. Returns the sliding speed.
double st_contact_friction(const StContactLaw *law, int count, const StNormalState *normal_state,
                           const double *share, const double *velocity, const double wall[3],
                           double friction[3]);

// Distributes friction over the stencil by its shares, so that the forces sum to zero.
void st_contact_spread(int count, const double *share, const double friction[3], double *force);

// Implicit friction with all its derivatives; fixed_basis drops those of normal and shares.
void st_contact_add_friction_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                  bool fixed_basis, const StDual *velocity, const StDual wall[3],
                                  StDual *force);

// The same where the gradients are shares of a unit normal.
void st_contact_add_friction_along_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                        const StDual normal[3], const StDual *velocity,
                                        const StDual wall[3], StDual *force);

// Lagged friction: only velocities carry derivatives.
void st_contact_add_lagged_dual(const StContactLaw *law, int count,
                                const StNormalState *normal_state, const double *share,
                                const StDual *velocity, const double wall[3], StDual *force);
