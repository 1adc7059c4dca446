// Stiffening of anchors. Tested by tests/contact/test_anchors.c and
// tests/contact/test_primitive_contact.c.
#include "contact/friction/anchor_stiffening.h"

#include "contact/barrier/barrier.h"

// Fraction of the thickness down to which anchors do not stiffen, and −φ' there.
static const double EASY_GAP = 0.3, EASY_SLOPE = 3.3188952593896435;

// With load x, the yield is x times that at x = 1 up to x = 1, and (2 − 1/x) times beyond: smooth,
// and never more than twice as long. The stiffness follows from it.
StAnchorStiffening st_anchor_stiffening(double gap, double thickness, double anchor_scale) {
  if (gap >= EASY_GAP * thickness)
    return (StAnchorStiffening){.factor = 1};
  StBarrierCurve curve = st_barrier_curve(gap / thickness);
  double scale = -1 / (anchor_scale * EASY_SLOPE);
  double x = scale * curve.slope;
  if (!(x > 1))
    return (StAnchorStiffening){.load = x, .factor = 1};
  double rise = 2 * (x - 1) / (x * (2 * x - 1)); // derivative of the factor's logarithm by x
  return (StAnchorStiffening){.load = x,
                              .factor = x * x / (2 * x - 1),
                              .slope = rise * scale * curve.curvature / thickness};
}
