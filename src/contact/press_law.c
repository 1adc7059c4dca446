// Press laws in real numbers.
#include "contact/press_law.h"

#include "contact/touch.h"

#include "contact/press_kernel.h"

double st_press_energy(const StTouchLaw *law, double gap) {
  return press_energy_real(law, gap);
}

double st_press_force(const StTouchLaw *law, double gap) {
  return press_force_real(law, gap);
}

double st_press_stiffness(const StTouchLaw *law, double gap) {
  return 6 * law->stiffness * (law->thickness - gap) / law->thickness;
}

void st_press_slopes(const StTouchLaw *law, double gap, double *force, double *slope) {
  double depth = law->thickness - gap, scale = 3 * law->stiffness / law->thickness;
  *force = scale * depth * depth;
  *slope = -2 * scale * depth;
}
