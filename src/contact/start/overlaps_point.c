// A point against the triangles of another skin: whether it is inside, and the way out. The nearest
// face need not be the way out: a corner slightly too deep in a top face may be nearest to a side
// face. A point can only touch faces that its own normal opposes, so only those are tried.
// Tested by tests/contact/test_separation.c.
#include "contact/core/closest_features.h"
#include "contact/start/overlaps.h"
#include "math/vec3.h"
#include "contact/tunables.h"

// Fraction of the activation distance: distances that differ by less are equal, and points closer
// than this to a sheet lie in it.
static const double SAME = 1e-6;

typedef enum Wanted { ANY, AGAINST, ALONG } Wanted;

typedef struct Nearest {
  // The query.
  const StOverlaps *overlaps;
  const double *x;
  const double *normal; // of the point
  Wanted wanted;        // any face; one opposed to the normal; one across it, either way
  double least;         // cosine for that
  double same;          // m
  // The result so far.
  int triangle; // -1: none
  double distance, fit;
  StClosest closest;
  double on[3];
} Nearest;

static double square_to_box(const StBounds *box, const double *x) {
  double square = 0;
  for (int c = 0; c < 3; c++) {
    double away = fmax(fmax(box->low[c] - x[c], x[c] - box->high[c]), 0);
    square += away * away;
  }
  return square;
}

static bool is_out_of_reach(const Nearest *nearest, const StBounds *box) {
  double most = nearest->distance + nearest->same;
  return square_to_box(box, nearest->x) > most * most;
}

// How well a face fits: the cosine of its normal with the point's, negated.
static bool fits(const Nearest *nearest, int triangle, double *fit) {
  double against =
      -vec3_dot(nearest->overlaps->triangle_normal + 3 * (size_t)triangle, nearest->normal);
  *fit = nearest->wanted == AGAINST ? against : fabs(against);
  return nearest->wanted == ANY || *fit > nearest->least;
}

static void try_triangle(Nearest *nearest, int triangle) {
  const StOverlaps *overlaps = nearest->overlaps;
  const int *place = overlaps->skins->triangle_place + 3 * (size_t)triangle;
  double x[4][3], fit;
  StClosest closest;
  if (!fits(nearest, triangle, &fit))
    return;
  vec3_copy(nearest->x, x[0]);
  for (int i = 0; i < 3; i++)
    vec3_copy(overlaps->position + 3 * (size_t)place[i], x[1 + i]);
  st_primitive_point_triangle((const double(*)[3])x, &closest);
  double distance = sqrt(closest.square);
  bool better = distance < nearest->distance - nearest->same ||
                (distance < nearest->distance + nearest->same && nearest->triangle >= 0 &&
                 fit > nearest->fit);
  if (!better)
    return;
  nearest->triangle = triangle;
  nearest->distance = distance;
  nearest->fit = fit;
  nearest->closest = closest;
  vec3_set(0, 0, 0, nearest->on);
  for (int i = 0; i < 3; i++)
    vec3_add_scaled(closest.share[i], x[1 + i], nearest->on);
}

static void descend(Nearest *nearest, int node) {
  const StSkinTree *tree = &nearest->overlaps->tree;
  const StTreeNode *at = &tree->node[node];
  if (is_out_of_reach(nearest, &at->box))
    return;
  for (int i = at->first; i < at->first + at->count; i++)
    if (tree->item[i].kind == ST_ITEM_TRIANGLE && !is_out_of_reach(nearest, &tree->item[i].box))
      try_triangle(nearest, tree->item[i].index);
  if (at->count)
    return;
  int child[2] = {node + 1, at->right};
  bool turn = square_to_box(&tree->node[child[1]].box, nearest->x) <
              square_to_box(&tree->node[child[0]].box, nearest->x);
  descend(nearest, child[turn]);
  descend(nearest, child[!turn]);
}

// Nearest fitting triangle of a skin, up to `most` away.
static Nearest find_nearest(const StOverlaps *overlaps, int place, int skin, Wanted wanted,
                            double least, double most, double same) {
  Nearest nearest = {.overlaps = overlaps,
                     .x = overlaps->position + 3 * (size_t)place,
                     .normal = overlaps->point_normal + 3 * (size_t)place,
                     .wanted = wanted,
                     .least = least,
                     .same = same,
                     .triangle = -1,
                     .distance = most};
  descend(&nearest, overlaps->tree.root[skin]);
  return nearest;
}

// Normal of the nearest feature: its sign is also right beside edges and corners.
static void feature_normal(const StOverlaps *overlaps, const Nearest *nearest, double normal[3]) {
  const StSkins *skins = overlaps->skins;
  size_t triangle = (size_t)nearest->triangle;
  StFeature feature = nearest->closest.feature;
  vec3_copy(overlaps->triangle_normal + 3 * triangle, normal);
  if (feature <= ST_CORNER_2) {
    int place = skins->triangle_place[3 * triangle + (size_t)(feature - ST_CORNER_0)];
    vec3_copy(overlaps->point_normal + 3 * (size_t)place, normal);
  } else if (feature <= ST_EDGE_2) {
    int edge = skins->triangle_edge[3 * triangle + (size_t)(feature - ST_EDGE_0)];
    const int *two = skins->edge_triangle + 2 * (size_t)edge;
    for (int k = 0; k < 2; k++)
      if (two[k] >= 0 && two[k] != nearest->triangle)
        vec3_add_scaled(1, overlaps->triangle_normal + 3 * (size_t)two[k], normal);
  }
}

static bool is_behind(const Nearest *nearest, const double normal[3]) {
  double arm[3];
  vec3_sub(nearest->x, nearest->on, arm);
  return vec3_dot(arm, normal) < 0;
}

// On the rim of a sheet, the direction away from its interior.
static void rim_direction(const StOverlaps *overlaps, int place, double out[3]) {
  const StSkins *skins = overlaps->skins;
  vec3_set(0, 0, 0, out);
  for (int i = skins->around[place]; i < skins->around[place + 1]; i++) {
    double arm[3];
    vec3_sub(overlaps->position + 3 * (size_t)skins->neighbour[i],
             overlaps->position + 3 * (size_t)place, arm);
    double length = vec3_length(arm);
    vec3_add_scaled(length > 0 ? -1 / length : 0, arm, out);
  }
}

static bool is_on_rim(const StOverlaps *overlaps, const Nearest *nearest) {
  const int *place = overlaps->skins->triangle_place + 3 * (size_t)nearest->triangle;
  for (int i = 0; i < 3; i++)
    if (nearest->closest.share[i] > 0 && !overlaps->rim[place[i]])
      return false;
  return nearest->closest.feature != ST_FACE;
}

// Orients a sheet's normal towards the side to which the point belongs. False: this point cannot
// decide; other points will.
static bool face_sheet(const StOverlaps *overlaps, int place, bool solid, const Nearest *nearest,
                       StOverlapSpot *spot) {
  const double *normal = overlaps->triangle_normal + 3 * (size_t)nearest->triangle;
  double out[3], arm[3], sign;
  vec3_sub(nearest->x, nearest->on, arm);
  rim_direction(overlaps, place, out);
  if (solid) {
    sign = -vec3_dot(normal, overlaps->point_normal + 3 * (size_t)place);
  } else if (overlaps->rim[place] &&
             fabs(vec3_dot(normal, out)) > st_contact_tunables.overlap_across * vec3_length(out)) {
    sign = -vec3_dot(normal, out);
  } else {
    spot->coincide = nearest->distance < nearest->same;
    sign = vec3_dot(normal, arm);
    if (spot->coincide && is_on_rim(overlaps, nearest))
      return false;
  }
  for (int c = 0; c < 3; c++)
    spot->normal[c] = sign < 0 ? -normal[c] : normal[c];
  return true;
}

// Outside, next to an edge or a corner: the direction to it, unless the point's own body is there.
static void round_corner(const StOverlaps *overlaps, int place, bool solid, const Nearest *nearest,
                         StOverlapSpot *spot) {
  double arm[3];
  vec3_sub(nearest->x, nearest->on, arm);
  double along = vec3_dot(arm, overlaps->point_normal + 3 * (size_t)place);
  if (nearest->closest.feature == ST_FACE || nearest->distance <= nearest->same ||
      (solid && along > -st_contact_tunables.overlap_opposed * nearest->distance))
    return;
  spot->gap = nearest->distance;
  for (int c = 0; c < 3; c++)
    spot->normal[c] = arm[c] / nearest->distance;
}

static void report(StOverlaps *overlaps, int point, int skin, const Nearest *way, bool inside) {
  int place = overlaps->skins->point_place[point], own = overlaps->skins->point_skin[point];
  StOverlapSpot spot = {0};
  double arm[3];
  vec3_sub(way->x, way->on, arm);
  vec3_copy(overlaps->triangle_normal + 3 * (size_t)way->triangle, spot.normal);
  if (!overlaps->solid[skin] && !face_sheet(overlaps, place, overlaps->solid[own], way, &spot))
    return;
  spot.gap = vec3_dot(spot.normal, arm);
  vec3_copy(way->x, spot.at);
  if (!inside)
    round_corner(overlaps, place, overlaps->solid[own], way, &spot);
  // A point outside overlaps only if it is connected with one that is inside.
  if (!inside && !overlaps->crossed[place] && spot.gap < -way->same)
    return;
  if (spot.gap < overlaps->share * st_skins_reach(overlaps->skins, own, skin))
    st_overlaps_add(overlaps, own, skin, &spot);
}

void st_overlaps_point(StOverlaps *overlaps, int point, int skin) {
  const StSkins *skins = overlaps->skins;
  int place = skins->point_place[point], own = skins->point_skin[point];
  double reach = st_skins_reach(skins, own, skin), close = overlaps->share * reach;
  double most = fmax(overlaps->deepest * st_overlaps_allowed(overlaps, own, skin), close);
  Nearest any = find_nearest(overlaps, place, skin, ANY, 0, most, SAME * reach);
  double normal[3];
  if (any.triangle < 0)
    return;
  feature_normal(overlaps, &any, normal);
  bool inside = overlaps->solid[skin] && is_behind(&any, normal);
  bool through = !overlaps->solid[skin] && overlaps->crossed[place];
  if (!inside && !through && !(any.distance < close))
    return;
  Nearest way = any;
  if (overlaps->solid[own])
    way = find_nearest(overlaps, place, skin, overlaps->solid[skin] ? AGAINST : ALONG,
                       st_contact_tunables.overlap_opposed, most, SAME * reach);
  else if (!overlaps->rim[place])
    way = find_nearest(overlaps, place, skin, ALONG, st_contact_tunables.overlap_across, most,
                       SAME * reach);
  if (way.triangle >= 0)
    report(overlaps, point, skin, &way, inside || through);
}
