// A tree of boxes around triangles or tets. Its shape is fixed from the mesh at rest, where
// neighbours in the tree are neighbours in the mesh and stay so; its boxes are refitted to every
// state, in linear time.
#pragma once

#include "base/status.h"

typedef struct StBox {
  double low[3], high[3];
} StBox;

typedef struct StBoxNode {
  StBox box;
  int first, count; // items of a leaf; count 0: two children, the next node and `right`
  int right;
} StBoxNode;

typedef struct StBoxTree {
  int corner_count, item_count, node_count;
  const int *corner; // [item_count][corner_count] vertices, not owned
  StBox *item;       // [item_count]
  StBoxNode *node;   // [node_count] parents before children, the root first
} StBoxTree;

// corner: items with their vertices, reordered here; order[k] is the original index of item k.
// position: of the vertices at rest.
StStatus st_box_tree_create(int corner_count, int item_count, int *corner, const double *position,
                            int *order, StBoxTree *tree, StError *error);
void st_box_tree_free(StBoxTree *tree);

void st_box_tree_fit(StBoxTree *tree, const double *position);

// Boxes around the straight ways of the vertices from → to, in a frame that moves by `shift`.
void st_box_tree_sweep(StBoxTree *tree, const double *from, const double *to,
                       const double shift[3]);

// Called with two items of two trees, or of one, whose boxes meet; false ends the traversal.
typedef bool StBoxVisit(void *context, int first, int second);

// All pairs of items whose boxes meet. Within one tree (first == second) each pair once, and no
// item with itself. False: ended by a visit.
bool st_box_trees_meet(const StBoxTree *first, const StBoxTree *second, StBoxVisit *visit,
                       void *context);

static inline bool st_boxes_meet(const StBox *a, const StBox *b) {
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
         b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}
