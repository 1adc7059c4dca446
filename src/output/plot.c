// Drawing plots.
#include "output/plot.h"

#include "base/file.h"
#include "output/plot_axis.h"

#include <math.h>
#include <stdio.h>

// Sizes in CSS pixels.
enum { WIDTH = 400, HEIGHT = 270, LEFT = 72, RIGHT = 24, TOP = 36, BOTTOM = 56 };
enum { PANEL_HEIGHT = TOP + HEIGHT + BOTTOM, MARK = 3 };
enum { LEGEND_LINE = 18, LEGEND_BESIDE = 126, LEGEND_SWATCH = 28, LEGEND_MARGIN = 10 };
static const double letter_width = 6.6; // of most letters and fonts, at most
static const double line_detail = 0.25; // what is drawn closer together than this is one point

// Told apart by readers who see few colours too (Okabe and Ito).
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#7f7f7f"};
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };

// Both for a light page and, where that is preferred, for a dark one.
static const char style_sheet[] =
    ".paper{fill:#fff}text{fill:#222}.grid{stroke:#ddd;fill:none}.frame{stroke:#222;fill:none}"
    ".line{fill:none;stroke-width:1.6;stroke-linejoin:round}.reference{stroke:#222}"
    ".title{font-size:14px;font-weight:bold}.box{fill:#fff;fill-opacity:.8}"
    "@media (prefers-color-scheme:dark){.paper,.box{fill:#181a1e}text{fill:#ddd}"
    ".grid{stroke:#3c3f45}.frame,.reference{stroke:#ccc}}";

typedef struct Panel {
  const StPlot *plot;
  StScale x, y;
} Panel;

typedef struct Spot {
  double x, y; // pixels from the panel's upper left corner
} Spot;

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

// A point of a series in the axes' units.
static Spot value_at(const StPlot *plot, const StPlotSeries *series, int i) {
  double x = series->x[i], y = series->y[i];
  return (Spot){plot->x.unit > 0 ? x / plot->x.unit : x, plot->y.unit > 0 ? y / plot->y.unit : y};
}

static bool shown(const StPlot *plot, const StPlotSeries *series, int i) {
  Spot value = value_at(plot, series, i);
  return st_scale_shows(plot->x.logarithmic, value.x) &&
         st_scale_shows(plot->y.logarithmic, value.y);
}

static Panel panel_of(const StPlot *plot) {
  Spot low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
  for (int s = 0; s < plot->series_count; s++)
    for (int i = 0; i < plot->series[s].count; i++) {
      if (!shown(plot, &plot->series[s], i))
        continue;
      Spot value = value_at(plot, &plot->series[s], i);
      low = (Spot){fmin(low.x, value.x), fmin(low.y, value.y)};
      high = (Spot){fmax(high.x, value.x), fmax(high.y, value.y)};
    }
  return (Panel){
      .plot = plot, .x = st_scale(&plot->x, low.x, high.x), .y = st_scale(&plot->y, low.y, high.y)};
}

static double across(const Panel *panel, double x) {
  return LEFT + WIDTH * st_scale_at(&panel->x, x);
}

static double down(const Panel *panel, double y) {
  return TOP + HEIGHT * (1 - st_scale_at(&panel->y, y));
}

static Spot spot_of(const Panel *panel, const StPlotSeries *series, int i) {
  Spot value = value_at(panel->plot, series, i);
  return (Spot){across(panel, value.x), down(panel, value.y)};
}

static void add_grid(StText *text, const Panel *panel) {
  char number[32];
  for (int i = 0; i < panel->x.tick_count; i++) {
    double x = across(panel, panel->x.tick[i]);
    st_text_add(text, "<path class=\"grid\" d=\"M%.1f %dv%d\"/>\n", x, TOP, HEIGHT);
    snprintf(number, sizeof number, "%.9g", panel->x.tick[i]);
    add_label(text, x, TOP + HEIGHT + 18, " text-anchor=\"middle\"", number);
  }
  for (int i = 0; i < panel->y.tick_count; i++) {
    double y = down(panel, panel->y.tick[i]);
    st_text_add(text, "<path class=\"grid\" d=\"M%d %.1fh%d\"/>\n", LEFT, y, WIDTH);
    snprintf(number, sizeof number, "%.9g", panel->y.tick[i]);
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
  for (int s = 0; s < series; s++)
    number += plot->series[s].style != ST_PLOT_REFERENCE;
  return colours[number % COLOUR_COUNT];
}

static bool has_line(const StPlotSeries *series) {
  return series->style != ST_PLOT_MARKS;
}

static bool has_marks(const StPlotSeries *series) {
  return series->style == ST_PLOT_MARKS || series->style == ST_PLOT_LINE_AND_MARKS;
}

// The path that follows has the look of this series.
static void begin_line(StText *text, const StPlotSeries *series, const char *colour) {
  static const char *const dashes[] = {[ST_PLOT_SOLID] = "",
                                       [ST_PLOT_DASHED] = " stroke-dasharray=\"6 4\"",
                                       [ST_PLOT_DOTTED] = " stroke-dasharray=\"1.6 3\""};
  if (series->style == ST_PLOT_REFERENCE)
    st_text_add(text, "<path class=\"line reference\"%s d=\"", dashes[ST_PLOT_DASHED]);
  else
    st_text_add(text, "<path class=\"line\" stroke=\"%s\"%s d=\"", colour, dashes[series->dash]);
}

static void add_line(StText *text, const Panel *panel, const StPlotSeries *series,
                     const char *colour) {
  bool drawing = false;
  Spot last = {0, 0};
  st_text_add(text, "<g clip-path=\"url(#frame)\">");
  begin_line(text, series, colour);
  for (int i = 0; i < series->count; i++) {
    if (!shown(panel->plot, series, i)) {
      drawing = false;
      continue;
    }
    Spot spot = spot_of(panel, series, i);
    bool near = fabs(spot.x - last.x) < line_detail && fabs(spot.y - last.y) < line_detail;
    if (drawing && near)
      continue;
    st_text_add(text, "%c%.2f %.2f", drawing ? 'L' : 'M', spot.x, spot.y);
    last = spot;
    drawing = true;
  }
  st_text_add(text, "\"/></g>\n");
}

static void add_mark(StText *text, Spot spot, const char *colour) {
  st_text_add(text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%d\" fill=\"%s\"/>\n", spot.x, spot.y,
              MARK, colour);
}

static void add_marks(StText *text, const Panel *panel, const StPlotSeries *series,
                      const char *colour) {
  int count = has_marks(series) ? series->count : series->style == ST_PLOT_PATH;
  for (int i = 0; i < count && i < series->count; i++)
    if (shown(panel->plot, series, i))
      add_mark(text, spot_of(panel, series, i), colour);
}

// The first series lies on top where several fall together.
static void add_series(StText *text, const Panel *panel) {
  st_text_add(text, "<g clip-path=\"url(#marks)\">\n");
  for (int s = panel->plot->series_count - 1; s >= 0; s--) {
    const StPlotSeries *series = &panel->plot->series[s];
    const char *colour = colour_of(panel->plot, s);
    if (has_line(series))
      add_line(text, panel, series, colour);
    add_marks(text, panel, series, colour);
  }
  st_text_add(text, "</g>\n");
}

static int letter_count(const char *word) {
  int count = 0;
  for (; *word; word++)
    count += (*word & 0xc0) != 0x80; // not the later bytes of one letter in UTF-8
  return count;
}

typedef struct Box {
  double x, y, width, height;
} Box;

static bool box_holds(const Box *box, Spot spot) {
  return spot.x > box->x && spot.x < box->x + box->width && spot.y > box->y &&
         spot.y < box->y + box->height;
}

// How much of what is drawn lies in the box, by points a few pixels apart along the lines.
static int box_load(const Box *box, const Panel *panel) {
  int load = 0;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    for (int i = 0; i < series->count; i++) {
      if (!shown(panel->plot, series, i))
        continue;
      bool joined = has_line(series) && i > 0 && shown(panel->plot, series, i - 1);
      Spot to = spot_of(panel, series, i), from = joined ? spot_of(panel, series, i - 1) : to;
      int pieces = 1 + (int)fmin(hypot(to.x - from.x, to.y - from.y) / 4, WIDTH);
      for (int k = 1; k <= pieces; k++) {
        double share = (double)k / pieces;
        load += box_holds(
            box, (Spot){from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
      }
    }
  }
  return load;
}

static Box box_inside(const Panel *panel, int lines, int letters) {
  double width = LEGEND_SWATCH + letter_width * letters + 2 * LEGEND_MARGIN;
  double height = LEGEND_LINE * lines + LEGEND_MARGIN;
  Box best = {0};
  int least = 0;
  for (int corner = 0; corner < 4; corner++) { // right before left, upper before lower
    Box box = {corner % 2 ? LEFT + LEGEND_MARGIN : LEFT + WIDTH - LEGEND_MARGIN - width,
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
static Spot begin_legend(StText *text, const Panel *panel) {
  int lines = 0, letters = 0;
  for (int s = 0; s < panel->plot->series_count; s++) {
    const char *name = panel->plot->series[s].name;
    lines += name != NULL;
    letters = name && letter_count(name) > letters ? letter_count(name) : letters;
  }
  if (panel->plot->legend == ST_PLOT_LEGEND_BESIDE || lines == 0)
    return (Spot){LEFT + WIDTH + 14, TOP + 10};
  Box box = box_inside(panel, lines, letters);
  st_text_add(text, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
              box.x, box.y, box.width, box.height);
  return (Spot){box.x + LEGEND_MARGIN, box.y + (LEGEND_LINE + LEGEND_MARGIN) / 2.0};
}

static void add_legend(StText *text, const Panel *panel) {
  Spot at = begin_legend(text, panel);
  for (int s = 0; s < panel->plot->series_count; s++) {
    const StPlotSeries *series = &panel->plot->series[s];
    const char *colour = colour_of(panel->plot, s);
    if (!series->name)
      continue;
    if (has_line(series)) {
      begin_line(text, series, colour);
      st_text_add(text, "M%.1f %.1fh22\"/>\n", at.x, at.y);
    }
    if (has_marks(series) || series->style == ST_PLOT_PATH)
      add_mark(text, (Spot){at.x + (has_marks(series) ? 11 : 0), at.y}, colour);
    add_label(text, at.x + LEGEND_SWATCH, at.y + 4, "", series->name);
    at.y += LEGEND_LINE;
  }
}

static void add_panel(StText *text, const Panel *panel, int x, int y) {
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
              "<style>%s</style>\n"
              "<defs><clipPath id=\"frame\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
              "</clipPath><clipPath id=\"marks\"><rect x=\"%d\" y=\"%d\" width=\"%d\" "
              "height=\"%d\"/></clipPath></defs>\n"
              "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
              width, height, width, height, style_sheet, LEFT, TOP, WIDTH, HEIGHT, LEFT - MARK,
              TOP - MARK, WIDTH + 2 * MARK, HEIGHT + 2 * MARK);
}

// Panels of one picture are equally wide.
static int panel_width(const StPlot *plot, int plot_count) {
  bool beside = false;
  for (int p = 0; p < plot_count; p++)
    for (int s = 0; s < plot[p].series_count; s++)
      beside |= plot[p].legend == ST_PLOT_LEGEND_BESIDE && plot[p].series[s].name;
  return LEFT + WIDTH + RIGHT + (beside ? LEGEND_BESIDE : 0);
}

void st_plot_add_svg(StText *text, const StPlot *plot, int plot_count, int columns) {
  int rows = (plot_count + columns - 1) / columns, width = panel_width(plot, plot_count);
  add_head(text, columns * width, rows * PANEL_HEIGHT);
  for (int p = 0; p < plot_count; p++) {
    Panel panel = panel_of(&plot[p]);
    add_panel(text, &panel, p % columns * width, p / columns * PANEL_HEIGHT);
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
