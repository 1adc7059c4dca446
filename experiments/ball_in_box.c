// The ball in a box: a rubber ball that spins 0.8 turns a step bounces about in an elastic box. The
// trapezoidal rule on the whole net force against the one that leaves contact out of it, and both
// bodies alone, held at their feet, to see that elasticity is not to blame.
#include "list.h"

#include "lab.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const integrators[] = {"tr", "tr_decoupled"};
enum { INTEGRATORS = LENGTH(integrators) };

// Cells of the ball along a quarter of its circumference, of the box along an edge. What happens
// differs from mesh to mesh, so that one alone shows nothing.
static const int meshes[][2] = {{2, 4}, {2, 5}, {3, 4}, {3, 5}};
enum { MESHES = LENGTH(meshes) };

typedef enum Cast { BOTH, BALL, BOX, CASTS } Cast; // what takes part
static const char *const cast_names[CASTS] = {"both", "ball", "box"};

enum { FRAMES, ALONE_FRAMES, STEP, RADIUS, INSIDE, WALL, DAMPING, THICKNESS, STIFFNESS, BLOW_UP };

static const Param params[] = {
    [FRAMES] = {.name = "frames",
                .doc = "Frames of the ball in the box; each is a step unless one has to be halved.",
                .kind = INTEGER,
                .fallback = 20,
                .min = 1,
                .max = 1e6},
    [ALONE_FRAMES] = {.name = "alone_frames",
                      .doc = "Frames of each body alone.",
                      .kind = INTEGER,
                      .fallback = 60,
                      .min = 1,
                      .max = 1e6},
    [STEP] = {.name = "step",
              .doc = "Time step.",
              .unit = "s",
              .fallback = 0.01,
              .max = 1,
              .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Radius of the ball.",
                .unit = "m",
                .fallback = 0.02,
                .max = 1,
                .min_open = true},
    [INSIDE] = {.name = "inside",
                .doc = "Width of the hollow of the box.",
                .unit = "m",
                .fallback = 0.1,
                .max = 10,
                .min_open = true},
    [WALL] = {.name = "wall",
              .doc = "Thickness of the walls of the box.",
              .unit = "m",
              .fallback = 0.01,
              .max = 1,
              .min_open = true},
    [DAMPING] = {.name = "damping",
                 .doc = "Damping by stiffness: the paper's 0.1, times its step.",
                 .unit = "s",
                 .fallback = 1e-3,
                 .max = 1},
    [THICKNESS] = {.name = "thickness",
                   .doc = "Gap at which contact begins.",
                   .unit = "m",
                   .fallback = 2e-3,
                   .max = 0.1,
                   .min_open = true},
    [STIFFNESS] = {.name = "stiffness",
                   .doc = "Of contact, before it grows by itself.",
                   .unit = "Pa/m",
                   .fallback = 1e6,
                   .max = INFINITY,
                   .min_open = true},
    [BLOW_UP] = {.name = "blow_up",
                 .doc = "Beyond this many times its first kinetic energy it has blown up.",
                 .fallback = 2,
                 .min = 1,
                 .max = INFINITY},
};

static const Preset at_paper_size[] = {{"frames", 800}, {"alone_frames", 800}};

typedef struct Case {
  Cast cast;
  int integrator, mesh;
  char name[48];
} Case;

static Case case_of(Cast cast, int integrator, int mesh) {
  Case one = {.cast = cast, .integrator = integrator, .mesh = mesh};
  snprintf(one.name, sizeof one.name, "%s-%s-%d-%d", cast_names[cast], integrators[integrator],
           meshes[mesh][0], meshes[mesh][1]);
  return one;
}

static void add_materials(const Lab *lab, StictionBuild *scene) {
  double damping = lab_value(lab, "damping");
  set(scene_add_material(scene, "ball", 50e3, 0.45, 500), "stiffness_damping", damping);
  set(scene_add_material(scene, "box", 500e3, 0.1, 10000), "stiffness_damping", damping);
}

static void add_ball(const Lab *lab, const Case *one, StictionBuild *scene) {
  StictionPart *ball = stiction_build_add_body(scene, "ball", "ball");
  StictionPart *sphere = stiction_part_set_shape(ball, "sphere");
  set(sphere, "radius", lab_value(lab, "radius"));
  set(sphere, "cells", meshes[one->mesh][0]);
  if (one->cast != BOTH)
    return;
  set_vector(ball, "velocity", -0.923, -0.385, 0);
  set_vector(ball, "angular_velocity", 0, 4800 * (M_PI / 30), 0); // 4800 rpm
}

static void add_box(const Lab *lab, const Case *one, StictionBuild *scene) {
  static const char *const size[] = {"size_x", "size_y", "size_z"};
  static const char *const cells[] = {"cells_x", "cells_y", "cells_z"};
  double wall = lab_value(lab, "wall");
  StictionPart *box = stiction_build_add_body(scene, "box", "box");
  StictionPart *shape = stiction_part_set_shape(box, "hollow_box");
  for (int i = 0; i < 3; i++) {
    set(shape, size[i], lab_value(lab, "inside") + 2 * wall);
    set(shape, cells[i], meshes[one->mesh][1]);
  }
  set(shape, "thickness", wall);
  set(shape, "layers", 1);
}

// The box stands on a table; a ball alone is held by its lowest part.
static void add_feet(const Lab *lab, const Case *one, StictionBuild *scene) {
  bool ball = one->cast == BALL;
  StictionPart *foot = stiction_build_add_boundary(scene, "foot", ball ? "ball" : "box");
  if (!ball) {
    stiction_part_choose_label(foot, "z-");
    return;
  }
  StictionPart *plane = stiction_part_object(stiction_part_object(foot, "region"), "plane");
  set_vector(plane, "point", 0, 0, -lab_value(lab, "radius") / 2);
  set_text(plane, "normal", "z");
  set_text(plane, "side", "behind");
}

static void add_contact(const Lab *lab, StictionBuild *scene) {
  scene_add_friction(scene, "ball", "box", 0.1);
  StictionPart *contact = scene_smooth_contact(scene);
  set(contact, "thickness", lab_value(lab, "thickness"));
  set(contact, "stiffness", lab_value(lab, "stiffness"));
}

// A step that cannot be taken in 64 parts either has failed.
static StictionBuild *build_scene(const Lab *lab, const Case *one) {
  double step = lab_value(lab, "step");
  double frames = lab_value(lab, one->cast == BOTH ? "frames" : "alone_frames");
  StictionBuild *scene = scene_begin("Ball in a box, %s", one->name);
  add_materials(lab, scene);
  if (one->cast != BOX)
    add_ball(lab, one, scene);
  if (one->cast != BALL)
    add_box(lab, one, scene);
  add_feet(lab, one, scene);
  if (one->cast == BOTH)
    add_contact(lab, scene);
  scene_set_time(scene, frames * step, step, step);
  set(stiction_build_settings(scene, "time"), "smallest_step", step / 64);
  scene_set(scene, "integrator", integrators[one->integrator]);
  return scene;
}

// What came of a ball in the box.
typedef struct Fate {
  bool failed;
  double blow_up;    // s, when its energy was too much or a step could not be solved; NAN: never
  double most, last; // kinetic energy over that at the start
  double total;      // J, energy lost from the start to the end
} Fate;

static Fate measure(const Lab *lab, const Recording *recording) {
  const double *time = recording_column(recording, "time");
  const double *kinetic = recording_column(recording, "kinetic_energy");
  const double *total = recording_column(recording, "total_energy");
  long last = recording->rows - 1;
  Fate fate = {.failed = recording->state == STICTION_RUN_FAILED, .blow_up = NAN};
  for (long row = 0; row <= last; row++) {
    double ratio = kinetic[row] / kinetic[0];
    fate.most = row > 0 ? fmax(fate.most, ratio) : 0;
    if (isnan(fate.blow_up) && ratio > lab_value(lab, "blow_up"))
      fate.blow_up = time[row];
  }
  if (isnan(fate.blow_up) && fate.failed)
    fate.blow_up = time[last];
  fate.last = kinetic[last] / kinetic[0];
  fate.total = total[0] - total[last];
  return fate;
}

// Histories that are drawn, kept until all cases have run.
typedef struct Course {
  int rows;
  double *time, *kinetic, *total, *height;
} Course;

typedef struct Courses {
  Course of[CASTS][INTEGRATORS][MESHES];
  int cases[INTEGRATORS], blown_up[INTEGRATORS]; // of the ball in the box
} Courses;

static void free_courses(Courses *courses) {
  for (int c = 0; c < CASTS; c++)
    for (int i = 0; i < INTEGRATORS; i++)
      for (int m = 0; m < MESHES; m++)
        free(courses->of[c][i][m].time);
}

// One block for all columns.
static StictionStatus keep(const Recording *recording, Course *course) {
  static const char *const names[] = {"time", "kinetic_energy", "total_energy", "centre_of_mass_z"};
  size_t rows = (size_t)recording->rows;
  double *block = NEW(double, LENGTH(names) * rows);
  for (size_t i = 0; i < LENGTH(names); i++)
    memcpy(block + i * rows, recording_column(recording, names[i]), rows * sizeof(double));
  *course = (Course){(int)rows, block, block + rows, block + 2 * rows, block + 3 * rows};
  return STICTION_OK;
}

static const Column fate_columns[] = {{"integrator", NULL, 0},  {"ball cells", NULL, 0},
                                      {"box cells", NULL, 0},   {"outcome", NULL, 0},
                                      {"blows up at", "s", 3},  {"largest energy", NULL, 3},
                                      {"last energy", NULL, 3}, {"lost in all", "J", 3},
                                      {"frames", NULL, 0},      {"Newton per step", NULL, 3}};

static void add_fate(const Lab *lab, const Case *one, const Recording *recording, Courses *courses,
                     Table *table) {
  Fate fate = measure(lab, recording);
  courses->cases[one->integrator]++;
  courses->blown_up[one->integrator] += !isnan(fate.blow_up);
  cell_text(table, "%s", integrators[one->integrator]);
  cell_number(table, meshes[one->mesh][0]);
  cell_number(table, meshes[one->mesh][1]);
  const char *lack = case_lack(recording->state);
  cell_text(table, "%s", !isnan(fate.blow_up) ? "blows up" : lack ? lack : "bounded");
  cell_number(table, fate.blow_up);
  cell_number(table, fate.most);
  cell_number(table, fate.last);
  cell_number(table, fate.total);
  cell_number(table, (double)recording->cost.frames);
  cell_number(table, recording->cost.newton_per_step);
}

static const Column alone_columns[] = {
    {"body", NULL, 0}, {"integrator", NULL, 0}, {"first swing", "mm", 4}, {"last swing", "mm", 4}};

// Between the highest and the lowest of the centre of mass among these rows.
static double swing(const Course *course, int from, int to) {
  double low = INFINITY, high = -INFINITY;
  for (int row = from; row < to; row++) {
    low = fmin(low, course->height[row]);
    high = fmax(high, course->height[row]);
  }
  return high - low;
}

static void add_swing(const Case *one, const Course *course, Table *table) {
  int fifth = (course->rows + 4) / 5;
  cell_text(table, "%s", cast_names[one->cast]);
  cell_text(table, "%s", integrators[one->integrator]);
  cell_number(table, 1e3 * swing(course, 0, fifth));
  cell_number(table, 1e3 * swing(course, course->rows - fifth, course->rows));
}

static StictionStatus run_case(Lab *lab, const Case *one, Courses *courses, Table *table) {
  Recording recording;
  StictionStatus status = lab_simulate(lab, one->name, build_scene(lab, one), &recording);
  if (status != STICTION_OK || recording.state == RUN_MISSING)
    return status;
  Course *course = &courses->of[one->cast][one->integrator][one->mesh];
  status = keep(&recording, course);
  if (status == STICTION_OK && one->cast == BOTH)
    add_fate(lab, one, &recording, courses, table);
  else if (status == STICTION_OK)
    add_swing(one, course, table);
  recording_close(&recording);
  return status;
}

static StictionStatus run_all(Lab *lab, Courses *courses) {
  lab_expect(lab, (MESHES + 2) * INTEGRATORS);
  Table *fates = result_add_table(lab->result,
                                  "The ball in the box: kinetic energy "
                                  "over that at the start",
                                  fate_columns, LENGTH(fate_columns));
  Table *alone = result_add_table(
      lab->result, "Each body alone: height of its centre of mass, in the first and the last fifth",
      alone_columns, LENGTH(alone_columns));
  for (Cast cast = BOTH; cast < CASTS; cast++)
    for (int m = cast == BOTH ? 0 : MESHES - 1; m < MESHES; m++)
      for (int i = 0; i < INTEGRATORS; i++) {
        Case one = case_of(cast, i, m);
        TRY(run_case(lab, &one, courses, cast == BOTH ? fates : alone));
      }
  return STICTION_OK;
}

typedef enum Quantity { KINETIC, TOTAL, HEIGHT } Quantity;

static const double *column_of(const Course *course, Quantity quantity) {
  return quantity == KINETIC ? course->kinetic : quantity == TOTAL ? course->total : course->height;
}

typedef struct Panel {
  const char *title, *axis;
  Cast cast;
  Quantity quantity;
  bool logarithmic;
  double unit;
} Panel;

static const Panel panels[] = {
    {"ball in the box, all meshes", "kinetic energy (J)", BOTH, KINETIC, true, 0},
    {"ball in the box, all meshes", "total energy (J)", BOTH, TOTAL, false, 0},
    {"ball alone", "height of its centre (µm)", BALL, HEIGHT, false, 1e-6},
    {"box alone", "height of its centre (mm)", BOX, HEIGHT, false, 1e-3}};
enum { PANELS = LENGTH(panels), LINES = INTEGRATORS * MESHES };

// Meshes that were not run have no rows; each integrator is named once.
static StictionPlot draw_panel(const Courses *courses, const Panel *panel,
                               StictionSeries series[LINES]) {
  int lines = 0;
  for (int i = 0; i < INTEGRATORS; i++)
    for (int m = 0; m < MESHES; m++) {
      const Course *course = &courses->of[panel->cast][i][m];
      if (course->rows > 0)
        series[lines++] = (StictionSeries){.name = m == MESHES - 1 ? integrators[i] : NULL,
                                           .style = STICTION_LINE,
                                           .dash = i ? STICTION_DASHED : STICTION_SOLID,
                                           .count = course->rows,
                                           .x = course->time,
                                           .y = column_of(course, panel->quantity)};
    }
  return (StictionPlot){
      .title = panel->title,
      .x = {.label = "time (s)"},
      .y = {.label = panel->axis, .logarithmic = panel->logarithmic, .unit = panel->unit},
      .series_count = lines,
      .series = series};
}

static StictionStatus draw(Lab *lab, const Courses *courses) {
  StictionSeries series[PANELS][LINES];
  StictionPlot plot[PANELS];
  for (int p = 0; p < PANELS; p++)
    plot[p] = draw_panel(courses, &panels[p], series[p]);
  return lab_plot(lab, "energy.svg", plot, PANELS, 2);
}

static StictionStatus run(Lab *lab) {
  Courses courses = {0};
  StictionStatus status = run_all(lab, &courses);
  if (status == STICTION_OK)
    status = draw(lab, &courses);
  free_courses(&courses);
  for (int i = 0; i < INTEGRATORS; i++)
    result_add_note(lab->result, "%s blows up on %d of %d meshes.", integrators[i],
                    courses.blown_up[i], courses.cases[i]);
  result_add_note(lab->result,
                  "Blown up: more than %g times the kinetic energy of the start, or a step that "
                  "cannot be solved in 64 parts either.",
                  lab_value(lab, "blow_up"));
  return status;
}

const Experiment experiment_ball_in_box = {
    .name = "ball-in-box",
    .summary = "A ball that spins 0.8 turns per step bounces in an elastic box: energy under the "
               "trapezoidal rule with and without contact in it, and each body alone.",
    .paper = "the trapezoidal rule on the whole net force is stable and the energy is dissipated "
             "in the end; with contact left out of it the scene blows up, although each body alone "
             "swings no more than with the other.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
