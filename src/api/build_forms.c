// Shortcuts: named parts, meshes, shapes, regions and curves in one call each.
#include "api/build.h"

#include "api/call.h"

#include <limits.h>

StictionPart *stiction_build_root(StictionBuild *build) {
  return build ? (StictionPart *)st_json_top(build->document) : NULL;
}

StictionPart *stiction_build_settings(StictionBuild *build, const char *key) {
  return stiction_part_object(stiction_build_root(build), key);
}

// A new object in the section, with one key that may be left out.
static StictionPart *add(StictionBuild *build, const char *section, const char *name,
                         const char *key, const char *word) {
  StictionPart *all = stiction_part_object(stiction_build_root(build), section);
  if (!all)
    return NULL;
  if (name && build->error.status == ST_OK && st_json_get((StJson *)all, name))
    st_part_fail(all, name, "this name is already in use");
  StictionPart *made = stiction_part_object(all, name);
  if (word)
    stiction_part_set_text(made, key, word);
  return made;
}

StictionPart *stiction_build_add_material(StictionBuild *build, const char *name, const char *law) {
  return add(build, "materials", name, "law", law);
}

StictionPart *stiction_build_add_body(StictionBuild *build, const char *name,
                                      const char *material) {
  return add(build, "bodies", name, "material", material);
}

StictionPart *stiction_build_add_obstacle(StictionBuild *build, const char *name,
                                          const char *material) {
  return add(build, "obstacles", name, "material", material);
}

StictionPart *stiction_build_add_boundary(StictionBuild *build, const char *name,
                                          const char *body) {
  return add(build, "boundaries", name, "body", body);
}

StictionPart *stiction_build_add_volume(StictionBuild *build, const char *name, const char *model) {
  return add(build, "volumes", name, "model", model);
}

StictionPart *stiction_build_add_bearing(StictionBuild *build, const char *name, const char *body) {
  return add(build, "bearings", name, "body", body);
}

StictionPart *stiction_build_add_load(StictionBuild *build, const char *name, const char *body) {
  return add(build, "loads", name, "body", body);
}

StictionPart *stiction_build_add_joint(StictionBuild *build, const char *name, const char *type) {
  return add(build, "joints", name, "type", type);
}

StictionPart *stiction_build_add_probe(StictionBuild *build, const char *name, const char *body) {
  return add(build, "probes", name, "body", body);
}

StictionPart *stiction_build_add_friction(StictionBuild *build, const char *material,
                                          const char *other, double dynamic) {
  const char *between[2] = {material ? material : "any", other ? other : "any"};
  StictionPart *row = stiction_part_add(stiction_build_root(build), "friction");
  stiction_part_set_texts(row, "between", 2, between);
  stiction_part_set_number(row, "dynamic", dynamic);
  return row;
}

StictionPart *stiction_build_add_acceleration(StictionBuild *build) {
  return stiction_part_add(stiction_build_root(build), "accelerations");
}

StictionPart *stiction_build_add_force(StictionBuild *build, const char *type) {
  StictionPart *force = stiction_part_add(stiction_build_root(build), "forces");
  stiction_part_set_text(force, "type", type);
  return force;
}

static void set_rows(StictionPart *mesh, const char *key, int count, int size, const int *row) {
  if (count > INT_MAX / size)
    st_part_fail(mesh, key, "there are %d, too many to count", count);
  else if (count != 0)
    stiction_part_set_integers(mesh, key, count * size, row);
}

static void set_labels(StictionPart *part, const StictionMesh *mesh) {
  if (mesh->label_count != 0)
    stiction_part_set_texts(part, "labels", mesh->label_count, mesh->label);
  if (mesh->tet_label)
    set_rows(part, "tet_labels", mesh->tet_count, 1, mesh->tet_label);
  if (mesh->triangle_label)
    set_rows(part, "triangle_labels", mesh->triangle_count, 1, mesh->triangle_label);
  set_rows(part, "tags", mesh->tag_count, 2, mesh->tag);
}

// An empty object in place of what the key had.
static StictionPart *renew(StictionPart *part, const char *key) {
  StJson *place = st_part_place(part, key);
  if (!place)
    return (StictionPart *)&st_part_build(part)->lost;
  st_json_set_object(place);
  return (StictionPart *)place;
}

StictionStatus stiction_part_set_mesh(StictionPart *part, const StictionMesh *mesh) {
  ST_NEED(part);
  ST_NEED(mesh);
  StictionPart *made = renew(part, "mesh");
  if (mesh->vertex_count > INT_MAX / 3)
    st_part_fail(made, "vertices", "there are %d, too many to count", mesh->vertex_count);
  else
    stiction_part_set_numbers(made, "vertices", 3 * mesh->vertex_count, mesh->position);
  set_rows(made, "tets", mesh->tet_count, 4, mesh->tet);
  set_rows(made, "triangles", mesh->triangle_count, 3, mesh->triangle);
  set_labels(made, mesh);
  return st_part_status(part);
}

StictionPart *stiction_part_set_shape(StictionPart *part, const char *type) {
  if (!part)
    return NULL;
  StictionPart *shape = renew(part, "shape");
  stiction_part_set_text(shape, "type", type);
  return shape;
}

StictionStatus stiction_part_add_rotation(StictionPart *part, const double axis[3], double angle) {
  ST_NEED(part);
  ST_NEED(axis);
  StictionPart *turn = stiction_part_add(part, "rotate");
  stiction_part_set_numbers(turn, "axis", 3, axis);
  return stiction_part_set_number(turn, "angle", angle);
}

StictionStatus stiction_part_choose_label(StictionPart *part, const char *label) {
  ST_NEED(part);
  return stiction_part_set_text(renew(part, "region"), "label", label);
}

StictionStatus stiction_part_choose_vertices(StictionPart *part, int count, const int *vertex) {
  ST_NEED(part);
  return stiction_part_set_integers(renew(part, "region"), "vertices", count, vertex);
}

StictionStatus stiction_part_set_curve(StictionPart *part, const char *key, int count,
                                       const double *time, const double *value) {
  ST_NEED(part);
  ST_NEED(time);
  ST_NEED(value);
  StJson *place = st_part_place(part, key);
  if (place)
    st_json_set_list(place);
  for (int i = 0; place && i < count; i++) {
    StictionPart *item = stiction_part_object((StictionPart *)place, NULL);
    stiction_part_set_number(item, "time", time[i]);
    stiction_part_set_number(item, "value", value[i]);
  }
  return st_part_status(part);
}

StictionPart *stiction_part_add_motion_key(StictionPart *part, double time) {
  StictionPart *key = stiction_part_add(stiction_part_object(part, "motion"), "keys");
  if (key)
    stiction_part_set_number(key, "time", time);
  return key;
}
