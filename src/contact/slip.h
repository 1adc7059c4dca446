// What friction goes by: the touches of now or, lagged, of the start of the step, and the
// velocities that slide over each other at a touch.
#ifndef ST_CONTACT_SLIP_H
#define ST_CONTACT_SLIP_H

#include "contact/contacts.h"

bool st_slip_lagged(const StContacts *contacts);
const StTouchList *st_slip_list(const StContacts *contacts);

// How fast an obstacle's matter moves under a touch of a list; zero for bodies. Lagged, its place
// is old, its velocity is not.
void st_slip_matter(const StContacts *contacts, const StTouchList *list, const StTouch *touch,
                    double matter[3]);

// Velocities of the stencil [count][3]; a mesh obstacle's vertices are spoken for by `matter`.
void st_slip_gather(const StTouch *touch, const int *vertex, const double *velocity,
                    double *gathered);

#endif
