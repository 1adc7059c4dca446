// Steps end on frames, events and the end of the run, and are equal in between.
#include "step/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

static StSchedule *schedule_of(StDescription *d, double duration, double step, double rate) {
  StSchedule *schedule = NULL;
  d->time = (StTimeDesc){.duration = duration, .step = step, .frame_rate = rate};
  assert_int_equal(st_schedule_create(d, &schedule, NULL), ST_OK);
  return schedule;
}

static void equal_steps_reach_every_frame(void **state) {
  (void)state;
  StDescription d = {0};
  StSchedule *schedule = schedule_of(&d, 1, 0.003, 30);
  double time = 0, end, shortest = 1, longest = 0;
  int frames = 1, steps = 0;
  while (!st_schedule_finished(schedule, time)) {
    double h = st_schedule_step(schedule, time, 0.003, &end);
    shortest = fmin(shortest, h), longest = fmax(longest, h);
    time = end;
    frames += st_schedule_on_frame(schedule, time);
    steps++;
  }
  assert_true(longest <= 0.003 * (1 + 1e-9));
  assert_true(longest - shortest < 1e-12);
  assert_int_equal(frames, 31);
  assert_int_equal(st_schedule_frame_count(schedule), 31);
  assert_int_equal(steps, 30 * 12);
  assert_true(fabs(time - 1) < 1e-15);
  st_schedule_destroy(schedule);
}

// 0.105 s at 30 frames a second: frames 0 to 3, and one at the end.
static void the_end_is_a_frame(void **state) {
  (void)state;
  StDescription d = {0};
  StSchedule *schedule = schedule_of(&d, 0.105, 0.01, 30);
  double time = 0, end, last = 0;
  int frames = 1;
  while (!st_schedule_finished(schedule, time)) {
    st_schedule_step(schedule, time, 0.01, &end);
    time = end;
    if (st_schedule_on_frame(schedule, time)) {
      assert_int_equal(st_schedule_frame(schedule, time), frames);
      frames++;
      last = time;
    }
  }
  assert_int_equal(frames, 5);
  assert_int_equal(st_schedule_frame_count(schedule), 5);
  assert_true(last == 0.105);
  st_schedule_destroy(schedule);
}

static void a_step_that_fits_is_not_cut(void **state) {
  (void)state;
  StDescription d = {0};
  StSchedule *schedule = schedule_of(&d, 0.3, 0.01, 100);
  double time = 0, end;
  int steps = 0;
  for (; !st_schedule_finished(schedule, time); time = end, steps++)
    st_schedule_step(schedule, time, 0.01, &end);
  assert_int_equal(steps, 30);
  st_schedule_destroy(schedule);
}

static void events_end_steps(void **state) {
  (void)state;
  StAccelerationDesc acceleration = {.start = 0.123, .end = 0.5};
  double keys[2] = {0.05, 0.31};
  double value[2] = {0};
  StBoundaryDesc boundary = {
      .release = 0.77, .motion.translation[1] = {.key_count = 2, .time = keys, .value = value}};
  StDescription d = {.acceleration = &acceleration,
                     .acceleration_count = 1,
                     .boundary = &boundary,
                     .boundary_count = 1};
  StSchedule *schedule = schedule_of(&d, 1, 0.02, 10);
  const double wanted[] = {0.05, 0.123, 0.31, 0.5, 0.77};
  double time = 0, end;
  int met = 0;
  while (!st_schedule_finished(schedule, time)) {
    st_schedule_step(schedule, time, 0.02, &end);
    time = end;
    if (met < 5 && time == wanted[met])
      met++;
  }
  assert_int_equal(met, 5);
  st_schedule_destroy(schedule);
}

// After a cut, what is left of a frame is divided evenly: no sliver of a step at its end.
static void smaller_steps_still_meet_frames(void **state) {
  (void)state;
  StDescription d = {0};
  StSchedule *schedule = schedule_of(&d, 1, 0.1, 5);
  double time = 0, end, limit = 0.1, shortest = 1;
  for (int k = 0; !st_schedule_finished(schedule, time); k++) {
    limit = k == 3 ? 0.017 : k == 9 ? 0.1 : limit;
    shortest = fmin(shortest, st_schedule_step(schedule, time, limit, &end));
    int frame = st_schedule_frame(schedule, time);
    time = end;
    assert_true(st_schedule_frame(schedule, time) <= frame + 1);
  }
  assert_true(shortest > 0.01);
  st_schedule_destroy(schedule);
}

static bool ends_on(const StSchedule *schedule, double wanted) {
  double time = 0, end;
  for (; !st_schedule_finished(schedule, time); time = end) {
    st_schedule_step(schedule, time, schedule->largest_step, &end);
    if (end == wanted)
      return true;
  }
  return false;
}

// Corners of obstacles' motions, pressures and torques; not those of smooth motions, nor keys so
// dense that they sample a curve, nor what has no time.
static void all_that_has_corners_ends_steps(void **state) {
  (void)state;
  double corner[] = {0.111, 0.613}, smooth[] = {0.222, 0.733}, pressure[] = {0.333, 0.9};
  double torque[] = {0.444, 3}, dense[40], flat[2] = {0}, value[2] = {0};
  for (int i = 0; i < 40; i++)
    dense[i] = 0.5551 + 1e-3 * i;
  StObstacleDesc obstacle[] = {
      {.motion.angle = {.key_count = 2, .time = corner, .value = value}},
      {.motion.angle = {.key_count = 2, .time = smooth, .value = value, .rate = flat}},
      {.motion.translation[0] = {.key_count = 40, .time = dense}}};
  StVolumeDesc volume = {.pressure = {.key_count = 2, .time = pressure, .value = value}};
  StBearingDesc bearing = {.torque = {.key_count = 2, .time = torque, .value = value}};
  StAccelerationDesc acceleration = {.start = -1, .end = INFINITY};
  StDescription d = {.obstacle = obstacle,
                     .obstacle_count = 3,
                     .volume = &volume,
                     .volume_count = 1,
                     .bearing = &bearing,
                     .bearing_count = 1,
                     .acceleration = &acceleration,
                     .acceleration_count = 1};
  StSchedule *schedule = schedule_of(&d, 1, 0.02, 10);
  const double met[] = {0.111, 0.613, 0.333, 0.9, 0.444}, missed[] = {0.222, 0.733, 0.5551};
  for (int i = 0; i < 5; i++)
    assert_true(ends_on(schedule, met[i]));
  for (int i = 0; i < 3; i++)
    assert_false(ends_on(schedule, missed[i]));
  assert_int_equal(schedule->event_count, 6); // one beyond the end: a program may go on
  for (int i = 1; i < schedule->event_count; i++)
    assert_true(schedule->event[i - 1] < schedule->event[i]);
  st_schedule_destroy(schedule);
  st_schedule_destroy(NULL);
}

// A program's steps end on events and where it says, not on frames or at the end.
static void steps_lead_to_a_time(void **state) {
  (void)state;
  double key[] = {0.031, 1.5}, value[2] = {0, 1};
  StBearingDesc bearing = {.torque = {.key_count = 2, .time = key, .value = value}};
  StDescription d = {.bearing = &bearing, .bearing_count = 1};
  StSchedule *schedule = schedule_of(&d, 1, 0.02, 10);
  double end;
  assert_true(st_schedule_step_to(schedule, 0, 0.02, 0.015, &end) == 0.015 && end == 0.015);
  st_schedule_step_to(schedule, 0.015, 0.02, 0.035, &end);
  assert_true(end == 0.031);
  assert_true(st_schedule_step_to(schedule, 0.09, 0.02, 0.105, &end) == 0.105 - 0.09);
  st_schedule_step_to(schedule, 1.49, 0.02, 2, &end);
  assert_true(end == 1.5);
  assert_true(st_schedule_reached(schedule, 0.3, 0.3) && !st_schedule_reached(schedule, 0.29, 0.3));
  st_schedule_destroy(schedule);
}

// An event that a rounding error parts from a frame is that frame: no step of 1e-16 s between them.
static void rounding_makes_no_slivers(void **state) {
  (void)state;
  StAccelerationDesc acceleration[] = {{.start = 0.3 - 1e-16, .end = 0.6 + 1e-13}};
  StDescription d = {.acceleration = acceleration, .acceleration_count = 1};
  StSchedule *schedule = schedule_of(&d, 1, 0.01, 10);
  double time = 0, end, shortest = 1;
  for (; !st_schedule_finished(schedule, time); time = end)
    shortest = fmin(shortest, st_schedule_step(schedule, time, 0.01, &end));
  assert_true(shortest > 0.0099);
  st_schedule_destroy(schedule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_steps_reach_every_frame),
      cmocka_unit_test(a_step_that_fits_is_not_cut),
      cmocka_unit_test(the_end_is_a_frame),
      cmocka_unit_test(events_end_steps),
      cmocka_unit_test(smaller_steps_still_meet_frames),
      cmocka_unit_test(all_that_has_corners_ends_steps),
      cmocka_unit_test(steps_lead_to_a_time),
      cmocka_unit_test(rounding_makes_no_slivers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
