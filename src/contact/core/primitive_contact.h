// Derivatives of one contact between two primitives, analytic and by complex step: the barrier
// along the gap, friction across it. The forces themselves are those of any contact
// (contact/core/contact_force.h). Where the gap is not positive they are NaN.
#ifndef ST_CONTACT_CORE_PRIMITIVE_CONTACT_H
#define ST_CONTACT_CORE_PRIMITIVE_CONTACT_H

#include "contact/barrier/barrier.h"
#include "contact/core/contact_force.h"
#include "contact/core/primitive_gap.h"

// Forces are added, [count][3]; Jacobians are filled, [3 count][3 count].

// −∂(energy)/∂x
void st_primitive_add_normal_dual(const StBarrier *law, const StPrimitiveGapDual *gap,
                                  StDual *force);

// by·∂(normal force)/∂x, exact and symmetric.
void st_primitive_normal_jacobian(const StBarrier *law, const StPrimitiveGap *gap,
                                  const StPrimitiveSlopes *slopes, double by, double *jacobian);

// Normal force and engagement that friction depends on; negative for contacts of negative weight.
StNormalState st_primitive_normal_state(const StBarrier *law, const StPrimitiveGap *gap);

// Friction in complex numbers. velocity: [count][3]; wall: a velocity that belongs to no vertex.
void st_primitive_add_friction_dual(const StBarrier *law, const StFrictionLaw *friction,
                                    const StPrimitiveGapDual *gap, const StDual *velocity,
                                    const StDual wall[3], StDual *force);

typedef struct StPrimitiveSlide {
  const double *velocity; // [count][3]
  double wall[3];
  double spin[9]; // ∂(surface velocity)/∂n, row-major: of a round obstacle that turns
} StPrimitiveSlide;

// by_position·∂(friction)/∂x + by_velocity·∂(friction)/∂v.
void st_primitive_friction_jacobian(const StBarrier *law, const StFrictionLaw *friction,
                                    const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                                    const StPrimitiveSlide *slide, double by_position,
                                    double by_velocity, double *jacobian);

// Both together, for less than the sum of their costs. slopes: from st_primitive_turns and
// st_primitive_fade_slopes.
void st_primitive_joint_jacobian(const StBarrier *law, const StFrictionLaw *friction,
                                 const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                                 const StPrimitiveSlide *slide, double by_position,
                                 double by_velocity, double *jacobian);

#endif
