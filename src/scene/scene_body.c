// bodies: {"ball": {"mesh": "ball.msh" | "shape": {…}, transform, materials, velocities}, …}
#include "scene/contact_scale.h"
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/parcel.h"
#include "mesh/second_order.h"
#include "mesh/shape.h"
#include "model/body.h"
#include "solve/runtime.h"
#include "scene/tunables.h"

#include <limits.h>
#include <string.h>

typedef struct Shape {
  int type, fill;
  StChoice choice;
} Shape;

typedef struct Body {
  const StJson *at; // all of it
  const StJson *mesh, *shape, *rotate;
  StSceneFill filling;
  StBodyMaterials made_of;
  double scale[3], translate[3], velocity[3], angular_velocity[3], gravity[3];
  bool self_contact;
  int order;
  StRigidGiven rigid;
} Body;

static bool shape_at(int index, StVariant *variant) {
  const StShapeType *type = st_shape_types[index];
  if (!type)
    return false;
  *variant = (StVariant){type->name, type->summary, type->param, type->param_count, type->label};
  return true;
}

enum { FILL_AUTO, FILL_SOLID, FILL_SURFACE };
static const char *const FILLS[] = {"auto", "solid", "surface", NULL};

static const StKey SHAPE_KEYS[] = {
    ST_KEY(Shape, type, SCALAR, "Which shape.", .param.kind = ST_WORD, .param.fallback = NAN,
           .required = true, .variant = shape_at),
    ST_KEY(Shape, fill, SCALAR,
           "Tetrahedra (solid) or triangles (surface); auto: the usual choice for the shape.",
           .param.kind = ST_WORD, .param.word = FILLS),
};

const StKeyTable st_keys_shape = {
    .name = "shape",
    .doc = "A parametric shape, centred at the origin. Its parameters go next to these keys. Rigid "
           "balls, cylinders, capsules and tubes without edge and cells get facets that are "
           "nowhere farther from the circle than 0.05 % of the radius: 26 cells along a quarter.",
    ST_KEYS(SHAPE_KEYS),
    .chooser = &SHAPE_KEYS[0],
    .choice_offset = offsetof(Shape, choice),
};

static const char *const MESH_FILLS[] = {"none", "solid", "cage", NULL}; // StMeshFill

static const StKey KEYS[] = {
    ST_KEY(Body, mesh, PATH,
           "Mesh file (.msh, .vtk, .vtu, .vtkhdf, .obj, .stl), relative to the scene file; or the "
           "mesh itself.",
           .table = &st_keys_mesh, .otherwise = "none; one of mesh and shape is needed"),
    ST_KEY(Body, shape, OBJECT, "A parametric shape instead of a mesh file.",
           .table = &st_keys_shape, .otherwise = "none; one of mesh and shape is needed"),
    ST_KEY_NAMED("fill", Body, filling.fill, SCALAR,
                 "What to make of a surface. solid: it is repaired, remeshed to the edge length "
                 "\"edge\" and filled with tetrahedra; the result is kept in the user's cache "
                 "folder. cage: it stays as it is, whatever its state, and moves with a lattice of "
                 "tetrahedra around it, with cells of \"edge\".",
                 .param.kind = ST_WORD, .param.word = MESH_FILLS),
    ST_KEY_NAMED("edge", Body, filling.edge, SCALAR,
                 "With fill: target edge length, or the longest side of a cage's cells.",
                 .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise =
                     "a twentieth of the surface's size, the diagonal of the box around it; of a "
                     "solid at most what a thin body needs to bend (2/15 of its thickness, with "
                     "order 2 all of it), as far as about 25 000 tetrahedra are enough for that"),
    ST_KEY_NAMED("tolerance", Body, filling.tolerance, SCALAR,
                 "With fill solid: how far the surface may move.",
                 .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "a tenth of the edge"),
    ST_KEY_NAMED("hole", Body, filling.hole, SCALAR,
                 "With fill solid: holes up to this wide are closed.",
                 .param.dimension = ST_LENGTH_DIMENSION, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "a fifth of the surface's size"),
    ST_KEY(
        Body, order, SCALAR,
        "Order of the displacement in tetrahedra. 2: each gets a vertex on every edge, that of the "
        "mesh file if it has one, and bends nearly as it should with one through the thickness.",
        .param.kind = ST_INTEGER, ST_KEY_RANGE(1, 2), .param.fallback = 1),
    ST_KEY(Body, scale, VECTOR,
           "Factor on the mesh, or three along x, y, z; negative factors mirror. Applied first: "
           "0.001 reads a mesh in millimetres.",
           .scalar_too = true, .along = {1, 1, 1}, .otherwise = "1"),
    ST_KEY(Body, rotate, OBJECTS, "One rotation, or a list of them in order; applied after scale.",
           .table = &st_keys_rotate, .otherwise = "none"),
    ST_KEY(Body, translate, VECTOR, "Displacement; applied last.",
           .param.dimension = ST_LENGTH_DIMENSION, .otherwise = "[0, 0, 0]"),
    ST_KEY_NAMED("material", Body, made_of.material, NAME,
                 "Name of the material: a solid's for tetrahedra; a shell's for a body that has "
                 "triangles only; a rigid one for either.",
                 .otherwise = "the only material of that kind, when there is just one"),
    ST_KEY_NAMED("shell", Body, made_of.shell, NAME,
                 "Name of the material of the triangles of a body that has tetrahedra too.",
                 .otherwise = "the only shell's material, when there is just one"),
    ST_KEY_NAMED(
        "materials", Body, made_of.materials, NAME_MAP,
        "Materials of parts of the mesh: label of tetrahedra or triangles to name of the material.",
        .otherwise = "none"),
    ST_KEY(Body, velocity, VECTOR, "Initial velocity.", .param.dimension = ST_SPEED,
           .otherwise = "[0, 0, 0]"),
    ST_KEY(Body, angular_velocity, VECTOR,
           "Initial spin about the body's centre of mass, as a vector along the axis.",
           .param.dimension = ST_SPIN, .otherwise = "[0, 0, 0]"),
    ST_KEY(Body, gravity, VECTOR,
           "Gravity on this body alone, instead of the scene's; a single number pulls down, along "
           "-z, and 0 lets it float.",
           .param.dimension = ST_ACCELERATION, .scalar_too = true, .along = {0, 0, -1},
           .otherwise = "the scene's"),
    ST_KEY(Body, self_contact, SCALAR,
           "Whether it touches itself; with contact by primitives only.", .param.kind = ST_BOOLEAN,
           .param.fallback = 1),
    ST_KEY_NAMED("mass", Body, rigid.mass, SCALAR,
                 "Mass of a rigid body, instead of its material's density.",
                 .param.dimension = ST_MASS, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .param.max_open = true, .otherwise = "density × the volume inside the surface"),
    ST_KEY_NAMED("centre", Body, rigid.centre, VECTOR,
                 "Centre of mass of a rigid body, in the coordinates of its mesh after scaling; it "
                 "rotates and moves with the mesh.",
                 .param.dimension = ST_LENGTH_DIMENSION, .otherwise = "the middle of the volume"),
    ST_KEY_NAMED("inertia", Body, rigid.inertia, VECTOR,
                 "Moments of inertia of a rigid body about its centre of mass, xx, yy, zz, in the "
                 "axes of its mesh.",
                 .param.dimension = ST_INERTIA, .otherwise = "that of a uniform density"),
    ST_KEY_NAMED("inertia_products", Body, rigid.products, VECTOR,
                 "Entries xy, xz, yz of the inertia matrix (minus the products of inertia).",
                 .param.dimension = ST_INERTIA, .otherwise = "[0, 0, 0]"),
};

const StKeyTable st_keys_body = {
    .name = "body",
    .path = "bodies",
    .doc = "Something that moves: a mesh or a shape, placed in the world, with its materials and "
           "its initial motion. Tetrahedra make it a solid, triangles a shell (cloth, a balloon); "
           "a mesh may have both. A rigid material makes it a rigid body, from its surface.",
    ST_KEYS(KEYS),
};

// A rigid body that is round by default gets facets that do not matter for how it rolls: its
// vertices are carried, and cost little.
static void make_round(const StShapeType *type, double *value) {
  double diameter = 2; // over the radius
  st_shape_refine_round(
      type, st_scene_tunables.facet_deviation * st_scene_tunables.thickness_size * diameter, value);
}

static StStatus make_shape(StReader *reader, const Body *body, StMesh **mesh) {
  Shape shape = {0};
  const StJson *at = body->shape;
  ST_TRY(st_reader_object(reader, at, &st_keys_shape, &shape));
  const StShapeType *type = st_shape_find(shape.choice.name);
  bool solid = shape.fill == FILL_AUTO ? type->solid_by_default : shape.fill == FILL_SOLID;
  if (st_scene_is_rigid(reader, &body->made_of)) {
    make_round(type, shape.choice.value);
    solid = solid && type->labels_tets; // only the surface counts
  }
  StStatus status = type->make(shape.choice.value, solid ? ST_SHAPE_SOLID : ST_SHAPE_SURFACE, mesh,
                               reader->error);
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

// A vertex without mass could not be solved for.
static StStatus check_elements(StReader *reader, const StJson *at, const StMesh *mesh) {
  ST_FREE bool *used = ST_NEW(bool, mesh->vertex_count);
  ST_TRY_MEMORY(used, reader->error);
  for (int i = 0; i < 4 * mesh->tet_count; i++)
    used[mesh->tet[i]] = true;
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    used[mesh->triangle[i]] = true;
  int alone = 0;
  while (alone < mesh->vertex_count && used[alone])
    alone++;
  if (alone == mesh->vertex_count)
    return ST_OK;
  const double *x = mesh->position + 3 * alone;
  return st_reader_fail(reader, at,
                        "vertex %d at (%g, %g, %g) belongs to no tetrahedron and no triangle",
                        alone, x[0], x[1], x[2]);
}

// Mesh files have no unit, and most are in mm: a part of more than 10 mm then seems to have 10 m.
static void warn_large(const StReader *reader, const StJson *at, const StMesh *mesh) {
  double low[3], high[3], size = 0;
  vec3_bounds(mesh->position, mesh->vertex_count, low, high);
  for (int k = 0; k < 3; k++)
    size = fmax(size, high[k] - low[k]);
  if (at->kind == ST_JSON_STRING && size > 10)
    st_reader_warn(reader, at,
                   "the mesh is %.4g m long; if its file is in mm, add \"scale\": 0.001", size);
}

// Why a body's tets cannot be of second order; NULL: they can.
static const char *order_refused(const StReader *reader, const Body *body, const StMesh *mesh) {
  if (st_scene_is_rigid(reader, &body->made_of))
    return "2 is for bodies that deform, this one is rigid";
  if (mesh->cage)
    return "2 is not for tetrahedra of a cage: \"fill\": \"solid\" makes others";
  if (mesh->triangle_count > 0 && mesh->tet_count > 0)
    return "2 is for bodies of tetrahedra alone, this one has triangles of a shell as well";
  if (mesh->tet_count == 0)
    return "2 is for tetrahedra, this body has triangles: see \"fill\"";
  return NULL;
}

static StStatus set_order(StReader *reader, const Body *body, StMesh *mesh) {
  const StJson *at = st_json_get(body->at, "order");
  const char *refused = order_refused(reader, body, mesh);
  if (body->order == 1)
    return ST_OK;
  if (refused)
    return st_reader_fail(reader, at, "%s", refused);
  if (mesh->second_order)
    return ST_OK;
  StStatus status = st_mesh_raise_order(mesh, reader->error);
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

static StStatus read_geometry(StReader *reader, const Body *body, StMesh **mesh) {
  const StJson *at = body->at;
  if (body->mesh && body->shape)
    return st_reader_fail_key(reader, body->shape, "a body has a mesh or a shape, not both");
  if (!body->mesh && !body->shape)
    return st_reader_fail(reader, at, "one of the keys \"mesh\" and \"shape\" is needed");
  ST_TRY(st_scene_check_fill(reader, at, body->shape, &body->filling));
  const double one[3] = {1, 1, 1}, *scale = body->scale;
  if (body->filling.fill) {
    StSceneFill filling = body->filling;
    filling.order = body->order;
    ST_TRY(st_scene_fill(reader, at, body->mesh, &filling, body->scale, mesh));
    scale = one;
  } else if (body->mesh) {
    ST_TRY(st_scene_read_mesh(reader, body->mesh, body->order == 2, mesh));
  } else {
    ST_TRY(make_shape(reader, body, mesh));
  }
  ST_TRY(check_elements(reader, body->mesh ? body->mesh : body->shape, *mesh));
  ST_TRY(st_scene_transform(reader, at, scale, body->rotate, body->translate, *mesh));
  if (body->mesh)
    warn_large(reader, body->mesh, *mesh);
  ST_TRY(set_order(reader, body, *mesh));
  return st_mesh_find_boundary(*mesh, reader->error);
}

// Of the bodies so far.
typedef struct Total {
  double vertices, tets, triangles;
} Total;

static StStatus check_total(StReader *reader, const StJson *at, const StMesh *mesh, Total *total) {
  total->vertices += mesh->vertex_count;
  total->tets += mesh->tet_count;
  total->triangles += mesh->triangle_count;
  if (12 * total->vertices < INT_MAX && 16 * total->tets < INT_MAX &&
      16 * total->triangles < INT_MAX)
    return ST_OK;
  return st_reader_fail(
      reader, at,
      "with this body the scene has %.0f tetrahedra and %.0f triangles, too many to count",
      total->tets, total->triangles);
}

static StStatus read_makeup(StReader *reader, const StJson *at, const Body *body,
                            StBodyDesc *desc) {
  StRigidGiven rigid = body->rigid;
  if (st_scene_is_rigid(reader, &body->made_of)) {
    if (desc->mesh->cage)
      return st_reader_fail_key(reader, st_json_get(at, "fill"),
                                "a rigid body needs no cage: its surface is enough");
    ST_TRY(st_mesh_own(desc->mesh, reader->error)); // its tets go, and it gets more vertices
    rigid.rotate = body->rotate;
    vec3_copy(body->translate, rigid.translate);
    return st_scene_make_rigid(reader, at, &body->made_of, &rigid, desc);
  }
  ST_TRY(st_scene_refuse_rigid_keys(reader, at));
  ST_TRY(st_scene_read_body_materials(reader, at, &body->made_of, desc));
  return desc->mesh->cage ? st_body_enter_cage(desc, reader->error) : ST_OK;
}

StStatus st_scene_check_name(const StReader *reader, const StJson *at) {
  if (strchr(at->key, '|'))
    return st_reader_fail_key(reader, at,
                              "the name of a body or an obstacle must not contain \"|\": results "
                              "name pairs of them \"A|B\"");
  return ST_OK;
}

StStatus st_scene_check_speed(const StReader *reader, const StJson *at, const double velocity[3],
                              const char *where) {
  static const double LIGHT = 299792458; // m/s; mechanics here are Newton's
  double speed = hypot(hypot(velocity[0], velocity[1]), velocity[2]);
  if (!at || speed < LIGHT)
    return ST_OK;
  if (!isfinite(speed))
    return st_reader_fail(reader, at, "is infinitely fast");
  return st_reader_fail(reader, at, "must be slower than light (%.9g m/s), is %.6g m/s%s", LIGHT,
                        speed, where);
}

static StStatus read_keys(StReader *reader, const StJson *at, Body *body) {
  *body = (Body){.at = at, .scale = {1, 1, 1}};
  ST_TRY(st_scene_check_name(reader, at));
  ST_TRY(st_reader_object(reader, at, &st_keys_body, body));
  ST_TRY(st_scene_check_speed(reader, st_json_get(at, "velocity"), body->velocity, ""));
  ST_TRY(st_scene_check_speed(reader, st_json_get(at, "angular_velocity"), body->angular_velocity,
                              ST_AT_A_METRE));
  // Counted immediately, so that a later failure frees it.
  StBodyDesc *desc = &reader->description->body[reader->description->body_count++];
  desc->name = st_copy_string(at->key);
  desc->source = st_reader_source(reader, at);
  return desc->name && desc->source ? ST_OK : st_fail_memory(reader->error);
}

static StStatus make_mesh(StReader *reader, void *context, int index, StMesh **mesh) {
  return read_geometry(reader, (const Body *)context + index, mesh);
}

// In turn; but filling a surface adds notes to the scene, which the first process prints.
static void choose_makers(const Body *body, int count, int *rank) {
  int ranks = st_runtime_size();
  for (int i = 0; i < count; i++)
    rank[i] = body[i].filling.fill ? 0 : i % ranks;
}

static StStatus make_meshes(StReader *reader, const StJson *at, Body *body) {
  int count = at->child_count, *rank = ST_NEW(int, count);
  ST_FREE StMesh **mesh = ST_NEW(StMesh *, count);
  StStatus status = rank && mesh ? ST_OK : st_fail_memory(reader->error);
  Body *next = body;
  for (const StJson *child = at->child; child && status == ST_OK; child = child->next)
    status = read_keys(reader, child, next++);
  if (status == ST_OK)
    choose_makers(body, count, rank);
  StMeshMakers makers = {count, rank, make_mesh, body};
  status = st_scene_make_meshes(reader, &makers, status, mesh);
  for (int i = 0; i < count && mesh; i++)
    reader->description->body[i].mesh = mesh[i];
  free(rank);
  return status;
}

static StStatus finish_body(StReader *reader, const Body *body, StBodyDesc *desc) {
  desc->self_contact = body->self_contact;
  ST_TRY(read_makeup(reader, body->at, body, desc));
  memcpy(desc->velocity, body->velocity, sizeof body->velocity);
  memcpy(desc->angular_velocity, body->angular_velocity, sizeof body->angular_velocity);
  memcpy(desc->gravity, body->gravity, sizeof body->gravity);
  desc->own_gravity = st_json_get(body->at, "gravity") != NULL;
  return ST_OK;
}

static StStatus read_all(StReader *reader, const StJson *at, Body *body) {
  ST_TRY(make_meshes(reader, at, body));
  Total total = {0};
  for (int i = 0; i < at->child_count; i++) {
    StBodyDesc *desc = &reader->description->body[i];
    ST_TRY(finish_body(reader, &body[i], desc));
    ST_TRY(check_total(reader, body[i].at, desc->mesh, &total));
  }
  return st_description_number(reader->description) ? ST_OK : st_fail_memory(reader->error);
}

StStatus st_scene_read_bodies(StReader *reader, const StJson *at) {
  if (at->child_count == 0)
    return st_reader_fail(reader, at, "at least one body is needed");
  reader->description->body = ST_NEW(StBodyDesc, at->child_count);
  ST_FREE Body *body = ST_NEW(Body, at->child_count);
  ST_TRY_MEMORY(reader->description->body && body, reader->error);
  return read_all(reader, at, body);
}

static const char *body_name(const void *description, int index) {
  return ((const StDescription *)description)->body[index].name;
}

StStatus st_scene_find_body(const StReader *reader, const StJson *at, int *body) {
  return st_reader_find_name(reader, at, "body", body_name, reader->description,
                             reader->description->body_count, body);
}
