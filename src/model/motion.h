// Prescribed rigid motion over time: exact position and velocity at any instant, for moving
// boundaries and obstacles.
#pragma once

#include "base/status.h"
#include "model/curve.h"

// A rigid motion at one instant: x = rotation X + shift, and the velocity field u(x) = velocity +
// spin × (x - pivot).
typedef struct StRigidPose {
  double rotation[9], shift[3];
  double velocity[3], spin[3], pivot[3];
} StRigidPose;

void st_pose_apply(const StRigidPose *pose, const double X[3], double position[3],
                   double velocity[3]);

// A program that gives poses instead of curves. Within one step it always returns the same; false:
// it failed, which ends the step (st_description_check_drivers).
typedef struct StDriver {
  bool (*pose)(void *context, double t, StRigidPose *pose); // at rest on entry
  // For a boundary's vertices in order, [vertex_count][3], instead of `pose`; NULL: rigid.
  bool (*targets)(void *context, double t, double *position, double *velocity);
  void *context;
  bool failed; // set when a call failed, cleared by whoever handles it
} StDriver;

// Moves a point X of the rest position to c + R(angle(t)) (X - c) + translation(t), c = centre.
typedef struct StMotion {
  StCurve translation[3]; // metres; not given: 0
  StCurve angle;          // radians about the axis through the centre; not given: 0
  double axis[3];         // unit
  double centre[3];
  StDriver *driver; // overrides the curves; not owned; may be NULL
} StMotion;

// Keyframes: time[count], translation[count][3], angle[count]; either of the latter may be NULL.
StStatus st_motion_set_keys(StMotion *motion, int count, const double *time,
                            const double *translation, const double *angle,
                            StInterpolation interpolation, bool extend, StError *error);

void st_motion_free(StMotion *motion); // frees the curves, not the struct

bool st_motion_moves(const StMotion *motion); // ever

// Where a point with rest position X is at time t, and how fast it moves.
void st_motion_at(const StMotion *motion, double t, const double X[3], double position[3],
                  double velocity[3]);

// The whole motion at time t.
void st_motion_pose(const StMotion *motion, double t, StRigidPose *pose);

// Largest speed up to a time of a point this far from the axis, m/s (st_curve_largest_rate); NaN or
// infinite if the motion is.
double st_motion_speed(const StMotion *motion, double distance, double duration);
