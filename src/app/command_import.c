// `stiction import`: scenes of other programs as scenes of Stiction.
#include "app/command.h"
#include "app/options.h"
#include "base/file.h"
#include "base/memory.h"
#include "import/polyfem.h"
#include "import/urdf.h"
#include "import/write.h"

#include <stdio.h>
#include <string.h>

static void print_notes(const StText *notes) {
  if (notes->length > 0)
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
  ST_FREE char *folder = st_import_folder(to ? to : "");
  ST_TRY_MEMORY(folder, error);
  if (to)
    ST_TRY(st_folder_create_above(to, error));
  bool robot = st_text_ends_in(path, ".urdf") || st_text_ends_in(path, ".xml");
  ST_TRY((robot ? st_urdf_import : st_polyfem_import)(path, folder, &st_command_log, &scene, &notes,
                                                      error));
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
    .summary = "make a scene from one of PolyFEM, or from a robot (URDF)",
    .usage = "Usage: stiction import FILE [--out SCENE.json]\n"
             "\n"
             "Prints a scene of another program as a scene of Stiction, and lists on stderr what "
             "is not\n"
             "carried over. Meshes are not copied: the new scene names their files.\n"
             "\n"
             "FILE.json is a scene of PolyFEM, read with the files it builds on (\"common\", "
             "\"patch\"):\n"
             "meshes and their places, arrays of them, planes, materials, held and moved faces, "
             "tractions,\n"
             "gravity, friction, contact and time; without \"time\" the analysis is static. "
             "Displacements\n"
             "over place and time become rigid motions where they are some. Results differ in "
             "detail:\n"
             "contact acts from the gap \"dhat\" on, but by "
             "another law, and contacts that hold do not creep.\n"
             "\n"
             "FILE.urdf is a robot: its links become rigid bodies with the masses, inertias and "
             "collision\n"
             "geometry of the file (visual geometry where there is none), its joints hinges, "
             "sliders, stops\n"
             "and dampers. Links that are fixed to each other become one body; the first one is "
             "held. Links\n"
             "that a joint connects do not touch each other.\n"
             "\n"
             "Options:\n"
             "  -o, --out SCENE.json   write the scene to a file; its paths are relative to that\n"
             "\n"
             "Examples:\n"
             "  stiction import slope-test.json --out slope.json\n"
             "  stiction import arm.urdf --out arm.json\n",
    .run = run_import,
};
