// The tennis ball at 100 mph against a wall: how long it touches, how flat it gets and how fast it
// comes back, pressurised and not, filled with gas or what approximates it, over meshes.
#include "experiment/list.h"

#include "base/memory.h"
#include "experiment/scene_text.h"
#include "experiment/tennis.h"

#include <stdio.h>
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
enum { FILLINGS = ST_LENGTH(fillings), BALLS = 2, CASES = BALLS * FILLINGS };

static const char *const ball_names[BALLS] = {"pressurised", "not pressurised"};

static const double poissons[] = {0.4995, 0.45};

static const StParam params[] = {
    ST_TENNIS_PARAMS,
    {.name = "step",
     .doc = "Time step, and time between frames.",
     .dimension = {.s = 1},
     .fallback = 5e-5,
     .max = 1e-3,
     .min_open = true},
    {.name = "duration",
     .doc = "Simulated time: the ball must have left the wall.",
     .dimension = {.s = 1},
     .fallback = 5e-3,
     .max = 1,
     .min_open = true},
    {.name = "mesh_cells",
     .doc = "Cells along a quarter circle of the balls that show what a mesh does.",
     .kind = ST_INTEGER,
     .fallback = 6,
     .min = 2,
     .max = 1000},
    {.name = "mesh_layers",
     .doc = "Those balls have up to this many layers of rubber; 0: there are none.",
     .kind = ST_INTEGER,
     .fallback = 2,
     .max = 100},
};

static const StPreset at_paper_size[] = {{"cells", 29},  {"layers", 3},      {"damping", 1.6e-3},
                                         {"step", 1e-5}, {"mesh_cells", 12}, {"mesh_layers", 3}};

static StTennisBall ball_of(const StLab *lab, bool pressurised, int filling) {
  StTennisBall ball = st_tennis_ball(lab, pressurised);
  ball.gas = fillings[filling].gas;
  ball.compressibility = fillings[filling].softness / (pressurised ? 2 : 1);
  return ball;
}

static void write_scene(const StLab *lab, const StTennisBall *ball, const char *title,
                        const char *inflated, StText *scene) {
  double step = st_lab_value(lab, "step");
  st_scene_text(scene,
                "// A tennis ball flies into a wall at 100 mph. The wall is level and nothing "
                "falls.\n"
                "{\n"
                "  'title': 'Tennis ball, %s',\n",
                title);
  st_tennis_ball_write(ball, speed, inflated, scene);
  st_scene_text(scene,
                "  'obstacles': { 'wall': { 'shape': { 'type': 'half_space' } } },\n"
                "  'gravity': 0,\n"
                "  'contact': { 'method': 'smooth' },\n"
                "  'time': { 'duration': '%g s', 'step': '%g s', 'frame_rate': '%.12g Hz' },\n"
                "  'integrator': 'tr_bdf2',\n"
                "  'output': { 'stress': false, 'forces': false }\n"
                "}\n",
                st_lab_value(lab, "duration"), step, 1 / step);
}

// Pumps it up first where it has pressure. name: of the case; what pumps it up has its own.
static StStatus run_case(StLab *lab, const StTennisBall *ball, const char *name,
                         StRecording *recording, StError *error) {
  char inflated[100];
  StText scene = {0};
  snprintf(inflated, sizeof inflated, "inflate-%s", name);
  if (ball->pressurised)
    ST_TRY(st_tennis_inflate(lab, ball, inflated, name, error));
  write_scene(lab, ball, name, ball->pressurised ? inflated : NULL, &scene);
  StStatus status = st_lab_simulate(lab, name, &scene, recording, error);
  st_text_free(&scene);
  return status;
}

static double extent(const StRecording *recording, const double *position) {
  double low = INFINITY, high = -INFINITY;
  for (long v = 0; v < recording->cost.vertices; v++) {
    low = fmin(low, position[3 * v + 2]);
    high = fmax(high, position[3 * v + 2]);
  }
  return high - low;
}

// The ball's length across the wall in the frame nearest to where it turns back, of that at first.
static StStatus measure_length(const StRecording *recording, double *share, StError *error) {
  const double *time = st_recording_column(recording, "time");
  const double *height = st_recording_column(recording, "centre_of_mass_z");
  double *first = NULL, *flat = NULL;
  *share = NAN;
  if (!time || !height || recording->cost.frames < 1)
    return ST_OK;
  long lowest = 0;
  for (long i = 1; i < recording->rows; i++)
    lowest = height[i] < height[lowest] ? i : lowest;
  int nearest = 0;
  for (int f = 1; f <= recording->cost.frames; f++)
    if (fabs(st_recording_frame_time(recording, f) - time[lowest]) <
        fabs(st_recording_frame_time(recording, nearest) - time[lowest]))
      nearest = f;
  StStatus status = st_recording_frame(recording, 0, &first, error);
  if (status == ST_OK)
    status = st_recording_frame(recording, nearest, &flat, error);
  if (status == ST_OK)
    *share = extent(recording, flat) / extent(recording, first);
  free(first);
  free(flat);
  return status;
}

static const StColumn bounce_columns[] = {
    {"contact time", "ms", 3},       {"centre goes on", "mm", 3},   {"least length", "%", 3},
    {"rebound speed", "m/s", 3},     {"rebound / impact", NULL, 3}, {"least volume", "%", 3},
    {"greatest pressure", "atm", 3}, {"greatest force", "kN", 3}};
enum { BOUNCE_COLUMNS = ST_LENGTH(bounce_columns) };

static StStatus add_bounce(const StRecording *recording, StResultTable *table, StError *error) {
  StBounce bounce = st_bounce_measure(recording, "wall", speed);
  double length;
  ST_TRY(measure_length(recording, &length, error));
  st_bounce_cell(table, recording->state, bounce.contact_time * 1e3);
  st_cell_number(table, bounce.approach * 1e3);
  st_cell_number(table, length * 100);
  st_bounce_cell(table, recording->state, bounce.speed);
  st_bounce_cell(table, recording->state, bounce.speed / speed);
  st_cell_number(table, bounce.least_volume * 100);
  st_cell_number(table, bounce.pressure / atmosphere);
  st_cell_number(table, bounce.force * 1e-3);
  return ST_OK;
}

static StStatus add_bounces(StLab *lab, const StRecording *recording, StError *error) {
  enum { TEXTS = 2 };
  StColumn column[TEXTS + BOUNCE_COLUMNS] = {{"ball", NULL, 0}, {"filling", NULL, 0}};
  memcpy(column + TEXTS, bounce_columns, sizeof bounce_columns);
  StResultTable *table = st_result_add_table(lab->result, "Against the wall at 44.7 m/s", column,
                                             TEXTS + BOUNCE_COLUMNS);
  for (int c = 0; c < CASES; c++) {
    if (!recording[c].state)
      continue;
    st_cell_text(table, "%s", ball_names[c / FILLINGS]);
    st_cell_text(table, "%s", fillings[c % FILLINGS].name);
    ST_TRY(add_bounce(&recording[c], table, error));
  }
  return ST_OK;
}

// The paper has a figure for one ball, which is pressurised and has the quadratic filling.
static void add_costs(StLab *lab, const StRecording *recording) {
  enum { OWN = 3 };
  StColumn column[OWN + ST_COST_COLUMNS] = {
      {"ball", NULL, 0}, {"filling", NULL, 0}, {"tetrahedra", NULL, 6}};
  memcpy(column + OWN, st_cost_columns, sizeof st_cost_columns);
  StResultTable *table = st_result_add_table(lab->result, "Cost", column, OWN + ST_COST_COLUMNS);
  for (int c = 0; c < CASES; c++) {
    bool papers = c < FILLINGS && fillings[c].softness < 1;
    if (!recording[c].state)
      continue;
    st_cell_text(table, "%s", ball_names[c / FILLINGS]);
    st_cell_text(table, "%s", fillings[c % FILLINGS].name);
    st_cell_number(table, (double)recording[c].cost.tets);
    st_cost_cells(table, &recording[c], papers ? 4.89 : NAN, papers ? 11.33 : NAN);
  }
}

static StStatus draw(StLab *lab, const StRecording *recording, StError *error) {
  static const char *const quantity[2] = {"centre_of_mass_z", "volume(air)"};
  static const StPlotAxis axis[2] = {{.label = "centre of mass above the wall (mm)", .unit = 1e-3},
                                     {.label = "volume inside (cm³)", .unit = 1e-6}};
  StPlotSeries series[2][CASES];
  char name[CASES][80];
  StPlot plot[2];
  for (int p = 0; p < 2; p++) {
    int count = 0;
    for (int c = 0; c < CASES; c++) {
      const double *value = st_recording_column(&recording[c], quantity[p]);
      snprintf(name[c], sizeof name[c], "%s, %s", ball_names[c / FILLINGS],
               fillings[c % FILLINGS].name);
      if (value)
        series[p][count++] = (StPlotSeries){.name = name[c],
                                            .style = ST_PLOT_LINE,
                                            .dash = (StPlotDash)(c % FILLINGS),
                                            .count = (int)recording[c].rows,
                                            .x = st_recording_column(&recording[c], "time"),
                                            .y = value};
    }
    plot[p] = (StPlot){.title = p ? "Volume inside" : "Flight",
                       .x = {.label = "time (ms)", .unit = 1e-3},
                       .y = axis[p],
                       .series_count = count,
                       .series = series[p]};
  }
  return st_lab_plot(lab, "bounce.svg", plot, 2, 2, error);
}

static StStatus run_fillings(StLab *lab, StRecording *recording, StError *error) {
  static const char *const word[BALLS] = {"pressurised", "unpressurised"};
  StStatus status = ST_OK;
  for (int c = 0; c < CASES && status == ST_OK; c++) {
    char name[80];
    snprintf(name, sizeof name, "%s-%s", word[c / FILLINGS], fillings[c % FILLINGS].word);
    StTennisBall ball = ball_of(lab, c < FILLINGS, c % FILLINGS);
    status = run_case(lab, &ball, name, &recording[c], error);
  }
  if (status == ST_OK)
    status = add_bounces(lab, recording, error);
  if (status == ST_OK)
    status = draw(lab, recording, error);
  add_costs(lab, recording);
  return status;
}

static StStatus run_mesh(StLab *lab, int layers, double poisson, StResultTable *table,
                         StError *error) {
  StTennisBall ball = ball_of(lab, true, 0);
  ball.cells = (int)st_lab_value(lab, "mesh_cells");
  ball.layers = layers;
  ball.poisson = poisson;
  char name[80];
  snprintf(name, sizeof name, "mesh-%d-%d-nu%g", ball.cells, layers, poisson);
  StRecording recording;
  ST_TRY(run_case(lab, &ball, name, &recording, error));
  if (recording.state == ST_RECORDING_MISSING)
    return ST_OK;
  st_cell_number(table, ball.cells);
  st_cell_number(table, layers);
  st_cell_number(table, poisson);
  StStatus status = add_bounce(&recording, table, error);
  st_recording_close(&recording);
  return status;
}

// Tetrahedra of next to incompressible material lock: what that does, beside material that does
// not.
static StStatus run_meshes(StLab *lab, StError *error) {
  enum { OWN = 3 };
  StColumn column[OWN + BOUNCE_COLUMNS] = {
      {"cells", NULL, 3}, {"layers of rubber", NULL, 3}, {"Poisson's ratio", NULL, 4}};
  memcpy(column + OWN, bounce_columns, sizeof bounce_columns);
  int most = (int)st_lab_value(lab, "mesh_layers");
  if (most == 0)
    return ST_OK;
  StResultTable *table = st_result_add_table(
      lab->result, "What the mesh does: pressurised, ideal gas", column, OWN + BOUNCE_COLUMNS);
  for (int layers = 1; layers <= most; layers++)
    for (int p = 0; p < ST_LENGTH(poissons); p++)
      ST_TRY(run_mesh(lab, layers, poissons[p], table, error));
  return ST_OK;
}

static StStatus run(StLab *lab, StError *error) {
  StRecording recording[CASES] = {0};
  int meshes = (int)st_lab_value(lab, "mesh_layers") * ST_LENGTH(poissons);
  st_lab_expect(lab, CASES + FILLINGS + 2 * meshes); // those with pressure are pumped up first
  StStatus status = run_fillings(lab, recording, error);
  double mass = NAN;
  for (int c = 0; c < CASES; c++) {
    if (recording[c].state)
      mass = st_bounce_measure(&recording[c], "wall", speed).mass;
    st_recording_close(&recording[c]);
  }
  if (status == ST_OK)
    status = run_meshes(lab, error);
  if (!isnan(mass))
    st_result_add_note(lab->result,
                       "The ball has %.3g g. Least length: across the wall, of that in flight. "
                       "Speeds are of the centre of mass.",
                       mass * 1e3);
  return status;
}

const StExperiment st_experiment_tennis_ball = {
    .name = "tennis-ball",
    .summary = "A tennis ball of rubber and felt flies into a wall at 100 mph, pressurised and "
               "not: contact time, compression, rebound, by gas and by the quadratic model.",
    .paper = "the deformation is that of a real ball, and less with pressure; κ_v is to be "
             "decreased for such compression. 100K tetrahedra take 4.89 s per frame and 11.33 GB.",
    .param = params,
    .param_count = ST_LENGTH(params),
    .preset = at_paper_size,
    .preset_count = ST_LENGTH(at_paper_size),
    .run = run,
};
