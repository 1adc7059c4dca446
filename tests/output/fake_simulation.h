// A simulation for the run driver's tests: oscillators that take no time to solve, with a failure
// and a stop to order. Its functions take the place of step/simulation.c; include it in one file
// only.
#ifndef TESTS_OUTPUT_FAKE_SIMULATION_H
#define TESTS_OUTPUT_FAKE_SIMULATION_H

#include "base/memory.h"
#include "step/simulation.h"

#include <math.h>
#include <signal.h>
#include <string.h>

// What is to go wrong, by step number; 0: never.
static struct {
  long fail_at, stop_at, kill_at;
  volatile sig_atomic_t stop;
} fake;

struct StSimulation {
  const StDescription *description;
  int vertices, tets;
  double *position, *velocity;
  long step;
  StVolumeReport zone;
  StBearingReport bearing;
  StReport report;
};

static void fake_report(StSimulation *s) {
  double time = st_simulation_time(s);
  s->report = (StReport){.step = s->step,
                         .time = time,
                         .h = s->step ? s->description->time.step : 0,
                         .newton_iterations = s->step ? 2 : 0,
                         .linear_iterations = s->step ? 5 : 0,
                         .retries = s->step % 4 == 3,
                         .force_count = 2,
                         .force_name = {"spring", "wind"},
                         .force_energy = {s->position[0] * s->position[0], NAN},
                         .kinetic_energy = s->velocity[0] * s->velocity[0],
                         .zone_count = s->description->volume_count,
                         .zone = &s->zone,
                         .bearing_count = s->description->bearing_count,
                         .bearing = &s->bearing};
  double volume = 0.2 + s->position[0] / 7;
  s->zone = (StVolumeReport){s->description->volume->name, volume, 2e4 / volume};
  s->bearing = (StBearingReport){s->description->bearing->name, time, s->velocity[0], 0};
}

StStatus st_simulation_create(const StDescription *description, const StLog *log,
                              StSimulation **simulation, StError *error) {
  (void)log, (void)error;
  StSimulation *s = *simulation = ST_NEW(StSimulation, 1);
  s->description = description;
  for (int i = 0; i < description->body_count; i++) {
    s->vertices += description->body[i].mesh->vertex_count;
    s->tets += description->body[i].mesh->tet_count;
  }
  s->position = ST_NEW(double, 3 * s->vertices);
  s->velocity = ST_NEW(double, 3 * s->vertices);
  for (int i = 0; i < 3 * s->vertices; i++)
    s->position[i] = cos(i);
  fake_report(s);
  return ST_OK;
}

void st_simulation_destroy(StSimulation *s) {
  if (!s)
    return;
  free(s->position);
  free(s->velocity);
  free(s);
}

StStatus st_simulation_step(StSimulation *s, StError *error) {
  double h = s->description->time.step;
  if (fake.fail_at && s->step + 1 == fake.fail_at)
    return st_fail(error, ST_NOT_SOLVED, "no solution at t = %g s", st_simulation_time(s));
  s->step++;
  for (int i = 0; i < 3 * s->vertices; i++) {
    s->velocity[i] -= h * s->position[i] / 3;
    s->position[i] += h * s->velocity[i];
  }
  fake_report(s);
  if (s->step == fake.stop_at)
    fake.stop = 1;
  if (s->step == fake.kill_at)
    raise(SIGKILL);
  return ST_OK;
}

const StReport *st_simulation_report(const StSimulation *s) {
  return &s->report;
}

double st_simulation_sent(const StSimulation *s) {
  (void)s;
  return 0;
}

int st_simulation_threads(const StSimulation *s) {
  (void)s;
  return 1;
}

double st_simulation_time(const StSimulation *s) {
  return (double)s->step * s->description->time.step;
}

bool st_simulation_finished(const StSimulation *s) {
  return st_simulation_time(s) > s->description->time.duration * (1 - 1e-9);
}

static long steps_per_frame(const StSimulation *s) {
  return lround(1 / (s->description->time.frame_rate * s->description->time.step));
}

bool st_simulation_on_frame(const StSimulation *s) {
  return s->step % steps_per_frame(s) == 0;
}

int st_simulation_frame(const StSimulation *s) {
  return (int)(s->step / steps_per_frame(s));
}

int st_simulation_frame_count(const StSimulation *s) {
  return 1 + (int)(s->description->time.duration * s->description->time.frame_rate + 1e-9);
}

static double *fake_copy(const double *source, int count) {
  double *copy = ST_NEW(double, count);
  memcpy(copy, source, (size_t)count * sizeof(double));
  return copy;
}

StStatus st_simulation_snapshot(StSimulation *s, bool forces, bool stress, StSnapshot *snapshot,
                                StError *error) {
  (void)error;
  *snapshot = (StSnapshot){.time = st_simulation_time(s),
                           .frame = st_simulation_frame(s),
                           .vertex_count = s->vertices,
                           .tet_count = s->tets,
                           .position = fake_copy(s->position, 3 * s->vertices),
                           .velocity = fake_copy(s->velocity, 3 * s->vertices)};
  if (forces) {
    snapshot->force_count = 1;
    snapshot->force_name[0] = "spring";
    snapshot->force[0] = fake_copy(s->position, 3 * s->vertices);
  }
  if (stress)
    snapshot->stress = ST_NEW(double, 6 * s->tets);
  return ST_OK;
}

StStatus st_simulation_snapshot_rows(StSimulation *s, StRows vertices, StRows tets, bool forces,
                                     bool stress, StSnapshot *snapshot, StError *error) {
  (void)vertices; // one process has all
  (void)tets;
  return st_simulation_snapshot(s, forces, stress, snapshot, error);
}

StStatus st_simulation_checkpoint(StSimulation *s, StCheckpoint *checkpoint, StError *error) {
  (void)error;
  *checkpoint = (StCheckpoint){.step = s->step,
                               .frame = st_simulation_frame(s),
                               .time = st_simulation_time(s),
                               .h = s->description->time.step,
                               .vertex_count = s->vertices,
                               .position = fake_copy(s->position, 3 * s->vertices),
                               .velocity = fake_copy(s->velocity, 3 * s->vertices),
                               .position_previous = fake_copy(s->position, 3 * s->vertices),
                               .velocity_previous = fake_copy(s->velocity, 3 * s->vertices),
                               .solved = fake_copy(s->velocity, 3 * s->vertices),
                               .force = fake_copy(s->position, 3 * s->vertices)};
  return ST_OK;
}

StStatus st_simulation_restore(StSimulation *s, const StCheckpoint *checkpoint, StError *error) {
  (void)error;
  size_t size = (size_t)(3 * s->vertices) * sizeof(double);
  s->step = checkpoint->step;
  memcpy(s->position, checkpoint->position, size);
  memcpy(s->velocity, checkpoint->velocity, size);
  fake_report(s);
  return ST_OK;
}

#endif
