// Patches are subtrees of the skins' trees (contact/broad_phase/bvh.h), whose shape at rest is the
// same on all ranks.
#include "contact/broad_phase/skin_patches.h"

#include "base/memory.h"
#include "contact/broad_phase/bvh.h"
#include "math/box_pairs.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <math.h>
#include <string.h>

typedef struct Builder {
  StSkinPatches *patches;
  StSkinTree tree;
  int *size;               // [tree nodes] items below
  int *seen;               // [place_count] 1 + the last patch a place was listed in
  unsigned char *partners; // [bodies]
  size_t place_capacity, ring_capacity;
} Builder;

static bool list_place(Builder *builder, int patch, int place, int **list, int *end,
                       size_t *capacity) {
  if (builder->seen[place] == patch + 1)
    return true;
  builder->seen[place] = patch + 1;
  if (!st_grow((void **)list, capacity, (size_t)*end + 1, sizeof(int)))
    return false;
  (*list)[(*end)++] = place;
  return true;
}

static bool list_corners(Builder *builder, int patch, int triangle, int **list, int *end,
                         size_t *capacity) {
  const int *corner = builder->patches->skins->triangle_place + 3 * (size_t)triangle;
  bool good = true;
  for (int k = 0; k < 3; k++)
    good = good && list_place(builder, patch, corner[k], list, end, capacity);
  return good;
}

static void put_owned_first(StSkinPatches *patches, int patch) {
  int *place = patches->place, first = patches->start[patch], next = first;
  for (int i = first; i < patches->start[patch + 1]; i++)
    if (place[i] < patches->skins->owned_count) {
      int swap = place[i];
      place[i] = place[next];
      place[next++] = swap;
    }
  patches->owned_count[patch] = next - first;
}

static bool list_ring(Builder *builder, int patch, int triangle) {
  StSkinPatches *patches = builder->patches;
  const StSkins *skins = patches->skins;
  bool good = true;
  for (int k = 0; k < 3; k++) {
    int point = skins->point[skins->triangle_place[3 * (size_t)triangle + (size_t)k]];
    for (int i = skins->fan_start[point]; i < skins->fan_start[point + 1] && good; i++)
      good = list_corners(builder, patch, skins->fan[i], &patches->ring,
                          &patches->ring_start[patch + 1], &builder->ring_capacity);
  }
  return good;
}

static bool add_patch(Builder *builder, const StItem *item, int count) {
  StSkinPatches *patches = builder->patches;
  int patch = patches->patch_count++;
  bool good = true;
  patches->start[patch + 1] = patches->start[patch];
  patches->ring_start[patch + 1] = patches->ring_start[patch];
  for (int i = 0; i < count && good; i++)
    good = list_corners(builder, patch, item[i].index, &patches->place, &patches->start[patch + 1],
                        &builder->place_capacity);
  for (int i = 0; i < count && good; i++)
    good = list_ring(builder, patch, item[i].index);
  put_owned_first(patches, patch);
  return good;
}

static bool add_node(Builder *builder, int from) {
  StSkinPatches *patches = builder->patches;
  const StTreeNode *node = &builder->tree.node[from];
  int number = patches->node_count++;
  patches->node[number].patch = -1;
  if (builder->size[from] <= st_contact_tunables.patch_triangles) {
    patches->node[number].patch = patches->patch_count;
    bool good = add_patch(builder, &builder->tree.item[node->first], builder->size[from]);
    patches->node[number].owned = patches->owned_count[patches->patch_count - 1] > 0;
    return good;
  }
  bool good = add_node(builder, from + 1);
  int right = patches->node[number].right = patches->node_count;
  good = good && add_node(builder, node->right);
  patches->node[number].owned = patches->node[number + 1].owned || patches->node[right].owned;
  return good;
}

static void count_items(Builder *builder) {
  for (int n = builder->tree.node_count - 1; n >= 0; n--) {
    const StTreeNode *node = &builder->tree.node[n];
    builder->size[n] =
        node->count ? node->count : builder->size[n + 1] + builder->size[node->right];
  }
}

static double rest_extent(const StSkinPatches *patches, int patch) {
  double extent = 0;
  for (int c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = patches->start[patch]; i < patches->start[patch + 1]; i++) {
      double x = patches->skins->rest[3 * (size_t)patches->place[i] + (size_t)c];
      low = fmin(low, x);
      high = fmax(high, x);
    }
    extent = fmax(extent, high - low);
  }
  return extent;
}

static void choose_slack(StSkinPatches *patches) {
  const StDescription *description = patches->skins->description;
  for (int p = 0; p < patches->patch_count; p++)
    patches->slack +=
        st_contact_tunables.patch_slack * rest_extent(patches, p) / patches->patch_count;
  patches->slack = fmax(patches->slack, st_pairs_most_reach(description));
}

static bool make_room(Builder *builder) {
  StSkinPatches *patches = builder->patches;
  size_t nodes = (size_t)builder->tree.node_count;
  builder->size = ST_NEW(int, nodes);
  builder->seen = ST_NEW(int, patches->skins->place_count);
  patches->start = ST_OWN(patches, int, nodes + 1);
  patches->ring_start = ST_OWN(patches, int, nodes + 1);
  patches->owned_count = ST_OWN(patches, int, nodes);
  patches->node = ST_OWN(patches, StPatchNode, nodes);
  patches->root = ST_OWN(patches, int, patches->skins->skin_count);
  builder->partners = ST_NEW(unsigned char, patches->skins->description->body_count);
  return builder->size && builder->seen && builder->partners && st_owner_is_whole(patches);
}

static bool build(Builder *builder) {
  StSkinPatches *patches = builder->patches;
  bool good = make_room(builder);
  if (good) {
    st_pairs_partners(patches->skins->description, builder->partners);
    count_items(builder);
  }
  for (int s = 0; s < patches->skins->skin_count && good; s++) {
    int root = builder->tree.root[s];
    patches->root[s] = -1;
    int body = patches->skins->skin[s].body;
    // This condition is the same on every rank, however much it knows of a skin.
    if (root < 0 || body < 0 ||
        !(builder->partners[body] & (ST_PARTNER_ITSELF | ST_PARTNER_BODIES)))
      continue;
    patches->root[s] = patches->node_count;
    good = add_node(builder, root);
  }
  if (good)
    choose_slack(patches);
  return good;
}

StStatus st_skin_patches_create(const StSkins *skins, StSkinPatches **result, StError *error) {
  Builder builder = {.patches = ST_OWNER(StSkinPatches)};
  if (!builder.patches)
    return st_fail_memory(error);
  builder.patches->skins = skins;
  StStatus status = st_skin_tree_create(skins, &builder.tree, error);
  if (status == ST_OK && !build(&builder))
    status = st_fail_memory(error);
  st_skin_tree_free(&builder.tree);
  free(builder.size);
  free(builder.seen);
  free(builder.partners);
  if (status == ST_OK)
    *result = builder.patches;
  else
    st_skin_patches_destroy(builder.patches);
  return status;
}

void st_skin_patches_destroy(StSkinPatches *patches) {
  if (!patches)
    return;
  free(patches->place);
  free(patches->ring);
  st_owner_free(patches);
}

// Bounds the positions of one vertex; returns the largest distance between two of them.
static double bound_place(const double *const *position, int count, size_t at, double slack,
                          double *box) {
  double longest = 0;
  for (size_t c = 0; c < 3; c++) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
      double x = position[k][at + c];
      low = x < low ? x : low; // NaN is ignored
      high = x > high ? x : high;
    }
    box[c] = fmin(box[c], low - slack);
    box[3 + c] = fmin(box[3 + c], -(high + slack));
    longest = fmax(longest, high - low);
  }
  return longest;
}

double st_skin_patches_bound(const StSkinPatches *patches, const double *const *position, int count,
                             double *box) {
  double longest = 0;
  for (int p = 0; p < patches->patch_count; p++) {
    double *of = box + 6 * (size_t)p;
    for (int i = 0; i < 6; i++)
      of[i] = INFINITY;
    const int *place = patches->place + patches->start[p];
    for (int i = 0; i < patches->owned_count[p]; i++)
      longest =
          fmax(longest, bound_place(position, count, 3 * (size_t)place[i], patches->slack, of));
  }
  return longest;
}

bool st_skin_patches_cover(const StSkinPatches *patches, const double *box,
                           const double *position) {
  for (int p = 0; p < patches->patch_count; p++) {
    const double *of = box + 6 * (size_t)p;
    const int *place = patches->place + patches->start[p];
    for (int i = 0; i < patches->owned_count[p]; i++)
      for (size_t c = 0; c < 3; c++) {
        double x = position[3 * (size_t)place[i] + c];
        if (x < of[c] || -x < of[3 + c])
          return false;
      }
  }
  return true;
}

static void fit(StSkinPatches *patches, const double *box) {
  for (int n = patches->node_count - 1; n >= 0; n--) {
    StPatchNode *node = &patches->node[n];
    const StPatchNode *left = node + 1, *right = &patches->node[node->right];
    for (int c = 0; c < 3; c++)
      if (node->patch >= 0) {
        node->low[c] = box[6 * (size_t)node->patch + (size_t)c];
        node->high[c] = -box[6 * (size_t)node->patch + 3 + (size_t)c];
      } else {
        node->low[c] = fmin(left->low[c], right->low[c]);
        node->high[c] = fmax(left->high[c], right->high[c]);
      }
  }
}

static void want(const StSkinPatches *patches, int patch, bool *wanted) {
  for (int i = patches->start[patch]; i < patches->start[patch + 1]; i++)
    wanted[patches->place[i]] = true;
  for (int i = patches->ring_start[patch]; i < patches->ring_start[patch + 1]; i++)
    wanted[patches->ring[i]] = true;
}

static bool meet(const StPatchNode *a, const StPatchNode *b, double margin) {
  for (int c = 0; c < 3; c++)
    if (a->low[c] - b->high[c] > margin || b->low[c] - a->high[c] > margin)
      return false;
  return true;
}

static double extent(const StPatchNode *node) {
  return node->high[0] - node->low[0] + node->high[1] - node->low[1] + node->high[2] - node->low[2];
}

static void walk(const StSkinPatches *patches, int a, int b, double margin, bool *wanted) {
  const StPatchNode *of = &patches->node[a], *with = &patches->node[b];
  if (!(of->owned || with->owned) || !meet(of, with, margin))
    return;
  if (of->patch >= 0 && with->patch >= 0) {
    if (of->owned)
      want(patches, with->patch, wanted);
    if (with->owned)
      want(patches, of->patch, wanted);
  } else if (with->patch >= 0 || (of->patch < 0 && extent(of) >= extent(with))) {
    walk(patches, a + 1, b, margin, wanted);
    walk(patches, of->right, b, margin, wanted);
  } else {
    walk(patches, a, b + 1, margin, wanted);
    walk(patches, a, with->right, margin, wanted);
  }
}

// Boxes of whole skins, enlarged by half of the activation distance. The box of a skin without
// patches is empty.
static void bound_skins(const StSkinPatches *patches, double *box) {
  const StSkins *skins = patches->skins;
  for (int s = 0; s < skins->skin_count; s++) {
    const StPatchNode *node = patches->root[s] < 0 ? NULL : &patches->node[patches->root[s]];
    double more = skins->skin[s].radius + skins->most_reach / 2;
    for (int c = 0; c < 3; c++) {
      box[6 * s + c] = node ? node->low[c] - more : INFINITY;
      box[6 * s + 3 + c] = node ? node->high[c] + more : -INFINITY;
    }
  }
}

static void walk_skins(const StSkinPatches *patches, int a, int b, bool *wanted) {
  const StSkins *skins = patches->skins;
  if (patches->root[a] >= 0 && patches->root[b] >= 0 && st_skins_law(skins, a, b) >= 0)
    walk(patches, patches->root[a], patches->root[b],
         st_skins_reach(skins, a, b) + st_skins_radii(skins, a, b), wanted);
}

StStatus st_skin_patches_find(StSkinPatches *patches, const double *box, bool *wanted,
                              StError *error) {
  StBoxPairs near = {0};
  double *of_skin = ST_NEW(double, 6 * (size_t)patches->skins->skin_count);
  fit(patches, box);
  if (of_skin)
    bound_skins(patches, of_skin);
  bool good = of_skin && st_box_pairs_find(patches->skins->skin_count, of_skin, &near);
  for (int s = 0; s < patches->skins->skin_count && good; s++)
    walk_skins(patches, s, s, wanted);
  for (size_t i = 0; i < near.count && good; i++)
    walk_skins(patches, near.pair[i][0], near.pair[i][1], wanted);
  st_box_pairs_free(&near);
  free(of_skin);
  return good ? ST_OK : st_fail_memory(error);
}
