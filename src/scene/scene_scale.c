// Tolerances that nobody gave, from the scene's own speed, so that the same scene at another size
// behaves the same: √(gL), or the fastest given motion, or the speed of sound.
#include "scene/parts.h"

#include "force/material.h"
#include "math/vec3.h"

#include <stdio.h>

// Friction sticks below about 1e-4 of the scene's speed; residuals must be small against that.
static const double RESIDUAL_PART = 1e-6, CHANGE_PART = 1e-5;

typedef struct Scale {
  double speed;
  char reason[200]; // how the speed came about
} Scale;

static double strongest_pull(const StDescription *description) {
  double pull = vec3_length(description->gravity);
  for (int i = 0; i < description->acceleration_count; i++)
    pull = fmax(pull, vec3_length(description->acceleration[i].value));
  return pull;
}

static double fastest_motion(const StDescription *description, double diagonal) {
  double speed = 0;
  for (int i = 0; i < description->body_count; i++) {
    const StBodyDesc *body = &description->body[i];
    double spin = vec3_length(body->angular_velocity);
    speed = fmax(speed, vec3_length(body->velocity) + spin * diagonal / 2);
  }
  for (int i = 0; i < description->boundary_count; i++)
    speed = fmax(speed, st_motion_speed(&description->boundary[i].motion, diagonal / 2));
  return speed;
}

static double slowest_sound(const StDescription *description) {
  double speed = INFINITY;
  for (int i = 0; i < description->material_count; i++) {
    const StMaterialDesc *material = &description->material[i];
    const StMaterialLaw *law = st_material_law_find(material->law.name);
    double constants[ST_LAW_CONSTANTS] = {0};
    law->prepare(material->law.value, constants);
    speed = fmin(speed, sqrt(law->modulus(constants) / material->density));
  }
  return speed;
}

static void find_scale(const StDescription *description, Scale *scale) {
  double diagonal = st_description_diagonal(description), pull = strongest_pull(description);
  if (pull > 0) {
    scale->speed = sqrt(pull) * sqrt(diagonal);
    snprintf(scale->reason, sizeof scale->reason,
             "√(gL) = %.4g m/s with g = %.4g m/s^2 and the scene's diagonal L = %.4g m",
             scale->speed, pull, diagonal);
    return;
  }
  scale->speed = fastest_motion(description, diagonal);
  const char *source = "the fastest given motion";
  if (scale->speed == 0) {
    scale->speed = slowest_sound(description);
    source = "the speed of sound in the softest material";
  }
  snprintf(scale->reason, sizeof scale->reason, "%.4g m/s, %s (nothing pulls here)", scale->speed,
           source);
}

static StStatus choose(StReader *reader, const char *key, double part, const Scale *scale,
                       double *tolerance) {
  if (*tolerance > 0)
    return ST_OK;
  *tolerance = part * scale->speed;
  if (!(*tolerance > 0) || !isfinite(*tolerance))
    return st_reader_fail(
        reader, st_json_root(reader->document),
        "the scene's own speed comes out as %g m/s; give solver.velocity_tolerance "
        "and solver.change_tolerance",
        scale->speed);
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s", *tolerance);
  snprintf(reason, sizeof reason, "%g of %s", part, scale->reason);
  return st_description_add_note(reader->description, key, value, reason, reader->error);
}

StStatus st_scene_choose_tolerances(StReader *reader) {
  StSolverDesc *solver = &reader->description->solver;
  Scale scale = {0};
  find_scale(reader->description, &scale);
  ST_TRY(choose(reader, "solver.velocity_tolerance", RESIDUAL_PART, &scale,
                &solver->velocity_tolerance));
  return choose(reader, "solver.change_tolerance", CHANGE_PART, &scale, &solver->change_tolerance);
}
