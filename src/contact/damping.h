// How strongly anchors damp what they hold: a time τ of a pair's own, by the mass that its contact
// carries. An anchor's force goes by z + τ dz/dt, and along the normal it is a damper τk.
#ifndef ST_CONTACT_DAMPING_H
#define ST_CONTACT_DAMPING_H

#include "model/description.h"

// What a body lays on a floor, per area of its shadow.
typedef struct StBulk {
  double mass;    // kg/m²
  double corners; // vertices of its skin, 1/m²
} StBulk;

// Of every body, [bodies]; from the description alone, so that all ranks agree.
StStatus st_bulk_measure(const StDescription *description, StBulk *bulk, StError *error);

// τ = 2ζ √(m/k), s, of the lighter body's mass m and the anchors' stiffness k, both per area: a
// body that swings on its anchors, or bounces on its contact, loses the part ζ of critical damping.
// 0 where friction is not anchored.
double st_damping_time(const StDescription *description, const StContactDesc *contact,
                       const StBulk *bulk);

#endif
