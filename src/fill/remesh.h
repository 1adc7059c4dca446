// Remeshes a closed surface to a target edge length, within a tolerance of the original. Sharp
// lines and borders of labels stay where they are.
#pragma once

#include "mesh/mesh.h"

typedef struct StBall {
  double middle[3], radius;
  double factor; // on the tolerance inside it
} StBall;

typedef struct StRemeshWish {
  double edge;      // length that edges should have, m
  double tolerance; // distance that the surface may move, m
  int ball_count;   // where the tolerance is smaller
  const StBall *ball;
} StRemeshWish;

// surface: closed, as from fill/repair.h. Triangles are smaller where the surface could not be
// followed otherwise.
StStatus st_remesh(const StMesh *surface, const StRemeshWish *wish, StMesh **result,
                   StError *error);
