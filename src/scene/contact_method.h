// Traits of the methods of contact that only the scene reader needs; st_contact_traits has those
// that other layers need.
#pragma once

#include "scene/parts.h"

enum { ST_MOST_LISTED_PAIRS = 4000000 }; // more are a mistake

typedef struct StSceneMethod {
  const char *foreign[6]; // keys that have no effect with it, and end with NULL
  bool rebounds;          // rows of friction may have a restitution
  int most_pairs;
  double (*size)(const StDescription *description); // L of the scene's scale, m, …
  const char *size_name;                            // … in words
  // Chooses thickness, stiffness and friction of the pairs in the plan where they are not given
  // (0). Each with a note.
  StStatus (*choose)(StReader *reader, StPairPlan *plan, const StFrictionTable *table);
} StSceneMethod;

const StSceneMethod *st_scene_method(const StDescription *description);
