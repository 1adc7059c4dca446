// Plots of the block slide: distance and time over the step, for implicit and lagged friction, be
// and tr, from a settled and from a cold start.
#include "verify/slide.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/plot.h"

#include <stdio.h>

static const double steps[] = {0.1, 0.05, 0.02, 0.01, 0.005};
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
              {"tr", "trapezoidal rule, settled start", false},
              {"tr", "trapezoidal rule, cold start", true}};
enum { PANELS = ST_LENGTH(panels) };

typedef struct Slides {
  double distance[PANELS][WAYS + 1][STEPS]; // the last way is the truth
  double time[PANELS][WAYS + 1][STEPS];
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
  return ST_OK;
}

static StStatus run_all(Slides *slides, StError *error) {
  for (int p = 0; p < PANELS; p++)
    for (int w = 0; w < WAYS; w++)
      for (int s = 0; s < STEPS; s++)
        ST_TRY(run_one(p, w, s, slides, error));
  return ST_OK;
}

static StStatus draw(const char *folder, const char *file, const char *label, double most,
                     double (*value)[WAYS + 1][STEPS], StError *error) {
  StPlotSeries series[PANELS][WAYS + 1];
  StPlot plot[PANELS];
  for (int p = 0; p < PANELS; p++) {
    for (int w = 0; w <= WAYS; w++)
      series[p][w] = (StPlotSeries){.name = w < WAYS ? ways[w].name : "exact",
                                    .style = w < WAYS ? ST_PLOT_LINE_AND_MARKS : ST_PLOT_REFERENCE,
                                    .count = STEPS,
                                    .x = steps,
                                    .y = value[p][w]};
    plot[p] = (StPlot){.title = panels[p].title,
                       .x = {.label = "time step (s)", .logarithmic = true},
                       .y = {.label = label, .low = 0, .high = most},
                       .series_count = WAYS + 1,
                       .series = series[p]};
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return st_plot_write(path, plot, PANELS, 2, error);
}

StStatus st_slide_plot(const char *folder, StError *error) {
  ST_TRY(st_folder_create(folder, error));
  Slides *slides = ST_NEW(Slides, 1);
  if (!slides)
    return st_fail_memory(error);
  StStatus status = run_all(slides, error);
  if (status == ST_OK)
    status = draw(folder, "block_slide_distance.svg", "distance until it stops (m)", 2,
                  slides->distance, error);
  if (status == ST_OK)
    status =
        draw(folder, "block_slide_time.svg", "time until it stops (s)", 40, slides->time, error);
  free(slides);
  return status;
}
