// The form of a turning tyre, read off the frames of a run: how far the tread lags behind the rim
// and how strongly the side walls are bent. The axle is the y-axis of the world, and the body is
// the first one, with the labels of the shape `tyre`.
#ifndef ST_EXPERIMENT_TYRE_FORM_H
#define ST_EXPERIMENT_TYRE_FORM_H

#include "replay/recording.h"

// Frame by frame.
typedef struct StTyreCourse {
  int frames;
  double *time; // [frames] s
  double *lag;  // [frames] rad: the rim's angle less the tread's mean one, since the first frame
  // [frames] 1/m, against the shape at rest: the even curvature that takes the same bending energy
  // of the walls. A smooth wall has a few per metre, wrinkles raise it.
  double *bend;
} StTyreCourse;

// A missing recording has a course without frames.
StStatus st_tyre_course(const StRecording *recording, StTyreCourse *course, StError *error);
void st_tyre_course_free(StTyreCourse *course);

#endif
