// Skins in patches of a few dozen neighbouring triangles, with a box around each. The boxes show
// which vertices of other ranks may come into contact with this rank's own. Patches have the same
// numbers on every rank, so ranks can combine their boxes. Only skins that may contact other bodies
// or themselves have patches.
#pragma once

#include "contact/core/skins.h"

typedef struct StPatchNode {
  double low[3], high[3];
  int patch; // of a leaf; -1: two children, the next node and `right`
  int right;
  bool owned; // has a vertex of this rank
} StPatchNode;

typedef struct StSkinPatches {
  const StSkins *skins;
  int patch_count;
  int *start;       // [patch_count + 1] where a patch's places begin in …
  int *place;       // … this list: corners of its triangles, this rank's first, …
  int *owned_count; // … [patch_count] so many
  int *ring_start;  // [patch_count + 1] where they begin in …
  int *ring;        // … this list: corners of triangles beside the patch that are not its own
  int node_count;
  StPatchNode *node; // [node_count] parents before children
  int *root;         // [skin_count] -1: this skin has no patches
  double slack;      // m, how far vertices may leave the positions that boxes are made for
} StSkinPatches;

StStatus st_skin_patches_create(const StSkins *skins, StSkinPatches **patches, StError *error);
void st_skin_patches_destroy(StSkinPatches *patches); // NULL is fine

// Boxes around this rank's vertices of each patch at all of these positions, plus the slack. box
// [patch_count][6] holds the low ends and the negated high ends, so that the minimum over all ranks
// gives the boxes of whole patches; positions: [count] of [owned_count][3]. Returns the largest
// distance, along an axis, between two positions of one vertex.
double st_skin_patches_bound(const StSkinPatches *patches, const double *const *position, int count,
                             double *box);

// Whether all of this rank's vertices are inside the boxes of their patches.
bool st_skin_patches_cover(const StSkinPatches *patches, const double *box, const double *position);

// Marks, in [vertex_count], the vertices of all patches that may contact a patch with a vertex of
// this rank while every vertex stays in its boxes. Also marks the vertices around them, which the
// sharpness of edges and coplanar faces depend on.
StStatus st_skin_patches_find(StSkinPatches *patches, const double *box, bool *wanted,
                              StError *error);
