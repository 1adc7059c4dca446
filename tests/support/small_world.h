// A description of one soft box that needs none of the layers above `step`, and its system.
#ifndef TESTS_SUPPORT_SMALL_WORLD_H
#define TESTS_SUPPORT_SMALL_WORLD_H

#include "step/stage.h"
#include "support/box_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In place: the description points into it.
typedef struct SmallWorld {
  StMaterialDesc material;
  StBodyDesc body;
  StBoundaryDesc boundary;
  int held[2];
  StDescription description;
} SmallWorld;

// A bar of two cells of rubber, 2 × 1 × 1 m, two vertices of which are held in z.
static inline void small_world_start(SmallWorld *world) {
  const BoxGrid grid = {.cells = {2, 1, 1}, .high = {2, 1, 1}, .jitter = 0.1};
  *world = (SmallWorld){
      .material = {.name = "rubber",
                   .law = {.name = "neo_hookean", .value = {1e6, 0.4}},
                   .density = 1000,
                   .stiffness_damping = 1e-3},
      .body = {.name = "bar", .mesh = box_mesh_create(&grid)},
      .held = {0, 3},
      .boundary = {
          .name = "held", .vertex_count = 2, .axis = {false, false, true}, .release = 0.5}};
  world->boundary.motion.axis[2] = 1;
  world->boundary.vertex = world->held;
  world->description = (StDescription){.material_count = 1,
                                       .material = &world->material,
                                       .body_count = 1,
                                       .body = &world->body,
                                       .boundary_count = 1,
                                       .boundary = &world->boundary,
                                       .gravity = {0, 0, -9.81}};
}

static inline void small_world_stop(SmallWorld *world) {
  st_mesh_destroy(world->body.mesh);
}

#endif
