// region: "all", {"box": {…}}, {"sphere": {…}}, {"plane": {…}}, {"label": "x-"}, {"vertices": […]},
// or a list of these, which means their union. Positions are rest positions in the world.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/body.h"
#include "scene/suggest.h"

#include <string.h>

typedef struct Box {
  double min[3], max[3];
} Box;

typedef struct Sphere {
  double centre[3], radius;
} Sphere;

enum { ON, BEHIND, IN_FRONT };
static const char *const SIDES[] = {"on", "behind", "in_front", NULL};

typedef struct Plane {
  double point[3], normal[3], tolerance;
  int side;
} Plane;

typedef struct Region {
  const StJson *box, *sphere, *plane, *label, *vertices;
} Region;

const char *const st_everywhere[] = {"all", NULL};

static const StKey BOX_KEYS[] = {
    ST_KEY(Box, min, VECTOR, "Lowest corner.", .param.dimension = ST_LENGTH_DIMENSION,
           .required = true),
    ST_KEY(Box, max, VECTOR, "Highest corner.", .param.dimension = ST_LENGTH_DIMENSION,
           .required = true),
};

const StKeyTable st_keys_box = {
    .name = "box region",
    .doc = "Vertices in a box along the axes, its faces included.",
    ST_KEYS(BOX_KEYS),
};

static const StKey SPHERE_KEYS[] = {
    ST_KEY(Sphere, centre, VECTOR, "Centre.", .param.dimension = ST_LENGTH_DIMENSION,
           .required = true),
    ST_KEY(Sphere, radius, SCALAR, "Radius.", .param.dimension = ST_LENGTH_DIMENSION,
           .param.fallback = NAN, ST_KEY_POSITIVE, .required = true),
};

const StKeyTable st_keys_sphere = {
    .name = "sphere region",
    .doc = "Vertices in a ball, its surface included.",
    ST_KEYS(SPHERE_KEYS),
};

static const StKey PLANE_KEYS[] = {
    ST_KEY(Plane, point, VECTOR, "A point of the plane.", .param.dimension = ST_LENGTH_DIMENSION,
           .required = true),
    ST_KEY(Plane, normal, DIRECTION, "Direction the plane faces.", .required = true),
    ST_KEY(Plane, side, SCALAR,
           "Vertices on the plane, or behind or in front of it, those on it included.",
           .param.kind = ST_WORD, .param.word = SIDES),
    ST_KEY(Plane, tolerance, SCALAR, "How far from the plane still counts as on it.",
           .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY),
           .otherwise = "a millionth of the scene's diagonal"),
};

const StKeyTable st_keys_plane = {
    .name = "plane region",
    .doc = "Vertices on a plane, or on one side of it.",
    ST_KEYS(PLANE_KEYS),
};

static const StKey KEYS[] = {
    ST_KEY(Region, box, OBJECT, "Vertices in a box.", .table = &st_keys_box, .otherwise = ""),
    ST_KEY(Region, sphere, OBJECT, "Vertices in a ball.", .table = &st_keys_sphere,
           .otherwise = ""),
    ST_KEY(Region, plane, OBJECT, "Vertices on a plane or on one side of it.",
           .table = &st_keys_plane, .otherwise = ""),
    ST_KEY(Region, label, TEXT,
           "Vertices of the elements or groups with this label in the mesh; shapes label their "
           "faces (a box: x-, x+, y- …).",
           .otherwise = ""),
    ST_KEY(Region, vertices, NUMBERS,
           "Vertex numbers in the mesh of the body that \"body\" names, from 0.", .otherwise = ""),
};

const StKeyTable st_keys_region = {
    .name = "region",
    .doc = "A set of vertices by position at rest, label or number: exactly one of these keys. "
           "Lengths are compared with a tolerance of 1e-9 of the scene's diagonal.",
    ST_KEYS(KEYS),
    .single = true,
};

// A region prepared for tests of points.
typedef struct Test {
  enum { TEST_BOX, TEST_SPHERE, TEST_PLANE } kind;
  double allowance; // m, tolerance for round-off in positions
  Box box;
  Sphere sphere;
  Plane plane;
} Test;

static bool in_box(const Box *box, double allowance, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (x[k] < box->min[k] - allowance || x[k] > box->max[k] + allowance)
      return false;
  return true;
}

static bool on_plane(const Plane *plane, const double x[3]) {
  double arm[3];
  vec3_sub(x, plane->point, arm);
  double height = vec3_dot(arm, plane->normal);
  if (plane->side == BEHIND)
    return height <= plane->tolerance;
  return plane->side == IN_FRONT ? height >= -plane->tolerance : fabs(height) <= plane->tolerance;
}

static bool contains(const Test *test, const double x[3]) {
  double arm[3];
  switch (test->kind) {
  case TEST_BOX: return in_box(&test->box, test->allowance, x);
  case TEST_PLANE: return on_plane(&test->plane, x);
  case TEST_SPHERE:
    vec3_sub(x, test->sphere.centre, arm);
    return vec3_length(arm) <= test->sphere.radius + test->allowance;
  }
  return false;
}

static void mark_inside(const StReader *reader, const Test *test, const bool *chosen,
                        bool *marked) {
  int first = 0;
  for (int b = 0; b < reader->description->body_count; b++) {
    const StMesh *mesh = reader->description->body[b].mesh;
    int count = st_body_vertex_count(&reader->description->body[b]);
    for (int v = 0; chosen[b] && v < count; v++)
      if (contains(test, mesh->position + 3 * v))
        marked[first + v] = true;
    first += mesh->vertex_count;
  }
}

static void mark_label(const StMesh *mesh, int label, bool *marked) {
  for (int i = 0; i < mesh->tag_count; i++)
    if (mesh->tag[2 * i + 1] == label)
      marked[mesh->tag[2 * i]] = true;
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    if (mesh->tet_label[i / 4] == label)
      marked[mesh->tet[i]] = true;
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    if (mesh->triangle_label[i / 3] == label)
      marked[mesh->triangle[i]] = true;
}

static StStatus fail_no_label(const StReader *reader, const StJson *at, const bool *chosen) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = at->text};
  for (int b = 0; b < reader->description->body_count; b++) {
    const StMesh *mesh = reader->description->body[b].mesh;
    for (int i = 0; chosen[b] && i < mesh->label_count; i++)
      st_suggestion_add(&known, mesh->label_name[i]);
  }
  return st_reader_fail(reader, at, "no body here has the label \"%.40s\"; known: %s", at->text,
                        st_suggestion_text(&known));
}

static StStatus select_label(const StReader *reader, const StJson *at, const bool *chosen,
                             bool *marked) {
  int first = 0;
  bool found = false;
  for (int b = 0; b < reader->description->body_count; b++) {
    const StMesh *mesh = reader->description->body[b].mesh;
    int label = chosen[b] ? st_mesh_find_label(mesh, at->text) : -1;
    if (label >= 0)
      mark_label(mesh, label, marked + first);
    found = found || label >= 0;
    first += mesh->vertex_count;
  }
  return found ? ST_OK : fail_no_label(reader, at, chosen);
}

// The only selected body, and the number of its first vertex.
static StStatus only_body(const StReader *reader, const StJson *at, const bool *chosen,
                          const StBodyDesc **body, int *first) {
  int start = 0;
  *body = NULL;
  for (int b = 0; b < reader->description->body_count; b++) {
    if (chosen[b] && *body)
      return st_reader_fail_key(reader, at, "vertex numbers need one body; name it in \"body\"");
    if (chosen[b]) {
      *body = &reader->description->body[b];
      *first = start;
    }
    start += reader->description->body[b].mesh->vertex_count;
  }
  return ST_OK;
}

static StStatus select_vertices(const StReader *reader, const StJson *at, const bool *chosen,
                                bool *marked) {
  const StBodyDesc *body;
  int first = 0, count = 0, *vertex = NULL, i = 0;
  ST_TRY(only_body(reader, at, chosen, &body, &first));
  ST_TRY(st_reader_integers(reader, at, 1, 0, &vertex, &count));
  int most = st_body_vertex_count(body);
  for (; i < count && vertex[i] < most; i++)
    marked[first + vertex[i]] = true;
  StStatus status = i == count ? ST_OK
                               : st_reader_fail(reader, at,
                                                "item %d is %d; \"%s\" has %d vertices, counted "
                                                "from 0",
                                                i, vertex[i], body->name, most);
  free(vertex);
  return status;
}

static StStatus read_box(StReader *reader, const StJson *at, Box *box) {
  ST_TRY(st_reader_object(reader, at, &st_keys_box, box));
  for (int k = 0; k < 3; k++)
    if (box->min[k] > box->max[k])
      return st_reader_fail(reader, at, "min is above max along %c (%g m > %g m)", "xyz"[k],
                            box -> min[k], box -> max[k]);
  return ST_OK;
}

static StStatus select_by_place(StReader *reader, const Region *region, const bool *chosen,
                                bool *marked) {
  double diagonal = st_description_diagonal(reader->description);
  Test test = {.allowance = 1e-9 * diagonal};
  if (region->box) {
    test.kind = TEST_BOX;
    ST_TRY(read_box(reader, region->box, &test.box));
  } else if (region->sphere) {
    test.kind = TEST_SPHERE;
    ST_TRY(st_reader_object(reader, region->sphere, &st_keys_sphere, &test.sphere));
  } else {
    test.kind = TEST_PLANE;
    test.plane.tolerance = 1e-6 * diagonal;
    ST_TRY(st_reader_object(reader, region->plane, &st_keys_plane, &test.plane));
  }
  mark_inside(reader, &test, chosen, marked);
  return ST_OK;
}

static StStatus select_one(StReader *reader, const StJson *at, const bool *chosen, bool *marked) {
  Region region = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_region, &region));
  if (region.label)
    return select_label(reader, region.label, chosen, marked);
  if (region.vertices)
    return select_vertices(reader, region.vertices, chosen, marked);
  return select_by_place(reader, &region, chosen, marked);
}

static void mark_all(const StReader *reader, const bool *chosen, bool *marked) {
  for (int b = 0; b < reader->description->body_count; b++) {
    const StBodyDesc *body = &reader->description->body[b];
    if (chosen[b])
      memset(marked, true, (size_t)st_body_vertex_count(body) * sizeof *marked);
    marked += body->mesh->vertex_count;
  }
}

static StStatus select_all(StReader *reader, const StJson *region, const bool *chosen,
                           bool *marked) {
  if (region->kind == ST_JSON_STRING) {
    mark_all(reader, chosen, marked);
    return ST_OK;
  }
  if (region->kind == ST_JSON_OBJECT)
    return select_one(reader, region, chosen, marked);
  for (const StJson *item = region->child; item; item = item->next)
    ST_TRY(select_one(reader, item, chosen, marked));
  return ST_OK;
}

static StStatus choose_bodies(const StReader *reader, const StJson *at, bool *chosen) {
  int body = 0;
  memset(chosen, at == NULL, (size_t)reader->description->body_count * sizeof *chosen);
  if (!at)
    return ST_OK;
  const StJson *name = at->kind == ST_JSON_LIST ? at->child : at;
  for (; name; name = at->kind == ST_JSON_LIST ? name->next : NULL) {
    ST_TRY(st_scene_find_body(reader, name, &body));
    chosen[body] = true;
  }
  return ST_OK;
}

static StStatus take_marked(const StReader *reader, const StJson *region, const bool *marked,
                            int **vertex, int *count) {
  int total = st_description_vertex_count(reader->description), found = 0;
  for (int v = 0; v < total; v++)
    found += marked[v];
  if (found == 0)
    return st_reader_fail(reader, region, "no vertex lies in this region");
  ST_TRY_MEMORY(*vertex = ST_NEW(int, found), reader->error);
  for (int v = 0; v < total; v++)
    if (marked[v])
      (*vertex)[(*count)++] = v;
  return ST_OK;
}

StStatus st_scene_choose_vertices(StReader *reader, const StJson *body, const StJson *region,
                                  int **vertex, int *count) {
  ST_FREE bool *chosen = ST_NEW(bool, reader->description->body_count);
  ST_FREE bool *marked = ST_NEW(bool, st_description_vertex_count(reader->description));
  ST_TRY_MEMORY(chosen && marked, reader->error);
  ST_TRY(choose_bodies(reader, body, chosen));
  ST_TRY(select_all(reader, region, chosen, marked));
  return take_marked(reader, region, marked, vertex, count);
}

StSceneVertex st_scene_vertex(const StDescription *description, int vertex) {
  int index = st_description_body_of(description, vertex);
  int own = vertex - st_description_first_vertex(description, index);
  const StBodyDesc *body = &description->body[index];
  return (StSceneVertex){body, own, body->mesh->position + 3 * own};
}
