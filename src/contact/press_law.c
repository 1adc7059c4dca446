// The cubic penalty κ (δ - ψ)³/δ.
#include "contact/press_law.h"

#include "contact/touch.h"

static double energy(const StTouchLaw *law, double gap) {
  double depth = law->thickness - gap;
  return law->stiffness * depth * depth * depth / law->thickness;
}

static double force(const StTouchLaw *law, double gap) {
  double depth = law->thickness - gap;
  return 3 * law->stiffness * depth * depth / law->thickness;
}

static double stiffness(const StTouchLaw *law, double gap) {
  return 6 * law->stiffness * (law->thickness - gap) / law->thickness;
}

static void slopes(const StTouchLaw *law, double gap, double *press, double *slope) {
  double depth = law->thickness - gap, scale = 3 * law->stiffness / law->thickness;
  *press = scale * depth * depth;
  *slope = -2 * scale * depth;
}

static StDual energy_dual(const StTouchLaw *law, StDual gap) {
  StDual depth = law->thickness - gap;
  return law->stiffness * depth * depth * depth / law->thickness;
}

static StDual force_dual(const StTouchLaw *law, StDual gap) {
  StDual depth = law->thickness - gap;
  return 3 * law->stiffness * depth * depth / law->thickness;
}

const StPressLaw st_press_penalty = {
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .slopes = slopes,
    .energy_dual = energy_dual,
    .force_dual = force_dual,
};
