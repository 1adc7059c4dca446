// When steps end: at frame times, at events (an acceleration starts, a boundary is released, a
// keyframed motion changes) and at the end of the run; in between, equal steps no larger than
// allowed.
#pragma once

#include "model/description.h"

typedef struct StSchedule {
  double duration, frame_rate, largest_step;
  int event_count;
  double *event; // [event_count] increasing
  size_t event_capacity;
  bool failed; // memory ran out while events were listed
} StSchedule;

StStatus st_schedule_create(const StDescription *description, StSchedule **schedule,
                            StError *error);
void st_schedule_destroy(StSchedule *schedule);

// Size of the next step from `time`, at most `limit`; *end gets its exact end time.
double st_schedule_step(const StSchedule *schedule, double time, double limit, double *end);

// The same for a given target time, ignoring frames and the end of the run.
double st_schedule_step_to(const StSchedule *schedule, double time, double limit, double until,
                           double *end);
bool st_schedule_reached(const StSchedule *schedule, double time, double until);

bool st_schedule_finished(const StSchedule *schedule, double time);
// Frames are at multiples of 1 / frame_rate, with a last one at the end of the run. The number of
// the last one reached:
int st_schedule_frame(const StSchedule *schedule, double time);
bool st_schedule_on_frame(const StSchedule *schedule, double time);
int st_schedule_frame_count(const StSchedule *schedule);
