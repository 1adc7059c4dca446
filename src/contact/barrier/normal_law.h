// The normal law of a contact: energy as a function of the gap, times stiffness and fade. Each pair
// chooses its law; a new one is a value here and a case in normal_law_kernel.h and normal_law.c.
#ifndef ST_CONTACT_BARRIER_NORMAL_LAW_H
#define ST_CONTACT_BARRIER_NORMAL_LAW_H

#include "contact/barrier/barrier.h"

typedef enum StPressForm {
  ST_PRESS_PENALTY, // κ (δ - ψ)³/δ
  ST_PRESS_BARRIER, // κ δ φ(ψ/δ), contact/barrier/barrier.h
} StPressForm;

typedef struct StTouchLaw StTouchLaw;

// All for gaps below the thickness, and without the touch's fade.
double st_press_energy(const StTouchLaw *law, double gap);    // J
double st_press_force(const StTouchLaw *law, double gap);     // N, -∂energy/∂gap
double st_press_stiffness(const StTouchLaw *law, double gap); // N/m, ∂²energy/∂gap²

// The barrier's versions.
double st_press_barrier_energy(const StTouchLaw *law, double gap);
double st_press_barrier_force(const StTouchLaw *law, double gap);
StDual st_press_barrier_energy_dual(const StTouchLaw *law, StDual gap);
StDual st_press_barrier_force_dual(const StTouchLaw *law, StDual gap);

// Force and its slope by the gap at once, for Jacobians.
void st_press_slopes(const StTouchLaw *law, double gap, double *force, double *slope);

#endif
