// A block is pulled over the floor by a spring whose end moves evenly. With static friction above
// dynamic friction it sticks and slips in turn; the cycle is known in closed form.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/block.h"

// Block and spring are flat: a pull with a lever arm takes weight off the back, whose anchors then
// yield first and have lost their static friction before the front lets go.
//
// The spring is a light, soft layer on top of the block, sheared by its upper face: k = GA/height,
// exactly so for the linear law, however far it goes.
static const double layer = 0.02, pull_speed = 0.1, frequency = 2 * M_PI;

static StBlock spring_block(const StVerify *verify) {
  StBlock block = st_block_default(&verify->settings);
  block.size[2] = 2 * layer;
  block.cells[2] = 2;
  block.static_friction = 0.4;
  block.friction = 0.2;
  block.sticking_speed = 1e-4;
  block.thickness = 1e-4;
  block.stribeck_speed = 1e-3;
  block.integrator = "be";
  block.step = 0.001;
  block.duration = 10;
  return block;
}

static double block_mass(const StBlock *block) {
  return block->material.density * block->size[0] * block->size[1] * (block->size[2] - layer);
}

static void label_layer(StWorld *world, int label, int material) {
  StBodyDesc *body = &world->description->body[0];
  StMesh *mesh = body->mesh;
  for (int t = 0; t < mesh->tet_count; t++) {
    double z = 0;
    for (int i = 0; i < 4; i++)
      z += mesh->position[3 * mesh->tet[4 * t + i] + 2] / 4;
    if (z > layer)
      mesh->tet_label[t] = label;
  }
  body->label_material_count = 1;
  body->label_material[0] = (StLabelMaterial){.label = label, .material = material};
}

static void soften_layer(StWorld *world, const StBlock *block) {
  double k = block_mass(block) * frequency * frequency;
  double shear = k * layer / (block->size[0] * block->size[1]);
  StWorldMaterial soft = {.law = "linear", .young = 2 * shear, .density = 0.1};
  int material = st_world_add_material(world, &soft);
  if (!world->description)
    return;
  StBodyDesc *body = &world->description->body[0];
  body->label_material = ST_NEW(StLabelMaterial, 1);
  int label = st_mesh_label(body->mesh, "spring");
  if (body->label_material && label >= 0)
    label_layer(world, label, material);
  else
    st_world_fail_memory(world);
}

static bool on_top(const double X[3], const void *context) {
  return X[2] > *(const double *)context - 1e-9;
}

// At half the thickness contact carries the block, so that the layer starts unloaded.
static StWorld spring_world(const StBlock *block, double speed) {
  StWorld world = st_block_world(block);
  soften_layer(&world, block);
  StBoundaryDesc *top = st_world_add_boundary(&world, 0, on_top, &block->size[2]);
  const double time[] = {0, 1}, way[] = {0, 0, 0, speed, 0, 0};
  if (top)
    st_world_move(&world, &top->motion, 2, time, way);
  return world;
}

static StStatus settle(const StBlock *block, StSnapshot *rest, StError *error) {
  StBlock still = *block;
  still.integrator = "be";
  still.step = 0.05;
  StWorld world = spring_world(&still, 0);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_run(&trial, 0.01 * block->sticking_speed, error));
  return st_trial_state(&trial, rest, error);
}

// Slips so far: when and where each began and ended.
typedef struct Slips {
  int count; // complete ones
  double begin[2], end[2], from[2], to[2];
  bool faster, true_slip; // than v_s at present; than the pull, since it last became so
} Slips;

// A block that has just stopped trembles for a moment: only what outruns the pull is a slip.
static void watch(Slips *slips, const StBlock *block, const StReport *report) {
  double v = report->momentum[0] / block_mass(block);
  bool faster = v > block->stribeck_speed;
  int now = slips->count;
  if (faster && !slips->faster) {
    slips->begin[now] = report->time;
    slips->from[now] = report->centre_of_mass[0];
    slips->true_slip = false;
  }
  slips->true_slip = slips->true_slip || v > pull_speed;
  if (!faster && slips->faster && slips->true_slip) {
    slips->end[now] = report->time;
    slips->to[now] = report->centre_of_mass[0];
    slips->count++;
  }
  slips->faster = faster;
}

// The first slip starts from the state that all later ones start from, so that the cycle is there
// from its end on.
static StStatus measure(const StBlock *block, Slips *slips, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot rest = {0};
  ST_TRY(settle(block, &rest, error));
  StWorld world = spring_world(block, pull_speed);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  if (status == ST_OK)
    status = st_trial_throw(&trial, rest.position, (double[3]){0, 0, 0}, error);
  while (status == ST_OK && slips->count < 2 && !st_simulation_finished(trial.simulation)) {
    status = st_trial_step(&trial, error);
    watch(slips, block, st_simulation_report(trial.simulation));
  }
  return status;
}

static StStatus run(StVerify *verify, StError *error) {
  StBlock block = spring_block(verify);
  Slips slips = {0};
  ST_TRY(measure(&block, &slips, error));
  bool known = slips.count == 2;
  double drop = (block.static_friction - block.friction) * ST_VERIFY_GRAVITY, w = frequency;
  double stick = 2 * drop / (w * w * pull_speed);
  double slip = 2 / w * (M_PI - atan(drop / (w * pull_speed)));
  // Both ends of each are seen a step late at most and v_s above rest, where the block gains speed
  // by `drop`. Backward Euler damps the swing, at the rate ω²h/2. While it sticks it goes from one
  // yield of its anchors to the other.
  double late =
      2 * block.step + 2 * block.stribeck_speed / drop + 2 * st_block_yield(&block) / pull_speed;
  double damped = w * w * block.step / 2 * slip;
  st_verify_compare(verify, "s", stick, known ? slips.begin[1] - slips.end[0] : NAN,
                    late / stick + damped, "time it sticks");
  st_verify_compare(verify, "s", slip, known ? slips.end[1] - slips.begin[1] : NAN,
                    late / slip + damped, "time it slips");
  // In one slip the block makes up for the way of the pull in a whole cycle.
  st_verify_compare(verify, "m", pull_speed * (stick + slip),
                    known ? slips.to[1] - slips.from[1] : NAN, 2 * late / (stick + slip) + damped,
                    "length of a slip");
  return ST_OK;
}

const StVerifyCase st_verify_stick_slip = {
    .name = "stick_slip",
    .summary = "A block on a spring pulled over a floor with static above dynamic friction: times "
               "of sticking and slipping of the limit cycle.",
    .both = true,
    .has_friction = true,
    .run = run,
};
