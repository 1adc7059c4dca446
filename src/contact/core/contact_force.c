// Forces of one contact.
#include "contact/core/contact_force.h"

#include "contact/barrier/barrier.h"
#include "contact/core/contact_force_kernel.h"
#define ST_COMPLEX_KERNEL
#include "contact/core/contact_force_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3.h"

// Softer anchors let contacts swing, stiffer ones slow Newton's method.
static const double HOLDING_PART = 0.3;

double st_contact_holding(const StContactLaw *law) {
  return HOLDING_PART * st_normal_law_stiffness(law, law->thickness / 2);
}

double st_contact_energy(const StContactLaw *law, const StGap *gap) {
  return gap->fade * st_normal_law_energy(law, gap->gap);
}

StGrip st_contact_grip(const StContactLaw *law, const StGap *gap) {
  StGrip grip;
  grip.normal_force = normal_real(law, gap, grip.normal);
  grip.engagement = engagement_real(law, gap->gap);
  grip.holding = law->holding * gap->fade;
  grip.bounce = law->bounce * gap->fade;
  return grip;
}

void st_contact_add_normal(const StContactLaw *law, int count, const StGap *gap, double *force) {
  add_normal_real(law, count, gap, force);
}

void st_contact_add_normal_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                StDual *force) {
  add_normal_complex(law, count, gap, force);
}

double st_contact_normal_stiffness(const StContactLaw *law, const StGap *gap) {
  return gap->fade * st_normal_law_stiffness(law, gap->gap);
}

double st_contact_slip(int count, const StGrip *grip, const double *share, const double *velocity,
                       const double wall[3], double slip[3]) {
  return sliding_real(count, share, grip->normal, velocity, wall, slip);
}

StFrictionDamper st_contact_damper(const StContactLaw *law, const StGrip *grip, double along) {
  StFrictionLoad load = st_grip_load(grip);
  return st_friction_damper(law->friction, &load, along - vec3_dot(law->held, grip->normal));
}

StFrictionLoad st_contact_load(const StContactLaw *law, const StGrip *grip, double along) {
  StFrictionLoad load = st_grip_load(grip);
  load.normal_force += st_contact_damper(law, grip, along).force;
  return load;
}

void st_contact_drag(const StContactLaw *law, const StGrip *grip, const double slip[3],
                     double along, double drag[9]) {
  double damping = st_contact_damper(law, grip, along).by_speed;
  StFrictionLoad pressed = st_contact_load(law, grip, along);
  StFrictionLoadDual load = {pressed.normal_force, pressed.engagement, pressed.holding,
                             pressed.bounce};
  for (int j = 0; j < 3; j++) {
    StDual v[3], f[3];
    for (int i = 0; i < 3; i++) // the direction e_j without its normal component
      v[i] = s_dual(slip[i], (i == j) - grip->normal[i] * grip->normal[j]);
    st_friction_force_dual(law->friction, &load, v, f);
    for (int i = 0; i < 3; i++)
      drag[3 * i + j] = s_derivative(f[i]) + damping * grip->normal[i] * grip->normal[j];
  }
}

double st_contact_friction(const StContactLaw *law, int count, const StGrip *grip,
                           const double *share, const double *velocity, const double wall[3],
                           double friction[3]) {
  double slip[3];
  double along = sliding_real(count, share, grip->normal, velocity, wall, slip);
  StFrictionLoad load = st_contact_load(law, grip, along);
  st_friction_force(law->friction, &load, slip, friction);
  vec3_add_scaled(load.normal_force - grip->normal_force, grip->normal, friction);
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
static void friction_dual(const StContactLaw *law, const StFrictionLoadDual *grip,
                          const StDual n[3], const StDual held[3], const StDual slip[3],
                          StDual along, StDual f[3]) {
  StDual parting = along - held[0] * n[0] - held[1] * n[1] - held[2] * n[2];
  StDual damper = st_friction_damper_dual(law->friction, grip, parting);
  StFrictionLoadDual load = {grip->normal_force + damper, grip->engagement, grip->holding,
                             grip->bounce};
  st_friction_force_dual(law->friction, &load, slip, f);
  for (int i = 0; i < 3; i++)
    f[i] += damper * n[i];
}

void st_contact_add_friction_dual(const StContactLaw *law, int count, const StGapDual *gap,
                                  bool fixed_basis, const StDual *velocity, const StDual wall[3],
                                  StDual *force) {
  StDual n[3], slip[3], f[3], held[3], surface[3], fixed[FIXED_MAX];
  const StDual *share = gap->share;
  StDual normal_force = normal_complex(law, gap, n);
  StDual tighter = s_dual(1, law->tightening * s_derivative(gap->gap));
  StFrictionLoadDual load = {normal_force, engagement_complex(law, gap->gap),
                             law->holding * tighter * gap->fade, law->bounce * gap->fade};
  for (int i = 0; i < 3; i++) {
    held[i] = law->held[i] / tighter;
    surface[i] = wall[i] + law->held[i] - held[i];
  }
  if (fixed_basis && count <= FIXED_MAX) {
    for (int k = 0; k < count; k++)
      fixed[k] = constant(share[k]);
    for (int i = 0; i < 3; i++)
      n[i] = constant(n[i]);
    share = fixed;
  }
  StDual along = sliding_complex(count, share, n, velocity, surface, slip);
  friction_dual(law, &load, n, held, slip, along, f);
  spread_complex(count, share, f, force);
}

void st_contact_add_lagged_dual(const StContactLaw *law, int count, const StGrip *grip,
                                const double *share, const StDual *velocity, const double wall[3],
                                StDual *force) {
  StDual slip[3], f[3];
  StFrictionLoadDual load = {grip->normal_force, grip->engagement, grip->holding, grip->bounce};
  for (int i = 0; i < 3; i++)
    slip[i] = share[0] * velocity[i] - wall[i];
  for (int k = 1; k < count; k++)
    for (int i = 0; i < 3; i++)
      slip[i] += share[k] * velocity[3 * k + i];
  StDual along = slip[0] * grip->normal[0] + slip[1] * grip->normal[1] + slip[2] * grip->normal[2];
  for (int i = 0; i < 3; i++)
    slip[i] -= along * grip->normal[i];
  const StDual n[3] = {grip->normal[0], grip->normal[1], grip->normal[2]};
  const StDual held[3] = {law->held[0], law->held[1], law->held[2]};
  friction_dual(law, &load, n, held, slip, along, f);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      force[3 * k + i] += share[k] * f[i];
}
