// The point contact: where friction makes a point on an elastic support flutter, over friction and
// contact stiffness, by eigenvalues; and what each integrator makes of it, over the step, by steps
// of the point as a scene.
#include "list.h"

#include "lab.h"
#include "point.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 201, GRID = 24, SAMPLES = 121, METHODS = POINT_METHODS };

enum { MASS, STIFF, SOFT, ANGLE, CONTACT_STIFFNESS, FRICTION, DAMPING_RATIO };

static const Param params[] = {
    [MASS] = {.name = "mass",
              .doc = "Mass of the point.",
              .unit = "kg",
              .fallback = 1,
              .min_open = true,
              .max = INFINITY},
    [STIFF] = {.name = "stiff",
               .doc = "Stiffness of the support in its stiff direction.",
               .unit = "N/m",
               .fallback = 3e4,
               .min_open = true,
               .max = INFINITY},
    [SOFT] = {.name = "soft",
              .doc = "Stiffness of the support across its stiff direction.",
              .unit = "N/m",
              .fallback = 1e4,
              .min_open = true,
              .max = INFINITY},
    [ANGLE] = {.name = "angle",
               .doc = "Angle from the belt to the stiff direction; negative leans against the "
                      "belt's motion, which is where friction can make it flutter.",
               .unit = "rad",
               .fallback = -10 * M_PI / 180,
               .min = -M_PI / 2,
               .max = M_PI / 2},
    [CONTACT_STIFFNESS] = {.name = "contact_stiffness",
                           .doc =
                               "Stiffness of the contact where it rests, for what is not over it.",
                           .unit = "N/m",
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

static double frequency(const Point *point) {
  return sqrt(point->support[0][0] / point->mass);
}

static Point point_of(const Lab *lab) {
  Point point = {.mass = lab_value(lab, "mass"),
                 .contact_stiffness = lab_value(lab, "contact_stiffness"),
                 .friction = lab_value(lab, "friction")};
  point_support(&point, lab_value(lab, "stiff"), lab_value(lab, "soft"), lab_value(lab, "angle"));
  point.damping = 2 * lab_value(lab, "damping_ratio") * point.mass * frequency(&point);
  return point;
}

// Contact stiffness over three decades about the given one.
static double stiffness_at(const Lab *lab, int i, int count) {
  return lab_value(lab, "contact_stiffness") * pow(10, -1 + 2.0 * i / (count - 1));
}

static double friction_at(int i, int count) {
  return 1.5 * (i + 1) / count;
}

typedef struct Map {
  double stiffness[POINTS], threshold[POINTS];
  int count[2]; // stable, unstable
  double x[2][GRID * GRID], y[2][GRID * GRID];
} Map;

static void fill_map(const Lab *lab, Map *map) {
  Point point = point_of(lab);
  for (int i = 0; i < POINTS; i++) {
    point.contact_stiffness = map->stiffness[i] = stiffness_at(lab, i, POINTS);
    map->threshold[i] = point_threshold(&point);
  }
  for (int i = 0; i < GRID * GRID; i++) {
    point.contact_stiffness = stiffness_at(lab, i / GRID, GRID);
    point.friction = friction_at(i % GRID, GRID);
    int side = point_growth(&point) > 0, at = map->count[side]++;
    map->x[side][at] = point.contact_stiffness;
    map->y[side][at] = point.friction;
  }
}

static StictionStatus draw_map(Lab *lab) {
  Map *map = NEW(Map, 1);
  fill_map(lab, map);
  const StictionSeries series[] = {{.name = "flutters",
                                    .style = STICTION_MARKS,
                                    .count = map->count[1],
                                    .x = map->x[1],
                                    .y = map->y[1]},
                                   {.name = "stable",
                                    .style = STICTION_MARKS,
                                    .count = map->count[0],
                                    .x = map->x[0],
                                    .y = map->y[0]},
                                   {.name = "threshold",
                                    .style = STICTION_REFERENCE,
                                    .count = POINTS,
                                    .x = map->stiffness,
                                    .y = map->threshold}};
  const StictionPlot plot = {.title = "where friction makes it flutter",
                             .x = {.label = "contact stiffness (N/m)", .logarithmic = true},
                             .y = {.label = "coefficient of friction", .low = 0, .high = 1.55},
                             .series_count = LENGTH(series),
                             .series = series};
  StictionStatus status = lab_plot(lab, "stability.svg", &plot, 1, 1);
  free(map);
  return status;
}

typedef struct Branches {
  double friction[POINTS], growth[2][POINTS], frequency[2][POINTS];
} Branches;

// The two modes over friction: frequencies meet where one begins to grow.
static StictionStatus draw_modes(Lab *lab) {
  Branches *branch = NEW(Branches, 1);
  Point point = point_of(lab);
  for (int i = 0; i < POINTS; i++) {
    double complex root[4];
    point.friction = branch->friction[i] = 1.0 * i / (POINTS - 1);
    point_eigenvalues(&point, root);
    for (int m = 0; m < 2; m++) {
      // Of a root and its second the one that turns forwards, and where both do, the mode's own.
      double complex own = cimag(root[2 * m]) >= 0 ? root[2 * m] : root[2 * m + 1];
      branch->growth[m][i] = creal(own);
      branch->frequency[m][i] = cimag(own);
    }
  }
  StictionSeries series[2][2];
  for (int m = 0; m < 2; m++)
    for (int p = 0; p < 2; p++)
      series[p][m] = (StictionSeries){.name = m ? "second mode" : "first mode",
                                      .style = STICTION_LINE,
                                      .dash = m ? STICTION_DASHED : STICTION_SOLID,
                                      .count = POINTS,
                                      .x = branch->friction,
                                      .y = p ? branch->frequency[m] : branch->growth[m]};
  const StictionPlot plot[2] = {{.title = "growth",
                                 .x = {.label = "coefficient of friction"},
                                 .y = {.label = "Re λ (1/s)"},
                                 .series_count = 2,
                                 .series = series[0]},
                                {.title = "frequency",
                                 .x = {.label = "coefficient of friction"},
                                 .y = {.label = "Im λ (rad/s)"},
                                 .series_count = 2,
                                 .series = series[1]}};
  StictionStatus status = lab_plot(lab, "modes.svg", plot, 2, 2);
  free(branch);
  return status;
}

typedef struct Damping {
  double step[SAMPLES], factor[2][METHODS + 1][SAMPLES]; // the last one is exact
} Damping;

static StictionStatus fill_line(Lab *lab, const Point *point, int method, const double *step,
                                double *factor) {
  PointScene scene;
  double w = frequency(point);
  StictionStatus status = point_open(lab->session, point, &point_methods[method], &scene);
  for (int i = 0; i < SAMPLES && status == STICTION_OK; i++)
    status = point_amplification(&scene, step[i] / w, &factor[i]);
  point_close(&scene);
  return lab_check(lab, status);
}

static StictionStatus fill_damping(Lab *lab, const Point *point, Damping *damping, int panel) {
  for (int m = 0; m < METHODS; m++)
    TRY(fill_line(lab, point, m, damping->step, damping->factor[panel][m]));
  for (int i = 0; i < SAMPLES; i++)
    damping->factor[panel][METHODS][i] =
        exp(damping->step[i] / frequency(point) * point_growth(point));
  return STICTION_OK;
}

// What a step does to a small disturbance, where the point flutters and where it is stable.
static StictionStatus draw_damping(Lab *lab) {
  Damping *damping = NEW(Damping, 1);
  Point point[2] = {point_of(lab), point_of(lab)};
  point[1].friction = 0;
  for (int i = 0; i < SAMPLES; i++)
    damping->step[i] = pow(10, -2 + 4.0 * i / (SAMPLES - 1));
  StictionSeries series[2][METHODS + 1];
  StictionPlot plot[2];
  char title[2][64];
  StictionStatus status = STICTION_OK;
  for (int p = 0; p < 2 && status == STICTION_OK; p++) {
    status = fill_damping(lab, &point[p], damping, p);
    for (int m = 0; m <= METHODS; m++)
      series[p][m] = (StictionSeries){
          .name = m < METHODS ? point_methods[m].name : "exact",
          .style = m < METHODS ? STICTION_LINE : STICTION_REFERENCE,
          .dash = m < METHODS && point_methods[m].rings ? STICTION_DASHED : STICTION_SOLID,
          .count = SAMPLES,
          .x = damping->step,
          .y = damping->factor[p][m]};
    snprintf(title[p], sizeof title[p], "factor per step, friction %g", point[p].friction);
    plot[p] = (StictionPlot){.title = title[p],
                             .x = {.label = "h ω", .logarithmic = true},
                             .y = {.label = "spectral radius", .low = 0, .high = 1.2},
                             .series_count = METHODS + 1,
                             .series = series[p]};
  }
  if (status == STICTION_OK)
    status = lab_plot(lab, "amplification.svg", plot, 2, 2);
  free(damping);
  return status;
}

static void add_thresholds(Lab *lab) {
  static const Column column[] = {{"contact stiffness", "N/m", 4},
                                  {"threshold of friction", NULL, 4},
                                  {"growth", "1/s", 4},
                                  {"frequency", "rad/s", 4},
                                  {"", NULL, 0}};
  Point point = point_of(lab);
  Table *table =
      result_add_table(lab->result, "Flutter over contact stiffness (threshold without damping)",
                       column, LENGTH(column));
  for (int i = 0; i < 9; i++) {
    double complex root[4], worst;
    point.contact_stiffness = stiffness_at(lab, i, 9);
    point_eigenvalues(&point, root);
    worst = root[0];
    for (int k = 1; k < 4; k++)
      worst = creal(root[k]) > creal(worst) ? root[k] : worst;
    cell_number(table, point.contact_stiffness);
    cell_number(table, point_threshold(&point));
    cell_number(table, creal(worst));
    cell_number(table, fabs(cimag(worst)));
    cell_text(table, creal(worst) > 0 ? "flutters" : "stable");
  }
}

// The hω beyond which disturbances fade, where they do: found on the way down from long steps.
static StictionStatus find_fading(PointScene *scene, double *from) {
  double low = 2e-3, high = 1e3, w = frequency(&scene->point), factor;
  *from = NAN;
  TRY(point_amplification(scene, high / w, &factor));
  if (factor >= 1 - 1e-4)
    return STICTION_OK;
  for (int i = 0; i < 30; i++) {
    double middle = sqrt(low * high);
    TRY(point_amplification(scene, middle / w, &factor));
    *(factor < 1 ? &high : &low) = middle;
  }
  *from = high;
  return STICTION_OK;
}

static const double table_steps[] = {0.1, 0.3, 1, 3, 10, 100};
enum { TABLE_STEPS = LENGTH(table_steps) };

static StictionStatus measure_row(PointScene *scene, double factor[TABLE_STEPS], double *from) {
  for (int s = 0; s < TABLE_STEPS; s++)
    TRY(point_amplification(scene, table_steps[s] / frequency(&scene->point), &factor[s]));
  return find_fading(scene, from);
}

static StictionStatus add_factor_row(Lab *lab, const Point *point, int method, Table *table) {
  PointScene scene;
  double factor[TABLE_STEPS], from = NAN;
  StictionStatus status = point_open(lab->session, point, &point_methods[method], &scene);
  if (status == STICTION_OK)
    status = measure_row(&scene, factor, &from);
  point_close(&scene);
  TRY(lab_check(lab, status));
  cell_text(table, "%s", point_methods[method].name);
  for (int s = 0; s < TABLE_STEPS; s++)
    cell_number(table, factor[s]);
  if (isnan(from))
    cell_lacks(table, "tends to 1", NAN);
  else
    cell_number(table, from);
  return STICTION_OK;
}

static StictionStatus add_factors(Lab *lab) {
  static const Column column[] = {{"integrator", NULL, 0}, {"h ω = 0.1", NULL, 4},
                                  {"0.3", NULL, 4},        {"1", NULL, 4},
                                  {"3", NULL, 4},          {"10", NULL, 4},
                                  {"100", NULL, 4},        {"fades from h ω", NULL, 3}};
  Point point = point_of(lab);
  char title[160];
  snprintf(title, sizeof title,
           "Factor by which one step multiplies a disturbance, friction %g (above 1: it grows)",
           point.friction);
  Table *table = result_add_table(lab->result, title, column, LENGTH(column));
  for (int m = 0; m < METHODS; m++)
    TRY(add_factor_row(lab, &point, m, table));
  cell_text(table, "exact");
  for (int s = 0; s < TABLE_STEPS; s++)
    cell_number(table, exp(table_steps[s] / frequency(&point) * point_growth(&point)));
  cell_text(table, point_growth(&point) > 0 ? "never" : "always");
  return STICTION_OK;
}

static StictionStatus run(Lab *lab) {
  stiction_listen(lab->session, NULL, NULL); // it warns of methods that ring, which are looked at
  add_thresholds(lab);
  TRY(add_factors(lab));
  Point point = point_of(lab);
  result_add_note(lab->result,
                  "ω is the frequency of the support along the belt, %.4g rad/s. The exact "
                  "factor is that of the linearised motion over one step.",
                  frequency(&point));
  TRY(draw_map(lab));
  TRY(draw_modes(lab));
  return draw_damping(lab);
}

const Experiment experiment_point_contact = {
    .name = "point-contact",
    .summary = "A point on an elastic support, pressed onto a sliding belt: eigenvalues over "
               "friction and contact stiffness, where it is unstable, and how each integrator "
               "damps or amplifies that.",
    .paper = "elastodynamics with frictional contact can be unstable, and the trapezoidal rule "
             "keeps alive what L-stable methods damp; the example itself is in a supplement that "
             "is lost.",
    .param = params,
    .param_count = LENGTH(params),
    .run = run,
};
