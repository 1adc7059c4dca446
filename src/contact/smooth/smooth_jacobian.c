// The analytic chain rule of one contact.
#include "contact/smooth/smooth_jacobian.h"

#include "math/vec3.h"

#include <string.h>

// Pressing force per unit of ∇ψ, and its slope by ψ.
typedef struct Pressing {
  double force, slope;
} Pressing;

static Pressing pressing(const StContactLaw *law, const StGap *gap) {
  Pressing p;
  st_normal_law_slopes(law, gap->gap, &p.force, &p.slope);
  return p;
}

void st_contact_normal_jacobian(const StContactLaw *law, int count, const StGap *gap, double by,
                                double *hessian) {
  int width = 3 * count;
  Pressing p = pressing(law, gap);
  const double *g = gap->gradient;
  for (int r = 0; r < width; r++) {
    double slope = by * p.slope * g[r], *row = hessian + (size_t)r * (size_t)width;
    for (int c = 0; c < width; c++)
      row[c] = by * p.force * row[c] + slope * g[c];
  }
}

// Friction on the point and its derivatives.
typedef struct Sliding {
  double normal[3], length; // ∇ψ is length·normal
  double relative[3];       // velocity of the point over the surface, …
  double along;             // … its normal component
  StFrictionDamper damper;  // acts along the normal, for the speed at which the sides separate, …
  double by_parting[3];     // … and the derivative of the total by that speed
  double force[3];          // total
  double by_normal_force[3], by_engagement[3];
  double by_slip[9], by_velocity[9]; // the latter with the projection
} Sliding;

static void sliding_relative(int count, const double *share, const StFrictionSite *site,
                             Sliding *sliding) {
  const double *velocity = site->velocity;
  for (int i = 0; i < 3; i++)
    sliding->relative[i] = -site->wall[i];
  for (int k = 0; k < count; k++)
    vec3_add_scaled(share[k], velocity + 3 * k, sliding->relative);
  sliding->along = vec3_dot(sliding->relative, sliding->normal);
}

// The slope of friction along a direction of (normal force, engagement, slip).
static void friction_slope(const StFrictionLaw *law, const StFrictionLoad *at, const double base[5],
                           const double along[5], double slope[3]) {
  StDual x[5], f[3];
  for (int i = 0; i < 5; i++)
    x[i] = s_dual(base[i], along[i]);
  StFrictionLoadDual load = {x[0], x[1], at->tangent_stiffness, at->damper_stiffness};
  st_friction_force_dual(law, &load, x + 2, f);
  for (int i = 0; i < 3; i++)
    slope[i] = s_derivative(f[i]);
}

static void sliding_slopes(const StFrictionLaw *law, const StFrictionLoad *load, Sliding *sliding) {
  double base[5] = {load->normal_force, load->engagement}, slope[5][3];
  for (int i = 0; i < 3; i++)
    base[2 + i] = sliding->relative[i] - sliding->along * sliding->normal[i];
  st_friction_force(law, load, base + 2, sliding->force);
  for (int k = 0; k < 5; k++) {
    double along[5] = {0};
    along[k] = 1;
    friction_slope(law, load, base, along, slope[k]);
  }
  vec3_copy(slope[0], sliding->by_normal_force);
  vec3_copy(slope[1], sliding->by_engagement);
  for (int i = 0; i < 3; i++) {
    double along = 0;
    for (int j = 0; j < 3; j++) {
      sliding->by_slip[3 * i + j] = slope[2 + j][i];
      along += slope[2 + j][i] * sliding->normal[j];
    }
    for (int j = 0; j < 3; j++)
      sliding->by_velocity[3 * i + j] = slope[2 + j][i] - along * sliding->normal[j];
  }
}

// The damper contributes to the normal force.
static void add_damper(Sliding *sliding) {
  const double *n = sliding->normal;
  const StFrictionDamper *damper = &sliding->damper;
  for (int i = 0; i < 3; i++) {
    double both = n[i] + sliding->by_normal_force[i];
    sliding->force[i] += damper->force * n[i];
    sliding->by_parting[i] = damper->by_speed * both;
    sliding->by_normal_force[i] += damper->by_normal_force * both;
  }
  for (int i = 0; i < 9; i++)
    sliding->by_velocity[i] += sliding->by_parting[i / 3] * n[i % 3];
}

static void sliding_fill(const StContactLaw *law, int count, const StGap *gap,
                         const StFrictionSite *site, Sliding *sliding) {
  double part = 1 - gap->gap / law->thickness;
  sliding->length = vec3_length(gap->gradient);
  for (int i = 0; i < 3; i++)
    sliding->normal[i] = gap->gradient[i] / sliding->length;
  sliding_relative(count, gap->share, site, sliding);
  StFrictionLoad load = {pressing(law, gap).force * sliding->length, part * part,
                         law->tangent_stiffness, law->damper_stiffness};
  sliding->damper = st_friction_damper(law->friction, &load,
                                       sliding->along - vec3_dot(law->held, sliding->normal));
  load.normal_force += sliding->damper.force;
  sliding_slopes(law->friction, &load, sliding);
  add_damper(sliding);
}

// ∂(relative velocity)/∂x through the shares: [3][3 count].
static void drift_fill(int count, const StFrictionSite *site, double *drift) {
  int width = 3 * count;
  memset(drift, 0, 3 * (size_t)width * sizeof(double));
  if (site->fixed_basis)
    return;
  for (int k = 0; k < count; k++) {
    const double *v = site->velocity + 3 * k, *slope = site->share_slope + (size_t)k * width;
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < width; c++)
        drift[i * width + c] += slope[c] * v[i];
  }
}

// Turns column c of the drift into that of ∂(friction on the point)/∂x.
static void friction_column(const StContactLaw *law, const StGap *gap, const StFrictionSite *site,
                            const Sliding *sliding, Pressing p, int width, int c, double *drift) {
  const double *n = sliding->normal;
  double dg[3], dn[3], du[3], slip[3];
  for (int i = 0; i < 3; i++) {
    dg[i] = site->point_rows[i * width + c];
    du[i] = drift[i * width + c];
  }
  double stretch = vec3_dot(n, dg), rise = gap->gradient[c];
  for (int i = 0; i < 3; i++)
    dn[i] = site->fixed_basis ? 0 : (dg[i] - stretch * n[i]) / sliding->length;
  double turn = vec3_dot(n, du) + vec3_dot(sliding->relative, dn);
  for (int i = 0; i < 3; i++)
    slip[i] = du[i] - turn * n[i] - sliding->along * dn[i];
  double parting = turn - vec3_dot(law->held, dn);
  double press = p.slope * sliding->length * rise + p.force * stretch;
  double engage = -2 * (1 - gap->gap / law->thickness) / law->thickness * rise;
  for (int i = 0; i < 3; i++)
    drift[i * width + c] = sliding->by_normal_force[i] * press +
                           sliding->by_engagement[i] * engage +
                           vec3_dot(sliding->by_slip + 3 * i, slip) +
                           sliding->damper.force * dn[i] + sliding->by_parting[i] * parting;
}

// Rows of one vertex: its share of the friction, and the derivative of that share.
static void fill_rows(int count, const StGap *gap, const StFrictionSite *site,
                      const Sliding *sliding, const double *by_x, int r, double by_position,
                      double by_velocity, double *jacobian) {
  int width = 3 * count;
  double weight = gap->share[r];
  const double *slope = site->share_slope + (size_t)r * width;
  for (int i = 0; i < 3; i++) {
    double *row = jacobian + (size_t)(3 * r + i) * (size_t)width;
    double gain = site->fixed_basis ? 0 : by_position * sliding->force[i];
    for (int c = 0; c < width; c++)
      row[c] = by_position * weight * by_x[i * width + c] + gain * slope[c];
    for (int c = 0; c < count; c++) {
      double both = by_velocity * weight * gap->share[c];
      for (int j = 0; j < 3; j++)
        row[3 * c + j] += both * sliding->by_velocity[3 * i + j];
    }
  }
}

void st_contact_friction_jacobian(const StContactLaw *law, int count, const StGap *gap,
                                  const StFrictionSite *site, double by_position,
                                  double by_velocity, double *jacobian, double *work) {
  int width = 3 * count;
  Sliding sliding;
  sliding_fill(law, count, gap, site, &sliding);
  Pressing p = pressing(law, gap);
  drift_fill(count, site, work);
  for (int c = 0; c < width; c++)
    friction_column(law, gap, site, &sliding, p, width, c, work);
  for (int r = 0; r < count; r++)
    fill_rows(count, gap, site, &sliding, work, r, by_position, by_velocity, jacobian);
}
