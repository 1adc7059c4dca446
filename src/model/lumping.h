// Lumped masses of tetrahedra of second order.
#pragma once

#include "model/description.h"

// Factors on the lumped masses of a body's vertices, with which mass, centre of mass and moments of
// inertia of the whole body are those of its volume. factor: [vertices]
StStatus st_body_lumping(const StDescription *description, const StBodyDesc *body, double *factor,
                         StError *error);
