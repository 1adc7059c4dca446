// The friction curve on scalars: s(v; ε) = 2v/ε - v²/ε² below ε, then 1; the static part fades with
// (2x + 1)(x - 1)², x = v/v_s. Written with s(v)/v, so that nothing is divided by a vanishing
// speed. Included by friction.c for real and for complex numbers.
#include "math/scalar.h"

// Speeds below this fraction of ε are zero: their squares would not survive the complex step.
#ifndef ST_FRICTION_REST
#define ST_FRICTION_REST 1e-20
#endif

// s(v)/v, 1/(m/s)
static inline scalar ST_KERNEL(smoothed_over_speed)(double epsilon, scalar speed) {
  if (s_real(speed) < epsilon)
    return (2 - speed / epsilon) / epsilon;
  return 1 / speed;
}

static inline scalar ST_KERNEL(coefficient)(const StFrictionLaw *law, scalar speed) {
  scalar x = speed / law->stribeck_speed;
  if (s_real(x) >= 1)
    return s_number(law->dynamic_coefficient);
  scalar fade = (2 * x + 1) * (x - 1) * (x - 1);
  double extra = law->peak * (law->static_coefficient - law->dynamic_coefficient);
  return law->dynamic_coefficient + extra * fade;
}

static inline void ST_KERNEL(friction)(const StFrictionLaw *law, scalar normal_force,
                                       scalar engagement, const scalar v[3], scalar force[3]) {
  scalar square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  double rest = ST_FRICTION_REST * law->sticking_speed;
  scalar speed = s_real(square) > rest * rest ? s_sqrt(square) : s_number(0);
  scalar drag = ST_KERNEL(coefficient)(law, speed) *
                    ST_KERNEL(smoothed_over_speed)(law->sticking_speed, speed) * normal_force +
                law->viscous_coefficient * engagement;
  for (int i = 0; i < 3; i++)
    force[i] = -drag * v[i];
}
