// `stiction check`: reads a scene and tells what would be simulated. Runs nothing, writes nothing.
#include "app/command.h"
#include "app/options.h"
#include "app/scene_summary.h"
#include "scene/scene.h"

#include <stdio.h>

static StStatus summarise(const char *path, StText *text, StError *error) {
  StDescription *description = NULL;
  ST_TRY(st_scene_load(path, &st_command_log, &description, error));
  StStatus status = st_scene_summary(description, text, error);
  st_description_destroy(description);
  return status;
}

static int run_check(int argc, char **argv) {
  bool quiet = false;
  const char *path = NULL;
  const StArgument option[] = {{.name = "quiet", .flag = &quiet}};
  int operands;
  StError error;
  if (st_options_parse(argc, argv, option, 1, &path, 1, &operands, &error) != ST_OK)
    return st_command_misused("check", "%s", error.text);
  if (operands == 0)
    return st_command_misused("check", "a scene is needed");
  StText text = {0};
  StStatus status = summarise(path, &text, &error);
  if (status == ST_OK && !quiet && st_command_speaks())
    fputs(text.data, stdout);
  st_text_free(&text);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

const StCommand st_command_check = {
    .name = "check",
    .summary = "validate a scene and tell what would be simulated; runs nothing",
    .usage = "Usage: stiction check SCENE.json [--quiet]\n"
             "\n"
             "Reads a scene with all its meshes and prints sizes, masses, materials, what is\n"
             "held, what touches what, steps and frames, and the defaults that were chosen with\n"
             "their reasons. Runs nothing and writes nothing. A scene with a mistake ends with\n"
             "exit code 2 and a message that names file, line, column, key and what would be\n"
             "right.\n"
             "\n"
             "Options:\n"
             "  --quiet   print warnings and errors only\n"
             "\n"
             "Examples:\n"
             "  stiction check examples/swing.json\n"
             "  stiction check --quiet my-scene.json && stiction run my-scene.json\n",
    .run = run_check,
};
