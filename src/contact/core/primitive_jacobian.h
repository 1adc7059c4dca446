// Analytic derivatives of one contact between two primitives: the barrier along the gap, friction
// across it. The forces themselves are those of any contact (contact/core/contact_force.h). Where
// the gap is not positive they are NaN.
#pragma once

#include "contact/core/contact_force.h"
#include "contact/core/primitive_gap.h"

// Jacobians are filled, [3 count][3 count]. All laws are barriers.

// by·∂(normal force)/∂x, exact and symmetric.
void st_primitive_normal_jacobian(const StContactLaw *law, const StPrimitiveGap *gap,
                                  const StPrimitiveSlopes *slopes, double by, double *jacobian);

typedef struct StPrimitiveSlide {
  const double *velocity; // [count][3]
  double wall[3];
  double spin[9]; // ∂(surface velocity)/∂n, row-major: of a round obstacle that turns
} StPrimitiveSlide;

// by_position·∂(friction)/∂x + by_velocity·∂(friction)/∂v; joined: the normal force is included,
// which costs less than two calls. slopes: from st_primitive_turns and
// st_primitive_mollifier_slopes.
void st_primitive_friction_jacobian(const StContactLaw *law, const StPrimitiveGap *gap,
                                    const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                                    bool joined, double by_position, double by_velocity,
                                    double *jacobian);
