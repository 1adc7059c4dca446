// Drawing plots.
#include "output/plot.h"

#include "base/file.h"
#include "output/plot_axis.h"

#include <math.h>
#include <stdio.h>

// Sizes in CSS pixels.
enum { WIDTH = 400, HEIGHT = 270, LEFT = 72, RIGHT = 150, TOP = 36, BOTTOM = 56 };
enum { PANEL_WIDTH = LEFT + WIDTH + RIGHT, PANEL_HEIGHT = TOP + HEIGHT + BOTTOM };
enum { LEGEND_LINE = 18 };

// Told apart by readers who see few colours too (Okabe and Ito).
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#7f7f7f"};
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };
static const char reference_colour[] = "#222222";

typedef struct Panel {
  const StPlot *plot;
  StScale x, y;
  int number;
} Panel;

static void add_escaped(StText *text, const char *raw) {
  for (; *raw; raw++) {
    switch (*raw) {
    case '&': st_text_add(text, "&amp;"); break;
    case '<': st_text_add(text, "&lt;"); break;
    case '>': st_text_add(text, "&gt;"); break;
    default: st_text_add_bytes(text, raw, 1);
    }
  }
}

static void add_label(StText *text, double x, double y, const char *attributes, const char *label) {
  st_text_add(text, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
  add_escaped(text, label);
  st_text_add(text, "</text>\n");
}

static bool shown(const StPlot *plot, const StPlotSeries *series, int i) {
  return st_scale_shows(plot->x.logarithmic, series->x[i]) &&
         st_scale_shows(plot->y.logarithmic, series->y[i]);
}

static Panel panel_of(const StPlot *plot, int number) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int s = 0; s < plot->series_count; s++)
    for (int i = 0; i < plot->series[s].count; i++) {
      if (!shown(plot, &plot->series[s], i))
        continue;
      double at[2] = {plot->series[s].x[i], plot->series[s].y[i]};
      for (int a = 0; a < 2; a++) {
        low[a] = fmin(low[a], at[a]);
        high[a] = fmax(high[a], at[a]);
      }
    }
  return (Panel){.plot = plot,
                 .x = st_scale(&plot->x, low[0], high[0]),
                 .y = st_scale(&plot->y, low[1], high[1]),
                 .number = number};
}

static double across(const Panel *panel, double x) {
  return LEFT + WIDTH * st_scale_at(&panel->x, x);
}

static double down(const Panel *panel, double y) {
  return TOP + HEIGHT * (1 - st_scale_at(&panel->y, y));
}

static void add_grid(StText *text, const Panel *panel) {
  char number[32];
  for (int i = 0; i < panel->x.tick_count; i++) {
    double x = across(panel, panel->x.tick[i]);
    st_text_add(text, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n", x, TOP, HEIGHT);
    snprintf(number, sizeof number, "%.6g", panel->x.tick[i]);
    add_label(text, x, TOP + HEIGHT + 18, " text-anchor=\"middle\"", number);
  }
  for (int i = 0; i < panel->y.tick_count; i++) {
    double y = down(panel, panel->y.tick[i]);
    st_text_add(text, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", LEFT, y, WIDTH);
    snprintf(number, sizeof number, "%.6g", panel->y.tick[i]);
    add_label(text, LEFT - 8, y + 4, " text-anchor=\"end\"", number);
  }
}

static void add_frame(StText *text, const Panel *panel) {
  const StPlot *plot = panel->plot;
  st_text_add(text, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT,
              TOP, WIDTH, HEIGHT);
  if (plot->title)
    add_label(text, LEFT + WIDTH / 2.0, TOP - 14, " class=\"title\" text-anchor=\"middle\"",
              plot->title);
  if (plot->x.label)
    add_label(text, LEFT + WIDTH / 2.0, TOP + HEIGHT + 42, " text-anchor=\"middle\"",
              plot->x.label);
  if (plot->y.label) {
    st_text_add(text, "<g transform=\"translate(18 %.1f) rotate(-90)\">", TOP + HEIGHT / 2.0);
    add_label(text, 0, 0, " text-anchor=\"middle\"", plot->y.label);
    st_text_add(text, "</g>\n");
  }
}

static const char *colour_of(const StPlot *plot, int series) {
  int number = 0;
  if (plot->series[series].style == ST_PLOT_REFERENCE)
    return reference_colour;
  for (int s = 0; s < series; s++)
    number += plot->series[s].style != ST_PLOT_REFERENCE;
  return colours[number % COLOUR_COUNT];
}

static const char *dash_of(const StPlotSeries *series) {
  return series->style == ST_PLOT_REFERENCE ? " stroke-dasharray=\"6 4\"" : "";
}

static void add_line(StText *text, const Panel *panel, const StPlotSeries *series,
                     const char *colour) {
  bool drawing = false;
  st_text_add(text, "<path class=\"line\" stroke=\"%s\"%s d=\"", colour, dash_of(series));
  for (int i = 0; i < series->count; i++) {
    bool visible = shown(panel->plot, series, i);
    if (visible)
      st_text_add(text, "%c%.2f %.2f", drawing ? 'L' : 'M', across(panel, series->x[i]),
                  down(panel, series->y[i]));
    drawing = visible;
  }
  st_text_add(text, "\"/>\n");
}

static void add_marks(StText *text, const Panel *panel, const StPlotSeries *series,
                      const char *colour) {
  for (int i = 0; i < series->count; i++)
    if (shown(panel->plot, series, i))
      st_text_add(text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n",
                  across(panel, series->x[i]), down(panel, series->y[i]), colour);
}

// The first series lies on top where several fall together.
static void add_series(StText *text, const Panel *panel) {
  st_text_add(text, "<g clip-path=\"url(#frame)\">\n");
  for (int s = panel->plot->series_count - 1; s >= 0; s--) {
    const StPlotSeries *series = &panel->plot->series[s];
    const char *colour = colour_of(panel->plot, s);
    if (series->style != ST_PLOT_MARKS)
      add_line(text, panel, series, colour);
    if (series->style == ST_PLOT_MARKS || series->style == ST_PLOT_LINE_AND_MARKS)
      add_marks(text, panel, series, colour);
  }
  st_text_add(text, "</g>\n");
}

static void add_legend(StText *text, const Panel *panel) {
  double x = LEFT + WIDTH + 14, y = TOP + 10;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    const char *colour = colour_of(panel->plot, s);
    if (!series->name)
      continue;
    if (series->style != ST_PLOT_MARKS)
      st_text_add(text, "<path class=\"line\" stroke=\"%s\"%s d=\"M%.1f %.1fh22\"/>\n", colour,
                  dash_of(series), x, y);
    if (series->style == ST_PLOT_MARKS || series->style == ST_PLOT_LINE_AND_MARKS)
      st_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x + 11, y,
                  colour);
    add_label(text, x + 28, y + 4, "", series->name);
    y += LEGEND_LINE;
  }
}

static void add_panel(StText *text, const Panel *panel, int columns) {
  int x = panel->number % columns * PANEL_WIDTH, y = panel->number / columns * PANEL_HEIGHT;
  st_text_add(text, "<g transform=\"translate(%d %d)\">\n", x, y);
  add_grid(text, panel);
  add_series(text, panel);
  add_frame(text, panel);
  add_legend(text, panel);
  st_text_add(text, "</g>\n");
}

static void add_head(StText *text, int width, int height) {
  st_text_add(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<style>.grid{stroke:#ddd;fill:none}.frame{stroke:#222;fill:none}"
              ".line{fill:none;stroke-width:1.6}.title{font-size:14px;font-weight:bold}</style>\n"
              "<defs><clipPath id=\"frame\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
              "</clipPath></defs>\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
              width, height, width, height, LEFT - 3, TOP - 3, WIDTH + 6, HEIGHT + 6);
}

void st_plot_add_svg(StText *text, const StPlot *plot, int plot_count, int columns) {
  int rows = (plot_count + columns - 1) / columns;
  add_head(text, columns * PANEL_WIDTH, rows * PANEL_HEIGHT);
  for (int p = 0; p < plot_count; p++) {
    Panel panel = panel_of(&plot[p], p);
    add_panel(text, &panel, columns);
  }
  st_text_add(text, "</svg>\n");
}

StStatus st_plot_write(const char *path, const StPlot *plot, int plot_count, int columns,
                       StError *error) {
  StText text = {0};
  st_plot_add_svg(&text, plot, plot_count, columns);
  StStatus status =
      text.failed ? st_fail_memory(error) : st_file_write(path, text.data, text.length, error);
  st_text_free(&text);
  return status;
}
