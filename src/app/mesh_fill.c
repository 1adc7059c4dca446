// `stiction mesh fill`: reads a surface, fills it or puts it into a cage, and describes the result.
#include "app/mesh_fill.h"

#include "app/command.h"
#include "app/mesh_summary.h"
#include "app/options.h"
#include "app/param_text.h"
#include "base/memory.h"
#include "fill/cage.h"
#include "fill/fill.h"
#include "mesh/read.h"
#include "mesh/write.h"

#include <stdio.h>

typedef struct Request {
  const char *in, *out;
  StFillWish wish;
  double scale;
  bool cage;
} Request;

static const StParam LENGTH = {.kind = ST_REAL, .dimension = ST_LENGTH_DIMENSION};
static const StParam FACTOR = {.kind = ST_REAL};

static StStatus parse_positive(const char *name, const char *text, const StParam *param,
                               double *value, StError *error) {
  if (!text)
    return ST_OK;
  StStatus status = st_param_parse(text, param, value, error);
  if (status == ST_OK && !(*value > 0 && *value < INFINITY))
    status = st_fail(error, ST_BAD_INPUT, "it must be positive, not %s", text);
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "--%s: ", name);
}

static StStatus parse_request(int argc, char **argv, Request *request, StError *error) {
  const char *edge = NULL, *tolerance = NULL, *hole = NULL, *scale = NULL;
  const StArgument option[] = {
      {.name = "edge", .value = &edge},         {.name = "tolerance", .value = &tolerance},
      {.name = "hole", .value = &hole},         {.name = "scale", .value = &scale},
      {.name = "cage", .flag = &request->cage}, {.name = "out", .value = &request->out}};
  int files;
  *request = (Request){.scale = 1};
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), &request->in, 1, &files, error));
  if (files == 0)
    return st_fail(error, ST_BAD_INPUT, "fill needs the file of a surface");
  if (request->cage && (tolerance || hole))
    return st_fail(error, ST_BAD_INPUT, "--%s is not for a cage, which takes the surface as it is",
                   tolerance ? "tolerance" : "hole");
  ST_TRY(parse_positive("edge", edge, &LENGTH, &request->wish.edge, error));
  ST_TRY(parse_positive("tolerance", tolerance, &LENGTH, &request->wish.tolerance, error));
  ST_TRY(parse_positive("hole", hole, &LENGTH, &request->wish.hole, error));
  return parse_positive("scale", scale, &FACTOR, &request->scale, error);
}

static void describe(const StFillReport *report, const StMesh *surface, StText *text) {
  st_text_add(text, "%-14s %d triangles were given; edges of %.4g m were wanted\n", "surface",
              surface->triangle_count, report->wish.edge);
  st_text_add(text, "%-14s %.3g m at most, of %.3g m allowed\n", "moved by", report->deviation,
              report->wish.tolerance);
  st_text_add(text, "%-14s %+.3f %%\n", "volume change", -100 * report->volume_loss);
  if (report->tight_count > 0)
    st_text_add(text, "%-14s %d, where larger triangles would cross or lie too far off\n",
                "fine places", report->tight_count);
}

static void describe_cage(const StCageReport *report, const StMesh *mesh, StText *text) {
  st_text_add(text, "%-14s %d vertices and %d triangles, carried by the cage\n", "surface",
              mesh->cage->vertex_count, mesh->triangle_count);
  st_text_add(text,
              "%-14s %d tets and %d vertices, of a lattice of %d x %d x %d cells up to %.4g m\n",
              "cage", mesh->tet_count, mesh->vertex_count - mesh->cage->vertex_count,
              report->cells[0], report->cells[1], report->cells[2], report->edge);
  st_text_add(text, "%-14s %.6g m^3%s\n", "volume", report->volume,
              report->exact   ? ", as the surface encloses"
              : report->whole ? ", all of the cells: the surface encloses nothing"
                              : ", by samples");
}

static StStatus make_cage(const Request *request, const StMesh *surface, StMesh **mesh,
                          StText *text, StError *error) {
  StCageReport report;
  ST_TRY(st_cage(surface, request->in, request->wish.edge, &st_command_log, mesh, &report, error));
  describe_cage(&report, *mesh, text);
  return ST_OK;
}

static StStatus make_solid(const Request *request, const StMesh *surface, StMesh **mesh,
                           StText *text, StError *error) {
  StFillReport report;
  StStatus status =
      st_fill(surface, request->in, &request->wish, &st_command_log, mesh, &report, error);
  if (status == ST_BAD_INPUT) {
    StError why = *error;
    return st_fail(error, status, "%.800s; --cage takes surfaces as they are", why.text);
  }
  ST_TRY(status);
  describe(&report, surface, text);
  return st_mesh_summary(*mesh, text, error);
}

static StStatus fill(const Request *request, StText *text, StError *error) {
  StMesh *surface = NULL, *mesh = NULL;
  ST_TRY(st_mesh_read_raw(request->in, &st_command_log, &surface, error));
  for (int i = 0; i < 3 * surface->vertex_count; i++)
    surface->position[i] *= request->scale;
  StStatus status = request->cage ? make_cage(request, surface, &mesh, text, error)
                                  : make_solid(request, surface, &mesh, text, error);
  if (status == ST_OK && request->out)
    status = st_mesh_write(request->out, mesh, error);
  st_mesh_destroy(surface);
  st_mesh_destroy(mesh);
  return status;
}

int st_mesh_fill_run(int argc, char **argv) {
  Request request;
  StError error;
  if (parse_request(argc, argv, &request, &error) != ST_OK)
    return st_command_misused("mesh", "%s", error.text);
  ST_FINALLY(st_text_free) StText text = {0};
  StStatus status = fill(&request, &text, &error);
  if (status == ST_OK && st_command_prints()) {
    fputs(text.data, stdout);
    if (request.out)
      printf("written to %s\n", request.out);
  }
  return status == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}
