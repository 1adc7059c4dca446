// Which frictions are solved with in turn. Tested by tests/robustness/test_torture.c and
// tests/contact/test_contact_set.c.
#include "contact/smooth/smooth_easing.h"

#include "contact/tunables.h"
#include "model/contact_pairs.h"

static bool has_friction(const StContacts *contacts, bool falling) {
  const StFrictionDesc *friction;
  for (int i = 0; (friction = st_pairs_friction(contacts->description, i)); i++)
    if (friction->static_coefficient > (falling ? friction->dynamic_coefficient : 0))
      return true;
  return false;
}

double st_smooth_next_ease(const StContacts *contacts, StEasing easing, double ease) {
  if (ease == 1 || !has_friction(contacts, easing == ST_EASE_PEAK))
    return 0;
  double next =
      ease == 0 ? st_contact_tunables.ease_widest : st_contact_tunables.ease_narrowing * ease;
  return easing == ST_EASE_PEAK ? 1 : fmax(next, 1);
}

double st_smooth_ease(double ease, StFrictionLaw *law) {
  if (!(ease > 0))
    return 1;
  double width = fmax(ease, 1);
  law->dynamic_coefficient = law->static_coefficient;
  st_friction_prepare(law);
  law->sticking_speed *= width;
  law->stribeck_speed *= width;
  return width;
}
