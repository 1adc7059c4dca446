// Force and travel of a load or a joint, for reports.
#ifndef ST_FORCE_ACTION_H
#define ST_FORCE_ACTION_H

typedef struct StAction {
  double force[3];  // N, on the body it acts on, of a joint on the first
  double torque[3]; // N m, on the same about the world's origin
  double travel;    // of a joint: m its points are apart, or rad it has turned; else 0
} StAction;

#endif
