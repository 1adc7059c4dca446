// `stiction run`: a scene from its start to its end.
#include "app/command.h"
#include "app/options.h"
#include "app/scene_source.h"
#include "app/run_session.h"
#include "base/memory.h"
#include "base/text.h"
#include "solve/runtime.h"

#include <stdlib.h>
#include <string.h>

typedef struct Request {
  const char *scene, *out, *threads, *systems, *set[ST_SET_MOST];
  int set_count;
  bool overwrite;
  StManner manner;
} Request;

// out/NAME, from …/NAME.json; to free().
static char *default_folder(const char *scene) {
  int stem;
  const char *name = st_path_name(scene, &stem);
  return st_format("out/%.*s", stem, name);
}

static int read_and_simulate(const Request *request, int threads) {
  ST_FINALLY(st_scene_source_free) StSceneSource source = {0};
  StError error;
  if (st_scene_source_read(request->scene, request->set, request->set_count, &source, &error) !=
      ST_OK)
    return st_command_fail(&error);
  ST_FREE char *folder = default_folder(source.path);
  if (!folder) {
    st_fail_memory(&error);
    return st_command_fail(&error);
  }
  StRunOptions options = {.folder = request->out ? request->out : folder,
                          .systems = request->systems,
                          .overwrite = request->overwrite};
  return st_run_session(&source, threads, &options, request->manner);
}

static int run_run(int argc, char **argv) {
  Request request = {0};
  const StArgument option[] = {
      {.name = "out", .value = &request.out},
      {.name = "set", .value = request.set, .count = &request.set_count, .most = ST_SET_MOST},
      {.name = "threads", .letter = 'j', .value = &request.threads},
      {.name = "dump-systems", .value = &request.systems},
      {.name = "overwrite", .flag = &request.overwrite},
      {.name = "strict", .flag = &request.manner.strict},
      {.name = "quiet", .flag = &request.manner.quiet}};
  int operands, threads = 0;
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &request.scene, 1, &operands,
                       &error) != ST_OK ||
      st_option_threads(request.threads, &threads, &error) != ST_OK)
    return st_command_misused("run", "%s", error.text);
  if (operands == 0)
    return st_command_misused("run", "a scene is needed");
  if (request.out && !*request.out)
    return st_command_misused("run", "--out needs the name of a folder");
  int code = st_runtime_start(&error) == ST_OK ? read_and_simulate(&request, threads)
                                               : st_command_fail(&error);
  st_runtime_stop();
  return code;
}

const StCommand st_command_run = {
    .name = "run",
    .summary = "simulate a scene and write frames, history and summary",
    .usage =
        "Usage: stiction run SCENE.json [--set KEY=VALUE]... [--out DIR] [--threads N]\n"
        "                    [--overwrite] [--strict] [--dump-systems DIR] [--quiet]\n"
        "       mpiexec -n N stiction run SCENE.json ...\n"
        "       ... | stiction run - ...      a scene from standard input\n"
        "\n"
        "Simulates a scene from start to end. Writes frames/*.vtu and NAME.pvd (open this one\n"
        "in ParaView; several processes write *.vtkhdf and NAME.vtkhdf.series), history.csv,\n"
        "contacts.csv, summary.json and a checkpoint into a folder. Ctrl-C finishes the step,\n"
        "saves, and prints how to continue; a second Ctrl-C stops at once.\n"
        "\n"
        "Options:\n"
        "  --set KEY=VALUE  change a value of the scene; may be repeated. Join keys with dots,\n"
        "                number list items, give values with units\n"
        "  --out DIR     folder for results (default: out/NAME for a scene NAME.json)\n"
        "  --threads N   number of threads, also -j N (default: all processors, one under\n"
        "                mpiexec). Results do not depend on it\n"
        "  --overwrite   replace a run that is already in the folder\n"
        "  --strict      exit code 6 when the judge found anything: an edge through a triangle,\n"
        "                something inside an obstacle or a body, an inverted tet\n"
        "  --dump-systems DIR  write linear systems that an iterative solver fails on, each into\n"
        "                a file of this folder (one process; for those who work on solvers)\n"
        "  --quiet       print warnings and errors only\n"
        "\n"
        "Examples:\n"
        "  stiction run examples/swing.json\n"
        "  stiction run examples/swing.json --out /tmp/swing --overwrite\n"
        "  stiction run examples/swing.json --set 'materials.jelly.young=2 MPa' --out out/stiff\n"
        "  mpiexec -n 2 stiction run examples/swing.json --quiet\n",
    .run = run_run,
};
