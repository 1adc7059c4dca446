// The ball, the plates, and the readings.
#include "verify/squeeze.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/closed.h"

#include <string.h>

static const double radius = 0.1, thickness = 1e-3; // of the ball; of contact

static int add_ball(StWorld *world, const StSqueeze *squeeze) {
  const double origin[3] = {0, 0, 0};
  if (squeeze->hollow) {
    const StWorldMaterial rubber = {
        .young = 1e6, .poisson = 0.45, .density = 1000, .stiffness_damping = 1e-3};
    int material = st_world_add_material(world, &rubber);
    const double value[] = {radius, 0.15 * radius, 0, 1, squeeze->cells};
    StMesh *mesh = st_world_shape(world, "hollow_ball", value, ST_LENGTH(value), origin);
    return st_world_add_body(world, "ball", mesh, material);
  }
  const StCloth rubber = {
      .young = 1e4, .poisson = 0.3, .area_density = 1, .bending = 1e-3, .stiffness_damping = 1e-3};
  int material = st_world_add_cloth(world, &rubber);
  const double value[] = {radius, 0, squeeze->cells};
  StMesh *mesh = st_world_surface(world, "sphere", value, ST_LENGTH(value), origin);
  return st_world_add_body(world, "ball", mesh, material);
}

static void fill(StWorld *world, const StSqueeze *squeeze) {
  StVolumeDesc *volume = st_world_fill(world, 0, squeeze->model);
  if (!volume)
    return;
  volume->model.value[0] = squeeze->compressibility;
  st_world_set_curve(world, &volume->pressure, 1, (double[1]){0},
                     (double[1]){squeeze->inside * volume->outside_pressure});
}

static void add_plate(StWorld *world, const StSqueeze *squeeze, double side) {
  double start = side * (radius + thickness), away = squeeze->way < 0 ? side * 10 * radius : 0;
  int plate = side < 0 ? st_world_add_floor(world, start + away)
                       : st_world_add_ceiling(world, start + away);
  if (plate < 0)
    return;
  double duration = squeeze->step * squeeze->step_count;
  if (squeeze->way > 0)
    st_world_move(world, &world->description->obstacle[plate].motion, 2, (double[2]){0, duration},
                  (double[6]){[5] = -side * (squeeze->way * radius + thickness)});
  st_world_add_contact(world, &(StContactDesc){.body = -1,
                                               .obstacle = plate,
                                               .thickness = thickness,
                                               .stiffness = 4 * ST_ATMOSPHERE / (3 * thickness),
                                               .friction = {.dynamic_coefficient = 0.3,
                                                            .static_coefficient = 0.3,
                                                            .sticking_speed = 1e-3,
                                                            .stribeck_speed = 1e-2}});
}

StWorld st_squeeze_world(const StSqueeze *squeeze) {
  StWorld world = st_world_begin();
  if (add_ball(&world, squeeze) < 0)
    return world;
  fill(&world, squeeze);
  add_plate(&world, squeeze, -1);
  add_plate(&world, squeeze, 1);
  st_world_set_time(&world, "be", squeeze->step, squeeze->step * squeeze->step_count);
  if (world.description) {
    StSolverDesc *solver = &world.description->solver;
    solver->kind = squeeze->solver.kind;
    solver->inexact_coupling = squeeze->solver.inexact_coupling;
  }
  st_world_set_tolerance(&world, 1e-9);
  return world;
}

StStatus st_squeeze_read(StTrial *trial, double *volume, double *pressure, StError *error) {
  const StVolumeDesc *desc = &trial->description->volume[0];
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  *volume = st_surface_volume(state.position, desc->triangle, desc->triangle_count, NULL);
  double pull = 0;
  for (int f = 0; f < state.force_count; f++)
    for (int v = 0; v < state.vertex_count && strcmp(state.force_name[f], "volume") == 0; v++)
      pull += vec3_dot(state.force[f] + 3 * v, state.position + 3 * v);
  *pressure = desc->outside_pressure + pull / (3 * *volume);
  return ST_OK;
}
