// Derivatives that follow a simulation of the public interface.
#pragma once

#include "api/handles.h"

// Ends them. NULL is fine.
void st_derivatives_destroy(struct StDerivatives *derivatives);
