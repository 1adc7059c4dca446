// `stiction plot`: a run's history over time, as a picture.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"
#include "output/run_folder.h"
#include "show/plot_run.h"

#include <stdio.h>
#include <string.h>

typedef struct Request {
  const char *of, *over, *out, *body;
  bool list;
  int folder_count, compared;
  const char *folder[ST_PLOT_RUNS], *compare[ST_PLOT_RUNS];
} Request;

static StStatus check_out(const char *out, StError *error) {
  if (!out || st_text_ends_in(out, ".svg") || st_text_ends_in(out, ".png"))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "--out %s: must end in .svg or .png", out);
}

// Folders after --compare and without it are equivalent.
static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const StArgument option[] = {{.name = "of", .value = &request->of},
                               {.name = "over", .value = &request->over},
                               {.name = "out", .value = &request->out},
                               {.name = "body", .value = &request->body},
                               {.name = "list", .flag = &request->list},
                               {.name = "compare",
                                .value = request->compare,
                                .count = &request->compared,
                                .most = ST_PLOT_RUNS}};
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), request->folder, ST_PLOT_RUNS,
                          &request->folder_count, error));
  if (request->folder_count == 0)
    return st_fail(error, ST_BAD_INPUT, "the folder of a run is needed");
  if (request->folder_count + request->compared > ST_PLOT_RUNS)
    return st_fail(error, ST_BAD_INPUT, "at most %d runs fit into one picture", ST_PLOT_RUNS);
  memmove(request->folder + 1 + request->compared, request->folder + 1,
          (size_t)(request->folder_count - 1) * sizeof request->folder[0]);
  memcpy(request->folder + 1, request->compare,
         (size_t)request->compared * sizeof request->folder[0]);
  request->folder_count += request->compared;
  return check_out(request->out, error);
}

static StStatus draw(const Request *request, const StRecording *run, const char *path,
                     StError *error) {
  char **word = NULL;
  int count = 0;
  if (request->of)
    ST_TRY(st_split_words(request->of, &word, &count, error));
  if (request->of && count == 0) {
    free(word);
    return st_fail(error, ST_BAD_INPUT,
                   "--of needs a name, such as energy; --list shows what there is");
  }
  const StPlotRequest plot = {.run_count = request->folder_count,
                              .run = run,
                              .word_count = count,
                              .word = (const char *const *)word,
                              .over = request->over,
                              .body = request->body};
  StStatus status = st_plot_runs(&plot, path, error);
  free(word);
  return status;
}

static StStatus deliver(const Request *request, const StRecording *run, StError *error) {
  StText list = {0};
  if (request->list) {
    st_plot_list(run, &list);
    if (!list.failed && st_command_prints())
      fputs(list.data, stdout);
    st_text_free(&list);
    return ST_OK;
  }
  ST_FREE char *path = request->out ? st_copy_string(request->out)
                                    : st_run_folder_file(request->folder[0], "plot.svg");
  ST_TRY_MEMORY(path, error);
  ST_TRY(draw(request, run, path, error));
  if (st_command_prints())
    printf("written to %s\n", path);
  return ST_OK;
}

static int run_plot(int argc, char **argv) {
  Request request = {0};
  StRecording run[ST_PLOT_RUNS] = {0};
  StError error;
  if (parse(argc, argv, &request, &error) != ST_OK)
    return st_command_misused("plot", "%s", error.text);
  StStatus status = ST_OK;
  for (int i = 0; i < request.folder_count && status == ST_OK; i++)
    status = st_recording_load(request.folder[i], NULL, &run[i], &error);
  if (status == ST_OK)
    status = deliver(&request, run, &error);
  for (int i = 0; i < ST_PLOT_RUNS; i++)
    st_recording_close(&run[i]);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

static void add_quantities(StText *text) {
  st_text_add(text, "\nQuantities (those marked * are plotted without --of):\n");
  for (int i = 0; st_plot_quantities[i].name; i++)
    st_text_add(text, " %c%-17s %s\n", st_plot_quantities[i].usual ? '*' : ' ',
                st_plot_quantities[i].name, st_plot_quantities[i].title);
}

const StCommand st_command_plot = {
    .name = "plot",
    .summary = "plot energies, heights, contact … of a run over time, as SVG or PNG",
    .usage =
        "Usage: stiction plot DIR [--of NAME,NAME] [--over COLUMN] [--body NAME]\n"
        "                     [--compare DIR]... [--out FILE] [--list]\n"
        "\n"
        "Plots quantities of a run over time, or over another column such as a displacement, one\n"
        "panel each, also while the run is going on.\n"
        "Quantities with several columns leave out those that are zero throughout.\n"
        "\n"
        "Options:\n"
        "  --of NAMES     quantities, or columns of history.csv by name, where ? stands for\n"
        "                 one letter and * for any (default: the usual ones that the run has)\n"
        "  --over COLUMN  a column of history.csv for the other axis instead of time\n"
        "  --body NAME    centre, velocity, energy and contact of one body\n"
        "  --compare DIR  another run in the same panels, with another line style; up to\n"
        "                 four runs in all\n"
        "  --out FILE     .svg or .png (default: DIR/plot.svg)\n"
        "  --list         only list what can be plotted\n"
        "\n"
        "Examples:\n"
        "  stiction plot out/swing\n"
        "  stiction plot out/swing --of energy,height --out swing.png\n"
        "  stiction plot out/be --compare out/tr --of energy\n"
        "  stiction plot out/balloon --of 'pressure(air)'\n"
        "  stiction plot out/pile --body ball_3\n"
        "  stiction plot out/press --of 'reaction_z(plate)' --over 'z(tip)'\n",
    .more = add_quantities,
    .run = run_plot,
};
