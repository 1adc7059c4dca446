// Skins in patches of some dozens of neighbouring triangles, with a box around each: which vertices
// may come near this rank's own. Patches are numbered alike on every rank, so that ranks can put
// their boxes together. Only skins that touch other bodies or themselves have any.
#ifndef ST_CONTACT_SKIN_PATCHES_H
#define ST_CONTACT_SKIN_PATCHES_H

#include "contact/skins.h"

typedef struct StPatchNode {
  double low[3], high[3];
  int patch; // of a leaf; -1: two children, the next node and `right`
  int right;
  bool owned; // some vertex is this rank's
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
  int *root;         // [skin_count] -1: this skin has none
  double slack;      // m, how far vertices may move beyond what boxes are made for
} StSkinPatches;

StStatus st_skin_patches_create(const StSkins *skins, StSkinPatches **patches, StError *error);
void st_skin_patches_destroy(StSkinPatches *patches); // NULL is fine

// Boxes around this rank's vertices of each patch at all of these positions, and the slack: box
// [patch_count][6] has the low ends and the negative high ones, so that the smallest numbers of all
// ranks make the whole patches' boxes; positions: [count] of [owned_count][3]. Returns the longest
// way, along an axis, between any two positions of one vertex.
double st_skin_patches_bound(const StSkinPatches *patches, const double *const *position, int count,
                             double *box);

// Whether all of this rank's vertices are in the boxes of their patches.
bool st_skin_patches_cover(const StSkinPatches *patches, const double *box, const double *position);

// Marks, in [vertex_count], the vertices of all patches that may touch a patch with a vertex of
// this rank while every vertex stays in the boxes of its patches, and those around them that edges'
// sharpness needs.
void st_skin_patches_find(StSkinPatches *patches, const double *box, bool *wanted);

#endif
