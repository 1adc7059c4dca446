// A force whose functions are a program's callbacks: connects the internal interface of forces,
// which works on a local piece, with the public one, which works in the scene's order.
#pragma once

#include "stiction/stiction.h"

#include "force/force.h"

typedef struct StCustomForce {
  StForceType type; // what the simulation sees
  StictionForce force;
  // Copies:
  char *name, *summary;
  int *pair;
} StCustomForce;

// ST_BAD_INPUT if the force is invalid, or names vertices beyond vertex_count.
StStatus st_custom_force_create(const StictionForce *force, int vertex_count,
                                StCustomForce **custom, StError *error);
void st_custom_force_destroy(StCustomForce *custom); // NULL is fine
