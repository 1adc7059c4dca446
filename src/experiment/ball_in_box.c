// The ball in a box: a rubber ball that spins 0.8 turns a step bounces about in an elastic box. The
// trapezoidal rule on the whole net force against the one that leaves contact out of it, and both
// bodies alone, held at their feet, to see that elasticity is not to blame.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/scene_text.h"

#include <stdio.h>
#include <string.h>

static const char *const integrators[] = {"tr", "tr_decoupled"};
enum { INTEGRATORS = ST_LENGTH(integrators) };

// Cells of the ball along a quarter of its circumference, of the box along an edge. What happens
// differs from mesh to mesh, so that one alone shows nothing.
static const int meshes[][2] = {{2, 4}, {2, 5}, {3, 4}, {3, 5}};
enum { MESHES = ST_LENGTH(meshes) };

typedef enum Cast { BOTH, BALL, BOX, CASTS } Cast; // what takes part
static const char *const cast_names[CASTS] = {"both", "ball", "box"};

enum { FRAMES, ALONE_FRAMES, STEP, RADIUS, INSIDE, WALL, DAMPING, THICKNESS, STIFFNESS, BLOW_UP };

static const StParam params[] = {
    [FRAMES] = {.name = "frames",
                .doc = "Frames of the ball in the box; each is a step unless one has to be halved.",
                .kind = ST_INTEGER,
                .fallback = 20,
                .min = 1,
                .max = 1e6},
    [ALONE_FRAMES] = {.name = "alone_frames",
                      .doc = "Frames of each body alone.",
                      .kind = ST_INTEGER,
                      .fallback = 60,
                      .min = 1,
                      .max = 1e6},
    [STEP] = {.name = "step",
              .doc = "Time step.",
              .dimension = {.s = 1},
              .fallback = 0.01,
              .max = 1,
              .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Radius of the ball.",
                .dimension = {.m = 1},
                .fallback = 0.02,
                .max = 1,
                .min_open = true},
    [INSIDE] = {.name = "inside",
                .doc = "Width of the hollow of the box.",
                .dimension = {.m = 1},
                .fallback = 0.1,
                .max = 10,
                .min_open = true},
    [WALL] = {.name = "wall",
              .doc = "Thickness of the walls of the box.",
              .dimension = {.m = 1},
              .fallback = 0.01,
              .max = 1,
              .min_open = true},
    [DAMPING] = {.name = "damping",
                 .doc = "Damping by stiffness: the paper's 0.1, times its step.",
                 .dimension = {.s = 1},
                 .fallback = 1e-3,
                 .max = 1},
    [THICKNESS] = {.name = "thickness",
                   .doc = "Gap at which contact begins.",
                   .dimension = {.m = 1},
                   .fallback = 2e-3,
                   .max = 0.1,
                   .min_open = true},
    [STIFFNESS] = {.name = "stiffness",
                   .doc = "Of contact, before it grows by itself.",
                   .dimension = {.kg = 1, .m = -2, .s = -2},
                   .fallback = 1e6,
                   .max = INFINITY,
                   .min_open = true},
    [BLOW_UP] = {.name = "blow_up",
                 .doc = "Beyond this many times its first kinetic energy it has blown up.",
                 .fallback = 2,
                 .min = 1,
                 .max = INFINITY},
};

static const StPreset at_paper_size[] = {{"frames", 800}, {"alone_frames", 800}};

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

static void write_materials(const StLab *lab, StText *scene) {
  double damping = st_lab_value(lab, "damping");
  st_scene_text(scene,
                "  'materials': {\n"
                "    'ball': { 'young': '50 kPa', 'poisson': 0.45, 'density': '500 kg/m^3', "
                "'stiffness_damping': '%.12g s' },\n"
                "    'box': { 'young': '500 kPa', 'poisson': 0.1, 'density': '10000 kg/m^3', "
                "'stiffness_damping': '%.12g s' }\n"
                "  },\n",
                damping, damping);
}

static void write_ball(const StLab *lab, const Case *one, StText *scene) {
  bool flies = one->cast == BOTH;
  st_scene_text(scene,
                "    'ball': {\n"
                "      'shape': { 'type': 'sphere', 'radius': '%.12g m', 'cells': %d },\n"
                "      'material': 'ball'%s\n",
                st_lab_value(lab, "radius"), meshes[one->mesh][0], flies ? "," : "");
  if (flies)
    st_scene_text(scene, "      'velocity': ['-0.923 m/s', '-0.385 m/s', 0],\n"
                         "      'angular_velocity': [0, '4800 rpm', 0]\n");
  st_scene_text(scene, "    }");
}

static void write_box(const StLab *lab, const Case *one, StText *scene) {
  double wall = st_lab_value(lab, "wall"), size = st_lab_value(lab, "inside") + 2 * wall;
  int cells = meshes[one->mesh][1];
  st_scene_text(scene,
                "    'box': {\n"
                "      'shape': { 'type': 'hollow_box', 'size_x': '%.12g m', 'size_y': '%.12g m', "
                "'size_z': '%.12g m',\n"
                "                 'thickness': '%.12g m', 'layers': 1, 'cells_x': %d, "
                "'cells_y': %d, 'cells_z': %d },\n"
                "      'material': 'box'\n"
                "    }",
                size, size, size, wall, cells, cells, cells);
}

static void write_bodies(const StLab *lab, const Case *one, StText *scene) {
  st_scene_text(scene, "  'bodies': {\n");
  if (one->cast != BOX)
    write_ball(lab, one, scene);
  if (one->cast == BOTH)
    st_scene_text(scene, ",\n");
  if (one->cast != BALL)
    write_box(lab, one, scene);
  st_scene_text(scene, "\n  },\n");
}

// The box stands on a table; a ball alone is held by its lowest part.
static void write_feet(const StLab *lab, const Case *one, StText *scene) {
  if (one->cast == BALL)
    st_scene_text(
        scene,
        "  'boundaries': {\n"
        "    'foot': { 'body': 'ball', 'region': { 'plane': { 'point': [0, 0, '%.12g m'], "
        "'normal': 'z', 'side': 'behind' } } }\n"
        "  },\n",
        -st_lab_value(lab, "radius") / 2);
  else
    st_scene_text(scene, "  'boundaries': {\n"
                         "    'foot': { 'body': 'box', 'region': { 'label': 'z-' } }\n"
                         "  },\n");
}

static void write_contact(const StLab *lab, StText *scene) {
  st_scene_text(
      scene,
      "  'friction': [ { 'between': ['ball', 'box'], 'dynamic': 0.1, 'stick': 'velocity' } ],\n"
      "  'contact': { 'method': 'smooth', 'thickness': '%.12g m', 'stiffness': '%.12g Pa/m' },\n",
      st_lab_value(lab, "thickness"), st_lab_value(lab, "stiffness"));
}

static void write_scene(const StLab *lab, const Case *one, StText *scene) {
  double step = st_lab_value(lab, "step");
  double frames = st_lab_value(lab, one->cast == BOTH ? "frames" : "alone_frames");
  st_scene_text(scene,
                "// A ball that spins by %.3g turns a step in an elastic box.\n"
                "{\n"
                "  'title': 'Ball in a box, %s',\n",
                80 * step, one->name);
  write_materials(lab, scene);
  write_bodies(lab, one, scene);
  write_feet(lab, one, scene);
  if (one->cast == BOTH)
    write_contact(lab, scene);
  st_scene_text(scene,
                "  // A step that cannot be taken in 64 parts either has failed.\n"
                "  'time': { 'duration': '%.12g s', 'step': '%.12g s', 'frame_rate': '%.12g Hz', "
                "'smallest_step': '%.12g s' },\n"
                "  'integrator': '%s',\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                frames * step, step, 1 / step, step / 64, integrators[one->integrator]);
}

// What came of a ball in the box.
typedef struct Fate {
  bool failed;
  double blow_up;    // s, when its energy was too much or a step could not be solved; NAN: never
  double most, last; // kinetic energy over that at the start
  double total;      // J, energy lost from the start to the end
} Fate;

static Fate measure(const StLab *lab, const StRecording *recording) {
  const double *time = st_recording_column(recording, "time");
  const double *kinetic = st_recording_column(recording, "kinetic_energy");
  const double *total = st_recording_column(recording, "total_energy");
  long last = recording->rows - 1;
  Fate fate = {.failed = recording->state == ST_RECORDING_FAILED, .blow_up = NAN};
  for (long row = 0; row <= last; row++) {
    double ratio = kinetic[row] / kinetic[0];
    fate.most = row > 0 ? fmax(fate.most, ratio) : 0;
    if (isnan(fate.blow_up) && ratio > st_lab_value(lab, "blow_up"))
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
static StStatus keep(const StRecording *recording, Course *course, StError *error) {
  static const char *const names[] = {"time", "kinetic_energy", "total_energy", "centre_of_mass_z"};
  size_t rows = (size_t)recording->rows;
  double *block = ST_NEW(double, ST_LENGTH(names) * rows);
  if (!block)
    return st_fail_memory(error);
  for (size_t i = 0; i < ST_LENGTH(names); i++)
    memcpy(block + i * rows, st_recording_column(recording, names[i]), rows * sizeof(double));
  *course = (Course){(int)rows, block, block + rows, block + 2 * rows, block + 3 * rows};
  return ST_OK;
}

static const StColumn fate_columns[] = {{"integrator", NULL, 0},  {"ball cells", NULL, 0},
                                        {"box cells", NULL, 0},   {"outcome", NULL, 0},
                                        {"blows up at", "s", 3},  {"largest energy", NULL, 3},
                                        {"last energy", NULL, 3}, {"lost in all", "J", 3},
                                        {"frames", NULL, 0},      {"Newton per step", NULL, 3}};

static void add_fate(const StLab *lab, const Case *one, const StRecording *recording,
                     Courses *courses, StResultTable *table) {
  Fate fate = measure(lab, recording);
  courses->cases[one->integrator]++;
  courses->blown_up[one->integrator] += !isnan(fate.blow_up);
  st_cell_text(table, "%s", integrators[one->integrator]);
  st_cell_number(table, meshes[one->mesh][0]);
  st_cell_number(table, meshes[one->mesh][1]);
  const char *lack = st_case_lack(recording->state);
  st_cell_text(table, "%s", !isnan(fate.blow_up) ? "blows up" : lack ? lack : "bounded");
  st_cell_number(table, fate.blow_up);
  st_cell_number(table, fate.most);
  st_cell_number(table, fate.last);
  st_cell_number(table, fate.total);
  st_cell_number(table, (double)recording->cost.frames);
  st_cell_number(table, recording->cost.newton_per_step);
}

static const StColumn alone_columns[] = {
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

static void add_swing(const Case *one, const Course *course, StResultTable *table) {
  int fifth = (course->rows + 4) / 5;
  st_cell_text(table, "%s", cast_names[one->cast]);
  st_cell_text(table, "%s", integrators[one->integrator]);
  st_cell_number(table, 1e3 * swing(course, 0, fifth));
  st_cell_number(table, 1e3 * swing(course, course->rows - fifth, course->rows));
}

static StStatus run_case(StLab *lab, const Case *one, Courses *courses, StResultTable *table,
                         StError *error) {
  StText scene = {0};
  StRecording recording;
  write_scene(lab, one, &scene);
  StStatus status = st_lab_simulate(lab, one->name, &scene, &recording, error);
  st_text_free(&scene);
  if (status != ST_OK || recording.state == ST_RECORDING_MISSING)
    return status;
  Course *course = &courses->of[one->cast][one->integrator][one->mesh];
  status = keep(&recording, course, error);
  if (status == ST_OK && one->cast == BOTH)
    add_fate(lab, one, &recording, courses, table);
  else if (status == ST_OK)
    add_swing(one, course, table);
  st_recording_close(&recording);
  return status;
}

static StStatus run_all(StLab *lab, Courses *courses, StError *error) {
  st_lab_expect(lab, (MESHES + 2) * INTEGRATORS);
  StResultTable *fates = st_result_add_table(lab->result,
                                             "The ball in the box: kinetic energy "
                                             "over that at the start",
                                             fate_columns, ST_LENGTH(fate_columns));
  StResultTable *alone = st_result_add_table(
      lab->result, "Each body alone: height of its centre of mass, in the first and the last fifth",
      alone_columns, ST_LENGTH(alone_columns));
  for (Cast cast = BOTH; cast < CASTS; cast++)
    for (int m = cast == BOTH ? 0 : MESHES - 1; m < MESHES; m++)
      for (int i = 0; i < INTEGRATORS; i++) {
        Case one = case_of(cast, i, m);
        ST_TRY(run_case(lab, &one, courses, cast == BOTH ? fates : alone, error));
      }
  return ST_OK;
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
enum { PANELS = ST_LENGTH(panels), LINES = INTEGRATORS * MESHES };

// Meshes that were not run have no rows; each integrator is named once.
static StPlot draw_panel(const Courses *courses, const Panel *panel, StPlotSeries series[LINES]) {
  int lines = 0;
  for (int i = 0; i < INTEGRATORS; i++)
    for (int m = 0; m < MESHES; m++) {
      const Course *course = &courses->of[panel->cast][i][m];
      if (course->rows > 0)
        series[lines++] = (StPlotSeries){.name = m == MESHES - 1 ? integrators[i] : NULL,
                                         .style = ST_PLOT_LINE,
                                         .dash = i ? ST_PLOT_DASHED : ST_PLOT_SOLID,
                                         .count = course->rows,
                                         .x = course->time,
                                         .y = column_of(course, panel->quantity)};
    }
  return (StPlot){
      .title = panel->title,
      .x = {.label = "time (s)"},
      .y = {.label = panel->axis, .logarithmic = panel->logarithmic, .unit = panel->unit},
      .series_count = lines,
      .series = series};
}

static StStatus draw(StLab *lab, const Courses *courses, StError *error) {
  StPlotSeries series[PANELS][LINES];
  StPlot plot[PANELS];
  for (int p = 0; p < PANELS; p++)
    plot[p] = draw_panel(courses, &panels[p], series[p]);
  return st_lab_plot(lab, "energy.svg", plot, PANELS, 2, error);
}

static StStatus run(StLab *lab, StError *error) {
  Courses courses = {0};
  StStatus status = run_all(lab, &courses, error);
  if (status == ST_OK)
    status = draw(lab, &courses, error);
  free_courses(&courses);
  for (int i = 0; i < INTEGRATORS; i++)
    st_result_add_note(lab->result, "%s blows up on %d of %d meshes.", integrators[i],
                       courses.blown_up[i], courses.cases[i]);
  st_result_add_note(lab->result,
                     "Blown up: more than %g times the kinetic energy of the start, or a step that "
                     "cannot be solved in 64 parts either.",
                     st_lab_value(lab, "blow_up"));
  return status;
}

const StExperiment st_experiment_ball_in_box = {
    .name = "ball-in-box",
    .summary = "A ball that spins 0.8 turns per step bounces in an elastic box: energy under the "
               "trapezoidal rule with and without contact in it, and each body alone.",
    .paper = "the trapezoidal rule on the whole net force is stable and the energy is dissipated "
             "in the end; with contact left out of it the scene blows up, although each body alone "
             "swings no more than with the other.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
