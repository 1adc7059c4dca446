// Coverage of the lists of candidate pairs, and their sorting. candidate_search.c does the search.
#include "contact/broad_phase/candidates.h"

#include "base/memory.h"
#include "contact/broad_phase/candidate_search.h"
#include "contact/core/closest_features.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <string.h>

// Rounding error of a coordinate relative to the boxes made for it.
static const double ROUNDING = 1e-14;

// Lists may have this many pairs and some per feature (lists_per_feature). A path with more pairs
// is too long to be worthwhile.
enum { MOST_AT_LEAST = 100000 };

StStatus st_candidates_create(const StSkins *skins, StCandidates **result, StError *error) {
  *result = NULL;
  StCandidates *candidates = ST_OWNER(StCandidates);
  ST_TRY_MEMORY(candidates, error);
  size_t places = (size_t)skins->place_count, firsts = (size_t)skins->edge_count;
  if (firsts < (size_t)skins->point_count)
    firsts = (size_t)skins->point_count;
  candidates->skins = skins;
  candidates->most = MOST_AT_LEAST + (size_t)st_contact_tunables.lists_per_feature * firsts;
  candidates->bounds = ST_OWN(candidates, StBounds, places);
  candidates->edge_bounds = ST_OWN(candidates, StBounds, skins->edge_count);
  candidates->middle = ST_OWN(candidates, double, 3 * places);
  candidates->spread = ST_OWN(candidates, double, places);
  candidates->basket = ST_OWN(candidates, StCandidateBasket, st_crew_size(skins->crew));
  candidates->bucket = ST_OWN(candidates, int, firsts + 1);
  candidates->stray = ST_OWN(candidates, bool, skins->skin_count);
  candidates->left = ST_OWN(candidates, bool, skins->skin_count);
  candidates->skin_started = ST_OWN(candidates, double, skins->skin_count);
  candidates->skin_square = ST_OWN(candidates, double, skins->skin_count);
  candidates->skin_along = ST_OWN(candidates, double, skins->skin_count);
  candidates->known_start = ST_OWN(candidates, int, skins->skin_count + 1);
  candidates->known_place = ST_OWN(candidates, int, skins->point_count);
  candidates->known_edge = ST_OWN(candidates, int, skins->edge_count);
  ST_TRY(st_owner_give(candidates, result, error));
  ST_TRY(st_skin_tree_create(skins, &candidates->tree, error));
  st_candidates_set_known(candidates, NULL);
  return ST_OK;
}

void st_candidates_destroy(StCandidates *candidates) {
  if (!candidates)
    return;
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
    free(candidates->list[k].pair);
  for (int i = 0; i < st_crew_size(candidates->skins->crew); i++)
    for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
      free(candidates->basket[i].list[k].pair);
  free(candidates->spare.pair);
  st_skin_tree_free(&candidates->tree);
  st_owner_free(candidates);
}

static bool is_known(const StSkins *skins, const bool *known, int place) {
  return !known || place >= skins->vertex_count || known[place];
}

void st_candidates_set_known(StCandidates *candidates, const bool *known) {
  const StSkins *skins = candidates->skins;
  int count = 0;
  for (int s = 0; s < skins->skin_count; s++) {
    const StSkin *skin = &skins->skin[s];
    for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++)
      if (is_known(skins, known, skins->point_place[i]))
        candidates->known_place[count++] = skins->point_place[i];
    candidates->known_start[s + 1] = count;
  }
  candidates->known_edge_count = 0;
  for (int e = 0; e < skins->edge_count; e++)
    if (is_known(skins, known, skins->edge_place[2 * (size_t)e]) &&
        is_known(skins, known, skins->edge_place[2 * (size_t)e + 1]))
      candidates->known_edge[candidates->known_edge_count++] = e;
  st_skin_tree_set_known(&candidates->tree, known);
  candidates->covering = false;
}

// A check of all skins in one or two configurations, which threads share.
typedef struct Look {
  StCandidates *candidates;
  const double *end[2];
  double share[2];
  int count;
} Look;

static void find_along(void *context, int begin, int end) {
  const Look *look = context;
  const StCandidates *candidates = look->candidates;
  for (int s = begin; s < end; s++) {
    double along = 0;
    for (int i = candidates->known_start[s]; i < candidates->known_start[s + 1]; i++) {
      size_t place = (size_t)candidates->known_place[i];
      along += vec3_dot(candidates->bounds[place].shift, look->end[0] + 3 * place);
    }
    candidates->skin_along[s] = along;
  }
}

// How far along the shifts a configuration is, measured by the skins that are neither strays nor
// outside their boxes.
static double find_share(StCandidates *candidates, const double *x) {
  double along = -candidates->started, square = candidates->square;
  Look look = {.candidates = candidates, .end = {x}};
  st_crew_sweep(candidates->skins->crew, 0, candidates->skins->skin_count, ST_SKINS_AT_ONCE,
                find_along, &look);
  for (int s = 0; s < candidates->skins->skin_count; s++) {
    if (candidates->stray[s])
      continue;
    if (candidates->left[s]) {
      along += candidates->skin_started[s];
      square -= candidates->skin_square[s];
    } else {
      along += candidates->skin_along[s];
    }
  }
  return square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
}

static bool inside(const StBounds *box, const double *x, double share) {
  for (int c = 0; c < 3; c++) {
    double y = x[c] - share * box->shift[c];
    if (!(y >= box->low[c] && y <= box->high[c]))
      return false;
  }
  return true;
}

static bool is_inside(const StCandidates *candidates, int skin, const double *x, double share) {
  for (int i = candidates->known_start[skin]; i < candidates->known_start[skin + 1]; i++) {
    size_t place = (size_t)candidates->known_place[i];
    if (!inside(&candidates->bounds[place], x + 3 * place, share))
      return false;
  }
  return true;
}

static void look_at(void *context, int begin, int end) {
  const Look *look = context;
  for (int s = begin; s < end; s++) {
    bool in = true;
    for (int i = 0; i < look->count && in; i++)
      in = is_inside(look->candidates, s, look->end[i], look->share[i]);
    look->candidates->left[s] = !in;
  }
}

static int count_left(const StCandidates *candidates) {
  int count = 0;
  for (int s = 0; s < candidates->skins->skin_count; s++)
    count += candidates->left[s];
  return count;
}

// Marks the skins that are outside their boxes at a or b; returns their number. Skins that moved
// differently from most distort the measure of how far along the others are, so that it is taken a
// second time without them.
static int find_left(StCandidates *candidates, const double *a, const double *b) {
  Look look = {.candidates = candidates, .end = {a, b}, .count = a == b ? 1 : 2};
  memset(candidates->left, 0, (size_t)candidates->skins->skin_count * sizeof(bool));
  for (int time = 0; time < 2; time++) {
    for (int i = 0; i < look.count; i++)
      look.share[i] = find_share(candidates, look.end[i]);
    st_crew_sweep(candidates->skins->crew, 0, candidates->skins->skin_count, ST_SKINS_AT_ONCE,
                  look_at, &look);
    if (count_left(candidates) == 0)
      return 0;
  }
  return count_left(candidates);
}

// Boxes are convex and shares add up, so checking both ends covers the whole path.
bool st_candidates_covers(StCandidates *candidates, const double *a, const double *b) {
  return candidates->covering && find_left(candidates, a, b) == 0;
}

// The affine motion that best fits the known part of a skin: from x to mean + turn (x - middle).
typedef struct Carrier {
  double middle[3], mean[3], turn[9];
} Carrier;

static void mean_of(const int *place, int count, const double *x, double mean[3]) {
  vec3_set(0, 0, 0, mean);
  for (int i = 0; i < count; i++)
    vec3_add_scaled(1.0 / count, x + 3 * (size_t)place[i], mean);
}

// Least squares: turn = (Σ move armᵀ) (Σ arm armᵀ)⁻¹, regularised so that flat and straight skins
// have an inverse.
static void fit_carrier(const int *place, int count, const double *a, const double *b,
                        Carrier *carrier) {
  double moved[9] = {0}, square[9] = {0}, inverse[9], end[3];
  mean_of(place, count, a, carrier->middle);
  mean_of(place, count, b, end);
  vec3_sub(end, carrier->middle, carrier->mean);
  for (int i = 0; i < count; i++) {
    size_t at = 3 * (size_t)place[i];
    double arm[3], move[3];
    vec3_sub(a + at, carrier->middle, arm);
    vec3_sub(b + at, a + at, move);
    vec3_add_scaled(-1, carrier->mean, move);
    for (int k = 0; k < 9; k++) {
      moved[k] += move[k / 3] * arm[k % 3];
      square[k] += arm[k / 3] * arm[k % 3];
    }
  }
  double little = 1e-6 * (square[0] + square[4] + square[8]);
  for (int k = 0; k < 9; k++) {
    square[k] += k % 4 == 0 ? little : 0;
    carrier->turn[k] = 0;
  }
  if (!(mat3_inverse(square, inverse) > 0))
    return;
  for (int k = 0; k < 9; k++)
    for (int m = 0; m < 3; m++)
      carrier->turn[k] += moved[k / 3 * 3 + m] * inverse[3 * m + k % 3];
}

static void bound_place(StCandidates *candidates, size_t place, const double *a, const double *b,
                        const Carrier *carrier, double slack) {
  StBounds *box = &candidates->bounds[place];
  double square = 0, arm[3];
  vec3_sub(a, carrier->middle, arm);
  mat3_apply(carrier->turn, arm, box->shift);
  vec3_add_scaled(1, carrier->mean, box->shift);
  for (int c = 0; c < 3; c++) {
    double start = a[c], end = b[c] - box->shift[c];
    double more = slack + ROUNDING * (fabs(start) + fabs(end) + fabs(box->shift[c]));
    box->low[c] = (start < end ? start : end) - more;
    box->high[c] = (start < end ? end : start) + more;
    double half = 0.5 * (box->high[c] - box->low[c]);
    candidates->middle[3 * place + (size_t)c] = box->low[c] + half;
    square += half * half;
  }
  candidates->spread[place] = sqrt(square);
}

static void bound_skin(StCandidates *candidates, int skin, const double *a, const double *b,
                       const Carrier *carrier, double slack) {
  candidates->skin_started[skin] = candidates->skin_square[skin] = 0;
  for (int i = candidates->known_start[skin]; i < candidates->known_start[skin + 1]; i++) {
    size_t place = (size_t)candidates->known_place[i];
    const double *shift = candidates->bounds[place].shift;
    bound_place(candidates, place, a + 3 * place, b + 3 * place, carrier, slack);
    candidates->skin_started[skin] += vec3_dot(shift, a + 3 * place);
    candidates->skin_square[skin] += vec3_dot(shift, shift);
  }
}

static void bound_edge(StCandidates *candidates, int e) {
  const int *place = candidates->skins->edge_place;
  const StBounds *end[2] = {&candidates->bounds[place[2 * (size_t)e]],
                            &candidates->bounds[place[2 * (size_t)e + 1]]};
  candidates->edge_bounds[e] = st_bounds_between(end[0], end[1]);
  st_bounds_include(&candidates->edge_bounds[e], end[0]);
  st_bounds_include(&candidates->edge_bounds[e], end[1]);
}

// The path that the search is for.
typedef struct Way {
  StCandidates *candidates;
  const double *from, *to;
  double slack;
} Way;

static void bound_skins(void *context, int begin, int end) {
  const Way *way = context;
  StCandidates *candidates = way->candidates;
  for (int s = begin; s < end; s++) {
    const int *known = candidates->known_place + candidates->known_start[s];
    Carrier carrier;
    fit_carrier(known, candidates->known_start[s + 1] - candidates->known_start[s], way->from,
                way->to, &carrier);
    bound_skin(candidates, s, way->from, way->to, &carrier, way->slack);
  }
}

enum { EDGES_AT_ONCE = 1024 };

static void bound_edges(void *context, int begin, int end) {
  const Way *way = context;
  for (int i = begin; i < end; i++)
    bound_edge(way->candidates, way->candidates->known_edge[i]);
}

static void bound_all(StCandidates *candidates, const double *a, const double *b, double slack) {
  StCrew *crew = candidates->skins->crew;
  Way way = {candidates, a, b, slack};
  st_crew_sweep(crew, 0, candidates->skins->skin_count, ST_SKINS_AT_ONCE, bound_skins, &way);
  st_crew_sweep(crew, 0, candidates->known_edge_count, EDGES_AT_ONCE, bound_edges, &way);
  candidates->started = candidates->square = 0;
  for (int s = 0; s < candidates->skins->skin_count; s++) {
    candidates->started += candidates->skin_started[s];
    candidates->square += candidates->skin_square[s];
    candidates->stray[s] = false;
  }
  candidates->stray_count = 0;
  st_skin_tree_fit(&candidates->tree, candidates->bounds);
}

static int by_second(const void *a, const void *b) {
  return ((const int *)a)[1] - ((const int *)b)[1];
}

static void sort_bucket(int *pair, int count) {
  if (count > 24) {
    qsort(pair, (size_t)count, 2 * sizeof(int), by_second);
    return;
  }
  for (int i = 1; i < count; i++) {
    int first = pair[2 * i], second = pair[2 * i + 1], k = i;
    for (; k > 0 && pair[2 * k - 1] > second; k--)
      pair[2 * k + 1] = pair[2 * k - 1];
    pair[2 * k] = first;
    pair[2 * k + 1] = second;
  }
}

// Removes duplicates: a pair of a stray may have been in the list before.
static void drop_duplicates(StCandidateList *list) {
  int kept = 1;
  for (int i = 1; i < list->count; i++) {
    const int *pair = list->pair + 2 * (size_t)i;
    int *last = list->pair + 2 * (size_t)kept;
    if (pair[0] == last[-2] && pair[1] == last[-1])
      continue;
    last[0] = pair[0];
    last[1] = pair[1];
    kept++;
  }
  list->count = kept;
}

// Sorts into buckets by the first feature, then each bucket by the second. firsts: number of first
// features.
static StStatus sort_list(StCandidates *candidates, StCandidateList *list, int firsts,
                          StError *error) {
  int *bucket = candidates->bucket;
  if (!st_grow((void **)&candidates->spare.pair, &candidates->spare.capacity, (size_t)list->count,
               2 * sizeof(int)))
    return st_fail_memory(error);
  if (list->count == 0)
    return ST_OK;
  memset(bucket, 0, ((size_t)firsts + 1) * sizeof(int));
  for (int i = 0; i < list->count; i++)
    bucket[list->pair[2 * i] + 1]++;
  for (int f = 0; f < firsts; f++)
    bucket[f + 1] += bucket[f];
  for (int i = 0; i < list->count; i++) {
    int to = bucket[list->pair[2 * i]]++;
    memcpy(candidates->spare.pair + 2 * (size_t)to, list->pair + 2 * (size_t)i, 2 * sizeof(int));
  }
  StCandidateList sorted = {list->count, candidates->spare.pair, candidates->spare.capacity};
  candidates->spare = (StCandidateList){0, list->pair, list->capacity};
  *list = sorted;
  for (int f = 0, start = 0; f < firsts; start = bucket[f++])
    sort_bucket(list->pair + 2 * (size_t)start, bucket[f] - start);
  drop_duplicates(list);
  return ST_OK;
}

static StStatus sort_lists(StCandidates *candidates, StError *error) {
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
    ST_TRY(sort_list(candidates, &candidates->list[k],
                     k == ST_CANDIDATE_EDGE_EDGE ? candidates->skins->edge_count
                                                 : candidates->skins->point_count,
                     error));
  return ST_OK;
}

static int pair_count(const StCandidates *candidates) {
  int count = 0;
  for (int k = 0; k < ST_CANDIDATE_KINDS; k++)
    count += candidates->list[k].count;
  return count;
}

static StStatus search_all(StCandidates *candidates, const double *a, const double *b, double slack,
                           StError *error) {
  candidates->covering = false;
  bound_all(candidates, a, b, slack);
  StStatus status = st_candidates_find(candidates, NULL, error);
  if (status == ST_OK)
    status = sort_lists(candidates, error);
  candidates->covering = status == ST_OK;
  for (int k = 0; k < ST_CANDIDATE_KINDS && status != ST_OK; k++)
    candidates->list[k].count = 0;
  candidates->full_count = pair_count(candidates);
  return status;
}

enum { GROWTH_AT_LEAST = 1000 };

// Whether the skins outside their boxes can become strays. A skin with self-contact cannot: in
// boxes that do not move with it, all its features would be close to each other. Too many strays
// make the lists long.
static bool may_stray(const StCandidates *candidates) {
  int count = 0;
  for (int s = 0; s < candidates->skins->skin_count; s++) {
    if (candidates->left[s] && st_skins_law(candidates->skins, s, s) >= 0)
      return false;
    count += candidates->left[s] || candidates->stray[s];
  }
  return count <= st_contact_tunables.lists_strays * candidates->skins->skin_count;
}

static void bound_stray(StCandidates *candidates, int skin, const double *a, const double *b,
                        double slack) {
  const StSkin *of = &candidates->skins->skin[skin];
  const Carrier still = {{0}, {0}, {0}};
  if (!candidates->stray[skin]) {
    candidates->started -= candidates->skin_started[skin];
    candidates->square -= candidates->skin_square[skin];
    candidates->stray[skin] = true;
    candidates->stray_count++;
  }
  bound_skin(candidates, skin, a, b, &still, slack);
  for (int e = of->first_edge; e < of->first_edge + of->edge_count; e++)
    bound_edge(candidates, e);
  st_skin_tree_fit_one(&candidates->tree, skin, candidates->bounds);
}

// Searches only for the pairs of skins that left their boxes, if they are few: one body that stops
// or is thrown should not cause a search for all others. False: all skins have to be searched.
static bool search_strays(StCandidates *candidates, const double *a, const double *b,
                          double slack) {
  if (!may_stray(candidates))
    return false;
  for (int s = 0; s < candidates->skins->skin_count; s++)
    if (candidates->left[s])
      bound_stray(candidates, s, a, b, slack);
  candidates->covering = false;
  if (st_candidates_find(candidates, candidates->left, NULL) != ST_OK ||
      sort_lists(candidates, NULL) != ST_OK)
    return false;
  candidates->covering =
      pair_count(candidates) <=
      (1 + st_contact_tunables.lists_growth) * candidates->full_count + GROWTH_AT_LEAST;
  return candidates->covering;
}

StStatus st_candidates_cover(StCandidates *candidates, const double *a, const double *b,
                             double slack, StError *error) {
  if (st_candidates_covers(candidates, a, b) ||
      (candidates->covering && search_strays(candidates, a, b, slack)))
    return ST_OK;
  return search_all(candidates, a, b, slack, error);
}

StCandidatePair st_candidates_pair(const StSkins *skins, StCandidateKind kind, const int pair[2]) {
  StCandidatePair out = st_candidates_places(skins, kind, pair);
  const int *skin[] = {[ST_CANDIDATE_POINT_TRIANGLE] = skins->triangle_skin,
                       [ST_CANDIDATE_EDGE_EDGE] = skins->edge_skin,
                       [ST_CANDIDATE_POINT_EDGE] = skins->edge_skin,
                       [ST_CANDIDATE_POINT_POINT] = skins->point_skin};
  int a = (kind == ST_CANDIDATE_EDGE_EDGE ? skins->edge_skin : skins->point_skin)[pair[0]];
  int b = skin[kind][pair[1]];
  out.radii = st_skins_radii(skins, a, b);
  out.reach = st_skins_reach(skins, a, b);
  out.same = a == b;
  out.skin[0] = a;
  out.skin[1] = b;
  return out;
}

double st_candidates_distance_at(const StCandidatePair *pair, const double x[4][3]) {
  if (pair->count == 4)
    return pair->first_count == 1 ? st_primitive_point_triangle_distance(x[0], x[1], x[2], x[3])
                                  : st_primitive_edge_edge_distance(x[0], x[1], x[2], x[3]);
  if (pair->count == 3) {
    StClosest closest;
    st_primitive_point_edge(x, &closest);
    return sqrt(closest.square);
  }
  double between[3];
  vec3_sub(x[1], x[0], between);
  return vec3_length(between);
}

double st_candidates_distance(const StCandidatePair *pair, const double *position) {
  double x[4][3];
  for (int i = 0; i < pair->count; i++)
    vec3_copy(position + 3 * (size_t)pair->place[i], x[i]);
  return st_candidates_distance_at(pair, x);
}
