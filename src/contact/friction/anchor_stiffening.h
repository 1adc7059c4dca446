// How anchors stiffen under load. Their stiffness belongs to contact at half its thickness. Pressed
// much closer, contact is far stiffer than that along the normal; an anchor that stayed as it was
// would yield so late that little of an impact's friction acts. So an anchor stiffens with the
// load, and what it holds shrinks accordingly: the force stays, and energy is lost, never gained.
#pragma once

typedef struct StAnchorStiffening {
  double load;   // normal force over the largest one at which the anchor is as stiff as it was
                 // set; 0 where contact is not pressed close
  double factor; // of its stiffness: 1 up to there, then growing
  double slope;  // of the factor's logarithm, by the gap, 1/m
} StAnchorStiffening;

// For a barrier of this thickness. scale: how much stiffer the anchor was set than contact at
// half its thickness tells, ≥ 1.
StAnchorStiffening st_anchor_stiffening(double gap, double thickness, double scale);
