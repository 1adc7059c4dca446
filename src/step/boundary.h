// Prescribed vertices of a rank: which coordinates are currently held, and their position and
// velocity at an instant. Both come from the keyframes.
#pragma once

#include "model/piece.h"

typedef struct StHeld {
  int vertex;   // local, owned
  int boundary; // index into the description
  int index;    // among the boundary's vertices; -1: a carrier
} StHeld;

typedef struct StBoundary {
  const StDescription *description;
  const StPiece *piece;
  int held_count;
  StHeld *held;   // boundary by boundary
  double *target; // [2][vertices][3] of one boundary: position and velocity from a program
} StBoundary;

StStatus st_boundary_create(const StDescription *description, const StPiece *piece,
                            StBoundary **boundary, StError *error);
void st_boundary_destroy(StBoundary *boundary);

// A step that starts at `start` uses the boundaries not released by then. free_axis: [owned][3], 1
// for a free coordinate and 0 for a prescribed one.
void st_boundary_mask(const StBoundary *boundary, double start, double *free_axis);

// Overwrites prescribed coordinates of position and velocity (either may be NULL), [owned][3].
void st_boundary_apply(const StBoundary *boundary, double start, double time, double *position,
                       double *velocity);
