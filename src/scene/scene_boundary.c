// boundaries: {"clamp": {"body": "bar", "region": …, "hold": …, "motion": …, "release": …}, …}
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

typedef struct Boundary {
  const StJson *body, *region, *hold, *motion;
  double release;
} Boundary;

static const char *const FIXED[] = {"fixed", NULL};

static const StKey KEYS[] = {
    ST_KEY_BODIES(Boundary, body),
    ST_KEY_VERTICES(Boundary),
    ST_KEY(
        Boundary, hold, AXES,
        "Which coordinates are prescribed: \"fixed\" is all three, [\"x\", \"y\"] leaves z free.",
        .param.word = FIXED, .otherwise = "\"fixed\""),
    ST_KEY(Boundary, motion, OBJECT, "How the vertices move.", .table = &st_keys_motion,
           .otherwise = "at rest"),
    ST_KEY(Boundary, release, SCALAR, "Time from which the vertices are free.",
           .param.dimension = ST_TIME, .param.fallback = INFINITY, ST_KEY_POSITIVE,
           .otherwise = "never"),
};

const StKeyTable st_keys_boundary = {
    .name = "boundary",
    .path = "boundaries",
    .doc = "Vertices that are held or moved. Boundaries may share vertices where all of them hold "
           "them still.",
    ST_KEYS(KEYS),
};

static StStatus read_axis(const StReader *reader, const StJson *at, bool axis[3]) {
  static const char *const WANTED = "\"fixed\" or axes such as [\"x\", \"y\"]";
  ST_TRY(st_reader_expect(reader, at, ST_JSON_STRING, WANTED));
  int k = at->text[0] - 'x';
  if (k < 0 || k > 2 || at->text[1])
    return st_reader_fail(reader, at, "\"%.40s\" is not known; must be %s", at->text, WANTED);
  axis[k] = true;
  return ST_OK;
}

static StStatus read_hold(const StReader *reader, const StJson *at, bool axis[3]) {
  if (!at || (at->kind == ST_JSON_STRING && strcmp(at->text, "fixed") == 0)) {
    axis[0] = axis[1] = axis[2] = true;
    return ST_OK;
  }
  if (at->kind != ST_JSON_LIST)
    return read_axis(reader, at, axis);
  if (at->child_count == 0)
    return st_reader_fail(reader, at, "an empty list holds nothing");
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_axis(reader, item, axis));
  return ST_OK;
}

static StStatus fail_claimed(const StReader *reader, const StJson *at, int vertex, int axis,
                             const char *other) {
  StSceneVertex of = st_scene_vertex(reader->description, vertex);
  return st_reader_fail(reader, at,
                        "vertex %d of body \"%.60s\" at (%g, %g, %g) is already held along %c by "
                        "the boundary \"%.60s\"%s",
                        of.own, of.body->name, of.position[0], of.position[1], of.position[2],
                        "xyz"[axis], other,
                        of.body->mesh->cage ? ", which holds the same cells of its cage; smaller "
                                              "cells (\"edge\") part them"
                                            : "");
}

// The vertices that are held when one is: itself, one that represents all of a rigid body, or the
// corners of the tet that carries it. Returns how many.
static int held_by(const StDescription *description, int vertex, int held[ST_CARRIERS]) {
  StSceneVertex of = st_scene_vertex(description, vertex);
  const StCarried *carried = &of.body->carried;
  int count = 0, first = vertex - of.own;
  held[0] = of.body->rigid ? first : vertex;
  if (of.body->rigid || carried->count == 0)
    return 1;
  for (int k = ST_CARRIERS * of.own; k < ST_CARRIERS * (of.own + 1); k++)
    if (carried->weight[k] != 0)
      held[count++] = first + carried->carrier[k];
  return count;
}

// Two boundaries that hold a coordinate still agree about it.
static bool share(StBoundaryDesc *boundary, int index, int other) {
  if (st_motion_moves(&boundary[index].motion) || st_motion_moves(&boundary[other].motion))
    return false;
  boundary[index].shares = 1 + other;
  boundary[other].shares = 1 + index;
  return true;
}

// owner: [vertices][3] 1 + the first boundary that prescribes each coordinate; 0: none.
static StStatus claim(const StReader *reader, const StJson *at, int *owner, int index) {
  const StBoundaryDesc *boundary = &reader->description->boundary[index];
  for (int i = 0; i < boundary->vertex_count; i++) {
    int held[ST_CARRIERS], count = held_by(reader->description, boundary->vertex[i], held);
    for (int k = 0; k < 3 * count; k++) {
      int *of = &owner[3 * held[k / 3] + k % 3];
      if (!boundary->axis[k % 3] || *of == 1 + index)
        continue;
      if (*of > 0 && share(reader->description->boundary, index, *of - 1))
        continue;
      if (*of > 0)
        return fail_claimed(reader, at, boundary->vertex[i], k % 3,
                            reader->description->boundary[*of - 1].name);
      *of = 1 + index;
    }
  }
  return ST_OK;
}

// Centre of the box around the boundary's vertices.
static void middle_of(const StDescription *description, const StBoundaryDesc *boundary,
                      double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < boundary->vertex_count; i++) {
    const double *x = st_scene_vertex(description, boundary->vertex[i]).position;
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
  for (int k = 0; k < 3; k++)
    middle[k] = low[k] + (high[k] - low[k]) / 2;
}

// A rigid body is held as a whole, which takes three of its points that are not on a line.
static StStatus check_rigid(const StReader *reader, const StJson *at,
                            const StBoundaryDesc *boundary) {
  const StDescription *description = reader->description;
  for (int i = 0; i < boundary->vertex_count;) {
    StSceneVertex of = st_scene_vertex(description, boundary->vertex[i]);
    double widest = 0, arm[3], first[3] = {0}, across[3], longest = 0;
    for (; i < boundary->vertex_count; i++) {
      StSceneVertex next = st_scene_vertex(description, boundary->vertex[i]);
      if (next.body != of.body)
        break;
      vec3_sub(next.position, of.position, arm);
      vec3_cross(first, arm, across);
      widest = fmax(widest, vec3_length(across));
      if (vec3_length(arm) > longest) {
        longest = vec3_length(arm);
        vec3_copy(arm, first);
      }
    }
    if (of.body->rigid && !(widest > 1e-6 * longest * longest))
      return st_reader_fail(reader, at,
                            "the rigid body \"%.60s\" can be held as a whole only, by three points "
                            "or more that are not on a line; a joint holds a point or an axis",
                            of.body->name);
  }
  return ST_OK;
}

static StStatus read_boundary(StReader *reader, const StJson *at, int *owner) {
  Boundary given = {0};
  double middle[3];
  ST_TRY(st_reader_object(reader, at, &st_keys_boundary, &given));
  int index = reader->description->boundary_count++;
  StBoundaryDesc *boundary = &reader->description->boundary[index];
  ST_TRY_MEMORY(boundary->name = st_copy_string(at->key), reader->error);
  boundary->release = given.release;
  ST_TRY(read_hold(reader, given.hold, boundary->axis));
  ST_TRY(st_scene_choose_vertices(reader, given.body, given.region, &boundary->vertex,
                                  &boundary->vertex_count));
  ST_TRY(check_rigid(reader, given.region, boundary));
  middle_of(reader->description, boundary, middle);
  ST_TRY(st_scene_read_motion(reader, given.motion, middle, &boundary->motion));
  return claim(reader, given.region, owner, index);
}

StStatus st_scene_read_boundaries(StReader *reader, const StJson *at) {
  if (!at)
    return ST_OK;
  ST_FREE int *owner = ST_NEW(int, 3 * (size_t)st_description_vertex_count(reader->description));
  reader->description->boundary = ST_NEW(StBoundaryDesc, at->child_count);
  ST_TRY_MEMORY(owner && reader->description->boundary, reader->error);
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_boundary(reader, child, owner));
  return ST_OK;
}
