// obstacles: {"floor": {"shape": {"type": "half_space", "normal": "z"}, "material": "wood"}, …}
#include "scene/parts.h"

#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/shape.h"
#include "scene/suggest.h"

#include <string.h>

typedef struct Shape {
  int type;
  double point[3], normal[3];
  StChoice choice;
} Shape;

typedef struct Obstacle {
  const StJson *shape, *mesh, *rotate, *motion, *material;
  double scale[3], translate[3];
} Obstacle;

// Shapes with a distance in closed form first, then all others, which become meshes.
static bool shape_at(int index, StVariant *variant) {
  for (int i = 0; st_obstacle_types[i]; i++) {
    const StObstacleType *type = st_obstacle_types[i];
    if (type->gap && index-- == 0) {
      *variant = (StVariant){type->name, type->summary, type->param, type->param_count, NULL};
      return true;
    }
  }
  for (int i = 0; st_shape_types[i]; i++) {
    const StShapeType *type = st_shape_types[i];
    if (!type->surface_only && !st_obstacle_find(type->name) && index-- == 0) {
      *variant = (StVariant){type->name, type->summary, type->param, type->param_count, NULL};
      return true;
    }
  }
  return false;
}

static const StKey SHAPE_KEYS[] = {
    ST_KEY(Shape, type, SCALAR, "Which shape.", .param.kind = ST_WORD, .param.fallback = NAN,
           .required = true, .variant = shape_at),
    ST_KEY(Shape, point, VECTOR, "For a half_space: a point on its face.",
           .param.dimension = ST_LENGTH_DIMENSION, .otherwise = "[0, 0, 0]"),
    ST_KEY(Shape, normal, DIRECTION,
           "For a half_space: the direction its face points, towards the bodies.",
           .otherwise = "\"z\""),
};

const StKeyTable st_keys_obstacle_shape = {
    .name = "obstacle shape",
    .doc = "The shape of an obstacle, about its own origin. Its parameters go next to these keys. "
           "The first ones have an exact distance; those made as meshes (torus, tube …) are "
           "touched through their triangles or the smooth surface of these.",
    ST_KEYS(SHAPE_KEYS),
    .chooser = &SHAPE_KEYS[0],
    .choice_offset = offsetof(Shape, choice),
};

static const StKey KEYS[] = {
    ST_KEY(Obstacle, shape, OBJECT, "Its shape.", .table = &st_keys_obstacle_shape,
           .otherwise = "none; one of shape and mesh is needed"),
    ST_KEY(Obstacle, mesh, PATH,
           "Mesh file instead (.msh, .vtk, .vtu, .vtkhdf, .obj, .stl), relative to the scene file, "
           "or the mesh itself. Its triangles are touched from the side they face; for tetrahedra, "
           "the outer faces.",
           .table = &st_keys_mesh, .otherwise = "none; one of shape and mesh is needed"),
    ST_KEY(Obstacle, scale, VECTOR,
           "Factor on the mesh, or three along x, y, z; negative ones mirror.", .scalar_too = true,
           .along = {1, 1, 1}, .otherwise = "1"),
    ST_KEY(Obstacle, rotate, OBJECTS,
           "One rotation, or a list of them in order; applied after scale.",
           .table = &st_keys_rotate, .otherwise = "none"),
    ST_KEY(Obstacle, translate, VECTOR, "Displacement; applied last.",
           .param.dimension = ST_LENGTH_DIMENSION, .otherwise = "[0, 0, 0]"),
    ST_KEY(Obstacle, motion, OBJECT, "How it moves; its velocity enters friction.",
           .table = &st_keys_motion, .otherwise = "at rest"),
    ST_KEY(Obstacle, material, NAME,
           "Material for friction: a material of the scene, a name used in the friction table, or "
           "any other name if a row with \"any\" covers it.",
           .otherwise = "none: only rows for \"any\" apply"),
};

const StKeyTable st_keys_obstacle = {
    .name = "obstacle",
    .path = "obstacles",
    .doc = "A rigid object that is fixed or moves as prescribed.",
    ST_KEYS(KEYS),
};

// Two directions that complete a right-handed frame with the given third.
static void frame_about(const double normal[3], double rotation[9]) {
  double aside[3] = {0, 0, 0}, x[3], y[3];
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(normal[k]) < fabs(normal[least]))
      least = k;
  aside[least] = 1;
  vec3_cross(aside, normal, x);
  double length = vec3_length(x);
  for (int k = 0; k < 3; k++)
    x[k] /= length;
  vec3_cross(normal, x, y);
  for (int k = 0; k < 3; k++) {
    rotation[3 * k] = x[k];
    rotation[3 * k + 1] = y[k];
    rotation[3 * k + 2] = normal[k];
  }
}

static StStatus place_half_space(StReader *reader, const StJson *at, const Shape *shape,
                                 StObstacleDesc *desc) {
  static const char *const OWN[] = {"point", "normal"};
  bool is_half_space = strcmp(shape->choice.name, "half_space") == 0;
  for (int i = 0; i < ST_LENGTH(OWN); i++)
    if (!is_half_space && st_json_get(at, OWN[i]))
      return st_reader_fail_key(
          reader, st_json_get(at, OWN[i]),
          "does not apply to a %s, only to a half_space; use rotate and translate of the obstacle",
          shape->choice.name);
  if (!is_half_space)
    return ST_OK;
  vec3_copy(shape->point, desc->origin);
  if (shape->normal[2] != 1)
    frame_about(shape->normal, desc->rotation);
  return ST_OK;
}

static StStatus read_shape(StReader *reader, const StJson *at, StObstacleDesc *desc) {
  Shape shape = {.normal = {0, 0, 1}};
  ST_TRY(st_reader_object(reader, at, &st_keys_obstacle_shape, &shape));
  ST_TRY(place_half_space(reader, at, &shape, desc));
  desc->shape = shape.choice;
  if (st_obstacle_find(shape.choice.name))
    return ST_OK;
  StStatus status = st_shape_find(shape.choice.name)
                        ->make(shape.choice.value, ST_SHAPE_SURFACE, &desc->mesh, reader->error);
  desc->shape = (StChoice){.name = st_obstacle_find("mesh")->name};
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

// A closed mesh that faces inward is a container: allowed, but rarely intended.
static StStatus check_mesh(StReader *reader, const StJson *at, const char *name,
                           const StMesh *mesh) {
  StMeshReport report;
  if (mesh->tet_count + mesh->triangle_count == 0)
    return st_reader_fail(reader, at, "the mesh has no triangles to touch");
  if (mesh->tet_count > 0)
    return ST_OK;
  StStatus status = st_mesh_report(mesh, &report, reader->error);
  if (status != ST_OK)
    return st_reader_prefix(reader, at, status);
  if (report.closed && report.enclosed_volume < 0)
    st_log(reader->log, ST_WARNING,
           "%s: the triangles of the obstacle \"%s\" face inward, like those of a container; if it "
           "is none, reverse the order of their vertices in the mesh",
           reader->name, name);
  return ST_OK;
}

typedef struct Wanted {
  const StJson *at;
  const Obstacle *given;
  const StObstacleDesc *desc;
} Wanted;

static StStatus make_mesh(StReader *reader, void *context, int index, StMesh **mesh) {
  const Wanted *wanted = context;
  (void)index;
  ST_TRY(st_scene_read_mesh(reader, wanted->given->mesh, false, mesh));
  ST_TRY(st_scene_scale_mesh(reader, wanted->at, wanted->given->scale, *mesh));
  return check_mesh(reader, wanted->given->mesh, wanted->desc->name, *mesh);
}

static StStatus read_mesh(StReader *reader, const StJson *at, const Obstacle *given,
                          StObstacleDesc *desc) {
  Wanted wanted = {at, given, desc};
  desc->shape.name = st_obstacle_find("mesh")->name;
  return st_scene_make_mesh(reader, make_mesh, &wanted, &desc->mesh);
}

static StStatus read_form(StReader *reader, const StJson *at, const Obstacle *given,
                          StObstacleDesc *desc) {
  const StJson *scale = st_json_get(at, "scale");
  if (given->mesh && given->shape)
    return st_reader_fail_key(reader, given->shape, "an obstacle has a shape or a mesh, not both");
  if (!given->mesh && !given->shape)
    return st_reader_fail(reader, at, "one of the keys \"shape\" and \"mesh\" is needed");
  if (given->mesh)
    return read_mesh(reader, at, given, desc);
  if (scale)
    return st_reader_fail_key(reader, scale,
                              "is for mesh files; the parameters of a shape say its size");
  return read_shape(reader, given->shape, desc);
}

// Names of an obstacle's possible materials: the materials, then those in the friction table.
typedef struct Words {
  int count;
  const char **word;
  bool open; // a row with "any" covers every other name too
} Words;

static const char *word_at(const void *words, int index) {
  return ((const Words *)words)->word[index];
}

static void add_word(Words *words, const char *word) {
  for (int i = 0; i < words->count; i++)
    if (strcmp(words->word[i], word) == 0)
      return;
  words->word[words->count++] = word;
}

// Whether a row holds for what the scene's bodies are made of on anything: ["rubber", "any"].
static bool covers_all(const StDescription *description, const StFrictionRow *row) {
  if (row->name[0] && row->name[1])
    return false;
  const char *body = row->name[0] ? row->name[0] : row->name[1];
  for (int i = 0; body && i < description->material_count; i++)
    if (strcmp(description->material[i].name, body) == 0)
      return true;
  return body == NULL;
}

static StStatus list_words(const StReader *reader, const StFrictionTable *table, Words *words) {
  const StDescription *description = reader->description;
  for (int i = 0; i < table->count; i++)
    words->open = words->open || covers_all(description, &table->row[i]);
  words->word = ST_NEW(const char *, description->material_count + 2 * table->count);
  ST_TRY_MEMORY(words->word, reader->error);
  for (int i = 0; i < description->material_count; i++)
    words->word[words->count++] = description->material[i].name;
  for (int i = 0; i < table->count; i++)
    for (int k = 0; k < 2; k++)
      if (table->row[i].name[k])
        add_word(words, table->row[i].name[k]);
  return ST_OK;
}

static bool is_word(const Words *words, const char *name) {
  for (int i = 0; i < words->count; i++)
    if (strcmp(words->word[i], name) == 0)
      return true;
  return false;
}

// Whether rows with "any" are all that this name needs; it must not pass for the word itself.
static bool is_covered(const Words *words, const StJson *at) {
  return words->open && at->kind == ST_JSON_STRING && at->text[0] != 0 &&
         strcmp(at->text, "any") != 0 && !is_word(words, at->text);
}

// A name that nothing else in the scene has is valid, but may be misspelt.
static void warn_of_likeness(const StReader *reader, const StJson *at, const Words *words) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = at->text};
  for (int i = 0; i < words->count; i++)
    st_suggestion_add(&known, words->word[i]);
  if (known.nearest)
    st_log(reader->log, ST_WARNING,
           "%s: obstacles.%.60s.material: only friction rows with \"any\" fit \"%.60s\" (did you "
           "mean \"%.60s\"?)",
           reader->name, at->parent->key, at->text, known.nearest);
}

static StStatus read_material(const StReader *reader, const StJson *at, const Words *words,
                              StObstacleDesc *desc) {
  int index;
  if (!at)
    return ST_OK;
  if (is_covered(words, at))
    warn_of_likeness(reader, at, words);
  else
    ST_TRY(st_reader_find_name(reader, at, "material", word_at, words, words->count, &index));
  desc->material = st_copy_string(at->text);
  return desc->material ? ST_OK : st_fail_memory(reader->error);
}

// `contact.pairs` names both bodies and obstacles.
static StStatus check_name(const StReader *reader, const StJson *at) {
  ST_TRY(st_scene_check_name(reader, at));
  for (int i = 0; i < reader->description->body_count; i++)
    if (strcmp(reader->description->body[i].name, at->key) == 0)
      return st_reader_fail_key(reader, at, "a body has this name already");
  return ST_OK;
}

static StStatus read_obstacle(StReader *reader, const StJson *at, const Words *words) {
  Obstacle given = {.scale = {1, 1, 1}};
  ST_TRY(check_name(reader, at));
  ST_TRY(st_reader_object(reader, at, &st_keys_obstacle, &given));
  // Counted immediately, so that a later failure frees it.
  StObstacleDesc *desc = &reader->description->obstacle[reader->description->obstacle_count++];
  *desc =
      (StObstacleDesc){.name = st_copy_string(at->key), .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ST_TRY_MEMORY(desc->name, reader->error);
  ST_TRY(read_form(reader, at, &given, desc));
  ST_TRY(st_scene_pose(reader, at, given.rotate, given.translate, desc->rotation, desc->origin));
  ST_TRY(st_scene_read_motion(reader, given.motion, desc->origin, &desc->motion));
  return read_material(reader, given.material, words, desc);
}

static StStatus read_all(StReader *reader, const StJson *at, const StFrictionTable *table,
                         Words *words) {
  ST_TRY(list_words(reader, table, words));
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_obstacle(reader, child, words));
  return ST_OK;
}

StStatus st_scene_read_obstacles(StReader *reader, const StJson *at, const StFrictionTable *table) {
  if (!at)
    return ST_OK;
  reader->description->obstacle = ST_NEW(StObstacleDesc, at->child_count);
  ST_TRY_MEMORY(reader->description->obstacle, reader->error);
  Words words = {0};
  StStatus status = read_all(reader, at, table, &words);
  free(words.word);
  return status;
}
