// Collects lines and draws them.
#include "show/plot_run.h"

#include "base/file.h"
#include "base/memory.h"
#include "plot/palette.h"
#include "plot/plot.h"
#include "plot/unit.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  MOST_SERIES = ST_PLOT_COLUMNS * ST_PLOT_RUNS + ST_PLOT_RUNS + 1,
  AXIS_SIZE = 2 * ST_PLOT_NAME,
  FEW_PANELS = 4,
  FEW_NAMES = 3
};

// One panel: its columns, and everything that the plot refers to.
typedef struct Panel {
  StPlotColumns columns;
  char x[AXIS_SIZE], y[AXIS_SIZE], left_out[40];
  int series_count;
  StPlotSeries series[MOST_SERIES];
} Panel;

static double largest(const StRecording *run, int column) {
  const double *value = run->value + column * run->rows;
  double most = 0;
  for (long row = 0; row < run->rows; row++)
    if (isfinite(value[row]))
      most = fmax(most, fabs(value[row]));
  return most;
}

// The name that distinguishes a run from the others: the end of its folder's path.
static const char *run_name(const StRecording *run, int run_count, int index) {
  const char *path = run[index].folder, *slash = strrchr(path, '/');
  const char *name = slash && slash[1] ? slash + 1 : path;
  for (int r = 0; r < run_count; r++) {
    const char *other = strrchr(run[r].folder, '/');
    other = other && other[1] ? other + 1 : run[r].folder;
    if (r != index && strcmp(other, name) == 0)
      return path;
  }
  return name;
}

static void add_series(Panel *panel, StPlotSeries series) {
  if (!series.x || !series.y)
    series.count = 0;
  if (panel->series_count < MOST_SERIES)
    panel->series[panel->series_count++] = series;
}

// With one column, colours distinguish runs; with several, line styles do, and the legend explains
// both.
static void add_run(const StPlotRequest *request, int index, Panel *panel) {
  const StRecording *run = request->run;
  bool alone = panel->columns.count == 1, single = request->run_count == 1;
  for (int i = 0; i < panel->columns.count; i++) {
    int against = panel->columns.against[i];
    const char *name = NULL;
    if (alone && !single)
      name = run_name(run, request->run_count, index);
    else if (!alone && index == 0)
      name = panel->columns.legend[i];
    add_series(
        panel,
        (StPlotSeries){
            .name = name,
            .style = against < 0 ? ST_PLOT_LINE : ST_PLOT_PATH,
            .dash = (StPlotDash)index,
            .ink = 1 + (alone ? index : i),
            .count = (int)run[index].rows,
            .x = st_recording_column(&run[index], against < 0 ? "time" : run[0].name[against]),
            .y = st_recording_column(&run[index], run[0].name[panel->columns.column[i]])});
  }
}

static void explain_lines(const StPlotRequest *request, Panel *panel) {
  for (int r = 0; r < request->run_count && request->run_count > 1 && panel->columns.count > 1; r++)
    add_series(panel, (StPlotSeries){.name = run_name(request->run, request->run_count, r),
                                     .style = ST_PLOT_LINE,
                                     .dash = (StPlotDash)r,
                                     .ink = ST_PLOT_INK_TEXT});
  if (panel->columns.left_out == 0)
    return;
  snprintf(panel->left_out, sizeof panel->left_out, "and %d more", panel->columns.left_out);
  add_series(panel, (StPlotSeries){.name = panel->left_out, .style = ST_PLOT_NOTE});
}

static StPlotAxis axis_of(const char *title, const char *si, double most, char *label) {
  StPlotUnit shown = st_plot_unit(si, most);
  snprintf(label, AXIS_SIZE, *si ? "%s (%s)" : "%s", title, shown.shown);
  return (StPlotAxis){.label = label, .unit = shown.size};
}

// The same in all panels, so that simultaneous events line up.
static StPlotAxis time_axis(const StPlotRequest *request, Panel *panel) {
  double end = 0;
  for (int r = 0; r < request->run_count; r++)
    end = fmax(end, st_recording_last(&request->run[r], "time"));
  StPlotAxis axis = axis_of("time", "s", end < 0.1 ? end : 1, panel->x);
  double margin = 0.02 * end; // the frame does not hide initial events
  axis.low = -margin / axis.unit;
  axis.high = (end + margin) / axis.unit;
  return axis;
}

static double largest_of(const StRecording *run, int count, const int *column) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, largest(run, column[i]));
  return most;
}

static StPlotAxis other_axis(const StPlotRequest *request, const StPlotQuantity *quantity,
                             Panel *panel) {
  const StPlotColumns *columns = &panel->columns;
  const StRecording *run = request->run;
  if (columns->against[0] < 0)
    return time_axis(request, panel);
  char title[ST_PLOT_NAME];
  if (request->over)
    snprintf(title, sizeof title, "%s", request->over);
  else
    snprintf(title, sizeof title, "%.*s", (int)strcspn(quantity->against, "(*"), quantity->against);
  return axis_of(title, run->unit[columns->against[0]],
                 largest_of(run, columns->count, columns->against), panel->x);
}

// A long legend would cover too much.
static StPlotLegend legend_of(const Panel *panel) {
  int lines = 0;
  for (int s = 0; s < panel->series_count; s++)
    lines += panel->series[s].name != NULL;
  return lines > FEW_NAMES ? ST_PLOT_LEGEND_BESIDE : ST_PLOT_LEGEND_INSIDE;
}

// The other axis that the request wants.
static void set_against(const StPlotRequest *request, StPlotColumns *columns) {
  for (int i = 0; i < columns->count && request->over; i++)
    columns->against[i] = st_recording_column_index(request->run, request->over);
}

static void fill_plot(const StPlotRequest *request, const StPlotQuantity *quantity, Panel *panel,
                      StPlot *plot) {
  const StRecording *run = request->run;
  const StPlotColumns *columns = &panel->columns;
  set_against(request, &panel->columns);
  for (int r = 0; r < request->run_count; r++)
    add_run(request, r, panel);
  explain_lines(request, panel);
  *plot = (StPlot){.x = other_axis(request, quantity, panel),
                   .y = axis_of(quantity->title, run->unit[columns->column[0]],
                                largest_of(run, columns->count, columns->column), panel->y),
                   .legend = legend_of(panel),
                   .series_count = panel->series_count,
                   .series = panel->series};
  plot->y.logarithmic = quantity->logarithmic;
  plot->y.robust = true;
}

static StStatus fail_word(const StRecording *run, const char *word, StError *error) {
  ST_FINALLY(st_suggestion_free) StSuggestion suggestion = {.wanted = word};
  for (int i = 0; st_plot_quantities[i].name; i++)
    st_suggestion_add(&suggestion, st_plot_quantities[i].name);
  for (int c = 0; c < run->column_count; c++)
    st_suggestion_add(&suggestion, run->name[c]);
  if (suggestion.nearest)
    st_fail(error, ST_BAD_INPUT, "%s: there is nothing called '%s' to plot; did you mean '%s'?",
            run->folder, word, suggestion.nearest);
  else
    st_fail(error, ST_BAD_INPUT,
            "%s: there is nothing called '%s' to plot; --list shows what there is", run->folder,
            word);
  return ST_BAD_INPUT;
}

static int most_columns(const StPlotRequest *request) {
  return request->run_count > 1 ? ST_PALETTE_SIZE : ST_PLOT_COLUMNS;
}

// A quantity, or columns by name or pattern.
static StStatus add_word(const StPlotRequest *request, const char *word, Panel *panel, StPlot *plot,
                         StError *error) {
  const StRecording *run = request->run;
  StPlotQuantity own = {.name = word, .title = word, .column = (const char *const[]){word, NULL}};
  const StPlotQuantity *quantity = &own;
  for (int i = 0; st_plot_quantities[i].name; i++)
    if (strcmp(st_plot_quantities[i].name, word) == 0)
      quantity = &st_plot_quantities[i];
  bool known = quantity != &own;
  st_plot_find(run, quantity, !known, most_columns(request), &panel->columns);
  if (panel->columns.count == 0 && known)
    return st_fail(error, ST_BAD_INPUT, "%s: this run has no %s to plot", run->folder, word);
  if (panel->columns.count == 0)
    return fail_word(run, word, error);
  fill_plot(request, quantity, panel, plot);
  return ST_OK;
}

static int usual_words(const StRecording *run, const char **word) {
  int count = 0;
  for (int i = 0; st_plot_quantities[i].name && count < ST_PLOT_PANELS; i++) {
    StPlotColumns columns;
    if (!st_plot_quantities[i].usual)
      continue;
    st_plot_find(run, &st_plot_quantities[i], false, ST_PLOT_COLUMNS, &columns);
    if (columns.count && st_plot_is_nonzero(run, columns.column[0]))
      word[count++] = st_plot_quantities[i].name;
  }
  return count;
}

static StStatus add_words(const StPlotRequest *request, Panel *panel, StPlot *plot, int *count,
                          StError *error) {
  const char *usual[ST_PLOT_PANELS];
  const char *const *word = request->word_count ? request->word : usual;
  int words = request->word_count ? request->word_count : usual_words(request->run, usual);
  for (*count = 0; *count < words; ++*count)
    ST_TRY(add_word(request, word[*count], &panel[*count], &plot[*count], error));
  return ST_OK;
}

static StStatus fail_body(const StRecording *run, const char *body, StError *error) {
  ST_FINALLY(st_suggestion_free) StSuggestion suggestion = {.wanted = body};
  for (int i = 0; i < run->description->body_count; i++)
    st_suggestion_add(&suggestion, run->description->body[i].name);
  bool there = suggestion.nearest && strcmp(suggestion.nearest, body) == 0;
  st_fail(error, ST_BAD_INPUT, "%s: the history says nothing of a body '%s'%s%s%s", run->folder,
          body,
          there                ? "; with \"output\": { \"bodies\": \"all\" } in the scene it would"
          : suggestion.nearest ? "; did you mean '"
                               : "",
          suggestion.nearest && !there ? suggestion.nearest : "",
          suggestion.nearest && !there ? "'?" : "");
  return ST_BAD_INPUT;
}

// Position of the body's centre, its speed, its energies, and its contact forces.
static StStatus add_body(const StPlotRequest *request, Panel *panel, StPlot *plot, int *count,
                         StError *error) {
  static const struct {
    const char *title, *pattern[2];
  } parts[] = {{"centre", {"centre_?(%s)"}},
               {"velocity", {"velocity_?(%s)"}},
               {"energy", {"kinetic(%s)", "elastic(%s)"}},
               {"normal force", {"normal(%s|*)", "normal(*|%s)"}}};
  *count = 0;
  for (int i = 0; i < ST_LENGTH(parts); i++) {
    char pattern[2][2 * ST_PLOT_NAME], title[AXIS_SIZE];
    const char *column[3] = {pattern[0], parts[i].pattern[1] ? pattern[1] : NULL, NULL};
    for (int k = 0; column[k]; k++) {
      const char *hole = strchr(parts[i].pattern[k], '%');
      snprintf(pattern[k], sizeof pattern[k], "%.*s%s%s", (int)(hole - parts[i].pattern[k]),
               parts[i].pattern[k], request->body, hole + 2);
    }
    snprintf(title, sizeof title, "%s of %s", parts[i].title, request->body);
    const StPlotQuantity own = {.name = title, .title = title, .column = column};
    bool all = i < ST_LENGTH(parts) - 1; // except for what it never touches
    st_plot_find(request->run, &own, all, most_columns(request), &panel[*count].columns);
    if (panel[*count].columns.count == 0)
      continue;
    fill_plot(request, &own, &panel[*count], &plot[*count]);
    ++*count;
  }
  return *count ? ST_OK : fail_body(request->run, request->body, error);
}

// Every run needs the column of the other axis.
static StStatus check_over(const StPlotRequest *request, StError *error) {
  for (int r = 0; r < request->run_count && request->over; r++) {
    const StRecording *run = &request->run[r];
    ST_FINALLY(st_suggestion_free) StSuggestion suggestion = {.wanted = request->over};
    for (int c = 0; c < run->column_count; c++)
      st_suggestion_add(&suggestion, run->name[c]);
    if (st_recording_column_index(run, request->over) < 0)
      return st_fail(error, ST_BAD_INPUT, "%s: --over %s: history.csv has no such column%s%s%s",
                     run->folder, request->over, suggestion.nearest ? "; did you mean '" : "",
                     suggestion.nearest ? suggestion.nearest : "",
                     suggestion.nearest ? "'?" : "; --list shows what there is");
  }
  return ST_OK;
}

static StStatus draw(const StPlotRequest *request, Panel *panel, StPlot *plot, const char *path,
                     StError *error) {
  int count = 0, more = 0;
  ST_TRY(check_over(request, error));
  if (request->body)
    ST_TRY(add_body(request, panel, plot, &count, error));
  if (!request->body || request->word_count)
    ST_TRY(add_words(request, panel + count, plot + count, &more, error));
  count += more;
  if (count == 0)
    return st_fail(error, ST_BAD_INPUT, "%s: nothing has happened yet that could be plotted",
                   request->run->folder);
  ST_TRY(st_folder_create_above(path, error));
  return st_plot_write(path, plot, count, count <= 1 ? 1 : count <= FEW_PANELS ? 2 : 3, error);
}

StStatus st_plot_runs(const StPlotRequest *request, const char *path, StError *error) {
  enum { BODY_PANELS = 4 };
  ST_CHECK(request->run_count >= 1 && request->run_count <= ST_PLOT_RUNS, error);
  if (request->word_count > ST_PLOT_PANELS)
    return st_fail(error, ST_BAD_INPUT, "%d quantities are too many for one picture; %d are not",
                   request->word_count, ST_PLOT_PANELS);
  ST_FREE Panel *panel = ST_NEW(Panel, ST_PLOT_PANELS + BODY_PANELS);
  ST_FREE StPlot *plot = ST_NEW(StPlot, ST_PLOT_PANELS + BODY_PANELS);
  ST_TRY_MEMORY(panel && plot, error);
  return draw(request, panel, plot, path, error);
}

void st_plot_list(const StRecording *run, StText *text) {
  st_text_add(text, "Quantities:\n");
  for (int i = 0; st_plot_quantities[i].name; i++) {
    StPlotColumns columns;
    st_plot_find(run, &st_plot_quantities[i], true, ST_PLOT_COLUMNS, &columns);
    if (columns.count == 0)
      continue;
    st_text_add(text, "  %-17s %s:", st_plot_quantities[i].name, st_plot_quantities[i].title);
    for (int k = 0; k < columns.count; k++)
      st_text_add(text, "%s %s", k ? "," : "", run->name[columns.column[k]]);
    if (columns.left_out)
      st_text_add(text, " and %d more", columns.left_out);
    st_text_add(text, "\n");
  }
  st_text_add(text, "Columns of history.csv:\n");
  for (int c = 0; c < run->column_count; c++)
    st_text_add(text, "  %s%s%s%s\n", run->name[c], *run->unit[c] ? " (" : "", run->unit[c],
                *run->unit[c] ? ")" : "");
}
