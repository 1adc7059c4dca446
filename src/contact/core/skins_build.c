// Builds skins. Each skin is first a triangle soup (or a loose edge or point) with its own
// numbering, in which everything is known. The part that this rank knows is then appended to the
// arrays. Tested by tests/contact/test_skins.c.
#include "contact/core/skins.h"

#include "base/memory.h"
#include "contact/barrier/facing_area.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "mesh/edge.h"
#include "model/contact_pairs.h"
#include "contact/tunables.h"

#include <string.h>

// A skin in its own numbers.
typedef struct Soup {
  StSkin skin;
  int vertex_count;
  const double *position; // [vertex_count][3], in the frame where areas are computed
  double *own_position;   // the same if it was made here
  int *place;             // [vertex_count] -1: unknown on this rank
  int triangle_count;
  int *triangle;
  bool loose_edge, loose_point; // a capsule: vertices 0 and 1; a sphere: vertex 0
  double reach;                 // largest activation distance, for areas of loose features
} Soup;

typedef struct Builder {
  StSkins *skins;
  const StPiece *piece;
  int soup_count;
  Soup *soup;
  int *local;         // [vertices] of the description → the piece's
  StEdgeList edges;   // of the current soup, …
  int *edge_of;       // … [3 triangles] number of the run an edge is in, …
  double *area;       // … [vertex_count] a third of triangles' areas, …
  bool *used;         // … [vertex_count] used by some feature, …
  int *triangle_here; // … [triangle_count] index among the triangles of all skins; -1: unknown
} Builder;

static const StObstacleDesc *obstacle_of(const StSkins *skins, const StSkin *skin) {
  return &skins->description->obstacle[skin->obstacle];
}

static bool has_shape(const StObstacleDesc *desc, const char *name) {
  return strcmp(desc->shape.name, name) == 0;
}

static bool has_skin(const StObstacleDesc *desc) {
  return desc->mesh || has_shape(desc, "box") || has_shape(desc, "sphere") ||
         has_shape(desc, "capsule") || has_shape(desc, "cylinder");
}

// Range of activation distances of an obstacle; most < 0: it has no contacts.
typedef struct Reach {
  double least, most;
} Reach;

static void widen(Reach *reach, double thickness) {
  if (thickness < 0)
    return;
  reach->least = fmin(reach->least, thickness);
  reach->most = fmax(reach->most, thickness);
}

static Reach find_reach(const StDescription *description, int obstacle) {
  const StContactRule *rule = description->contact_rule;
  Reach reach = {INFINITY, -1};
  for (int b = 0; rule && b < description->body_count; b++)
    widen(&reach, rule->reach(rule, b, description->body_count + obstacle));
  for (int i = 0; !rule && i < description->contact_count; i++)
    if (description->contact[i].obstacle == obstacle)
      widen(&reach, description->contact[i].thickness);
  return reach;
}

static StStatus gather_body(Builder *builder, int body, int offset, StError *error) {
  const StMesh *mesh = builder->skins->description->body[body].mesh;
  Soup *soup = &builder->soup[builder->soup_count++];
  *soup = (Soup){.skin = {.body = body, .obstacle = -1, .whole = true},
                 .vertex_count = mesh->vertex_count,
                 .position = mesh->position};
  ST_TRY(st_contacts_skin(mesh, &soup->triangle, &soup->triangle_count, error));
  if (!(soup->place = ST_NEW(int, mesh->vertex_count)))
    return st_fail_memory(error);
  memcpy(soup->place, builder->local + offset, (size_t)mesh->vertex_count * sizeof(int));
  for (int i = 0; i < 3 * soup->triangle_count; i++)
    if (soup->place[soup->triangle[i]] < 0)
      soup->skin.whole = false;
  return ST_OK;
}

// Corner i of a box of size value[3] about its origin: its bits give the side along each axis.
static StStatus shape_box(Soup *soup, const double *value, StError *error) {
  static const int triangle[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  soup->vertex_count = 8;
  soup->triangle_count = 12;
  soup->own_position = ST_NEW(double, 24);
  soup->triangle = ST_NEW(int, 36);
  if (!soup->own_position || !soup->triangle)
    return st_fail_memory(error);
  memcpy(soup->triangle, triangle, sizeof triangle);
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 3; c++)
      soup->own_position[3 * i + c] = (i >> c & 1 ? 0.5 : -0.5) * value[c];
  return ST_OK;
}

enum { PRISM_LEAST = 16, PRISM_MOST = 2048 };

static int count_sides(double radius, double reach) {
  int sides = PRISM_LEAST;
  while (sides < PRISM_MOST &&
         radius * (1 / cos(M_PI / sides) - 1) > st_contact_tunables.prism_deviation * reach)
    sides *= 2;
  return sides;
}

// Triangles over every second corner of the polygon, then over every second of the remaining ones,
// and so on, so that no corner gets many. upper: which end, 1 or 0; corners of the upper end come
// first.
static int *add_end(int *corner, int sides, int upper) {
  for (int step = 1; step < sides / 2; step *= 2)
    for (int i = 0; i < sides; i += 2 * step, corner += 3) {
      int a = i, b = i + step, c = (i + 2 * step) % sides;
      corner[0] = upper ? a : sides + a;
      corner[1] = upper ? b : sides + c;
      corner[2] = upper ? c : sides + b;
    }
  return corner;
}

// A cylinder of radius value[0] and height value[1] along z, as a circumscribed prism: every point
// outside the prism is outside the cylinder. Rims have edges and corners like a box.
static StStatus shape_prism(Soup *soup, const double *value, double reach, StError *error) {
  const int sides = count_sides(value[0], reach);
  const double radius = value[0] / cos(M_PI / sides);
  soup->skin.curved = true;
  soup->vertex_count = 2 * sides;
  soup->triangle_count = 4 * sides - 4;
  soup->own_position = ST_NEW(double, 3 * (size_t)soup->vertex_count);
  soup->triangle = ST_NEW(int, 3 * (size_t)soup->triangle_count);
  if (!soup->own_position || !soup->triangle)
    return st_fail_memory(error);
  int *corner = add_end(add_end(soup->triangle, sides, 1), sides, 0);
  for (int i = 0; i < sides; i++, corner += 6) {
    int next = (i + 1) % sides;
    const int two[6] = {i, sides + i, sides + next, i, sides + next, next};
    memcpy(corner, two, sizeof two);
    double angle = 2 * M_PI * i / sides, x = radius * cos(angle), y = radius * sin(angle);
    vec3_set(x, y, value[1] / 2, soup->own_position + 3 * (size_t)i);
    vec3_set(x, y, -value[1] / 2, soup->own_position + 3 * (size_t)(sides + i));
  }
  return ST_OK;
}

// The straight part of a capsule of radius value[0] and length value[1], or a sphere's centre.
static StStatus shape_round(Soup *soup, const double *value, bool capsule, StError *error) {
  soup->skin.radius = value[0];
  soup->vertex_count = capsule ? 2 : 1;
  soup->loose_edge = capsule;
  soup->loose_point = !capsule;
  soup->own_position = ST_NEW(double, 6);
  soup->triangle = ST_NEW(int, 0);
  if (!soup->own_position || !soup->triangle)
    return st_fail_memory(error);
  if (capsule) {
    soup->own_position[2] = -value[1] / 2;
    soup->own_position[5] = value[1] / 2;
  }
  return ST_OK;
}

static StStatus shape_obstacle(Soup *soup, const StObstacleDesc *desc, const Reach *reach,
                               StError *error) {
  if (has_shape(desc, "box"))
    return shape_box(soup, desc->shape.value, error);
  if (has_shape(desc, "cylinder"))
    return shape_prism(soup, desc->shape.value, reach->least, error);
  if (!desc->mesh)
    return shape_round(soup, desc->shape.value, has_shape(desc, "capsule"), error);
  soup->vertex_count = desc->mesh->vertex_count;
  soup->position = desc->mesh->position;
  return st_contacts_skin(desc->mesh, &soup->triangle, &soup->triangle_count, error);
}

static StStatus gather_obstacle(Builder *builder, int obstacle, const Reach *reach,
                                StError *error) {
  StSkins *skins = builder->skins;
  Soup *soup = &builder->soup[builder->soup_count++];
  *soup = (Soup){.skin = {.body = -1, .obstacle = obstacle, .whole = true}, .reach = reach->most};
  ST_TRY(shape_obstacle(soup, &skins->description->obstacle[obstacle], reach, error));
  if (soup->own_position)
    soup->position = soup->own_position;
  if (!(soup->place = ST_NEW(int, soup->vertex_count)))
    return st_fail_memory(error);
  for (int v = 0; v < soup->vertex_count; v++)
    soup->place[v] = skins->place_count++;
  return ST_OK;
}

static StStatus gather_all(Builder *builder, const unsigned char *partners, StError *error) {
  const StDescription *description = builder->skins->description;
  int offset = 0, bodies = description->body_count;
  for (int b = 0; b < bodies; b++) {
    if (partners[b] != 0)
      ST_TRY(gather_body(builder, b, offset, error));
    offset += description->body[b].mesh->vertex_count;
  }
  for (int o = 0; o < description->obstacle_count; o++) {
    Reach reach = find_reach(description, o);
    if (reach.most >= 0 && has_skin(&description->obstacle[o]))
      ST_TRY(gather_obstacle(builder, o, &reach, error));
  }
  return ST_OK;
}

static StStatus gather(Builder *builder, StError *error) {
  const StDescription *description = builder->skins->description;
  ST_FREE unsigned char *partners = ST_NEW(unsigned char, description->body_count);
  ST_TRY_MEMORY(partners, error);
  st_pairs_partners(description, partners);
  return gather_all(builder, partners, error);
}

static StStatus make_room(Builder *builder, StError *error) {
  StSkins *s = builder->skins;
  size_t triangles = 0, points = 0, loose = 0, places = (size_t)s->place_count;
  for (int i = 0; i < builder->soup_count; i++) {
    triangles += (size_t)builder->soup[i].triangle_count;
    points += (size_t)builder->soup[i].vertex_count;
    loose += builder->soup[i].loose_edge;
  }
  size_t edges = 3 * triangles + loose, skins = (size_t)builder->soup_count;
  s->skin = ST_OWN(s, StSkin, skins);
  if (!s->description->contact_rule)
    s->law = ST_OWN(s, int, skins *skins);
  s->rest = ST_OWN(s, double, 3 * places);
  s->point = ST_OWN(s, int, places);
  s->around = ST_OWN(s, int, places + 1);
  s->neighbour = ST_OWN(s, int, 2 * edges);
  s->point_place = ST_OWN(s, int, points);
  s->point_skin = ST_OWN(s, int, points);
  s->point_area = ST_OWN(s, double, points);
  s->point_flat = ST_OWN(s, bool, points);
  s->fan_start = ST_OWN(s, int, points + 1);
  s->fan = ST_OWN(s, int, 3 * triangles);
  s->edge_place = ST_OWN(s, int, 2 * edges);
  s->edge_skin = ST_OWN(s, int, edges);
  s->edge_area = ST_OWN(s, double, edges);
  s->edge_length = ST_OWN(s, double, edges);
  s->edge_triangle = ST_OWN(s, int, 2 * edges);
  s->edge_adjacent = ST_OWN(s, int, edges);
  s->triangle_place = ST_OWN(s, int, 3 * triangles);
  s->triangle_edge = ST_OWN(s, int, 3 * triangles);
  s->triangle_skin = ST_OWN(s, int, triangles);
  return st_owner_is_whole(s) ? ST_OK : st_fail_memory(error);
}

static bool known(const Soup *soup, const int *vertex, int count) {
  for (int i = 0; i < count; i++)
    if (soup->place[vertex[i]] < 0)
      return false;
  return true;
}

static void append_triangles(Builder *builder, const Soup *soup, int skin) {
  StSkins *s = builder->skins;
  for (int t = 0; t < soup->triangle_count; t++) {
    const int *corner = soup->triangle + 3 * t;
    builder->triangle_here[t] = -1;
    if (!known(soup, corner, 3))
      continue;
    for (int i = 0; i < 3; i++)
      s->triangle_place[3 * s->triangle_count + i] = soup->place[corner[i]];
    s->triangle_skin[s->triangle_count] = skin;
    builder->triangle_here[t] = s->triangle_count++;
  }
}

// An edge and the known ones of its triangles: the run of equal edges in the list from start on.
static void append_edge(Builder *builder, const Soup *soup, int skin, size_t start, size_t end) {
  StSkins *s = builder->skins;
  const StEdgeList *list = &builder->edges;
  const int *vertex = list->vertex + 2 * (size_t)list->order[start];
  double area = 0, along[3];
  if (!known(soup, vertex, 2))
    return;
  int e = s->edge_count++, seen = 0;
  int *adjacent = s->edge_triangle + 2 * (size_t)e;
  adjacent[0] = adjacent[1] = -1;
  for (size_t k = start; k < end; k++) {
    int of = list->order[k] / 3, here = builder->triangle_here[of];
    area += st_triangle_area(soup->position, soup->triangle + 3 * of) / 3;
    if (here < 0)
      continue;
    s->triangle_edge[3 * (size_t)here + (size_t)(list->order[k] % 3)] = e;
    if (seen < 2)
      adjacent[seen++] = here;
  }
  vec3_sub(soup->position + 3 * (size_t)vertex[1], soup->position + 3 * (size_t)vertex[0], along);
  for (int i = 0; i < 2; i++)
    s->edge_place[2 * e + i] = soup->place[vertex[i]];
  s->edge_skin[e] = skin;
  s->edge_area[e] = area;
  s->edge_length[e] = vec3_length(along);
  s->edge_adjacent[e] = (int)(end - start);
}

static void append_edges(Builder *builder, const Soup *soup, int skin) {
  const StEdgeList *list = &builder->edges;
  bool *closed = &builder->skins->skin[skin].closed;
  *closed = list->count > 0;
  for (size_t start = 0; start < list->count;) {
    size_t end = st_edge_list_run(list, start);
    *closed = *closed && end - start == 2;
    append_edge(builder, soup, skin, start, end);
    start = end;
  }
}

// A round body of radius R contacts a plane at gaps below d̂ within an area of about 2 π R d̂, and a
// line across a capsule within a strip 2 √(2 R d̂) wide.
static void append_loose(Builder *builder, const Soup *soup, int skin) {
  StSkins *s = builder->skins;
  double round = 2 * M_PI * soup->skin.radius * soup->reach;
  for (int v = 0; v < soup->vertex_count && (soup->loose_edge || soup->loose_point); v++) {
    builder->area[v] = round;
    builder->used[v] = true;
  }
  if (!soup->loose_edge)
    return;
  int e = s->edge_count++;
  double along[3];
  vec3_sub(soup->position + 3, soup->position, along);
  s->edge_length[e] = vec3_length(along);
  s->edge_area[e] = s->edge_length[e] * 2 * sqrt(2 * soup->skin.radius * soup->reach);
  s->edge_skin[e] = skin;
  s->edge_triangle[2 * e] = s->edge_triangle[2 * e + 1] = -1;
  for (int i = 0; i < 2; i++)
    s->edge_place[2 * e + i] = soup->place[i];
}

static void append_points(Builder *builder, const Soup *soup, int skin) {
  StSkins *s = builder->skins;
  for (int v = 0; v < soup->vertex_count; v++) {
    if (soup->place[v] < 0 || !builder->used[v])
      continue;
    s->point[soup->place[v]] = s->point_count;
    s->point_place[s->point_count] = soup->place[v];
    s->point_skin[s->point_count] = skin;
    s->point_area[s->point_count++] = builder->area[v];
  }
}

static StStatus measure_fans(Builder *builder, const Soup *soup, StError *error) {
  for (int i = 0; i < 3 * soup->triangle_count; i++)
    builder->used[soup->triangle[i]] = true;
  return st_facing_areas(soup->position, soup->triangle, soup->triangle_count, soup->vertex_count,
                         builder->area, error);
}

static double mean_area(const Builder *builder, const Soup *soup) {
  double sum = 0;
  int count = 0;
  for (int v = 0; v < soup->vertex_count; v++) {
    sum += builder->area[v];
    count += builder->used[v];
  }
  return sum / fmax(count, 1);
}

static StStatus append(Builder *builder, int skin, StError *error) {
  StSkins *s = builder->skins;
  const Soup *soup = &builder->soup[skin];
  builder->area = ST_NEW(double, soup->vertex_count);
  builder->used = ST_NEW(bool, soup->vertex_count);
  builder->triangle_here = ST_NEW(int, soup->triangle_count);
  StStatus status = builder->area && builder->used && builder->triangle_here
                        ? st_edge_list_create(soup->triangle, (size_t)soup->triangle_count,
                                              soup->vertex_count, &builder->edges, error)
                        : st_fail_memory(error);
  if (status == ST_OK)
    status = measure_fans(builder, soup, error);
  if (status == ST_OK) {
    StSkin *to = &s->skin[skin];
    *to = soup->skin;
    to->first_point = s->point_count;
    to->first_edge = s->edge_count;
    to->first_triangle = s->triangle_count;
    to->grain = mean_area(builder, soup);
    append_triangles(builder, soup, skin);
    append_edges(builder, soup, skin);
    append_loose(builder, soup, skin);
    append_points(builder, soup, skin);
    to->point_count = s->point_count - to->first_point;
    to->edge_count = s->edge_count - to->first_edge;
    to->triangle_count = s->triangle_count - to->first_triangle;
  }
  st_edge_list_free(&builder->edges);
  free(builder->area);
  free(builder->used);
  free(builder->triangle_here);
  return status;
}

// skin_of: [bodies, then obstacles] -1: none. If two skins have several contacts, the last one
// wins.
static void find_laws(StSkins *skins, const int *skin_of) {
  const StDescription *description = skins->description;
  size_t count = (size_t)skins->skin_count;
  memset(skins->law, 0xff, count * count * sizeof(int));
  for (int i = 0; i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    int a = skin_of[contact->collider];
    int b =
        skin_of[contact->body >= 0 ? contact->body : description->body_count + contact->obstacle];
    if (a < 0 || b < 0 || (contact->body >= 0 && !(skins->skin[a].whole && skins->skin[b].whole)))
      continue;
    skins->law[(size_t)a * count + (size_t)b] = skins->law[(size_t)b * count + (size_t)a] = i;
  }
}

static StStatus give_laws(StSkins *skins, StError *error) {
  int bodies = skins->description->body_count;
  int count = bodies + skins->description->obstacle_count;
  ST_FREE int *skin_of = ST_NEW(int, count);
  ST_TRY_MEMORY(skin_of, error);
  memset(skin_of, 0xff, (size_t)count * sizeof(int));
  for (int i = 0; i < skins->skin_count; i++) {
    const StSkin *skin = &skins->skin[i];
    skin_of[skin->body >= 0 ? skin->body : bodies + skin->obstacle] = i;
  }
  find_laws(skins, skin_of);
  return ST_OK;
}

static void place_at_rest(Builder *builder) {
  StSkins *skins = builder->skins;
  memcpy(skins->rest, builder->piece->rest, 3 * (size_t)skins->vertex_count * sizeof(double));
  for (int i = 0; i < builder->soup_count; i++) {
    const Soup *soup = &builder->soup[i];
    for (int v = 0; soup->skin.obstacle >= 0 && v < soup->vertex_count; v++) {
      const StObstacleDesc *desc = obstacle_of(skins, &soup->skin);
      double *rest = skins->rest + 3 * (size_t)soup->place[v];
      mat3_apply(desc->rotation, soup->position + 3 * (size_t)v, rest);
      vec3_add_scaled(1, desc->origin, rest);
    }
  }
}

// Edges are sorted by their ends, but places need not be in that order, so each list is sorted.
static void link_places(StSkins *skins) {
  int *around = skins->around, *list = skins->neighbour;
  for (int i = 0; i < 2 * skins->edge_count; i++)
    around[skins->edge_place[i] + 1]++;
  for (int p = 0; p < skins->place_count; p++)
    around[p + 1] += around[p];
  for (int i = 0; i < 2 * skins->edge_count; i++)
    list[around[skins->edge_place[i]]++] = skins->edge_place[i ^ 1];
  for (int p = skins->place_count; p > 0; p--)
    around[p] = around[p - 1];
  around[0] = 0;
  for (int p = 0; p < skins->place_count; p++)
    for (int i = around[p] + 1; i < around[p + 1]; i++)
      for (int k = i; k > around[p] && list[k] < list[k - 1]; k--) {
        int swap = list[k];
        list[k] = list[k - 1];
        list[k - 1] = swap;
      }
}

static void link_fans(StSkins *skins) {
  int *start = skins->fan_start, corners = 3 * skins->triangle_count;
  for (int i = 0; i < corners; i++)
    start[skins->point[skins->triangle_place[i]]]++;
  for (int p = 1; p <= skins->point_count; p++) // ends; the fill below turns them into starts
    start[p] += start[p - 1];
  for (int i = corners - 1; i >= 0; i--)
    skins->fan[--start[skins->point[skins->triangle_place[i]]]] = i / 3;
}

static StStatus flatten(StSkins *skins, StError *error) {
  ST_FREE double *sharpness = ST_NEW(double, skins->edge_count);
  ST_TRY_MEMORY(sharpness, error);
  st_skins_sharpen(skins, skins->rest, sharpness);
  st_skins_flatten(skins, sharpness);
  return ST_OK;
}

static StStatus build(Builder *builder, StError *error) {
  StSkins *skins = builder->skins;
  ST_TRY(gather(builder, error));
  ST_TRY(make_room(builder, error));
  for (int p = 0; p < skins->place_count; p++)
    skins->point[p] = -1;
  skins->skin_count = builder->soup_count;
  for (int i = 0; i < builder->soup_count; i++)
    ST_TRY(append(builder, i, error));
  place_at_rest(builder);
  link_places(skins);
  link_fans(skins);
  ST_TRY(flatten(skins, error));
  skins->most_reach = st_pairs_most_reach(skins->description);
  return skins->law ? give_laws(skins, error) : ST_OK;
}

static void builder_free(Builder *builder) {
  for (int i = 0; i < builder->soup_count; i++) {
    free(builder->soup[i].own_position);
    free(builder->soup[i].place);
    free(builder->soup[i].triangle);
  }
  free(builder->soup);
  free(builder->local);
}

StStatus st_skins_create(const StDescription *description, const StPiece *piece, StSkins **result,
                         StError *error) {
  *result = NULL;
  StSkins *skins = ST_OWNER(StSkins);
  Builder builder = {.skins = skins,
                     .piece = piece,
                     .soup = ST_NEW(Soup, description->body_count + description->obstacle_count),
                     .local =
                         st_piece_find_vertices(piece, st_description_vertex_count(description))};
  StStatus status = skins && builder.soup && builder.local ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    skins->description = description;
    skins->crew = piece->crew;
    skins->owned_count = piece->owned_count;
    skins->vertex_count = skins->place_count = piece->vertex_count;
    status = build(&builder, error);
  }
  builder_free(&builder);
  if (status == ST_OK)
    *result = skins;
  else
    st_skins_destroy(skins);
  return status;
}
