// Prunes boxes farther away than the best so far, and visits the nearer child first.
#include "fill/nearest.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "math/vec3.h"

#include <string.h>

typedef struct Search {
  const StNearest *nearest;
  const double *x;
  double square; // of the best distance so far
  double point[3];
  int item; // -1: none yet
} Search;

StStatus st_nearest_create(const StMesh *mesh, StNearest *nearest, StError *error) {
  size_t count = (size_t)mesh->triangle_count;
  *nearest = (StNearest){
      .position = mesh->position, .triangle = ST_NEW(int, 3 * count), .order = ST_NEW(int, count)};
  StStatus status = nearest->triangle && nearest->order ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    memcpy(nearest->triangle, mesh->triangle, 3 * count * sizeof(int));
    status = st_box_tree_create(3, mesh->triangle_count, nearest->triangle, mesh->position,
                                nearest->order, &nearest->tree, error);
  }
  if (status != ST_OK) {
    st_nearest_free(nearest);
    return status;
  }
  st_box_tree_fit(&nearest->tree, mesh->position);
  return ST_OK;
}

void st_nearest_free(StNearest *nearest) {
  st_box_tree_free(&nearest->tree);
  free(nearest->triangle);
  free(nearest->order);
  *nearest = (StNearest){0};
}

static double box_square(const StBox *box, const double x[3]) {
  double sum = 0;
  for (int c = 0; c < 3; c++) {
    double out = fmax(fmax(box->low[c] - x[c], x[c] - box->high[c]), 0);
    sum += out * out;
  }
  return sum;
}

static void try_item(Search *search, int item) {
  const int *corner = search->nearest->triangle + 3 * (size_t)item;
  double x[4][3];
  StClosest closest;
  vec3_copy(search->x, x[0]);
  for (int i = 0; i < 3; i++)
    vec3_copy(search->nearest->position + 3 * (size_t)corner[i], x[1 + i]);
  st_primitive_point_triangle(x, &closest);
  if (!(closest.square < search->square))
    return;
  search->square = closest.square;
  search->item = item;
  vec3_set(0, 0, 0, search->point);
  for (int i = 0; i < 3; i++)
    vec3_add_scaled(closest.share[i], x[1 + i], search->point);
}

static void descend(Search *search, int at) {
  const StBoxNode *all = search->nearest->tree.node, *node = &all[at];
  const StBox *item = search->nearest->tree.item;
  if (node->count) {
    for (int i = node->first; i < node->first + node->count; i++)
      if (box_square(&item[i], search->x) < search->square)
        try_item(search, i);
    return;
  }
  int child[2] = {at + 1, node->right};
  double square[2];
  for (int i = 0; i < 2; i++)
    square[i] = box_square(&all[child[i]].box, search->x);
  int first = square[1] < square[0];
  for (int i = 0; i < 2; i++)
    if (square[first ^ i] < search->square)
      descend(search, child[first ^ i]);
}

double st_nearest_find(const StNearest *nearest, const double x[3], double reach, double point[3],
                       int *triangle) {
  Search search = {.nearest = nearest, .x = x, .square = reach * reach, .item = -1};
  if (nearest->tree.item_count)
    descend(&search, 0);
  if (search.item < 0)
    return INFINITY;
  if (point)
    vec3_copy(search.point, point);
  if (triangle)
    *triangle = nearest->order[search.item];
  return sqrt(search.square);
}
