// Bodies pushed by prescribed motion, with primitives: by a box or a ball, a floor, a slab with
// driven vertices, two of them from either side, many thicknesses in one step. Nothing crosses
// anything, and pushers are where they should be at the end of every step.
#include "contact/core/obstacle.h"
#include "judge/judge.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double SIZE = 0.1, THICKNESS = 1e-3, DENSITY = 1000;

typedef enum Pusher { PUSH_BOX, PUSH_BALL, PUSH_WALL, PUSH_SLAB } Pusher;

typedef enum Form {
  PLAIN,
  SQUEEZED = 1, // against a wall that stands
  CORNER = 2,   // a box comes with a corner first
  SHEET = 4,    // a sheet is pushed instead of the cube
} Form;

typedef struct Push {
  Pusher pusher;
  int form;
  double young, speed, step;
  int steps;
  double friction;
  const char *integrator;
  StSolverKind solver;
} Push;

static StContactDesc contact_with(const Push *push, int body, int obstacle) {
  return (StContactDesc){.body = body,
                         .obstacle = obstacle,
                         .thickness = THICKNESS,
                         .stiffness = 0.1 * push->young,
                         .friction = {.dynamic_coefficient = push->friction,
                                      .static_coefficient = push->friction,
                                      .sticking_speed = 1e-3,
                                      .stribeck_speed = 1e-2}};
}

static void add_contact(StWorld *world, const Push *push, int body, int obstacle) {
  StContactDesc contact = contact_with(push, body, obstacle);
  st_world_add_contact(world, &contact);
}

// A sheet across the x-axis, loose.
static void add_sheet(StWorld *world, const Push *push) {
  const StCloth cloth = {
      .young = 1e-3 * push->young, .poisson = 0.3, .area_density = 0.3, .bending = 1e-5};
  int thin = st_world_add_cloth(world, &cloth);
  StMesh *mesh =
      st_world_surface(world, "sheet", (double[]){0.2, 0.2, 0.025}, 3, (double[3]){0.01, 0, 0});
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v;
    vec3_set(x[2], x[0], x[1], x);
  }
  int sheet = st_world_add_body(world, "sheet", mesh, thin);
  add_contact(world, push, sheet, -1); // with itself
}

// The cube fills 0 … SIZE along x, about the x-axis; pushers come from below x = 0.
static void add_cube(StWorld *world, const Push *push) {
  const double value[] = {SIZE, SIZE, SIZE, 0, 2, 2, 2};
  const StWorldMaterial material = {.young = push->young, .poisson = 0.3, .density = DENSITY};
  int soft = st_world_add_material(world, &material);
  StMesh *mesh = st_world_shape(world, "box", value, 7, (double[3]){SIZE / 2, 0, 0});
  st_world_add_body(world, "cube", mesh, soft);
}

static void drive(StWorld *world, StMotion *motion, double speed) {
  const double time[2] = {0, 1}, translation[6] = {0, 0, 0, speed, 0, 0};
  st_world_move(world, motion, 2, time, translation);
}

// A wall is a half-space: matter below x (side 1), or above it (side -1).
static void make_wall(StObstacleDesc *obstacle, double x, double side) {
  const double turn[9] = {0, 0, side, 0, 1, 0, -side, 0, 0};
  obstacle->shape.name = st_obstacle_find("half_space")->name;
  memcpy(obstacle->rotation, turn, sizeof turn);
  vec3_set(x, 0, 0, obstacle->origin);
}

// Whatever its shape, it ends at x = -2 thicknesses.
static void add_obstacle(StWorld *world, const Push *push) {
  const double radius = 0.07;
  int index = st_world_add_ball(world, (double[3]){-2 * THICKNESS - radius, 0.011, 0.007}, radius);
  if (index < 0)
    return;
  StObstacleDesc *obstacle = &world->description->obstacle[index];
  if (push->pusher == PUSH_WALL)
    make_wall(obstacle, -2 * THICKNESS, 1);
  if (push->pusher == PUSH_BOX) {
    double size = push->form & CORNER ? 2 * radius / sqrt(3) : 2 * radius;
    obstacle->shape.name = st_obstacle_find("box")->name;
    for (int i = 0; i < 3; i++)
      obstacle->shape.value[i] = size;
  }
  if (push->form & CORNER) // turns (1, 1, 1) to x
    mat3_rotation((double[3]){0, sqrt(0.5), -sqrt(0.5)}, acos(sqrt(1 / 3.0)), obstacle->rotation);
  drive(world, &obstacle->motion, push->speed);
  add_contact(world, push, -1, index);
}

static bool every_vertex(const double X[3], const void *context) {
  (void)X, (void)context;
  return true;
}

static void add_slab(StWorld *world, const Push *push) {
  const double value[] = {0.02, 0.13, 0.11, 0, 1, 3, 3};
  StMesh *mesh =
      st_world_shape(world, "box", value, 7, (double[3]){-2 * THICKNESS - 0.01, 0.013, 0.007});
  const StWorldMaterial material = {.young = push->young, .poisson = 0.3, .density = DENSITY};
  int slab = st_world_add_body(world, "slab", mesh, st_world_add_material(world, &material));
  StBoundaryDesc *boundary = st_world_add_boundary(world, slab, every_vertex, NULL);
  if (!boundary)
    return;
  drive(world, &boundary->motion, push->speed);
  add_contact(world, push, slab, -1);
}

static void add_stop(StWorld *world, const Push *push) {
  int index = st_world_add_floor(world, 0);
  if (index < 0)
    return;
  make_wall(&world->description->obstacle[index], SIZE + 2 * THICKNESS, -1);
  add_contact(world, push, -1, index);
}

static StDescription *create(const Push *push) {
  StWorld world = st_world_begin();
  if (push->form & SHEET)
    add_sheet(&world, push);
  else
    add_cube(&world, push);
  if (push->pusher == PUSH_SLAB)
    add_slab(&world, push);
  else
    add_obstacle(&world, push);
  if (push->form & SQUEEZED)
    add_stop(&world, push);
  st_world_set_time(&world, push->integrator, push->step, push->step * push->steps);
  st_world_set_tolerance(&world, 1e-6);
  StDescription *d = world_finish(&world);
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->solver.kind = push->solver;
  d->time.frame_rate = 1 / push->step;
  return d;
}

// The slab is the last body, and moves as a whole.
static void check_slab(const Push *push, const StSnapshot *start, const StSnapshot *state,
                       double time, int first) {
  for (int v = first; v < state->vertex_count; v++)
    for (int i = 0; i < 3; i++) {
      double wanted = start->position[3 * v + i] + (i == 0 ? push->speed * time : 0);
      assert_true(fabs(state->position[3 * v + i] - wanted) < 1e-13);
      assert_true(fabs(state->velocity[3 * v + i] - (i == 0 ? push->speed : 0)) < 1e-11);
    }
}

// Where the pusher's face is, the cube is not: in front of all of it but a ball's rounding.
static double front(const Push *push, double time) {
  return -2 * THICKNESS + push->speed * time;
}

typedef struct Outcome {
  double speed;      // of the cube's middle, at the end
  double least, far; // coordinate of the cube, at the end
  long newton;
  double gain; // of energy in one step that neither work nor errors explain, the largest, J
} Outcome;

static void look(const Push *push, StJudge *judge, StSimulation *simulation,
                 const StSnapshot *start, Outcome *outcome) {
  StSnapshot state = world_snapshot(simulation);
  const StReport *report = st_simulation_report(simulation);
  StJudgement judgement;
  assert_int_equal(st_judge_check(judge, report->time, state.position, &judgement, NULL), ST_OK);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    if (judgement.kind[k].count > 0)
      fail_msg("%g s: %ld %s", report->time, judgement.kind[k].count, st_finding_name[k]);
  assert_true(report->contact.touching == 0 || report->contact.deepest_gap > 0);
  int cube = st_simulation_system(simulation)->piece->vertex_count;
  cube = push->pusher == PUSH_SLAB ? cube - (2 * 4 * 4) : cube;
  if (push->pusher == PUSH_SLAB)
    check_slab(push, start, &state, report->time, cube);
  *outcome = (Outcome){.least = INFINITY,
                       .far = -INFINITY,
                       .newton = outcome->newton,
                       .gain = fmax(outcome->gain, report->energy_gain - report->energy_error)};
  outcome->newton += report->newton_iterations;
  for (int v = 0; v < cube; v++) {
    outcome->least = fmin(outcome->least, state.position[3 * v]);
    outcome->far = fmax(outcome->far, state.position[3 * v]);
    outcome->speed += state.velocity[3 * v] / cube;
    if (push->pusher != PUSH_BALL && !(push->form & (CORNER | SHEET)))
      assert_true(state.position[3 * v] > front(push, report->time));
    if (push->form & SQUEEZED)
      assert_true(state.position[3 * v] < SIZE + 2 * THICKNESS);
  }
  st_snapshot_free(&state);
}

static Outcome run(const Push *push) {
  StDescription *d = create(push);
  StSimulation *simulation = world_start(d);
  StSnapshot start = world_snapshot(simulation);
  StJudge *judge = NULL;
  Outcome outcome = {0};
  int steps = 0, frames = 0;
  assert_int_equal(st_judge_create(d, &judge, NULL), ST_OK);
  while (!st_simulation_finished(simulation)) {
    StError error = {0};
    if (st_simulation_step(simulation, &error) != ST_OK)
      fail_msg("%s", error.text);
    look(push, judge, simulation, &start, &outcome);
    frames += st_simulation_on_frame(simulation);
    steps++;
  }
  print_message("%d steps for %d, %ld Newton, least %g, far %g, speed %g, gain %g J\n", steps,
                push->steps, outcome.newton, outcome.least, outcome.far, outcome.speed,
                outcome.gain);
  assert_int_equal(frames, push->steps);
  st_judge_destroy(judge);
  st_snapshot_free(&start);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return outcome;
}

// Pushed away: at least as fast as the pusher, at most thrown off by an elastic blow.
static void push_away(const Push *push) {
  Outcome outcome = run(push);
  assert_true(outcome.gain <= 0);
  assert_true(outcome.speed > 0.95 * push->speed);
  assert_true(outcome.speed < 2.05 * push->speed);
}

static const StSolverKind DIRECT = ST_SOLVER_DIRECT, ITERATIVE = ST_SOLVER_ITERATIVE;

// 2, 20 and 100 thicknesses in a step: the last is the cube's own size.
static void a_box_pushes(void **state) {
  (void)state;
  push_away(&(Push){PUSH_BOX, PLAIN, 1e5, 0.2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_BOX, PLAIN, 1e6, 2, 0.01, 20, 0, "be", DIRECT});
  push_away(&(Push){PUSH_BOX, PLAIN, 1e6, 10, 0.01, 20, 0.3, "be", ITERATIVE});
  push_away(&(Push){PUSH_BOX, PLAIN, 1e6, 2, 0.01, 20, 0.3, "tr_bdf2", DIRECT});
}

static void a_corner_pushes(void **state) {
  (void)state;
  push_away(&(Push){PUSH_BOX, CORNER, 1e5, 0.2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_BOX, CORNER, 1e6, 2, 0.01, 10, 0.3, "be", DIRECT});
}

// A loose sheet is run over: it wraps around what pushes it.
static void a_sheet_is_pushed(void **state) {
  (void)state;
  push_away(&(Push){PUSH_BOX, SHEET, 1e5, 2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_BOX, SHEET | CORNER, 1e5, 2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_BALL, SHEET, 1e5, 2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_SLAB, SHEET, 1e5, 2, 0.01, 20, 0.3, "be", DIRECT});
}

static void a_ball_pushes(void **state) {
  (void)state;
  push_away(&(Push){PUSH_BALL, PLAIN, 1e5, 0.2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_BALL, PLAIN, 1e6, 2, 0.01, 10, 0.3, "be", DIRECT});
}

static void a_wall_pushes(void **state) {
  (void)state;
  push_away(&(Push){PUSH_WALL, PLAIN, 1e5, 0.2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_WALL, PLAIN, 1e6, 2, 0.01, 20, 0.3, "tr_bdf2", DIRECT});
  push_away(&(Push){PUSH_WALL, PLAIN, 1e6, 10, 0.01, 20, 0, "be", DIRECT});
}

static void driven_vertices_push(void **state) {
  (void)state;
  push_away(&(Push){PUSH_SLAB, PLAIN, 1e5, 0.2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_SLAB, PLAIN, 1e6, 2, 0.01, 20, 0.3, "be", DIRECT});
  push_away(&(Push){PUSH_SLAB, PLAIN, 1e6, 2, 0.01, 20, 0.3, "bdf2", ITERATIVE});
  push_away(&(Push){PUSH_SLAB, PLAIN, 1e6, 10, 0.01, 20, 0, "be", DIRECT});
}

// Squeezed to less than two thirds between the pusher and a wall: nowhere to go.
static void squeezed_bodies_stay_between(void **state) {
  (void)state;
  const Pusher pusher[] = {PUSH_BOX, PUSH_WALL, PUSH_SLAB};
  for (int i = 0; i < 3; i++) {
    Push push = {pusher[i], SQUEEZED, 1e5, 0.4, 0.01, 10, i == 1 ? 0.0 : 0.3, "be", DIRECT};
    Outcome outcome = run(&push);
    assert_true(outcome.far - outcome.least < 0.66 * SIZE);
    assert_true(outcome.far - outcome.least > 0.6 * SIZE);
  }
}

static int begin(void **state) {
  (void)state;
  StError error;
  return st_runtime_start(&error);
}

static int end(void **state) {
  (void)state;
  st_runtime_stop();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_pushes),
      cmocka_unit_test(a_corner_pushes),
      cmocka_unit_test(a_sheet_is_pushed),
      cmocka_unit_test(a_ball_pushes),
      cmocka_unit_test(a_wall_pushes),
      cmocka_unit_test(driven_vertices_push),
      cmocka_unit_test(squeezed_bodies_stay_between),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
