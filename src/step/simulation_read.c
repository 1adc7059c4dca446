// What a simulation tells of its committed state.
#include "step/fields.h"
#include "step/simulation_parts.h"

const StReport *st_simulation_report(const StSimulation *s) {
  return &s->report;
}

const StNewtonResult *st_simulation_newton(const StSimulation *s) {
  return &s->attempt->solving.newton;
}

const StSystem *st_simulation_system(const StSimulation *s) {
  return s->system;
}

double st_simulation_sent(const StSimulation *s) {
  return st_exchange_traffic(s->system->exchange).bytes;
}

double st_simulation_time(const StSimulation *s) {
  return s->state->time;
}

bool st_simulation_finished(const StSimulation *s) {
  return st_schedule_finished(s->schedule, s->state->time);
}

bool st_simulation_on_frame(const StSimulation *s) {
  return st_schedule_on_frame(s->schedule, s->state->time);
}

int st_simulation_frame(const StSimulation *s) {
  return st_schedule_frame(s->schedule, s->state->time);
}

int st_simulation_frame_count(const StSimulation *s) {
  return st_schedule_frame_count(s->schedule);
}

StStatus st_simulation_snapshot(StSimulation *s, bool forces, bool stress, StSnapshot *out,
                                StError *error) {
  *out = (StSnapshot){.time = s->state->time,
                      .frame = st_simulation_frame(s),
                      .vertex_count = st_gather_vertex_total(s->gather),
                      .tet_count = st_gather_tet_total(s->gather)};
  StPoint at = st_simulation_applied(s);
  StStatus status = st_gather_vertices(s->gather, s->state->position, 3, &out->position, error);
  if (status == ST_OK)
    status = st_gather_vertices(s->gather, s->state->velocity, 3, &out->velocity, error);
  if (status == ST_OK && forces)
    status = st_fields_forces(s->system, s->gather, &at, s->force, out, error);
  if (status == ST_OK && forces)
    status = st_certificate_gather(s->certificate, s->gather, &at, out, error);
  if (status == ST_OK && stress)
    status = st_fields_stress(s->system, s->gather, &at, out, error);
  if (status == ST_OK)
    status = st_inspection_mark(s->inspection, &s->report, out, error);
  if (status != ST_OK)
    st_snapshot_free(out);
  return status;
}
