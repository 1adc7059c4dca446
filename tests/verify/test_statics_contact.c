// Contact in static analyses against closed forms, at default settings: Hertz's pressure of a long
// round body on a flat one, on regular and on irregular meshes, and what Cattaneo and Mindlin say
// of it when it is sheared.
#include "mesh/write.h"
#include "output/scratch.h"
#include "solve/runtime.h"
#include "support/scene_run.h"

static const double PATCH = 0.03, RADIUS = 1, YOUNG = 1e7; // about what touches, m
enum { MOST_CELLS = 60 };

// Places of cells that are equal as far as `fine`, and grow beyond, to 20 patches.
typedef struct Grading {
  int count;
  double place[MOST_CELLS + 1];
} Grading;

static Grading grade(double cell, double fine, double growth) {
  Grading g = {0};
  int equal = (int)(fine / cell + 0.5);
  double extent = 20 * PATCH, size = cell;
  while (g.count < MOST_CELLS && g.place[g.count] < extent) {
    size *= g.count < equal ? 1 : growth;
    g.place[g.count + 1] = g.place[g.count] + size;
    g.count++;
  }
  double stretch = (extent - g.place[equal]) / (g.place[g.count] - g.place[equal]);
  for (int k = equal + 1; k <= g.count; k++)
    g.place[k] = g.place[equal] + (g.place[k] - g.place[equal]) * stretch;
  return g;
}

static double place_at(const Grading *g, double at) {
  double size = fabs(at), part = modf(size, &size);
  int k = (int)size;
  double place =
      k < g->count ? g->place[k] + part * (g->place[k + 1] - g->place[k]) : g->place[g->count];
  return at < 0 ? -place : place;
}

// One cell along y.
static StMesh *long_round_body(int cells, double jitter) {
  double cell = PATCH / cells;
  const Grading x = grade(cell, 1.4 * PATCH, 1.3), z = grade(cell, 0.5 * PATCH, 1.3);
  const BoxGrid grid = {
      {2 * x.count, 1, z.count}, {-x.count, 0, 0}, {x.count, cell, z.count}, jitter};
  StMesh *mesh = box_mesh_create(&grid);
  world_must(mesh != NULL, "no mesh");
  for (int v = 0; v < mesh->vertex_count; v++) {
    double *at = mesh->position + 3 * v;
    at[0] = place_at(&x, at[0]);
    at[2] = place_at(&z, at[2]);
    at[2] += at[0] * at[0] / (2 * RADIUS) * (1 - at[2] / (20 * PATCH));
  }
  return mesh;
}

// A quarter of a body that is round in all directions.
static StMesh *quarter_of_ball(int cells, double jitter) {
  double cell = PATCH / cells;
  const Grading x = grade(cell, 1.3 * PATCH, 1.6), z = grade(cell, 0.5 * PATCH, 1.6);
  const BoxGrid grid = {
      {x.count, x.count, z.count}, {0, 0, 0}, {x.count, x.count, z.count}, jitter};
  StMesh *mesh = box_mesh_create(&grid);
  world_must(mesh != NULL, "no mesh");
  for (int v = 0; v < mesh->vertex_count; v++) {
    double *at = mesh->position + 3 * v;
    for (int c = 0; c < 3; c++)
      at[c] = place_at(c < 2 ? &x : &z, at[c]);
    double square = at[0] * at[0] + at[1] * at[1];
    at[2] += square / (2 * RADIUS) * (1 - at[2] / (20 * PATCH));
  }
  return mesh;
}

typedef struct Body {
  int cells; // per patch
  double jitter, poisson, friction;
} Body;

// Held and moved by all sides but the round one, in plane strain. Keys of the motion: quotes are
// single.
static SceneRun start(const Body *body, int load_steps, const char *keys) {
  char text[3000];
  StError error = {0};
  StMesh *mesh = long_round_body(body->cells, body->jitter);
  if (st_mesh_write(scratch("round.vtu"), mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_mesh_destroy(mesh);
  snprintf(
      text, sizeof text,
      "{'analysis': 'static', 'load_steps': %d, 'gravity': 0, 'materials': {'m': {'young': "
      "%g, 'poisson': %g, 'density': 1000}}, 'bodies': {'round': {'mesh': 'round.vtu', "
      "'translate': "
      "[0, 0, 1e-4]}}, 'boundaries': {'outside': {'region': ["
      "{'box': {'min': [-1, -1, 0.59999], 'max': [1, 1, 1]}},"
      "{'box': {'min': [-1, -1, -1], 'max': [-0.59999, 1, 1]}},"
      "{'box': {'min': [0.59999, -1, -1], 'max': [1, 1, 1]}}], 'motion': {'keys': [%s]}},"
      "'ends': {'region': {'box': {'min': [-0.59998, -1, -1], 'max': [0.59998, 1, 0.59998]}}, "
      "'hold': ['y']}}, 'obstacles': {'floor': {'shape': {'type': 'half_space'}}}, 'friction': "
      "[{'between': 'any', 'dynamic': %g}], 'output': {'judge': 'off'}, 'solver': {'threads': 1}}",
      load_steps, YOUNG, body->poisson, keys, body->friction);
  return scene_run_start_in(scratch("round.json"), text);
}

// Sums over the vertices in contact, per metre along y.
typedef struct Contact {
  double press, shear;       // N/m
  double press_x2, shear_x2; // their second moments about the middle, N m
  double highest;            // pressure, Pa
} Contact;

// NULL: there is none.
static const double *force_of(const StSnapshot *state, const char *name) {
  for (int f = 0; f < state->force_count; f++)
    if (strcmp(state->force_name[f], name) == 0)
      return state->force[f];
  return NULL;
}

static Contact read_contact(SceneRun *run, double width) {
  Contact sum = {0};
  StSnapshot state;
  world_must(st_simulation_snapshot(run->simulation, true, false, &state, NULL) == ST_OK, "state");
  const double *press = force_of(&state, "contact"), *shear = force_of(&state, "friction");
  double middle = 0;
  for (int v = 0; v < state.vertex_count; v++) {
    sum.press += press[3 * v + 2] / width;
    sum.shear += shear ? shear[3 * v] / width : 0;
    middle += press[3 * v + 2] / width * state.position[3 * v];
  }
  middle /= sum.press;
  for (int v = 0; v < state.vertex_count; v++) {
    double off = state.position[3 * v] - middle;
    sum.press_x2 += press[3 * v + 2] / width * off * off;
    sum.shear_x2 += shear ? shear[3 * v] / width * off * off : 0;
  }
  st_snapshot_free(&state);
  return sum;
}

// Over an ellipse the mean of x² is a quarter of a².
static double half_width(const Contact *sum) {
  return 2 * sqrt(sum->press_x2 / sum->press);
}

static SceneRun press_ball(int cells, double jitter, double down) {
  char text[2000];
  StError error = {0};
  StMesh *mesh = quarter_of_ball(cells, jitter);
  if (st_mesh_write(scratch("ball.vtu"), mesh, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_mesh_destroy(mesh);
  snprintf(
      text, sizeof text,
      "{'analysis': 'static', 'load_steps': 3, 'gravity': 0, 'materials': {'m': {'young': "
      "%g, 'poisson': 0.3, 'density': 1000}}, 'bodies': {'ball': {'mesh': 'ball.vtu', "
      "'translate': [0, 0, 1e-4]}}, 'boundaries': {'outside': {'region': ["
      "{'box': {'min': [-1, -1, 0.59999], 'max': [1, 1, 1]}},"
      "{'box': {'min': [0.59999, -1, -1], 'max': [1, 1, 1]}},"
      "{'box': {'min': [-1, 0.59999, -1], 'max': [1, 1, 1]}}], 'motion': {'keys': [{'time': "
      "0}, {'time': 1, 'translate': [0, 0, %g]}]}},"
      "'x': {'region': {'box': {'min': [-1e-6, -1, -1], 'max': [1e-6, 0.59998, 0.59998]}}, "
      "'hold': ['x']}, 'y': {'region': {'box': {'min': [-1, -1e-6, -1], 'max': [0.59998, 1e-6, "
      "0.59998]}}, 'hold': ['y']}}, 'obstacles': {'floor': {'shape': {'type': 'half_space'}}},"
      "'output': {'judge': 'off'}, 'solver': {'threads': 1}}",
      YOUNG, -down);
  return scene_run_start_in(scratch("ball.json"), text);
}

// Over a ball's circle the mean of r² is 2a²/5. Hertz: a³ = 3 P R/4 E*, at the two larger loads, at
// which four cells or more are in it.
static void assert_circle(SceneRun *run) {
  double press = 0, square = 0;
  StSnapshot state;
  world_must(st_simulation_snapshot(run->simulation, true, false, &state, NULL) == ST_OK, "state");
  const double *force = force_of(&state, "contact");
  for (int v = 0; v < state.vertex_count; v++) {
    const double *x = state.position + 3 * v, quarter = force[3 * v + 2];
    press += 4 * quarter;
    square += 4 * quarter * (x[0] * x[0] + x[1] * x[1]);
  }
  double a = sqrt(2.5 * square / press), wanted = cbrt(0.75 * press * RADIUS * 0.91 / YOUNG);
  assert_near("radius", a, wanted, 0.04 * wanted);
  st_snapshot_free(&state);
}

static void radius_is_hertz(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    SceneRun run = press_ball(4, 0.15 * i, 1.1e-3);
    while (scene_run_go_on(&run))
      if (run.report->time > 0.5)
        assert_circle(&run);
    scene_run_must(&run);
    scene_run_end(&run);
  }
}

static double stiffness_of(const Body *body) {
  return YOUNG / (1 - body->poisson * body->poisson);
}

// Hertz: a² = 4 P R/(π E*), of which linear elements miss some, and the law is for small a/R.
static void half_width_is_hertz(void **state) {
  (void)state;
  static const Body body[] = {{8, 0, 0.3, 0}, {12, 0, 0.3, 0}, {12, 0.2, 0.3, 0}};
  for (int i = 0; i < 3; i++) {
    SceneRun run = start(&body[i], 4, "{'time': 0}, {'time': 1, 'translate': [0, 0, -2.1e-3]}");
    while (scene_run_go_on(&run)) {
      Contact sum = read_contact(&run, PATCH / body[i].cells);
      double wanted = sqrt(4 * sum.press * RADIUS / (M_PI * stiffness_of(&body[i])));
      assert_near("half-width", half_width(&sum), wanted, 0.03 * wanted);
    }
    scene_run_must(&run);
    scene_run_end(&run);
  }
}

// Pressed, pulled aside until all of it slides, which wipes out what pressing has left of shear,
// and back, and forth again.
enum { PRESS = 6, SLIDE = 3, TURN = 10, ALL = PRESS + SLIDE + 2 * TURN };
static const double sheared = 1e-3, forth = 0.97e-3;

static SceneRun shear(const Body *body) {
  char keys[1000];
  snprintf(
      keys, sizeof keys,
      "{'time': 0}, {'time': %.17g, 'translate': [0, 0, -1.5e-3]}, {'time': %.17g, "
      "'translate': [%g, 0, -1.5e-3]}, {'time': %.17g, 'translate': [0, 0, -1.5e-3]}, {'time': "
      "1, 'translate': [%g, 0, -1.5e-3]}",
      (double)PRESS / ALL, (double)(PRESS + SLIDE) / ALL, sheared,
      (double)(PRESS + SLIDE + TURN) / ALL, forth);
  return start(body, ALL, keys);
}

// Between turns the shear has changed by 2 μ times Hertz's pressure, less the same over what
// sticks, c, and c/a times as high. The second moments of both give c⁴ = a⁴ (1 - M/M₀), where M₀ is
// that of 2 μ times the pressure.
static double sticks(const Contact *turn, const Contact *now, double friction) {
  double part = fabs(now->shear_x2 - turn->shear_x2) / (2 * friction * now->press_x2);
  return pow(fmax(1 - part, 0), 0.25);
}

// c = a √(1 - D) with D the change of the pull over 2 μ P. By the law of the turn the branch is
// that of the first pull, twice as large: δ = μP/(πE*) [(1 - q) ln(1 - q) + C q], q = Q/μP, of
// which a cycle takes an energy without C, of what is far away.
static void mindlin(void **state) {
  (void)state;
  const Body body = {12, 0, 0.45, 0.3};
  SceneRun run = shear(&body);
  Contact turn = {0}, last = {0};
  double took = 0, D = 0, way = forth / TURN;
  while (scene_run_go_on(&run)) {
    double step = run.report->time * ALL - PRESS - SLIDE;
    Contact now = read_contact(&run, PATCH / body.cells);
    bool turns = fabs(step) < 1e-6 || fabs(step - TURN) < 1e-6;
    D = fabs(now.shear - turn.shear) / (2 * body.friction * now.press);
    if (step > 1e-6 && D < 0.8)
      assert_near("what sticks", sticks(&turn, &now, body.friction), sqrt(1 - D),
                  0.03 * sqrt(1 - D));
    if (step > TURN + 1e-6)
      took += way * ((now.shear + last.shear) / 2 - turn.shear);
    if (turns)
      turn = now;
    last = now;
  }
  scene_run_must(&run);
  double strength = body.friction * last.press;
  took = 2 * fabs(took - (last.shear - turn.shear) / 2 * forth);
  double wanted = 2 * strength * strength / (M_PI * stiffness_of(&body)) *
                  (2 * (1 - D) * log(1 - D) + 2 * D - D * D);
  assert_near("energy of a cycle", took, wanted, 0.03 * wanted);
  scene_run_end(&run);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(half_width_is_hertz),
                                     cmocka_unit_test(mindlin), cmocka_unit_test(radius_is_hertz)};
  int failures = cmocka_run_group_tests(tests, scratch_begin, scratch_end);
  st_runtime_stop();
  return failures;
}
