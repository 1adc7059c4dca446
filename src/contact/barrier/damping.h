// Damping of anchors: each pair has a damping time t_d, which follows from the mass that its
// contact carries. An anchor's force acts on z + t_d dz/dt, with z its elastic displacement; along
// the normal there is a damper t_d k.
#pragma once

#include "model/description.h"

struct StContacts;

// Mass of a body, in all and per area of its projection.
typedef struct StBulk {
  double whole;   // kg
  double mass;    // kg/m²
  double corners; // vertices of its skin, 1/m²
} StBulk;

// For every body, [bodies]; from the description alone, so all ranks agree.
StStatus st_bulk_measure(const StDescription *description, StBulk *bulk, StError *error);

// t_d = 2ζ √(m/k), s, with the lighter body's mass m and the anchors' stiffness k, both per area. ζ
// is then the fraction of critical damping of a body that swings on its anchors or bounces on its
// contact. 0 if friction is not anchored.
double st_damping_time(const struct StContacts *contacts, const StContactDesc *contact);
