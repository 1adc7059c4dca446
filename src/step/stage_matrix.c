// Fills the Jacobian of a stage and multiplies by it.
// Tested by tests/step/test_stage.c.
#include "step/stage_parts.h"

#include "force/list.h"
#include "math/dot.h"
#include "math/hot.h"
#include "solve/runtime.h"

#include <string.h>

enum { ROWS_AT_ONCE = 1024 }; // of the matrix, for one thread

// Turns blocks of -(a²h² ∂f/∂q + a h ∂f/∂v) into those of the scaled Jacobian.
static void scale_rows(void *context, int begin, int end) {
  const StStageProblem *stage = context;
  StBlockMatrix *matrix = st_system_unknown_matrix(stage->system);
  const int skipped = st_piece_owned_carried(stage->system->piece);
  for (int row = begin; row < end; row++) {
    const double *left = stage->scale + 3 * row, diagonal = 1 + stage->shift[row];
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
      int column = matrix->column[k];
      const double *right =
          stage->scale + 3 * (column < matrix->row_count ? column : column + skipped);
      double *block = matrix->value + 9 * (size_t)k;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          block[3 * i + j] *= left[i] * right[j];
      if (matrix->column[k] == row)
        block[0] += diagonal, block[4] += diagonal, block[8] += diagonal;
    }
  }
}

// Derivatives of contacts with smooth surfaces have tens of vertices each: preconditioners do with
// less. Those of primitives and obstacles are cheap to have exactly.
static bool is_wide(const StContactArray *list) {
  for (int t = 0; t < list->count; t++)
    if (list->contact[t].count > ST_CONTACT_SMALL)
      return true;
  return false;
}

static bool has_wide_contacts(const StPoint *at) {
  return at->contact_set && (is_wide(&at->contact_set->now) || is_wide(at->contact_set->before));
}

// Contact and friction depend on the same gaps: one pass over the contacts adds both.
static bool can_join(const StSystem *system, const StPoint *at) {
  bool rubs = false;
  for (int i = 0; i < system->force_count; i++)
    rubs = rubs || system->force[i].type == &st_force_friction;
  return rubs && at->contact_set && !st_contact_set_lagged(at->contact_set);
}

// The blocks of all forces: ∂f/∂q and ∂f/∂v by these factors and the weight of each.
static void add_up_blocks(StStageProblem *stage, bool near_blocks, double by_position,
                          double by_velocity) {
  StSystem *system = stage->system;
  StPoint at = st_stage_now(stage);
  bool wide = has_wide_contacts(&at);
  at.slots = at.contact_set ? st_contact_room_slots(system->room) : NULL;
  at.joined = can_join(system, &at);
  st_block_matrix_clear(system->matrix);
  for (int i = 0; i < system->force_count; i++) {
    const StForceType *type = system->force[i].type;
    double weight = st_stage_weight(stage, &system->force[i]);
    bool near = near_blocks && wide && type->add_near_blocks;
    StPoint seen = st_system_seen(system, type, &at);
    double rate = seen.velocity == at.velocity ? by_velocity : 0;
    (near ? type->add_near_blocks : type->add_blocks)(
        system->force[i].data, &seen, weight * by_position, weight * rate, system->matrix);
  }
}

static void fill_matrix(StStageProblem *stage, bool near_blocks) {
  StSystem *system = stage->system;
  add_up_blocks(stage, near_blocks, stage->ah, 1);
  st_system_fold(system);
  st_crew_sweep(system->crew, 0, st_system_unknown_matrix(system)->row_count, ROWS_AT_ONCE,
                scale_rows, stage);
  stage->filled = true;
  stage->whole = !near_blocks;
}

// Only the diagonal changes.
static void reshift(StStageProblem *stage, const double *shift) {
  StBlockMatrix *matrix = st_system_unknown_matrix(stage->system);
  stage->filled = stage->filled && !matrix->rounded;
  for (int row = 0; row < matrix->row_count; row++) {
    double more = shift[row] - stage->shift[row];
    if (more == 0)
      continue;
    stage->shift[row] = shift[row];
    double *block = matrix->value + 9 * (size_t)st_block_matrix_slot(matrix, row, row);
    for (int i = 0; i < 9 && stage->filled; i += 4)
      block[i] += more;
  }
}

StStatus st_stage_linearise(void *context, const double *y, double progress, const double *shift) {
  StStageProblem *stage = context;
  size_t bytes = (size_t)st_stage_unknown_size(stage) / 3 * sizeof(double);
  if (!y) {
    reshift(stage, shift);
    return ST_OK;
  }
  stage->progress = progress;
  if (shift)
    memcpy(stage->shift, shift, bytes);
  else
    memset(stage->shift, 0, bytes);
  st_stage_move(stage, NULL, y);
  stage->filled = stage->coupled = stage->led = false;
  return ST_OK;
}

// The dense terms of the scaled Jacobian, in the order of the forces that have them.
static void fill_couplings(StStageProblem *stage) {
  const StSystem *system = stage->system;
  StPoint at = st_stage_now(stage);
  int size = st_stage_unknown_size(stage), term = 0;
  for (int i = 0; i < system->force_count; i++) {
    const StForce *force = &system->force[i];
    int count = st_system_coupling_count(force);
    for (int k = 0; k < count; k++, term++) {
      double *u = stage->coupling + (size_t)term * (size_t)size;
      double weight = force->type->coupling(force->data, &at, k, stage->direction);
      stage->coupling_weight[term] = st_stage_weight(stage, force) * stage->ah * weight;
      st_carried_hand_on(&system->piece->carried, stage->direction);
      for (int j = 0; j < size; j++)
        u[j] = stage->scale[j] * stage->direction[j];
    }
  }
  stage->coupled = true;
}

static StStatus make_room(StStageProblem *stage, StError *error) {
  StPoint at = st_stage_now(stage);
  bool changed;
  if (!at.contact_set)
    return ST_OK;
  ST_TRY(st_system_fit_matrix(stage->system, at.contact_set, stage->keeps_room, &changed, error));
  stage->problem.pattern += changed;
  stage->keeps_room = true;
  return ST_OK;
}

// Whether the matrix has what is wanted already.
static bool is_filled(const StStageProblem *stage, StAssembly what) {
  bool rounded = what == ST_ASSEMBLE_ROUNDED;
  if (!stage->filled || (what == ST_ASSEMBLE_WHOLE && !stage->whole) || what == ST_ASSEMBLE_NEAR)
    return false;
  StPoint at = st_stage_now(stage);
  return !has_wide_contacts(&at) && (rounded || !st_system_unknown_matrix(stage->system)->rounded);
}

StStatus st_stage_assemble(void *context, StAssembly what, StError *error) {
  StStageProblem *stage = context;
  if (!stage->coupled)
    fill_couplings(stage);
  if (!stage->filled) // the same contacts need no more of it
    ST_TRY(make_room(stage, error));
  if (!is_filled(stage, what))
    fill_matrix(stage, what == ST_ASSEMBLE_NEAR);
  if (what == ST_ASSEMBLE_ROUNDED)
    st_block_matrix_round(st_system_unknown_matrix(stage->system));
  return ST_OK;
}

static void multiply_blocks(StStageProblem *stage, const double *x, double *result) {
  const StPiece *piece = stage->system->piece;
  size_t unknown = (size_t)st_stage_unknown_size(stage), owned = (size_t)st_stage_owned_size(stage);
  StBlockMatrix *matrix = st_system_unknown_matrix(stage->system);
  if (matrix->column_count == matrix->row_count) { // there are no ghosts
    st_block_matrix_multiply(matrix, x, result);
    return;
  }
  memcpy(stage->direction, x, unknown * sizeof(double));
  st_exchange_forward(stage->system->exchange, stage->direction);
  if (owned > unknown) // columns leave out what is carried
    memmove(stage->direction + unknown, stage->direction + owned,
            (3 * (size_t)piece->ghost_end - owned) * sizeof(double));
  st_block_matrix_multiply(matrix, stage->direction, result);
}

static ST_HOT double dot(const double *a, const double *b, int size) {
  return st_dot(a, b, 0, size);
}

static void add_couplings(const StStageProblem *stage, const double *x, double *result) {
  int count = stage->problem.coupling_count, size = st_stage_unknown_size(stage);
  double along[ST_COUPLINGS] = {0};
  for (int k = 0; k < count; k++)
    along[k] = dot(stage->coupling + (size_t)k * (size_t)size, x, size);
  st_runtime_sum_all(along, count);
  for (int k = 0; k < count; k++) {
    double amount = stage->coupling_weight[k] * along[k];
    const double *u = stage->coupling + (size_t)k * (size_t)size;
    for (int i = 0; i < size; i++)
      result[i] += amount * u[i];
  }
}

void st_stage_product(void *context, const double *x, double *result) {
  StStageProblem *stage = context;
  multiply_blocks(stage, x, result);
  add_couplings(stage, x, result);
}

// The dense terms of ∂f/∂q, times the path of our vertices.
static void add_coupled_pull(StStageProblem *stage, const StPoint *at, const StForce *force,
                             const double *path, double *u, double *pull) {
  int size = st_stage_owned_size(stage), count = st_system_coupling_count(force);
  for (int k = 0; k < count; k++) {
    double weight = st_stage_weight(stage, force) * force->type->coupling(force->data, at, k, u);
    double amount = weight * st_runtime_sum(dot(u, path, size));
    for (int i = 0; i < size; i++)
      pull[i] -= amount * u[i];
  }
}

StStatus st_stage_find_pull(StStageProblem *stage, const double *path, double *room, double *pull) {
  const StSystem *system = stage->system;
  size_t bytes = 3 * (size_t)system->piece->vertex_count * sizeof(double);
  ST_TRY(make_room(stage, NULL));
  add_up_blocks(stage, false, -1, 0);
  memset(pull, 0, bytes);
  st_block_matrix_multiply(system->matrix, path, pull);
  StPoint at = st_stage_now(stage);
  for (int i = 0; i < system->force_count; i++)
    add_coupled_pull(stage, &at, &system->force[i], path, room, pull);
  st_carried_hand_on(&system->piece->carried, pull);
  st_exchange_reverse(system->exchange, pull);
  return ST_OK;
}
