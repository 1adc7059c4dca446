// Sorts elements into batches, and loops over them.
#include "force/element_set.h"

#include "base/memory.h"
#include "force/element_batch.h"
#include "math/hot.h"

void st_element_set_destroy(StElementSet *set) {
  if (!set)
    return;
  free(set->element);
  free(set->vertex);
  free(set->constant);
  free(set->slot);
  st_rounds_free(&set->rounds);
  free(set);
}

StStatus st_element_set_create(const StElementKernel *kernel, int owned_count, int other_count,
                               StElementSet **out, StError *error) {
  StElementSet *set = *out = ST_NEW(StElementSet, 1);
  ST_TRY_MEMORY(set, error);
  set->kernel = kernel;
  set->owned_count = owned_count;
  set->other_count = other_count;
  set->owned_batch_count = (owned_count + ST_LANES - 1) / ST_LANES;
  set->batch_count = set->owned_batch_count + (other_count + ST_LANES - 1) / ST_LANES;
  size_t places = (size_t)set->batch_count * ST_LANES;
  set->element = ST_NEW(int, places);
  set->vertex = ST_NEW(int, places *(size_t)kernel->corners);
  set->constant = ST_NEW(StLanes, (size_t)set->batch_count * (size_t)kernel->constant_count);
  if (set->element && set->vertex && set->constant)
    return ST_OK;
  st_element_set_destroy(set);
  *out = NULL;
  return st_fail_memory(error);
}

void st_element_set_put(StElementSet *set, int index, int number, const int *vertex,
                        const double *constant) {
  int place = index < set->owned_count
                  ? index
                  : ST_LANES * set->owned_batch_count + (index - set->owned_count);
  int corners = set->kernel->corners, constants = set->kernel->constant_count;
  int batch = place / ST_LANES, lane = place % ST_LANES;
  set->element[place] = number;
  for (int a = 0; a < corners; a++)
    set->vertex[(batch * corners + a) * ST_LANES + lane] = vertex[a];
  for (int i = 0; i < constants; i++)
    set->constant[batch * constants + i][lane] = constant[i];
}

static const int *batch_vertices(const void *set, int batch, int *count) {
  *count = ((const StElementSet *)set)->kernel->corners * ST_LANES;
  return st_element_vertices(set, batch);
}

static int batch_group(const void *set, int batch) {
  return batch >= ((const StElementSet *)set)->owned_batch_count;
}

static void fill_spare_lanes(StElementSet *set) {
  int corners = set->kernel->corners, constants = set->kernel->constant_count;
  for (int b = 0; b < set->batch_count; b++)
    for (int lane = st_element_lanes(set, b); lane < ST_LANES; lane++) {
      set->element[ST_LANES * b + lane] = set->element[ST_LANES * b + lane - 1];
      for (int a = 0; a < corners; a++) {
        int *vertex = set->vertex + (size_t)((b * corners + a) * ST_LANES + lane);
        vertex[0] = vertex[-1];
      }
      for (int i = 0; i < constants; i++) {
        StLanes *constant = &set->constant[b * constants + i];
        (*constant)[lane] = (*constant)[lane - 1];
      }
    }
}

StStatus st_element_set_finish(StElementSet *set, const StPiece *piece, StError *error) {
  StBatches batches = {.set = set,
                       .count = set->batch_count,
                       .vertex_count = piece->vertex_count,
                       .vertices = batch_vertices,
                       .group = batch_group};
  fill_spare_lanes(set);
  return st_rounds_create(&batches, piece->crew, &set->rounds, error);
}

// The arguments of a loop over chunks; failed: the index of the element that failed.
typedef struct Loop {
  const StElementSet *set;
  const StPoint *at;
  bool viscous; // the force against the rate of change, not that of the energy
  double by_position, by_velocity;
  double *result;
  int *slot;
  StBlockMatrix *matrix;
  const StBlockMatrix *bound;
  StFirstFailed failed;
} Loop;

static void bind_chunk(void *context, const StChunk *chunk) {
  Loop *loop = context;
  const StElementSet *set = loop->set;
  int corners = set->kernel->corners;
  for (int place = ST_LANES * chunk->first; place < ST_LANES * chunk->end; place++) {
    const int *vertex = st_element_vertices(set, place / ST_LANES) + place % ST_LANES;
    int *slot = loop->slot + (size_t)(corners * corners) * (size_t)place;
    for (int a = 0; a < corners; a++)
      for (int b = 0; b < corners; b++, slot++) {
        int row = vertex[ST_LANES * a];
        *slot = st_block_matrix_slot_again(loop->bound, row, vertex[ST_LANES * b], *slot);
        if (*slot < 0 && row < loop->bound->row_count)
          st_first_failed_note(&loop->failed, place);
      }
  }
}

StStatus st_element_set_bind(StElementSet *set, const StBlockMatrix *matrix, StError *error) {
  int corners = set->kernel->corners, places = set->batch_count * ST_LANES;
  size_t pairs = (size_t)(corners * corners);
  if (!set->slot)
    set->slot = ST_NEW(int, pairs *(size_t)places);
  ST_TRY_MEMORY(set->slot, error);
  Loop loop = {.set = set, .slot = set->slot, .bound = matrix, .failed = ST_NONE_FAILED};
  st_rounds_do(&set->rounds, 2, ST_HEAVY, bind_chunk, &loop);
  ST_CHECK(loop.failed == ST_NONE_FAILED, error);
  return ST_OK;
}

double st_element_set_energy(const StElementSet *set, const double *position) {
  double sum = 0;
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes edge[ST_ELEMENT_EDGE], W;
    st_element_edges(set, b, position, edge);
    set->kernel->energy(st_element_constants(set, b), edge, &W);
    if (!lanes_finite(&W, 1))
      return INFINITY;
    int lanes = st_element_lanes(set, b);
    for (int lane = 0; lane < lanes; lane++)
      sum += W[lane];
  }
  return sum;
}

void st_element_set_share_energy(const StElementSet *set, const double *position, const int *body,
                                 double *energy) {
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes edge[ST_ELEMENT_EDGE], W;
    st_element_edges(set, b, position, edge);
    set->kernel->energy(st_element_constants(set, b), edge, &W);
    const int *first = st_element_vertices(set, b);
    int lanes = st_element_lanes(set, b);
    for (int lane = 0; lane < lanes; lane++)
      energy[body[first[lane]]] += W[lane];
  }
}

static inline void batch_gradient(const Loop *loop, int batch, StLanes *gradient) {
  const StElementSet *set = loop->set;
  const StLanes *k = st_element_constants(set, batch);
  StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
  st_element_edges(set, batch, loop->at->position, edge);
  if (!loop->viscous) {
    set->kernel->gradient(k, edge, gradient);
    return;
  }
  st_element_edges(set, batch, loop->at->velocity, rate);
  set->kernel->viscous(k, edge, rate, gradient);
}

static ST_HOT void add_chunk(void *context, const StChunk *chunk) {
  Loop *loop = context;
  int numbers = st_element_numbers(loop->set);
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes gradient[ST_ELEMENT_EDGE];
    batch_gradient(loop, b, gradient);
    if (!lanes_finite(gradient, numbers)) {
      st_first_failed_note(&loop->failed, st_element_failed(b, numbers, gradient));
      return;
    }
    st_element_scatter(loop->set, b, -1, gradient, loop->result);
  }
}

int st_element_set_add(const StElementSet *set, const StPoint *at, bool viscous, double *force) {
  Loop loop = {.set = set, .at = at, .viscous = viscous, .result = force, .failed = ST_NONE_FAILED};
  st_rounds_do(&set->rounds, 1, ST_LIGHT, add_chunk, &loop);
  return loop.failed == ST_NONE_FAILED ? -1 : loop.failed;
}

// Returns the factor of the batch's Hessian.
static inline double batch_hessian(const Loop *loop, int batch, StLanes *H) {
  const StElementSet *set = loop->set;
  const StLanes *k = st_element_constants(set, batch);
  StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
  st_element_edges(set, batch, loop->at->position, edge);
  if (!loop->viscous) {
    set->kernel->hessian(k, edge, H);
    return -loop->by_position;
  }
  st_element_edges(set, batch, loop->at->velocity, rate);
  set->kernel->viscous_tangent(k, edge, rate, loop->by_position, loop->by_velocity, H);
  return -1;
}

static ST_HOT void fill_chunk(void *context, const StChunk *chunk) {
  const Loop *loop = context;
  int corners = loop->set->kernel->corners * ST_LANES;
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes H[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    if (st_block_matrix_fixes(loop->matrix, st_element_vertices(loop->set, b), corners))
      continue;
    double factor = batch_hessian(loop, b, H);
    st_element_add_blocks(loop->set, b, factor, H, loop->matrix);
  }
}

void st_element_set_add_blocks(const StElementSet *set, const StPoint *at, bool viscous,
                               double by_position, double by_velocity, StBlockMatrix *matrix) {
  Loop loop = {.set = set,
               .at = at,
               .viscous = viscous,
               .by_position = by_position,
               .by_velocity = by_velocity,
               .matrix = matrix};
  st_rounds_do(&set->rounds, 2, ST_HEAVY, fill_chunk, &loop);
}

void st_element_set_add_complex(const StElementSet *set, const StDual *position,
                                const StDual *velocity, StDual *force) {
  for (int place = 0; place < set->owned_count; place++) {
    double k[ST_ELEMENT_CONSTANTS];
    StDual edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_take_constants(set, place, k);
    st_element_edges_complex(set, place, position, edge);
    if (velocity) {
      st_element_edges_complex(set, place, velocity, rate);
      set->kernel->viscous_complex(k, edge, rate, gradient);
    } else {
      set->kernel->gradient_complex(k, edge, gradient);
    }
    st_element_scatter_complex(set, place, gradient, force);
  }
}

void st_element_set_report(const StElementSet *set, int place, const StPiece *piece,
                           const double *position, const int *id, StTrouble *trouble) {
  const int *vertex = st_element_vertices(set, place / ST_LANES) + place % ST_LANES;
  bool finite = true;
  for (int a = 0; a < set->kernel->corners; a++)
    for (int i = 0; i < 3; i++)
      finite &= isfinite(position[3 * (size_t)vertex[ST_LANES * a] + (size_t)i]) != 0;
  trouble->vertex = piece->vertex_id[vertex[0]];
  trouble->element = id ? id[set->element[place]] : -1;
  trouble->reason = finite ? "triangle collapsed" : "not a number";
}
