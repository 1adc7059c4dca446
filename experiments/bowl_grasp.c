// The bowl grasp: an upside-down bowl is picked up by three soft pads that grip just hard enough,
// over the step, with implicit and with lagged friction: height of the bowl, and how much of the
// friction there can be is used.
#include "list.h"

#include "lab.h"
#include "scene.h"
#include "vec3.h"

#include <stdio.h>
#include <stdlib.h>

static const double steps[] = {0.005, 0.0025, 0.00125};
enum { STEPS = LENGTH(steps) };

static const char *const ways[] = {"implicit", "lagged"};
enum { WAYS = LENGTH(ways) };

// Frame at which the paper's bowl slips out of lagged pads.
static const double paper_slip[WAYS][STEPS] = {{NAN, NAN, NAN}, {35, 40, 100}};

enum { PADS = 3 };
static const char *const pad_names[PADS] = {"pad0", "pad1", "pad2"};

// The course of the pads, in seconds and metres: they close, take the weight, and lift.
static const double close_time = 0.1, rise_time = 0.1, rise = 0.8e-3, lift_time = 0.55, lift = 0.05;
static const double tremor_ramp = 0.2, key_interval = 1.25e-3;

// Metres: of the bowl, the pads, and the gap between them at the start.
static const double bowl_radius = 0.1, bowl_wall = 0.01, pad_depth = 0.012, pad_width = 0.03;
static const double start_gap = 2e-3, floor_gap = 1e-4;

static const double friction = 0.65, gravity = 9.81, frame_rate = 200;
static const double slip_limit = 1e-3; // m, how far the bowl falls behind the pads when it slips

enum {
  DURATION,
  SHORTEST_STEP,
  LAGS,
  SQUEEZE,
  TILT,
  TREMOR,
  TREMOR_RATE,
  DELAY,
  PAD_DAMPING,
  STICKING_SPEED,
  BOWL_CELLS,
  PAD_CELLS
};

static const Param params[] = {
    [DURATION] = {.name = "duration",
                  .doc = "Simulated time.",
                  .unit = "s",
                  .fallback = 0.75,
                  .min = 0.25,
                  .max = 10},
    [SHORTEST_STEP] = {.name = "shortest_step",
                       .doc = "Steps of 0.005, 0.0025 and 0.00125 s that are shorter are left out.",
                       .unit = "s",
                       .fallback = 0.00125,
                       .max = 0.005,
                       .min_open = true},
    [LAGS] = {.name = "lags",
              .doc = "Solves per step of lagged friction.",
              .kind = INTEGER,
              .fallback = 1,
              .min = 1,
              .max = 100},
    [SQUEEZE] = {.name = "squeeze",
                 .doc = "How far the pads are pressed in beyond where they would touch.",
                 .unit = "m",
                 .fallback = 0.158e-3,
                 .max = 0.01,
                 .min_open = true},
    [TILT] = {.name = "tilt",
              .doc = "How far above the rim the pads grip, as an angle at the bowl's centre.",
              .unit = "rad",
              .fallback = 15 * M_PI / 180,
              .max = 1.2},
    [TREMOR] = {.name = "tremor",
                .doc = "Largest acceleration of the pads, up and down, while they lift.",
                .unit = "m/s^2",
                .fallback = 7,
                .max = 9},
    [TREMOR_RATE] = {.name = "tremor_rate",
                     .doc = "How often a second they tremble.",
                     .unit = "1/s",
                     .fallback = 8,
                     .max = 100,
                     .min_open = true},
    [DELAY] = {.name = "delay",
               .doc = "By how much the grip follows the load later than it is felt.",
               .unit = "s",
               .fallback = 0.013,
               .max = 1},
    [PAD_DAMPING] = {.name = "pad_damping",
                     .doc = "Damping of the pads by stiffness.",
                     .unit = "s",
                     .fallback = 2e-3,
                     .max = 1},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "What holds creeps, slower than this.",
                        .unit = "m/s",
                        .fallback = 1e-5,
                        .max = 1,
                        .min_open = true},
    [BOWL_CELLS] = {.name = "bowl_cells",
                    .doc = "Cells of the bowl along a quarter of its rim.",
                    .kind = INTEGER,
                    .fallback = 6,
                    .min = 2,
                    .max = 1000},
    [PAD_CELLS] = {.name = "pad_cells",
                   .doc = "Cells along a side of the pads; two thirds of them through.",
                   .kind = INTEGER,
                   .fallback = 3,
                   .min = 1,
                   .max = 1000},
};

typedef struct Case {
  int way, step;
  char name[32];
} Case;

static Case case_of(int way, int step) {
  Case one = {.way = way, .step = step};
  snprintf(one.name, sizeof one.name, "%s-h%g", ways[way], steps[step]);
  return one;
}

// From 0 to 1, at rest at both ends.
static double ease(double x) {
  x = fmin(1, fmax(0, x));
  return x * x * (3 - 2 * x);
}

static double lift_off(void) {
  return close_time + rise_time;
}

// Acceleration of the trembling hand, m/s², or what the grip makes of it `delay` later.
static double tremble(const Lab *lab, double time, double delay) {
  double x = time - lift_off();
  if (x <= 0)
    return 0;
  double turn = 2 * M_PI * lab_value(lab, "tremor_rate") * (x - delay);
  return lab_value(lab, "tremor") * ease(x / tremor_ramp) * sin(turn);
}

// How far the pads have closed: more when they carry more, in proportion.
static double closed(const Lab *lab, double time) {
  double squeeze = lab_value(lab, "squeeze");
  double load = tremble(lab, time, lab_value(lab, "delay")) / gravity;
  return (start_gap + squeeze) * ease(time / close_time) + squeeze * load;
}

static double raised(const Lab *lab, double time) {
  double turn = 2 * M_PI * lab_value(lab, "tremor_rate");
  return rise * ease((time - close_time) / rise_time) +
         lift * ease((time - lift_off()) / lift_time) - tremble(lab, time, 0) / (turn * turn);
}

static void add_materials(const Lab *lab, StictionBuild *scene) {
  set(scene_add_material(scene, "pad", 600e3, 0.49, 1000), "stiffness_damping",
      lab_value(lab, "pad_damping"));
  scene_add_material(scene, "bowl", 11e6, 0.1, 400);
}

typedef struct Pad {
  double angle;
  double outward[3]; // from the bowl's centre to the pad
} Pad;

static Pad pad_of(const Lab *lab, int index) {
  double tilt = lab_value(lab, "tilt"), angle = 2 * M_PI * index / PADS;
  return (Pad){angle, {cos(angle) * cos(tilt), sin(angle) * cos(tilt), sin(tilt)}};
}

static void add_pad(const Lab *lab, int index, StictionBuild *scene) {
  Pad pad = pad_of(lab, index);
  double away = bowl_radius + start_gap + pad_depth / 2, cells = lab_value(lab, "pad_cells");
  StictionPart *body = stiction_build_add_body(scene, pad_names[index], "pad");
  StictionPart *box = stiction_part_set_shape(body, "box");
  set(box, "size_x", pad_depth);
  set(box, "size_y", pad_width);
  set(box, "size_z", pad_width);
  set(box, "cells_x", fmax(1, floor(2 * cells / 3)));
  set(box, "cells_y", cells);
  set(box, "cells_z", cells);
  set_rotation(body, 'y', -lab_value(lab, "tilt"));
  set_rotation(body, 'z', pad.angle);
  set_vector(body, "translate", away * pad.outward[0], away * pad.outward[1],
             away * pad.outward[2]);
}

static void add_bodies(const Lab *lab, StictionBuild *scene) {
  StictionPart *bowl = stiction_build_add_body(scene, "bowl", "bowl");
  StictionPart *shape = stiction_part_set_shape(bowl, "bowl");
  set(shape, "radius", bowl_radius);
  set(shape, "thickness", bowl_wall);
  set(shape, "cells", lab_value(lab, "bowl_cells"));
  set(shape, "layers", 1);
  set_rotation(bowl, 'x', M_PI);
  set_vector(bowl, "translate", 0, 0, floor_gap);
  for (int i = 0; i < PADS; i++)
    add_pad(lab, i, scene);
}

// The outer faces of the pads are moved.
static void add_motion(const Lab *lab, int index, StictionBuild *scene) {
  static const char *const names[PADS] = {"grip0", "grip1", "grip2"};
  Pad pad = pad_of(lab, index);
  StictionPart *grip = stiction_build_add_boundary(scene, names[index], pad_names[index]);
  stiction_part_choose_label(grip, "x+");
  long keys = lround(lab_value(lab, "duration") / key_interval);
  for (long k = 0; k <= keys; k++) {
    double time = (double)k * key_interval, in = closed(lab, time), up = raised(lab, time);
    set_vector(stiction_part_add_motion_key(grip, time), "translate", -in * pad.outward[0],
               -in * pad.outward[1], up - in * pad.outward[2]);
  }
}

static void add_contact(const Lab *lab, const Case *one, StictionBuild *scene) {
  static const char *const surfaces[] = {"pad0", "pad1", "pad2", "table"}, *const collider = "bowl";
  stiction_part_set_shape(stiction_build_add_obstacle(scene, "table", NULL), "half_space");
  set(scene_add_friction(scene, "pad", "bowl", friction), "sticking_speed",
      lab_value(lab, "sticking_speed"));
  StictionPart *contact = scene_smooth_contact(scene);
  StictionPart *pair = stiction_part_add(contact, "pairs");
  stiction_part_set_texts(pair, "collider", 1, &collider);
  stiction_part_set_texts(pair, "surface", LENGTH(surfaces), surfaces);
  set_text(contact, "friction", ways[one->way]);
  if (one->way > 0)
    set(contact, "friction_iterations", lab_value(lab, "lags"));
}

static StictionBuild *build_scene(const Lab *lab, const Case *one) {
  StictionBuild *scene = scene_begin("Bowl grasp, %s", one->name);
  add_materials(lab, scene);
  add_bodies(lab, scene);
  for (int i = 0; i < PADS; i++)
    add_motion(lab, i, scene);
  add_contact(lab, one, scene);
  scene_set_gravity(scene, gravity);
  scene_set_time(scene, lab_value(lab, "duration"), steps[one->step], 1 / frame_rate);
  scene_set(scene, "integrator", "be");
  return scene;
}

// What came of one bowl. height, time: [frames]
typedef struct Grasp {
  StictionRunState state;
  int frames;
  double *time, *frame, *height;
  int slip;           // frame; -1: held
  double utilisation; // largest from lift-off until the end or until it slips
  double newton;      // iterations per step
} Grasp;

typedef struct Grasps {
  Grasp of[WAYS][STEPS];
} Grasps;

static void free_grasps(Grasps *grasps) {
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < STEPS; s++)
      free(grasps->of[w][s].time);
}

// Of the centre of mass: each corner of a tet carries its share of what the tet weighs at rest. The
// bowl is the first body.
static double height_of(const StictionBody *bowl, const double *position) {
  double whole = 0, sum = 0;
  for (int t = 0; t < bowl->tet_count; t++) {
    const int *corner = bowl->tet + 4 * t;
    double edge[3][3], normal[3];
    for (int i = 0; i < 3; i++)
      vec3_sub(bowl->rest + 3 * corner[i + 1], bowl->rest + 3 * corner[0], edge[i]);
    vec3_cross(edge[0], edge[1], normal);
    double volume = vec3_dot(normal, edge[2]) / 6;
    whole += volume;
    for (int i = 0; i < 4; i++)
      sum += volume / 4 * position[3 * corner[i] + 2];
  }
  return sum / whole;
}

// Height of the bowl's centre, frame by frame; a run that failed has fewer.
static StictionStatus follow(const Recording *recording, Grasp *grasp) {
  size_t frames = (size_t)recording->cost.frames + 1;
  StictionBody bowl = recording_body(recording, 0);
  grasp->time = NEW(double, 3 * frames);
  grasp->frame = grasp->time + frames;
  grasp->height = grasp->frame + frames;
  for (int f = 0; f < (int)frames; f++) {
    double *position;
    TRY(recording_frame(recording, f, &position));
    grasp->time[f] = recording_frame_time(recording, f);
    grasp->frame[f] = f;
    grasp->height[f] = height_of(&bowl, position);
    free(position);
    grasp->frames = f + 1;
  }
  return STICTION_OK;
}

// Frame at which the bowl has fallen behind the pads since they took its weight; -1: none.
static int find_slip(const Lab *lab, const Grasp *grasp) {
  int first = 0;
  while (first < grasp->frames - 1 && grasp->time[first] < lift_off() - 1e-9)
    first++;
  for (int f = first; f < grasp->frames; f++) {
    double way = raised(lab, grasp->time[f]) - raised(lab, grasp->time[first]);
    if (grasp->height[f] - grasp->height[first] < way - slip_limit)
      return f;
  }
  return -1;
}

static double column_at(const Recording *recording, const char *what, const char *a, const char *b,
                        long row) {
  char name[64];
  snprintf(name, sizeof name, "%s(%s|%s)", what, a, b);
  const double *column = recording_column(recording, name);
  return column ? column[row] : 0;
}

// Friction between the bowl and all pads over the most there could be.
static double utilisation_at(const Recording *recording, long row) {
  double tangential = 0, normal = 0;
  for (int i = 0; i < PADS; i++) {
    static const char *const axis[] = {"friction_x", "friction_y", "friction_z"};
    const char *pad = pad_names[i];
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double on_bowl = column_at(recording, axis[k], "bowl", pad, row) -
                       column_at(recording, axis[k], pad, "bowl", row);
      square += on_bowl * on_bowl;
    }
    tangential += sqrt(square);
    normal += column_at(recording, "normal", "bowl", pad, row) +
              column_at(recording, "normal", pad, "bowl", row);
  }
  return normal > 0 ? tangential / (friction * normal) : 0;
}

static double find_utilisation(const Recording *recording, const Grasp *grasp) {
  const double *time = recording_column(recording, "time");
  double end = grasp->slip < 0 ? INFINITY : grasp->time[grasp->slip] - 0.02, most = 0;
  for (long row = 0; time && row < recording->rows; row++)
    if (time[row] > lift_off() && time[row] <= end)
      most = fmax(most, utilisation_at(recording, row));
  return most;
}

static const Column columns[] = {{"friction", NULL, 0},
                                 {"step", "s", 0},
                                 {"outcome", NULL, 0},
                                 {"frame of slip", NULL, 3},
                                 {"utilisation", NULL, 3},
                                 {"height at the end", "mm", 5},
                                 {"from the finest step", "mm", 2},
                                 {"largest on the way", "mm", 2},
                                 {"Newton per step", NULL, 3}};

// How far two bowls are apart at the end and at most on the way, m.
typedef struct Apart {
  double last, most;
} Apart;

static Apart compare(const Grasp *a, const Grasp *b) {
  Apart apart = {NAN, NAN};
  for (int f = 0; f < a->frames && f < b->frames; f++) {
    apart.last = a->height[f] - b->height[f];
    apart.most = fmax(f > 0 ? apart.most : 0, fabs(apart.last));
  }
  return apart;
}

// It has held only when it was watched to the end.
static const char *outcome_of(const Grasp *grasp) {
  const char *lack = case_lack(grasp->state);
  return grasp->frames > 0 && grasp->slip >= 0 ? "slips" : lack ? lack : "held";
}

static void add_row(const Grasps *grasps, int way, int step, int finest, Table *table) {
  const Grasp *grasp = &grasps->of[way][step];
  Apart apart = compare(grasp, &grasps->of[way][finest]);
  cell_text(table, "%s", ways[way]);
  cell_number(table, steps[step]);
  cell_text(table, "%s", outcome_of(grasp));
  bool slips = grasp->frames > 0 && grasp->slip >= 0;
  cell_beside(table, slips ? grasp->slip : NAN, paper_slip[way][step]);
  cell_number(table, grasp->frames > 0 ? grasp->utilisation : NAN);
  cell_number(table, grasp->frames > 0 ? 1e3 * grasp->height[grasp->frames - 1] : NAN);
  cell_number(table, step == finest ? NAN : 1e3 * apart.last);
  cell_number(table, step == finest ? NAN : 1e3 * apart.most);
  cell_number(table, grasp->frames > 0 ? grasp->newton : NAN);
}

static StictionStatus run_case(Lab *lab, const Case *one, Grasp *grasp) {
  Recording recording;
  StictionStatus status = lab_simulate(lab, one->name, build_scene(lab, one), &recording);
  if (status != STICTION_OK || recording.state == RUN_MISSING)
    return status;
  status = follow(&recording, grasp);
  if (status == STICTION_OK) {
    grasp->state = recording.state;
    grasp->slip = find_slip(lab, grasp);
    grasp->utilisation = find_utilisation(&recording, grasp);
    grasp->newton = recording.cost.newton_per_step;
  }
  recording_close(&recording);
  return status;
}

static int count_steps(const Lab *lab) {
  int count = 0;
  while (count < STEPS && steps[count] >= 0.999 * lab_value(lab, "shortest_step"))
    count++;
  return count;
}

static StictionStatus run_all(Lab *lab, Grasps *grasps) {
  int count = count_steps(lab);
  lab_expect(lab, WAYS * count);
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count; s++) {
      Case one = case_of(w, s);
      TRY(run_case(lab, &one, &grasps->of[w][s]));
    }
  Table *table = result_add_table(lab->result, "The bowl", columns, LENGTH(columns));
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count; s++)
      add_row(grasps, w, s, count - 1, table);
  return STICTION_OK;
}

static StictionStatus draw(Lab *lab, const Grasps *grasps) {
  static const StictionDash dash[STEPS] = {STICTION_SOLID, STICTION_DASHED, STICTION_DOTTED};
  char name[WAYS][STEPS][40];
  StictionSeries series[WAYS * STEPS];
  int lines = 0;
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count_steps(lab); s++) {
      const Grasp *grasp = &grasps->of[w][s];
      snprintf(name[w][s], sizeof name[w][s], "%s, h = %g s", ways[w], steps[s]);
      series[lines++] = (StictionSeries){.name = name[w][s],
                                         .style = STICTION_LINE,
                                         .dash = dash[s],
                                         .count = grasp->frames,
                                         .x = grasp->frame,
                                         .y = grasp->height};
    }
  const StictionPlot plot = {.title = "Height of the bowl",
                             .x = {.label = "frame (of 5 ms)"},
                             .y = {.label = "height of its centre (mm)", .unit = 1e-3},
                             .series_count = lines,
                             .series = series};
  return lab_plot(lab, "height.svg", &plot, 1, 1);
}

static StictionStatus run(Lab *lab) {
  Grasps grasps = {0};
  StictionStatus status = run_all(lab, &grasps);
  if (status == STICTION_OK)
    status = draw(lab, &grasps);
  free_grasps(&grasps);
  result_add_note(lab->result,
                  "Slips: falls %g mm behind the pads. Utilisation: friction on the pads over μ "
                  "times their normal force, at most, from lift-off on and until shortly before "
                  "it slips.",
                  1e3 * slip_limit);
  return status;
}

const Experiment experiment_bowl_grasp = {
    .name = "bowl-grasp",
    .summary =
        "An upside-down bowl is picked up by three soft pads that grip just hard enough: its "
        "height over the step, with implicit and with lagged friction.",
    .paper = "the bowl sticks to the pads at every step with implicit friction, and its heights "
             "lie on each other; with lagged friction it slips out, at frames 35, 40 and 100 for "
             "steps of 0.005, 0.0025 and 0.00125 s.",
    .param = params,
    .param_count = LENGTH(params),
    .run = run,
};
