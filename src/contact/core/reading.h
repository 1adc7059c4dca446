// The forces of one contact, as reports see them, and a visitor over all contacts.
#pragma once

#include "contact/core/readout.h"

typedef struct StReading {
  const StFrictionLaw *law;
  const StContact *contact; // the contact now; NULL: it has opened, but lagged friction still acts
  bool turned;              // side A of the contact is the other body, not the collider
  int pair, vertex;         // local
  double gap, normal_force, slip_speed;
  double used_normal_force;
  double friction[3], coulomb; // on the collider; coulomb: its magnitude without the viscous part
  double damper;               // N, damping force of anchors along the normal
  double displacement;         // m, elastic displacement of anchored friction, at most its yield
  double slip[3];              // m/s, of the collider relative to the other
  double force[2][3];          // N, total on the collider, and on the vertices of the other side
  double torque[2][3];         // N m, torques of these forces about the origin
  double power, net[3];
  double driving_power, driving_work;
  StSlipState state;
} StReading;

typedef void (*StReadingVisit)(void *context, const StReading *reading);

// Visits all contacts owned by this rank. Returns the set's status if that is not ST_OK.
StStatus st_readings_visit(const StContactSet *set, const double *position, const double *velocity,
                           StReadingVisit visit, void *context);
