// A body's rotation is that of a rigid body with the same angular momentum.
#include "step/arc.h"

#include "base/memory.h"
#include "math/inertia.h"
#include "math/vec3.h"
#include "solve/runtime.h"

#include <string.h>

// Sums over a body's vertices; all doubles, so that ranks add them up as one array.
typedef struct Mean {
  double mass, held;             // prescribed coordinates
  double position[3], motion[3]; // times the mass, and then without it
} Mean;

typedef struct Turn {
  double momentum[3], inertia[9];
} Turn;

struct StArc {
  const StPiece *piece;
  int body_count;
  int *first;  // [body_count + 1] of each body's vertices
  int *vertex; // in ascending order
  Mean *mean;  // [body_count]
  Turn *turn;  // [body_count]
  bool *tied;  // [body_count]
};

// Less of a turn is as good as straight.
static const double LEAST_ANGLE = 1e-7;

// Bodies that a thread does at once.
enum { BODIES = 64 };

static void list_vertices(StArc *arc) {
  const StPiece *piece = arc->piece;
  for (int v = 0; v < piece->independent_count; v++)
    arc->first[piece->body[v] + 1]++;
  for (int b = 0; b < arc->body_count; b++)
    arc->first[b + 1] += arc->first[b];
  for (int v = 0; v < piece->independent_count; v++)
    arc->vertex[arc->first[piece->body[v]]++] = v;
  for (int b = arc->body_count; b > 0; b--)
    arc->first[b] = arc->first[b - 1];
  arc->first[0] = 0;
}

StStatus st_arc_create(const StPiece *piece, int body_count, const bool *tied, StArc **result,
                       StError *error) {
  StArc *arc = ST_OWNER(StArc);
  ST_TRY_MEMORY(arc, error);
  arc->piece = piece;
  arc->body_count = body_count;
  arc->first = ST_OWN(arc, int, (size_t)body_count + 1);
  arc->vertex = ST_OWN(arc, int, piece->independent_count);
  arc->mean = ST_OWN(arc, Mean, body_count);
  arc->turn = ST_OWN(arc, Turn, body_count);
  arc->tied = ST_OWN(arc, bool, body_count);
  ST_TRY(st_owner_give(arc, result, error));
  list_vertices(arc);
  for (int b = 0; b < body_count; b++)
    arc->tied[b] = tied && tied[b];
  return ST_OK;
}

void st_arc_destroy(StArc *arc) {
  st_owner_free(arc);
}

typedef struct Bend {
  StArc *arc;
  const double *position, *scale;
  double *motion;
} Bend;

static void sum_motion(const Bend *bend, int body) {
  const StArc *arc = bend->arc;
  const StPiece *piece = arc->piece;
  Mean mean = {0};
  for (int i = arc->first[body]; i < arc->first[body + 1]; i++) {
    int v = arc->vertex[i];
    if (st_piece_is_parked(piece, v))
      continue;
    mean.mass += piece->mass[v];
    vec3_add_scaled(piece->mass[v], bend->position + 3 * v, mean.position);
    vec3_add_scaled(piece->mass[v], bend->motion + 3 * v, mean.motion);
    for (int c = 0; c < 3; c++)
      mean.held += bend->scale[3 * v + c] == 0;
  }
  arc->mean[body] = mean;
}

static void sum_motions(void *context, int begin, int end) {
  for (int b = begin; b < end; b++)
    sum_motion(context, b);
}

static void divide_by_mass(Mean *mean) {
  for (int c = 0; c < 3 && mean->mass > 0; c++) {
    mean->position[c] /= mean->mass;
    mean->motion[c] /= mean->mass;
  }
}

static void find_turn(const Bend *bend, int body) {
  const StArc *arc = bend->arc;
  const StPiece *piece = arc->piece;
  const Mean *mean = &arc->mean[body];
  Turn turn = {0};
  for (int k = arc->first[body]; k < arc->first[body + 1]; k++) {
    int v = arc->vertex[k];
    if (st_piece_is_parked(piece, v))
      continue;
    double arm[3], by[3], cross[3];
    vec3_sub(bend->position + 3 * v, mean->position, arm);
    vec3_sub(bend->motion + 3 * v, mean->motion, by);
    vec3_cross(arm, by, cross);
    vec3_add_scaled(piece->mass[v], cross, turn.momentum);
    inertia_add(piece->mass[v], arm, turn.inertia);
  }
  arc->turn[body] = turn;
}

static void find_turns(void *context, int begin, int end) {
  const Bend *bend = context;
  for (int b = begin; b < end; b++) {
    divide_by_mass(&bend->arc->mean[b]);
    find_turn(bend, b);
  }
}

// False where the body cannot be said to turn.
static bool find_spin(const StArc *arc, int body, double spin[3]) {
  const Turn *turn = &arc->turn[body];
  return arc->mean[body].held == 0 && inertia_spin(turn->inertia, turn->momentum, spin);
}

// The difference of a rotation by the vector `spin` from the displacement spin × arm.
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
// motion u: (1 - cos θ)/θ² s × u + (θ - sin θ)/θ³ s × (s × u), for a rotation by s of the angle θ.
static void find_shift(const double spin[3], const double motion[3], double shift[3]) {
  double angle = vec3_length(spin), half = sin(angle / 2) / angle, across[3], back[3];
  double cubic =
      angle < 0.01 ? 1.0 / 6 - angle * angle / 120 : (angle - sin(angle)) / (angle * angle * angle);
  vec3_cross(spin, motion, across);
  vec3_cross(spin, across, back);
  for (int c = 0; c < 3; c++)
    shift[c] = 2 * half * half * across[c] + cubic * back[c];
}

static void bend_body(const Bend *bend, int body) {
  const StArc *arc = bend->arc;
  double spin[3], bulge[9], shift[3] = {0};
  if (!find_spin(arc, body, spin) || vec3_length(spin) <= LEAST_ANGLE)
    return;
  find_bulge(spin, bulge);
  if (arc->tied[body])
    find_shift(spin, arc->mean[body].motion, shift);
  for (int i = arc->first[body]; i < arc->first[body + 1]; i++) {
    int v = arc->vertex[i];
    double arm[3], more[3];
    if (st_piece_is_parked(arc->piece, v))
      continue;
    vec3_sub(bend->position + 3 * v, arc->mean[body].position, arm);
    mat3_apply(bulge, arm, more);
    vec3_add_scaled(1, more, bend->motion + 3 * v);
    vec3_add_scaled(1, shift, bend->motion + 3 * v);
  }
}

static void bend_bodies(void *context, int begin, int end) {
  for (int b = begin; b < end; b++)
    bend_body(context, b);
}

static void take_strain(const Bend *bend, int body) {
  const StArc *arc = bend->arc;
  double spin[3];
  if (!find_spin(arc, body, spin))
    return;
  for (int i = arc->first[body]; i < arc->first[body + 1]; i++) {
    int v = arc->vertex[i];
    double arm[3];
    if (st_piece_is_parked(arc->piece, v))
      continue;
    vec3_sub(bend->position + 3 * v, arc->mean[body].position, arm);
    vec3_cross(spin, arm, bend->motion + 3 * v);
    vec3_add_scaled(1, arc->mean[body].motion, bend->motion + 3 * v);
  }
}

static void take_strains(void *context, int begin, int end) {
  for (int b = begin; b < end; b++)
    take_strain(context, b);
}

static void change_motions(Bend *bend, void (*change)(void *, int, int)) {
  StArc *arc = bend->arc;
  StCrew *crew = arc->piece->crew;
  int bodies = arc->body_count;
  st_crew_sweep(crew, 0, bodies, BODIES, sum_motions, bend);
  st_runtime_sum_all(arc->mean, bodies * (int)(sizeof(Mean) / sizeof(double)));
  st_crew_sweep(crew, 0, bodies, BODIES, find_turns, bend);
  st_runtime_sum_all(arc->turn, bodies * (int)(sizeof(Turn) / sizeof(double)));
  st_crew_sweep(crew, 0, bodies, BODIES, change, bend);
}

void st_arc_bend(StArc *arc, const double *position, const double *scale, double *motion) {
  change_motions(&(Bend){arc, position, scale, motion}, bend_bodies);
}

void st_arc_take_strain(StArc *arc, const double *position, const double *scale, double *motion) {
  change_motions(&(Bend){arc, position, scale, motion}, take_strains);
}
