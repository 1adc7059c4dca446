// The gap of a stencil: the kernel compiled for real and for complex numbers. Tested by
// tests/contact/test_surface.c and tests/contact/test_surface_derivatives.c.
#include "contact/smooth/surface_internal.h"
#include "math/hot.h"

#include <math.h>
#include <string.h>

// Before a loop whose iterations share no memory.
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
  const bool *moved;           // [count] samples to compute again; NULL: all
} Site;

// The first run of samples to compute from *begin on: sets its begin and returns its end; empty:
// there is none.
static int next_run(const Site *site, int *begin) {
  if (!site->moved)
    return site->count;
  while (*begin < site->count && !site->moved[*begin])
    ++*begin;
  int end = *begin;
  while (end < site->count && site->moved[end])
    end++;
  return end;
}

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

// The site of the samples found by the last search.
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

void st_surface_gap(const StSurface *surface, StSurfaceScratch *scratch, const double *position,
                    StGap *gap) {
  Site site = site_found(surface, scratch);
  scratch->seen_by = NULL;
  gap_fill_real(&site, position, scratch->work, &gap->gap, &gap->mollifier, gap->gradient,
                gap->mollifier_gradient, gap->share);
  sign_shares(site.stencil_count, gap->share);
}

// Notes the positions and which samples have to be computed again: those whose corners moved, or
// all if the point did.
static void note_moved(const Site *site, bool all, const StDual *position,
                       StSurfaceScratch *scratch) {
  StDual *seen = scratch->seen;
  all = all || memcmp(seen, position, 3 * sizeof(StDual)) != 0;
  for (int i = 0; i < site->count; i++) {
    bool moved = all;
    for (int v = 0; v < 3 && !moved; v++) {
      int corner = 3 * site->corner[v][i];
      moved = memcmp(seen + corner, position + corner, 3 * sizeof(StDual)) != 0;
    }
    scratch->moved[i] = moved;
  }
  memcpy(seen, position, 3 * (size_t)site->stencil_count * sizeof(StDual));
}

static ST_HOT void hot_gap_complex(const Site *site, const StDual *position, StDual *work,
                                   StGapDual *gap) {
  gap_fill_complex(site, position, work, &gap->gap, &gap->mollifier, gap->gradient,
                   gap->mollifier_gradient, gap->share);
}

const StGapDual *st_surface_gap_dual(const StSurface *surface, StSurfaceScratch *scratch,
                                     const StDual *position) {
  Site site = site_found(surface, scratch);
  StGapDual *gap = &scratch->dual;
  size_t size = (size_t)site.stencil_count;
  bool known = scratch->seen_by == surface && scratch->seen_radius == surface->radius;
  if (known && memcmp(scratch->seen, position, 3 * size * sizeof(StDual)) == 0)
    return gap;
  note_moved(&site, !known, position, scratch);
  scratch->seen_by = surface;
  scratch->seen_radius = surface->radius;
  site.moved = scratch->moved;
  hot_gap_complex(&site, position, scratch->work, gap);
  gap->share[0] = 1;
  for (int k = 1; k < site.stencil_count; k++)
    gap->share[k] = -gap->share[k];
  return gap;
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
