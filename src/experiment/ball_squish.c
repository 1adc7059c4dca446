// The ball squish: a hollow ball is pressed flat between two plates. How much of its hollow is lost
// with and without something in it, and what each solver takes for it, as in the paper's tables.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/scene_text.h"

#include <stdio.h>
#include <string.h>

// Cells along a quarter circle and through the wall make 30 cells² layers tets.
static const struct {
  const char *name;
  double elements; // the paper's
  int cells, layers;
} meshes[] = {{"1K", 1e3, 6, 1}, {"55K", 55e3, 30, 2}, {"160K", 160e3, 42, 3}};
enum { MESHES = ST_LENGTH(meshes) };

// What it is filled with: 1/atm; 0: nothing that resists.
static const double fillings[] = {1, 0.01, 0};
static const char *const filling_names[] = {"1", "0.01", "none"};

typedef enum Solver { EXACT, INEXACT, ITERATIVE } Solver;
static const struct {
  const char *name, *type, *coupling;
} solvers[] = {{"direct, exact", "direct", "exact"},
               {"direct, inexact", "direct", "inexact"},
               {"iterative", "iterative", "exact"}};

// Volume loss in %, seconds per frame and GB of the paper; NAN: it has none. What it calls direct
// is inexact where there is a choice.
typedef struct Paper {
  double loss, seconds, memory;
} Paper;

typedef struct Row {
  int mesh;
  double young; // kPa
  int filling;
  Solver solver;
  Paper paper;
} Row;

static const Row rows[] = {
    {0, 100, 0, EXACT, {33.6, 0.832, 0.393}},      {0, 100, 0, INEXACT, {33.6, 0.354, 0.228}},
    {0, 100, 0, ITERATIVE, {33.6, 0.391, 0.081}},  {1, 100, 0, EXACT, {27.8, NAN, NAN}},
    {1, 100, 0, INEXACT, {27.8, 15.9, 1.69}},      {1, 100, 0, ITERATIVE, {27.8, 31.9, 0.719}},
    {2, 100, 0, EXACT, {27.7, NAN, NAN}},          {2, 100, 0, INEXACT, {27.7, 61.0, 4.26}},
    {2, 100, 0, ITERATIVE, {27.7, 111, 1.92}},     {0, 100, 1, EXACT, {0.49, 0.871, 0.672}},
    {0, 100, 1, INEXACT, {0.49, 1.08, 0.478}},     {0, 100, 1, ITERATIVE, {0.49, 0.463, 0.214}},
    {1, 100, 1, EXACT, {0.36, NAN, NAN}},          {1, 100, 1, INEXACT, {0.36, 89.1, 2.03}},
    {1, 100, 1, ITERATIVE, {0.36, 42.6, 0.884}},   {0, 1000, 2, EXACT, {74.3, 0.312, 0.388}},
    {0, 1000, 2, ITERATIVE, {74.3, 0.593, 0.097}}, {1, 1000, 2, EXACT, {74.6, 8.28, 1.52}},
    {1, 1000, 2, ITERATIVE, {74.6, 28.3, 0.732}},  {2, 1000, 2, EXACT, {75.0, 25.5, 4.14}},
    {2, 1000, 2, ITERATIVE, {75.0, 56.2, 2.62}},   {0, 100, 2, EXACT, {NAN, NAN, NAN}},
    {0, 1000, 0, EXACT, {NAN, NAN, NAN}},          {0, 1000, 1, EXACT, {NAN, NAN, NAN}},
};
enum { ROWS = ST_LENGTH(rows) };

enum {
  MOST_ELEMENTS,
  FRAMES,
  LARGE_FRAMES,
  INEXACT_TOO,
  STEP,
  RADIUS,
  THICKNESS,
  TRAVEL,
  POISSON,
  FRICTION
};

#define SHARE(key, value, text)                                                                    \
  { .name = key, .doc = text, .fallback = value, .max = 1, .min_open = true, .max_open = true }

static const StParam params[] = {
    [MOST_ELEMENTS] = {.name = "most_elements",
                       .doc = "Meshes of about 1000, 55 000 and 160 000 elements that have more "
                              "are left out.",
                       .fallback = 1e3,
                       .max = INFINITY},
    [FRAMES] = {.name = "frames",
                .doc = "Frames, a step each, in which the plates make their way: with fewer of the "
                       "same step they are faster.",
                .kind = ST_INTEGER,
                .fallback = 67,
                .min = 8,
                .max = 1e6},
    [LARGE_FRAMES] = {.name = "large_frames",
                      .doc = "The same for meshes beyond 1000 elements.",
                      .kind = ST_INTEGER,
                      .fallback = 67,
                      .min = 8,
                      .max = 1e6},
    [INEXACT_TOO] = {.name = "inexact",
                     .doc = "Whether to solve without what couples the whole hollow too, which "
                            "takes long where it is filled with water.",
                     .kind = ST_BOOLEAN},
    [STEP] = {.name = "step",
              .doc = "Time step.",
              .dimension = {.s = 1},
              .fallback = 12e-3,
              .max = 0.1,
              .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Of the ball, outside.",
                .dimension = {.m = 1},
                .fallback = 0.1,
                .max = INFINITY,
                .min_open = true},
    [THICKNESS] = SHARE("thickness", 0.4, "Of the wall, in radii."),
    [TRAVEL] = SHARE("travel", 0.608, "How far each plate comes, in radii of the ball."),
    [POISSON] =
        {.name = "poisson", .doc = "Of the wall.", .fallback = 0.45, .max = 0.5, .max_open = true},
    [FRICTION] = {.name = "friction",
                  .doc = "Coefficient between ball and plates.",
                  .fallback = 0.5,
                  .max = 10},
};

static const StPreset at_paper_size[] = {
    {"most_elements", 160e3}, {"frames", 804}, {"inexact", 1}, {"step", 1e-3}};

static bool wanted(const StLab *lab, int row) {
  return meshes[rows[row].mesh].elements <= st_lab_value(lab, "most_elements") &&
         (rows[row].solver != INEXACT || st_lab_value(lab, "inexact") != 0);
}

static void name_case(const Row *row, char *name, size_t size) {
  static const char *const word[] = {"exact", "inexact", "iterative"};
  snprintf(name, size, "%s-E%g-kappa-%s-%s", meshes[row->mesh].name, row->young,
           filling_names[row->filling], word[row->solver]);
}

static void write_ball(const StLab *lab, const Row *row, StText *scene) {
  double radius = st_lab_value(lab, "radius");
  st_scene_text(scene,
                "  'materials': { 'rubber': { 'young': '%g kPa', 'poisson': %g, "
                "'density': '1000 kg/m^3' } },\n"
                "  'bodies': {\n"
                "    'ball': { 'shape': { 'type': 'hollow_ball', 'radius': '%.12g m', "
                "'thickness': '%.12g m',\n"
                "                         'cells': %d, 'layers': %d } }\n"
                "  },\n",
                row->young, st_lab_value(lab, "poisson"), radius,
                radius * st_lab_value(lab, "thickness"), meshes[row->mesh].cells,
                meshes[row->mesh].layers);
  if (fillings[row->filling] > 0)
    st_scene_text(scene,
                  "  'volumes': { 'hollow': { 'body': 'ball', 'model': 'quadratic', "
                  "'compressibility': '%g 1/atm' } },\n",
                  fillings[row->filling]);
  else
    st_scene_text(scene, "  // As much inside as outside, whatever happens: it is only measured.\n"
                         "  'volumes': { 'hollow': { 'body': 'ball', 'model': 'prescribed' } },\n");
}

static int frame_count(const StLab *lab, const Row *row) {
  return (int)st_lab_value(lab, row->mesh > 0 ? "large_frames" : "frames");
}

// Of the paper's 804 frames the last four stand still.
static double way_time(const StLab *lab, const Row *row) {
  return frame_count(lab, row) * st_lab_value(lab, "step") * 200 / 201;
}

static double contact_thickness(const StLab *lab) {
  return 5e-3 * st_lab_value(lab, "radius");
}

static void write_plate(const StLab *lab, const Row *row, const char *name, double up,
                        StText *scene) {
  double radius = st_lab_value(lab, "radius"), thickness = contact_thickness(lab);
  st_scene_text(scene,
                "    '%s': { 'shape': { 'type': 'half_space', 'normal': '%sz' }, "
                "'translate': [0, 0, '%.12g m'],\n"
                "      'motion': { 'interpolation': 'smooth', 'keys': [\n"
                "        { 'time': 0, 'translate': [0, 0, 0] },\n"
                "        { 'time': '%.12g s', 'translate': [0, 0, '%.12g m'] } ] } }%s\n",
                name, up > 0 ? "-" : "", up * (radius + thickness), way_time(lab, row),
                -up * radius * st_lab_value(lab, "travel"), up > 0 ? "" : ",");
}

static void write_scene(const StLab *lab, const Row *row, StText *scene) {
  double step = st_lab_value(lab, "step"), friction = st_lab_value(lab, "friction");
  st_scene_text(scene,
                "// A hollow ball between two plates that come together.\n"
                "{\n"
                "  'title': 'Ball squish, %s elements, E = %g kPa, %s',\n",
                meshes[row->mesh].name, row->young, solvers[row->solver].name);
  write_ball(lab, row, scene);
  st_scene_text(scene, "  'obstacles': {\n");
  write_plate(lab, row, "below", -1, scene);
  write_plate(lab, row, "above", 1, scene);
  st_scene_text(
      scene,
      "  },\n"
      "  'friction': [ { 'between': ['any', 'any'], 'stick': 'velocity', 'dynamic': %g, "
      "'sticking_speed': '%.12g m/s' } ],\n"
      "  // Holds what air pressed to three quarters of its volume pushes with, at half "
      "of the thickness.\n"
      "  'contact': { 'method': 'smooth', 'thickness': '%.12g m', 'stiffness': '%.12g Pa/m' },\n"
      "  'gravity': 0,\n",
      friction, 0.05 * st_lab_value(lab, "radius"), contact_thickness(lab),
      4 * 30e3 / (3 * contact_thickness(lab)));
  st_scene_text(scene,
                "  'time': { 'duration': '%.12g s', 'step': '%.12g s', 'frame_rate': '%.12g Hz' "
                "},\n"
                "  'integrator': 'be',\n"
                "  'solver': { 'type': '%s', 'coupling': '%s' },\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                frame_count(lab, row) * step, step, 1 / step, solvers[row->solver].type,
                solvers[row->solver].coupling);
}

// In % of what there was at first.
static double loss_of(const StRecording *recording) {
  const double *volume = st_recording_column(recording, "volume(hollow)");
  bool ended = recording->state == ST_RECORDING_FINISHED;
  return volume && ended ? 100 * (1 - volume[recording->rows - 1] / volume[0]) : NAN;
}

static const StColumn row_columns[] = {
    {"elements", NULL, 0}, {"solver", NULL, 0}, {"tetrahedra", NULL, 6}, {"volume loss", "%", 3}};
enum { ROW_COLUMNS = ST_LENGTH(row_columns), COLUMNS = ROW_COLUMNS + ST_COST_COLUMNS };

static const char *solver_name(const Row *row) {
  bool choice = fillings[row->filling] > 0 || row->solver == ITERATIVE;
  return choice ? solvers[row->solver].name : "direct";
}

static void add_row(const Row *row, const StRecording *recording, StResultTable *table) {
  st_cell_text(table, "%s", meshes[row->mesh].name);
  st_cell_text(table, "%s", solver_name(row));
  st_cell_number(table, (double)recording->cost.tets);
  st_case_cell_beside(table, recording->state, loss_of(recording), row->paper.loss);
  st_cost_cells(table, recording, row->paper.seconds, row->paper.memory);
}

static void add_cost_table(StLab *lab, double young, int filling, const StRecording *recording) {
  StColumn column[COLUMNS];
  memcpy(column, row_columns, sizeof row_columns);
  memcpy(column + ROW_COLUMNS, st_cost_columns, sizeof st_cost_columns);
  char title[80];
  if (fillings[filling] > 0)
    snprintf(title, sizeof title, "E = %g kPa, κ_v = %s/atm", young, filling_names[filling]);
  else
    snprintf(title, sizeof title, "E = %g kPa, nothing inside that resists", young);
  StResultTable *table = st_result_add_table(lab->result, title, column, COLUMNS);
  for (int r = 0; r < ROWS; r++)
    if (rows[r].young == young && rows[r].filling == filling && recording[r].state)
      add_row(&rows[r], &recording[r], table);
}

// The first case of that kind that has ended, by whatever solver; else one that has not, or none.
static const StRecording *case_at(const StRecording *recording, int mesh, double young,
                                  int filling) {
  static const StRecording none = {.state = ST_RECORDING_MISSING};
  const StRecording *found = &none;
  for (int r = 0; r < ROWS && found->state != ST_RECORDING_FINISHED; r++)
    if (rows[r].mesh == mesh && rows[r].young == young && rows[r].filling == filling &&
        recording[r].state)
      found = &recording[r];
  return found;
}

static void add_loss_table(StLab *lab, const StRecording *recording) {
  static const StColumn column[] = {{"elements", NULL, 0},
                                    {"Young's modulus", "kPa", 4},
                                    {"κ_v = none", "%", 3},
                                    {"κ_v = 1/atm", "%", 3},
                                    {"κ_v = 0.01/atm", "%", 3}};
  StResultTable *table =
      st_result_add_table(lab->result, "Volume lost inside", column, ST_LENGTH(column));
  for (int m = 0; m < MESHES; m++)
    for (double young = 100; young <= 1000; young *= 10) {
      const StRecording *of[3] = {case_at(recording, m, young, 2), case_at(recording, m, young, 0),
                                  case_at(recording, m, young, 1)};
      if (!of[0]->state && !of[1]->state && !of[2]->state)
        continue;
      st_cell_text(table, "%s", meshes[m].name);
      st_cell_number(table, young);
      for (int i = 0; i < 3; i++)
        st_case_cell(table, of[i]->state, loss_of(of[i]));
    }
}

static double *course_of(const StLab *lab, const Row *row, const StRecording *recording) {
  const double *time = st_recording_column(recording, "time");
  const double *volume = st_recording_column(recording, "volume(hollow)");
  double *course = time && volume ? ST_NEW(double, 2 * recording->rows) : NULL;
  for (long i = 0; course && i < recording->rows; i++) {
    double t = fmin(1, time[i] / way_time(lab, row));
    course[i] = 2 - 2 * st_lab_value(lab, "travel") * t * t * (3 - 2 * t);
    course[recording->rows + i] = volume[i] / volume[0];
  }
  return course;
}

// One line for each mesh and setting: solvers lie on each other.
static StStatus draw(StLab *lab, const StRecording *recording, StError *error) {
  StPlotSeries series[ROWS];
  double *course[ROWS];
  char name[ROWS][64];
  int count = 0;
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state || rows[r].solver != EXACT)
      continue;
    course[count] = course_of(lab, &rows[r], &recording[r]);
    snprintf(name[count], sizeof name[count], "%s, %g kPa, κ_v %s", meshes[rows[r].mesh].name,
             rows[r].young, filling_names[rows[r].filling]);
    series[count] = (StPlotSeries){.name = name[count],
                                   .style = ST_PLOT_LINE,
                                   .dash = (StPlotDash)rows[r].mesh,
                                   .count = course[count] ? (int)recording[r].rows : 0,
                                   .x = course[count],
                                   .y = course[count] ? course[count] + recording[r].rows : NULL};
    count++;
  }
  const StPlot plot = {.title = "Volume inside as the plates come together",
                       .x = {.label = "gap between plates (radii)"},
                       .y = {.label = "volume inside (of that at first)", .low = 0, .high = 1.05},
                       .series_count = count,
                       .series = series};
  StStatus status = count ? st_lab_plot(lab, "volume.svg", &plot, 1, 1, error) : ST_OK;
  while (count > 0)
    free(course[--count]);
  return status;
}

static StStatus run_all(StLab *lab, StRecording *recording, StError *error) {
  int count = 0;
  for (int r = 0; r < ROWS; r++)
    count += wanted(lab, r);
  st_lab_expect(lab, count);
  StStatus status = ST_OK;
  for (int r = 0; r < ROWS && status == ST_OK; r++) {
    if (!wanted(lab, r))
      continue;
    char name[80];
    StText scene = {0};
    name_case(&rows[r], name, sizeof name);
    write_scene(lab, &rows[r], &scene);
    status = st_lab_simulate(lab, name, &scene, &recording[r], error);
    st_text_free(&scene);
  }
  return status;
}

static StStatus run(StLab *lab, StError *error) {
  StRecording recording[ROWS] = {0};
  StStatus status = run_all(lab, recording, error);
  if (status == ST_OK) {
    add_cost_table(lab, 100, 0, recording);
    add_cost_table(lab, 100, 1, recording);
    add_cost_table(lab, 1000, 2, recording);
    add_loss_table(lab, recording);
    status = draw(lab, recording, error);
  }
  for (int r = 0; r < ROWS; r++)
    st_recording_close(&recording[r]);
  return status;
}

const StExperiment st_experiment_ball_squish = {
    .name = "ball-squish",
    .summary = "A hollow ball is pressed between two plates, empty and filled: volume lost, and "
               "time and memory of each solver.",
    .paper = "the hollow loses 75 % when nothing is in it, 27.7 % with κ_v = 1/atm (air) and 0.36 "
             "% with 0.01/atm; iterative solves win where κ_v is small, direct ones where the wall "
             "is stiff.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
