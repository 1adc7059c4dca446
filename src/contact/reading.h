// What one touch does, as the read-outs see it, and the walk along all of them.
#ifndef ST_CONTACT_READING_H
#define ST_CONTACT_READING_H

#include "contact/readout.h"

typedef struct StReading {
  const StPair *pair;
  const StTouch *touch;   // as it is now; NULL: it touches no more, friction lags
  bool turned;            // side A of the touch is the other one, not the collider
  int pair_index, vertex; // local
  double gap, normal_force, slip_speed;
  double used_normal_force;
  double friction[3], coulomb; // on the collider; coulomb: its size without the viscous part
  double damper;               // what anchors damp along the normal, N
  double displacement;         // m, elastic, of anchored friction: at most its yield
  double slip[3];              // m/s, of the collider over the other
  double force[2][3];          // N, all of it on the collider, and on the other's vertices
  double torque[2][3];         // N m, the same about the origin
  double power, net[3];
  double driving_power, driving_work;
  StSlipState state;
} StReading;

typedef void (*StReadingVisit)(void *context, const StReading *reading);

// All touches that are this rank's. The set's status, if not ST_OK.
StStatus st_readings_visit(const StTouchSet *set, const double *position, const double *velocity,
                           StReadingVisit visit, void *context);

#endif
