// Two trees walked together. Tested by tests/contact/test_candidates.c.
#include "contact/broad_phase/bvh_pairs.h"

#include "math/vec3.h"

// Relative to the products that a volume is the sum of: smaller volumes count as zero.
static const double ROUNDING = 1e-12;

typedef struct Walk {
  const StSkinTree *tree;
  double margin;
  StItemsMeet *meet;
  void *context;
} Walk;

static bool are_near(const StBounds *a, const StBounds *b, double margin) {
  for (int c = 0; c < 3; c++)
    if (a->low[c] - b->high[c] > margin || b->low[c] - a->high[c] > margin)
      return false;
  return true;
}

bool st_skins_near(const StSkinTree *tree, int a, int b, double margin) {
  int root[2] = {tree->root[a], tree->root[b]};
  return root[0] >= 0 && root[1] >= 0 &&
         are_near(&tree->node[root[0]].box, &tree->node[root[1]].box, margin);
}

static void pair_leaves(const Walk *walk, const StTreeNode *a, const StTreeNode *b) {
  const StItem *item = walk->tree->item;
  for (int i = a->first; i < a->first + a->count; i++)
    for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; k++)
      if (are_near(&item[i].box, &item[k].box, walk->margin))
        walk->meet(walk->context, &item[i], &item[k]);
}

static double extent(const StBounds *box) {
  return box->high[0] - box->low[0] + box->high[1] - box->low[1] + box->high[2] - box->low[2];
}

static void walk_two(const Walk *walk, int a, int b) {
  const StTreeNode *of = &walk->tree->node[a], *with = &walk->tree->node[b];
  if (!are_near(&of->box, &with->box, walk->margin))
    return;
  if (of->count && with->count) {
    pair_leaves(walk, of, with);
  } else if (with->count || (!of->count && extent(&of->box) >= extent(&with->box))) {
    walk_two(walk, a + 1, b);
    walk_two(walk, of->right, b);
  } else {
    walk_two(walk, a, b + 1);
    walk_two(walk, a, with->right);
  }
}

static void walk_one(const Walk *walk, int node) {
  const StTreeNode *of = &walk->tree->node[node];
  if (of->count) {
    pair_leaves(walk, of, of);
    return;
  }
  walk_one(walk, node + 1);
  walk_one(walk, of->right);
  walk_two(walk, node + 1, of->right);
}

void st_skin_pairs(const StSkinTree *tree, int a, int b, double margin, StItemsMeet *meet,
                   void *context) {
  const Walk walk = {tree, margin, meet, context};
  if (!st_skins_near(tree, a, b, margin))
    return;
  if (a == b)
    walk_one(&walk, tree->root[a]);
  else
    walk_two(&walk, tree->root[a], tree->root[b]);
}

// Sign of the volume spanned by three vectors.
static int side(const double a[3], const double b[3], const double c[3]) {
  double volume = vec3_triple(a, b, c);
  double scale = vec3_length(a) * vec3_length(b) * vec3_length(c);
  return fabs(volume) <= ROUNDING * scale ? 0 : volume > 0 ? 1 : -1;
}

bool st_edge_through(const double *p, const double *q, const double *const corner[3]) {
  double from_p[3][3], along[3], u[3], v[3], to_q[3];
  vec3_sub(q, p, along);
  vec3_sub(q, corner[0], to_q);
  for (int i = 0; i < 3; i++)
    vec3_sub(corner[i], p, from_p[i]);
  vec3_sub(corner[1], corner[0], u);
  vec3_sub(corner[2], corner[0], v);
  int side_p = -side(from_p[0], u, v), side_q = side(to_q, u, v);
  if (side_p * side_q >= 0)
    return false;
  int turn = side(along, from_p[0], from_p[1]);
  return turn != 0 && side(along, from_p[1], from_p[2]) == turn &&
         side(along, from_p[2], from_p[0]) == turn;
}

typedef struct Crossings {
  const StSkins *skins;
  const double *position;
  StEdgeThrough *found;
  void *context;
} Crossings;

static void try_edges(const Crossings *crossings, const StItem *of, const StItem *with) {
  const StSkins *skins = crossings->skins;
  const int *place = skins->triangle_place + 3 * (size_t)with->index;
  const double *corner[3];
  if (with->kind != ST_ITEM_TRIANGLE)
    return;
  for (int i = 0; i < 3; i++)
    corner[i] = crossings->position + 3 * (size_t)place[i];
  for (int e = 0; e < of->edge_count; e++) {
    const int *end = skins->edge_place + 2 * (size_t)of->edge[e];
    bool shared = false;
    for (int i = 0; i < 3; i++)
      shared = shared || place[i] == end[0] || place[i] == end[1];
    if (!shared && st_edge_through(crossings->position + 3 * (size_t)end[0],
                                   crossings->position + 3 * (size_t)end[1], corner))
      crossings->found(crossings->context, of->edge[e], with->index);
  }
}

static void try_items(void *context, const StItem *a, const StItem *b) {
  try_edges(context, a, b);
  try_edges(context, b, a);
}

void st_skin_crossings(const StSkinTree *tree, const double *position, int a, int b,
                       StEdgeThrough *found, void *context) {
  Crossings crossings = {tree->skins, position, found, context};
  st_skin_pairs(tree, a, b, 0, try_items, &crossings);
}
