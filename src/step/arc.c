// A body's rotation is that of a rigid body with the same angular momentum.
#include "step/arc.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "solve/communicator.h"

#include <mpi.h>
#include <string.h>

// Sums over a body's vertices; all doubles, so that ranks add them up as one array.
typedef struct Mean {
  double mass, held;          // prescribed coordinates
  double position[3], way[3]; // times the mass, and then without it
} Mean;

typedef struct Turn {
  double momentum[3], inertia[9];
} Turn;

struct StArc {
  const StPiece *piece;
  int body_count;
  Mean *mean;    // [body_count]
  Turn *turn;    // [body_count]
  double *bulge; // [body_count][9] a rotation less its straight part
  double *shift; // [body_count][3] of the centre, by turning about another axis
  bool *tied;    // [body_count]
};

// Less of a turn is as good as straight.
static const double LEAST_ANGLE = 1e-7;

// Below this part of the largest that a body of its size could have, a moment of inertia is none.
static const double THIN = 1e-9;

StStatus st_arc_create(const StPiece *piece, int body_count, const bool *tied, StArc **result,
                       StError *error) {
  StArc *arc = ST_NEW(StArc, 1);
  if (!arc)
    return st_fail_memory(error);
  arc->piece = piece;
  arc->body_count = body_count;
  arc->mean = ST_NEW(Mean, body_count);
  arc->turn = ST_NEW(Turn, body_count);
  arc->bulge = ST_NEW(double, 9 * (size_t)body_count);
  arc->shift = ST_NEW(double, 3 * (size_t)body_count);
  arc->tied = ST_NEW(bool, body_count);
  if (!arc->mean || !arc->turn || !arc->bulge || !arc->shift || !arc->tied) {
    st_arc_destroy(arc);
    return st_fail_memory(error);
  }
  for (int b = 0; b < body_count; b++)
    arc->tied[b] = tied && tied[b];
  *result = arc;
  return ST_OK;
}

void st_arc_destroy(StArc *arc) {
  if (!arc)
    return;
  free(arc->mean);
  free(arc->turn);
  free(arc->bulge);
  free(arc->shift);
  free(arc->tied);
  free(arc);
}

static void add_ranks(void *sums, size_t bytes) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, sums, (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                  st_communicator());
}

static void find_means(StArc *arc, const double *position, const double *scale, const double *way) {
  const StPiece *piece = arc->piece;
  size_t bytes = (size_t)arc->body_count * sizeof(Mean);
  memset(arc->mean, 0, bytes);
  for (int v = 0; v < piece->independent_count; v++) {
    if (st_piece_is_parked(piece, v))
      continue;
    Mean *mean = &arc->mean[piece->body[v]];
    mean->mass += piece->mass[v];
    vec3_add_scaled(piece->mass[v], position + 3 * v, mean->position);
    vec3_add_scaled(piece->mass[v], way + 3 * v, mean->way);
    for (int c = 0; c < 3; c++)
      mean->held += scale[3 * v + c] == 0;
  }
  add_ranks(arc->mean, bytes);
  for (int b = 0; b < arc->body_count; b++)
    for (int c = 0; c < 3 && arc->mean[b].mass > 0; c++) {
      arc->mean[b].position[c] /= arc->mean[b].mass;
      arc->mean[b].way[c] /= arc->mean[b].mass;
    }
}

static void find_turns(StArc *arc, const double *position, const double *way) {
  const StPiece *piece = arc->piece;
  size_t bytes = (size_t)arc->body_count * sizeof(Turn);
  memset(arc->turn, 0, bytes);
  for (int v = 0; v < piece->independent_count; v++) {
    if (st_piece_is_parked(piece, v))
      continue;
    const Mean *mean = &arc->mean[piece->body[v]];
    Turn *turn = &arc->turn[piece->body[v]];
    double arm[3], by[3], cross[3];
    vec3_sub(position + 3 * v, mean->position, arm);
    vec3_sub(way + 3 * v, mean->way, by);
    vec3_cross(arm, by, cross);
    vec3_add_scaled(piece->mass[v], cross, turn->momentum);
    double square = vec3_dot(arm, arm);
    for (int i = 0; i < 9; i++)
      turn->inertia[i] += piece->mass[v] * ((i % 4 == 0 ? square : 0) - arm[i / 3] * arm[i % 3]);
  }
  add_ranks(arc->turn, bytes);
}

// False where the body does not turn, or cannot be said to.
static bool find_spin(const Mean *mean, const Turn *turn, double spin[3]) {
  double inverse[9] = {0}, size = turn->inertia[0] + turn->inertia[4] + turn->inertia[8];
  if (mean->held > 0 || !(mat3_determinant(turn->inertia) > THIN * size * size * size))
    return false;
  mat3_inverse(turn->inertia, inverse);
  mat3_apply(inverse, turn->momentum, spin);
  return vec3_length(spin) > LEAST_ANGLE;
}

// What a rotation by the vector `spin` adds to the straight way spin × arm.
static void find_bulge(const double spin[3], double bulge[9]) {
  double angle = vec3_length(spin), axis[3];
  for (int c = 0; c < 3; c++)
    axis[c] = spin[c] / angle;
  mat3_rotation(axis, angle, bulge);
  const double straight[9] = {1, -spin[2], spin[1], spin[2], 1, -spin[0], -spin[1], spin[0], 1};
  for (int i = 0; i < 9; i++)
    bulge[i] -= straight[i];
}

// By how much the centre's arc about the axis of the whole motion ends elsewhere than its straight
// way u: (1 - cos θ)/θ² s × u + (θ - sin θ)/θ³ s × (s × u), for a rotation by s of the angle θ.
static void find_shift(const double spin[3], const double way[3], double shift[3]) {
  double angle = vec3_length(spin), half = sin(angle / 2) / angle, across[3], back[3];
  double cubic =
      angle < 0.01 ? 1.0 / 6 - angle * angle / 120 : (angle - sin(angle)) / (angle * angle * angle);
  vec3_cross(spin, way, across);
  vec3_cross(spin, across, back);
  for (int c = 0; c < 3; c++)
    shift[c] = 2 * half * half * across[c] + cubic * back[c];
}

void st_arc_bend(StArc *arc, const double *position, const double *scale, double *way) {
  const StPiece *piece = arc->piece;
  find_means(arc, position, scale, way);
  find_turns(arc, position, way);
  memset(arc->bulge, 0, 9 * (size_t)arc->body_count * sizeof(double));
  memset(arc->shift, 0, 3 * (size_t)arc->body_count * sizeof(double));
  for (int b = 0; b < arc->body_count; b++) {
    double spin[3];
    if (!find_spin(&arc->mean[b], &arc->turn[b], spin))
      continue;
    find_bulge(spin, arc->bulge + 9 * b);
    if (arc->tied[b])
      find_shift(spin, arc->mean[b].way, arc->shift + 3 * b);
  }
  for (int v = 0; v < piece->independent_count; v++) {
    double arm[3], more[3];
    if (st_piece_is_parked(piece, v))
      continue;
    vec3_sub(position + 3 * v, arc->mean[piece->body[v]].position, arm);
    mat3_apply(arc->bulge + 9 * piece->body[v], arm, more);
    vec3_add_scaled(1, more, way + 3 * v);
    vec3_add_scaled(1, arc->shift + 3 * piece->body[v], way + 3 * v);
  }
}
