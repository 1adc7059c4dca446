// Bodies that stand on others when a scene starts, and the weight that is on each.
#ifndef ST_SCENE_STACK_H
#define ST_SCENE_STACK_H

#include "model/description.h"

typedef struct StStackBody {
  const StMesh *mesh;
  double low, high;    // along `up`, m
  double middle[3];    // of its vertices, …
  double reach;        // … and their largest distance from it, across, m
  bool solid, held;    // no sheet; has prescribed vertices, and so carries all by itself
  int supports;        // what it stands on
  double weight, load; // N; its own, and with that of all that stands on it
} StStackBody;

typedef struct StStackScale {
  double pull, up[3]; // of gravity, m/s²; against it
  StStackBody *body;  // [bodies]
} StStackScale;

StStatus st_stack_measure(const StDescription *description, StStackScale *scale, StError *error);
void st_stack_free(StStackScale *scale);

bool st_stack_stands_on(const StStackScale *scale, int upper, int lower);

// The load under a body, in multiples of its own weight: at least 1.
double st_stack_layers(const StStackScale *scale, int body);

#endif
