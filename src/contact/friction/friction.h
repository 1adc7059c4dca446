// Friction between two surfaces as a curve over sliding speed: Coulomb, Stribeck, viscous. A
// sticking contact is held in one of two ways: by velocity, smoothed below a sticking speed, which
// lets it creep; or by an anchor, a spring with a yield, which does not.
#pragma once

#include "math/scalar.h"

#include <stdbool.h>

typedef struct StFrictionLaw {
  double dynamic_coefficient; // μ_d
  double static_coefficient;  // μ_s, the peak of the curve
  double viscous_coefficient; // μ_v, N s/m per contact or per area, depending on the engagement
  double sticking_speed; // ε: below this speed the friction force is only what holds the contact
  double stribeck_speed; // v_s: where friction has fallen to μ_d
  double peak;           // weight of the static part that makes the maximum of the curve μ_s
  bool anchored;         // sticks by an anchor; ε is unused then
  double span;           // s, anchored: converts a velocity to a displacement
  double damping;        // s, anchored: τ; included in the span of a displacement
} StFrictionLaw;

// Sets `peak`; call once after the other members are set.
void st_friction_prepare(StFrictionLaw *law);

// Coefficient at a speed, without the viscous part, as a tribometer would measure it.
double st_friction_coefficient(const StFrictionLaw *law, double speed);

// Normal force and stiffness at one contact.
typedef struct StFrictionLoad {
  double normal_force;      // N, N
  double engagement;        // of a viscous film, 0 … 1
  double tangent_stiffness; // k, N/m: stiffness of an anchor; unused without one
  double
      damper_stiffness; // N/m: the same before the anchor stiffens, for the damper along the normal
} StFrictionLoad;

typedef struct StFrictionLoadDual {
  StDual normal_force, engagement, tangent_stiffness, damper_stiffness;
} StFrictionLoadDual;

// Friction is −drag·v for sliding velocity v.
typedef struct StFrictionDrag {
  double drag;                                     // N s/m
  double by_speed, by_normal_force, by_engagement; // its slopes
} StFrictionDrag;

StFrictionDrag st_friction_drag(const StFrictionLaw *law, const StFrictionLoad *load, double speed);

// Anchored: v is the elastic displacement over the law's span, z = v·span. It sticks up to the
// yield ℓ = 2 μ_s N/k, with a force −k (1 − |z|/2ℓ) z that reaches μ_s N there without a kink;
// beyond, it slides on Stribeck's curve at the speed (|z| − ℓ)/span.
void st_friction_force(const StFrictionLaw *law, const StFrictionLoad *load,
                       const double velocity[3], double force[3]);
void st_friction_force_dual(const StFrictionLaw *law, const StFrictionLoadDual *load,
                            const StDual velocity[3], StDual force[3]);

// Anchors also damp along the normal, by a force −τb·speed, b the damper's stiffness, for the speed
// at which the sides separate. It never exceeds the normal force, so contact neither pulls nor more
// than doubles. The friction limit is μ times the sum of both.
typedef struct StFrictionDamper {
  double force, by_speed, by_normal_force; // N, and its slopes
} StFrictionDamper;

StFrictionDamper st_friction_damper(const StFrictionLaw *law, const StFrictionLoad *load,
                                    double speed);
StDual st_friction_damper_dual(const StFrictionLaw *law, const StFrictionLoadDual *load,
                               StDual speed);

// For anchored friction: the yield ℓ, m, and the energy that an elastic displacement stores, J.
// Displacement beyond the yield stores nothing.
double st_friction_yield(const StFrictionLaw *law, const StFrictionLoad *load);
double st_friction_stored(const StFrictionLaw *law, const StFrictionLoad *load,
                          double displacement);

// The stored energy of a displacement that comes from another load. If that load was larger, the
// displacement may be beyond the present yield. The part beyond returns at most the force at the
// yield times its length.
double st_friction_brought(const StFrictionLaw *law, const StFrictionLoad *load,
                           double displacement);
