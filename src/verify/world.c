// Adding parts to a description.
#include "verify/world.h"

#include "base/memory.h"
#include "contact/core/obstacle.h"
#include "force/force.h"
#include "force/material.h"
#include "force/shell_material.h"
#include "force/volume_model.h"
#include "math/vec3.h"
#include "mesh/closed.h"
#include "mesh/shape.h"
#include "model/rigid.h"

#include <string.h>

void st_world_drop(StWorld *world) {
  st_description_destroy(world->description);
  world->description = NULL;
}

void st_world_fail_memory(StWorld *world) {
  st_world_drop(world);
  if (world->error.status == ST_OK)
    st_fail_memory(&world->error);
}

static void fail_name(StWorld *world, const char *kind, const char *name) {
  st_world_drop(world);
  if (world->error.status == ST_OK)
    st_fail(&world->error, ST_BUG, "there is no %s \"%s\"", kind, name);
}

StWorld st_world_begin(void) {
  StWorld world = {.description = st_description_create()};
  if (!world.description) {
    st_world_fail_memory(&world);
    return world;
  }
  vec3_set(0, 0, 0, world.description->gravity);
  world.description->solver.kind = ST_SOLVER_DIRECT;
  world.description->contact_settings.method = ST_CONTACT_SMOOTH;
  return world;
}

StDescription *st_world_finish(StWorld *world, StError *error) {
  StDescription *description = world->description;
  if (!description && error)
    *error = world->error;
  world->description = NULL;
  return description;
}

void st_world_set_touch(StWorld *world, const StTouch *touch) {
  if (!world->description)
    return;
  StContactSettings *settings = &world->description->contact_settings;
  settings->method = touch->method;
  settings->friction = touch->mode;
  settings->friction_iterations = touch->friction_iterations > 0 ? touch->friction_iterations : 1;
}

StFrictionDesc st_touch_friction(const StTouch *touch, double dynamic_coefficient,
                                 double static_coefficient, double sticking_speed) {
  return (StFrictionDesc){.dynamic_coefficient = dynamic_coefficient,
                          .static_coefficient = static_coefficient,
                          .sticking_speed = sticking_speed,
                          .stribeck_speed = 10 * sticking_speed,
                          .stick = touch->stick,
                          .damping = ST_FRICTION_DAMPING};
}

// Pressures are κ(½ + ln 2) at half the thickness by the barrier b, whose slope is −b″/b′, …
static double barrier_stiffness(double pressure, double thickness) {
  (void)thickness;
  return pressure / (0.5 + log(2));
}

// … and 3κ(δ − d)²/δ by the penalty, quadratic in how deep a body is in contact.
static double penalty_stiffness(double pressure, double thickness) {
  return 4 * pressure / (3 * thickness);
}

const StWorldMethod *st_world_method(StContactMethod method) {
  static const StWorldMethod smooth = {.slope = 4, .stiffness = penalty_stiffness};
  static const StWorldMethod primitives = {
      .slabs = true, .slope = (5 + 2 * M_LN2) / (0.5 + M_LN2), .stiffness = barrier_stiffness};
  return (const StWorldMethod *[]){
      [ST_CONTACT_SMOOTH] = &smooth, [ST_CONTACT_PRIMITIVES] = &primitives}[method];
}

double st_world_stiffness(StContactMethod method, double pressure, double thickness) {
  return st_world_method(method)->stiffness(pressure, thickness);
}

void st_world_set_time(StWorld *world, const char *integrator, double step, double duration) {
  if (!world->description)
    return;
  world->description->integrator = integrator;
  world->description->statics = strcmp(integrator, "static") == 0;
  world->description->time = (StTimeDesc){
      .duration = duration, .step = step, .frame_rate = 1 / duration, .smallest_step = step / 1024};
}

void st_world_set_tolerance(StWorld *world, double speed) {
  if (!world->description)
    return;
  world->description->solver.velocity_tolerance = speed;
  world->description->solver.change_tolerance = 100 * speed;
}

// Room for one more item at the end of an array that the description owns; NULL: no memory.
static void *append(StWorld *world, void **array, int *count, size_t size) {
  if (!world->description)
    return NULL;
  void *grown = realloc(*array, (size_t)(*count + 1) * size);
  if (!grown) {
    st_world_fail_memory(world);
    return NULL;
  }
  *array = grown;
  void *item = (char *)grown + (size_t)(*count)++ * size;
  memset(item, 0, size);
  return item;
}

#define APPEND(world, what)                                                                        \
  append(world, world->description ? (void **)&world->description->what : NULL,                    \
         world->description ? &world->description->what##_count : NULL,                            \
         sizeof *world->description->what)

static char *named(StWorld *world, const char *name) {
  char *copy = st_copy_string(name);
  if (!copy)
    st_world_fail_memory(world);
  return copy;
}

int st_world_add_material(StWorld *world, const StWorldMaterial *given) {
  const StMaterialLaw *law = st_material_law_find(given->law ? given->law : "neo_hookean");
  if (!law)
    fail_name(world, "material law", given->law);
  StMaterialDesc *material = APPEND(world, material);
  if (!material)
    return -1;
  *material = (StMaterialDesc){.law = {.name = law->name, .value = {given->young, given->poisson}},
                               .density = given->density,
                               .mass_damping = given->mass_damping,
                               .stiffness_damping = given->stiffness_damping};
  int index = world->description->material_count - 1;
  material->name = named(world, "given");
  return world->description ? index : -1;
}

int st_world_add_cloth(StWorld *world, const StCloth *cloth) {
  StMaterialDesc *material = APPEND(world, material);
  if (!material)
    return -1;
  *material = (StMaterialDesc){
      .shell = true,
      .law = {.name = st_shell_law_find("membrane")->name,
              .value = {cloth->young, cloth->poisson, cloth->area_density, cloth->bending}},
      .density = cloth->area_density,
      .mass_damping = cloth->mass_damping,
      .stiffness_damping = cloth->stiffness_damping};
  int index = world->description->material_count - 1;
  material->name = named(world, "cloth");
  return world->description ? index : -1;
}

static StMesh *make_shape(StWorld *world, const char *shape, const double *value, int value_count,
                          const double shift[3], StShapeFill fill) {
  if (!world->description)
    return NULL;
  const StShapeType *type = st_shape_find(shape);
  double all[ST_PARAM_MAX];
  StMesh *mesh = NULL;
  if (!type) {
    fail_name(world, "shape", shape);
    return NULL;
  }
  st_param_defaults(type->param, type->param_count, all);
  memcpy(all, value, (size_t)value_count * sizeof *value);
  if (type->make(all, fill, &mesh, &world->error) != ST_OK) {
    st_world_drop(world);
    return NULL;
  }
  for (int v = 0; v < mesh->vertex_count; v++)
    vec3_add_scaled(1, shift, mesh->position + 3 * v);
  return mesh;
}

StMesh *st_world_shape(StWorld *world, const char *shape, const double *value, int value_count,
                       const double shift[3]) {
  return make_shape(world, shape, value, value_count, shift, ST_SHAPE_SOLID);
}

StMesh *st_world_surface(StWorld *world, const char *shape, const double *value, int value_count,
                         const double shift[3]) {
  return make_shape(world, shape, value, value_count, shift, ST_SHAPE_SURFACE);
}

int st_world_add_body(StWorld *world, const char *name, StMesh *mesh, int given) {
  StBodyDesc *body = mesh ? APPEND(world, body) : NULL;
  if (!body) {
    st_mesh_destroy(mesh);
    st_world_fail_memory(world);
    return -1;
  }
  *body = (StBodyDesc){.mesh = mesh, .material = given, .shell = given};
  int index = world->description->body_count - 1;
  body->name = named(world, name);
  return world->description ? index : -1;
}

void st_world_make_rigid(StWorld *world, int index) {
  if (!world->description || index < 0)
    return;
  StBodyDesc *body = &world->description->body[index];
  double density = world->description->material[body->material].density;
  StRigidMass mass;
  if (st_rigid_measure(body->mesh, density, &mass, &world->error) != ST_OK ||
      st_body_make_rigid(body, &mass, 0, &world->error) != ST_OK)
    st_world_drop(world);
}

static int add_half_space(StWorld *world, const char *name, double height, double side) {
  StObstacleDesc *obstacle = APPEND(world, obstacle);
  if (!obstacle)
    return -1;
  // Turned about x, so that it stays a rotation.
  *obstacle = (StObstacleDesc){.shape = {.name = st_obstacle_find("half_space")->name},
                               .rotation = {1, 0, 0, 0, side, 0, 0, 0, side},
                               .origin = {0, 0, height},
                               .motion = {.axis = {0, 0, 1}}};
  int index = world->description->obstacle_count - 1;
  obstacle->name = named(world, name);
  return world->description ? index : -1;
}

int st_world_add_floor(StWorld *world, double height) {
  return add_half_space(world, "floor", height, 1);
}

int st_world_add_ceiling(StWorld *world, double height) {
  return add_half_space(world, "ceiling", height, -1);
}

int st_world_add_ball(StWorld *world, const double centre[3], double radius) {
  StObstacleDesc *obstacle = APPEND(world, obstacle);
  if (!obstacle)
    return -1;
  *obstacle = (StObstacleDesc){.shape = {.name = st_obstacle_find("sphere")->name, {radius}},
                               .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .origin = {centre[0], centre[1], centre[2]},
                               .motion = {.axis = {0, 0, 1}}};
  int index = world->description->obstacle_count - 1;
  obstacle->name = named(world, "ball");
  return world->description ? index : -1;
}

void st_world_add_contact(StWorld *world, const StContactDesc *contact) {
  StContactDesc *added = APPEND(world, contact);
  if (added)
    *added = *contact;
}

void st_world_add_mutual(StWorld *world, const StContactDesc *contact) {
  StContactDesc other = *contact;
  other.collider = contact->body;
  other.body = contact->collider;
  st_world_add_contact(world, contact);
  if (world->description && !st_contact_traits(world->description->contact_settings.method)->single)
    st_world_add_contact(world, &other);
}

static int first_vertex(const StDescription *description, int body) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  return first;
}

// Vertices of a body, counted through all bodies; NULL: no memory.
static int *choose(const StDescription *description, int body, StWorldChoice chosen,
                   const void *context, int *count) {
  const StMesh *mesh = description->body[body].mesh;
  int first = first_vertex(description, body), *vertex = ST_NEW(int, mesh->vertex_count);
  *count = 0;
  for (int v = 0; vertex && v < mesh->vertex_count; v++)
    if (!chosen || chosen(mesh->position + 3 * v, context))
      vertex[(*count)++] = first + v;
  return vertex;
}

StBoundaryDesc *st_world_add_boundary(StWorld *world, int body, StWorldChoice chosen,
                                      const void *context) {
  StBoundaryDesc *boundary = APPEND(world, boundary);
  if (!boundary)
    return NULL;
  *boundary = (StBoundaryDesc){
      .axis = {true, true, true}, .motion = {.axis = {0, 0, 1}}, .release = INFINITY};
  boundary->vertex = choose(world->description, body, chosen, context, &boundary->vertex_count);
  boundary->name = st_copy_string("held");
  if (boundary->vertex && boundary->name)
    return boundary;
  st_world_fail_memory(world);
  return NULL;
}

StBearingDesc *st_world_add_bearing(StWorld *world, int body, StWorldChoice chosen,
                                    const void *context, double stiffness) {
  StBearingDesc *bearing = APPEND(world, bearing);
  if (!bearing)
    return NULL;
  *bearing = (StBearingDesc){.axis = {0, 0, 1}, .stiffness = stiffness};
  bearing->vertex = choose(world->description, body, chosen, context, &bearing->vertex_count);
  bearing->name = st_copy_string("rim");
  if (bearing->vertex && bearing->name)
    return bearing;
  st_world_fail_memory(world);
  return NULL;
}

static StStatus enclose(const StMesh *mesh, StVolumeDesc *volume, StError *error) {
  StParts walls = {0};
  int outer = 0, from = 0, count = mesh->triangle_count;
  const int *triangle = mesh->triangle;
  if (mesh->tet_count > 0) {
    ST_TRY(st_mesh_walls(mesh, &walls, &outer, error));
    from = outer < walls.count ? walls.start[outer] : 0;
    count = outer < walls.count ? walls.start[outer + 1] - from : 0;
    triangle = walls.triangle;
  }
  volume->triangle = ST_NEW(int, 3 * (size_t)count);
  if (volume->triangle) {
    volume->triangle_count = count;
    memcpy(volume->triangle, triangle + 3 * (size_t)from, 3 * (size_t)count * sizeof(int));
    volume->rest_volume = st_surface_volume(mesh->position, volume->triangle, count, NULL);
  }
  st_parts_free(&walls);
  return volume->triangle ? ST_OK : st_fail_memory(error);
}

StVolumeDesc *st_world_fill(StWorld *world, int body, const char *model) {
  const StVolumeModel *type = st_volume_model_find(model);
  if (!type)
    fail_name(world, "volume model", model);
  StVolumeDesc *volume = APPEND(world, volume);
  if (!volume)
    return NULL;
  volume->outside_pressure = ST_ATMOSPHERE;
  volume->model.name = type->name;
  st_param_defaults(type->param, type->param_count, volume->model.value);
  volume->name = named(world, "filling");
  if (!volume->name || enclose(world->description->body[body].mesh, volume, &world->error)) {
    st_world_drop(world);
    return NULL;
  }
  int first = first_vertex(world->description, body);
  for (int i = 0; i < 3 * volume->triangle_count; i++)
    volume->triangle[i] += first;
  return volume;
}

void st_world_set_curve(StWorld *world, StCurve *curve, int key_count, const double *time,
                        const double *value) {
  if (!world->description)
    return;
  *curve = (StCurve){.key_count = key_count,
                     .time = ST_NEW(double, key_count),
                     .value = ST_NEW(double, key_count)};
  if (!curve->time || !curve->value) {
    st_world_fail_memory(world);
    return;
  }
  memcpy(curve->time, time, (size_t)key_count * sizeof *time);
  memcpy(curve->value, value, (size_t)key_count * sizeof *value);
}

void st_world_move(StWorld *world, StMotion *motion, int key_count, const double *time,
                   const double *translation) {
  if (!world->description)
    return;
  if (st_motion_set_keys(motion, key_count, time, translation, NULL, ST_LINEAR, true, NULL) !=
      ST_OK)
    st_world_fail_memory(world);
}
