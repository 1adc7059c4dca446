// loads: {"tip": {"body": "bar", "region": {"label": "x+"}, "force": [0, 0, "-5 N"]}, …}: external
// loads on a part of the bodies. A force is distributed by the surface area in the region, or
// equally over its vertices if it has none.
#include "scene/parts.h"

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "force/joint.h"
#include "math/vec3.h"
#include "model/attachment.h"

#include <string.h>

typedef struct Load {
  const StJson *body, *region, *force, *traction, *pressure, *torque;
  double direction[3], axis[3];
} Load;

enum { FORCE_KEY = 2, TRACTION_KEY, PRESSURE_KEY, TORQUE_KEY };

static const StKey KEYS[] = {
    ST_KEY_BODIES(Load, body),
    ST_KEY(Load, region, OBJECTS,
           "Where it acts: \"all\", one region, or a list of regions (their union). Tractions and "
           "pressures act on triangles of the surface whose corners are all in it.",
           ST_KEY_REGION, .required = true),
    [FORCE_KEY] = ST_KEY(
        Load, force, CURVES,
        "The whole force: three components, or one along the direction. It keeps its direction.",
        .param.dimension = ST_FORCE_DIMENSION, .table = &st_keys_course, .otherwise = "none"),
    [TRACTION_KEY] =
        ST_KEY(Load, traction, CURVES,
               "Force per area at rest: three components, or one along the direction. It keeps its "
               "direction.",
               .param.dimension = ST_PRESSURE, .table = &st_keys_course, .otherwise = "none"),
    [PRESSURE_KEY] =
        ST_KEY(Load, pressure, CURVE,
               "External pressure on the surface, against its current normal and on its current "
               "area; on shells against the normal of their triangles. Negative values pull.",
               .param.dimension = ST_PRESSURE, .table = &st_keys_course, .otherwise = "none"),
    [TORQUE_KEY] = ST_KEY(
        Load, torque, CURVE, "Torque about the axis, which keeps its direction; no net force.",
        .param.dimension = ST_ENERGY, .table = &st_keys_course, .otherwise = "none"),
    ST_KEY(Load, axis, DIRECTION, "Of a torque.", .otherwise = "none"),
    ST_KEY(Load, direction, DIRECTION, "Direction of a force or traction given as a single value.",
           .otherwise = "none"),
};

const StKeyTable st_keys_load = {
    .name = "load",
    .path = "loads",
    .doc = "An external load on a part of the bodies, over time: exactly one of force, traction, "
           "pressure and torque.",
    ST_KEYS(KEYS),
};

// Triangles of the surfaces of all bodies with marked corners, numbered through all bodies; share:
// [vertices of all bodies] gets a third of their rest area.
typedef struct Faces {
  const bool *marked;
  double *share;
  int *triangle;
  size_t capacity;
  int count;
} Faces;

static bool add_face(Faces *faces, const StMesh *mesh, int first, const int v[3]) {
  double a[3], b[3], normal[3];
  if (!faces->marked[first + v[0]] || !faces->marked[first + v[1]] || !faces->marked[first + v[2]])
    return true;
  if (!st_grow((void **)&faces->triangle, &faces->capacity, 3 * ((size_t)faces->count + 1),
               sizeof(int)))
    return false;
  vec3_sub(mesh->position + 3 * v[1], mesh->position + 3 * v[0], a);
  vec3_sub(mesh->position + 3 * v[2], mesh->position + 3 * v[0], b);
  vec3_cross(a, b, normal);
  for (int c = 0; c < 3; c++) {
    faces->triangle[3 * faces->count + c] = first + v[c];
    faces->share[first + v[c]] += vec3_length(normal) / 6;
  }
  faces->count++;
  return true;
}

static StStatus find_faces(StReader *reader, Faces *faces) {
  int first = 0;
  for (int b = 0; b < reader->description->body_count; b++) {
    const StMesh *mesh = reader->description->body[b].mesh;
    int *triangle = NULL, count = 0;
    bool good = true;
    ST_TRY(st_contacts_skin(mesh, &triangle, &count, reader->error));
    for (int t = 0; t < count && good; t++)
      good = add_face(faces, mesh, first, triangle + 3 * (size_t)t);
    free(triangle);
    ST_TRY_MEMORY(good, reader->error);
    first += mesh->vertex_count;
  }
  return ST_OK;
}

static StStatus set_weights(const StReader *reader, const Faces *faces, StLoadDesc *desc) {
  double whole = 0;
  ST_TRY_MEMORY(desc->weight = ST_NEW(double, desc->vertex_count), reader->error);
  for (int i = 0; i < desc->vertex_count; i++)
    whole += desc->weight[i] = faces->share[desc->vertex[i]];
  for (int i = 0; i < desc->vertex_count && desc->kind == ST_LOAD_FORCE; i++)
    desc->weight[i] = whole > 0 ? desc->weight[i] / whole : 1.0 / desc->vertex_count;
  return ST_OK;
}

static StStatus spread(StReader *reader, const Load *given, Faces *faces, StLoadDesc *desc) {
  ST_TRY(find_faces(reader, faces));
  if (desc->kind != ST_LOAD_FORCE && faces->count == 0)
    return st_reader_fail(reader, given->region,
                          "no triangle of a surface has all its corners in this region");
  if (desc->kind != ST_LOAD_PRESSURE)
    return set_weights(reader, faces, desc);
  desc->vertex_count = 0;
  desc->triangle = faces->triangle;
  desc->triangle_count = faces->count;
  faces->triangle = NULL;
  return ST_OK;
}

static StStatus choose_parts(StReader *reader, const Load *given, StLoadDesc *desc) {
  size_t vertices = (size_t)st_description_vertex_count(reader->description);
  ST_FREE bool *marked = ST_NEW(bool, vertices);
  Faces faces = {.marked = marked, .share = ST_NEW(double, vertices)};
  StStatus status = marked && faces.share ? ST_OK : st_fail_memory(reader->error);
  if (status == ST_OK)
    status = st_scene_choose_vertices(reader, given->body, given->region, &desc->vertex,
                                      &desc->vertex_count);
  for (int i = 0; i < desc->vertex_count && status == ST_OK; i++)
    marked[desc->vertex[i]] = true;
  if (status == ST_OK)
    status = spread(reader, given, &faces, desc);
  free(faces.triangle);
  free(faces.share);
  return status;
}

static StStatus read_values(StReader *reader, const StJson *at, const Load *given,
                            StLoadDesc *desc) {
  const StJson *direction = st_json_get(at, "direction");
  if (given->pressure && direction)
    return st_reader_fail_key(reader, direction, "cannot be used with \"pressure\"");
  if (given->pressure)
    return st_scene_read_curve(reader, given->pressure, &KEYS[PRESSURE_KEY], &desc->value[0]);
  return st_scene_read_curves(reader, given->force ? given->force : given->traction,
                              &KEYS[given->force ? FORCE_KEY : TRACTION_KEY], direction,
                              given->direction, desc->value);
}

static StStatus check_form(const StReader *reader, const StJson *at, const Load *given) {
  int forms = (given->force != NULL) + (given->traction != NULL) + (given->pressure != NULL) +
              (given->torque != NULL);
  const StJson *axis = st_json_get(at, "axis"), *direction = st_json_get(at, "direction");
  if (forms != 1)
    return st_reader_fail(reader, at,
                          "exactly one of the keys \"force\", \"traction\", \"pressure\", "
                          "\"torque\" is needed");
  if (given->torque && !axis)
    return st_reader_fail(reader, at, "the key \"axis\" is missing, which a torque needs");
  if (!given->torque && axis)
    return st_reader_fail_key(reader, axis, "cannot be used without \"torque\"");
  if (given->torque && direction)
    return st_reader_fail_key(reader, direction, "cannot be used with \"torque\"");
  return ST_OK;
}

// A motor between the region and the world.
static StStatus read_torque(StReader *reader, const StJson *at, const Load *given) {
  const StJointSite site = {.at = at, .body = given->body, .region = given->region};
  StJointDesc *joint = &reader->description->joint[reader->description->joint_count++];
  ST_TRY_MEMORY(joint->name = st_copy_string(at->key), reader->error);
  joint->type = (StChoice){
      .name = st_joint_types[ST_JOINT_MOTOR].name,
      .value = {[ST_MOTOR_SPEED] = INFINITY, [ST_MOTOR_SLIP] = INFINITY, [ST_MOTOR_GEAR] = 1}};
  ST_TRY(st_scene_read_curve(reader, given->torque, &KEYS[TORQUE_KEY],
                             &joint->curve[ST_MOTOR_TORQUE]));
  ST_TRY(st_scene_choose_end(reader, &site, &joint->end[0]));
  double span = st_scene_end_radius(reader, &joint->end[0]);
  if (span < 0)
    return st_fail_memory(reader->error);
  ST_TRY(st_scene_attach_end(reader, &site, ST_JOINT_POINTS, given->axis, span, &joint->end[0]));
  memcpy(joint->end[1].place, joint->end[0].place, sizeof joint->end[1].place);
  return ST_OK;
}

static StStatus read_load(StReader *reader, const StJson *at) {
  Load given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_load, &given));
  ST_TRY(check_form(reader, at, &given));
  if (given.torque)
    return read_torque(reader, at, &given);
  StLoadDesc *desc = &reader->description->load[reader->description->load_count++];
  ST_TRY_MEMORY(desc->name = st_copy_string(at->key), reader->error);
  desc->kind = given.pressure   ? ST_LOAD_PRESSURE
               : given.traction ? ST_LOAD_TRACTION
                                : ST_LOAD_FORCE;
  ST_TRY(read_values(reader, at, &given, desc));
  return choose_parts(reader, &given, desc);
}

StStatus st_scene_read_loads(StReader *reader, const StJson *at) {
  return st_scene_read_each(reader, at, (void **)&reader->description->load, sizeof(StLoadDesc),
                            read_load);
}
