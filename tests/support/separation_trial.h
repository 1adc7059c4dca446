// Small worlds whose bodies start too close, and checks after they were moved apart.
#ifndef TESTS_SUPPORT_APART_TRIAL_H
#define TESTS_SUPPORT_APART_TRIAL_H

#include "contact/start/separation.h"
#include "contact/core/closest_features.h"
#include "support/skin_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const double REACH = 1e-3;
#define WANTED (ST_SEPARATION_SHARE * REACH)

typedef struct Trial {
  SkinScene scene;
  double *position;
  StSeparation separation;
  bool fixed[64];
} Trial;

static inline Trial begin(void) {
  Trial trial = {.scene = skin_scene_open()};
  vec3_set(0, 0, -9.81, trial.scene.description->gravity);
  return trial;
}

// A box of n³ cells, or of the given cells, with its lowest corner at (x, y, z).
static inline int add_box(Trial *trial, const int cells[3], const double size[3], double x,
                          double y, double z) {
  BoxGrid grid = {.cells = {cells[0], cells[1], cells[2]},
                  .low = {x, y, z},
                  .high = {x + size[0], y + size[1], z + size[2]}};
  return skin_scene_body(&trial->scene, box_mesh_create(&grid));
}

static inline int add_cube(Trial *trial, int cells, double x, double y, double z) {
  return add_box(trial, (int[3]){cells, cells, cells}, (double[3]){1, 1, 1}, x, y, z);
}

// About the axis through the middle of the body.
static inline void turn(Trial *trial, int body, const double axis[3], double angle) {
  StMesh *mesh = trial->scene.description->body[body].mesh;
  double m[9], middle[3] = {0}, length = vec3_length(axis), unit[3], arm[3], turned[3];
  for (int c = 0; c < 3; c++)
    unit[c] = axis[c] / length;
  mat3_rotation(unit, angle, m);
  for (int v = 0; v < mesh->vertex_count; v++)
    vec3_add_scaled(1.0 / mesh->vertex_count, mesh->position + 3 * v, middle);
  for (int v = 0; v < mesh->vertex_count; v++) {
    vec3_sub(mesh->position + 3 * v, middle, arm);
    mat3_apply(m, arm, turned);
    for (int c = 0; c < 3; c++)
      mesh->position[3 * v + c] = middle[c] + turned[c];
  }
}

static inline void turn_all(Trial *trial, const double axis[3], double angle) {
  const StDescription *d = trial->scene.description;
  double m[9], length = vec3_length(axis), unit[3];
  for (int c = 0; c < 3; c++)
    unit[c] = axis[c] / length;
  mat3_rotation(unit, angle, m);
  for (int b = 0; b < d->body_count; b++)
    for (int v = 0; v < d->body[b].mesh->vertex_count; v++) {
      double turned[3];
      mat3_apply(m, d->body[b].mesh->position + 3 * v, turned);
      vec3_copy(turned, d->body[b].mesh->position + 3 * v);
    }
  double gravity[3];
  mat3_apply(m, d->gravity, gravity);
  vec3_copy(gravity, trial->scene.description->gravity);
}

static inline void all_touch(Trial *trial) {
  StDescription *d = trial->scene.description;
  for (int a = 0; a < d->body_count; a++) {
    for (int b = a + 1; b < d->body_count; b++)
      skin_scene_contact(&trial->scene, a, b, -1, REACH);
    for (int o = 0; o < d->obstacle_count; o++)
      skin_scene_contact(&trial->scene, a, -1, o, REACH);
  }
}

static inline void run(Trial *trial) {
  skin_scene_build(&trial->scene);
  trial->position = skin_scene_positions(&trial->scene);
  st_skins_place_rigid(trial->scene.skins, 0, trial->position, NULL);
  assert_int_equal(st_separation_find(trial->scene.skins, 0, trial->fixed, trial->position,
                                      &trial->separation, NULL),
                   ST_OK);
}

static inline void end(Trial *trial) {
  st_separation_free(&trial->separation);
  free(trial->position);
  skin_scene_close(&trial->scene);
}

static inline const double *corner(const Trial *trial, const int *place, int i) {
  return trial->position + 3 * (size_t)place[i];
}

// The smallest distance of any two features of different skins.
static inline double least_distance(const Trial *trial) {
  const StSkins *s = trial->scene.skins;
  double least = INFINITY;
  for (int p = 0; p < s->point_count; p++)
    for (int t = 0; t < s->triangle_count; t++) {
      const int *c = s->triangle_place + 3 * t;
      if (s->point_skin[p] != s->triangle_skin[t])
        least = fmin(least, st_primitive_point_triangle_distance(
                                trial->position + 3 * s->point_place[p], corner(trial, c, 0),
                                corner(trial, c, 1), corner(trial, c, 2)));
    }
  for (int e = 0; e < s->edge_count; e++)
    for (int f = e + 1; f < s->edge_count; f++) {
      const int *p = s->edge_place + 2 * e, *q = s->edge_place + 2 * f;
      if (s->edge_skin[e] != s->edge_skin[f])
        least =
            fmin(least, st_primitive_edge_edge_distance(corner(trial, p, 0), corner(trial, p, 1),
                                                        corner(trial, q, 0), corner(trial, q, 1)));
    }
  return least;
}

static inline void assert_shift(const Trial *trial, int body, double x, double y, double z) {
  const double want[3] = {x, y, z};
  for (int c = 0; c < 3; c++)
    assert_float_equal(trial->separation.shift[3 * body + c], want[c], 1e-2 * WANTED);
}

// Separated by the desired gap.
static inline void assert_apart(const Trial *trial) {
  assert_int_equal(trial->separation.verdict, ST_SEPARATION_CLEAR);
  double least = least_distance(trial);
  assert_true(least > 0.99 * WANTED);
}

#endif
