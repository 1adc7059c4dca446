// Normal laws in real numbers. Tested by tests/contact/test_primitive_contact.c.
#include "contact/barrier/normal_law.h"

#include "contact/core/contact_force.h"

#include "contact/barrier/barrier_kernel.h"
#include "contact/barrier/normal_law_kernel.h"

double st_normal_law_energy(const StContactLaw *law, double gap) {
  return normal_law_energy_real(law, gap);
}

double st_normal_law_force(const StContactLaw *law, double gap) {
  return normal_law_force_real(law, gap);
}

double st_normal_law_stiffness(const StContactLaw *law, double gap) {
  if (law->normal_law == ST_NORMAL_BARRIER)
    return law->stiffness / law->thickness * st_barrier_curve(gap / law->thickness).curvature;
  return 6 * law->stiffness * (law->thickness - gap) / law->thickness;
}
