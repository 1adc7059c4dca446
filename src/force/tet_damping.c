// Its derivative by q is exact: −β D³W[v, ·, ·], the third derivative of the energy, symmetric,
// found as the derivative of the tangent along the velocity.
#include "force/tet_damping.h"

#include "base/memory.h"
#include "force/solid_material.h"
#include "force/tet_set.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#undef ST_COMPLEX_KERNEL
#define ST_LANES_KERNEL
#include "math/scalar.h"
#include "math/tensor_kernel.h"
#undef ST_LANES_KERNEL
#include "math/scalar.h"

struct StTetDamping {
  const StDescription *description;
  const StPiece *piece;
  StSolidMaterial *material; // [material_count]
  StTetSet *tets;            // those with β > 0
};

void st_tet_damping_destroy(StTetDamping *damping) {
  if (!damping)
    return;
  free(damping->material);
  st_tet_set_destroy(damping->tets);
  free(damping);
}

static StStatus build(StTetDamping *damping, StError *error) {
  int count = damping->description->material_count;
  ST_TRY(st_solid_materials_create(damping->description, &damping->material, error));
  bool *wanted = ST_NEW(bool, count);
  if (!wanted)
    return st_fail_memory(error);
  for (int i = 0; i < count; i++)
    wanted[i] = damping->description->material[i].stiffness_damping > 0;
  StStatus status = st_tet_set_create(damping->piece, wanted, count, &damping->tets, error);
  free(wanted);
  return status;
}

StStatus st_tet_damping_create(const StDescription *description, const StPiece *piece,
                               StTetDamping **out, StError *error) {
  *out = NULL;
  StTetDamping *damping = ST_NEW(StTetDamping, 1);
  if (!damping)
    return st_fail_memory(error);
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

bool st_tet_damping_add(const StTetDamping *damping, const StPoint *at, double *force,
                        StTrouble *trouble) {
  const StTetSet *tets = damping->tets;
  for (int g = 0; g < tets->owned_group_count; g++) {
    const StTetGroup *group = &tets->group[g];
    const StSolidMaterial *material = &damping->material[group->material];
    for (int b = 0; b < group->batch_count; b++) {
      const StTetBatch *batch = &tets->batch[group->first_batch + b];
      StLanes F[9], rate[9], dP[9], C[81];
      st_tet_gradient(batch, at->position, F);
      st_tet_gradient(batch, at->velocity, rate);
      material->law->tangent_lanes(material->k, F, C);
      tensor_apply_lanes(C, rate, dP);
      if (!lanes_finite(dP, 9)) {
        st_tet_set_report(tets, damping->piece, group->first_batch + b, F, dP, trouble);
        return false;
      }
      st_tet_scatter(batch, st_tet_group_lanes(group, b), -group_beta(damping, group), dP, force);
    }
  }
  return true;
}

// C = by_velocity·D²W + by_position·D³W[rate], for the elements of a batch.
static void damping_tangent(const StSolidMaterial *material, const StTetBatch *batch,
                            const StPoint *at, double by_position, double by_velocity,
                            StLanes C[81]) {
  StLanes F[9], rate[9];
  st_tet_gradient(batch, at->position, F);
  st_tet_gradient(batch, at->velocity, rate);
  material->law->tangent_lanes(material->k, F, C);
  for (int p = 0; p < 81; p++)
    C[p] *= by_velocity;
  if (by_position == 0)
    return;
  for (int lane = 0; lane < ST_LANES; lane++) {
    StDual along[9], dC[81];
    for (int p = 0; p < 9; p++)
      along[p] = s_dual(F[p][lane], rate[p][lane]);
    material->law->tangent_complex(material->k, along, dC);
    for (int p = 0; p < 81; p++)
      C[p][lane] += by_position * s_derivative(dC[p]);
  }
}

void st_tet_damping_add_blocks(const StTetDamping *damping, const StPoint *at, double by_position,
                               double by_velocity, StBlockMatrix *matrix) {
  const StTetSet *tets = damping->tets;
  for (int g = 0; g < tets->group_count; g++) {
    const StTetGroup *group = &tets->group[g];
    double beta = group_beta(damping, group);
    for (int b = 0; b < group->batch_count; b++) {
      int batch = group->first_batch + b;
      StLanes C[81];
      damping_tangent(&damping->material[group->material], &tets->batch[batch], at, by_position,
                      by_velocity, C);
      st_tet_set_add_blocks(tets, batch, st_tet_group_lanes(group, b), -beta, C, matrix);
    }
  }
}

void st_tet_damping_add_product(const StTetDamping *damping, const StPoint *at, double by_position,
                                double by_velocity, const double *direction, double *result) {
  const StTetSet *tets = damping->tets;
  for (int g = 0; g < tets->owned_group_count; g++) {
    const StTetGroup *group = &tets->group[g];
    for (int b = 0; b < group->batch_count; b++) {
      const StTetBatch *batch = &tets->batch[group->first_batch + b];
      StLanes C[81], dF[9], dP[9];
      damping_tangent(&damping->material[group->material], batch, at, by_position, by_velocity, C);
      st_tet_gradient(batch, direction, dF);
      tensor_apply_lanes(C, dF, dP);
      st_tet_scatter(batch, st_tet_group_lanes(group, b), -group_beta(damping, group), dP, result);
    }
  }
}

void st_tet_damping_add_complex(const StTetDamping *damping, const StDual *position,
                                const StDual *velocity, StDual *force) {
  const StTetSet *tets = damping->tets;
  for (int g = 0; g < tets->owned_group_count; g++) {
    const StTetGroup *group = &tets->group[g];
    const StSolidMaterial *material = &damping->material[group->material];
    for (int i = 0; i < group->tet_count; i++) {
      const StTetBatch *batch = &tets->batch[group->first_batch + i / ST_LANES];
      StDual F[9], rate[9], dP[9], C[81];
      st_tet_gradient_complex(batch, i % ST_LANES, position, F);
      st_tet_gradient_complex(batch, i % ST_LANES, velocity, rate);
      material->law->tangent_complex(material->k, F, C);
      tensor_apply_complex(C, rate, dP);
      st_tet_scatter_complex(batch, i % ST_LANES, -group_beta(damping, group), dP, force);
    }
  }
}
