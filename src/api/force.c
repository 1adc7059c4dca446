// External forces, added to a scene.
#include "api/handles.h"
#include "base/memory.h"

#include <string.h>

static bool is_taken(const StictionScene *scene, const char *name) {
  bool taken = st_force_type_find(name) != NULL;
  for (size_t i = 0; i < scene->force_count; i++)
    taken = taken || strcmp(scene->force[i]->name, name) == 0;
  return taken;
}

static int listed_count(void) {
  int count = 0;
  while (st_force_types[count])
    count++;
  return count;
}

static StStatus check_room(const StictionScene *scene, const char *name, StError *error) {
  int most = ST_RECORD_FORCES - listed_count();
  if (is_taken(scene, name))
    return st_fail(error, ST_BAD_INPUT, "there is a force named \"%s\" already", name);
  if ((int)scene->force_count >= most)
    return st_fail(error, ST_BAD_INPUT, "a scene takes at most %d forces from outside", most);
  return ST_OK;
}

// Reserves space in both lists before changing either.
static StStatus append(StictionScene *scene, StCustomForce *custom, StError *error) {
  StDescription *description = scene->description;
  size_t count = (size_t)description->force_count;
  StForceDesc *grown = realloc(description->force, (count + 1) * sizeof *grown);
  if (grown)
    description->force = grown;
  ST_TRY_MEMORY(grown && st_grow((void **)&scene->force, &scene->force_capacity,
                                 scene->force_count + 1, sizeof *scene->force),
                error);
  description->force[description->force_count++] =
      (StForceDesc){.choice = {.name = custom->name},
                    .body = -1,
                    .type = &custom->type,
                    .pair_count = custom->force.pair_count,
                    .pair = custom->pair};
  scene->force[scene->force_count++] = custom;
  return ST_OK;
}

static StStatus add_force(StictionScene *scene, const StictionForce *force, StError *error) {
  StCustomForce *custom = NULL;
  StStatus status = st_custom_force_create(force, st_description_vertex_count(scene->description),
                                           &custom, error);
  if (status == ST_OK)
    status = check_room(scene, custom->name, error);
  if (status == ST_OK)
    status = append(scene, custom, error);
  if (status != ST_OK)
    st_custom_force_destroy(custom);
  return status;
}

StictionStatus stiction_scene_add_force(StictionScene *scene, const StictionForce *force) {
  ST_NEED(scene);
  ST_NEED(force);
  ST_ENTER(scene->session, ST_ALONE(scene));
  return st_call_leave(add_force(scene, force, st_call_error()));
}
