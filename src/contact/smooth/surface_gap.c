// The gap of a stencil: the kernel compiled for real and for complex numbers. Tested by
// tests/contact/test_surface.c and tests/contact/test_surface_derivatives.c.
#include "contact/smooth/surface_internal.h"

#include <math.h>
#include <string.h>

// Before a loop whose iterations contact no common memory.
#if defined(__GNUC__) && !defined(__clang__)
#define ST_INDEPENDENT _Pragma("GCC ivdep")
#else
#define ST_INDEPENDENT
#endif

// Everything about a stencil except positions.
typedef struct Site {
  int count, stencil_count; // samples, vertices
  const int *corner[3];     // [count] places of a sample's corners in the stencil
  size_t capacity;          // of each field of the work space
  double radius, radius_squared, inverse_radius_squared;
  double inverse_near_squared; // 1/η² of the nearness to triangles
  double sharpness;            // 1/t of the kernel
  double floor;                // under squared areas; see samples_weigh
} Site;

#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include "contact/smooth/triangle_kernel.h"
#include "contact/smooth/surface_kernel.h"
#include "contact/smooth/surface_facing_kernel.h"
#include "contact/smooth/surface_mollifier_kernel.h"
#include "contact/smooth/surface_share_kernel.h"
#include "contact/smooth/surface_gap_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include "contact/smooth/triangle_kernel.h"
#include "contact/smooth/surface_kernel.h"
#include "contact/smooth/surface_facing_kernel.h"
#include "contact/smooth/surface_mollifier_kernel.h"
#include "contact/smooth/surface_share_kernel.h"
#include "contact/smooth/surface_gap_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "contact/smooth/surface_hessian_kernel.h"

// cubic/(1 + s²/t) covers all three: the cubic kernel for t = ∞; for t = 1e-6 it interpolates the
// centroids to 1e-6 of the difference of neighbours, without the pole of a strictly interpolating
// kernel.
static double kernel_sharpness(const StSurfaceOptions *options) {
  switch (options->kernel) {
  case ST_KERNEL_CUBIC: return 0;
  case ST_KERNEL_INTERPOLATING: return 1e6;
  case ST_KERNEL_SMOOTH: break;
  }
  return 1 / options->smoothing;
}

static Site site_of(const StSurface *surface) {
  double square = surface->radius * surface->radius;
  double near = fmin(0.5 * surface->options.thickness, 0.125 * surface->radius);
  return (Site){.radius = surface->radius,
                .radius_squared = square,
                .inverse_radius_squared = 1 / square,
                .inverse_near_squared = 1 / (near * near),
                .sharpness = kernel_sharpness(&surface->options),
                .floor = 1e-20 * square * square};
}

// The site of the samples last found.
static Site site_found(const StSurface *surface, const StSurfaceScratch *scratch) {
  Site site = site_of(surface);
  site.count = scratch->sample_count;
  site.stencil_count = scratch->stencil_count;
  site.capacity = scratch->sample_capacity;
  for (int v = 0; v < 3; v++)
    site.corner[v] = scratch->corner + (size_t)v * scratch->sample_capacity;
  return site;
}

// The kernels' shares are those of the surface's vertices alone, and sum to one.
static void sign_shares(int count, double *share) {
  share[0] = 1;
  for (int k = 1; k < count; k++)
    share[k] = -share[k];
}

void st_surface_gap(const StSurface *surface, const StSurfaceScratch *scratch,
                    const double *position, StGap *gap) {
  Site site = site_found(surface, scratch);
  looked_real looked;
  gap_fill_real(&site, position, scratch->work, &gap->gap, &gap->mollifier, gap->gradient,
                gap->mollifier_gradient, gap->share, &looked);
  sign_shares(site.stencil_count, gap->share);
}

void st_surface_gap_dual(const StSurface *surface, const StSurfaceScratch *scratch,
                         const StDual *position, StGapDual *gap) {
  Site site = site_found(surface, scratch);
  looked_complex looked;
  gap_fill_complex(&site, position, scratch->work, &gap->gap, &gap->mollifier, gap->gradient,
                   gap->mollifier_gradient, gap->share, &looked);
  gap->share[0] = 1;
  for (int k = 1; k < site.stencil_count; k++)
    gap->share[k] = -gap->share[k];
}

// The gap with the inputs of its derivatives; false if there is none, or where it is fading out.
static bool look_closer(const Site *site, const StSurfaceScratch *scratch, const double *position,
                        StGap *gap, looked_real *looked, Patch *patch) {
  gap_fill_real(site, position, scratch->work, &gap->gap, &gap->mollifier, gap->gradient,
                gap->mollifier_gradient, gap->share, looked);
  *patch = (Patch){.site = site,
                   .s = &looked->s,
                   .position = position,
                   .facing = looked->facing,
                   .sloped = looked->sloped,
                   .width = 3 * site->stencil_count,
                   .weight = looked->weight,
                   .psi = gap->gap};
  return looked->weight > 0 && gap->mollifier == 1;
}

bool st_surface_gap_hessian(const StSurface *surface, const StSurfaceScratch *scratch,
                            const double *position, StGap *gap, double *hessian, double *work) {
  Site site = site_found(surface, scratch);
  looked_real looked;
  Patch patch;
  Ties ties;
  bool sound = look_closer(&site, scratch, position, gap, &looked, &patch);
  if (sound) {
    double *rest = ties_lay(patch.width, work, &ties);
    ties_fill(&patch, &ties);
    hessian_fill(&patch, &ties, patch.width, hessian, rest);
  }
  sign_shares(site.stencil_count, gap->share);
  return sound;
}

bool st_surface_gap_slopes(const StSurface *surface, const StSurfaceScratch *scratch,
                           const double *position, StGap *gap, double *point_rows,
                           double *share_slope, double *work) {
  Site site = site_found(surface, scratch);
  looked_real looked;
  Patch patch;
  Ties ties;
  Spread spread;
  if (!look_closer(&site, scratch, position, gap, &looked, &patch)) {
    sign_shares(site.stencil_count, gap->share);
    return false;
  }
  size_t vertices = (size_t)site.stencil_count, width = 3 * vertices;
  double *pull = ties_lay(patch.width, work, &ties), *rest = pull + PULLS * vertices;
  ties_fill(&patch, &ties);
  hessian_fill(&patch, &ties, 3, point_rows, rest);
  spread_lay(patch.width, rest, &spread);
  spread_fill(&patch, gap->gradient, &spread);
  spread_sum(&patch, &ties, &spread);
  double length = sqrt(dot_real(gap->gradient, gap->gradient));
  for (int c = 0; c < patch.width; c++)
    spread_column(&patch, ties.weight_up, length, point_rows, c, &spread);
  memset(share_slope, 0, vertices * width * sizeof(double));
  memset(pull, 0, PULLS * vertices * sizeof(double));
  shares_local(&patch, &spread, pull, share_slope);
  shares_common(&patch, &ties, &spread, gap->share, pull, share_slope);
  sign_shares(site.stencil_count, gap->share);
  for (size_t i = 0; i < vertices * width; i++)
    share_slope[i] = -share_slope[i];
  return true;
}

double st_surface_height(const StSurface *surface, StSurfacePatch *patch, bool over) {
  Site site = site_of(surface);
  site.count = patch->count;
  site.stencil_count = 1 + 3 * patch->count;
  site.capacity = patch->capacity;
  site.corner[0] = patch->corner;
  site.corner[over ? 2 : 1] = patch->corner + patch->capacity;
  site.corner[over ? 1 : 2] = patch->corner + 2 * patch->capacity;
  samples_real s;
  facing_real facing = {0};
  bool sloped;
  double weight;
  samples_lay_real(patch->work, patch->capacity, &s);
  double height = gap_value_real(&site, patch->at, &s, &facing, &sloped, &weight);
  return weight > 0 ? height : NAN;
}
