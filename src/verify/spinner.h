// A rigid body that turns about a fixed point: Euler's equations, solved by small steps of the
// classical Runge–Kutta method. The truth that rigid bodies of scenes are held against.
#pragma once

typedef struct StSpinner {
  double inertia[3];  // kg m² about the point, along the body's axes, which are principal ones
  double moment[3];   // kg m, mass × the centre's place seen from the point, in the body's axes
  double gravity[3];  // m/s², in the world
  double rotation[9]; // from the body's axes to the world
  double spin[3];     // rad/s, in the body's axes
} StSpinner;

void st_spinner_advance(StSpinner *spinner, double duration, int steps);

// Two rods that hang from a hinge and from each other, in a plane: angles from the downward
// vertical and their rates.
typedef struct StTwoRods {
  double mass, length, inertia; // of each, about its middle
  double gravity;
  double angle[2], rate[2];
} StTwoRods;

void st_two_rods_advance(StTwoRods *rods, double duration, int steps);
