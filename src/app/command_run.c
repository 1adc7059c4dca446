// `stiction run`: a scene from its start to its end.
#include "app/command.h"
#include "app/options.h"
#include "app/sitting.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <stdlib.h>
#include <string.h>

typedef struct Request {
  const char *scene, *out;
  bool overwrite;
  StManner manner;
} Request;

// out/NAME, from …/NAME.json; to free().
static char *default_folder(const char *scene) {
  const char *slash = strrchr(scene, '/');
  const char *name = slash ? slash + 1 : scene;
  const char *dot = strrchr(name, '.');
  StText text = {0};
  st_text_add(&text, "out/%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
  if (text.failed)
    st_text_free(&text);
  return text.data;
}

// The folder of a file: "" for one in the current folder; to free().
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  StText text = {0};
  st_text_add(&text, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
  if (text.failed)
    st_text_free(&text);
  return text.data;
}

// The text is kept as it was parsed: the run's folder gets the same bytes.
static StStatus read_scene(const char *path, char **text, size_t *size, StDescription **description,
                           StError *error) {
  ST_TRY(st_file_read_most(path, ST_SCENE_SIZE, text, size, error));
  char *folder = folder_of(path);
  if (!folder)
    return st_fail_memory(error);
  StStatus status = st_scene_parse(path, *text, *size, folder, &st_command_log, description, error);
  free(folder);
  return status;
}

static int simulate(const Request *request, const char *text, size_t size,
                    const StDescription *description) {
  StError error;
  char *folder = request->out ? NULL : default_folder(request->scene);
  if (!request->out && !folder) {
    st_fail_memory(&error);
    return st_command_fail(&error);
  }
  StRunOptions options = {.folder = folder ? folder : request->out,
                          .scene_path = request->scene,
                          .scene_text = text,
                          .scene_size = size,
                          .overwrite = request->overwrite};
  int code = st_runtime_start(&error) == ST_OK ? st_sitting(description, &options, request->manner)
                                               : st_command_fail(&error);
  st_runtime_stop();
  free(folder);
  return code;
}

static int run_run(int argc, char **argv) {
  Request request = {0};
  const StArgument option[] = {{.name = "out", .value = &request.out},
                               {.name = "overwrite", .flag = &request.overwrite},
                               {.name = "strict", .flag = &request.manner.strict},
                               {.name = "quiet", .flag = &request.manner.quiet}};
  int operands;
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &request.scene, 1, &operands,
                       &error) != ST_OK)
    return st_command_misused("run", "%s", error.text);
  if (operands == 0)
    return st_command_misused("run", "a scene is needed");
  if (request.out && !*request.out)
    return st_command_misused("run", "--out needs the name of a folder");
  char *text = NULL;
  size_t size = 0;
  StDescription *description = NULL;
  int code = read_scene(request.scene, &text, &size, &description, &error) == ST_OK
                 ? simulate(&request, text, size, description)
                 : st_command_fail(&error);
  st_description_destroy(description);
  free(text);
  return code;
}

const StCommand st_command_run = {
    .name = "run",
    .summary = "simulate a scene and write frames, history and summary",
    .usage =
        "Usage: stiction run SCENE.json [--out DIR] [--overwrite] [--strict] [--quiet]\n"
        "       mpiexec -n N stiction run SCENE.json ...\n"
        "\n"
        "Simulates a scene from its start to its end. Into the folder go frames/*.vtu and\n"
        "NAME.pvd (open this one in ParaView), history.csv, summary.json and a checkpoint.\n"
        "Ctrl-C finishes the step, saves, and says how to go on; a second one ends at once.\n"
        "\n"
        "Options:\n"
        "  --out DIR     where the results go; out/NAME for a scene NAME.json\n"
        "  --overwrite   replace the run that is already in the folder\n"
        "  --strict      exit code 6 when the judge found anything: an edge through a triangle,\n"
        "                something inside an obstacle or a body, an inverted tet\n"
        "  --quiet       print warnings and errors only\n"
        "\n"
        "Examples:\n"
        "  stiction run examples/swing.json\n"
        "  stiction run examples/swing.json --out /tmp/swing --overwrite\n"
        "  mpiexec -n 2 stiction run examples/swing.json --quiet\n",
    .run = run_run,
};
