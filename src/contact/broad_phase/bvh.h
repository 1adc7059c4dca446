// Bounding volume hierarchies: trees of boxes around the features of skins, one per skin. Their
// shape is fixed at rest, where neighbours in a tree are neighbours on the skin and stay so; boxes
// are refitted to every state, in linear time. Each point and edge belongs to one item, so pairs of
// items yield every pair of features once.
#pragma once

#include "contact/core/skins.h"

// A box that moves by s · shift as s goes from 0 to 1, the same s for all boxes.
typedef struct StBounds {
  double low[3], high[3];
  double shift[3];
} StBounds;

typedef enum StItemKind { ST_ITEM_TRIANGLE, ST_ITEM_EDGE, ST_ITEM_POINT } StItemKind;

// An item of the tree: a triangle, an edge without triangles, or a point without either.
typedef struct StItem {
  StBounds box;
  StItemKind kind;
  int index;  // of the triangle, edge or point
  bool owned; // has a place of this rank
  bool known; // all its places have known positions
  int point_count, edge_count;
  int point[3], edge[3]; // those that belong to this item
} StItem;

typedef struct StTreeNode {
  StBounds box;
  int first, count; // items of a leaf; count 0: two children, the next node and `right`
  int right;
  bool owned, known; // some item below is
} StTreeNode;

typedef struct StSkinTree {
  const StSkins *skins;
  int item_count, node_count;
  StItem *item;     // [item_count] in the order of leaves
  StTreeNode *node; // [node_count] parents before children
  int *root;        // [skin_count] -1: this rank knows nothing of this skin
} StSkinTree;

StStatus st_skin_tree_create(const StSkins *skins, StSkinTree *tree, StError *error);
void st_skin_tree_free(StSkinTree *tree);

// Which vertices have known positions, [vertex_count]; NULL: all, which is the default.
void st_skin_tree_set_known(StSkinTree *tree, const bool *known);

// Fits the boxes of the tree to `bounds`, [place_count] boxes that each contain one place. Boxes of
// the tree move roughly with their contents, so that motion common to all sweeps no volume. Boxes
// of unknown items stay as they are.
void st_skin_tree_fit(StSkinTree *tree, const StBounds *bounds);
void st_skin_tree_fit_one(StSkinTree *tree, int skin, const StBounds *bounds);

// An empty box that moves like the mean of two others.
StBounds st_bounds_between(const StBounds *a, const StBounds *b);

// Enlarges a box by everything that another one sweeps relative to it.
static inline void st_bounds_include(StBounds *box, const StBounds *other) {
  for (int c = 0; c < 3; c++) {
    double way = other->shift[c] - box->shift[c];
    double low = other->low[c] + (way < 0 ? way : 0), high = other->high[c] + (way > 0 ? way : 0);
    box->low[c] = low < box->low[c] ? low : box->low[c];
    box->high[c] = high > box->high[c] ? high : box->high[c];
  }
}
