// Plots of the block slide: distance and time over the step, for implicit and lagged friction: be
// from a settled and from a cold start, tr from a settled one (cold it bounces and never stops).
#include "verify/slide.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/plot.h"

#include <stdio.h>

static const double steps[] = {0.1, 0.05, 0.02, 0.01};
enum { STEPS = ST_LENGTH(steps) };

static const struct {
  const char *name;
  int lags; // 0: implicit
} ways[] = {{"implicit", 0},  {"lagged ×1", 1},   {"lagged ×2", 2},
            {"lagged ×5", 5}, {"lagged ×10", 10}, {"lagged ×20", 20}};
enum { WAYS = ST_LENGTH(ways) };

static const struct {
  const char *integrator, *title;
  bool cold;
} panels[] = {{"be", "backward Euler, settled start", false},
              {"be", "backward Euler, cold start", true},
              {"tr", "trapezoidal rule, settled start", false}};
enum { PANELS = ST_LENGTH(panels) };

typedef struct Slides {
  double distance[PANELS][WAYS + 1][STEPS]; // the last way is the truth
  double time[PANELS][WAYS + 1][STEPS];
  double error[PANELS][WAYS][STEPS]; // of the distance, percent
} Slides;

static StStatus run_one(int panel, int way, int step, Slides *slides, StError *error) {
  StVerifySettings settings = {.friction =
                                   ways[way].lags > 0 ? ST_FRICTION_LAGGED : ST_FRICTION_IMPLICIT,
                               .friction_iterations = ways[way].lags};
  StBlock block = st_slide_block(&settings, panels[panel].integrator, steps[step]);
  StStop stop = {.time = NAN, .distance = NAN};
  StStatus status = st_slide_run(&block, panels[panel].cold, &stop, error);
  if (status != ST_OK && status != ST_NOT_SOLVED)
    return status;
  slides->distance[panel][way][step] = stop.stopped ? stop.distance : NAN;
  slides->time[panel][way][step] = stop.stopped ? stop.time : NAN;
  StSlideTruth truth = st_slide_truth(&block);
  slides->distance[panel][WAYS][step] = truth.distance;
  slides->time[panel][WAYS][step] = truth.time;
  slides->error[panel][way][step] =
      stop.stopped ? 100 * fabs(stop.distance / truth.distance - 1) : NAN;
  return ST_OK;
}

static StStatus run_all(Slides *slides, StError *error) {
  for (int p = 0; p < PANELS; p++)
    for (int w = 0; w < WAYS; w++)
      for (int s = 0; s < STEPS; s++)
        ST_TRY(run_one(p, w, s, slides, error));
  return ST_OK;
}

// value: [PANELS][lines][STEPS]; a line beyond the ways is the truth.
static StStatus draw(const char *folder, const char *file, const StPlotAxis *axis, int lines,
                     const double *value, StError *error) {
  StPlotSeries series[PANELS][WAYS + 1];
  StPlot plot[PANELS];
  for (int p = 0; p < PANELS; p++) {
    for (int w = 0; w < lines; w++)
      series[p][w] = (StPlotSeries){.name = w < WAYS ? ways[w].name : "exact",
                                    .style = w < WAYS ? ST_PLOT_LINE_AND_MARKS : ST_PLOT_REFERENCE,
                                    .count = STEPS,
                                    .x = steps,
                                    .y = value + (p * lines + w) * STEPS};
    plot[p] = (StPlot){.title = panels[p].title,
                       .x = {.label = "time step (s)", .logarithmic = true},
                       .y = *axis,
                       .series_count = lines,
                       .series = series[p]};
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return st_plot_write(path, plot, PANELS, PANELS, error);
}

static StStatus draw_all(const char *folder, const Slides *slides, StError *error) {
  const StPlotAxis distance = {
      .label = "distance until it stops (m)", .logarithmic = true, .low = 0.5, .high = 10};
  const StPlotAxis time = {.label = "time until it stops (s)", .low = 0, .high = 50};
  const StPlotAxis wrong = {
      .label = "error of the distance (%)", .logarithmic = true, .low = 1e-5, .high = 1e3};
  ST_TRY(draw(folder, "block_slide_distance.svg", &distance, WAYS + 1, &slides->distance[0][0][0],
              error));
  ST_TRY(draw(folder, "block_slide_time.svg", &time, WAYS + 1, &slides->time[0][0][0], error));
  return draw(folder, "block_slide_error.svg", &wrong, WAYS, &slides->error[0][0][0], error);
}

StStatus st_slide_plot(const char *folder, StError *error) {
  ST_TRY(st_folder_create(folder, error));
  Slides *slides = ST_NEW(Slides, 1);
  if (!slides)
    return st_fail_memory(error);
  StStatus status = run_all(slides, error);
  if (status == ST_OK)
    status = draw_all(folder, slides, error);
  free(slides);
  return status;
}
