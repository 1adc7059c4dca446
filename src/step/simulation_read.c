// Reads a simulation's committed state.
#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"
#include "step/fields.h"
#include "step/simulation_parts.h"

#include <limits.h>
#include <mpi.h>

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

// Collects all ranks' contacts on the first, which has room for them. count: [ranks], then as many
// offsets; converted to bytes here.
static void send_contacts(const StContactList *own, int *count, StContactList *all) {
  int ranks = st_runtime_size(), size = (int)sizeof(StContactItem);
  int *bytes = count, *offset = count + ranks;
  for (int r = 0, at = 0; r < ranks; r++) {
    bytes[r] = size * count[r];
    offset[r] = at;
    at += bytes[r];
  }
  MPI_Gatherv(own->item, size * own->count, MPI_BYTE, all->item, bytes, offset, MPI_BYTE, 0,
              st_communicator());
}

static StStatus gather_contacts(StContactList *list, StError *error) {
  int ranks = st_runtime_size(), total = 0;
  int *count = ST_NEW(int, 2 * ranks);
  ST_TRY(st_runtime_agree(count ? ST_OK : st_fail_memory(error), error));
  MPI_Allgather(&list->count, 1, MPI_INT, count, 1, MPI_INT, st_communicator());
  for (int r = 0; r < ranks; r++)
    total += count[r];
  bool fits = (size_t)total * sizeof(StContactItem) <= INT_MAX;
  StContactList all = {.item = ST_NEW(StContactItem, total)};
  StStatus status = st_runtime_agree(all.item && fits ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK) {
    send_contacts(list, count, &all);
    all.count = st_runtime_rank() == 0 ? total : 0;
    st_contact_list_sort(&all);
    st_contact_list_free(list);
    *list = all;
  } else {
    free(all.item);
  }
  free(count);
  return status;
}

StStatus st_simulation_contacts(StSimulation *s, StContactList *list, StError *error) {
  *list = (StContactList){0};
  if (!s->system->contacts)
    return ST_OK;
  StPoint at = st_simulation_applied(s);
  StStatus status = st_contact_list_fill(at.touching, at.position, at.velocity, list);
  status = st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK && st_runtime_size() > 1)
    status = gather_contacts(list, error);
  if (status != ST_OK)
    st_contact_list_free(list);
  return status;
}
