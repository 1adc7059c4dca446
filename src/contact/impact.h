// Whether contact is stiff enough to stop bodies that run into each other. A barrier made for their
// weight lets a fast one come too close before it stops, and stiffening it then, while it is
// compressed, adds to the energy it gives back. So it is stiffened when they begin to touch. Bodies
// that already press on each other when something hits them get a stiffer barrier that begins at
// their present gap, where it stores nothing.
#ifndef ST_CONTACT_IMPACT_H
#define ST_CONTACT_IMPACT_H

#include "contact/contacts.h"

// What a pair of bodies does at the end of a step: of the touches that close.
typedef struct StImpact {
  double fastest; // speed at which one of them closes, m/s
  double area;    // their area, m²
  double stored;  // their energy over κ, J/Pa, …
  double room;    // … and what it would be at the smallest gap they should come to; …
  double hold;    // … their force over κ there, m²
} StImpact;

// Adds a touch of `set`, for these velocities, [vertex_count][3].
void st_impact_add(StImpact *impact, const StTouchSet *set, const StTouch *touch,
                   const double *velocity);
void st_impact_join(StImpact *impact, const StImpact *other); // of another rank

// Factor for κ of the pair such that a barrier that begins at this part of the present thickness
// stops what approaches; 1 is the present one. 1: that does as it is, or is of a body with itself,
// or what approaches is too fast for a step of this span (s) to show how it stops.
double st_impact_growth(const StImpact *impact, const StContacts *contacts,
                        const StContactState *state, int pair, double span, double part);

// The same for rigid bodies that meet within a step of this span and are too fast for it: they are
// stopped within the step, by a force that their momentum tells.
double st_impact_brace(const StImpact *impact, const StContacts *contacts,
                       const StContactState *state, int pair, double span);

// At which gaps a pair carries its load.
typedef struct StCarrying {
  double force;  // of all its touches, over κ, m²
  double moment; // the same, each force times its gap over the thickness
} StCarrying;

void st_impact_carry(StCarrying *carrying, const StTouch *touch);

// The pair when the step began.
typedef struct StPressedBefore {
  double gap;    // the smallest one, over the thickness; infinite if it did not touch
  double stored; // its energy over κ, J/Pa, in this rank's touches
} StPressedBefore;

StPressedBefore st_impact_before(const StContactState *state, int pair);

// Whether it pressed: stiffened, it would give back more than it took up.
bool st_impact_pressed(const StPressedBefore *before);

#endif
