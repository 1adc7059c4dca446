// Searches the candidate lists. Tested by tests/contact/test_adaptive_stiffness.c and
// tests/verify/test_flat_face.c.
#include "contact/core/narrow_phase.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "contact/core/coplanar_faces.h"
#include "contact/core/point_features.h"
#include "contact/core/rest_distance.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <string.h>

// The points of each of two surfaces carry half of the pressure between them; edge pairs carry a
// quarter.
static const double POINT_PART = 0.5, EDGE_PART = 0.25;

enum { ROWS_AT_ONCE = 512 };

// Results are sorted in buckets of a range of pairs each.
enum { BUCKETS = 4096, BUCKETS_AT_ONCE = 64, MOST_INSERTED = 24 };

// Results and scratch of one thread.
typedef struct Basket {
  const StFinder *finder;
  size_t count, capacity;
  StFound *found;
  StPointFeatures features;
  int *candidate; // [of one point] triangles, first those far enough away at rest
  size_t candidate_capacity;
  bool failed; // out of memory
} Basket;

struct StFinder {
  const StSkins *skins;
  int pair_end; // above all pairs' numbers
  int basket_count;
  Basket *basket; // [threads]
  // The current search:
  const StCandidates *candidates;
  const double *place;
  StStepStart start;
  const bool *parked;
  size_t bucket[BUCKETS + 1];
  size_t count, capacity;
  const StFound **found; // [count] in the baskets
};

// The same features have the same number in every set.
static uint64_t number(StPrimitiveKind kind, int a, int b) {
  return (uint64_t)kind << 62 | (uint64_t)(unsigned)a << 31 | (uint64_t)(unsigned)b;
}

static StFound *add_found(Basket *basket, int pair) {
  if (!ST_GROW(basket->found, basket->capacity, basket->count + 1))
    return NULL;
  StFound *found = &basket->found[basket->count++];
  *found = (StFound){.pair = pair, .triangle = -1, .part = 1};
  return found;
}

// The places of a point's feature, after the point itself.
static void feature_places(const StSkins *skins, StPrimitiveKind kind, int feature, int *place) {
  if (kind == ST_POINT_POINT)
    place[0] = feature;
  else if (kind == ST_POINT_EDGE)
    memcpy(place, skins->edge_place + 2 * (size_t)feature, 2 * sizeof(int));
  else
    memcpy(place, skins->triangle_place + 3 * (size_t)feature, 3 * sizeof(int));
}

static bool add_point(Basket *basket, int point, int pair, const StPointFeature *feature,
                      double radius, double area, double part) {
  const StSkins *skins = basket->finder->skins;
  if (feature->count == 0 || area == 0)
    return true;
  StFound *found = add_found(basket, pair);
  if (!found)
    return false;
  found->id = number(feature->kind, point, feature->feature);
  found->primitive = (StPrimitive){.kind = feature->kind, .radius = radius};
  found->place[0] = skins->point_place[point];
  feature_places(skins, feature->kind, feature->feature, found->place + 1);
  found->weight = area * feature->count;
  found->triangle = feature->triangle;
  found->part = part;
  return true;
}

// Whether a feature was found before, from `since` on: it does not count again with a shorter
// reach.
static bool counts(const Basket *basket, size_t since, int point, const StPointFeature *feature) {
  uint64_t id = number(feature->kind, point, feature->feature);
  for (size_t i = since; i < basket->count; i++)
    if (basket->found[i].id == id)
      return true;
  return false;
}

// Area per point of a skin that presses on another one.
static double grain_against(const StSkins *skins, int skin, int other) {
  const StSkin *of = &skins->skin[skin];
  return st_skins_yields(skins, skin, other) ? of->rim_grain : of->grain;
}

// Factor of the area with which a point presses on another skin. Two skins press half with the
// points of one, half with those of the other. But where one is coarser, its few points must not
// carry more than others, wherever they happen to be: the finer skin takes over their part.
static double pressing_factor(const StSkins *skins, int skin, int other) {
  double grain[2] = {grain_against(skins, skin, other), grain_against(skins, other, skin)};
  if (skin == other || skins->skin[skin].radius > 0 || skins->skin[other].radius > 0)
    return 1;
  return grain[0] > grain[1] ? grain[1] / grain[0] : 2 - grain[0] / grain[1];
}

// Area of two edges that cross; that of the finer skin counts, for the same reason.
static double crossing_area(const StSkins *skins, int a, int b) {
  double area[2] = {skins->edge_area[a], skins->edge_area[b]};
  bool round = skins->edge_adjacent[a] == 0 || skins->edge_adjacent[b] == 0;
  return round ? area[0] + area[1] : 2 * fmin(area[0], area[1]);
}

// Whether a feature belongs to a face with the direction of this triangle.
static bool is_of_face(const StCoplanar *flush, const StPointFeature *feature, int triangle) {
  const StSkins *skins = flush->skins;
  const int *of = &feature->feature;
  int count = 1;
  if (feature->kind == ST_POINT_EDGE) {
    of = skins->edge_triangle + 2 * (size_t)feature->feature;
    count = of[1] < 0 ? 1 : 2;
  } else if (feature->kind == ST_POINT_POINT) {
    int point = skins->point[feature->feature];
    of = skins->fan + skins->fan_start[point];
    count = skins->fan_start[point + 1] - skins->fan_start[point];
  }
  for (int i = 0; i < count; i++)
    if (st_coplanar_alike(flush, of[i], triangle))
      return true;
  return false;
}

static StCoplanar flush_within(const StFinder *finder, double reach) {
  return (StCoplanar){finder->skins, finder->place, finder->start.place, finder->start.sharpness,
                      reach};
}

// A point that presses on another skin.
typedef struct PointSearch {
  int point, law;
  double radius, area, part;
} PointSearch;

static bool add_features(Basket *basket, const PointSearch *search, size_t since) {
  const StPointFeatures *features = &basket->features;
  for (int i = 0; i < features->count; i++)
    if (!counts(basket, since, search->point, &features->item[i]) &&
        !add_point(basket, search->point, search->law, &features->item[i], search->radius,
                   search->area, search->part))
      return false;
  return true;
}

// Adds planes instead of features, near the rim of a face on which a face of the point lies flush
// (contact/core/coplanar_faces.h). The point presses on the planes as hard as on the rim: heights
// are less than distances, and a shorter reach makes up for it.
static bool add_planes(Basket *basket, const PointSearch *search, const StCoplanarPlanes *planes) {
  double part = search->part * planes->steep;
  for (int i = 0; i < planes->count; i++) {
    int triangle = planes->triangle[i];
    const StPointFeature feature = {ST_POINT_TRIANGLE, triangle, 1, triangle};
    if (!add_point(basket, search->point, search->law, &feature, 0, search->area * planes->share[i],
                   part))
      return false;
  }
  return true;
}

// Whether the planes replace all features that were found: no feature belongs to another face.
static bool are_flush(const StCoplanar *flush, const StPointFeatures *features,
                      const StCoplanarPlanes *planes) {
  for (int i = 0; i < features->count && planes->count > 0; i++)
    if (features->item[i].count != 0 && !is_of_face(flush, &features->item[i], planes->triangle[0]))
      return false;
  return planes->count > 0;
}

// Features of some triangles of one skin near a point, within a fraction of the pair's reach.
static bool find_features(Basket *basket, int point, const int *triangle, int count, int stride,
                          double part, size_t since) {
  const StSkins *skins = basket->finder->skins;
  int a = skins->point_skin[point], b = skins->triangle_skin[triangle[0]];
  PointSearch search = {point, st_skins_law(skins, a, b), st_skins_radii(skins, a, b),
                        POINT_PART * pressing_factor(skins, a, b) * skins->point_area[point], part};
  if (skins->point_flat[point] && st_skins_yields(skins, a, b))
    search.part *= st_contact_tunables.flat_reach;
  double reach = search.part * st_skins_reach(skins, a, b) + search.radius;
  StPointFeatures *features = &basket->features;
  if (!st_point_features_find(features, skins, basket->finder->place, skins->point_place[point],
                              triangle, count, stride, reach))
    return false;
  if (a == b || search.radius > 0 || features->count == 0)
    return add_features(basket, &search, since);
  StCoplanar flush = flush_within(basket->finder, reach);
  StCoplanarPlanes planes;
  st_coplanar_planes(&flush, point, triangle, count, stride, &planes);
  return are_flush(&flush, features, &planes) ? add_planes(basket, &search, &planes)
                                              : add_features(basket, &search, since);
}

// Sorts the triangles of a point's own skin. Finds how many are far enough away at rest, and the
// reach of the others.
static bool sort_candidates(Basket *basket, const int (*pair)[2], int count, int *far,
                            double *part) {
  const StSkins *skins = basket->finder->skins;
  if (!ST_GROW(basket->candidate, basket->candidate_capacity, count))
    return false;
  *far = 0;
  *part = 1;
  for (int i = 0, close = count; i < count; i++) {
    StCandidatePair candidates = st_candidates_pair(skins, ST_CANDIDATE_POINT_TRIANGLE, pair[i]);
    double reach = st_resting_reach(skins, &candidates, candidates.reach);
    basket->candidate[reach < candidates.reach ? --close : (*far)++] = pair[i][1];
    *part = fmin(*part, reach / candidates.reach);
  }
  return true;
}

static bool are_parked(const StFinder *finder, int skin, int other) {
  return finder->parked && finder->parked[skin] && finder->parked[other];
}

// Finds the features of one skin near one point, from its rows of the list. Few points are close to
// any.
static bool find_point(Basket *basket, const int (*pair)[2], int count) {
  const StSkins *skins = basket->finder->skins;
  int point = pair[0][0], far;
  size_t since = basket->count;
  double part;
  if (are_parked(basket->finder, skins->point_skin[point], skins->triangle_skin[pair[0][1]]))
    return true;
  if (!find_features(basket, point, &pair[0][1], count, 2, 1, since))
    return false;
  if (basket->count == since || skins->point_skin[point] != skins->triangle_skin[pair[0][1]])
    return true;
  if (!sort_candidates(basket, pair, count, &far, &part))
    return false;
  if (far == count)
    return true;
  basket->count = since;
  return (far == 0 || find_features(basket, point, basket->candidate, far, 1, 1, since)) &&
         find_features(basket, point, basket->candidate + far, count - far, 1, part, since);
}

// Whether a row of the list begins the triangles of another point or skin.
static bool begins_point(const StSkins *skins, const int (*pair)[2], int row) {
  return row == 0 || pair[row][0] != pair[row - 1][0] ||
         skins->triangle_skin[pair[row][1]] != skins->triangle_skin[pair[row - 1][1]];
}

// Points whose triangles start in these rows.
static bool find_points(Basket *basket, int begin, int end) {
  const StSkins *skins = basket->finder->skins;
  const StCandidateList *list = &basket->finder->candidates->list[ST_CANDIDATE_POINT_TRIANGLE];
  const int(*pair)[2] = (const int(*)[2])list->pair;
  while (begin < end && !begins_point(skins, pair, begin))
    begin++;
  for (int first = begin, last; first < end; first = last) {
    last = first + 1;
    while (last < list->count && !begins_point(skins, pair, last))
      last++;
    if (!find_point(basket, pair + first, last - first))
      return false;
  }
  return true;
}

static StEdgeStop stop_at(double param) {
  return param <= 0 ? ST_EDGE_FIRST : param >= 1 ? ST_EDGE_SECOND : ST_EDGE_INSIDE;
}

// The largest distance along an axis by which one edge is past the other. For most pairs of the
// list it exceeds the reach.
static double how_far_past(const double (*a)[3], const double (*b)[3]) {
  double most = 0;
  for (int c = 0; c < 3; c++) {
    bool a_falls = a[0][c] > a[1][c], b_falls = b[0][c] > b[1][c];
    double over = a[a_falls][c] - b[!b_falls][c], under = b[b_falls][c] - a[!a_falls][c];
    double past = over > under ? over : under;
    most = past > most ? past : most;
  }
  return most;
}

// If an end of one edge belongs to a face that is flush with a face at the other edge, the contact
// of that point replaces that of the edges; the farther it is beside the other edge, the less.
// Returns the fraction of the sharpness that is left to the edges.
static double left_by_ends(const StFinder *finder, const int edge[2], double reach) {
  const StSkins *skins = finder->skins;
  const StCoplanar flush = flush_within(finder, reach);
  double least = 1;
  for (int k = 0; k < 4; k++) {
    int end = skins->edge_place[2 * (size_t)edge[k / 2] + (size_t)(k % 2)];
    least = fmin(least, st_coplanar_beside(&flush, skins->point[end], edge[1 - k / 2]));
  }
  return least;
}

// A pair of edges counts wherever the closest points are on the edges. Their ends have contacts as
// points as well, but the normals of those may all differ from that of the edges.
static bool find_edge(Basket *basket, int a, int b) {
  const StSkins *skins = basket->finder->skins;
  const int *place[2] = {skins->edge_place + 2 * (size_t)a, skins->edge_place + 2 * (size_t)b};
  int skin[2] = {skins->edge_skin[a], skins->edge_skin[b]};
  if (are_parked(basket->finder, skin[0], skin[1]))
    return true;
  double x[4][3], param[2], square, radius = st_skins_radii(skins, skin[0], skin[1]);
  for (int k = 0; k < 4; k++)
    vec3_copy(basket->finder->place + 3 * (size_t)place[k / 2][k % 2], x[k]);
  double past = how_far_past((const double(*)[3])x, (const double(*)[3])x + 2);
  if (past > skins->most_reach + radius)
    return true; // laws are far away in memory: this saves a look at them
  double sharp = basket->finder->start.sharpness[a] * basket->finder->start.sharpness[b],
         part = st_contact_tunables.flat_reach + (1 - st_contact_tunables.flat_reach) * sharp;
  double whole = st_skins_reach(skins, skin[0], skin[1]), reach = part * whole + radius;
  double length = skins->edge_length[a] * skins->edge_length[b];
  if (past > reach || st_primitive_parallel((const double(*)[3])x, length * length))
    return true;
  st_primitive_edge_edge((const double(*)[3])x, param, &square);
  if (!(square < reach * reach))
    return true;
  if (skin[0] == skin[1]) {
    StCandidatePair candidates =
        st_candidates_pair(skins, ST_CANDIDATE_EDGE_EDGE, (const int[2]){a, b});
    part = fmin(part, st_resting_reach(skins, &candidates, whole) / whole);
  } else if (radius == 0) {
    sharp *= left_by_ends(basket->finder, (const int[2]){a, b}, whole);
    part = st_contact_tunables.flat_reach + (1 - st_contact_tunables.flat_reach) * sharp;
  }
  StFound *found = add_found(basket, st_skins_law(skins, skin[0], skin[1]));
  if (!found)
    return false;
  found->id = number(ST_EDGE_EDGE, a, b);
  found->primitive = (StPrimitive){.kind = ST_EDGE_EDGE,
                                   .stop = {stop_at(param[0]), stop_at(param[1])},
                                   .radius = radius,
                                   .rest_square = length * length};
  memcpy(found->place, place[0], 2 * sizeof(int));
  memcpy(found->place + 2, place[1], 2 * sizeof(int));
  found->weight = EDGE_PART * crossing_area(skins, a, b);
  found->part = part;
  return true;
}

static bool find_edges(Basket *basket, int begin, int end) {
  const StCandidateList *list = &basket->finder->candidates->list[ST_CANDIDATE_EDGE_EDGE];
  for (int i = begin; i < end; i++)
    if (!find_edge(basket, list->pair[2 * (size_t)i], list->pair[2 * (size_t)i + 1]))
      return false;
  return true;
}

// Finds contacts of a point with a loose feature: a capsule's edge or a sphere's centre.
static bool find_alone(Basket *basket, StCandidateKind kind, int begin, int end) {
  const StSkins *skins = basket->finder->skins;
  const StCandidateList *list = &basket->finder->candidates->list[kind];
  for (int i = begin; i < end; i++) {
    const int *pair = list->pair + 2 * (size_t)i;
    int point = pair[0], a = skins->point_skin[point];
    int b =
        kind == ST_CANDIDATE_POINT_EDGE ? skins->edge_skin[pair[1]] : skins->point_skin[pair[1]];
    StPointFeature feature = {.kind = ST_POINT_POINT, .count = 1, .triangle = -1};
    if (are_parked(basket->finder, a, b))
      continue;
    if (kind == ST_CANDIDATE_POINT_EDGE) {
      const int *place = skins->edge_place + 2 * (size_t)pair[1];
      double x[3][3];
      StClosest closest;
      vec3_copy(basket->finder->place + 3 * (size_t)skins->point_place[point], x[0]);
      vec3_copy(basket->finder->place + 3 * (size_t)place[0], x[1]);
      vec3_copy(basket->finder->place + 3 * (size_t)place[1], x[2]);
      st_primitive_point_edge((const double(*)[3])x, &closest);
      bool inside = closest.feature == ST_EDGE_0;
      feature.kind = inside ? ST_POINT_EDGE : ST_POINT_POINT;
      feature.feature = inside ? pair[1] : place[closest.feature - ST_CORNER_0];
    } else {
      feature.feature = skins->point_place[pair[1]];
    }
    if (!add_point(basket, point, st_skins_law(skins, a, b), &feature, st_skins_radii(skins, a, b),
                   skins->point_area[point], 1))
      return false;
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const StFound *f = *(const StFound *const *)a, *g = *(const StFound *const *)b;
  if (f->pair != g->pair)
    return f->pair < g->pair ? -1 : 1;
  return f->id < g->id ? -1 : f->id > g->id;
}

static int bucket_of(const StFinder *finder, const StFound *found) {
  return (int)(BUCKETS * (int64_t)found->pair / finder->pair_end);
}

static bool find_rows(Basket *basket, StCandidateKind kind, StSpan span) {
  switch (kind) {
  case ST_CANDIDATE_POINT_TRIANGLE: return find_points(basket, span.begin, span.end);
  case ST_CANDIDATE_EDGE_EDGE: return find_edges(basket, span.begin, span.end);
  default: return find_alone(basket, kind, span.begin, span.end);
  }
}

// Tasks of threads are ranges of rows of one kind, then of the next.
static void find_part(void *context, int part, int worker) {
  StFinder *finder = context;
  Basket *basket = &finder->basket[worker];
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++) {
    int rows = finder->candidates->list[kind].count, parts = st_span_count(rows, ROWS_AT_ONCE);
    if (part < parts) {
      StSpan span = st_span_part(rows, ROWS_AT_ONCE, part);
      basket->failed = !find_rows(basket, (StCandidateKind)kind, span) || basket->failed;
      return;
    }
    part -= parts;
  }
}

// Sorts all results into buckets by pair.
static void fill_buckets(StFinder *finder) {
  size_t *end = finder->bucket;
  memset(end, 0, (BUCKETS + 1) * sizeof(size_t));
  for (int i = 0; i < finder->basket_count; i++)
    for (size_t k = 0; k < finder->basket[i].count; k++)
      end[bucket_of(finder, &finder->basket[i].found[k]) + 1]++;
  for (int b = 0; b < BUCKETS; b++)
    end[b + 1] += end[b];
  for (int i = 0; i < finder->basket_count; i++)
    for (size_t k = 0; k < finder->basket[i].count; k++) {
      const StFound *found = &finder->basket[i].found[k];
      finder->found[end[bucket_of(finder, found)]++] = found;
    }
}

static void sort_bucket(const StFound **found, size_t count) {
  if (count > MOST_INSERTED) {
    qsort(found, count, sizeof *found, compare);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    const StFound *here = found[i];
    size_t k = i;
    for (; k > 0 && compare(&found[k - 1], &here) > 0; k--)
      found[k] = found[k - 1];
    found[k] = here;
  }
}

// Sorts each bucket. `bucket` has the ends of the buckets after they were filled.
static void sort_buckets(void *context, int begin, int end) {
  const StFinder *finder = context;
  for (int b = begin; b < end; b++) {
    size_t first = b > 0 ? finder->bucket[b - 1] : 0;
    sort_bucket(finder->found + first, finder->bucket[b] - first);
  }
}

// Gathers the results of all threads. Ids are unique, so the order of threads does not matter.
static bool gather(StFinder *finder) {
  finder->count = 0;
  for (int i = 0; i < finder->basket_count; i++) {
    finder->count += finder->basket[i].count;
    if (finder->basket[i].failed)
      return false;
  }
  if (!ST_GROW(finder->found, finder->capacity, finder->count))
    return false;
  if (finder->count == 0)
    return true;
  fill_buckets(finder);
  st_crew_sweep(finder->skins->crew, 0, BUCKETS, BUCKETS_AT_ONCE, sort_buckets, finder);
  return true;
}

bool st_finder_search(StFinder *finder, const StCandidates *candidates, const double *place,
                      StStepStart start, const bool *parked) {
  int parts = 0;
  finder->candidates = candidates;
  finder->place = place;
  finder->start = start;
  finder->parked = parked;
  for (int i = 0; i < finder->basket_count; i++) {
    finder->basket[i].count = 0;
    finder->basket[i].failed = false;
  }
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++)
    parts += st_span_count(candidates->list[kind].count, ROWS_AT_ONCE);
  st_crew_do(finder->skins->crew, parts, find_part, finder);
  return gather(finder);
}

const StFound *const *st_finder_found(const StFinder *finder, size_t *count) {
  *count = finder->count;
  return finder->found;
}

StStatus st_finder_create(const StSkins *skins, StFinder **result, StError *error) {
  int workers = st_crew_size(skins->crew);
  StFinder *finder = ST_OWNER(StFinder);
  ST_TRY_MEMORY(finder, error);
  finder->basket = ST_OWN(finder, Basket, workers);
  ST_TRY(st_owner_give(finder, result, error));
  finder->skins = skins;
  finder->pair_end = st_pairs_end(skins->description);
  finder->basket_count = workers;
  for (int i = 0; i < workers; i++)
    finder->basket[i].finder = finder;
  return ST_OK;
}

void st_finder_destroy(StFinder *finder) {
  if (!finder)
    return;
  for (int i = 0; i < finder->basket_count; i++) {
    free(finder->basket[i].found);
    free(finder->basket[i].candidate);
    st_point_features_free(&finder->basket[i].features);
  }
  free(finder->found);
  st_owner_free(finder);
}
