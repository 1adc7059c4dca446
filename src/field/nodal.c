// Means over the elements around each vertex.
// Tested by tests/field/test_field.c.
#include "field/nodal.h"

#include "base/memory.h"
#include "field/element.h"

typedef struct Mean {
  double *sum;    // [vertices][6]
  double *weight; // [vertices]
} Mean;

// The linear function that is 1 at one integration point and 0 at the other three. along: the
// barycentric coordinate of the point's corner.
static double share_of(double along) {
  return (along - st_tet_point_far) / (st_tet_point_near - st_tet_point_far);
}

// The barycentric coordinate of a node by a corner.
static double coordinate(int node, int corner) {
  if (node < 4)
    return node == corner;
  const int *edge = st_second_edge[node - 4];
  return edge[0] == corner || edge[1] == corner ? 0.5 : 0;
}

static void add_element(void *context, int cell, const StElement *element) {
  const Mean *mean = context;
  double volume = 0;
  (void)cell;
  for (int p = 0; p < element->point_count; p++)
    volume += element->point[p].volume;
  for (int a = 0; a < element->node_count; a++) {
    double *sum = mean->sum + 6 * (size_t)element->node[a];
    for (int p = 0; p < element->point_count; p++) {
      double share = element->point_count == 1 ? 1 : share_of(coordinate(a, p));
      for (int i = 0; i < 6; i++)
        sum[i] += volume * share * element->point[p].stress[i];
    }
    mean->weight[element->node[a]] += volume;
  }
}

// Interpolates the stress at carried vertices.
static void interpolate(const StCarried *carried, double *stress) {
  for (int c = 0; c < ST_CARRIERS * carried->count; c++)
    for (int i = 0; i < 6; i++)
      stress[6 * (size_t)carried->vertex[c / ST_CARRIERS] + (size_t)i] +=
          carried->weight[c] * stress[6 * (size_t)carried->carrier[c] + (size_t)i];
}

StStatus st_nodal_stress(const StFieldState *state, double *stress, StError *error) {
  const StDescription *description = state->description;
  int count = st_description_vertex_count(description);
  ST_FREE double *weight = ST_NEW(double, count);
  ST_TRY_MEMORY(weight, error);
  ST_TRY(st_elements_visit(state, add_element, &(Mean){stress, weight}, error));
  for (int v = 0; v < count; v++)
    for (int i = 0; i < 6 && weight[v] > 0; i++)
      stress[6 * (size_t)v + (size_t)i] /= weight[v];
  for (int b = 0; b < description->body_count; b++) {
    interpolate(&description->body[b].carried, stress);
    stress += 6 * (size_t)description->body[b].mesh->vertex_count;
  }
  return ST_OK;
}
