// The loops over a set for its rate of change.
#include "force/element_rate.h"

#include "force/element_batch.h"
#include "math/hot.h"

// The arguments of a loop over chunks; failed: the index of the element that failed.
typedef struct Loop {
  const StElementSet *set;
  const StPoint *at;
  double by_position, by_velocity;
  double *result;
  StBlockMatrix *matrix;
  StFirstFailed failed;
} Loop;

static ST_HOT void add_chunk(void *context, const StChunk *chunk) {
  Loop *loop = context;
  const StElementSet *set = loop->set;
  int numbers = st_element_numbers(set);
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_edges(set, b, loop->at->position, edge);
    st_element_edges(set, b, loop->at->velocity, rate);
    set->kernel->viscous(st_element_constants(set, b), edge, rate, gradient);
    if (!lanes_finite(gradient, numbers)) {
      st_first_failed_note(&loop->failed, st_element_failed(b, numbers, gradient));
      return;
    }
    st_element_scatter(set, b, -1, gradient, loop->result);
  }
}

int st_element_rate_add(const StElementSet *set, const StPoint *at, double *force) {
  Loop loop = {.set = set, .at = at, .result = force, .failed = ST_NONE_FAILED};
  st_rounds_do(&set->rounds, 1, ST_LIGHT, add_chunk, &loop);
  return loop.failed == ST_NONE_FAILED ? -1 : loop.failed;
}

static void batch_tangent(const StElementSet *set, int batch, const StPoint *at, double by_position,
                          double by_velocity, StLanes *J) {
  StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
  st_element_edges(set, batch, at->position, edge);
  st_element_edges(set, batch, at->velocity, rate);
  set->kernel->viscous_tangent(st_element_constants(set, batch), edge, rate, by_position,
                               by_velocity, J);
}

static ST_HOT void fill_chunk(void *context, const StChunk *chunk) {
  const Loop *loop = context;
  for (int b = chunk->first; b < chunk->end; b++) {
    StLanes J[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    batch_tangent(loop->set, b, loop->at, loop->by_position, loop->by_velocity, J);
    st_element_add_blocks(loop->set, b, -1, J, loop->matrix);
  }
}

void st_element_rate_add_blocks(const StElementSet *set, const StPoint *at, double by_position,
                                double by_velocity, StBlockMatrix *matrix) {
  Loop loop = {.set = set,
               .at = at,
               .by_position = by_position,
               .by_velocity = by_velocity,
               .matrix = matrix};
  st_rounds_do(&set->rounds, 2, ST_HEAVY, fill_chunk, &loop);
}

void st_element_rate_add_complex(const StElementSet *set, const StDual *position,
                                 const StDual *velocity, StDual *force) {
  for (int place = 0; place < set->owned_count; place++) {
    double k[ST_ELEMENT_CONSTANTS];
    StDual edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_take_constants(set, place, k);
    st_element_edges_complex(set, place, position, edge);
    st_element_edges_complex(set, place, velocity, rate);
    set->kernel->viscous_complex(k, edge, rate, gradient);
    st_element_scatter_complex(set, place, gradient, force);
  }
}
