// The friction model as curves: how it sets in over ε, and the Stribeck and viscous curve with the
// parts it is made of. Read off a row of contacts that slide, each at a speed of its own.
#include "list.h"

#include "lab.h"
#include "scene.h"
#include "tips.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 401, SPEEDS = 4, PARTS = 4, RATIOS = 5, GRID = 1001 };

enum { DYNAMIC, STATIC, VISCOUS, STICKING_SPEED, STRIBECK_RATIO };

static const Param params[] = {
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
                 .unit = "kg/s",
                 .fallback = 0.1,
                 .max = INFINITY},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "Speed below which friction is only as strong as holding needs; "
                               "the first plot has a half, a fifth and a tenth of it too.",
                        .unit = "m/s",
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

typedef struct Law {
  double dynamic, fixed; // coefficients, `fixed` that of what is at rest
  double viscous, sticking_speed, stribeck_speed;
} Law;

static Law law_of(const Lab *lab, double ratio) {
  double dynamic = lab_value(lab, "dynamic"), epsilon = lab_value(lab, "sticking_speed");
  return (Law){dynamic, fmax(dynamic, lab_value(lab, "static")), lab_value(lab, "viscous"), epsilon,
               ratio * epsilon};
}

// The same without the viscous part: what a tribometer would read.
static Law dry_law(Law law) {
  law.viscous = 0;
  return law;
}

// s(v; ε): the curve of a coefficient of one.
static Law transition_law(double epsilon) {
  return (Law){1, 1, 0, epsilon, 10 * epsilon};
}

// The paper's formula, which falls short of the static coefficient.
static double formula(const Law *law, double speed) {
  double x = speed / law->stribeck_speed, part = fmin(1, speed / law->sticking_speed);
  double fade = x < 1 ? (2 * x + 1) * (x - 1) * (x - 1) : 0;
  return (law->dynamic + (law->fixed - law->dynamic) * fade) * part * (2 - part);
}

// Tips on a floor, each pressed onto it with 1 N and sliding at a speed of its own.
typedef struct Floor {
  StictionScene *scene;
  StictionSimulation *simulation;
} Floor;

static const double thickness = 1e-3; // m, of contact; the tips are at half of it

static StictionBuild *build_floor(const Law *law, int count) {
  StictionBuild *scene = scene_begin("Tips on a floor");
  scene_add_material(scene, "tip", 1e6, 0, 1000);
  set_vector(tips_add(scene, count, "tip"), "translate", 0, 0, 2 * thickness);
  stiction_part_set_shape(stiction_build_add_obstacle(scene, "floor", "floor"), "half_space");
  StictionPart *friction = scene_add_friction(scene, "tip", "floor", law->dynamic);
  set(friction, "static", law->fixed);
  set(friction, "sticking_speed", law->sticking_speed);
  set(friction, "stribeck_speed", law->stribeck_speed);
  // At half of the thickness a quarter of the film is there.
  set(friction, "viscous", 4 * law->viscous);
  StictionPart *contact = scene_smooth_contact(scene);
  set(contact, "thickness", thickness);
  set(contact, "stiffness", 4 / (3 * thickness * tips_area()));
  scene_set_gravity(scene, 0);
  scene_set_time(scene, 1, 1, 1);
  return scene;
}

static StictionStatus open_floor(Lab *lab, const Law *law, int count, Floor *floor) {
  StictionBuild *build = build_floor(law, count);
  StictionStatus status = stiction_scene_build(lab->session, build, &floor->scene);
  stiction_build_free(build);
  if (status == STICTION_OK)
    status = stiction_simulation_create(lab->session, floor->scene, &floor->simulation);
  return lab_check(lab, status);
}

static void close_floor(Floor *floor) {
  stiction_simulation_free(floor->simulation);
  stiction_scene_free(floor->scene);
}

// Friction over normal force at these speeds.
static StictionStatus read_floor(Lab *lab, const Floor *floor, int count, const double *speed,
                                 double *coefficient) {
  double *position = stiction_simulation_positions(floor->simulation);
  double *velocity = stiction_simulation_velocities(floor->simulation);
  for (int i = 0; position && i < count; i++) {
    double up = thickness / 2 - position[12 * i + 2];
    for (int v = 4 * i; v < 4 * i + 4; v++) {
      position[3 * v + 2] += up;
      velocity[3 * v] = speed[i];
    }
  }
  TRY(lab_check(lab, stiction_simulation_state_changed(floor->simulation)));
  const double *force;
  StictionContactFields contact;
  TRY(lab_check(lab, stiction_simulation_forces(floor->simulation, "friction", &force)));
  TRY(lab_check(lab, stiction_simulation_contact_fields(floor->simulation, &contact)));
  for (int i = 0; force && i < count; i++)
    coefficient[i] = -force[12 * i] / contact.normal_force[4 * i];
  return STICTION_OK;
}

static StictionStatus measure(Lab *lab, Law law, int count, const double *speed,
                              double *coefficient) {
  Floor floor = {0};
  StictionStatus status = open_floor(lab, &law, count, &floor);
  if (status == STICTION_OK)
    status = read_floor(lab, &floor, count, speed, coefficient);
  close_floor(&floor);
  return status;
}

static void spread(double *speed, double top) {
  for (int i = 0; i < POINTS; i++)
    speed[i] = top * i / (POINTS - 1);
}

typedef struct Curves {
  double speed[2][POINTS], transition[SPEEDS][POINTS], part[PARTS][POINTS];
} Curves;

static const double shares[SPEEDS] = {1, 0.5, 0.2, 0.1}; // of ε

static StictionStatus fill(Lab *lab, Curves *curves) {
  Law law = law_of(lab, lab_value(lab, "stribeck_ratio"));
  double epsilon = law.sticking_speed, dry[POINTS];
  spread(curves->speed[0], 1.5 * epsilon);
  for (int s = 0; s < SPEEDS; s++)
    TRY(measure(lab, transition_law(shares[s] * epsilon), POINTS, curves->speed[0],
                curves->transition[s]));
  const double *speed = curves->speed[1];
  spread(curves->speed[1], 1.6 * law.stribeck_speed);
  TRY(measure(lab, dry_law(law), POINTS, speed, dry));
  TRY(measure(lab, law, POINTS, speed, curves->part[0]));
  TRY(measure(lab, transition_law(epsilon), POINTS, speed, curves->part[1]));
  for (int i = 0; i < POINTS; i++) {
    curves->part[1][i] *= law.dynamic;
    curves->part[2][i] = dry[i] - curves->part[1][i];
    curves->part[3][i] = curves->part[0][i] - dry[i];
  }
  return STICTION_OK;
}

static StictionPlot plot_transition(const Lab *lab, const Curves *curves,
                                    StictionSeries series[SPEEDS], char name[SPEEDS][32]) {
  for (int s = 0; s < SPEEDS; s++) {
    snprintf(name[s], sizeof name[s], "ε = %g m/s", shares[s] * lab_value(lab, "sticking_speed"));
    series[s] = (StictionSeries){.name = name[s],
                                 .style = STICTION_LINE,
                                 .count = POINTS,
                                 .x = curves->speed[0],
                                 .y = curves->transition[s]};
  }
  return (StictionPlot){.title = "pre-sliding transition",
                        .x = {.label = "sliding speed v (m/s)"},
                        .y = {.label = "s(v; ε)", .low = 0, .high = 1.1},
                        .series_count = SPEEDS,
                        .series = series};
}

static StictionPlot plot_parts(const Curves *curves, StictionSeries series[PARTS]) {
  static const char *const name[PARTS] = {"all", "dynamic: μ_d s", "static: (μ_s − μ_d) g s",
                                          "viscous: μ_v v"};
  static const StictionDash dash[PARTS] = {STICTION_SOLID, STICTION_DASHED, STICTION_DASHED,
                                           STICTION_DOTTED};
  for (int p = 0; p < PARTS; p++)
    series[p] = (StictionSeries){.name = name[p],
                                 .style = STICTION_LINE,
                                 .dash = dash[p],
                                 .count = POINTS,
                                 .x = curves->speed[1],
                                 .y = curves->part[p]};
  return (StictionPlot){.title = "Stribeck and viscous friction",
                        .x = {.label = "sliding speed v (m/s)"},
                        .y = {.label = "friction over normal force"},
                        .series_count = PARTS,
                        .series = series};
}

static StictionStatus draw(Lab *lab) {
  Curves *curves = NEW(Curves, 1);
  StictionSeries transition_series[SPEEDS], part_series[PARTS];
  char name[SPEEDS][32];
  StictionStatus status = fill(lab, curves);
  if (status == STICTION_OK) {
    const StictionPlot plot[2] = {plot_transition(lab, curves, transition_series, name),
                                  plot_parts(curves, part_series)};
    status = lab_plot(lab, "friction_curves.svg", plot, 2, 2);
  }
  free(curves);
  return status;
}

typedef struct Peak {
  double value, speed; // highest coefficient and where it is
} Peak;

// A grid over all speeds, then finer ones about the best. floor: NULL: the formula is looked at.
static StictionStatus find_peak(Lab *lab, const Law *law, const Floor *floor, Peak *peak) {
  enum { PASSES = 4 };
  double low = 0, high = law->stribeck_speed, speed[GRID], value[GRID];
  *peak = (Peak){0};
  for (int pass = 0; pass < PASSES; pass++) {
    double width = (high - low) / (GRID - 1);
    for (int i = 0; i < GRID; i++) {
      speed[i] = low + i * width;
      value[i] = floor ? 0 : formula(law, speed[i]);
    }
    if (floor)
      TRY(read_floor(lab, floor, GRID, speed, value));
    for (int i = 0; i < GRID; i++)
      if (value[i] > peak->value)
        *peak = (Peak){value[i], speed[i]};
    low = fmax(peak->speed - 2 * width, 0);
    high = peak->speed + 2 * width;
  }
  return STICTION_OK;
}

static StictionStatus add_row(Lab *lab, double ratio, Table *table) {
  Law law = dry_law(law_of(lab, ratio));
  Floor floor = {0};
  Peak raw = {0}, used = {0};
  double fallen[GRID] = {0}, speed[GRID];
  for (int i = 0; i < GRID; i++)
    speed[i] = law.stribeck_speed;
  StictionStatus status = open_floor(lab, &law, GRID, &floor);
  if (status == STICTION_OK)
    status = find_peak(lab, &law, NULL, &raw);
  if (status == STICTION_OK)
    status = find_peak(lab, &law, &floor, &used);
  if (status == STICTION_OK)
    status = read_floor(lab, &floor, GRID, speed, fallen);
  close_floor(&floor);
  cell_number(table, ratio);
  cell_number(table, raw.value);
  cell_number(table, used.value);
  cell_number(table, used.speed);
  cell_number(table, fallen[0]);
  return status;
}

static StictionStatus add_table(Lab *lab) {
  static const double ratio[RATIOS] = {1.5, 2, 5, 10, 100};
  static const Column column[] = {{"v_s / ε", NULL, 3},
                                  {"peak of the formula", NULL, 4},
                                  {"peak as used", NULL, 4},
                                  {"at speed", "m/s", 3},
                                  {"at v_s", NULL, 4}};
  Table *table = result_add_table(lab->result,
                                  "The peak of the curve, without viscous part: the formula "
                                  "falls short of the static coefficient, and is scaled",
                                  column, LENGTH(column));
  for (int r = 0; r < RATIOS; r++)
    TRY(add_row(lab, ratio[r], table));
  return STICTION_OK;
}

static StictionStatus run(Lab *lab) {
  TRY(add_table(lab));
  return draw(lab);
}

const Experiment experiment_friction_curves = {
    .name = "friction-curves",
    .summary = "The friction model as curves: s(v; ε) for several ε, and the Stribeck and viscous "
               "curve with its parts.",
    .paper = "ε is the speed tolerance of sticking; v_s close to ε lowers the static friction that "
             "is observed, and v_s = 10ε works well.",
    .param = params,
    .param_count = LENGTH(params),
    .run = run,
};
