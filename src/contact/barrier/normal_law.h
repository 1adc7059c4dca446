// The normal law of a contact: energy as a function of the gap, times stiffness and mollifier. Each
// pair chooses its law; a new one is a value here and a case in normal_law_kernel.h and
// normal_law.c.
#pragma once

#include "contact/barrier/barrier.h"

typedef enum StNormalLawForm {
  ST_NORMAL_PENALTY, // κ (δ - ψ)³/δ
  ST_NORMAL_BARRIER, // κ δ φ(ψ/δ), contact/barrier/barrier.h
} StNormalLawForm;

typedef struct StContactLaw StContactLaw;

// All three are for gaps below the thickness, and do not include the contact's mollifier.
double st_normal_law_energy(const StContactLaw *law, double gap);    // J
double st_normal_law_force(const StContactLaw *law, double gap);     // N, -∂energy/∂gap
double st_normal_law_stiffness(const StContactLaw *law, double gap); // N/m, ∂²energy/∂gap²
