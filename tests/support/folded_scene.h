// Contact by primitives of every kind in one small scene: a cloth that lies folded on the edge of a
// box and falls onto itself and over that edge, a turned cube on a cube beside it, all with
// friction.
#ifndef TESTS_SUPPORT_FOLDED_SCENE_H
#define TESTS_SUPPORT_FOLDED_SCENE_H

#include "contact/core/obstacle.h"
#include "math/vec3.h"
#include "support/world.h"

enum { FOLDED_CLOTH, FOLDED_LOWER, FOLDED_UPPER, FOLDED_BODIES };
static const double FOLDED_THICKNESS = 1e-3;

// Two layers along x with a round fold between them. They are sheared against each other, so that
// no point lies over an edge: to which side of it friction then holds would hang on the last digit.
static inline void folded_bend(StMesh *mesh) {
  const double radius = 4e-3, low = 2e-3, arc = M_PI * radius;
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v, s = (x[0] -= 0.0023) / radius;
    x[1] += 0.07 * x[0];
    if (fabs(x[0]) < arc / 2)
      vec3_set(radius * cos(s), x[1], low + radius * (1 + sin(s)), x);
    else
      vec3_set(arc / 2 - fabs(x[0]), x[1], low + (x[0] > 0 ? 2 * radius : 0), x);
  }
}

static inline void folded_turn(StMesh *mesh, double x0, double angle) {
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v, a = x[0] - x0, b = x[1];
    x[0] = x0 + a * cos(angle) - b * sin(angle);
    x[1] = a * sin(angle) + b * cos(angle);
  }
}

static inline void folded_add_bodies(StWorld *world) {
  const StCloth cotton = {.young = 200, .poisson = 0.3, .area_density = 0.2, .bending = 1e-5};
  const StWorldMaterial rubber = {.young = 1e5, .poisson = 0.4, .density = 800};
  int thin = st_world_add_cloth(world, &cotton), soft = st_world_add_material(world, &rubber);
  const double sheet[] = {0.12, 0.04, 0.01}, cube[] = {0.04, 0.04, 0.04, 0, 2, 2, 2};
  StMesh *mesh = st_world_surface(world, "sheet", sheet, 3, (double[3]){0, 0, 0});
  folded_bend(mesh);
  st_world_add_body(world, "cloth", mesh, thin);
  mesh = st_world_shape(world, "box", cube, 7, (double[3]){0.06, 0, 0.022});
  st_world_add_body(world, "lower", mesh, soft);
  mesh = st_world_shape(world, "box", cube, 7, (double[3]){0.065, 0, 0.065});
  folded_turn(mesh, 0.065, 0.4);
  st_world_add_body(world, "upper", mesh, soft);
}

static inline void folded_add_contact(StWorld *world, int collider, int body, int obstacle) {
  st_world_add_contact(world, &(StContactDesc){.collider = collider,
                                               .body = body,
                                               .obstacle = obstacle,
                                               .thickness = FOLDED_THICKNESS,
                                               .stiffness = 1e4,
                                               .friction = {.dynamic_coefficient = 0.4,
                                                            .static_coefficient = 0.4,
                                                            .sticking_speed = 1e-2,
                                                            .stribeck_speed = 1e-1,
                                                            .stick = ST_STICK_ANCHORED,
                                                            .damping = ST_FRICTION_DAMPING}});
}

// The box reaches from x = -0.02 to 0.18; its top is z = 0. The cloth hangs over below that.
static inline void folded_add_box(StWorld *world) {
  int box = st_world_add_ball(world, (double[3]){0.08, 0, -0.05}, 1);
  if (box < 0)
    return;
  StChoice *shape = &world->description->obstacle[box].shape;
  shape->name = st_obstacle_find("box")->name;
  vec3_set(0.2, 0.2, 0.1, shape->value);
  for (int body = 0; body < FOLDED_BODIES; body++)
    folded_add_contact(world, body, -1, box);
}

static inline StDescription *folded_create(const char *integrator, double step, double duration,
                                           StSolverKind solver) {
  StWorld world = st_world_begin();
  folded_add_bodies(&world);
  folded_add_contact(&world, FOLDED_LOWER, FOLDED_UPPER, -1);
  folded_add_contact(&world, FOLDED_CLOTH, FOLDED_LOWER, -1);
  for (int body = 0; body < FOLDED_BODIES; body++)
    folded_add_contact(&world, body, body, -1);
  folded_add_box(&world);
  st_world_set_time(&world, integrator, step, duration);
  st_world_set_tolerance(&world, 1e-9);
  StDescription *d = world_finish(&world);
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->solver.kind = solver;
  d->gravity[2] = -9.81;
  return d;
}

#endif
