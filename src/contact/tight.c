// Which skins are compared, and their geometry at given positions.
#include "contact/tight.h"

#include "base/memory.h"
#include "contact/obstacle.h"
#include "contact/skin_meet.h"
#include "math/vec3.h"
#include "model/rigid.h"

// Overlaps up to this fraction of the smaller body's size are corrected.
static const double ALLOWED = 0.05;
// Fraction of the activation distance above which an overlap is more than rounding.
static const double OVERLAPS = 1e-6;
// Cosine of normals that lead out in the same direction.
static const double SAME_WAY = 0.7;

static bool is_closed(const StSkins *skins, const StSkin *skin) {
  bool closed = skin->triangle_count > 0;
  for (int e = skin->first_edge; e < skin->first_edge + skin->edge_count; e++)
    closed = closed && skins->edge_adjacent[e] % 2 == 0;
  bool has_inside = skin->body < 0 || st_body_is_solid(&skins->description->body[skin->body]);
  return closed && has_inside;
}

static void mark_rims(StTight *tight) {
  const StSkins *skins = tight->skins;
  for (int e = 0; e < skins->edge_count; e++)
    for (int k = 0; k < 2 && skins->edge_adjacent[e] == 1; k++)
      tight->rim[skins->edge_place[2 * (size_t)e + (size_t)k]] = true;
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

StStatus st_tight_create(const StSkins *skins, StTight **result, StError *error) {
  StTight *tight = ST_NEW(StTight, 1);
  if (!tight)
    return st_fail_memory(error);
  size_t places = (size_t)skins->place_count;
  tight->skins = skins;
  tight->solid = ST_NEW(bool, skins->skin_count);
  tight->size = ST_NEW(double, skins->skin_count);
  tight->rim = ST_NEW(bool, places);
  tight->crossed = ST_NEW(bool, places);
  tight->bounds = ST_NEW(StBounds, places);
  tight->point_normal = ST_NEW(double, 3 * places);
  tight->triangle_normal = ST_NEW(double, 3 * (size_t)skins->triangle_count);
  bool good = tight->solid && tight->size && tight->rim && tight->crossed && tight->bounds &&
              tight->point_normal && tight->triangle_normal;
  StStatus status = good ? st_skin_tree_create(skins, &tight->tree, error) : st_fail_memory(error);
  if (status != ST_OK) {
    st_tight_destroy(tight);
    return status;
  }
  mark_rims(tight);
  for (int s = 0; s < skins->skin_count; s++) {
    tight->solid[s] = is_closed(skins, &skins->skin[s]);
    tight->size[s] = measure(skins, &skins->skin[s]);
  }
  *result = tight;
  return ST_OK;
}

void st_tight_destroy(StTight *tight) {
  if (!tight)
    return;
  st_skin_tree_free(&tight->tree);
  free(tight->solid);
  free(tight->size);
  free(tight->rim);
  free(tight->crossed);
  free(tight->bounds);
  free(tight->point_normal);
  free(tight->triangle_normal);
  free(tight->spot);
  free(tight);
}

double st_tight_allowed(const StTight *tight, int a, int b) {
  return ALLOWED * fmin(tight->size[a], tight->size[b]);
}

static void add(StTight *tight, const StTightSpot *spot) {
  if (!st_grow((void **)&tight->spot, &tight->capacity, tight->count + 1, sizeof *spot))
    tight->no_memory = true;
  else
    tight->spot[tight->count++] = *spot;
}

void st_tight_add(StTight *tight, int a, int b, const StTightSpot *spot) {
  const StSkin *first = &tight->skins->skin[a], *second = &tight->skins->skin[b];
  StTightSpot out = *spot;
  if (first->body < 0) { // a point of an obstacle: reported from the body's side
    const StSkin *swap = first;
    first = second;
    second = swap;
    for (int c = 0; c < 3; c++)
      out.normal[c] = -spot->normal[c];
  }
  out.who = (StParties){first->body, second->body, second->obstacle};
  out.reach = st_skins_reach(tight->skins, a, b);
  out.allowed = st_tight_allowed(tight, a, b);
  add(tight, &out);
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
static void find_normals(StTight *tight) {
  const StSkins *skins = tight->skins;
  for (size_t i = 0; i < 3 * (size_t)skins->place_count; i++)
    tight->point_normal[i] = 0;
  for (size_t t = 0; t < (size_t)skins->triangle_count; t++) {
    const int *place = skins->triangle_place + 3 * t;
    const double *corner[3];
    for (int i = 0; i < 3; i++)
      corner[i] = tight->position + 3 * (size_t)place[i];
    normal_of(corner, tight->triangle_normal + 3 * t);
    for (int i = 0; i < 3; i++)
      vec3_add_scaled(angle_at(corner, i), tight->triangle_normal + 3 * t,
                      tight->point_normal + 3 * (size_t)place[i]);
  }
  for (size_t p = 0; p < (size_t)skins->place_count; p++) {
    double *normal = tight->point_normal + 3 * p, length = vec3_length(normal);
    for (int c = 0; c < 3 && length > 0; c++)
      normal[c] /= length;
  }
}

static void fit(StTight *tight) {
  for (size_t p = 0; p < (size_t)tight->skins->place_count; p++) {
    vec3_copy(tight->position + 3 * p, tight->bounds[p].low);
    vec3_copy(tight->position + 3 * p, tight->bounds[p].high);
    tight->crossed[p] = false;
  }
  st_skin_tree_fit(&tight->tree, tight->bounds);
}

// Near enough for a point of the other skin to be checked.
static bool is_near(const StBounds *box, const double *x, double margin) {
  for (int c = 0; c < 3; c++)
    if (!(x[c] > box->low[c] - margin && x[c] < box->high[c] + margin))
      return false;
  return true;
}

static void look_at_points(StTight *tight, int a, int b) {
  const StSkins *skins = tight->skins;
  const StSkin *skin = &skins->skin[a];
  const StBounds *box = &tight->tree.node[tight->tree.root[b]].box;
  double margin = tight->share * st_skins_reach(skins, a, b);
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    int place = skins->point_place[i];
    if (tight->crossed[place] || is_near(box, tight->position + 3 * (size_t)place, margin))
      st_tight_point(tight, i, b);
  }
}

static void meet_items(void *context, const StItem *a, const StItem *b) {
  StTight *tight = context;
  for (int i = 0; i < a->edge_count; i++)
    for (int k = 0; k < b->edge_count; k++)
      st_tight_edges(tight, a->edge[i], b->edge[k], false);
}

// An edge that passes through a triangle should perhaps have stayed in front of one of the
// triangle's edges.
static void meet_crossing(void *context, int edge, int triangle) {
  StTight *tight = context;
  const StSkins *skins = tight->skins;
  for (int k = 0; k < 2; k++)
    tight->crossed[skins->edge_place[2 * (size_t)edge + (size_t)k]] = true;
  for (int i = 0; i < 3; i++)
    st_tight_edges(tight, edge, skins->triangle_edge[3 * (size_t)triangle + (size_t)i], true);
}

// If there are several ways out, takes the shortest: drops overlaps that another move would
// resolve. They are gone once the bodies have moved, or are found again. first: of the pair's
// spots.
static void keep_shortest_way(StTight *tight, size_t first) {
  const StTightSpot *least = NULL;
  size_t kept = first;
  for (size_t i = first; i < tight->count; i++) {
    const StTightSpot *spot = &tight->spot[i];
    if (spot->gap < -OVERLAPS * spot->reach && (!least || spot->gap > least->gap))
      least = spot;
  }
  if (!least)
    return;
  StTightSpot way = *least;
  for (size_t i = first; i < tight->count; i++) {
    const StTightSpot *spot = &tight->spot[i];
    double turn = spot->who.body == way.who.body ? 1 : -1;
    if (spot->gap >= -OVERLAPS * spot->reach ||
        turn * vec3_dot(spot->normal, way.normal) > SAME_WAY)
      tight->spot[kept++] = *spot;
  }
  tight->count = kept;
}

static void look_at_skins(StTight *tight, int a, int b) {
  double margin = tight->share * st_skins_reach(tight->skins, a, b);
  size_t first = tight->count;
  if (!st_skins_near(&tight->tree, a, b, margin + st_skins_radii(tight->skins, a, b)))
    return;
  if (st_skins_radii(tight->skins, a, b) > 0) {
    st_tight_rounded(tight, a, b);
    return;
  }
  st_skin_crossings(&tight->tree, tight->position, a, b, meet_crossing, tight);
  st_skin_meet(&tight->tree, a, b, margin, meet_items, tight);
  look_at_points(tight, a, b);
  look_at_points(tight, b, a);
  keep_shortest_way(tight, first);
}

static const StSkin *skin_of(const StSkins *skins, int body, int obstacle) {
  for (int s = 0; s < skins->skin_count; s++)
    if ((body >= 0 && skins->skin[s].body == body) ||
        (obstacle >= 0 && skins->skin[s].obstacle == obstacle))
      return &skins->skin[s];
  return NULL;
}

// A half-space: checking points is enough.
static void look_at_obstacle(StTight *tight, const StContactDesc *desc) {
  const StSkins *skins = tight->skins;
  const StSkin *skin = skin_of(skins, desc->collider, -1);
  StObstacleNow now;
  if (!skin || skin_of(skins, -1, desc->obstacle))
    return;
  st_obstacle_at(&skins->description->obstacle[desc->obstacle], tight->time, &now);
  StTightSpot spot = {.who = {desc->collider, -1, desc->obstacle},
                      .reach = desc->thickness,
                      .allowed = ALLOWED * tight->size[skin - skins->skin]};
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    const double *x = tight->position + 3 * (size_t)skins->point_place[i];
    spot.gap = st_obstacle_gap(&now, x, spot.normal);
    vec3_copy(x, spot.at);
    if (spot.gap < tight->share * spot.reach)
      add(tight, &spot);
  }
}

// Deepest first: resolving those usually resolves the others.
static int by_gap(const void *a, const void *b) {
  const StTightSpot *p = a, *q = b;
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

StStatus st_tight_find(StTight *tight, double time, const double *position, double share,
                       double deepest, StError *error) {
  const StSkins *skins = tight->skins;
  const StDescription *description = skins->description;
  tight->time = time;
  tight->position = position;
  tight->share = share;
  tight->deepest = deepest;
  tight->count = 0;
  tight->no_memory = false;
  find_normals(tight);
  fit(tight);
  for (int a = 0; a < skins->skin_count; a++)
    for (int b = a + 1; b < skins->skin_count; b++)
      if (st_skins_law(skins, a, b) >= 0)
        look_at_skins(tight, a, b);
  for (int i = 0; i < description->contact_count; i++)
    if (description->contact[i].obstacle >= 0)
      look_at_obstacle(tight, &description->contact[i]);
  if (tight->count > 0)
    qsort(tight->spot, tight->count, sizeof *tight->spot, by_gap);
  return tight->no_memory ? st_fail_memory(error) : ST_OK;
}

// Sum of solid angles of the triangles as seen from x (van Oosterom and Strackee), over 4π.
bool st_tight_inside(const StTight *tight, int s, const double *x) {
  const StSkins *skins = tight->skins;
  const StSkin *skin = &skins->skin[s];
  double sum = 0;
  for (int t = skin->first_triangle; t < skin->first_triangle + skin->triangle_count; t++) {
    double arm[3][3], length[3];
    for (int i = 0; i < 3; i++) {
      vec3_sub(tight->position + 3 * (size_t)skins->triangle_place[3 * (size_t)t + (size_t)i], x,
               arm[i]);
      length[i] = vec3_length(arm[i]);
    }
    double below = length[0] * length[1] * length[2] + vec3_dot(arm[0], arm[1]) * length[2] +
                   vec3_dot(arm[1], arm[2]) * length[0] + vec3_dot(arm[2], arm[0]) * length[1];
    sum += 2 * atan2(vec3_triple(arm[0], arm[1], arm[2]), below);
  }
  return sum > 2 * M_PI;
}
