// A smooth implicit surface through the triangles of a body's skin or of a mesh obstacle (moving
// least squares: one sample per triangle, at its centroid, with its normal), and the search for the
// samples near a point. Knows vertices and triangles, nothing of bodies, materials or forces.
// docs/physics.md, "Contact surfaces", says what is computed and why.
#ifndef ST_CONTACT_SURFACE_H
#define ST_CONTACT_SURFACE_H

#include "base/status.h"
#include "contact/gap.h"

typedef enum StSurfaceKernel {
  ST_KERNEL_SMOOTH,
  ST_KERNEL_CUBIC,
  ST_KERNEL_INTERPOLATING
} StSurfaceKernel;

typedef struct StSurfaceOptions {
  StSurfaceKernel kernel;
  double radius_multiplier; // R over the largest centroid-to-vertex distance at rest
  double smoothing;         // t of the smooth kernel
  double thickness;         // δ: how far from the surface the gap must be right
  bool two_sided;           // no outside: a point stays on the side it came from
} StSurfaceOptions;

// What suits most surfaces.
StSurfaceOptions st_surface_defaults(double thickness);

typedef struct StSurface StSurface;

// triangle: [triangle_count][3] vertices (local numbers), outward; rest: positions of all vertices.
// Behind an open sheet is inside, unless it is two-sided; then triangles may be turned either way.
StStatus st_surface_create(const int *triangle, int triangle_count, const double *rest,
                           const StSurfaceOptions *options, StSurface **surface, StError *error);
void st_surface_destroy(StSurface *surface);

// R, m. It may only grow, and only here, between solves: R ≥ the largest current centroid-to-vertex
// distance + 2δ, so that a solve sees one smooth function. Searches need a new update after it.
double st_surface_radius(const StSurface *surface);
int st_surface_triangle_count(const StSurface *surface);
void st_surface_set_radius(StSurface *surface, double radius); // what a checkpoint remembered
void st_surface_grow_radius(StSurface *surface, const double *position);

// Sorts the samples into cells for the present positions; call before searches and gaps at new
// ones. ST_NOT_SOLVED when a position is not a number.
StStatus st_surface_update(StSurface *surface, const double *position, StError *error);

// Samples within R of x at the positions of the last update: fills the stencil's vertices (the
// point's own number `point` first) and the samples. *stencil points into scratch, valid until its
// next use. False when there is no contact: no sample within R, or the gap is certainly δ or more.
// Also false, with *error filled (its status is not ST_OK), when memory is short; a search that
// succeeds leaves *error alone. The samples of a two-sided surface must then be turned (below).
typedef struct StSurfaceScratch StSurfaceScratch;
StStatus st_surface_scratch_create(StSurfaceScratch **scratch, StError *error);
void st_surface_scratch_destroy(StSurfaceScratch *scratch);
bool st_surface_find(const StSurface *surface, int point, const double x[3],
                     StSurfaceScratch *scratch, StStencil *stencil, StError *error);

// The samples last found, facing the point, to be brought back later without a search: how many,
// their corners' places in the stencil, [3][count], and into another scratch or after other
// searches. False when memory is short.
int st_surface_sample_count(const StSurfaceScratch *scratch);
void st_surface_copy_samples(const StSurfaceScratch *scratch, int *corner);
bool st_surface_recall_samples(StSurfaceScratch *scratch, int count, const int *corner,
                               int stencil_count);

// A point and a surface at some instant, the start of a step above all.
typedef struct StSurfacePast {
  const double *point;    // [3]
  const double *position; // of the surface's vertices, in the caller's numbers
  int side; // what st_surface_side returned for the point then; 0: it was out of reach
} StSurfacePast;

// Turns the samples of a two-sided surface, just found at x, towards the side where the point was
// in the past; from then on the surface behaves like any other that faces the point. Layers that
// are not connected within R have their own sides, so a point may be between any two. False if the
// gap is certainly δ or more, or, with *error filled, if memory is short.
bool st_surface_face(const StSurface *surface, StSurfaceScratch *scratch, const double x[3],
                     const double *position, const StSurfacePast *past, StError *error);

// The side to be remembered of a point in reach: the number of the nearest triangle of the samples
// found, counted from 1, negative where it was turned over to face the point.
int st_surface_side(const StSurface *surface, const StSurfaceScratch *scratch, const double x[3],
                    const double *position);

// Gap of the stencil last found with this scratch. position: of the stencil's vertices in its
// order, [count][3] (gathered by the caller); complex numbers carry a direction.
void st_surface_gap(const StSurface *surface, const StSurfaceScratch *scratch,
                    const double *position, StGap *gap);
void st_surface_gap_dual(const StSurface *surface, const StSurfaceScratch *scratch,
                         const StDual *position, StGapDual *gap);

// Gap and second derivatives, hessian: [3 count][3 count]. False, with the gap alone, where the
// surface is fading out: there only complex numbers know. work: [ST_SLOPE_WORK count]
enum { ST_SLOPE_WORK = 92 };
bool st_surface_gap_hessian(const StSurface *surface, const StSurfaceScratch *scratch,
                            const double *position, StGap *gap, double *hessian, double *work);

// The same for what friction needs: the first rows of the hessian, point_rows: [3][3 count], and
// how the shares change, share_slope: [count][3 count], entry 0 zero.
bool st_surface_gap_slopes(const StSurface *surface, const StSurfaceScratch *scratch,
                           const double *position, StGap *gap, double *point_rows,
                           double *share_slope, double *work);

// Sorts the triangles' paths between two positions into cells, once for many questions below.
StStatus st_surface_sweep(StSurface *surface, const double *before, const double *after,
                          StError *error);

// Whether the path of a point (start → end) went through a triangle of the surface, from its front
// to its back, while its vertices moved from `before` to `after` (all linear in time); *triangle
// names one. The positions are those of the last sweep; on a surface never swept, all triangles are
// tried.
bool st_surface_crossed(const StSurface *surface, const double start[3], const double end[3],
                        const double *before, const double *after, int *triangle);

// The same, leaving out triangles that face along `outward` at the end. The smooth surface runs up
// to a tenth of a triangle's size inside or outside of the triangles, so a point may be behind some
// of them and still on the right side: one that crossed but ends with ψ ≥ 0 is asked again with its
// ∇ψ.
bool st_surface_crossed_against(const StSurface *surface, const double start[3],
                                const double end[3], const double *before, const double *after,
                                const double outward[3], int *triangle);

// The same for a two-sided surface, from either side. One that went through a triangle and is still
// on the same side of the smooth surface there has only passed between the two.
bool st_surface_crossed_sides(const StSurface *surface, StSurfaceScratch *scratch,
                              const StSurfacePast *before, const StSurfacePast *after,
                              int *triangle);

#endif
