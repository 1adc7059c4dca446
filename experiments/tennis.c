// The tennis ball and its bounce.
#include "tennis.h"

#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

#define atmosphere 101325.0 // Pa

TennisBall tennis_ball(const Lab *lab, bool pressurised) {
  return (TennisBall){.radius = 33.5e-3,
                      .rubber = lab_value(lab, "rubber"),
                      .felt = lab_value(lab, "felt"),
                      .cells = (int)lab_value(lab, "cells"),
                      .layers = (int)lab_value(lab, "layers"),
                      .poisson = 0.4995,
                      .damping = lab_value(lab, "damping"),
                      .pressurised = pressurised,
                      .gas = true};
}

static void add_materials(const TennisBall *ball, StictionBuild *scene) {
  scene_add_material(scene, "rubber", 6e6, ball->poisson, 934);
  set(scene_add_material(scene, "felt", 5.4e6, 0.3, 4.69), "stiffness_damping", ball->damping);
}

// Room for a ball that has grown by its pressure, and for a step or two before it touches.
static double start_height(const TennisBall *ball) {
  return 1.04 * ball->radius;
}

static void add_body(const TennisBall *ball, double speed, StictionBuild *scene) {
  StictionPart *body = stiction_build_add_body(scene, "ball", "rubber");
  StictionPart *shape = stiction_part_set_shape(body, "hollow_ball");
  set(shape, "radius", ball->radius);
  set(shape, "thickness", ball->rubber + ball->felt);
  set(shape, "coat", ball->felt);
  set(shape, "cells", ball->cells);
  set(shape, "layers", ball->layers);
  set(shape, "coat_layers", 1);
  set_text(stiction_part_object(body, "materials"), "coat", "felt");
  set_vector(body, "translate", 0, 0, start_height(ball));
  set_vector(body, "velocity", 0, 0, -speed);
}

static StictionPart *add_air(const TennisBall *ball, StictionBuild *scene) {
  StictionPart *air =
      stiction_build_add_volume(scene, "air", ball->gas ? "ideal_gas" : "quadratic");
  set_text(air, "body", "ball");
  if (!ball->gas)
    set(air, "compressibility", ball->compressibility / atmosphere);
  return air;
}

void tennis_ball_add(const TennisBall *ball, double speed, const char *inflated,
                     StictionBuild *scene) {
  add_materials(ball, scene);
  add_body(ball, speed, scene);
  set(add_air(ball, scene), "pressure", (ball->pressurised ? 2 : 1) * atmosphere);
  if (!inflated)
    return;
  char *frame = print_text("../%s/frames/frame_00001.vtu", inflated);
  scene_set(scene, "start", frame);
  free(frame);
}

// Breathing takes about a millisecond: backward Euler at that step leaves nothing of it.
static StictionBuild *build_inflating(const TennisBall *ball) {
  static const double time[] = {0, 5e-3}, pressure[] = {atmosphere, 2 * atmosphere};
  StictionBuild *scene = scene_begin("Tennis ball, pumped up");
  add_materials(ball, scene);
  add_body(ball, 0, scene);
  stiction_part_set_curve(add_air(ball, scene), "pressure", 2, time, pressure);
  scene_set_gravity(scene, 0);
  scene_smooth_contact(scene);
  scene_set_time(scene, 20e-3, 1e-3, 20e-3);
  scene_set(scene, "integrator", "be");
  return scene;
}

StictionStatus tennis_inflate(Lab *lab, const TennisBall *ball, const char *name,
                              const char *starter) {
  Recording recording;
  if (starter && !lab_requested(lab, starter)) {
    lab->cases_done++;
    return STICTION_OK;
  }
  StictionStatus status = lab_prepare(lab, name, build_inflating(ball), &recording);
  recording_close(&recording);
  return status;
}

static double greatest(const double *value, long count) {
  double most = value[0];
  for (long i = 1; i < count; i++)
    most = fmax(most, value[i]);
  return most;
}

static double least(const double *value, long count) {
  double most = value[0];
  for (long i = 1; i < count; i++)
    most = fmin(most, value[i]);
  return most;
}

void bounce_cell(Table *table, StictionRunState state, double value) {
  if (isnan(value) && state == STICTION_RUN_FINISHED)
    cell_lacks(table, "still touches", NAN);
  else
    case_cell(table, state, value);
}

Bounce bounce_measure(const Recording *recording, const char *face, double speed) {
  char normal[64];
  snprintf(normal, sizeof normal, "normal(ball|%s)", face);
  const double *time = recording_column(recording, "time");
  const double *height = recording_column(recording, "centre_of_mass_z");
  const double *momentum = recording_column(recording, "momentum_z");
  const double *force = recording_column(recording, normal);
  const double *volume = recording_column(recording, "volume(air)");
  const double *pressure = recording_column(recording, "pressure(air)");
  long rows = recording->rows, first = 0, last = -1;
  if (!time || !height || !momentum || !force || !volume || !pressure)
    return (Bounce){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  for (long i = 0; i < rows; i++)
    last = force[i] > 0 ? i : last;
  while (first < last && force[first] <= 0)
    first++;
  bool ended = last >= 0 && last < rows - 1 && recording->state == STICTION_RUN_FINISHED;
  double mass = -momentum[0] / speed;
  return (Bounce){.mass = mass,
                  .contact_time = ended ? time[last] - time[first] : NAN,
                  .approach = last >= 0 ? height[first] - least(height, rows) : NAN,
                  .speed = ended ? momentum[last + 1] / mass : NAN,
                  .least_volume = least(volume, rows) / volume[0],
                  .pressure = greatest(pressure, rows),
                  .force = greatest(force, rows),
                  .leaves = ended ? time[last] : NAN};
}
