// `stiction resume`: continues a run from its last checkpoint.
#include "app/command.h"
#include "app/options.h"
#include "app/run_session.h"
#include "base/memory.h"
#include "solve/runtime.h"

static int load_and_go_on(const char *folder, int threads, const char *systems, StManner manner) {
  ST_FINALLY(st_resume_scene_free) StResumeScene scene = {0};
  StError error;
  if (st_runtime_agree(st_run_resume_load(folder, &scene, &error), &error) != ST_OK)
    return st_command_fail(&error);
  const StSceneSource source = {.path = scene.scene_path,
                                .name = scene.scene_path,
                                .folder = scene.scene_folder,
                                .text = scene.scene_text,
                                .size = scene.scene_size};
  StRunOptions options = {.folder = folder, .systems = systems, .resume = true};
  return st_run_session(&source, threads, &options, manner);
}

static int run_resume(int argc, char **argv) {
  StManner manner = {0};
  const char *folder = NULL, *asked = NULL, *systems = NULL;
  const StArgument option[] = {{.name = "threads", .letter = 'j', .value = &asked},
                               {.name = "dump-systems", .value = &systems},
                               {.name = "strict", .flag = &manner.strict},
                               {.name = "quiet", .flag = &manner.quiet}};
  int operands, threads = 0;
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &folder, 1, &operands, &error) !=
          ST_OK ||
      st_option_threads(asked, &threads, &error) != ST_OK)
    return st_command_misused("resume", "%s", error.text);
  if (operands == 0)
    return st_command_misused("resume", "the folder of a run is needed");
  int code = st_runtime_start(&error) == ST_OK ? load_and_go_on(folder, threads, systems, manner)
                                               : st_command_fail(&error);
  st_runtime_stop();
  return code;
}

const StCommand st_command_resume = {
    .name = "resume",
    .summary = "continue a run that was stopped or killed",
    .usage = "Usage: stiction resume DIR [--threads N] [--strict] [--dump-systems DIR]\n"
             "                       [--quiet]\n"
             "\n"
             "Continues a run from the last checkpoint in its folder, with the scene it started\n"
             "with. On one process the result is bit for bit that of an uninterrupted run. The\n"
             "numbers of processes and threads may differ from before.\n"
             "\n"
             "Options:\n"
             "  --threads N  number of threads, also -j N (default: all processors)\n"
             "  --strict     exit code 6 when the judge found anything in the whole run\n"
             "  --dump-systems DIR  write linear systems that an iterative solver fails on, each\n"
             "               into a file of this folder (one process)\n"
             "  --quiet      print warnings and errors only\n"
             "\n"
             "Examples:\n"
             "  stiction resume out/swing\n"
             "  mpiexec -n 2 stiction resume out/swing\n",
    .run = run_resume,
};
