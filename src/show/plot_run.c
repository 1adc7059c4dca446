// Finds columns, gathers lines and draws them.
#include "show/plot_run.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/plot.h"
#include "output/plot_unit.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  MOST_COLUMNS = 12,
  MOST_SERIES = MOST_COLUMNS * ST_PLOT_RUNS + ST_PLOT_RUNS,
  NAME_SIZE = 96
};
enum { FEW_PANELS = 4, FEW_NAMES = 3 };

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})

const StPlotQuantity st_plot_quantities[] = {
    {"energy", "energy", COLUMNS("*_energy"), false, true},
    {"height", "height of the centre of mass", COLUMNS("centre_of_mass_z"), false, true},
    {"position", "centre of mass", COLUMNS("centre_of_mass_*"), false, false},
    {"heights", "heights of bodies", COLUMNS("centre_z(*)"), false, false},
    {"speeds", "vertical speeds of bodies", COLUMNS("velocity_z(*)"), false, false},
    {"kinetic", "kinetic energy of bodies", COLUMNS("kinetic(*)"), false, false},
    {"elastic", "elastic energy of bodies", COLUMNS("elastic(*)"), false, false},
    {"probes", "places of probes", COLUMNS("x(*)", "y(*)", "z(*)"), false, true},
    {"distances", "distances", COLUMNS("distance(*)"), false, true},
    {"momentum", "momentum", COLUMNS("momentum_*"), false, false},
    {"angular_momentum", "angular momentum", COLUMNS("angular_momentum_*"), false, false},
    {"volume", "volume", COLUMNS("volume(*)"), false, true},
    {"pressure", "absolute pressure", COLUMNS("pressure(*)"), false, true},
    {"angle", "angle", COLUMNS("angle(*)"), false, true},
    {"speed", "speed", COLUMNS("speed(*)"), false, false},
    {"torque", "torque", COLUMNS("torque(*)"), false, false},
    {"contact", "normal force", COLUMNS("normal(*)"), false, false},
    {"friction", "friction and normal force", COLUMNS("contact_*_force"), false, true},
    {"touching", "vertices in contact", COLUMNS("touching", "sticking"), false, false},
    {"gap", "deepest gap", COLUMNS("deepest_gap"), false, true},
    {"findings", "findings of the judge",
     COLUMNS("crossings", "self_crossings", "obstacle_crossings", "vertices_inside",
             "inverted_tets"),
     false, false},
    {"newton", "Newton iterations", COLUMNS("newton_iterations"), false, true},
    {"linear", "linear iterations", COLUMNS("linear_iterations"), false, true},
    {"retries", "attempts that were repeated", COLUMNS("retries", "contact_repeats"), false, false},
    {"residual", "residual", COLUMNS("residual"), true, false},
    {"step", "step size", COLUMNS("h"), false, false},
    {"seconds", "wall time of a step", COLUMNS("seconds"), false, false},
    {0},
};

// What the star of a pattern stands for in a name: where it begins and how long it is.
static bool match(const char *pattern, const char *name, int *begin, int *length) {
  const char *star = strchr(pattern, '*');
  size_t size = strlen(name);
  *begin = 0;
  *length = (int)size;
  if (!star)
    return strcmp(pattern, name) == 0;
  size_t before = (size_t)(star - pattern), after = strlen(star + 1);
  if (size <= before + after || strncmp(name, pattern, before) != 0 ||
      strcmp(name + size - after, star + 1) != 0)
    return false;
  *begin = (int)before;
  *length = (int)(size - before - after);
  return true;
}

// One panel: the columns it shows, and everything that the plot points to.
typedef struct Panel {
  int column_count;
  int column[MOST_COLUMNS]; // of the first run
  char legend[MOST_COLUMNS][NAME_SIZE];
  char axis[NAME_SIZE];
  int series_count;
  StPlotSeries series[MOST_SERIES];
} Panel;

static bool says_something(const StRecording *run, int column) {
  const double *value = run->value + column * run->rows;
  for (long row = 0; row < run->rows; row++)
    if (isfinite(value[row]) && value[row] != 0)
      return true;
  return false;
}

static bool several_stars(const StPlotQuantity *quantity) {
  int stars = 0;
  for (int p = 0; quantity->column[p]; p++)
    stars += strchr(quantity->column[p], '*') != NULL;
  return stars > 1;
}

// Columns that are zero from beginning to end are left out, unless there is nothing else.
static void find_columns(const StRecording *run, const StPlotQuantity *quantity, bool also_zero,
                         Panel *panel) {
  for (int p = 0; quantity->column[p]; p++)
    for (int c = 0; c < run->column_count && panel->column_count < MOST_COLUMNS; c++) {
      int begin, length;
      if (!match(quantity->column[p], run->name[c], &begin, &length) ||
          (!also_zero && !says_something(run, c)))
        continue;
      if (several_stars(quantity)) // only the whole name tells them apart
        begin = 0, length = (int)strlen(run->name[c]);
      snprintf(panel->legend[panel->column_count], NAME_SIZE, "%.*s", length, run->name[c] + begin);
      panel->column[panel->column_count++] = c;
    }
  if (panel->column_count == 0 && !also_zero)
    find_columns(run, quantity, true, panel);
}

static double largest(const StRecording *run, int column) {
  const double *value = run->value + column * run->rows;
  double most = 0;
  for (long row = 0; row < run->rows; row++)
    if (isfinite(value[row]))
      most = fmax(most, fabs(value[row]));
  return most;
}

// The name by which a run is told from the others: the end of its folder's path.
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
  if (panel->series_count < MOST_SERIES)
    panel->series[panel->series_count++] = series;
}

// With one column, colours tell runs apart; with several, lines do, and the legend explains both.
static void add_run(const StRecording *run, int run_count, int index, Panel *panel) {
  for (int i = 0; i < panel->column_count; i++) {
    bool alone = panel->column_count == 1;
    const char *column = run[0].name[panel->column[i]], *name = NULL;
    if (alone && run_count > 1)
      name = run_name(run, run_count, index);
    else if (!alone && index == 0)
      name = panel->legend[i];
    add_series(panel, (StPlotSeries){.name = name,
                                     .style = ST_PLOT_LINE,
                                     .dash = (StPlotDash)index,
                                     .ink = 1 + (alone ? index : i),
                                     .count = (int)run[index].rows,
                                     .x = st_recording_column(&run[index], "time"),
                                     .y = st_recording_column(&run[index], column)});
    StPlotSeries *added = &panel->series[panel->series_count - 1];
    if (!added->x || !added->y)
      added->count = 0;
  }
}

static void explain_lines(const StRecording *run, int run_count, Panel *panel) {
  for (int r = 0; r < run_count && run_count > 1 && panel->column_count > 1; r++)
    add_series(panel, (StPlotSeries){.name = run_name(run, run_count, r),
                                     .style = ST_PLOT_LINE,
                                     .dash = (StPlotDash)r,
                                     .ink = ST_PLOT_INK_TEXT});
}

// The same in all panels, so that what happens at one time stands at one place.
static StPlotAxis time_axis(const StRecording *run, int run_count) {
  StPlotAxis axis = {.label = "time (s)"};
  for (int r = 0; r < run_count; r++)
    axis.high = fmax(axis.high, st_recording_last(&run[r], "time"));
  double margin = 0.02 * axis.high; // what happens at once is not hidden by the frame
  axis.low -= margin;
  axis.high += margin;
  return axis;
}

static void fill_plot(const StRecording *run, int run_count, const StPlotQuantity *quantity,
                      Panel *panel, StPlot *plot) {
  const char *unit = run[0].unit[panel->column[0]];
  double most = 0;
  for (int i = 0; i < panel->column_count; i++)
    most = fmax(most, largest(&run[0], panel->column[i]));
  StPlotUnit shown = st_plot_unit(unit, most);
  snprintf(panel->axis, NAME_SIZE, *unit ? "%s (%s)" : "%s", quantity->title, shown.shown);
  for (int r = 0; r < run_count; r++)
    add_run(run, run_count, r, panel);
  explain_lines(run, run_count, panel);
  *plot = (StPlot){.x = time_axis(run, run_count),
                   .y = {.label = panel->axis,
                         .unit = shown.size,
                         .logarithmic = quantity->logarithmic,
                         .robust = true},
                   .legend = ST_PLOT_LEGEND_INSIDE,
                   .series_count = panel->series_count,
                   .series = panel->series};
}

static StStatus fail_word(const StRecording *run, const char *word, StError *error) {
  StSuggestion suggestion = {.wanted = word};
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
  st_suggestion_free(&suggestion);
  return ST_BAD_INPUT;
}

// A quantity, or else a column by its name.
static StStatus add_word(const StRecording *run, int run_count, const char *word, Panel *panel,
                         StPlot *plot, StError *error) {
  StPlotQuantity own = {.name = word, .title = word, .column = COLUMNS(word)};
  const StPlotQuantity *quantity = &own;
  for (int i = 0; st_plot_quantities[i].name; i++)
    if (strcmp(st_plot_quantities[i].name, word) == 0)
      quantity = &st_plot_quantities[i];
  bool known = quantity != &own;
  *panel = (Panel){0};
  find_columns(run, quantity, !known, panel);
  if (panel->column_count == 0 && known)
    return st_fail(error, ST_BAD_INPUT, "%s: this run has no %s to plot", run->folder, word);
  if (panel->column_count == 0)
    return fail_word(run, word, error);
  fill_plot(run, run_count, quantity, panel, plot);
  return ST_OK;
}

// A long legend would cover too much; one place for all panels then.
static void place_legends(StPlot *plot, int count) {
  StPlotLegend legend = ST_PLOT_LEGEND_INSIDE;
  for (int p = 0; p < count; p++) {
    int lines = 0;
    for (int s = 0; s < plot[p].series_count; s++)
      lines += plot[p].series[s].name != NULL;
    legend = lines > FEW_NAMES ? ST_PLOT_LEGEND_BESIDE : legend;
  }
  for (int p = 0; p < count; p++)
    plot[p].legend = legend;
}

static int usual_words(const StRecording *run, const char **word) {
  int count = 0;
  for (int i = 0; st_plot_quantities[i].name && count < ST_PLOT_PANELS; i++) {
    Panel panel = {0};
    if (!st_plot_quantities[i].usual)
      continue;
    find_columns(run, &st_plot_quantities[i], false, &panel);
    if (panel.column_count && says_something(run, panel.column[0]))
      word[count++] = st_plot_quantities[i].name;
  }
  return count;
}

StStatus st_plot_runs(const StRecording *run, int run_count, const char *const *word,
                      int word_count, const char *path, StError *error) {
  const char *usual[ST_PLOT_PANELS];
  ST_CHECK(run_count >= 1 && run_count <= ST_PLOT_RUNS, error);
  if (word_count == 0) {
    word_count = usual_words(run, usual);
    word = usual;
  }
  if (word_count > ST_PLOT_PANELS)
    return st_fail(error, ST_BAD_INPUT, "%d quantities are too many for one picture; %d are not",
                   word_count, ST_PLOT_PANELS);
  Panel *panel = ST_NEW(Panel, word_count);
  StPlot *plot = ST_NEW(StPlot, word_count);
  StStatus status = panel && plot ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < word_count && status == ST_OK; i++)
    status = add_word(run, run_count, word[i], &panel[i], &plot[i], error);
  int columns = word_count <= 1 ? 1 : word_count <= FEW_PANELS ? 2 : 3;
  if (status == ST_OK) {
    place_legends(plot, word_count);
    status = st_folder_create_above(path, error);
  }
  if (status == ST_OK)
    status = st_plot_write(path, plot, word_count, columns, error);
  free(panel);
  free(plot);
  return status;
}

void st_plot_list(const StRecording *run, StText *text) {
  st_text_add(text, "Quantities:\n");
  for (int i = 0; st_plot_quantities[i].name; i++) {
    Panel panel = {0};
    find_columns(run, &st_plot_quantities[i], true, &panel);
    if (panel.column_count == 0)
      continue;
    st_text_add(text, "  %-17s %s:", st_plot_quantities[i].name, st_plot_quantities[i].title);
    for (int k = 0; k < panel.column_count; k++)
      st_text_add(text, "%s %s", k ? "," : "", run->name[panel.column[k]]);
    st_text_add(text, "\n");
  }
  st_text_add(text, "Columns of history.csv:\n");
  for (int c = 0; c < run->column_count; c++)
    st_text_add(text, "  %s%s%s%s\n", run->name[c], *run->unit[c] ? " (" : "", run->unit[c],
                *run->unit[c] ? ")" : "");
}
