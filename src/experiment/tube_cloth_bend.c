// The tube cloth bend: a soft arm in a sleeve of cloth bends as an elbow does. How the cloth
// gathers with little and with much friction, what the arm loses of its volume with and without
// water in it, and what each solver takes for it, as in the paper's table.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/folds.h"
#include "experiment/lab.h"
#include "experiment/scene_text.h"

#include <stdio.h>
#include <string.h>

// Cells of the arm along a quarter of its circumference and its straight part, and of the sleeve
// around and along.
static const struct {
  const char *name;
  double tets; // the paper's
  int arm_cells, arm_along, sleeve_around, sleeve_along;
} meshes[] = {{"1K tets", 1e3, 2, 16, 20, 20},
              {"5K tets", 5e3, 4, 26, 36, 42},
              {"30K tets", 30e3, 8, 27, 58, 68}};

typedef enum Solver { ITERATIVE, DIRECT } Solver;
static const char *const solver_names[] = {"iterative", "direct"};

static const double water = 4.6e-5; // 1/atm

// Seconds per frame, GB and volume loss in % of the paper; NAN: it has none.
typedef struct Paper {
  double seconds, memory, loss;
} Paper;

typedef struct Row {
  int mesh;
  double friction;
  Solver solver;
  bool filled; // with water
  Paper paper;
} Row;

static const Row rows[] = {
    {0, 0.2, ITERATIVE, false, {NAN, NAN, NAN}},
    {0, 0.2, DIRECT, false, {NAN, NAN, NAN}},
    {0, 0.2, ITERATIVE, true, {NAN, NAN, NAN}},
    {0, 0.8, ITERATIVE, false, {NAN, NAN, NAN}},
    {1, 0.2, ITERATIVE, false, {4.81, 1.84, 0.962}},
    {1, 0.2, DIRECT, false, {22.1, 6.51, 0.962}},
    {1, 0.8, ITERATIVE, false, {12.7, 1.91, 0.962}},
    {1, 0.8, DIRECT, false, {25.6, 7.09, 0.962}},
    {2, 0.2, ITERATIVE, false, {8.59, 0.83, 2.55}},
    {2, 0.2, ITERATIVE, true, {12.2, 0.858, 2.44e-4}},
    {2, 0.8, ITERATIVE, false, {51.6, 0.625, 2.57}},
    {2, 0.8, ITERATIVE, true, {53.2, 0.918, 2.44e-4}},
};
enum { ROWS = ST_LENGTH(rows) };

enum {
  LEAST_TETS,
  MOST_TETS,
  FRAMES,
  LARGE_FRAMES,
  STEP,
  ANGLE,
  RADIUS,
  LENGTH,
  FIT,
  YOUNG,
  POISSON,
  BENDING,
  STICKING_SPEED
};

#define FRAME_COUNT(key, value, text)                                                              \
  { .name = key, .doc = text, .kind = ST_INTEGER, .fallback = value, .min = 4, .max = 1e6 }

static const StParam params[] = {
    [LEAST_TETS] = {.name = "least_tets",
                    .doc = "Meshes of about 1000, 5000 and 30 000 tetrahedra that have fewer are "
                           "left out.",
                    .fallback = 0,
                    .max = INFINITY},
    [MOST_TETS] = {.name = "most_tets",
                   .doc = "Meshes that have more are left out.",
                   .fallback = 1e3,
                   .max = INFINITY},
    [FRAMES] = FRAME_COUNT("frames", 40, "Frames, a step each; the arm bends in the first 80 %."),
    [LARGE_FRAMES] = FRAME_COUNT("large_frames", 40, "The same for the mesh of 30 000 tetrahedra."),
    [STEP] = {.name = "step",
              .doc = "Time step.",
              .dimension = {.s = 1},
              .fallback = 0.025,
              .max = 1,
              .min_open = true},
    [ANGLE] = {.name = "angle",
               .doc = "By how much the arm bends.",
               .dimension = {.rad = 1},
               .fallback = 80 * M_PI / 180,
               .max = 2.5,
               .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Of the arm.",
                .dimension = {.m = 1},
                .fallback = 0.05,
                .max = INFINITY,
                .min_open = true},
    [LENGTH] = {.name = "length",
                .doc = "Of the arm's straight part.",
                .dimension = {.m = 1},
                .fallback = 0.4,
                .max = INFINITY,
                .min_open = true},
    [FIT] = {.name = "fit",
             .doc = "Radius of the sleeve over that of the arm.",
             .fallback = 1.03,
             .min = 1,
             .max = 2,
             .min_open = true},
    [YOUNG] = {.name = "young",
               .doc = "Young's modulus of the arm.",
               .dimension = {.kg = 1, .m = -1, .s = -2},
               .fallback = 250e3,
               .max = INFINITY,
               .min_open = true},
    [POISSON] =
        {.name = "poisson", .doc = "Of the arm.", .fallback = 0.3, .max = 0.5, .max_open = true},
    [BENDING] = {.name = "bending",
                 .doc = "Stiffness of the cloth's hinges, a third of its plate stiffness.",
                 .dimension = {.kg = 1, .m = 2, .s = -2},
                 .fallback = 1e-4,
                 .max = INFINITY},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "What holds creeps, slower than this.",
                        .dimension = {.m = 1, .s = -1},
                        .fallback = 5e-4,
                        .max = 1,
                        .min_open = true},
};

static const StPreset at_paper_size[] = {{"least_tets", 5e3},
                                         {"most_tets", 30e3},
                                         {"frames", 250},
                                         {"large_frames", 250},
                                         {"step", 0.01}};

static bool wanted(const StLab *lab, int row) {
  double tets = meshes[rows[row].mesh].tets;
  return tets >= st_lab_value(lab, "least_tets") && tets <= st_lab_value(lab, "most_tets");
}

static void name_case(const Row *row, char *name, size_t size) {
  static const char *const mesh[] = {"1K", "5K", "30K"};
  snprintf(name, size, "%s-mu-%g-%s%s", mesh[row->mesh], row->friction, solver_names[row->solver],
           row->filled ? "-water" : "");
}

static int frame_count(const StLab *lab, const Row *row) {
  return (int)st_lab_value(lab, row->mesh > 1 ? "large_frames" : "frames");
}

static double contact_thickness(const StLab *lab) {
  return 0.02 * st_lab_value(lab, "radius");
}

static void write_materials(const StLab *lab, StText *scene) {
  st_scene_text(scene,
                "  'materials': {\n"
                "    'flesh': { 'young': '%.12g Pa', 'poisson': %.12g, 'density': '1000 kg/m^3', "
                "'stiffness_damping': '2 ms' },\n"
                "    'knit': { 'law': 'membrane', 'young': '300 N/m', 'poisson': 0.3, "
                "'area_density': '0.3 kg/m^2',\n"
                "      'bending': '%.12g J', 'stiffness_damping': '50 ms' }\n"
                "  },\n",
                st_lab_value(lab, "young"), st_lab_value(lab, "poisson"),
                st_lab_value(lab, "bending"));
}

// Both lie along x.
static void write_bodies(const StLab *lab, const Row *row, StText *scene) {
  double radius = st_lab_value(lab, "radius"), length = st_lab_value(lab, "length");
  st_scene_text(scene,
                "  'bodies': {\n"
                "    'arm': { 'shape': { 'type': 'capsule', 'radius': '%.12g m', 'length': '%.12g "
                "m',\n"
                "                        'cells': %d, 'cells_along': %d },\n"
                "      'rotate': { 'axis': 'y', 'angle': '90 deg' }, 'material': 'flesh' },\n"
                "    'sleeve': { 'shape': { 'type': 'sleeve', 'radius': '%.12g m', 'length': "
                "'%.12g m',\n"
                "                           'cells_around': %d, 'cells_along': %d },\n"
                "      'rotate': { 'axis': 'y', 'angle': '90 deg' }, 'material': 'knit' }\n"
                "  },\n",
                radius, length, meshes[row->mesh].arm_cells, meshes[row->mesh].arm_along,
                radius * st_lab_value(lab, "fit"), 0.8 * length, meshes[row->mesh].sleeve_around,
                meshes[row->mesh].sleeve_along);
}

static void write_bend(const StLab *lab, const Row *row, StText *scene) {
  st_scene_text(
      scene,
      "  'boundaries': {\n"
      "    'lower': { 'body': 'arm', 'region': { 'label': 'bottom' } },\n"
      "    'upper': { 'body': 'arm', 'region': { 'label': 'top' },\n"
      "      'motion': { 'axis': 'y', 'centre': [0, 0, 0], 'interpolation': 'smooth', "
      "'keys': [\n"
      "        { 'time': 0, 'angle': 0 }, { 'time': '%.12g s', 'angle': '%.12g rad' } ] } "
      "}\n"
      "  },\n",
      0.8 * frame_count(lab, row) * st_lab_value(lab, "step"), -st_lab_value(lab, "angle"));
  if (row->filled)
    st_scene_text(scene,
                  "  'volumes': { 'water': { 'body': 'arm', 'of': 'boundary', 'model': "
                  "'quadratic',\n"
                  "                          'compressibility': '%g 1/atm' } },\n",
                  water);
}

static void write_scene(const StLab *lab, const Row *row, StText *scene) {
  double step = st_lab_value(lab, "step"), thickness = contact_thickness(lab);
  st_scene_text(scene,
                "// A sleeve of cloth on an arm that bends.\n"
                "{\n"
                "  'title': 'Tube cloth bend, %s, mu = %g, %s',\n",
                meshes[row->mesh].name, row->friction, solver_names[row->solver]);
  write_materials(lab, scene);
  write_bodies(lab, row, scene);
  write_bend(lab, row, scene);
  st_scene_text(
      scene,
      "  'friction': [ { 'between': ['flesh', 'knit'], 'stick': 'velocity', 'dynamic': %g, "
      "'sticking_speed': "
      "'%.12g m/s' } ],\n"
      "  // Holds 400 Pa at half of the thickness.\n"
      "  'contact': { 'method': 'smooth', 'thickness': '%.12g m', 'stiffness': '%.12g Pa/m' },\n"
      "  'gravity': 0,\n",
      row->friction, st_lab_value(lab, "sticking_speed"), thickness, 4 * 400 / (3 * thickness));
  st_scene_text(scene,
                "  'time': { 'duration': '%.12g s', 'step': '%.12g s', 'frame_rate': '%.12g Hz' "
                "},\n"
                "  'integrator': 'be',\n"
                "  'solver': { 'type': '%s' },\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                frame_count(lab, row) * step, step, 1 / step, solver_names[row->solver]);
}

// What is looked at when the arm is bent.
typedef struct Outcome {
  StFolds folds;
  int points;
  double *along, *height; // [points] of the sleeve's inner line: where at rest, and above the axis
} Outcome;

enum { ARM, SLEEVE };

// The body's vertices at rest in the plane of the bend, at this height over the axis, from one end
// to the other: where they are now. NULL: memory is short.
static double *line_of(const StRecording *recording, int body, double height,
                       const double *position, double **along, int *points) {
  const StMesh *mesh = recording->description->body[body].mesh;
  const double *now = position + 3 * st_recording_first_vertex(recording, body);
  double *line = ST_NEW(double, 3 * mesh->vertex_count);
  *along = ST_NEW(double, mesh->vertex_count);
  *points = 0;
  for (int v = 0; line && *along && v < mesh->vertex_count; v++) {
    const double *rest = mesh->position + 3 * v;
    if (fabs(rest[1]) > 1e-9 || fabs(rest[2] - height) > 1e-9)
      continue;
    int at = (*points)++;
    for (; at > 0 && (*along)[at - 1] > rest[0]; at--) {
      (*along)[at] = (*along)[at - 1];
      memcpy(line + 3 * at, line + 3 * at - 3, 3 * sizeof *line);
    }
    (*along)[at] = rest[0];
    memcpy(line + 3 * at, now + 3 * v, 3 * sizeof *line);
  }
  return line;
}

// Less than this is the roundness of the mesh.
static double least_fold(const StLab *lab) {
  return 0.03 * st_lab_value(lab, "radius");
}

static StStatus look(const StLab *lab, const StRecording *recording, Outcome *outcome,
                     StError *error) {
  if (recording->state != ST_RECORDING_FINISHED)
    return ST_OK;
  double *position = NULL, *unused = NULL;
  ST_TRY(st_recording_frame(recording, (int)recording->cost.frames, &position, error));
  int axis_points = 0;
  double radius = st_lab_value(lab, "radius");
  double *axis = line_of(recording, ARM, 0, position, &unused, &axis_points);
  double *line = line_of(recording, SLEEVE, radius * st_lab_value(lab, "fit"), position,
                         &outcome->along, &outcome->points);
  outcome->height = ST_NEW(double, outcome->points);
  bool fits = axis && unused && line && outcome->along && outcome->height;
  if (fits) {
    st_folds_heights(line, outcome->points, axis, axis_points, outcome->height);
    outcome->folds = st_folds_count(outcome->height, outcome->points, least_fold(lab));
  }
  free(position);
  free(unused);
  free(axis);
  free(line);
  return fits ? ST_OK : st_fail_memory(error);
}

// In % of what there was at first.
static double loss_of(const StRecording *recording) {
  const double *volume = st_recording_column(recording, "volume");
  bool ended = recording->state == ST_RECORDING_FINISHED;
  return volume && ended ? 100 * (1 - volume[recording->rows - 1] / volume[0]) : NAN;
}

// The least over all steps; negative: something was inside.
static double deepest_gap(const StRecording *recording) {
  const double *gap = st_recording_column(recording, "deepest_gap");
  double least = INFINITY;
  for (long i = 0; gap && i < recording->rows; i++)
    least = fmin(least, gap[i]);
  return isfinite(least) ? least : NAN;
}

static const StColumn row_columns[] = {
    {"elements", NULL, 0},  {"friction", NULL, 0},   {"solver", NULL, 0},    {"κ_v", NULL, 0},
    {"triangles", NULL, 6}, {"tetrahedra", NULL, 6}, {"volume loss", "%", 3}};
enum { ROW_COLUMNS = ST_LENGTH(row_columns), COLUMNS = ROW_COLUMNS + ST_COST_COLUMNS };

static void add_name_cells(const Row *row, StResultTable *table) {
  st_cell_text(table, "%s", meshes[row->mesh].name);
  st_cell_text(table, "%g", row->friction);
  st_cell_text(table, "%s", solver_names[row->solver]);
  st_cell_text(table, row->filled ? "4.6e-5/atm" : "none");
}

static void add_cost_table(StLab *lab, const StRecording *recording) {
  StColumn column[COLUMNS];
  memcpy(column, row_columns, sizeof row_columns);
  memcpy(column + ROW_COLUMNS, st_cost_columns, sizeof st_cost_columns);
  StResultTable *table = st_result_add_table(lab->result, "Cost and volume", column, COLUMNS);
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state)
      continue;
    add_name_cells(&rows[r], table);
    st_cell_number(table, (double)recording[r].cost.triangles);
    st_cell_number(table, (double)recording[r].cost.tets);
    st_case_cell_beside(table, recording[r].state, loss_of(&recording[r]), rows[r].paper.loss);
    st_cost_cells(table, &recording[r], rows[r].paper.seconds, rows[r].paper.memory);
  }
}

static void add_fold_table(StLab *lab, const StRecording *recording, const Outcome *outcome) {
  static const StColumn column[] = {{"elements", NULL, 0},       {"friction", NULL, 0},
                                    {"solver", NULL, 0},         {"κ_v", NULL, 0},
                                    {"folds", NULL, 3},          {"tallest", "mm", 3},
                                    {"bending energy", "mJ", 3}, {"least gap", "mm", 3}};
  StResultTable *table =
      st_result_add_table(lab->result, "Folds on the inner side", column, ST_LENGTH(column));
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state)
      continue;
    bool ended = recording[r].state == ST_RECORDING_FINISHED;
    add_name_cells(&rows[r], table);
    st_case_cell(table, recording[r].state, ended ? outcome[r].folds.count : NAN);
    st_case_cell(table, recording[r].state, ended ? 1e3 * outcome[r].folds.tallest : NAN);
    st_cell_number(table, 1e3 * st_recording_last(&recording[r], "bending_energy"));
    st_cell_number(table, 1e3 * deepest_gap(&recording[r]));
  }
}

// One line for each mesh, friction and filling: solvers lie on each other.
static StStatus draw(StLab *lab, const Outcome *outcome, StError *error) {
  StPlotSeries series[ROWS];
  char name[ROWS][64];
  int count = 0;
  for (int r = 0; r < ROWS; r++) {
    if (outcome[r].points == 0 || rows[r].solver == DIRECT)
      continue;
    snprintf(name[count], sizeof name[count], "%s, μ = %g%s", meshes[rows[r].mesh].name,
             rows[r].friction, rows[r].filled ? ", water" : "");
    series[count] = (StPlotSeries){.name = name[count],
                                   .style = ST_PLOT_LINE,
                                   .dash = rows[r].filled ? ST_PLOT_DASHED : ST_PLOT_SOLID,
                                   .count = outcome[r].points,
                                   .x = outcome[r].along,
                                   .y = outcome[r].height};
    count++;
  }
  const StPlot plot = {.title = "The sleeve's inner line when the arm is bent",
                       .x = {.label = "along the sleeve at rest (cm)", .unit = 0.01},
                       .y = {.label = "above the arm's axis (cm)", .unit = 0.01},
                       .series_count = count,
                       .series = series};
  return count ? st_lab_plot(lab, "folds.svg", &plot, 1, 1, error) : ST_OK;
}

static StStatus run_all(StLab *lab, StRecording *recording, Outcome *outcome, StError *error) {
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
    if (status == ST_OK)
      status = look(lab, &recording[r], &outcome[r], error);
    st_text_free(&scene);
  }
  return status;
}

static StStatus run(StLab *lab, StError *error) {
  StRecording recording[ROWS] = {0};
  Outcome outcome[ROWS] = {0};
  StStatus status = run_all(lab, recording, outcome, error);
  if (status == ST_OK) {
    add_cost_table(lab, recording);
    add_fold_table(lab, recording, outcome);
    status = draw(lab, outcome, error);
  }
  for (int r = 0; r < ROWS; r++) {
    st_recording_close(&recording[r]);
    free(outcome[r].along);
    free(outcome[r].height);
  }
  return status;
}

const StExperiment st_experiment_tube_cloth_bend = {
    .name = "tube-cloth-bend",
    .summary = "An arm in a sleeve of cloth bends, with little and much friction, empty and filled "
               "with water: folds, volume lost, and time and memory of each solver.",
    .paper = "the arm loses 0.962 % (5K tets) and 2.55 % (30K) of its volume, with water in it "
             "2.44e-4 %; iterative solves are two to five times faster than direct ones, and much "
             "friction costs more than water.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
