// Two deformable balls that meet off-centre: contact between curved bodies, both ways.
#ifndef TESTS_SUPPORT_BALLS_H
#define TESTS_SUPPORT_BALLS_H

#include "mesh/shape.h"
#include "support/world.h"

typedef struct Balls {
  double radius, edge, young, friction, speed, offset, gap; // offset and gap over the radius
  const char *integrator;
  double step, duration;
  StSolverKind solver;
} Balls;

static inline StMesh *ball_mesh(double radius, double edge) {
  const StShapeType *type = st_shape_find("sphere");
  double value[ST_PARAM_MAX];
  StMesh *mesh = NULL;
  StError error = {0};
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < type->param_count; i++) {
    if (strcmp(type->param[i].name, "radius") == 0)
      value[i] = radius;
    if (strcmp(type->param[i].name, "edge") == 0)
      value[i] = edge;
  }
  if (type->make(value, ST_SHAPE_SOLID, &mesh, &error) != ST_OK)
    world_must(false, error.text);
  return mesh;
}

static inline StDescription *balls_create(const Balls *balls) {
  World world = {.grid = {.cells = {1, 1, 1}, .high = {1, 1, 1}},
                 .young = balls->young,
                 .poisson = 0.3,
                 .density = 1000,
                 .integrator = balls->integrator,
                 .step = balls->step,
                 .duration = balls->duration,
                 .solver = balls->solver};
  StDescription *d = world_create(&world);
  double r = balls->radius, thickness = 0.02 * r;
  free(d->body[0].name);
  st_mesh_destroy(d->body[0].mesh);
  free(d->body);
  d->body_count = 2;
  d->body = ST_NEW(StBodyDesc, 2);
  for (int b = 0; b < 2; b++) {
    double side = b ? 1 : -1;
    d->body[b].name = st_copy_string(b ? "right" : "left");
    d->body[b].mesh = ball_mesh(r, balls->edge);
    d->body[b].velocity[0] = -side * balls->speed;
    for (int v = 0; v < d->body[b].mesh->vertex_count; v++) {
      d->body[b].mesh->position[3 * v] += side * r * (1 + balls->gap / 2);
      d->body[b].mesh->position[3 * v + 1] += side * r * balls->offset / 2;
    }
  }
  d->contact_count = 2;
  d->contact = ST_NEW(StContactDesc, 2);
  for (int c = 0; c < 2; c++)
    d->contact[c] = (StContactDesc){.collider = c,
                                    .body = 1 - c,
                                    .obstacle = -1,
                                    .thickness = thickness,
                                    .stiffness = 0.02 * balls->young / thickness,
                                    .friction = {.dynamic_coefficient = balls->friction,
                                                 .static_coefficient = balls->friction,
                                                 .sticking_speed = 1e-3 * balls->speed,
                                                 .stribeck_speed = 1e-2 * balls->speed}};
  return d;
}

#endif
