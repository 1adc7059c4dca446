// Motion that a program has set for a boundary or an obstacle: constant velocity and spin from
// where it was, for a while. Part of the state: a restored simulation has it again.
#pragma once

#include "model/motion.h"

typedef struct StCourse {
  double on;          // 1: active; 0: none
  double start, end;  // s; from `end` on it rests
  double rotation[9]; // the pose at the start: x = rotation X + shift
  double shift[3];
  double pivot[3]; // m, in the world at the start: moves with
  double velocity[3], spin[3];
} StCourse;

enum { ST_COURSE_NUMBERS = 24 };
_Static_assert(sizeof(StCourse) == ST_COURSE_NUMBERS * sizeof(double), "a course is an array");

void st_course_pose(const StCourse *course, double time, StRigidPose *pose);

// The rotation about a vector by its length, and back.
void st_rotation_about(const double vector[3], double rotation[9]);
void st_rotation_vector(const double rotation[9], double vector[3]);
