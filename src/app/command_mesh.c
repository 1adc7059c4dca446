// `stiction mesh`: makes parametric shapes, inspects and converts mesh files.
#include "app/command.h"
#include "app/mesh_fill.h"
#include "app/mesh_summary.h"
#include "app/options.h"
#include "app/param_text.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/read.h"
#include "mesh/shape.h"
#include "mesh/write.h"

#include <stdio.h>
#include <string.h>

// Accepts --major-radius for --major_radius, which is how scenes spell it.
static void normalise(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strncmp(argv[i], "--", 2) == 0)
      for (char *c = argv[i] + 2; *c && *c != '='; c++)
        *c = *c == '-' ? '_' : *c;
}

typedef struct Request {
  bool surface, solid;
  const char *out;
  const char *text[ST_PARAM_MAX];
} Request;

static StStatus parse_request(const StShapeType *type, int argc, char **argv, Request *request,
                              StError *error) {
  StArgument option[ST_PARAM_MAX + 4] = {{.name = "surface", .flag = &request->surface},
                                         {.name = "solid", .flag = &request->solid},
                                         {.name = "out", .value = &request->out}};
  for (int i = 0; i < type->param_count; i++)
    option[3 + i] = (StArgument){.name = type->param[i].name, .value = &request->text[i]};
  int operands;
  normalise(argc, argv);
  ST_TRY(st_options_parse(argc, argv, option, 3 + type->param_count, NULL, 0, &operands, error));
  if (request->surface && request->solid)
    return st_fail(error, ST_BAD_INPUT, "--surface and --solid cannot be combined");
  return ST_OK;
}

static StStatus parse_value(const char *text, const StParam *param, double *value, StError *error) {
  StStatus status = st_param_parse(text, param, value, error);
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "--%s: ", param->name);
}

static StStatus parse_values(const StShapeType *type, const Request *request, double *value,
                             StError *error) {
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < type->param_count; i++)
    if (request->text[i])
      ST_TRY(parse_value(request->text[i], &type->param[i], &value[i], error));
  return ST_OK;
}

static int fail_shape(const char *name) {
  const char *names[64];
  int count = 0;
  StError error;
  for (; st_shape_types[count] && count < ST_LENGTH(names); count++)
    names[count] = st_shape_types[count]->name;
  st_fail_name("shape", name, names, count, &error);
  return st_command_misused("mesh", "%s", error.text);
}

// Writes the mesh if a path is given, and describes it in any case.
static StStatus deliver(const StMesh *mesh, const char *path, StError *error) {
  ST_FINALLY(st_text_free) StText summary = {0};
  ST_TRY(st_mesh_summary(mesh, &summary, error));
  if (path)
    ST_TRY(st_mesh_write(path, mesh, error));
  if (st_command_prints()) {
    fputs(summary.data, stdout);
    if (path)
      printf("written to %s\n", path);
  }
  return ST_OK;
}

// argv[0] is the shape.
static int make(int argc, char **argv) {
  const StShapeType *type = argc > 0 ? st_shape_find(argv[0]) : NULL;
  if (!type)
    return argc > 0 ? fail_shape(argv[0]) : st_command_misused("mesh", "make needs a shape");
  Request request = {0};
  StError error;
  if (parse_request(type, argc, argv, &request, &error) != ST_OK)
    return st_command_misused("mesh", "%s", error.text);
  double value[ST_PARAM_MAX];
  bool solid = request.solid || (type->solid_by_default && !request.surface);
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  StStatus status = parse_values(type, &request, value, &error);
  if (status == ST_OK)
    status = type->make(value, solid ? ST_SHAPE_SOLID : ST_SHAPE_SURFACE, &mesh, &error);
  if (status == ST_OK)
    status = deliver(mesh, request.out, &error);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

typedef struct Diagnosis {
  StText text; // a line per kind of defect
  int count;
} Diagnosis;

static void add_defect(void *context, const char *text) {
  Diagnosis *diagnosis = context;
  st_text_add(&diagnosis->text, "%-14s %s\n", diagnosis->count++ == 0 ? "defects" : "", text);
}

static StStatus diagnose(const char *in, StMesh *mesh, StError *error) {
  Diagnosis diagnosis = {0};
  StStatus status = st_mesh_diagnose(mesh, in, &st_command_log, add_defect, &diagnosis, error);
  if (status == ST_OK)
    status = deliver(mesh, NULL, error);
  if (status == ST_OK && diagnosis.text.failed)
    status = st_fail_memory(error);
  if (status == ST_OK && diagnosis.count > 0) {
    if (st_command_prints())
      fputs(diagnosis.text.data, stdout);
    status = st_fail(error, ST_BAD_INPUT,
                     "%s: scenes refuse this mesh because of its defects; \"stiction mesh fill\" "
                     "repairs surfaces",
                     in);
  }
  st_text_free(&diagnosis.text);
  return status;
}

// Describes a mesh also where it could not be simulated, and says why not.
static int inspect(const char *in) {
  StError error;
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  StStatus status = st_mesh_read_raw(in, &st_command_log, &mesh, &error);
  if (status == ST_OK)
    status = diagnose(in, mesh, &error);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

static int convert_mesh(const char *in, const char *out) {
  StError error;
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  StStatus status = st_mesh_read_second_order(in, &st_command_log, &mesh, &error);
  if (status == ST_OK)
    status = deliver(mesh, out, &error);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

static int run_mesh(int argc, char **argv) {
  char long_out[] = "--out"; // long form of -o
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "-o") == 0)
      argv[i] = long_out;
  if (argc < 2)
    return st_command_misused("mesh", "one of make, fill, inspect, convert is needed");
  if (strcmp(argv[1], "make") == 0)
    return make(argc - 2, argv + 2);
  if (strcmp(argv[1], "fill") == 0)
    return st_mesh_fill_run(argc - 1, argv + 1);
  bool convert = strcmp(argv[1], "convert") == 0;
  if (!convert && strcmp(argv[1], "inspect") != 0)
    return st_command_misused("mesh", "'%s' is none of make, fill, inspect, convert", argv[1]);
  const char *file[2] = {NULL, NULL};
  int files;
  StError error;
  if (st_options_parse(argc - 1, argv + 1, NULL, 0, file, convert ? 2 : 1, &files, &error) != ST_OK)
    return st_command_misused("mesh", "%s", error.text);
  if (files < (convert ? 2 : 1))
    return st_command_misused("mesh", convert ? "convert needs two files" : "inspect needs a file");
  return convert ? convert_mesh(file[0], file[1]) : inspect(file[0]);
}

const StCommand st_command_mesh = {
    .name = "mesh",
    .summary = "make a shape, fill a surface with tets, inspect or convert a mesh file",
    .usage =
        "Usage: stiction mesh make SHAPE [--PARAMETER VALUE]... [--solid|--surface] [-o FILE]\n"
        "       stiction mesh fill FILE [--edge LENGTH] [--tolerance LENGTH] [--hole LENGTH]\n"
        "                          [--scale FACTOR] [-o FILE]\n"
        "       stiction mesh fill FILE --cage [--edge LENGTH] [--scale FACTOR] [-o FILE]\n"
        "       stiction mesh inspect FILE\n"
        "       stiction mesh convert FILE FILE\n"
        "\n"
        "make builds a shape, such as a sphere; `stiction list shapes` prints all of them with\n"
        "their parameters. fill repairs a surface from a file, remeshes it to the given edge\n"
        "length and fills it with tets. fill --cage puts a lattice of tets around a surface that\n"
        "cannot be filled and shows what a scene with \"fill\": \"cage\" makes of it. inspect\n"
        "prints counts, labels, size, volume, quality, whether the surface is closed, and every\n"
        "defect for which a scene would refuse the mesh (exit code 2). The file\n"
        "extension selects the format: .vtu, .vtkhdf, .vtk, .msh, and for surfaces .obj and .stl.\n"
        "\n"
        "Options of make:\n"
        "  --PARAMETER VALUE  a number in SI units, or one with a unit: --radius 2cm\n"
        "  --solid            tets (the default of shapes that have any)\n"
        "  --surface          triangles\n"
        "  -o, --out FILE     write the mesh; without it the mesh is only described\n"
        "\n"
        "Options of fill:\n"
        "  --edge LENGTH      target edge length, or the longest side of a cage's cells (default:\n"
        "                     a twentieth of the surface's size; of a solid at most 2/15 of\n"
        "                     its thickness, if 25 000 tets are enough)\n"
        "  --tolerance LENGTH how far the surface may move (default: a tenth of the edge)\n"
        "  --hole LENGTH      close holes up to this width (default: a fifth of the surface's "
        "size)\n"
        "  --scale FACTOR     factor on the file's numbers: 0.001 for millimetres\n"
        "  --cage             a lattice around the surface, which stays as it is\n"
        "  -o, --out FILE     write the mesh; without it the mesh is only described\n"
        "\n"
        "Examples:\n"
        "  stiction mesh make sphere\n"
        "  stiction mesh make sphere --radius 2cm --edge 2mm -o ball.vtu\n"
        "  stiction mesh make tube --radius 5cm --thickness 4mm --length 30cm -o tube.vtu\n"
        "  stiction mesh make sheet --width 1 --length 2 --edge 2cm -o cloth.vtu\n"
        "  stiction mesh fill bunny.stl --edge 5mm -o bunny.vtu\n"
        "  stiction mesh fill scan.stl --cage --edge 1cm -o look.vtu\n"
        "  stiction mesh fill part.stl --scale 0.001 --edge 2mm -o part.vtu\n"
        "  stiction mesh inspect ball.vtu\n"
        "  stiction mesh convert part.msh part.vtu\n",
    .run = run_mesh,
};
