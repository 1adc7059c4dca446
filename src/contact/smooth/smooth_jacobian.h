// Derivatives of one contact's forces as dense matrices over its stencil, from the slopes of its
// gap (st_surface_gap_hessian, st_surface_gap_slopes). For contacts between bodies whose surface is
// not fading out.
#pragma once

#include "contact/core/contact_force.h"

// Turns the hessian of the gap, [3 count][3 count], into `by` times ∂(normal force)/∂x.
void st_contact_normal_jacobian(const StContactLaw *law, int count, const StGap *gap, double by,
                                double *hessian);

typedef struct StFrictionSite {
  const double *point_rows;  // [3][3 count] rows of the gap's hessian
  const double *share_slope; // [count][3 count] of the signed shares
  const double *velocity;    // [count][3]
  double wall[3];            // a velocity that belongs to no place
  bool fixed_basis;          // treat normal and shares as constant
} StFrictionSite;

// by_position·∂(friction)/∂x + by_velocity·∂(friction)/∂v; jacobian: [3 count][3 count], work:
// [9 count].
void st_contact_friction_jacobian(const StContactLaw *law, int count, const StGap *gap,
                                  const StFrictionSite *site, double by_position,
                                  double by_velocity, double *jacobian, double *work);
