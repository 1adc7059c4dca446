// A ball thrown without spin slides until friction has spun it up, then rolls at 5/7 of its speed,
// whatever the friction: on a half-space, and on the surface of a stiff slab.
#include "base/memory.h"
#include "verify/list.h"

#include "verify/trial.h"

#include <string.h>

static const double radius = 0.5, speed = 2, sticking = 1e-3;

// On anchors: how long a ball swings that has begun to roll, and for how long its speed is read.
static const double SWING = 0.1, READING = 0.2; // s

typedef struct Alley {
  int cells; // of the ball, along a quarter of its circumference
  bool slab, rigid;
  double friction, step, duration, thickness;
  const char *integrator;
  StTouch touch;
} Alley;

static StContactDesc ball_contact(const Alley *alley) {
  // The weight at half the thickness, on a hundredth of the ball's section.
  double pressure = 100 * 1000 * ST_VERIFY_GRAVITY * 4 * radius / 3;
  return (StContactDesc){
      .body = alley->slab ? 1 : -1,
      .obstacle = alley->slab ? -1 : 0,
      .thickness = alley->thickness,
      .stiffness = st_world_stiffness(alley->touch.method, pressure, alley->thickness),
      .friction = st_touch_friction(&alley->touch, alley->friction, alley->friction, sticking)};
}

static void add_ground(StWorld *world, const Alley *alley, int material) {
  if (!alley->slab) {
    st_world_add_floor(world, 0);
    return;
  }
  // Vertices of a slab stand for an area each, and are felt by a ball with finer ones.
  const int cells[2] = {alley->rigid ? 1 : 16, alley->rigid ? 1 : 8};
  const double value[] = {4, 2, 0.25, 0, cells[0], cells[1], 1}, shift[] = {0.5, 0, -0.125};
  int slab =
      st_world_add_body(world, "slab", st_world_shape(world, "box", value, 7, shift), material);
  if (slab >= 0)
    st_world_add_boundary(world, slab, NULL, NULL);
}

static StWorld alley_world(const Alley *alley) {
  StWorld world = st_world_begin();
  st_world_set_touch(&world, &alley->touch);
  const StWorldMaterial stiff = {.young = 1e9, .density = 1000};
  const double value[] = {radius, 0, alley->cells}, shift[] = {0, 0, radius + alley->thickness / 2};
  int material = st_world_add_material(&world, &stiff);
  int ball = st_world_add_body(&world, "ball", st_world_shape(&world, "sphere", value, 3, shift),
                               material);
  if (alley->rigid)
    st_world_make_rigid(&world, ball);
  add_ground(&world, alley, material);
  StContactDesc contact = ball_contact(alley);
  st_world_add_contact(&world, &contact);
  st_world_set_time(&world, alley->integrator, alley->step, alley->duration);
  st_world_set_tolerance(&world, 1e-4 * sticking);
  if (world.description)
    world.description->gravity[2] = -ST_VERIFY_GRAVITY;
  return world;
}

static StStatus settle(const Alley *alley, StSnapshot *rest, StError *error) {
  Alley still = *alley;
  still.friction = 10;
  still.integrator = "be";
  still.step = 0.02;
  still.duration = 4;
  still.touch.mode = ST_FRICTION_IMPLICIT;
  StWorld world = alley_world(&still);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_run(&trial, 0.1 * sticking, error));
  return st_trial_state(&trial, rest, error);
}

// Velocity of the ball's matter where it touches, weighted by the contact force.
static StStatus slip_speed(StTrial *trial, double *slip, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  int ball = trial->description->body[0].mesh->vertex_count;
  double way = 0, force = 0;
  for (int f = 0; f < state.force_count; f++)
    for (int v = 0; v < ball && strcmp(state.force_name[f], "contact") == 0; v++) {
      way += state.force[f][3 * v + 2] * state.velocity[3 * v];
      force += state.force[f][3 * v + 2];
    }
  *slip = force > 0 ? way / force : INFINITY;
  return ST_OK;
}

static double speed_of(const StTrial *trial) {
  return st_simulation_report(trial->simulation)->momentum[0] / st_trial_mass(trial, 0);
}

// On anchors a ball that has begun to stick swings about rolling: its mean speed once that has
// died down.
static StStatus mean_speed(StTrial *trial, double *mean, StError *error) {
  double sum = 0;
  int count = 0;
  for (double begin = st_simulation_report(trial->simulation)->time, now = begin;
       now < begin + SWING + READING; now = st_simulation_report(trial->simulation)->time) {
    ST_TRY(st_trial_step(trial, error));
    if (now < begin + SWING)
      continue;
    sum += speed_of(trial);
    count++;
  }
  *mean = sum / count;
  return ST_OK;
}

static StStatus throw_ball(const Alley *alley, const StSnapshot *rest, double *rolling,
                           StError *error) {
  StWorld world = alley_world(alley);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_throw(&trial, rest->position, (double[3]){speed, 0, 0}, error));
  double slip = INFINITY;
  while (slip >= sticking && !st_simulation_finished(trial.simulation)) {
    ST_TRY(st_trial_step(&trial, error));
    ST_TRY(slip_speed(&trial, &slip, error));
  }
  *rolling = NAN;
  if (slip < sticking)
    *rolling = speed_of(&trial);
  if (slip < sticking && alley->rigid && alley->touch.stick == ST_STICK_ANCHORED)
    ST_TRY(mean_speed(&trial, rolling, error));
  return ST_OK;
}

// An edge that spans the angle φ is φ²/8 of the radius inside the ball, which changes the moment of
// inertia by twice as much at most.
static double mesh_error(const Alley *alley) {
  double angle = M_PI / 2 / alley->cells;
  return angle * angle / 4;
}

// A rigid ball is fine and must be right to a thousandth. Nothing is claimed for anchors on a slab:
// measured errors are 0.2 % on a slab of one cell, with the damper of anchors or without, and 1 to
// 2 % on one of 16 × 8. The slab's own vertices and edges probably cause them.
static double allowed_error(const Alley *alley) {
  if (!alley->rigid)
    return mesh_error(alley);
  return alley->touch.stick == ST_STICK_ANCHORED && alley->slab ? NAN : 1e-3;
}

static StStatus run_alley(StVerify *verify, const Alley *alley, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot rest = {0};
  double rolling;
  ST_TRY(settle(alley, &rest, error));
  ST_TRY(throw_ball(alley, &rest, &rolling, error));
  st_verify_compare(verify, "m/s", 5 * speed / 7, rolling, allowed_error(alley),
                    "%s%s, friction %g, %d cells: rolls", alley->rigid ? "rigid, " : "",
                    alley->slab ? "slab" : "half-space", alley->friction, alley->cells);
  return ST_OK;
}

// A rigid ball may be fine, and has to be within a thousandth of 5/7. It touches over a height of
// half the thickness, which shortens the arm of friction.
static StStatus run_rigid(StVerify *verify, const Alley *like, StError *error) {
  Alley alley = *like;
  alley.rigid = true;
  alley.thickness = 0.003;
  alley.cells = 25;
  for (int slab = 0; slab < 2 && st_world_method(alley.touch.method)->slabs; slab++) {
    alley.slab = slab;
    ST_TRY(run_alley(verify, &alley, error));
  }
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  Alley alley = {.step = 0.004,
                 .thickness = 0.01,
                 .duration = 2,
                 .integrator = "tr_bdf2",
                 .touch = st_verify_touch(&verify->settings)};
  for (int slab = 0; slab < 2; slab++)
    for (int fine = 0; fine <= verify->settings.full; fine++) {
      alley.slab = slab;
      alley.cells = fine ? 12 : 6;
      alley.friction = 0.3;
      ST_TRY(run_alley(verify, &alley, error));
    }
  return run_rigid(verify, &alley, error);
}

const StVerifyCase st_verify_rolling = {
    .name = "rolling",
    .summary = "A stiff ball thrown without spin over a half-space and over a slab: once it stops "
               "sliding, its speed is 5/7 of the initial one.",
    .both = true,
    .has_friction = true,
    .run = run,
};
