// A smooth implicit surface through the triangles of a body's skin or of a mesh obstacle (moving
// least squares: one sample per triangle, at its centroid, with its normal), and the search for the
// samples near a point. It depends on vertices and triangles only, not on bodies, materials or
// forces. docs/physics.md, "Contact surfaces", says what is computed and why.
#pragma once

#include "base/status.h"
#include "contact/core/gap.h"

typedef enum StSurfaceKernel {
  ST_KERNEL_SMOOTH,
  ST_KERNEL_CUBIC,
  ST_KERNEL_INTERPOLATING
} StSurfaceKernel;

typedef struct StSurfaceOptions {
  StSurfaceKernel kernel;
  double radius_multiplier; // R over the largest centroid-to-vertex distance at rest
  double smoothing;         // t of the smooth kernel
  double thickness;         // δ: the distance within which the gap must be correct
  bool two_sided;           // no outside: a point stays on the side it came from
} StSurfaceOptions;

// Defaults for most surfaces.
StSurfaceOptions st_surface_defaults(double thickness);

typedef struct StSurface StSurface;

// triangle: [triangle_count][3] vertices (local numbers), outward; rest: positions of all vertices.
// The back of an open sheet is inside, unless the sheet is two-sided; then triangles may have
// either orientation.
StStatus st_surface_create(const int *triangle, int triangle_count, const double *rest,
                           const StSurfaceOptions *options, StSurface **surface, StError *error);
void st_surface_destroy(StSurface *surface);

// R, m: at rest, and what it has grown to. It may only grow, and only between solves: R ≥ the
// largest current centroid-to-vertex distance + 2δ, so that a solve sees one smooth function.
double st_surface_rest_radius(const int *triangle, int triangle_count, const double *rest,
                              const StSurfaceOptions *options);
double st_surface_grown_radius(const int *triangle, int triangle_count, const double *position,
                               const StSurfaceOptions *options, double radius);

// The radius in use. Update before the next search.
double st_surface_radius(const StSurface *surface);
void st_surface_set_radius(StSurface *surface, double radius);

// Sorts the samples into cells for the current positions; call before searches and gaps at new
// ones. ST_NOT_SOLVED if a position is NaN.
StStatus st_surface_update(StSurface *surface, const double *position, StError *error);

// Samples within R of x at the positions of the last update: fills the stencil's vertices (the
// point's own number `point` first) and the samples. *stencil points into scratch, valid until its
// next use. False if there is no contact: no sample within R, or the gap is certainly δ or more.
// Also false, with *error filled, if out of memory; a successful search leaves *error alone. The
// samples of a two-sided surface must then be oriented (below).
typedef struct StSurfaceScratch StSurfaceScratch;
StStatus st_surface_scratch_create(StSurfaceScratch **scratch, StError *error);
void st_surface_scratch_destroy(StSurfaceScratch *scratch);
bool st_surface_find(const StSurface *surface, int point, const double x[3],
                     StSurfaceScratch *scratch, StStencil *stencil, StError *error);

// The samples last found, oriented towards the point, so that they can be restored later without a
// search: how many, and their corners' places in the stencil, [3][count]. They can be restored into
// another scratch or after other searches. False: out of memory.
int st_surface_sample_count(const StSurfaceScratch *scratch);
void st_surface_copy_samples(const StSurfaceScratch *scratch, int *corner);
bool st_surface_recall_samples(StSurfaceScratch *scratch, int count, const int *corner,
                               int stencil_count);

// A point and a surface at some instant, usually the start of a step.
typedef struct StSurfacePast {
  const double *point;    // [3]
  const double *position; // of the surface's vertices, in the caller's numbers
  int side; // what st_surface_side returned for the point then; 0: it was out of reach
} StSurfacePast;

// Orients the samples of a two-sided surface, just found at x, towards the side where the point was
// in the past; the surface then behaves like any other that faces the point. Layers that are not
// connected within R have their own sides, so a point may be between any two. False if the gap is
// certainly δ or more, or, with *error filled, if out of memory.
bool st_surface_face(const StSurface *surface, StSurfaceScratch *scratch, const double x[3],
                     const double *position, const StSurfacePast *past, StError *error);

// The side to remember for a point in reach: the number of the nearest triangle of the samples
// found, counted from 1, negative if it was flipped to face the point.
int st_surface_side(const StSurface *surface, const StSurfaceScratch *scratch, const double x[3],
                    const double *position);

// Gap of the stencil last found with this scratch. position: of the stencil's vertices in its
// order, [count][3]; complex numbers carry a direction. The complex gap belongs to the scratch
// until its next use. Asked for one column of a Jacobian after the other, it costs less: samples
// whose corners did not change are not computed again.
void st_surface_gap(const StSurface *surface, StSurfaceScratch *scratch, const double *position,
                    StGap *gap);
const StGapDual *st_surface_gap_dual(const StSurface *surface, StSurfaceScratch *scratch,
                                     const StDual *position);

// Sorts the triangles' paths between two positions into cells, for the queries below.
StStatus st_surface_sweep(StSurface *surface, const double *before, const double *after,
                          StError *error);

// Whether the path of a point (start → end) went through a triangle of the surface, from its front
// to its back, while its vertices moved from `before` to `after` (all linear in time); *triangle is
// one such triangle. Positions must be those of the last sweep; without a sweep all triangles are
// tested.
bool st_surface_crossed(const StSurface *surface, const double start[3], const double end[3],
                        const double *before, const double *after, int *triangle);

// The same without triangles that face along `outward` at the end. The smooth surface deviates from
// the triangles by up to a tenth of their size, so a point may be behind some triangle and still on
// the correct side: for a point that crossed but ends with ψ ≥ 0, ask again with its ∇ψ.
bool st_surface_crossed_against(const StSurface *surface, const double start[3],
                                const double end[3], const double *before, const double *after,
                                const double outward[3], int *triangle);

// The same for a two-sided surface, from either side. A point that went through a triangle but is
// still on the same side of the smooth surface has not crossed.
bool st_surface_crossed_sides(const StSurface *surface, StSurfaceScratch *scratch,
                              const StSurfacePast *before, const StSurfacePast *after,
                              int *triangle);
