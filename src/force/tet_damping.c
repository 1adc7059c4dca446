// Viscous stresses of tetrahedra and their derivatives, written out.
#include "force/tet_damping.h"

#include "base/memory.h"
#include "force/solid_material.h"
#include "force/tet_set.h"
#include "math/hot.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"

#include "force/viscous_kernel.h"
#undef ST_COMPLEX_KERNEL
#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"

#include "force/viscous_kernel.h"
#undef ST_LANES_KERNEL
#include "math/scalar.h"

typedef struct Viscosity {
  double k[2]; // μ and λ at rest, Pa
} Viscosity;

struct StTetDamping {
  const StDescription *description;
  const StPiece *piece;
  Viscosity *material; // [material_count]
  StTetSet *tets;      // those with β > 0
};

void st_tet_damping_destroy(StTetDamping *damping) {
  if (!damping)
    return;
  free(damping->material);
  st_tet_set_destroy(damping->tets);
  free(damping);
}

// A law's moduli about its stress-free shape.
static Viscosity viscosity_of(const StSolidMaterial *material) {
  static const double IDENTITY[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double C[81];
  if (!material->law)
    return (Viscosity){0};
  material->law->tangent(material->k, IDENTITY, C);
  return (Viscosity){.k = {C[9 * 1 + 1], C[9 * 0 + 4]}};
}

static StStatus find_viscosities(StTetDamping *damping, StError *error) {
  StSolidMaterial *material;
  ST_TRY(st_solid_materials_create(damping->description, &material, error));
  damping->material = ST_NEW(Viscosity, damping->description->material_count);
  for (int i = 0; damping->material && i < damping->description->material_count; i++)
    damping->material[i] = viscosity_of(&material[i]);
  free(material);
  return damping->material ? ST_OK : st_fail_memory(error);
}

static StStatus build(StTetDamping *damping, StError *error) {
  int count = damping->description->material_count;
  ST_TRY(find_viscosities(damping, error));
  ST_FREE bool *wanted = ST_NEW(bool, count);
  ST_TRY_MEMORY(wanted, error);
  for (int i = 0; i < count; i++)
    wanted[i] = damping->description->material[i].stiffness_damping > 0;
  return st_tet_set_create(damping->piece, wanted, count, &damping->tets, error);
}

StStatus st_tet_damping_create(const StDescription *description, const StPiece *piece,
                               StTetDamping **out, StError *error) {
  *out = NULL;
  StTetDamping *damping = ST_NEW(StTetDamping, 1);
  ST_TRY_MEMORY(damping, error);
  damping->description = description;
  damping->piece = piece;
  StStatus status = build(damping, error);
  if (status != ST_OK)
    st_tet_damping_destroy(damping);
  else
    *out = damping;
  return status;
}

StStatus st_tet_damping_bind(StTetDamping *damping, const StBlockMatrix *matrix, StError *error) {
  return st_tet_set_bind(damping->tets, matrix, error);
}

static double group_beta(const StTetDamping *damping, const StTetGroup *group) {
  return damping->description->material[group->material].stiffness_damping;
}

// The arguments of a loop over chunks of tets.
typedef struct Loop {
  const StTetDamping *damping;
  const StPoint *at;
  double by_position, by_velocity;
  double *result;
  StBlockMatrix *matrix;
  StFirstFailed failed;
} Loop;

static void batch_stress(const StTetDamping *damping, int group, int batch, const StPoint *at,
                         StLanes F[9], StLanes P[9]) {
  const StTetSet *tets = damping->tets;
  StLanes rate[9];
  st_tet_gradient(&tets->batch[batch], at->position, F);
  st_tet_gradient(&tets->batch[batch], at->velocity, rate);
  viscous_stress_lanes(damping->material[tets->group[group].material].k, F, rate, P);
}

static ST_HOT void add_chunk(void *context, const StChunk *chunk) {
  Loop *loop = context;
  const StTetSet *tets = loop->damping->tets;
  const StTetGroup *group = &tets->group[chunk->group];
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes F[9], P[9];
    batch_stress(loop->damping, chunk->group, b, loop->at, F, P);
    if (!lanes_finite(P, 9)) {
      st_first_failed_note(&loop->failed, b);
      return;
    }
    st_tet_scatter(&tets->batch[b], st_tet_group_lanes(group, b), -group_beta(loop->damping, group),
                   P, loop->result);
  }
}

bool st_tet_damping_add(const StTetDamping *damping, const StPoint *at, double *force,
                        StTrouble *trouble) {
  const StTetSet *tets = damping->tets;
  Loop loop = {.damping = damping, .at = at, .result = force, .failed = ST_NONE_FAILED};
  st_rounds_do(&tets->rounds, tets->owned_group_count, ST_LIGHT, add_chunk, &loop);
  if (loop.failed == ST_NONE_FAILED)
    return true;
  StLanes F[9], P[9];
  batch_stress(damping, st_tet_set_group(tets, loop.failed), loop.failed, at, F, P);
  st_tet_set_report(tets, damping->piece, loop.failed, F, P, trouble);
  return false;
}

// C = by_position ∂P/∂F + by_velocity ∂P/∂Ḟ for the elements of a batch: along D it is
// by_position D S + F (2μ sym(GᵀD) + λ tr(GᵀD)), G = by_position Ḟ + by_velocity F.
static void damping_tangent(const Viscosity *material, const StTetBatch *batch, const StPoint *at,
                            double by_position, double by_velocity, StLanes C[81]) {
  StLanes F[9], rate[9], G[9], S[9];
  double mu = material->k[0], lambda = material->k[1];
  st_tet_gradient(batch, at->position, F);
  st_tet_gradient(batch, at->velocity, rate);
  viscous_second_lanes(material->k, F, rate, S);
  for (int p = 0; p < 9; p++) {
    G[p] = by_position * rate[p] + by_velocity * F[p];
    S[p] *= by_position;
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const StLanes *f = F + 3 * i, *g = G + 3 * k;
      StLanes along = mu * (f[0] * g[0] + f[1] * g[1] + f[2] * g[2]);
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++) {
          StLanes *c = &C[9 * (3 * i + j) + 3 * k + l];
          *c = mu * f[l] * g[j] + lambda * f[j] * g[l];
          if (j == l)
            *c += along;
          if (i == k)
            *c += S[3 * l + j];
        }
    }
}

static ST_HOT void fill_chunk(void *context, const StChunk *chunk) {
  const Loop *loop = context;
  const StTetSet *tets = loop->damping->tets;
  const StTetGroup *group = &tets->group[chunk->group];
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes C[81];
    if (st_tet_batch_is_fixed(&tets->batch[b], loop->matrix))
      continue;
    damping_tangent(&loop->damping->material[group->material], &tets->batch[b], loop->at,
                    loop->by_position, loop->by_velocity, C);
    st_tet_set_add_blocks(tets, b, st_tet_group_lanes(group, b), -group_beta(loop->damping, group),
                          C, loop->by_position == 0, loop->matrix);
  }
}

void st_tet_damping_add_blocks(const StTetDamping *damping, const StPoint *at, double by_position,
                               double by_velocity, StBlockMatrix *matrix) {
  Loop loop = {.damping = damping,
               .at = at,
               .by_position = by_position,
               .by_velocity = by_velocity,
               .matrix = matrix};
  st_rounds_do(&damping->tets->rounds, damping->tets->group_count, ST_HEAVY, fill_chunk, &loop);
}

void st_tet_damping_add_complex(const StTetDamping *damping, const StDual *position,
                                const StDual *velocity, StDual *force) {
  const StTetSet *tets = damping->tets;
  for (int g = 0; g < tets->owned_group_count; g++) {
    const StTetGroup *group = &tets->group[g];
    const Viscosity *material = &damping->material[group->material];
    for (int i = 0; i < group->lane_count; i++) {
      const StTetBatch *batch = &tets->batch[group->first_batch + i / ST_LANES];
      StDual F[9], rate[9], P[9];
      st_tet_gradient_complex(batch, i % ST_LANES, position, F);
      st_tet_gradient_complex(batch, i % ST_LANES, velocity, rate);
      viscous_stress_complex(material->k, F, rate, P);
      st_tet_scatter_complex(batch, i % ST_LANES, -group_beta(damping, group), P, force);
    }
  }
}
