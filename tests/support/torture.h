// Worlds that are hard on contact and friction, and a judge of their states that asks nothing of
// the engine: where the plates are and which tetrahedra hold a foreign vertex is computed anew.
#ifndef TESTS_SUPPORT_TORTURE_H
#define TESTS_SUPPORT_TORTURE_H

#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "verify/trial.h"

#include <math.h>
#include <string.h>

typedef enum TortureKind {
  TORTURE_DROP,    // a tilted block falls on a corner
  TORTURE_THROW,   // a spinning block hits the floor flat, at an angle
  TORTURE_SQUEEZE, // two plates close to 70 % of a block's height and open again
  TORTURE_SHEAR,   // a plate presses a block to 85 % and drags its top aside
  TORTURE_STACK,   // ten blocks, none quite above another
  TORTURE_BALLS,   // ball against ball, off-centre
  TORTURE_MESH,    // a ball thrown at a rigid ball given as a mesh
  TORTURE_OVERLAP, // a block that starts a little inside the floor
  TORTURE_CRUSH,   // two plates that close completely: nothing can solve this
} TortureKind;

typedef struct Torture {
  TortureKind kind;
  double young, step;
  int steps;
  double friction;
  const char *integrator;
  StSolverKind solver;
  StFrictionMode mode;
  double speed;        // of throwing, m/s
  double static_ratio; // μ_s/μ_d
} Torture;

enum { TORTURE_KEYS = 4, TORTURE_STACKED = 10 };
static const double TORTURE_SIZE = 0.2, TORTURE_GRAVITY = 9.81;

// A horizontal plate and its straight way from key to key.
typedef struct TorturePlate {
  int key_count; // 0: no such plate
  double time[TORTURE_KEYS], height[TORTURE_KEYS], shift[TORTURE_KEYS];
} TorturePlate;

static inline double torture_density(const Torture *t) {
  return t->young < 1e4 ? 50 : 1000; // a foam, which would else sink under its own weight
}

static inline double torture_diagonal(const Torture *t) {
  bool ball = t->kind == TORTURE_BALLS || t->kind == TORTURE_MESH;
  return TORTURE_SIZE * (ball ? sqrt(3) : t->kind == TORTURE_STACK ? sqrt(2.25) : sqrt(3));
}

// As the scene reader would choose them; smooth surfaces with the paper's friction.
static inline double torture_thickness(const Torture *t) {
  return 1e-3 * torture_diagonal(t);
}

static inline double torture_sticking_speed(const Torture *t) {
  return 1e-4 * sqrt(TORTURE_GRAVITY * torture_diagonal(t));
}

static inline StContactDesc torture_contact(const Torture *t, StContactMethod method, int collider,
                                            int body, int obstacle) {
  bool primitives = method == ST_CONTACT_PRIMITIVES;
  double weight = torture_density(t) * TORTURE_GRAVITY * torture_diagonal(t);
  double pressure = primitives ? weight : fmax(weight, 1e-4 * t->young);
  double epsilon = torture_sticking_speed(t), thickness = torture_thickness(t);
  return (StContactDesc){.collider = collider,
                         .body = body,
                         .obstacle = obstacle,
                         .thickness = thickness,
                         .stiffness =
                             primitives ? pressure / 1.193 : 4 * pressure / (3 * thickness),
                         .friction = {.dynamic_coefficient = t->friction,
                                      .static_coefficient = t->static_ratio * t->friction,
                                      .sticking_speed = epsilon,
                                      .stribeck_speed = 10 * epsilon,
                                      .stick = primitives ? ST_STICK_ANCHORED : ST_STICK_VELOCITY}};
}

static inline double torture_between(const TorturePlate *plate, const double *value, double time) {
  int k = 0;
  while (k < plate->key_count - 2 && time > plate->time[k + 1])
    k++;
  if (plate->key_count == 1 || time <= plate->time[k])
    return value[k];
  double part = (time - plate->time[k]) / (plate->time[k + 1] - plate->time[k]);
  return value[k] + fmin(part, 1) * (value[k + 1] - value[k]);
}

static inline double torture_height(const TorturePlate *plate, double time) {
  return torture_between(plate, plate->height, time);
}

static inline TorturePlate torture_floor(const Torture *t) {
  double T = t->step * t->steps, in = 0.15 * TORTURE_SIZE;
  if (t->kind == TORTURE_MESH || t->kind == TORTURE_BALLS)
    return (TorturePlate){0};
  if (t->kind == TORTURE_SQUEEZE)
    return (TorturePlate){3, {0, T / 2, T}, {0, in, 0}, {0}};
  if (t->kind == TORTURE_CRUSH)
    return (TorturePlate){2, {0, T}, {0, 0.5 * TORTURE_SIZE}, {0}};
  return (TorturePlate){1, {0}, {0}, {0}};
}

static inline TorturePlate torture_ceiling(const Torture *t) {
  double T = t->step * t->steps, size = TORTURE_SIZE, top = size + 2 * torture_thickness(t);
  if (t->kind == TORTURE_SQUEEZE)
    return (TorturePlate){3, {0, T / 2, T}, {top, 0.85 * size, top}, {0}};
  if (t->kind == TORTURE_CRUSH)
    return (TorturePlate){2, {0, T}, {top, 0.5 * size}, {0}};
  if (t->kind == TORTURE_SHEAR)
    return (TorturePlate){3, {0, T / 4, T}, {top, 0.85 * size, 0.85 * size}, {0, 0, 0.5 * size}};
  return (TorturePlate){0};
}

static inline void torture_add_plate(StWorld *world, const TorturePlate *plate, bool above) {
  double translation[3 * (TORTURE_KEYS + 1)], time[TORTURE_KEYS + 1];
  if (plate->key_count == 0)
    return;
  int index = above ? st_world_add_ceiling(world, plate->height[0])
                    : st_world_add_floor(world, plate->height[0]);
  if (index < 0 || plate->key_count == 1)
    return;
  int count = plate->key_count;
  for (int k = 0; k <= count; k++) { // one key more, so that it rests after the last
    int of = k < count ? k : count - 1;
    time[k] = plate->time[of] + (k == count);
    vec3_set(plate->shift[of], 0, plate->height[of] - plate->height[0], translation + 3 * k);
  }
  st_world_move(world, &world->description->obstacle[index].motion, count + 1, time, translation);
}

static inline StMesh *torture_block(StWorld *world, double height, const int cells[2], double angle,
                                    const double shift[3]) {
  const double value[] = {TORTURE_SIZE, TORTURE_SIZE, height, 0, cells[0], cells[0], cells[1]};
  const double axis[3] = {0.6, 0.8, 0}, origin[3] = {0};
  StMesh *mesh = st_world_shape(world, "box", value, 7, origin);
  double rotation[9], lowest = INFINITY;
  mat3_rotation(axis, angle, rotation);
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    double x[3];
    vec3_copy(mesh->position + 3 * v, x);
    mat3_apply(rotation, x, mesh->position + 3 * v);
    lowest = fmin(lowest, mesh->position[3 * v + 2]);
  }
  for (int v = 0; mesh && v < mesh->vertex_count; v++)
    for (int c = 0; c < 3; c++)
      mesh->position[3 * v + c] += shift[c] - (c == 2 ? lowest : 0);
  return mesh;
}

static inline void torture_send(StWorld *world, int body, double x, double y, double z) {
  if (body >= 0 && world->description)
    vec3_set(x, y, z, world->description->body[body].velocity);
}

static inline void torture_add_block(const Torture *t, StWorld *world, int material) {
  double thickness = torture_thickness(t), gap = 1.5 * thickness, angle = 0;
  if (t->kind == TORTURE_DROP)
    angle = 0.5;
  if (t->kind == TORTURE_OVERLAP)
    gap = -0.4 * thickness;
  StMesh *mesh = torture_block(world, TORTURE_SIZE, (int[]){3, 3}, angle, (double[]){0, 0, gap});
  int body = st_world_add_body(world, "block", mesh, material);
  if (t->kind == TORTURE_DROP)
    torture_send(world, body, 0, 0, -t->speed);
  if (t->kind == TORTURE_THROW) {
    torture_send(world, body, t->speed, 0.3 * t->speed, -t->speed);
    if (body >= 0)
      vec3_set(0, 2 * t->speed, t->speed, world->description->body[body].angular_velocity);
  }
}

// The smooth surface stands out by a tenth of a triangle's size along a block's edges: the blocks
// start that far apart.
static inline void torture_add_stack(const Torture *t, StWorld *world, int material) {
  double height = 0.5 * TORTURE_SIZE, gap = 0.07 * TORTURE_SIZE;
  for (int b = 0; b < TORTURE_STACKED; b++) {
    double aside = 0.1 * TORTURE_SIZE * sin(2.5 * b);
    StMesh *mesh = torture_block(world, height, (int[]){2, 1}, 0,
                                 (double[]){aside, 0.5 * aside, gap + b * (height + gap)});
    torture_send(world, st_world_add_body(world, "block", mesh, material), 0, 0, -t->speed);
  }
}

static inline StMesh *torture_ball(StWorld *world, const double centre[3]) {
  const double value[] = {TORTURE_SIZE / 2, 0, 4};
  return st_world_shape(world, "sphere", value, 3, centre);
}

static inline void torture_add_balls(const Torture *t, StWorld *world, int material) {
  double reach = TORTURE_SIZE + 2 * torture_thickness(t);
  for (int b = 0; b < 2; b++) {
    const double centre[3] = {b * 0.9 * reach, b * 0.3 * reach, b * 0.35 * reach};
    StMesh *mesh = torture_ball(world, centre);
    double side = b ? -1 : 1;
    torture_send(world, st_world_add_body(world, b ? "second" : "first", mesh, material),
                 side * t->speed, 0, 0.1 * t->speed);
  }
}

static inline void torture_add_mesh(const Torture *t, StWorld *world, int material) {
  double reach = TORTURE_SIZE + 2 * torture_thickness(t);
  StMesh *ball = torture_ball(world, (double[]){0.3 * reach, 0.1 * reach, 0.96 * reach});
  torture_send(world, st_world_add_body(world, "ball", ball, material), 0, 0, -t->speed);
  StMesh *rigid = torture_ball(world, (double[]){0, 0, 0});
  int index = rigid ? st_world_add_floor(world, 0) : -1;
  if (index < 0) {
    st_mesh_destroy(rigid);
    return;
  }
  world->description->obstacle[index].shape.name = st_obstacle_find("mesh")->name;
  world->description->obstacle[index].mesh = rigid;
}

static inline void torture_add_contacts(const Torture *t, StContactMethod method, StWorld *world) {
  bool primitives = method == ST_CONTACT_PRIMITIVES;
  if (!world->description)
    return;
  int bodies = world->description->body_count, obstacles = world->description->obstacle_count;
  for (int b = 0; b < bodies; b++) {
    for (int o = 0; o < obstacles && (b == 0 || o > 0); o++) { // only the lowest is near the floor
      StContactDesc contact = torture_contact(t, method, b, -1, o);
      st_world_add_contact(world, &contact);
    }
    // By primitives once for each two, and with themselves.
    for (int other = primitives ? b : b - 1; other <= b + 1; other += primitives ? 1 : 2) {
      if (other < 0 || other >= bodies)
        continue;
      StContactDesc contact = torture_contact(t, method, b, other, -1);
      st_world_add_contact(world, &contact);
    }
  }
}

static inline StWorld torture_world(const Torture *t, StContactMethod method) {
  StWorld world = st_world_begin();
  const StWorldMaterial soft = {.young = t->young, .poisson = 0.35, .density = torture_density(t)};
  const TorturePlate floor = torture_floor(t), ceiling = torture_ceiling(t);
  int material = st_world_add_material(&world, &soft);
  torture_add_plate(&world, &floor, false);
  torture_add_plate(&world, &ceiling, true);
  switch (t->kind) {
  case TORTURE_STACK: torture_add_stack(t, &world, material); break;
  case TORTURE_BALLS: torture_add_balls(t, &world, material); break;
  case TORTURE_MESH: torture_add_mesh(t, &world, material); break;
  default: torture_add_block(t, &world, material);
  }
  torture_add_contacts(t, method, &world);
  st_world_set_time(&world, t->integrator, t->step, t->step * t->steps);
  st_world_set_tolerance(&world, 0.01 * torture_sticking_speed(t));
  if (!world.description)
    return world;
  world.description->gravity[2] = t->kind == TORTURE_BALLS ? 0 : -TORTURE_GRAVITY;
  world.description->solver.kind = t->solver;
  world.description->solver.change_tolerance = 0.01 * torture_sticking_speed(t);
  world.description->contact_settings.friction = t->mode;
  world.description->contact_settings.method = method;
  return world;
}

// How far the worst vertex is beyond a plate, m; negative: on the right side.
static inline double torture_beyond_plates(const Torture *t, const StSnapshot *state) {
  const TorturePlate floor = torture_floor(t), ceiling = torture_ceiling(t);
  double worst = -INFINITY;
  for (int v = 0; v < state->vertex_count; v++) {
    double z = state->position[3 * v + 2];
    if (floor.key_count > 0)
      worst = fmax(worst, torture_height(&floor, state->time) - z);
    if (ceiling.key_count > 0)
      worst = fmax(worst, z - torture_height(&ceiling, state->time));
  }
  return worst;
}

// Distance of x from the nearest face of a tetrahedron; positive inside.
static inline double torture_depth_in_tet(const double *position, const int tet[4],
                                          const double x[3]) {
  static const int face[4][4] = {{1, 2, 3, 0}, {0, 3, 2, 1}, {0, 1, 3, 2}, {0, 2, 1, 3}};
  double depth = INFINITY;
  for (int f = 0; f < 4; f++) {
    const double *corner = position + 3 * tet[face[f][0]];
    double edge[2][3], normal[3], way[3], inner[3];
    for (int i = 0; i < 2; i++)
      vec3_sub(position + 3 * tet[face[f][i + 1]], corner, edge[i]);
    vec3_cross(edge[0], edge[1], normal);
    vec3_sub(x, corner, way);
    vec3_sub(position + 3 * tet[face[f][3]], corner, inner);
    double side = vec3_dot(inner, normal) > 0 ? 1 : -1;
    depth = fmin(depth, side * vec3_dot(way, normal) / vec3_length(normal));
  }
  return depth;
}

static inline double torture_depth_in_mesh(const StMesh *mesh, const double *position,
                                           const double *point, int point_count) {
  double deepest = -INFINITY;
  for (int v = 0; v < point_count; v++)
    for (int e = 0; e < mesh->tet_count; e++)
      deepest = fmax(deepest, torture_depth_in_tet(position, mesh->tet + 4 * e, point + 3 * v));
  return deepest;
}

// How deep the worst vertex is inside an element of a body or an obstacle that it touches, m.
static inline double torture_depth_in_bodies(const StDescription *description,
                                             const StSnapshot *state) {
  double deepest = -INFINITY;
  for (int c = 0; c < description->contact_count; c++) {
    const StContactDesc *contact = &description->contact[c];
    int first[2] = {0, 0};
    if (contact->body == contact->collider)
      continue; // its own vertices are in its own tets
    for (int b = 0; b < description->body_count; b++) {
      int count = description->body[b].mesh->vertex_count;
      first[0] += b < contact->collider ? count : 0;
      first[1] += b < contact->body ? count : 0;
    }
    const double *point = state->position + 3 * first[0];
    int count = description->body[contact->collider].mesh->vertex_count;
    const StMesh *rigid = contact->body < 0 ? description->obstacle[contact->obstacle].mesh : NULL;
    if (contact->body >= 0)
      deepest = fmax(deepest, torture_depth_in_mesh(description->body[contact->body].mesh,
                                                    state->position + 3 * first[1], point, count));
    else if (rigid)
      deepest = fmax(deepest, torture_depth_in_mesh(rigid, rigid->position, point, count));
  }
  return deepest;
}

static inline bool torture_finite(const StSnapshot *state, const StReport *report) {
  bool finite = isfinite(report->total_energy) && isfinite(report->residual);
  for (int i = 0; i < 3 * state->vertex_count; i++)
    finite = finite && isfinite(state->position[i]) && isfinite(state->velocity[i]);
  return finite;
}

#endif
