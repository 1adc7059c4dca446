// Simulations of the public interface.
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/certificate.h"

#include <math.h>

static StStatus build(StictionSimulation *made, StError *error) {
  Stiction *session = made->session;
  const StDescription *description = made->scene->description;
  ST_TRY(st_simulation_create(description, &session->log, &made->simulation, error));
  size_t size = 3 * (size_t)st_description_vertex_count(description);
  StStatus status =
      st_public_report_create(st_simulation_report(made->simulation), &made->report, error);
  if (st_runtime_rank() == 0) {
    made->live.position = ST_NEW(double, size);
    made->live.velocity = ST_NEW(double, size);
    if (status == ST_OK && !(made->live.position && made->live.velocity))
      status = st_fail_memory(error);
  }
  ST_TRY(st_runtime_agree(status, error));
  return st_live_refresh(made, error);
}

StictionStatus stiction_simulation_create(Stiction *session, StictionScene *scene,
                                          StictionSimulation **simulation) {
  *simulation = NULL;
  StictionSimulation *made = ST_NEW(StictionSimulation, 1);
  StStatus status =
      st_runtime_agree(made ? ST_OK : st_fail_memory(&session->error), &session->error);
  if (status != ST_OK) {
    free(made);
    return (StictionStatus)status;
  }
  made->session = session;
  made->scene = scene;
  made->vertex_count = st_description_vertex_count(scene->description);
  scene->simulation_count++;
  status = build(made, &session->error);
  if (status == ST_OK)
    *simulation = made;
  else
    stiction_simulation_free(made);
  return (StictionStatus)status;
}

void stiction_simulation_free(StictionSimulation *simulation) {
  if (!simulation)
    return;
  st_simulation_destroy(simulation->simulation);
  st_public_report_free(&simulation->report);
  st_live_free(&simulation->live);
  simulation->scene->simulation_count--;
  free(simulation);
}

StictionStatus stiction_simulation_step(StictionSimulation *simulation) {
  StError *error = &simulation->session->error;
  if (st_simulation_finished(simulation->simulation))
    return (StictionStatus)st_fail(error, ST_BAD_INPUT,
                                   "the scene ends at %g s and has no further step; a longer "
                                   "time.duration has",
                                   st_simulation_time(simulation->simulation));
  StStatus status = st_simulation_step(simulation->simulation, error);
  if (status == ST_OK)
    status = st_live_refresh(simulation, error);
  return (StictionStatus)status;
}

double stiction_simulation_time(const StictionSimulation *simulation) {
  return st_simulation_time(simulation->simulation);
}

bool stiction_simulation_finished(const StictionSimulation *simulation) {
  return st_simulation_finished(simulation->simulation);
}

bool stiction_simulation_on_frame(const StictionSimulation *simulation) {
  return st_simulation_on_frame(simulation->simulation);
}

int stiction_simulation_vertex_count(const StictionSimulation *simulation) {
  return simulation->vertex_count;
}

double *stiction_simulation_positions(StictionSimulation *simulation) {
  return simulation->live.position;
}

double *stiction_simulation_velocities(StictionSimulation *simulation) {
  return simulation->live.velocity;
}

static StStatus check_numbers(const double *value, const char *what, int vertex_count,
                              StError *error) {
  for (int i = 0; value && i < 3 * vertex_count; i++)
    if (!isfinite(value[i]))
      return st_fail(error, ST_BAD_INPUT, "the %s of vertex %d is not a number", what, i / 3);
  return ST_OK;
}

static StStatus take_state(StictionSimulation *simulation, StError *error) {
  const StLive *live = &simulation->live;
  StStatus status = check_numbers(live->position, "position", simulation->vertex_count, error);
  if (status == ST_OK)
    status = check_numbers(live->velocity, "velocity", simulation->vertex_count, error);
  ST_TRY(st_runtime_agree(status, error));
  return st_simulation_set_state(simulation->simulation, live->position, live->velocity, error);
}

StictionStatus stiction_simulation_state_changed(StictionSimulation *simulation) {
  StError *error = &simulation->session->error;
  StStatus status = take_state(simulation, error);
  StStatus second = st_live_refresh(simulation, status == ST_OK ? error : NULL);
  return (StictionStatus)(status != ST_OK ? status : second);
}

const StictionReport *stiction_simulation_report(StictionSimulation *simulation) {
  st_public_report_fill(st_simulation_report(simulation->simulation), &simulation->report);
  return &simulation->report.report;
}

const char *stiction_simulation_verdict(StictionSimulation *simulation) {
  const StReport *report = st_simulation_report(simulation->simulation);
  simulation->verdict[0] = 0;
  if (report->record)
    st_certificate_words(simulation->scene->description, report->record, simulation->verdict,
                         sizeof simulation->verdict);
  return simulation->verdict;
}
