// Draws legends.
#include "plot/legend.h"

#include <math.h>

enum { LINE = 18, SWATCH = 22, GAP = 6, MARGIN = 8, MOST_BESIDE = 200, MOST_INSIDE = 220 };
enum { BELOW = 30 }; // how far a long legend may reach below its panel's frame

static double widest_name(StCanvas *canvas, const StPlot *plot, double most) {
  double widest = 0;
  for (int s = 0; s < plot->series_count; s++)
    if (plot->series[s].name)
      widest = fmax(widest, st_canvas_width(canvas, ST_FONT_LABEL, plot->series[s].name));
  return fmin(widest, most);
}

static int count_names(const StPlot *plot) {
  int count = 0;
  for (int s = 0; s < plot->series_count; s++)
    count += plot->series[s].name != NULL;
  return count;
}

double st_legend_width(StCanvas *canvas, const StPlot *plot) {
  if (plot->legend != ST_PLOT_LEGEND_BESIDE || count_names(plot) == 0)
    return 0;
  return SWATCH + GAP + ceil(widest_name(canvas, plot, MOST_BESIDE)) + MARGIN;
}

static bool holds(const StBox *box, StSpot spot) {
  return spot.x > box->x && spot.x < box->x + box->width && spot.y > box->y &&
         spot.y < box->y + box->height;
}

static int segment_load(const StBox *box, StSpot from, StSpot to, double most) {
  int load = 0, pieces = 1 + (int)fmin(hypot(to.x - from.x, to.y - from.y) / 4, most);
  for (int k = 1; k <= pieces; k++) {
    double share = (double)k / pieces;
    load +=
        holds(box, (StSpot){from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
  return load;
}

// How much is drawn in the box, by points a few pixels apart along the lines.
static int box_load(const StBox *box, const StPanel *panel) {
  int load = 0;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    for (int i = 0; i < series->count; i++) {
      if (!st_panel_shows(panel, series, i))
        continue;
      bool joined = st_series_has_line(series) && i > 0 && st_panel_shows(panel, series, i - 1);
      StSpot to = st_panel_spot(panel, series, i);
      StSpot from = joined ? st_panel_spot(panel, series, i - 1) : to;
      load += segment_load(box, from, to, panel->area.width);
    }
  }
  return load;
}

static StBox free_corner(const StPanel *panel, double width, double height) {
  const StBox *area = &panel->area;
  StBox best = {0};
  int least = 0;
  for (int corner = 0; corner < 4; corner++) { // right before left, upper before lower
    StBox box = {corner % 2 ? area->x + MARGIN : area->x + area->width - MARGIN - width,
                 corner / 2 ? area->y + area->height - MARGIN - height : area->y + MARGIN, width,
                 height};
    int load = box_load(&box, panel);
    if (corner > 0 && load >= least)
      continue;
    best = box;
    least = load;
  }
  return best;
}

static void draw_swatch(StCanvas *canvas, const StPlot *plot, int s, StSpot at) {
  const StPlotSeries *series = &plot->series[s];
  bool marks = st_series_has_marks(series);
  if (st_series_has_line(series))
    st_canvas_line(canvas, (StSpot[]){at, {at.x + SWATCH, at.y}}, 2, st_series_stroke(plot, s));
  if (marks || series->style == ST_PLOT_PATH)
    st_canvas_dot(canvas, (StSpot){at.x + (marks ? SWATCH / 2.0 : 0), at.y}, ST_PLOT_MARK,
                  st_series_ink(plot, s));
}

void st_legend_draw(StCanvas *canvas, const StPanel *panel) {
  const StPlot *plot = panel->plot;
  bool beside = plot->legend == ST_PLOT_LEGEND_BESIDE;
  double room = beside ? MOST_BESIDE : MOST_INSIDE;
  int lines = count_names(plot);
  if (lines == 0)
    return;
  double line = fmin(LINE, (panel->area.height + (beside ? BELOW : 0)) / lines);
  StFont font = line < 14 ? ST_FONT_SMALL : ST_FONT_LABEL;
  StSpot at = {panel->area.x + panel->area.width + MARGIN + GAP, panel->area.y + line / 2};
  if (!beside) {
    StBox box = free_corner(
        panel, 2 * MARGIN + SWATCH + GAP + widest_name(canvas, plot, MOST_INSIDE), line * lines);
    st_canvas_veil(canvas, &box);
    at = (StSpot){box.x + MARGIN, box.y + line / 2};
  }
  for (int s = 0; s < plot->series_count; s++) {
    if (!plot->series[s].name)
      continue;
    draw_swatch(canvas, plot, s, at);
    st_canvas_words(canvas, &(StWords){.text = plot->series[s].name,
                                       .at = {at.x + SWATCH + GAP, at.y + 4},
                                       .font = font,
                                       .width = room});
    at.y += line;
  }
}
