// Arrays of the state that stay in one place: pieces use another order, and swap theirs.
#include "api/handles.h"
#include "base/memory.h"
#include "base/text.h"
#include "solve/runtime.h"

#include <string.h>

static void copy(const double *from, size_t count, double *to) {
  if (from && to)
    memcpy(to, from, count * sizeof(double));
}

// Forces appear and disappear when parameters change, so their arrays are found by name. Where the
// force is or would be.
static int slot_of(const StLive *live, const char *name) {
  int slot = 0;
  while (slot < ST_RECORD_FORCES - 1 && live->force_name[slot] &&
         strcmp(live->force_name[slot], name) != 0)
    slot++;
  return slot;
}

static bool make_force(StLive *live, const char *name, size_t vertices) {
  int slot = slot_of(live, name);
  if (!live->force[slot])
    live->force[slot] = ST_NEW(double, 3 * vertices);
  live->force_name[slot] = name;
  return live->force[slot];
}

static void copy_forces(const StSnapshot *snapshot, StLive *live) {
  size_t count = (size_t)snapshot->vertex_count;
  memset(live->total, 0, 3 * count * sizeof(double));
  for (int f = 0; f < ST_RECORD_FORCES && live->force[f]; f++)
    memset(live->force[f], 0, 3 * count * sizeof(double));
  for (int f = 0; f < snapshot->force_count; f++) {
    if (make_force(live, snapshot->force_name[f], count))
      copy(snapshot->force[f], 3 * count, live->force[slot_of(live, snapshot->force_name[f])]);
    for (size_t i = 0; i < 3 * count; i++)
      live->total[i] += snapshot->force[f][i];
  }
  copy(snapshot->contact_normal_force, count, live->normal_force);
  copy(snapshot->contact_gap, count, live->gap);
  copy(snapshot->slip_speed, count, live->slip);
  if (snapshot->contact_state)
    memcpy(live->state, snapshot->contact_state, count * sizeof(int));
}

static void copy_findings(const StSnapshot *snapshot, StLive *live) {
  live->judged = snapshot->findings != NULL;
  if (!live->judged || !live->finding || !live->inverted)
    return;
  memcpy(live->finding, snapshot->findings, (size_t)snapshot->vertex_count * sizeof(int));
  memcpy(live->inverted, snapshot->inverted, (size_t)snapshot->tet_count * sizeof(int));
}

StStatus st_live_refresh(StictionSimulation *simulation, StError *error) {
  StLive *live = &simulation->live;
  ST_FINALLY(st_snapshot_free) StSnapshot snapshot = {0};
  st_simulation_show(simulation);
  ST_TRY(st_simulation_snapshot(simulation->simulation, live->wants_forces, live->wants_stress,
                                &snapshot, error));
  size_t count = (size_t)snapshot.vertex_count;
  copy(snapshot.position, 3 * count, live->position);
  copy(snapshot.velocity, 3 * count, live->velocity);
  if (live->wants_forces && live->total)
    copy_forces(&snapshot, live);
  copy_findings(&snapshot, live);
  copy(snapshot.stress, 6 * (size_t)snapshot.tet_count, live->stress);
  return ST_OK;
}

StStatus st_live_follow(StictionSimulation *simulation, StStatus status, StError *error) {
  StStatus second = st_live_refresh(simulation, status == ST_OK ? error : NULL);
  return status != ST_OK ? status : second;
}

void st_live_free(StLive *live) {
  double *array[] = {live->position,     live->velocity, live->total, live->stress,
                     live->normal_force, live->gap,      live->slip};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  for (int i = 0; i < ST_RECORD_FORCES; i++)
    free(live->force[i]);
  for (int i = 0; i < ST_FIELD_TYPES; i++)
    free(live->field[i]);
  free(live->state);
  free(live->finding);
  free(live->inverted);
}

// Keeps what an earlier attempt has made.
static bool make(double **array, size_t count) {
  if (!*array)
    *array = ST_NEW(double, count);
  return *array;
}

static bool make_forces(StLive *live, const StReport *report, size_t vertices) {
  bool good = make(&live->total, 3 * vertices);
  for (int i = 0; i < report->force_count; i++)
    good = make_force(live, report->force_name[i], vertices) && good;
  if (!report->record)
    return good;
  double **array[] = {&live->normal_force, &live->gap, &live->slip};
  for (int i = 0; i < ST_LENGTH(array); i++)
    good = make(array[i], vertices) && good;
  if (!live->state)
    live->state = ST_NEW(int, vertices);
  return live->state && good;
}

// From now on what is wanted follows the state, where its arrays are made on rank 0.
static StStatus want(StictionSimulation *simulation, bool *wanted, bool made, StError *error) {
  ST_TRY(st_runtime_agree(made ? ST_OK : st_fail_memory(error), error));
  *wanted = true;
  return st_live_refresh(simulation, error);
}

static StStatus want_forces(StictionSimulation *simulation, StError *error) {
  StLive *live = &simulation->live;
  const StReport *report = st_simulation_report(simulation->simulation);
  if (live->wants_forces)
    return ST_OK;
  bool root = st_runtime_rank() == 0;
  bool made = !root || make_forces(live, report, (size_t)simulation->vertex_count);
  return want(simulation, &live->wants_forces, made, error);
}

static StStatus fail_name(const StReport *report, const char *name, StError *error) {
  ST_FINALLY(st_text_free) StText known = {0};
  for (int i = 0; i < report->force_count; i++)
    st_text_add(&known, "%s%s", i ? ", " : "", report->force_name[i]);
  st_fail(error, ST_BAD_INPUT, "no force named \"%s\" acts here; those that act are %s", name,
          known.failed ? "in the report" : known.data);
  return ST_BAD_INPUT;
}

StStatus st_live_find_force(const StictionSimulation *simulation, const char *name, int *index,
                            StError *error) {
  const StReport *report = st_simulation_report(simulation->simulation);
  for (*index = 0; *index < report->force_count; ++*index)
    if (strcmp(report->force_name[*index], name) == 0)
      return ST_OK;
  return fail_name(report, name, error);
}

static StStatus get_forces(StictionSimulation *simulation, const char *name, const double **force,
                           StError *error) {
  int index;
  if (name)
    ST_TRY(st_live_find_force(simulation, name, &index, error));
  ST_TRY(want_forces(simulation, error));
  const StLive *live = &simulation->live;
  *force = name ? live->force[slot_of(live, name)] : live->total;
  return ST_OK;
}

StictionStatus stiction_simulation_forces(StictionSimulation *simulation, const char *name,
                                          const double **force) {
  ST_NEED(force);
  *force = NULL;
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(get_forces(simulation, name, force, st_call_error()));
}

StictionStatus stiction_simulation_contact_fields(StictionSimulation *simulation,
                                                  StictionContactFields *fields) {
  ST_NEED(fields);
  *fields = (StictionContactFields){0};
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  const StLive *live = &simulation->live;
  StStatus status = want_forces(simulation, st_call_error());
  if (status == ST_OK)
    *fields = (StictionContactFields){live->normal_force, live->gap, live->slip, live->state};
  return st_call_leave(status);
}

static int tet_count(const StDescription *description) {
  int count = 0;
  for (int i = 0; i < description->body_count; i++)
    count += description->body[i].mesh->tet_count;
  return count;
}

static StStatus want_stress(StictionSimulation *simulation, StError *error) {
  StLive *live = &simulation->live;
  if (live->wants_stress)
    return ST_OK;
  size_t tets = (size_t)tet_count(simulation->scene->description);
  bool made = st_runtime_rank() > 0 || make(&live->stress, 6 * tets);
  return want(simulation, &live->wants_stress, made, error);
}

StictionStatus stiction_simulation_stress(StictionSimulation *simulation, const double **stress) {
  ST_NEED(stress);
  *stress = NULL;
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  StStatus status = want_stress(simulation, st_call_error());
  if (status == ST_OK)
    *stress = simulation->live.stress;
  return st_call_leave(status);
}

static StStatus want_findings(StictionSimulation *simulation, StError *error) {
  StLive *live = &simulation->live;
  if (live->wants_findings)
    return ST_OK;
  bool good = true;
  if (st_runtime_rank() == 0) {
    if (!live->finding)
      live->finding = ST_NEW(int, simulation->vertex_count);
    if (!live->inverted)
      live->inverted = ST_NEW(int, tet_count(simulation->scene->description));
    good = live->finding && live->inverted;
  }
  return want(simulation, &live->wants_findings, good, error);
}

StictionStatus stiction_simulation_findings(StictionSimulation *simulation,
                                            StictionFindings *findings) {
  ST_NEED(findings);
  *findings = (StictionFindings){0};
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  const StLive *live = &simulation->live;
  StStatus status = want_findings(simulation, st_call_error());
  if (status == ST_OK && live->judged)
    *findings = (StictionFindings){live->finding, live->inverted};
  return st_call_leave(status);
}
