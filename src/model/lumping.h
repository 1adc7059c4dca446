// Lumped masses of tetrahedra of second order.
#pragma once

#include "model/description.h"

// What the masses that the parts of a body's elements give its vertices are multiplied by, so that
// mass, centre and moments of inertia of the whole body are those of its volume. factor: [vertices]
StStatus st_body_lumping(const StDescription *description, const StBodyDesc *body, double *factor,
                         StError *error);
