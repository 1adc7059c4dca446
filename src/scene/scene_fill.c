// bodies.NAME.fill: the surface in a mesh file, filled with tetrahedra or put into a cage of them.
#include "base/memory.h"
#include "scene/parts.h"

#include "fill/cage.h"
#include "fill/fill.h"

#include <stdio.h>

static StStatus scale_surface(StReader *reader, const StJson *body, const double scale[3],
                              StMesh *surface) {
  for (int k = 0; k < 3; k++)
    if (scale[k] == 0)
      return st_reader_fail(reader, st_json_get(body, "scale"), "must not be zero");
  for (int i = 0; i < 3 * surface->vertex_count; i++) {
    surface->position[i] *= scale[i % 3];
    if (!isfinite(surface->position[i]))
      return st_reader_fail(reader, body, "scale carries vertex %d to infinity", i / 3);
  }
  return ST_OK;
}

static StStatus fill_solid(StReader *reader, const StJson *file, const StSceneFill *given,
                           const StMesh *surface, StMesh **mesh) {
  const StFillWish wish = {given->edge, given->tolerance, given->hole, given->order};
  StStatus status =
      st_fill_cached(surface, st_scene_mesh_name(file), &wish, reader->log, mesh, reader->error);
  if (status != ST_BAD_INPUT)
    return status;
  StError why = *reader->error;
  return st_fail(reader->error, status, "%.800s; \"fill\": \"cage\" takes surfaces as they are",
                 why.text);
}

static void explain(const StCageReport *report, char *text, size_t size) {
  int used = snprintf(text, size, "%s",
                      report->exact ? "what the surface encloses"
                      : report->whole
                          ? "the surface encloses nothing: all of the cells that it passes through"
                          : "by samples, as the surface is open or parts of it overlap");
  if (report->crossings > 0 && used > 0 && (size_t)used < size)
    snprintf(text + used, size - (size_t)used,
             "; it passes through itself at %d edges, so the body has no self-contact",
             report->crossings);
}

// Defects of the surface become a note: a log would repeat them whenever the scene is read.
static StStatus put_into_cage(StReader *reader, const StJson *body, const StJson *file,
                              const StSceneFill *given, const StMesh *surface, StMesh **mesh) {
  StCageReport report;
  char key[120], value[40], reason[200];
  ST_TRY(
      st_cage(surface, st_scene_mesh_name(file), given->edge, NULL, mesh, &report, reader->error));
  snprintf(key, sizeof key, "volume of %.60s in its cage", body->key);
  snprintf(value, sizeof value, "%.4g m^3", report.volume);
  explain(&report, reason, sizeof reason);
  return st_description_add_note(reader->description, key, value, reason, reader->error);
}

// "edge" is a length in the world, so the scale is applied first.
StStatus st_scene_fill(StReader *reader, const StJson *body, const StJson *file,
                       const StSceneFill *given, const double scale[3], StMesh **mesh) {
  ST_FINALLY(st_mesh_destroy_at) StMesh *surface = NULL;
  ST_TRY(st_scene_read_surface(reader, file, &surface));
  StStatus status = scale_surface(reader, body, scale, surface);
  if (status == ST_OK) {
    status = given->fill == ST_FILL_CAGE ? put_into_cage(reader, body, file, given, surface, mesh)
                                         : fill_solid(reader, file, given, surface, mesh);
    if (status != ST_OK)
      status = st_reader_prefix(reader, file, status);
  }
  return status;
}

StStatus st_scene_check_fill(const StReader *reader, const StJson *body, const StJson *shape,
                             const StSceneFill *given) {
  static const char *const LENGTHS[] = {"tolerance", "hole", "edge"};
  if (given->fill && shape)
    return st_reader_fail_key(reader, st_json_get(body, "fill"),
                              "is for surfaces from a file; a shape has a \"fill\" of its own, "
                              "inside \"shape\"");
  int wrong = given->fill == ST_FILL_SOLID ? 0 : given->fill == ST_FILL_CAGE ? 2 : 3;
  for (int i = 0; i < wrong; i++)
    if (st_json_get(body, LENGTHS[i]))
      return st_reader_fail_key(reader, st_json_get(body, LENGTHS[i]),
                                "is for a mesh with \"fill\": \"solid\"%s%s",
                                i == 2 ? " or \"cage\"" : "",
                                shape ? "; the parameters of a shape stand inside \"shape\"" : "");
  return ST_OK;
}
