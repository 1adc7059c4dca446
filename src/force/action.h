// Force and travel of a load or a joint, for reports.
#pragma once

typedef struct StAction {
  double force[3];  // N, on the body it acts on; for a joint, on the first body
  double torque[3]; // N m, on the same body about the world's origin
  double travel;    // for joints: m between its points, or rad of rotation; otherwise 0
} StAction;
