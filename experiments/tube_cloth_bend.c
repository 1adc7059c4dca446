// The tube cloth bend: a soft arm in a sleeve of cloth bends as an elbow does. How the cloth
// gathers with little and with much friction, what the arm loses of its volume with and without
// water in it, and what each solver takes for it, as in the paper's table.
#include "list.h"

#include "folds.h"
#include "lab.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
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

static const double water = 4.6e-5, atmosphere = 101325; // 1/atm, Pa

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
enum { ROWS = LENGTH(rows) };

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
  { .name = key, .doc = text, .kind = INTEGER, .fallback = value, .min = 4, .max = 1e6 }

static const Param params[] = {
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
              .unit = "s",
              .fallback = 0.025,
              .max = 1,
              .min_open = true},
    [ANGLE] = {.name = "angle",
               .doc = "By how much the arm bends.",
               .unit = "rad",
               .fallback = 80 * M_PI / 180,
               .max = 2.5,
               .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Of the arm.",
                .unit = "m",
                .fallback = 0.05,
                .max = INFINITY,
                .min_open = true},
    [LENGTH] = {.name = "length",
                .doc = "Of the arm's straight part.",
                .unit = "m",
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
               .unit = "Pa",
               .fallback = 250e3,
               .max = INFINITY,
               .min_open = true},
    [POISSON] =
        {.name = "poisson", .doc = "Of the arm.", .fallback = 0.3, .max = 0.5, .max_open = true},
    [BENDING] = {.name = "bending",
                 .doc = "Stiffness of the cloth's hinges, a third of its plate stiffness.",
                 .unit = "J",
                 .fallback = 1e-4,
                 .max = INFINITY},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "What holds creeps, slower than this.",
                        .unit = "m/s",
                        .fallback = 5e-4,
                        .max = 1,
                        .min_open = true},
};

static const Preset at_paper_size[] = {{"least_tets", 5e3},
                                       {"most_tets", 30e3},
                                       {"frames", 250},
                                       {"large_frames", 250},
                                       {"step", 0.01}};

static bool wanted(const Lab *lab, int row) {
  double tets = meshes[rows[row].mesh].tets;
  return tets >= lab_value(lab, "least_tets") && tets <= lab_value(lab, "most_tets");
}

static void name_case(const Row *row, char *name, size_t size) {
  static const char *const mesh[] = {"1K", "5K", "30K"};
  snprintf(name, size, "%s-mu-%g-%s%s", mesh[row->mesh], row->friction, solver_names[row->solver],
           row->filled ? "-water" : "");
}

static int frame_count(const Lab *lab, const Row *row) {
  return (int)lab_value(lab, row->mesh > 1 ? "large_frames" : "frames");
}

static double contact_thickness(const Lab *lab) {
  return 0.02 * lab_value(lab, "radius");
}

static void add_materials(const Lab *lab, StictionBuild *scene) {
  set(scene_add_material(scene, "flesh", lab_value(lab, "young"), lab_value(lab, "poisson"), 1000),
      "stiffness_damping", 2e-3);
  StictionPart *knit = stiction_build_add_material(scene, "knit", "membrane");
  set(knit, "young", 300);
  set(knit, "poisson", 0.3);
  set(knit, "area_density", 0.3);
  set(knit, "bending", lab_value(lab, "bending"));
  set(knit, "stiffness_damping", 50e-3);
}

// Both lie along x.
static void add_bodies(const Lab *lab, const Row *row, StictionBuild *scene) {
  double radius = lab_value(lab, "radius"), length = lab_value(lab, "length");
  StictionPart *arm = stiction_build_add_body(scene, "arm", "flesh");
  StictionPart *capsule = stiction_part_set_shape(arm, "capsule");
  set(capsule, "radius", radius);
  set(capsule, "length", length);
  set(capsule, "cells", meshes[row->mesh].arm_cells);
  set(capsule, "cells_along", meshes[row->mesh].arm_along);
  set_rotation(arm, 'y', M_PI / 2);
  StictionPart *sleeve = stiction_build_add_body(scene, "sleeve", "knit");
  StictionPart *shape = stiction_part_set_shape(sleeve, "sleeve");
  set(shape, "radius", radius * lab_value(lab, "fit"));
  set(shape, "length", 0.8 * length);
  set(shape, "cells_around", meshes[row->mesh].sleeve_around);
  set(shape, "cells_along", meshes[row->mesh].sleeve_along);
  set_rotation(sleeve, 'y', M_PI / 2);
}

static void add_bend(const Lab *lab, const Row *row, StictionBuild *scene) {
  stiction_part_choose_label(stiction_build_add_boundary(scene, "lower", "arm"), "bottom");
  StictionPart *upper = stiction_build_add_boundary(scene, "upper", "arm");
  stiction_part_choose_label(upper, "top");
  StictionPart *motion = stiction_part_object(upper, "motion");
  set_text(motion, "axis", "y");
  set_vector(motion, "centre", 0, 0, 0);
  set_text(motion, "interpolation", "smooth");
  set(stiction_part_add_motion_key(upper, 0), "angle", 0);
  double bent = 0.8 * frame_count(lab, row) * lab_value(lab, "step");
  set(stiction_part_add_motion_key(upper, bent), "angle", -lab_value(lab, "angle"));
}

static void add_water(StictionBuild *scene) {
  StictionPart *filling = stiction_build_add_volume(scene, "water", "quadratic");
  set_text(filling, "body", "arm");
  set_text(filling, "of", "boundary");
  set(filling, "compressibility", water / atmosphere);
}

// Folds touch each other, so contact is by primitives. It carries 400 Pa at half of its thickness.
static void add_contact(const Lab *lab, const Row *row, StictionBuild *scene) {
  static const char *const other[] = {"flesh", "knit"};
  for (int i = 0; i < LENGTH(other); i++)
    set(scene_add_friction(scene, "knit", other[i], row->friction), "sticking_speed",
        lab_value(lab, "sticking_speed"));
  StictionPart *contact = stiction_build_settings(scene, "contact");
  set(contact, "thickness", contact_thickness(lab));
  set(contact, "stiffness", 400 / 1.193);
}

static StictionBuild *build_scene(const Lab *lab, const Row *row) {
  double step = lab_value(lab, "step");
  StictionBuild *scene = scene_begin("Tube cloth bend, %s, mu = %g, %s", meshes[row->mesh].name,
                                     row->friction, solver_names[row->solver]);
  add_materials(lab, scene);
  add_bodies(lab, row, scene);
  add_bend(lab, row, scene);
  if (row->filled)
    add_water(scene);
  add_contact(lab, row, scene);
  scene_set_gravity(scene, 0);
  scene_set_time(scene, frame_count(lab, row) * step, step, step);
  scene_set(scene, "integrator", "be");
  set_text(stiction_build_settings(scene, "solver"), "type", solver_names[row->solver]);
  return scene;
}

// What is looked at when the arm is bent.
typedef struct Outcome {
  Folds folds;
  int points;
  double *along, *height; // [points] of the sleeve's inner line: where at rest, and above the axis
} Outcome;

enum { ARM, SLEEVE };

// The body's vertices at rest in the plane of the bend, at this height over the axis, from one end
// to the other: where they are now.
static double *line_of(const Recording *recording, int index, double height, const double *position,
                       double **along, int *points) {
  StictionBody body = recording_body(recording, index);
  const double *now = position + 3 * body.first_vertex;
  double *line = NEW(double, 3 * body.vertex_count);
  *along = NEW(double, body.vertex_count);
  *points = 0;
  for (int v = 0; v < body.vertex_count; v++) {
    const double *rest = body.rest + 3 * v;
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
static double least_fold(const Lab *lab) {
  return 0.03 * lab_value(lab, "radius");
}

static StictionStatus look(const Lab *lab, const Recording *recording, Outcome *outcome) {
  if (recording->state != STICTION_RUN_FINISHED)
    return STICTION_OK;
  double *position, *unused;
  TRY(recording_frame(recording, (int)recording->cost.frames, &position));
  int axis_points = 0;
  double radius = lab_value(lab, "radius");
  double *axis = line_of(recording, ARM, 0, position, &unused, &axis_points);
  double *line = line_of(recording, SLEEVE, radius * lab_value(lab, "fit"), position,
                         &outcome->along, &outcome->points);
  outcome->height = NEW(double, outcome->points);
  folds_heights(line, outcome->points, axis, axis_points, outcome->height);
  outcome->folds = folds_count(outcome->height, outcome->points, least_fold(lab));
  free(position);
  free(unused);
  free(axis);
  free(line);
  return STICTION_OK;
}

// In % of what there was at first.
static double loss_of(const Recording *recording) {
  const double *volume = recording_column(recording, "volume");
  bool ended = recording->state == STICTION_RUN_FINISHED;
  return volume && ended ? 100 * (1 - volume[recording->rows - 1] / volume[0]) : NAN;
}

// The least over all steps; negative: something was inside.
static double deepest_gap(const Recording *recording) {
  const double *gap = recording_column(recording, "deepest_gap");
  double least = INFINITY;
  for (long i = 0; gap && i < recording->rows; i++)
    least = fmin(least, gap[i]);
  return isfinite(least) ? least : NAN;
}

static const Column row_columns[] = {
    {"elements", NULL, 0},  {"friction", NULL, 0},   {"solver", NULL, 0},    {"κ_v", NULL, 0},
    {"triangles", NULL, 6}, {"tetrahedra", NULL, 6}, {"volume loss", "%", 3}};
enum { ROW_COLUMNS = LENGTH(row_columns), COLUMNS = ROW_COLUMNS + COST_COLUMNS };

static void add_name_cells(const Row *row, Table *table) {
  cell_text(table, "%s", meshes[row->mesh].name);
  cell_text(table, "%g", row->friction);
  cell_text(table, "%s", solver_names[row->solver]);
  cell_text(table, row->filled ? "4.6e-5/atm" : "none");
}

static void add_cost_table(Lab *lab, const Recording *recording) {
  Column column[COLUMNS];
  memcpy(column, row_columns, sizeof row_columns);
  memcpy(column + ROW_COLUMNS, cost_columns, sizeof cost_columns);
  Table *table = result_add_table(lab->result, "Cost and volume", column, COLUMNS);
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state)
      continue;
    add_name_cells(&rows[r], table);
    cell_number(table, (double)recording[r].cost.triangles);
    cell_number(table, (double)recording[r].cost.tets);
    case_cell_beside(table, recording[r].state, loss_of(&recording[r]), rows[r].paper.loss);
    cost_cells(table, &recording[r], rows[r].paper.seconds, rows[r].paper.memory);
  }
}

static void add_fold_table(Lab *lab, const Recording *recording, const Outcome *outcome) {
  static const Column column[] = {{"elements", NULL, 0},       {"friction", NULL, 0},
                                  {"solver", NULL, 0},         {"κ_v", NULL, 0},
                                  {"folds", NULL, 3},          {"tallest", "mm", 3},
                                  {"bending energy", "mJ", 3}, {"least gap", "mm", 3}};
  Table *table = result_add_table(lab->result, "Folds on the inner side", column, LENGTH(column));
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state)
      continue;
    bool ended = recording[r].state == STICTION_RUN_FINISHED;
    add_name_cells(&rows[r], table);
    case_cell(table, recording[r].state, ended ? outcome[r].folds.count : NAN);
    case_cell(table, recording[r].state, ended ? 1e3 * outcome[r].folds.tallest : NAN);
    cell_number(table, 1e3 * recording_last(&recording[r], "bending_energy"));
    cell_number(table, 1e3 * deepest_gap(&recording[r]));
  }
}

// One line for each mesh, friction and filling: solvers lie on each other.
static StictionStatus draw(Lab *lab, const Outcome *outcome) {
  StictionSeries series[ROWS];
  char name[ROWS][64];
  int count = 0;
  for (int r = 0; r < ROWS; r++) {
    if (outcome[r].points == 0 || rows[r].solver == DIRECT)
      continue;
    snprintf(name[count], sizeof name[count], "%s, μ = %g%s", meshes[rows[r].mesh].name,
             rows[r].friction, rows[r].filled ? ", water" : "");
    series[count] = (StictionSeries){.name = name[count],
                                     .style = STICTION_LINE,
                                     .dash = rows[r].filled ? STICTION_DASHED : STICTION_SOLID,
                                     .count = outcome[r].points,
                                     .x = outcome[r].along,
                                     .y = outcome[r].height};
    count++;
  }
  const StictionPlot plot = {.title = "The sleeve's inner line when the arm is bent",
                             .x = {.label = "along the sleeve at rest (cm)", .unit = 0.01},
                             .y = {.label = "above the arm's axis (cm)", .unit = 0.01},
                             .series_count = count,
                             .series = series};
  return count ? lab_plot(lab, "folds.svg", &plot, 1, 1) : STICTION_OK;
}

static StictionStatus run_all(Lab *lab, Recording *recording, Outcome *outcome) {
  int count = 0;
  for (int r = 0; r < ROWS; r++)
    count += wanted(lab, r);
  lab_expect(lab, count);
  StictionStatus status = STICTION_OK;
  for (int r = 0; r < ROWS && status == STICTION_OK; r++) {
    if (!wanted(lab, r))
      continue;
    char name[80];
    name_case(&rows[r], name, sizeof name);
    status = lab_simulate(lab, name, build_scene(lab, &rows[r]), &recording[r]);
    if (status == STICTION_OK)
      status = look(lab, &recording[r], &outcome[r]);
    recording_leave_scene(&recording[r]);
  }
  return status;
}

static StictionStatus run(Lab *lab) {
  Recording recording[ROWS] = {0};
  Outcome outcome[ROWS] = {0};
  StictionStatus status = run_all(lab, recording, outcome);
  if (status == STICTION_OK) {
    add_cost_table(lab, recording);
    add_fold_table(lab, recording, outcome);
    status = draw(lab, outcome);
  }
  for (int r = 0; r < ROWS; r++) {
    recording_close(&recording[r]);
    free(outcome[r].along);
    free(outcome[r].height);
  }
  return status;
}

const Experiment experiment_tube_cloth_bend = {
    .name = "tube-cloth-bend",
    .summary = "An arm in a sleeve of cloth bends, with little and much friction, empty and filled "
               "with water: folds, volume lost, and time and memory of each solver.",
    .paper = "the arm loses 0.962 % (5K tets) and 2.55 % (30K) of its volume, with water in it "
             "2.44e-4 %; iterative solves are two to five times faster than direct ones, and much "
             "friction costs more than water.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
