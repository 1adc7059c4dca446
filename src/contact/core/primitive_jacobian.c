// The analytic chain rule of one primitive contact, in the symbols of the kernels. Tested by
// tests/contact/test_primitive_contact.c.
#include "contact/core/primitive_jacobian.h"

#include "contact/barrier/barrier.h"
#include "math/hot.h"
#include "math/vec3.h"

#include <string.h>

enum { WIDEST = 3 * ST_PRIMITIVE_MOST };

// −∂²E/∂x² = −κ (m φ''/d̂ ∇d ∇dᵀ + m φ' ∇²d + φ' (∇d ∇mᵀ + ∇m ∇dᵀ) + d̂ φ ∇²m)
static inline void normal_jacobian(const StContactLaw *law, const StPrimitiveGap *gap, int count,
                                   const StPrimitiveSlopes *slopes, double by, double *jacobian) {
  int width = 3 * count;
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->thickness);
  double scale = -by * law->stiffness;
  double stiff = scale * gap->mollifier * curve.curvature / law->thickness;
  double turn = scale * gap->mollifier * curve.slope;
  double mixed = scale * curve.slope, energy = scale * law->thickness * curve.value;
  const double *g = gap->gradient, *m = gap->mollifier_gradient;
  for (int r = 0; r < width; r++)
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] = stiff * g[r] * g[c] + turn * slopes->hessian[r * width + c];
  for (int r = 0; r < width && gap->mollified; r++)
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] +=
          mixed * (g[r] * m[c] + m[r] * g[c]) + energy * slopes->mollifier_hessian[r * width + c];
  for (int r = 0; r < width; r++) // symmetric to the last bit
    for (int c = r + 1; c < width; c++)
      jacobian[r * width + c] = jacobian[c * width + r];
}

// With constant counts the compiler unrolls these loops and fills vector registers.
static ST_HOT void hot_normal_jacobian(const StContactLaw *law, const StPrimitiveGap *gap,
                                       const StPrimitiveSlopes *slopes, double by,
                                       double *jacobian) {
  switch (gap->count) {
  case 2: normal_jacobian(law, gap, 2, slopes, by, jacobian); break;
  case 3: normal_jacobian(law, gap, 3, slopes, by, jacobian); break;
  default: normal_jacobian(law, gap, 4, slopes, by, jacobian);
  }
}

void st_primitive_normal_jacobian(const StContactLaw *law, const StPrimitiveGap *gap,
                                  const StPrimitiveSlopes *slopes, double by, double *jacobian) {
  hot_normal_jacobian(law, gap, slopes, by, jacobian);
}

// Friction on side A and its derivatives.
typedef struct Sliding {
  double relative[3], along; // Σ w_k v_k − surface, and its part along the normal
  double slip[3], speed;     // its tangential part
  double drag, rise;         // −drag·slip acts across the normal; rise: ∂drag/∂speed
  StFrictionDamper damper; // force along the normal, for the speed at which the sides separate, …
  double by_parting[3];    // … and the derivative of the total by that speed
  double by_stiffening[3]; // … and by the logarithm of the anchor's stiffness
  double force[3];         // total
  double by_velocity[9];   // ∂force/∂relative
} Sliding;

// ∂force/∂slip along a direction.
static void sliding_turn(const Sliding *sliding, const double direction[3], double out[3]) {
  double along = sliding->speed > 0 ? vec3_dot(sliding->slip, direction) / sliding->speed : 0;
  for (int i = 0; i < 3; i++)
    out[i] = -sliding->drag * direction[i] - sliding->rise * along * sliding->slip[i];
}

// The dry drag is proportional to normal force and stiffness together, so its slope by one follows
// from that by the other. The elastic displacement shrinks as the anchor stiffens.
static void stiffen(const StFrictionLoad *load, const StFrictionDrag *drag, const double n[3],
                    const double held[3], Sliding *sliding) {
  double dry = drag->drag - drag->by_engagement * load->engagement;
  double rise = dry - load->normal_force * drag->by_normal_force;
  double across[3];
  vec3_copy(held, across);
  vec3_add_scaled(-vec3_dot(held, n), n, across);
  sliding_turn(sliding, across, sliding->by_stiffening);
  for (int i = 0; i < 3; i++)
    sliding->by_stiffening[i] = -sliding->by_stiffening[i] - rise * sliding->slip[i];
}

static void sliding_fill(const StContactLaw *law, int count, const StNormalState *normal_state,
                         const double *share, const StPrimitiveSlide *slide, StFrictionDrag *drag,
                         Sliding *sliding) {
  const double *n = normal_state->normal, *velocity = slide->velocity, *wall = slide->wall;
  for (int i = 0; i < 3; i++)
    sliding->relative[i] = -wall[i];
  for (int k = 0; k < count; k++)
    vec3_add_scaled(share[k], velocity + 3 * k, sliding->relative);
  sliding->along = vec3_dot(sliding->relative, n);
  vec3_copy(sliding->relative, sliding->slip);
  vec3_add_scaled(-sliding->along, n, sliding->slip);
  sliding->speed = vec3_length(sliding->slip);
  StFrictionLoad load = st_normal_state_load(normal_state);
  sliding->damper =
      st_friction_damper(law->friction, &load, sliding->along - vec3_dot(law->held, n));
  load.normal_force += sliding->damper.force;
  *drag = st_friction_drag(law->friction, &load, sliding->speed);
  sliding->drag = drag->drag;
  sliding->rise = drag->by_speed;
  stiffen(&load, drag, n, law->held, sliding);
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

// Derivatives of normal force and engagement by the gap.
typedef struct NormalSlopes {
  double force_by_gap, engagement_by_gap;
} NormalSlopes;

static NormalSlopes normal_slopes(const StContactLaw *law, const StPrimitiveGap *gap) {
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->thickness);
  return (NormalSlopes){-law->stiffness * gap->mollifier * curve.curvature / law->thickness,
                        law->film * gap->mollifier * st_barrier_film_slope(&curve) /
                            law->thickness};
}

// ∂(slip)/∂x through the shares and the normal: [3] rows; and of the normal component of velocity.
static inline void slip_slopes(const StPrimitiveGap *gap, int count,
                               const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                               const Sliding *sliding, double slope[3][WIDEST],
                               double along[WIDEST]) {
  const double *velocity = slide->velocity, *spin = slide->spin;
  int width = 3 * count;
  const double *n = gap->normal, *turn = slopes->normal_slope;
  memset(along, 0, (size_t)width * sizeof(double));
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < width; c++) {
      double drift = 0;
      for (int k = 0; k < count; k++)
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

// Converts rows of ∂(slip)/∂x into rows of ∂(friction on side A)/∂x at constant normal state.
static inline void turn_slopes(const Sliding *sliding, int width, double slope[3][WIDEST]) {
  double rise = sliding->speed > 0 ? sliding->rise / sliding->speed : 0;
  const double *u = sliding->slip;
  for (int c = 0; c < width; c++) {
    double along = rise * (u[0] * slope[0][c] + u[1] * slope[1][c] + u[2] * slope[2][c]);
    for (int i = 0; i < 3; i++)
      slope[i][c] = -sliding->drag * slope[i][c] - along * u[i];
  }
}

// Adds the rows of the damper along the normal, for the speed at which the sides separate. The
// normal rotates. along: ∂(normal component of velocity)/∂x.
static inline void add_damper_slopes(const Sliding *sliding, int width, const double *turn,
                                     const double held[3], const double *along,
                                     double slope[3][WIDEST]) {
  for (int c = 0; c < width; c++) {
    double parting = along[c];
    for (int i = 0; i < 3; i++)
      parting -= held[i] * turn[i * width + c];
    for (int i = 0; i < 3; i++)
      slope[i][c] += sliding->damper.force * turn[i * width + c] + sliding->by_parting[i] * parting;
  }
}

// ∂(friction on side A)/∂x: [3] rows.
static inline void fill_by_position(const StContactLaw *law, const StPrimitiveGap *gap, int count,
                                    const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                                    const StFrictionDrag *drag, const Sliding *sliding,
                                    double by_position[3][WIDEST]) {
  int width = 3 * count;
  NormalSlopes normal_state = normal_slopes(law, gap);
  double damped = sliding->damper.by_normal_force * normal_state.force_by_gap, along[WIDEST];
  double by_gap = drag->by_normal_force * (normal_state.force_by_gap + damped) +
                  drag->by_engagement * normal_state.engagement_by_gap;
  slip_slopes(gap, count, slopes, slide, sliding, by_position, along);
  turn_slopes(sliding, width, by_position);
  if (sliding->damper.by_speed != 0)
    add_damper_slopes(sliding, width, slopes->normal_slope, law->held, along, by_position);
  for (int i = 0; i < 3; i++) {
    double rise = damped * gap->normal[i] - by_gap * sliding->slip[i] +
                  law->stiffening * sliding->by_stiffening[i];
    double by_mollifier = sliding->force[i] / gap->mollifier; // it is a factor of all of friction
    for (int c = 0; c < width; c++)
      by_position[i][c] += rise * gap->gradient[c] + by_mollifier * gap->mollifier_gradient[c];
  }
}

// The friction law of a contact, and the derivatives along which its force changes.
typedef struct Rubbing {
  const StContactLaw *law;
  const StPrimitiveGap *gap;
  const StPrimitiveSlopes *slopes;
  const StPrimitiveSlide *slide;
  StFrictionDrag drag;
  Sliding sliding;
} Rubbing;

// Terms of the barrier: −κφ''m/d̂ with ∂d; −κφ'm with the rotation of the normal; −κφ' and −κφd̂
// with the mollifier.
typedef struct NormalTerms {
  double stiff, turn, mixed, energy;
} NormalTerms;

static NormalTerms normal_terms(const StContactLaw *law, const StPrimitiveGap *gap, double by) {
  StBarrierCurve curve = st_barrier_curve(gap->gap / law->thickness);
  double scale = -by * law->stiffness;
  return (NormalTerms){.stiff = scale * gap->mollifier * curve.curvature / law->thickness,
                       .turn = scale * gap->mollifier * curve.slope,
                       .mixed = scale * curve.slope,
                       .energy = scale * law->thickness * curve.value};
}

// Friction, and the normal force if its terms are not 0. Both forces on place k are its share of
// one vector, so ∂f_k/∂x = share_k change + force ⊗ ∂share_k. Where the contact is mollified, terms
// of the mollifier are added.
static inline void friction_jacobian(const Rubbing *rubbing, const NormalTerms *normal, int count,
                                     double by_position, double by_velocity, double *jacobian) {
  const StPrimitiveGap *gap = rubbing->gap;
  const StPrimitiveSlopes *slopes = rubbing->slopes;
  const Sliding *sliding = &rubbing->sliding;
  const double *g = gap->gradient, *m = gap->mollifier_gradient;
  int width = 3 * count;
  double change[3][WIDEST], force[3];
  fill_by_position(rubbing->law, gap, count, slopes, rubbing->slide, &rubbing->drag, sliding,
                   change);
  for (int i = 0; i < 3; i++) {
    const double *turn = slopes->normal_slope + i * width;
    double n = gap->normal[i], mixed = gap->mollified ? normal->mixed * n : 0;
    force[i] = by_position * sliding->force[i] + normal->turn * n;
    for (int c = 0; c < width; c++)
      change[i][c] = by_position * change[i][c] +
                     by_velocity * gap->share[c / 3] * sliding->by_velocity[3 * i + c % 3] +
                     normal->stiff * n * g[c] + normal->turn * turn[c] + mixed * m[c];
  }
  for (int r = 0; r < width; r++)
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] = gap->share[r / 3] * change[r % 3][c] +
                                force[r % 3] * slopes->share_slope[r / 3 * width + c];
  for (int r = 0; r < width && gap->mollified; r++)
    for (int c = 0; c < width; c++)
      jacobian[r * width + c] +=
          normal->mixed * m[r] * g[c] + normal->energy * slopes->mollifier_hessian[r * width + c];
}

static ST_HOT void hot_friction_jacobian(const Rubbing *rubbing, const NormalTerms *normal,
                                         double by_position, double by_velocity, double *jacobian) {
  switch (rubbing->gap->count) {
  case 2: friction_jacobian(rubbing, normal, 2, by_position, by_velocity, jacobian); break;
  case 3: friction_jacobian(rubbing, normal, 3, by_position, by_velocity, jacobian); break;
  default: friction_jacobian(rubbing, normal, 4, by_position, by_velocity, jacobian);
  }
}

void st_primitive_friction_jacobian(const StContactLaw *law, const StPrimitiveGap *gap,
                                    const StPrimitiveSlopes *slopes, const StPrimitiveSlide *slide,
                                    bool joined, double by_position, double by_velocity,
                                    double *jacobian) {
  StNormalState normal_state =
      st_contact_normal_state_along(law, gap->gap, gap->mollifier, gap->normal);
  NormalTerms normal = joined ? normal_terms(law, gap, by_position) : (NormalTerms){0};
  Rubbing rubbing = {.law = law, .gap = gap, .slopes = slopes, .slide = slide};
  sliding_fill(law, gap->count, &normal_state, gap->share, slide, &rubbing.drag, &rubbing.sliding);
  hot_friction_jacobian(&rubbing, &normal, by_position, by_velocity, jacobian);
}
