// Frames as VTKHDF files.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/vtkhdf_file.h"
#include "replay/frame_reader.h"

typedef struct Hdf {
  StVtkhdfFile *file;
  StFrameContent *content;
} Hdf;

static void close_hdf(void *file) {
  Hdf *hdf = file;
  if (!hdf)
    return;
  free(hdf->content->field); // names and labels are the file's
  st_vtkhdf_file_close(hdf->file);
  free(hdf);
}

static StStatus list_fields(Hdf *hdf, StError *error) {
  int count = st_vtkhdf_file_array_count(hdf->file);
  StFrameField *field = hdf->content->field = ST_NEW(StFrameField, count);
  ST_TRY_MEMORY(field, error);
  for (int i = 0; i < count; i++) {
    const StVtkhdfArray *array = st_vtkhdf_file_array(hdf->file, i);
    field[i] = (StFrameField){array->name, array->of_cells, array->integer, array->components};
  }
  hdf->content->field_count = count;
  return ST_OK;
}

static StStatus open_hdf(const char *path, void **file, StFrameContent *content, StError *error) {
  ST_FREE char *data = NULL;
  size_t size = 0;
  Hdf *hdf = *file = ST_NEW(Hdf, 1);
  ST_TRY_MEMORY(hdf, error);
  hdf->content = content;
  ST_TRY(st_file_read(path, &data, &size, error));
  StStatus status = st_vtkhdf_file_open(path, data, size, &hdf->file, error);
  ST_TRY(status);
  const StVtkhdfExtent *total = st_vtkhdf_file_total(hdf->file);
  content->vertex_count = total->point_count;
  content->cell_count = total->cell_count;
  content->has_time = st_vtkhdf_file_time(hdf->file, &content->time);
  content->label = (char **)st_vtkhdf_file_labels(hdf->file);
  return list_fields(hdf, error);
}

static StStatus read_hdf(const void *file, int field, double **value, StError *error) {
  const Hdf *hdf = file;
  return st_vtkhdf_file_reals(hdf->file, st_vtkhdf_file_array(hdf->file, field), value, error);
}

static StStatus read_positions(const void *file, double **value, StError *error) {
  return st_vtkhdf_file_positions(((const Hdf *)file)->file, value, error);
}

const StFrameReader st_frame_reader_vtkhdf = {open_hdf, close_hdf, read_hdf, read_positions};
