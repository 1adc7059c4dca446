// The public interface over the internal ones: opaque handles in, copies out.
#include "stiction/stiction.h"

#include "base/memory.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

struct Stiction {
  StError error;
  StLog log;
  void (*write)(void *context, int level, const char *text);
  void *context;
};

struct StictionScene {
  StDescription *description;
};

struct StictionSimulation {
  Stiction *session;
  StSimulation *simulation;
  int vertex_count;
};

_Static_assert((int)STICTION_BAD_INPUT == ST_BAD_INPUT && (int)STICTION_BUG == ST_BUG &&
                   (int)STICTION_SYSTEM_FAULT == ST_SYSTEM_FAULT &&
                   (int)STICTION_NOT_SOLVED == ST_NOT_SOLVED &&
                   (int)STICTION_INTERRUPTED == ST_INTERRUPTED,
               "public and internal status codes are the same numbers");
_Static_assert((int)STICTION_DETAIL == ST_DETAIL && (int)STICTION_WARNING == ST_WARNING,
               "public and internal levels are the same numbers");

const char *stiction_version(void) {
  return STICTION_VERSION;
}

static void pass_on(void *context, StLevel level, const char *text) {
  const Stiction *session = context;
  if (session->write)
    session->write(session->context, (int)level, text);
}

StictionStatus stiction_open(Stiction **session) {
  *session = ST_NEW(Stiction, 1);
  if (!*session)
    return STICTION_SYSTEM_FAULT;
  (*session)->log = (StLog){pass_on, *session};
  return (StictionStatus)st_runtime_start(&(*session)->error);
}

void stiction_close(Stiction *session) {
  if (session)
    st_runtime_stop();
  free(session);
}

const char *stiction_error(const Stiction *session) {
  return session->error.text;
}

void stiction_listen(Stiction *session, void (*write)(void *context, int level, const char *text),
                     void *context) {
  session->write = write;
  session->context = context;
}

int stiction_rank(const Stiction *session) {
  (void)session;
  return st_runtime_rank();
}

StictionStatus stiction_scene_load(Stiction *session, const char *path, StictionScene **scene) {
  StictionScene *made = ST_NEW(StictionScene, 1);
  StStatus status = made ? st_scene_load(path, &session->log, &made->description, &session->error)
                         : st_fail_memory(&session->error);
  status = st_runtime_agree(status, &session->error);
  if (status != ST_OK) {
    stiction_scene_free(made);
    made = NULL;
  }
  *scene = made;
  return (StictionStatus)status;
}

void stiction_scene_free(StictionScene *scene) {
  if (scene)
    st_description_destroy(scene->description);
  free(scene);
}

double stiction_scene_duration(const StictionScene *scene) {
  return scene->description->time.duration;
}

StictionStatus stiction_simulation_create(Stiction *session, const StictionScene *scene,
                                          StictionSimulation **simulation) {
  *simulation = NULL;
  StictionSimulation *made = ST_NEW(StictionSimulation, 1);
  StStatus status =
      st_runtime_agree(made ? ST_OK : st_fail_memory(&session->error), &session->error);
  if (status == ST_OK)
    status =
        st_simulation_create(scene->description, &session->log, &made->simulation, &session->error);
  if (status != ST_OK) {
    free(made);
    return (StictionStatus)status;
  }
  made->session = session;
  made->vertex_count = st_description_vertex_count(scene->description);
  *simulation = made;
  return STICTION_OK;
}

void stiction_simulation_free(StictionSimulation *simulation) {
  if (simulation)
    st_simulation_destroy(simulation->simulation);
  free(simulation);
}

StictionStatus stiction_simulation_step(StictionSimulation *simulation) {
  return (StictionStatus)st_simulation_step(simulation->simulation, &simulation->session->error);
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

int stiction_simulation_newton_iterations(const StictionSimulation *simulation) {
  return st_simulation_report(simulation->simulation)->newton_iterations;
}

double stiction_simulation_energy(const StictionSimulation *simulation) {
  return st_simulation_report(simulation->simulation)->total_energy;
}

int stiction_simulation_vertex_count(const StictionSimulation *simulation) {
  return simulation->vertex_count;
}

// Either array may be NULL.
static StictionStatus copy_state(StictionSimulation *simulation, double *position,
                                 double *velocity) {
  StSnapshot snapshot = {0};
  StStatus status = st_simulation_snapshot(simulation->simulation, false, false, &snapshot,
                                           &simulation->session->error);
  size_t size = 3 * sizeof(double) * (size_t)snapshot.vertex_count;
  if (status == ST_OK && position && snapshot.position)
    memcpy(position, snapshot.position, size);
  if (status == ST_OK && velocity && snapshot.velocity)
    memcpy(velocity, snapshot.velocity, size);
  st_snapshot_free(&snapshot);
  return (StictionStatus)status;
}

StictionStatus stiction_simulation_positions(StictionSimulation *simulation, double *position) {
  return copy_state(simulation, position, NULL);
}

StictionStatus stiction_simulation_velocities(StictionSimulation *simulation, double *velocity) {
  return copy_state(simulation, NULL, velocity);
}

// NULL when there is none of this index.
static const StVolumeReport *volume_at(const StictionSimulation *simulation, int index) {
  const StReport *report = st_simulation_report(simulation->simulation);
  return index >= 0 && index < report->zone_count ? &report->zone[index] : NULL;
}

static const StBearingReport *bearing_at(const StictionSimulation *simulation, int index) {
  const StReport *report = st_simulation_report(simulation->simulation);
  return index >= 0 && index < report->bearing_count ? &report->bearing[index] : NULL;
}

int stiction_simulation_volume_count(const StictionSimulation *simulation) {
  return st_simulation_report(simulation->simulation)->zone_count;
}

const char *stiction_simulation_volume_name(const StictionSimulation *simulation, int index) {
  const StVolumeReport *volume = volume_at(simulation, index);
  return volume ? volume->name : NULL;
}

double stiction_simulation_volume(const StictionSimulation *simulation, int index) {
  const StVolumeReport *volume = volume_at(simulation, index);
  return volume ? volume->volume : NAN;
}

double stiction_simulation_pressure(const StictionSimulation *simulation, int index) {
  const StVolumeReport *volume = volume_at(simulation, index);
  return volume ? volume->pressure : NAN;
}

int stiction_simulation_bearing_count(const StictionSimulation *simulation) {
  return st_simulation_report(simulation->simulation)->bearing_count;
}

const char *stiction_simulation_bearing_name(const StictionSimulation *simulation, int index) {
  const StBearingReport *bearing = bearing_at(simulation, index);
  return bearing ? bearing->name : NULL;
}

double stiction_simulation_bearing_angle(const StictionSimulation *simulation, int index) {
  const StBearingReport *bearing = bearing_at(simulation, index);
  return bearing ? bearing->angle : NAN;
}

double stiction_simulation_bearing_speed(const StictionSimulation *simulation, int index) {
  const StBearingReport *bearing = bearing_at(simulation, index);
  return bearing ? bearing->speed : NAN;
}

double stiction_simulation_bearing_torque(const StictionSimulation *simulation, int index) {
  const StBearingReport *bearing = bearing_at(simulation, index);
  return bearing ? bearing->torque : NAN;
}
