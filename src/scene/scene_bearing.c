// bearings: {"hub": {"body": "tyre", "region": …, "axis": "y", "torque": "30 N m"}, …}: rims that
// rotate freely about a fixed axis, optionally driven by a torque.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "scene/tunables.h"

#include <stdio.h>
#include <string.h>

typedef struct Bearing {
  const StJson *body, *region, *torque;
  double axis[3], centre[3], stiffness;
} Bearing;

enum { TORQUE_KEY = 4 };

static const StKey KEYS[] = {
    ST_KEY_BODIES(Bearing, body),
    ST_KEY_VERTICES(Bearing),
    ST_KEY(Bearing, axis, DIRECTION, "Direction of the fixed axis.", .required = true),
    ST_KEY(Bearing, centre, VECTOR, "A point on the fixed axis.",
           .param.dimension = ST_LENGTH_DIMENSION,
           .otherwise = "the mean position of the chosen vertices at rest"),
    ST_KEY(Bearing, torque, CURVE, "Driving torque about the axis; may change over time.",
           .param.dimension = ST_ENERGY, .param.fallback = NAN, .table = &st_keys_course,
           .otherwise = "0: it turns freely"),
    ST_KEY(Bearing, stiffness, SCALAR,
           "Total stiffness of the springs that tie the vertices to the rigid rim.",
           .param.dimension = ST_TENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise = "10 × the stiffness of the body: Young's modulus in N/m of a shell, "
                        "Young's modulus × the rim's radius of a solid"),
};

const StKeyTable st_keys_bearing = {
    .name = "bearing",
    .path = "bearings",
    .doc = "Vertices held together as a rigid rim that can only turn about a fixed axis. For a rim "
           "that turns at a given speed, use `spin` in a boundary's motion.",
    ST_KEYS(KEYS),
};

static void find_centre(const StDescription *description, const StBearingDesc *bearing,
                        double centre[3]) {
  vec3_set(0, 0, 0, centre);
  for (int i = 0; i < bearing->vertex_count; i++) {
    StSceneVertex of = st_scene_vertex(description, bearing->vertex[i]);
    vec3_add_scaled(1.0 / bearing->vertex_count, of.position, centre);
  }
}

// Largest distance of a vertex from the axis.
static double radius_of(const StDescription *description, const StBearingDesc *bearing) {
  double largest = 0;
  for (int i = 0; i < bearing->vertex_count; i++) {
    StSceneVertex of = st_scene_vertex(description, bearing->vertex[i]);
    double arm[3], across[3];
    vec3_sub(of.position, bearing->centre, arm);
    vec3_cross(bearing->axis, arm, across);
    largest = fmax(largest, vec3_length(across));
  }
  return largest;
}

static StStatus choose_stiffness(StReader *reader, const StJson *at, double radius,
                                 StBearingDesc *bearing) {
  if (bearing->stiffness > 0)
    return ST_OK;
  double body =
      st_scene_stiffest(reader->description, bearing->vertex, bearing->vertex_count, radius);
  bearing->stiffness = st_scene_tunables.tie_stiffness * body;
  if (!(bearing->stiffness > 0) || !isfinite(bearing->stiffness))
    return st_reader_fail(reader, at, "the stiffness comes out as %g N/m; it must be given",
                          bearing->stiffness);
  char value[40], reason[160];
  snprintf(value, sizeof value, "%.4g N/m", bearing->stiffness);
  snprintf(reason, sizeof reason,
           "%g × the body's own %.4g N/m: the rim yields a tenth of what the body does",
           st_scene_tunables.tie_stiffness, body);
  return st_reader_note(reader, at, "stiffness", value, reason);
}

static StStatus fail_taken(const StReader *reader, const StJson *at, int vertex, const char *what,
                           const char *name) {
  StSceneVertex of = st_scene_vertex(reader->description, vertex);
  return st_reader_fail(reader, at,
                        "vertex %d of body \"%.60s\" at (%g, %g, %g) belongs to the %s \"%.60s\" "
                        "already",
                        of.own, of.body->name, of.position[0], of.position[1], of.position[2], what,
                        name);
}

// If a part of a rigid body is held, all of it is.
static void mark_held(const StDescription *description, int vertex, int mark, int *taken) {
  StSceneVertex of = st_scene_vertex(description, vertex);
  for (int v = 0; of.body->rigid && v < of.body->mesh->vertex_count; v++)
    taken[vertex - of.own + v] = mark;
  taken[vertex] = mark;
}

// Fails if a boundary or another bearing has its vertices already. taken: scratch.
static StStatus check_free(const StReader *reader, const StJson *at, const StBearingDesc *bearing,
                           int *taken) {
  const StDescription *description = reader->description;
  int earlier = description->bearing_count - 1;
  memset(taken, 0, (size_t)st_description_vertex_count(description) * sizeof *taken);
  for (int b = 0; b < description->boundary_count; b++)
    for (int i = 0; i < description->boundary[b].vertex_count; i++)
      mark_held(description, description->boundary[b].vertex[i], 1 + b, taken);
  for (int b = 0; b < earlier; b++)
    for (int i = 0; i < description->bearing[b].vertex_count; i++)
      taken[description->bearing[b].vertex[i]] = -1 - b;
  for (int i = 0; i < bearing->vertex_count; i++) {
    int vertex = bearing->vertex[i], other = taken[vertex];
    if (other > 0)
      return fail_taken(reader, at, vertex, "boundary", description->boundary[other - 1].name);
    if (other < 0)
      return fail_taken(reader, at, vertex, "bearing", description->bearing[-other - 1].name);
  }
  return ST_OK;
}

static void add_vertex(StBearingDesc *bearing, int vertex, bool *taken) {
  if (!taken[vertex])
    bearing->vertex[bearing->vertex_count++] = vertex;
  taken[vertex] = true;
}

static void add_carriers(StBearingDesc *bearing, const StCarried *all, int entry, bool *taken) {
  for (int k = ST_CARRIERS * entry; k < ST_CARRIERS * (entry + 1); k++)
    if (all->weight[k] != 0)
      add_vertex(bearing, all->carrier[k], taken);
}

// Replaces vertices that others carry, as those of a rigid body, by what carries them, each once:
// these have the mass, by which a rim weighs its vertices.
static StStatus take_carriers(StReader *reader, StBearingDesc *bearing) {
  const StDescription *description = reader->description;
  ST_FINALLY(st_carriage_free) StCarriage carriage = {0};
  ST_TRY(st_carriage_create(description, &carriage, reader->error));
  int *chosen = bearing->vertex, count = bearing->vertex_count;
  ST_FREE bool *taken = ST_NEW(bool, st_description_vertex_count(description));
  bearing->vertex = ST_NEW(int, ST_CARRIERS *(size_t)count);
  bearing->vertex_count = 0;
  StStatus status = taken && bearing->vertex ? ST_OK : st_fail_memory(reader->error);
  for (int i = 0; i < count && status == ST_OK; i++) {
    int entry = carriage.entry[chosen[i]];
    if (entry >= 0)
      add_carriers(bearing, &carriage.all, entry, taken);
    else
      add_vertex(bearing, chosen[i], taken);
  }
  free(chosen);
  return status;
}

static StStatus read_bearing(StReader *reader, const StJson *at, int *taken) {
  StDescription *description = reader->description;
  Bearing given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_bearing, &given));
  StBearingDesc *bearing = &description->bearing[description->bearing_count++];
  ST_TRY_MEMORY(bearing->name = st_copy_string(at->key), reader->error);
  bearing->stiffness = given.stiffness;
  vec3_copy(given.axis, bearing->axis);
  if (given.torque)
    ST_TRY(st_scene_read_curve(reader, given.torque, &KEYS[TORQUE_KEY], &bearing->torque));
  ST_TRY(st_scene_choose_vertices(reader, given.body, given.region, &bearing->vertex,
                                  &bearing->vertex_count));
  ST_TRY(check_free(reader, given.region, bearing, taken));
  if (st_json_get(at, "centre"))
    vec3_copy(given.centre, bearing->centre);
  else
    find_centre(description, bearing, bearing->centre);
  double radius = radius_of(description, bearing);
  if (!(radius > 1e-9 * st_description_diagonal(description)))
    return st_reader_fail(reader, given.region,
                          "all chosen vertices lie on the axis, so they cannot turn about it");
  ST_TRY(choose_stiffness(reader, at, radius, bearing));
  return take_carriers(reader, bearing);
}

StStatus st_scene_read_bearings(StReader *reader, const StJson *at) {
  if (!at)
    return ST_OK;
  ST_FREE int *taken = ST_NEW(int, st_description_vertex_count(reader->description));
  reader->description->bearing = ST_NEW(StBearingDesc, at->child_count);
  ST_TRY_MEMORY(taken && reader->description->bearing, reader->error);
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_bearing(reader, child, taken));
  return ST_OK;
}
