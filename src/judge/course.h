// How a surface moves in a step, for the independent check: a body turns evenly about its middle,
// which goes straight, and changes shape evenly in its own frame; an obstacle follows its motion.
#pragma once

#include "judge/hull.h"
#include "model/description.h"

typedef struct StCourse {
  const StHull *hull;
  const double *before, *after; // positions at both ends of the step, in the hull's numbers
  // A body:
  double middle[3], shift[3]; // of its surface's points
  double axis[3], angle;
  double radius; // m, from the middle
  // An obstacle:
  const StObstacleDesc *obstacle;
  const double *rest; // [point_count of the mesh][3] in its own frame
  int rest_count;     // points
  double start, end;  // times
  StBox box[2];       // at both ends of the step
  double bulge;       // m, how far it gets away from straight ways
} StCourse;

// Of a body's surface at both ends of a step.
void st_course_of_body(const StHull *hull, const double *before, const double *after,
                       StCourse *course);

// Of an obstacle with this surface. before, after: [count][3] are filled.
void st_course_of_obstacle(const StObstacleDesc *desc, const StHull *hull, const double *rest,
                           int count, const double time[2], double *before, double *after,
                           StCourse *course);

// Positions at a share of the step, 0 … 1, into `room` (in the hull's numbers) where they are not
// those of an end.
const double *st_course_at(const StCourse *course, double share, double *room);
