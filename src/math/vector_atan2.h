// Angle of eight points (x, y) at once, in [−π, π], within 2.5 ulp. The point is brought to the
// first octant and turned by another eighth if that brings it closer to the axis; then the series
// of arctan. The origin has no angle: NAN.
#pragma once

#include "math/lanes.h"

static inline StLanes s_atan2_lanes(StLanes y, StLanes x) {
  const double eighth_high = 0x1.921fb54442d18p-1, eighth_low = 0x1.1a62633145c07p-55; // π/4
  const double tangent = 0x1.a827999fcef32p-2;                                         // of π/8
  StLaneBits sign = (StLaneBits){0} | INT64_MIN;
  StLanes far = (StLanes)((StLaneBits)x & ~sign), near = (StLanes)((StLaneBits)y & ~sign);
  StLaneBits steep = (StLaneBits)(near > far), left = (StLaneBits)(x < 0);
  StLanes longer = lanes_select(steep, near, far), shorter = lanes_select(steep, far, near);
  StLaneBits turned = (StLaneBits)(shorter > tangent * longer);
  StLanes t = lanes_select(turned, shorter - longer, shorter) /
              lanes_select(turned, shorter + longer, longer);
  StLanes z = t * t, series = lanes_all(1.0 / 43);
  for (int n = 41; n >= 3; n -= 2)
    series = 1.0 / n - z * series;
  StLanes angle = t - t * z * series; // beyond `eighths` of π/4
  StLanes eighths = lanes_select(turned, lanes_all(1), lanes_all(0));
  eighths = lanes_select(steep, 2 - eighths, eighths);
  angle = lanes_select(steep, -angle, angle);
  eighths = lanes_select(left, 4 - eighths, eighths);
  angle = lanes_select(left, -angle, angle);
  angle = eighths * eighth_high + (angle + eighths * eighth_low);
  return (StLanes)((StLaneBits)angle ^ ((StLaneBits)y & sign));
}
