// The tennis ball at 100 mph against a wall: how long it touches, how flat it gets and how fast it
// comes back, pressurised and not, filled with gas or what approximates it, over meshes.
#include "list.h"

#include "scene.h"
#include "tennis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double speed = 44.704, atmosphere = 101325; // m/s, Pa

// softness: κ_v times the pressure inside, which is 1 for what agrees with the gas at first.
static const struct {
  const char *name, *word;
  bool gas;
  double softness;
} fillings[] = {{"ideal gas", "gas", true, 1},
                {"quadratic, κ_v = 1/P", "quadratic", false, 1},
                {"quadratic, κ_v = 1/2P", "quadratic-half", false, 0.5}};
enum { FILLINGS = LENGTH(fillings), BALLS = 2, CASES = BALLS * FILLINGS };

static const char *const ball_names[BALLS] = {"pressurised", "not pressurised"};

static const double poissons[] = {0.4995, 0.45};

static const Param params[] = {
    TENNIS_PARAMS,
    {.name = "step",
     .doc = "Time step, and time between frames.",
     .unit = "s",
     .fallback = 5e-5,
     .max = 1e-3,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time: the ball must have left the wall.",
     .unit = "s",
     .fallback = 5e-3,
     .max = 1,
     .min_open = true},
    {.name = "mesh_cells",
     .doc = "Cells along a quarter circle of the balls that show what a mesh does.",
     .kind = INTEGER,
     .fallback = 6,
     .min = 2,
     .max = 1000},
    {.name = "mesh_layers",
     .doc = "Those balls have up to this many layers of rubber; 0: there are none.",
     .kind = INTEGER,
     .fallback = 2,
     .max = 100},
};

static const Preset at_paper_size[] = {{"cells", 29},  {"layers", 3},      {"damping", 1.6e-3},
                                       {"step", 1e-5}, {"mesh_cells", 12}, {"mesh_layers", 3}};

static TennisBall ball_of(const Lab *lab, bool pressurised, int filling) {
  TennisBall ball = tennis_ball(lab, pressurised);
  ball.gas = fillings[filling].gas;
  ball.compressibility = fillings[filling].softness / (pressurised ? 2 : 1);
  return ball;
}

static StictionBuild *build_scene(const Lab *lab, const TennisBall *ball, const char *title,
                                  const char *inflated) {
  double step = lab_value(lab, "step");
  StictionBuild *scene = scene_begin("Tennis ball, %s", title);
  tennis_ball_add(ball, speed, inflated, scene);
  // The wall is level and nothing falls.
  stiction_part_set_shape(stiction_build_add_obstacle(scene, "wall", NULL), "half_space");
  scene_set_gravity(scene, 0);
  scene_smooth_contact(scene);
  scene_set_time(scene, lab_value(lab, "duration"), step, step);
  scene_set(scene, "integrator", "tr_bdf2");
  return scene;
}

// Pumps it up first where it has pressure. name: of the case; what pumps it up has its own.
static StictionStatus run_case(Lab *lab, const TennisBall *ball, const char *name,
                               Recording *recording) {
  char inflated[100];
  snprintf(inflated, sizeof inflated, "inflate-%s", name);
  if (ball->pressurised)
    TRY(tennis_inflate(lab, ball, inflated, name));
  StictionBuild *build = build_scene(lab, ball, name, ball->pressurised ? inflated : NULL);
  StictionStatus status = lab_simulate(lab, name, build, recording);
  recording_leave_scene(recording);
  return status;
}

static double extent(const Recording *recording, const double *position) {
  double low = INFINITY, high = -INFINITY;
  for (long v = 0; v < recording->cost.vertices; v++) {
    low = fmin(low, position[3 * v + 2]);
    high = fmax(high, position[3 * v + 2]);
  }
  return high - low;
}

// The ball's length across the wall in the frame nearest to where it turns back, of that at first.
static StictionStatus measure_length(const Recording *recording, double *share) {
  const double *time = recording_column(recording, "time");
  const double *height = recording_column(recording, "centre_of_mass_z");
  double *first = NULL, *flat = NULL;
  *share = NAN;
  if (!time || !height || recording->cost.frames < 1)
    return STICTION_OK;
  long lowest = 0;
  for (long i = 1; i < recording->rows; i++)
    lowest = height[i] < height[lowest] ? i : lowest;
  int nearest = 0;
  for (int f = 1; f <= recording->cost.frames; f++)
    if (fabs(recording_frame_time(recording, f) - time[lowest]) <
        fabs(recording_frame_time(recording, nearest) - time[lowest]))
      nearest = f;
  StictionStatus status = recording_frame(recording, 0, &first);
  if (status == STICTION_OK)
    status = recording_frame(recording, nearest, &flat);
  if (status == STICTION_OK)
    *share = extent(recording, flat) / extent(recording, first);
  free(first);
  free(flat);
  return status;
}

static const Column bounce_columns[] = {
    {"contact time", "ms", 3},       {"centre goes on", "mm", 3},   {"least length", "%", 3},
    {"rebound speed", "m/s", 3},     {"rebound / impact", NULL, 3}, {"least volume", "%", 3},
    {"greatest pressure", "atm", 3}, {"greatest force", "kN", 3}};
enum { BOUNCE_COLUMNS = LENGTH(bounce_columns) };

static StictionStatus add_bounce(const Recording *recording, Table *table) {
  Bounce bounce = bounce_measure(recording, "wall", speed);
  double length;
  TRY(measure_length(recording, &length));
  bounce_cell(table, recording->state, bounce.contact_time * 1e3);
  cell_number(table, bounce.approach * 1e3);
  cell_number(table, length * 100);
  bounce_cell(table, recording->state, bounce.speed);
  bounce_cell(table, recording->state, bounce.speed / speed);
  cell_number(table, bounce.least_volume * 100);
  cell_number(table, bounce.pressure / atmosphere);
  cell_number(table, bounce.force * 1e-3);
  return STICTION_OK;
}

static StictionStatus add_bounces(Lab *lab, const Recording *recording) {
  enum { TEXTS = 2 };
  Column column[TEXTS + BOUNCE_COLUMNS] = {{"ball", NULL, 0}, {"filling", NULL, 0}};
  memcpy(column + TEXTS, bounce_columns, sizeof bounce_columns);
  Table *table =
      result_add_table(lab->result, "Against the wall at 44.7 m/s", column, TEXTS + BOUNCE_COLUMNS);
  for (int c = 0; c < CASES; c++) {
    if (!recording[c].state)
      continue;
    cell_text(table, "%s", ball_names[c / FILLINGS]);
    cell_text(table, "%s", fillings[c % FILLINGS].name);
    TRY(add_bounce(&recording[c], table));
  }
  return STICTION_OK;
}

// The paper has a figure for one ball, which is pressurised and has the quadratic filling.
static void add_costs(Lab *lab, const Recording *recording) {
  enum { OWN = 3 };
  Column column[OWN + COST_COLUMNS] = {
      {"ball", NULL, 0}, {"filling", NULL, 0}, {"tetrahedra", NULL, 6}};
  memcpy(column + OWN, cost_columns, sizeof cost_columns);
  Table *table = result_add_table(lab->result, "Cost", column, OWN + COST_COLUMNS);
  for (int c = 0; c < CASES; c++) {
    bool papers = c < FILLINGS && fillings[c].softness < 1;
    if (!recording[c].state)
      continue;
    cell_text(table, "%s", ball_names[c / FILLINGS]);
    cell_text(table, "%s", fillings[c % FILLINGS].name);
    cell_number(table, (double)recording[c].cost.tets);
    cost_cells(table, &recording[c], papers ? 4.89 : NAN, papers ? 11.33 : NAN);
  }
}

static StictionStatus draw(Lab *lab, const Recording *recording) {
  static const char *const quantity[2] = {"centre_of_mass_z", "volume(air)"};
  static const StictionAxis axis[2] = {
      {.label = "centre of mass above the wall (mm)", .unit = 1e-3},
      {.label = "volume inside (cm³)", .unit = 1e-6}};
  StictionSeries series[2][CASES];
  char name[CASES][80];
  StictionPlot plot[2];
  for (int p = 0; p < 2; p++) {
    int count = 0;
    for (int c = 0; c < CASES; c++) {
      const double *value = recording_column(&recording[c], quantity[p]);
      snprintf(name[c], sizeof name[c], "%s, %s", ball_names[c / FILLINGS],
               fillings[c % FILLINGS].name);
      if (value)
        series[p][count++] = (StictionSeries){.name = name[c],
                                              .style = STICTION_LINE,
                                              .dash = (StictionDash)(c % FILLINGS),
                                              .count = (int)recording[c].rows,
                                              .x = recording_column(&recording[c], "time"),
                                              .y = value};
    }
    plot[p] = (StictionPlot){.title = p ? "Volume inside" : "Flight",
                             .x = {.label = "time (ms)", .unit = 1e-3},
                             .y = axis[p],
                             .series_count = count,
                             .series = series[p]};
  }
  return lab_plot(lab, "bounce.svg", plot, 2, 2);
}

static StictionStatus run_fillings(Lab *lab, Recording *recording) {
  static const char *const word[BALLS] = {"pressurised", "unpressurised"};
  StictionStatus status = STICTION_OK;
  for (int c = 0; c < CASES && status == STICTION_OK; c++) {
    char name[80];
    snprintf(name, sizeof name, "%s-%s", word[c / FILLINGS], fillings[c % FILLINGS].word);
    TennisBall ball = ball_of(lab, c < FILLINGS, c % FILLINGS);
    status = run_case(lab, &ball, name, &recording[c]);
  }
  if (status == STICTION_OK)
    status = add_bounces(lab, recording);
  if (status == STICTION_OK)
    status = draw(lab, recording);
  add_costs(lab, recording);
  return status;
}

static StictionStatus run_mesh(Lab *lab, int layers, double poisson, Table *table) {
  TennisBall ball = ball_of(lab, true, 0);
  ball.cells = (int)lab_value(lab, "mesh_cells");
  ball.layers = layers;
  ball.poisson = poisson;
  char name[80];
  snprintf(name, sizeof name, "mesh-%d-%d-nu%g", ball.cells, layers, poisson);
  Recording recording;
  TRY(run_case(lab, &ball, name, &recording));
  if (recording.state == RUN_MISSING)
    return STICTION_OK;
  cell_number(table, ball.cells);
  cell_number(table, layers);
  cell_number(table, poisson);
  StictionStatus status = add_bounce(&recording, table);
  recording_close(&recording);
  return status;
}

// Tetrahedra of next to incompressible material lock: what that does, beside material that does
// not.
static StictionStatus run_meshes(Lab *lab) {
  enum { OWN = 3 };
  Column column[OWN + BOUNCE_COLUMNS] = {
      {"cells", NULL, 3}, {"layers of rubber", NULL, 3}, {"Poisson's ratio", NULL, 4}};
  memcpy(column + OWN, bounce_columns, sizeof bounce_columns);
  int most = (int)lab_value(lab, "mesh_layers");
  if (most == 0)
    return STICTION_OK;
  Table *table = result_add_table(lab->result, "What the mesh does: pressurised, ideal gas", column,
                                  OWN + BOUNCE_COLUMNS);
  for (int layers = 1; layers <= most; layers++)
    for (int p = 0; p < LENGTH(poissons); p++)
      TRY(run_mesh(lab, layers, poissons[p], table));
  return STICTION_OK;
}

static StictionStatus run(Lab *lab) {
  Recording recording[CASES] = {0};
  int meshes = (int)lab_value(lab, "mesh_layers") * LENGTH(poissons);
  lab_expect(lab, CASES + FILLINGS + 2 * meshes); // those with pressure are pumped up first
  StictionStatus status = run_fillings(lab, recording);
  double mass = NAN;
  for (int c = 0; c < CASES; c++) {
    if (recording[c].state)
      mass = bounce_measure(&recording[c], "wall", speed).mass;
    recording_close(&recording[c]);
  }
  if (status == STICTION_OK)
    status = run_meshes(lab);
  if (!isnan(mass))
    result_add_note(lab->result,
                    "The ball has %.3g g. Least length: across the wall, of that in flight. "
                    "Speeds are of the centre of mass.",
                    mass * 1e3);
  return status;
}

const Experiment experiment_tennis_ball = {
    .name = "tennis-ball",
    .summary = "A tennis ball of rubber and felt flies into a wall at 100 mph, pressurised and "
               "not: contact time, compression, rebound, by gas and by the quadratic model.",
    .paper = "the deformation is that of a real ball, and less with pressure; κ_v is to be "
             "decreased for such compression. 100K tetrahedra take 4.89 s per frame and 11.33 GB.",
    .param = params,
    .param_count = LENGTH(params),
    .preset = at_paper_size,
    .preset_count = LENGTH(at_paper_size),
    .run = run,
};
