// How far prescribed motion compresses bodies. Obstacles and held vertices move as the scene says,
// whatever is in their way, so a body between two of them that approach each other is shortened.
#ifndef ST_SCENE_SQUEEZE_H
#define ST_SCENE_SQUEEZE_H

#include "model/description.h"

typedef struct StSqueezed {
  double size, wall; // m, how large and how thick it is
  double young;      // Pa; infinite for rigid bodies, 0 for sheets: both are not squeezed
} StSqueezed;

// body: [bodies]. pressure: [contacts] Pa, raised to what presses bodies on the parts that squeeze
// them.
StStatus st_squeeze_measure(const StDescription *description, const StSqueezed *body,
                            double *pressure, StError *error);

#endif
