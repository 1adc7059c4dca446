// Whether contact is stiff enough to stop rigid bodies that run into each other. A barrier made for
// their weight lets a fast one come too close before it stops, and stiffening it then, while it is
// compressed, adds to the energy it gives back. So it is stiffened when they begin to touch.
#ifndef ST_CONTACT_IMPACT_H
#define ST_CONTACT_IMPACT_H

#include "contact/contacts.h"

// Factor for κ of one pair such that its touches of `set`, at the end of a step, stop what still
// approaches at these velocities, [vertex_count][3]. 1: they do as they are, something is soft, or
// the pair pressed at the start of the step already. first: the pair's first touch.
double st_impact_growth(const StTouchSet *set, const StContactState *state, int first,
                        const double *velocity);

#endif
