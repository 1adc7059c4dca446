// How far prescribed motion compresses bodies. Obstacles and held vertices move as the scene says,
// whatever is in their way, so a body between two of them that approach each other is shortened.
#pragma once

#include "model/description.h"

typedef struct StSqueezed {
  double size;  // m
  double young; // Pa; infinite for rigid bodies, 0 for sheets: both are not squeezed
} StSqueezed;

// The effect of prescribed motion on a contact; 0: none.
typedef struct StSqueeze {
  double pressure; // Pa, presses the bodies on each other
  double way;      // m, shortens them by so much
} StSqueeze;

typedef struct StPairExtras StPairExtras;

// body: [bodies]. Adds the pairs that are squeezed.
StStatus st_squeeze_measure(const StDescription *description, const StSqueezed *body,
                            StPairExtras *squeezed, StError *error);
