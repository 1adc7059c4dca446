// Forces of primitive contacts.
#include "contact/core/primitive_contact.h"

#include "contact/core/primitive_contact_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/core/primitive_contact_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3.h"

void st_primitive_add_normal_dual(const StBarrier *law, const StPrimitiveGapDual *gap,
                                  StDual *force) {
  add_normal_complex(law, gap, force);
}

StNormalState st_primitive_normal_state(const StBarrier *law, const StPrimitiveGap *gap) {
  StNormalState normal_state;
  normal_state.normal_force = normal_force_real(law, gap, &normal_state.engagement);
  normal_state.tangent_stiffness = law->tangent_stiffness * gap->mollifier;
  normal_state.damper_stiffness = law->damper_stiffness * gap->mollifier;
  normal_state.engagement *= fabs(law->film); // the sign is already included
  vec3_copy(gap->normal, normal_state.normal);
  return normal_state;
}

void st_primitive_add_friction_dual(const StBarrier *law, const StFrictionLaw *friction,
                                    const StPrimitiveGapDual *gap, const StDual *velocity,
                                    const StDual wall[3], StDual *force) {
  StDual engagement, slip[3], f[3], held[3], surface[3];
  StDual normal_force = normal_force_complex(law, gap, &engagement);
  engagement *= fabs(law->film);
  StDual stiffer = s_dual(1, law->stiffening * s_derivative(gap->gap));
  StFrictionLoadDual load = {normal_force, engagement,
                             law->tangent_stiffness * stiffer * gap->mollifier,
                             law->damper_stiffness * gap->mollifier};
  for (int i = 0; i < 3; i++) {
    held[i] = law->held[i] / stiffer;
    surface[i] = wall[i] + law->held[i] - held[i];
  }
  StDual parting = sliding_complex(gap->count, gap->share, gap->normal, velocity, surface, slip);
  for (int i = 0; i < 3; i++)
    parting -= held[i] * gap->normal[i];
  StDual damper = st_friction_damper_dual(friction, &load, parting);
  load.normal_force += damper;
  st_friction_force_dual(friction, &load, slip, f);
  for (int i = 0; i < 3; i++)
    f[i] += damper * gap->normal[i];
  spread_complex(gap->count, gap->share, f, force);
}
