// Splits the items of a skin at the median along the longest axis until few are left. Tested by
// tests/contact/test_candidates.c.
#include "contact/broad_phase/bvh.h"

#include "base/memory.h"

#include <math.h>

// Above 2, so that no leaf has fewer than two items and there are no more nodes than items.
enum { LEAF = 4 };

typedef struct Builder {
  StSkinTree *tree;
  double *middle; // [item_count][3]
  int *order;     // [item_count]
  bool *taken_point, *taken_edge;
} Builder;

static int corner_count(StItemKind kind) {
  return kind == ST_ITEM_TRIANGLE ? 3 : kind == ST_ITEM_EDGE ? 2 : 1;
}

static const int *corners(const StSkins *skins, const StItem *item) {
  if (item->kind == ST_ITEM_TRIANGLE)
    return skins->triangle_place + 3 * (size_t)item->index;
  if (item->kind == ST_ITEM_EDGE)
    return skins->edge_place + 2 * (size_t)item->index;
  return skins->point_place + item->index;
}

static void take_point(Builder *builder, StItem *item, int place) {
  int point = builder->tree->skins->point[place];
  if (point >= 0 && !builder->taken_point[point]) {
    item->point[item->point_count++] = point;
    builder->taken_point[point] = true;
  }
}

static void take_edge(Builder *builder, StItem *item, int edge) {
  if (!builder->taken_edge[edge]) {
    item->edge[item->edge_count++] = edge;
    builder->taken_edge[edge] = true;
  }
}

static void add_item(Builder *builder, StItemKind kind, int index) {
  const StSkins *skins = builder->tree->skins;
  int number = builder->tree->item_count++, count = corner_count(kind);
  StItem *item = &builder->tree->item[number];
  *item = (StItem){.kind = kind, .index = index};
  const int *corner = corners(skins, item);
  for (int k = 0; k < count; k++) {
    take_point(builder, item, corner[k]);
    item->owned = item->owned || corner[k] < skins->owned_count;
    for (int c = 0; c < 3; c++)
      builder->middle[3 * (size_t)number + (size_t)c] +=
          skins->rest[3 * (size_t)corner[k] + (size_t)c] / count;
  }
  if (kind == ST_ITEM_EDGE)
    take_edge(builder, item, index);
  for (int k = 0; kind == ST_ITEM_TRIANGLE && k < 3; k++)
    take_edge(builder, item, skins->triangle_edge[3 * (size_t)index + (size_t)k]);
}

// Points and edges of a body without a known triangle on this rank belong to no item, because no
// pair with a place of this rank needs them.
static void add_items(Builder *builder, const StSkin *skin) {
  const StSkins *skins = builder->tree->skins;
  for (int t = 0; t < skin->triangle_count; t++)
    add_item(builder, ST_ITEM_TRIANGLE, skin->first_triangle + t);
  for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++)
    if (skins->edge_adjacent[e] == 0)
      add_item(builder, ST_ITEM_EDGE, e);
  for (int p = skin->first_point; p < skin->first_point + skin->point_count; p++)
    if (skin->body < 0 && !builder->taken_point[p])
      add_item(builder, ST_ITEM_POINT, p);
}

static int longest_axis(const Builder *builder, int first, int count) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  int longest = 0;
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < 3; c++) {
      double x = builder->middle[3 * (size_t)builder->order[i] + (size_t)c];
      low[c] = fmin(low[c], x);
      high[c] = fmax(high[c], x);
    }
  for (int c = 1; c < 3; c++)
    if (high[c] - low[c] > high[longest] - low[longest])
      longest = c;
  return longest;
}

// Partial sort along an axis: the smaller items before place `nth` of the range.
static void part(const Builder *builder, int axis, int first, int last, int nth) {
  const double *key = builder->middle + axis;
  int *order = builder->order;
  while (first < last) {
    double pivot = key[3 * (size_t)order[first + (last - first) / 2]];
    int i = first, j = last;
    while (i <= j) {
      while (key[3 * (size_t)order[i]] < pivot)
        i++;
      while (key[3 * (size_t)order[j]] > pivot)
        j--;
      if (i <= j) {
        int swap = order[i];
        order[i++] = order[j];
        order[j--] = swap;
      }
    }
    if (nth <= j)
      last = j;
    else if (nth >= i)
      first = i;
    else
      return;
  }
}

static void split(const Builder *builder, int first, int count) {
  StTreeNode *node = &builder->tree->node[builder->tree->node_count++];
  *node = (StTreeNode){.first = first, .count = count};
  if (count <= LEAF)
    return;
  int half = count / 2;
  part(builder, longest_axis(builder, first, count), first, first + count - 1, first + half);
  node->count = 0;
  split(builder, first, half);
  node->right = builder->tree->node_count;
  split(builder, first + half, count - half);
}

// Cycle by cycle, in place: a second list would be the largest array of a scene. An entry of
// `order` that is done names itself.
static void reorder(Builder *builder) {
  StSkinTree *tree = builder->tree;
  int *order = builder->order;
  for (int i = 0; i < tree->item_count; i++) {
    StItem first = tree->item[i];
    int to = i;
    while (order[to] != i) {
      int from = order[to];
      tree->item[to] = tree->item[from];
      order[to] = to;
      to = from;
    }
    tree->item[to] = first;
    order[to] = to;
  }
}

// Of the tree over so many items, as `split` divides them.
static size_t node_count_of(int items) {
  return items <= LEAF ? 1 : 1 + node_count_of(items / 2) + node_count_of(items - items / 2);
}

// As many of each as the skins can have.
static void count_parts(const StSkins *skins, size_t *items, size_t *nodes) {
  *items = *nodes = 0;
  for (int s = 0; s < skins->skin_count; s++) {
    const StSkin *skin = &skins->skin[s];
    int count = skin->triangle_count + 1; // at most one loose point: a sphere's centre
    for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++)
      count += skins->edge_adjacent[e] == 0;
    *items += (size_t)count;
    *nodes += node_count_of(count);
  }
}

static void mark_owned(StSkinTree *tree) {
  for (int n = tree->node_count - 1; n >= 0; n--) {
    StTreeNode *node = &tree->node[n];
    if (node->count == 0)
      node->owned = tree->node[n + 1].owned || tree->node[node->right].owned;
    for (int i = node->first; i < node->first + node->count; i++)
      node->owned = node->owned || tree->item[i].owned;
  }
}

static bool is_known(const StSkinTree *tree, const StItem *item, const bool *known) {
  const int *corner = corners(tree->skins, item);
  for (int k = 0; k < corner_count(item->kind) && known; k++)
    if (corner[k] < tree->skins->vertex_count && !known[corner[k]])
      return false;
  return true;
}

void st_skin_tree_set_known(StSkinTree *tree, const bool *known) {
  for (int i = 0; i < tree->item_count; i++)
    tree->item[i].known = is_known(tree, &tree->item[i], known);
  for (int n = tree->node_count - 1; n >= 0; n--) {
    StTreeNode *node = &tree->node[n];
    node->known = node->count == 0 && (tree->node[n + 1].known || tree->node[node->right].known);
    for (int i = node->first; i < node->first + node->count; i++)
      node->known = node->known || tree->item[i].known;
  }
}

static void build(Builder *builder) {
  StSkinTree *tree = builder->tree;
  const StSkins *skins = tree->skins;
  for (int s = 0; s < skins->skin_count; s++) {
    int first = tree->item_count;
    add_items(builder, &skins->skin[s]);
    for (int i = first; i < tree->item_count; i++)
      builder->order[i] = i;
    tree->root[s] = tree->item_count > first ? tree->node_count : -1;
    if (tree->item_count > first)
      split(builder, first, tree->item_count - first);
  }
  reorder(builder);
  mark_owned(tree);
  st_skin_tree_set_known(tree, NULL);
}

StStatus st_skin_tree_create(const StSkins *skins, StSkinTree *tree, StError *error) {
  size_t items, nodes;
  count_parts(skins, &items, &nodes);
  *tree = (StSkinTree){.skins = skins,
                       .item = ST_NEW(StItem, items),
                       .node = ST_NEW(StTreeNode, nodes),
                       .root = ST_NEW(int, skins->skin_count)};
  Builder builder = {.tree = tree,
                     .middle = ST_NEW(double, 3 * items),
                     .order = ST_NEW(int, items),
                     .taken_point = ST_NEW(bool, skins->point_count),
                     .taken_edge = ST_NEW(bool, skins->edge_count)};
  bool good = tree->item && tree->node && tree->root && builder.middle && builder.order &&
              builder.taken_point && builder.taken_edge;
  StStatus status = good ? ST_OK : st_fail_memory(error);
  if (good)
    build(&builder);
  free(builder.middle);
  free(builder.order);
  free(builder.taken_point);
  free(builder.taken_edge);
  if (status != ST_OK)
    st_skin_tree_free(tree);
  return status;
}

void st_skin_tree_free(StSkinTree *tree) {
  free(tree->item);
  free(tree->node);
  free(tree->root);
  *tree = (StSkinTree){0};
}

StBounds st_bounds_between(const StBounds *a, const StBounds *b) {
  StBounds box;
  for (int c = 0; c < 3; c++) {
    box.low[c] = INFINITY;
    box.high[c] = -INFINITY;
    box.shift[c] = (a->shift[c] + b->shift[c]) / 2;
  }
  return box;
}

static void fit_item(const StSkinTree *tree, StItem *item, const StBounds *bounds) {
  const int *corner = corners(tree->skins, item);
  int count = corner_count(item->kind);
  item->box = st_bounds_between(&bounds[corner[0]], &bounds[corner[count - 1]]);
  for (int k = 0; k < count; k++)
    st_bounds_include(&item->box, &bounds[corner[k]]);
}

// Any motion of a box is valid; the mean of its first and last item is close to that of all.
static void fit_leaf(const StSkinTree *tree, StTreeNode *node, const StBounds *bounds) {
  const StItem *first = NULL, *last = NULL;
  for (int i = node->first; i < node->first + node->count; i++) {
    if (!tree->item[i].known)
      continue;
    fit_item(tree, &tree->item[i], bounds);
    last = &tree->item[i];
    first = first ? first : last;
  }
  node->box = st_bounds_between(&first->box, &last->box);
  for (const StItem *item = first; item <= last; item++)
    if (item->known)
      st_bounds_include(&node->box, &item->box);
}

static void fit_parent(const StSkinTree *tree, int n) {
  StTreeNode *node = &tree->node[n];
  const StTreeNode *left = &tree->node[n + 1], *right = &tree->node[node->right];
  left = left->known ? left : right;
  right = right->known ? right : left;
  node->box = st_bounds_between(&left->box, &right->box);
  st_bounds_include(&node->box, &left->box);
  st_bounds_include(&node->box, &right->box);
}

static void fit_nodes(StSkinTree *tree, int first, int end, const StBounds *bounds) {
  for (int n = end - 1; n >= first; n--)
    if (tree->node[n].known && tree->node[n].count)
      fit_leaf(tree, &tree->node[n], bounds);
    else if (tree->node[n].known)
      fit_parent(tree, n);
}

// Fits the tree of one skin. The nodes of a tree are consecutive.
void st_skin_tree_fit_one(StSkinTree *tree, int skin, const StBounds *bounds) {
  int next = skin + 1;
  while (next < tree->skins->skin_count && tree->root[next] < 0)
    next++;
  int end = next < tree->skins->skin_count ? tree->root[next] : tree->node_count;
  if (tree->root[skin] >= 0)
    fit_nodes(tree, tree->root[skin], end, bounds);
}

typedef struct Fitting {
  StSkinTree *tree;
  const StBounds *bounds;
} Fitting;

static void fit_skins(void *context, int begin, int end) {
  const Fitting *fitting = context;
  for (int s = begin; s < end; s++)
    st_skin_tree_fit_one(fitting->tree, s, fitting->bounds);
}

void st_skin_tree_fit(StSkinTree *tree, const StBounds *bounds) {
  st_crew_sweep(tree->skins->crew, 0, tree->skins->skin_count, ST_SKINS_AT_ONCE, fit_skins,
                &(Fitting){tree, bounds});
}
