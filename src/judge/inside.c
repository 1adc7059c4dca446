// Counts how often a ray out of a closed surface crosses it.
#include "judge/inside.h"

#include "judge/crossing.h"
#include "judge/orient.h"

#include <math.h>

typedef struct Ray {
  const StHull *hull;
  const double *position;
  const double *from;
  double to[3];
  StBox box;
  int passed;
  bool touches; // the point lies on the surface itself
} Ray;

static void pass_triangle(Ray *ray, int triangle) {
  const int *corner = ray->hull->triangle + 3 * (size_t)triangle;
  const double *position = ray->position;
  const double *const at[3] = {position + 3 * (size_t)corner[0], position + 3 * (size_t)corner[1],
                               position + 3 * (size_t)corner[2]};
  const StBox point = {{ray->from[0], ray->from[1], ray->from[2]},
                       {ray->from[0], ray->from[1], ray->from[2]}};
  int rim;
  ray->passed += st_edge_passes(ray->from, ray->to, at, &rim);
  if (st_boxes_meet(&point, &ray->hull->tree.item[triangle]) &&
      st_orient(at[0], at[1], at[2], ray->from) == 0)
    ray->touches = true;
}

static void pass(Ray *ray, int n) {
  const StBoxTree *tree = &ray->hull->tree;
  const StBoxNode *node = &tree->node[n];
  if (!st_boxes_meet(&ray->box, &node->box))
    return;
  for (int t = node->first; t < node->first + node->count; t++)
    if (st_boxes_meet(&ray->box, &tree->item[t]))
      pass_triangle(ray, t);
  if (node->count == 0) {
    pass(ray, n + 1);
    pass(ray, node->right);
  }
}

// Along the shortest way out of the box, slightly tilted so that it hits no edge of a regular mesh.
static Ray ray_from(const StHull *hull, const double *position, const double x[3]) {
  static const double ASKEW[3] = {0.0137051, 0.0091873, 0.0117469};
  const StBox *box = &hull->tree.node[0].box;
  double size = 0, way = INFINITY, sign = 1;
  int axis = 0;
  for (int c = 0; c < 3; c++) {
    double up = box->high[c] - x[c], down = x[c] - box->low[c], least = fmin(up, down);
    size = fmax(size, box->high[c] - box->low[c]);
    if (least < way) {
      way = least;
      axis = c;
      sign = up < down ? 1 : -1;
    }
  }
  Ray ray = {.hull = hull, .position = position, .from = x};
  way += 0.01 * size;
  for (int c = 0; c < 3; c++) {
    ray.to[c] = x[c] + (c == axis ? sign * way : ASKEW[c] * way);
    ray.box.low[c] = fmin(x[c], ray.to[c]);
    ray.box.high[c] = fmax(x[c], ray.to[c]);
  }
  return ray;
}

bool st_hull_contains(const StHull *hull, const double *position, const double x[3]) {
  Ray ray = ray_from(hull, position, x);
  pass(&ray, 0);
  return !ray.touches && ray.passed % 2 == 1;
}
