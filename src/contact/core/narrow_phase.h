// The narrow phase: finds pairs of primitives that are closer than their activation distance at
// given positions. The pairs are points with the nearby features of a skin
// (contact/core/point_features.h), edges with edges, and points with loose edges and points.
// Threads share the search.
#pragma once

#include "contact/broad_phase/candidates.h"
#include "contact/core/primitive_gap.h"

#include <stdint.h>

// A pair of primitives in reach, before its gap is computed.
typedef struct StFound {
  uint64_t id; // the same in every search for the same features
  int pair;    // index into the description's contacts
  StPrimitive primitive;
  int place[ST_PRIMITIVE_MOST];
  double weight;
  int triangle; // a triangle with the feature close to the point; -1: none
  double part;  // fraction of the pair's thickness
} StFound;

typedef struct StFinder StFinder;

StStatus st_finder_create(const StSkins *skins, StFinder **finder, StError *error);
void st_finder_destroy(StFinder *finder); // NULL is fine

// Data of the start of a step, fixed while the step is solved: positions, [place_count][3], and the
// sharpness of edges, [edges].
typedef struct StStepStart {
  const double *place, *sharpness;
} StStepStart;

// Searches the candidate lists, which must cover these positions, [place_count][3]. parked: [skins]
// pairs of two parked skins are left out; NULL: none is parked. False: out of memory.
bool st_finder_search(StFinder *finder, const StCandidates *candidates, const double *place,
                      StStepStart start, const bool *parked);

// Results of the last search, sorted by pair, then by id.
const StFound *const *st_finder_found(const StFinder *finder, size_t *count);
