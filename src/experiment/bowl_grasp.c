// The bowl grasp: an upside-down bowl is picked up by three soft pads that grip just hard enough,
// over the step, with implicit and with lagged friction: height of the bowl, and how much of the
// friction there can be is used.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/scene_text.h"

#include <stdio.h>

static const double steps[] = {0.005, 0.0025, 0.00125};
enum { STEPS = ST_LENGTH(steps) };

static const char *const ways[] = {"implicit", "lagged"};
enum { WAYS = ST_LENGTH(ways) };

// Frame at which the paper's bowl slips out of lagged pads.
static const double paper_slip[WAYS][STEPS] = {{NAN, NAN, NAN}, {35, 40, 100}};

enum { PADS = 3 };

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

static const StParam params[] = {
    [DURATION] = {.name = "duration",
                  .doc = "Simulated time.",
                  .dimension = {.s = 1},
                  .fallback = 0.75,
                  .min = 0.25,
                  .max = 10},
    [SHORTEST_STEP] = {.name = "shortest_step",
                       .doc = "Steps of 0.005, 0.0025 and 0.00125 s that are shorter are left out.",
                       .dimension = {.s = 1},
                       .fallback = 0.00125,
                       .max = 0.005,
                       .min_open = true},
    [LAGS] = {.name = "lags",
              .doc = "Solves per step of lagged friction.",
              .kind = ST_INTEGER,
              .fallback = 1,
              .min = 1,
              .max = 100},
    [SQUEEZE] = {.name = "squeeze",
                 .doc = "How far the pads are pressed in beyond where they would touch.",
                 .dimension = {.m = 1},
                 .fallback = 0.158e-3,
                 .max = 0.01,
                 .min_open = true},
    [TILT] = {.name = "tilt",
              .doc = "How far above the rim the pads grip, as an angle at the bowl's centre.",
              .dimension = {.rad = 1},
              .fallback = 15 * M_PI / 180,
              .max = 1.2},
    [TREMOR] = {.name = "tremor",
                .doc = "Largest acceleration of the pads, up and down, while they lift.",
                .dimension = {.m = 1, .s = -2},
                .fallback = 7,
                .max = 9},
    [TREMOR_RATE] = {.name = "tremor_rate",
                     .doc = "How often a second they tremble.",
                     .dimension = {.s = -1},
                     .fallback = 8,
                     .max = 100,
                     .min_open = true},
    [DELAY] = {.name = "delay",
               .doc = "By how much the grip follows the load later than it is felt.",
               .dimension = {.s = 1},
               .fallback = 0.013,
               .max = 1},
    [PAD_DAMPING] = {.name = "pad_damping",
                     .doc = "Damping of the pads by stiffness.",
                     .dimension = {.s = 1},
                     .fallback = 2e-3,
                     .max = 1},
    [STICKING_SPEED] = {.name = "sticking_speed",
                        .doc = "What holds creeps, slower than this.",
                        .dimension = {.m = 1, .s = -1},
                        .fallback = 1e-5,
                        .max = 1,
                        .min_open = true},
    [BOWL_CELLS] = {.name = "bowl_cells",
                    .doc = "Cells of the bowl along a quarter of its rim.",
                    .kind = ST_INTEGER,
                    .fallback = 6,
                    .min = 2,
                    .max = 1000},
    [PAD_CELLS] = {.name = "pad_cells",
                   .doc = "Cells along a side of the pads; two thirds of them through.",
                   .kind = ST_INTEGER,
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
static double tremble(const StLab *lab, double time, double delay) {
  double x = time - lift_off();
  if (x <= 0)
    return 0;
  double turn = 2 * M_PI * st_lab_value(lab, "tremor_rate") * (x - delay);
  return st_lab_value(lab, "tremor") * ease(x / tremor_ramp) * sin(turn);
}

// How far the pads have closed: more when they carry more, in proportion.
static double closed(const StLab *lab, double time) {
  double squeeze = st_lab_value(lab, "squeeze");
  double load = tremble(lab, time, st_lab_value(lab, "delay")) / gravity;
  return (start_gap + squeeze) * ease(time / close_time) + squeeze * load;
}

static double raised(const StLab *lab, double time) {
  double turn = 2 * M_PI * st_lab_value(lab, "tremor_rate");
  return rise * ease((time - close_time) / rise_time) +
         lift * ease((time - lift_off()) / lift_time) - tremble(lab, time, 0) / (turn * turn);
}

static void write_materials(const StLab *lab, StText *scene) {
  st_scene_text(scene,
                "  'materials': {\n"
                "    'pad': { 'young': '600 kPa', 'poisson': 0.49, 'density': '1000 kg/m^3', "
                "'stiffness_damping': '%.12g s' },\n"
                "    'bowl': { 'young': '11000 kPa', 'poisson': 0.1, 'density': '400 kg/m^3' }\n"
                "  },\n",
                st_lab_value(lab, "pad_damping"));
}

typedef struct Pad {
  double angle;
  double outward[3]; // from the bowl's centre to the pad
} Pad;

static Pad pad_of(const StLab *lab, int index) {
  double tilt = st_lab_value(lab, "tilt"), angle = 2 * M_PI * index / PADS;
  return (Pad){angle, {cos(angle) * cos(tilt), sin(angle) * cos(tilt), sin(tilt)}};
}

static void write_pad(const StLab *lab, int index, StText *scene) {
  Pad pad = pad_of(lab, index);
  double away = bowl_radius + start_gap + pad_depth / 2, cells = st_lab_value(lab, "pad_cells");
  st_scene_text(scene,
                ",\n"
                "    'pad%d': {\n"
                "      'shape': { 'type': 'box', 'size_x': '%g m', 'size_y': '%g m', "
                "'size_z': '%g m', 'cells_x': %.0f, 'cells_y': %.0f, 'cells_z': %.0f },\n"
                "      'rotate': [ { 'axis': 'y', 'angle': '%.15g rad' }, { 'axis': 'z', 'angle': "
                "'%.15g rad' } ],\n"
                "      'translate': ['%.15g m', '%.15g m', '%.15g m'],\n"
                "      'material': 'pad'\n"
                "    }",
                index, pad_depth, pad_width, pad_width, fmax(1, floor(2 * cells / 3)), cells, cells,
                -st_lab_value(lab, "tilt"), pad.angle, away * pad.outward[0], away * pad.outward[1],
                away * pad.outward[2]);
}

static void write_bodies(const StLab *lab, StText *scene) {
  st_scene_text(scene,
                "  'bodies': {\n"
                "    'bowl': {\n"
                "      'shape': { 'type': 'bowl', 'radius': '%g m', 'thickness': '%g m', "
                "'cells': %.0f, 'layers': 1 },\n"
                "      'rotate': { 'axis': 'x', 'angle': '180 deg' },\n"
                "      'translate': [0, 0, '%g m'],\n"
                "      'material': 'bowl'\n"
                "    }",
                bowl_radius, bowl_wall, st_lab_value(lab, "bowl_cells"), floor_gap);
  for (int i = 0; i < PADS; i++)
    write_pad(lab, i, scene);
  st_scene_text(scene, "\n  },\n");
}

static void write_motion(const StLab *lab, int index, StText *scene) {
  Pad pad = pad_of(lab, index);
  st_scene_text(scene,
                "    'grip%d': { 'body': 'pad%d', 'region': { 'label': 'x+' }, 'motion': { 'keys': "
                "[\n",
                index, index);
  long keys = lround(st_lab_value(lab, "duration") / key_interval);
  for (long k = 0; k <= keys; k++) {
    double time = (double)k * key_interval, in = closed(lab, time), up = raised(lab, time);
    st_scene_text(scene, "      { 'time': %.12g, 'translate': [%.12g, %.12g, %.12g] }%s\n", time,
                  -in * pad.outward[0], -in * pad.outward[1], up - in * pad.outward[2],
                  k < keys ? "," : "");
  }
  st_scene_text(scene, "    ] } }%s\n", index < PADS - 1 ? "," : "");
}

static void write_contact(const StLab *lab, const Case *one, StText *scene) {
  st_scene_text(scene,
                "  'obstacles': { 'table': { 'shape': { 'type': 'half_space' } } },\n"
                "  'friction': [ { 'between': ['pad', 'bowl'], 'stick': 'velocity', 'dynamic': %g, "
                "'sticking_speed': "
                "'%.12g m/s' } ],\n"
                "  'contact': {\n"
                "    'method': 'smooth',\n"
                "    'pairs': [ { 'collider': ['bowl'], 'surface': ['pad0', 'pad1', 'pad2', "
                "'table'] } ],\n"
                "    'friction': '%s'",
                friction, st_lab_value(lab, "sticking_speed"), ways[one->way]);
  if (one->way > 0)
    st_scene_text(scene, ", 'friction_iterations': %.0f", st_lab_value(lab, "lags"));
  st_scene_text(scene, "\n  },\n");
}

static void write_scene(const StLab *lab, const Case *one, StText *scene) {
  st_scene_text(scene,
                "// Three pads close on an upside-down bowl, take its weight and lift it, "
                "trembling.\n"
                "{\n"
                "  'title': 'Bowl grasp, %s',\n",
                one->name);
  write_materials(lab, scene);
  write_bodies(lab, scene);
  st_scene_text(scene, "  // The outer faces of the pads are moved.\n  'boundaries': {\n");
  for (int i = 0; i < PADS; i++)
    write_motion(lab, i, scene);
  st_scene_text(scene, "  },\n");
  write_contact(lab, one, scene);
  st_scene_text(scene,
                "  'gravity': '%g m/s^2',\n"
                "  'time': { 'duration': '%.12g s', 'step': '%.12g s', 'frame_rate': '%g Hz' },\n"
                "  'integrator': 'be',\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                gravity, st_lab_value(lab, "duration"), steps[one->step], frame_rate);
}

// What came of one bowl. height, time: [frames]
typedef struct Grasp {
  StRecordingState state;
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

// Height of the bowl's centre, frame by frame; a run that failed has fewer.
static StStatus follow(const StRecording *recording, Grasp *grasp, StError *error) {
  size_t frames = (size_t)recording->cost.frames + 1;
  grasp->time = ST_NEW(double, 3 * frames);
  if (!grasp->time)
    return st_fail_memory(error);
  grasp->frame = grasp->time + frames;
  grasp->height = grasp->frame + frames;
  for (int f = 0; f < (int)frames; f++) {
    double *position, centre[3];
    ST_TRY(st_recording_frame(recording, f, &position, error));
    st_recording_centre(recording, 0, position, centre);
    free(position);
    grasp->time[f] = st_recording_frame_time(recording, f);
    grasp->frame[f] = f;
    grasp->height[f] = centre[2];
    grasp->frames = f + 1;
  }
  return ST_OK;
}

// Frame at which the bowl has fallen behind the pads since they took its weight; -1: none.
static int find_slip(const StLab *lab, const Grasp *grasp) {
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

static double column_at(const StRecording *recording, const char *what, const char *a,
                        const char *b, long row) {
  char name[64];
  snprintf(name, sizeof name, "%s(%s|%s)", what, a, b);
  const double *column = st_recording_column(recording, name);
  return column ? column[row] : 0;
}

// Friction between the bowl and all pads over the most there could be.
static double utilisation_at(const StRecording *recording, long row) {
  double tangential = 0, normal = 0;
  for (int i = 0; i < PADS; i++) {
    static const char *const axis[] = {"friction_x", "friction_y", "friction_z"};
    char pad[16];
    snprintf(pad, sizeof pad, "pad%d", i);
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

static double find_utilisation(const StRecording *recording, const Grasp *grasp) {
  const double *time = st_recording_column(recording, "time");
  double end = grasp->slip < 0 ? INFINITY : grasp->time[grasp->slip] - 0.02, most = 0;
  for (long row = 0; time && row < recording->rows; row++)
    if (time[row] > lift_off() && time[row] <= end)
      most = fmax(most, utilisation_at(recording, row));
  return most;
}

static const StColumn columns[] = {{"friction", NULL, 0},
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
  const char *lack = st_case_lack(grasp->state);
  return grasp->frames > 0 && grasp->slip >= 0 ? "slips" : lack ? lack : "held";
}

static void add_row(const Grasps *grasps, int way, int step, int finest, StResultTable *table) {
  const Grasp *grasp = &grasps->of[way][step];
  Apart apart = compare(grasp, &grasps->of[way][finest]);
  st_cell_text(table, "%s", ways[way]);
  st_cell_number(table, steps[step]);
  st_cell_text(table, "%s", outcome_of(grasp));
  bool slips = grasp->frames > 0 && grasp->slip >= 0;
  st_cell_beside(table, slips ? grasp->slip : NAN, paper_slip[way][step]);
  st_cell_number(table, grasp->frames > 0 ? grasp->utilisation : NAN);
  st_cell_number(table, grasp->frames > 0 ? 1e3 * grasp->height[grasp->frames - 1] : NAN);
  st_cell_number(table, step == finest ? NAN : 1e3 * apart.last);
  st_cell_number(table, step == finest ? NAN : 1e3 * apart.most);
  st_cell_number(table, grasp->frames > 0 ? grasp->newton : NAN);
}

static StStatus run_case(StLab *lab, const Case *one, Grasp *grasp, StError *error) {
  StText scene = {0};
  StRecording recording;
  write_scene(lab, one, &scene);
  StStatus status = st_lab_simulate(lab, one->name, &scene, &recording, error);
  st_text_free(&scene);
  if (status != ST_OK || recording.state == ST_RECORDING_MISSING)
    return status;
  status = follow(&recording, grasp, error);
  if (status == ST_OK) {
    grasp->state = recording.state;
    grasp->slip = find_slip(lab, grasp);
    grasp->utilisation = find_utilisation(&recording, grasp);
    grasp->newton = recording.cost.newton_per_step;
  }
  st_recording_close(&recording);
  return status;
}

static int count_steps(const StLab *lab) {
  int count = 0;
  while (count < STEPS && steps[count] >= 0.999 * st_lab_value(lab, "shortest_step"))
    count++;
  return count;
}

static StStatus run_all(StLab *lab, Grasps *grasps, StError *error) {
  int count = count_steps(lab);
  st_lab_expect(lab, WAYS * count);
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count; s++) {
      Case one = case_of(w, s);
      ST_TRY(run_case(lab, &one, &grasps->of[w][s], error));
    }
  StResultTable *table = st_result_add_table(lab->result, "The bowl", columns, ST_LENGTH(columns));
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count; s++)
      add_row(grasps, w, s, count - 1, table);
  return ST_OK;
}

static StStatus draw(StLab *lab, const Grasps *grasps, StError *error) {
  static const StPlotDash dash[STEPS] = {ST_PLOT_SOLID, ST_PLOT_DASHED, ST_PLOT_DOTTED};
  char name[WAYS][STEPS][40];
  StPlotSeries series[WAYS * STEPS];
  int lines = 0;
  for (int w = 0; w < WAYS; w++)
    for (int s = 0; s < count_steps(lab); s++) {
      const Grasp *grasp = &grasps->of[w][s];
      snprintf(name[w][s], sizeof name[w][s], "%s, h = %g s", ways[w], steps[s]);
      series[lines++] = (StPlotSeries){.name = name[w][s],
                                       .style = ST_PLOT_LINE,
                                       .dash = dash[s],
                                       .count = grasp->frames,
                                       .x = grasp->frame,
                                       .y = grasp->height};
    }
  const StPlot plot = {.title = "Height of the bowl",
                       .x = {.label = "frame (of 5 ms)"},
                       .y = {.label = "height of its centre (mm)", .unit = 1e-3},
                       .series_count = lines,
                       .series = series};
  return st_lab_plot(lab, "height.svg", &plot, 1, 1, error);
}

static StStatus run(StLab *lab, StError *error) {
  Grasps grasps = {0};
  StStatus status = run_all(lab, &grasps, error);
  if (status == ST_OK)
    status = draw(lab, &grasps, error);
  free_grasps(&grasps);
  st_result_add_note(lab->result,
                     "Slips: falls %g mm behind the pads. Utilisation: friction on the pads over μ "
                     "times their normal force, at most, from lift-off on and until shortly before "
                     "it slips.",
                     1e3 * slip_limit);
  return status;
}

const StExperiment st_experiment_bowl_grasp = {
    .name = "bowl-grasp",
    .summary =
        "An upside-down bowl is picked up by three soft pads that grip just hard enough: its "
        "height over the step, with implicit and with lagged friction.",
    .paper = "the bowl sticks to the pads at every step with implicit friction, and its heights "
             "lie on each other; with lagged friction it slips out, at frames 35, 40 and 100 for "
             "steps of 0.005, 0.0025 and 0.00125 s.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .run = run,
};
