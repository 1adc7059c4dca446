// Which side of a shell each point is on: what two-sided pairs remember from step to step. A point
// in reach keeps its side; one that comes into reach is on the side it was on when the step began.
#ifndef ST_CONTACT_SIDES_H
#define ST_CONTACT_SIDES_H

#include "contact/contacts.h"

// Sets whether the pair is two-sided; nothing is in reach yet.
StStatus st_sides_create(const StContacts *contacts, StPair *pair, StError *error);

// Before a state that no step has led to.
void st_sides_forget(StContacts *contacts);

void st_sides_begin(StContacts *contacts, const double *position);

// Of the touches of the last update.
void st_sides_commit(StContacts *contacts);

// Where a point and its surface were at the step's start; before the first step, where they are.
// place: room for the point's.
StSurfacePast st_sides_past(const StContacts *contacts, const StPair *pair, int point,
                            double place[3]);

// For checkpoints, the same on all ranks: per two-sided pair one number for each vertex of the
// collider.
int st_sides_count(const StContacts *contacts);
void st_sides_remember(const StContacts *contacts, int *side);
// False when a number names no triangle of its surface: then nothing is recalled.
bool st_sides_recall(StContacts *contacts, const int *side);

#endif
