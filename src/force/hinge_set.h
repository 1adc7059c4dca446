// Hinges of cloth and shells as elements of the bending energy (force/hinge_kernel.h), with the
// angle of each at the last committed state: an angle is the branch nearest to that one, so that a
// hinge may turn past a half turn.
#pragma once

#include "force/element_set.h"

typedef struct StHingeSet {
  const StPiece *piece;
  StElementSet *elements;
  int memory_count; // hinges of the whole description; 0 if none can be in the set
} StHingeSet;

// factor: [material_count] of the energy of each material; a hinge takes the mean of both sides.
// Hinges without stiffness are left out, and those whose triangles have the same corners.
StStatus st_hinge_set_create(const StDescription *description, const StPiece *piece,
                             const double *factor, StHingeSet **set, StError *error);
void st_hinge_set_destroy(StHingeSet *set); // NULL is fine

// Sets the angles to those at the given positions; exports and imports them as numbers by hinge_id,
// as a force's memory.
void st_hinge_set_commit(StHingeSet *set, const double *position);
void st_hinge_set_remember(const StHingeSet *set, double *memory);
void st_hinge_set_recall(StHingeSet *set, const double *memory);
