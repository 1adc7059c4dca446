// The loops over a set that take its rate of change.
#include "force/element_rate.h"

#include "force/element_batch.h"

int st_element_rate_add(const StElementSet *set, const StPoint *at, double *force) {
  int numbers = st_element_numbers(set);
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_edges(set, b, at->position, edge);
    st_element_edges(set, b, at->velocity, rate);
    set->kernel->viscous(st_element_constants(set, b), edge, rate, gradient);
    if (!lanes_finite(gradient, numbers))
      return st_element_failed(b, numbers, gradient);
    st_element_scatter(set, b, -1, gradient, force);
  }
  return -1;
}

static void batch_tangent(const StElementSet *set, int batch, const StPoint *at, double by_position,
                          double by_velocity, StLanes *J) {
  StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
  st_element_edges(set, batch, at->position, edge);
  st_element_edges(set, batch, at->velocity, rate);
  set->kernel->viscous_tangent(st_element_constants(set, batch), edge, rate, by_position,
                               by_velocity, J);
}

void st_element_rate_add_blocks(const StElementSet *set, const StPoint *at, double by_position,
                                double by_velocity, StBlockMatrix *matrix) {
  for (int b = 0; b < set->batch_count; b++) {
    StLanes J[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    batch_tangent(set, b, at, by_position, by_velocity, J);
    st_element_add_blocks(set, b, -1, J, matrix);
  }
}

void st_element_rate_add_product(const StElementSet *set, const StPoint *at, double by_position,
                                 double by_velocity, const double *direction, double *result) {
  int numbers = st_element_numbers(set);
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes J[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    StLanes change[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    batch_tangent(set, b, at, by_position, by_velocity, J);
    st_element_edges(set, b, direction, change);
    st_element_apply(numbers, J, change, gradient);
    st_element_scatter(set, b, -1, gradient, result);
  }
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
