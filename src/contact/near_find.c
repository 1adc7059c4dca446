// Two trees are walked together wherever their boxes meet; what is left are pairs of features,
// which are looked at by their distance.
#include "contact/near_find.h"

#include "base/memory.h"
#include "contact/resting.h"
#include "math/vec3.h"

typedef struct Search {
  StNear *near;
  const StSkins *skins;
  bool same;            // a skin with itself
  double reach, margin; // activation distance, without and with radii
  size_t found;
  bool too_many, no_memory;
} Search;

static bool meet(const Search *search, const StBounds *a, const StBounds *b) {
  for (int c = 0; c < 3; c++) {
    double way = a->shift[c] - b->shift[c];
    if (a->low[c] - b->high[c] + (way < 0 ? way : 0) > search->margin ||
        b->low[c] - a->high[c] - (way > 0 ? way : 0) > search->margin)
      return false;
  }
  return true;
}

static void emit(Search *search, StNearKind kind, int first, int second) {
  StNearList *list = &search->near->list[kind];
  if ((size_t)list->count == list->capacity &&
      !st_grow((void **)&list->pair, &list->capacity, (size_t)list->count + 1, 2 * sizeof(int))) {
    search->no_memory = true;
    return;
  }
  list->pair[2 * (size_t)list->count] = first;
  list->pair[2 * (size_t)list->count++ + 1] = second;
  if (++search->found > search->near->most)
    search->too_many = true;
}

static bool ours(const Search *search, const StNearPair *pair) {
  for (int i = 0; i < pair->count; i++)
    if (pair->place[i] < search->skins->owned_count)
      return true;
  return false;
}

// How far a feature's places may be off where they are expected: half a box's diagonal, and half of
// what they move against the pair.
static double widest(const StNear *near, const int *place, int count, const double mean[3]) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    double way[3];
    vec3_sub(near->bounds[place[i]].shift, mean, way);
    double off = near->spread[place[i]] + 0.5 * vec3_length(way);
    most = off > most ? off : most;
  }
  return most;
}

// Boxes of single features may meet where the features cannot: half way, both are in the middle of
// their boxes, give or take.
static bool may_be_close(const Search *search, const StNearPair *pair) {
  const StNear *near = search->near;
  int first = pair->first_count;
  double x[4][3], mean[3] = {0};
  for (int i = 0; i < pair->count; i++) {
    const double *shift = near->bounds[pair->place[i]].shift;
    vec3_copy(near->middle + 3 * (size_t)pair->place[i], x[i]);
    vec3_add_scaled(0.5, shift, x[i]);
    vec3_add_scaled(1.0 / pair->count, shift, mean);
  }
  double apart = search->margin + widest(near, pair->place, first, mean) +
                 widest(near, pair->place + first, pair->count - first, mean);
  return st_near_distance_at(pair, x) <= apart * (1 + 1e-9);
}

static void consider(Search *search, StNearKind kind, int first, int second) {
  const int features[2] = {first, second};
  StNearPair pair = st_near_places(search->skins, kind, features);
  if (ours(search, &pair) && may_be_close(search, &pair) &&
      !(search->same && st_resting_together(search->skins, &pair, search->reach)))
    emit(search, kind, first, second);
}

static const StNearKind kind_against[] = {[ST_ITEM_TRIANGLE] = ST_NEAR_POINT_TRIANGLE,
                                          [ST_ITEM_EDGE] = ST_NEAR_POINT_EDGE,
                                          [ST_ITEM_POINT] = ST_NEAR_POINT_POINT};

// Only triangles have corners that belong to other items of their skin as well.
static bool is_corner(const Search *search, int point, const StItem *item) {
  const int *corner = search->skins->triangle_place + 3 * (size_t)item->index;
  int place = search->skins->point_place[point];
  return search->same && item->kind == ST_ITEM_TRIANGLE &&
         (corner[0] == place || corner[1] == place || corner[2] == place);
}

// Points of one item against what the other is.
static void pair_points(Search *search, const StItem *of, const StItem *with) {
  for (int i = 0; i < of->point_count; i++) {
    const StBounds *box = &search->near->bounds[search->skins->point_place[of->point[i]]];
    if (!is_corner(search, of->point[i], with) && meet(search, box, &with->box))
      consider(search, kind_against[with->kind], of->point[i], with->index);
  }
}

static bool edges_meet(const Search *search, int a, int b) {
  const int *p = search->skins->edge_place + 2 * (size_t)a;
  const int *q = search->skins->edge_place + 2 * (size_t)b;
  const StBounds *box = search->near->edge_bounds;
  return p[0] != q[0] && p[0] != q[1] && p[1] != q[0] && p[1] != q[1] &&
         meet(search, &box[a], &box[b]);
}

static void pair_edges(Search *search, const StItem *a, const StItem *b) {
  for (int i = 0; i < a->edge_count; i++)
    for (int k = 0; k < b->edge_count; k++)
      if (edges_meet(search, a->edge[i], b->edge[k])) {
        bool in_order = a->edge[i] < b->edge[k];
        consider(search, ST_NEAR_EDGE_EDGE, in_order ? a->edge[i] : b->edge[k],
                 in_order ? b->edge[k] : a->edge[i]);
      }
}

// Two lone points would be found from either side.
static void pair_items(Search *search, const StItem *a, const StItem *b) {
  if (!(a->owned || b->owned) || !(a->known && b->known) || !meet(search, &a->box, &b->box))
    return;
  pair_points(search, a, b);
  if (a->kind != ST_ITEM_POINT || b->kind != ST_ITEM_POINT)
    pair_points(search, b, a);
  pair_edges(search, a, b);
}

static void pair_leaves(Search *search, const StTreeNode *a, const StTreeNode *b) {
  const StItem *item = search->near->tree.item;
  for (int i = a->first; i < a->first + a->count; i++)
    for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; k++)
      pair_items(search, &item[i], &item[k]);
}

static double extent(const StBounds *box) {
  return box->high[0] - box->low[0] + box->high[1] - box->low[1] + box->high[2] - box->low[2];
}

static void walk(Search *search, int a, int b) {
  const StTreeNode *tree = search->near->tree.node, *of = &tree[a], *with = &tree[b];
  if (search->too_many || search->no_memory || !(of->owned || with->owned) ||
      !(of->known && with->known) || !meet(search, &of->box, &with->box))
    return;
  if (of->count && with->count) {
    pair_leaves(search, of, with);
  } else if (with->count || (!of->count && extent(&of->box) >= extent(&with->box))) {
    walk(search, a + 1, b);
    walk(search, of->right, b);
  } else {
    walk(search, a, b + 1);
    walk(search, a, with->right);
  }
}

static void walk_within(Search *search, int node) {
  const StTreeNode *of = &search->near->tree.node[node];
  if (search->too_many || search->no_memory || !of->owned)
    return;
  if (of->count) {
    pair_leaves(search, of, of);
    return;
  }
  walk_within(search, node + 1);
  walk_within(search, of->right);
  walk(search, node + 1, of->right);
}

static void search_skins(Search *search, int a, int b) {
  const StNear *near = search->near;
  int root[2] = {near->tree.root[a], near->tree.root[b]};
  if (root[0] < 0 || root[1] < 0)
    return;
  search->same = a == b;
  search->reach = st_skins_reach(search->skins, a, b);
  search->margin = search->reach + st_skins_radii(search->skins, a, b);
  if (search->same)
    walk_within(search, root[0]);
  else
    walk(search, root[0], root[1]);
}

// Where a skin is along x, with all that it sweeps and may reach.
typedef struct Stretch {
  double low, high;
  int skin;
} Stretch;

static int compare_stretches(const void *a, const void *b) {
  const Stretch *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->skin > y->skin) - (x->skin < y->skin);
}

static double farthest_reach(const StSkins *skins) {
  double most = 0;
  for (int i = 0; i < skins->description->contact_count; i++)
    most = fmax(most, skins->description->contact[i].thickness);
  return most;
}

static int find_stretches(const StNear *near, Stretch *stretch) {
  const StSkins *skins = near->skins;
  double reach = farthest_reach(skins);
  int count = 0;
  for (int s = 0; s < skins->skin_count; s++) {
    if (near->tree.root[s] < 0)
      continue;
    const StBounds *box = &near->tree.node[near->tree.root[s]].box;
    double way = box->shift[0], more = skins->skin[s].radius + reach / 2;
    stretch[count++] =
        (Stretch){box->low[0] + fmin(way, 0) - more, box->high[0] + fmax(way, 0) + more, s};
  }
  qsort(stretch, (size_t)count, sizeof(Stretch), compare_stretches);
  return count;
}

// Skins in the order in which they begin along x: of many most are nowhere near.
static void search_along(Search *search, const Stretch *stretch, int count) {
  for (int i = 0; i < count; i++)
    for (int k = i; k < count && !(stretch[k].low > stretch[i].high); k++) {
      int a = stretch[i].skin, b = stretch[k].skin;
      if (st_skins_law(search->skins, a, b) >= 0)
        search_skins(search, a < b ? a : b, a < b ? b : a);
    }
}

StStatus st_near_find(StNear *near, StError *error) {
  Search search = {.near = near, .skins = near->skins};
  Stretch *stretch = ST_NEW(Stretch, near->skins->skin_count);
  for (int k = 0; k < ST_NEAR_KINDS; k++)
    near->list[k].count = 0;
  if (stretch)
    search_along(&search, stretch, find_stretches(near, stretch));
  search.no_memory = search.no_memory || !stretch;
  free(stretch);
  if (search.no_memory)
    return st_fail_memory(error);
  if (search.too_many)
    return st_fail(error, ST_NOT_SOLVED, "more than %zu pairs of features may touch on the way",
                   near->most);
  return ST_OK;
}
