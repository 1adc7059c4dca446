// What it takes to change a volume, by the three models, and the pressure that answers: the paper's
// figure, read off a tet that is made larger and smaller.
#include "list.h"

#include "lab.h"
#include "scene.h"
#include "tips.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 401, IDEAL_GAS = 2, MODELS = 3 };

static const double atmosphere = 101325; // Pa

static const char *const models[MODELS] = {"quadratic", "nearly_incompressible", "ideal_gas"};

enum { REST_VOLUME, COMPRESSIBILITY, OUTSIDE_PRESSURE, LEAST, MOST };

static const Param params[] = {
    [REST_VOLUME] = {.name = "rest_volume",
                     .doc = "Volume at which nothing is stored.",
                     .unit = "m^3",
                     .fallback = 1,
                     .min_open = true,
                     .max = INFINITY},
    [COMPRESSIBILITY] = {.name = "compressibility",
                         .doc = "Share of volume given way by under a unit of pressure; the gas "
                                "has one over its pressure.",
                         .unit = "1/Pa",
                         .fallback = 1 / 101325.0,
                         .min_open = true,
                         .max = INFINITY},
    [OUTSIDE_PRESSURE] = {.name = "outside_pressure",
                          .doc = "Pressure outside, and inside at the rest volume.",
                          .unit = "Pa",
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

// A tet with something in it. Its height is the volume, all else stays.
typedef struct Vessel {
  StictionScene *scene;
  StictionSimulation *simulation;
} Vessel;

static StictionBuild *build_vessel(const Lab *lab, int model) {
  static const double corner[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}}; // 1 m³
  static const int tet[4] = {0, 1, 2, 3};
  const StictionMesh mesh = {
      .vertex_count = 4, .position = &corner[0][0], .tet_count = 1, .tet = tet};
  StictionBuild *scene = scene_begin("A volume, %s", models[model]);
  scene_add_material(scene, "rubber", 1e3, 0.3, 1000);
  stiction_part_set_mesh(stiction_build_add_body(scene, "vessel", NULL), &mesh);
  set_vector(tips_add(scene, TIPS_FEW, NULL), "translate", 10, 0, 0); // beside it, for processes
  StictionPart *filling = stiction_build_add_volume(scene, "filling", models[model]);
  set_text(filling, "body", "vessel");
  set_text(filling, "of", "boundary");
  set(filling, "rest_volume", lab_value(lab, "rest_volume"));
  set(filling, "outside_pressure", lab_value(lab, "outside_pressure"));
  set(filling, "pressure", lab_value(lab, "outside_pressure"));
  if (model != IDEAL_GAS)
    set(filling, "compressibility", lab_value(lab, "compressibility"));
  scene_set_gravity(scene, 0);
  scene_set_time(scene, 1, 1, 1);
  return scene;
}

static StictionStatus open_vessel(Lab *lab, int model, Vessel *vessel) {
  StictionBuild *build = build_vessel(lab, model);
  StictionStatus status = stiction_scene_build(lab->session, build, &vessel->scene);
  stiction_build_free(build);
  if (status == STICTION_OK)
    status = stiction_simulation_create(lab->session, vessel->scene, &vessel->simulation);
  return lab_check(lab, status);
}

static void close_vessel(Vessel *vessel) {
  stiction_simulation_free(vessel->simulation);
  stiction_scene_free(vessel->scene);
}

// Energy in J and absolute pressure in Pa, at a volume in m³.
static StictionStatus evaluate(Lab *lab, const Vessel *vessel, double volume, double *energy,
                               double *pressure) {
  double *position = stiction_simulation_positions(vessel->simulation);
  if (position)
    position[11] = volume;
  TRY(lab_check(lab, stiction_simulation_state_changed(vessel->simulation)));
  const StictionReport *report = stiction_simulation_report(vessel->simulation);
  *pressure = report->volume[0].pressure;
  *energy = NAN;
  for (int i = 0; i < report->force_count; i++)
    if (strcmp(report->force[i].name, "volume") == 0)
      *energy = report->force[i].energy;
  return STICTION_OK;
}

static const double part[] = {0.1, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 2, 3}; // rows of the table
enum { PARTS = LENGTH(part) };

typedef struct Curves {
  double volume[POINTS], energy[MODELS][POINTS], pressure[MODELS][POINTS];
  double part_energy[MODELS][PARTS], part_pressure[MODELS][PARTS];
} Curves;

static StictionStatus follow(Lab *lab, int m, const Vessel *vessel, Curves *curves) {
  double rest = lab_value(lab, "rest_volume");
  double least = lab_value(lab, "least"), most = lab_value(lab, "most");
  for (int i = 0; i < POINTS; i++) {
    curves->volume[i] = rest * (least + (most - least) * i / (POINTS - 1));
    TRY(evaluate(lab, vessel, curves->volume[i], &curves->energy[m][i], &curves->pressure[m][i]));
  }
  for (int i = 0; i < PARTS; i++)
    TRY(evaluate(lab, vessel, part[i] * rest, &curves->part_energy[m][i],
                 &curves->part_pressure[m][i]));
  return STICTION_OK;
}

static StictionStatus fill(Lab *lab, Curves *curves) {
  StictionStatus status = STICTION_OK;
  for (int m = 0; m < MODELS && status == STICTION_OK; m++) {
    Vessel vessel = {0};
    status = open_vessel(lab, m, &vessel);
    if (status == STICTION_OK)
      status = follow(lab, m, &vessel, curves);
    close_vessel(&vessel);
  }
  return status;
}

static StictionStatus draw(Lab *lab, const Curves *curves) {
  static const StictionDash dash[MODELS] = {STICTION_SOLID, STICTION_DASHED, STICTION_DOTTED};
  static const char *const title[2] = {"energy", "pressure inside"};
  const StictionAxis axis[2] = {
      {.label = "energy (kJ)", .unit = 1e3},
      {.label = "pressure inside (atm)", .unit = atmosphere, .low = -1.5, .high = 6}};
  StictionSeries series[2][MODELS];
  StictionPlot plot[2];
  for (int p = 0; p < 2; p++) {
    for (int m = 0; m < MODELS; m++)
      series[p][m] = (StictionSeries){.name = models[m],
                                      .style = STICTION_LINE,
                                      .dash = dash[m],
                                      .count = POINTS,
                                      .x = curves->volume,
                                      .y = p ? curves->pressure[m] : curves->energy[m]};
    plot[p] = (StictionPlot){.title = title[p],
                             .x = {.label = "volume (m³)"},
                             .y = axis[p],
                             .series_count = MODELS,
                             .series = series[p]};
  }
  return lab_plot(lab, "volume_energy.svg", plot, 2, 2);
}

static void add_table(Lab *lab, const Curves *curves) {
  static const Column column[] = {
      {"V / V₀", NULL, 3},    {"quadratic", "kJ", 4},  {"nearly incompressible", "kJ", 4},
      {"ideal gas", "kJ", 4}, {"quadratic", "atm", 4}, {"nearly incompressible", "atm", 4},
      {"ideal gas", "atm", 4}};
  Table *table = result_add_table(lab->result, "Energy and pressure inside over volume", column,
                                  LENGTH(column));
  for (int i = 0; i < PARTS; i++) {
    cell_number(table, part[i]);
    for (int m = 0; m < MODELS; m++)
      cell_number(table, curves->part_energy[m][i] * 1e-3);
    for (int m = 0; m < MODELS; m++)
      cell_number(table, curves->part_pressure[m][i] / atmosphere);
  }
}

static StictionStatus run(Lab *lab) {
  Curves *curves = NEW(Curves, 1);
  StictionStatus status = fill(lab, curves);
  if (status == STICTION_OK) {
    add_table(lab, curves);
    status = draw(lab, curves);
  }
  free(curves);
  return status;
}

const Experiment experiment_volume_energy = {
    .name = "volume-energy",
    .summary =
        "The energies and pressures of the three volume models over the volume at V₀ = 1 m³.",
    .paper = "the quadratic model approximates both others for small changes, is too weak under "
             "strong compression and too strong in large expansion.",
    .param = params,
    .param_count = LENGTH(params),
    .run = run,
};
