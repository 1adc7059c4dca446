// The tennis ball and its bounce.
#include "experiment/tennis.h"

#include "base/memory.h"
#include "experiment/scene_text.h"

#include <stdio.h>

StTennisBall st_tennis_ball(const StLab *lab, bool pressurised) {
  return (StTennisBall){.radius = 33.5e-3,
                        .rubber = st_lab_value(lab, "rubber"),
                        .felt = st_lab_value(lab, "felt"),
                        .cells = (int)st_lab_value(lab, "cells"),
                        .layers = (int)st_lab_value(lab, "layers"),
                        .poisson = 0.4995,
                        .damping = st_lab_value(lab, "damping"),
                        .pressurised = pressurised,
                        .gas = true};
}

static void write_materials(const StTennisBall *ball, StText *scene) {
  st_scene_text(scene,
                "  'materials': {\n"
                "    'rubber': { 'young': '6 MPa', 'poisson': %g, 'density': '934 kg/m^3' },\n"
                "    'felt': { 'young': '5.4 MPa', 'poisson': 0.3, 'density': '4.69 kg/m^3', "
                "'stiffness_damping': '%g s' }\n"
                "  },\n",
                ball->poisson, ball->damping);
}

// Room for a ball that has grown by its pressure, and for a step or two before it touches.
static double start_height(const StTennisBall *ball) {
  return 1.04 * ball->radius;
}

static void write_body(const StTennisBall *ball, double speed, StText *scene) {
  st_scene_text(scene,
                "  'bodies': {\n"
                "    'ball': {\n"
                "      'shape': { 'type': 'hollow_ball', 'radius': '%.12g mm', "
                "'thickness': '%.12g mm', 'coat': '%.12g mm',\n"
                "                 'cells': %d, 'layers': %d, 'coat_layers': 1 },\n"
                "      'material': 'rubber', 'materials': { 'coat': 'felt' },\n"
                "      'translate': [0, 0, '%.12g mm'],\n"
                "      'velocity': [0, 0, '%.12g m/s']\n"
                "    }\n"
                "  },\n",
                ball->radius * 1e3, (ball->rubber + ball->felt) * 1e3, ball->felt * 1e3,
                ball->cells, ball->layers, start_height(ball) * 1e3, -speed);
}

static void write_air(const StTennisBall *ball, const char *pressure, StText *scene) {
  st_scene_text(scene,
                "  'volumes': { 'air': { 'body': 'ball', 'pressure': %s, 'model': ", pressure);
  if (ball->gas)
    st_scene_text(scene, "'ideal_gas' } },\n");
  else
    st_scene_text(scene, "'quadratic', 'compressibility': '%.12g 1/atm' } },\n",
                  ball->compressibility);
}

void st_tennis_ball_write(const StTennisBall *ball, double speed, const char *inflated,
                          StText *scene) {
  write_materials(ball, scene);
  write_body(ball, speed, scene);
  write_air(ball, ball->pressurised ? "'2 atm'" : "'1 atm'", scene);
  if (inflated)
    st_scene_text(scene,
                  "  // Where the case that pumps it up has ended: at rest with its pressure.\n"
                  "  'start': '../%s/frames/frame_00001.vtu',\n",
                  inflated);
}

static void write_inflating(const StTennisBall *ball, StText *scene) {
  st_scene_text(scene, "// A tennis ball is pumped up, until it rests.\n"
                       "{\n"
                       "  'title': 'Tennis ball, pumped up',\n");
  write_materials(ball, scene);
  write_body(ball, 0, scene);
  write_air(ball, "[{ 'time': 0, 'value': '1 atm' }, { 'time': '5 ms', 'value': '2 atm' }]", scene);
  // Breathing takes about a millisecond: backward Euler at that step leaves nothing of it.
  st_scene_text(scene, "  'gravity': 0,\n"
                       "  'contact': { 'method': 'smooth' },\n"
                       "  'time': { 'duration': '20 ms', 'step': '1 ms', 'frame_rate': '50 Hz' },\n"
                       "  'integrator': 'be',\n"
                       "  'output': { 'frames': 'vtu', 'stress': false, 'forces': false }\n"
                       "}\n");
}

StStatus st_tennis_inflate(StLab *lab, const StTennisBall *ball, const char *name,
                           const char *starter, StError *error) {
  StText scene = {0};
  StRecording recording;
  if (starter && !st_lab_requested(lab, starter)) {
    lab->cases_done++;
    return ST_OK;
  }
  write_inflating(ball, &scene);
  StStatus status = st_lab_prepare(lab, name, &scene, &recording, error);
  st_text_free(&scene);
  if (status == ST_OK)
    st_recording_close(&recording);
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

void st_bounce_cell(StResultTable *table, StRecordingState state, double value) {
  if (isnan(value) && state == ST_RECORDING_FINISHED)
    st_cell_lacks(table, "still touches", NAN);
  else
    st_case_cell(table, state, value);
}

StBounce st_bounce_measure(const StRecording *recording, const char *face, double speed) {
  char normal[64];
  snprintf(normal, sizeof normal, "normal(ball|%s)", face);
  const double *time = st_recording_column(recording, "time");
  const double *height = st_recording_column(recording, "centre_of_mass_z");
  const double *momentum = st_recording_column(recording, "momentum_z");
  const double *force = st_recording_column(recording, normal);
  const double *volume = st_recording_column(recording, "volume(air)");
  const double *pressure = st_recording_column(recording, "pressure(air)");
  long rows = recording->rows, first = 0, last = -1;
  if (!time || !height || !momentum || !force || !volume || !pressure)
    return (StBounce){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  for (long i = 0; i < rows; i++)
    last = force[i] > 0 ? i : last;
  while (first < last && force[first] <= 0)
    first++;
  bool ended = last >= 0 && last < rows - 1 && recording->state == ST_RECORDING_FINISHED;
  double mass = -momentum[0] / speed;
  return (StBounce){.mass = mass,
                    .contact_time = ended ? time[last] - time[first] : NAN,
                    .approach = last >= 0 ? height[first] - least(height, rows) : NAN,
                    .speed = ended ? momentum[last + 1] / mass : NAN,
                    .least_volume = least(volume, rows) / volume[0],
                    .pressure = greatest(pressure, rows),
                    .force = greatest(force, rows),
                    .leaves = ended ? time[last] : NAN};
}
