// Keeps the four carriers of a rigid body in shape: U = ⅛ Y V ‖AᵀA − 1‖² with the affine map A from
// rest, Young's modulus Y and the volume V. Rotations and translations of the body cost nothing.
#include "force/rigid.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"
#include "model/rigid.h"

#include <float.h>
#include <string.h>

typedef struct Frame {
  int body;
  int carrier[ST_CARRIERS]; // local vertices
  bool owned;
  int slot[ST_CARRIERS][ST_CARRIERS]; // blocks; -1: not our row
  double inverse[9];                  // of the sides at rest, which are its columns; row-major
  double strength;                    // Y V/8, J
} Frame;

typedef struct Rigid {
  const StPiece *piece;
  int count;
  Frame *frame;
} Rigid;

#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include "force/rigid_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#include "force/rigid_kernel.h"
#undef ST_COMPLEX_KERNEL

static void fill_frame(const StForceSite *site, const StBodyDesc *body, const int *local,
                       Frame *frame) {
  const double *rest = body->mesh->position + 3 * (size_t)st_rigid_first_carrier(body);
  double side[9];
  for (int k = 0; k < 9; k++)
    side[k] = rest[3 * (k % 3 + 1) + k / 3] - rest[k / 3];
  mat3_inverse(side, frame->inverse);
  for (int i = 0; i < ST_CARRIERS; i++)
    frame->carrier[i] = local[i];
  frame->owned = local[0] < site->piece->owned_count;
  frame->strength = st_rigid_stiffness(site->description, body) * st_rigid_volume(body) / 8;
}

static bool present(const StForceSite *site) {
  for (int b = 0; b < site->description->body_count; b++)
    if (site->description->body[b].rigid)
      return true;
  return false;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Rigid *rigid = *data;
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  *rigid = (Rigid){.piece = site->piece, .frame = ST_NEW(Frame, description->body_count)};
  for (int b = 0, first = 0; local && rigid->frame && b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    first += body->mesh->vertex_count;
    if (!body->rigid || local[first - ST_CARRIERS] < 0)
      continue;
    rigid->frame[rigid->count].body = b;
    fill_frame(site, body, local + first - ST_CARRIERS, &rigid->frame[rigid->count++]);
  }
  return local && rigid->frame ? ST_OK : st_fail_memory(error);
}

static void destroy(void *data) {
  Rigid *rigid = data;
  if (!rigid)
    return;
  free(rigid->frame);
  free(rigid);
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  Rigid *rigid = data;
  (void)error;
  for (int f = 0; f < rigid->count; f++)
    for (int k = 0; k < ST_CARRIERS * ST_CARRIERS; k++) {
      Frame *frame = &rigid->frame[f];
      int a = k / ST_CARRIERS, b = k % ST_CARRIERS;
      frame->slot[a][b] = st_block_matrix_slot(matrix, frame->carrier[a], frame->carrier[b]);
    }
  return ST_OK;
}

static double energy(const void *data, const StPoint *at) {
  const Rigid *rigid = data;
  double sum = 0;
  for (int f = 0; f < rigid->count; f++)
    if (rigid->frame[f].owned)
      sum += frame_energy_real(&rigid->frame[f], at->position);
  return sum;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Rigid *rigid = data;
  (void)trouble;
  for (int f = 0; f < rigid->count; f++) {
    const Frame *frame = &rigid->frame[f];
    double on[12];
    if (!frame->owned || st_piece_is_parked(rigid->piece, frame->carrier[0]))
      continue;
    frame_force_real(frame, at->position, on);
    for (int i = 0; i < ST_CARRIERS; i++)
      vec3_add_scaled(1, on + 3 * i, force + 3 * (size_t)frame->carrier[i]);
  }
  return true;
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  const Rigid *rigid = data;
  (void)at, (void)velocity;
  for (int f = 0; f < rigid->count; f++) {
    const Frame *frame = &rigid->frame[f];
    StDual on[12];
    if (!frame->owned)
      continue;
    frame_force_complex(frame, position, on);
    for (int i = 0; i < 12; i++)
      force[3 * (size_t)frame->carrier[i / 3] + (size_t)(i % 3)] += on[i];
  }
}

// How the map changes when a carrier moves: the slope of A_ij by x_i, for all j.
static void find_slope(const Frame *frame, int carrier, double slope[3]) {
  for (int j = 0; j < 3; j++)
    slope[j] = carrier > 0 ? frame->inverse[3 * (carrier - 1) + j]
                           : -frame->inverse[j] - frame->inverse[3 + j] - frame->inverse[6 + j];
}

// The map, and what of the blocks is the same for all: AAᵀ.
typedef struct Bent {
  double A[9], change[9], square[9];
} Bent;

// −∂²E/∂x_a∂x_b = −4s [(g_a·C g_b) 1 + (A g_b)(A g_a)ᵀ + (g_a·g_b) AAᵀ] with C = AᵀA − 1 and the
// slopes g.
static void find_block(const Frame *frame, const Bent *bent, int a, int b, double block[9]) {
  double of_a[3], of_b[3], changed[3], to_a[3], to_b[3];
  find_slope(frame, a, of_a);
  find_slope(frame, b, of_b);
  mat3_apply(bent->change, of_b, changed);
  mat3_apply(bent->A, of_a, to_a);
  mat3_apply(bent->A, of_b, to_b);
  double even = vec3_dot(of_a, changed), together = vec3_dot(of_a, of_b);
  for (int k = 0; k < 9; k++)
    block[k] = -4 * frame->strength *
               ((k % 4 == 0 ? even : 0) + to_b[k / 3] * to_a[k % 3] + together * bent->square[k]);
}

static void bend(const Frame *frame, const double *position, Bent *bent) {
  frame_change_real(frame, position, bent->A, bent->change);
  mat3_gram_rows_real(bent->A, bent->square);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Rigid *rigid = data;
  (void)by_velocity;
  for (int f = 0; f < rigid->count; f++) {
    const Frame *frame = &rigid->frame[f];
    Bent bent;
    if (st_piece_is_parked(rigid->piece, frame->carrier[0]))
      continue;
    bend(frame, at->position, &bent);
    for (int a = 0; a < ST_CARRIERS; a++)
      for (int b = 0; b < ST_CARRIERS; b++) {
        double block[9];
        if (frame->slot[a][b] < 0)
          continue;
        find_block(frame, &bent, a, b, block);
        for (int k = 0; k < 9; k++)
          matrix->value[9 * (size_t)frame->slot[a][b] + (size_t)k] += by_position * block[k];
      }
  }
}

// Green's strain is half of AᵀA − 1.
double st_rigid_largest_strain(const void *data, const StPoint *at, int *body) {
  const Rigid *rigid = data;
  double largest = 0;
  *body = -1;
  for (int f = 0; f < rigid->count; f++) {
    double A[9], change[9];
    frame_change_real(&rigid->frame[f], at->position, A, change);
    double strain = 0.5 * sqrt(mat3_contract_real(change, change));
    if (!rigid->frame[f].owned || (*body >= 0 && strain <= largest))
      continue;
    largest = strain;
    *body = rigid->frame[f].body;
  }
  return largest;
}

// Roundings in the map and its square, beyond those of positions.
static const double ROUNDINGS = 4;

// How far rounding may put off the map, by entries. What turns is rounded as a whole.
static void find_map_noise(const Frame *frame, const double *position, double noise[9]) {
  for (int k = 0; k < 9; k++)
    noise[k] = ROUNDINGS * DBL_EPSILON;
  for (int i = 0; i < ST_CARRIERS; i++) {
    const double *x = position + 3 * (size_t)frame->carrier[i];
    double slope[3], rounding = DBL_EPSILON * vec3_length(x);
    find_slope(frame, i, slope);
    for (int k = 0; k < 9; k++)
      noise[k] += rounding * fabs(slope[k % 3]);
  }
}

// How the map changes by the motion of what is held.
static void find_led_change(const Frame *frame, const double *held, const double *from,
                            const double *to, double change[9]) {
  memset(change, 0, 9 * sizeof(double));
  for (int i = 0; i < ST_CARRIERS; i++) {
    const size_t at = 3 * (size_t)frame->carrier[i];
    double slope[3];
    find_slope(frame, i, slope);
    for (int k = 0; k < 9; k++)
      if (held[at + (size_t)(k / 3)] == 0)
        change[k] += (to[at + (size_t)(k / 3)] - from[at + (size_t)(k / 3)]) * slope[k % 3];
  }
}

// The work is 4s (AᵀA − 1):(AᵀdA), of which only the symmetric part of AᵀdA counts.
static double frame_noise(const Frame *frame, const double *held, const double *from,
                          const double *to) {
  double A[9], strain[9], noise[9], change[9], sum = 0;
  frame_change_real(frame, to, A, strain);
  find_map_noise(frame, to, noise);
  find_led_change(frame, held, from, to, change);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      double doubt = 0, by = 0;
      for (int i = 0; i < 9; i += 3) {
        doubt += fabs(A[i + j]) * noise[i + k] + fabs(A[i + k]) * noise[i + j];
        by += (A[i + j] * change[i + k] + A[i + k] * change[i + j]) / 2;
      }
      sum += doubt * fabs(by);
    }
  return 4 * frame->strength * sum;
}

double st_rigid_work_noise(const void *data, const double *held, const double *from,
                           const double *to) {
  const Rigid *rigid = data;
  double sum = 0;
  for (int f = 0; f < rigid->count; f++)
    if (rigid->frame[f].owned)
      sum += frame_noise(&rigid->frame[f], held, from, to);
  return sum;
}

const StForceType st_force_rigid = {
    .name = "rigid",
    .summary = "Keeps rigid bodies in shape: an elastic energy so stiff that they strain by less "
               "than a millionth.",
    .has_energy = true,
    .present = present,
    .size = sizeof(Rigid),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
};
