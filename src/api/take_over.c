// One simulation goes on where another is: for programs that add and remove bodies.
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"

// Courses of the other are those of this one, which can follow them.
static StStatus follow(StictionSimulation *simulation, const StictionSimulation *other,
                       StError *error) {
  double now = st_simulation_time(simulation->simulation);
  StPending *pending = &simulation->pending;
  pending->rebuild = !st_drives_hold(&simulation->drives, &other->drives, now) || pending->rebuild;
  ST_TRY(st_pending_settle(simulation, error));
  st_drives_follow(&simulation->drives, &other->drives);
  return ST_OK;
}

static StStatus take_over(StictionSimulation *simulation, StictionSimulation *other,
                          StError *error) {
  int count = ST_COURSE_NUMBERS * st_drives_count(&simulation->drives);
  ST_FREE double *course = ST_NEW(double, count);
  ST_TRY(st_runtime_agree(course ? ST_OK : st_fail_memory(error), error));
  st_drives_remember(&simulation->drives, course);
  StStatus status = follow(simulation, other, error);
  if (status == ST_OK)
    status = st_simulation_take_over(simulation->simulation, other->simulation, error);
  if (status != ST_OK)
    st_drives_recall(&simulation->drives, course);
  if (status == ST_OK)
    status = st_record_jump(simulation, error);
  return st_live_follow(simulation, status, error);
}

static StStatus check_and_take(StictionSimulation *simulation, StictionSimulation *other,
                               StError *error) {
  if (!other->simulation)
    return st_fail(error, ST_BAD_INPUT, "the session of the other simulation has been closed");
  if (other == simulation)
    return ST_OK;
  ST_TRY(st_pending_settle(simulation, error));
  ST_TRY(st_pending_settle(other, error));
  return take_over(simulation, other, error);
}

StictionStatus stiction_simulation_take_over(StictionSimulation *simulation,
                                             StictionSimulation *other) {
  ST_NEED(simulation);
  ST_NEED(other);
  ST_ENTER(simulation->session, ST_ALONE(simulation), ST_ALONE(other));
  return st_call_leave(check_and_take(simulation, other, st_call_error()));
}
