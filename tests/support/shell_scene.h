// One body of shell from any triangle mesh, at rest: for closed forms of membrane and bending.
#ifndef TESTS_SUPPORT_SHELL_SCENE_H
#define TESTS_SUPPORT_SHELL_SCENE_H

#include "base/memory.h"
#include "force/list.h"
#include "force/shell_material.h"
#include "math/vec3.h"
#include "mesh/shape.h"
#include "model/partition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct ShellScene {
  StMaterialDesc material[2]; // the second is for triangles with the label "other"
  StLabelMaterial label_material;
  StBodyDesc body;
  StDescription description;
  StPiece *piece;
  int numbers; // 3 × vertices
  double *position, *velocity;
} ShellScene;

static inline StMaterialDesc shell_cloth(double young, double poisson, double bending) {
  return (StMaterialDesc){
      .shell = true, .law = {"membrane", {young, poisson, 0.2, bending}}, .density = 0.2};
}

// Takes the mesh over.
static inline void shell_scene_create(ShellScene *scene, StMesh *mesh, const StMaterialDesc *one,
                                      const StMaterialDesc *other) {
  *scene = (ShellScene){.material = {*one, *(other ? other : one)}};
  assert_non_null(mesh);
  scene->label_material = (StLabelMaterial){st_mesh_find_label(mesh, "other"), 1};
  scene->body = (StBodyDesc){.mesh = mesh,
                             .label_material = &scene->label_material,
                             .label_material_count = scene->label_material.label >= 0};
  scene->description.material = scene->material;
  scene->description.material_count = 2;
  scene->description.body = &scene->body;
  scene->description.body_count = 1;
  assert_int_equal(st_piece_create_whole(&scene->description, &scene->piece, NULL), ST_OK);
  scene->numbers = 3 * scene->piece->vertex_count;
  scene->position = ST_NEW(double, scene->numbers);
  scene->velocity = ST_NEW(double, scene->numbers);
  assert_true(scene->position && scene->velocity);
  memcpy(scene->position, scene->piece->rest, sizeof(double) * (size_t)scene->numbers);
}

static inline void shell_scene_destroy(ShellScene *scene) {
  st_piece_destroy(scene->piece);
  st_mesh_destroy(scene->body.mesh);
  free(scene->position);
  free(scene->velocity);
}

static inline StPoint shell_point(const ShellScene *scene) {
  return (StPoint){.position = scene->position, .velocity = scene->velocity};
}

static inline void *shell_force_create(const ShellScene *scene, const StForceType *type) {
  void *data;
  bool present;
  StForceSite site = {.description = &scene->description, .piece = scene->piece};
  assert_int_equal(st_force_create(type, &site, &data, &present, NULL), ST_OK);
  assert_true(present);
  return data;
}

static inline double shell_energy(const ShellScene *scene, const StForceType *type,
                                  const void *data) {
  StPoint at = shell_point(scene);
  return type->energy(data, &at);
}

// free() the result.
static inline double *shell_force(const ShellScene *scene, const StForceType *type,
                                  const void *data) {
  double *force = ST_NEW(double, scene->numbers);
  StPoint at = shell_point(scene);
  StTrouble trouble;
  assert_non_null(force);
  assert_true(type->add(data, &at, force, &trouble));
  return force;
}

// A shape's surface with its defaults but for the parameters named: "sheet", "cells_x", 20, NULL.
static inline StMesh *shell_shape(const char *name, ...) {
  const StShapeType *type = st_shape_find(name);
  double value[ST_PARAM_MAX];
  assert_non_null(type);
  st_param_defaults(type->param, type->param_count, value);
  va_list list;
  va_start(list, name);
  for (const char *key; (key = va_arg(list, const char *));) {
    int i = 0;
    while (i < type->param_count && strcmp(type->param[i].name, key) != 0)
      i++;
    assert_true(i < type->param_count);
    value[i] = va_arg(list, double);
  }
  va_end(list);
  StMesh *mesh;
  assert_int_equal(type->make(value, ST_SHAPE_SURFACE, &mesh, NULL), ST_OK);
  return mesh;
}

static inline StMesh *shell_mesh(int vertex_count, const double *position, int triangle_count,
                                 const int *triangle) {
  StMesh *mesh = st_mesh_create(vertex_count, 0, triangle_count);
  assert_non_null(mesh);
  memcpy(mesh->position, position, 3 * sizeof(double) * (size_t)vertex_count);
  memcpy(mesh->triangle, triangle, 3 * sizeof(int) * (size_t)triangle_count);
  for (int t = 0; t < triangle_count; t++)
    mesh->triangle_label[t] = -1;
  return mesh;
}

// Two triangles that share the edge from (0, 0, 0) to (length, 0, 0), folded by the angle: positive
// is convex seen from above.
static inline StMesh *shell_hinge(double length, double height, double angle) {
  const double position[4][3] = {
      {0, 0, 0},
      {length, 0, 0},
      {0.3 * length, height, 0},
      {0.8 * length, -height * cos(angle), -height * sin(angle)},
  };
  const int triangle[2][3] = {{0, 1, 2}, {1, 0, 3}};
  return shell_mesh(4, position[0], 2, triangle[0]);
}

static inline void shell_move_rigidly(ShellScene *scene, double *force) {
  double axis[3] = {0.6, -0.64, 0.48}, R[9], turned[3];
  mat3_rotation(axis, 2.2, R);
  for (int v = 0; v < scene->piece->vertex_count; v++) {
    mat3_apply(R, scene->position + 3 * v, turned);
    vec3_add_scaled(1, (double[3]){0.3, -2, 1.1}, turned);
    vec3_copy(turned, scene->position + 3 * v);
    if (!force)
      continue;
    mat3_apply(R, force + 3 * v, turned);
    vec3_copy(turned, force + 3 * v);
  }
}

#endif
