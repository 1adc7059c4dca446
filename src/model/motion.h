// Prescribed rigid motion over time from keyframes: position and velocity at any instant, so that a
// moving boundary or obstacle gives a stage both, exactly.
#ifndef ST_MODEL_MOTION_H
#define ST_MODEL_MOTION_H

#include "base/status.h"

typedef enum StInterpolation {
  ST_LINEAR, // constant velocity between keys
  ST_SMOOTH, // cubic with zero slope at the ends and monotone in between: continuous velocity
} StInterpolation;

// A rigid thing at one instant: x = rotation X + shift, and the velocity field
// u(x) = velocity + spin × (x - pivot).
typedef struct StRigidPose {
  double rotation[9], shift[3];
  double velocity[3], spin[3], pivot[3];
} StRigidPose;

void st_pose_apply(const StRigidPose *pose, const double X[3], double position[3],
                   double velocity[3]);

// A program that says where things are instead of keyframes. It answers alike whenever it is asked
// within one step; false: it cannot, which ends the step (st_description_heed_drivers).
typedef struct StDriver {
  bool (*pose)(void *context, double t, StRigidPose *pose); // which is at rest when it is called
  // Of a boundary's vertices in their order, [vertex_count][3], instead of `pose`; NULL: rigid.
  bool (*targets)(void *context, double t, double *position, double *velocity);
  void *context;
  bool failed; // to answer; set here, cleared by who heeds it
} StDriver;

// Moves a point X of the rest position to c + R(angle(t)) (X - c) + translation(t), c = centre.
// Before the first key the motion rests. After the last it rests too, unless `extend` lets it go on
// with the velocity of the last interval, or the last spin (linear motions only: a smooth one has
// come to rest).
typedef struct StMotion {
  int key_count;       // 0: at rest for ever
  double *time;        // [key_count] strictly increasing, seconds
  double *translation; // [key_count][3] metres
  double *angle;       // [key_count] radians about axis through centre
  double *spin;        // [key_count] rad/s at the keys of a linear motion whose angular velocity is
                       // linear between them, as `angle` must agree with; NULL: constant there
  double axis[3];      // unit
  double centre[3];
  StInterpolation interpolation;
  bool extend;
  StDriver *driver; // gives the motion instead; not owned; NULL: the keys do
} StMotion;

void st_motion_free(StMotion *motion); // frees the arrays, not the struct

bool st_motion_moves(const StMotion *motion); // ever

// Where a point with rest position X is at time t, and how fast it moves.
void st_motion_at(const StMotion *motion, double t, const double X[3], double position[3],
                  double velocity[3]);

// The motion as a whole at time t.
void st_motion_pose(const StMotion *motion, double t, StRigidPose *pose);

// Largest mean speed between two neighbouring keys of a point this far from the axis, m/s.
double st_motion_speed(const StMotion *motion, double distance);

#endif
