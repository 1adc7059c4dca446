// `stiction check`: reads a scene, builds the initial state of a run, and describes what would be
// simulated. Takes no step, writes nothing.
#include "app/command.h"
#include "app/options.h"
#include "app/scene_source.h"
#include "app/scene_summary.h"
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/simulation.h"

#include <stdio.h>

// Builds the initial state, so that a scene is rejected here as in a run: values that fail only
// together, bodies inside each other.
static StStatus try_start(const StDescription *description, StError *error) {
  StSimulation *simulation = NULL;
  StStatus status = st_simulation_create(description, &st_command_log, &simulation, error);
  st_simulation_destroy(simulation);
  return status;
}

static StStatus summarise(const StSceneSource *source, StText *text, StError *error) {
  ST_FINALLY(st_description_destroy_at) StDescription *description = NULL;
  ST_TRY(st_scene_source_parse(source, &description, error));
  ST_TRY(try_start(description, error));
  if (st_command_prints())
    ST_TRY(st_scene_summary(description, text, error));
  return ST_OK;
}

static int run_check(int argc, char **argv) {
  bool quiet = false;
  const char *path = NULL, *set[ST_SET_MOST];
  int operands, sets = 0;
  const StArgument option[] = {{.name = "quiet", .flag = &quiet},
                               {.name = "set", .value = set, .count = &sets, .most = ST_SET_MOST}};
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &path, 1, &operands, &error) != ST_OK)
    return st_command_misused("check", "%s", error.text);
  if (operands == 0)
    return st_command_misused("check", "a scene is needed");
  ST_FINALLY(st_text_free) StText text = {0};
  StSceneSource source;
  StStatus status = st_runtime_start(&error);
  if (status == ST_OK)
    status = st_scene_source_read(path, set, sets, &source, &error);
  if (status == ST_OK) {
    status = summarise(&source, &text, &error);
    st_scene_source_free(&source);
  }
  if (status == ST_OK && !quiet && st_command_prints())
    fputs(text.data, stdout);
  int code = status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
  st_runtime_stop();
  return code;
}

const StCommand st_command_check = {
    .name = "check",
    .summary = "check a scene and print what would be simulated, without running it",
    .usage = "Usage: stiction check SCENE.json [--set KEY=VALUE]... [--quiet]\n"
             "       ... | stiction check - ...      a scene from standard input\n"
             "\n"
             "Reads a scene with all its meshes and prints sizes, masses, materials, boundaries,\n"
             "contact pairs, steps and frames, and every default with its reason. Also builds the\n"
             "initial state, so it finds the same mistakes as `run`, but takes no step and writes\n"
             "nothing. A mistake gives exit code 2 and a message with file, line, column, key and\n"
             "what would be right.\n"
             "\n"
             "Options:\n"
             "  --set KEY=VALUE  change a value of the scene; may be repeated\n"
             "  --quiet          print warnings and errors only\n"
             "\n"
             "Examples:\n"
             "  stiction check examples/swing.json\n"
             "  stiction check --quiet my-scene.json && stiction run my-scene.json\n",
    .run = run_check,
};
