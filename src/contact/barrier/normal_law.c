// Press laws in real numbers.
#include "contact/barrier/normal_law.h"

#include "contact/core/contact_force.h"

#include "contact/barrier/normal_law_kernel.h"

double st_press_barrier_energy(const StTouchLaw *law, double gap) {
  return law->stiffness * law->thickness * st_barrier_curve(gap / law->thickness).value;
}

double st_press_barrier_force(const StTouchLaw *law, double gap) {
  return -law->stiffness * st_barrier_curve(gap / law->thickness).slope;
}

StDual st_press_barrier_energy_dual(const StTouchLaw *law, StDual gap) {
  return law->stiffness * law->thickness * st_barrier_curve_dual(gap / law->thickness).value;
}

StDual st_press_barrier_force_dual(const StTouchLaw *law, StDual gap) {
  return -law->stiffness * st_barrier_curve_dual(gap / law->thickness).slope;
}

double st_press_energy(const StTouchLaw *law, double gap) {
  return press_energy_real(law, gap);
}

double st_press_force(const StTouchLaw *law, double gap) {
  return press_force_real(law, gap);
}

double st_press_stiffness(const StTouchLaw *law, double gap) {
  if (law->press == ST_PRESS_BARRIER)
    return law->stiffness / law->thickness * st_barrier_curve(gap / law->thickness).curvature;
  return 6 * law->stiffness * (law->thickness - gap) / law->thickness;
}

void st_press_slopes(const StTouchLaw *law, double gap, double *force, double *slope) {
  if (law->press == ST_PRESS_BARRIER) {
    StBarrierCurve curve = st_barrier_curve(gap / law->thickness);
    *force = -law->stiffness * curve.slope;
    *slope = -law->stiffness / law->thickness * curve.curvature;
    return;
  }
  double depth = law->thickness - gap, scale = 3 * law->stiffness / law->thickness;
  *force = scale * depth * depth;
  *slope = -2 * scale * depth;
}
