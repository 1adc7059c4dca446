// Scenes of the public interface: read, asked about, changed.
#include "api/handles.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "contact/contacts.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <limits.h>
#include <string.h>

static StStatus make_room(StictionScene *scene, StError *error) {
  const StDescription *description = scene->description;
  scene->skin = ST_NEW(StSkin, description->body_count);
  scene->boundary_drive = ST_NEW(StDrive, description->boundary_count);
  scene->obstacle_drive = ST_NEW(StDrive, description->obstacle_count);
  bool good = scene->skin && scene->boundary_drive && scene->obstacle_drive;
  return good ? ST_OK : st_fail_memory(error);
}

// name: for messages.
static StStatus parse(StictionScene *scene, const char *name, const char *folder, StError *error) {
  ST_TRY(st_scene_parse(name, scene->text, scene->size, folder, &scene->session->log,
                        &scene->description, error));
  return make_room(scene, error);
}

static StStatus load(StictionScene *scene, const char *path, StError *error) {
  ST_TRY(st_file_read_most(path, ST_SCENE_SIZE, &scene->text, &scene->size, error));
  scene->path = st_copy_string(path);
  char *folder = st_copy_string(path);
  StStatus status = ST_OK;
  if (scene->path && folder) {
    char *slash = strrchr(folder, '/');
    folder[slash ? slash + 1 - folder : 0] = 0;
    status = parse(scene, path, folder, error);
  } else {
    status = st_fail_memory(error);
  }
  free(folder);
  return status;
}

// A run's folder says where relative paths of its scene start, by the path of the scene's file:
// that of a text is what it would be.
static char *path_of_text(const char *folder) {
  char whole[PATH_MAX];
  StText path = {0};
  const char *from = realpath(folder && *folder ? folder : ".", whole) ? whole : ".";
  st_text_add(&path, "%s/scene.json", from);
  if (path.failed)
    st_text_free(&path);
  return path.data;
}

static StStatus take_text(StictionScene *scene, const char *text, const char *folder,
                          StError *error) {
  scene->text = st_copy_string(text);
  scene->size = strlen(text);
  scene->path = path_of_text(folder);
  if (!scene->text || !scene->path)
    return st_fail_memory(error);
  return parse(scene, "scene", folder, error);
}

// text: NULL to read the file `place`; otherwise that is the folder.
static StictionStatus create(Stiction *session, const char *text, const char *place,
                             StictionScene **scene) {
  StictionScene *made = ST_NEW(StictionScene, 1);
  StStatus status = made ? ST_OK : st_fail_memory(&session->error);
  if (made)
    made->session = session;
  if (made)
    status =
        text ? take_text(made, text, place, &session->error) : load(made, place, &session->error);
  status = st_runtime_agree(status, &session->error);
  if (status != ST_OK) {
    stiction_scene_free(made);
    made = NULL;
  }
  *scene = made;
  return (StictionStatus)status;
}

StictionStatus stiction_scene_load(Stiction *session, const char *path, StictionScene **scene) {
  return create(session, NULL, path, scene);
}

StictionStatus stiction_scene_parse(Stiction *session, const char *text, const char *folder,
                                    StictionScene **scene) {
  return create(session, text, folder, scene);
}

static void free_parts(StictionScene *scene) {
  const StDescription *description = scene->description;
  for (int i = 0; scene->skin && i < description->body_count; i++)
    free(scene->skin[i].triangle);
  for (int i = 0; scene->boundary_drive && i < description->boundary_count; i++)
    free(scene->boundary_drive[i].rest);
  for (size_t i = 0; i < scene->force_count; i++)
    st_custom_force_destroy(scene->force[i]);
}

void stiction_scene_free(StictionScene *scene) {
  if (!scene)
    return;
  free_parts(scene);
  st_description_destroy(scene->description);
  free(scene->skin);
  free(scene->boundary_drive);
  free(scene->obstacle_drive);
  free(scene->force);
  free(scene->path);
  free(scene->text);
  free(scene);
}

const char *stiction_scene_title(const StictionScene *scene) {
  return scene->description->title ? scene->description->title : "";
}

double stiction_scene_duration(const StictionScene *scene) {
  return scene->description->time.duration;
}

double stiction_scene_time_step(const StictionScene *scene) {
  return scene->description->time.step;
}

double stiction_scene_frame_rate(const StictionScene *scene) {
  return scene->description->time.frame_rate;
}

int stiction_scene_vertex_count(const StictionScene *scene) {
  return st_description_vertex_count(scene->description);
}

int stiction_scene_body_count(const StictionScene *scene) {
  return scene->description->body_count;
}

int stiction_scene_boundary_count(const StictionScene *scene) {
  return scene->description->boundary_count;
}

int stiction_scene_obstacle_count(const StictionScene *scene) {
  return scene->description->obstacle_count;
}

static StStatus check_index(StictionScene *scene, const char *what, int index, int count) {
  if (index >= 0 && index < count)
    return ST_OK;
  return st_fail(&scene->session->error, ST_BAD_INPUT,
                 "there is no %s of index %d: the scene has %d", what, index, count);
}

StictionStatus stiction_scene_body(StictionScene *scene, int index, StictionBody *body) {
  const StDescription *description = scene->description;
  StStatus status = check_index(scene, "body", index, description->body_count);
  if (status != ST_OK)
    return (StictionStatus)status;
  const StMesh *mesh = description->body[index].mesh;
  StSkin *skin = &scene->skin[index];
  if (!skin->triangle)
    status = st_contacts_skin(mesh, &skin->triangle, &skin->count, &scene->session->error);
  *body = (StictionBody){.name = description->body[index].name,
                         .vertex_count = mesh->vertex_count,
                         .rest = mesh->position,
                         .tet_count = mesh->tet_count,
                         .tet = mesh->tet,
                         .triangle_count = mesh->triangle_count,
                         .triangle = mesh->triangle,
                         .skin_count = skin->count,
                         .skin = skin->triangle,
                         .label_count = mesh->label_count,
                         .label = (const char *const *)mesh->label_name,
                         .tet_label = mesh->tet_label,
                         .triangle_label = mesh->triangle_label};
  for (int b = 0; b < index; b++)
    body->first_vertex += description->body[b].mesh->vertex_count;
  return (StictionStatus)status;
}

StictionStatus stiction_scene_boundary(StictionScene *scene, int index,
                                       StictionBoundary *boundary) {
  StStatus status = check_index(scene, "boundary", index, scene->description->boundary_count);
  if (status != ST_OK)
    return (StictionStatus)status;
  const StBoundaryDesc *desc = &scene->description->boundary[index];
  *boundary = (StictionBoundary){.name = desc->name,
                                 .vertex_count = desc->vertex_count,
                                 .vertex = desc->vertex,
                                 .axis = {desc->axis[0], desc->axis[1], desc->axis[2]},
                                 .release = desc->release};
  return STICTION_OK;
}

StictionStatus stiction_scene_obstacle(StictionScene *scene, int index,
                                       StictionObstacle *obstacle) {
  StStatus status = check_index(scene, "obstacle", index, scene->description->obstacle_count);
  if (status != ST_OK)
    return (StictionStatus)status;
  const StObstacleDesc *desc = &scene->description->obstacle[index];
  *obstacle = (StictionObstacle){.name = desc->name, .shape = desc->shape.name};
  memcpy(obstacle->rotation, desc->rotation, sizeof obstacle->rotation);
  vec3_copy(desc->origin, obstacle->origin);
  if (desc->mesh) {
    obstacle->vertex_count = desc->mesh->vertex_count;
    obstacle->position = desc->mesh->position;
    obstacle->triangle_count = desc->mesh->triangle_count;
    obstacle->triangle = desc->mesh->triangle;
  }
  return STICTION_OK;
}

StStatus st_scene_may_change(const StictionScene *scene, StError *error) {
  if (scene->simulation_count == 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "a simulation of this scene is alive: free it before the scene is changed");
}
