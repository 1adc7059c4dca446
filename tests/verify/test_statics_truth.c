// Static analyses against closed forms: beams, a pressurised ball, a shallow arch that snaps, and
// friction along a path of loads.
#include "base/memory.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define QUIET "'output': {'judge': 'off'}"

typedef struct Run {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
  StStatus status;
  StError error;
} Run;

// Quotes are single in the text.
static Run start(const char *text) {
  Run run = {0};
  char *scene = st_copy_string(text);
  for (char *c = scene; *c; c++)
    *c = *c == '\'' ? '"' : *c;
  if (st_scene_parse("scene", scene, strlen(scene), NULL, NULL, &run.description, &run.error) !=
      ST_OK)
    fail_msg("%s", run.error.text);
  free(scene);
  run.simulation = world_start(run.description);
  run.report = st_simulation_report(run.simulation);
  return run;
}

static bool go_on(Run *run) {
  if (st_simulation_finished(run->simulation) || run->status != ST_OK)
    return false;
  run->status = st_simulation_step(run->simulation, &run->error);
  return run->status == ST_OK;
}

static Run run_all(const char *text) {
  Run run = start(text);
  while (go_on(&run)) {
  }
  return run;
}

static Run run_well(const char *text) {
  Run run = run_all(text);
  if (run.status != ST_OK)
    fail_msg("%s", run.error.text);
  return run;
}

static void end(Run *run) {
  st_simulation_destroy(run->simulation);
  st_description_destroy(run->description);
}

static void assert_near(const char *what, double value, double wanted, double error) {
  if (!(fabs(value - wanted) <= error))
    fail_msg("%s: %.12g, not %.12g within %g", what, value, wanted, error);
}

static const double *reaction(const Run *run, const char *name) {
  for (int i = 0; i < run->report->reaction_count; i++)
    if (strcmp(run->report->reaction[i].name, name) == 0)
      return run->report->reaction[i].force;
  fail_msg("no %s", name);
  return NULL;
}

// The first probe.
static const double *probe(const Run *run) {
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
  Run run = start(BEAM(200e9, 0.05, 20, -100));
  double bend = 100 / (3 * 200e9 * pow(0.05, 4) / 12), shear = 100 / (5.0 / 6 * 100e9 * 0.0025);
  while (go_on(&run)) {
    assert_near("deflection", probe(&run)[2], -run.report->time * (bend + shear), 2e-3 * bend);
    assert_near("reaction", reaction(&run, "clamp")[2], 100 * run.report->time, 1e-5);
    assert_near("kinetic energy", run.report->kinetic_energy, 0, 0);
  }
  assert_int_equal(run.status, ST_OK);
  end(&run);
}

// The elastica under P L²/EI = 10 (Bisshopp and Drucker 1945; Mattiasson 1981): the tip goes
// down by 0.81061 L and back by 0.55500 L.
static void large_deflection(void **state) {
  (void)state;
  Run run = run_well(BEAM(1e6, 0.02, 20, -0.1333333));
  assert_near("down", probe(&run)[2], -0.81061, 4e-3);
  assert_near("back", probe(&run)[0], 1 - 0.55500, 4e-3);
  end(&run);
}

// Lamé: u(b) = 3/2 (1 - ν) p a³ b/(E (b³ - a³)), less for the flat facets of the mesh. Nothing
// holds the ball: it stays where it is, up to what the linear solver leaves of a free motion.
static void pressurised_ball(void **state) {
  (void)state;
  Run run = start(
      "{'analysis': 'static', 'load_steps': 2, 'gravity': 0, 'materials': {'m': {'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'ball': {'order': 2, 'self_contact': false,"
      "'shape': {'type': 'hollow_ball', 'radius': 1, 'thickness': 0.4, 'cells': 8}}},"
      "'volumes': {'air': {'body': 'ball', 'model': 'prescribed', 'outside_pressure': 0,"
      "'pressure': '1 kPa'}}," QUIET "}");
  double a = 0.6, b = 1, sum = 0, p = 1e3, E = 1e6, nu = 0.3;
  double before[3], moved[3];
  vec3_copy(run.report->centre_of_mass, before);
  while (go_on(&run)) {
  }
  assert_int_equal(run.status, ST_OK);
  StSnapshot now = world_snapshot(run.simulation);
  const StMesh *mesh = run.description->body[0].mesh;
  int count = 0;
  for (int v = 0; v < now.vertex_count; v++)
    if (vec3_length(mesh->position + 3 * v) > b - 1e-6) {
      sum += vec3_length(now.position + 3 * v) - b;
      count++;
    }
  double wanted = 1.5 * (1 - nu) * p * a * a * a * b / (E * (b * b * b - a * a * a));
  assert_near("radius", sum / count, wanted, 0.03 * wanted);
  vec3_sub(run.report->centre_of_mass, before, moved);
  assert_near("centre", vec3_length(moved), 0, 1e-6 * wanted);
  st_snapshot_free(&now);
  end(&run);
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
  Run run = {.description = arch_world()};
  run.simulation = world_start(run.description);
  run.report = st_simulation_report(run.simulation);
  while (go_on(&run)) {
  }
  assert_int_equal(run.status, ST_NOT_SOLVED);
  assert_non_null(strstr(run.error.text, "limit point: the equilibrium of body \"arch\""));
  assert_near("limit load", 1.1 * run.report->time, 1, 0.03);
  end(&run);
}

#define BLOCK(slope, steps)                                                                        \
  "{'analysis': 'static', 'load_steps': " #steps ", 'materials': {'m': {'young': 1e6, 'poisson': " \
  "0.3, 'density': 1000}}, 'bodies': {'block': {'shape': {'type': 'box', 'size_x': 0.2, "          \
  "'size_y': 0.1, 'size_z': 0.05, 'cells_x': 4, 'cells_y': 2, 'cells_z': 1}, 'translate': [0, 0, " \
  "0.0255]}}, 'gravity': [" #slope ", 0, -10], 'obstacles': {'floor': {'shape': {'type': "         \
  "'half_space'}}}, 'friction': [{'between': 'any', 'dynamic': 0.4, 'static': 0.5}]," QUIET "}"

// On a slope whose tangent is 0.99 of the static friction it stays, and weighs what it weighs.
static void holds_on_a_slope(void **state) {
  (void)state;
  Run run = run_well(BLOCK(4.95, 3));
  assert_near("along", reaction(&run, "floor")[0], -4.95, 1e-5);
  assert_near("across", reaction(&run, "floor")[2], 10, 1e-5);
  end(&run);
}

static void assert_says(const Run *run, const char *words) {
  assert_int_equal(run->status, ST_NOT_SOLVED);
  if (!strstr(run->error.text, words))
    fail_msg("'%s' is not in: %s", words, run->error.text);
}

static void slides_on_a_slope(void **state) {
  (void)state;
  Run run = run_all(BLOCK(5.05, 3));
  assert_says(&run, "body \"block\" slides: nothing balances a force of");
  end(&run);
}

static void free_body_is_named(void **state) {
  (void)state;
  Run run =
      run_all("{'analysis': 'static', 'load_steps': 1, 'materials': {'m': {'young': 1e6,"
              "'poisson': 0.3, 'density': 1000}}, 'bodies': {'loose': {'shape': {'type': "
              "'box', 'size_x': 0.1, 'size_y': 0.1, 'size_z': 0.1, 'edge': 0.1}}}," QUIET "}");
  assert_says(&run, "body \"loose\" is free to move: nothing balances a force of");
  end(&run);
}

// Pressed onto the floor by its top, dragged along and back: it sticks, slides with the static
// coefficient, unloads elastically, and slides the other way.
static void press_and_drag(void **state) {
  (void)state;
  Run run = start(
      "{'analysis': 'static', 'load_steps': 20, 'gravity': 0, 'materials': {'m': {'young': 1e6,"
      "'poisson': 0.3, 'density': 1000}}, 'bodies': {'pad': {'shape': {'type': 'box', 'size_x': "
      "0.2, 'size_y': 0.1, 'size_z': 0.05, 'cells_x': 4, 'cells_y': 2, 'cells_z': 2}, "
      "'translate': [0, 0, 0.0252]}}, 'boundaries': {'top': {'region': {'label': 'z+'}, 'motion': "
      "{'keys': [{'time': 0}, {'time': 0.2, 'translate': [0, 0, -0.002]}, {'time': 0.6, "
      "'translate': [0.02, 0, -0.002]}, {'time': 1, 'translate': [0, 0, -0.002]}]}}},"
      "'obstacles': {'floor': {'shape': {'type': 'half_space'}}},"
      "'friction': [{'between': 'any', 'dynamic': 0.3}]," QUIET "}");
  double most = 0, least = 0;
  while (go_on(&run)) {
    const double *top = reaction(&run, "top"), *floor = reaction(&run, "floor");
    for (int c = 0; c < 3; c++)
      assert_near("balance", top[c] + floor[c], 0, 1e-6 * fmax(1, fabs(floor[2])));
    assert_true(fabs(floor[0]) <= 0.3 * floor[2] * (1 + 1e-9));
    if (floor[2] > 0) {
      most = fmax(most, floor[0] / floor[2]);
      least = fmin(least, floor[0] / floor[2]);
    }
  }
  if (run.status != ST_OK)
    fail_msg("%s", run.error.text);
  assert_near("forth", least, -0.3, 1e-6);
  assert_near("back", most, 0.3, 1e-6);
  end(&run);
}

// A run that goes on from a checkpoint has the same bits.
static void resumes(void **state) {
  (void)state;
  Run run = start(BLOCK(4, 4));
  StCheckpoint half = {0};
  go_on(&run);
  go_on(&run);
  assert_int_equal(st_simulation_checkpoint(run.simulation, &half, &run.error), ST_OK);
  while (go_on(&run)) {
  }
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
  end(&run);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_deflection),
                                     cmocka_unit_test(large_deflection),
                                     cmocka_unit_test(pressurised_ball),
                                     cmocka_unit_test(arch_snaps),
                                     cmocka_unit_test(holds_on_a_slope),
                                     cmocka_unit_test(slides_on_a_slope),
                                     cmocka_unit_test(free_body_is_named),
                                     cmocka_unit_test(press_and_drag),
                                     cmocka_unit_test(resumes)};
  (void)count, (void)argument;
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failures;
}
