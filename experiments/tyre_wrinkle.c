// The tyre of a dragster, soft and little inflated, is pressed onto the ground and its rim turned
// in place: the side walls wrinkle while the tread sticks, until it slips and sticks again. Beside
// it the same with one coefficient of friction, where nothing of this appears.
#include "list.h"

#include "lab.h"
#include "scene.h"
#include "tyre_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double radius = 0.46, room = 0.06;               // m: at rest, and what it may grow by
static const double overpressure = 0.68, atmosphere = 101325; // atm, Pa
static const double let_go = 0.02, caught = 0.5;              // shares of the contact that stick

// Seconds: pumped up, then pressed, then at rest.
static const double pumped = 0.05, pressed = 0.15, rested = 0.25;
static const double settling = 40; // 1/s: damping by mass until then

enum { STICKING, SLIDING, CASES };
static const char *const case_names[CASES] = {"stick-slip", "one-coefficient"};

static const char *const solvers[] = {"iterative", "direct", "auto", NULL};

static const Param params[] = {
    {.name = "cells_around",
     .doc = "Cells along the circumference.",
     .kind = INTEGER,
     .fallback = 96,
     .min = 6,
     .max = 10000},
    {.name = "cells_tread",
     .doc = "Cells across the tread.",
     .kind = INTEGER,
     .fallback = 12,
     .min = 2,
     .max = 10000},
    {.name = "cells_wall",
     .doc = "Cells from the rim to the shoulder.",
     .kind = INTEGER,
     .fallback = 10,
     .min = 1,
     .max = 10000},
    {.name = "press",
     .doc = "How much closer to the ground the axle is than the radius of the tyre at rest.",
     .unit = "m",
     .fallback = 0.07,
     .max = 0.2},
    {.name = "static", .doc = "Static coefficient of friction.", .fallback = 1.5, .max = 100},
    {.name = "dynamic", .doc = "Dynamic coefficient of friction.", .fallback = 0.5, .max = 100},
    {.name = "sticking_speed",
     .doc = "What holds creeps, slower than this.",
     .unit = "m/s",
     .fallback = 0.01,
     .max = 10,
     .min_open = true},
    {.name = "stribeck_speed",
     .doc = "Where friction has fallen from static to dynamic.",
     .unit = "m/s",
     .fallback = 0.5,
     .max = 100,
     .min_open = true},
    {.name = "speed",
     .doc = "Angular velocity of the rim, which it reaches after `ramp`.",
     .unit = "rad/s",
     .fallback = 0.7,
     .max = 1000,
     .min_open = true},
    {.name = "ramp",
     .doc = "Time in which the rim comes up to speed.",
     .unit = "s",
     .fallback = 0.1,
     .max = 100,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time of turning.",
     .unit = "s",
     .fallback = 1,
     .max = 100,
     .min_open = true},
    {.name = "step",
     .doc = "Time step, and time between frames.",
     .unit = "s",
     .fallback = 5e-3,
     .max = 0.1,
     .min_open = true},
    {.name = "solver", .doc = "Linear solver.", .kind = WORD, .max = 2, .word = solvers},
};

static const Preset at_paper_size[] = {
    {"cells_around", 372}, {"cells_tread", 56}, {"cells_wall", 34}, {"step", 1.25e-3}};

// damping: 1/s, by mass, while it settles.
static void add_rubber(const char *name, double young, double area_density, double bending,
                       double damping, StictionBuild *scene) {
  StictionPart *rubber = stiction_build_add_material(scene, name, "membrane");
  set(rubber, "young", young);
  set(rubber, "poisson", 0.49);
  set(rubber, "area_density", area_density);
  set(rubber, "bending", bending);
  set(rubber, "mass_damping", damping);
}

// The axle lies along y.
static void add_tyre(const Lab *lab, double damping, StictionBuild *scene) {
  static const char *const cells[] = {"cells_around", "cells_tread", "cells_wall"};
  add_rubber("tread", 400e3, 200, 0.56, damping, scene);
  add_rubber("wall", 200e3, 50, 0.01, damping, scene);
  StictionPart *tyre = stiction_build_add_body(scene, "tyre", "tread");
  StictionPart *shape = stiction_part_set_shape(tyre, "tyre");
  set(shape, "radius", radius);
  for (int i = 0; i < LENGTH(cells); i++)
    set(shape, cells[i], lab_value(lab, cells[i]));
  set(shape, "cells_drum", 2);
  set_rotation(tyre, 'x', M_PI / 2);
  StictionPart *materials = stiction_part_object(tyre, "materials");
  set_text(materials, "wall", "wall");
  set_text(materials, "rim", "wall");
}

static double ground_height(const Lab *lab) {
  return lab_value(lab, "press") - radius;
}

static const char *solver_of(const Lab *lab) {
  return solvers[(int)lab_value(lab, "solver")];
}

static StictionPart *add_ground(double height, const char *material, StictionBuild *scene) {
  StictionPart *ground = stiction_build_add_obstacle(scene, "ground", material);
  set_vector(stiction_part_set_shape(ground, "half_space"), "point", 0, 0, height);
  return ground;
}

static void finish_scene(const Lab *lab, double duration, double between_frames,
                         StictionBuild *scene) {
  scene_smooth_contact(scene);
  scene_set_time(scene, duration, lab_value(lab, "step"), between_frames);
  scene_set(scene, "integrator", "be");
  set_text(stiction_build_settings(scene, "solver"), "type", solver_of(lab));
}

// Pumped up, then the ground rises against it, without friction, so that the tread carries nothing
// but the load; then it comes to rest.
static StictionBuild *build_pressing(const Lab *lab) {
  const double time[] = {0, pumped}, pressure[] = {0, overpressure * atmosphere};
  StictionBuild *scene = scene_begin("Tyre, pumped up and pressed");
  add_tyre(lab, settling, scene);
  StictionPart *air = stiction_build_add_volume(scene, "air", "prescribed");
  set_text(air, "body", "tyre");
  stiction_part_set_curve(air, "overpressure", 2, time, pressure);
  StictionPart *rim = stiction_build_add_boundary(scene, "rim", NULL);
  stiction_part_choose_label(rim, "rim");
  set_text(rim, "hold", "fixed");
  StictionPart *ground = add_ground(-radius - room, NULL, scene);
  set_text(stiction_part_object(ground, "motion"), "interpolation", "smooth");
  stiction_part_add_motion_key(ground, pumped);
  set_vector(stiction_part_add_motion_key(ground, pressed), "translate", 0, 0,
             ground_height(lab) + radius + room);
  finish_scene(lab, rested, rested, scene);
  return scene;
}

static double static_coefficient(const Lab *lab, int index) {
  return lab_value(lab, index == STICKING ? "static" : "dynamic");
}

static void add_friction(const Lab *lab, int index, StictionBuild *scene) {
  StictionPart *friction = scene_add_friction(scene, "tread", "asphalt", lab_value(lab, "dynamic"));
  set(friction, "static", static_coefficient(lab, index));
  set(friction, "sticking_speed", lab_value(lab, "sticking_speed"));
  set(friction, "stribeck_speed", lab_value(lab, "stribeck_speed"));
}

// volume: inside at the start, m³. The air is a gas from here on, and has the given pressure there.
static void add_gas(double volume, StictionBuild *scene) {
  StictionPart *air = stiction_build_add_volume(scene, "air", "ideal_gas");
  set_text(air, "body", "tyre");
  set(air, "overpressure", overpressure * atmosphere);
  set(air, "rest_volume", volume);
}

// The rim of a tyre on the ground is turned in place.
static StictionBuild *build_turning(const Lab *lab, int index, double volume) {
  const double time[] = {0, lab_value(lab, "ramp")}, spin[] = {0, lab_value(lab, "speed")};
  StictionBuild *scene = scene_begin("Tyre, %s", case_names[index]);
  scene_set(scene, "start", "../press/frames/frame_00001.vtu");
  add_tyre(lab, 0, scene);
  add_friction(lab, index, scene);
  add_gas(volume, scene);
  StictionPart *rim = stiction_build_add_boundary(scene, "rim", NULL);
  stiction_part_choose_label(rim, "rim");
  StictionPart *motion = stiction_part_object(rim, "motion");
  set_text(motion, "axis", "y");
  set_vector(motion, "centre", 0, 0, 0);
  stiction_part_set_curve(motion, "spin", 2, time, spin);
  add_ground(ground_height(lab), "asphalt", scene);
  finish_scene(lab, lab_value(lab, "duration"), lab_value(lab, "step"), scene);
  return scene;
}

// One case: what was recorded, and what is measured on it.
typedef struct Turning {
  Recording recording;
  TyreCourse course;
  double *traction; // [rows] friction along the ground over normal force
} Turning;

static void close_turning(Turning *turning) {
  recording_close(&turning->recording);
  tyre_course_free(&turning->course);
  free(turning->traction);
}

static StictionStatus measure(Turning *turning) {
  const Recording *recording = &turning->recording;
  const double *normal = recording_column(recording, "normal(tyre|ground)");
  const double *friction = recording_column(recording, "friction_x(tyre|ground)");
  if (!normal || !friction)
    return STICTION_OK;
  turning->traction = NEW(double, recording->rows);
  for (long i = 0; i < recording->rows; i++)
    turning->traction[i] = normal[i] > 0 ? friction[i] / normal[i] : NAN;
  return tyre_course(recording, &turning->course);
}

static StictionStatus run_case(Lab *lab, int index, double volume, Turning *turning) {
  TRY(lab_simulate(lab, case_names[index], build_turning(lab, index, volume), &turning->recording));
  StictionStatus status = measure(turning);
  recording_leave_scene(&turning->recording);
  return status;
}

// Load at rest, N, and the volume in which the air then has its pressure, m³.
typedef struct Pressing {
  double load, volume;
} Pressing;

static StictionStatus press(Lab *lab, Pressing *pressing) {
  Recording recording;
  TRY(lab_prepare(lab, "press", build_pressing(lab), &recording));
  StictionStatus status = STICTION_OK;
  pressing->volume = recording_last(&recording, "volume(air)");
  pressing->load = recording_last(&recording, "normal(tyre|ground)");
  if (recording.state != STICTION_RUN_FINISHED)
    status = lab_fail(lab, STICTION_NOT_SOLVED,
                      "the tyre could not be pressed onto the ground: %s; a smaller `press` is "
                      "easier",
                      stiction_recording_reason(recording.run));
  recording_close(&recording);
  return status;
}

// The contact as a whole lets go when next to nothing of it sticks any more, and has caught again
// when most of it does.
typedef struct Slips {
  int slides, catches;
  double most;  // greatest traction
  double first; // s, when it first lets go; NAN: never
  double fall;  // from the greatest traction before that to the least while it then slides
} Slips;

static Slips find_slips(const Turning *turning) {
  const double *time = recording_column(&turning->recording, "time");
  const double *share = recording_column(&turning->recording, "sticking_share(tyre|ground)");
  Slips slips = {.most = NAN, .first = NAN, .fall = NAN};
  double before = 0;
  bool sliding = false;
  for (long i = 0; turning->traction && share && i < turning->recording.rows; i++) {
    double now = turning->traction[i];
    if (!sliding && share[i] < let_go) {
      if (slips.slides++ == 0)
        slips.first = time[i], slips.fall = 0;
      before = slips.most, sliding = true;
    } else if (sliding && share[i] > caught)
      slips.catches++, sliding = false;
    if (sliding && slips.slides == 1)
      slips.fall = fmax(slips.fall, before - now);
    slips.most = fmax(slips.most, now);
  }
  return slips;
}

static double greatest(const double *value, int count) {
  double most = NAN;
  for (int i = 0; i < count; i++)
    most = fmax(most, value[i]);
  return most;
}

static const Column columns[] = {{"static friction", NULL, 3},
                                 {"dynamic friction", NULL, 3},
                                 {"greatest traction / load", NULL, 3},
                                 {"lets go", "s", 3},
                                 {"fall of traction / load", NULL, 3},
                                 {"slides", "times", 3},
                                 {"sticks again", "times", 3},
                                 {"greatest lag of the tread", "deg", 3},
                                 {"bend of the walls, pressed", "1/m", 3},
                                 {"greatest bend", "1/m", 3}};

static void add_row(const Lab *lab, int index, const Turning *turning, Table *table) {
  Slips slips = find_slips(turning);
  const TyreCourse *course = &turning->course;
  cell_number(table, static_coefficient(lab, index));
  cell_number(table, lab_value(lab, "dynamic"));
  cell_number(table, slips.most);
  if (isnan(slips.first) && turning->recording.state == STICTION_RUN_FINISHED)
    cell_lacks(table, "never", NAN);
  else
    case_cell(table, turning->recording.state, slips.first);
  case_cell(table, turning->recording.state, slips.fall);
  cell_number(table, slips.slides);
  cell_number(table, slips.catches);
  cell_number(table, greatest(course->lag, course->frames) * 180 / M_PI);
  cell_number(table, course->frames ? course->bend[0] : NAN);
  cell_number(table, greatest(course->bend, course->frames));
}

static void add_tables(Lab *lab, const Turning *turning) {
  enum { OWN = 2, NAMED = 1 };
  Column one[NAMED + LENGTH(columns)] = {{"case", NULL, 0}};
  memcpy(one + NAMED, columns, sizeof columns);
  Table *table = result_add_table(lab->result, "The rim turns, the ground holds", one,
                                  NAMED + LENGTH(columns));
  for (int c = 0; c < CASES; c++)
    if (turning[c].recording.state) {
      cell_text(table, "%s", case_names[c]);
      add_row(lab, c, &turning[c], table);
    }
  Column other[OWN + COST_COLUMNS] = {{"case", NULL, 0}, {"triangles", NULL, 6}};
  memcpy(other + OWN, cost_columns, sizeof cost_columns);
  table = result_add_table(lab->result, "Cost", other, OWN + COST_COLUMNS);
  for (int c = 0; c < CASES; c++)
    if (turning[c].recording.state) {
      cell_text(table, "%s", case_names[c]);
      cell_number(table, (double)turning[c].recording.cost.triangles);
      cost_cells(table, &turning[c].recording, c == STICKING ? 20 : NAN, NAN);
    }
}

enum { TRACTION, STUCK, LAG, BEND, PANELS };

static StictionSeries series_of(const Turning *turning, int panel, const char *name) {
  const Recording *recording = &turning->recording;
  const TyreCourse *course = &turning->course;
  StictionSeries series = {.name = name, .style = STICTION_LINE};
  bool of_frames = panel == LAG || panel == BEND;
  series.count = of_frames ? course->frames : (int)recording->rows;
  series.x = of_frames ? course->time : recording_column(recording, "time");
  series.y = panel == TRACTION ? turning->traction
             : panel == STUCK  ? recording_column(recording, "sticking_share(tyre|ground)")
             : panel == LAG    ? course->lag
                               : course->bend;
  return series;
}

static StictionStatus draw(Lab *lab, const Turning *turning) {
  static const char *const title[PANELS] = {"Traction", "Sticking", "Lag", "Wrinkles"};
  static const StictionAxis axis[PANELS] = {
      {.label = "traction over load"},
      {.label = "share of the contact that sticks"},
      {.label = "rim ahead of the tread (deg)", .unit = M_PI / 180},
      {.label = "bend of the side walls (1/m)"}};
  StictionSeries series[PANELS][CASES];
  StictionPlot plot[PANELS];
  char name[CASES][48];
  for (int p = 0; p < PANELS; p++) {
    int count = 0;
    for (int c = 0; c < CASES; c++) {
      snprintf(name[c], sizeof name[c], "static %.3g", static_coefficient(lab, c));
      if (turning[c].traction)
        series[p][count++] = series_of(&turning[c], p, name[c]);
    }
    plot[p] = (StictionPlot){.title = title[p],
                             .x = {.label = "time (s)"},
                             .y = axis[p],
                             .series_count = count,
                             .series = series[p]};
  }
  return lab_plot(lab, "course.svg", plot, PANELS, 2);
}

static StictionStatus run(Lab *lab) {
  Turning turning[CASES] = {0};
  Pressing pressing;
  lab_expect(lab, 1 + CASES);
  TRY(press(lab, &pressing));
  StictionStatus status = STICTION_OK;
  for (int c = 0; c < CASES && status == STICTION_OK; c++)
    status = run_case(lab, c, pressing.volume, &turning[c]);
  if (status == STICTION_OK) {
    add_tables(lab, turning);
    status = draw(lab, turning);
  }
  for (int c = 0; c < CASES; c++)
    close_turning(&turning[c]);
  result_add_note(
      lab->result,
      "The ground carries %.3g kN. It lets go when less than %g %% of the contact stick, and "
      "sticks "
      "again when %g %% do. Lag: how far the rim is ahead of the mean of the tread. Bend: the even "
      "curvature of the side walls, beyond that at rest, with the same bending energy.",
      pressing.load * 1e-3, let_go * 100, caught * 100);
  return status;
}

const Experiment experiment_tyre_wrinkle = {
    .name = "tyre-wrinkle",
    .summary = "A soft tyre of two materials stands on the ground and its rim is turned in place: "
               "wrinkles of the walls and stick-slip of the tread, compared with a single "
               "coefficient of friction.",
    .paper = "the tyre sticks at first and is then dragged; its walls wrinkle as those of "
             "dragsters do. 93K triangles with h = 0.00125 s take 20 s per frame.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
