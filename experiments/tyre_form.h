// The form of a turning tyre, read off the frames of a run: how far the tread lags behind the rim
// and how strongly the side walls are bent. The axle is the y-axis of the world, and the body is
// the first one, with the labels of the shape `tyre`.
#ifndef EXPERIMENTS_TYRE_FORM_H
#define EXPERIMENTS_TYRE_FORM_H

#include "recording.h"

// Frame by frame.
typedef struct TyreCourse {
  int frames;
  double *time; // [frames] s
  double *lag;  // [frames] rad: the rim's angle less the tread's mean one, since the first frame
  // [frames] 1/m, against the shape at rest: the even curvature that takes the same bending energy
  // of the walls. A smooth wall has a few per metre, wrinkles raise it.
  double *bend;
} TyreCourse;

// A missing recording has a course without frames.
StictionStatus tyre_course(const Recording *recording, TyreCourse *course);
void tyre_course_free(TyreCourse *course);

#endif
