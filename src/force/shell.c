// Elastic forces of cloth and shells: within their surface by triangles of constant strain, and
// against bending, ½ k (ē/h̄)(θ − θ̄)² of every two triangles that share an edge, θ the angle between
// them.
#include "base/memory.h"
#include "force/element_batch.h"
#include "force/hinge_set.h"
#include "force/list.h"
#include "force/membrane_set.h"
#include "force/shell_material.h"
#include "force/triangle_path.h"
#include "model/body.h"

typedef struct Shell {
  const StPiece *piece;
  const int *id; // numbers of the elements; NULL: they have none
  const char *force;
  StElementSet *elements; // triangles, or those of `hinges`
  StHingeSet *hinges;     // NULL: a membrane
} Shell;

static void destroy(void *data) {
  Shell *shell = data;
  if (!shell)
    return;
  if (shell->hinges)
    st_hinge_set_destroy(shell->hinges);
  else
    st_element_set_destroy(shell->elements);
  free(shell);
}

static bool has_triangles(const StForceSite *site) {
  for (int b = 0; b < site->description->body_count; b++)
    if (st_body_shell_count(&site->description->body[b]) > 0)
      return true;
  return false;
}

// Materials that cannot be prepared count: building the force then says why.
static bool bends(const StForceSite *site) {
  for (int i = 0; i < site->description->material_count; i++)
    if (st_shell_may_bend(&site->description->material[i]))
      return has_triangles(site);
  return false;
}

static StStatus create_elements(const StForceSite *site, const double *factor, Shell *shell,
                                StError *error) {
  if (site->type == &st_force_membrane)
    return st_membrane_set_create(site->description, site->piece, factor, &shell->elements, error);
  ST_TRY(st_hinge_set_create(site->description, site->piece, factor, &shell->hinges, error));
  shell->elements = shell->hinges->elements;
  return ST_OK;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  Shell *shell = *data;
  *shell = (Shell){.piece = site->piece,
                   .id = site->type == &st_force_membrane ? site->piece->triangle_id : NULL,
                   .force = site->type->name};
  ST_FREE double *factor = ST_NEW(double, site->description->material_count);
  ST_TRY_MEMORY(factor, error);
  for (int i = 0; i < site->description->material_count; i++)
    factor[i] = 1;
  return create_elements(site, factor, shell, error);
}

static const StElementSet *elements(const void *data) {
  return ((const Shell *)data)->elements;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  return st_element_set_bind(((Shell *)data)->elements, matrix, error);
}

static double energy(const void *data, const StPoint *at) {
  return st_element_set_energy(elements(data), at->position);
}

static void share_energy(const void *data, const StPoint *at, double *share) {
  const Shell *shell = data;
  st_element_set_share_energy(elements(data), at->position, shell->piece->body, share);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Shell *shell = data;
  int place = st_element_set_add(elements(data), at, false, force);
  if (place < 0)
    return true;
  st_element_set_report(elements(data), place, shell->piece, at->position, shell->id, trouble);
  trouble->force = shell->force;
  return false;
}

// A corner must not pass through the opposite edge: see st_triangle_path_limit.
static double limit(const void *data, const double *from, const double *to) {
  const StElementSet *set = elements(data);
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
  st_element_set_add_blocks(elements(data), at, false, by_position, by_velocity, matrix);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)at, (void)velocity;
  st_element_set_add_complex(elements(data), position, NULL, force);
}

static void commit(void *data, const StPoint *at) {
  st_hinge_set_commit(((Shell *)data)->hinges, at->position);
}

static int memory_count(const void *data) {
  return ((const Shell *)data)->hinges->memory_count;
}

static void remember(const void *data, double *memory) {
  st_hinge_set_remember(((const Shell *)data)->hinges, memory);
}

static void recall(void *data, const double *memory) {
  st_hinge_set_recall(((Shell *)data)->hinges, memory);
}

#define SHELL_FUNCTIONS                                                                            \
  .has_energy = true, .size = sizeof(Shell), .build = build, .destroy = destroy, .bind = bind,     \
  .energy = energy, .share_energy = share_energy, .add = add, .add_blocks = add_blocks,            \
  .add_complex = add_complex

const StForceType st_force_membrane = {
    .name = "membrane",
    .summary =
        "Elastic force of cloth and shells against stretching and shearing of their surface.",
    SHELL_FUNCTIONS,
    .present = has_triangles,
    .limit = limit,
};

const StForceType st_force_bending = {
    .name = "bending",
    .summary =
        "Elastic force of cloth and shells against bending, by the angles between triangles.",
    SHELL_FUNCTIONS,
    .present = bends,
    .commit = commit,
    .memory_count = memory_count,
    .remember = remember,
    .recall = recall,
};
