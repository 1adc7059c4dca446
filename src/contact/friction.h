// Friction between two surfaces as a curve over sliding speed: smoothed Coulomb, Stribeck, viscous.
#ifndef ST_CONTACT_FRICTION_H
#define ST_CONTACT_FRICTION_H

#include "math/scalar.h"

#include <stdbool.h>

typedef struct StFrictionLaw {
  double dynamic_coefficient; // μ_d
  double static_coefficient;  // μ_s, the peak of the curve
  double viscous_coefficient; // μ_v, N s/m per touch, or per area, as its engagement is
  double sticking_speed;      // ε: below it friction is only as strong as holding needs
  double stribeck_speed;      // v_s: where friction has fallen to μ_d
  double peak;                // weight of the static part that makes the curve's maximum μ_s
} StFrictionLaw;

// Sets `peak`; call once after the others are set.
void st_friction_prepare(StFrictionLaw *law);

// Coefficient at a speed, without the viscous part: what a tribometer would read.
double st_friction_coefficient(const StFrictionLaw *law, double speed);

// Friction is −(dry N + viscous engagement) v, by normal force N and sliding velocity v.
typedef struct StFrictionDrag {
  double dry, dry_slope; // s/m, and by the speed
  double viscous;        // N s/m
} StFrictionDrag;

StFrictionDrag st_friction_drag(const StFrictionLaw *law, double speed);

// force = -(μ(|v|) N + μ_v |v| engagement) v/|v| for sliding velocity v. Smooth at v = 0.
void st_friction_force(const StFrictionLaw *law, double normal_force, double engagement,
                       const double velocity[3], double force[3]);
void st_friction_force_dual(const StFrictionLaw *law, StDual normal_force, StDual engagement,
                            const StDual velocity[3], StDual force[3]);

#endif
