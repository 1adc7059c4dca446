// Running worlds.
#include "verify/trial.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/piece.h"

#include <string.h>

StStatus st_trial_start(StWorld *world, StTrial *trial, StError *error) {
  *trial = (StTrial){.description = st_world_finish(world, error)};
  if (!trial->description)
    return error->status;
  return st_simulation_create(trial->description, NULL, &trial->simulation, error);
}

void st_trial_end(StTrial *trial) {
  st_simulation_destroy(trial->simulation);
  st_description_destroy(trial->description);
  *trial = (StTrial){0};
}

StStatus st_trial_step(StTrial *trial, StError *error) {
  return st_simulation_step(trial->simulation, error);
}

static double fastest(const StSnapshot *state) {
  double most = 0;
  for (int v = 0; v < state->vertex_count; v++)
    most = fmax(most, vec3_length(state->velocity + 3 * v));
  return most;
}

static StStatus at_rest(StTrial *trial, double rest, bool *resting, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_trial_state(trial, &state, error));
  *resting = fastest(&state) < rest;
  return ST_OK;
}

StStatus st_trial_run(StTrial *trial, double rest, StError *error) {
  bool resting = false;
  while (!resting && !st_simulation_finished(trial->simulation)) {
    ST_TRY(st_trial_step(trial, error));
    if (rest > 0)
      ST_TRY(at_rest(trial, rest, &resting, error));
  }
  return ST_OK;
}

StStatus st_trial_state(StTrial *trial, StSnapshot *state, StError *error) {
  return st_simulation_snapshot(trial->simulation, false, false, state, error);
}

StStatus st_trial_throw(StTrial *trial, const double *position, const double velocity[3],
                        StError *error) {
  int count = st_description_vertex_count(trial->description);
  ST_FREE double *all = ST_NEW(double, 3 * (size_t)count);
  ST_TRY_MEMORY(all, error);
  for (int v = 0; v < count; v++)
    vec3_copy(velocity, all + 3 * v);
  return st_simulation_set_state(trial->simulation, position, all, error);
}

StStatus st_trial_force(StTrial *trial, const char *name, double sum[3], StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  vec3_set(0, 0, 0, sum);
  for (int f = 0; f < state.force_count; f++)
    for (int v = 0; v < state.vertex_count && strcmp(state.force_name[f], name) == 0; v++)
      vec3_add_scaled(1, state.force[f] + 3 * v, sum);
  return ST_OK;
}

double st_trial_energy(const StTrial *trial, const char *name) {
  const StReport *report = st_simulation_report(trial->simulation);
  for (int f = 0; f < report->force_count; f++)
    if (strcmp(report->force_name[f], name) == 0)
      return report->force_energy[f];
  return NAN;
}

double st_trial_mass(const StTrial *trial, int number) {
  const StMaterialDesc *material = trial->description->material;
  const StBodyDesc *body = &trial->description->body[number];
  const StMesh *mesh = body->mesh;
  double mass = 0;
  if (body->rigid)
    return body->rigid_mass;
  for (int t = 0; t < mesh->tet_count; t++)
    mass += material[st_body_tet_material(body, t)].density *
            st_tet_volume(mesh->position, mesh->tet + 4 * t);
  for (int t = 0; t < mesh->triangle_count; t++)
    mass += material[st_body_triangle_material(body, t)].density *
            st_triangle_area(mesh->position, mesh->triangle + 3 * t);
  return mass;
}

void st_trial_velocity(const StTrial *trial, double velocity[3]) {
  double mass = 0;
  for (int b = 0; b < trial->description->body_count; b++)
    mass += st_trial_mass(trial, b);
  vec3_set(0, 0, 0, velocity);
  vec3_add_scaled(1 / mass, st_simulation_report(trial->simulation)->momentum, velocity);
}
