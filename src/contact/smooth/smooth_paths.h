// Whether paths of points lead through smooth surfaces or obstacles in a step.
#ifndef ST_CONTACT_SMOOTH_SMOOTH_PATHS_H
#define ST_CONTACT_SMOOTH_SMOOTH_PATHS_H

#include "contact/core/contact_check.h"

// As in contact/core/method.h.
StStatus st_smooth_check_pair(const StContactSet *set, const StContactState *state, int pair,
                              double start, const double *before, const double *after,
                              StPairEnd *end);

#endif
