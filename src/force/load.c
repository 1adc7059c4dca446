// External loads over time: a force distributed over vertices, a traction per area at rest, both in
// a fixed direction, and a pressure that follows its triangles: on each corner −p N/6, N = 2A n.
// Their work is counted; they have no energy.
#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"

#include <string.h>

// A triangle under pressure with a corner of this rank.
typedef struct Face {
  int corner[3];  // local vertices
  int slot[3][3]; // blocks of corners; -1: not our row
} Face;

typedef struct Load {
  const StLoadDesc *desc;
  int node_count; // our vertices, for a force or traction
  int *node;
  double *weight;
  int face_count;
  Face *face;
} Load;

typedef struct Loads {
  const StPiece *piece;
  double rise; // s, in which loads at time 0 rise from nothing
  int count;
  Load *load;
} Loads;

#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "mesh/volume_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

static void destroy(void *data) {
  Loads *loads = data;
  for (int i = 0; loads && i < loads->count; i++) {
    free(loads->load[i].node);
    free(loads->load[i].weight);
    free(loads->load[i].face);
  }
  if (loads)
    free(loads->load);
  free(loads);
}

static bool is_owned(const Loads *loads, int vertex) {
  return vertex >= 0 && vertex < loads->piece->owned_count;
}

static StStatus add_nodes(const Loads *loads, const int *local, Load *load, StError *error) {
  const StLoadDesc *desc = load->desc;
  load->node = ST_NEW(int, desc->vertex_count);
  load->weight = ST_NEW(double, desc->vertex_count);
  ST_TRY_MEMORY(load->node && load->weight, error);
  for (int i = 0; i < desc->vertex_count; i++)
    if (is_owned(loads, local[desc->vertex[i]])) {
      load->node[load->node_count] = local[desc->vertex[i]];
      load->weight[load->node_count++] = desc->weight[i];
    }
  return ST_OK;
}

static StStatus add_faces(const Loads *loads, const int *local, Load *load, StError *error) {
  const StLoadDesc *desc = load->desc;
  ST_TRY_MEMORY(load->face = ST_NEW(Face, desc->triangle_count), error);
  for (int t = 0; t < desc->triangle_count; t++) {
    const int *v = desc->triangle + 3 * (size_t)t;
    const int corner[3] = {local[v[0]], local[v[1]], local[v[2]]};
    if (!is_owned(loads, corner[0]) && !is_owned(loads, corner[1]) && !is_owned(loads, corner[2]))
      continue;
    memcpy(load->face[load->face_count++].corner, corner, sizeof corner);
  }
  return ST_OK;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Loads *loads = *data;
  loads->piece = site->piece;
  loads->rise = st_description_rise(description);
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  loads->load = ST_NEW(Load, description->load_count);
  ST_TRY_MEMORY(local && loads->load, error);
  for (int i = 0; i < description->load_count; i++) {
    Load *load = &loads->load[loads->count++];
    load->desc = &description->load[i];
    ST_TRY(add_nodes(loads, local, load, error));
    ST_TRY(add_faces(loads, local, load, error));
  }
  return ST_OK;
}

static bool present(const StForceSite *site) {
  return site->description->load_count > 0;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)error;
  Loads *loads = data;
  for (int i = 0; i < loads->count; i++)
    for (int f = 0; f < loads->load[i].face_count; f++) {
      Face *face = &loads->load[i].face[f];
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          face->slot[a][b] = st_block_matrix_slot(matrix, face->corner[a], face->corner[b]);
    }
  return ST_OK;
}

static void value_at(const Loads *loads, const Load *load, double time, double value[3]) {
  for (int k = 0; k < 3; k++)
    value[k] = st_curve_risen(&load->desc->value[k], time, loads->rise, 0);
}

// Calls `take` with the force of one load on each of our vertices.
typedef void Take(void *context, int vertex, const double force[3]);

static void spread(const Loads *loads, const Load *load, const StPoint *at, Take *take,
                   void *context) {
  double value[3], force[3];
  value_at(loads, load, at->time, value);
  for (int i = 0; i < load->node_count; i++) {
    for (int k = 0; k < 3; k++)
      force[k] = load->weight[i] * value[k];
    take(context, load->node[i], force);
  }
  for (int f = 0; f < load->face_count; f++) {
    const Face *face = &load->face[f];
    triangle_normal_real(at->position, face->corner, force);
    for (int k = 0; k < 3; k++)
      force[k] *= -value[0] / 6;
    for (int c = 0; c < 3; c++)
      if (is_owned(loads, face->corner[c]))
        take(context, face->corner[c], force);
  }
}

static void take_force(void *context, int vertex, const double force[3]) {
  vec3_add_scaled(1, force, (double *)context + 3 * (size_t)vertex);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)trouble;
  const Loads *loads = data;
  for (int i = 0; i < loads->count; i++)
    spread(loads, &loads->load[i], at, take_force, force);
  return true;
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)velocity;
  const Loads *loads = data;
  for (int i = 0; i < loads->count; i++) {
    const Load *load = &loads->load[i];
    double value[3];
    StDual normal[3];
    value_at(loads, load, at->time, value);
    for (int n = 0; n < load->node_count; n++)
      for (int k = 0; k < 3; k++)
        force[3 * (size_t)load->node[n] + (size_t)k] += load->weight[n] * value[k];
    for (int f = 0; f < load->face_count; f++) {
      triangle_normal_complex(position, load->face[f].corner, normal);
      for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3 && is_owned(loads, load->face[f].corner[c]); k++)
          force[3 * (size_t)load->face[f].corner[c] + (size_t)k] -= value[0] / 6 * normal[k];
    }
  }
}

// N changes by d × e when corner c moves by d: e, from the corner after the next to the next. Of
// the force on any corner by the place of corner c, times a factor: d ↦ factor d × e.
static void find_block(const Face *face, const StPoint *at, int c, double factor, double block[9]) {
  double e[3];
  vec3_sub(at->position + 3 * (size_t)face->corner[(c + 1) % 3],
           at->position + 3 * (size_t)face->corner[(c + 2) % 3], e);
  const double cross[9] = {0, e[2], -e[1], -e[2], 0, e[0], e[1], -e[0], 0};
  for (int k = 0; k < 9; k++)
    block[k] = factor * cross[k];
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)by_velocity;
  const Loads *loads = data;
  for (int i = 0; i < loads->count; i++) {
    const Load *load = &loads->load[i];
    double value[3], block[9];
    value_at(loads, load, at->time, value);
    for (int f = 0; f < load->face_count; f++)
      for (int b = 0; b < 3; b++) {
        find_block(&load->face[f], at, b, -by_position * value[0] / 6, block);
        for (int a = 0; a < 3; a++)
          for (int k = 0; k < 9 && load->face[f].slot[a][b] >= 0; k++)
            matrix->value[9 * (size_t)load->face[f].slot[a][b] + (size_t)k] += block[k];
      }
  }
}

static int action_count(const void *data) {
  return ((const Loads *)data)->count;
}

static const char *action_name(const void *data, int index) {
  return ((const Loads *)data)->load[index].desc->name;
}

typedef struct Sum {
  const double *position;
  StAction *action;
} Sum;

static void take_action(void *context, int vertex, const double force[3]) {
  const Sum *sum = context;
  double torque[3];
  vec3_cross(sum->position + 3 * (size_t)vertex, force, torque);
  vec3_add_scaled(1, force, sum->action->force);
  vec3_add_scaled(1, torque, sum->action->torque);
}

static void add_actions(const void *data, const StPoint *at, StAction *action) {
  const Loads *loads = data;
  for (int i = 0; i < loads->count; i++)
    spread(loads, &loads->load[i], at, take_action, &(Sum){at->position, &action[i]});
}

const StForceType st_force_load = {
    .name = "load",
    .summary = "External forces, tractions and pressures on parts of bodies.",
    .of_outside = true,
    .of_load = true,
    .present = present,
    .size = sizeof(Loads),
    .build = build,
    .destroy = destroy,
    .bind = bind,
    .add = add,
    .add_blocks = add_blocks,
    .add_complex = add_complex,
    .action_count = action_count,
    .action_name = action_name,
    .add_actions = add_actions,
};
