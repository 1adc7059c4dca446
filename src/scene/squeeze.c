// The path of prescribed parts, sampled in time. Seen from a point of the body (the middle of its
// held vertices, or of the body if none is held), a part N is at the distance D in the direction n,
// and the body extends by h along n: they overlap by h − D. A held body is squeezed by the overlap
// with one part, a free one by the sum of two opposite parts'. Motion along a surface leaves the
// distance as it is, so what is dragged is not squeezed. Only what exceeds the overlap at the start
// counts: that comes from a shape that is not convex.
#include "scene/squeeze.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/contact_pairs.h"
#include "scene/pair_extras.h"
#include "scene/parts.h"
#include "scene/section.h"
#include "scene/tunables.h"

#include <string.h>

// Of the duration; the keys of motions are added, since a short press may lie between two samples.
enum { SAMPLES = 32, MOST_SAMPLES = 128 };

typedef struct Part {
  int body, obstacle; // one of them is -1
  const StMotion *motion;
  const StBoundaryDesc *boundary; // NULL for an obstacle
  double place[3];                // m, middle of the held vertices at rest
  double centre[3], radius;       // m, a ball around it at rest; infinite for closed forms
  int triangle_count, *triangle;  // its skin; none for closed forms
  const double *position;         // of that skin's vertices at rest, in its own frame
} Part;

typedef struct Squeeze {
  const StDescription *description;
  const StSqueezed *body;
  StSqueeze *result;     // [part_count] of the body being measured with it
  bool *touches;         // [part_count] that body
  int *skin, skin_count; // its triangles
  int part_count;
  Part *part;
  int time_count;
  double time[MOST_SAMPLES];
} Squeeze;

// A part as seen from a body.
typedef struct Sight {
  double origin[3]; // m, at rest
  double extent;    // m, h
  double overlap;   // m, h − D; -INFINITY: out of reach
  double way[3];    // n
} Sight;

static void add_time(Squeeze *squeeze, double time) {
  if (squeeze->time_count < MOST_SAMPLES && time <= squeeze->description->time.duration)
    squeeze->time[squeeze->time_count++] = time;
}

static void add_times(Squeeze *squeeze, const StMotion *motion) {
  const StCurve *curve[] = {&motion->translation[0], &motion->translation[1],
                            &motion->translation[2], &motion->angle};
  for (int c = 0; c < ST_LENGTH(curve); c++)
    for (int i = 0; curve[c]->kind == ST_CURVE_KEYS && i < curve[c]->key_count; i++)
      add_time(squeeze, curve[c]->time[i]);
}

static StStatus add_skin(const StMesh *mesh, Part *part, StError *error) {
  ST_TRY(st_contacts_skin(mesh, &part->triangle, &part->triangle_count, error));
  int count = 3 * part->triangle_count;
  part->position = mesh->position;
  part->radius = 0;
  for (int i = 0; i < count; i++)
    vec3_add_scaled(1.0 / count, mesh->position + 3 * (size_t)part->triangle[i], part->centre);
  for (int i = 0; i < count; i++) {
    double arm[3];
    vec3_sub(mesh->position + 3 * (size_t)part->triangle[i], part->centre, arm);
    part->radius = fmax(part->radius, vec3_length(arm));
  }
  return ST_OK;
}

static StStatus add_obstacle(Squeeze *squeeze, int index, StError *error) {
  const StObstacleDesc *obstacle = &squeeze->description->obstacle[index];
  Part *part = &squeeze->part[squeeze->part_count++];
  *part = (Part){.body = -1, .obstacle = index, .motion = &obstacle->motion, .radius = INFINITY};
  add_times(squeeze, part->motion);
  return obstacle->mesh ? add_skin(obstacle->mesh, part, error) : ST_OK;
}

// One part for each body that has some of the vertices, which are sorted by body.
static StStatus add_boundary(Squeeze *squeeze, const StBoundaryDesc *boundary, StError *error) {
  const StDescription *description = squeeze->description;
  add_times(squeeze, &boundary->motion);
  for (int i = 0, next; i < boundary->vertex_count; i = next) {
    int body = st_description_body_of(description, boundary->vertex[i]);
    Part *part = &squeeze->part[squeeze->part_count++];
    *part = (Part){.body = body, .obstacle = -1, .motion = &boundary->motion, .boundary = boundary};
    for (next = i;
         next < boundary->vertex_count &&
         st_scene_vertex(description, boundary->vertex[next]).body == &description->body[body];
         next++)
      vec3_add_scaled(1, st_scene_vertex(description, boundary->vertex[next]).position,
                      part->place);
    for (int c = 0; c < 3; c++)
      part->place[c] /= next - i;
    ST_TRY(add_skin(description->body[body].mesh, part, error));
  }
  return ST_OK;
}

static int count_parts(const StDescription *description) {
  int count = description->obstacle_count;
  for (int i = 0; i < description->boundary_count; i++) {
    const StBoundaryDesc *boundary = &description->boundary[i];
    for (int k = 0; k < boundary->vertex_count; k++)
      count += k == 0 || st_scene_vertex(description, boundary->vertex[k]).body !=
                             st_scene_vertex(description, boundary->vertex[k - 1]).body;
  }
  return count;
}

static StStatus add_parts(Squeeze *squeeze, StError *error) {
  const StDescription *description = squeeze->description;
  for (int i = 0; i < description->obstacle_count; i++)
    ST_TRY(add_obstacle(squeeze, i, error));
  for (int i = 0; i < description->boundary_count; i++)
    ST_TRY(add_boundary(squeeze, &description->boundary[i], error));
  return ST_OK;
}

// How far the held vertices of a part have moved, along the axes that are prescribed.
static void shift_of(const Part *part, double time, double shift[3]) {
  double now[3], velocity[3];
  st_motion_at(part->motion, time, part->place, now, velocity);
  for (int c = 0; c < 3; c++)
    shift[c] = part->boundary->axis[c] ? now[c] - part->place[c] : 0;
}

// Distance of a point from triangles, and the unit vector from there to the nearest of them.
static double distance_to_skin(const Part *part, const double x[3], double within, double way[3]) {
  double best = within * within, arm[3];
  vec3_sub(x, part->centre, arm);
  if (vec3_length(arm) - part->radius > within)
    return INFINITY;
  bool found = false;
  for (int t = 0; t < part->triangle_count; t++) {
    double corner[4][3];
    StClosest closest;
    vec3_copy(x, corner[0]);
    for (int k = 0; k < 3; k++)
      vec3_copy(part->position + 3 * (size_t)part->triangle[3 * t + k], corner[k + 1]);
    st_primitive_point_triangle(corner, &closest);
    if (!(closest.square < best) || closest.square == 0)
      continue;
    found = true;
    best = closest.square;
    vec3_set(-x[0], -x[1], -x[2], way);
    for (int k = 0; k < 3; k++)
      vec3_add_scaled(closest.share[k], corner[k + 1], way);
  }
  for (int c = 0; c < 3; c++)
    way[c] /= sqrt(best);
  return found ? sqrt(best) : INFINITY;
}

static double distance_to(const Squeeze *squeeze, const Part *part, double time, const double x[3],
                          double within, double way[3]) {
  StObstacleNow now;
  double own[3], turned[3], shift[3];
  if (part->obstacle < 0) {
    shift_of(part, time, shift);
    vec3_sub(x, shift, own);
    return distance_to_skin(part, own, within, way);
  }
  st_obstacle_at(&squeeze->description->obstacle[part->obstacle], time, &now);
  if (!part->triangle) {
    double gap = st_obstacle_gap(&now, x, turned);
    vec3_set(-turned[0], -turned[1], -turned[2], way);
    return gap;
  }
  st_obstacle_to_own(&now, x, own);
  double distance = distance_to_skin(part, own, within, turned);
  mat3_apply(now.rotation, turned, way);
  return distance;
}

// How far a body extends from a point at rest.
static double extent(const StMesh *mesh, const double from[3], const double way[3]) {
  double most = 0;
  for (int v = 0; v < st_mesh_own_count(mesh); v++) {
    double arm[3];
    vec3_sub(mesh->position + 3 * (size_t)v, from, arm);
    most = fmax(most, vec3_dot(arm, way));
  }
  return most;
}

// origin: the point at rest from which the body sees; x: where it is now.
static Sight look(const Squeeze *squeeze, int body, const Part *part, double time,
                  const double origin[3], const double x[3]) {
  Sight sight = {.origin = {origin[0], origin[1], origin[2]}, .overlap = -INFINITY};
  double distance = distance_to(squeeze, part, time, x, squeeze->body[body].size, sight.way);
  if (distance < squeeze->body[body].size) {
    sight.extent = extent(squeeze->description->body[body].mesh, origin, sight.way);
    sight.overlap = sight.extent - distance;
  }
  return sight;
}

// Enters the pressure that shortens a body, or the other side where that is softer, into their
// contact; slender bodies bend at less. A body that is narrower where it is pressed gives there
// first: a ball of radius R that is dented by w touches on a disc of the radius c = √(Rw), that of
// its section at the depth w/2, and the pressure in the middle is 2/π E* w/c (Hertz).
// extent: of the body between the parts that press it; dent: w.
static void enter(Squeeze *squeeze, int body, int part, const Sight *sight, double length,
                  double extent_along, double dent) {
  const StSqueezed *of = &squeeze->body[body];
  int other = squeeze->part[part].body;
  double young = other >= 0 ? fmin(of->young, squeeze->body[other].young) : of->young;
  double narrowing =
      st_section_narrowing(squeeze->description->body[body].mesh, squeeze->skin,
                           squeeze->skin_count, sight->origin, sight->way, 0.5 * dent);
  double hertz = st_scene_tunables.squeeze_hertz * dent * narrowing;
  double strain = fmin(length / extent_along + hertz, 1);
  StSqueeze *result = &squeeze->result[part];
  result->pressure = fmax(result->pressure, young * strain);
  result->way = fmax(result->way, length);
}

static int surface_of(const Squeeze *squeeze, int part) {
  const Part *of = &squeeze->part[part];
  return of->body >= 0 ? of->body : squeeze->description->body_count + of->obstacle;
}

static void find_touching(Squeeze *squeeze, int body) {
  for (int p = 0; p < squeeze->part_count; p++) {
    int surface = surface_of(squeeze, p), low = body < surface ? body : surface;
    squeeze->touches[p] = surface != body && st_pair_reach(squeeze->description, low,
                                                           low == body ? surface : body) >= 0;
  }
}

static bool is_held_at(const Part *part, double time) {
  return !part->boundary || time < part->boundary->release;
}

static void squeeze_held(Squeeze *squeeze, const Part *held) {
  for (int p = 0; p < squeeze->part_count; p++) {
    const Part *part = &squeeze->part[p];
    bool moves = st_motion_moves(part->motion) || st_motion_moves(held->motion);
    if (!squeeze->touches[p] || !moves)
      continue;
    double first = look(squeeze, held->body, part, 0, held->place, held->place).overlap;
    for (int i = 0; i < squeeze->time_count; i++) {
      double time = squeeze->time[i], x[3];
      if (!is_held_at(part, time) || !is_held_at(held, time))
        continue;
      shift_of(held, time, x);
      vec3_add_scaled(1, held->place, x);
      Sight sight = look(squeeze, held->body, part, time, held->place, x);
      double length = sight.overlap - fmax(first, 0);
      if (length > 0)
        enter(squeeze, held->body, p, &sight, length, sight.extent, length);
    }
  }
}

typedef struct Views {
  int count, *part;
  Sight *now, *first;
} Views;

static void squeeze_between(Squeeze *squeeze, int body, const Views *views) {
  for (int a = 0; a < views->count; a++)
    for (int b = 0; b < a; b++) {
      const int part[2] = {views->part[a], views->part[b]};
      const Sight *p = &views->now[a], *q = &views->now[b];
      bool moves = st_motion_moves(squeeze->part[part[0]].motion) ||
                   st_motion_moves(squeeze->part[part[1]].motion);
      double first = views->first[a].overlap + views->first[b].overlap;
      double length = p->overlap + q->overlap - fmax(first, 0);
      if (!moves || !(vec3_dot(p->way, q->way) < -st_scene_tunables.squeeze_opposite) ||
          !(length > 0))
        continue;
      for (int k = 0; k < 2; k++)
        enter(squeeze, body, part[k], k == 0 ? p : q, length, p->extent + q->extent, 0.5 * length);
    }
}

static void squeeze_free(Squeeze *squeeze, int body, Views *views) {
  const StMesh *mesh = squeeze->description->body[body].mesh;
  double centre[3];
  st_scene_body_centre(mesh, centre);
  for (int i = 0; i < squeeze->time_count; i++) {
    double time = squeeze->time[i];
    views->count = 0;
    for (int p = 0; p < squeeze->part_count; p++) {
      const Part *part = &squeeze->part[p];
      if (!squeeze->touches[p] || !is_held_at(part, time))
        continue;
      Sight sight = look(squeeze, body, part, time, centre, centre);
      if (!isfinite(sight.overlap))
        continue;
      views->part[views->count] = p;
      views->now[views->count] = sight;
      views->first[views->count++] = look(squeeze, body, part, 0, centre, centre);
    }
    squeeze_between(squeeze, body, views);
  }
}

// Adds what was found for the body, whose pairs are with the parts' bodies and obstacles.
static StStatus add_pairs(Squeeze *squeeze, int body, StPairExtras *squeezed, StError *error) {
  bool room = true;
  for (int p = 0; p < squeeze->part_count && room; p++)
    if (squeeze->result[p].pressure > 0 || squeeze->result[p].way > 0)
      room =
          st_pair_extras_add(squeezed, body, surface_of(squeeze, p), squeeze->result[p], INFINITY);
  return room ? ST_OK : st_fail_memory(error);
}

static StStatus squeeze_body(Squeeze *squeeze, int body, Views *views, StPairExtras *squeezed,
                             StError *error) {
  bool held = false;
  memset(squeeze->result, 0, (size_t)squeeze->part_count * sizeof *squeeze->result);
  ST_TRY(st_contacts_skin(squeeze->description->body[body].mesh, &squeeze->skin,
                          &squeeze->skin_count, error));
  find_touching(squeeze, body);
  for (int p = 0; p < squeeze->part_count; p++)
    if (squeeze->part[p].body == body) {
      held = true;
      squeeze_held(squeeze, &squeeze->part[p]);
    }
  if (!held)
    squeeze_free(squeeze, body, views);
  free(squeeze->skin);
  return add_pairs(squeeze, body, squeezed, error);
}

static bool anything_moves(const StDescription *description) {
  bool moves = false;
  for (int i = 0; i < description->boundary_count; i++)
    moves = moves || st_motion_moves(&description->boundary[i].motion);
  for (int i = 0; i < description->obstacle_count; i++)
    moves = moves || st_motion_moves(&description->obstacle[i].motion);
  return moves;
}

StStatus st_squeeze_measure(const StDescription *description, const StSqueezed *body,
                            StPairExtras *squeezed, StError *error) {
  if (!anything_moves(description))
    return ST_OK;
  int count = count_parts(description);
  Squeeze squeeze = {.description = description,
                     .body = body,
                     .result = ST_NEW(StSqueeze, count),
                     .part = ST_NEW(Part, count),
                     .touches = ST_NEW(bool, count)};
  Views views = {0, ST_NEW(int, count), ST_NEW(Sight, count), ST_NEW(Sight, count)};
  bool good =
      squeeze.result && squeeze.part && squeeze.touches && views.part && views.now && views.first;
  for (int i = 1; i <= SAMPLES; i++)
    add_time(&squeeze, description->time.duration * i / SAMPLES);
  StStatus status = good ? add_parts(&squeeze, error) : st_fail_memory(error);
  for (int b = 0; status == ST_OK && b < description->body_count; b++)
    if (body[b].young > 0 && isfinite(body[b].young))
      status = squeeze_body(&squeeze, b, &views, squeezed, error);
  for (int p = 0; squeeze.part && p < squeeze.part_count; p++)
    free(squeeze.part[p].triangle);
  free(squeeze.part);
  free(squeeze.result);
  free(squeeze.touches);
  free(views.part);
  free(views.now);
  free(views.first);
  return status;
}
