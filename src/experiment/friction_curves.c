// The friction model as curves: how it sets in over ε, and the Stribeck and viscous curve with the
// parts it is made of. No simulation: the functions are those the contacts use.
#include "experiment/list.h"

#include "base/memory.h"
#include "contact/friction.h"
#include "experiment/lab.h"

#include <stdio.h>

enum { POINTS = 401, SPEEDS = 4, PARTS = 4, RATIOS = 5 };

enum { DYNAMIC, STATIC, VISCOUS, STICKING_SPEED, STRIBECK_RATIO };

static const StParam params[] = {
    [DYNAMIC] = {.name = "dynamic",
                 .doc = "Coefficient while sliding.",
                 .fallback = 0.3,
                 .min_open = true,
                 .max = 10},
    [STATIC] = {.name = "static",
                .doc = "Coefficient at the peak; at least the dynamic one counts.",
                .fallback = 0.6,
                .min_open = true,
                .max = 10},
    [VISCOUS] = {.name = "viscous",
                 .doc = "Friction per speed, under a normal force of 1 N.",
                 .dimension = ST_DAMPING_RATE,
                 .fallback = 0.1,
                 .max = INFINITY},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "Speed below which friction is only as strong as holding needs; "
                               "the first plot has a half, a fifth and a tenth of it too.",
                        .dimension = ST_SPEED,
                        .fallback = 0.1,
                        .min_open = true,
                        .max = INFINITY},
    [STRIBECK_RATIO] = {.name = "stribeck_ratio",
                        .doc = "Speed at which friction has fallen to the dynamic one, in sticking "
                               "speeds.",
                        .fallback = 10,
                        .min = 1,
                        .min_open = true,
                        .max = 1e6},
};

static StFrictionLaw law_of(const StLab *lab, double ratio) {
  double dynamic = st_lab_value(lab, "dynamic"), epsilon = st_lab_value(lab, "sticking_speed");
  StFrictionLaw law = {.dynamic_coefficient = dynamic,
                       .static_coefficient = fmax(dynamic, st_lab_value(lab, "static")),
                       .viscous_coefficient = st_lab_value(lab, "viscous"),
                       .sticking_speed = epsilon,
                       .stribeck_speed = ratio * epsilon};
  st_friction_prepare(&law);
  return law;
}

// s(v; ε): the curve of a coefficient of one.
static double transition(double epsilon, double speed) {
  StFrictionLaw law = {.dynamic_coefficient = 1,
                       .static_coefficient = 1,
                       .sticking_speed = epsilon,
                       .stribeck_speed = epsilon};
  return st_friction_coefficient(&law, speed);
}

// Friction under a normal force of 1 N, all parts together.
static double whole(const StFrictionLaw *law, double speed) {
  double force[3];
  const StFrictionLoad load = {.normal_force = 1, .engagement = 1};
  st_friction_force(law, &load, (double[3]){speed, 0, 0}, force);
  return -force[0];
}

static void spread(double *speed, double top) {
  for (int i = 0; i < POINTS; i++)
    speed[i] = top * i / (POINTS - 1);
}

static StPlot plot_transition(const StLab *lab, double *speed, double value[SPEEDS][POINTS],
                              StPlotSeries series[SPEEDS], char name[SPEEDS][32]) {
  static const double part[SPEEDS] = {1, 0.5, 0.2, 0.1};
  double epsilon = st_lab_value(lab, "sticking_speed");
  spread(speed, 1.5 * epsilon);
  for (int s = 0; s < SPEEDS; s++) {
    for (int i = 0; i < POINTS; i++)
      value[s][i] = transition(part[s] * epsilon, speed[i]);
    snprintf(name[s], sizeof name[s], "ε = %g m/s", part[s] * epsilon);
    series[s] = (StPlotSeries){
        .name = name[s], .style = ST_PLOT_LINE, .count = POINTS, .x = speed, .y = value[s]};
  }
  return (StPlot){.title = "pre-sliding transition",
                  .x = {.label = "sliding speed v (m/s)"},
                  .y = {.label = "s(v; ε)", .low = 0, .high = 1.1},
                  .series_count = SPEEDS,
                  .series = series};
}

static StPlot plot_parts(const StLab *lab, double *speed, double value[PARTS][POINTS],
                         StPlotSeries series[PARTS]) {
  static const char *const name[PARTS] = {"all", "dynamic: μ_d s", "static: (μ_s − μ_d) g s",
                                          "viscous: μ_v v"};
  static const StPlotDash dash[PARTS] = {ST_PLOT_SOLID, ST_PLOT_DASHED, ST_PLOT_DASHED,
                                         ST_PLOT_DOTTED};
  StFrictionLaw law = law_of(lab, st_lab_value(lab, "stribeck_ratio"));
  spread(speed, 1.6 * law.stribeck_speed);
  for (int i = 0; i < POINTS; i++) {
    double dry = st_friction_coefficient(&law, speed[i]);
    value[0][i] = whole(&law, speed[i]);
    value[1][i] = law.dynamic_coefficient * transition(law.sticking_speed, speed[i]);
    value[2][i] = dry - value[1][i];
    value[3][i] = value[0][i] - dry;
  }
  for (int p = 0; p < PARTS; p++)
    series[p] = (StPlotSeries){.name = name[p],
                               .style = ST_PLOT_LINE,
                               .dash = dash[p],
                               .count = POINTS,
                               .x = speed,
                               .y = value[p]};
  return (StPlot){.title = "Stribeck and viscous friction",
                  .x = {.label = "sliding speed v (m/s)"},
                  .y = {.label = "friction over normal force"},
                  .series_count = PARTS,
                  .series = series};
}

typedef struct Curves {
  double speed[2][POINTS], transition[SPEEDS][POINTS], part[PARTS][POINTS];
} Curves;

static StStatus draw(StLab *lab, StError *error) {
  Curves *curves = ST_NEW(Curves, 1);
  if (!curves)
    return st_fail_memory(error);
  StPlotSeries transition_series[SPEEDS], part_series[PARTS];
  char name[SPEEDS][32];
  StPlot plot[2] = {
      plot_transition(lab, curves->speed[0], curves->transition, transition_series, name),
      plot_parts(lab, curves->speed[1], curves->part, part_series)};
  StStatus status = st_lab_plot(lab, "friction_curves.svg", plot, 2, 2, error);
  free(curves);
  return status;
}

// Highest coefficient and where it is: a grid over all speeds, then finer ones about the best.
static double peak_of(const StFrictionLaw *law, double *at) {
  enum { CELLS = 1000, PASSES = 4 };
  double low = 0, high = law->stribeck_speed, peak = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    double width = (high - low) / CELLS, start = low;
    for (int i = 0; i <= CELLS; i++) {
      double speed = start + i * width, value = st_friction_coefficient(law, speed);
      *at = value > peak ? speed : *at;
      peak = fmax(peak, value);
    }
    low = fmax(*at - 2 * width, 0);
    high = *at + 2 * width;
  }
  return peak;
}

static void add_table(StLab *lab) {
  static const double ratio[RATIOS] = {1.5, 2, 5, 10, 100};
  static const StColumn column[] = {{"v_s / ε", NULL, 3},
                                    {"peak of the formula", NULL, 4},
                                    {"peak as used", NULL, 4},
                                    {"at speed", "m/s", 3},
                                    {"at v_s", NULL, 4}};
  StResultTable *table =
      st_result_add_table(lab->result,
                          "The peak of the curve, without viscous part: the formula "
                          "falls short of the static coefficient, and is scaled",
                          column, ST_LENGTH(column));
  for (int r = 0; r < RATIOS; r++) {
    StFrictionLaw law = law_of(lab, ratio[r]), raw = law;
    double at = 0, unused = 0;
    raw.peak = 1;
    st_cell_number(table, ratio[r]);
    st_cell_number(table, peak_of(&raw, &unused));
    st_cell_number(table, peak_of(&law, &at));
    st_cell_number(table, at);
    st_cell_number(table, st_friction_coefficient(&law, law.stribeck_speed));
  }
}

static StStatus run(StLab *lab, StError *error) {
  add_table(lab);
  return draw(lab, error);
}

const StExperiment st_experiment_friction_curves = {
    .name = "friction-curves",
    .summary = "The friction model as curves: s(v; ε) for several ε, and the Stribeck and viscous "
               "curve with its parts.",
    .paper = "ε is the speed tolerance of sticking; v_s close to ε lowers the static friction that "
             "is observed, and v_s = 10ε works well.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .run = run,
};
