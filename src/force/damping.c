// Rayleigh damping of tetrahedra: f = −α m v − β K(q) v, α and β of each element's material, K the
// stiffness of its law at the present q. Its derivative by q is exact: −β D³W[v, ·, ·], the third
// derivative of the energy, symmetric, found as the derivative of the tangent along the velocity.
#include "base/memory.h"
#include "force/list.h"
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

typedef struct Damping {
  const StDescription *description;
  const StPiece *piece;
  StSolidMaterial *material; // [material_count]
  StTetSet *tets;            // those with β > 0
  double *drag;              // [vertex_count] Σ α m over owned elements, kg/s
  double *drag_complete;     // [owned_count] the same over all elements
  int *diagonal;             // [owned_count] diagonal blocks of the bound matrix
} Damping;

static void destroy(void *data) {
  Damping *damping = data;
  if (!damping)
    return;
  free(damping->material);
  st_tet_set_destroy(damping->tets);
  free(damping->drag);
  free(damping->drag_complete);
  free(damping->diagonal);
  free(damping);
}

// Every element brings its own share of the lumped mass, so that α may differ between labels.
static void add_drag(Damping *damping) {
  const StPiece *piece = damping->piece;
  for (int t = 0; t < piece->tet_count; t++) {
    const StMaterialDesc *material = &damping->description->material[piece->tet_material[t]];
    const int *vertex = piece->tet + 4 * (size_t)t;
    double mass = material->density * st_tet_volume(piece->rest, vertex) / 4;
    for (int a = 0; a < 4; a++) {
      if (t < piece->owned_tet_count)
        damping->drag[vertex[a]] += material->mass_damping * mass;
      if (vertex[a] < piece->owned_count)
        damping->drag_complete[vertex[a]] += material->mass_damping * mass;
    }
  }
}

static StStatus build(Damping *damping, StError *error) {
  const StPiece *piece = damping->piece;
  int count = damping->description->material_count;
  ST_TRY(st_solid_materials_create(damping->description, &damping->material, error));
  damping->drag = ST_NEW(double, piece->vertex_count);
  damping->drag_complete = ST_NEW(double, piece->owned_count);
  damping->diagonal = ST_NEW(int, piece->owned_count);
  bool *wanted = ST_NEW(bool, count);
  if (!damping->drag || !damping->drag_complete || !damping->diagonal || !wanted) {
    free(wanted);
    return st_fail_memory(error);
  }
  add_drag(damping);
  for (int i = 0; i < count; i++)
    wanted[i] = damping->description->material[i].stiffness_damping > 0;
  StStatus status = st_tet_set_create(piece, wanted, count, &damping->tets, error);
  free(wanted);
  return status;
}

// Decided by the description alone: all ranks must agree.
static bool has_damping(const StDescription *description) {
  bool damped = false, tets = false;
  for (int i = 0; i < description->material_count; i++)
    damped |=
        description->material[i].mass_damping > 0 || description->material[i].stiffness_damping > 0;
  for (int b = 0; b < description->body_count; b++)
    tets |= description->body[b].mesh->tet_count > 0;
  return damped && tets;
}

static StStatus create(const StForceSite *site, const StChoice *choice, void **data, bool *present,
                       StError *error) {
  const StDescription *description = site->description;
  const StPiece *piece = site->piece;
  (void)choice;
  *data = NULL;
  *present = has_damping(description);
  if (!*present)
    return ST_OK;
  Damping *damping = ST_NEW(Damping, 1);
  if (!damping)
    return st_fail_memory(error);
  damping->description = description;
  damping->piece = piece;
  StStatus status = build(damping, error);
  if (status != ST_OK)
    destroy(damping);
  else
    *data = damping;
  return status;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  Damping *damping = data;
  for (int v = 0; v < damping->piece->owned_count; v++) {
    damping->diagonal[v] = st_block_matrix_slot(matrix, v, v);
    ST_CHECK(damping->diagonal[v] >= 0, error);
  }
  return st_tet_set_bind(damping->tets, matrix, error);
}

static double group_beta(const Damping *damping, const StTetGroup *group) {
  return damping->description->material[group->material].stiffness_damping;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Damping *damping = data;
  const StTetSet *tets = damping->tets;
  for (int v = 0; v < damping->piece->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      force[3 * v + i] -= damping->drag[v] * at->velocity[3 * v + i];
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
        trouble->force = st_force_damping.name;
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

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Damping *damping = data;
  const StTetSet *tets = damping->tets;
  for (int v = 0; v < damping->piece->owned_count; v++)
    for (int i = 0; i < 3; i++)
      matrix->value[9 * (size_t)damping->diagonal[v] + (size_t)(4 * i)] -=
          by_velocity * damping->drag_complete[v];
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

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  const Damping *damping = data;
  const StTetSet *tets = damping->tets;
  for (int v = 0; v < damping->piece->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      result[3 * v + i] -= by_velocity * damping->drag[v] * direction[3 * v + i];
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

static void add_complex(const void *data, double time, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)time;
  const Damping *damping = data;
  const StTetSet *tets = damping->tets;
  for (int v = 0; v < damping->piece->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      force[3 * v + i] -= damping->drag[v] * velocity[3 * v + i];
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

const StForceType st_force_damping = {
    .name = "damping",
    .summary = "Rayleigh damping of solids, −α m v − β K(q) v, with α (mass_damping) and β "
               "(stiffness_damping) of each material.",
    .by_velocity = true,
    .create = create,
    .destroy = destroy,
    .bind = bind,
    .add = add,
    .add_blocks = add_blocks,
    .add_product = add_product,
    .add_complex = add_complex,
};
