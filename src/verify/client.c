// Scenes of the public interface that run.
#include "verify/client.h"

#include "math/vec3.h"

static StStatus pass_on(StictionStatus status, StError *error) {
  return status == STICTION_OK ? ST_OK
                               : st_fail(error, (StStatus)status, "%s", stiction_error(NULL));
}

StictionBuild *st_client_build(const char *integrator, double step, double duration, double speed) {
  StictionBuild *build = NULL;
  stiction_build_create(&build);
  stiction_part_set_text(stiction_build_root(build), "integrator", integrator);
  stiction_part_set_number(stiction_build_root(build), "gravity", 0);
  stiction_part_set_text(stiction_build_settings(build, "contact"), "method", "smooth");
  StictionPart *time = stiction_build_settings(build, "time");
  stiction_part_set_number(time, "duration", duration);
  stiction_part_set_number(time, "step", step);
  stiction_part_set_number(time, "frame_rate", 1 / duration);
  stiction_part_set_number(time, "smallest_step", step / 1024);
  StictionPart *solver = stiction_build_settings(build, "solver");
  stiction_part_set_text(solver, "type", "direct");
  if (speed > 0) {
    stiction_part_set_number(solver, "velocity_tolerance", speed);
    stiction_part_set_number(solver, "change_tolerance", 100 * speed);
  }
  return build;
}

StStatus st_client_start(const StVerify *verify, StictionBuild *build, StClient *client,
                         StError *error) {
  *client = (StClient){0};
  StStatus status = pass_on(stiction_scene_build(verify->session, build, &client->scene), error);
  stiction_build_free(build);
  if (status == ST_OK)
    status = pass_on(
        stiction_simulation_create(verify->session, client->scene, &client->simulation), error);
  return status;
}

void st_client_end(StClient *client) {
  stiction_simulation_free(client->simulation);
  stiction_scene_free(client->scene);
  *client = (StClient){0};
}

static bool is_slower(StictionSimulation *simulation, double rest) {
  const double *velocity = stiction_simulation_velocities(simulation);
  double most = 0;
  for (int v = 0; v < stiction_simulation_vertex_count(simulation); v++)
    most = fmax(most, vec3_length(velocity + 3 * v));
  return most < rest;
}

StStatus st_client_run(StClient *client, double rest, StError *error) {
  while (!stiction_simulation_finished(client->simulation)) {
    ST_TRY(pass_on(stiction_simulation_step(client->simulation), error));
    if (rest > 0 && is_slower(client->simulation, rest))
      break;
  }
  return ST_OK;
}
