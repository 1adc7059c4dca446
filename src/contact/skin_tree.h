// Trees of boxes around the features of skins, one per skin. Their shape is made once, at rest,
// where neighbours in a tree are neighbours on the skin and stay so; boxes are fitted to every
// state anew, in linear time. Each point and edge belongs to one item, so that pairs of items give
// every pair of features once.
#ifndef ST_CONTACT_SKIN_TREE_H
#define ST_CONTACT_SKIN_TREE_H

#include "contact/skins.h"

typedef struct StBounds {
  double low[3], high[3];
} StBounds;

typedef enum StItemKind { ST_ITEM_TRIANGLE, ST_ITEM_EDGE, ST_ITEM_POINT } StItemKind;

// A triangle, an edge of no triangle, or a point of neither.
typedef struct StItem {
  StBounds box;
  StItemKind kind;
  int index;  // of the triangle, edge or point
  bool owned; // some place is this rank's
  int point_count, edge_count;
  int point[3], edge[3]; // those that belong to this item
} StItem;

typedef struct StTreeNode {
  StBounds box;
  int first, count; // items of a leaf; count 0: two children, the next node and `right`
  int right;
  bool owned;
} StTreeNode;

typedef struct StSkinTree {
  const StSkins *skins;
  int item_count, node_count;
  StItem *item;     // [item_count] in the order of leaves
  StTreeNode *node; // [node_count] parents before children
  int *root;        // [skin_count] -1: nothing of this skin is known here
} StSkinTree;

StStatus st_skin_tree_create(const StSkins *skins, StSkinTree *tree, StError *error);
void st_skin_tree_free(StSkinTree *tree);

// bounds: [place_count] boxes that hold each place.
void st_skin_tree_fit(StSkinTree *tree, const StBounds *bounds);

static inline void st_bounds_include(StBounds *box, const StBounds *other) {
  for (int c = 0; c < 3; c++) {
    box->low[c] = other->low[c] < box->low[c] ? other->low[c] : box->low[c];
    box->high[c] = other->high[c] > box->high[c] ? other->high[c] : box->high[c];
  }
}

#endif
