// Chooses the reader, then makes and checks the mesh.
#include "mesh/read.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/reader.h"

#include <string.h>
#include <strings.h>

// A few hundred million elements; a larger mesh would not fit into one process.
static const size_t FILE_MOST = (size_t)8 << 30;

typedef struct Format {
  const char *ending;
  const char *opening; // required first bytes; NULL: any
  StStatus (*read)(StScan *scan, StBuilder *builder);
} Format;

static const Format formats[] = {
    {".msh", "$MeshFormat", st_read_msh},
    {".vtk", "# vtk DataFile", st_read_vtk},
    {".vtu", "<VTKFile", st_read_vtu},
    {".vtu", "<?xml", st_read_vtu},
    {".obj", NULL, st_read_obj},
    {".stl", NULL, st_read_stl},
    {".vtkhdf", "\x89HDF\r\n", st_read_vtkhdf},
};

static const Format *find_by_ending(const char *name) {
  const char *ending = strrchr(name, '.');
  for (int i = 0; i < ST_LENGTH(formats) && ending; i++)
    if (strcasecmp(ending, formats[i].ending) == 0)
      return &formats[i];
  return NULL;
}

static const Format *find_by_content(const char *data, size_t size) {
  for (int i = 0; i < ST_LENGTH(formats); i++)
    if (formats[i].opening && st_span_starts((StSpan){data, size}, formats[i].opening))
      return &formats[i];
  return NULL;
}

static StStatus find_format(const char *name, const char *data, size_t size, const Format **format,
                            StError *error) {
  if (!(*format = find_by_ending(name)))
    return st_fail(
        error, ST_BAD_INPUT,
        "%s: unknown mesh format; known extensions are .msh, .vtk, .vtu, .vtkhdf, .obj and .stl",
        name);
  if (!size)
    return st_fail(error, ST_BAD_INPUT, "%s: the file is empty", name);
  const Format *content = find_by_content(data, size);
  if (content && content->read != (*format)->read)
    return st_fail(error, ST_BAD_INPUT, "%s: the content is that of a %s file: rename it", name,
                   content->ending);
  return ST_OK;
}

typedef enum Way { CHECKED, SECOND_ORDER, RAW } Way;

static StStatus parse(const char *name, const char *data, size_t size, Way way, const StLog *log,
                      StMesh **mesh, StError *error) {
  const Format *format;
  ST_TRY(find_format(name, data, size, &format, error));
  StBuilder builder = {.second_order = way == SECOND_ORDER};
  StScan scan = st_scan_begin(name, data, size, log, error);
  StMesh *made = NULL;
  StStatus status = format->read(&scan, &builder);
  if (status == ST_OK)
    status = st_builder_finish(&builder, &made, error);
  st_builder_free(&builder);
  st_give_back(size);
  if (status == ST_OK)
    status = way == RAW ? st_mesh_check_numbers(made, name, error)
                        : st_mesh_check(made, name, log, error);
  if (status != ST_OK) {
    st_mesh_destroy(made);
    return status;
  }
  *mesh = made;
  return ST_OK;
}

StStatus st_mesh_parse(const char *name, const char *data, size_t size, const StLog *log,
                       StMesh **mesh, StError *error) {
  return parse(name, data, size, CHECKED, log, mesh, error);
}

static StStatus read_file(const char *path, Way way, const StLog *log, StMesh **mesh,
                          StError *error) {
  char *data;
  size_t size;
  ST_TRY(st_file_read_most(path, FILE_MOST, &data, &size, error));
  StStatus status = parse(path, data, size, way, log, mesh, error);
  free(data);
  st_give_back(size);
  return status;
}

StStatus st_mesh_read(const char *path, const StLog *log, StMesh **mesh, StError *error) {
  return read_file(path, CHECKED, log, mesh, error);
}

StStatus st_mesh_read_raw(const char *path, const StLog *log, StMesh **mesh, StError *error) {
  return read_file(path, RAW, log, mesh, error);
}

StStatus st_mesh_read_second_order(const char *path, const StLog *log, StMesh **mesh,
                                   StError *error) {
  return read_file(path, SECOND_ORDER, log, mesh, error);
}
