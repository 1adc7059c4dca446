// The tennis drop: how high a ball rebounds that falls 254 cm, with and without pressure, and what
// integrators and steps make of it. The fall itself is left out: the ball starts just above the
// floor with the speed of the fall, and its height follows from the speed at which it leaves.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/scene_text.h"
#include "experiment/tennis.h"

#include <stdio.h>

static const double gravity = 9.81, drop = 2.54;

static const double steps[] = {1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5};
static const char *const step_names[] = {"h = 1 ms", "h = 0.5 ms", "h = 0.25 ms", "h = 0.1 ms",
                                         "h = 0.05 ms"};
enum { STEPS = ST_LENGTH(steps) };

static const char *const integrators[] = {"be", "bdf2", "sdirk2", "tr_bdf2", "tr", "tr_decoupled"};
enum { INTEGRATORS = ST_LENGTH(integrators), BALLS = 2 };

static const char *const ball_names[BALLS] = {"pressurised", "not pressurised"};

static const StParam params[] = {
    ST_TENNIS_PARAMS,
    {.name = "shortest_step",
     .doc = "Steps of 1, 0.5, 0.25, 0.1 and 0.05 ms that are shorter are left out.",
     .dimension = {.s = 1},
     .fallback = 2.5e-4,
     .max = 1e-3,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time from a step before the touch: the ball must have left the floor.",
     .dimension = {.s = 1},
     .fallback = 6e-3,
     .max = 1,
     .min_open = true},
};

static const StPreset at_paper_size[] = {
    {"cells", 12}, {"layers", 2}, {"damping", 1.6e-3}, {"shortest_step", 1e-4}};

// Rebound heights, m; NAN: the case has not ended, or the ball has not left.
typedef struct Drops {
  double mass; // kg
  StRecordingState state[BALLS][INTEGRATORS][STEPS];
  double height[BALLS][INTEGRATORS][STEPS];
  double contact_time[BALLS][INTEGRATORS][STEPS];
} Drops;

static double fall_speed(void) {
  return sqrt(2 * gravity * drop);
}

// All fly for three steps and a half before they touch: methods that look back have something to
// look back on, and the touch comes at the same point of a step.
static double start_gap(int step) {
  return 3.5 * steps[step] * fall_speed();
}

static double start_speed(int step) {
  return sqrt(2 * gravity * (drop - start_gap(step)));
}

static int step_count(const StLab *lab) {
  int count = 0;
  while (count < STEPS && steps[count] >= 0.999 * st_lab_value(lab, "shortest_step"))
    count++;
  return count;
}

static void write_scene(const StLab *lab, int which, int integrator, int step, StText *scene) {
  StTennisBall ball = st_tennis_ball(lab, which == 0);
  double count = 4 + ceil(st_lab_value(lab, "duration") / steps[step] - 1e-9);
  st_scene_text(scene,
                "// A tennis ball at the end of a fall of %g m.\n"
                "{\n"
                "  'title': 'Tennis drop, %s, %s',\n",
                drop, ball_names[which], integrators[integrator]);
  st_tennis_ball_write(&ball, start_speed(step), ball.pressurised ? "inflate" : NULL, scene);
  st_scene_text(scene,
                "  'obstacles': { 'floor': { 'shape': { 'type': 'half_space' }, "
                "'translate': [0, 0, '%.12g m'] } },\n"
                "  'gravity': '%g m/s^2',\n"
                "  'contact': { 'method': 'smooth' },\n"
                "  'time': { 'duration': '%.12g s', 'step': '%g s', 'frame_rate': '%.12g Hz' },\n"
                "  'integrator': '%s',\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                -start_gap(step), gravity, count * steps[step], steps[step], 1 / (4 * steps[step]),
                integrators[integrator]);
}

static StStatus run_case(StLab *lab, int which, int integrator, int step, Drops *drops,
                         StError *error) {
  static const char *const word[BALLS] = {"pressurised", "unpressurised"};
  char name[80];
  StText scene = {0};
  StRecording recording;
  snprintf(name, sizeof name, "%s-%s-h%g", word[which], integrators[integrator], steps[step]);
  write_scene(lab, which, integrator, step, &scene);
  StStatus status = st_lab_simulate(lab, name, &scene, &recording, error);
  st_text_free(&scene);
  if (status != ST_OK || recording.state == ST_RECORDING_MISSING)
    return status;
  StBounce bounce = st_bounce_measure(&recording, "floor", start_speed(step));
  drops->mass = bounce.mass;
  drops->state[which][integrator][step] = recording.state;
  drops->height[which][integrator][step] = bounce.speed * bounce.speed / (2 * gravity);
  drops->contact_time[which][integrator][step] = bounce.contact_time;
  st_recording_close(&recording);
  return ST_OK;
}

static StStatus run_all(StLab *lab, Drops *drops, StError *error) {
  StTennisBall ball = st_tennis_ball(lab, true);
  int count = step_count(lab);
  st_lab_expect(lab, 1 + BALLS * INTEGRATORS * count);
  ST_TRY(st_tennis_inflate(lab, &ball, "inflate", NULL, error));
  for (int b = 0; b < BALLS; b++)
    for (int i = 0; i < INTEGRATORS; i++)
      for (int s = 0; s < STEPS; s++) {
        drops->height[b][i][s] = drops->contact_time[b][i][s] = NAN;
        if (s < count)
          ST_TRY(run_case(lab, b, i, s, drops, error));
      }
  return ST_OK;
}

// value: [BALLS][INTEGRATORS][STEPS]; shown in `unit`.
static void add_table(StLab *lab, const char *title, const Drops *drops, const double *value,
                      double unit) {
  enum { TEXTS = 2 };
  StColumn column[TEXTS + STEPS] = {{"ball", NULL, 0}, {"integrator", NULL, 0}};
  int count = step_count(lab);
  for (int s = 0; s < count; s++)
    column[TEXTS + s] = (StColumn){step_names[s], NULL, 3};
  StResultTable *table = st_result_add_table(lab->result, title, column, TEXTS + count);
  for (int b = 0; b < BALLS; b++)
    for (int i = 0; i < INTEGRATORS; i++) {
      st_cell_text(table, "%s", ball_names[b]);
      st_cell_text(table, "%s", integrators[i]);
      for (int s = 0; s < count; s++)
        st_bounce_cell(table, drops->state[b][i][s],
                       value[(b * INTEGRATORS + i) * STEPS + s] / unit);
    }
}

enum { FALL = 60, RISE = 120, POINTS = FALL + RISE + 1 };

// The fall and the flight after it, by which a bounce of a few milliseconds is a kink.
static void fill_course(double height, double *time, double *course) {
  double fall = sqrt(2 * drop / gravity), speed = sqrt(2 * gravity * height);
  for (int i = 0; i < POINTS; i++) {
    double flight = 2 * speed / gravity * (i - FALL) / RISE;
    time[i] = i <= FALL ? fall * i / FALL : fall + flight;
    course[i] = i <= FALL ? drop - gravity / 2 * time[i] * time[i]
                          : speed * flight - gravity / 2 * flight * flight;
  }
}

typedef struct Courses {
  double time[INTEGRATORS][POINTS], height[INTEGRATORS][POINTS];
  StPlotSeries series[INTEGRATORS];
  char title[80];
} Courses;

// Of the longest step, which shows most.
static StStatus draw_courses(StLab *lab, const Drops *drops, StError *error) {
  Courses *courses = ST_NEW(Courses, BALLS);
  if (!courses)
    return st_fail_memory(error);
  StPlot plot[BALLS];
  for (int b = 0; b < BALLS; b++) {
    Courses *c = &courses[b];
    for (int i = 0; i < INTEGRATORS; i++) {
      fill_course(drops->height[b][i][0], c->time[i], c->height[i]);
      c->series[i] = (StPlotSeries){.name = integrators[i],
                                    .style = ST_PLOT_LINE,
                                    .dash = (StPlotDash)(i % 3),
                                    .count = POINTS,
                                    .x = c->time[i],
                                    .y = c->height[i]};
    }
    snprintf(c->title, sizeof c->title, "%s, %s", ball_names[b], step_names[0]);
    plot[b] = (StPlot){.title = c->title,
                       .x = {.label = "time (s)"},
                       .y = {.label = "height (m)", .low = 0, .high = 2.6},
                       .series_count = INTEGRATORS,
                       .series = c->series};
  }
  StStatus status = st_lab_plot(lab, "height.svg", plot, BALLS, 2, error);
  free(courses);
  return status;
}

static StStatus draw_steps(StLab *lab, const Drops *drops, StError *error) {
  static const double real[2][2] = {{1.35, 1.35}, {1.47, 1.47}};
  int count = step_count(lab);
  const double ends[2] = {steps[0], steps[count - 1]};
  StPlotSeries series[BALLS][INTEGRATORS + 2];
  StPlot plot[BALLS];
  for (int b = 0; b < BALLS; b++) {
    for (int i = 0; i < INTEGRATORS; i++)
      series[b][i] = (StPlotSeries){.name = integrators[i],
                                    .style = ST_PLOT_LINE_AND_MARKS,
                                    .count = count,
                                    .x = steps,
                                    .y = drops->height[b][i]};
    for (int i = 0; i < 2; i++)
      series[b][INTEGRATORS + i] = (StPlotSeries){.name = i ? NULL : "real balls",
                                                  .style = ST_PLOT_REFERENCE,
                                                  .count = 2,
                                                  .x = ends,
                                                  .y = real[i]};
    plot[b] = (StPlot){.title = ball_names[b],
                       .x = {.label = "time step (s)", .logarithmic = true},
                       .y = {.label = "rebound height (m)", .low = 0, .high = 2.6},
                       .series_count = INTEGRATORS + 2,
                       .series = series[b]};
  }
  return st_lab_plot(lab, "rebound.svg", plot, BALLS, 2, error);
}

static void add_notes(StLab *lab, const Drops *drops) {
  add_table(lab, "Rebound height (cm); real balls: 135 to 147", drops, &drops->height[0][0][0],
            0.01);
  add_table(lab, "Contact time (ms)", drops, &drops->contact_time[0][0][0], 1e-3);
  if (drops->mass > 0)
    st_result_add_note(
        lab->result,
        "The ball has %.3g g. It starts just above the floor at %.4g m/s; heights are "
        "those to which the speed of its centre of mass after the last touch carries "
        "it.",
        drops->mass * 1e3, fall_speed());
}

static StStatus run(StLab *lab, StError *error) {
  Drops *drops = ST_NEW(Drops, 1);
  if (!drops)
    return st_fail_memory(error);
  StStatus status = run_all(lab, drops, error);
  if (status == ST_OK) {
    add_notes(lab, drops);
    status = draw_courses(lab, drops, error);
  }
  if (status == ST_OK)
    status = draw_steps(lab, drops, error);
  free(drops);
  return status;
}

const StExperiment st_experiment_tennis_drop = {
    .name = "tennis-drop",
    .summary = "A tennis ball falls 254 cm onto a floor: how high it rebounds, with and without "
               "pressure, over integrators and steps.",
    .paper = "the pressurised ball bounces higher; be and bdf2 make the bounce much lower than "
             "sdirk2 does, over a range of steps.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
