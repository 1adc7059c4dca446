// The loops over a set that take its rate of change.
#include "force/element_rate.h"

#include "force/element_batch.h"

int st_element_rate_add(const StElementSet *set, const StPoint *at, double *force) {
  int numbers = st_element_numbers(set);
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
    StLanes H[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_edges(set, b, at->position, edge);
    st_element_edges(set, b, at->velocity, rate);
    set->kernel->hessian(st_element_constants(set, b), edge, H);
    st_element_apply(numbers, H, rate, gradient);
    if (!lanes_finite(gradient, numbers))
      return st_element_failed(b, numbers, gradient);
    st_element_scatter(set, b, -1, gradient, force);
  }
  return -1;
}

// Adds by·D³W[rate] of one element to its lane of H.
static void add_third(const StElementSet *set, int place, const StLanes *edge, const StLanes *rate,
                      double by, StLanes *H) {
  double k[ST_ELEMENT_CONSTANTS];
  StDual along[ST_ELEMENT_EDGE], dH[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
  int numbers = st_element_numbers(set), lane = place % ST_LANES;
  st_element_take_constants(set, place, k);
  for (int p = 0; p < numbers; p++)
    along[p] = s_dual(edge[p][lane], rate[p][lane]);
  set->kernel->hessian_complex(k, along, dH);
  for (int p = 0; p < numbers * numbers; p++)
    H[p][lane] += by * s_derivative(dH[p]);
}

// H = by_velocity·D²W + by_position·D³W[rate] of a batch.
static void rate_tangent(const StElementSet *set, int batch, const StPoint *at, double by_position,
                         double by_velocity, StLanes *H) {
  StLanes edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
  int numbers = st_element_numbers(set);
  st_element_edges(set, batch, at->position, edge);
  st_element_edges(set, batch, at->velocity, rate);
  set->kernel->hessian(st_element_constants(set, batch), edge, H);
  for (int p = 0; p < numbers * numbers; p++)
    H[p] *= by_velocity;
  if (by_position == 0)
    return;
  int lanes = st_element_lanes(set, batch);
  for (int lane = 0; lane < lanes; lane++)
    add_third(set, ST_LANES * batch + lane, edge, rate, by_position, H);
}

void st_element_rate_add_blocks(const StElementSet *set, const StPoint *at, double by_position,
                                double by_velocity, StBlockMatrix *matrix) {
  for (int b = 0; b < set->batch_count; b++) {
    StLanes H[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    rate_tangent(set, b, at, by_position, by_velocity, H);
    st_element_add_blocks(set, b, -1, H, matrix);
  }
}

void st_element_rate_add_product(const StElementSet *set, const StPoint *at, double by_position,
                                 double by_velocity, const double *direction, double *result) {
  int numbers = st_element_numbers(set);
  for (int b = 0; b < set->owned_batch_count; b++) {
    StLanes H[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE];
    StLanes change[ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    rate_tangent(set, b, at, by_position, by_velocity, H);
    st_element_edges(set, b, direction, change);
    st_element_apply(numbers, H, change, gradient);
    st_element_scatter(set, b, -1, gradient, result);
  }
}

void st_element_rate_add_complex(const StElementSet *set, const StDual *position,
                                 const StDual *velocity, StDual *force) {
  int numbers = st_element_numbers(set);
  for (int place = 0; place < set->owned_count; place++) {
    double k[ST_ELEMENT_CONSTANTS];
    StDual edge[ST_ELEMENT_EDGE], rate[ST_ELEMENT_EDGE];
    StDual H[ST_ELEMENT_EDGE * ST_ELEMENT_EDGE], gradient[ST_ELEMENT_EDGE];
    st_element_take_constants(set, place, k);
    st_element_edges_complex(set, place, position, edge);
    st_element_edges_complex(set, place, velocity, rate);
    set->kernel->hessian_complex(k, edge, H);
    for (int p = 0; p < numbers; p++) {
      gradient[p] = 0;
      for (int q = 0; q < numbers; q++)
        gradient[p] += H[numbers * p + q] * rate[q];
    }
    st_element_scatter_complex(set, place, gradient, force);
  }
}
