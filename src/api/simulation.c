// Simulations of the public interface.
#include "api/derivative.h"
#include "api/handles.h"
#include "api/surfaces.h"
#include "base/memory.h"
#include "solve/runtime.h"

#include <math.h>

static StStatus build(StictionSimulation *made, StError *error) {
  Stiction *session = made->session;
  const StDrives *like = &made->scene->drives;
  StStatus status = st_description_share(made->scene->description, &made->own, error);
  if (status == ST_OK)
    status = st_drives_create(made->own, like, &made->drives, error);
  if (status == ST_OK)
    status = st_parameters_create(made->own, &made->parameters, error);
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(st_simulation_create(made->own, &session->log, &made->simulation, error));
  size_t size = 3 * (size_t)made->vertex_count;
  status = st_public_report_create(st_simulation_report(made->simulation), &made->report, error);
  if (st_runtime_rank() == 0) {
    made->live.position = ST_NEW(double, size);
    made->live.velocity = ST_NEW(double, size);
    if (status == ST_OK && !(made->live.position && made->live.velocity))
      status = st_fail_memory(error);
  }
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(st_saved_take(made, &made->start, error));
  return st_live_refresh(made, error);
}

static void enlist(StictionSimulation *simulation) {
  Stiction *session = simulation->session;
  pthread_mutex_lock(&session->listing);
  simulation->next = session->first;
  if (session->first)
    session->first->previous = simulation;
  session->first = simulation;
  pthread_mutex_unlock(&session->listing);
}

static void delist(StictionSimulation *simulation) {
  Stiction *session = simulation->session;
  pthread_mutex_lock(&session->listing);
  if (simulation->previous)
    simulation->previous->next = simulation->next;
  else if (session->first == simulation)
    session->first = simulation->next;
  if (simulation->next)
    simulation->next->previous = simulation->previous;
  simulation->previous = simulation->next = NULL;
  pthread_mutex_unlock(&session->listing);
}

void st_simulation_show(StictionSimulation *simulation) {
  const StSimulation *inside = simulation->simulation;
  simulation->shown.time = inside ? st_simulation_time(inside) : NAN;
  simulation->shown.finished = !inside || st_simulation_finished(inside);
  simulation->shown.on_frame = inside && st_simulation_on_frame(inside);
  simulation->shown.threads = inside ? st_simulation_threads(inside) : 0;
}

// A recording that cannot be ended well is as one that was killed.
static void end_record(StictionSimulation *simulation) {
  StError error = {0};
  if (st_record_end(simulation, NULL, &error) != ST_OK)
    st_log(&simulation->session->log, ST_WARNING, "%s", error.text);
}

void st_simulation_end(StictionSimulation *simulation) {
  end_record(simulation);
  delist(simulation);
  st_derivatives_destroy(simulation->derivatives);
  simulation->derivatives = NULL;
  st_simulation_destroy(simulation->simulation);
  simulation->simulation = NULL;
  st_simulation_show(simulation);
}

static void destroy(StReleased *released) {
  StictionSimulation *simulation = (StictionSimulation *)released; // its first member
  st_simulation_end(simulation);
  st_public_report_free(&simulation->report);
  st_live_free(&simulation->live);
  st_saved_destroy(simulation->start);
  st_surfaces_destroy(simulation->surfaces);
  free(simulation->contact);
  st_parameters_free(&simulation->parameters);
  st_drives_free(&simulation->drives);
  st_description_unshare(simulation->own);
  st_scene_drop(simulation->scene);
  free(simulation);
}

static StStatus create(Stiction *session, StictionScene *scene, StictionSimulation **simulation) {
  StError *error = st_call_error();
  if (scene->session != session)
    return st_fail(error, ST_BAD_INPUT, "the scene was made with another session");
  StictionSimulation *made = ST_NEW(StictionSimulation, 1);
  StStatus status = st_runtime_agree(made ? ST_OK : st_fail_memory(error), error);
  if (status != ST_OK) {
    free(made);
    return status;
  }
  made->released.destroy = destroy;
  made->released.session = made->session = session;
  made->scene = scene;
  made->vertex_count = st_description_vertex_count(scene->description);
  scene->references++;
  enlist(made);
  status = build(made, error);
  if (status == ST_OK)
    *simulation = made;
  else
    destroy(&made->released);
  return status;
}

StictionStatus stiction_simulation_create(Stiction *session, StictionScene *scene,
                                          StictionSimulation **simulation) {
  ST_NEED(simulation);
  *simulation = NULL;
  ST_NEED(session);
  ST_NEED(scene);
  ST_ENTER(session, ST_SHARED(scene));
  return st_call_leave(create(session, scene, simulation));
}

void stiction_simulation_free(StictionSimulation *simulation) {
  if (simulation)
    st_call_release(&simulation->released);
}

int stiction_simulation_threads(const StictionSimulation *simulation) {
  return simulation ? simulation->shown.threads : 0;
}

// Within a callback of its own call, which may take many steps, the time is that of the last one.
double stiction_simulation_time(const StictionSimulation *simulation) {
  if (!simulation)
    return NAN;
  return st_call_is_using(&simulation->released) && simulation->simulation
             ? st_simulation_time(simulation->simulation)
             : simulation->shown.time;
}

bool stiction_simulation_finished(const StictionSimulation *simulation) {
  if (!simulation)
    return true;
  return st_call_is_using(&simulation->released) && simulation->simulation
             ? st_simulation_finished(simulation->simulation)
             : simulation->shown.finished;
}

bool stiction_simulation_on_frame(const StictionSimulation *simulation) {
  if (!simulation)
    return false;
  return st_call_is_using(&simulation->released) && simulation->simulation
             ? st_simulation_on_frame(simulation->simulation)
             : simulation->shown.on_frame;
}

int stiction_simulation_vertex_count(const StictionSimulation *simulation) {
  return simulation ? simulation->vertex_count : 0;
}

double *stiction_simulation_positions(StictionSimulation *simulation) {
  return simulation ? simulation->live.position : NULL;
}

double *stiction_simulation_velocities(StictionSimulation *simulation) {
  return simulation ? simulation->live.velocity : NULL;
}

const StictionReport *stiction_simulation_report(StictionSimulation *simulation) {
  StLook look;
  if (!simulation || !st_call_look(&simulation->released, &look))
    return NULL;
  bool alive = simulation->simulation;
  if (alive)
    st_public_report_fill(st_simulation_report(simulation->simulation), &simulation->report);
  st_call_look_end(&look);
  return alive ? &simulation->report.report : NULL;
}

const char *stiction_simulation_verdict(StictionSimulation *simulation) {
  StLook look;
  if (!simulation || !st_call_look(&simulation->released, &look))
    return "";
  if (simulation->simulation) {
    const StReport *report = st_simulation_report(simulation->simulation);
    st_verdict_words(simulation->scene->description, report->judged, report->record,
                     simulation->verdict, sizeof simulation->verdict);
  }
  st_call_look_end(&look);
  return simulation->verdict;
}
