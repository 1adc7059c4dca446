// Kinds of joints between two parts of bodies, or one and the world: descriptors that the scene
// reader and the manual enumerate. The forces are `joint` (what stores energy) and `drive` (dampers
// and motors).
#pragma once

#include "base/param.h"

struct StDescription;

typedef enum StJointKind {
  ST_JOINT_SPRING,
  ST_JOINT_DISTANCE,
  ST_JOINT_BALL,
  ST_JOINT_HINGE,
  ST_JOINT_SLIDER,
  ST_JOINT_WELD,
  ST_JOINT_TORSION,
  ST_JOINT_MOTOR,
  ST_JOINT_STOP,
} StJointKind;

// Indices of the parameters. Those of ties (ball, hinge, slider, weld, distance) start like a
// spring's.
enum { ST_JOINT_STIFFNESS, ST_JOINT_DAMPING, ST_JOINT_REST, ST_JOINT_MOST };
enum { ST_JOINT_LOWER = ST_JOINT_STIFFNESS + 1, ST_JOINT_UPPER }; // of sliders and stops
enum { ST_MOTOR_TORQUE, ST_MOTOR_SPEED, ST_MOTOR_SLIP, ST_MOTOR_GEAR };

typedef struct StJointType {
  const char *name, *summary;
  StJointKind kind;
  const StParam *param;
  int param_count;
  int points;  // that it uses of each end: 1, 2 or 4
  bool axis;   // it needs an axis
  bool apart;  // its ends are at different positions
  bool ties;   // keeps points together, or apart
  bool chosen; // the program can choose its stiffness
  bool damped; // it has a damping
  bool limits; // it has a lower and an upper limit
} StJointType;

extern const StJointType st_joint_types[]; // in the order of StJointKind; ends with a NULL name
const StJointType *st_joint_type_find(const char *name);

// Marks the bodies, [bodies], that joints or bearings hold, not those that are only pulled by a
// spring or turned by a motor.
void st_joints_mark_tied(const struct StDescription *description, bool *tied);
