// Bodies that joints or bearings hold, not those that are only pulled by a spring or turned by a
// motor.
#pragma once

#include "model/description.h"

// tied: [bodies].
void st_ties_mark(const StDescription *description, bool *tied);
