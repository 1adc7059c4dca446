// `stiction sweep`: a scene with many values, in one table and one plot.
#include "app/command.h"
#include "app/options.h"
#include "app/scene_source.h"
#include "app/batch_run.h"
#include "app/batch_table.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Request {
  StBatch sweep;
  const char *set[ST_SET_MOST], *vary[ST_BATCH_KEYS], *jobs, *show;
  int vary_count;
  bool together;
} Request;

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  StBatch *sweep = &request->sweep;
  const StArgument option[] = {
      {.name = "vary",
       .value = request->vary,
       .count = &request->vary_count,
       .most = ST_BATCH_KEYS},
      {.name = "set", .value = request->set, .count = &sweep->set_count, .most = ST_SET_MOST},
      {.name = "together", .flag = &request->together},
      {.name = "out", .value = &sweep->out},
      {.name = "jobs", .value = &request->jobs},
      {.name = "show", .value = &request->show},
      {.name = "overwrite", .flag = &sweep->overwrite},
      {.name = "quiet", .flag = &sweep->quiet}};
  int operands;
  sweep->set = request->set;
  ST_TRY(
      st_options_parse(argc, argv, option, ST_LENGTH(option), &sweep->scene, 1, &operands, error));
  if (operands == 0)
    return st_fail(error, ST_BAD_INPUT, "a scene is needed");
  if (strcmp(sweep->scene, "-") == 0)
    return st_fail(error, ST_BAD_INPUT, "every run reads the scene: it must be a file");
  if (request->vary_count == 0)
    return st_fail(error, ST_BAD_INPUT, "--vary KEY=VALUE,VALUE is missing");
  for (int i = 0; i < request->vary_count; i++)
    ST_TRY(st_batch_values_add(&sweep->values, request->vary[i], error));
  ST_TRY(st_batch_values_finish(&sweep->values, request->together, error));
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  sweep->jobs = cores > 0 ? (int)cores : 1;
  return request->jobs ? st_option_whole("jobs", request->jobs, 1, 1024, &sweep->jobs, error)
                       : ST_OK;
}

// out/NAME-sweep, from …/NAME.json; to free().
static char *default_folder(const char *scene) {
  int stem;
  const char *name = st_path_name(scene, &stem);
  return st_format("out/%.*s-sweep", stem, name);
}

static int perform(Request *request) {
  StBatch *sweep = &request->sweep;
  StError error;
  int failed = 0;
  if (st_batch_check(sweep, &error) != ST_OK)
    return st_command_fail(&error);
  if (sweep->jobs > sweep->values.run_count)
    sweep->jobs = sweep->values.run_count;
  if (!sweep->quiet)
    printf("%d runs into %s, %d at a time\n", sweep->values.run_count, sweep->out, sweep->jobs);
  if (st_batch_run(sweep, &failed, &error) != ST_OK ||
      st_batch_print(sweep, request->show, &error) != ST_OK)
    return st_command_fail(&error);
  if (failed > 0)
    fprintf(stderr, "stiction: %d of %d runs did not finish; their output is in %s/*.log\n", failed,
            sweep->values.run_count, sweep->out);
  return failed > 0 ? ST_EXIT_NOT_SOLVED : ST_EXIT_GOOD;
}

static int run_sweep(int argc, char **argv) {
  Request request = {0};
  StError error;
  StStatus status = parse(argc, argv, &request, &error);
  ST_FREE char *folder = NULL;
  if (status == ST_OK && !request.sweep.out)
    request.sweep.out = folder = default_folder(request.sweep.scene);
  int code = status != ST_OK      ? st_command_misused("sweep", "%s", error.text)
             : !request.sweep.out ? ST_EXIT_SYSTEM_FAULT
                                  : perform(&request);
  st_batch_values_free(&request.sweep.values);
  return code;
}

const StCommand st_command_sweep = {
    .name = "sweep",
    .summary = "run a scene with several parameter values; one table, one plot",
    .usage =
        "Usage: stiction sweep SCENE.json --vary KEY=VALUES [--vary KEY=VALUES]... [--together]\n"
        "                      [--set KEY=VALUE]... [--show COLUMNS] [--out DIR] [--jobs N]\n"
        "                      [--overwrite] [--quiet]\n"
        "\n"
        "Runs a scene for every combination of values, several at a time, each in its own folder\n"
        "DIR/run-001 …. A run that fails does not stop the others. At the end it prints a table,\n"
        "writes it to DIR/sweep.csv, and plots it over the first key into DIR/sweep.svg. Run "
        "again,\n"
        "it skips finished runs and continues the others.\n"
        "\n"
        "Options:\n"
        "  --vary KEY=VALUES  VALUES is a list, 0.1,0.2,0.5, or LOW:HIGH:COUNT followed by a\n"
        "                     unit: 1:3:5 MPa. Keys are as in `stiction run --set`\n"
        "  --together         take the first value of every key, then the second …, instead of\n"
        "                     all combinations\n"
        "  --set KEY=VALUE    the same for all runs\n"
        "  --show COLUMNS     columns of history.csv in the table and the plot: NAME (its last\n"
        "                     value), NAME:max, NAME:min, NAME:mean, comma-separated\n"
        "  --out DIR          folder for the runs (default: out/NAME-sweep for a scene NAME.json)\n"
        "  --jobs N           runs at a time (default: one per core)\n"
        "  --overwrite        run everything again\n"
        "  --quiet            print warnings and errors only\n"
        "\n"
        "Examples:\n"
        "  stiction sweep examples/slide.json --vary 'friction[0].dynamic=0.1,0.15,0.2'\n"
        "  stiction sweep examples/bounce.json --vary 'materials.ball.young=10:40:4 MPa' \\\n"
        "                 --vary time.step=1ms,2ms --show kinetic_energy:max\n",
    .run = run_sweep,
};
