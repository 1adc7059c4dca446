// Which side of a shell each point is on; two-sided pairs remember this from step to step. A point
// in reach keeps its side; one that comes into reach is on the side where it was when the step
// began.
#ifndef ST_CONTACT_SIDES_H
#define ST_CONTACT_SIDES_H

#include "contact/contacts.h"

// Before a state that no step has led to.
void st_sides_forget(const StContacts *contacts, StContactState *state);

// A step begins here.
void st_sides_begin(const StContacts *contacts, StContactState *state, const double *position);

// The sides of a set's touches are those to keep. What they are found with does not change by it,
// so that the set stays good.
void st_sides_commit(const StTouchSet *set, StContactState *state);

// Where a point and its surface were at the step's start; before the first step, where they are
// now. place: room for the point's.
StSurfacePast st_sides_past(const StContacts *contacts, const StContactState *state, int pair,
                            int point, const double *now, double place[3]);

// For checkpoints, the same on all ranks: per two-sided pair one number for each vertex of the
// collider.
int st_sides_count(const StContacts *contacts);
void st_sides_remember(const StContacts *contacts, const StContactState *state, int *side);
// False when a number names no triangle of its surface: then nothing is recalled.
bool st_sides_recall(const StContacts *contacts, StContactState *state, const int *side);

#endif
