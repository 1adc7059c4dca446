// A tree over the triangles; seen from far away, those of a node are a flat panel at their middle:
// w = n·(c − x)/(4π|c − x|³) with n the sum of their area vectors.
#include "fill/winding.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/closed.h"

#include <string.h>

typedef struct StPanel {
  double middle[3], area[3]; // area: m², along the normal
  double radius;             // all triangles of the node are as near to the middle
} StPanel;

// A panel is seen from as many radii away. Inside and outside differ by a whole turn, so a few
// per cent do not matter.
static const double FAR = 3;

static void measure(const StWinding *winding, int n, StPanel *panel) {
  const StBoxNode *node = &winding->tree.node[n];
  double whole = 0, middle[3] = {0};
  for (int t = node->first; t < node->first + node->count; t++) {
    const int *corner = winding->triangle + 3 * (size_t)t;
    const double *x = winding->position + 3 * (size_t)corner[0];
    double a[3], b[3], normal[3];
    vec3_sub(winding->position + 3 * (size_t)corner[1], x, a);
    vec3_sub(winding->position + 3 * (size_t)corner[2], x, b);
    vec3_cross(a, b, normal);
    double size = vec3_length(normal) / 2;
    vec3_add_scaled(0.5, normal, panel->area);
    for (int i = 0; i < 3; i++)
      vec3_add_scaled(size / 3, winding->position + 3 * (size_t)corner[i], middle);
    whole += size;
  }
  for (int c = 0; c < 3; c++)
    panel->middle[c] = whole > 0 ? middle[c] / whole : node->box.low[c];
}

// Of two children: between them, nearer to the one with more area to show.
static void join(const StPanel *a, const StPanel *b, StPanel *panel) {
  double first = vec3_length(a->area), second = vec3_length(b->area), whole = first + second;
  for (int c = 0; c < 3; c++) {
    panel->area[c] = a->area[c] + b->area[c];
    panel->middle[c] = whole > 0 ? (first * a->middle[c] + second * b->middle[c]) / whole
                                 : (a->middle[c] + b->middle[c]) / 2;
  }
}

static double reach(const StBox *box, const double middle[3]) {
  double arm[3];
  for (int c = 0; c < 3; c++)
    arm[c] = fmax(box->high[c] - middle[c], middle[c] - box->low[c]);
  return vec3_length(arm);
}

static void fill_panels(StWinding *winding) {
  for (int n = winding->tree.node_count - 1; n >= 0; n--) { // children come after their parents
    const StBoxNode *node = &winding->tree.node[n];
    StPanel *panel = &winding->panel[n];
    if (node->count > 0)
      measure(winding, n, panel);
    else
      join(&winding->panel[n + 1], &winding->panel[node->right], panel);
    panel->radius = reach(&node->box, panel->middle);
  }
}

StStatus st_winding_create(const StMesh *surface, StWinding *winding, StError *error) {
  size_t count = (size_t)surface->triangle_count;
  *winding = (StWinding){.triangle = ST_NEW(int, 3 * count), .position = surface->position};
  ST_FREE int *order = ST_NEW(int, count);
  StStatus status = winding->triangle && order ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    memcpy(winding->triangle, surface->triangle, 3 * count * sizeof(int));
    status = st_box_tree_create(3, surface->triangle_count, winding->triangle, surface->position,
                                order, &winding->tree, error);
  }
  if (status == ST_OK) {
    st_box_tree_fit(&winding->tree, surface->position);
    winding->panel = ST_NEW(StPanel, winding->tree.node_count);
    status = winding->panel ? ST_OK : st_fail_memory(error);
  }
  if (status == ST_OK)
    fill_panels(winding);
  else
    st_winding_free(winding);
  return status;
}

void st_winding_free(StWinding *winding) {
  free(winding->triangle);
  free(winding->panel);
  st_box_tree_free(&winding->tree);
  *winding = (StWinding){0};
}

static double about(const StWinding *winding, int n, const double x[3]) {
  const StBoxNode *node = &winding->tree.node[n];
  const StPanel *panel = &winding->panel[n];
  double arm[3];
  vec3_sub(panel->middle, x, arm);
  double distance = vec3_length(arm);
  if (distance > FAR * panel->radius)
    return vec3_dot(panel->area, arm) / (4 * M_PI * distance * distance * distance);
  if (node->count > 0)
    return st_surface_winding(winding->position, winding->triangle + 3 * (size_t)node->first,
                              node->count, x);
  return about(winding, n + 1, x) + about(winding, node->right, x);
}

double st_winding_about(const StWinding *winding, const double x[3]) {
  return winding->tree.item_count > 0 ? about(winding, 0, x) : 0;
}
