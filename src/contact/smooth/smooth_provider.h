// Access to contacts of smooth surfaces, for the files of contact/ that keep track of sides and
// check paths. A contact's id is the index of its point in the pair.
#pragma once

#include "contact/smooth/smooth_contacts.h"

// The set's own surface of a pair that has one, and scratch for its queries.
StSurface *st_smooth_surface(const StContactSet *set, int pair);
StSurfaceScratch *st_smooth_scratch(const StContactSet *set);

// Side of the surface on which a contact's point is, see st_surface_side.
int st_smooth_side(const StContactSet *set, const StContact *contact);

// Positions of the pair's surface: the bodies', or those of the mesh obstacle in the set.
const double *st_smooth_positions(const StContactSet *set, int pair, const double *position);

// Sorts the pair's surface for these positions of bodies and the set's positions of obstacles.
StStatus st_smooth_sort(const StContactSet *set, int pair, const double *position);

// Gap of a pair's point on a surface sorted for these positions, and its gradient. False if the
// surface is out of reach: no samples, or all of them farther from the point than the thickness.
bool st_smooth_gap(const StContactSet *set, const StContactState *state, int pair, int point,
                   const double *position, double *gap, double outward[3]);
