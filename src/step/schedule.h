// When steps end: on frame times, on events (an acceleration that starts, a boundary let go, a
// corner of a keyframed motion) and on the end of the run; in between, equal steps no larger than
// allowed.
#ifndef ST_STEP_SCHEDULE_H
#define ST_STEP_SCHEDULE_H

#include "model/description.h"

typedef struct StSchedule {
  double duration, frame_rate, largest_step;
  int event_count;
  double *event; // [event_count] increasing
} StSchedule;

StStatus st_schedule_create(const StDescription *description, StSchedule **schedule,
                            StError *error);
void st_schedule_destroy(StSchedule *schedule);

// Size of the next step from `time`, at most `limit`; *end gets its exact end time.
double st_schedule_step(const StSchedule *schedule, double time, double limit, double *end);

// The same on the way to a time: frames and the end of the run do not count then.
double st_schedule_step_to(const StSchedule *schedule, double time, double limit, double until,
                           double *end);
bool st_schedule_reached(const StSchedule *schedule, double time, double until);

bool st_schedule_finished(const StSchedule *schedule, double time);
// Frames stand at multiples of 1 / frame_rate, and a last one at the end of the run. The number of
// the last one reached:
int st_schedule_frame(const StSchedule *schedule, double time);
bool st_schedule_on_frame(const StSchedule *schedule, double time);
int st_schedule_frame_count(const StSchedule *schedule);

#endif
