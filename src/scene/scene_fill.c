// bodies.NAME.fill: fills the surface in a mesh file with tetrahedra.
#include "scene/parts.h"

#include "fill/fill.h"
#include "mesh/read.h"

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

// "edge" is a length in the world, so the scale is applied first.
StStatus st_scene_fill(StReader *reader, const StJson *body, const StJson *file,
                       const StSceneFill *given, const double scale[3], StMesh **mesh) {
  StMesh *surface = NULL;
  ST_TRY(st_scene_read_surface(reader, file, &surface));
  StStatus status = scale_surface(reader, body, scale, surface);
  const StFillWish wish = {given->edge, given->tolerance, given->hole};
  if (status == ST_OK) {
    status =
        st_fill_cached(surface, st_scene_mesh_name(file), &wish, reader->log, mesh, reader->error);
    if (status != ST_OK)
      status = st_reader_prefix(reader, file, status);
  }
  st_mesh_destroy(surface);
  return status;
}

StStatus st_scene_check_fill(const StReader *reader, const StJson *body, const StJson *shape,
                             const StSceneFill *given) {
  static const char *const LENGTHS[] = {"edge", "tolerance", "hole"};
  if (given->fill && shape)
    return st_reader_fail_key(reader, st_json_get(body, "fill"),
                              "is for surfaces from a file; a shape has a \"fill\" of its own, "
                              "inside \"shape\"");
  for (int i = 0; i < 3 && !given->fill; i++)
    if (st_json_get(body, LENGTHS[i]))
      return st_reader_fail_key(reader, st_json_get(body, LENGTHS[i]),
                                "is for a mesh with \"fill\": \"solid\"%s",
                                shape ? "; the parameters of a shape stand inside \"shape\"" : "");
  return ST_OK;
}
