// The tennis drop: how high a ball rebounds that falls 254 cm, with and without pressure, and what
// integrators and steps make of it. The fall itself is left out: the ball starts just above the
// floor with the speed of the fall, and its height follows from the speed at which it leaves.
#include "list.h"

#include "scene.h"
#include "tennis.h"

#include <stdio.h>
#include <stdlib.h>

static const double gravity = 9.81, drop = 2.54;

static const double steps[] = {1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5};
static const char *const step_names[] = {"h = 1 ms", "h = 0.5 ms", "h = 0.25 ms", "h = 0.1 ms",
                                         "h = 0.05 ms"};
enum { STEPS = LENGTH(steps) };

static const char *const integrators[] = {"be", "bdf2", "sdirk2", "tr_bdf2", "tr", "tr_decoupled"};
enum { INTEGRATORS = LENGTH(integrators), BALLS = 2 };

static const char *const ball_names[BALLS] = {"pressurised", "not pressurised"};

static const Param params[] = {
    TENNIS_PARAMS,
    {.name = "shortest_step",
     .doc = "Steps of 1, 0.5, 0.25, 0.1 and 0.05 ms that are shorter are left out.",
     .unit = "s",
     .fallback = 2.5e-4,
     .max = 1e-3,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time from a step before the touch: the ball must have left the floor.",
     .unit = "s",
     .fallback = 6e-3,
     .max = 1,
     .min_open = true},
};

static const Preset at_paper_size[] = {
    {"cells", 12}, {"layers", 2}, {"damping", 1.6e-3}, {"shortest_step", 1e-4}};

// Rebound heights, m; NAN: the case has not ended, or the ball has not left.
typedef struct Drops {
  double mass; // kg
  StictionRunState state[BALLS][INTEGRATORS][STEPS];
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

static int step_count(const Lab *lab) {
  int count = 0;
  while (count < STEPS && steps[count] >= 0.999 * lab_value(lab, "shortest_step"))
    count++;
  return count;
}

static StictionBuild *build_scene(const Lab *lab, int which, int integrator, int step) {
  TennisBall ball = tennis_ball(lab, which == 0);
  double count = 4 + ceil(lab_value(lab, "duration") / steps[step] - 1e-9);
  StictionBuild *scene =
      scene_begin("Tennis drop, %s, %s", ball_names[which], integrators[integrator]);
  tennis_ball_add(&ball, start_speed(step), ball.pressurised ? "inflate" : NULL, scene);
  StictionPart *floor = stiction_build_add_obstacle(scene, "floor", NULL);
  stiction_part_set_shape(floor, "half_space");
  set_vector(floor, "translate", 0, 0, -start_gap(step));
  scene_set_gravity(scene, gravity);
  scene_smooth_contact(scene);
  scene_set_time(scene, count * steps[step], steps[step], 4 * steps[step]);
  scene_set(scene, "integrator", integrators[integrator]);
  return scene;
}

static StictionStatus run_case(Lab *lab, int which, int integrator, int step, Drops *drops) {
  static const char *const word[BALLS] = {"pressurised", "unpressurised"};
  char name[80];
  Recording recording;
  snprintf(name, sizeof name, "%s-%s-h%g", word[which], integrators[integrator], steps[step]);
  StictionStatus status =
      lab_simulate(lab, name, build_scene(lab, which, integrator, step), &recording);
  if (status != STICTION_OK || recording.state == RUN_MISSING)
    return status;
  Bounce bounce = bounce_measure(&recording, "floor", start_speed(step));
  drops->mass = bounce.mass;
  drops->state[which][integrator][step] = recording.state;
  drops->height[which][integrator][step] = bounce.speed * bounce.speed / (2 * gravity);
  drops->contact_time[which][integrator][step] = bounce.contact_time;
  recording_close(&recording);
  return STICTION_OK;
}

static StictionStatus run_all(Lab *lab, Drops *drops) {
  TennisBall ball = tennis_ball(lab, true);
  int count = step_count(lab);
  lab_expect(lab, 1 + BALLS * INTEGRATORS * count);
  TRY(tennis_inflate(lab, &ball, "inflate", NULL));
  for (int b = 0; b < BALLS; b++)
    for (int i = 0; i < INTEGRATORS; i++)
      for (int s = 0; s < STEPS; s++) {
        drops->height[b][i][s] = drops->contact_time[b][i][s] = NAN;
        if (s < count)
          TRY(run_case(lab, b, i, s, drops));
      }
  return STICTION_OK;
}

// value: [BALLS][INTEGRATORS][STEPS]; shown in `unit`.
static void add_table(Lab *lab, const char *title, const Drops *drops, const double *value,
                      double unit) {
  enum { TEXTS = 2 };
  Column column[TEXTS + STEPS] = {{"ball", NULL, 0}, {"integrator", NULL, 0}};
  int count = step_count(lab);
  for (int s = 0; s < count; s++)
    column[TEXTS + s] = (Column){step_names[s], NULL, 3};
  Table *table = result_add_table(lab->result, title, column, TEXTS + count);
  for (int b = 0; b < BALLS; b++)
    for (int i = 0; i < INTEGRATORS; i++) {
      cell_text(table, "%s", ball_names[b]);
      cell_text(table, "%s", integrators[i]);
      for (int s = 0; s < count; s++)
        bounce_cell(table, drops->state[b][i][s], value[(b * INTEGRATORS + i) * STEPS + s] / unit);
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
  StictionSeries series[INTEGRATORS];
  char title[80];
} Courses;

// Of the longest step, which shows most.
static StictionStatus draw_courses(Lab *lab, const Drops *drops) {
  Courses *courses = NEW(Courses, BALLS);
  StictionPlot plot[BALLS];
  for (int b = 0; b < BALLS; b++) {
    Courses *c = &courses[b];
    for (int i = 0; i < INTEGRATORS; i++) {
      fill_course(drops->height[b][i][0], c->time[i], c->height[i]);
      c->series[i] = (StictionSeries){.name = integrators[i],
                                      .style = STICTION_LINE,
                                      .dash = (StictionDash)(i % 3),
                                      .count = POINTS,
                                      .x = c->time[i],
                                      .y = c->height[i]};
    }
    snprintf(c->title, sizeof c->title, "%s, %s", ball_names[b], step_names[0]);
    plot[b] = (StictionPlot){.title = c->title,
                             .x = {.label = "time (s)"},
                             .y = {.label = "height (m)", .low = 0, .high = 2.6},
                             .series_count = INTEGRATORS,
                             .series = c->series};
  }
  StictionStatus status = lab_plot(lab, "height.svg", plot, BALLS, 2);
  free(courses);
  return status;
}

static StictionStatus draw_steps(Lab *lab, const Drops *drops) {
  static const double real[2][2] = {{1.35, 1.35}, {1.47, 1.47}};
  int count = step_count(lab);
  const double ends[2] = {steps[0], steps[count - 1]};
  StictionSeries series[BALLS][INTEGRATORS + 2];
  StictionPlot plot[BALLS];
  for (int b = 0; b < BALLS; b++) {
    for (int i = 0; i < INTEGRATORS; i++)
      series[b][i] = (StictionSeries){.name = integrators[i],
                                      .style = STICTION_LINE_AND_MARKS,
                                      .count = count,
                                      .x = steps,
                                      .y = drops->height[b][i]};
    for (int i = 0; i < 2; i++)
      series[b][INTEGRATORS + i] = (StictionSeries){.name = i ? NULL : "real balls",
                                                    .style = STICTION_REFERENCE,
                                                    .count = 2,
                                                    .x = ends,
                                                    .y = real[i]};
    plot[b] = (StictionPlot){.title = ball_names[b],
                             .x = {.label = "time step (s)", .logarithmic = true},
                             .y = {.label = "rebound height (m)", .low = 0, .high = 2.6},
                             .series_count = INTEGRATORS + 2,
                             .series = series[b]};
  }
  return lab_plot(lab, "rebound.svg", plot, BALLS, 2);
}

static void add_notes(Lab *lab, const Drops *drops) {
  add_table(lab, "Rebound height (cm); real balls: 135 to 147", drops, &drops->height[0][0][0],
            0.01);
  add_table(lab, "Contact time (ms)", drops, &drops->contact_time[0][0][0], 1e-3);
  if (drops->mass > 0)
    result_add_note(lab->result,
                    "The ball has %.3g g. It starts just above the floor at %.4g m/s; heights are "
                    "those to which the speed of its centre of mass after the last touch carries "
                    "it.",
                    drops->mass * 1e3, fall_speed());
}

static StictionStatus run(Lab *lab) {
  Drops *drops = NEW(Drops, 1);
  StictionStatus status = run_all(lab, drops);
  if (status == STICTION_OK) {
    add_notes(lab, drops);
    status = draw_courses(lab, drops);
  }
  if (status == STICTION_OK)
    status = draw_steps(lab, drops);
  free(drops);
  return status;
}

const Experiment experiment_tennis_drop = {
    .name = "tennis-drop",
    .summary = "A tennis ball falls 254 cm onto a floor: how high it rebounds, with and without "
               "pressure, over integrators and steps.",
    .paper = "the pressurised ball bounces higher; be and bdf2 make the bounce much lower than "
             "sdirk2 does, over a range of steps.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
