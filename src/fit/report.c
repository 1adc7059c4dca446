// The results as a table, as JSON, as a CSV of measured and simulated, and as a plot.
#include "fit/report.h"

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "output/run_folder.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FATES[] = {
    [ST_FIT_FREE] = "fitted",
    [ST_FIT_AT_BOUND] = "at its bound",
    [ST_FIT_WITHOUT_EFFECT] = "no effect on what was measured",
    [ST_FIT_UNDETERMINED] = "not determined: others can take its place",
};

static double covariance(const StFit *fit, int a, int b) {
  return fit->result.covariance[a * fit->parameter_count + b];
}

double st_fit_standard_error(const StFit *fit, int parameter) {
  bool known = fit->result.fate[parameter] == ST_FIT_FREE;
  return known ? sqrt(covariance(fit, parameter, parameter)) : NAN;
}

double st_fit_correlation(const StFit *fit, int a, int b) {
  return covariance(fit, a, b) / (st_fit_standard_error(fit, a) * st_fit_standard_error(fit, b));
}

static const char *unit_of(const StFit *fit, int parameter) {
  return st_dimension_unit(fit->parameter[parameter].dimension);
}

void st_fit_misfit(const StFit *fit, double sum_of_squares, char *text, size_t size) {
  double mean = sqrt(sum_of_squares / fit->measured.count);
  snprintf(text, size, "%.4g %s", mean, fit->measured.weighted ? "standard deviations" : "m");
}

static int widest_path(const StFit *fit) {
  size_t width = strlen("parameter");
  for (int j = 0; j < fit->parameter_count; j++)
    if (strlen(fit->parameter[j].path) > width)
      width = strlen(fit->parameter[j].path);
  return (int)width;
}

static void add_correlations(const StFit *fit, StText *text) {
  for (int a = 0; a < fit->parameter_count; a++)
    for (int b = 0; b < a; b++) {
      double correlation = st_fit_correlation(fit, a, b);
      if (!isnan(correlation))
        st_text_add(text, "correlation of %s and %s: %.3f\n", fit->parameter[b].path,
                    fit->parameter[a].path, correlation);
    }
}

static void add_fixed(const StFit *fit, StText *text) {
  const StictionDerivativeReport *report = &fit->derivatives;
  st_text_add(text, "derivatives: %ld steps", report->steps);
  if (report->cut > 0)
    st_text_add(text, ", %ld of them cut", report->cut);
  if (report->stiffness_changes > 0)
    st_text_add(text, ", %ld changes of contact stiffness taken as fixed",
                report->stiffness_changes);
  if (report->anchors_lost > 0)
    st_text_add(text, ", %ld anchors lost", report->anchors_lost);
  st_text_add(text, "; error %.1g\n", report->error);
}

void st_fit_words(const StFit *fit, StText *text) {
  int width = widest_path(fit);
  char misfit[64];
  st_text_add(text, "%-*s  %14s  %14s  unit\n", width, "parameter", "value", "standard error");
  for (int j = 0; j < fit->parameter_count; j++) {
    double error = st_fit_standard_error(fit, j);
    st_text_add(text, "%-*s  %14.8g  ", width, fit->parameter[j].path, fit->value[j]);
    if (isnan(error))
      st_text_add(text, "%14s", "-");
    else
      st_text_add(text, "%14.3g", error);
    st_text_add(text, "  %s", unit_of(fit, j));
    if (fit->result.fate[j] != ST_FIT_FREE)
      st_text_add(text, "  %s", FATES[fit->result.fate[j]]);
    st_text_add(text, "\n");
  }
  add_correlations(fit, text);
  st_fit_misfit(fit, fit->result.sum_of_squares, misfit, sizeof misfit);
  st_text_add(text, "misfit (root mean square of %d values): %s\n", fit->measured.count, misfit);
  add_fixed(fit, text);
}

static void add_parameters(const StFit *fit, StJsonOut *out) {
  StJsonOut list = st_json_lines(out, "parameters", '[');
  for (int j = 0; j < fit->parameter_count; j++) {
    StJsonOut one = st_json_line(&list, NULL, '{');
    st_json_string(&one, "key", fit->parameter[j].path);
    st_json_number(&one, "value", fit->value[j]);
    st_json_string(&one, "unit", unit_of(fit, j));
    st_json_number(&one, "standard_error", st_fit_standard_error(fit, j));
    st_json_number(&one, "start", fit->parameter[j].start);
    st_json_number(&one, "low", fit->parameter[j].low);
    st_json_number(&one, "high", fit->parameter[j].high);
    st_json_string(&one, "state", FATES[fit->result.fate[j]]);
    st_json_end(&one);
  }
  st_json_end(&list);
}

static void add_matrix(const StFit *fit, StJsonOut *out, const char *key,
                       double (*entry)(const StFit *, int, int)) {
  StJsonOut rows = st_json_lines(out, key, '[');
  for (int a = 0; a < fit->parameter_count; a++) {
    StJsonOut row = st_json_line(&rows, NULL, '[');
    for (int b = 0; b < fit->parameter_count; b++)
      st_json_number(&row, NULL, entry(fit, a, b));
    st_json_end(&row);
  }
  st_json_end(&rows);
}

static void add_truth(StJsonOut *out, const char *key, bool truth) {
  st_json_key(out, key);
  st_text_add(out->text, truth ? "true" : "false");
}

static void add_derivatives(const StFit *fit, StJsonOut *out) {
  const StictionDerivativeReport *report = &fit->derivatives;
  StJsonOut one = st_json_lines(out, "derivatives", '{');
  st_json_number(&one, "steps", (double)report->steps);
  st_json_number(&one, "cut", (double)report->cut);
  st_json_number(&one, "stiffness_changes", (double)report->stiffness_changes);
  st_json_number(&one, "anchors_lost", (double)report->anchors_lost);
  add_truth(&one, "settled", report->settled);
  st_json_number(&one, "error", report->error);
  st_json_end(&one);
}

static void add_json(const StFit *fit, StText *text) {
  const StFitResult *result = &fit->result;
  StJsonOut out = st_json_begin(text, '{', 2);
  add_truth(&out, "converged", result->converged);
  st_json_number(&out, "iterations", result->iterations);
  st_json_number(&out, "evaluations", result->evaluations);
  add_parameters(fit, &out);
  add_matrix(fit, &out, "covariance", covariance);
  add_matrix(fit, &out, "correlation", st_fit_correlation);
  st_json_number(&out, "values", fit->measured.count);
  add_truth(&out, "weighted", fit->measured.weighted);
  st_json_number(&out, "residual_norm", sqrt(result->sum_of_squares));
  st_json_number(&out, "residual_variance", result->variance);
  add_derivatives(fit, &out);
  st_json_end(&out);
  st_text_add(text, "\n");
}

static void add_csv(const StFit *fit, StText *text) {
  const StMeasured *measured = &fit->measured;
  st_text_add(text, "time [s]");
  for (int c = 0; c < measured->column_count; c++)
    st_text_add(text, ",measured %s [m],simulated %s [m]", measured->column[c].name,
                measured->column[c].name);
  st_text_add(text, "\n");
  for (int r = 0; r < measured->rows; r++) {
    st_text_add(text, "%.17g", measured->time[r]);
    for (int c = 0; c < measured->column_count; c++) {
      int at = r * measured->column_count + c;
      st_text_add(text, isnan(measured->value[at]) ? "," : ",%.17g", measured->value[at]);
      st_text_add(text, ",%.17g", fit->simulated[at]);
    }
    st_text_add(text, "\n");
  }
}

enum { LABEL_SIZE = 128 };

// Data of a column's two panels.
typedef struct Panels {
  double *value[3]; // [rows] measured, simulated, and the former less the latter
  char label[2][LABEL_SIZE];
  StPlotSeries series[3];
} Panels;

static void fill_panels(const StMeasured *measured, const double *simulated, int column,
                        Panels *panels, StPlot plot[2]) {
  static const char *const names[] = {"measured", "simulated", NULL};
  const char *name = measured->column[column].name;
  for (int r = 0; r < measured->rows; r++) {
    int at = r * measured->column_count + column;
    panels->value[0][r] = measured->value[at];
    panels->value[1][r] = simulated[at];
    panels->value[2][r] = measured->value[at] - simulated[at];
  }
  for (int i = 0; i < 3; i++)
    panels->series[i] = (StPlotSeries){.name = names[i],
                                       .style = i == 1 ? ST_PLOT_LINE : ST_PLOT_MARKS,
                                       .count = measured->rows,
                                       .x = measured->time,
                                       .y = panels->value[i]};
  snprintf(panels->label[0], LABEL_SIZE, "%s (m)", name);
  snprintf(panels->label[1], LABEL_SIZE, "%s, measured − simulated (m)", name);
  for (int i = 0; i < 2; i++)
    plot[i] = (StPlot){.x = {.label = "time (s)"},
                       .y = {.label = panels->label[i]},
                       .legend = ST_PLOT_LEGEND_INSIDE,
                       .series_count = i ? 1 : 2,
                       .series = panels->series + 2 * i};
}

static StStatus draw(const StFit *fit, const char *path, StError *error) {
  const StMeasured *measured = &fit->measured;
  size_t columns = (size_t)measured->column_count, rows = (size_t)measured->rows;
  ST_FREE double *room = ST_NEW(double, 3 * columns * rows);
  ST_FREE Panels *panels = ST_NEW(Panels, columns);
  ST_FREE StPlot *plot = ST_NEW(StPlot, 2 * columns);
  ST_TRY_MEMORY(room && panels && plot, error);
  for (size_t c = 0; c < columns; c++) {
    for (size_t i = 0; i < 3; i++)
      panels[c].value[i] = room + (3 * c + i) * rows;
    fill_panels(measured, fit->simulated, (int)c, &panels[c], plot + 2 * c);
  }
  return st_plot_write(path, plot, 2 * (int)columns, 2, error);
}

static StStatus write_one(const char *folder, const char *name, const StText *text,
                          StError *error) {
  ST_FREE char *path = st_run_folder_file(folder, name);
  ST_TRY_MEMORY(path && !text->failed, error);
  return st_file_write(path, text->data, text->length, error);
}

static StStatus write_scene(const StFit *fit, const char *folder, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  ST_FREE char *scene = NULL;
  ST_TRY(st_fit_scene(fit, fit->value, &scene, error));
  st_text_add_bytes(&text, scene, strlen(scene));
  return write_one(folder, "fitted.json", &text, error);
}

StStatus st_fit_write(const StFit *fit, const char *folder, StError *error) {
  ST_FINALLY(st_text_free) StText json = {0}, csv = {0};
  ST_FREE char *picture = st_run_folder_file(folder, "fit.svg");
  ST_TRY_MEMORY(picture, error);
  add_json(fit, &json);
  add_csv(fit, &csv);
  ST_TRY(st_folder_create(folder, error));
  ST_TRY(write_one(folder, "fit.json", &json, error));
  ST_TRY(write_one(folder, "fit.csv", &csv, error));
  ST_TRY(write_scene(fit, folder, error));
  return draw(fit, picture, error);
}
