// Callbacks as a force. Every rank knows all vertices of a scene with such a force, in another
// order than the scene's, asks for the whole of it, and takes what its own vertices get.
#include "api/custom_force.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "solve/runtime.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Differences are taken over this share of the scene's size, or of a speed.
static const double SHIFT = 1e-6;

enum { WRONG = 160 };

typedef struct Data {
  const StCustomForce *custom;
  const StPiece *piece;
  int *local;     // [vertices] of the scene's
  double *number; // room for all of what follows, in the scene's order:
  double *mass;
  double *position, *velocity, *force;    // [vertices][3]
  double *moved, *ahead, *behind, *block; // [vertices][3], [vertices][3] twice, [vertices][9]
  int *diagonal;                          // [vertices] 0, 1, 2 …
  double size;                            // m, of the scene
  char *wrong; // [WRONG] what the callbacks did that they may not; "": nothing
} Data;

struct StictionBlocks {
  const Data *data;
  StBlockMatrix *matrix; // takes them
};

static void destroy(void *data) {
  Data *own = data;
  if (!own)
    return;
  free(own->local);
  free(own->number);
  free(own->diagonal);
  free(own->wrong);
  free(own);
}

static bool make_room(Data *data) {
  size_t count = (size_t)data->piece->vertex_count;
  data->local = st_piece_find_vertices(data->piece, data->piece->vertex_count);
  data->diagonal = ST_NEW(int, count);
  data->number = ST_NEW(double, 28 * count);
  data->wrong = ST_NEW(char, WRONG);
  if (!data->local || !data->diagonal || !data->number || !data->wrong)
    return false;
  data->mass = data->number;
  data->position = data->mass + count;
  data->velocity = data->position + 3 * count;
  data->force = data->velocity + 3 * count;
  data->moved = data->force + 3 * count;
  data->ahead = data->moved + 3 * count;
  data->behind = data->ahead + 3 * count;
  data->block = data->behind + 3 * count;
  return true;
}

// Each rank knows the whole mass of its own vertices.
static void gather_masses(Data *own) {
  for (int i = 0; i < own->piece->owned_count; i++)
    own->mass[own->piece->vertex_id[i]] = own->piece->mass[i];
  st_runtime_sum_all(own->mass, own->piece->vertex_count);
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  Data *own = *data = ST_NEW(Data, 1);
  if (own) {
    own->custom = (const StCustomForce *)site->type; // its first member
    own->piece = site->piece;
    own->size = st_description_diagonal(site->description);
  }
  StStatus status = own && make_room(own) ? ST_OK : st_fail_memory(error);
  status = st_runtime_agree(status, error);
  ST_TRY(status);
  gather_masses(own);
  for (int i = 0; i < own->piece->vertex_count; i++)
    own->diagonal[i] = i;
  return ST_OK;
}

static void to_scene(const Data *data, const double *local, double *scene) {
  for (int i = 0; i < data->piece->vertex_count; i++)
    vec3_copy(local + 3 * i, scene + 3 * data->piece->vertex_id[i]);
}

static StictionPoint point_of(const Data *data, const StPoint *at) {
  to_scene(data, at->position, data->position);
  to_scene(data, at->velocity, data->velocity);
  return (StictionPoint){.time = at->time,
                         .vertex_count = data->piece->vertex_count,
                         .position = data->position,
                         .velocity = data->velocity,
                         .mass = data->mass};
}

static bool ask_force(const Data *data, const StictionPoint *at, double *force) {
  const StictionForce *callbacks = &data->custom->force;
  memset(force, 0, 3 * (size_t)at->vertex_count * sizeof(double));
  return callbacks->add(callbacks->context, at, force);
}

// Vertex of the first number that is none; -1: all are.
static int find_odd(const double *value, int vertex_count) {
  for (int i = 0; i < 3 * vertex_count; i++)
    if (!isfinite(value[i]))
      return i / 3;
  return -1;
}

static bool refuse(const Data *data, int vertex, const char *reason, StTrouble *trouble) {
  *trouble =
      (StTrouble){.vertex = vertex, .force = data->custom->name, .reason = reason, .element = -1};
  return false;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Data *own = data;
  StictionPoint point = point_of(own, at);
  if (*own->wrong)
    return refuse(own, -1, own->wrong, trouble);
  if (!ask_force(own, &point, own->force))
    return refuse(own, -1, "the program says that it is not defined there", trouble);
  int odd = find_odd(own->force, point.vertex_count);
  if (odd >= 0)
    return refuse(own, odd, "not a number", trouble);
  for (int i = 0; i < own->piece->owned_count; i++)
    vec3_add_scaled(1, own->force + 3 * own->piece->vertex_id[i], force + 3 * i);
  return true;
}

// Counted once: rank 0 tells it.
static double energy(const void *data, const StPoint *at) {
  const Data *own = data;
  if (st_runtime_rank() > 0)
    return 0;
  StictionPoint point = point_of(own, at);
  return own->custom->force.energy(own->custom->force.context, &point);
}

static void add_to_matrix(StBlockMatrix *matrix, int slot, const double block[9]) {
  double *to = matrix->value + 9 * (size_t)slot;
  for (int k = 0; k < 9; k++)
    to[k] += block[k];
}

static void add_one(StictionBlocks *blocks, int row, int column, const double block[9]) {
  const Data *data = blocks->data;
  int count = data->piece->vertex_count;
  if (row < 0 || row >= count || column < 0 || column >= count) {
    snprintf(data->wrong, WRONG,
             "the program gave a derivative of vertices %d and %d, of which there are %d", row,
             column, count);
    return;
  }
  int i = data->local[row], j = data->local[column];
  if (i >= data->piece->owned_count)
    return; // another rank's row
  int slot = st_block_matrix_slot(blocks->matrix, i, j);
  if (slot >= 0)
    add_to_matrix(blocks->matrix, slot, block);
  else
    snprintf(data->wrong, WRONG,
             "the program couples vertices %d and %d, which share no element and are not among "
             "its pairs",
             row, column);
}

void stiction_blocks_add(StictionBlocks *blocks, int count, const int *row, const int *column,
                         const double *block) {
  if (!blocks || !row || !column || !block)
    return;
  for (int k = 0; k < count; k++)
    add_one(blocks, row[k], column[k], block + 9 * (size_t)k);
}

// Central differences along one axis for all vertices at once, into a column of their blocks.
static bool differ(const Data *data, const StictionPoint *at, bool of_velocity, int axis,
                   double shift, double weight) {
  const double *from = of_velocity ? at->velocity : at->position;
  double *result[] = {data->ahead, data->behind};
  StictionPoint there = *at;
  *(of_velocity ? &there.velocity : &there.position) = data->moved;
  for (int k = 0; k < 2; k++) {
    memcpy(data->moved, from, 3 * (size_t)at->vertex_count * sizeof(double));
    for (int i = 0; i < at->vertex_count; i++)
      data->moved[3 * i + axis] += k ? -shift : shift;
    if (!ask_force(data, &there, result[k]))
      return false;
  }
  for (int i = 0; i < at->vertex_count; i++)
    for (int c = 0; c < 3; c++)
      data->block[9 * i + 3 * c + axis] +=
          weight * (data->ahead[3 * i + c] - data->behind[3 * i + c]) / (2 * shift);
  return true;
}

static double fastest(const StictionPoint *at) {
  double most = 0;
  for (int i = 0; i < 3 * at->vertex_count; i++)
    most = fmax(most, fabs(at->velocity[i]));
  return most;
}

// Where the force is not defined nearby, it is as if it were constant.
static void add_differences(const Data *data, const StictionPoint *at, double by_position,
                            double by_velocity, StictionBlocks *blocks) {
  const double shift[2] = {SHIFT * data->size, SHIFT * fmax(1, fastest(at))};
  const double weight[2] = {by_position, by_velocity};
  memset(data->block, 0, 9 * (size_t)at->vertex_count * sizeof(double));
  for (int k = 0; k < 6; k++)
    if (weight[k / 3] != 0 && !differ(data, at, k >= 3, k % 3, shift[k / 3], weight[k / 3]))
      return;
  stiction_blocks_add(blocks, at->vertex_count, data->diagonal, data->diagonal, data->block);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Data *own = data;
  const StictionForce *callbacks = &own->custom->force;
  StictionPoint point = point_of(own, at);
  StictionBlocks blocks = {.data = own, .matrix = matrix};
  if (callbacks->add_blocks)
    callbacks->add_blocks(callbacks->context, &point, by_position, by_velocity, &blocks);
  else
    add_differences(own, &point, by_position, by_velocity, &blocks);
}

static StStatus check(const StictionForce *force, int vertex_count, StError *error) {
  if (!force->name || !*force->name ||
      strspn(force->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(force->name))
    return st_fail(error, ST_BAD_INPUT,
                   "a force needs a name of lower-case letters, digits and _, not \"%s\"",
                   force->name ? force->name : "");
  if (!force->add)
    return st_fail(error, ST_BAD_INPUT, "force \"%s\" has no function that adds it", force->name);
  if (force->pair_count > 0 && !force->add_blocks)
    return st_fail(error, ST_BAD_INPUT,
                   "force \"%s\" couples pairs of vertices: differences cannot find its blocks, "
                   "it needs add_blocks",
                   force->name);
  if (force->pair_count < 0 || (force->pair_count > 0 && !force->pair))
    return st_fail(error, ST_BAD_INPUT, "force \"%s\" has %d pairs%s", force->name,
                   force->pair_count, force->pair_count < 0 ? "" : ", but no array of them");
  for (int64_t i = 0; i < 2 * (int64_t)force->pair_count; i++)
    if (force->pair[i] < 0 || force->pair[i] >= vertex_count)
      return st_fail(error, ST_BAD_INPUT,
                     "pair %d of force \"%s\" names vertex %d; there are %d vertices", (int)(i / 2),
                     force->name, force->pair[i], vertex_count);
  return ST_OK;
}

static void describe(StCustomForce *custom) {
  custom->type = (StForceType){
      .name = custom->name,
      .summary = custom->summary,
      .has_energy = custom->force.energy != NULL,
      .of_outside = true,
      .of_time = true,
      .by_velocity = true,
      .build = build,
      .destroy = destroy,
      .energy = custom->force.energy ? energy : NULL,
      .add = add,
      .add_blocks = add_blocks,
  };
}

StStatus st_custom_force_create(const StictionForce *force, int vertex_count,
                                StCustomForce **result, StError *error) {
  ST_TRY(check(force, vertex_count, error));
  size_t pairs = force->pair_count > 0 ? (size_t)force->pair_count : 0;
  StCustomForce *custom = ST_NEW(StCustomForce, 1);
  ST_TRY_MEMORY(custom, error);
  custom->force = *force;
  custom->name = st_copy_string(force->name);
  custom->summary = st_copy_string(force->summary ? force->summary : "");
  custom->pair = ST_NEW(int, 2 * pairs);
  if (!custom->name || !custom->summary || !custom->pair) {
    st_custom_force_destroy(custom);
    return st_fail_memory(error);
  }
  if (pairs)
    memcpy(custom->pair, force->pair, 2 * pairs * sizeof(int));
  describe(custom);
  *result = custom;
  return ST_OK;
}

void st_custom_force_destroy(StCustomForce *custom) {
  if (!custom)
    return;
  free(custom->name);
  free(custom->summary);
  free(custom->pair);
  free(custom);
}
