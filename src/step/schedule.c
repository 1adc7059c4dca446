// Step ends: frames, events and the end of the run.
#include "step/schedule.h"

#include "base/memory.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

// Times closer than this fraction of a step are equal; it only absorbs round-off.
static const double SAME = 1e-9;

// Room for some more events; without, they are left out, and the list has failed.
static bool has_room(StSchedule *schedule, size_t more) {
  size_t needed = (size_t)schedule->event_count + more;
  bool good = ST_GROW(schedule->event, schedule->event_capacity, needed);
  schedule->failed = schedule->failed || !good;
  return good;
}

static void add_event(StSchedule *schedule, double time) {
  if (time > 0 && isfinite(time) && has_room(schedule, 1))
    schedule->event[schedule->event_count++] = time;
}

// A step should end where values or rates jump.
static void add_corners(StSchedule *schedule, const StCurve *curve) {
  size_t most = st_curve_corner_bound(curve);
  if (most == 0 || !has_room(schedule, most))
    return;
  double *from = schedule->event + schedule->event_count;
  int count = st_curve_corners(curve, schedule->largest_step, from);
  for (int i = 0; i < count; i++)
    add_event(schedule, from[i]); // never beyond the one that is read
}

static void add_curves(StSchedule *schedule, const StCurve *curve, int count) {
  for (int i = 0; i < count; i++)
    add_corners(schedule, &curve[i]);
}

static void add_motion(StSchedule *schedule, const StMotion *motion) {
  add_curves(schedule, motion->translation, 3);
  add_corners(schedule, &motion->angle);
}

StStatus st_schedule_create(const StDescription *description, StSchedule **result, StError *error) {
  StSchedule *schedule = ST_NEW(StSchedule, 1);
  ST_TRY_MEMORY(schedule, error);
  schedule->duration = description->time.duration;
  schedule->frame_rate = description->time.frame_rate;
  schedule->largest_step = description->time.step;
  for (int a = 0; a < description->acceleration_count; a++) {
    add_event(schedule, description->acceleration[a].start);
    add_event(schedule, description->acceleration[a].end);
  }
  for (int b = 0; b < description->boundary_count; b++) {
    add_event(schedule, description->boundary[b].release);
    add_motion(schedule, &description->boundary[b].motion);
  }
  for (int o = 0; o < description->obstacle_count; o++)
    add_motion(schedule, &description->obstacle[o].motion);
  for (int i = 0; i < description->volume_count; i++)
    add_corners(schedule, &description->volume[i].pressure);
  for (int i = 0; i < description->bearing_count; i++)
    add_corners(schedule, &description->bearing[i].torque);
  for (int i = 0; i < description->load_count; i++)
    add_curves(schedule, description->load[i].value, 3);
  for (int i = 0; i < description->joint_count; i++)
    add_curves(schedule, description->joint[i].curve, ST_PARAM_MAX);
  for (int i = 0; i < description->force_count; i++)
    add_curves(schedule, description->force[i].curve, ST_PARAM_MAX);
  if (schedule->failed) {
    st_schedule_destroy(schedule);
    return st_fail_memory(error);
  }
  if (schedule->event_count > 0)
    qsort(schedule->event, (size_t)schedule->event_count, sizeof(double), st_compare_doubles);
  *result = schedule;
  return ST_OK;
}

void st_schedule_destroy(StSchedule *schedule) {
  if (schedule)
    free(schedule->event);
  free(schedule);
}

static double same(const StSchedule *schedule) {
  return SAME * schedule->largest_step;
}

// How many whole frames fit into a time.
static int whole_frames(const StSchedule *schedule, double time) {
  return (int)floor((time + same(schedule)) * schedule->frame_rate);
}

static bool is_whole(const StSchedule *schedule, double time) {
  double frame = whole_frames(schedule, time) / schedule->frame_rate;
  return fabs(time - frame) <= same(schedule);
}

// The end is always a frame.
int st_schedule_frame(const StSchedule *schedule, double time) {
  bool last = st_schedule_finished(schedule, time) && !is_whole(schedule, schedule->duration);
  return whole_frames(schedule, time) + last;
}

bool st_schedule_on_frame(const StSchedule *schedule, double time) {
  return st_schedule_finished(schedule, time) || is_whole(schedule, time);
}

int st_schedule_frame_count(const StSchedule *schedule) {
  return st_schedule_frame(schedule, schedule->duration) + 1;
}

bool st_schedule_finished(const StSchedule *schedule, double time) {
  return time >= schedule->duration - same(schedule);
}

// The first event before `target`, or that.
static double next_target(const StSchedule *schedule, double time, double target) {
  for (int i = 0; i < schedule->event_count; i++)
    if (schedule->event[i] > time + same(schedule)) {
      // An event within rounding of the target is the target.
      if (schedule->event[i] < target - same(schedule))
        target = schedule->event[i];
      break;
    }
  return target;
}

bool st_schedule_reached(const StSchedule *schedule, double time, double until) {
  return until - time <= same(schedule);
}

double st_schedule_step_to(const StSchedule *schedule, double time, double limit, double until,
                           double *end) {
  double target = next_target(schedule, time, until), remaining = target - time;
  double count = fmax(1, ceil(remaining / limit * (1 - SAME)));
  double h = remaining / count;
  *end = count == 1 ? target : time + h;
  return h;
}

double st_schedule_step(const StSchedule *schedule, double time, double limit, double *end) {
  double frame = (whole_frames(schedule, time) + 1) / schedule->frame_rate;
  return st_schedule_step_to(schedule, time, limit, fmin(frame, schedule->duration), end);
}
