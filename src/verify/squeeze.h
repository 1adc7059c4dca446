// A filled ball between two plates: a shell, or a thick wall of tets around a cavity, squeezed by
// plates that close in from above and below. Gas and coupling share it.
#pragma once

#include "verify/trial.h"

typedef struct StSqueeze {
  bool hollow; // a wall of tets; otherwise a shell
  int cells;   // along a quarter of the circumference
  const char *model;
  double compressibility; // 1/Pa, where the model has one
  double inside;          // pressure inside at rest over that outside
  double way;             // of either plate, in radii; negative: they stay away
  double step;
  int step_count;
  StSolverDesc solver; // kind and what else is asked of it; tolerances are set here
} StSqueeze;

// Body 0 is the ball, volume 0 its filling; the plates are obstacles 0 and 1.
StWorld st_squeeze_world(const StSqueeze *squeeze);

// Pressure and volume as forces and positions show them, not as the model says: a pressure p over
// the outside pulls at the vertices with Σ f·x = 3 p V.
StStatus st_squeeze_read(StTrial *trial, double *volume, double *pressure, StError *error);
