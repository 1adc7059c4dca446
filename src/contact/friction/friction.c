// Friction curves.
#include "contact/friction/friction.h"

#include "contact/friction/friction_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/friction/friction_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

#include <math.h>

double st_friction_coefficient(const StFrictionLaw *law, double speed) {
  if (law->anchored)
    return coefficient_real(law, speed);
  return coefficient_real(law, speed) * smoothed_over_speed_real(law->sticking_speed, speed) *
         speed;
}

// Maximum over speed by golden section: the curve rises to one hump below v_s and falls.
static double hump(const StFrictionLaw *law) {
  const double ratio = 0.61803398874989484820;
  double low = 0, high = law->stribeck_speed;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = st_friction_coefficient(law, a), at_b = st_friction_coefficient(law, b);
  for (int i = 0; i < 100; i++) {
    if (at_a > at_b) {
      high = b, b = a, at_b = at_a;
      a = high - ratio * (high - low), at_a = st_friction_coefficient(law, a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + ratio * (high - low), at_b = st_friction_coefficient(law, b);
    }
  }
  return at_a;
}

// The static part already falls while the smoothing still rises, so the raw curve peaks below μ_s.
// A larger static part compensates; the peak is monotone in it, so bisection finds the weight.
void st_friction_prepare(StFrictionLaw *law) {
  law->peak = 1;
  if (law->anchored || law->static_coefficient <= law->dynamic_coefficient)
    return;
  double low = 1, high = 1;
  for (int i = 0; i < 60; i++, high *= 2) {
    law->peak = high;
    if (hump(law) >= law->static_coefficient)
      break;
    low = high;
  }
  for (int i = 0; i < 100; i++) {
    law->peak = 0.5 * (low + high);
    *(hump(law) < law->static_coefficient ? &low : &high) = law->peak;
  }
}

// Slope of Stribeck's curve by the speed.
static double coefficient_slope(const StFrictionLaw *law, double speed) {
  double x = speed / law->stribeck_speed;
  double extra = law->peak * (law->static_coefficient - law->dynamic_coefficient);
  return x < 1 ? extra * 6 * x * (x - 1) / law->stribeck_speed : 0;
}

static StFrictionDrag smoothed_drag(const StFrictionLaw *law, const StFrictionLoad *load,
                                    double speed) {
  double epsilon = law->sticking_speed;
  double mu = coefficient_real(law, speed), over = smoothed_over_speed_real(epsilon, speed);
  double over_slope = -1 / (speed < epsilon ? epsilon * epsilon : speed * speed);
  double slope = coefficient_slope(law, speed) * over + mu * over_slope;
  return (StFrictionDrag){mu * over * load->normal_force, slope * load->normal_force, mu * over, 0};
}

static StFrictionDrag anchored_slopes(const StFrictionLaw *law, const StFrictionLoad *load,
                                      double speed) {
  double n = load->normal_force, k = load->tangent_stiffness * law->span;
  if (law->static_coefficient == 0 || n == 0)
    return (StFrictionDrag){0};
  double yield = yield_speed_real(law, load), part = 0.5 * speed / yield;
  if (speed <= yield)
    return (StFrictionDrag){k * (1 - part), -0.5 * k / yield, k * part / n, 0};
  double mu = coefficient_real(law, speed - yield), slope = coefficient_slope(law, speed - yield);
  return (StFrictionDrag){mu * n / speed, (slope - mu / speed) * n / speed,
                          (mu - slope * yield) / speed, 0};
}

StFrictionDrag st_friction_drag(const StFrictionLaw *law, const StFrictionLoad *load,
                                double speed) {
  StFrictionDrag drag =
      law->anchored ? anchored_slopes(law, load, speed) : smoothed_drag(law, load, speed);
  drag.drag += law->viscous_coefficient * load->engagement;
  drag.by_engagement = law->viscous_coefficient;
  return drag;
}

void st_friction_force(const StFrictionLaw *law, const StFrictionLoad *load,
                       const double velocity[3], double force[3]) {
  friction_real(law, load, velocity, force);
}

void st_friction_force_dual(const StFrictionLaw *law, const StFrictionLoadDual *load,
                            const StDual velocity[3], StDual force[3]) {
  friction_complex(law, load, velocity, force);
}

StFrictionDamper st_friction_damper(const StFrictionLaw *law, const StFrictionLoad *load,
                                    double speed) {
  if (law->damping == 0 || load->normal_force == 0)
    return (StFrictionDamper){0};
  double drag = law->damping * load->damper_stiffness, q = drag * speed / load->normal_force;
  double square = 1 + q * q, cube = 1 / square / sqrt(square);
  return (StFrictionDamper){damper_real(law, load, speed), -drag * cube, -q * q * q * cube};
}

StDual st_friction_damper_dual(const StFrictionLaw *law, const StFrictionLoadDual *load,
                               StDual speed) {
  return damper_complex(law, load, speed);
}

double st_friction_yield(const StFrictionLaw *law, const StFrictionLoad *load) {
  return load->tangent_stiffness == 0
             ? 0
             : 2 * law->static_coefficient * load->normal_force / load->tangent_stiffness;
}

// ∫ k (1 − z/2ℓ) z dz
double st_friction_stored(const StFrictionLaw *law, const StFrictionLoad *load,
                          double displacement) {
  double yield = st_friction_yield(law, load), z = fmin(displacement, yield);
  return yield > 0 ? load->tangent_stiffness * z * z * (0.5 - z / yield / 6) : 0;
}

double st_friction_brought(const StFrictionLaw *law, const StFrictionLoad *load,
                           double displacement) {
  double beyond = fmax(displacement - st_friction_yield(law, load), 0);
  return st_friction_stored(law, load, displacement) +
         law->static_coefficient * load->normal_force * beyond;
}
