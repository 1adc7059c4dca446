// A soft ball that falls, or is thrown, onto a sheet of cloth held by its corners, from above or
// from below.
#ifndef TESTS_SUPPORT_CLOTH_BALL_H
#define TESTS_SUPPORT_CLOTH_BALL_H

#include "support/world.h"

typedef struct ClothBall {
  double way;   // 1: from above, -1: from below, with all else mirrored
  double x, y;  // where the ball comes down; the sheet reaches from -0.2 to 0.2 m
  double speed; // m/s, towards the sheet
  double step, duration;
  StSolverKind solver;
} ClothBall;

enum { CLOTH_BALL, CLOTH_SHEET };

static inline bool cloth_corner(const double X[3], const void *context) {
  (void)context;
  return fabs(X[0]) > 0.2 - 1e-9 && fabs(X[1]) > 0.2 - 1e-9;
}

static inline void cloth_ball_add_contacts(StWorld *world) {
  for (int collider = 0; collider < 2; collider++)
    st_world_add_contact(world, &(StContactDesc){.collider = collider,
                                                 .body = 1 - collider,
                                                 .obstacle = -1,
                                                 .thickness = 2e-3,
                                                 .stiffness = 1e6,
                                                 .friction = {.dynamic_coefficient = 0.4,
                                                              .static_coefficient = 0.4,
                                                              .sticking_speed = 1e-2,
                                                              .stribeck_speed = 1e-1}});
}

static inline StDescription *cloth_ball_create(const ClothBall *scene) {
  StWorld world = st_world_begin();
  const StWorldMaterial rubber = {.young = 1e5, .poisson = 0.4, .density = 500};
  const StCloth cotton = {.young = 500, .poisson = 0.3, .area_density = 0.2, .bending = 5e-5};
  int soft = st_world_add_material(&world, &rubber), thin = st_world_add_cloth(&world, &cotton);
  const double ball[] = {0.05, 0.05, 2}, sheet[] = {0.4, 0.4, 0.05};
  StMesh *mesh =
      st_world_shape(&world, "sphere", ball, 3, (double[3]){scene->x, scene->y, scene->way * 0.06});
  st_world_add_body(&world, "ball", mesh, soft);
  mesh = st_world_surface(&world, "sheet", sheet, 3, (double[3]){0, 0, 0});
  st_world_add_body(&world, "sheet", mesh, thin);
  st_world_add_boundary(&world, CLOTH_SHEET, cloth_corner, NULL);
  cloth_ball_add_contacts(&world);
  st_world_set_time(&world, "be", scene->step, scene->duration);
  st_world_set_tolerance(&world, 1e-9);
  StDescription *d = world_finish(&world);
  d->solver.kind = scene->solver;
  d->gravity[2] = -scene->way * 9.81;
  d->body[CLOTH_BALL].velocity[2] = -scene->way * scene->speed;
  return d;
}

#endif
