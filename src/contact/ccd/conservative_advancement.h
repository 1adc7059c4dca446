// How far positions may move along a straight path so that nothing passes through anything and
// every pair keeps at least a tenth of its gap, or half of a small one. Conservative advancement:
// no step is longer than bounds on the pair's approach allow, so no root can be missed.
#pragma once

#include "contact/broad_phase/candidates.h"

// The pair that limits a path most.
typedef struct StAdvanceHit {
  bool found;  // false: no pair limits it
  bool closed; // its gap was zero or negative at the start, so the path has length 0
  StCandidateKind kind;
  int feature[2]; // numbers in StSkins; against an obstacle in closed form, the place and -1
  double share;   // of the path
} StAdvanceHit;

// Largest fraction, up to 1, of the path from → to, [place_count][3], on which every pair in the
// lists keeps the part of its gap that st_advance_keep demands; the lists must cover the path.
// Positive if all gaps at the start are; 0 if some gap is not, or if the path is not finite. first:
// gets the limiting pair; may be NULL.
double st_advance(const StCandidates *candidates, const double *from, const double *to,
                  StAdvanceHit *first);

// Two places whose features would come too close, and the fraction of the path at which they do.
// The second place is -1 for an obstacle in closed form.
typedef struct StAdvanceMeeting {
  int place[2];
  double share;
} StAdvanceMeeting;

typedef struct StAdvanceHits {
  int count;
  StAdvanceMeeting *hit; // [count]
  size_t capacity;
} StAdvanceHits;

void st_advance_hits_free(StAdvanceHits *hits); // frees the array
// False: out of memory.
bool st_advance_hits_add(StAdvanceHits *hits, int place, int other, double share);

// Adds every pair that cannot follow its whole path, regardless of the other pairs. parked:
// [skin_count] skins that do not move; NULL: none. clear: [skin_count] skins known not to meet each
// other; on return, the skins that meet nothing. False: out of memory.
bool st_advance_all(const StCandidates *candidates, const double *from, const double *to,
                    const bool *parked, bool *clear, StAdvanceHits *hits);

// The largest such fraction of the path for one pair, up to `most`.
double st_advance_pair(const StCandidatePair *pair, const double *from, const double *to,
                       double most);

// Two features that meet on the path between two states.
typedef struct StCrossing {
  StCandidateKind kind;
  int feature[2]; // numbers in StSkins
} StCrossing;

typedef struct StCrossingList {
  int count;
  StCrossing *crossing; // [count] free() it
  size_t capacity;
} StCrossingList;

// Adds every pair of the lists that meets on the path from → to, [place_count][3]: its gap is
// closed at an end, or falls below a tenth of the smallest of its gaps at both ends and the
// activation distance. False: out of memory.
bool st_advance_crossings(const StCandidates *candidates, const double *from, const double *to,
                          StCrossingList *list);

// Largest s with room + rate s - bend s² ≥ 0, for room and bend ≥ 0.
double st_advance_step(double room, double rate, double bend);

// The gap that must remain after an advance: a tenth of it, but half of a gap that is already deep
// inside the activation distance, because forces grow there as gaps shrink, and features that slide
// at a gap much smaller than their path would soon have none. It is at least the rounding error of
// positions, but never so much that no path is left. It is also no more than the activation
// distance, if there is one (reach 0: none): pairs that stay farther apart are in some lists and
// not in others, and must not matter.
double st_advance_keep(double gap, double reach, double rounding);

// Rounding error of positions on a path, in units of the largest coordinate on it.
#define ST_ADVANCE_ROUNDING 0x1p-47
