// Which skins are compared, and their geometry at given positions. Tested by
// tests/contact/test_separation.c.
#include "contact/start/overlaps.h"

#include "base/memory.h"
#include "contact/broad_phase/bvh_pairs.h"
#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "model/body.h"
#include "model/contact_pairs.h"

#include "contact/tunables.h"

// Fraction of the activation distance above which an overlap is more than rounding.
static const double OVERLAPS = 1e-6;
// Cosine of normals that lead out in the same direction.

static bool is_closed(const StSkins *skins, const StSkin *skin) {
  bool closed = skin->triangle_count > 0;
  for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++)
    closed = closed && skins->edge_adjacent[e] % 2 == 0;
  bool has_inside = skin->body < 0 || st_body_is_solid(&skins->description->body[skin->body]);
  return closed && has_inside;
}

static void mark_rims(StOverlaps *overlaps) {
  const StSkins *skins = overlaps->skins;
  for (int e = 0; e < skins->edge_count; e++)
    for (int k = 0; k < 2 && skins->edge_adjacent[e] == 1; k++)
      overlaps->rim[skins->edge_place[2 * (size_t)e + (size_t)k]] = true;
}

static double measure(const StSkins *skins, const StSkin *skin) {
  const int *place = skins->point_place + skin->first_point;
  double middle[3] = {0}, farthest = 0;
  for (int i = 0; i < skin->point_count; i++)
    vec3_add_scaled(1.0 / skin->point_count, skins->rest + 3 * (size_t)place[i], middle);
  for (int i = 0; i < skin->point_count; i++) {
    double arm[3];
    vec3_sub(skins->rest + 3 * (size_t)place[i], middle, arm);
    farthest = fmax(farthest, vec3_length(arm));
  }
  return 2 * (farthest + skin->radius);
}

StStatus st_overlaps_create(const StSkins *skins, StOverlaps **result, StError *error) {
  StOverlaps *overlaps = ST_OWNER(StOverlaps);
  ST_TRY_MEMORY(overlaps, error);
  size_t places = (size_t)skins->place_count;
  overlaps->skins = skins;
  overlaps->solid = ST_OWN(overlaps, bool, skins->skin_count);
  overlaps->size = ST_OWN(overlaps, double, skins->skin_count);
  overlaps->rim = ST_OWN(overlaps, bool, places);
  overlaps->crossed = ST_OWN(overlaps, bool, places);
  overlaps->bounds = ST_OWN(overlaps, StBounds, places);
  overlaps->skin_box = ST_OWN(overlaps, double, 6 * (size_t)skins->skin_count);
  overlaps->point_normal = ST_OWN(overlaps, double, 3 * places);
  overlaps->triangle_normal = ST_OWN(overlaps, double, 3 * (size_t)skins->triangle_count);
  ST_TRY(st_owner_give(overlaps, result, error));
  ST_TRY(st_skin_tree_create(skins, &overlaps->tree, error));
  mark_rims(overlaps);
  for (int s = 0; s < skins->skin_count; s++) {
    overlaps->solid[s] = is_closed(skins, &skins->skin[s]);
    overlaps->size[s] = measure(skins, &skins->skin[s]);
  }
  return ST_OK;
}

void st_overlaps_destroy(StOverlaps *overlaps) {
  if (!overlaps)
    return;
  st_skin_tree_free(&overlaps->tree);
  st_box_pairs_free(&overlaps->near);
  free(overlaps->spot);
  st_owner_free(overlaps);
}

double st_overlaps_allowed(const StOverlaps *overlaps, int a, int b) {
  return st_contact_tunables.overlap_allowed * fmin(overlaps->size[a], overlaps->size[b]);
}

static void add(StOverlaps *overlaps, const StOverlapSpot *spot) {
  if (!ST_GROW(overlaps->spot, overlaps->capacity, overlaps->count + 1))
    overlaps->no_memory = true;
  else
    overlaps->spot[overlaps->count++] = *spot;
}

void st_overlaps_add(StOverlaps *overlaps, int a, int b, const StOverlapSpot *spot) {
  const StSkin *first = &overlaps->skins->skin[a], *second = &overlaps->skins->skin[b];
  StOverlapSpot out = *spot;
  if (first->body < 0) { // a point of an obstacle: the spot is reported from the body's side
    const StSkin *swap = first;
    first = second;
    second = swap;
    for (int c = 0; c < 3; c++)
      out.normal[c] = -spot->normal[c];
  }
  out.who = (StParties){first->body, second->body, second->obstacle};
  out.reach = st_skins_reach(overlaps->skins, a, b);
  out.allowed = st_overlaps_allowed(overlaps, a, b);
  add(overlaps, &out);
}

static double normal_of(const double *const corner[3], double normal[3]) {
  double u[3], v[3];
  vec3_sub(corner[1], corner[0], u);
  vec3_sub(corner[2], corner[0], v);
  vec3_cross(u, v, normal);
  double length = vec3_length(normal);
  for (int c = 0; c < 3; c++)
    normal[c] = length > 0 ? normal[c] / length : 0;
  return length;
}

static double angle_at(const double *const corner[3], int i) {
  double u[3], v[3], cross[3];
  vec3_sub(corner[(i + 1) % 3], corner[i], u);
  vec3_sub(corner[(i + 2) % 3], corner[i], v);
  vec3_cross(u, v, cross);
  return atan2(vec3_length(cross), vec3_dot(u, v));
}

// Weighted by angles, a corner's normal does not depend on how its faces are triangulated.
static void find_normals(StOverlaps *overlaps) {
  const StSkins *skins = overlaps->skins;
  for (size_t i = 0; i < 3 * (size_t)skins->place_count; i++)
    overlaps->point_normal[i] = 0;
  for (size_t t = 0; t < (size_t)skins->triangle_count; t++) {
    const int *place = skins->triangle_place + 3 * t;
    const double *corner[3];
    for (int i = 0; i < 3; i++)
      corner[i] = overlaps->position + 3 * (size_t)place[i];
    normal_of(corner, overlaps->triangle_normal + 3 * t);
    for (int i = 0; i < 3; i++)
      vec3_add_scaled(angle_at(corner, i), overlaps->triangle_normal + 3 * t,
                      overlaps->point_normal + 3 * (size_t)place[i]);
  }
  for (size_t p = 0; p < (size_t)skins->place_count; p++) {
    double *normal = overlaps->point_normal + 3 * p, length = vec3_length(normal);
    for (int c = 0; c < 3 && length > 0; c++)
      normal[c] /= length;
  }
}

static void fit(StOverlaps *overlaps) {
  for (size_t p = 0; p < (size_t)overlaps->skins->place_count; p++) {
    vec3_copy(overlaps->position + 3 * p, overlaps->bounds[p].low);
    vec3_copy(overlaps->position + 3 * p, overlaps->bounds[p].high);
    overlaps->crossed[p] = false;
  }
  st_skin_tree_fit(&overlaps->tree, overlaps->bounds);
}

// Whether a point is close enough to the other skin to be checked.
static bool is_near(const StBounds *box, const double *x, double margin) {
  for (int c = 0; c < 3; c++)
    if (!(x[c] > box->low[c] - margin && x[c] < box->high[c] + margin))
      return false;
  return true;
}

static void look_at_points(StOverlaps *overlaps, int a, int b) {
  const StSkins *skins = overlaps->skins;
  const StSkin *skin = &skins->skin[a];
  const StBounds *box = &overlaps->tree.node[overlaps->tree.root[b]].box;
  double margin = overlaps->share * st_skins_reach(skins, a, b);
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    int place = skins->point_place[i];
    if (overlaps->crossed[place] || is_near(box, overlaps->position + 3 * (size_t)place, margin))
      st_overlaps_point(overlaps, i, b);
  }
}

static void meet_items(void *context, const StItem *a, const StItem *b) {
  StOverlaps *overlaps = context;
  for (int i = 0; i < a->edge_count; i++)
    for (int k = 0; k < b->edge_count; k++)
      st_overlaps_edges(overlaps, a->edge[i], b->edge[k], false);
}

// If an edge passes through a triangle, it may have to return to the front of one of the triangle's
// edges.
static void meet_crossing(void *context, int edge, int triangle) {
  StOverlaps *overlaps = context;
  const StSkins *skins = overlaps->skins;
  for (int k = 0; k < 2; k++)
    overlaps->crossed[skins->edge_place[2 * (size_t)edge + (size_t)k]] = true;
  for (int i = 0; i < 3; i++)
    st_overlaps_edges(overlaps, edge, skins->triangle_edge[3 * (size_t)triangle + (size_t)i], true);
}

// If there are several ways out, keeps the shortest: drops overlaps that another move would
// resolve. They are gone once the bodies have moved, or are found again. first: the first of the
// pair's spots.
static void keep_shortest_way(StOverlaps *overlaps, size_t first) {
  const StOverlapSpot *least = NULL;
  size_t kept = first;
  for (size_t i = first; i < overlaps->count; i++) {
    const StOverlapSpot *spot = &overlaps->spot[i];
    if (spot->gap < -OVERLAPS * spot->reach && (!least || spot->gap > least->gap))
      least = spot;
  }
  if (!least)
    return;
  StOverlapSpot way = *least;
  for (size_t i = first; i < overlaps->count; i++) {
    const StOverlapSpot *spot = &overlaps->spot[i];
    double turn = spot->who.body == way.who.body ? 1 : -1;
    if (spot->gap >= -OVERLAPS * spot->reach ||
        turn * vec3_dot(spot->normal, way.normal) > st_contact_tunables.overlap_same_way)
      overlaps->spot[kept++] = *spot;
  }
  overlaps->count = kept;
}

static void look_at_skins(StOverlaps *overlaps, int a, int b) {
  double margin = overlaps->share * st_skins_reach(overlaps->skins, a, b);
  size_t first = overlaps->count;
  if (!st_skins_near(&overlaps->tree, a, b, margin + st_skins_radii(overlaps->skins, a, b)))
    return;
  if (st_skins_radii(overlaps->skins, a, b) > 0) {
    st_overlaps_rounded(overlaps, a, b);
    return;
  }
  st_skin_crossings(&overlaps->tree, overlaps->position, a, b, meet_crossing, overlaps);
  st_skin_pairs(&overlaps->tree, a, b, margin, meet_items, overlaps);
  look_at_points(overlaps, a, b);
  look_at_points(overlaps, b, a);
  keep_shortest_way(overlaps, first);
}

// A half-space: checking points is enough.
static void look_at_obstacle(StOverlaps *overlaps, int index, int obstacle) {
  const StSkins *skins = overlaps->skins;
  const StSkin *skin = &skins->skin[index];
  StObstacleNow now;
  if (skin->body < 0 || st_skins_of_obstacle(skins, obstacle) >= 0)
    return;
  double reach =
      st_pair_reach(skins->description, skin->body, skins->description->body_count + obstacle);
  if (reach < 0)
    return;
  st_obstacle_at(&skins->description->obstacle[obstacle], overlaps->time, &now);
  StOverlapSpot spot = {.who = {skin->body, -1, obstacle},
                        .reach = reach,
                        .allowed = st_contact_tunables.overlap_allowed * overlaps->size[index]};
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    const double *x = overlaps->position + 3 * (size_t)skins->point_place[i];
    spot.gap = st_obstacle_gap(&now, x, spot.normal);
    vec3_copy(x, spot.at);
    if (spot.gap < overlaps->share * spot.reach)
      add(overlaps, &spot);
  }
}

static void bound_skins(StOverlaps *overlaps) {
  const StSkins *skins = overlaps->skins;
  for (int s = 0; s < skins->skin_count; s++) {
    int root = overlaps->tree.root[s];
    const StBounds *box = root < 0 ? NULL : &overlaps->tree.node[root].box;
    double more = skins->skin[s].radius + fmax(overlaps->share, 0) * skins->most_reach / 2;
    for (int c = 0; c < 3; c++) {
      overlaps->skin_box[6 * s + c] = box ? box->low[c] - more : INFINITY;
      overlaps->skin_box[6 * s + 3 + c] = box ? box->high[c] + more : -INFINITY;
    }
  }
}

// Deepest first: resolving these usually resolves the others.
static int by_gap(const void *a, const void *b) {
  const StOverlapSpot *p = a, *q = b;
  const double key[2][4] = {{p->gap, p->at[0], p->at[1], p->at[2]},
                            {q->gap, q->at[0], q->at[1], q->at[2]}};
  for (int i = 0; i < 4; i++)
    if (key[0][i] != key[1][i])
      return key[0][i] < key[1][i] ? -1 : 1;
  if (p->who.body != q->who.body)
    return p->who.body - q->who.body;
  return p->who.other != q->who.other ? p->who.other - q->who.other
                                      : p->who.obstacle - q->who.obstacle;
}

StStatus st_overlaps_find(StOverlaps *overlaps, double time, const double *position, double share,
                          double deepest, StError *error) {
  const StSkins *skins = overlaps->skins;
  const StDescription *description = skins->description;
  overlaps->time = time;
  overlaps->position = position;
  overlaps->share = share;
  overlaps->deepest = deepest;
  overlaps->count = 0;
  overlaps->no_memory = false;
  find_normals(overlaps);
  fit(overlaps);
  bound_skins(overlaps);
  if (!st_box_pairs_find(skins->skin_count, overlaps->skin_box, &overlaps->near))
    return st_fail_memory(error);
  for (size_t i = 0; i < overlaps->near.count; i++)
    if (st_skins_law(skins, overlaps->near.pair[i][0], overlaps->near.pair[i][1]) >= 0)
      look_at_skins(overlaps, overlaps->near.pair[i][0], overlaps->near.pair[i][1]);
  for (int s = 0; s < skins->skin_count; s++)
    for (int o = 0; o < description->obstacle_count; o++)
      look_at_obstacle(overlaps, s, o);
  if (overlaps->count > 0)
    qsort(overlaps->spot, overlaps->count, sizeof *overlaps->spot, by_gap);
  return overlaps->no_memory ? st_fail_memory(error) : ST_OK;
}

// Sum of solid angles of the triangles as seen from x (van Oosterom and Strackee), over 4π.
bool st_overlaps_inside(const StOverlaps *overlaps, int s, const double *x) {
  const StSkins *skins = overlaps->skins;
  const StSkin *skin = &skins->skin[s];
  double sum = 0;
  for (int t = skin->first_triangle; t < skin->first_triangle + skin->triangle_count; t++) {
    double arm[3][3], length[3];
    for (int i = 0; i < 3; i++) {
      vec3_sub(overlaps->position + 3 * (size_t)skins->triangle_place[3 * (size_t)t + (size_t)i], x,
               arm[i]);
      length[i] = vec3_length(arm[i]);
    }
    double below = length[0] * length[1] * length[2] + vec3_dot(arm[0], arm[1]) * length[2] +
                   vec3_dot(arm[1], arm[2]) * length[0] + vec3_dot(arm[2], arm[0]) * length[1];
    sum += 2 * atan2(vec3_triple(arm[0], arm[1], arm[2]), below);
  }
  return sum > 2 * M_PI;
}
