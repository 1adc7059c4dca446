// Splits the items at the median along the longest axis until few are left.
#include "judge/box_tree.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LEAF = 4 };

typedef struct Builder {
  StBoxTree *tree;
  const double *middle; // [item_count][3]
  int *order;           // [item_count]
} Builder;

static StBox empty_box(void) {
  return (StBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void include_point(StBox *box, const double x[3]) {
  for (int c = 0; c < 3; c++) {
    box->low[c] = x[c] < box->low[c] ? x[c] : box->low[c];
    box->high[c] = x[c] > box->high[c] ? x[c] : box->high[c];
  }
}

static int longest_axis(const Builder *builder, int first, int count) {
  StBox box = empty_box();
  int longest = 0;
  for (int i = first; i < first + count; i++)
    include_point(&box, builder->middle + 3 * (size_t)builder->order[i]);
  for (int c = 1; c < 3; c++)
    if (box.high[c] - box.low[c] > box.high[longest] - box.low[longest])
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
      if (i > j)
        break;
      int swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (nth > j && nth < i)
      return;
    if (nth <= j)
      last = j;
    else
      first = i;
  }
}

static void split(const Builder *builder, int first, int count) {
  StBoxNode *node = &builder->tree->node[builder->tree->node_count++];
  *node = (StBoxNode){.first = first, .count = count};
  if (count <= LEAF)
    return;
  int half = count / 2;
  part(builder, longest_axis(builder, first, count), first, first + count - 1, first + half);
  node->count = 0;
  split(builder, first, half);
  node->right = builder->tree->node_count;
  split(builder, first + half, count - half);
}

// Of the tree over so many items, as `split` divides them.
static size_t node_count_of(int items) {
  return items <= LEAF ? 1 : 1 + node_count_of(items / 2) + node_count_of(items - items / 2);
}

static void find_middles(const StBoxTree *tree, const double *position, double *middle) {
  for (int i = 0; i < tree->item_count; i++)
    for (int k = 0; k < tree->corner_count; k++)
      for (int c = 0; c < 3; c++) {
        size_t corner = (size_t)i * (size_t)tree->corner_count + (size_t)k;
        middle[3 * (size_t)i + (size_t)c] +=
            position[3 * (size_t)tree->corner[corner] + (size_t)c] / tree->corner_count;
      }
}

static void permute(const int *order, int count, int width, const int *from, int *to) {
  size_t bytes = (size_t)width * sizeof(int);
  for (int i = 0; i < count; i++)
    memcpy(to + (size_t)i * (size_t)width, from + (size_t)order[i] * (size_t)width, bytes);
}

StStatus st_box_tree_create(int corner_count, int item_count, int *corner, const double *position,
                            int *order, StBoxTree *tree, StError *error) {
  size_t items = (size_t)item_count, corners = items * (size_t)corner_count;
  *tree = (StBoxTree){.corner_count = corner_count,
                      .item_count = item_count,
                      .corner = corner,
                      .item = ST_NEW(StBox, items),
                      .node = ST_NEW(StBoxNode, node_count_of(item_count))};
  ST_FREE double *middle = ST_NEW(double, 3 * items);
  ST_FREE int *copy = ST_NEW(int, corners);
  bool good = tree->item && tree->node && middle && copy;
  if (good) {
    Builder builder = {tree, middle, order};
    for (int i = 0; i < item_count; i++)
      order[i] = i;
    find_middles(tree, position, middle);
    split(&builder, 0, item_count);
    memcpy(copy, corner, corners * sizeof(int));
    permute(order, item_count, corner_count, copy, corner);
  } else {
    st_box_tree_free(tree);
  }
  return good ? ST_OK : st_fail_memory(error);
}

void st_box_tree_free(StBoxTree *tree) {
  free(tree->item);
  free(tree->node);
  *tree = (StBoxTree){0};
}

static StBox join(const StBox *a, const StBox *b) {
  StBox box = *a;
  include_point(&box, b->low);
  include_point(&box, b->high);
  return box;
}

static void fit_items(StBoxTree *tree, const double *position) {
  const int *corner = tree->corner;
  for (int i = 0; i < tree->item_count; i++) {
    StBox box = empty_box();
    for (int k = 0; k < tree->corner_count; k++)
      include_point(&box, position + 3 * (size_t)*corner++);
    tree->item[i] = box;
  }
}

static void fit_nodes(StBoxTree *tree) {
  for (int n = tree->node_count - 1; n >= 0; n--) {
    StBoxNode *node = &tree->node[n];
    node->box = empty_box();
    for (int i = node->first; i < node->first + node->count; i++)
      node->box = join(&node->box, &tree->item[i]);
    if (node->count == 0 && node->right)
      node->box = join(&tree->node[n + 1].box, &tree->node[node->right].box);
  }
}

void st_box_tree_fit(StBoxTree *tree, const double *position) {
  fit_items(tree, position);
  fit_nodes(tree);
}

void st_box_tree_sweep(StBoxTree *tree, const double *from, const double *to,
                       const double shift[3]) {
  const int *corner = tree->corner;
  for (int i = 0; i < tree->item_count; i++) {
    StBox box = empty_box();
    for (int k = 0; k < tree->corner_count; k++, corner++) {
      const double *end = to + 3 * (size_t)*corner;
      include_point(&box, from + 3 * (size_t)*corner);
      include_point(&box, (double[]){end[0] - shift[0], end[1] - shift[1], end[2] - shift[2]});
    }
    tree->item[i] = box;
  }
  fit_nodes(tree);
}

typedef struct Traversal {
  const StBoxTree *tree[2];
  StBoxVisit *visit;
  void *context;
} Traversal;

static bool visit_leaves(const Traversal *traversal, const StBoxNode *a, const StBoxNode *b) {
  const StBox *box = traversal->tree[0]->item, *other = traversal->tree[1]->item;
  for (int i = a->first; i < a->first + a->count; i++) {
    if (!st_boxes_meet(&box[i], &b->box))
      continue;
    for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; k++)
      if (st_boxes_meet(&box[i], &other[k]) && !traversal->visit(traversal->context, i, k))
        return false;
  }
  return true;
}

// Opens the larger node first. Within one tree, a pair of different nodes is visited once.
static bool descend(const Traversal *traversal, int a, int b) {
  const StBoxNode *first = &traversal->tree[0]->node[a], *second = &traversal->tree[1]->node[b];
  if (!st_boxes_meet(&first->box, &second->box))
    return true;
  if (first->count && second->count)
    return visit_leaves(traversal, first, second);
  if (first == second)
    return descend(traversal, a + 1, a + 1) && descend(traversal, a + 1, first->right) &&
           descend(traversal, first->right, first->right);
  if (second->count || (!first->count && first->right - a >= second->right - b))
    return descend(traversal, a + 1, b) && descend(traversal, first->right, b);
  return descend(traversal, a, b + 1) && descend(traversal, a, second->right);
}

bool st_box_trees_meet(const StBoxTree *first, const StBoxTree *second, StBoxVisit *visit,
                       void *context) {
  Traversal traversal = {{first, second}, visit, context};
  if (first->item_count == 0 || second->item_count == 0)
    return true;
  return descend(&traversal, 0, 0);
}
