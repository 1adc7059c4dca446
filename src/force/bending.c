// Elastic force of cloth and shells against bending: ½ k (ē/h̄)(θ − θ̄)² of every two triangles that
// share an edge, θ the angle between them.
#include "base/memory.h"
#include "force/hinge_set.h"
#include "force/list.h"
#include "force/shell_material.h"
#include "model/body.h"

typedef struct Bending {
  const StPiece *piece;
  StHingeSet *hinges;
} Bending;

static void destroy(void *data) {
  Bending *bending = data;
  if (!bending)
    return;
  st_hinge_set_destroy(bending->hinges);
  free(bending);
}

static StStatus build(Bending *bending, const StDescription *description, StError *error) {
  double *factor = ST_NEW(double, description->material_count);
  ST_TRY_MEMORY(factor, error);
  for (int i = 0; i < description->material_count; i++)
    factor[i] = 1;
  StStatus status =
      st_hinge_set_create(description, bending->piece, factor, &bending->hinges, error);
  free(factor);
  return status;
}

// Whether anything bends; decided by the description alone, so that all ranks agree.
static StStatus has_bending(const StDescription *description, bool *present, StError *error) {
  StShellStiffness *stiffness;
  bool triangles = false, stiff = false;
  ST_TRY(st_shell_materials_create(description, &stiffness, error));
  for (int b = 0; b < description->body_count; b++)
    triangles |= st_body_shell_count(&description->body[b]) > 0;
  for (int i = 0; i < description->material_count; i++)
    stiff |= stiffness[i].bending > 0;
  free(stiffness);
  *present = triangles && stiff;
  return ST_OK;
}

static StStatus create(const StForceSite *site, void **data, bool *present, StError *error) {
  *data = NULL;
  ST_TRY(has_bending(site->description, present, error));
  if (!*present)
    return ST_OK;
  Bending *bending = ST_NEW(Bending, 1);
  ST_TRY_MEMORY(bending, error);
  bending->piece = site->piece;
  StStatus status = build(bending, site->description, error);
  if (status != ST_OK)
    destroy(bending);
  else
    *data = bending;
  return status;
}

static const StElementSet *elements(const void *data) {
  return ((const Bending *)data)->hinges->elements;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  return st_element_set_bind(((Bending *)data)->hinges->elements, matrix, error);
}

static double energy(const void *data, const StPoint *at) {
  return st_element_set_energy(elements(data), at->position);
}

static void share_energy(const void *data, const StPoint *at, double *share) {
  const Bending *bending = data;
  st_element_set_share_energy(elements(data), at->position, bending->piece->body, share);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Bending *bending = data;
  int place = st_element_set_add(elements(data), at->position, force);
  if (place < 0)
    return true;
  st_element_set_report(elements(data), place, bending->piece, at->position, NULL, trouble);
  trouble->force = st_force_bending.name;
  return false;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)by_velocity;
  st_element_set_add_blocks(elements(data), at->position, by_position, matrix);
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  (void)by_velocity;
  st_element_set_add_product(elements(data), at->position, by_position, direction, result);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)at, (void)velocity;
  st_element_set_add_complex(elements(data), position, force);
}

static void commit(void *data, const StPoint *at) {
  st_hinge_set_commit(((Bending *)data)->hinges, at->position);
}

static int memory_count(const void *data) {
  return ((const Bending *)data)->hinges->memory_count;
}

static void remember(const void *data, double *memory) {
  st_hinge_set_remember(((const Bending *)data)->hinges, memory);
}

static void recall(void *data, const double *memory) {
  st_hinge_set_recall(((Bending *)data)->hinges, memory);
}

const StForceType st_force_bending = {
    .name = "bending",
    .summary =
        "Elastic force of cloth and shells against bending, by the angles between triangles.",
    .has_energy = true,
    .create = create,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .share_energy = share_energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_product = add_product,
    .add_complex = add_complex,
    .commit = commit,
    .memory_count = memory_count,
    .remember = remember,
    .recall = recall,
};
