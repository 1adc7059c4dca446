// How anchors stiffen under load. The stiffness of an anchor is a fraction of the contact stiffness
// at half the thickness. At much smaller gaps contact is far stiffer than that along the normal,
// and an anchor of constant stiffness would yield so late that little friction acts in an impact.
// So an anchor stiffens with the load, and its elastic displacement shrinks accordingly: the force
// stays the same, and energy is lost, never gained.
#pragma once

typedef struct StAnchorStiffening {
  double load;   // normal force over the largest one at which the anchor keeps the stiffness it was
                 // set with; 0 at gaps where anchors do not stiffen set; 0 where contact is not
                 // pressed close
  double factor; // of the stiffness: 1 up to load 1, then growing
  double slope;  // of the factor's logarithm, by the gap, 1/m
} StAnchorStiffening;

// For a barrier of this thickness. scale: the stiffness with which the anchor was set over that of
// contact at half its thickness, ≥ 1.
StAnchorStiffening st_anchor_stiffening(double gap, double thickness, double scale);
