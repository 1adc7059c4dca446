// Drawing plots.
#include "output/plot.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/plot_axis.h"
#include "output/plot_range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sizes in CSS pixels.
enum { WIDTH = 400, HEIGHT = 270, LEFT = 72, RIGHT = 24, TOP = 36, BOTTOM = 56 };
enum { PANEL_HEIGHT = TOP + HEIGHT + BOTTOM, MARK = 3 };
enum { LEGEND_LINE = 18, LEGEND_BESIDE = 126, LEGEND_SWATCH = 28, LEGEND_MARGIN = 10 };
static const double letter_width = 6.6; // of most letters and fonts, at most
static const double line_detail = 0.25; // what is drawn closer together than this is one point

typedef struct Panel {
  const StPlot *plot;
  StScale x, y;
  double low, high; // of the values of y that count
  bool cut;         // there are others
} Panel;

static const StBox area = {LEFT, TOP, WIDTH, HEIGHT};

static void add_label(StCanvas *canvas, double x, double y, StTextAnchor anchor, const char *text) {
  canvas->type->words(canvas, &(StWords){.text = text, .at = {x, y}, .anchor = anchor});
}

// A point of a series in the axes' units.
static StSpot value_at(const StPlot *plot, const StPlotSeries *series, int i) {
  double x = series->x[i], y = series->y[i];
  return (StSpot){plot->x.unit > 0 ? x / plot->x.unit : x, plot->y.unit > 0 ? y / plot->y.unit : y};
}

static bool shown(const StPlot *plot, const StPlotSeries *series, int i) {
  StSpot value = value_at(plot, series, i);
  return st_scale_shows(plot->x.logarithmic, value.x) &&
         st_scale_shows(plot->y.logarithmic, value.y);
}

// value: room for all of one coordinate.
static Panel panel_of(const StPlot *plot, double *value) {
  StPlotRange range[2];
  for (int axis = 0; axis < 2; axis++) {
    int count = 0;
    for (int s = 0; s < plot->series_count; s++)
      for (int i = 0; i < plot->series[s].count; i++)
        if (shown(plot, &plot->series[s], i)) {
          StSpot spot = value_at(plot, &plot->series[s], i);
          value[count++] = axis == 0 ? spot.x : spot.y;
        }
    range[axis] = st_plot_range(axis == 0 ? &plot->x : &plot->y, value, count);
  }
  return (Panel){.plot = plot,
                 .x = st_scale(&plot->x, range[0].low, range[0].high),
                 .y = st_scale(&plot->y, range[1].low, range[1].high),
                 .low = range[1].low,
                 .high = range[1].high,
                 .cut = range[1].cut};
}

static double across(const Panel *panel, double x) {
  return LEFT + WIDTH * st_scale_at(&panel->x, x);
}

static double down(const Panel *panel, double y) {
  return TOP + HEIGHT * (1 - st_scale_at(&panel->y, y));
}

static StSpot spot_of(const Panel *panel, const StPlotSeries *series, int i) {
  StSpot value = value_at(panel->plot, series, i);
  return (StSpot){across(panel, value.x), down(panel, value.y)};
}

static void add_grid(StCanvas *canvas, const Panel *panel) {
  const StStroke stroke = {.ink = ST_INK_GRID, .thin = true};
  char number[32];
  for (int i = 0; i < panel->x.tick_count; i++) {
    double x = across(panel, panel->x.tick[i]);
    canvas->type->line(canvas, (StSpot[]){{x, TOP}, {x, TOP + HEIGHT}}, 2, stroke);
    snprintf(number, sizeof number, "%.9g", panel->x.tick[i]);
    add_label(canvas, x, TOP + HEIGHT + 18, ST_ANCHOR_MIDDLE, number);
  }
  for (int i = 0; i < panel->y.tick_count; i++) {
    double y = down(panel, panel->y.tick[i]);
    canvas->type->line(canvas, (StSpot[]){{LEFT, y}, {LEFT + WIDTH, y}}, 2, stroke);
    snprintf(number, sizeof number, "%.9g", panel->y.tick[i]);
    add_label(canvas, LEFT - 8, y + 4, ST_ANCHOR_END, number);
  }
}

static void add_frame(StCanvas *canvas, const Panel *panel) {
  const StPlot *plot = panel->plot;
  const StSpot middle = {LEFT + WIDTH / 2.0, TOP + HEIGHT / 2.0};
  canvas->type->frame(canvas, &area);
  if (plot->title)
    canvas->type->words(canvas, &(StWords){.text = plot->title,
                                           .at = {middle.x, TOP - 14},
                                           .anchor = ST_ANCHOR_MIDDLE,
                                           .title = true});
  if (plot->x.label)
    add_label(canvas, middle.x, TOP + HEIGHT + 42, ST_ANCHOR_MIDDLE, plot->x.label);
  if (plot->y.label)
    canvas->type->words(canvas, &(StWords){.text = plot->y.label,
                                           .at = {18, middle.y},
                                           .anchor = ST_ANCHOR_MIDDLE,
                                           .upward = true});
}

static int ink_of(const StPlot *plot, int series) {
  int number = 0;
  if (plot->series[series].style == ST_PLOT_REFERENCE)
    return ST_INK_TEXT;
  if (plot->series[series].ink)
    return plot->series[series].ink == ST_PLOT_INK_TEXT ? ST_INK_TEXT
                                                        : plot->series[series].ink - 1;
  for (int s = 0; s < series; s++)
    number += plot->series[s].style != ST_PLOT_REFERENCE;
  return number;
}

static StStroke stroke_of(const StPlot *plot, int series) {
  bool reference = plot->series[series].style == ST_PLOT_REFERENCE;
  return (StStroke){.ink = ink_of(plot, series),
                    .dash = reference ? ST_PLOT_DASHED : plot->series[series].dash};
}

static bool has_line(const StPlotSeries *series) {
  return series->style != ST_PLOT_MARKS;
}

static bool has_marks(const StPlotSeries *series) {
  return series->style == ST_PLOT_MARKS || series->style == ST_PLOT_LINE_AND_MARKS;
}

// Points closer together than the eye can tell are one.
static void add_line(StCanvas *canvas, const Panel *panel, int index, StSpot *room) {
  const StPlotSeries *series = &panel->plot->series[index];
  int count = 0;
  for (int i = 0; i < series->count; i++) {
    StSpot spot = {NAN, NAN};
    if (shown(panel->plot, series, i))
      spot = spot_of(panel, series, i);
    if (count && fabs(spot.x - room[count - 1].x) < line_detail &&
        fabs(spot.y - room[count - 1].y) < line_detail)
      continue;
    room[count++] = spot;
  }
  canvas->type->line(canvas, room, count, stroke_of(panel->plot, index));
}

static void add_marks(StCanvas *canvas, const Panel *panel, int index) {
  const StPlotSeries *series = &panel->plot->series[index];
  int count = has_marks(series) ? series->count : series->style == ST_PLOT_PATH;
  for (int i = 0; i < count && i < series->count; i++)
    if (shown(panel->plot, series, i))
      canvas->type->dot(canvas, spot_of(panel, series, i), MARK, ink_of(panel->plot, index));
}

// A triangle at the edge that a value lies beyond, and how far the furthest one goes.
static void add_arrow(StCanvas *canvas, double x, bool above, int ink) {
  double tip = above ? TOP + 3 : TOP + HEIGHT - 3, base = above ? tip + 7 : tip - 7;
  const StSpot triangle[] = {{x, tip}, {x - 4, base}, {x + 4, base}, {x, tip}};
  canvas->type->line(canvas, triangle, 4, (StStroke){.ink = ink});
}

static void add_outliers(StCanvas *canvas, const Panel *panel) {
  double furthest[2] = {panel->low, panel->high}, at[2] = {NAN, NAN};
  for (int s = 0; s < panel->plot->series_count && panel->cut; s++)
    for (int i = 0; i < panel->plot->series[s].count; i++) {
      StSpot value = value_at(panel->plot, &panel->plot->series[s], i);
      if (!shown(panel->plot, &panel->plot->series[s], i) ||
          (value.y >= panel->low && value.y <= panel->high))
        continue;
      bool above = value.y > panel->high;
      add_arrow(canvas, across(panel, value.x), above, ink_of(panel->plot, s));
      if (above ? value.y > furthest[1] : value.y < furthest[0]) {
        furthest[above] = value.y;
        at[above] = across(panel, value.x);
      }
    }
  for (int above = 0; above < 2; above++) {
    char number[32];
    if (isnan(at[above]))
      continue;
    bool left = at[above] > LEFT + WIDTH - 60;
    snprintf(number, sizeof number, "%.3g", furthest[above]);
    add_label(canvas, at[above] + (left ? -8 : 8), above ? TOP + 13 : TOP + HEIGHT - 5,
              left ? ST_ANCHOR_END : ST_ANCHOR_START, number);
  }
}

// The first series lies on top where several fall together. Marks may stick out of the frame.
static void add_series(StCanvas *canvas, const Panel *panel, StSpot *room) {
  static const StBox wide = {LEFT - MARK, TOP - MARK, WIDTH + 2 * MARK, HEIGHT + 2 * MARK};
  for (int s = panel->plot->series_count - 1; s >= 0; s--) {
    const StPlotSeries *series = &panel->plot->series[s];
    if (series->count && has_line(series)) {
      canvas->type->clip(canvas, &area);
      add_line(canvas, panel, s, room);
    }
    canvas->type->clip(canvas, &wide);
    add_marks(canvas, panel, s);
  }
  canvas->type->clip(canvas, NULL);
}

static int letter_count(const char *word) {
  int count = 0;
  for (; *word; word++)
    count += (*word & 0xc0) != 0x80; // not the later bytes of one letter in UTF-8
  return count;
}

static bool box_holds(const StBox *box, StSpot spot) {
  return spot.x > box->x && spot.x < box->x + box->width && spot.y > box->y &&
         spot.y < box->y + box->height;
}

// How much of what is drawn lies in the box, by points a few pixels apart along the lines.
static int box_load(const StBox *box, const Panel *panel) {
  int load = 0;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    for (int i = 0; i < series->count; i++) {
      if (!shown(panel->plot, series, i))
        continue;
      bool joined = has_line(series) && i > 0 && shown(panel->plot, series, i - 1);
      StSpot to = spot_of(panel, series, i), from = joined ? spot_of(panel, series, i - 1) : to;
      int pieces = 1 + (int)fmin(hypot(to.x - from.x, to.y - from.y) / 4, WIDTH);
      for (int k = 1; k <= pieces; k++) {
        double share = (double)k / pieces;
        load += box_holds(
            box, (StSpot){from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
      }
    }
  }
  return load;
}

static StBox box_inside(const Panel *panel, int lines, int letters) {
  double width = LEGEND_SWATCH + letter_width * letters + 2 * LEGEND_MARGIN;
  double height = LEGEND_LINE * lines + LEGEND_MARGIN;
  StBox best = {0};
  int least = 0;
  for (int corner = 0; corner < 4; corner++) { // right before left, upper before lower
    StBox box = {corner % 2 ? LEFT + LEGEND_MARGIN : LEFT + WIDTH - LEGEND_MARGIN - width,
                 corner / 2 ? TOP + HEIGHT - LEGEND_MARGIN - height : TOP + LEGEND_MARGIN, width,
                 height};
    int load = box_load(&box, panel);
    if (corner > 0 && load >= least)
      continue;
    best = box;
    least = load;
  }
  return best;
}

// Where the first line of the legend begins.
static StSpot begin_legend(StCanvas *canvas, const Panel *panel) {
  int lines = 0, letters = 0;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const char *name = panel->plot->series[s].name;
    lines += name != NULL;
    letters = name && letter_count(name) > letters ? letter_count(name) : letters;
  }
  if (panel->plot->legend == ST_PLOT_LEGEND_BESIDE || lines == 0)
    return (StSpot){LEFT + WIDTH + 14, TOP + 10};
  StBox box = box_inside(panel, lines, letters);
  canvas->type->veil(canvas, &box);
  return (StSpot){box.x + LEGEND_MARGIN, box.y + (LEGEND_LINE + LEGEND_MARGIN) / 2.0};
}

static void add_legend(StCanvas *canvas, const Panel *panel) {
  StSpot at = begin_legend(canvas, panel);
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    if (!series->name)
      continue;
    if (has_line(series))
      canvas->type->line(canvas, (StSpot[]){at, {at.x + 22, at.y}}, 2, stroke_of(panel->plot, s));
    if (has_marks(series) || series->style == ST_PLOT_PATH)
      canvas->type->dot(canvas, (StSpot){at.x + (has_marks(series) ? 11 : 0), at.y}, MARK,
                        ink_of(panel->plot, s));
    add_label(canvas, at.x + LEGEND_SWATCH, at.y + 4, ST_ANCHOR_START, series->name);
    at.y += LEGEND_LINE;
  }
}

static void add_panel(StCanvas *canvas, const Panel *panel, StSpot *room) {
  add_grid(canvas, panel);
  add_series(canvas, panel, room);
  add_outliers(canvas, panel);
  add_frame(canvas, panel);
  add_legend(canvas, panel);
}

// Panels of one picture are equally wide; a legend beside gets what its longest name needs.
static int panel_width(const StPlot *plot, int plot_count) {
  int letters = 0;
  for (int p = 0; p < plot_count; p++)
    for (int s = 0; s < plot[p].series_count && plot[p].legend == ST_PLOT_LEGEND_BESIDE; s++)
      if (plot[p].series[s].name && letter_count(plot[p].series[s].name) > letters)
        letters = letter_count(plot[p].series[s].name);
  int needed = (int)(LEGEND_SWATCH + letter_width * letters);
  return LEFT + WIDTH + RIGHT +
         (letters == 0             ? 0
          : needed > LEGEND_BESIDE ? needed
                                   : LEGEND_BESIDE);
}

static int longest_series(const StPlot *plot, int plot_count) {
  int longest = 0;
  for (int p = 0; p < plot_count; p++)
    for (int s = 0; s < plot[p].series_count; s++)
      longest = plot[p].series[s].count > longest ? plot[p].series[s].count : longest;
  return longest;
}

static size_t most_values(const StPlot *plot, int plot_count) {
  size_t most = 0;
  for (int p = 0; p < plot_count; p++) {
    size_t count = 0;
    for (int s = 0; s < plot[p].series_count; s++)
      count += (size_t)plot[p].series[s].count;
    most = count > most ? count : most;
  }
  return most;
}

static StStatus draw(const StPlot *plot, int plot_count, int columns, bool dots, StText *file,
                     StError *error) {
  int rows = (plot_count + columns - 1) / columns, width = panel_width(plot, plot_count);
  StCanvas *canvas;
  StSpot *room = ST_NEW(StSpot, longest_series(plot, plot_count));
  double *value = ST_NEW(double, most_values(plot, plot_count));
  StStatus status = room && value ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = (dots ? st_canvas_png : st_canvas_svg)(columns * width, rows * PANEL_HEIGHT, &canvas,
                                                    error);
  if (status == ST_OK) {
    for (int p = 0; p < plot_count; p++) {
      Panel panel = panel_of(&plot[p], value);
      canvas->type->place(canvas, p % columns * width, p / columns * PANEL_HEIGHT);
      add_panel(canvas, &panel, room);
    }
    status = canvas->type->finish(canvas, file, error);
    canvas->type->destroy(canvas);
  }
  free(room);
  free(value);
  return status;
}

void st_plot_add_svg(StText *text, const StPlot *plot, int plot_count, int columns) {
  if (draw(plot, plot_count, columns, false, text, NULL) != ST_OK)
    text->failed = true;
}

StStatus st_plot_write(const char *path, const StPlot *plot, int plot_count, int columns,
                       StError *error) {
  const char *ending = strrchr(path, '.');
  StText text = {0};
  StStatus status =
      draw(plot, plot_count, columns, ending && strcmp(ending, ".png") == 0, &text, error);
  if (status == ST_OK)
    status = st_file_write(path, text.data, text.length, error);
  st_text_free(&text);
  return status;
}
