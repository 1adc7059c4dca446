// The analytic chain rule of one primitive touch, in the symbols of the kernels.
#include "contact/primitive_touch.h"

#include "math/hot.h"
#include "math/vec3.h"

#include <string.h>

enum { WIDEST = 3 * ST_PRIMITIVE_MOST };

// −∂²E/∂x² = −W κ (m φ''/d̂ ∇d ∇dᵀ + m φ' ∇²d + φ' (∇d ∇mᵀ + ∇m ∇dᵀ) + d̂ φ ∇²m)
void st_primitive_normal_jacobian(const StBarrier *law, const StPrimitiveGap *gap,
                                  const StPrimitiveSlopes *slopes, double by, double *jacobian) {
  int width = 3 * gap->count;
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->activation);
  double scale = -by * law->weight * law->stiffness;
  double stiff = scale * gap->fade * curve.curvature / law->activation;
  double press = scale * gap->fade * curve.slope;
  double mixed = scale * curve.slope, energy = scale * law->activation * curve.value;
  const double *g = gap->gradient, *m = gap->fade_gradient;
  for (int r = 0; r < width; r++)
    for (int c = 0; c <= r; c++)
      jacobian[r * width + c] = stiff * g[r] * g[c] + press * slopes->hessian[r * width + c];
  for (int r = 0; r < width && gap->fading; r++)
    for (int c = 0; c <= r; c++)
      jacobian[r * width + c] +=
          mixed * (g[r] * m[c] + m[r] * g[c]) + energy * slopes->fade_hessian[r * width + c];
  for (int r = 0; r < width; r++)
    for (int c = r + 1; c < width; c++)
      jacobian[r * width + c] = jacobian[c * width + r];
}

// Friction on side A and its derivatives.
typedef struct Sliding {
  double relative[3], along; // Σ w_k v_k − surface, and its part along the normal
  double slip[3], speed;     // its tangential part
  double drag, rise;         // −drag·slip acts across the normal; rise: ∂drag/∂speed
  StFrictionDamper damper; // acts along the normal, for the speed at which the sides separate, …
  double by_parting[3];    // … and the derivative of the total by that speed
  double force[3];         // total
  double by_velocity[9];   // ∂force/∂relative
} Sliding;

// ∂force/∂slip along a direction.
static void sliding_turn(const Sliding *sliding, const double direction[3], double out[3]) {
  double along = sliding->speed > 0 ? vec3_dot(sliding->slip, direction) / sliding->speed : 0;
  for (int i = 0; i < 3; i++)
    out[i] = -sliding->drag * direction[i] - sliding->rise * along * sliding->slip[i];
}

static void sliding_fill(const StFrictionLaw *friction, int count, const StGrip *grip,
                         const double *share, const StPrimitiveSlide *slide, const double held[3],
                         StFrictionDrag *drag, Sliding *sliding) {
  const double *n = grip->normal, *velocity = slide->velocity, *wall = slide->wall;
  for (int i = 0; i < 3; i++)
    sliding->relative[i] = -wall[i];
  for (int k = 0; k < count; k++)
    vec3_add_scaled(share[k], velocity + 3 * k, sliding->relative);
  sliding->along = vec3_dot(sliding->relative, n);
  vec3_copy(sliding->relative, sliding->slip);
  vec3_add_scaled(-sliding->along, n, sliding->slip);
  sliding->speed = vec3_length(sliding->slip);
  StFrictionLoad load = st_grip_load(grip);
  sliding->damper = st_friction_damper(friction, &load, sliding->along - vec3_dot(held, n));
  load.normal_force += sliding->damper.force;
  *drag = st_friction_drag(friction, &load, sliding->speed);
  sliding->drag = drag->drag;
  sliding->rise = drag->by_speed;
  for (int i = 0; i < 3; i++)
    sliding->by_parting[i] =
        sliding->damper.by_speed * (n[i] - drag->by_normal_force * sliding->slip[i]);
  for (int i = 0; i < 3; i++)
    sliding->force[i] = sliding->damper.force * n[i] - sliding->drag * sliding->slip[i];
  for (int j = 0; j < 3; j++) {
    double column[3], out[3];
    for (int i = 0; i < 3; i++)
      column[i] = (i == j) - n[i] * n[j];
    sliding_turn(sliding, column, out);
    for (int i = 0; i < 3; i++)
      sliding->by_velocity[3 * i + j] = out[i] + sliding->by_parting[i] * n[j];
  }
}

static void add_velocity_part(int count, const double *share, const Sliding *sliding, double by,
                              double *jacobian) {
  int width = 3 * count;
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) {
      double both = by * share[k] * share[l];
      for (int e = 0; e < 9; e++)
        jacobian[(3 * k + e / 3) * width + 3 * l + e % 3] += both * sliding->by_velocity[e];
    }
}

// Derivatives of normal force and engagement by the gap.
typedef struct GripSlopes {
  double force_by_gap, engagement_by_gap;
} GripSlopes;

static GripSlopes grip_slopes(const StBarrier *law, const StPrimitiveGap *gap) {
  double part = 1 - gap->gap / law->activation;
  if (part <= 0)
    return (GripSlopes){0};
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->activation);
  double scale = -law->weight * law->stiffness;
  return (GripSlopes){scale * gap->fade * curve.curvature / law->activation,
                      -2 * law->film * gap->fade * part / law->activation};
}

// ∂(slip)/∂x through the shares and the normal: [3] rows; and of the normal component of velocity.
static void slip_slopes(const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                        const StPrimitiveSlide *slide, const Sliding *sliding,
                        double slope[3][WIDEST], double along[WIDEST]) {
  const double *velocity = slide->velocity, *spin = slide->spin;
  int width = 3 * gap->count;
  const double *n = gap->normal, *turn = slopes->normal_slope;
  memset(along, 0, (size_t)width * sizeof(double));
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < width; c++) {
      double drift = 0;
      for (int k = 0; k < gap->count; k++)
        drift += slopes->share_slope[k * width + c] * velocity[3 * k + i];
      for (int j = 0; j < 3; j++)
        drift -= spin[3 * i + j] * turn[j * width + c];
      along[c] += n[i] * drift + sliding->relative[i] * turn[i * width + c];
      slope[i][c] = drift - sliding->along * turn[i * width + c];
    }
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < width; c++)
      slope[i][c] -= along[c] * n[i];
}

// Turns rows of ∂(slip)/∂x into rows of ∂(friction on side A)/∂x at constant grip.
static void turn_slopes(const Sliding *sliding, int width, double slope[3][WIDEST]) {
  double rise = sliding->speed > 0 ? sliding->rise / sliding->speed : 0;
  const double *u = sliding->slip;
  for (int c = 0; c < width; c++) {
    double along = rise * (u[0] * slope[0][c] + u[1] * slope[1][c] + u[2] * slope[2][c]);
    for (int i = 0; i < 3; i++)
      slope[i][c] = -sliding->drag * slope[i][c] - along * u[i];
  }
}

// Adds the damper along the normal, which rotates, for the speed at which the sides separate.
// along: ∂(normal component of velocity)/∂x.
static void add_damper_slopes(const Sliding *sliding, const StPrimitiveGap *gap, const double *turn,
                              const double held[3], const double *along, double slope[3][WIDEST]) {
  int width = 3 * gap->count;
  for (int c = 0; c < width; c++) {
    double parting = along[c];
    for (int i = 0; i < 3; i++)
      parting -= held[i] * turn[i * width + c];
    for (int i = 0; i < 3; i++)
      slope[i][c] += sliding->damper.force * turn[i * width + c] + sliding->by_parting[i] * parting;
  }
}

// ∂(friction on side A)/∂x: [3] rows.
static void fill_by_position(const StBarrier *law, const StPrimitiveGap *gap,
                             const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                             const StFrictionDrag *drag, const Sliding *sliding,
                             double by_position[3][WIDEST]) {
  int width = 3 * gap->count;
  GripSlopes grip = grip_slopes(law, gap);
  double damped = sliding->damper.by_normal_force * grip.force_by_gap, along[WIDEST];
  double by_gap = drag->by_normal_force * (grip.force_by_gap + damped) +
                  drag->by_engagement * grip.engagement_by_gap;
  slip_slopes(gap, slopes, slide, sliding, by_position, along);
  turn_slopes(sliding, width, by_position);
  if (sliding->damper.by_speed != 0)
    add_damper_slopes(sliding, gap, slopes->normal_slope, law->held, along, by_position);
  for (int i = 0; i < 3; i++) {
    double rise = damped * gap->normal[i] - by_gap * sliding->slip[i];
    double by_fade = sliding->force[i] / gap->fade; // all parts of friction fade alike
    for (int c = 0; c < width; c++)
      by_position[i][c] += rise * gap->gradient[c] + by_fade * gap->fade_gradient[c];
  }
}

void st_primitive_friction_jacobian(const StBarrier *law, const StFrictionLaw *friction,
                                    const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                                    const StPrimitiveSlide *slide, double by_position,
                                    double by_velocity, double *jacobian) {
  int width = 3 * gap->count;
  double by_x[3][WIDEST];
  StGrip grip = st_primitive_grip(law, gap);
  StFrictionDrag drag;
  Sliding sliding;
  sliding_fill(friction, gap->count, &grip, gap->share, slide, law->held, &drag, &sliding);
  fill_by_position(law, gap, slopes, slide, &drag, &sliding, by_x);
  for (int r = 0; r < width; r++) {
    const double *share = slopes->share_slope + r / 3 * width;
    double weight = by_position * gap->share[r / 3];
    double gain = by_position * sliding.force[r % 3];
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] = weight * by_x[r % 3][c] + gain * share[c];
  }
  add_velocity_part(gap->count, gap->share, &sliding, by_velocity, jacobian);
}

// What the barrier adds: along ∂d, with the normal that turns, and with the fade.
static void add_barrier(const StBarrier *law, const StPrimitiveGap *gap,
                        const StPrimitiveSlopes *slopes, double by, StPrimitiveFactors *factors) {
  int width = 3 * gap->count;
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->activation);
  double scale = -by * law->weight * law->stiffness;
  double stiff = scale * gap->fade * curve.curvature / law->activation;
  double press = scale * gap->fade * curve.slope, mixed = scale * curve.slope;
  for (int i = 0; i < 3; i++) {
    double n = gap->normal[i], *row = factors->change[i];
    const double *turn = slopes->normal_slope + i * width;
    factors->force[i] += press * n;
    for (int c = 0; c < width; c++)
      row[c] += stiff * n * gap->gradient[c] + press * turn[c];
    for (int c = 0; c < width && gap->fading; c++)
      row[c] += mixed * n * gap->fade_gradient[c];
  }
}

static ST_HOT void fill_factors(const StBarrier *law, const StPrimitiveGap *gap,
                                const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                                const StFrictionDrag *drag, const Sliding *sliding,
                                double by_position, double by_velocity,
                                StPrimitiveFactors *factors) {
  int width = 3 * gap->count;
  fill_by_position(law, gap, slopes, slide, drag, sliding, factors->change);
  for (int i = 0; i < 3; i++) {
    factors->force[i] = by_position * sliding->force[i];
    for (int c = 0; c < width; c++)
      factors->change[i][c] = by_position * factors->change[i][c] +
                              by_velocity * gap->share[c / 3] * sliding->by_velocity[3 * i + c % 3];
  }
  add_barrier(law, gap, slopes, by_position, factors);
}

void st_primitive_factors(const StBarrier *law, const StFrictionLaw *friction,
                          const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                          const StPrimitiveSlide *slide, double by_position, double by_velocity,
                          StPrimitiveFactors *factors) {
  StGrip grip = st_primitive_grip(law, gap);
  StFrictionDrag drag;
  Sliding sliding;
  sliding_fill(friction, gap->count, &grip, gap->share, slide, law->held, &drag, &sliding);
  fill_factors(law, gap, slopes, slide, &drag, &sliding, by_position, by_velocity, factors);
}

static ST_HOT void multiply(int count, const double *share, const double *slope,
                            const StPrimitiveFactors *factors, double *jacobian) {
  int width = 3 * count;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < width; c++)
        jacobian[(3 * k + i) * width + c] =
            share[k] * factors->change[i][c] + factors->force[i] * slope[k * width + c];
}

void st_primitive_multiply_factors(const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                                   const StPrimitiveFactors *factors, double *jacobian) {
  multiply(gap->count, gap->share, slopes->share_slope, factors, jacobian);
}

void st_primitive_add_fading(const StBarrier *law, const StPrimitiveGap *gap,
                             const StPrimitiveSlopes *slopes, double by, double *jacobian) {
  int width = 3 * gap->count;
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->activation);
  double scale = -by * law->weight * law->stiffness;
  double mixed = scale * curve.slope, energy = scale * law->activation * curve.value;
  const double *g = gap->gradient, *m = gap->fade_gradient;
  for (int r = 0; r < width; r++)
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] += mixed * m[r] * g[c] + energy * slopes->fade_hessian[r * width + c];
}
