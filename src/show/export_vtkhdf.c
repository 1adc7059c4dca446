// VTKHDF 1.0, a static file per frame with a list of them: VTK reads this version since 9.1; time
// steps inside one file came later, and older programs reject such files.
#include "base/file.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "show/export_grid.h"

#include <hdf5.h>
#include <string.h>

// Arrays too small for compression to pay off are stored uncompressed.
enum { IMAGE_GROWTH = 1 << 20, CHUNK_BYTES = 1 << 18, SMALL_BYTES = 1 << 14, LEVEL = 4 };

// One array of the file: rows of columns; columns 0 for a plain list.
typedef struct Table {
  const char *name;
  hid_t stored, native;
  hsize_t rows, columns;
  const void *data;
} Table;

static hid_t table_settings(const Table *table) {
  hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  size_t row = H5Tget_size(table->stored) * (table->columns ? table->columns : 1);
  hsize_t chunk[2] = {CHUNK_BYTES / row, table->columns};
  if (chunk[0] > table->rows)
    chunk[0] = table->rows;
  H5Pset_obj_track_times(settings, false);
  if (table->rows * row > SMALL_BYTES) {
    H5Pset_chunk(settings, table->columns ? 2 : 1, chunk);
    H5Pset_shuffle(settings);
    H5Pset_deflate(settings, LEVEL);
  }
  return settings;
}

static bool add_table(hid_t group, Table table) {
  const hsize_t size[2] = {table.rows, table.columns};
  hid_t space = H5Screate_simple(table.columns ? 2 : 1, size, NULL);
  hid_t settings = table_settings(&table);
  hid_t set =
      H5Dcreate2(group, table.name, table.stored, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  bool good = set >= 0 && (table.rows == 0 || H5Dwrite(set, table.native, H5S_ALL, H5S_ALL,
                                                       H5P_DEFAULT, table.data) >= 0);
  if (set >= 0)
    H5Dclose(set);
  H5Pclose(settings);
  H5Sclose(space);
  return good;
}

static bool add_attribute(hid_t group, const char *name, hid_t type, hid_t space,
                          const void *value) {
  hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  return good;
}

static bool add_kind(hid_t group) {
  static const char kind[] = "UnstructuredGrid";
  static const long long version[2] = {1, 0};
  hid_t one = H5Screate(H5S_SCALAR), two = H5Screate_simple(1, (hsize_t[]){2}, NULL);
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, sizeof kind - 1);
  H5Tset_strpad(text, H5T_STR_NULLPAD);
  bool good = add_attribute(group, "Version", H5T_NATIVE_LLONG, two, version) &&
              add_attribute(group, "Type", text, one, kind);
  H5Tclose(text);
  H5Sclose(two);
  H5Sclose(one);
  return good;
}

static Table integers(const char *name, size_t rows, const long long *value) {
  return (Table){name, H5T_STD_I64LE, H5T_NATIVE_LLONG, rows, 0, value};
}

typedef struct Cells {
  size_t count, corners;
  long long *corner, *start; // [corners], [count + 1]
  unsigned char *type;       // [count]
} Cells;

static void cells_free(Cells *cells) {
  free(cells->corner);
  free(cells->start);
  free(cells->type);
}

static bool cells_create(const StVtu *content, Cells *cells) {
  size_t tets = (size_t)content->tet_count, triangles = (size_t)content->triangle_count;
  *cells = (Cells){.count = tets + triangles, .corners = 4 * tets + 3 * triangles};
  cells->corner = ST_NEW(long long, cells->corners);
  cells->start = ST_NEW(long long, cells->count + 1);
  cells->type = ST_NEW(unsigned char, cells->count);
  if (!cells->corner || !cells->start || !cells->type)
    return false;
  for (size_t i = 0; i < cells->corners; i++)
    cells->corner[i] = i < 4 * tets ? content->tet[i] : content->triangle[i - 4 * tets];
  for (size_t i = 0; i < cells->count; i++) {
    cells->type[i] = i < tets ? 10 : 5;
    cells->start[i + 1] = cells->start[i] + (i < tets ? 4 : 3);
  }
  return true;
}

static bool add_mesh(hid_t group, const StVtu *content, const Cells *cells) {
  const long long points = content->point_count, count = (long long)cells->count,
                  corners = (long long)cells->corners;
  const Table table[] = {
      integers("NumberOfPoints", 1, &points),
      integers("NumberOfCells", 1, &count),
      integers("NumberOfConnectivityIds", 1, &corners),
      {"Points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)points, 3, content->position},
      integers("Connectivity", cells->corners, cells->corner),
      integers("Offsets", cells->count + 1, cells->start),
      {"Types", H5T_STD_U8LE, H5T_NATIVE_UCHAR, cells->count, 0, cells->type}};
  for (int i = 0; i < ST_LENGTH(table); i++)
    if (!add_table(group, table[i]))
      return false;
  return true;
}

static hid_t stored_type(StVtuKind kind) {
  switch (kind) {
  case ST_VTU_FLOAT64: return H5T_IEEE_F64LE;
  case ST_VTU_FLOAT32: return H5T_IEEE_F32LE;
  case ST_VTU_INT32: return H5T_STD_I32LE;
  }
  return H5T_IEEE_F64LE;
}

static bool add_arrays(hid_t parent, const char *section, const StVtuArray *array, int count,
                       size_t items) {
  hid_t group = H5Gcreate2(parent, section, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = group >= 0;
  for (int i = 0; i < count && good; i++) {
    bool integer = array[i].kind == ST_VTU_INT32;
    hsize_t columns = array[i].components > 1 ? (hsize_t)array[i].components : 0;
    good = add_table(group, (Table){array[i].name, stored_type(array[i].kind),
                                    integer ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, items, columns,
                                    integer ? (const void *)array[i].integer : array[i].real});
  }
  if (group >= 0)
    H5Gclose(group);
  return good;
}

static bool fill(hid_t file, const StVtu *content) {
  Cells cells;
  bool good = cells_create(content, &cells);
  hid_t group = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const StVtuArray time = {"TimeValue", 1, ST_VTU_FLOAT64, &content->time, NULL};
  good =
      good && group >= 0 && add_kind(group) && add_mesh(group, content, &cells) &&
      add_arrays(group, "PointData", content->point_array, content->point_array_count,
                 (size_t)content->point_count) &&
      add_arrays(group, "CellData", content->cell_array, content->cell_array_count, cells.count) &&
      add_arrays(group, "FieldData", &time, 1, 1);
  if (group >= 0)
    H5Gclose(group);
  cells_free(&cells);
  return good;
}

static bool take_image(hid_t file, char **bytes, size_t *size) {
  ssize_t length = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
  *bytes = length > 0 ? ST_NEW(char, length) : NULL;
  *size = length > 0 ? (size_t)length : 0;
  return *bytes && H5Fget_file_image(file, *bytes, *size) == length;
}

// Built in memory, because st_file_write writes all files.
static bool build(const StVtu *content, char **bytes, size_t *size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, IMAGE_GROWTH, false);
  hid_t file = H5Fcreate("frame in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  bool good = file >= 0 && fill(file, content) && take_image(file, bytes, size);
  if (file >= 0)
    H5Fclose(file);
  H5Pclose(access);
  return good;
}

static StStatus write_frame(const StExportJob *job, int index, const StVtu *content,
                            StError *error) {
  char *path = st_export_file(job, index, "vtkhdf"), *bytes = NULL;
  size_t size = 0;
  StStatus status = path ? ST_OK : st_fail_memory(error);
  if (path && !build(content, &bytes, &size))
    status = st_fail(error, ST_SYSTEM_FAULT, "%s: HDF5 could not build the file", path);
  if (status == ST_OK)
    status = st_file_write(path, bytes, size, error);
  free(bytes);
  free(path);
  return status;
}

// Opened by ParaView as one series: names and times as JSON.
static StStatus write_list(StExportJob *job, StError *error) {
  StText path = {0}, text = {0};
  st_text_add(&path, "%s/%s.vtkhdf.series", job->path, job->name);
  st_text_add(&text, "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [");
  for (int i = 0; i < job->frame_count; i++) {
    char *file = st_export_file(job, i, "vtkhdf");
    text.failed |= !file;
    st_text_add(&text, "%s\n    { \"name\": ", i ? "," : "");
    st_json_text_add_string(&text, file ? strrchr(file, '/') + 1 : NULL);
    st_text_add(&text, ", \"time\": %.17g }", st_export_time(job, i));
    free(file);
  }
  st_text_add(&text, "\n  ]\n}\n");
  StStatus status = path.failed || text.failed
                        ? st_fail_memory(error)
                        : st_file_write(path.data, text.data, text.length, error);
  st_text_free(&text);
  job->opening = path.data;
  return status;
}

static StStatus write_vtkhdf(StExportJob *job, StError *error) {
  ST_TRY(st_export_frames(job, write_frame, error));
  st_export_drop_rest(job, "vtkhdf");
  return write_list(job, error);
}

const StExportFormat st_export_vtkhdf = {
    .name = "vtkhdf",
    .summary = "the same in HDF5, a file per frame and a list: ParaView 5.10, VTK 9.1 and later",
    .folder = true,
    .volume = true,
    .fields = true,
    .write = write_vtkhdf,
};
