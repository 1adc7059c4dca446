// An obstacle for the independent check: a shape in closed form, or a mesh with a pose.
#ifndef ST_JUDGE_SCENERY_H
#define ST_JUDGE_SCENERY_H

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
} StScenery;

StStatus st_scenery_create(const StObstacleDesc *desc, StScenery *scenery, StError *error);
void st_scenery_free(StScenery *scenery);

// size: the largest coordinate that will be tested.
void st_scenery_place(StScenery *scenery, double time, double size);

bool st_scenery_may_meet(const StScenery *scenery, const StBox *box);
bool st_scenery_contains(const StScenery *scenery, const double x[3]);

#endif
