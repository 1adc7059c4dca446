// Which pairs of things touch according to a scene, and the values that it gives for them. Pairs of
// all things share one entry; only those that the scene names are listed.
#pragma once

#include "model/description.h"

// Values of pairs; 0: to be chosen.
typedef struct StPairValues {
  double thickness, stiffness;
  bool apart; // they do not touch
} StPairValues;

typedef struct StListedPair {
  int collider, surface, entry; // of the plan's
  int order;                    // in the scene
} StListedPair;

// Surfaces are all bodies, then all obstacles.
typedef struct StPairPlan {
  int body_count, surface_count;
  bool single;       // as in StContactTraits
  bool *self;        // [body_count] the body touches itself
  StPairValues rest; // of a body with itself, if no entry names it
  bool all;          // everything touches, with these values:
  StPairValues of_all;
  int entry_count;
  StPairValues *entry; // [entry_count]
  int listed_count;
  StListedPair *listed; // [listed_count] ascending
  size_t entry_capacity, listed_capacity;
} StPairPlan;

void st_pair_plan_free(StPairPlan *plan);

// Adds a pair to the list, before it is sorted. False: no memory.
bool st_pair_plan_add(StPairPlan *plan, int collider, int surface, int entry);

// Drops what was listed so far: everything touches, with the values of the last entry, or nothing.
void st_pair_plan_add_all(StPairPlan *plan);

// Sorts the list; of several entries for the same pair the last one counts.
void st_pair_plan_sort(StPairPlan *plan);

// Whether a collider and a surface touch, and with which values.
bool st_pair_plan_find(const StPairPlan *plan, int collider, int surface, StPairValues *values);

// How many pairs touch.
int64_t st_pair_plan_count(const StPairPlan *plan);

// The kinds of partners of bodies. partners: [body_count] StPartners.
void st_pair_plan_partners(const StPairPlan *plan, unsigned char *partners);
