// "geometry": meshes and their transformations, arrays of them, planes. Scale first, then rotations
// in order, then the translation, as in Stiction. Tested by tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/read.h"
#include "mesh/second_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 100000 };

static bool is_true(const StJson *object, const char *key, bool otherwise) {
  const StJson *value = st_json_get(object, key);
  return value && value->kind == ST_JSON_BOOLEAN ? value->truth : otherwise;
}

static StPolyfemItem *add_item(StPolyfem *polyfem, const StPolyfemItem *item) {
  if (!st_grow((void **)&polyfem->item, &polyfem->item_capacity, (size_t)polyfem->item_count + 1,
               sizeof(StPolyfemItem)))
    return NULL;
  polyfem->item[polyfem->item_count] = *item;
  return &polyfem->item[polyfem->item_count++];
}

// The file's name; a second one of the same name gets a number.
static void name_item(const StPolyfem *polyfem, StPolyfemItem *item, const char *path) {
  int stem, number = 1;
  const char *name = st_path_name(path, &stem);
  snprintf(item->name, sizeof item->name, "%.*s", stem < 60 ? stem : 60, name);
  for (char *c = item->name; *c; c++)
    *c = *c == '|' ? '-' : *c;
  for (int i = 0; i < polyfem->item_count; i++)
    if (&polyfem->item[i] != item && strcmp(polyfem->item[i].name, item->name) == 0) {
      snprintf(item->name, sizeof item->name, "%.*s-%d", stem < 60 ? stem : 60, name, ++number);
      i = -1;
    }
}

static void add_turn(StPolyfemItem *item, const double axis[3], double degrees) {
  if (degrees == 0)
    return;
  memcpy(item->turn_axis[item->turn_count], axis, 3 * sizeof(double));
  item->turn_angle[item->turn_count++] = degrees;
}

static bool read_four(const StJson *value, double number[4]) {
  if (value->kind != ST_JSON_LIST || value->child_count != 4)
    return false;
  int i = 0;
  for (const StJson *child = value->child; child; child = child->next)
    number[i++] = st_polyfem_number(child);
  return true;
}

// A rotation given by four numbers: degrees and axis, or a quaternion x, y, z, w.
static bool add_turn_of_four(StPolyfemItem *item, const StJson *rotation, bool quaternion) {
  double n[4];
  if (!read_four(rotation, n))
    return false;
  if (quaternion)
    add_turn(item, n, 2 * atan2(vec3_length(n), n[3]) * 180 / M_PI);
  else
    add_turn(item, n + 1, n[0]);
  return true;
}

// Angles about x, y, z in the order of a mode such as "zyx".
static bool add_euler_turns(StPolyfemItem *item, const StJson *rotation, const char *mode) {
  double angle[3];
  if (!st_polyfem_vector(rotation, angle))
    return false;
  for (int i = 0; mode[i]; i++) {
    int k = (mode[i] | 32) - 'x';
    if (k < 0 || k > 2 || i == ST_POLYFEM_TURNS)
      return false;
    add_turn(item, (const double[]){k == 0, k == 1, k == 2}, angle[k]);
  }
  return true;
}

static bool read_rotation(StPolyfemItem *item, const StJson *transformation) {
  const StJson *rotation = st_json_get(transformation, "rotation");
  const char *mode = st_json_get_text(transformation, "rotation_mode");
  double vector[3];
  mode = mode ? mode : "xyz";
  if (!rotation || (rotation->kind == ST_JSON_LIST && rotation->child_count == 0))
    return true;
  if (strcmp(mode, "axis_angle") == 0 || strcmp(mode, "quaternion") == 0)
    return add_turn_of_four(item, rotation, *mode == 'q');
  if (strcmp(mode, "rotation_vector") == 0) {
    if (!st_polyfem_vector(rotation, vector))
      return false;
    add_turn(item, vector, vec3_length(vector));
    return true;
  }
  return add_euler_turns(item, rotation, mode);
}

// "dimensions" replaces the size of the mesh, where it has one, and "scale" multiplies it.
static void read_scale(StPolyfemItem *item, const StJson *transformation) {
  const StJson *scale = st_json_get(transformation, "scale");
  const StJson *dimensions = st_json_get(transformation, "dimensions");
  double size[3], low[3], high[3];
  for (int k = 0; k < 3; k++)
    item->scale[k] = 1;
  if (st_polyfem_vector(dimensions, size)) {
    vec3_bounds(item->mesh->position, item->mesh->vertex_count, low, high);
    for (int k = 0; k < 3; k++)
      item->scale[k] = high[k] > low[k] && size[k] != 0 ? size[k] / (high[k] - low[k]) : 1;
  } else if (scale && scale->kind == ST_JSON_NUMBER) {
    for (int k = 0; k < 3; k++)
      item->scale[k] = scale->number;
  } else {
    st_polyfem_vector(scale, item->scale);
  }
}

// Moves the mesh into its place.
static void place_mesh(StPolyfemItem *item) {
  StMesh *mesh = item->mesh;
  for (int i = 0; i < mesh->vertex_count; i++) {
    double *x = mesh->position + 3 * i, moved[3], matrix[9];
    for (int k = 0; k < 3; k++)
      x[k] *= item->scale[k];
    for (int t = 0; t < item->turn_count; t++) {
      double axis[3], length = vec3_length(item->turn_axis[t]);
      for (int k = 0; k < 3; k++)
        axis[k] = item->turn_axis[t][k] / length;
      mat3_rotation(axis, item->turn_angle[t] * M_PI / 180, matrix);
      mat3_apply(matrix, x, moved);
      memcpy(x, moved, sizeof moved);
    }
    for (int k = 0; k < 3; k++)
      x[k] += item->translate[k];
  }
  vec3_bounds(mesh->position, mesh->vertex_count, item->low, item->high);
}

static StStatus check_body(const StPolyfem *polyfem, const StPolyfemItem *item, StError *error) {
  if (item->mesh->tet_count > 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: %s.mesh: %s has no tetrahedra; Stiction has no solids in two dimensions and "
                 "no hexahedra",
                 polyfem->program, item->key, item->mesh_path);
}

// "discr_order" is one number for all, or a list by ids of volumes.
static int read_order(StPolyfem *polyfem, const StPolyfemItem *item) {
  const StJson *space = st_json_get(polyfem->scene, "space");
  const StJson *given = space ? st_json_get(space, "discr_order") : NULL;
  const StJson *list = given && given->kind == ST_JSON_LIST ? given->child : NULL;
  double order = st_polyfem_number(given);
  for (const StJson *one = list; one; one = one->next)
    if (st_polyfem_id_matches(st_json_get(one, "id"), item->id))
      order = st_polyfem_number(st_json_get(one, "order"));
  if (order > 2)
    st_import_note(polyfem->notes, "space.discr_order: %g; %s has order 2", order, item->key);
  return order >= 2 ? 2 : 1;
}

static StStatus read_mesh(StPolyfem *polyfem, StPolyfemItem *item, StError *error) {
  const StJson *json = item->json;
  const char *name = st_json_get_text(json, "mesh");
  if (!name)
    return st_fail(error, ST_BAD_INPUT, "%s: %s.mesh: the path of a mesh is missing",
                   polyfem->program, item->key);
  item->mesh_path = *name == '/' ? st_copy_string(name) : st_format("%s%s", polyfem->root, name);
  ST_TRY_MEMORY(item->mesh_path, error);
  item->order = item->obstacle ? 1 : read_order(polyfem, item);
  StStatus (*read)(const char *, const StLog *, StMesh **, StError *) =
      item->order > 1 ? st_mesh_read_second_order : st_mesh_read;
  StStatus status = read(item->mesh_path, polyfem->log, &item->mesh, error);
  if (status == ST_OK && item->order > 1 && !item->mesh->second_order && item->mesh->tet_count > 0)
    status = st_mesh_raise_order(item->mesh, error); // as the new scene's reader does
  if (status != ST_OK)
    return st_error_prefix(error, status, "%s: %s.mesh: ", polyfem->program, item->key);
  name_item(polyfem, item, name);
  const StJson *transformation = st_json_get(json, "transformation");
  read_scale(item, transformation ? transformation : json);
  if (transformation) {
    st_polyfem_vector(st_json_get(transformation, "translation"), item->translate);
    if (!read_rotation(item, transformation))
      return st_fail(error, ST_BAD_INPUT, "%s: %s.transformation.rotation does not fit its mode",
                     polyfem->program, item->key);
  }
  place_mesh(item);
  return item->obstacle ? ST_OK : check_body(polyfem, item, error);
}

static void note_rest(StPolyfem *polyfem, const StPolyfemItem *item) {
  const StJson *json = item->json, *refinements = st_json_get(json, "n_refs");
  const char *extract = st_json_get_text(json, "extract");
  if (refinements && refinements->number > 0)
    st_import_note(polyfem->notes, "%s.n_refs: the mesh of %s is not refined", item->key,
                   item->name);
  if (extract && strcmp(extract, "volume") != 0 && strcmp(extract, "surface") != 0)
    st_import_note(polyfem->notes, "%s.extract: \"%s\"; %s is touched by its triangles", item->key,
                   extract, item->name);
  if (st_json_get(st_json_get(json, "advanced") ? st_json_get(json, "advanced") : json,
                  "normalize_mesh"))
    st_import_note(polyfem->notes, "%s.advanced.normalize_mesh", item->key);
}

static int read_id(const StJson *value) {
  double number = st_polyfem_number(value);
  return isnan(number) ? -1 : (int)number;
}

static StStatus add_copy(StPolyfem *polyfem, int first, const double offset[3], StError *error) {
  StPolyfemItem copy = polyfem->item[first];
  ST_TRY_MEMORY(copy.mesh_path = st_copy_string(copy.mesh_path), error);
  copy.shares_mesh = true;
  name_item(polyfem, &copy, copy.mesh_path);
  for (int k = 0; k < 3; k++) {
    copy.offset[k] = offset[k];
    copy.translate[k] += offset[k];
    copy.low[k] += offset[k];
    copy.high[k] += offset[k];
  }
  if (add_item(polyfem, &copy))
    return ST_OK;
  free(copy.mesh_path);
  return st_fail_memory(error);
}

// "offset": between copies, or (relative) in sizes of the mesh.
static bool read_array(const StJson *json, double size[3], double step[3], bool *relative) {
  const StJson *array = st_json_get(json, "array");
  const StJson *offset = array ? st_json_get(array, "offset") : NULL;
  if (!offset || !st_polyfem_vector(st_json_get(array, "size"), size))
    return false;
  *relative = is_true(array, "relative", false);
  if (!st_polyfem_vector(offset, step))
    step[0] = step[1] = step[2] = st_polyfem_number(offset);
  for (int k = 0; k < 3; k++)
    if (!(size[k] >= 1 && size[k] <= COPIES) || !isfinite(step[k]))
      return false;
  return size[0] * size[1] * size[2] <= COPIES;
}

static StStatus add_array(StPolyfem *polyfem, const StPolyfemItem *item, StError *error) {
  double size[3], step[3];
  bool relative;
  int first = polyfem->item_count;
  if (!read_array(item->json, size, step, &relative))
    return st_fail(
        error, ST_BAD_INPUT,
        "%s: %s.array: \"offset\" and \"size\" (three numbers) are needed, and %d copies "
        "are the most",
        polyfem->program, item->key, COPIES);
  StPolyfemItem *added = add_item(polyfem, item);
  ST_TRY_MEMORY(added, error);
  ST_TRY(read_mesh(polyfem, added, error));
  note_rest(polyfem, added);
  for (int k = 0; k < 3 && relative; k++)
    step[k] *= added->high[k] - added->low[k];
  const int count[3] = {(int)size[0], (int)size[1], (int)size[2]};
  for (int n = 1; n < count[0] * count[1] * count[2]; n++) {
    const double offset[3] = {n % count[0] * step[0], n / count[0] % count[1] * step[1],
                              n / count[0] / count[1] * step[2]};
    ST_TRY(add_copy(polyfem, first, offset, error));
  }
  return ST_OK;
}

static StStatus add_plane(StPolyfem *polyfem, StPolyfemItem *item, bool ground, StError *error) {
  double height = st_polyfem_number(st_json_get(item->json, "height"));
  memcpy(item->normal, (const double[]){0, 1, 0}, sizeof item->normal);
  item->point[1] = ground && !isnan(height) ? height : 0;
  if (!ground) {
    st_polyfem_vector(st_json_get(item->json, "point"), item->point);
    st_polyfem_vector(st_json_get(item->json, "normal"), item->normal);
  }
  item->obstacle = true;
  name_item(polyfem, item, ground ? "ground" : "plane");
  ST_TRY_MEMORY(add_item(polyfem, item), error);
  return ST_OK;
}

static StStatus add_geometry(StPolyfem *polyfem, const StJson *json, int index, StError *error) {
  const char *type = st_json_get_text(json, "type");
  StPolyfemItem item = {.json = json, .obstacle = is_true(json, "is_obstacle", false)};
  snprintf(item.key, sizeof item.key, "geometry[%d]", index);
  item.id = read_id(st_json_get(json, item.obstacle ? "surface_selection" : "volume_selection"));
  type = type ? type : "mesh";
  if (!is_true(json, "enabled", true))
    return ST_OK;
  if (strcmp(type, "ground") == 0 || strcmp(type, "plane") == 0)
    return add_plane(polyfem, &item, *type == 'g', error);
  if (strcmp(type, "mesh_array") == 0)
    return add_array(polyfem, &item, error);
  if (strcmp(type, "mesh") != 0) {
    st_import_note(polyfem->notes, "%s: of type \"%s\"", item.key, type);
    return ST_OK;
  }
  StPolyfemItem *added = add_item(polyfem, &item);
  ST_TRY_MEMORY(added, error);
  ST_TRY(read_mesh(polyfem, added, error));
  note_rest(polyfem, added);
  return ST_OK;
}

StStatus st_polyfem_read_geometry(StPolyfem *polyfem, StError *error) {
  const StJson *geometry = st_json_get(polyfem->scene, "geometry");
  int index = 0, bodies = 0;
  if (geometry->kind == ST_JSON_OBJECT)
    ST_TRY(add_geometry(polyfem, geometry, 0, error));
  else
    for (const StJson *json = geometry->child; json; json = json->next)
      ST_TRY(add_geometry(polyfem, json, index++, error));
  for (int i = 0; i < polyfem->item_count; i++)
    bodies += !polyfem->item[i].obstacle;
  return bodies > 0 ? ST_OK
                    : st_fail(error, ST_BAD_INPUT, "%s: geometry: there is no body, only obstacles",
                              polyfem->program);
}

static void write_turns(StJsonOut *out, const StPolyfemItem *item) {
  StJsonOut list = st_json_line(out, "rotate", '[');
  for (int t = 0; t < item->turn_count; t++) {
    char angle[40];
    StJsonOut turn = st_json_line(&list, NULL, '{');
    snprintf(angle, sizeof angle, "%.15g deg", item->turn_angle[t]);
    st_import_write_vector(&turn, "axis", item->turn_axis[t]);
    st_json_string(&turn, "angle", angle);
    st_json_end(&turn);
  }
  st_json_end(&list);
}

static void write_place(const StPolyfem *polyfem, StJsonOut *out, const StPolyfemItem *item) {
  static const double ONE[3] = {1, 1, 1}, NONE[3] = {0, 0, 0};
  st_import_write_mesh(out, polyfem->folder, item->mesh_path);
  if (memcmp(item->scale, ONE, sizeof ONE) != 0)
    st_import_write_vector(out, "scale", item->scale);
  if (item->turn_count > 0)
    write_turns(out, item);
  if (memcmp(item->translate, NONE, sizeof NONE) != 0)
    st_import_write_vector(out, "translate", item->translate);
}

// Materials of parts of a mesh, by the ids in its file, for a body without an id of its own.
static void write_material(const StPolyfem *polyfem, StJsonOut *out, const StPolyfemItem *item) {
  char name[ST_POLYFEM_NAME];
  const StMesh *mesh = item->mesh;
  st_polyfem_material_name(polyfem, item->id, name);
  if (item->id >= 0 || mesh->label_count == 0 || strcmp(name, "material") == 0) {
    st_json_string(out, "material", name);
    return;
  }
  st_polyfem_material_name(polyfem, atoi(mesh->label_name[0]), name);
  st_json_string(out, "material", name);
  StJsonOut labels = st_json_line(out, "materials", '{');
  for (int i = 0; i < mesh->label_count; i++) {
    st_polyfem_material_name(polyfem, atoi(mesh->label_name[i]), name);
    st_json_string(&labels, mesh->label_name[i], name);
  }
  st_json_end(&labels);
}

static void write_velocity(StPolyfem *polyfem, StJsonOut *out, const StPolyfemItem *item) {
  const StJson *start = st_json_get(polyfem->scene, "initial_conditions");
  const StJson *list = start ? st_json_get(start, "velocity") : NULL;
  for (const StJson *one = list && list->kind == ST_JSON_LIST ? list->child : NULL; one;
       one = one->next) {
    double velocity[3];
    if (one->kind != ST_JSON_OBJECT || !st_polyfem_id_matches(st_json_get(one, "id"), item->id))
      continue;
    if (st_polyfem_vector(st_json_get(one, "value"), velocity))
      st_import_write_vector(out, "velocity", velocity);
    else
      st_import_note(polyfem->notes,
                     "initial_conditions.velocity[%d]: it depends on the place; %s starts "
                     "at rest",
                     one->index, item->name);
    return;
  }
}

void st_polyfem_write_bodies(StPolyfem *polyfem, StJsonOut *out) {
  StJsonOut bodies = st_json_lines(out, "bodies", '{');
  for (int i = 0; i < polyfem->item_count; i++) {
    const StPolyfemItem *item = &polyfem->item[i];
    if (item->obstacle)
      continue;
    StJsonOut body = st_json_lines(&bodies, item->name, '{');
    write_place(polyfem, &body, item);
    write_material(polyfem, &body, item);
    if (item->order > 1)
      st_json_number(&body, "order", 2);
    write_velocity(polyfem, &body, item);
    st_json_end(&body);
  }
  st_json_end(&bodies);
}

static void write_plane(StJsonOut *out, const StPolyfemItem *item) {
  StJsonOut shape = st_json_line(out, "shape", '{');
  st_json_string(&shape, "type", "half_space");
  st_import_write_vector(&shape, "point", item->point);
  st_import_write_vector(&shape, "normal", item->normal);
  st_json_end(&shape);
}

static void write_obstacle_motion(StPolyfem *polyfem, StJsonOut *out, const StPolyfemItem *item) {
  const StJson *boundary = st_json_get(polyfem->scene, "boundary_conditions");
  const StJson *list = boundary ? st_json_get(boundary, "obstacle_displacements") : NULL;
  for (const StJson *one = list && list->kind == ST_JSON_LIST ? list->child : NULL; one;
       one = one->next) {
    bool written = false;
    StError error;
    if (one->kind != ST_JSON_OBJECT || item->id < 0 ||
        !st_polyfem_id_matches(st_json_get(one, "id"), item->id))
      continue;
    double size[3];
    vec3_sub(item->high, item->low, size);
    if (st_polyfem_write_motion(polyfem, st_json_get(one, "value"), vec3_length(size), out,
                                &written, &error) != ST_OK ||
        !written)
      st_import_note(polyfem->notes,
                     "boundary_conditions.obstacle_displacements[%d]: no rigid motion "
                     "that can be written; %s stands still",
                     one->index, item->name);
    return;
  }
}

void st_polyfem_write_obstacles(StPolyfem *polyfem, StJsonOut *out) {
  StJsonOut obstacles = st_json_lines(out, "obstacles", '{');
  for (int i = 0; i < polyfem->item_count; i++) {
    const StPolyfemItem *item = &polyfem->item[i];
    if (!item->obstacle)
      continue;
    StJsonOut obstacle = st_json_lines(&obstacles, item->name, '{');
    if (item->mesh_path)
      write_place(polyfem, &obstacle, item);
    else
      write_plane(&obstacle, item);
    write_obstacle_motion(polyfem, &obstacle, item);
    st_json_end(&obstacle);
  }
  st_json_end(&obstacles);
}
