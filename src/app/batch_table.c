// Reads the runs back and collects their results.
#include "app/batch_table.h"

#include "app/command.h"
#include "app/options.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "plot/plot.h"
#include "output/run_folder.h"
#include "replay/recording.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 12, NAME_SIZE = 96 };

static const char USUAL[] =
    "centre_of_mass_x,centre_of_mass_z,kinetic_energy:max,contact_normal_force:max";

typedef enum Choice { LAST, MOST, LEAST, MEAN } Choice;
static const char *const CHOICES[] = {"last", "max", "min", "mean", NULL};

typedef struct Shown {
  char column[NAME_SIZE], name[NAME_SIZE + 8]; // "kinetic_energy", "kinetic_energy:max"
  char unit[NAME_SIZE];
  Choice choice;
} Shown;

typedef struct Table {
  const StBatch *sweep;
  int shown_count;
  Shown shown[MOST_SHOWN];
  const char **status;           // [runs]
  double *steps, *newton, *wall; // [runs]
  double *value;                 // [shown_count][runs] NAN: missing
} Table;

static StStatus parse_one(const char *word, Shown *shown, StError *error) {
  const char *colon = strrchr(word, ':');
  int length = colon ? (int)(colon - word) : (int)strlen(word);
  shown->choice = LAST;
  if (colon) {
    int i = 0;
    while (CHOICES[i] && strcmp(CHOICES[i], colon + 1) != 0)
      i++;
    if (!CHOICES[i])
      return st_fail_name("choice", colon + 1, CHOICES, i, error);
    shown->choice = (Choice)i;
  }
  snprintf(shown->column, sizeof shown->column, "%.*s", length, word);
  snprintf(shown->name, sizeof shown->name, "%.*s%s%s", length, word, colon ? ":" : "",
           colon ? CHOICES[shown->choice] : "");
  return ST_OK;
}

static StStatus parse_shown(Table *table, const char *show, StError *error) {
  ST_FREE char **word = NULL;
  int count;
  ST_TRY(st_split_words(show ? show : USUAL, &word, &count, error));
  if (count > MOST_SHOWN)
    return st_fail(error, ST_BAD_INPUT, "--show takes %d columns at most", MOST_SHOWN);
  for (int i = 0; i < count; i++)
    ST_TRY(parse_one(word[i], &table->shown[table->shown_count++], error));
  return ST_OK;
}

static double choose(const double *value, long rows, Choice choice) {
  double sum = 0, most = -INFINITY, least = INFINITY;
  long count = 0;
  for (long r = 0; r < rows; r++) {
    if (!isfinite(value[r]))
      continue;
    sum += value[r];
    most = fmax(most, value[r]);
    least = fmin(least, value[r]);
    count++;
  }
  if (choice == LAST)
    return rows ? value[rows - 1] : NAN;
  if (count == 0)
    return NAN;
  return choice == MOST ? most : choice == LEAST ? least : sum / (double)count;
}

static StStatus fail_column(const StRecording *run, const char *name, StError *error) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = name};
  for (int c = 0; c < run->column_count; c++)
    st_suggestion_add(&known, run->name[c]);
  st_fail(error, ST_BAD_INPUT, "--show: the history has no column '%s'; known: %s", name,
          st_suggestion_text(&known));
  return ST_BAD_INPUT;
}

static StStatus take_values(Table *table, int row, const StRecording *run, bool asked,
                            StError *error) {
  int runs = table->sweep->values.run_count;
  for (int s = 0; s < table->shown_count; s++) {
    Shown *shown = &table->shown[s];
    int column = st_recording_column_index(run, shown->column);
    if (column < 0 && asked)
      return fail_column(run, shown->column, error);
    if (column < 0)
      continue;
    snprintf(shown->unit, sizeof shown->unit, "%s", run->unit[column]);
    table->value[s * runs + row] =
        choose(run->value + column * run->rows, run->rows, shown->choice);
  }
  return ST_OK;
}

static StStatus take_run(Table *table, int row, bool asked, StError *error) {
  ST_FINALLY(st_recording_close) StRecording run = {0};
  StError ignored;
  ST_FREE char *folder = st_batch_folder(table->sweep, row);
  StStatus status = folder ? ST_OK : st_fail_memory(error);
  table->status[row] = "failed";
  if (status == ST_OK && st_recording_load(folder, NULL, &run, &ignored) == ST_OK) {
    table->status[row] =
        run.state == ST_RECORDING_RUNNING ? "stopped" : st_recording_state_name(run.state);
    table->steps[row] = (double)run.cost.steps;
    table->newton[row] = run.cost.newton_per_step;
    table->wall[row] = run.cost.wall;
    status = take_values(table, row, &run, asked, error);
  }
  return status;
}

// Leaves out columns that no run has, or that are constant zero, unless requested.
static void drop_idle(Table *table) {
  int runs = table->sweep->values.run_count, kept = 0;
  for (int s = 0; s < table->shown_count; s++) {
    bool any = false;
    for (int r = 0; r < runs; r++)
      any |= isfinite(table->value[s * runs + r]) && table->value[s * runs + r] != 0;
    if (!any)
      continue;
    table->shown[kept] = table->shown[s];
    memmove(table->value + kept * runs, table->value + s * runs, (size_t)runs * sizeof(double));
    kept++;
  }
  table->shown_count = kept;
}

static void add_cell(StText *text, const char *words) {
  bool quote = strpbrk(words, ",\"\n") != NULL;
  st_text_add(text, quote ? "\"" : "");
  for (; *words; words++)
    st_text_add(text, *words == '"' && quote ? "\"\"" : "%c", *words);
  st_text_add(text, quote ? "\"" : "");
}

static void add_csv(const Table *table, StText *text) {
  const StBatchValues *values = &table->sweep->values;
  st_text_add(text, "run");
  for (int k = 0; k < values->key_count; k++) {
    st_text_add(text, ",");
    add_cell(text, values->varied[k].key);
  }
  st_text_add(text, ",status,steps,newton_per_step,wall [s]");
  for (int s = 0; s < table->shown_count; s++)
    st_text_add(text, *table->shown[s].unit ? ",%s [%s]" : ",%s", table->shown[s].name,
                table->shown[s].unit);
  st_text_add(text, "\n");
  for (int r = 0; r < values->run_count; r++) {
    st_text_add(text, "run-%03d", r + 1);
    for (int k = 0; k < values->key_count; k++) {
      st_text_add(text, ",");
      add_cell(text, st_batch_value(values, r, k));
    }
    st_text_add(text, ",%s,%.0f,%.6g,%.6g", table->status[r], table->steps[r], table->newton[r],
                table->wall[r]);
    for (int s = 0; s < table->shown_count; s++)
      st_text_add(text, ",%.17g", table->value[s * values->run_count + r]);
    st_text_add(text, "\n");
  }
}

static int widest_value(const StBatchValues *values, int key) {
  size_t width = strlen(values->varied[key].key);
  for (int i = 0; i < values->varied[key].count; i++)
    if (strlen(values->varied[key].value[i]) > width)
      width = strlen(values->varied[key].value[i]);
  return (int)width;
}

static int shown_width(const Shown *shown) {
  int width = (int)(strlen(shown->name) + strlen(shown->unit) + 1);
  return width < 11 ? 11 : width;
}

static void add_lines(const Table *table, StText *text) {
  const StBatchValues *values = &table->sweep->values;
  st_text_add(text, "run    ");
  for (int k = 0; k < values->key_count; k++)
    st_text_add(text, "  %-*s", widest_value(values, k), values->varied[k].key);
  st_text_add(text, "  %-11s  %6s  %6s", "status", "steps", "Newton");
  for (int s = 0; s < table->shown_count; s++) {
    char head[2 * NAME_SIZE + 16];
    snprintf(head, sizeof head, "%s %s", table->shown[s].name, table->shown[s].unit);
    st_text_add(text, "  %*s", shown_width(&table->shown[s]), head);
  }
  st_text_add(text, "\n");
  for (int r = 0; r < values->run_count; r++) {
    st_text_add(text, "run-%03d", r + 1);
    for (int k = 0; k < values->key_count; k++)
      st_text_add(text, "  %-*s", widest_value(values, k), st_batch_value(values, r, k));
    st_text_add(text, "  %-11s  %6.0f  %6.3g", table->status[r], table->steps[r], table->newton[r]);
    for (int s = 0; s < table->shown_count; s++)
      st_text_add(text, "  %*.5g", shown_width(&table->shown[s]),
                  table->value[s * values->run_count + r]);
    st_text_add(text, "\n");
  }
}

// One line per combination of the other keys, over the values of the first.
typedef struct Lines {
  int count, length;
  double *x, *y;           // [count][length]
  char (*name)[NAME_SIZE]; // [count]
  StPlotSeries *series;    // [count]
} Lines;

static void free_lines(Lines *lines) {
  free(lines->x);
  free(lines->y);
  free(lines->name);
  free(lines->series);
}

static void name_line(const StBatchValues *values, int run, char name[NAME_SIZE]) {
  size_t used = 0;
  name[0] = 0;
  for (int k = 1; k < values->key_count && used < NAME_SIZE; k++) {
    const char *dot = strrchr(values->varied[k].key, '.');
    used += (size_t)snprintf(name + used, NAME_SIZE - used, "%s%s = %s", k > 1 ? ", " : "",
                             dot ? dot + 1 : values->varied[k].key, st_batch_value(values, run, k));
  }
}

static bool make_lines(const Table *table, int shown, Lines *lines) {
  const StBatchValues *values = &table->sweep->values;
  int length = values->varied[0].count, runs = values->run_count;
  int count = values->together ? 1 : runs / length;
  *lines = (Lines){count,
                   length,
                   ST_NEW(double, runs),
                   ST_NEW(double, runs),
                   st_new_array((size_t)count, NAME_SIZE),
                   ST_NEW(StPlotSeries, count)};
  if (!lines->x || !lines->y || !lines->name || !lines->series)
    return false;
  for (int r = 0; r < runs; r++) {
    int at = st_batch_values_index(values, r, 0), line = values->together ? 0 : r % count;
    lines->x[line * length + at] = st_batch_number(values, 0, at);
    lines->y[line * length + at] = table->value[shown * runs + r];
    if (!values->together)
      name_line(values, r, lines->name[line]);
  }
  for (int l = 0; l < count; l++)
    lines->series[l] = (StPlotSeries){.name = lines->name[l][0] ? lines->name[l] : NULL,
                                      .style = ST_PLOT_LINE_AND_MARKS,
                                      .count = length,
                                      .x = lines->x + l * length,
                                      .y = lines->y + l * length};
  return true;
}

static StStatus draw(const Table *table, const char *path, StError *error) {
  Lines lines[MOST_SHOWN] = {0};
  StPlot plot[MOST_SHOWN] = {0};
  char label[MOST_SHOWN][2 * NAME_SIZE + 16], key[2 * NAME_SIZE];
  const char *unit = st_batch_unit(&table->sweep->values, 0);
  StStatus status = ST_OK;
  snprintf(key, sizeof key, unit && *unit ? "%s (%s)" : "%s", table->sweep->values.varied[0].key,
           unit);
  int count = table->shown_count;
  for (int s = 0; s < count && status == ST_OK; s++) {
    const Shown *shown = &table->shown[s];
    status = make_lines(table, s, &lines[s]) ? ST_OK : st_fail_memory(error);
    snprintf(label[s], sizeof label[s], *shown->unit ? "%s (%s)" : "%s", shown->name, shown->unit);
    plot[s] = (StPlot){.x = {.label = key},
                       .y = {.label = label[s]},
                       .series_count = lines[s].count,
                       .series = lines[s].series};
  }
  if (status == ST_OK && count > 0)
    status = st_plot_write(path, plot, count, count > 1 ? 2 : 1, error);
  for (int s = 0; s < count; s++)
    free_lines(&lines[s]);
  return status;
}

static StStatus write_files(const Table *table, StError *error) {
  ST_FREE char *csv = st_run_folder_file(table->sweep->out, "sweep.csv");
  ST_FREE char *svg = st_run_folder_file(table->sweep->out, "sweep.svg");
  StText text = {0}, lines = {0};
  add_csv(table, &text);
  add_lines(table, &lines);
  StStatus status = csv && svg && !text.failed && !lines.failed ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_file_write(csv, text.data, text.length, error);
  if (status == ST_OK)
    status = draw(table, svg, error);
  if (status == ST_OK && !table->sweep->quiet && st_command_prints())
    printf("\n%s\nwritten to %s and %s\n", lines.data, csv, svg);
  st_text_free(&text);
  st_text_free(&lines);
  return status;
}

StStatus st_batch_print(const StBatch *sweep, const char *show, StError *error) {
  size_t runs = (size_t)sweep->values.run_count;
  Table table = {.sweep = sweep,
                 .status = ST_NEW(const char *, runs),
                 .steps = ST_NEW(double, runs),
                 .newton = ST_NEW(double, runs),
                 .wall = ST_NEW(double, runs),
                 .value = ST_NEW(double, MOST_SHOWN *runs)};
  StStatus status = table.status && table.steps && table.newton && table.wall && table.value
                        ? parse_shown(&table, show, error)
                        : st_fail_memory(error);
  for (size_t i = 0; i < MOST_SHOWN * runs && status == ST_OK; i++)
    table.value[i] = NAN;
  for (int r = 0; r < sweep->values.run_count && status == ST_OK; r++)
    status = take_run(&table, r, show != NULL, error);
  if (status == ST_OK) {
    if (!show)
      drop_idle(&table);
    status = write_files(&table, error);
  }
  free(table.status);
  free(table.steps);
  free(table.newton);
  free(table.wall);
  free(table.value);
  return status;
}
