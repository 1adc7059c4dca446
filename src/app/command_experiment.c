// `stiction experiment`: lists and runs the paper's experiments, and makes a page of their results.
#include "app/command.h"
#include "app/options.h"
#include "app/param_text.h"
#include "app/progress.h"
#include "app/signals.h"
#include "base/file.h"
#include "base/memory.h"
#include "experiment/lab.h"
#include "experiment/report.h"
#include "solve/runtime.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_SETTINGS = 64, MOST_FOLDERS = 64, MOST_NAMES = 64 };

typedef struct Request {
  bool fresh, quiet, help, plots;
  const char *size, *out, *only, *threads;
  int set_count;
  const char *set[MOST_SETTINGS];
  int operand_count;
  const char *operand[1 + MOST_FOLDERS];
} Request;

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const StArgument option[] = {
      {.name = "size", .value = &request->size},
      {.name = "set", .value = request->set, .count = &request->set_count, .most = MOST_SETTINGS},
      {.name = "out", .value = &request->out},
      {.name = "only", .value = &request->only},
      {.name = "threads", .letter = 'j', .value = &request->threads},
      {.name = "fresh", .flag = &request->fresh},
      {.name = "quiet", .flag = &request->quiet},
      {.name = "plots", .flag = &request->plots},
      {.name = "help", .flag = &request->help},
  };
  return st_options_parse(argc, argv, option, ST_LENGTH(option), request->operand,
                          ST_LENGTH(request->operand), &request->operand_count, error);
}

static StStatus find_experiment(const char *name, const StExperiment **found, StError *error) {
  *found = st_experiment_find(name);
  if (*found)
    return ST_OK;
  const char *names[MOST_NAMES] = {"list", "report"};
  int count = 2;
  for (int i = 0; st_experiments[i] && count < MOST_NAMES; i++)
    names[count++] = st_experiments[i]->name;
  return st_fail_name("experiment", name, names, count, error);
}

static StStatus choose_size(const char *name, StExperimentSize *size, StError *error) {
  for (int i = 0; i < ST_EXPERIMENT_SIZES; i++)
    if (!name || strcmp(st_experiment_size_names[i], name) == 0) {
      *size = (StExperimentSize)i;
      return ST_OK;
    }
  return st_fail_name("size", name, st_experiment_size_names, ST_EXPERIMENT_SIZES, error);
}

// One "key=value".
static StStatus take_setting(const char *setting, const StExperiment *experiment, double *value,
                             StError *error) {
  const char *equals = strchr(setting, '=');
  char name[64];
  if (!equals || equals == setting || (size_t)(equals - setting) >= sizeof name)
    return st_fail(error, ST_BAD_INPUT, "--set takes key=value, not '%s'", setting);
  snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
  int index = st_experiment_param(experiment, name);
  if (index < 0) {
    const char *names[ST_EXPERIMENT_PARAMS];
    for (int i = 0; i < experiment->param_count; i++)
      names[i] = experiment->param[i].name;
    return st_fail_name("parameter", name, names, experiment->param_count, error);
  }
  const StParam *param = &experiment->param[index];
  StStatus status = st_param_parse(equals + 1, param, &value[index], error);
  if (status == ST_OK)
    status = st_param_check(param, value[index], error);
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "--set %s: ", name);
}

static StStatus settle(const Request *request, StLabSettings *settings, StError *error) {
  ST_TRY(find_experiment(request->operand[0], &settings->experiment, error));
  if (request->operand_count > 1)
    return st_fail(error, ST_BAD_INPUT, "'%s' is an unexpected argument", request->operand[1]);
  if (request->out && !*request->out)
    return st_fail(error, ST_BAD_INPUT, "--out needs the name of a folder");
  ST_TRY(choose_size(request->size, &settings->size, error));
  st_experiment_defaults(settings->experiment, settings->size, settings->value);
  for (int i = 0; i < request->set_count; i++)
    ST_TRY(take_setting(request->set[i], settings->experiment, settings->value, error));
  settings->fresh = request->fresh;
  settings->only = request->only;
  return st_option_threads(request->threads, &settings->threads, error);
}

static void describe(const StExperiment *experiment, StText *text) {
  st_text_add(text, "%s\n", experiment->name);
  st_text_wrap(text, 2, experiment->summary);
  st_text_add(text, "  The paper:\n");
  st_text_wrap(text, 4, experiment->paper);
  st_text_add(text, "  Parameters (--set key=value):\n");
  for (int i = 0; i < experiment->param_count; i++)
    st_param_describe(text, &experiment->param[i], NULL);
  for (int i = 0; i < experiment->preset_count; i++)
    st_text_add(text, "%s%s = %g", i ? ", " : "  With --size paper: ", experiment->preset[i].name,
                experiment->preset[i].value);
  st_text_add(text, experiment->preset_count ? "\n" : "");
}

static int print(StText *text) {
  bool failed = text->failed;
  if (!failed && text->length > 0 && st_command_prints())
    fputs(text->data, stdout);
  st_text_free(text);
  StError error;
  return failed ? (st_fail_memory(&error), st_command_fail(&error)) : ST_EXIT_GOOD;
}

static int print_list(const Request *request) {
  StText text = {0};
  StError error;
  const StExperiment *one;
  for (int i = 0; st_experiments[i] && request->operand_count < 2; i++) {
    st_text_add(&text, "%s\n", st_experiments[i]->name);
    st_text_wrap(&text, 4, st_experiments[i]->summary);
  }
  for (int i = 1; i < request->operand_count; i++) {
    if (find_experiment(request->operand[i], &one, &error) != ST_OK) {
      st_text_free(&text);
      return st_command_misused("experiment", "%s", error.text);
    }
    describe(one, &text);
  }
  return print(&text);
}

static int print_report(const Request *request) {
  if (request->operand_count < 2)
    return st_command_misused("experiment", "the folders of experiments are needed");
  StText text = {0};
  StError error;
  StStatus status = st_report_write(request->operand + 1, request->operand_count - 1,
                                    request->plots, &text, &error);
  if (status == ST_OK && request->out)
    status = st_file_write(request->out, text.data, text.length, &error);
  if (status == ST_OK && !request->out)
    return print(&text);
  st_text_free(&text);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

typedef struct Watch {
  StProgress progress;
  double began_at; // wall clock
  int skipped;     // cases done before the first one ran
  bool running;
} Watch;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Estimated from the fraction of cases done, which is rough if they differ in size.
static double seconds_left(const Watch *watch, const StLabMoment *moment) {
  const StRunProgress *run = moment->run;
  double share = run->duration > 0 ? run->time / run->duration : 1;
  double done = moment->cases_done - watch->skipped + share;
  double left = moment->cases - moment->cases_done - share;
  return done > 0 && left >= 0 ? (now() - watch->began_at) * left / done : NAN;
}

static void show(void *context, const StLabMoment *at) {
  Watch *watch = context;
  if (!at->run)
    return;
  if (!watch->running) {
    watch->running = true;
    watch->skipped = at->cases_done;
    watch->began_at = now();
  }
  StMoment moment = {.time = at->run->time,
                     .duration = at->run->duration,
                     .h = at->run->report->h,
                     .newton_iterations = at->run->report->newton_iterations,
                     .frame = at->run->frames_written - 1,
                     .frame_count = at->run->frame_count,
                     .seconds_left = seconds_left(watch, at),
                     .part = at->name,
                     .part_index = at->cases_done,
                     .part_count = at->cases};
  st_progress_update(&watch->progress, &moment, at->run->on_frame);
}

static int finish(const StLabSettings *settings, StStatus status, const StResult *result,
                  StError *error) {
  if (status == ST_INTERRUPTED)
    st_fail(error, ST_INTERRUPTED,
            "stopped on request; everything is saved in %s; run the same command again to continue",
            settings->folder);
  if (status != ST_OK)
    return st_command_fail(error);
  StText text = {0};
  st_result_write_text(result, &text);
  st_text_add(&text, "Results are in %s: summary.json", settings->folder);
  for (size_t i = 0; i < result->plot_count; i++)
    st_text_add(&text, ", %s", result->plot[i]);
  st_text_add(&text, "\n");
  return print(&text);
}

static int run_lab(StLabSettings *settings, bool quiet) {
  bool prints = st_command_prints();
  Watch watch = {
      .progress = {.stream = stdout, .style = st_progress_style(stdout, quiet || !prints)}};
  StLog log = st_progress_log(&watch.progress);
  settings->log = prints ? &log : NULL;
  settings->stop = st_signals_listen();
  settings->progress = show;
  settings->context = &watch;
  StError error = {0};
  StResult result = {0};
  StStatus status = st_runtime_start(&error);
  if (status == ST_OK)
    status = st_lab_run(settings, &result, &error);
  st_progress_clear(&watch.progress);
  int code = finish(settings, status, &result, &error);
  st_result_free(&result);
  st_runtime_stop();
  return code;
}

static int run_named(const Request *request) {
  StLabSettings settings = {0};
  StError error;
  if (settle(request, &settings, &error) != ST_OK)
    return st_command_misused("experiment", "%s", error.text);
  StText text = {0};
  if (request->help) {
    describe(settings.experiment, &text);
    return print(&text);
  }
  st_text_add(&text, "experiments/%s-%s", settings.experiment->name,
              st_experiment_size_names[settings.size]);
  if (text.failed)
    return print(&text);
  settings.folder = request->out ? request->out : text.data;
  int code = run_lab(&settings, request->quiet);
  st_text_free(&text);
  return code;
}

static int run_experiment(int argc, char **argv) {
  Request request = {0};
  StError error;
  if (parse(argc, argv, &request, &error) != ST_OK)
    return st_command_misused("experiment", "%s", error.text);
  const char *word = request.operand_count ? request.operand[0] : NULL;
  bool special = word && (strcmp(word, "list") == 0 || strcmp(word, "report") == 0);
  if (request.help && (!word || special)) {
    StText text = {0};
    st_text_add(&text, "%s", st_command_experiment.usage);
    return print(&text);
  }
  if (!word)
    return st_command_misused("experiment", "the name of an experiment is needed, or list");
  if (!special)
    return run_named(&request);
  return strcmp(word, "list") == 0 ? print_list(&request) : print_report(&request);
}

const StCommand st_command_experiment = {
    .name = "experiment",
    .summary = "repeat an experiment of the paper and print its figures next to ours",
    .usage =
        "Usage: stiction experiment list [NAME]…\n"
        "       stiction experiment NAME [--size small|paper] [--set key=value]… [--out DIR]\n"
        "                                [--only PATTERN] [--threads N] [--fresh] [--quiet]\n"
        "       stiction experiment report DIR… [--plots] [--out FILE]\n"
        "       mpiexec -n N stiction experiment NAME …\n"
        "\n"
        "`list` lists the experiments; with a name, or NAME --help, it shows what the paper found\n"
        "and the parameters. Running one writes summary.json and SVG plots into its folder and\n"
        "prints the table. Each simulated case has its own folder with scene.json, frames and\n"
        "history, as from `stiction run`; finished cases are not run again, and an interrupted\n"
        "one continues. `report` makes one Markdown page of the summaries in several folders.\n"
        "\n"
        "Options:\n"
        "  --size WORD        small (the default): about a minute; paper: as large as the paper's\n"
        "  --set KEY=VALUE    change a parameter, with its unit: --set duration='5 s'\n"
        "  --out DIR          folder for results (default: experiments/NAME-SIZE); for report: the "
        "file\n"
        "  --only PATTERN     run only cases whose names match a shell pattern; for the others "
        "the\n"
        "                     tables show existing results ('' runs none)\n"
        "  --threads N        number of threads, also -j N (default: all processors)\n"
        "  --fresh            run finished cases again\n"
        "  --plots            for report: include plots, with the paths as given\n"
        "  --quiet            no progress\n"
        "\n"
        "Examples:\n"
        "  stiction experiment list block-slide\n"
        "  stiction experiment block-slide --only 'be-*' --set duration='30 s'\n"
        "  stiction experiment report experiments/*-paper --out docs/results.md\n",
    .answers_help = true,
    .run = run_experiment,
};
