// Moves bodies apart that start in contact or overlap slightly, each as a whole: contact by
// primitives needs open gaps. Larger overlaps, and bodies without room to move, are rejected.
#pragma once

#include "contact/start/overlaps.h"

typedef enum StSeparationVerdict {
  ST_SEPARATION_CLEAR,    // all gaps are open now
  ST_SEPARATION_DEEP,     // two bodies overlap by more than we correct
  ST_SEPARATION_NO_ROOM,  // no shift opens every gap
  ST_SEPARATION_COINCIDE, // two sheets coincide
  ST_SEPARATION_ITSELF,   // a body passes through or contacts itself
} StSeparationVerdict;

typedef struct StSeparation {
  double *shift;      // [bodies][3] m
  StParties *blocker; // [bodies] the body or obstacle that a body was last moved away from
  double *reach;      // [bodies] m, activation distance between the two
  StSeparationVerdict verdict;
  StOverlapSpot worst; // unless clear; gap: the overlap, as far as it is known
} StSeparation;

// fixed: [bodies] bodies that must not move. position: [place_count][3], updated.
StStatus st_separation_find(const StSkins *skins, double time, const bool *fixed, double *position,
                            StSeparation *separation, StError *error);
void st_separation_free(StSeparation *separation);

// Gaps smaller than this fraction of the activation distance are opened up to it.
#define ST_SEPARATION_SHARE 0.2
