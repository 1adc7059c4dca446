// Friction curves.
#include "contact/friction.h"

#include "contact/friction_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/friction_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

double st_friction_coefficient(const StFrictionLaw *law, double speed) {
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

// The smoothing still rises where the static part already fades, so the raw curve peaks below μ_s.
// A larger static part makes up for it; the peak grows with it, so bisection finds the weight.
void st_friction_prepare(StFrictionLaw *law) {
  law->peak = 1;
  if (law->static_coefficient <= law->dynamic_coefficient)
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

StFrictionDrag st_friction_drag(const StFrictionLaw *law, double speed) {
  double epsilon = law->sticking_speed, x = speed / law->stribeck_speed;
  double extra = law->peak * (law->static_coefficient - law->dynamic_coefficient);
  double mu = coefficient_real(law, speed), over = smoothed_over_speed_real(epsilon, speed);
  double mu_slope = x < 1 ? extra * 6 * x * (x - 1) / law->stribeck_speed : 0;
  double over_slope = -1 / (speed < epsilon ? epsilon * epsilon : speed * speed);
  return (StFrictionDrag){mu * over, mu_slope * over + mu * over_slope, law->viscous_coefficient};
}

void st_friction_force(const StFrictionLaw *law, double normal_force, double engagement,
                       const double velocity[3], double force[3]) {
  friction_real(law, normal_force, engagement, velocity, force);
}

void st_friction_force_dual(const StFrictionLaw *law, StDual normal_force, StDual engagement,
                            const StDual velocity[3], StDual force[3]) {
  friction_complex(law, normal_force, engagement, velocity, force);
}
