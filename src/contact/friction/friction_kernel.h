// The friction curve on scalars. Stick by velocity: s(v; ε) = 2v/ε - v²/ε² below ε, then 1. Stick
// by anchor: the same curve over displacement, up to the yield. The static part falls with (2x +
// 1)(x - 1)², x = v/v_s. The curve is written with s(v)/v, so there is no division by a vanishing
// speed. Included by friction.c for real and for complex numbers.
#include "math/scalar.h"

#undef ST_FRICTION_LOAD
#ifdef ST_COMPLEX_KERNEL
#define ST_FRICTION_LOAD StFrictionLoadDual
#else
#define ST_FRICTION_LOAD StFrictionLoad
#endif

// Speeds below this fraction of the sticking speed are zero: their squares would be lost in the
// complex step.
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

// Where an anchor yields, as a speed. Normal force and stiffness have the same sign, which is
// negative for the shared part that is subtracted.
static inline scalar ST_KERNEL(yield_speed)(const StFrictionLaw *law,
                                            const ST_FRICTION_LOAD *load) {
  return 2 * law->static_coefficient * load->normal_force / (load->tangent_stiffness * law->span);
}

static inline scalar ST_KERNEL(anchored_drag)(const StFrictionLaw *law,
                                              const ST_FRICTION_LOAD *load, scalar speed) {
  if (law->static_coefficient == 0 || s_real(load->normal_force) == 0)
    return s_number(0);
  scalar yield = ST_KERNEL(yield_speed)(law, load);
  if (s_real(speed) <= s_real(yield))
    return load->tangent_stiffness * law->span * (1 - 0.5 * speed / yield);
  return ST_KERNEL(coefficient)(law, speed - yield) * load->normal_force / speed;
}

static inline scalar ST_KERNEL(drag)(const StFrictionLaw *law, const ST_FRICTION_LOAD *load,
                                     scalar speed) {
  scalar dry = law->anchored ? ST_KERNEL(anchored_drag)(law, load, speed)
                             : ST_KERNEL(coefficient)(law, speed) *
                                   ST_KERNEL(smoothed_over_speed)(law->sticking_speed, speed) *
                                   load->normal_force;
  return dry + law->viscous_coefficient * load->engagement;
}

// −τbv/√(1 + q²), q = τbv/N
static inline scalar ST_KERNEL(damper)(const StFrictionLaw *law, const ST_FRICTION_LOAD *load,
                                       scalar speed) {
  if (law->damping == 0 || s_real(load->normal_force) == 0)
    return s_number(0);
  scalar force = law->damping * load->damper_stiffness * speed, q = force / load->normal_force;
  return -force / s_sqrt(1 + q * q);
}

static inline void ST_KERNEL(friction)(const StFrictionLaw *law, const ST_FRICTION_LOAD *load,
                                       const scalar v[3], scalar force[3]) {
  scalar square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  double rest = ST_FRICTION_REST * law->sticking_speed;
  scalar speed = s_real(square) > rest * rest ? s_sqrt(square) : s_number(0);
  scalar drag = ST_KERNEL(drag)(law, load, speed);
  for (int i = 0; i < 3; i++)
    force[i] = -drag * v[i];
}
