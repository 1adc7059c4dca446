// The four carriers of a rigid body about its centre of mass.
#pragma once

#include "step/stage.h"

typedef struct StRigidFrame {
  const int *carrier; // [ST_CARRIERS]
  double mass[ST_CARRIERS], whole;
  double centre[3], arm[ST_CARRIERS][3];
  double inertia[9]; // about the centre
} StRigidFrame;

// Of one of the stage's frames, at these positions, [vertex_count][3].
StRigidFrame st_rigid_frame_at(const StStageProblem *stage, int index, const double *position);

// Mean of a field of the vertices, [vertex_count][3], by mass.
void st_rigid_frame_mean(const StRigidFrame *frame, const double *field, double mean[3]);

// Adds sign Σ m arm × field.
void st_rigid_frame_moment(const StRigidFrame *frame, double sign, const double *field,
                           double moment[3]);

// Velocities of the carriers, into [vertex_count][3], of a motion of the whole.
void st_rigid_frame_move(const StRigidFrame *frame, const double velocity[3], const double spin[3],
                         double *field);

// Whether some coordinate is prescribed: 0 in held, [owned][3].
bool st_rigid_frame_is_held(const StRigidFrame *frame, const double *held);
