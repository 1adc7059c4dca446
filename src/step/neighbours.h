// Which skins this rank receives from others: those that may touch its own before ranks next agree.
// All ranks know where patches of skins may be meanwhile (contact/broad_phase/skin_patches.h);
// vertices of patches near a rank's own are exchanged with it, others are not. The plan is valid
// while every vertex stays in the boxes of its patches; code that moves vertices checks here first.
#pragma once

#include "contact/broad_phase/skin_patches.h"
#include "step/system.h"

typedef struct StNeighbours {
  StSkinPatches *patches;
  double *box;  // [patch_count + 1][6] of the plan; last row: 6 times the negated path length
  double *next; // the same for the plan being made
  bool *always; // [vertex_count] this rank's own, and ghosts of its elements, volumes and bearings
  bool *known;  // [vertex_count] of the plan
  bool *wanted; // [vertex_count] of the plan being made
  bool planned;
  int made; // plans so far
} StNeighbours;

// *neighbours is NULL on one process, and if contact is not by primitives. Takes ownership of
// `always`, and frees it in any case.
StStatus st_neighbours_create(const StContacts *contacts, bool *always, StNeighbours **neighbours,
                              StError *error);
void st_neighbours_destroy(StNeighbours *neighbours); // NULL is fine

// Begins a step at these positions, [owned_count][3]: a plan made for a long path is remade.
// Collective.
void st_neighbours_begin(const StSystem *system, const double *position);

// Call before vertices move anywhere on the straight paths between these positions, [count] of
// [owned_count][3]: makes a plan for them, and for the start of the step, unless the current one
// covers them. True: new ghosts are exchanged from now on, and arrays still in use must be
// exchanged again. st_contact_cache_check reports running out of memory. Collective.
bool st_neighbours_cover(const StSystem *system, const double *const *position, int count);

// The next call makes a new plan: the anchors have changed.
void st_neighbours_forget(const StSystem *system);
