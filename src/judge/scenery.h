// An obstacle for the independent check: a shape in closed form, or a mesh with a pose.
#pragma once

#include "judge/course.h"
#include "judge/crossing.h"
#include "judge/rigid.h"

typedef struct StScenery {
  const StObstacleDesc *desc;
  StRigid rigid; // in closed form
  // A mesh:
  bool is_mesh;
  bool is_solid; // closed and facing outward: has an inside that must stay empty
  StHull hull;
  double *position; // [vertices][3] in the world
  // For motion: the mesh, or triangles on the shape; NULL: a half-space, which is everywhere.
  StMesh *facets;        // of a shape
  const StMesh *surface; // either, in its own frame
  double sagitta;        // m, by which triangles are inside the shape at most
  double *place[2];      // [vertices][3] at both ends of a step
} StScenery;

StStatus st_scenery_create(const StObstacleDesc *desc, StScenery *scenery, StError *error);
void st_scenery_free(StScenery *scenery);

// size: the largest coordinate that will be tested.
void st_scenery_place(StScenery *scenery, double time, double size);

// How it moves in a step; its surface must not be NULL.
void st_scenery_move(StScenery *scenery, const double time[2], StCourse *course);

bool st_scenery_may_meet(const StScenery *scenery, const StBox *box);
bool st_scenery_contains(const StScenery *scenery, const double x[3]);
