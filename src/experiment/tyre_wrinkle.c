// The tyre of a dragster, soft and little inflated, is pressed onto the ground and its rim turned
// in place: the side walls wrinkle while the tread sticks, until it slips and sticks again. Beside
// it the same with one coefficient of friction, where nothing of this appears.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/scene_text.h"
#include "experiment/tyre_form.h"

#include <stdio.h>
#include <string.h>

static const double radius = 0.46, room = 0.06;  // m: at rest, and what it may grow by
static const double overpressure = 0.68;         // atm
static const double let_go = 0.02, caught = 0.5; // shares of the contact that stick

// Seconds: pumped up, then pressed, then at rest.
static const double pumped = 0.05, pressed = 0.15, rested = 0.25;
static const double settling = 40; // 1/s: damping by mass until then

enum { STICKING, SLIDING, CASES };
static const char *const case_names[CASES] = {"stick-slip", "one-coefficient"};

static const char *const solvers[] = {"iterative", "direct", "auto", NULL};

static const StParam params[] = {
    {.name = "cells_around",
     .doc = "Cells along the circumference.",
     .kind = ST_INTEGER,
     .fallback = 96,
     .min = 6,
     .max = 10000},
    {.name = "cells_tread",
     .doc = "Cells across the tread.",
     .kind = ST_INTEGER,
     .fallback = 12,
     .min = 2,
     .max = 10000},
    {.name = "cells_wall",
     .doc = "Cells from the rim to the shoulder.",
     .kind = ST_INTEGER,
     .fallback = 10,
     .min = 1,
     .max = 10000},
    {.name = "press",
     .doc = "How much closer to the ground the axle is than the radius of the tyre at rest.",
     .dimension = {.m = 1},
     .fallback = 0.07,
     .max = 0.2},
    {.name = "static", .doc = "Static coefficient of friction.", .fallback = 1.5, .max = 100},
    {.name = "dynamic", .doc = "Dynamic coefficient of friction.", .fallback = 0.5, .max = 100},
    {.name = "sticking_speed",
     .doc = "What holds creeps, slower than this.",
     .dimension = {.m = 1, .s = -1},
     .fallback = 0.01,
     .max = 10,
     .min_open = true},
    {.name = "stribeck_speed",
     .doc = "Where friction has fallen from static to dynamic.",
     .dimension = {.m = 1, .s = -1},
     .fallback = 0.5,
     .max = 100,
     .min_open = true},
    {.name = "speed",
     .doc = "Angular velocity of the rim, which it reaches after `ramp`.",
     .dimension = {.rad = 1, .s = -1},
     .fallback = 0.7,
     .max = 1000,
     .min_open = true},
    {.name = "ramp",
     .doc = "Time in which the rim comes up to speed.",
     .dimension = {.s = 1},
     .fallback = 0.1,
     .max = 100,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time of turning.",
     .dimension = {.s = 1},
     .fallback = 1,
     .max = 100,
     .min_open = true},
    {.name = "step",
     .doc = "Time step, and time between frames.",
     .dimension = {.s = 1},
     .fallback = 5e-3,
     .max = 0.1,
     .min_open = true},
    {.name = "solver", .doc = "Linear solver.", .kind = ST_WORD, .max = 2, .word = solvers},
};

static const StPreset at_paper_size[] = {
    {"cells_around", 372}, {"cells_tread", 56}, {"cells_wall", 34}, {"step", 1.25e-3}};

// damping: 1/s, by mass, while it settles.
static void write_tyre(const StLab *lab, double damping, StText *scene) {
  st_scene_text(
      scene,
      "  'materials': {\n"
      "    'tread': { 'law': 'membrane', 'young': '400 kN/m', 'poisson': 0.49, "
      "'area_density': '200 kg/m^2', 'bending': '0.56 J', 'mass_damping': '%g 1/s' },\n"
      "    'wall': { 'law': 'membrane', 'young': '200 kN/m', 'poisson': 0.49, "
      "'area_density': '50 kg/m^2', 'bending': '0.01 J', 'mass_damping': '%g 1/s' }\n"
      "  },\n"
      "  'bodies': {\n"
      "    'tyre': {\n"
      "      'shape': { 'type': 'tyre', 'radius': '%g m', 'cells_around': %.0f, 'cells_tread': "
      "%.0f, 'cells_wall': %.0f, 'cells_drum': 2 },\n"
      "      'rotate': { 'axis': 'x', 'angle': '90 deg' }, // the axle lies along y\n"
      "      'material': 'tread', 'materials': { 'wall': 'wall', 'rim': 'wall' }\n"
      "    }\n"
      "  },\n",
      damping, damping, radius, st_lab_value(lab, "cells_around"), st_lab_value(lab, "cells_tread"),
      st_lab_value(lab, "cells_wall"));
}

static double ground_height(const StLab *lab) {
  return st_lab_value(lab, "press") - radius;
}

static const char *solver_of(const StLab *lab) {
  return solvers[(int)st_lab_value(lab, "solver")];
}

// Pumped up and pressed without friction, so that the tread carries nothing but the load.
static void write_pressing(const StLab *lab, StText *scene) {
  st_scene_text(scene,
                "// A tyre is pumped up, the ground rises against it, and it comes to rest.\n"
                "{\n"
                "  'title': 'Tyre, pumped up and pressed',\n");
  write_tyre(lab, settling, scene);
  st_scene_text(scene,
                "  'volumes': { 'air': { 'body': 'tyre', 'model': 'prescribed', 'overpressure': "
                "[{ 'time': 0, 'value': 0 }, { 'time': '%g s', 'value': '%g atm' }] } },\n"
                "  'boundaries': { 'rim': { 'region': { 'label': 'rim' }, 'hold': 'fixed' } },\n"
                "  'obstacles': { 'ground': {\n"
                "    'shape': { 'type': 'half_space', 'point': [0, 0, '%.12g m'] },\n"
                "    'motion': { 'interpolation': 'smooth', 'keys': [ { 'time': '%g s' }, "
                "{ 'time': '%g s', 'translate': [0, 0, '%.12g m'] } ] }\n"
                "  } },\n"
                "  'contact': { 'method': 'smooth' },\n"
                "  'time': { 'duration': '%g s', 'step': '%.12g s', 'frame_rate': '%g Hz' },\n"
                "  'integrator': 'be',\n"
                "  'solver': { 'type': '%s' },\n"
                "  'output': { 'frames': 'vtu', 'stress': false, 'forces': false }\n"
                "}\n",
                pumped, overpressure, -radius - room, pumped, pressed,
                ground_height(lab) + radius + room, rested, st_lab_value(lab, "step"), 1 / rested,
                solver_of(lab));
}

static double static_coefficient(const StLab *lab, int index) {
  return st_lab_value(lab, index == STICKING ? "static" : "dynamic");
}

static void write_friction(const StLab *lab, int index, StText *scene) {
  st_scene_text(scene,
                "  'friction': [ { 'between': ['tread', 'asphalt'], 'stick': 'velocity', "
                "'dynamic': %.12g, 'static': "
                "%.12g, 'sticking_speed': '%.12g m/s', 'stribeck_speed': '%.12g m/s' } ],\n",
                st_lab_value(lab, "dynamic"), static_coefficient(lab, index),
                st_lab_value(lab, "sticking_speed"), st_lab_value(lab, "stribeck_speed"));
}

// volume: inside at the start, m³. The air is a gas from here on, and has the given pressure there.
static void write_turning(const StLab *lab, int index, double volume, StText *scene) {
  double step = st_lab_value(lab, "step");
  st_scene_text(scene,
                "// The rim of a tyre on the ground is turned in place.\n"
                "{\n"
                "  'title': 'Tyre, %s',\n"
                "  'start': '../press/frames/frame_00001.vtu',\n",
                case_names[index]);
  write_tyre(lab, 0, scene);
  write_friction(lab, index, scene);
  st_scene_text(
      scene,
      "  'volumes': { 'air': { 'body': 'tyre', 'model': 'ideal_gas', 'overpressure': "
      "'%g atm', 'rest_volume': '%.15g m^3' } },\n"
      "  'boundaries': { 'rim': { 'region': { 'label': 'rim' }, 'motion': {\n"
      "    'axis': 'y', 'centre': [0, 0, 0],\n"
      "    'spin': [ { 'time': 0, 'value': 0 }, { 'time': '%.12g s', 'value': '%.12g "
      "rad/s' } ] } } },\n"
      "  'obstacles': { 'ground': { 'shape': { 'type': 'half_space', 'point': [0, 0, "
      "'%.12g m'] }, 'material': 'asphalt' } },\n"
      "  'contact': { 'method': 'smooth' },\n"
      "  'time': { 'duration': '%.12g s', 'step': '%.12g s', 'frame_rate': '%.12g Hz' },\n"
      "  'integrator': 'be',\n"
      "  'solver': { 'type': '%s' },\n"
      "  'output': { 'stress': false, 'forces': false }\n"
      "}\n",
      overpressure, volume, st_lab_value(lab, "ramp"), st_lab_value(lab, "speed"),
      ground_height(lab), st_lab_value(lab, "duration"), step, 1 / step, solver_of(lab));
}

// One case: what was recorded, and what is measured on it.
typedef struct Turning {
  StRecording recording;
  StTyreCourse course;
  double *traction; // [rows] friction along the ground over normal force
} Turning;

static void close_turning(Turning *turning) {
  st_recording_close(&turning->recording);
  st_tyre_course_free(&turning->course);
  free(turning->traction);
}

static StStatus measure(Turning *turning, StError *error) {
  const StRecording *recording = &turning->recording;
  const double *normal = st_recording_column(recording, "normal(tyre|ground)");
  const double *friction = st_recording_column(recording, "friction_x(tyre|ground)");
  if (!normal || !friction)
    return ST_OK;
  turning->traction = ST_NEW(double, recording->rows);
  if (!turning->traction)
    return st_fail_memory(error);
  for (long i = 0; i < recording->rows; i++)
    turning->traction[i] = normal[i] > 0 ? friction[i] / normal[i] : NAN;
  return st_tyre_course(recording, &turning->course, error);
}

static StStatus run_case(StLab *lab, int index, double volume, Turning *turning, StError *error) {
  StText scene = {0};
  write_turning(lab, index, volume, &scene);
  StStatus status = st_lab_simulate(lab, case_names[index], &scene, &turning->recording, error);
  st_text_free(&scene);
  return status == ST_OK ? measure(turning, error) : status;
}

// Load at rest, N, and the volume in which the air then has its pressure, m³.
typedef struct Pressing {
  double load, volume;
} Pressing;

static StStatus press(StLab *lab, Pressing *pressing, StError *error) {
  StText scene = {0};
  StRecording recording;
  write_pressing(lab, &scene);
  StStatus status = st_lab_prepare(lab, "press", &scene, &recording, error);
  st_text_free(&scene);
  ST_TRY(status);
  pressing->volume = st_recording_last(&recording, "volume(air)");
  pressing->load = st_recording_last(&recording, "normal(tyre|ground)");
  if (recording.state != ST_RECORDING_FINISHED)
    status = st_fail(error, ST_NOT_SOLVED,
                     "the tyre could not be pressed onto the ground: %s; a smaller `press` is "
                     "easier",
                     recording.reason ? recording.reason : "no reason was recorded");
  st_recording_close(&recording);
  return status;
}

// The contact as a whole lets go when next to nothing of it sticks any more, and has caught again
// when most of it does.
typedef struct Slips {
  int slides, catches;
  double most;  // greatest traction
  double first; // s, when it first lets go; NAN: never
  double fall;  // from the greatest traction before that to the least while it then slides
} Slips;

static Slips find_slips(const Turning *turning) {
  const double *time = st_recording_column(&turning->recording, "time");
  const double *share = st_recording_column(&turning->recording, "sticking_share(tyre|ground)");
  Slips slips = {.most = NAN, .first = NAN, .fall = NAN};
  double before = 0;
  bool sliding = false;
  for (long i = 0; turning->traction && share && i < turning->recording.rows; i++) {
    double now = turning->traction[i];
    if (!sliding && share[i] < let_go) {
      if (slips.slides++ == 0)
        slips.first = time[i], slips.fall = 0;
      before = slips.most, sliding = true;
    } else if (sliding && share[i] > caught)
      slips.catches++, sliding = false;
    if (sliding && slips.slides == 1)
      slips.fall = fmax(slips.fall, before - now);
    slips.most = fmax(slips.most, now);
  }
  return slips;
}

static double greatest(const double *value, int count) {
  double most = NAN;
  for (int i = 0; i < count; i++)
    most = fmax(most, value[i]);
  return most;
}

static const StColumn columns[] = {{"static friction", NULL, 3},
                                   {"dynamic friction", NULL, 3},
                                   {"greatest traction / load", NULL, 3},
                                   {"lets go", "s", 3},
                                   {"fall of traction / load", NULL, 3},
                                   {"slides", "times", 3},
                                   {"sticks again", "times", 3},
                                   {"greatest lag of the tread", "deg", 3},
                                   {"bend of the walls, pressed", "1/m", 3},
                                   {"greatest bend", "1/m", 3}};

static void add_row(const StLab *lab, int index, const Turning *turning, StResultTable *table) {
  Slips slips = find_slips(turning);
  const StTyreCourse *course = &turning->course;
  st_cell_number(table, static_coefficient(lab, index));
  st_cell_number(table, st_lab_value(lab, "dynamic"));
  st_cell_number(table, slips.most);
  if (isnan(slips.first) && turning->recording.state == ST_RECORDING_FINISHED)
    st_cell_lacks(table, "never", NAN);
  else
    st_case_cell(table, turning->recording.state, slips.first);
  st_case_cell(table, turning->recording.state, slips.fall);
  st_cell_number(table, slips.slides);
  st_cell_number(table, slips.catches);
  st_cell_number(table, greatest(course->lag, course->frames) * 180 / M_PI);
  st_cell_number(table, course->frames ? course->bend[0] : NAN);
  st_cell_number(table, greatest(course->bend, course->frames));
}

static void add_tables(StLab *lab, const Turning *turning) {
  enum { OWN = 2, NAMED = 1 };
  StColumn one[NAMED + ST_LENGTH(columns)] = {{"case", NULL, 0}};
  memcpy(one + NAMED, columns, sizeof columns);
  StResultTable *table = st_result_add_table(lab->result, "The rim turns, the ground holds", one,
                                             NAMED + ST_LENGTH(columns));
  for (int c = 0; c < CASES; c++)
    if (turning[c].recording.state) {
      st_cell_text(table, "%s", case_names[c]);
      add_row(lab, c, &turning[c], table);
    }
  StColumn other[OWN + ST_COST_COLUMNS] = {{"case", NULL, 0}, {"triangles", NULL, 6}};
  memcpy(other + OWN, st_cost_columns, sizeof st_cost_columns);
  table = st_result_add_table(lab->result, "Cost", other, OWN + ST_COST_COLUMNS);
  for (int c = 0; c < CASES; c++)
    if (turning[c].recording.state) {
      st_cell_text(table, "%s", case_names[c]);
      st_cell_number(table, (double)turning[c].recording.cost.triangles);
      st_cost_cells(table, &turning[c].recording, c == STICKING ? 20 : NAN, NAN);
    }
}

enum { TRACTION, STUCK, LAG, BEND, PANELS };

static StPlotSeries series_of(const Turning *turning, int panel, const char *name) {
  const StRecording *recording = &turning->recording;
  const StTyreCourse *course = &turning->course;
  StPlotSeries series = {.name = name, .style = ST_PLOT_LINE};
  bool of_frames = panel == LAG || panel == BEND;
  series.count = of_frames ? course->frames : (int)recording->rows;
  series.x = of_frames ? course->time : st_recording_column(recording, "time");
  series.y = panel == TRACTION ? turning->traction
             : panel == STUCK  ? st_recording_column(recording, "sticking_share(tyre|ground)")
             : panel == LAG    ? course->lag
                               : course->bend;
  return series;
}

static StStatus draw(StLab *lab, const Turning *turning, StError *error) {
  static const char *const title[PANELS] = {"Traction", "Sticking", "Lag", "Wrinkles"};
  static const StPlotAxis axis[PANELS] = {
      {.label = "traction over load"},
      {.label = "share of the contact that sticks"},
      {.label = "rim ahead of the tread (deg)", .unit = M_PI / 180},
      {.label = "bend of the side walls (1/m)"}};
  StPlotSeries series[PANELS][CASES];
  StPlot plot[PANELS];
  char name[CASES][48];
  for (int p = 0; p < PANELS; p++) {
    int count = 0;
    for (int c = 0; c < CASES; c++) {
      snprintf(name[c], sizeof name[c], "static %.3g", static_coefficient(lab, c));
      if (turning[c].traction)
        series[p][count++] = series_of(&turning[c], p, name[c]);
    }
    plot[p] = (StPlot){.title = title[p],
                       .x = {.label = "time (s)"},
                       .y = axis[p],
                       .series_count = count,
                       .series = series[p]};
  }
  return st_lab_plot(lab, "course.svg", plot, PANELS, 2, error);
}

static StStatus run(StLab *lab, StError *error) {
  Turning turning[CASES] = {0};
  Pressing pressing;
  st_lab_expect(lab, 1 + CASES);
  ST_TRY(press(lab, &pressing, error));
  StStatus status = ST_OK;
  for (int c = 0; c < CASES && status == ST_OK; c++)
    status = run_case(lab, c, pressing.volume, &turning[c], error);
  if (status == ST_OK) {
    add_tables(lab, turning);
    status = draw(lab, turning, error);
  }
  for (int c = 0; c < CASES; c++)
    close_turning(&turning[c]);
  st_result_add_note(
      lab->result,
      "The ground carries %.3g kN. It lets go when less than %g %% of the contact stick, and "
      "sticks "
      "again when %g %% do. Lag: how far the rim is ahead of the mean of the tread. Bend: the even "
      "curvature of the side walls, beyond that at rest, with the same bending energy.",
      pressing.load * 1e-3, let_go * 100, caught * 100);
  return status;
}

const StExperiment st_experiment_tyre_wrinkle = {
    .name = "tyre-wrinkle",
    .summary = "A soft tyre of two materials stands on the ground and its rim is turned in place: "
               "wrinkles of the walls and stick-slip of the tread, compared with a single "
               "coefficient of friction.",
    .paper = "the tyre sticks at first and is then dragged; its walls wrinkle as those of "
             "dragsters do. 93K triangles with h = 0.00125 s take 20 s per frame.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
