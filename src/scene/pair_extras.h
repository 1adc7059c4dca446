// Particulars of a few pairs: that prescribed motion squeezes them, or that they confine
// each other.
#pragma once

#include "scene/squeeze.h"

typedef struct StPairExtra {
  int collider, surface; // a body, or the number of bodies plus an obstacle
  StSqueeze squeeze;
  double play; // m, see scene/clearance.h; INFINITY: not confined
} StPairExtra;

struct StPairExtras {
  int count;
  StPairExtra *item; // [count] ascending, once sorted
  size_t capacity;
};

// False: no memory.
bool st_pair_extras_add(StPairExtras *extras, int a, int b, StSqueeze squeeze, double play);

// Sorts, and combines those of the same pair: the largest squeeze, the smallest play.
void st_pair_extras_sort(StPairExtras *extras);

// Of a pair; nothing is particular to most.
StPairExtra st_pair_extras_find(const StPairExtras *extras, int collider, int surface);

void st_pair_extras_free(StPairExtras *extras);
