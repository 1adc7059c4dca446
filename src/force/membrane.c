// Elastic force of cloth and shells within their surface: triangles of constant strain.
#include "base/memory.h"
#include "force/element_batch.h"
#include "force/list.h"
#include "force/membrane_set.h"
#include "force/triangle_path.h"
#include "model/body.h"

typedef struct Membrane {
  const StPiece *piece;
  StElementSet *triangles;
} Membrane;

static void destroy(void *data) {
  Membrane *membrane = data;
  if (!membrane)
    return;
  st_element_set_destroy(membrane->triangles);
  free(membrane);
}

static StStatus build(Membrane *membrane, const StDescription *description, StError *error) {
  double *factor = ST_NEW(double, description->material_count);
  ST_TRY_MEMORY(factor, error);
  for (int i = 0; i < description->material_count; i++)
    factor[i] = 1;
  StStatus status =
      st_membrane_set_create(description, membrane->piece, factor, &membrane->triangles, error);
  free(factor);
  return status;
}

// Decided by the description alone, so that all ranks agree, even one without elements.
static bool has_triangles(const StDescription *description) {
  for (int b = 0; b < description->body_count; b++)
    if (st_body_shell_count(&description->body[b]) > 0)
      return true;
  return false;
}

static StStatus create(const StForceSite *site, void **data, bool *present, StError *error) {
  *data = NULL;
  *present = has_triangles(site->description);
  if (!*present)
    return ST_OK;
  Membrane *membrane = ST_NEW(Membrane, 1);
  ST_TRY_MEMORY(membrane, error);
  membrane->piece = site->piece;
  StStatus status = build(membrane, site->description, error);
  if (status != ST_OK)
    destroy(membrane);
  else
    *data = membrane;
  return status;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  return st_element_set_bind(((Membrane *)data)->triangles, matrix, error);
}

static double energy(const void *data, const StPoint *at) {
  return st_element_set_energy(((const Membrane *)data)->triangles, at->position);
}

static void share_energy(const void *data, const StPoint *at, double *share) {
  const Membrane *membrane = data;
  st_element_set_share_energy(membrane->triangles, at->position, membrane->piece->body, share);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Membrane *membrane = data;
  const StPiece *piece = membrane->piece;
  int place = st_element_set_add(membrane->triangles, at->position, force);
  if (place < 0)
    return true;
  st_element_set_report(membrane->triangles, place, piece, at->position, piece->triangle_id,
                        trouble);
  trouble->force = st_force_membrane.name;
  return false;
}

// A corner must not pass through the opposite edge: see st_triangle_path_limit.
static double limit(const void *data, const double *from, const double *to) {
  const StElementSet *set = ((const Membrane *)data)->triangles;
  double part = 1;
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes start[6], end[6];
    st_element_edges(set, b, from, start);
    st_element_edges(set, b, to, end);
    for (int lane = 0; lane < st_element_lanes(set, b); lane++) {
      double first[6], last[6];
      for (int i = 0; i < 6; i++)
        first[i] = start[i][lane], last[i] = end[i][lane];
      part = fmin(part, st_triangle_path_limit(first, last));
    }
  }
  return part;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)by_velocity;
  st_element_set_add_blocks(((const Membrane *)data)->triangles, at->position, by_position, matrix);
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  (void)by_velocity;
  st_element_set_add_product(((const Membrane *)data)->triangles, at->position, by_position,
                             direction, result);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)at, (void)velocity;
  st_element_set_add_complex(((const Membrane *)data)->triangles, position, force);
}

const StForceType st_force_membrane = {
    .name = "membrane",
    .summary =
        "Elastic force of cloth and shells against stretching and shearing of their surface.",
    .has_energy = true,
    .create = create,
    .destroy = destroy,
    .bind = bind,
    .energy = energy,
    .share_energy = share_energy,
    .add = add,
    .limit = limit,
    .add_blocks = add_blocks,
    .add_product = add_product,
    .add_complex = add_complex,
};
