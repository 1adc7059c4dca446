// Small worlds for tests and benchmarks: a box of tets with one material, faces held or moved.
#ifndef TESTS_SUPPORT_WORLD_H
#define TESTS_SUPPORT_WORLD_H

#include "base/memory.h"
#include "mesh/second_order.h"
#include "step/simulation.h"
#include "support/box_mesh.h"
#include "verify/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct World {
  BoxGrid grid;
  const char *law; // with young, poisson
  double young, poisson, density, mass_damping, stiffness_damping;
  const char *integrator;
  double step, duration;
  StSolverKind solver;
  bool second_order;
} World;

static inline void world_must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "world: %s\n", what);
    abort();
  }
}

// A world that must have come about.
static inline StDescription *world_finish(StWorld *world) {
  StError error = {0};
  StDescription *d = st_world_finish(world, &error);
  world_must(d != NULL, error.text);
  return d;
}

static inline StWorld world_begin(const World *world) {
  StWorld made = st_world_begin();
  const StWorldMaterial given = {world->law,     world->young,        world->poisson,
                                 world->density, world->mass_damping, world->stiffness_damping};
  int material = st_world_add_material(&made, &given);
  StMesh *mesh = box_mesh_create(&world->grid);
  if (world->second_order)
    world_must(mesh && st_mesh_raise_order(mesh, NULL) == ST_OK, "no mesh of second order");
  st_world_add_body(&made, "box", mesh, material);
  st_world_set_time(&made, world->integrator, world->step, world->duration);
  st_world_set_tolerance(&made, 1e-9);
  if (made.description)
    made.description->solver.kind = world->solver;
  return made;
}

static inline StDescription *world_create(const World *world) {
  StWorld made = world_begin(world);
  return world_finish(&made);
}

// Adds an empty boundary that prescribes all axes for ever; the caller fills in what differs.
static inline StBoundaryDesc *world_add_boundary(StDescription *d) {
  d->boundary = realloc(d->boundary, (size_t)(d->boundary_count + 1) * sizeof *d->boundary);
  StBoundaryDesc *boundary = &d->boundary[d->boundary_count++];
  *boundary = (StBoundaryDesc){.name = st_copy_string("held"),
                               .axis = {true, true, true},
                               .motion = {.axis = {0, 0, 1}},
                               .release = INFINITY};
  return boundary;
}

// Holds all vertices of the first body with coordinate `axis` equal to `value`.
static inline StBoundaryDesc *world_hold(StDescription *d, int axis, double value) {
  StBoundaryDesc *boundary = world_add_boundary(d);
  const StMesh *mesh = d->body[0].mesh;
  boundary->vertex = ST_NEW(int, mesh->vertex_count);
  for (int v = 0; v < mesh->vertex_count; v++)
    if (fabs(mesh->position[3 * v + axis] - value) < 1e-9)
      boundary->vertex[boundary->vertex_count++] = v;
  world_must(boundary->vertex_count > 0, "nothing held");
  return boundary;
}

static inline StSimulation *world_start(const StDescription *d) {
  StSimulation *simulation = NULL;
  StError error = {0};
  if (st_simulation_create(d, NULL, &simulation, &error) != ST_OK)
    world_must(false, error.text);
  return simulation;
}

// Replaces the initial state: set(rest position, position, velocity). One rank only.
static inline void world_set_state(StSimulation *simulation,
                                   void (*set)(const double X[3], double x[3], double v[3])) {
  StSnapshot start;
  StError error = {0};
  world_must(st_simulation_snapshot(simulation, false, false, &start, &error) == ST_OK, error.text);
  for (int i = 0; i < start.vertex_count; i++) {
    double X[3];
    memcpy(X, start.position + 3 * i, sizeof X);
    set(X, start.position + 3 * i, start.velocity + 3 * i);
  }
  if (st_simulation_set_state(simulation, start.position, start.velocity, &error) != ST_OK)
    world_must(false, error.text);
  st_snapshot_free(&start);
}

static inline void world_step(StSimulation *simulation) {
  StError error = {0};
  if (st_simulation_step(simulation, &error) != ST_OK)
    world_must(false, error.text);
}

static inline void world_run(StSimulation *simulation) {
  while (!st_simulation_finished(simulation))
    world_step(simulation);
}

// The result; st_snapshot_free it.
static inline StSnapshot world_snapshot(StSimulation *simulation) {
  StSnapshot snapshot;
  StError error = {0};
  world_must(st_simulation_snapshot(simulation, false, false, &snapshot, &error) == ST_OK,
             error.text);
  return snapshot;
}

#endif
