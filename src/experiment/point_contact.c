// The point contact: where friction makes a point on an elastic support flutter, over friction and
// contact stiffness, and what each integrator makes of it, over the step. Eigenvalues, no scenes.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/point.h"

#include <stdio.h>

enum { POINTS = 201, GRID = 24, SAMPLES = 121, METHODS = 6 };

enum { MASS, STIFF, SOFT, ANGLE, CONTACT_STIFFNESS, FRICTION, DAMPING_RATIO };

static const StParam params[] = {
    [MASS] = {.name = "mass",
              .doc = "Mass of the point.",
              .dimension = ST_MASS,
              .fallback = 1,
              .min_open = true,
              .max = INFINITY},
    [STIFF] = {.name = "stiff",
               .doc = "Stiffness of the support in its stiff direction.",
               .dimension = ST_TENSION,
               .fallback = 3e4,
               .min_open = true,
               .max = INFINITY},
    [SOFT] = {.name = "soft",
              .doc = "Stiffness of the support across its stiff direction.",
              .dimension = ST_TENSION,
              .fallback = 1e4,
              .min_open = true,
              .max = INFINITY},
    [ANGLE] = {.name = "angle",
               .doc = "Angle from the belt to the stiff direction; negative leans against the "
                      "belt's motion, which is where friction can make it flutter.",
               .dimension = ST_ANGLE,
               .fallback = -10 * M_PI / 180,
               .min = -M_PI / 2,
               .max = M_PI / 2},
    [CONTACT_STIFFNESS] = {.name = "contact_stiffness",
                           .doc =
                               "Stiffness of the contact where it rests, for what is not over it.",
                           .dimension = ST_TENSION,
                           .fallback = 18e3,
                           .min_open = true,
                           .max = INFINITY},
    [FRICTION] = {.name = "friction",
                  .doc = "Coefficient of friction, for what is not over it.",
                  .fallback = 0.5,
                  .max = 10},
    [DAMPING_RATIO] = {.name = "damping_ratio",
                       .doc = "Damping of the support, in parts of the critical one.",
                       .fallback = 0.005,
                       .max = 1},
};

static double frequency(const StPointContact *point) {
  return sqrt(point->support[0][0] / point->mass);
}

static StPointContact point_of(const StLab *lab) {
  StPointContact point = {.mass = st_lab_value(lab, "mass"),
                          .contact_stiffness = st_lab_value(lab, "contact_stiffness"),
                          .friction = {.dynamic_coefficient = st_lab_value(lab, "friction")}};
  st_point_support(&point, st_lab_value(lab, "stiff"), st_lab_value(lab, "soft"),
                   st_lab_value(lab, "angle"));
  point.damping = 2 * st_lab_value(lab, "damping_ratio") * point.mass * frequency(&point);
  return point;
}

// Contact stiffness over three decades about the given one.
static double stiffness_at(const StLab *lab, int i, int count) {
  return st_lab_value(lab, "contact_stiffness") * pow(10, -1 + 2.0 * i / (count - 1));
}

static double friction_at(int i, int count) {
  return 1.5 * (i + 1) / count;
}

typedef struct Map {
  double stiffness[POINTS], threshold[POINTS];
  int count[2]; // stable, unstable
  double x[2][GRID * GRID], y[2][GRID * GRID];
} Map;

static void fill_map(const StLab *lab, Map *map) {
  StPointContact point = point_of(lab);
  for (int i = 0; i < POINTS; i++) {
    point.contact_stiffness = map->stiffness[i] = stiffness_at(lab, i, POINTS);
    map->threshold[i] = st_point_threshold(&point);
  }
  for (int i = 0; i < GRID * GRID; i++) {
    point.contact_stiffness = stiffness_at(lab, i / GRID, GRID);
    point.friction.dynamic_coefficient = friction_at(i % GRID, GRID);
    int side = st_point_growth(&point) > 0, at = map->count[side]++;
    map->x[side][at] = point.contact_stiffness;
    map->y[side][at] = point.friction.dynamic_coefficient;
  }
}

static StStatus draw_map(StLab *lab, StError *error) {
  Map *map = ST_NEW(Map, 1);
  if (!map)
    return st_fail_memory(error);
  fill_map(lab, map);
  const StPlotSeries series[] = {{.name = "flutters",
                                  .style = ST_PLOT_MARKS,
                                  .count = map->count[1],
                                  .x = map->x[1],
                                  .y = map->y[1]},
                                 {.name = "stable",
                                  .style = ST_PLOT_MARKS,
                                  .count = map->count[0],
                                  .x = map->x[0],
                                  .y = map->y[0]},
                                 {.name = "threshold",
                                  .style = ST_PLOT_REFERENCE,
                                  .count = POINTS,
                                  .x = map->stiffness,
                                  .y = map->threshold}};
  const StPlot plot = {.title = "where friction makes it flutter",
                       .x = {.label = "contact stiffness (N/m)", .logarithmic = true},
                       .y = {.label = "coefficient of friction", .low = 0, .high = 1.55},
                       .series_count = ST_LENGTH(series),
                       .series = series};
  StStatus status = st_lab_plot(lab, "stability.svg", &plot, 1, 1, error);
  free(map);
  return status;
}

typedef struct Branches {
  double friction[POINTS], growth[2][POINTS], frequency[2][POINTS];
} Branches;

// The two modes over friction: frequencies meet where one begins to grow.
static StStatus draw_modes(StLab *lab, StError *error) {
  Branches *branch = ST_NEW(Branches, 1);
  if (!branch)
    return st_fail_memory(error);
  StPointContact point = point_of(lab);
  for (int i = 0; i < POINTS; i++) {
    double complex root[4];
    point.friction.dynamic_coefficient = branch->friction[i] = 1.0 * i / (POINTS - 1);
    st_point_eigenvalues(&point, root);
    for (int m = 0; m < 2; m++) {
      // Of a root and its second the one that turns forwards, and where both do, the mode's own.
      double complex own = cimag(root[2 * m]) >= 0 ? root[2 * m] : root[2 * m + 1];
      branch->growth[m][i] = creal(own);
      branch->frequency[m][i] = cimag(own);
    }
  }
  StPlotSeries series[2][2];
  for (int m = 0; m < 2; m++)
    for (int p = 0; p < 2; p++)
      series[p][m] = (StPlotSeries){.name = m ? "second mode" : "first mode",
                                    .style = ST_PLOT_LINE,
                                    .dash = m ? ST_PLOT_DASHED : ST_PLOT_SOLID,
                                    .count = POINTS,
                                    .x = branch->friction,
                                    .y = p ? branch->frequency[m] : branch->growth[m]};
  const StPlot plot[2] = {{.title = "growth",
                           .x = {.label = "coefficient of friction"},
                           .y = {.label = "Re λ (1/s)"},
                           .series_count = 2,
                           .series = series[0]},
                          {.title = "frequency",
                           .x = {.label = "coefficient of friction"},
                           .y = {.label = "Im λ (rad/s)"},
                           .series_count = 2,
                           .series = series[1]}};
  StStatus status = st_lab_plot(lab, "modes.svg", plot, 2, 2, error);
  free(branch);
  return status;
}

typedef struct Damping {
  double step[SAMPLES], factor[2][METHODS + 1][SAMPLES]; // the last one is exact
} Damping;

static void fill_damping(const StPointContact *point, double w, Damping *damping, int panel) {
  for (int i = 0; i < SAMPLES; i++) {
    double h = damping->step[i] / w;
    for (int m = 0; m < METHODS && st_integrators[m].name; m++)
      damping->factor[panel][m][i] = st_point_amplification(point, &st_integrators[m], h);
    damping->factor[panel][METHODS][i] = exp(h * st_point_growth(point));
  }
}

// What a step does to a small disturbance, where the point flutters and where it is stable.
static StStatus draw_damping(StLab *lab, StError *error) {
  Damping *damping = ST_NEW(Damping, 1);
  if (!damping)
    return st_fail_memory(error);
  StPointContact point[2] = {point_of(lab), point_of(lab)};
  point[1].friction.dynamic_coefficient = 0;
  for (int i = 0; i < SAMPLES; i++)
    damping->step[i] = pow(10, -2 + 4.0 * i / (SAMPLES - 1));
  StPlotSeries series[2][METHODS + 1];
  StPlot plot[2];
  char title[2][64];
  for (int p = 0; p < 2; p++) {
    fill_damping(&point[p], frequency(&point[p]), damping, p);
    for (int m = 0; m <= METHODS; m++)
      series[p][m] = (StPlotSeries){.name = m < METHODS ? st_integrators[m].name : "exact",
                                    .style = m < METHODS ? ST_PLOT_LINE : ST_PLOT_REFERENCE,
                                    .dash = m < METHODS && st_integrators[m].rings ? ST_PLOT_DASHED
                                                                                   : ST_PLOT_SOLID,
                                    .count = SAMPLES,
                                    .x = damping->step,
                                    .y = damping->factor[p][m]};
    snprintf(title[p], sizeof title[p], "factor per step, friction %g",
             point[p].friction.dynamic_coefficient);
    plot[p] = (StPlot){.title = title[p],
                       .x = {.label = "h ω", .logarithmic = true},
                       .y = {.label = "spectral radius", .low = 0, .high = 1.2},
                       .series_count = METHODS + 1,
                       .series = series[p]};
  }
  StStatus status = st_lab_plot(lab, "amplification.svg", plot, 2, 2, error);
  free(damping);
  return status;
}

static void add_thresholds(StLab *lab) {
  static const StColumn column[] = {{"contact stiffness", "N/m", 4},
                                    {"threshold of friction", NULL, 4},
                                    {"growth", "1/s", 4},
                                    {"frequency", "rad/s", 4},
                                    {"", NULL, 0}};
  StPointContact point = point_of(lab);
  StResultTable *table =
      st_result_add_table(lab->result, "Flutter over contact stiffness (threshold without damping)",
                          column, ST_LENGTH(column));
  for (int i = 0; i < 9; i++) {
    double complex root[4], worst;
    point.contact_stiffness = stiffness_at(lab, i, 9);
    st_point_eigenvalues(&point, root);
    worst = root[0];
    for (int k = 1; k < 4; k++)
      worst = creal(root[k]) > creal(worst) ? root[k] : worst;
    st_cell_number(table, point.contact_stiffness);
    st_cell_number(table, st_point_threshold(&point));
    st_cell_number(table, creal(worst));
    st_cell_number(table, fabs(cimag(worst)));
    st_cell_text(table, creal(worst) > 0 ? "flutters" : "stable");
  }
}

// The hω beyond which disturbances fade, where they do: found on the way down from long steps.
static double fades_from(const StPointContact *point, const StIntegrator *integrator) {
  double low = 1e-3, high = 1e3, w = frequency(point);
  if (st_point_amplification(point, integrator, high / w) >= 1 - 1e-4)
    return NAN;
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(low * high);
    *(st_point_amplification(point, integrator, middle / w) < 1 ? &high : &low) = middle;
  }
  return high;
}

static void add_factors(StLab *lab) {
  static const double steps[] = {0.1, 0.3, 1, 3, 10, 100};
  static const StColumn column[] = {{"integrator", NULL, 0}, {"h ω = 0.1", NULL, 4},
                                    {"0.3", NULL, 4},        {"1", NULL, 4},
                                    {"3", NULL, 4},          {"10", NULL, 4},
                                    {"100", NULL, 4},        {"fades from h ω", NULL, 3}};
  StPointContact point = point_of(lab);
  double w = frequency(&point);
  char title[160];
  snprintf(title, sizeof title,
           "Factor by which one step multiplies a disturbance, friction %g (above 1: it grows)",
           point.friction.dynamic_coefficient);
  StResultTable *table = st_result_add_table(lab->result, title, column, ST_LENGTH(column));
  for (int m = 0; m < METHODS; m++) {
    st_cell_text(table, "%s", st_integrators[m].name);
    for (int s = 0; s < ST_LENGTH(steps); s++)
      st_cell_number(table, st_point_amplification(&point, &st_integrators[m], steps[s] / w));
    double from = fades_from(&point, &st_integrators[m]);
    if (isnan(from))
      st_cell_lacks(table, "tends to 1", NAN);
    else
      st_cell_number(table, from);
  }
  st_cell_text(table, "exact");
  for (int s = 0; s < ST_LENGTH(steps); s++)
    st_cell_number(table, exp(steps[s] / w * st_point_growth(&point)));
  st_cell_text(table, st_point_growth(&point) > 0 ? "never" : "always");
}

static StStatus run(StLab *lab, StError *error) {
  add_thresholds(lab);
  add_factors(lab);
  StPointContact point = point_of(lab);
  st_result_add_note(lab->result,
                     "ω is the frequency of the support along the belt, %.4g rad/s. The exact "
                     "factor is that of the linearised motion over one step.",
                     frequency(&point));
  ST_TRY(draw_map(lab, error));
  ST_TRY(draw_modes(lab, error));
  return draw_damping(lab, error);
}

const StExperiment st_experiment_point_contact = {
    .name = "point-contact",
    .summary = "A point on an elastic support, pressed onto a sliding belt: eigenvalues over "
               "friction and contact stiffness, where it is unstable, and how each integrator "
               "damps or amplifies that.",
    .paper = "elastodynamics with frictional contact can be unstable, and the trapezoidal rule "
             "keeps alive what L-stable methods damp; the example itself is in a supplement that "
             "is lost.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .run = run,
};
