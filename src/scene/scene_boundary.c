// boundaries: {"clamp": {"body": "bar", "region": …, "hold": …, "motion": …, "release": …}, …}
#include "scene/parts.h"

#include "base/memory.h"

#include <string.h>

typedef struct Boundary {
  const StJson *body, *region, *hold, *motion;
  double release;
} Boundary;

static const char *const EVERYWHERE[] = {"all", NULL};
static const char *const FIXED[] = {"fixed", NULL};

static const StKey KEYS[] = {
    {.param = {.name = "body", .doc = "Bodies to choose vertices from: a name or a list of names."},
     .kind = ST_KEY_NAMES,
     .otherwise = "all bodies",
     .offset = offsetof(Boundary, body)},
    {.param = {.name = "region",
               .word = EVERYWHERE,
               .doc = "Which vertices: \"all\", one region, or a list of regions (their union)."},
     .kind = ST_KEY_OBJECTS,
     .table = &st_keys_region,
     .required = true,
     .offset = offsetof(Boundary, region)},
    {.param =
         {.name = "hold",
          .word = FIXED,
          .doc =
              "Which coordinates are prescribed: \"fixed\" is all three, [\"x\", \"y\"] leaves z "
              "free."},
     .kind = ST_KEY_AXES,
     .otherwise = "\"fixed\"",
     .offset = offsetof(Boundary, hold)},
    {.param = {.name = "motion", .doc = "How the vertices move."},
     .kind = ST_KEY_OBJECT,
     .table = &st_keys_motion,
     .otherwise = "at rest",
     .offset = offsetof(Boundary, motion)},
    {.param = {.name = "release",
               .dimension = ST_TIME,
               .fallback = INFINITY,
               .min = 0,
               .max = INFINITY,
               .min_open = true,
               .doc = "From this time on the vertices are free."},
     .otherwise = "never",
     .offset = offsetof(Boundary, release)},
};

const StKeyTable st_keys_boundary = {
    .name = "boundary",
    .path = "boundaries",
    .doc = "Vertices that are held or moved.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = -1,
};

// Which boundary prescribes each coordinate of each vertex so far; -1: none.
typedef struct Claims {
  int vertex_count;
  int *owner;   // [vertex_count][3]
  bool *chosen; // [body_count]
  bool *marked; // [vertex_count]
} Claims;

static void free_claims(Claims *claims) {
  free(claims->owner);
  free(claims->chosen);
  free(claims->marked);
}

static StStatus new_claims(const StReader *reader, Claims *claims) {
  int count = claims->vertex_count = st_description_vertex_count(reader->description);
  claims->owner = ST_NEW(int, 3 * (size_t)count);
  claims->chosen = ST_NEW(bool, reader->description->body_count);
  claims->marked = ST_NEW(bool, count);
  if (!claims->owner || !claims->chosen || !claims->marked)
    return st_fail_memory(reader->error);
  for (int i = 0; i < 3 * count; i++)
    claims->owner[i] = -1;
  return ST_OK;
}

static StStatus choose_bodies(const StReader *reader, const StJson *at, bool *chosen) {
  int count = reader->description->body_count, body = 0;
  for (int b = 0; b < count; b++)
    chosen[b] = at == NULL;
  if (!at)
    return ST_OK;
  const StJson *name = at->kind == ST_JSON_LIST ? at->child : at;
  for (; name; name = at->kind == ST_JSON_LIST ? name->next : NULL) {
    ST_TRY(st_scene_find_body(reader, name, &body));
    chosen[body] = true;
  }
  return ST_OK;
}

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

static StStatus take_marked(const StReader *reader, const StJson *region, const Claims *claims,
                            StBoundaryDesc *boundary) {
  int count = 0;
  for (int v = 0; v < claims->vertex_count; v++)
    count += claims->marked[v];
  if (count == 0)
    return st_reader_fail(reader, region, "no vertex lies in this region");
  boundary->vertex = ST_NEW(int, count);
  if (!boundary->vertex)
    return st_fail_memory(reader->error);
  for (int v = 0; v < claims->vertex_count; v++)
    if (claims->marked[v])
      boundary->vertex[boundary->vertex_count++] = v;
  return ST_OK;
}

static StStatus fail_claimed(const StReader *reader, const StJson *at, int vertex, int axis,
                             const char *other) {
  const StBodyDesc *body = reader->description->body;
  while (vertex >= body->mesh->vertex_count)
    vertex -= (body++)->mesh->vertex_count;
  const double *x = body->mesh->position + 3 * vertex;
  return st_reader_fail(reader, at,
                        "vertex %d of body \"%.60s\" at (%g, %g, %g) is already held along %c by "
                        "the boundary \"%.60s\"",
                        vertex, body->name, x[0], x[1], x[2], "xyz"[axis], other);
}

static StStatus claim(const StReader *reader, const StJson *at, Claims *claims, int index) {
  const StBoundaryDesc *boundary = &reader->description->boundary[index];
  for (int i = 0; i < boundary->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      int *owner = &claims->owner[3 * boundary->vertex[i] + k];
      if (!boundary->axis[k])
        continue;
      if (*owner >= 0)
        return fail_claimed(reader, at, boundary->vertex[i], k,
                            reader->description->boundary[*owner].name);
      *owner = index;
    }
  return ST_OK;
}

static const double *rest_position(const StDescription *description, int vertex) {
  int b = 0;
  while (vertex >= description->body[b].mesh->vertex_count)
    vertex -= description->body[b++].mesh->vertex_count;
  return description->body[b].mesh->position + 3 * vertex;
}

// Of the box around the boundary's vertices.
static void middle_of(const StDescription *description, const StBoundaryDesc *boundary,
                      double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < boundary->vertex_count; i++) {
    const double *x = rest_position(description, boundary->vertex[i]);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
  for (int k = 0; k < 3; k++)
    middle[k] = low[k] + (high[k] - low[k]) / 2;
}

static StStatus read_boundary(StReader *reader, const StJson *at, Claims *claims) {
  Boundary given = {0};
  double middle[3];
  ST_TRY(st_reader_object(reader, at, &st_keys_boundary, &given));
  int index = reader->description->boundary_count++;
  StBoundaryDesc *boundary = &reader->description->boundary[index];
  boundary->name = st_copy_string(at->key);
  if (!boundary->name)
    return st_fail_memory(reader->error);
  boundary->release = given.release;
  ST_TRY(read_hold(reader, given.hold, boundary->axis));
  ST_TRY(choose_bodies(reader, given.body, claims->chosen));
  memset(claims->marked, 0, (size_t)claims->vertex_count * sizeof *claims->marked);
  ST_TRY(st_scene_select(reader, given.region, claims->chosen, claims->marked));
  ST_TRY(take_marked(reader, given.region, claims, boundary));
  middle_of(reader->description, boundary, middle);
  ST_TRY(st_scene_read_motion(reader, given.motion, middle, &boundary->motion));
  return claim(reader, given.region, claims, index);
}

static StStatus read_all(StReader *reader, const StJson *at, Claims *claims) {
  ST_TRY(new_claims(reader, claims));
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_boundary(reader, child, claims));
  return ST_OK;
}

StStatus st_scene_read_boundaries(StReader *reader, const StJson *at) {
  if (!at)
    return ST_OK;
  reader->description->boundary = ST_NEW(StBoundaryDesc, at->child_count);
  if (!reader->description->boundary)
    return st_fail_memory(reader->error);
  Claims claims = {0};
  StStatus status = read_all(reader, at, &claims);
  free_claims(&claims);
  return status;
}
