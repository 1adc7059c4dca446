// Walks two trees together wherever their boxes overlap, and checks the remaining pairs of features
// by distance. Threads share the walk below the first levels. Tested by
// tests/contact/test_candidates.c.
#include "contact/broad_phase/candidate_search.h"

#include "base/memory.h"
#include "contact/core/rest_distance.h"
#include "math/vec3.h"

#include <stdatomic.h>
#include <string.h>

enum { LEVELS = 6 }; // tree levels above the tasks of threads

// A search task: two subtrees against each other, or one (a = b) against itself.
typedef struct Task {
  int a, b;             // nodes
  bool same;            // self-contact of a skin
  double reach, margin; // activation distance, without and with radii
} Task;

typedef struct Tasks {
  Task *item;
  size_t count, capacity;
  bool no_memory;
} Tasks;

typedef struct Search {
  const StCandidates *candidates;
  const StSkins *skins;
  bool same;
  double reach, margin;
  StCandidateBasket *basket;
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

static void emit(Search *search, StCandidateKind kind, int first, int second) {
  StCandidateList *list = &search->basket->list[kind];
  if ((size_t)list->count == list->capacity &&
      !st_grow((void **)&list->pair, &list->capacity, (size_t)list->count + 1, 2 * sizeof(int))) {
    search->basket->no_memory = true;
    return;
  }
  list->pair[2 * (size_t)list->count] = first;
  list->pair[2 * (size_t)list->count++ + 1] = second;
  search->basket->found++;
}

static bool ours(const Search *search, const StCandidatePair *pair) {
  for (int i = 0; i < pair->count; i++)
    if (pair->place[i] < search->skins->owned_count)
      return true;
  return false;
}

// How far a feature's places may deviate from their expected position: half a box's diagonal, plus
// half of their motion relative to the pair.
static double widest(const StCandidates *candidates, const int *place, int count,
                     const double mean[3]) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    double way[3];
    vec3_sub(candidates->bounds[place[i]].shift, mean, way);
    double off = candidates->spread[place[i]] + 0.5 * vec3_length(way);
    most = off > most ? off : most;
  }
  return most;
}

// The boxes of two features may overlap although the features cannot come close: in the middle of
// the motion both are near the middle of their boxes.
static bool may_be_close(const Search *search, const StCandidatePair *pair) {
  const StCandidates *candidates = search->candidates;
  int first = pair->first_count;
  double x[4][3], mean[3] = {0};
  for (int i = 0; i < pair->count; i++) {
    const double *shift = candidates->bounds[pair->place[i]].shift;
    vec3_copy(candidates->middle + 3 * (size_t)pair->place[i], x[i]);
    vec3_add_scaled(0.5, shift, x[i]);
    vec3_add_scaled(1.0 / pair->count, shift, mean);
  }
  double apart = search->margin + widest(candidates, pair->place, first, mean) +
                 widest(candidates, pair->place + first, pair->count - first, mean);
  return st_candidates_distance_at(pair, x) <= apart * (1 + 1e-9);
}

static void consider(Search *search, StCandidateKind kind, int first, int second) {
  const int features[2] = {first, second};
  StCandidatePair pair = st_candidates_places(search->skins, kind, features);
  if (ours(search, &pair) && may_be_close(search, &pair) &&
      !(search->same && st_resting_too_close(search->skins, &pair, search->reach)))
    emit(search, kind, first, second);
}

static const StCandidateKind kind_against[] = {[ST_ITEM_TRIANGLE] = ST_CANDIDATE_POINT_TRIANGLE,
                                               [ST_ITEM_EDGE] = ST_CANDIDATE_POINT_EDGE,
                                               [ST_ITEM_POINT] = ST_CANDIDATE_POINT_POINT};

// Whether a point is a corner of the item. Only triangles have corners that belong to other items
// of their skin as well.
static bool is_corner(const Search *search, int point, const StItem *item) {
  const int *corner = search->skins->triangle_place + 3 * (size_t)item->index;
  int place = search->skins->point_place[point];
  return search->same && item->kind == ST_ITEM_TRIANGLE &&
         (corner[0] == place || corner[1] == place || corner[2] == place);
}

// Pairs the points of one item with the features of the other.
static void pair_points(Search *search, const StItem *of, const StItem *with) {
  for (int i = 0; i < of->point_count; i++) {
    const StBounds *box = &search->candidates->bounds[search->skins->point_place[of->point[i]]];
    if (!is_corner(search, of->point[i], with) && meet(search, box, &with->box))
      consider(search, kind_against[with->kind], of->point[i], with->index);
  }
}

static bool edges_meet(const Search *search, int a, int b) {
  const int *p = search->skins->edge_place + 2 * (size_t)a;
  const int *q = search->skins->edge_place + 2 * (size_t)b;
  const StBounds *box = search->candidates->edge_bounds;
  return p[0] != q[0] && p[0] != q[1] && p[1] != q[0] && p[1] != q[1] &&
         meet(search, &box[a], &box[b]);
}

static void pair_edges(Search *search, const StItem *a, const StItem *b) {
  for (int i = 0; i < a->edge_count; i++)
    for (int k = 0; k < b->edge_count; k++)
      if (edges_meet(search, a->edge[i], b->edge[k])) {
        bool in_order = a->edge[i] < b->edge[k];
        consider(search, ST_CANDIDATE_EDGE_EDGE, in_order ? a->edge[i] : b->edge[k],
                 in_order ? b->edge[k] : a->edge[i]);
      }
}

// A pair of two loose points would be found from either side.
static void pair_items(Search *search, const StItem *a, const StItem *b) {
  if (!(a->owned || b->owned) || !(a->known && b->known) || !meet(search, &a->box, &b->box))
    return;
  pair_points(search, a, b);
  if (a->kind != ST_ITEM_POINT || b->kind != ST_ITEM_POINT)
    pair_points(search, b, a);
  pair_edges(search, a, b);
}

static void pair_leaves(Search *search, const StTreeNode *a, const StTreeNode *b) {
  const StItem *item = search->candidates->tree.item;
  for (int i = a->first; i < a->first + a->count; i++)
    for (int k = a == b ? i + 1 : b->first; k < b->first + b->count; k++)
      pair_items(search, &item[i], &item[k]);
}

static double extent(const StBounds *box) {
  return box->high[0] - box->low[0] + box->high[1] - box->low[1] + box->high[2] - box->low[2];
}

// Splits the larger of two nodes and pairs its children with the other one.
static void split(const StTreeNode *tree, int a, int b, int child[2][2]) {
  const StTreeNode *of = &tree[a], *with = &tree[b];
  bool first = with->count || (!of->count && extent(&of->box) >= extent(&with->box));
  for (int i = 0; i < 2; i++) {
    child[i][0] = !first ? a : i ? of->right : a + 1;
    child[i][1] = first ? b : i ? with->right : b + 1;
  }
}

static bool may_touch(const Search *search, int a, int b) {
  const StTreeNode *of = &search->candidates->tree.node[a],
                   *with = &search->candidates->tree.node[b];
  return (of->owned || with->owned) && of->known && with->known &&
         meet(search, &of->box, &with->box);
}

static bool is_stopped(const Search *search) {
  return search->basket->no_memory || search->basket->found > search->candidates->most;
}

static void walk(Search *search, int a, int b) {
  const StTreeNode *tree = search->candidates->tree.node;
  int child[2][2];
  if (is_stopped(search) || !may_touch(search, a, b))
    return;
  if (tree[a].count && tree[b].count) {
    pair_leaves(search, &tree[a], &tree[b]);
    return;
  }
  split(tree, a, b, child);
  walk(search, child[0][0], child[0][1]);
  walk(search, child[1][0], child[1][1]);
}

static void walk_within(Search *search, int node) {
  const StTreeNode *of = &search->candidates->tree.node[node];
  if (is_stopped(search) || !of->owned)
    return;
  if (of->count) {
    pair_leaves(search, of, of);
    return;
  }
  walk_within(search, node + 1);
  walk_within(search, of->right);
  walk(search, node + 1, of->right);
}

static void add_task(const Search *search, int a, int b, Tasks *tasks) {
  if (!ST_GROW(tasks->item, tasks->capacity, tasks->count + 1))
    tasks->no_memory = true;
  else
    tasks->item[tasks->count++] = (Task){a, b, search->same, search->reach, search->margin};
}

// Descends a few levels and makes the pairs of nodes found there tasks of threads.
static void plan(const Search *search, int a, int b, int levels, Tasks *tasks) {
  const StTreeNode *tree = search->candidates->tree.node;
  int child[2][2];
  if (!may_touch(search, a, b))
    return;
  if (levels == 0 || (tree[a].count && tree[b].count)) {
    add_task(search, a, b, tasks);
    return;
  }
  split(tree, a, b, child);
  plan(search, child[0][0], child[0][1], levels - 1, tasks);
  plan(search, child[1][0], child[1][1], levels - 1, tasks);
}

static void plan_within(const Search *search, int node, int levels, Tasks *tasks) {
  const StTreeNode *of = &search->candidates->tree.node[node];
  if (levels == 0 || of->count) {
    add_task(search, node, node, tasks);
    return;
  }
  plan_within(search, node + 1, levels - 1, tasks);
  plan_within(search, of->right, levels - 1, tasks);
  plan(search, node + 1, of->right, levels - 1, tasks);
}

static void plan_skins(const StCandidates *candidates, int a, int b, Tasks *tasks) {
  Search search = {.candidates = candidates, .skins = candidates->skins, .same = a == b};
  int root[2] = {candidates->tree.root[a], candidates->tree.root[b]};
  if (root[0] < 0 || root[1] < 0)
    return;
  search.reach = st_skins_reach(candidates->skins, a, b);
  search.margin = search.reach + st_skins_radii(candidates->skins, a, b);
  if (search.same)
    plan_within(&search, root[0], LEVELS, tasks);
  else
    plan(&search, root[0], root[1], LEVELS, tasks);
}

typedef struct Job {
  StCandidates *candidates;
  const Task *task;
  atomic_size_t found; // pairs found by all threads in finished tasks
} Job;

// Which thread finds a pair does not matter: lists are sorted at the end.
static void do_task(void *context, int part, int worker) {
  Job *job = context;
  const Task *task = &job->task[part];
  Search search = {.candidates = job->candidates,
                   .skins = job->candidates->skins,
                   .same = task->same,
                   .reach = task->reach,
                   .margin = task->margin,
                   .basket = &job->candidates->basket[worker]};
  if (atomic_load(&job->found) > job->candidates->most)
    return;
  search.basket->found = 0;
  if (task->a == task->b)
    walk_within(&search, task->a);
  else
    walk(&search, task->a, task->b);
  atomic_fetch_add(&job->found, search.basket->found);
}

static bool append(const StCandidateList *more, StCandidateList *list) {
  if (!st_grow((void **)&list->pair, &list->capacity, (size_t)(list->count + more->count),
               2 * sizeof(int)))
    return false;
  if (more->count > 0)
    memcpy(list->pair + 2 * (size_t)list->count, more->pair, 2 * (size_t)more->count * sizeof(int));
  list->count += more->count;
  return true;
}

// Merges the lists of all threads. keep: the pairs that were there stay.
static bool empty_baskets(StCandidates *candidates, bool keep) {
  bool good = true;
  for (int i = 0; i < st_crew_size(candidates->skins->crew); i++)
    good = good && !candidates->basket[i].no_memory;
  for (int k = 0; k < ST_CANDIDATE_KINDS && good; k++) {
    StCandidateList kept = candidates->list[k], *list = &candidates->list[k];
    if (!keep) {
      *list = candidates->basket[0].list[k];
      candidates->basket[0].list[k] = kept;
    }
    for (int i = keep ? 0 : 1; i < st_crew_size(candidates->skins->crew) && good; i++)
      good = append(&candidates->basket[i].list[k], list);
  }
  return good;
}

// The box of a skin, including its motion and half of the largest activation distance.
typedef struct Stretch {
  double low[3], high[3];
  int skin;
} Stretch;

static int compare_stretches(const void *a, const void *b) {
  const Stretch *x = a, *y = b;
  if (x->low[0] != y->low[0])
    return x->low[0] < y->low[0] ? -1 : 1;
  return (x->skin > y->skin) - (x->skin < y->skin);
}

static int find_stretches(const StCandidates *candidates, Stretch *stretch) {
  const StSkins *skins = candidates->skins;
  double reach = skins->most_reach;
  int count = 0;
  for (int s = 0; s < skins->skin_count; s++) {
    if (candidates->tree.root[s] < 0)
      continue;
    const StBounds *box = &candidates->tree.node[candidates->tree.root[s]].box;
    double more = skins->skin[s].radius + reach / 2;
    for (int c = 0; c < 3; c++) {
      stretch[count].low[c] = box->low[c] + fmin(box->shift[c], 0) - more;
      stretch[count].high[c] = box->high[c] + fmax(box->shift[c], 0) + more;
    }
    stretch[count++].skin = s;
  }
  qsort(stretch, (size_t)count, sizeof(Stretch), compare_stretches);
  return count;
}

static bool are_apart(const Stretch *a, const Stretch *b) {
  return a->low[1] > b->high[1] || b->low[1] > a->high[1] || a->low[2] > b->high[2] ||
         b->low[2] > a->high[2];
}

// Sweeps over skins in the order of their low ends along x: of many skins most are far from each
// other.
static void plan_along(const StCandidates *candidates, const Stretch *stretch, int count,
                       const bool *only, Tasks *tasks) {
  for (int i = 0; i < count; i++)
    for (int k = i; k < count && !(stretch[k].low[0] > stretch[i].high[0]); k++) {
      int a = stretch[i].skin, b = stretch[k].skin;
      if (only && !only[a] && !only[b])
        continue;
      if (!are_apart(&stretch[i], &stretch[k]) && st_skins_law(candidates->skins, a, b) >= 0)
        plan_skins(candidates, a < b ? a : b, a < b ? b : a, tasks);
    }
}

StStatus st_candidates_find(StCandidates *candidates, const bool *only, StError *error) {
  const StSkins *skins = candidates->skins;
  Tasks tasks = {0};
  for (int i = 0; i < st_crew_size(skins->crew); i++) {
    candidates->basket[i].no_memory = false;
    for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
      candidates->basket[i].list[k].count = 0;
  }
  Stretch *stretch = ST_NEW(Stretch, skins->skin_count);
  if (stretch)
    plan_along(candidates, stretch, find_stretches(candidates, stretch), only, &tasks);
  tasks.no_memory = tasks.no_memory || !stretch;
  free(stretch);
  Job job = {.candidates = candidates, .task = tasks.item};
  if (!tasks.no_memory)
    st_crew_do(skins->crew, (int)tasks.count, do_task, &job);
  free(tasks.item);
  if (atomic_load(&job.found) > candidates->most)
    return st_fail(error, ST_NOT_SOLVED, "more than %zu pairs of features may touch on the path",
                   candidates->most);
  return !tasks.no_memory && empty_baskets(candidates, only) ? ST_OK : st_fail_memory(error);
}
