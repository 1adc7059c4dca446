// Reads a simulation's committed state.
// Tested by tests/robustness/test_pushed.c.
#include "solve/runtime.h"
#include "step/fields.h"
#include "step/rows.h"
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

int st_simulation_threads(const StSimulation *s) {
  return st_crew_size(s->system->crew);
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

// counts: of vertices and tets that the gathered arrays have here.
static StStatus take_snapshot(StSimulation *s, const StGather *gather, const int counts[2],
                              bool forces, bool stress, StSnapshot *out, StError *error) {
  *out = (StSnapshot){.time = s->state->time,
                      .frame = st_simulation_frame(s),
                      .vertex_count = counts[0],
                      .tet_count = counts[1]};
  StPoint at = st_simulation_applied(s);
  StStatus status = st_gather_vertices(gather, s->state->position, 3, &out->position, error);
  if (status == ST_OK)
    status = st_gather_vertices(gather, s->state->velocity, 3, &out->velocity, error);
  if (status == ST_OK && forces)
    status = st_fields_forces(s->system, gather, &at, s->force, out, error);
  if (status == ST_OK && forces)
    status = st_certificate_gather(s->certificate, gather, &at, out, error);
  if (status == ST_OK && stress)
    status = st_fields_stress(s->system, gather, &at, out, error);
  if (status == ST_OK)
    status = st_inspection_mark(s->inspection, &s->report, gather, out, error);
  if (status != ST_OK)
    st_snapshot_free(out);
  return status;
}

StStatus st_simulation_snapshot(StSimulation *s, bool forces, bool stress, StSnapshot *out,
                                StError *error) {
  const int counts[2] = {st_gather_vertex_total(s->gather), st_gather_tet_total(s->gather)};
  return take_snapshot(s, s->gather, counts, forces, stress, out, error);
}

// The distribution of rows hardly ever changes.
static StStatus prepare_rows(StSimulation *s, StRows vertices, StRows tets, StError *error) {
  bool fits = s->row_gather && st_gather_has_rows(s->row_gather, vertices, tets);
  if (st_runtime_sum(!fits) == 0)
    return ST_OK;
  st_gather_destroy(s->row_gather);
  s->row_gather = NULL;
  return st_gather_create_rows(s->system->piece, vertices, tets, &s->row_gather, error);
}

StStatus st_simulation_snapshot_rows(StSimulation *s, StRows vertices, StRows tets, bool forces,
                                     bool stress, StSnapshot *out, StError *error) {
  const int counts[2] = {vertices.count, tets.count};
  *out = (StSnapshot){0};
  ST_TRY(prepare_rows(s, vertices, tets, error));
  return take_snapshot(s, s->row_gather, counts, forces, stress, out, error);
}

StStatus st_simulation_contacts(StSimulation *s, StContactList *list, StError *error) {
  *list = (StContactList){0};
  if (!s->system->contacts)
    return ST_OK;
  StPoint at = st_simulation_applied(s);
  StStatus status = st_contact_list_fill(at.contact_set, at.position, at.velocity, list);
  status = st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK && st_runtime_size() > 1)
    status = ST_ROWS_GATHER(list->item, list->capacity, list->count, error);
  if (status == ST_OK && st_runtime_size() > 1)
    st_contact_list_sort(list);
  if (st_runtime_rank() > 0)
    list->count = 0;
  if (status != ST_OK)
    st_contact_list_free(list);
  return status;
}
