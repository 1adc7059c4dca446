// A block on a slope: the world of most friction tests. Gravity is tilted instead of the floor, so
// that x is downhill and z is the normal.
#ifndef TESTS_SUPPORT_SLOPE_H
#define TESTS_SUPPORT_SLOPE_H

#include "support/world.h"

typedef struct Slope {
  World world;
  double angle; // rad
  double gravity;
  double mu, mu_static, epsilon;
  double thickness, stiffness;
  StFrictionMode mode;
  int friction_iterations;
} Slope;

static inline StDescription *slope_create(const Slope *slope) {
  double peak = slope->mu_static > 0 ? slope->mu_static : slope->mu;
  const StContactDesc contact = {.body = -1,
                                 .thickness = slope->thickness,
                                 .stiffness = slope->stiffness,
                                 .friction = {.dynamic_coefficient = slope->mu,
                                              .static_coefficient = peak,
                                              .sticking_speed = slope->epsilon,
                                              .stribeck_speed = 10 * slope->epsilon}};
  StWorld world = world_begin(&slope->world);
  st_world_add_floor(&world, 0);
  st_world_add_contact(&world, &contact);
  StDescription *d = world_finish(&world);
  d->gravity[0] = slope->gravity * sin(slope->angle);
  d->gravity[2] = -slope->gravity * cos(slope->angle);
  d->contact_settings.friction = slope->mode;
  d->contact_settings.friction_iterations =
      slope->friction_iterations > 0 ? slope->friction_iterations : 1;
  return d;
}

#endif
