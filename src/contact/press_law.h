// How hard a touch presses: energy as a function of the gap, times stiffness and fade. Which one is
// a pair's choice.
#ifndef ST_CONTACT_PRESS_LAW_H
#define ST_CONTACT_PRESS_LAW_H

#include "math/scalar.h"

typedef struct StTouchLaw StTouchLaw;

// All for gaps below the thickness, and without the touch's fade.
typedef struct StPressLaw {
  double (*energy)(const StTouchLaw *law, double gap);    // J
  double (*force)(const StTouchLaw *law, double gap);     // N, -∂energy/∂gap
  double (*stiffness)(const StTouchLaw *law, double gap); // N/m, ∂²energy/∂gap²
  // Force and its slope by the gap at once, for Jacobians.
  void (*slopes)(const StTouchLaw *law, double gap, double *force, double *slope);
  StDual (*energy_dual)(const StTouchLaw *law, StDual gap);
  StDual (*force_dual)(const StTouchLaw *law, StDual gap);
} StPressLaw;

extern const StPressLaw st_press_penalty; // κ (δ - ψ)³/δ

#endif
