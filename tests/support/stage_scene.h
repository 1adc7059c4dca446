// Small scenes of contact by primitives and one stage of a step through each: bodies that slide on
// each other, cross edges, fold onto themselves, and meet obstacles that move. All of them part in
// every way that there is.
#ifndef TESTS_SUPPORT_STAGE_SCENE_H
#define TESTS_SUPPORT_STAGE_SCENE_H

#include "contact/core/contact_state.h"
#include "contact/core/obstacle.h"
#include "model/rigid.h"
#include "step/stage.h"
#include "support/skin_scene.h"

static const double STAGE_STEP = 1e-3, STAGE_THICKNESS = 0.02, STAGE_SIZE = 0.1;

typedef struct StageScene {
  SkinScene scene; // its description alone
  StSystem *system;
  StBoundary *boundary;
  StStageProblem *stage;
  int size;
  double *y; // [size] somewhere near
  double progress;
} StageScene;

// Materials are a solid and a cloth.
static inline void stage_scene_open(StageScene *s) {
  *s = (StageScene){.scene = skin_scene_open()};
  StDescription *d = s->scene.description;
  d->material = realloc(d->material, 2 * sizeof *d->material);
  d->material[0].density = 1000;
  d->material[0].law = (StChoice){"neo_hookean", {1e5, 0.4}};
  d->material[1] = (StMaterialDesc){.name = st_copy_string("cloth"),
                                    .shell = true,
                                    .law = {"membrane", {1e3, 0.3, 0.5, 1e-3}},
                                    .density = 0.5};
  d->material_count = 2;
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->contact_settings.friction_iterations = 1;
}

static inline void stage_scene_turn(StMesh *mesh, const double axis[3], double angle) {
  double R[9], turned[3];
  mat3_rotation(axis, angle, R);
  for (int v = 0; v < mesh->vertex_count; v++) {
    mat3_apply(R, mesh->position + 3 * v, turned);
    vec3_copy(turned, mesh->position + 3 * v);
  }
}

static inline void stage_scene_shift(StMesh *mesh, double x, double y, double z) {
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int i = 0; i < 3; i++)
      mesh->position[3 * v + i] += (const double[3]){x, y, z}[i];
}

// A cube of n × n × 1 cells around the origin.
static inline StMesh *stage_scene_cube(int n) {
  const double half = STAGE_SIZE / 2;
  const BoxGrid grid = {{n, n, 1}, {-half, -half, -half}, {half, half, half}, 0.1};
  return box_mesh_create(&grid);
}

static inline int stage_scene_cloth(StageScene *s, StMesh *mesh) {
  int body = skin_scene_body(&s->scene, mesh);
  s->scene.description->body[body].shell = 1;
  return body;
}

// Makes a body rigid, of a stiffness that differences can tell from infinity.
static inline void stage_scene_stiffen(StageScene *s, int body) {
  StBodyDesc *desc = &s->scene.description->body[body];
  StRigidMass mass;
  skin_scene_must(st_rigid_measure(desc->mesh, 1000, &mass, NULL) == ST_OK);
  skin_scene_must(st_body_make_rigid(desc, &mass, 1e6, NULL) == ST_OK);
}

// Coulomb with a peak, falling, and viscous.
static inline void stage_scene_contact(StageScene *s, int collider, int body, int obstacle) {
  int contact = skin_scene_contact(&s->scene, collider, body, obstacle, STAGE_THICKNESS);
  s->scene.description->contact[contact].stiffness = 1e4;
  s->scene.description->contact[contact].friction = (StFrictionDesc){.dynamic_coefficient = 0.4,
                                                                     .static_coefficient = 0.7,
                                                                     .viscous_coefficient = 2,
                                                                     .sticking_speed = 0.3,
                                                                     .stribeck_speed = 2};
}

// Straight and turning, from time 0 for a second.
static inline StMotion stage_scene_motion(const double way[3], double angle) {
  StMotion motion = {.axis = {0, 0, 1}};
  const double time[] = {0, 1}, angles[] = {0, angle}, shift[] = {0, 0, 0, way[0], way[1], way[2]};
  if (st_motion_set_keys(&motion, 2, time, shift, angles, ST_LINEAR, true, NULL) != ST_OK)
    abort();
  return motion;
}

// Two cubes, one turned on the other by an angle.
static inline void stage_scene_pair(StageScene *s, double angle) {
  const double height = STAGE_SIZE + 0.3 * STAGE_THICKNESS;
  StMesh *upper = stage_scene_cube(2);
  stage_scene_turn(upper, (double[3]){0, 0, 1}, angle);
  stage_scene_shift(upper, 0.02, 0.013, height);
  skin_scene_body(&s->scene, stage_scene_cube(2));
  skin_scene_body(&s->scene, upper);
  stage_scene_contact(s, 0, 1, -1);
}

// Two cubes that stand on edges of each other, crosswise.
static inline void stage_scene_crossing(StageScene *s) {
  StMesh *lower = stage_scene_cube(1), *upper = stage_scene_cube(1);
  stage_scene_turn(lower, (double[3]){1, 0, 0}, M_PI / 4);
  stage_scene_turn(upper, (double[3]){0, 1, 0}, M_PI / 4);
  stage_scene_shift(upper, 0.01, 0.02, M_SQRT2 * STAGE_SIZE + 0.4 * STAGE_THICKNESS);
  skin_scene_body(&s->scene, lower);
  skin_scene_body(&s->scene, upper);
  stage_scene_contact(s, 0, 1, -1);
}

// A sheet of two layers, which lie as close as they may.
static inline void stage_scene_folded(StageScene *s) {
  StMesh *mesh = skin_sheet(6, 0.6, 0);
  const double apart = 0.6 * STAGE_THICKNESS;
  for (int v = 0; v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v, along = x[0] - 0.3;
    if (along > 0)
      vec3_set(0.3 - 0.93 * along, x[1] + 0.1 * along, apart, x);
  }
  int body = stage_scene_cloth(s, mesh);
  stage_scene_contact(s, body, body, -1);
}

// A roof of rigid triangles, or a valley, that moves and turns.
static inline void stage_scene_slopes(StageScene *s, double rise, StMesh *cube) {
  StMesh *mesh = skin_sheet(2, 0.4, 0);
  for (int v = 0; v < mesh->vertex_count; v++)
    mesh->position[3 * v + 2] = rise * fabs(mesh->position[3 * v] - 0.2);
  stage_scene_shift(mesh, -0.2, -0.21, 0);
  skin_scene_body(&s->scene, cube);
  int obstacle = skin_scene_obstacle(&s->scene, "mesh", 0, NULL, mesh);
  s->scene.description->obstacle[obstacle].motion =
      stage_scene_motion((double[3]){0.7, -0.4, 0.3}, 0.8);
  stage_scene_contact(s, 0, -1, obstacle);
}

static inline void stage_scene_ridge(StageScene *s) {
  StMesh *cube = stage_scene_cube(2);
  stage_scene_shift(cube, 0.01, 0, STAGE_SIZE / 2 + 0.4 * STAGE_THICKNESS);
  stage_scene_slopes(s, -0.3, cube);
}

// The cube stands on an edge: its points are close to both slopes, and to the line between.
static inline void stage_scene_valley(StageScene *s) {
  StMesh *cube = stage_scene_cube(2);
  stage_scene_turn(cube, (double[3]){0, 1, 0}, M_PI / 4);
  stage_scene_shift(cube, 0.001, 0, M_SQRT1_2 * STAGE_SIZE + 0.5 * STAGE_THICKNESS);
  stage_scene_slopes(s, 0.3, cube);
}

// A cloth among round obstacles, a box and the ground.
static inline void stage_scene_round(StageScene *s) {
  const struct {
    const char *shape;
    double value[3], x, y, top; // top: of its origin
  } obstacle[] = {{"sphere", {0.05}, 0.03, 0.04, 0.05},
                  {"capsule", {0.04, 0.2}, 0.17, 0.1, 0.04},
                  {"cylinder", {0.05, 0.2}, 0.27, 0.13, 0.05},
                  {"box", {0.1, 0.1, 0.1}, 0.24, 0.29, 0.05},
                  {"half_space", {0}, 0, 0, 0}};
  int cloth = stage_scene_cloth(s, skin_sheet(4, 0.3, 0.5 * STAGE_THICKNESS));
  for (int i = 0; i < ST_LENGTH(obstacle); i++) {
    int n = skin_scene_obstacle(&s->scene, obstacle[i].shape, 3, obstacle[i].value, NULL);
    StObstacleDesc *desc = &s->scene.description->obstacle[n];
    desc->motion = stage_scene_motion((double[3]){0.2 * i, -0.3, 0.1}, 0.3);
    if (i == 1 || i == 2) // they lie
      mat3_rotation((double[3]){0, 1, 0}, 1.53, desc->rotation);
    vec3_set(obstacle[i].x, obstacle[i].y, -obstacle[i].top, desc->origin);
    stage_scene_contact(s, cloth, -1, n);
  }
}

// Vertices above a height are driven.
static inline void stage_scene_drive(StageScene *s, double height, const double way[3]) {
  StDescription *d = s->scene.description;
  int total = 0;
  d->boundary = ST_NEW(StBoundaryDesc, 1);
  d->boundary_count = 1;
  StBoundaryDesc *driven = d->boundary;
  *driven = (StBoundaryDesc){.name = st_copy_string("driven"),
                             .axis = {true, true, true},
                             .motion = stage_scene_motion(way, 0),
                             .release = INFINITY};
  driven->vertex = ST_NEW(int, st_description_vertex_count(d));
  for (int b = 0; b < d->body_count; b++)
    for (int v = 0; v < d->body[b].mesh->vertex_count; v++, total++)
      if (d->body[b].mesh->position[3 * v + 2] > height)
        driven->vertex[driven->vertex_count++] = total;
}

// The stage of a step of backward Euler. Everything is shaken, and moves at up to `speed`.
static inline void stage_scene_start(StageScene *s, double speed) {
  StDescription *d = s->scene.description;
  uint64_t random = 7;
  skin_scene_must(st_system_create(d, &s->system, NULL) == ST_OK);
  skin_scene_must(st_boundary_create(d, s->system->piece, &s->boundary, NULL) == ST_OK);
  skin_scene_must(st_stage_create(s->system, &s->stage, NULL) == ST_OK);
  StStageProblem *stage = s->stage;
  s->size = stage->problem.size;
  s->y = ST_NEW(double, s->size);
  s->progress = 1;
  size_t owned = 3 * (size_t)s->system->piece->owned_count; // rigid bodies carry the others
  double *origin = ST_NEW(double, owned), *velocity = ST_NEW(double, owned);
  const double shake = 0.02 * STAGE_THICKNESS;
  for (int i = 0; i < s->size; i++) {
    origin[i] = s->system->piece->rest[i] + random_between(&random, -shake, shake);
    stage->start[i] = origin[i];
    stage->goal[i] = random_between(&random, -1, 1);
    stage->history[i] = 0;
    velocity[i] = random_between(&random, -speed, speed);
  }
  st_piece_follow_owned(s->system->piece, origin);
  st_contact_state_begin(s->system->contacts, s->system->contact_state, 0, origin);
  st_stage_prepare(stage, s->boundary, origin,
                   &(StStageTimes){0, STAGE_STEP, STAGE_STEP, STAGE_STEP, STAGE_STEP});
  st_stage_unknown(stage, velocity, s->y);
  free(origin);
  free(velocity);
}

static inline void stage_scene_close(StageScene *s) {
  st_stage_destroy(s->stage);
  st_boundary_destroy(s->boundary);
  st_system_destroy(s->system);
  st_description_destroy(s->scene.description);
  free(s->y);
}

#endif
