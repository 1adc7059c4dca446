// `stiction import`: scenes of other programs as scenes of Stiction.
#include "app/command.h"
#include "app/options.h"
#include "base/file.h"
#include "base/memory.h"
#include "import/polyfem.h"

#include <stdio.h>
#include <string.h>

static void print_notes(const StText *notes) {
  fputs("not carried over:\n", stderr);
  for (const char *line = notes->data; line && *line;) {
    const char *end = strchr(line, '\n');
    fprintf(stderr, "  %.*s\n", (int)(end - line), line);
    line = end + 1;
  }
}

static StStatus import_scene(const char *path, const char *to, StError *error) {
  ST_FINALLY(st_text_free) StText scene = {0};
  ST_FINALLY(st_text_free) StText notes = {0};
  const char *slash = to ? strrchr(to, '/') : NULL;
  ST_FREE char *folder = st_format("%.*s", slash ? (int)(slash - to) + 1 : 0, to ? to : "");
  ST_TRY_MEMORY(folder, error);
  if (to)
    ST_TRY(st_folder_create_above(to, error));
  ST_TRY(st_polyfem_import(path, folder, &st_command_log, &scene, &notes, error));
  if (to)
    ST_TRY(st_file_write(to, scene.data, scene.length, error));
  if (!st_command_prints())
    return ST_OK;
  if (to)
    printf("written to %s; look at it with \"%s check %s\"\n", to, st_command_program(), to);
  else
    fwrite(scene.data, 1, scene.length, stdout);
  print_notes(&notes);
  return ST_OK;
}

static int run_import(int argc, char **argv) {
  const char *out = NULL, *path = NULL;
  const StArgument option[] = {{.name = "out", .letter = 'o', .value = &out}};
  int operands;
  StError error;
  if (st_options_parse(argc, argv, option, 1, &path, 1, &operands, &error) != ST_OK)
    return st_command_misused("import", "%s", error.text);
  if (operands != 1)
    return st_command_misused("import", "the scene to import is missing");
  if (import_scene(path, out, &error) != ST_OK)
    return st_command_fail(&error);
  return ST_EXIT_GOOD;
}

const StCommand st_command_import = {
    .name = "import",
    .summary = "make a scene from one of PolyFEM",
    .usage = "Usage: stiction import SCENE.json [--out FILE.json]\n"
             "\n"
             "Reads a scene of PolyFEM with the files it builds on (\"common\", \"patch\") and "
             "prints it as a\n"
             "scene of Stiction: meshes and their places, arrays of them, planes, materials, held "
             "and moved\n"
             "faces, tractions, gravity, friction, contact and time. Displacements over place and "
             "time become\n"
             "rigid motions where they are some. What is not carried over is listed on stderr.\n"
             "\n"
             "Meshes are not copied: the new scene names their files. Results differ in detail: "
             "contact acts\n"
             "from the gap \"dhat\" on, but by another law, and contacts that hold do not creep.\n"
             "\n"
             "Options:\n"
             "  -o, --out FILE   write the scene to a file; its paths are relative to the file's "
             "folder\n"
             "\n"
             "Examples:\n"
             "  stiction import slope-test.json --out slope.json\n"
             "  stiction run slope.json\n",
    .run = run_import,
};
