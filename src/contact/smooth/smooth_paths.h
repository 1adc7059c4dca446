// Whether paths of points lead through smooth surfaces or obstacles in a step.
#pragma once

#include "contact/core/contact_check.h"

// As in contact/core/method.h.
StStatus st_smooth_check_pair(const StContactSet *set, const StContactState *state, int pair,
                              double start, const double *before, const double *after,
                              StPairEnd *end);
