// Draws plots: the layout of a picture, then its panels one by one.
#include "plot/plot.h"

#include "base/file.h"
#include "base/memory.h"
#include "plot/legend.h"
#include "plot/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sizes in CSS pixels.
enum { WIDTH = 380, HEIGHT = 230, EDGE = 10, LETTER = 12, TICK_GAP = 7, RIGHT = 22, BOTTOM = 50 };
static const double line_detail = 0.25; // points closer together than this are merged

enum { MOST_COLUMNS = 32 };

// Where the frames of a picture are, so that panels line up.
typedef struct Layout {
  int columns;
  double left, top;            // of the frame within a panel
  double at[MOST_COLUMNS + 1]; // left edge of each column of panels, and the right edge of the last
  double height;               // of a panel
} Layout;

static void add_grid(StCanvas *canvas, const StPanel *panel) {
  const StStroke stroke = {.ink = ST_INK_GRID, .thin = true};
  const StBox *area = &panel->area;
  double right = area->x + area->width, bottom = area->y + area->height;
  char label[ST_SCALE_LABEL];
  for (int i = 0; i < panel->x.tick_count; i++) {
    double x = st_panel_across(panel, panel->x.tick[i]);
    st_canvas_line(canvas, (StSpot[]){{x, area->y}, {x, bottom}}, 2, stroke);
    st_scale_label(&panel->x, i, label);
    st_canvas_words(canvas,
                    &(StWords){.text = label, .at = {x, bottom + 16}, .anchor = ST_ANCHOR_MIDDLE});
  }
  for (int i = 0; i < panel->y.tick_count; i++) {
    double y = st_panel_down(panel, panel->y.tick[i]);
    st_canvas_line(canvas, (StSpot[]){{area->x, y}, {right, y}}, 2, stroke);
    st_scale_label(&panel->y, i, label);
    st_canvas_words(
        canvas,
        &(StWords){.text = label, .at = {area->x - TICK_GAP, y + 4}, .anchor = ST_ANCHOR_END});
  }
}

// Common factors are shown at the ends of the axes.
static void add_factors(StCanvas *canvas, const StPanel *panel) {
  const StBox *area = &panel->area;
  char label[ST_SCALE_LABEL];
  st_scale_factor(&panel->x, label);
  st_canvas_words(canvas, &(StWords){.text = label,
                                     .at = {area->x + area->width, area->y + area->height + 34},
                                     .anchor = ST_ANCHOR_END,
                                     .font = ST_FONT_SMALL});
  st_scale_factor(&panel->y, label);
  st_canvas_words(canvas, &(StWords){.text = label,
                                     .at = {area->x, area->y - 3},
                                     .anchor = ST_ANCHOR_START,
                                     .font = ST_FONT_SMALL});
}

static void add_frame(StCanvas *canvas, const StPanel *panel) {
  const StPlot *plot = panel->plot;
  const StBox *area = &panel->area;
  double centre = area->x + area->width / 2, bottom = area->y + area->height;
  st_canvas_frame(canvas, area);
  add_factors(canvas, panel);
  if (plot->title)
    st_canvas_words(canvas, &(StWords){.text = plot->title,
                                       .at = {centre, area->y - 16},
                                       .anchor = ST_ANCHOR_MIDDLE,
                                       .font = ST_FONT_TITLE,
                                       .width = area->width + area->x});
  if (plot->x.label)
    st_canvas_words(canvas, &(StWords){.text = plot->x.label,
                                       .at = {centre, bottom + 36},
                                       .anchor = ST_ANCHOR_MIDDLE,
                                       .width = area->width});
  if (plot->y.label)
    st_canvas_words(canvas, &(StWords){.text = plot->y.label,
                                       .at = {EDGE + LETTER - 2, area->y + area->height / 2},
                                       .anchor = ST_ANCHOR_MIDDLE,
                                       .upward = true,
                                       .width = area->height + 40});
}

// Merges points that are too close to distinguish.
static void add_line(StCanvas *canvas, const StPanel *panel, int index, StSpot *room) {
  const StPlotSeries *series = &panel->plot->series[index];
  int count = 0;
  for (int i = 0; i < series->count; i++) {
    StSpot spot = {NAN, NAN};
    if (st_panel_shows(panel, series, i))
      spot = st_panel_spot(panel, series, i);
    if (count && fabs(spot.x - room[count - 1].x) < line_detail &&
        fabs(spot.y - room[count - 1].y) < line_detail)
      continue;
    room[count++] = spot;
  }
  st_canvas_line(canvas, room, count, st_series_stroke(panel->plot, index));
}

// A value without finite neighbours is drawn as a dot.
static bool stands_alone(const StPanel *panel, const StPlotSeries *series, int i) {
  bool before = i > 0 && st_panel_shows(panel, series, i - 1);
  bool after = i + 1 < series->count && st_panel_shows(panel, series, i + 1);
  return !before && !after;
}

static void add_marks(StCanvas *canvas, const StPanel *panel, int index) {
  const StPlotSeries *series = &panel->plot->series[index];
  bool all = st_series_has_marks(series);
  for (int i = 0; i < series->count; i++)
    if (st_panel_shows(panel, series, i) &&
        (all || (series->style == ST_PLOT_PATH && i == 0) || stands_alone(panel, series, i)))
      st_canvas_dot(canvas, st_panel_spot(panel, series, i), ST_PLOT_MARK,
                    st_series_ink(panel->plot, index));
}

// The first series is on top. Marks may extend past the frame.
static void add_series(StCanvas *canvas, const StPanel *panel, StSpot *room) {
  const StBox *area = &panel->area;
  const StBox wide = {area->x - ST_PLOT_MARK, area->y - ST_PLOT_MARK,
                      area->width + 2 * ST_PLOT_MARK, area->height + 2 * ST_PLOT_MARK};
  for (int s = panel->plot->series_count - 1; s >= 0; s--) {
    const StPlotSeries *series = &panel->plot->series[s];
    st_canvas_clip(canvas, area);
    if (series->count && st_series_has_line(series))
      add_line(canvas, panel, s, room);
    st_canvas_clip(canvas, &wide);
    add_marks(canvas, panel, s);
  }
  st_canvas_clip(canvas, NULL);
}

// A triangle at the edge beyond which a value lies.
static void add_arrow(StCanvas *canvas, const StPanel *panel, double x, bool above, int ink) {
  const StBox *area = &panel->area;
  double tip = above ? area->y + 2 : area->y + area->height - 2, base = above ? tip + 7 : tip - 7;
  st_canvas_triangle(canvas, (StSpot[]){{x, tip}, {x - 4, base}, {x + 4, base}}, ink);
}

// The most distant value beyond an edge, as a number.
static void add_furthest(StCanvas *canvas, const StPanel *panel, double x, double value,
                         bool above) {
  const StBox *area = &panel->area;
  char number[32];
  snprintf(number, sizeof number, "%.3g", value);
  double width = st_canvas_width(canvas, ST_FONT_SMALL, number);
  bool left = x + width + 10 > area->x + area->width;
  double y = above ? area->y + 11 : area->y + area->height - 3;
  st_canvas_veil(canvas, &(StBox){left ? x - 8 - width : x + 6, y - 9, width + 2, 11});
  st_canvas_words(canvas, &(StWords){.text = number,
                                     .at = {left ? x - 7 : x + 7, y},
                                     .anchor = left ? ST_ANCHOR_END : ST_ANCHOR_START,
                                     .font = ST_FONT_SMALL});
}

static void add_outliers(StCanvas *canvas, const StPanel *panel) {
  double furthest[2] = {panel->low, panel->high}, at[2] = {NAN, NAN};
  for (int s = 0; s < panel->plot->series_count && panel->cut; s++)
    for (int i = 0; i < panel->plot->series[s].count; i++) {
      StSpot value = st_panel_value(panel, &panel->plot->series[s], i);
      if (!st_panel_shows(panel, &panel->plot->series[s], i) ||
          (value.y >= panel->low && value.y <= panel->high))
        continue;
      bool above = value.y > panel->high;
      double x = st_panel_across(panel, value.x);
      add_arrow(canvas, panel, x, above, st_series_ink(panel->plot, s));
      if (above ? value.y > furthest[1] : value.y < furthest[0]) {
        furthest[above] = value.y;
        at[above] = x;
      }
    }
  for (int above = 0; above < 2; above++)
    if (!isnan(at[above]))
      add_furthest(canvas, panel, at[above], furthest[above], above);
}

static void add_panel(StCanvas *canvas, const StPanel *panel, StSpot *room) {
  add_grid(canvas, panel);
  add_series(canvas, panel, room);
  add_frame(canvas, panel);
  add_outliers(canvas, panel);
  st_legend_draw(canvas, panel);
}

static Layout lay_out(StCanvas *canvas, const StPanel *panel, int count, int columns) {
  Layout layout = {.columns = columns < MOST_COLUMNS ? columns : MOST_COLUMNS};
  double ticks = 0, beside[MOST_COLUMNS] = {0};
  bool titled = false, labelled = false, factored = false;
  for (int p = 0; p < count; p++) {
    char label[ST_SCALE_LABEL];
    for (int i = 0; i < panel[p].y.tick_count; i++) {
      st_scale_label(&panel[p].y, i, label);
      ticks = fmax(ticks, st_canvas_width(canvas, ST_FONT_LABEL, label));
    }
    titled = titled || (panel[p].plot->title && *panel[p].plot->title);
    labelled = labelled || (panel[p].plot->y.label && *panel[p].plot->y.label);
    factored = factored || panel[p].y.exponent;
    double *legend = &beside[p % layout.columns];
    *legend = fmax(*legend, st_legend_width(canvas, panel[p].plot));
  }
  layout.left = EDGE + (labelled ? LETTER + EDGE : 0) + ceil(ticks) + TICK_GAP;
  layout.top = titled ? 38 : factored ? 22 : 16;
  layout.height = layout.top + HEIGHT + BOTTOM;
  for (int c = 0; c < layout.columns; c++)
    layout.at[c + 1] = layout.at[c] + layout.left + WIDTH + RIGHT + beside[c];
  return layout;
}

static size_t longest_series(const StPlot *plot, int plot_count) {
  size_t longest = 0;
  for (int p = 0; p < plot_count; p++)
    for (int s = 0; s < plot[p].series_count; s++)
      longest =
          (size_t)plot[p].series[s].count > longest ? (size_t)plot[p].series[s].count : longest;
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

// "energy: J over time (s): kinetic, solid", a line for each panel.
static void describe(const StPlot *plot, int count, StText *text) {
  for (int p = 0; p < count; p++) {
    const StPlot *one = &plot[p];
    const char *between = ": ";
    st_text_add(text, "%s%s%s%s over %s", p ? "\n" : "", one->title ? one->title : "",
                one->title && *one->title ? ": " : "", one->y.label ? one->y.label : "",
                one->x.label ? one->x.label : "");
    for (int s = 0; s < one->series_count; s++)
      if (one->series[s].name) {
        st_text_add(text, "%s%s", between, one->series[s].name);
        between = ", ";
      }
  }
}

static StStatus draw_panels(StCanvas *canvas, StPanel *panel, int count, const Layout *layout,
                            StError *error) {
  ST_FREE StSpot *room = ST_NEW(StSpot, 1 + longest_series(panel->plot, count));
  ST_TRY_MEMORY(room, error);
  for (int p = 0; p < count; p++) {
    panel[p].area = (StBox){layout->left, layout->top, WIDTH, HEIGHT};
    st_canvas_place(canvas, layout->at[p % layout->columns], p / layout->columns * layout->height);
    add_panel(canvas, &panel[p], room);
  }
  return ST_OK;
}

// Text is measured on a separate canvas first, because the size of the picture depends on it.
static StStatus draw(StPicture kind, StPanel *panel, int count, int columns, StText *file,
                     StError *error) {
  StCanvas *ruler, *canvas;
  ST_FINALLY(st_text_free) StText description = {0};
  ST_TRY(st_canvas_create(ST_PICTURE_PNG, 1, 1, &ruler, error));
  Layout layout = lay_out(ruler, panel, count, columns);
  st_canvas_destroy(ruler);
  int rows = (count + layout.columns - 1) / layout.columns;
  ST_TRY(st_canvas_create(kind, (int)ceil(layout.at[layout.columns]),
                          (int)ceil(rows * layout.height), &canvas, error));
  StStatus status = draw_panels(canvas, panel, count, &layout, error);
  describe(panel->plot, count, &description);
  if (status == ST_OK && description.failed)
    status = st_fail_memory(error);
  if (status == ST_OK)
    status = st_canvas_finish(canvas, description.data, file, error);
  st_canvas_destroy(canvas);
  return status;
}

StStatus st_plot_draw(StPicture kind, const StPlot *plot, int plot_count, int columns, StText *file,
                      StError *error) {
  ST_FREE StPanel *panel = ST_NEW(StPanel, (size_t)plot_count);
  ST_FREE double *value = ST_NEW(double, 1 + most_values(plot, plot_count));
  ST_TRY_MEMORY(panel && value, error);
  for (int p = 0; p < plot_count; p++)
    panel[p] = st_panel(&plot[p], value);
  return draw(kind, panel, plot_count, columns, file, error);
}

StStatus st_plot_write(const char *path, const StPlot *plot, int plot_count, int columns,
                       StError *error) {
  const char *ending = strrchr(path, '.');
  bool dots = ending && strcmp(ending, ".png") == 0;
  ST_FINALLY(st_text_free) StText text = {0};
  ST_TRY(st_plot_draw(dots ? ST_PICTURE_PNG : ST_PICTURE_SVG, plot, plot_count, columns, &text,
                      error));
  return st_file_write(path, text.data, text.length, error);
}
