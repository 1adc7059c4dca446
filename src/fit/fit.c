// Runs the scene with derivatives, takes positions of probes at the measured times, and leaves the
// rest to the least-squares search. Between two steps, positions follow the cubic of Hermite
// through the positions and velocities at both.
#include "fit/fit.h"

#include "api/handles.h"
#include "base/memory.h"
#include "base/text.h"
#include "scene/set.h"

#include <math.h>
#include <string.h>

// A column's position and velocity at the end of a step, and their derivatives by all parameters.
typedef struct Motion {
  double place[1 + ST_FIT_MOST], rate[1 + ST_FIT_MOST];
} Motion;

typedef struct Run {
  StFit *fit;
  StictionScene *scene;
  StictionSimulation *simulation;
  Motion *before, *now; // [columns]
  double time_before;   // s
  int row;              // the next one
  double *place, *rate; // [vertices][3] derivatives
} Run;

static StStatus pass_on(StictionStatus status, StError *error) {
  return status == STICTION_OK ? ST_OK
                               : st_fail(error, (StStatus)status, "%s", stiction_error(NULL));
}

StStatus st_fit_scene(const StFit *fit, const double *value, char **text, StError *error) {
  *text = st_copy_string(fit->scene);
  size_t size = strlen(fit->scene);
  StStatus status = *text ? ST_OK : st_fail_memory(error);
  for (int j = 0; j < fit->parameter_count && status == ST_OK; j++) {
    const char *unit = st_dimension_unit(fit->parameter[j].dimension);
    ST_FREE char *assignment =
        st_format("%s=%.17g%s%s", fit->parameter[j].path, value[j], *unit ? " " : "", unit);
    status =
        assignment ? st_scene_set("scene", assignment, text, &size, error) : st_fail_memory(error);
  }
  if (status != ST_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

// A probe is at the mean position of its vertices.
static double mean_of(const Run *run, const StMeasuredColumn *column, const double *of_vertices) {
  const StProbeDesc *probe = &run->scene->description->probe[column->probe];
  double sum = 0;
  for (int i = 0; i < probe->vertex_count; i++)
    sum += of_vertices[3 * (size_t)probe->vertex[i] + (size_t)column->axis];
  return sum / probe->vertex_count;
}

static StStatus measure(Run *run, StError *error) {
  const StMeasured *measured = &run->fit->measured;
  const double *position = stiction_simulation_positions(run->simulation);
  const double *velocity = stiction_simulation_velocities(run->simulation);
  for (int c = 0; c < measured->column_count; c++) {
    run->now[c].place[0] = mean_of(run, &measured->column[c], position);
    run->now[c].rate[0] = mean_of(run, &measured->column[c], velocity);
  }
  for (int j = 0; j < run->fit->parameter_count; j++) {
    ST_TRY(
        pass_on(stiction_simulation_derivative(run->simulation, j, run->place, run->rate), error));
    for (int c = 0; c < measured->column_count; c++) {
      run->now[c].place[1 + j] = mean_of(run, &measured->column[c], run->place);
      run->now[c].rate[1 + j] = mean_of(run, &measured->column[c], run->rate);
    }
  }
  return ST_OK;
}

static double between(const Motion *before, const Motion *now, int k, double h, double s) {
  double left = 1 - s;
  return left * left * (1 + 2 * s) * before->place[k] + s * s * (3 - 2 * s) * now->place[k] +
         h * s * left * (left * before->rate[k] - s * now->rate[k]);
}

// Rows up to the present.
static void take_rows(Run *run) {
  StFit *fit = run->fit;
  const StMeasured *measured = &fit->measured;
  double time = stiction_simulation_time(run->simulation), h = time - run->time_before;
  double slack = 1e-9 * stiction_scene_time_step(run->scene); // of times in files
  for (; run->row < measured->rows && measured->time[run->row] <= time + slack; run->row++)
    for (int c = 0; c < measured->column_count; c++) {
      size_t at = (size_t)run->row * (size_t)measured->column_count + (size_t)c;
      double s = h > 0 ? fmin((measured->time[run->row] - run->time_before) / h, 1) : 1;
      fit->simulated[at] = between(&run->before[c], &run->now[c], 0, h, s);
      for (int j = 0; j < fit->parameter_count; j++)
        fit->sensitivity[at * (size_t)fit->parameter_count + (size_t)j] =
            between(&run->before[c], &run->now[c], 1 + j, h, s);
    }
  memcpy(run->before, run->now, (size_t)measured->column_count * sizeof(Motion));
  run->time_before = time;
}

static StStatus follow(Run *run, StError *error) {
  ST_TRY(measure(run, error));
  memcpy(run->before, run->now, (size_t)run->fit->measured.column_count * sizeof(Motion));
  take_rows(run);
  while (run->row < run->fit->measured.rows) {
    ST_TRY(pass_on(stiction_simulation_step(run->simulation), error));
    ST_TRY(measure(run, error));
    take_rows(run);
    if (run->fit->stop && *run->fit->stop)
      return st_fail(error, ST_INTERRUPTED, "interrupted; nothing is written");
  }
  return pass_on(stiction_simulation_derivative_report(run->simulation, &run->fit->last), error);
}

static StStatus start(Run *run, const double *value, StError *error) {
  StFit *fit = run->fit;
  const char *path[ST_FIT_MOST];
  ST_FREE char *text = NULL;
  ST_TRY(st_fit_scene(fit, value, &text, error));
  ST_TRY(pass_on(stiction_scene_parse(fit->session, text, fit->folder, &run->scene), error));
  if (fit->threads > 0)
    ST_TRY(pass_on(stiction_scene_set_threads(run->scene, fit->threads), error));
  ST_TRY(pass_on(stiction_simulation_create(fit->session, run->scene, &run->simulation), error));
  for (int j = 0; j < fit->parameter_count; j++)
    path[j] = fit->parameter[j].path;
  ST_TRY(pass_on(stiction_simulation_differentiate(run->simulation, path, fit->parameter_count),
                 error));
  size_t columns = (size_t)fit->measured.column_count;
  size_t vertices = (size_t)stiction_simulation_vertex_count(run->simulation);
  run->before = ST_NEW(Motion, 2 * columns);
  run->place = ST_NEW(double, 6 * vertices);
  ST_TRY_MEMORY(run->before && run->place, error);
  run->now = run->before + columns;
  run->rate = run->place + 3 * vertices;
  return ST_OK;
}

static StStatus simulate(StFit *fit, const double *value, StError *error) {
  Run run = {.fit = fit};
  StStatus status = start(&run, value, error);
  if (status == ST_OK)
    status = follow(&run, error);
  stiction_simulation_free(run.simulation);
  stiction_scene_free(run.scene);
  free(run.before);
  free(run.place);
  return status;
}

static StStatus evaluate(void *context, const double *value, double *residual, double *jacobian,
                         StError *error) {
  StFit *fit = context;
  const StMeasured *measured = &fit->measured;
  int row = 0, parameters = fit->parameter_count;
  ST_TRY(simulate(fit, value, error));
  for (int i = 0; i < measured->rows * measured->column_count; i++) {
    if (isnan(measured->value[i]))
      continue;
    residual[row] = (measured->value[i] - fit->simulated[i]) / measured->sigma[i];
    for (int j = 0; j < parameters; j++)
      jacobian[j * measured->count + row] =
          fit->sensitivity[i * parameters + j] / measured->sigma[i];
    row++;
  }
  return ST_OK;
}

static void tell(void *context, const StFitProgress *now) {
  const StFit *fit = context;
  if (fit->progress)
    fit->progress(fit, now);
}

static double norm_of(const StMeasured *measured) {
  double sum = 0;
  for (int i = 0; i < measured->rows * measured->column_count; i++)
    if (!isnan(measured->value[i]))
      sum += pow(measured->value[i] / measured->sigma[i], 2);
  return sqrt(sum);
}

StStatus st_fit_run(StFit *fit, StError *error) {
  double low[ST_FIT_MOST], high[ST_FIT_MOST];
  for (int j = 0; j < fit->parameter_count; j++) {
    low[j] = fit->parameter[j].low;
    high[j] = fit->parameter[j].high;
    fit->value[j] = fmin(fmax(fit->parameter[j].start, low[j]), high[j]);
  }
  StLeastSquares problem = {.count = fit->parameter_count,
                            .rows = fit->measured.count,
                            .low = low,
                            .high = high,
                            .scale = norm_of(&fit->measured),
                            .weighted = fit->measured.weighted,
                            .iterations = fit->iterations,
                            .evaluate = evaluate,
                            .progress = tell,
                            .context = fit};
  ST_TRY(st_least_squares(&problem, fit->value, &fit->result, error));
  ST_TRY(simulate(fit, fit->value, error)); // the last trial may have been another
  fit->derivatives = fit->last;
  return ST_OK;
}

static StStatus check_times(const StFit *fit, double end, StError *error) {
  double last = fit->measured.time[fit->measured.rows - 1];
  if (last <= end * (1 + 1e-9))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "measurements go on to %g s, but the scene ends at %g s: make it longer, by "
                 "--set time.duration=%g",
                 last, end, last);
}

// With a unit that fits that of the scene, if it has one.
static StStatus read_bound(const char *text, StDimension dimension, double *bound, StError *error) {
  if (!*text)
    return ST_OK;
  return st_dimension_equal(dimension, ST_PURE) ? st_scene_quantity(text, bound, &dimension, error)
                                                : st_quantity_parse(text, dimension, bound, error);
}

static StStatus read_bounds(StFitParameter *parameter, StError *error) {
  const char *dots = parameter->bounds ? strstr(parameter->bounds, "..") : NULL;
  parameter->low = -INFINITY;
  parameter->high = INFINITY;
  if (!parameter->bounds)
    return ST_OK;
  if (!dots)
    return st_fail(error, ST_BAD_INPUT, "bounds are LOW..HIGH, such as 0.1..0.9, not '%.60s'",
                   parameter->bounds);
  ST_FREE char *low = strndup(parameter->bounds, (size_t)(dots - parameter->bounds));
  ST_TRY_MEMORY(low, error);
  ST_TRY(read_bound(low, parameter->dimension, &parameter->low, error));
  ST_TRY(read_bound(dots + 2, parameter->dimension, &parameter->high, error));
  return parameter->low < parameter->high
             ? ST_OK
             : st_fail(error, ST_BAD_INPUT, "the lower bound must be below the upper one");
}

static StStatus read_parameter(const StFit *fit, StFitParameter *parameter, StError *error) {
  ST_TRY(st_scene_get("scene", parameter->path, fit->scene, strlen(fit->scene), &parameter->start,
                      &parameter->dimension, error));
  StStatus status = read_bounds(parameter, error);
  return status == ST_OK ? ST_OK
                         : st_error_prefix(error, status, "--parameter %s: ", parameter->path);
}

static StStatus read_all(StFit *fit, const StDescription *description, const char *path,
                         double sigma, StError *error) {
  for (int j = 0; j < fit->parameter_count; j++)
    ST_TRY(read_parameter(fit, &fit->parameter[j], error));
  ST_TRY(st_measured_read(path, description, sigma, &fit->measured, error));
  ST_TRY(check_times(fit, description->time.duration, error));
  size_t size = (size_t)fit->measured.rows * (size_t)fit->measured.column_count;
  fit->simulated = ST_NEW(double, size);
  fit->sensitivity = ST_NEW(double, size *(size_t)fit->parameter_count);
  ST_TRY_MEMORY(fit->simulated && fit->sensitivity, error);
  return ST_OK;
}

StStatus st_fit_open(StFit *fit, const StDescription *description, const char *measured,
                     double sigma, StError *error) {
  StStatus status = read_all(fit, description, measured, sigma, error);
  if (status != ST_OK)
    st_fit_close(fit);
  return status;
}

void st_fit_close(StFit *fit) {
  st_measured_free(&fit->measured);
  free(fit->simulated);
  free(fit->sensitivity);
  fit->simulated = fit->sensitivity = NULL;
}
