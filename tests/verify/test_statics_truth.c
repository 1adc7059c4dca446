// Static analyses against closed forms: beams, a pressurised ball, a shallow arch that snaps, and
// friction along a path of loads.
#include "math/vec3.h"
#include "solve/runtime.h"
#include "support/scene_run.h"

// One thread: these scenes are too small to share, and results do not depend on it.
#define QUIET "'output': {'judge': 'off'}, 'solver': {'threads': 1}"

static const double *reaction(const SceneRun *run, const char *name) {
  return scene_run_reaction(run, name)->force;
}

// The first probe.
static const double *probe(const SceneRun *run) {
  return run->report->probe[0].point;
}

#define BEAM(young, thickness, cells, force)                                                       \
  "{'analysis': 'static', 'load_steps': 5, 'gravity': 0, 'materials': {'m': {'young': " #young     \
  ", 'poisson': 0, 'density': 1000, 'law': 'stvk'}}, 'bodies': {'beam': {'order': 2, 'shape': "    \
  "{'type': 'box', 'size_x': 1, 'size_y': " #thickness ", 'size_z': " #thickness                   \
  ", 'cells_x': " #cells ", 'cells_y': 1, 'cells_z': 1}, 'translate': [0.5, 0, 0]}},"              \
  "'boundaries': {'clamp': {'region': {'label': 'x-'}}}, 'loads': {'tip': {'region': "             \
  "{'label': 'x+'}, 'force': [0, 0, '" #force "*t']}}, 'probes': {'tip': {'body': 'beam', "        \
  "'region': {'label': 'x+'}}}," QUIET "}"

// Timoshenko's beam, at every load: F L³/3EI + F L/(κ G A) with κ = 5/6 and G = E/2. The elements'
// shear is softer or stiffer than κ by some of those 0.15 %.
static void small_deflection(void **state) {
  (void)state;
  SceneRun run = scene_run_start(BEAM(200e9, 0.05, 20, -100));
  double bend = 100 / (3 * 200e9 * pow(0.05, 4) / 12), shear = 100 / (5.0 / 6 * 100e9 * 0.0025);
  while (scene_run_go_on(&run)) {
    assert_near("deflection", probe(&run)[2], -run.report->time * (bend + shear), 2e-3 * bend);
    assert_near("reaction", reaction(&run, "clamp")[2], 100 * run.report->time, 1e-5);
    assert_near("kinetic energy", run.report->kinetic_energy, 0, 0);
  }
  assert_int_equal(run.status, ST_OK);
  scene_run_end(&run);
}

// In a single load step, of which each quarter is a frame: what is there at the beginning rises,
// and what changes with time does so as given.
static void loads_rise(void **state) {
  (void)state;
  SceneRun run = scene_run_start(
      "{'analysis': 'static', 'load_steps': 1, 'time': {'frame_rate': 4}, 'gravity': [1, 0, 0],"
      "'materials': {'m': {'young': 1e9, 'poisson': 0, 'density': 1000}}, 'bodies': {'block': "
      "{'shape': {'type': 'box', 'size_x': 1, 'size_y': 1, 'size_z': 1, 'edge': 1}}}, "
      "'boundaries': {'clamp': {'region': {'label': 'x-'}}}, 'loads': {"
      "'turn': {'region': {'label': 'x+'}, 'axis': 'z', 'torque': '4 N*m + 3 N*m/s*t'},"
      "'push': {'region': {'label': 'x+'}, 'force': [0, '-100 N/s^2*t^2', '5 N - 30 N/s*t']}},"
      "" QUIET "}");
  while (scene_run_go_on(&run)) {
    const StReactionReport *clamp = scene_run_reaction(&run, "clamp");
    double t = run.report->time;
    assert_near("gravity", clamp->force[0], -1000 * t, 1e-5);
    assert_near("as t squared", clamp->force[1], 100 * t * t, 1e-5);
    assert_near("both", clamp->force[2], -5 * t + 30 * t, 1e-5);
    assert_near("torque", clamp->torque[2], -(4 * t + 3 * t) + 0.5 * 100 * t * t, 1e-3);
  }
  scene_run_must(&run);
  assert_true(run.report->step >= 4);
  scene_run_end(&run);
}

// The elastica under P L²/EI = 10 (Bisshopp and Drucker 1945; Mattiasson 1981): the tip goes
// down by 0.81061 L and back by 0.55500 L.
static void large_deflection(void **state) {
  (void)state;
  SceneRun run = scene_run_well(BEAM(1e6, 0.02, 20, -0.1333333));
  assert_near("down", probe(&run)[2], -0.81061, 4e-3);
  assert_near("back", probe(&run)[0], 1 - 0.55500, 4e-3);
  scene_run_end(&run);
}

// By how much a ball with radius b has grown.
static double growth(const SceneRun *run, double b) {
  StSnapshot now = world_snapshot(run->simulation);
  const StMesh *mesh = run->description->body[0].mesh;
  double sum = 0;
  int count = 0;
  for (int v = 0; v < now.vertex_count; v++)
    if (vec3_length(mesh->position + 3 * v) > b - 1e-6) {
      sum += vec3_length(now.position + 3 * v) - b;
      count++;
    }
  st_snapshot_free(&now);
  return sum / count;
}

// Lamé: u(b) = 3/2 (1 - ν) p a³ b/(E (b³ - a³)), less for the flat facets of the mesh. Nothing
// holds the ball: it stays where it is, up to what the linear solver leaves of a free motion.
static void pressurised_ball(void **state) {
  (void)state;
  SceneRun run = scene_run_start(
      "{'analysis': 'static', 'load_steps': 2, 'gravity': 0, 'materials': {'m': {'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'ball': {'order': 2, 'self_contact': false,"
      "'shape': {'type': 'hollow_ball', 'radius': 1, 'thickness': 0.4, 'cells': 8}}},"
      "'volumes': {'air': {'body': 'ball', 'model': 'prescribed', 'outside_pressure': 0,"
      "'pressure': '1 kPa'}}," QUIET "}");
  double a = 0.6, b = 1, p = 1e3, E = 1e6, nu = 0.3;
  double before[3], moved[3];
  vec3_copy(run.report->centre_of_mass, before);
  scene_run_finish(&run);
  assert_int_equal(run.status, ST_OK);
  double wanted = 1.5 * (1 - nu) * p * a * a * a * b / (E * (b * b * b - a * a * a));
  assert_near("radius", growth(&run, b), wanted, 0.03 * wanted);
  vec3_sub(run.report->centre_of_mass, before, moved);
  assert_near("centre", vec3_length(moved), 0, 1e-6 * wanted);
  scene_run_end(&run);
}

// A prescribed pressure that rises evenly does so in the first load step, too.
static void pressure_rises(void **state) {
  (void)state;
  SceneRun run = scene_run_start(
      "{'analysis': 'static', 'load_steps': 1, 'time': {'frame_rate': 2}, 'gravity': 0,"
      "'materials': {'m': {'young': 1e6, 'poisson': 0.3, 'density': 1000}}, 'bodies': {'ball': "
      "{'self_contact': false, 'shape': {'type': 'hollow_ball', 'radius': 1, 'thickness': 0.4,"
      "'cells': 4}}}, 'volumes': {'air': {'body': 'ball', 'model': 'prescribed', "
      "'outside_pressure': 0, 'pressure': '1 Pa/s*t'}}," QUIET "}");
  scene_run_go_on(&run);
  double half = growth(&run, 1);
  assert_near("half of the path", run.report->time, 0.5, 1e-12);
  scene_run_finish(&run);
  scene_run_must(&run);
  assert_near("half of the growth", half / growth(&run, 1), 0.5, 1e-4);
  scene_run_end(&run);
}

// A shallow arch y = a₀ sin(kx), k = π/L, on hinges that do not give, under an even load: with one
// term of the deflection the load is q(a) = EI k⁴ (a₀ - a) + EA k⁴/4 (a₀² - a²) a, of which an
// even load has 4/π. The next terms carry less than 1 %.
enum { CELLS = 32 };
static const double rise = 0.0104, thickness = 0.01, width = 0.02, modulus = 1e6;

static double one_term(double a) {
  double k = M_PI, area = width * thickness, inertia = area * thickness * thickness / 12;
  return modulus * pow(k, 4) * (inertia * (rise - a) + area / 4 * (rise * rise - a * a) * a);
}

static double limit_load(void) {
  double most = 0;
  for (int i = 0; i <= 1000; i++)
    most = fmax(most, one_term(rise * (1 - 0.001 * i)));
  return most;
}

static void bend(double x[3]) {
  double slope = M_PI * rise * cos(M_PI * x[0]), size = sqrt(1 + slope * slope), off = x[2];
  x[2] = rise * sin(M_PI * x[0]) + off / size;
  x[0] -= off * slope / size;
}

static bool is_hinge(const double X[3], const void *context) {
  (void)context;
  return fabs(X[2]) < 1e-9 && fabs(fabs(X[0] - 0.5) - 0.5) < 1e-9;
}

// Under its weight, which rises to 1.1 times the limit.
static StDescription *arch_world(void) {
  const BoxGrid grid = {{CELLS, 1, 2}, {0, 0, -thickness / 2}, {1, width, thickness / 2}, 0};
  double load = 1.1 * limit_load() * M_PI / 4; // N/m
  const StWorldMaterial soft = {.young = modulus, .density = load / (width * thickness)};
  StMesh *mesh = box_mesh_create(&grid);
  for (int v = 0; v < mesh->vertex_count; v++)
    bend(mesh->position + 3 * v);
  world_must(st_mesh_raise_order(mesh, NULL) == ST_OK, "no mesh of second order");
  StWorld world = st_world_begin();
  st_world_add_body(&world, "arch", mesh, st_world_add_material(&world, &soft));
  st_world_add_boundary(&world, 0, is_hinge, NULL);
  st_world_set_time(&world, "static", 1, 1);
  StDescription *d = world_finish(&world);
  d->gravity[2] = -1;
  d->time.frame_rate = 20; // steps end on frames
  return d;
}

// It stops where the load parameter is 1/1.1, and says why.
static void arch_snaps(void **state) {
  (void)state;
  SceneRun run = scene_run_of(arch_world());
  scene_run_finish(&run);
  assert_int_equal(run.status, ST_NOT_SOLVED);
  assert_non_null(strstr(run.error.text, "limit point: the equilibrium of body \"arch\""));
  assert_near("limit load", 1.1 * run.report->time, 1, 0.03);
  scene_run_end(&run);
}

static void assert_says(const SceneRun *run, const char *words) {
  assert_int_equal(run->status, ST_NOT_SOLVED);
  if (!strstr(run->error.text, words))
    fail_msg("'%s' is not in: %s", words, run->error.text);
}

// A perfectly straight column under 1.25 times Euler's load π² EI/(KL)², which rises evenly.
// Compression and shear take away less than 0.1 % of it.
static void assert_buckles(const char *held, const char *loaded, double k) {
  char text[3000];
  double load = 1.25 * M_PI * M_PI * 1e6 * 0.1 * pow(0.05, 3) / 12 / (k * k);
  snprintf(
      text, sizeof text,
      "{'analysis': 'static', 'load_steps': 10, 'gravity': 0, 'materials': {'m': {'young': "
      "1e6, 'poisson': 0, 'density': 1000}}, 'bodies': {'column': {'order': 2, 'shape': "
      "{'type': 'box', 'size_x': 0.1, 'size_y': 0.05, 'size_z': 1, 'cells_x': 1, 'cells_y': 2, "
      "'cells_z': 16}}}, 'boundaries': {%s}, 'loads': {'push': {'region': %s, 'force': [0, 0, "
      "'%g N/s*t']}}," QUIET "}",
      held, loaded, -load);
  SceneRun run = scene_run_all(text);
  assert_says(&run, "bifurcation: body \"column\" buckles at load parameter 0.");
  assert_near("Euler's load", 1.25 * run.report->time, 1, 0.003);
  scene_run_end(&run);
}

#define HINGE(z) "{'box': {'min': [-1, -1e-6, " #z "], 'max': [1, 1e-6, " #z "]}}"

static void columns_buckle(void **state) {
  (void)state;
  assert_buckles("'foot': {'region': {'label': 'z-'}}", "{'label': 'z+'}", 2);
  assert_buckles(
      "'foot': {'region': " HINGE(-0.5) "}, 'top': {'region': " HINGE(0.5) ", 'hold': ['x', 'y']}",
      HINGE(0.5), 1);
}

#define BLOCK_AT(height, slope, steps)                                                             \
  "{'analysis': 'static', 'load_steps': " #steps ", 'materials': {'m': {'young': 1e6, 'poisson': " \
  "0.3, 'density': 1000}}, 'bodies': {'block': {'shape': {'type': 'box', 'size_x': 0.2, "          \
  "'size_y': 0.1, 'size_z': 0.05, 'cells_x': 4, 'cells_y': 2, 'cells_z': 1}, 'translate': [0, "    \
  "0, " #height "]}}, 'gravity': [" #slope ", 0, -10], 'obstacles': {'floor': {'shape': {'type': " \
  "'half_space'}}}, 'friction': [{'between': 'any', 'dynamic': 0.4, 'static': 0.5}]," QUIET "}"

#define BLOCK(slope, steps) BLOCK_AT(0.0255, slope, steps)
#define FALLING_BLOCK(slope, steps) BLOCK_AT(0.026, slope, steps)

// On a slope whose tangent is 0.99 of the static friction it stays, and weighs what it weighs.
static void holds_on_a_slope(void **state) {
  (void)state;
  SceneRun run = scene_run_well(BLOCK(4.95, 3));
  assert_near("along", reaction(&run, "floor")[0], -4.95, 1e-5);
  assert_near("across", reaction(&run, "floor")[2], 10, 1e-5);
  scene_run_end(&run);
}

static void slides_on_a_slope(void **state) {
  (void)state;
  SceneRun run = scene_run_all(BLOCK(5.05, 3));
  assert_says(&run, "body \"block\" slides: nothing balances a force of");
  scene_run_end(&run);
}

// A millimetre above the floor it falls first, and its friction is what it has slid on the way.
static void falls_onto_a_slope(void **state) {
  (void)state;
  SceneRun run = scene_run_well(FALLING_BLOCK(4.95, 3));
  assert_near("along", reaction(&run, "floor")[0], -4.95, 1e-5);
  assert_near("across", reaction(&run, "floor")[2], 10, 1e-5);
  scene_run_end(&run);
  run = scene_run_all(FALLING_BLOCK(5.05, 3));
  assert_says(&run, "body \"block\" slides: nothing balances a force of");
  scene_run_end(&run);
}

// A ball of facets rests while its centre is above one, which on a slope of 27 degrees none allows:
// their corners are 21 degrees at most from their middles, seen from the centre. Friction holds.
static void rolls_down_a_slope(void **state) {
  (void)state;
  SceneRun run = scene_run_all(
      "{'analysis': 'static', 'load_steps': 2, 'gravity': [5, 0, -10], 'materials': {'m': {'young':"
      "1e6, 'poisson': 0.3, 'density': 1000}}, 'bodies': {'ball': {'shape': {'type': 'sphere', "
      "'radius': 0.05, 'edge': 0.03}, 'translate': [0, 0, 0.051]}}, 'obstacles': {'floor': "
      "{'shape': {'type': 'half_space'}}}, 'friction': [{'between': 'any', 'dynamic': 0.9}]," QUIET
      "}");
  assert_says(&run, "body \"ball\" rolls: nothing balances a force of");
  scene_run_end(&run);
}

#define ON_THE_FLOOR                                                                               \
  "'analysis': 'static', 'load_steps': 2, 'gravity': 10, 'materials': {'m': {'young': 1e6,"        \
  "'poisson': 0.3, 'density': 1000}}, 'obstacles': {'floor': {'shape': {'type': 'half_space'}}},"  \
  "'friction': [{'between': 'any', 'dynamic': 0.3}]," QUIET
#define BOX(size, where)                                                                           \
  "{'shape': {'type': 'box', 'size_x': 0.1, 'size_y': 0.1, 'size_z': " #size ", 'cells_x': 2, "    \
  "'cells_y': 2, 'cells_z': 2}, " where "}"

// The floor carries what all of the bodies weigh, beneath their common centre: as exactly as
// friction has one height, somewhere in a gap of 0.1 mm.
static void assert_rests(const char *bodies, double weight) {
  char text[2000];
  snprintf(text, sizeof text, "{" ON_THE_FLOOR ", 'bodies': {%s}}", bodies);
  SceneRun run = scene_run_well(text);
  const StReactionReport *floor = scene_run_reaction(&run, "floor");
  const double *centre = run.report->centre_of_mass;
  assert_near("weight", floor->force[2], weight, 1e-6 * weight);
  assert_near("along x", floor->force[0], 0, 1e-6 * weight);
  assert_near("along y", floor->force[1], 0, 1e-6 * weight);
  assert_near("torque", floor->torque[0], weight * centre[1], 1e-4 * weight);
  assert_near("and across", floor->torque[1], -weight * centre[0], 1e-4 * weight);
  scene_run_end(&run);
}

// What is in the air falls, however far, and turns until it lies on a face: the block on the floor,
// and one block on another.
static void comes_to_rest(void **state) {
  (void)state;
  assert_rests("'a': " BOX(0.1, "'translate': [0, 0, 3]"), 10);
  assert_rests("'a': " BOX(0.05, "'rotate': {'axis': [1, 0.5, 0], 'angle': '5 deg'}, 'translate': "
                                 "[0.01, 0.02, 0.05]"),
               5);
  assert_rests(
      "'a': " BOX(0.1, "'translate': [0, 0, 0.051]") ", 'b': " BOX(
          0.1,
          "'translate': [0.003, 0.002, 0.155]") ", 'c': " BOX(0.1,
                                                              "'translate': [-0.002, 0.003, 0.26]"),
      30);
  assert_rests("'a': " BOX(0.1,
                           "'rotate': {'axis': [1, 0.2, 0], 'angle': '3 deg'}, 'translate': "
                           "[0, 0, 0.06]") ", 'b': " BOX(0.1, "'rotate': {'axis': [1, 0.2, 0], "
                                                              "'angle': '-3 deg'}, 'translate': "
                                                              "[0, 0.01, 0.18]"),
               20);
}

// On its edge a cube is in equilibrium, but not for long; turned by a degree it falls onto a face.
static void balances_on_an_edge(void **state) {
  (void)state;
  SceneRun run = scene_run_all("{" ON_THE_FLOOR ", 'bodies': {'cube': " BOX(
      0.1, "'rotate': {'axis': [1, 0, 0], 'angle': '45 deg'}, 'translate': [0, 0, 0.0715]") "}}");
  assert_says(&run, "body \"cube\" balances");
  scene_run_end(&run);
  assert_rests("'a': " BOX(0.1, "'rotate': {'axis': [1, 0, 0], 'angle': '44 deg'}, 'translate': "
                                "[0, 0, 0.0715]"),
               10);
}

// Without gravity: a cube between two others, none of which it touches, until they press it: when
// both gaps of 2 mm are closed, at 0.4, or a little before.
static void is_caught_between_two(void **state) {
  (void)state;
  SceneRun run = scene_run_start(
      "{'analysis': 'static', 'load_steps': 4, 'gravity': 0, 'materials': {'m': "
      "{'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'a': " BOX(
          0.1, "'translate': [0, 0, 0]") ","
                                         "'b': " BOX(0.1,
                                                     "'translate': [0.003, 0.002, "
                                                     "0.102]") ","
                                                               "'c': " BOX(0.1,
                                                                           "'translate': [0, 0, "
                                                                           "0.204]") "},"
                                                                                     "'boundarie"
                                                                                     "s': "
                                                                                     "{'below': "
                                                                                     "{'body': "
                                                                                     "'a', "
                                                                                     "'region': "
                                                                                     "{'label': "
                                                                                     "'z-'}}, "
                                                                                     "'above': "
                                                                                     "{'body': "
                                                                                     "'c', "
                                                                                     "'region': "
                                                                                     "{'label': "
                                                                                     "'z+'}, "
                                                                                     "'motion': "
                                                                                     "{'keys': "
                                                                                     "[{'time': "
                                                                                     "0}, "
                                                                                     "{'time': "
                                                                                     "1, "
                                                                                     "'translate"
                                                                                     "': [0, 0, "
                                                                                     "-0.01]}]}}"
                                                                                     "}, "
                                                                                     "'friction'"
                                                                                     ": "
                                                                                     "[{'"
                                                                                     "between': "
                                                                                     "'any', "
                                                                                     "'dynamic':"
                                                                                     " 0.3}]"
                                                                                     "," QUIET "}");
  while (scene_run_go_on(&run)) {
    const double *below = reaction(&run, "below"), *above = reaction(&run, "above");
    for (int c = 0; c < 3; c++)
      assert_near("balance", below[c] + above[c], 0, 1e-6 * fmax(1, below[2]));
    assert_true(run.report->time <= 0.4 || below[2] > 0);
  }
  scene_run_must(&run);
  scene_run_end(&run);
}

static void free_body_is_named(void **state) {
  (void)state;
  SceneRun run = scene_run_all(
      "{'analysis': 'static', 'load_steps': 1, 'materials': {'m': {'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'loose': {'shape': {'type': "
      "'box', 'size_x': 0.1, 'size_y': 0.1, 'size_z': 0.1, 'edge': 0.1}}}," QUIET "}");
  assert_says(&run, "body \"loose\" is free to move: nothing balances a force of");
  scene_run_end(&run);
}

// Pressed onto the floor by its top, dragged along and back: it sticks, slides with the static
// coefficient, unloads elastically, and slides the other way.
static void press_and_drag(void **state) {
  (void)state;
  SceneRun run = scene_run_start(
      "{'analysis': 'static', 'load_steps': 20, 'gravity': 0, 'materials': {'m': {'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'pad': {'shape': {'type': 'box', 'size_x': "
      "0.2, 'size_y': 0.1, 'size_z': 0.05, 'cells_x': 4, 'cells_y': 2, 'cells_z': 2}, "
      "'translate': [0, 0, 0.0252]}}, 'boundaries': {'top': {'region': {'label': 'z+'}, 'motion': "
      "{'keys': [{'time': 0}, {'time': 0.2, 'translate': [0, 0, -0.002]}, {'time': 0.6, "
      "'translate': [0.02, 0, -0.002]}, {'time': 1, 'translate': [0, 0, -0.002]}]}}},"
      "'obstacles': {'floor': {'shape': {'type': 'half_space'}}},"
      "'friction': [{'between': 'any', 'dynamic': 0.3}]," QUIET "}");
  double most = 0, least = 0;
  while (scene_run_go_on(&run)) {
    const double *top = reaction(&run, "top"), *floor = reaction(&run, "floor");
    for (int c = 0; c < 3; c++)
      assert_near("balance", top[c] + floor[c], 0, 1e-6 * fmax(1, fabs(floor[2])));
    assert_true(fabs(floor[0]) <= 0.3 * floor[2] * (1 + 1e-9));
    if (floor[2] > 0) {
      most = fmax(most, floor[0] / floor[2]);
      least = fmin(least, floor[0] / floor[2]);
    }
  }
  scene_run_must(&run);
  assert_near("forth", least, -0.3, 1e-6);
  assert_near("back", most, 0.3, 1e-6);
  scene_run_end(&run);
}

// A run that goes on from a checkpoint has the same bits.
static void resumes(void **state) {
  (void)state;
  SceneRun run = scene_run_start(FALLING_BLOCK(4, 4));
  StCheckpoint half = {0};
  scene_run_go_on(&run);
  scene_run_go_on(&run);
  assert_int_equal(st_simulation_checkpoint(run.simulation, &half, &run.error), ST_OK);
  scene_run_finish(&run);
  StSimulation *again = NULL;
  assert_int_equal(st_simulation_create_at(run.description, NULL, &half, &again, &run.error),
                   ST_OK);
  world_run(again);
  StSnapshot one = world_snapshot(run.simulation), other = world_snapshot(again);
  for (int i = 0; i < 3 * one.vertex_count; i++)
    assert_true(one.position[i] == other.position[i]);
  st_snapshot_free(&one);
  st_snapshot_free(&other);
  st_checkpoint_free(&half);
  st_simulation_destroy(again);
  scene_run_end(&run);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_rise),
                                     cmocka_unit_test(small_deflection),
                                     cmocka_unit_test(large_deflection),
                                     cmocka_unit_test(pressurised_ball),
                                     cmocka_unit_test(pressure_rises),
                                     cmocka_unit_test(arch_snaps),
                                     cmocka_unit_test(columns_buckle),
                                     cmocka_unit_test(holds_on_a_slope),
                                     cmocka_unit_test(slides_on_a_slope),
                                     cmocka_unit_test(falls_onto_a_slope),
                                     cmocka_unit_test(comes_to_rest),
                                     cmocka_unit_test(balances_on_an_edge),
                                     cmocka_unit_test(is_caught_between_two),
                                     cmocka_unit_test(free_body_is_named),
                                     cmocka_unit_test(press_and_drag),
                                     cmocka_unit_test(resumes),
                                     cmocka_unit_test(rolls_down_a_slope)};
  (void)count, (void)argument;
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failures;
}
