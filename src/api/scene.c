// Scenes of the public interface: read, asked about, changed.
#include "api/build.h"
#include "api/handles.h"
#include "base/memory.h"
#include "base/text.h"
#include "contact/core/contacts.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <limits.h>
#include <string.h>

static StStatus make_room(StictionScene *scene, StError *error) {
  const StDescription *description = scene->description;
  ST_TRY_MEMORY(scene->skin = ST_NEW(StSkinView, description->body_count), error);
  return st_drives_create(scene->description, NULL, &scene->drives, error);
}

// A run's folder says where relative paths of its scene start, by the path of the scene's file:
// that of a text is what it would be.
static char *path_of_text(const char *folder) {
  char whole[PATH_MAX];
  StText path = {0};
  const char *from = realpath(folder && *folder ? folder : ".", whole) ? whole : ".";
  st_text_add(&path, "%s/scene.json", from);
  return st_text_take(&path);
}

static StStatus take_text(StictionScene *scene, const StictionBuild *build, StError *error) {
  StText made = {0};
  const char *text = NULL;
  StStatus status = st_build_text(build, &text, &scene->size, &made, error);
  if (status == ST_OK && made.data)
    scene->text = made.data; // ours now
  else
    st_text_free(&made);
  if (status == ST_OK && !scene->text)
    scene->text = st_copy_string(text);
  scene->path = build->path ? st_copy_string(build->path) : path_of_text(build->folder);
  if (status == ST_OK && (!scene->text || !scene->path))
    return st_fail_memory(error);
  return status;
}

static void destroy(StReleased *released) {
  st_scene_drop((StictionScene *)released); // its first member
}

// status: of the build's own making, as it was on this process, which may have none.
static StStatus create(Stiction *session, const StictionBuild *build, StStatus status,
                       StictionScene **scene) {
  StError *error = st_call_error();
  StDescription *description = NULL;
  StictionScene *made = ST_NEW(StictionScene, 1);
  if (status == ST_OK && !made)
    status = st_fail_memory(error);
  if (made) {
    *made = (StictionScene){
        .released = {.destroy = destroy, .session = session}, .references = 1, .session = session};
    pthread_mutex_init(&made->skinning, NULL);
    st_session_hold(session);
    if (status == ST_OK)
      status = take_text(made, build, error);
  }
  const StictionBuild *of = build ? build : &(StictionBuild){0};
  status = st_scene_describe_together(of->name, of->document, of->folder, &session->log, status,
                                      &description, error);
  if (made)
    made->description = description;
  if (status == ST_OK)
    status = st_runtime_agree(make_room(made, error), error);
  if (status == ST_OK)
    *scene = made;
  else if (made)
    st_scene_drop(made);
  return status;
}

// Files and texts: a build that nobody sees.
static StStatus create_from(Stiction *session, const char *path, const char *text,
                            const char *folder, StictionScene **scene) {
  StictionBuild *build = NULL;
  StStatus status = st_build_make(path, text, &build, st_call_error());
  if (status == ST_OK && text)
    status = st_build_place(build, folder, st_call_error());
  status = create(session, build, status, scene);
  stiction_build_free(build);
  return status;
}

StictionStatus stiction_scene_load(Stiction *session, const char *path, StictionScene **scene) {
  ST_NEED(scene);
  *scene = NULL;
  ST_NEED(session);
  ST_NEED(path);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(create_from(session, path, NULL, NULL, scene));
}

StictionStatus stiction_scene_parse(Stiction *session, const char *text, const char *folder,
                                    StictionScene **scene) {
  ST_NEED(scene);
  *scene = NULL;
  ST_NEED(session);
  ST_NEED(text);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(create_from(session, NULL, text, folder, scene));
}

StictionStatus stiction_scene_build(Stiction *session, StictionBuild *build,
                                    StictionScene **scene) {
  ST_NEED(scene);
  *scene = NULL;
  ST_NEED(session);
  ST_NEED(build);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(create(session, build, ST_OK, scene));
}

static void free_parts(StictionScene *scene) {
  const StDescription *description = scene->description;
  for (int i = 0; scene->skin && i < description->body_count; i++)
    free(scene->skin[i].triangle);
  for (size_t i = 0; i < scene->force_count; i++)
    st_custom_force_destroy(scene->force[i]);
}

void st_scene_drop(StictionScene *scene) {
  if (--scene->references > 0)
    return;
  free_parts(scene);
  st_drives_free(&scene->drives);
  st_description_destroy(scene->description);
  st_session_drop(scene->session);
  pthread_mutex_destroy(&scene->skinning);
  free(scene->skin);
  free(scene->force);
  free(scene->path);
  free(scene->text);
  free(scene);
}

void stiction_scene_free(StictionScene *scene) {
  if (scene)
    st_call_release(&scene->released);
}

const char *stiction_scene_title(const StictionScene *scene) {
  return scene && scene->description->title ? scene->description->title : "";
}

double stiction_scene_duration(const StictionScene *scene) {
  return scene ? scene->description->time.duration : NAN;
}

double stiction_scene_time_step(const StictionScene *scene) {
  return scene ? scene->description->time.step : NAN;
}

double stiction_scene_frame_rate(const StictionScene *scene) {
  return scene ? scene->description->time.frame_rate : NAN;
}

int stiction_scene_vertex_count(const StictionScene *scene) {
  return scene ? st_description_vertex_count(scene->description) : 0;
}

int stiction_scene_body_count(const StictionScene *scene) {
  return scene ? scene->description->body_count : 0;
}

int stiction_scene_boundary_count(const StictionScene *scene) {
  return scene ? scene->description->boundary_count : 0;
}

int stiction_scene_obstacle_count(const StictionScene *scene) {
  return scene ? scene->description->obstacle_count : 0;
}

static StStatus check_index(const char *what, int index, int count, StError *error) {
  if (index >= 0 && index < count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "there is no %s of index %d: the scene has %d", what, index,
                 count);
}

// These may be asked for within callbacks too: their errors must not go where those of the call
// that is under way do.
static StictionStatus end_look(StStatus status, const StError *error) {
  if (status != ST_OK)
    st_call_report(error);
  return (StictionStatus)status;
}

// Found when it is first asked for.
static StStatus get_skin(StictionScene *scene, int body, StSkinView *skin, StError *error) {
  StSkinView *kept = &scene->skin[body];
  StStatus status = ST_OK;
  pthread_mutex_lock(&scene->skinning);
  if (!kept->triangle)
    status =
        st_contacts_skin(scene->description->body[body].mesh, &kept->triangle, &kept->count, error);
  *skin = *kept;
  pthread_mutex_unlock(&scene->skinning);
  return status;
}

static StStatus get_body(StictionScene *scene, int index, StictionBody *body, StError *error) {
  const StDescription *description = scene->description;
  ST_TRY(check_index("body", index, description->body_count, error));
  const StMesh *mesh = description->body[index].mesh;
  StSkinView skin;
  ST_TRY(get_skin(scene, index, &skin, error));
  *body = (StictionBody){.name = description->body[index].name,
                         .vertex_count = mesh->vertex_count,
                         .rest = mesh->position,
                         .tet_count = mesh->tet_count,
                         .tet = mesh->tet,
                         .triangle_count = mesh->triangle_count,
                         .triangle = mesh->triangle,
                         .skin_count = skin.count,
                         .skin = skin.triangle,
                         .label_count = mesh->label_count,
                         .label = (const char *const *)mesh->label_name,
                         .tet_label = mesh->tet_label,
                         .triangle_label = mesh->triangle_label,
                         .tag_count = mesh->tag_count,
                         .tag = mesh->tag};
  for (int b = 0; b < index; b++)
    body->first_vertex += description->body[b].mesh->vertex_count;
  return ST_OK;
}

StictionStatus stiction_scene_body(StictionScene *scene, int index, StictionBody *body) {
  ST_NEED(body);
  *body = (StictionBody){0};
  ST_NEED(scene);
  StError error = {0};
  StStatus status = get_body(scene, index, body, &error);
  return end_look(status, &error);
}

static StStatus get_boundary(const StDescription *description, int index,
                             StictionBoundary *boundary, StError *error) {
  ST_TRY(check_index("boundary", index, description->boundary_count, error));
  const StBoundaryDesc *desc = &description->boundary[index];
  *boundary = (StictionBoundary){.name = desc->name,
                                 .vertex_count = desc->vertex_count,
                                 .vertex = desc->vertex,
                                 .axis = {desc->axis[0], desc->axis[1], desc->axis[2]},
                                 .release = desc->release};
  return ST_OK;
}

StictionStatus stiction_scene_boundary(StictionScene *scene, int index,
                                       StictionBoundary *boundary) {
  ST_NEED(boundary);
  *boundary = (StictionBoundary){0};
  ST_NEED(scene);
  StError error = {0};
  StStatus status = get_boundary(scene->description, index, boundary, &error);
  return end_look(status, &error);
}

static StStatus get_obstacle(const StDescription *description, int index,
                             StictionObstacle *obstacle, StError *error) {
  ST_TRY(check_index("obstacle", index, description->obstacle_count, error));
  const StObstacleDesc *desc = &description->obstacle[index];
  *obstacle = (StictionObstacle){.name = desc->name, .shape = desc->shape.name};
  memcpy(obstacle->rotation, desc->rotation, sizeof obstacle->rotation);
  vec3_copy(desc->origin, obstacle->origin);
  if (desc->mesh) {
    obstacle->vertex_count = desc->mesh->vertex_count;
    obstacle->position = desc->mesh->position;
    obstacle->triangle_count = desc->mesh->triangle_count;
    obstacle->triangle = desc->mesh->triangle;
  }
  return ST_OK;
}

StictionStatus stiction_scene_obstacle(StictionScene *scene, int index,
                                       StictionObstacle *obstacle) {
  ST_NEED(obstacle);
  *obstacle = (StictionObstacle){0};
  ST_NEED(scene);
  StError error = {0};
  StStatus status = get_obstacle(scene->description, index, obstacle, &error);
  return end_look(status, &error);
}

static StStatus set_threads(StictionScene *scene, int threads, StError *error) {
  if (threads < 0 || threads > ST_CREW_MOST)
    return st_fail(error, ST_BAD_INPUT,
                   "threads must be a number from 1 to %d, or 0 for all processors, not %d",
                   ST_CREW_MOST, threads);
  scene->description->solver.threads = threads;
  return ST_OK;
}

StictionStatus stiction_scene_set_threads(StictionScene *scene, int threads) {
  ST_NEED(scene);
  ST_ENTER(scene->session, ST_ALONE(scene));
  return st_call_leave(set_threads(scene, threads, st_call_error()));
}
