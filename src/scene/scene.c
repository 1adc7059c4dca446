// The whole scene: top-level keys, in the order in which they depend on each other.
#include "scene/scene.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/parcel.h"
#include "model/rigid.h"
#include "scene/parts.h"
#include "solve/runtime.h"
#include "step/integrator.h"

#include <math.h>
#include <string.h>

typedef struct Scene {
  const StJson *schema, *title, *materials, *bodies, *boundaries, *volumes, *bearings, *start;
  const StJson *loads, *joints, *probes, *accelerations, *forces, *obstacles, *friction, *contact,
      *time, *solver, *output, *tunable;
  double gravity[3];
  int integrator, analysis, load_steps;
} Scene;

enum { DYNAMIC, STATIC };
static const char *const ANALYSES[] = {"dynamic", "static", NULL};

static bool integrator_at(int index, StVariant *variant) {
  const StIntegrator *row = &st_integrators[index];
  if (!row->name)
    return false;
  *variant = (StVariant){.name = row->name, .summary = row->summary};
  return true;
}

static const StKey KEYS[] = {
    ST_KEY_NAMED("$schema", Scene, schema, TEXT,
                 "Location of the JSON Schema, for editors; ignored by the program.",
                 .otherwise = "none"),
    ST_KEY(Scene, title, TEXT, "What the scene shows, in a few words.", .otherwise = "none"),
    ST_KEY(Scene, materials, MAP, "Materials by name.", .table = &st_keys_material,
           .required = true),
    ST_KEY(Scene, bodies, MAP, "Bodies by name.", .table = &st_keys_body, .required = true),
    ST_KEY(Scene, start, PATH,
           "Frame of another run of the same bodies (.vtu, .vtkhdf) whose positions to start from, "
           "for example after settling; or x, y, z of every vertex, in m. Velocities and rest "
           "shapes are still those of this scene.",
           .numbers_too = true, .otherwise = "bodies start undeformed"),
    ST_KEY(Scene, boundaries, MAP, "Sets of vertices that are held or moved, by name.",
           .table = &st_keys_boundary, .otherwise = "none"),
    ST_KEY(Scene, volumes, MAP, "Closed volumes filled with gas or liquid, by name.",
           .table = &st_keys_volume, .otherwise = "none"),
    ST_KEY(Scene, bearings, MAP, "Rims that can only turn about an axis, by name.",
           .table = &st_keys_bearing, .otherwise = "none"),
    ST_KEY(Scene, loads, MAP,
           "Forces, torques, pressures and tractions on parts of bodies, by name.",
           .table = &st_keys_load, .otherwise = "none"),
    ST_KEY(Scene, joints, MAP,
           "Springs, ties and motors between parts of bodies and the world, by name.",
           .table = &st_keys_joint, .otherwise = "none"),
    ST_KEY(Scene, probes, MAP,
           "Points whose positions and distances are written into the history, by name.",
           .table = &st_keys_probe, .otherwise = "none"),
    ST_KEY(Scene, gravity, VECTOR, "Gravity; a single number pulls down, along -z.",
           .param.dimension = ST_ACCELERATION, .scalar_too = true, .along = {0, 0, -1},
           .otherwise = "[0, 0, -9.81]", .why = "on the ground, z up"),
    ST_KEY(Scene, accelerations, LIST, "Further uniform accelerations.",
           .table = &st_keys_acceleration, .otherwise = "none"),
    ST_KEY(Scene, forces, LIST, "Optional forces, such as drag.", .table = &st_keys_force,
           .otherwise = "none"),
    ST_KEY(Scene, obstacles, MAP,
           "Rigid objects that bodies touch; contact does not move them. By name.",
           .table = &st_keys_obstacle, .otherwise = "none"),
    ST_KEY(Scene, friction, LIST, "Friction of pairs of materials.", .table = &st_keys_friction,
           .otherwise = "none: everything slides freely"),
    ST_KEY(Scene, contact, OBJECT, "Which objects touch, and how.", .table = &st_keys_contact,
           .otherwise = "defaults of its keys"),
    ST_KEY(Scene, time, OBJECT, "Time span, step and frames.", .table = &st_keys_time,
           .otherwise = "defaults of its keys"),
    ST_KEY(Scene, analysis, SCALAR,
           "dynamic: motion over time. static: equilibria along a path of loads, whose parameter "
           "rises from 0 to 1 over the duration.",
           .param.kind = ST_WORD, .param.word = ANALYSES),
    ST_KEY(
        Scene, load_steps, SCALAR,
        "Steps of a static analysis; those that cannot be solved are cut. Gravity, and what loads "
        "and pressures are at the start, rise from zero in the first one.",
        .param.kind = ST_INTEGER, .param.fallback = 0, ST_KEY_RANGE(1, 1000000), .otherwise = "10"),
    ST_KEY(Scene, integrator, SCALAR, "Time integration method.", .param.kind = ST_WORD,
           .param.fallback = NAN, .variant = integrator_at,
           .otherwise = "bdf2 with joints or bearings, else be, the most forgiving"),
    ST_KEY(Scene, solver, OBJECT, "How each step is solved.", .table = &st_keys_solver,
           .otherwise = "defaults of its keys"),
    ST_KEY(Scene, output, OBJECT, "What is written.", .table = &st_keys_output,
           .otherwise = "defaults of its keys"),
    ST_KEY(Scene, tunable, NUMBER_MAP,
           "Numbers of the engine by name, changed for an experiment; `stiction list --tunables` "
           "prints them. They hold for the whole process.",
           .otherwise = "none"),
};

const StKeyTable st_keys_scene = {
    .name = "scene",
    .path = "",
    .doc = "The top level of a scene file.",
    ST_KEYS(KEYS),
};

StStatus st_scene_read_each(StReader *reader, const StJson *at, void **array, size_t item_size,
                            StReadItem *read) {
  if (!at)
    return ST_OK;
  ST_TRY_MEMORY(*array = st_new_array((size_t)at->child_count, item_size), reader->error);
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read(reader, item));
  return ST_OK;
}

static StStatus read_touching(StReader *reader, const Scene *scene, StFrictionTable *table) {
  ST_TRY(st_scene_read_friction(reader, scene->friction, table));
  ST_TRY(st_scene_read_obstacles(reader, scene->obstacles, table));
  ST_TRY(st_scene_check_friction(reader, table));
  st_rigid_choose_stiffness(reader->description, reader->rigid_stiffness);
  return st_scene_read_contact(reader, scene->contact, table);
}

static StStatus read_contact(StReader *reader, const Scene *scene) {
  StFrictionTable table = {0};
  StStatus status = read_touching(reader, scene, &table);
  free(table.row);
  return status;
}

static StStatus read_start_numbers(StReader *reader, const StJson *at) {
  double *position = NULL;
  int count = 0, wanted = st_description_vertex_count(reader->description);
  ST_TRY(st_reader_numbers(reader, at, 3, &position, &count));
  if (count == 3 * wanted) {
    reader->description->start = position;
    return ST_OK;
  }
  free(position);
  return st_reader_fail(reader, at, "has %d vertices, the bodies have %d", count / 3, wanted);
}

// The positions of a frame, as a mesh without elements. Those may be in any state there, and
// vertices without any are the carriers of rigid bodies.
static StStatus make_start(StReader *reader, void *at, int index, StMesh **frame) {
  int count = st_description_vertex_count(reader->description);
  (void)index;
  ST_TRY(st_scene_read_surface(reader, at, frame));
  (*frame)->tet_count = (*frame)->triangle_count = (*frame)->tag_count = 0;
  if ((*frame)->vertex_count == count)
    return ST_OK;
  return st_reader_fail(reader, at, "the frame has %d vertices, the bodies have %d",
                        (*frame)->vertex_count, count);
}

static StStatus read_start(StReader *reader, const StJson *at) {
  StMesh *frame = NULL;
  if (!at)
    return ST_OK;
  if (at->kind != ST_JSON_STRING)
    return read_start_numbers(reader, at);
  StStatus status = st_scene_make_mesh(reader, make_start, (void *)at, &frame);
  if (status == ST_OK)
    status = st_mesh_own(frame, reader->error);
  if (status == ST_OK) {
    reader->description->start = frame->position;
    frame->position = NULL;
  }
  st_mesh_destroy(frame);
  return status;
}

// Time first: curves over time are checked for the duration of the scene.
static StStatus read_parts(StReader *reader, const Scene *scene) {
  ST_TRY(st_scene_read_time(reader, scene->time, scene->load_steps));
  ST_TRY(st_scene_read_materials(reader, scene->materials));
  ST_TRY(st_scene_read_bodies(reader, scene->bodies));
  ST_TRY(read_start(reader, scene->start));
  ST_TRY(st_scene_read_boundaries(reader, scene->boundaries));
  ST_TRY(st_scene_read_volumes(reader, scene->volumes));
  ST_TRY(st_scene_read_bearings(reader, scene->bearings));
  ST_TRY(st_scene_read_joints(reader, scene->joints, scene->loads ? scene->loads->child_count : 0));
  ST_TRY(st_scene_read_loads(reader, scene->loads));
  ST_TRY(st_scene_read_probes(reader, scene->probes));
  ST_TRY(st_scene_read_accelerations(reader, scene->accelerations));
  ST_TRY(st_scene_read_forces(reader, scene->forces));
  ST_TRY(st_scene_warn_elements(reader));
  ST_TRY(read_contact(reader, scene));
  ST_TRY(st_scene_note_rigid_stiffness(reader));
  ST_TRY(st_scene_read_solver(reader, scene->solver));
  ST_TRY(st_scene_read_output(reader, scene->output));
  ST_TRY(st_scene_check_statics(reader));
  return st_scene_choose_tolerances(reader);
}

static bool has_any(const StJson *map) {
  return map && map->child_count > 0;
}

// Backward Euler would take most of the energy of a pendulum within seconds.
static StStatus choose_integrator(StReader *reader, const Scene *scene) {
  const char *word = "\"be\"",
             *reason = "the most forgiving; choose a second-order one where vibration matters";
  if (reader->description->statics) {
    reader->description->integrator = st_integrator_static.name;
    return ST_OK;
  }
  if (scene->integrator >= 0) {
    reader->description->integrator = st_integrators[scene->integrator].name;
    return ST_OK;
  }
  reader->description->integrator = "be";
  if (has_any(scene->joints) || has_any(scene->bearings)) {
    reader->description->integrator = "bdf2";
    word = "\"bdf2\"";
    reason = "of second order: what swings on joints keeps its energy";
  }
  return st_reader_note(reader, st_json_root(reader->document), "integrator", word, reason);
}

static StStatus read_scene(StReader *reader) {
  StDescription *description = reader->description;
  Scene scene = {.integrator = -1};
  memcpy(scene.gravity, description->gravity, sizeof scene.gravity);
  ST_TRY(st_reader_object(reader, st_json_root(reader->document), &st_keys_scene, &scene));
  memcpy(description->gravity, scene.gravity, sizeof scene.gravity);
  description->statics = scene.analysis == STATIC;
  ST_TRY(choose_integrator(reader, &scene));
  if (scene.title && !(description->title = st_copy_string(scene.title->text)))
    return st_fail_memory(reader->error);
  ST_TRY(st_scene_read_tunables(reader, scene.tunable));
  ST_TRY(st_tunables_hold(description->tunable, description->tunable_count, reader->error));
  StStatus status = read_parts(reader, &scene);
  st_tunables_release();
  return status;
}

static StStatus describe(StReader *reader, StDescription **description) {
  reader->description = st_description_create();
  StStatus status = reader->description ? read_scene(reader) : st_fail_memory(reader->error);
  if (status == ST_OK)
    *description = reader->description;
  else
    st_description_destroy(reader->description);
  return status;
}

static StReader begin(const char *name, const StJsonDocument *document, const char *base_folder,
                      const StLog *log, StError *error) {
  return (StReader){
      .name = name, .folder = base_folder, .document = document, .log = log, .error = error};
}

// A process that fails by itself meets the others where they wait for it next: whatever they do
// together begins by agreeing.
static StStatus describe_together(StReader *reader, StStatus status, StDescription **description) {
  StDescription *made = NULL;
  reader->together = st_runtime_size() > 1;
  if (status == ST_OK)
    status = describe(reader, &made);
  status = st_scene_agree(reader, status);
  if (status == ST_OK)
    *description = made;
  else if (made)
    st_description_destroy(made);
  return status;
}

StStatus st_scene_describe_together(const char *name, const StJsonDocument *document,
                                    const char *base_folder, const StLog *log, StStatus status,
                                    StDescription **description, StError *error) {
  StReader reader = begin(name, document, base_folder, log, error);
  return describe_together(&reader, status, description);
}

static StStatus parse(const char *name, const char *text, size_t size, StJsonDocument **document,
                      StError *error) {
  if (size > ST_SCENE_SIZE)
    return st_fail(error, ST_BAD_INPUT, "%s: is larger than %d MB, the maximum for a scene", name,
                   ST_SCENE_SIZE >> 20);
  return st_json_parse_packed(name, text, size, document, error);
}

StStatus st_scene_parse_together(const char *name, const char *text, size_t size,
                                 const char *base_folder, const StLog *log,
                                 StDescription **description, StError *error) {
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  StStatus status = parse(name, text, size, &document, error);
  status = st_scene_describe_together(name, document, base_folder, log, status, description, error);
  return status;
}

StStatus st_scene_parse(const char *name, const char *text, size_t size, const char *base_folder,
                        const StLog *log, StDescription **description, StError *error) {
  // Lower layers write their messages here even if the caller passes no error.
  StError own;
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_TRY(parse(name, text, size, &document, error));
  StReader reader = begin(name, document, base_folder, log, error ? error : &own);
  return describe(&reader, description);
}

StStatus st_scene_load(const char *path, const StLog *log, StDescription **description,
                       StError *error) {
  ST_FREE char *text = NULL;
  size_t size = 0;
  ST_TRY(st_file_read_most(path, ST_SCENE_SIZE, &text, &size, error));
  ST_FREE char *folder = st_copy_string(path);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  StStatus status = ST_OK;
  if (slash)
    slash[slash == folder] = 0; // the root keeps its slash
  else if (folder)
    folder[0] = 0;
  if (folder)
    status = st_scene_parse(path, text, size, folder, log, description, error);
  else
    status = st_fail_memory(error);
  return status;
}
