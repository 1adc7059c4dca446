// Energy and force of press laws, on scalars. A kernel header (math/scalar.h).
#include "math/scalar.h"

static inline scalar ST_KERNEL(press_energy)(const StTouchLaw *law, scalar gap) {
  scalar depth = law->thickness - gap;
  switch (law->press) {
  case ST_PRESS_PENALTY: break;
  }
  return law->stiffness * depth * depth * depth / law->thickness;
}

// Per unit of ∇ψ.
static inline scalar ST_KERNEL(press_force)(const StTouchLaw *law, scalar gap) {
  scalar depth = law->thickness - gap;
  switch (law->press) {
  case ST_PRESS_PENALTY: break;
  }
  return 3 * law->stiffness * depth * depth / law->thickness;
}
