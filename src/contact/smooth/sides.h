// Which side of a shell each point is on; two-sided pairs remember this from step to step. A point
// in reach keeps its side; one that comes into reach is on the side where it was when the step
// began.
#ifndef ST_CONTACT_SMOOTH_SIDES_H
#define ST_CONTACT_SMOOTH_SIDES_H

#include "contact/core/contacts.h"

// For an initial state: forgets all sides.
void st_sides_forget(const StContacts *contacts, StContactState *state);

// Begins a step here.
void st_sides_begin(const StContacts *contacts, StContactState *state, const double *position);

// Keeps the sides of a set's contacts. This does not change how contacts are found, so the set
// stays valid.
void st_sides_commit(const StContactSet *set, StContactState *state);

// Where a point and its surface were at the start of the step; before the first step, where they
// are now. place: scratch for the point's position.
StSurfacePast st_sides_past(const StContacts *contacts, const StContactState *state, int pair,
                            int point, const double *now, double place[3]);

// For checkpoints, the same on all ranks: per two-sided pair one number for each vertex of the
// collider.
int st_sides_count(const StContacts *contacts);
void st_sides_remember(const StContacts *contacts, const StContactState *state, int *side);
// False if a number is not a triangle of its surface; then nothing is restored.
bool st_sides_recall(const StContacts *contacts, StContactState *state, const int *side);

#endif
