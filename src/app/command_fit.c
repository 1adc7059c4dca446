// `stiction fit`: numbers of a scene from measured positions.
#include "app/command.h"
#include "app/options.h"
#include "app/scene_source.h"
#include "app/signals.h"
#include "base/memory.h"
#include "fit/report.h"
#include "solve/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int ITERATIONS = 30; // Gauss–Newton takes five where it is near

typedef struct Request {
  const char *scene, *to, *out, *sigma, *threads, *iterations;
  const char *parameter[ST_FIT_MOST], *set[ST_SET_MOST];
  int parameter_count, set_count;
  bool quiet;
  double deviation;        // m, of --sigma
  char *path[ST_FIT_MOST]; // parameters without bounds; owned
  StFit fit;
} Request;

// "KEY" or "KEY=LOW..HIGH".
static StStatus parse_parameter(Request *request, int index, StError *error) {
  const char *text = request->parameter[index], *equals = strchr(text, '=');
  StFitParameter *parameter = &request->fit.parameter[index];
  request->path[index] = strndup(text, equals ? (size_t)(equals - text) : strlen(text));
  ST_TRY_MEMORY(request->path[index], error);
  *parameter = (StFitParameter){.path = request->path[index], .bounds = equals ? equals + 1 : NULL};
  for (int i = 0; i < index; i++)
    if (strcmp(request->path[i], parameter->path) == 0)
      return st_fail(error, ST_BAD_INPUT, "--parameter %s is there twice", parameter->path);
  return ST_OK;
}

static StStatus parse_sigma(Request *request, StError *error) {
  if (!request->sigma)
    return ST_OK;
  StStatus status =
      st_quantity_parse(request->sigma, ST_LENGTH_DIMENSION, &request->deviation, error);
  if (status != ST_OK)
    return st_error_prefix(error, status, "--sigma: ");
  return request->deviation > 0
             ? ST_OK
             : st_fail(error, ST_BAD_INPUT, "--sigma: a standard deviation is positive");
}

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const StArgument option[] = {
      {.name = "to", .value = &request->to},
      {.name = "parameter",
       .value = request->parameter,
       .count = &request->parameter_count,
       .most = ST_FIT_MOST},
      {.name = "set", .value = request->set, .count = &request->set_count, .most = ST_SET_MOST},
      {.name = "sigma", .value = &request->sigma},
      {.name = "iterations", .value = &request->iterations},
      {.name = "out", .value = &request->out},
      {.name = "threads", .value = &request->threads},
      {.name = "quiet", .flag = &request->quiet}};
  int operands;
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), &request->scene, 1, &operands,
                          error));
  if (operands == 0)
    return st_fail(error, ST_BAD_INPUT, "a scene is needed");
  if (!request->to)
    return st_fail(error, ST_BAD_INPUT, "--to MEASURED.csv is missing");
  if (request->parameter_count == 0)
    return st_fail(error, ST_BAD_INPUT,
                   "--parameter KEY is missing, such as --parameter friction.0.dynamic");
  request->fit.parameter_count = request->parameter_count;
  request->fit.iterations = ITERATIONS;
  for (int i = 0; i < request->parameter_count; i++)
    ST_TRY(parse_parameter(request, i, error));
  ST_TRY(parse_sigma(request, error));
  ST_TRY(st_option_threads(request->threads, &request->fit.threads, error));
  return request->iterations ? st_option_whole("iterations", request->iterations, 1, 10000,
                                               &request->fit.iterations, error)
                             : ST_OK;
}

// out/NAME-fit, from …/NAME.json; to free().
static char *default_folder(const char *scene) {
  int stem;
  const char *name = st_path_name(scene, &stem);
  return st_format("out/%.*s-fit", stem, name);
}

static void print_progress(const StFit *fit, const StFitProgress *now) {
  char misfit[64];
  st_fit_misfit(fit, now->sum_of_squares, misfit, sizeof misfit);
  printf("iteration %d: misfit %s;", now->iteration, misfit);
  for (int j = 0; j < fit->parameter_count; j++)
    printf("%s %s = %.6g", j ? "," : "", fit->parameter[j].path, now->value[j]);
  putchar('\n');
  fflush(stdout);
}

// The result is written in any case; a fit without convergence is a failure.
static StStatus judge(const StFit *fit, StError *error) {
  for (int j = 0; j < fit->parameter_count; j++) {
    if (fit->result.fate[j] == ST_FIT_WITHOUT_EFFECT)
      return st_fail(error, ST_NOT_SOLVED,
                     "%s has no effect on what was measured: measure what depends on it, or leave "
                     "it out",
                     fit->parameter[j].path);
    if (fit->result.fate[j] == ST_FIT_UNDETERMINED)
      return st_fail(error, ST_NOT_SOLVED,
                     "%s is not determined by what was measured, because other parameters can take "
                     "its place: fix one of them",
                     fit->parameter[j].path);
  }
  if (fit->result.converged)
    return ST_OK;
  if (fit->result.iterations == fit->iterations)
    return st_fail(error, ST_NOT_SOLVED,
                   "not converged after %d iterations: --iterations allows more", fit->iterations);
  return st_fail(error, ST_NOT_SOLVED,
                 "not converged: no step fits better, although the derivatives promise it; other "
                 "starting values, bounds, or smaller time steps may help");
}

static StStatus conclude(const Request *request, const char *folder, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  ST_TRY(st_fit_write(&request->fit, folder, error));
  st_fit_words(&request->fit, &text);
  ST_TRY_MEMORY(!text.failed, error);
  if (!request->quiet)
    printf("\n%s\nwritten to %s: fit.json, fitted.json (the scene with these values), fit.csv, "
           "fit.svg\n",
           text.data, folder);
  fflush(stdout);
  return judge(&request->fit, error);
}

static StStatus fit_source(Request *request, const StSceneSource *source, StError *error) {
  StFit *fit = &request->fit;
  ST_FINALLY(st_description_destroy_at) StDescription *description = NULL;
  ST_FREE char *folder = request->out ? st_copy_string(request->out) : default_folder(source->path);
  ST_TRY_MEMORY(folder, error);
  ST_TRY(st_scene_source_parse(source, &description, error));
  fit->scene = source->text;
  fit->folder = source->folder;
  fit->stop = st_signals_listen();
  fit->progress = request->quiet ? NULL : print_progress;
  ST_TRY(st_fit_open(fit, description, request->to, request->deviation, error));
  StStatus status = st_fit_run(fit, error);
  if (status == ST_OK)
    status = conclude(request, folder, error);
  st_fit_close(fit);
  return status;
}

static StStatus fit_request(Request *request, StError *error) {
  StSceneSource source = {0};
  if (st_runtime_size() > 1)
    return st_fail(error, ST_BAD_INPUT, "fit runs on one process");
  ST_TRY(st_scene_source_read(request->scene, request->set, request->set_count, &source, error));
  StStatus status = fit_source(request, &source, error);
  st_scene_source_free(&source);
  return status;
}

static int perform(Request *request) {
  StError error = {0};
  StStatus status = (StStatus)stiction_open(&request->fit.session);
  if (status != ST_OK)
    st_fail(&error, status, "%s", stiction_error(NULL));
  else
    status = fit_request(request, &error);
  stiction_close(request->fit.session);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

static int run_fit(int argc, char **argv) {
  Request request = {0};
  StError error;
  StStatus status = parse(argc, argv, &request, &error);
  int code = status == ST_OK ? perform(&request) : st_command_misused("fit", "%s", error.text);
  for (int i = 0; i < request.parameter_count; i++)
    free(request.path[i]);
  return code;
}

const StCommand st_command_fit = {
    .name = "fit",
    .summary = "find numbers of a scene, such as friction or stiffness, from measured positions",
    .usage =
        "Usage: stiction fit SCENE.json --to MEASURED.csv --parameter KEY[=LOW..HIGH]...\n"
        "                    [--sigma LENGTH] [--set KEY=VALUE]... [--iterations N] [--out DIR]\n"
        "                    [--threads N] [--quiet]\n"
        "\n"
        "Finds the values with which probes of the scene are where they were measured, by the\n"
        "method of Levenberg and Marquardt on derivatives of the simulation. It starts from the\n"
        "scene's values, and gives a standard error for each.\n"
        "\n"
        "The first column of MEASURED.csv is time, the others are named as in history.csv:\n"
        "x(PROBE), y(PROBE), z(PROBE), with a unit in brackets, [mm], unless it is SI. Columns\n"
        "sigma(x(PROBE)), or sigma for all, are standard deviations. Empty cells are not used.\n"
        "\n"
        "DIR gets fit.json (values, covariance, misfit), fitted.json (the scene with the values),\n"
        "fit.csv and fit.svg (measured and simulated). Exit code 4: not converged, or a parameter\n"
        "that the measurements do not determine; what was found is written nevertheless.\n"
        "\n"
        "Options:\n"
        "  --to FILE        the measurements\n"
        "  --parameter KEY  a number of the scene, with bounds if it should have some; keys are\n"
        "                   as in `stiction run --set`, and the number must be written there\n"
        "  --sigma LENGTH   standard deviation of what was measured; without any, it is estimated\n"
        "                   from what the fit leaves\n"
        "  --set KEY=VALUE  changes a value of the scene first; may be given several times\n"
        "  --iterations N   at most (30)\n"
        "  --out DIR        folder for the results (default: out/NAME-fit for a scene NAME.json)\n"
        "  --threads N      threads (default: as the scene says, or all cores)\n"
        "  --quiet          print warnings and errors only\n"
        "\n"
        "Examples:\n"
        "  stiction fit slide.json --to track.csv --parameter friction.0.dynamic\n"
        "  stiction fit sag.json --to tip.csv --parameter 'materials.rubber.young=0.1 MPa..10 "
        "MPa' \\\n"
        "               --sigma '0.2 mm'\n",
    .run = run_fit,
};
