// Adding parts to a description.
#include "verify/world.h"

#include "base/memory.h"
#include "contact/obstacle.h"
#include "force/material.h"
#include "math/vec3.h"
#include "mesh/shape.h"

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
  return world;
}

StDescription *st_world_finish(StWorld *world, StError *error) {
  StDescription *description = world->description;
  if (!description && error)
    *error = world->error;
  world->description = NULL;
  return description;
}

void st_world_set_time(StWorld *world, const char *integrator, double step, double duration) {
  if (!world->description)
    return;
  world->description->integrator = integrator;
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

int st_world_add_stuff(StWorld *world, const StStuff *stuff) {
  const StMaterialLaw *law = st_material_law_find(stuff->law ? stuff->law : "neo_hookean");
  if (!law)
    fail_name(world, "material law", stuff->law);
  StMaterialDesc *material = APPEND(world, material);
  if (!material)
    return -1;
  *material = (StMaterialDesc){.law = {.name = law->name, .value = {stuff->young, stuff->poisson}},
                               .density = stuff->density,
                               .mass_damping = stuff->mass_damping,
                               .stiffness_damping = stuff->stiffness_damping};
  int index = world->description->material_count - 1;
  material->name = named(world, "stuff");
  return world->description ? index : -1;
}

StMesh *st_world_shape(StWorld *world, const char *shape, const double *value, int value_count,
                       const double shift[3]) {
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
  if (type->make(all, ST_SHAPE_SOLID, &mesh, &world->error) != ST_OK) {
    st_world_drop(world);
    return NULL;
  }
  for (int v = 0; v < mesh->vertex_count; v++)
    vec3_add_scaled(1, shift, mesh->position + 3 * v);
  return mesh;
}

int st_world_add_body(StWorld *world, const char *name, StMesh *mesh, int stuff) {
  StBodyDesc *body = mesh ? APPEND(world, body) : NULL;
  if (!body) {
    st_mesh_destroy(mesh);
    st_world_fail_memory(world);
    return -1;
  }
  *body = (StBodyDesc){.mesh = mesh, .material = stuff};
  int index = world->description->body_count - 1;
  body->name = named(world, name);
  return world->description ? index : -1;
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

void st_world_add_contact(StWorld *world, const StContactDesc *contact) {
  StContactDesc *added = APPEND(world, contact);
  if (added)
    *added = *contact;
}

static int first_vertex(const StDescription *description, int body) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  return first;
}

StBoundaryDesc *st_world_add_boundary(StWorld *world, int body, StWorldChoice chosen,
                                      const void *context) {
  StBoundaryDesc *boundary = APPEND(world, boundary);
  if (!boundary)
    return NULL;
  *boundary = (StBoundaryDesc){
      .axis = {true, true, true}, .motion = {.axis = {0, 0, 1}}, .release = INFINITY};
  const StMesh *mesh = world->description->body[body].mesh;
  int first = first_vertex(world->description, body);
  boundary->vertex = ST_NEW(int, mesh->vertex_count);
  boundary->name = st_copy_string("held");
  if (!boundary->vertex || !boundary->name) {
    st_world_fail_memory(world);
    return NULL;
  }
  for (int v = 0; v < mesh->vertex_count; v++)
    if (chosen(mesh->position + 3 * v, context))
      boundary->vertex[boundary->vertex_count++] = first + v;
  return boundary;
}

void st_world_move(StWorld *world, StMotion *motion, int key_count, const double *time,
                   const double *translation) {
  if (!world->description)
    return;
  motion->key_count = key_count;
  motion->extend = true;
  motion->time = ST_NEW(double, key_count);
  motion->translation = ST_NEW(double, 3 * (size_t)key_count);
  motion->angle = ST_NEW(double, key_count);
  if (!motion->time || !motion->translation || !motion->angle) {
    st_world_fail_memory(world);
    return;
  }
  memcpy(motion->time, time, (size_t)key_count * sizeof *time);
  memcpy(motion->translation, translation, 3 * (size_t)key_count * sizeof *translation);
}
