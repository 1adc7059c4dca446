// How far positions may go along a straight way so that nothing passes through anything, and every
// pair keeps at least a tenth of its gap, or half of a small one. Conservative advancement: no step
// is longer than bounds of the pair's approach allow, so that no root can be missed.
#ifndef ST_CONTACT_ADVANCE_H
#define ST_CONTACT_ADVANCE_H

#include "contact/near.h"

// The pair that shortens a way most.
typedef struct StAdvanceHit {
  bool found;  // some pair does
  bool closed; // its gap was zero or less at the start: the way has no length
  StNearKind kind;
  int feature[2]; // numbers in StSkins; against an obstacle in closed form, the place and -1
  double share;   // of the way
} StAdvanceHit;

// Largest share up to 1 of the way from → to, [place_count][3], that leaves every pair in the lists
// enough of its gap; they must cover the way. Positive if all gaps at the start are; 0 when
// some is not, or when the way is not finite. first: NULL, or who is in the way.
double st_advance(const StNear *near, const double *from, const double *to, StAdvanceHit *first);

// One pair, no farther than `most`.
double st_advance_pair(const StNearPair *pair, const double *from, const double *to, double most);

// Largest s with room + rate s - bend s² ≥ 0, for room and bend ≥ 0.
double st_advance_step(double room, double rate, double bend);

// What an advance leaves of a gap. A tenth, but half of what is deep inside the activation distance
// already: there forces grow as gaps shrink, and what slides at a gap far below its way soon finds
// itself without one. At least what rounding of positions may take, but never so much that there is
// no way at all.
double st_advance_keep(double gap, double reach, double rounding);

// Rounding of positions on a way, in units of the largest coordinate on it.
#define ST_ADVANCE_ROUNDING 0x1p-47

#endif
