// Elastic force of tetrahedra: f = −V P(F) : ∂F/∂x for the law of each element, summed over its
// points.
#include "force/solid.h"

#include "base/memory.h"
#include "force/list.h"
#include "force/solid_material.h"
#include "force/tet_path.h"
#include "force/tet_set.h"
#include "math/hot.h"
#include "math/vec3.h"

#include <stdint.h>
#include <string.h>

#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#undef ST_LANES_KERNEL
#include "math/scalar.h"

typedef struct Solid {
  const StPiece *piece;
  StSolidMaterial *material; // [material_count]
  StTetSet *tets;
} Solid;

static void destroy(void *data) {
  Solid *solid = data;
  if (!solid)
    return;
  free(solid->material);
  st_tet_set_destroy(solid->tets);
  free(solid);
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Solid *solid = *data;
  int count = description->material_count;
  solid->piece = site->piece;
  ST_TRY(st_solid_materials_create(description, &solid->material, error));
  ST_FREE bool *wanted = ST_NEW(bool, count);
  ST_TRY_MEMORY(wanted, error);
  for (int i = 0; i < count; i++)
    wanted[i] = true;
  return st_tet_set_create(solid->piece, wanted, count, &solid->tets, error);
}

static bool present(const StForceSite *site) {
  const StDescription *description = site->description;
  for (int b = 0; b < description->body_count; b++)
    if (description->body[b].mesh->tet_count > 0)
      return true;
  return false;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  return st_tet_set_bind(((Solid *)data)->tets, matrix, error);
}

static double energy(const void *data, const StPoint *at) {
  const Solid *solid = data;
  double sum = 0;
  for (int g = 0; g < solid->tets->owned_group_count; g++) {
    const StTetGroup *group = &solid->tets->group[g];
    const StSolidMaterial *material = &solid->material[group->material];
    for (int b = group->first_batch; b < group->first_batch + group->batch_count; b++) {
      const StTetBatch *batch = &solid->tets->batch[b];
      StLanes F[9], W;
      st_tet_gradient(batch, at->position, F);
      material->law->energy_lanes(material->k, F, &W);
      W *= batch->volume;
      if (!lanes_finite(&W, 1))
        return INFINITY;
      int lanes = st_tet_group_lanes(group, b);
      for (int lane = 0; lane < lanes; lane++)
        sum += W[lane];
    }
  }
  return sum;
}

static void share_energy(const void *data, const StPoint *at, double *share) {
  const Solid *solid = data;
  for (int g = 0; g < solid->tets->owned_group_count; g++) {
    const StTetGroup *group = &solid->tets->group[g];
    const StSolidMaterial *material = &solid->material[group->material];
    for (int b = group->first_batch; b < group->first_batch + group->batch_count; b++) {
      const StTetBatch *batch = &solid->tets->batch[b];
      StLanes F[9], W;
      st_tet_gradient(batch, at->position, F);
      material->law->energy_lanes(material->k, F, &W);
      W *= batch->volume;
      int lanes = st_tet_group_lanes(group, b);
      for (int lane = 0; lane < lanes; lane++)
        share[solid->piece->body[batch->vertex[0][lane]]] += W[lane];
    }
  }
}

static void report(const Solid *solid, const StSolidMaterial *material, int batch, const StLanes *F,
                   const StLanes *P, StTrouble *trouble) {
  st_tet_set_report(solid->tets, solid->piece, batch, F, P, trouble);
  trouble->force = st_force_solid.name;
  if (!material->law->barrier && strcmp(trouble->reason, ST_TET_INVERTED) == 0)
    trouble->reason = ST_TET_INVERTED ", and its material does not allow that (\"inversion\")";
}

// Arguments of a loop over chunks of tets.
typedef struct Loop {
  const Solid *solid;
  const StPoint *at;
  double by_position;
  double *result;
  StBlockMatrix *matrix;
  StFirstFailed failed;
} Loop;

static const StSolidMaterial *material_of(const Solid *solid, int group) {
  return &solid->material[solid->tets->group[group].material];
}

static ST_HOT void add_chunk(void *context, const StChunk *chunk) {
  Loop *loop = context;
  const StTetSet *tets = loop->solid->tets;
  const StSolidMaterial *material = material_of(loop->solid, chunk->group);
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes F[9], P[9];
    st_tet_gradient(&tets->batch[b], loop->at->position, F);
    material->law->stress_lanes(material->k, F, P);
    if (!lanes_finite(P, 9)) {
      st_first_failed_note(&loop->failed, b);
      return;
    }
    st_tet_scatter(&tets->batch[b], st_tet_group_lanes(&tets->group[chunk->group], b), -1, P,
                   loop->result);
  }
}

// Recomputes the stress of a failed batch to find out what is wrong.
static void report_batch(const Solid *solid, int batch, const StPoint *at, StTrouble *trouble) {
  const StTetSet *tets = solid->tets;
  const StSolidMaterial *material = material_of(solid, st_tet_set_group(tets, batch));
  StLanes F[9], P[9];
  st_tet_gradient(&tets->batch[batch], at->position, F);
  material->law->stress_lanes(material->k, F, P);
  report(solid, material, batch, F, P, trouble);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Solid *solid = data;
  Loop loop = {.solid = solid, .at = at, .result = force, .failed = ST_NONE_FAILED};
  st_rounds_do(&solid->tets->rounds, solid->tets->owned_group_count, ST_LIGHT, add_chunk, &loop);
  if (loop.failed == ST_NONE_FAILED)
    return true;
  report_batch(solid, loop.failed, at, trouble);
  return false;
}

// The minimum over chunks; the bits of non-negative numbers have the same order as the numbers.
typedef struct Way {
  const Solid *solid;
  const double *from, *to;
  _Atomic uint64_t part;
} Way;

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static ST_HOT void limit_chunk(void *context, const StChunk *chunk) {
  Way *way = context;
  const StSolidMaterial *material = material_of(way->solid, chunk->group);
  double part = 1;
  if (!st_material_law_is_closed(material->law, material->k))
    return;
  for (int b = chunk->first; b < chunk->end; b++)
    part = st_tet_path_limit(&way->solid->tets->batch[b], way->from, way->to, part);
  uint64_t bits = bits_of(part), before = atomic_load(&way->part);
  while (bits < before && !atomic_compare_exchange_weak(&way->part, &before, bits))
    ;
}

static double limit(const void *data, const double *from, const double *to) {
  const Solid *solid = data;
  Way way = {.solid = solid, .from = from, .to = to, .part = bits_of(1)};
  st_rounds_do(&solid->tets->rounds, solid->tets->owned_group_count, ST_LIGHT, limit_chunk, &way);
  double part;
  uint64_t bits = atomic_load(&way.part);
  memcpy(&part, &bits, sizeof part);
  return part;
}

static ST_HOT void fill_chunk(void *context, const StChunk *chunk) {
  const Loop *loop = context;
  const StTetSet *tets = loop->solid->tets;
  const StSolidMaterial *material = material_of(loop->solid, chunk->group);
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes F[9], C[81];
    if (st_tet_batch_is_fixed(&tets->batch[b], loop->matrix))
      continue;
    st_tet_gradient(&tets->batch[b], loop->at->position, F);
    material->law->tangent_lanes(material->k, F, C);
    st_tet_set_add_blocks(tets, b, st_tet_group_lanes(&tets->group[chunk->group], b),
                          -loop->by_position, C, true, loop->matrix);
  }
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)by_velocity;
  const Solid *solid = data;
  Loop loop = {.solid = solid, .at = at, .by_position = by_position, .matrix = matrix};
  st_rounds_do(&solid->tets->rounds, solid->tets->group_count, ST_HEAVY, fill_chunk, &loop);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)at, (void)velocity;
  const Solid *solid = data;
  for (int g = 0; g < solid->tets->owned_group_count; g++) {
    const StTetGroup *group = &solid->tets->group[g];
    const StSolidMaterial *material = &solid->material[group->material];
    for (int i = 0; i < group->lane_count; i++) {
      const StTetBatch *batch = &solid->tets->batch[group->first_batch + i / ST_LANES];
      StDual F[9], P[9];
      st_tet_gradient_complex(batch, i % ST_LANES, position, F);
      material->law->stress_complex(material->k, F, P);
      st_tet_scatter_complex(batch, i % ST_LANES, -1, P, force);
    }
  }
}

// A point of second order lies in the part at its corner; the other parts get the mean of all four.
static void fill_middle(const StPiece *piece, double *stress) {
  for (int t = 0; t < piece->owned_tet_count; t++) {
    int part = piece->tet_part[t];
    const double *corner = stress + 6 * (size_t)(t - part);
    for (int i = 0; part >= ST_TET_POINTS && i < 6; i++)
      stress[6 * t + i] = 0.25 * (corner[i] + corner[6 + i] + corner[12 + i] + corner[18 + i]);
  }
}

void st_solid_stress(const void *data, const StPoint *at, double *stress) {
  const Solid *solid = data;
  for (int g = 0; g < solid->tets->owned_group_count; g++) {
    const StTetGroup *group = &solid->tets->group[g];
    for (int b = 0; b < group->batch_count; b++) {
      int batch = group->first_batch + b, lane_count = st_tet_group_lanes(group, batch);
      StLanes lanes[9];
      st_tet_gradient(&solid->tets->batch[batch], at->position, lanes);
      for (int lane = 0; lane < lane_count; lane++) {
        double F[9];
        for (int p = 0; p < 9; p++)
          F[p] = lanes[p][lane];
        size_t tet = (size_t)solid->tets->tet[ST_LANES * batch + lane];
        st_solid_material_cauchy(&solid->material[group->material], F, stress + 6 * tet);
      }
    }
  }
  fill_middle(solid->piece, stress);
}

double st_solid_volume(const void *data, const StPoint *at, int *inverted) {
  const StPiece *piece = ((const Solid *)data)->piece;
  double sum = 0;
  *inverted = 0;
  for (int t = 0; t < piece->owned_tet_count; t++) {
    double volume = st_tet_volume(at->position, piece->tet + 4 * (size_t)t);
    *inverted += volume < 0;
    sum += volume;
  }
  return sum;
}

const StForceType st_force_solid = {
    .name = "solid",
    .summary = "Elastic force of solids made of tetrahedra, by the law of their material.",
    .has_energy = true,
    .present = present,
    .size = sizeof(Solid),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .share_energy = share_energy,
    .add = add,
    .limit = limit,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
};
