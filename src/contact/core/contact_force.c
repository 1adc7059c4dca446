// Forces of one contact. Tested by tests/contact/test_primitive_contact.c and
// tests/contact/test_contact_set.c.
#include "contact/core/contact_force.h"

#include "contact/core/contact_force_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/core/contact_force_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3.h"
#include "contact/tunables.h"

double st_contact_tangent_stiffness(const StContactLaw *law) {
  return st_contact_tunables.anchor_stiffness * st_normal_law_stiffness(law, law->thickness / 2);
}

double st_contact_energy(const StContactLaw *law, const StGap *gap) {
  return gap->mollifier * st_normal_law_energy(law, gap->gap);
}

StNormalState st_contact_normal_state(const StContactLaw *law, const StGap *gap) {
  StNormalState normal_state;
  normal_state.normal_force = normal_real(law, gap, normal_state.normal);
  normal_state.engagement = engagement_real(law, gap->gap);
  normal_state.tangent_stiffness = law->tangent_stiffness * gap->mollifier;
  normal_state.damper_stiffness = law->damper_stiffness * gap->mollifier;
  return normal_state;
}

StNormalState st_contact_normal_state_along(const StContactLaw *law, double gap, double mollifier,
                                            const double normal[3]) {
  StNormalState normal_state = {.normal_force = normal_force_real(law, gap, mollifier),
                                .engagement = engagement_real(law, gap) * mollifier,
                                .tangent_stiffness = law->tangent_stiffness * mollifier,
                                .damper_stiffness = law->damper_stiffness * mollifier};
  vec3_copy(normal, normal_state.normal);
  return normal_state;
}

void st_contact_add_normal(const StContactLaw *law, int count, const StGap *gap, double *force) {
  add_normal_real(law, count, gap, force);
}

void st_contact_add_normal_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                StDual *force) {
  add_normal_complex(law, count, gap, force);
}

double st_contact_normal_stiffness(const StContactLaw *law, const StGap *gap) {
  return gap->mollifier * st_normal_law_stiffness(law, gap->gap);
}

double st_contact_slip(int count, const StNormalState *normal_state, const double *share,
                       const double *velocity, const double wall[3], double slip[3]) {
  return sliding_real(count, share, normal_state->normal, velocity, wall, slip);
}

StFrictionDamper st_contact_damper(const StContactLaw *law, const StNormalState *normal_state,
                                   double along) {
  StFrictionLoad load = st_normal_state_load(normal_state);
  return st_friction_damper(law->friction, &load,
                            along - vec3_dot(law->held, normal_state->normal));
}

StFrictionLoad st_contact_load(const StContactLaw *law, const StNormalState *normal_state,
                               double along) {
  StFrictionLoad load = st_normal_state_load(normal_state);
  load.normal_force += st_contact_damper(law, normal_state, along).force;
  return load;
}

void st_contact_drag(const StContactLaw *law, const StNormalState *normal_state,
                     const double slip[3], double along, double drag[9]) {
  double damping = st_contact_damper(law, normal_state, along).by_speed;
  StFrictionLoad pressed = st_contact_load(law, normal_state, along);
  StFrictionLoadDual load = {pressed.normal_force, pressed.engagement, pressed.tangent_stiffness,
                             pressed.damper_stiffness};
  for (int j = 0; j < 3; j++) {
    StDual v[3], f[3];
    for (int i = 0; i < 3; i++) // the direction e_j without its normal component
      v[i] = s_dual(slip[i], (i == j) - normal_state->normal[i] * normal_state->normal[j]);
    st_friction_force_dual(law->friction, &load, v, f);
    for (int i = 0; i < 3; i++)
      drag[3 * i + j] =
          s_derivative(f[i]) + damping * normal_state->normal[i] * normal_state->normal[j];
  }
}

double st_contact_friction(const StContactLaw *law, int count, const StNormalState *normal_state,
                           const double *share, const double *velocity, const double wall[3],
                           double friction[3]) {
  double slip[3];
  double along = sliding_real(count, share, normal_state->normal, velocity, wall, slip);
  StFrictionLoad load = st_contact_load(law, normal_state, along);
  st_friction_force(law->friction, &load, slip, friction);
  vec3_add_scaled(load.normal_force - normal_state->normal_force, normal_state->normal, friction);
  return vec3_length(slip);
}

void st_contact_spread(int count, const double *share, const double friction[3], double *force) {
  spread_real(count, share, friction, force);
}

static StDual constant(StDual x) {
  return CMPLX(creal(x), 0);
}

// Stencils are small; a rare larger one keeps its derivatives (correct, but a fuller Jacobian).
enum { FIXED_MAX = 512 };

// Friction on side A, along the surface and along the normal.
static void friction_dual(const StContactLaw *law, const StFrictionLoadDual *normal_state,
                          const StDual n[3], const StDual held[3], const StDual slip[3],
                          StDual along, StDual f[3]) {
  StDual parting = along - held[0] * n[0] - held[1] * n[1] - held[2] * n[2];
  StDual damper = st_friction_damper_dual(law->friction, normal_state, parting);
  StFrictionLoadDual load = {normal_state->normal_force + damper, normal_state->engagement,
                             normal_state->tangent_stiffness, normal_state->damper_stiffness};
  st_friction_force_dual(law->friction, &load, slip, f);
  for (int i = 0; i < 3; i++)
    f[i] += damper * n[i];
}

// Adds friction with the shares and the normal of its basis. The anchor stiffens with the gap, and
// its elastic displacement shrinks accordingly.
static void add_friction(const StContactLaw *law, int count, const StGapDual *gap,
                         StDual normal_force, StDual engagement, const StDual *share,
                         const StDual n[3], const StDual *velocity, const StDual wall[3],
                         StDual *force) {
  StDual slip[3], f[3], held[3], surface[3];
  StDual stiffer = s_dual(1, law->stiffening * s_derivative(gap->gap));
  StFrictionLoadDual load = {normal_force, engagement,
                             law->tangent_stiffness * stiffer * gap->mollifier,
                             law->damper_stiffness * gap->mollifier};
  for (int i = 0; i < 3; i++) {
    held[i] = law->held[i] / stiffer;
    surface[i] = wall[i] + law->held[i] - held[i];
  }
  StDual along = sliding_complex(count, share, n, velocity, surface, slip);
  friction_dual(law, &load, n, held, slip, along, f);
  spread_complex(count, share, f, force);
}

void st_contact_add_friction_along_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                        const StDual normal[3], const StDual *velocity,
                                        const StDual wall[3], StDual *force) {
  add_friction(law, count, gap, normal_force_complex(law, gap->gap, gap->mollifier),
               engagement_complex(law, gap->gap) * gap->mollifier, gap->share, normal, velocity,
               wall, force);
}

void st_contact_add_friction_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                  bool fixed_basis, const StDual *velocity, const StDual wall[3],
                                  StDual *force) {
  StDual n[3], fixed[FIXED_MAX];
  const StDual *share = gap->share;
  StDual normal_force = normal_complex(law, gap, n);
  if (fixed_basis && count <= FIXED_MAX) {
    for (int k = 0; k < count; k++)
      fixed[k] = constant(share[k]);
    for (int i = 0; i < 3; i++)
      n[i] = constant(n[i]);
    share = fixed;
  }
  add_friction(law, count, gap, normal_force, engagement_complex(law, gap->gap), share, n, velocity,
               wall, force);
}

void st_contact_add_lagged_dual(const StContactLaw *law, int count,
                                const StNormalState *normal_state, const double *share,
                                const StDual *velocity, const double wall[3], StDual *force) {
  StDual slip[3], f[3];
  StFrictionLoadDual load = {normal_state->normal_force, normal_state->engagement,
                             normal_state->tangent_stiffness, normal_state->damper_stiffness};
  for (int i = 0; i < 3; i++)
    slip[i] = share[0] * velocity[i] - wall[i];
  for (int k = 1; k < count; k++)
    for (int i = 0; i < 3; i++)
      slip[i] += share[k] * velocity[3 * k + i];
  StDual along = slip[0] * normal_state->normal[0] + slip[1] * normal_state->normal[1] +
                 slip[2] * normal_state->normal[2];
  for (int i = 0; i < 3; i++)
    slip[i] -= along * normal_state->normal[i];
  const StDual n[3] = {normal_state->normal[0], normal_state->normal[1], normal_state->normal[2]};
  const StDual held[3] = {law->held[0], law->held[1], law->held[2]};
  friction_dual(law, &load, n, held, slip, along, f);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      force[3 * k + i] += share[k] * f[i];
}
