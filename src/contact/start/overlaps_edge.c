// Overlaps of edges with edges, and of all features with a radius. Tested by
// tests/contact/test_separation.c.
#include "contact/broad_phase/candidates.h"
#include "contact/core/closest_features.h"
#include "contact/broad_phase/bvh_pairs.h"
#include "contact/start/overlaps.h"
#include "math/vec3.h"
#include "contact/tunables.h"

// Squared sine below which edges count as parallel: points and faces suffice then.
static const double PARALLEL = 1e-6;
// Of the activation distance: closer things coincide.
static const double COINCIDES = 1e-6;

static int third_corner(const StSkins *skins, int triangle, const int *edge) {
  const int *corner = skins->triangle_place + 3 * (size_t)triangle;
  for (int i = 0; i < 3; i++)
    if (corner[i] != edge[0] && corner[i] != edge[1])
      return corner[i];
  return corner[0];
}

// +1 or -1: on which side along n the outside of an edge is; 0: unknown. `known` is false if it is
// undefined: inner edges of sheets.
static int outside_along(const StOverlaps *overlaps, int edge, const double n[3], bool *known) {
  const StSkins *skins = overlaps->skins;
  const int *place = skins->edge_place + 2 * (size_t)edge;
  const int *triangle = skins->edge_triangle + 2 * (size_t)edge;
  double mean[3] = {0}, least = st_contact_tunables.overlap_along;
  *known = true;
  if (overlaps->solid[skins->edge_skin[edge]]) {
    for (int k = 0; k < 2 && triangle[k] >= 0; k++)
      vec3_add_scaled(1, overlaps->triangle_normal + 3 * (size_t)triangle[k], mean);
  } else if (skins->edge_adjacent[edge] == 1) {
    double along[3], inward[3];
    vec3_sub(overlaps->position + 3 * (size_t)place[1], overlaps->position + 3 * (size_t)place[0],
             along);
    vec3_sub(overlaps->position + 3 * (size_t)third_corner(skins, triangle[0], place),
             overlaps->position + 3 * (size_t)place[0], inward);
    vec3_copy(inward, mean);
    vec3_add_scaled(-vec3_dot(inward, along) / vec3_dot(along, along), along, mean);
    for (int c = 0; c < 3; c++)
      mean[c] = -mean[c];
    least = st_contact_tunables.overlap_across;
  } else {
    *known = false;
    return 0;
  }
  double length = vec3_length(mean), out = vec3_dot(mean, n);
  if (fabs(out) <= least * length) {
    *known = overlaps->solid[skins->edge_skin[edge]];
    return 0;
  }
  return out > 0 ? 1 : -1;
}

// Whether the triangles at an edge lie on the side of n, within a tolerance.
static bool is_behind(const StOverlaps *overlaps, int edge, const double n[3], double sign) {
  const StSkins *skins = overlaps->skins;
  const int *place = skins->edge_place + 2 * (size_t)edge;
  for (int k = 0; k < 2; k++) {
    int triangle = skins->edge_triangle[2 * (size_t)edge + (size_t)k];
    double arm[3];
    if (triangle < 0)
      continue;
    vec3_sub(overlaps->position + 3 * (size_t)third_corner(skins, triangle, place),
             overlaps->position + 3 * (size_t)place[0], arm);
    if (sign * vec3_dot(arm, n) < -st_contact_tunables.overlap_along * vec3_length(arm))
      return false;
  }
  return true;
}

static void gather(const StOverlaps *overlaps, const int *p, const int *q, double x[4][3]) {
  for (int k = 0; k < 2; k++) {
    vec3_copy(overlaps->position + 3 * (size_t)p[k], x[k]);
    vec3_copy(overlaps->position + 3 * (size_t)q[k], x[2 + k]);
  }
}

// The common unit normal of two edges; false: they are parallel.
static bool common_normal(const double x[4][3], double n[3]) {
  double a[3], b[3];
  vec3_sub(x[1], x[0], a);
  vec3_sub(x[3], x[2], b);
  vec3_cross(a, b, n);
  double square = vec3_dot(n, n);
  if (!(square > PARALLEL * vec3_dot(a, a) * vec3_dot(b, b)))
    return false;
  for (int c = 0; c < 3; c++)
    n[c] /= sqrt(square);
  return true;
}

// Orients n from b's outside to a's inside. False: the edges do not face each other that way. If
// neither edge determines a side, both stay on the sides they are on.
static bool turn_normal(const StOverlaps *overlaps, int a, int b, double gap, double n[3]) {
  bool known_a, known_b;
  int of_a = outside_along(overlaps, a, n, &known_a),
      of_b = outside_along(overlaps, b, n, &known_b);
  int sign = known_b ? of_b : known_a ? -of_a : gap < 0 ? -1 : 1;
  if (sign == 0 || (known_a && of_a != -sign))
    return false;
  for (int c = 0; c < 3; c++)
    n[c] *= sign;
  return is_behind(overlaps, a, n, 1) && is_behind(overlaps, b, n, -1);
}

static void fill_place(const double x[4][3], const double param[2], StOverlapSpot *spot,
                       double between[3]) {
  for (int c = 0; c < 3; c++) {
    spot->at[c] = x[0][c] + param[0] * (x[1][c] - x[0][c]);
    between[c] = spot->at[c] - (x[2][c] + param[1] * (x[3][c] - x[2][c]));
  }
}

void st_overlaps_edges(StOverlaps *overlaps, int a, int b, bool crossing) {
  const StSkins *skins = overlaps->skins;
  int skin[2] = {skins->edge_skin[a], skins->edge_skin[b]};
  double x[4][3], param[2], square, between[3];
  double reach = st_skins_reach(skins, skin[0], skin[1]);
  double deepest = overlaps->deepest * st_overlaps_allowed(overlaps, skin[0], skin[1]);
  StOverlapSpot spot = {0};
  gather(overlaps, skins->edge_place + 2 * (size_t)a, skins->edge_place + 2 * (size_t)b, x);
  if (!st_primitive_edge_edge((const double(*)[3])x, param, &square) ||
      square > fmax(deepest * deepest, reach * reach) ||
      !common_normal((const double(*)[3])x, spot.normal))
    return;
  fill_place((const double(*)[3])x, param, &spot, between);
  bool known[2];
  double gap = vec3_dot(spot.normal, between);
  outside_along(overlaps, a, spot.normal, &known[0]);
  outside_along(overlaps, b, spot.normal, &known[1]);
  if (!turn_normal(overlaps, a, b, gap, spot.normal))
    return;
  spot.gap = vec3_dot(spot.normal, between);
  spot.coincide = !known[0] && !known[1] && sqrt(square) < COINCIDES * reach;
  // Edges may face each other past their bodies; that is an overlap only where an edge crosses a
  // face.
  if (spot.gap < overlaps->share * reach && (crossing || spot.gap > -COINCIDES * reach))
    st_overlaps_add(overlaps, skin[0], skin[1], &spot);
}

// The nearest points of two features; count as in StCandidatePair.
static void nearest_points(const StCandidatePair *pair, const double x[4][3], double a[3],
                           double b[3]) {
  StClosest closest = {.share = {1}};
  double param[2], square;
  vec3_copy(x[0], a);
  if (pair->first_count == 2) {
    StOverlapSpot spot;
    double between[3];
    st_primitive_edge_edge(x, param, &square);
    fill_place(x, param, &spot, between);
    vec3_copy(spot.at, a);
    vec3_sub(spot.at, between, b);
    return;
  }
  if (pair->count == 4)
    st_primitive_point_triangle(x, &closest);
  else if (pair->count == 3)
    st_primitive_point_edge(x, &closest);
  vec3_set(0, 0, 0, b);
  for (int k = 1; k < pair->count; k++)
    vec3_add_scaled(closest.share[k - 1], x[k], b);
}

// With a radius there is a way out as long as the axis or centre is outside.
static void look_at_pair(StOverlaps *overlaps, StCandidateKind kind, int first, int second, int a,
                         int b) {
  const StCandidatePair pair = st_candidates_pair(overlaps->skins, kind, (int[2]){first, second});
  double x[4][3], on_a[3], on_b[3], between[3];
  for (int i = 0; i < pair.count; i++)
    vec3_copy(overlaps->position + 3 * (size_t)pair.place[i], x[i]);
  nearest_points(&pair, (const double(*)[3])x, on_a, on_b);
  vec3_sub(on_a, on_b, between);
  double distance = vec3_length(between);
  StOverlapSpot spot = {.gap = distance - pair.radii};
  if (!(spot.gap < overlaps->share * pair.reach) || !(distance > 0))
    return;
  for (int c = 0; c < 3; c++)
    spot.normal[c] = between[c] / distance;
  vec3_copy(on_b, spot.at);
  st_overlaps_add(overlaps, a, b, &spot);
}

typedef struct Rounded {
  StOverlaps *overlaps;
  int a, b;
} Rounded;

static const StCandidateKind kind_against[] = {[ST_ITEM_TRIANGLE] = ST_CANDIDATE_POINT_TRIANGLE,
                                               [ST_ITEM_EDGE] = ST_CANDIDATE_POINT_EDGE,
                                               [ST_ITEM_POINT] = ST_CANDIDATE_POINT_POINT};

static void meet_rounded(void *context, const StItem *a, const StItem *b) {
  const Rounded *rounded = context;
  for (int i = 0; i < a->point_count; i++)
    look_at_pair(rounded->overlaps, kind_against[b->kind], a->point[i], b->index, rounded->a,
                 rounded->b);
  for (int i = 0; i < b->point_count; i++)
    look_at_pair(rounded->overlaps, kind_against[a->kind], b->point[i], a->index, rounded->b,
                 rounded->a);
  for (int i = 0; i < a->edge_count; i++)
    for (int k = 0; k < b->edge_count; k++)
      look_at_pair(rounded->overlaps, ST_CANDIDATE_EDGE_EDGE, a->edge[i], b->edge[k], rounded->a,
                   rounded->b);
}

void st_overlaps_rounded(StOverlaps *overlaps, int a, int b) {
  Rounded rounded = {overlaps, a, b};
  double margin = st_skins_radii(overlaps->skins, a, b) +
                  overlaps->share * st_skins_reach(overlaps->skins, a, b);
  st_skin_pairs(&overlaps->tree, a, b, margin, meet_rounded, &rounded);
}
