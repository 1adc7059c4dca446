// One batch of an element set: edges in, nodal forces and blocks out. Shared by the loops over
// sets.
#pragma once

#include "force/element_set.h"
#include "force/gather.h"

// How many numbers the edges of an element have.
static inline int st_element_numbers(const StElementSet *set) {
  return 3 * (set->kernel->corners - 1);
}

// How many lanes of a batch are elements.
static inline int st_element_lanes(const StElementSet *set, int batch) {
  int left = batch < set->owned_batch_count
                 ? set->owned_count - ST_LANES * batch
                 : set->other_count - ST_LANES * (batch - set->owned_batch_count);
  return left < ST_LANES ? left : ST_LANES;
}

static inline const int *st_element_vertices(const StElementSet *set, int batch) {
  return set->vertex + (size_t)batch * (size_t)(set->kernel->corners * ST_LANES);
}

static inline const StLanes *st_element_constants(const StElementSet *set, int batch) {
  return set->constant + (size_t)batch * (size_t)set->kernel->constant_count;
}

// Differences of a vertex field along the edges.
static inline void st_element_edges(const StElementSet *set, int batch, const double *field,
                                    StLanes *edge) {
  const int *vertex = st_element_vertices(set, batch);
  for (int i = 0; i < 3; i++) {
    StLanes origin = st_gather(field, vertex, i);
    for (int a = 1; a < set->kernel->corners; a++)
      edge[3 * (a - 1) + i] = st_gather(field, vertex + ST_LANES * a, i) - origin;
  }
}

// Adds scale·gradient to result[vertex_count][3], element by element.
static inline void st_element_scatter(const StElementSet *set, int batch, double scale,
                                      const StLanes *gradient, double *result) {
  int corners = set->kernel->corners, lanes = st_element_lanes(set, batch);
  const int *vertex = st_element_vertices(set, batch);
  StLanes part[ST_ELEMENT_CORNERS][3];
  for (int i = 0; i < 3; i++) {
    part[0][i] = lanes_all(0);
    for (int a = 1; a < corners; a++) {
      part[a][i] = scale * gradient[3 * (a - 1) + i];
      part[0][i] -= part[a][i];
    }
  }
  for (int a = 0; a < corners; a++, vertex += ST_LANES)
    for (int lane = 0; lane < lanes; lane++)
      for (int i = 0; i < 3; i++)
        result[3 * (size_t)vertex[lane] + (size_t)i] += part[a][i][lane];
}

// Place of the first element of a batch whose gradient is not finite.
int st_element_failed(int batch, int numbers, const StLanes *gradient);

// Adds scale·H to the blocks of a batch.
void st_element_add_blocks(const StElementSet *set, int batch, double scale, const StLanes *H,
                           StBlockMatrix *matrix);

// The same for one element in complex numbers. place: as in StElementSet.element.
void st_element_take_constants(const StElementSet *set, int place, double *k);
void st_element_edges_complex(const StElementSet *set, int place, const StDual *field,
                              StDual *edge);
void st_element_scatter_complex(const StElementSet *set, int place, const StDual *gradient,
                                StDual *result); // subtracts, as forces do
