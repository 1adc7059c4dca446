// The chain rule of one contact, written out.
#include "contact/touch_jacobian.h"

#include "math/vec3.h"

#include <string.h>

// Pressing force per unit of ∇ψ, and its slope by ψ.
typedef struct Pressing {
  double force, slope;
} Pressing;

static Pressing pressing(const StTouchLaw *law, const StGap *gap) {
  Pressing p;
  st_press_slopes(law, gap->gap, &p.force, &p.slope);
  return p;
}

void st_touch_normal_jacobian(const StTouchLaw *law, int count, const StGap *gap, double by,
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

// Friction on the point and how it depends on what it is made of.
typedef struct Rub {
  double normal[3], length; // ∇ψ is length·normal
  double relative[3];       // velocity of the point over the surface, …
  double along;             // … its part along the normal
  StFrictionDamper damper;  // what acts along it, for the speed at which the sides part, …
  double by_parting[3];     // … and what that speed does to all of it
  double force[3];          // all together
  double by_normal_force[3], by_engagement[3];
  double by_slip[9], by_velocity[9]; // the latter with the projection
} Rub;

static void rub_relative(int count, const double *share, const StFrictionSite *site, Rub *rub) {
  const double *velocity = site->velocity;
  for (int i = 0; i < 3; i++)
    rub->relative[i] = -site->matter[i];
  for (int k = 0; k < count; k++)
    vec3_add_scaled(share[k], velocity + 3 * k, rub->relative);
  rub->along = vec3_dot(rub->relative, rub->normal);
}

// The slope of friction along a direction of (normal force, engagement, slip).
static void friction_slope(const StFrictionLaw *law, double holding, const double base[5],
                           const double along[5], double slope[3]) {
  StDual x[5], f[3];
  for (int i = 0; i < 5; i++)
    x[i] = s_dual(base[i], along[i]);
  StFrictionLoadDual load = {x[0], x[1], holding};
  st_friction_force_dual(law, &load, x + 2, f);
  for (int i = 0; i < 3; i++)
    slope[i] = s_derivative(f[i]);
}

static void rub_slopes(const StFrictionLaw *law, const StFrictionLoad *load, Rub *rub) {
  double base[5] = {load->normal_force, load->engagement}, slope[5][3];
  for (int i = 0; i < 3; i++)
    base[2 + i] = rub->relative[i] - rub->along * rub->normal[i];
  st_friction_force(law, load, base + 2, rub->force);
  for (int k = 0; k < 5; k++) {
    double along[5] = {0};
    along[k] = 1;
    friction_slope(law, load->holding, base, along, slope[k]);
  }
  vec3_copy(slope[0], rub->by_normal_force);
  vec3_copy(slope[1], rub->by_engagement);
  for (int i = 0; i < 3; i++) {
    double along = 0;
    for (int j = 0; j < 3; j++) {
      rub->by_slip[3 * i + j] = slope[2 + j][i];
      along += slope[2 + j][i] * rub->normal[j];
    }
    for (int j = 0; j < 3; j++)
      rub->by_velocity[3 * i + j] = slope[2 + j][i] - along * rub->normal[j];
  }
}

// The damper presses as well.
static void add_damper(Rub *rub) {
  const double *n = rub->normal;
  const StFrictionDamper *damper = &rub->damper;
  for (int i = 0; i < 3; i++) {
    double both = n[i] + rub->by_normal_force[i];
    rub->force[i] += damper->force * n[i];
    rub->by_parting[i] = damper->by_speed * both;
    rub->by_normal_force[i] += damper->by_normal_force * both;
  }
  for (int i = 0; i < 9; i++)
    rub->by_velocity[i] += rub->by_parting[i / 3] * n[i % 3];
}

static void rub_fill(const StTouchLaw *law, int count, const StGap *gap, const StFrictionSite *site,
                     Rub *rub) {
  double part = 1 - gap->gap / law->thickness;
  rub->length = vec3_length(gap->gradient);
  for (int i = 0; i < 3; i++)
    rub->normal[i] = gap->gradient[i] / rub->length;
  rub_relative(count, gap->share, site, rub);
  StFrictionLoad load = {pressing(law, gap).force * rub->length, part * part, law->holding};
  rub->damper =
      st_friction_damper(law->friction, &load, rub->along - vec3_dot(law->held, rub->normal));
  load.normal_force += rub->damper.force;
  rub_slopes(law->friction, &load, rub);
  add_damper(rub);
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
static void rub_column(const StTouchLaw *law, const StGap *gap, const StFrictionSite *site,
                       const Rub *rub, Pressing p, int width, int c, double *drift) {
  const double *n = rub->normal;
  double dg[3], dn[3], du[3], slip[3];
  for (int i = 0; i < 3; i++) {
    dg[i] = site->point_rows[i * width + c];
    du[i] = drift[i * width + c];
  }
  double stretch = vec3_dot(n, dg), rise = gap->gradient[c];
  for (int i = 0; i < 3; i++)
    dn[i] = site->fixed_basis ? 0 : (dg[i] - stretch * n[i]) / rub->length;
  double turn = vec3_dot(n, du) + vec3_dot(rub->relative, dn);
  for (int i = 0; i < 3; i++)
    slip[i] = du[i] - turn * n[i] - rub->along * dn[i];
  double parting = turn - vec3_dot(law->held, dn);
  double press = p.slope * rub->length * rise + p.force * stretch;
  double engage = -2 * (1 - gap->gap / law->thickness) / law->thickness * rise;
  for (int i = 0; i < 3; i++)
    drift[i * width + c] = rub->by_normal_force[i] * press + rub->by_engagement[i] * engage +
                           vec3_dot(rub->by_slip + 3 * i, slip) + rub->damper.force * dn[i] +
                           rub->by_parting[i] * parting;
}

// Rows of one vertex: its share of the friction, and what that share gains.
static void fill_rows(int count, const StGap *gap, const StFrictionSite *site, const Rub *rub,
                      const double *by_x, int r, double by_position, double by_velocity,
                      double *jacobian) {
  int width = 3 * count;
  double weight = gap->share[r];
  const double *slope = site->share_slope + (size_t)r * width;
  for (int i = 0; i < 3; i++) {
    double *row = jacobian + (size_t)(3 * r + i) * (size_t)width;
    double gain = site->fixed_basis ? 0 : by_position * rub->force[i];
    for (int c = 0; c < width; c++)
      row[c] = by_position * weight * by_x[i * width + c] + gain * slope[c];
    for (int c = 0; c < count; c++) {
      double both = by_velocity * weight * gap->share[c];
      for (int j = 0; j < 3; j++)
        row[3 * c + j] += both * rub->by_velocity[3 * i + j];
    }
  }
}

void st_touch_friction_jacobian(const StTouchLaw *law, int count, const StGap *gap,
                                const StFrictionSite *site, double by_position, double by_velocity,
                                double *jacobian, double *work) {
  int width = 3 * count;
  Rub rub;
  rub_fill(law, count, gap, site, &rub);
  Pressing p = pressing(law, gap);
  drift_fill(count, site, work);
  for (int c = 0; c < width; c++)
    rub_column(law, gap, site, &rub, p, width, c, work);
  for (int r = 0; r < count; r++)
    fill_rows(count, gap, site, &rub, work, r, by_position, by_velocity, jacobian);
}
