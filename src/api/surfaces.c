// Searches trees of boxes, with distances to triangles and obstacles in closed form.
#include "api/surfaces.h"

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "contact/core/obstacle.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

static StStatus build_tree(const StMesh *mesh, StSurfaceTree *surface, StError *error) {
  int count = 0;
  ST_TRY(st_contacts_skin(mesh, &surface->corner, &count, error));
  ST_TRY_MEMORY(surface->order = ST_NEW(int, count), error);
  ST_TRY(st_box_tree_create(3, count, surface->corner, mesh->position, surface->order,
                            &surface->tree, error));
  st_box_tree_fit(&surface->tree, mesh->position);
  return ST_OK;
}

static StStatus build(StSurfaces *surfaces, StError *error) {
  const StDescription *description = surfaces->description;
  surfaces->body = ST_NEW(StSurfaceTree, description->body_count);
  surfaces->obstacle = ST_NEW(StSurfaceTree, description->obstacle_count);
  ST_TRY_MEMORY(surfaces->body && surfaces->obstacle, error);
  for (int i = 0; i < description->body_count; i++)
    ST_TRY(build_tree(description->body[i].mesh, &surfaces->body[i], error));
  for (int i = 0; i < description->obstacle_count; i++)
    if (description->obstacle[i].mesh)
      ST_TRY(build_tree(description->obstacle[i].mesh, &surfaces->obstacle[i], error));
  return ST_OK;
}

StStatus st_surfaces_create(const StDescription *description, StSurfaces **result, StError *error) {
  StSurfaces *surfaces = ST_NEW(StSurfaces, 1);
  ST_TRY_MEMORY(surfaces, error);
  surfaces->description = description;
  StStatus status = build(surfaces, error);
  if (status == ST_OK)
    *result = surfaces;
  else
    st_surfaces_destroy(surfaces);
  return status;
}

static void free_tree(StSurfaceTree *surface) {
  st_box_tree_free(&surface->tree);
  free(surface->corner);
  free(surface->order);
}

void st_surfaces_destroy(StSurfaces *surfaces) {
  if (!surfaces)
    return;
  for (int i = 0; surfaces->body && i < surfaces->description->body_count; i++)
    free_tree(&surfaces->body[i]);
  for (int i = 0; surfaces->obstacle && i < surfaces->description->obstacle_count; i++)
    free_tree(&surfaces->obstacle[i]);
  free(surfaces->body);
  free(surfaces->obstacle);
  free(surfaces);
}

static const double *positions_of(const StSurfaces *surfaces, int body, const double *position) {
  for (int b = 0; b < body; b++)
    position += 3 * (size_t)surfaces->description->body[b].mesh->vertex_count;
  return position;
}

void st_surfaces_fit(StSurfaces *surfaces, const double *position) {
  for (int b = 0; b < surfaces->description->body_count; b++)
    st_box_tree_fit(&surfaces->body[b].tree, positions_of(surfaces, b, position));
}

// A triangle's corner, and the edges from it to the others.
typedef struct Corner {
  const double *at;
  double edge[2][3];
} Corner;

static Corner corner_of(const double *position, const int *vertex) {
  Corner corner = {.at = position + 3 * (size_t)vertex[0]};
  for (int k = 0; k < 2; k++)
    vec3_sub(position + 3 * (size_t)vertex[k + 1], corner.at, corner.edge[k]);
  return corner;
}

static double clamp(double value) {
  return fmax(0, fmin(1, value));
}

// Part of the way from a to b that is nearest to a point, as seen from the first corner.
static double along(const double from[3], const double to[3], const double point[3]) {
  double way[3], arm[3];
  vec3_sub(to, from, way);
  vec3_sub(point, from, arm);
  double square = vec3_dot(way, way);
  return square > 0 ? clamp(vec3_dot(arm, way) / square) : 0;
}

static double distance_at(const Corner *corner, const double point[3], const double weight[3]) {
  double way[3];
  for (int c = 0; c < 3; c++)
    way[c] = weight[1] * corner->edge[0][c] + weight[2] * corner->edge[1][c] - point[c];
  return vec3_length(way);
}

// The nearest of the three edges. point: from the first corner.
static double nearest_edge(const Corner *corner, const double point[3], double weight[3]) {
  static const double zero[3] = {0};
  const double *end[3] = {zero, corner->edge[0], corner->edge[1]};
  double best = INFINITY;
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3;
    double part = along(end[k], end[next], point), trial[3] = {0};
    trial[k] = 1 - part;
    trial[next] = part;
    double distance = distance_at(corner, point, trial);
    if (distance < best) {
      best = distance;
      memcpy(weight, trial, sizeof trial);
    }
  }
  return best;
}

// Inside the triangle where the foot of the point falls into it, else on an edge.
static double nearest_weights(const Corner *corner, const double origin[3], double weight[3]) {
  double point[3], a = vec3_dot(corner->edge[0], corner->edge[0]);
  double b = vec3_dot(corner->edge[0], corner->edge[1]);
  double c = vec3_dot(corner->edge[1], corner->edge[1]), det = a * c - b * b;
  vec3_sub(origin, corner->at, point);
  double d = vec3_dot(corner->edge[0], point), e = vec3_dot(corner->edge[1], point);
  weight[1] = (c * d - b * e) / det;
  weight[2] = (a * e - b * d) / det;
  weight[0] = 1 - weight[1] - weight[2];
  if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0) // not so where det is 0
    return distance_at(corner, point, weight);
  return nearest_edge(corner, point, weight);
}

// Where the line meets the triangle's plane, within it; INFINITY: nowhere ahead.
static double meet_weights(const Corner *corner, const double origin[3], const double direction[3],
                           double weight[3]) {
  double across[3], arm[3], turned[3];
  vec3_cross(direction, corner->edge[1], across);
  double det = vec3_dot(corner->edge[0], across);
  vec3_sub(origin, corner->at, arm);
  vec3_cross(arm, corner->edge[0], turned);
  weight[1] = vec3_dot(arm, across) / det;
  weight[2] = vec3_dot(direction, turned) / det;
  weight[0] = 1 - weight[1] - weight[2];
  double distance = vec3_dot(corner->edge[1], turned) / det;
  bool inside = weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0;
  return inside && distance >= 0 ? distance : INFINITY; // nor where det is 0
}

// Lower bound of the distance to a box.
static double box_distance(const StBox *box, const double x[3]) {
  double square = 0;
  for (int c = 0; c < 3; c++) {
    double out = fmax(fmax(box->low[c] - x[c], x[c] - box->high[c]), 0);
    square += out * out;
  }
  return sqrt(square);
}

static double box_entry(const StBox *box, const double x[3], const double direction[3]) {
  double first = 0, last = INFINITY;
  for (int c = 0; c < 3; c++) {
    double low = (box->low[c] - x[c]) / direction[c], high = (box->high[c] - x[c]) / direction[c];
    if (direction[c] == 0) {
      bool between = x[c] >= box->low[c] && x[c] <= box->high[c];
      low = between ? -INFINITY : INFINITY;
      high = INFINITY;
    }
    first = fmax(first, fmin(low, high));
    last = fmin(last, fmax(low, high));
  }
  return first <= last ? first : INFINITY;
}

typedef struct Search {
  const double *origin, *direction;
  const double *position;
  const StSurfaceTree *surface;
  double best; // farther away is of no interest
  int item;    // -1: none is nearer
  double weight[3];
} Search;

static double bound(const Search *search, int node) {
  const StBox *box = &search->surface->tree.node[node].box;
  return search->direction ? box_entry(box, search->origin, search->direction)
                           : box_distance(box, search->origin);
}

static void look_at(Search *search, int item) {
  Corner corner = corner_of(search->position, search->surface->corner + 3 * (size_t)item);
  double weight[3];
  double distance = search->direction
                        ? meet_weights(&corner, search->origin, search->direction, weight)
                        : nearest_weights(&corner, search->origin, weight);
  if (!(distance <= search->best) || (search->item >= 0 && distance == search->best))
    return;
  search->best = distance;
  search->item = item;
  memcpy(search->weight, weight, sizeof weight);
}

static void walk(Search *search, int index) {
  const StBoxNode *node = &search->surface->tree.node[index];
  if (node->count > 0) {
    for (int i = node->first; i < node->first + node->count; i++)
      look_at(search, i);
    return;
  }
  int near = index + 1, far = node->right;
  if (bound(search, far) < bound(search, near)) {
    near = node->right;
    far = index + 1;
  }
  if (bound(search, near) <= search->best)
    walk(search, near);
  if (bound(search, far) <= search->best)
    walk(search, far);
}

static const StictionHit NOTHING = {
    .body = -1, .obstacle = -1, .triangle = -1, .distance = INFINITY};

// The hit on a tree, in the frame that the search was made in.
static StictionHit search_tree(const StSurfaceTree *surface, const double *position,
                               const double *origin, const double *direction, double reach) {
  StictionHit hit = NOTHING;
  Search search = {origin, direction, position, surface, reach, -1, {0}};
  if (surface->tree.node_count > 0 && bound(&search, 0) <= reach)
    walk(&search, 0);
  if (search.item < 0)
    return hit;
  const int *vertex = surface->corner + 3 * (size_t)search.item;
  Corner corner = corner_of(position, vertex);
  hit.triangle = surface->order[search.item];
  hit.distance = search.best;
  memcpy(hit.weight, search.weight, sizeof hit.weight);
  for (int k = 0; k < 3; k++)
    vec3_add_scaled(search.weight[k], position + 3 * (size_t)vertex[k], hit.point);
  vec3_cross(corner.edge[0], corner.edge[1], hit.normal);
  double length = vec3_length(hit.normal);
  for (int c = 0; c < 3 && length > 0; c++)
    hit.normal[c] /= length;
  return hit;
}

static StictionHit ask_body(const StSurfaces *surfaces, int body, const double *position,
                            const StSurfaceQuery *query, double reach) {
  StictionHit hit = search_tree(&surfaces->body[body], positions_of(surfaces, body, position),
                                query->origin, query->direction, reach);
  hit.body = hit.triangle >= 0 ? body : -1;
  return hit;
}

static void turn_into(const double rotation[9], const double x[3], double own[3]) {
  for (int i = 0; i < 3; i++)
    own[i] = rotation[i] * x[0] + rotation[3 + i] * x[1] + rotation[6 + i] * x[2];
}

static StictionHit ask_mesh(const StSurfaceTree *surface, const StMesh *mesh,
                            const StObstacleNow *now, const StSurfaceQuery *query, double reach) {
  double origin[3], direction[3], world[3];
  st_obstacle_to_own(now, query->origin, origin);
  if (query->direction)
    turn_into(now->rotation, query->direction, direction);
  StictionHit hit =
      search_tree(surface, mesh->position, origin, query->direction ? direction : NULL, reach);
  if (hit.triangle < 0)
    return hit;
  st_obstacle_to_world(now, hit.point, world);
  vec3_copy(world, hit.point);
  mat3_apply(now->rotation, hit.normal, world);
  vec3_copy(world, hit.normal);
  return hit;
}

enum { MOST_STRIDES = 500 };
static const double CLOSE = 1e-12; // of what has been passed, or of a metre

// Sphere tracing: a ray may advance by the distance to the surface, repeatedly.
static double stride(const StObstacleNow *now, const StSurfaceQuery *query, double reach,
                     double point[3], double normal[3]) {
  double passed = 0;
  for (int k = 0; k < MOST_STRIDES && passed <= reach; k++) {
    vec3_copy(query->origin, point);
    vec3_add_scaled(passed, query->direction, point);
    double gap = fabs(st_obstacle_gap(now, point, normal));
    if (gap <= CLOSE * (1 + passed))
      return passed;
    passed += gap;
  }
  return INFINITY;
}

static StictionHit ask_shape(const StObstacleNow *now, const StSurfaceQuery *query, double reach) {
  StictionHit hit = NOTHING;
  if (query->direction) {
    hit.distance = stride(now, query, reach, hit.point, hit.normal);
  } else {
    double gap = st_obstacle_gap(now, query->origin, hit.normal);
    vec3_copy(query->origin, hit.point);
    vec3_add_scaled(-gap, hit.normal, hit.point);
    hit.distance = fabs(gap);
  }
  return hit.distance <= reach ? hit : NOTHING;
}

static StictionHit ask_obstacle(const StSurfaces *surfaces, int index, const StSurfaceQuery *query,
                                double reach) {
  const StObstacleDesc *desc = &surfaces->description->obstacle[index];
  StObstacleNow now;
  st_obstacle_at(desc, query->time, &now);
  StictionHit hit = desc->mesh
                        ? ask_mesh(&surfaces->obstacle[index], desc->mesh, &now, query, reach)
                        : ask_shape(&now, query, reach);
  hit.obstacle = isfinite(hit.distance) ? index : -1;
  hit.triangle = -1;
  return hit;
}

StictionHit st_surfaces_ask(const StSurfaces *surfaces, const double *position,
                            const StSurfaceQuery *query) {
  const StDescription *description = surfaces->description;
  bool all = query->body < 0 && query->obstacle < 0;
  StictionHit best = NOTHING;
  double reach = query->reach;
  for (int b = 0; b < description->body_count; b++) {
    if (!all && b != query->body)
      continue;
    StictionHit hit = ask_body(surfaces, b, position, query, reach);
    if (hit.distance < best.distance)
      best = hit;
    reach = fmin(reach, best.distance);
  }
  for (int o = 0; o < description->obstacle_count; o++) {
    if (!all && o != query->obstacle)
      continue;
    StictionHit hit = ask_obstacle(surfaces, o, query, reach);
    if (hit.distance < best.distance)
      best = hit;
    reach = fmin(reach, best.distance);
  }
  return best;
}
