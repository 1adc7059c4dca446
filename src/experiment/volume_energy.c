// What it takes to change a volume, by the three models, and the pressure that answers: the paper's
// figure, from the functions that simulations use.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "force/volume_model.h"

enum { POINTS = 401, MODELS = 3 };

static const double atmosphere = 101325; // Pa

static const char *const models[MODELS] = {"quadratic", "nearly_incompressible", "ideal_gas"};

enum { REST_VOLUME, COMPRESSIBILITY, OUTSIDE_PRESSURE, LEAST, MOST };

static const StParam params[] = {
    [REST_VOLUME] = {.name = "rest_volume",
                     .doc = "Volume at which nothing is stored.",
                     .dimension = ST_VOLUME,
                     .fallback = 1,
                     .min_open = true,
                     .max = INFINITY},
    [COMPRESSIBILITY] = {.name = "compressibility",
                         .doc = "Share of volume given way by under a unit of pressure; the gas "
                                "has one over its pressure.",
                         .dimension = ST_COMPRESSIBILITY,
                         .fallback = 1 / 101325.0,
                         .min_open = true,
                         .max = INFINITY},
    [OUTSIDE_PRESSURE] = {.name = "outside_pressure",
                          .doc = "Pressure outside, and inside at the rest volume.",
                          .dimension = ST_PRESSURE,
                          .fallback = 101325,
                          .min_open = true,
                          .max = INFINITY},
    [LEAST] = {.name = "least",
               .doc = "Smallest volume of the plots, in rest volumes.",
               .fallback = 0.05,
               .min_open = true,
               .max = 1},
    [MOST] = {.name = "most",
              .doc = "Largest volume of the plots, in rest volumes.",
              .fallback = 3,
              .min = 1,
              .min_open = true,
              .max = 1e3},
};

static StFilling filling_of(const StLab *lab) {
  double outside = st_lab_value(lab, "outside_pressure");
  return (StFilling){.rest_volume = st_lab_value(lab, "rest_volume"),
                     .outside_pressure = outside,
                     .pressure = outside,
                     .compressibility = st_lab_value(lab, "compressibility")};
}

// Energy in J and absolute pressure in Pa.
static void evaluate(const StFilling *filling, int model, double V, double *energy,
                     double *pressure) {
  double slope[3];
  st_volume_model_find(models[model])->slopes(filling, V, slope);
  *energy = slope[0];
  *pressure = filling->outside_pressure - slope[1];
}

typedef struct Curves {
  double volume[POINTS], energy[MODELS][POINTS], pressure[MODELS][POINTS];
} Curves;

static void fill(const StLab *lab, Curves *curves) {
  StFilling filling = filling_of(lab);
  double least = st_lab_value(lab, "least"), most = st_lab_value(lab, "most");
  for (int i = 0; i < POINTS; i++) {
    double V = filling.rest_volume * (least + (most - least) * i / (POINTS - 1));
    curves->volume[i] = V;
    for (int m = 0; m < MODELS; m++)
      evaluate(&filling, m, V, &curves->energy[m][i], &curves->pressure[m][i]);
  }
}

static StStatus draw(StLab *lab, const Curves *curves, StError *error) {
  static const StPlotDash dash[MODELS] = {ST_PLOT_SOLID, ST_PLOT_DASHED, ST_PLOT_DOTTED};
  static const char *const title[2] = {"energy", "pressure inside"};
  const StPlotAxis axis[2] = {
      {.label = "energy (kJ)", .unit = 1e3},
      {.label = "pressure inside (atm)", .unit = atmosphere, .low = -1.5, .high = 6}};
  StPlotSeries series[2][MODELS];
  StPlot plot[2];
  for (int p = 0; p < 2; p++) {
    for (int m = 0; m < MODELS; m++)
      series[p][m] = (StPlotSeries){.name = models[m],
                                    .style = ST_PLOT_LINE,
                                    .dash = dash[m],
                                    .count = POINTS,
                                    .x = curves->volume,
                                    .y = p ? curves->pressure[m] : curves->energy[m]};
    plot[p] = (StPlot){.title = title[p],
                       .x = {.label = "volume (m³)"},
                       .y = axis[p],
                       .series_count = MODELS,
                       .series = series[p]};
  }
  return st_lab_plot(lab, "volume_energy.svg", plot, 2, 2, error);
}

static void add_table(StLab *lab) {
  static const double part[] = {0.1, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 2, 3};
  static const StColumn column[] = {
      {"V / V₀", NULL, 3},    {"quadratic", "kJ", 4},  {"nearly incompressible", "kJ", 4},
      {"ideal gas", "kJ", 4}, {"quadratic", "atm", 4}, {"nearly incompressible", "atm", 4},
      {"ideal gas", "atm", 4}};
  StFilling filling = filling_of(lab);
  StResultTable *table = st_result_add_table(lab->result, "Energy and pressure inside over volume",
                                             column, ST_LENGTH(column));
  for (int i = 0; i < ST_LENGTH(part); i++) {
    double energy[MODELS], pressure[MODELS];
    for (int m = 0; m < MODELS; m++)
      evaluate(&filling, m, part[i] * filling.rest_volume, &energy[m], &pressure[m]);
    st_cell_number(table, part[i]);
    for (int m = 0; m < MODELS; m++)
      st_cell_number(table, energy[m] * 1e-3);
    for (int m = 0; m < MODELS; m++)
      st_cell_number(table, pressure[m] / atmosphere);
  }
}

static StStatus run(StLab *lab, StError *error) {
  Curves *curves = ST_NEW(Curves, 1);
  if (!curves)
    return st_fail_memory(error);
  fill(lab, curves);
  add_table(lab);
  StStatus status = draw(lab, curves, error);
  free(curves);
  return status;
}

const StExperiment st_experiment_volume_energy = {
    .name = "volume-energy",
    .summary =
        "The energies and pressures of the three volume models over the volume at V₀ = 1 m³.",
    .paper = "the quadratic model approximates both others for small changes, is too weak under "
             "strong compression and too strong in large expansion.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .run = run,
};
