// A tribometer: a block is dragged over the floor at one speed after the other while friction and
// normal force are read off. Their ratio must peak at the static coefficient and level off at the
// dynamic one.
#include "verify/list.h"

#include "base/file.h"
#include "base/memory.h"
#include "contact/friction/friction.h"
#include "plot/plot.h"
#include "verify/block.h"

#include <stdio.h>

enum { SPEEDS = 120 };

static StBlock curve_block(const StVerify *verify) {
  StBlock block = st_block_default(&verify->settings);
  block.size[2] = 0.25;
  block.friction = 0.2;
  block.static_friction = 0.5;
  block.sticking_speed = 1e-3;
  block.step = 0.01;
  block.duration = (SPEEDS + 1) * block.step;
  return block;
}

// Each speed lasts one step, up to twice the one at which the curve has levelled off. The first
// step is a jerk, farther than any anchor holds, so that it slides from then on.
static void drag(StWorld *world, const StBlock *block, const double *speed) {
  double time[SPEEDS + 2] = {0}, way[3 * (SPEEDS + 2)] = {0};
  for (int i = 1; i <= SPEEDS + 1; i++) {
    time[i] = i * block->step;
    way[3 * i] = way[3 * i - 3] + (i == 1 ? 2 * block->thickness : block->step * speed[i - 2]);
  }
  StBoundaryDesc *boundary = st_world_add_boundary(world, 0, NULL, NULL);
  if (!boundary)
    return;
  boundary->axis[1] = boundary->axis[2] = false;
  st_world_move(world, &boundary->motion, SPEEDS + 2, time, way);
}

static StStatus measure(const StBlock *block, const double *speed, double *ratio, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot rest = {0};
  ST_TRY(st_block_settle(block, 0, &rest, error));
  StWorld world = st_block_world(block);
  drag(&world, block, speed);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_throw(&trial, rest.position, (double[3]){0, 0, 0}, error));
  ST_TRY(st_trial_step(&trial, error));
  for (int i = 0; i < SPEEDS; i++) {
    double normal[3], friction[3];
    ST_TRY(st_trial_step(&trial, error));
    ST_TRY(st_trial_force(&trial, "contact", normal, error));
    ST_TRY(st_trial_force(&trial, "friction", friction, error));
    ratio[i] = -friction[0] / normal[2];
  }
  return ST_OK;
}

static StStatus draw(const StVerify *verify, const StBlock *block, const double *speed,
                     const double *ratio, StError *error) {
  StContactDesc contact = st_block_contact(block);
  StFrictionLaw law = {.dynamic_coefficient = contact.friction.dynamic_coefficient,
                       .static_coefficient = contact.friction.static_coefficient,
                       .sticking_speed = contact.friction.sticking_speed,
                       .stribeck_speed = contact.friction.stribeck_speed,
                       .anchored = block->touch.stick == ST_STICK_ANCHORED};
  st_friction_prepare(&law);
  double formula[SPEEDS];
  for (int i = 0; i < SPEEDS; i++)
    formula[i] = st_friction_coefficient(&law, speed[i]);
  const StPlotSeries series[] = {
      {.name = "measured", .style = ST_PLOT_MARKS, .count = SPEEDS, .x = speed, .y = ratio},
      {.name = "formula", .style = ST_PLOT_REFERENCE, .count = SPEEDS, .x = speed, .y = formula}};
  char title[100];
  snprintf(title, sizeof title, "friction of a dragged block, %s, %s", verify->method,
           verify->stick);
  StPlot plot = {.title = title,
                 .x = {.label = "sliding speed (m/s)"},
                 .y = {.label = "friction / normal force", .low = 0, .high = 0.6},
                 .series_count = 2,
                 .series = series};
  char path[4096];
  ST_TRY(st_folder_create(verify->settings.plots, error));
  snprintf(path, sizeof path, "%s/friction_curve_%s_%s.svg", verify->settings.plots, verify->method,
           verify->stick);
  return st_plot_write(path, &plot, 1, 1, error);
}

static StStatus run(StVerify *verify, StError *error) {
  StBlock block = curve_block(verify);
  double levelled = st_block_contact(&block).friction.stribeck_speed;
  double speed[SPEEDS], ratio[SPEEDS] = {0}, peak = 0, lowest = INFINITY, highest = 0;
  for (int i = 0; i < SPEEDS; i++)
    speed[i] = 2 * levelled * (i + 1) / SPEEDS;
  ST_TRY(measure(&block, speed, ratio, error));
  for (int i = 0; i < SPEEDS; i++) {
    peak = fmax(peak, ratio[i]);
    if (speed[i] <= levelled * (1 + 1e-9))
      continue;
    lowest = fmin(lowest, ratio[i]);
    highest = fmax(highest, ratio[i]);
  }
  // By velocity a reading is ε/12 from the peak at most, where 1 − (1 − v/ε)² lacks the square of
  // that. On anchors the peak is at rest; the first reading is at v_s/60, where it lacks 3x².
  bool anchored = block.touch.stick == ST_STICK_ANCHORED;
  st_verify_compare(verify, "", block.static_friction, peak, anchored ? 3 / 3600.0 : 1 / 144.0,
                    "peak of the curve");
  // All of it is prescribed, so that only the solver's tolerance is left of the forces.
  double solved = ST_BLOCK_TOLERANCE * block.sticking_speed / block.step / ST_VERIFY_GRAVITY;
  st_verify_compare(verify, "", block.friction, lowest, solved, "plateau, lowest reading");
  st_verify_compare(verify, "", block.friction, highest, solved, "plateau, highest reading");
  return verify->settings.plots ? draw(verify, &block, speed, ratio, error) : ST_OK;
}

const StVerifyCase st_verify_curve = {
    .name = "curve",
    .summary = "A block dragged at rising speed: the ratio of the forces peaks at the static "
               "coefficient and levels off at the dynamic one.",
    .both = true,
    .has_friction = true,
    .run = run,
};
