// Blocks at rest, launched and stopped.
#include "verify/block.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "step/integrator.h"

StBlock st_block_default(const StVerifySettings *settings) {
  return (StBlock){.size = {1, 1, 1},
                   .material = {.young = 1e9, .density = 1000},
                   .sticking_speed = 1e-5,
                   .thickness = 1e-3,
                   .touch = st_verify_touch(settings),
                   .integrator = "be"};
}

double st_block_mass(const StBlock *block) {
  return block->material.density * block->size[0] * block->size[1] * block->size[2];
}

StContactDesc st_block_contact(const StBlock *block) {
  double pressure =
      block->material.density * block->size[2] * ST_VERIFY_GRAVITY * cos(block->slope);
  StContactDesc contact = {
      .body = block->slab ? 1 : -1,
      .obstacle = block->slab ? -1 : 0,
      .thickness = block->thickness,
      .stiffness = st_world_stiffness(block->touch.method, pressure, block->thickness),
      .friction =
          st_touch_friction(&block->touch, block->friction,
                            fmax(block->static_friction, block->friction), block->sticking_speed)};
  if (block->stribeck_speed > 0)
    contact.friction.stribeck_speed = block->stribeck_speed;
  return contact;
}

double st_block_press_slope(const StBlock *block) {
  return st_world_method(block->touch.method)->slope / block->thickness;
}

// An anchor has 0.3 of the stiffness against being pressed.
double st_block_yield(const StBlock *block) {
  double friction = fmax(block->friction, block->static_friction);
  bool anchored = block->touch.stick == ST_STICK_ANCHORED;
  return anchored ? 2 * friction / (0.3 * st_block_press_slope(block)) : 0;
}

// Its top is where the floor would be, and far wider than the block goes.
static void add_slab(StWorld *world, int material) {
  const double value[7] = {40, 5, 0.5, 0, 1, 1, 1}, shift[3] = {15, 0.5, -0.25};
  int slab =
      st_world_add_body(world, "slab", st_world_shape(world, "box", value, 7, shift), material);
  st_world_make_rigid(world, slab);
  if (slab >= 0)
    st_world_add_boundary(world, slab, NULL, NULL);
}

StWorld st_block_world(const StBlock *block) {
  StWorld world = st_world_begin();
  double value[7] = {block->size[0], block->size[1], block->size[2], 0};
  double shift[3];
  for (int i = 0; i < 3; i++) {
    value[4 + i] = block->cells[i] > 0 ? block->cells[i] : 1;
    shift[i] = block->size[i] / 2;
  }
  shift[2] += block->thickness / 2;
  st_world_set_touch(&world, &block->touch);
  int material = st_world_add_material(&world, &block->material);
  StMesh *mesh = st_world_shape(&world, "box", value, 7, shift);
  int body = st_world_add_body(&world, "block", mesh, material);
  if (block->rigid)
    st_world_make_rigid(&world, body);
  if (block->slab)
    add_slab(&world, material);
  else
    st_world_add_floor(&world, 0);
  StContactDesc contact = st_block_contact(block);
  st_world_add_contact(&world, &contact);
  st_world_set_time(&world, block->integrator, block->step, block->duration);
  st_world_set_tolerance(&world, ST_BLOCK_TOLERANCE * block->sticking_speed);
  double g = ST_VERIFY_GRAVITY;
  if (world.description)
    vec3_set(g * sin(block->slope), 0, -g * cos(block->slope), world.description->gravity);
  return world;
}

// The block in its rest shape, that much higher: not from where the simulation began, which may
// have moved it.
static StStatus lift(StTrial *trial, double height, double v, StError *error) {
  int count = st_description_vertex_count(trial->description), i = 0;
  ST_FREE double *position = ST_NEW(double, 3 * (size_t)count);
  ST_TRY_MEMORY(position, error);
  for (int b = 0; b < trial->description->body_count; b++) {
    const StMesh *mesh = trial->description->body[b].mesh;
    for (int k = 0; k < 3 * mesh->vertex_count; k++, i++)
      position[i] = mesh->position[k] + (b == 0 && k % 3 == 2 ? height : 0);
  }
  return st_trial_throw(trial, position, (double[3]){v, 0, 0}, error);
}

static StStatus settle_at_rest(const StBlock *block, StSnapshot *rest, StError *error) {
  StBlock held = *block;
  held.friction = held.static_friction = 10;
  held.touch.mode = ST_FRICTION_IMPLICIT;
  held.integrator = "be";
  held.step = ST_BLOCK_SETTLING_STEP;
  held.duration = 50;
  StWorld world = st_block_world(&held);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  // The slope is left with the creep of smoothed friction, a fraction of ε.
  ST_TRY(st_trial_run(&trial, ST_BLOCK_REST * block->sticking_speed, error));
  return st_trial_state(&trial, rest, error);
}

// Friction while it slides shears the block otherwise than friction that holds it. Long steps of
// backward Euler leave the shape in which all of it slows down alike; v is kept up from outside.
static StStatus settle_sliding(const StBlock *block, double v, StSnapshot *rest, StError *error) {
  StBlock sliding = *block;
  sliding.touch.mode = ST_FRICTION_IMPLICIT;
  sliding.integrator = "be";
  sliding.step = 0.05;
  sliding.duration = 1;
  const double velocity[3] = {v, 0, 0};
  StWorld world = st_block_world(&sliding);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  double *position = rest->position;
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    status = st_trial_throw(&trial, position, velocity, error);
    if (status == ST_OK)
      status = st_trial_step(&trial, error);
    if (status != ST_OK)
      break;
    st_snapshot_free(rest);
    status = st_trial_state(&trial, rest, error);
    position = rest->position;
    for (int i = 0; status == ST_OK && i < rest->vertex_count; i++)
      position[3 * i] -= v * sliding.step; // far from the origin round-off is larger
  }
  return status;
}

StStatus st_block_settle(const StBlock *block, double v, StSnapshot *rest, StError *error) {
  ST_TRY(settle_at_rest(block, rest, error));
  StStatus status = v > 0 ? settle_sliding(block, v, rest, error) : ST_OK;
  if (status != ST_OK)
    st_snapshot_free(rest);
  return status;
}

static StStatus start_settled(const StBlock *block, double v, StTrial *trial, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot rest = {0};
  ST_TRY(st_block_settle(block, v, &rest, error));
  return st_trial_throw(trial, rest.position, (double[3]){v, 0, 0}, error);
}

StStatus st_block_launch(const StBlock *block, double v, bool cold, StTrial *trial,
                         StError *error) {
  StWorld world = st_block_world(block);
  ST_TRY(st_trial_start(&world, trial, error));
  return cold ? lift(trial, block->thickness / 2, v, error) : start_settled(block, v, trial, error);
}

StStatus st_block_stop(const StBlock *block, StTrial *trial, StStop *stop, StError *error) {
  const StReport *report = st_simulation_report(trial->simulation);
  const double mass = st_trial_mass(trial, 0);
  const double share = mass / (mass + (block->slab ? st_trial_mass(trial, 1) : 0));
  StStopWatch watch = st_stop_watch(block->sticking_speed, block->integrator,
                                    report->momentum[0] / mass, report->centre_of_mass[0] / share);
  bool stopped = false;
  *stop = watch.stop;
  while (!stopped && !st_simulation_finished(trial->simulation)) {
    ST_TRY(st_trial_step(trial, error));
    report = st_simulation_report(trial->simulation);
    stopped = st_stop_watch_see(&watch, report->time, report->momentum[0] / mass,
                                report->centre_of_mass[0] / share);
    *stop = watch.stop;
  }
  return ST_OK;
}

// Rest is met within a step, less than a h² off, and creep below ε is not looked at. The floor
// gives weight × time plus the impulse that stops a fall, and friction takes μ times that: sinking
// costs μ drop. Anchors pull the block back once it has stopped.
double st_block_stop_error(const StBlock *block, double deceleration, double drop) {
  double epsilon = block->sticking_speed;
  return deceleration * block->step * block->step + block->friction * drop +
         epsilon * epsilon / deceleration + st_block_yield(block);
}

// Seen at the end of a step, or of two where the mean of two is judged, once it is slower than ε.
// On anchors it comes to rest without swinging if the integrator damps, or the step resolves the
// swing; the trapezoidal rule over longer ones has it change sign from step to step.
double st_block_time_error(const StBlock *block, double deceleration) {
  double rate = sqrt(0.3 * st_block_press_slope(block) * ST_VERIFY_GRAVITY);
  bool rings = st_integrator_find(block->integrator)->rings;
  if (block->touch.stick == ST_STICK_ANCHORED && rings && block->step > 2 * M_PI / rate)
    return NAN;
  return 2 * block->step + block->sticking_speed / deceleration;
}
