// The ball squish: a hollow ball is pressed flat between two plates. How much of its hollow is lost
// with and without something in it, and what each solver takes for it, as in the paper's tables.
#include "list.h"

#include "lab.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Cells along a quarter circle and through the wall make 30 cells² layers tets.
static const struct {
  const char *name;
  double elements; // the paper's
  int cells, layers;
} meshes[] = {{"1K", 1e3, 6, 1}, {"55K", 55e3, 30, 2}, {"160K", 160e3, 42, 3}};
enum { MESHES = LENGTH(meshes) };

static const double atmosphere = 101325; // Pa

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
enum { ROWS = LENGTH(rows) };

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

static const Param params[] = {
    [MOST_ELEMENTS] = {.name = "most_elements",
                       .doc = "Meshes of about 1000, 55 000 and 160 000 elements that have more "
                              "are left out.",
                       .fallback = 1e3,
                       .max = INFINITY},
    [FRAMES] = {.name = "frames",
                .doc = "Frames, a step each, in which the plates make their way: with fewer of the "
                       "same step they are faster.",
                .kind = INTEGER,
                .fallback = 67,
                .min = 8,
                .max = 1e6},
    [LARGE_FRAMES] = {.name = "large_frames",
                      .doc = "The same for meshes beyond 1000 elements.",
                      .kind = INTEGER,
                      .fallback = 67,
                      .min = 8,
                      .max = 1e6},
    [INEXACT_TOO] = {.name = "inexact",
                     .doc = "Whether to solve without what couples the whole hollow too, which "
                            "takes long where it is filled with water.",
                     .kind = BOOLEAN},
    [STEP] = {.name = "step",
              .doc = "Time step.",
              .unit = "s",
              .fallback = 12e-3,
              .max = 0.1,
              .min_open = true},
    [RADIUS] = {.name = "radius",
                .doc = "Of the ball, outside.",
                .unit = "m",
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

static const Preset at_paper_size[] = {
    {"most_elements", 160e3}, {"frames", 804}, {"inexact", 1}, {"step", 1e-3}};

static bool wanted(const Lab *lab, int row) {
  return meshes[rows[row].mesh].elements <= lab_value(lab, "most_elements") &&
         (rows[row].solver != INEXACT || lab_value(lab, "inexact") != 0);
}

static void name_case(const Row *row, char *name, size_t size) {
  static const char *const word[] = {"exact", "inexact", "iterative"};
  snprintf(name, size, "%s-E%g-kappa-%s-%s", meshes[row->mesh].name, row->young,
           filling_names[row->filling], word[row->solver]);
}

// With nothing inside that resists, as much is inside as outside, whatever happens: it is only
// measured.
static void add_ball(const Lab *lab, const Row *row, StictionBuild *scene) {
  double radius = lab_value(lab, "radius");
  scene_add_material(scene, "rubber", row->young * 1e3, lab_value(lab, "poisson"), 1000);
  StictionPart *shape =
      stiction_part_set_shape(stiction_build_add_body(scene, "ball", NULL), "hollow_ball");
  set(shape, "radius", radius);
  set(shape, "thickness", radius * lab_value(lab, "thickness"));
  set(shape, "cells", meshes[row->mesh].cells);
  set(shape, "layers", meshes[row->mesh].layers);
  bool filled = fillings[row->filling] > 0;
  StictionPart *hollow =
      stiction_build_add_volume(scene, "hollow", filled ? "quadratic" : "prescribed");
  set_text(hollow, "body", "ball");
  if (filled)
    set(hollow, "compressibility", fillings[row->filling] / atmosphere);
}

static int frame_count(const Lab *lab, const Row *row) {
  return (int)lab_value(lab, row->mesh > 0 ? "large_frames" : "frames");
}

// Of the paper's 804 frames the last four stand still.
static double way_time(const Lab *lab, const Row *row) {
  return frame_count(lab, row) * lab_value(lab, "step") * 200 / 201;
}

static double contact_thickness(const Lab *lab) {
  return 5e-3 * lab_value(lab, "radius");
}

static void add_plate(const Lab *lab, const Row *row, const char *name, double up,
                      StictionBuild *scene) {
  double radius = lab_value(lab, "radius"), thickness = contact_thickness(lab);
  StictionPart *plate = stiction_build_add_obstacle(scene, name, NULL);
  set_text(stiction_part_set_shape(plate, "half_space"), "normal", up > 0 ? "-z" : "z");
  set_vector(plate, "translate", 0, 0, up * (radius + thickness));
  set_text(stiction_part_object(plate, "motion"), "interpolation", "smooth");
  set_vector(stiction_part_add_motion_key(plate, 0), "translate", 0, 0, 0);
  set_vector(stiction_part_add_motion_key(plate, way_time(lab, row)), "translate", 0, 0,
             -up * radius * lab_value(lab, "travel"));
}

// Holds what air pressed to three quarters of its volume pushes with, at half of the thickness.
static void add_contact(const Lab *lab, StictionBuild *scene) {
  set(scene_add_friction(scene, NULL, NULL, lab_value(lab, "friction")), "sticking_speed",
      0.05 * lab_value(lab, "radius"));
  StictionPart *contact = scene_smooth_contact(scene);
  set(contact, "thickness", contact_thickness(lab));
  set(contact, "stiffness", 4 * 30e3 / (3 * contact_thickness(lab)));
}

static StictionBuild *build_scene(const Lab *lab, const Row *row) {
  double step = lab_value(lab, "step");
  StictionBuild *scene = scene_begin("Ball squish, %s elements, E = %g kPa, %s",
                                     meshes[row->mesh].name, row->young, solvers[row->solver].name);
  add_ball(lab, row, scene);
  add_plate(lab, row, "below", -1, scene);
  add_plate(lab, row, "above", 1, scene);
  add_contact(lab, scene);
  scene_set_gravity(scene, 0);
  scene_set_time(scene, frame_count(lab, row) * step, step, step);
  scene_set(scene, "integrator", "be");
  StictionPart *solver = stiction_build_settings(scene, "solver");
  set_text(solver, "type", solvers[row->solver].type);
  set_text(solver, "coupling", solvers[row->solver].coupling);
  return scene;
}

// In % of what there was at first.
static double loss_of(const Recording *recording) {
  const double *volume = recording_column(recording, "volume(hollow)");
  bool ended = recording->state == STICTION_RUN_FINISHED;
  return volume && ended ? 100 * (1 - volume[recording->rows - 1] / volume[0]) : NAN;
}

static const Column row_columns[] = {
    {"elements", NULL, 0}, {"solver", NULL, 0}, {"tetrahedra", NULL, 6}, {"volume loss", "%", 3}};
enum { ROW_COLUMNS = LENGTH(row_columns), COLUMNS = ROW_COLUMNS + COST_COLUMNS };

static const char *solver_name(const Row *row) {
  bool choice = fillings[row->filling] > 0 || row->solver == ITERATIVE;
  return choice ? solvers[row->solver].name : "direct";
}

static void add_row(const Row *row, const Recording *recording, Table *table) {
  cell_text(table, "%s", meshes[row->mesh].name);
  cell_text(table, "%s", solver_name(row));
  cell_number(table, (double)recording->cost.tets);
  case_cell_beside(table, recording->state, loss_of(recording), row->paper.loss);
  cost_cells(table, recording, row->paper.seconds, row->paper.memory);
}

static void add_cost_table(Lab *lab, double young, int filling, const Recording *recording) {
  Column column[COLUMNS];
  memcpy(column, row_columns, sizeof row_columns);
  memcpy(column + ROW_COLUMNS, cost_columns, sizeof cost_columns);
  char title[80];
  if (fillings[filling] > 0)
    snprintf(title, sizeof title, "E = %g kPa, κ_v = %s/atm", young, filling_names[filling]);
  else
    snprintf(title, sizeof title, "E = %g kPa, nothing inside that resists", young);
  Table *table = result_add_table(lab->result, title, column, COLUMNS);
  for (int r = 0; r < ROWS; r++)
    if (rows[r].young == young && rows[r].filling == filling && recording[r].state)
      add_row(&rows[r], &recording[r], table);
}

// The first case of that kind that has ended, by whatever solver; else one that has not, or none.
static const Recording *case_at(const Recording *recording, int mesh, double young, int filling) {
  static const Recording none = {.state = RUN_MISSING};
  const Recording *found = &none;
  for (int r = 0; r < ROWS && found->state != STICTION_RUN_FINISHED; r++)
    if (rows[r].mesh == mesh && rows[r].young == young && rows[r].filling == filling &&
        recording[r].state)
      found = &recording[r];
  return found;
}

static void add_loss_table(Lab *lab, const Recording *recording) {
  static const Column column[] = {{"elements", NULL, 0},
                                  {"Young's modulus", "kPa", 4},
                                  {"κ_v = none", "%", 3},
                                  {"κ_v = 1/atm", "%", 3},
                                  {"κ_v = 0.01/atm", "%", 3}};
  Table *table = result_add_table(lab->result, "Volume lost inside", column, LENGTH(column));
  for (int m = 0; m < MESHES; m++)
    for (double young = 100; young <= 1000; young *= 10) {
      const Recording *of[3] = {case_at(recording, m, young, 2), case_at(recording, m, young, 0),
                                case_at(recording, m, young, 1)};
      if (!of[0]->state && !of[1]->state && !of[2]->state)
        continue;
      cell_text(table, "%s", meshes[m].name);
      cell_number(table, young);
      for (int i = 0; i < 3; i++)
        case_cell(table, of[i]->state, loss_of(of[i]));
    }
}

static double *course_of(const Lab *lab, const Row *row, const Recording *recording) {
  const double *time = recording_column(recording, "time");
  const double *volume = recording_column(recording, "volume(hollow)");
  double *course = time && volume ? NEW(double, 2 * recording->rows) : NULL;
  for (long i = 0; course && i < recording->rows; i++) {
    double t = fmin(1, time[i] / way_time(lab, row));
    course[i] = 2 - 2 * lab_value(lab, "travel") * t * t * (3 - 2 * t);
    course[recording->rows + i] = volume[i] / volume[0];
  }
  return course;
}

// One line for each mesh and setting: solvers lie on each other.
static StictionStatus draw(Lab *lab, const Recording *recording) {
  StictionSeries series[ROWS];
  double *course[ROWS];
  char name[ROWS][64];
  int count = 0;
  for (int r = 0; r < ROWS; r++) {
    if (!recording[r].state || rows[r].solver != EXACT)
      continue;
    course[count] = course_of(lab, &rows[r], &recording[r]);
    snprintf(name[count], sizeof name[count], "%s, %g kPa, κ_v %s", meshes[rows[r].mesh].name,
             rows[r].young, filling_names[rows[r].filling]);
    series[count] = (StictionSeries){.name = name[count],
                                     .style = STICTION_LINE,
                                     .dash = (StictionDash)rows[r].mesh,
                                     .count = course[count] ? (int)recording[r].rows : 0,
                                     .x = course[count],
                                     .y = course[count] ? course[count] + recording[r].rows : NULL};
    count++;
  }
  const StictionPlot plot = {
      .title = "Volume inside as the plates come together",
      .x = {.label = "gap between plates (radii)"},
      .y = {.label = "volume inside (of that at first)", .low = 0, .high = 1.05},
      .series_count = count,
      .series = series};
  StictionStatus status = count ? lab_plot(lab, "volume.svg", &plot, 1, 1) : STICTION_OK;
  while (count > 0)
    free(course[--count]);
  return status;
}

static StictionStatus run_all(Lab *lab, Recording *recording) {
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
    recording_leave_scene(&recording[r]);
  }
  return status;
}

static StictionStatus run(Lab *lab) {
  Recording recording[ROWS] = {0};
  StictionStatus status = run_all(lab, recording);
  if (status == STICTION_OK) {
    add_cost_table(lab, 100, 0, recording);
    add_cost_table(lab, 100, 1, recording);
    add_cost_table(lab, 1000, 2, recording);
    add_loss_table(lab, recording);
    status = draw(lab, recording);
  }
  for (int r = 0; r < ROWS; r++)
    recording_close(&recording[r]);
  return status;
}

const Experiment experiment_ball_squish = {
    .name = "ball-squish",
    .summary = "A hollow ball is pressed between two plates, empty and filled: volume lost, and "
               "time and memory of each solver.",
    .paper = "the hollow loses 75 % when nothing is in it, 27.7 % with κ_v = 1/atm (air) and 0.36 "
             "% with 0.01/atm; iterative solves win where κ_v is small, direct ones where the wall "
             "is stiff.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
