// Arrays are stored in the types they have in memory, converted here: HDF5 converts nothing that
// several processes write compressed.
#include "mesh/vtkhdf.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

// Arrays too small for their compression to make up for its tables are left as they are. The
// fastest level: shuffled bytes hardly shrink further at slower ones.
enum { SMALL_BYTES = 1 << 14, LEVEL = 1, CORNERS_MOST = 10 };

// One array of the file and the rows of it that are written here.
typedef struct Table {
  const char *name;
  hid_t type;
  hsize_t total, columns; // columns 0: a plain list
  hsize_t first, count;
  hsize_t chunk; // rows
  const void *data;
} Table;

static hid_t table_settings(const Table *table) {
  hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  size_t row = H5Tget_size(table->type) * (table->columns ? table->columns : 1);
  hsize_t chunk[2] = {table->chunk < table->total ? table->chunk : table->total, table->columns};
  // No modification time: equal states give equal files.
  H5Pset_obj_track_times(settings, false);
  if (table->total * row > SMALL_BYTES) {
    H5Pset_chunk(settings, table->columns ? 2 : 1, chunk);
    H5Pset_shuffle(settings);
    H5Pset_deflate(settings, LEVEL);
  }
  // All of it is written.
  H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER);
  return settings;
}

static bool write_rows(hid_t set, hid_t space, hid_t transfer, const Table *table) {
  static const char nothing[1];
  const hsize_t first[2] = {table->first, 0}, count[2] = {table->count, table->columns};
  hid_t rows = H5Screate_simple(table->columns ? 2 : 1, count, NULL);
  if (table->count) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);
  } else {
    H5Sselect_none(rows);
    H5Sselect_none(space);
  }
  bool good =
      H5Dwrite(set, table->type, rows, space, transfer, table->count ? table->data : nothing) >= 0;
  H5Sclose(rows);
  return good;
}

static bool add_table(hid_t group, hid_t transfer, const Table *table) {
  const hsize_t size[2] = {table->total, table->columns};
  hid_t space = H5Screate_simple(table->columns ? 2 : 1, size, NULL);
  hid_t settings = table_settings(table);
  hid_t set =
      H5Dcreate2(group, table->name, table->type, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  bool good = set >= 0 && (table->total == 0 || write_rows(set, space, transfer, table));
  if (set >= 0)
    H5Dclose(set);
  H5Pclose(settings);
  H5Sclose(space);
  return good;
}

static bool add_kind(hid_t group) {
  static const char kind[] = "UnstructuredGrid";
  static const int64_t version[2] = {1, 0};
  hid_t one = H5Screate(H5S_SCALAR), two = H5Screate_simple(1, (hsize_t[]){2}, NULL);
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, sizeof kind - 1);
  H5Tset_strpad(text, H5T_STR_NULLPAD);
  bool good =
      st_hdf_add_attribute(group, "Version", H5T_NATIVE_INT64, H5T_NATIVE_INT64, two, version) &&
      st_hdf_add_attribute(group, "Type", text, text, one, kind);
  H5Tclose(text);
  H5Sclose(two);
  H5Sclose(one);
  return good;
}

// The state of a file while arrays are written.
typedef struct Filler {
  hid_t group, transfer;
  const StVtu *content;
  const StVtkhdfPart *part;
} Filler;

static size_t cells_here(const StVtu *content) {
  return (size_t)content->tet_count + (size_t)content->triangle_count +
         (size_t)content->vertex_count;
}

static size_t cells_total(const StVtkhdfPart *part) {
  return part->tet_total + part->triangle_total + part->vertex_total;
}

// Numbers of points of all cells before this one, which is one of ours or follows them, or all.
static size_t corners_before(const StVtu *content, const StVtkhdfPart *part, size_t cell) {
  if (cell < part->tet_total)
    return part->corner_first + st_vtu_tet_start(content, cell - part->cell_first);
  cell -= part->tet_total;
  size_t triangles = cell < part->triangle_total ? cell : part->triangle_total;
  return part->corner_total + 3 * triangles + (cell - triangles);
}

// A number of the whole: the process with the first row writes it.
static bool add_count(const Filler *filler, const char *name, size_t value) {
  const int64_t wide = (int64_t)value;
  const Table table = {name, H5T_NATIVE_INT64, 1, 0, 0, filler->part->cell_first == 0, 1, &wide};
  return add_table(filler->group, filler->transfer, &table);
}

static bool add_counts(const Filler *filler) {
  size_t cells = cells_total(filler->part);
  return add_count(filler, "NumberOfPoints", filler->part->point_total) &&
         add_count(filler, "NumberOfCells", cells) &&
         add_count(filler, "NumberOfConnectivityIds",
                   corners_before(filler->content, filler->part, cells));
}

static bool add_points(const Filler *filler) {
  const Table table = {"Points",
                       H5T_NATIVE_DOUBLE,
                       filler->part->point_total,
                       3,
                       filler->part->point_first,
                       (hsize_t)filler->content->point_count,
                       ST_VTKHDF_CHUNK,
                       filler->content->position};
  return add_table(filler->group, filler->transfer, &table);
}

static bool add_connectivity(const Filler *filler) {
  const StVtu *content = filler->content;
  const struct {
    const int *corner;
    size_t count;
  } kind[] = {{content->tet, st_vtu_tet_start(content, (size_t)content->tet_count)},
              {content->triangle, 3 * (size_t)content->triangle_count},
              {content->vertex, (size_t)content->vertex_count}};
  size_t count = kind[0].count + kind[1].count + kind[2].count, at = 0;
  ST_FREE int64_t *corner = ST_NEW(int64_t, count);
  for (int k = 0; k < ST_LENGTH(kind) && corner; k++)
    for (size_t i = 0; i < kind[k].count; i++)
      corner[at++] = kind[k].corner[i];
  const Table table = {"Connectivity",
                       H5T_NATIVE_INT64,
                       corners_before(content, filler->part, cells_total(filler->part)),
                       0,
                       corners_before(content, filler->part, filler->part->cell_first),
                       corner ? count : 0,
                       CORNERS_MOST * ST_VTKHDF_CHUNK,
                       corner};
  return add_table(filler->group, filler->transfer, &table) && corner;
}

// Where each cell begins in the connectivity, and where the last one ends.
static bool add_offsets(const Filler *filler) {
  const StVtkhdfPart *part = filler->part;
  size_t first = part->cell_first, count = cells_here(filler->content), total = cells_total(part);
  count += count && first + count == total ? 1 : 0;
  count += total == 0 && first == 0 ? 1 : 0;
  ST_FREE int64_t *start = ST_NEW(int64_t, count);
  for (size_t i = 0; i < count && start; i++)
    start[i] = (int64_t)corners_before(filler->content, part, first + i);
  const Table table = {"Offsets", H5T_NATIVE_INT64,  total + 1,       0,
                       first,     start ? count : 0, ST_VTKHDF_CHUNK, start};
  return add_table(filler->group, filler->transfer, &table) && start;
}

static bool add_types(const Filler *filler) {
  const StVtkhdfPart *part = filler->part;
  size_t count = cells_here(filler->content);
  ST_FREE unsigned char *type = ST_NEW(unsigned char, count);
  for (size_t i = 0; i < count && type; i++)
    type[i] = (unsigned char)st_vtu_type(filler->content, i);
  const Table table = {"Types",          H5T_NATIVE_UINT8, cells_total(part), 0,
                       part->cell_first, type ? count : 0, ST_VTKHDF_CHUNK,   type};
  return add_table(filler->group, filler->transfer, &table) && type;
}

// *narrow: the numbers as they are stored, where they must be converted; free() it.
static bool convert(const StVtuArray *array, size_t rows, Table *table, float **narrow) {
  *narrow = NULL;
  table->type = array->kind == ST_VTU_INT32     ? H5T_NATIVE_INT32
                : array->kind == ST_VTU_FLOAT32 ? H5T_NATIVE_FLOAT
                                                : H5T_NATIVE_DOUBLE;
  table->data = array->kind == ST_VTU_INT32 ? (const void *)array->integer : array->real;
  if (array->kind != ST_VTU_FLOAT32)
    return true;
  size_t count = rows * (size_t)array->components;
  table->data = *narrow = ST_NEW(float, count);
  for (size_t i = 0; i < count && *narrow; i++)
    (*narrow)[i] = (float)array->real[i];
  return *narrow;
}

static bool add_array(hid_t group, hid_t transfer, const StVtuArray *array, Table rows) {
  ST_FREE float *narrow = NULL;
  bool good = convert(array, rows.count, &rows, &narrow);
  rows.name = array->name;
  rows.columns = array->components > 1 ? (hsize_t)array->components : 0;
  rows.count = good ? rows.count : 0; // who is short of memory must not leave the others waiting
  good = add_table(group, transfer, &rows) && good;
  return good;
}

static bool add_section(const Filler *filler, const char *name, const StVtuArray *array, int count,
                        Table rows) {
  hid_t settings = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(settings, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(filler->group, name, H5P_DEFAULT, settings, H5P_DEFAULT);
  bool good = group >= 0;
  for (int i = 0; i < count && group >= 0; i++)
    good = add_array(group, filler->transfer, &array[i], rows) && good;
  if (group >= 0)
    H5Gclose(group);
  H5Pclose(settings);
  return good;
}

static bool add_fields(const Filler *filler) {
  const StVtu *content = filler->content;
  const StVtkhdfPart *part = filler->part;
  const StVtuArray time = {"TimeValue", 1, ST_VTU_FLOAT64, &content->time, NULL};
  const Table points = {.total = part->point_total,
                        .first = part->point_first,
                        .count = (hsize_t)content->point_count,
                        .chunk = ST_VTKHDF_CHUNK};
  const Table cells = {.total = cells_total(part),
                       .first = part->cell_first,
                       .count = cells_here(content),
                       .chunk = ST_VTKHDF_CHUNK};
  const Table once = {.total = 1, .count = part->cell_first == 0, .chunk = 1};
  bool good =
      add_section(filler, "PointData", content->point_array, content->point_array_count, points);
  good = add_section(filler, "CellData", content->cell_array, content->cell_array_count, cells) &&
         good;
  return (!content->has_time || add_section(filler, "FieldData", &time, 1, once)) && good;
}

// Beside the group of VTK, whose older readers know no strings.
static bool add_labels(hid_t file, const Filler *filler) {
  const StVtu *content = filler->content;
  size_t width = 1, count = (size_t)content->label_count;
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(content->label_name[i]);
    width = length > width ? length : width;
  }
  ST_FREE char *text = ST_NEW(char, count *width + 1);
  for (size_t i = 0; i < count && text; i++) // the 0 behind the longest is overwritten by the next
    memcpy(text + i * width, content->label_name[i], strlen(content->label_name[i]));
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  bool writes = text && filler->part->cell_first == 0;
  const Table table = {"LabelNames", type, count, 0, 0, writes ? count : 0, ST_VTKHDF_CHUNK, text};
  bool good = add_table(file, filler->transfer, &table) && text;
  H5Tclose(type);
  return good;
}

static size_t row_size(const StVtuArray *array, int count) {
  size_t size = 0;
  for (int i = 0; i < count; i++)
    size += (size_t)array[i].components * (array[i].kind == ST_VTU_FLOAT64 ? 8 : 4);
  return size;
}

size_t st_vtkhdf_most(const StVtu *content, const StVtkhdfPart *part) {
  size_t tables = 1 << 20; // of HDF5, which grow with the number of chunks
  size_t point = 3 * 8 + row_size(content->point_array, content->point_array_count);
  size_t cell =
      (CORNERS_MOST + 1) * 8 + 1 + row_size(content->cell_array, content->cell_array_count);
  size_t rows = part->point_total * point + cells_total(part) * cell;
  return tables + rows + rows / 64;
}

// Goes on after a failure: what others write with us must be written by all.
bool st_vtkhdf_fill(hid_t file, hid_t transfer, const StVtu *content, const StVtkhdfPart *part) {
  hid_t group = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0)
    return false;
  const Filler filler = {group, transfer, content, part};
  bool good = add_kind(group);
  good = add_counts(&filler) && good;
  good = add_points(&filler) && good;
  good = add_connectivity(&filler) && good;
  good = add_offsets(&filler) && good;
  good = add_types(&filler) && good;
  good = add_fields(&filler) && good;
  if (content->label_count)
    good = add_labels(file, &filler) && good;
  H5Gclose(group);
  return good;
}

// *bytes: free() it, also after a failure.
static bool build_image(const StVtu *content, char **bytes, size_t *size) {
  const StVtkhdfPart whole = {.point_total = (size_t)content->point_count,
                              .tet_total = (size_t)content->tet_count,
                              .triangle_total = (size_t)content->triangle_count,
                              .vertex_total = (size_t)content->vertex_count,
                              .corner_total =
                                  st_vtu_tet_start(content, (size_t)content->tet_count)};
  *bytes = NULL;
  hid_t file = st_hdf_image_create(0);
  bool good = file >= 0 && st_vtkhdf_fill(file, H5P_DEFAULT, content, &whole) &&
              st_hdf_image_take(file, 0, bytes, size);
  if (file >= 0)
    H5Fclose(file);
  return good;
}

StStatus st_vtkhdf_build(const StVtu *content, char **bytes, size_t *size, StError *error) {
  StHdfUse use = st_hdf_begin();
  bool good = build_image(content, bytes, size);
  st_hdf_end(use);
  if (good)
    return ST_OK;
  free(*bytes);
  *bytes = NULL;
  return st_fail_memory(error);
}

StStatus st_vtkhdf_write(const char *path, const StVtu *content, StError *error) {
  ST_FREE char *bytes = NULL;
  size_t size;
  ST_TRY(st_vtkhdf_build(content, &bytes, &size, error));
  return st_file_write(path, bytes, size, error);
}
