// `stiction export`: converts a run to files of other programs.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/unit.h"
#include "show/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FORMATS = 16 };

typedef struct Request {
  const char *folder, *to, *out, *every, *from, *until, *fields;
  bool surface, volume;
} Request;

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const StArgument option[] = {
      {.name = "to", .value = &request->to},          {.name = "out", .value = &request->out},
      {.name = "every", .value = &request->every},    {.name = "from", .value = &request->from},
      {.name = "until", .value = &request->until},    {.name = "fields", .value = &request->fields},
      {.name = "surface", .flag = &request->surface}, {.name = "volume", .flag = &request->volume},
  };
  int operands;
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), &request->folder, 1, &operands,
                          error));
  if (operands == 0)
    return st_fail(error, ST_BAD_INPUT, "the folder of a run is needed");
  if (request->surface && request->volume)
    return st_fail(error, ST_BAD_INPUT, "--surface and --volume cannot be combined");
  if (request->out && !*request->out)
    return st_fail(error, ST_BAD_INPUT, "--out needs the name of a file or folder");
  return ST_OK;
}

static StStatus choose_format(const char *name, const StExportFormat **format, StError *error) {
  const char *names[MOST_FORMATS];
  int count = 0;
  for (; st_export_formats[count] && count < MOST_FORMATS; count++)
    names[count] = st_export_formats[count]->name;
  *format = name ? st_export_find(name) : NULL;
  if (*format)
    return ST_OK;
  if (name)
    return st_fail_name("format", name, names, count, error);
  return st_fail(error, ST_BAD_INPUT, "--to FORMAT is needed, such as --to glb");
}

static StStatus parse_time(const char *name, const char *text, double otherwise, double *value,
                           StError *error) {
  *value = otherwise;
  StStatus status = text ? st_quantity_parse(text, ST_TIME, value, error) : ST_OK;
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "--%s: ", name);
}

static StStatus settle(const Request *request, StExportSettings *settings, StError *error) {
  ST_TRY(choose_format(request->to, &settings->format, error));
  if (request->every)
    ST_TRY(st_option_whole("every", request->every, 1, 1000000, &settings->every, error));
  ST_TRY(parse_time("from", request->from, -INFINITY, &settings->from, error));
  ST_TRY(parse_time("until", request->until, INFINITY, &settings->until, error));
  settings->out = request->out;
  settings->part = request->surface  ? ST_EXPORT_SURFACE
                   : request->volume ? ST_EXPORT_VOLUME
                                     : ST_EXPORT_USUAL;
  settings->log = &st_command_log;
  return ST_OK;
}

static StStatus deliver(const Request *request, const StExportSettings *settings,
                        StExported *exported, StError *error) {
  ST_FINALLY(st_recording_close) StRecording recording = {0};
  ST_TRY(st_recording_load(request->folder, NULL, &recording, error));
  return st_export(&recording, settings, exported, error);
}

static int run_export(int argc, char **argv) {
  Request request = {0};
  StExportSettings settings = {0};
  StError error;
  if (parse(argc, argv, &request, &error) != ST_OK || settle(&request, &settings, &error) != ST_OK)
    return st_command_misused("export", "%s", error.text);
  StExported exported = {0};
  ST_FREE char **field = NULL;
  StStatus status = request.fields
                        ? st_split_words(request.fields, &field, &settings.field_count, &error)
                        : ST_OK;
  settings.field = (const char *const *)field;
  if (status == ST_OK)
    status = deliver(&request, &settings, &exported, &error);
  if (status == ST_OK && st_command_prints())
    printf("%d frame%s written to %s\n", exported.frame_count, exported.frame_count == 1 ? "" : "s",
           exported.path);
  free(exported.path);
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

static void add_formats(StText *text) {
  st_text_add(text, "\nFormats:\n");
  for (int i = 0; st_export_formats[i]; i++)
    st_text_add(text, "  %-7s %s\n", st_export_formats[i]->name, st_export_formats[i]->summary);
}

const StCommand st_command_export = {
    .name = "export",
    .summary = "write a run as glTF, USD, VTU, VTKHDF, OBJ, PLY or point cache",
    .usage =
        "Usage: stiction export DIR --to FORMAT [--out PATH] [--every N] [--from TIME]\n"
        "                       [--until TIME] [--surface|--volume] [--fields NAME,NAME]\n"
        "\n"
        "Converts the frames of a run for other programs, also while the run is in progress.\n"
        "Surfaces are the outer faces of solids and the triangles of shells.\n"
        "\n"
        "Options:\n"
        "  --to FORMAT          one of the formats below\n"
        "  --out PATH           file, or folder for formats with a file per frame (default: in\n"
        "                       DIR/export)\n"
        "  --every N            every Nth frame (default: all; animations of long runs are\n"
        "                       thinned out, with a message)\n"
        "  --from, --until TIME a span of simulated time: 0.5, 200ms\n"
        "  --surface, --volume  for vtu, vtm, vtkhdf: the surface, or all cells (default)\n"
        "  --fields NAMES       for vtu, vtm, vtkhdf, ply: only these fields (default: all)\n"
        "\n"
        "Examples:\n"
        "  stiction export out/swing --to glb\n"
        "  stiction export out/swing --to obj --every 2 --out frames\n"
        "  stiction export out/swing --to vtu --surface --fields velocity,contact_state\n",
    .more = add_formats,
    .run = run_export,
};
