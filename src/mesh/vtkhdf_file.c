// VTKHDF. Sizes are checked against each other and against what the file could hold before any room
// is made for numbers.
#include "base/memory.h"
#include "base/text.h"
#include "mesh/grid_file.h"
#include "mesh/hdf_image.h"
#include "mesh/vtk_grid.h"

#include <string.h>

// Limit of memory for the numbers of one array: so much, or so many times the file's own size.
// Files of meshes take ten to twenty times their size; one made to grow takes a thousand times.
enum { ROOM = 64 << 20, GROWTH = 100 };
enum { PARTS_MOST = 1 << 20, COMPONENTS_MOST = 9, LABELS_MOST = 1 << 20 };

// Entries of the arrays in one part, or in all parts before one.
typedef struct Extent {
  size_t point_count, cell_count, connectivity_count;
} Extent;

typedef struct Hdf {
  StGridFile grid; // parts follow each other in all arrays
  char *name;
  size_t size; // bytes
  hid_t file, group;
  Extent *extent; // [grid.part_count]
  int array_count;
  size_t array_capacity;
  StGridArray *array; // of all parts
} Hdf;

static void close_image(Hdf *file) {
  if (file->group >= 0)
    H5Gclose(file->group);
  if (file->file >= 0)
    H5Fclose(file->file);
  file->group = file->file = -1;
}

static void close_hdf(StGridFile *grid) {
  Hdf *file = (Hdf *)grid; // its first member
  if (file->file >= 0) {
    StHdfUse use = st_hdf_begin();
    close_image(file);
    st_hdf_end(use);
  }
  for (int i = 0; i < file->array_count; i++)
    free(file->array[i].name);
  free(file->array);
  free(file->extent);
  free(grid->part);
  free(grid->label);
  free(grid->label_text);
  free(file->name);
  free(file);
}

// Before a part; of all for the number of parts.
static Extent before(const Hdf *file, size_t part) {
  Extent sum = {0};
  for (size_t i = 0; i < part; i++) {
    sum.point_count += file->extent[i].point_count;
    sum.cell_count += file->extent[i].cell_count;
    sum.connectivity_count += file->extent[i].connectivity_count;
  }
  return sum;
}

static StStatus fail_damaged(const Hdf *file, const char *what, StError *error) {
  return st_fail(error, ST_BAD_INPUT, "%s: damaged (%s is missing or malformed)", file->name, what);
}

static bool has_room(const Hdf *file, const StHdfShape *shape, size_t item) {
  size_t count, bytes;
  return !__builtin_mul_overflow(shape->rows, shape->columns, &count) &&
         !__builtin_mul_overflow(count, item, &bytes) && bytes <= ROOM + GROWTH * file->size;
}

// The rows of an array that belong to one part.
typedef struct Rows {
  size_t total, columns;
  size_t first, count;
} Rows;

static bool read_rows(hid_t set, const Rows *rows, hid_t native, void *value) {
  const hsize_t first[2] = {rows->first, 0}, count[2] = {rows->count, rows->columns};
  hid_t from = H5Dget_space(set), to = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(from, H5S_SELECT_SET, first, NULL, count, NULL);
  bool good = H5Dread(set, native, to, from, H5P_DEFAULT, value) >= 0;
  H5Sclose(to);
  H5Sclose(from);
  return good;
}

// As numbers of a type in memory.
static StStatus read_table(const Hdf *file, const char *path, Rows rows, hid_t native, void **value,
                           StError *error) {
  hid_t set = H5Dopen2(file->group, path, H5P_DEFAULT);
  StHdfShape shape;
  size_t item = H5Tget_size(native);
  StStatus status = ST_OK;
  if (set < 0 || !st_hdf_shape(set, &shape) || shape.rows != rows.total ||
      shape.columns != rows.columns || (shape.kind != H5T_INTEGER && shape.kind != H5T_FLOAT) ||
      !has_room(file, &shape, item))
    status = fail_damaged(file, path, error);
  if (status == ST_OK && !(*value = st_new_array(rows.count * rows.columns, item)))
    status = st_fail_memory(error);
  if (status == ST_OK && rows.count && !read_rows(set, &rows, native, *value)) {
    free(*value);
    *value = NULL;
    status = fail_damaged(file, path, error);
  }
  if (set >= 0)
    H5Dclose(set);
  return status;
}

static StStatus read_quietly(const Hdf *file, const char *path, Rows rows, hid_t native,
                             void **value, StError *error) {
  StHdfUse use = st_hdf_begin();
  StStatus status = read_table(file, path, rows, native, value, error);
  st_hdf_end(use);
  return status;
}

static StStatus check_kind(const Hdf *file, StError *error) {
  static const char wanted[] = "UnstructuredGrid";
  char kind[32] = "";
  hid_t attribute = H5Aopen(file->group, "Type", H5P_DEFAULT);
  hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
  bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) &&
               H5Tget_size(type) < sizeof kind;
  bool good = fixed && H5Aread(attribute, type, kind) >= 0;
  if (type >= 0)
    H5Tclose(type);
  if (attribute >= 0)
    H5Aclose(attribute);
  if (!good)
    return fail_damaged(file, "the attribute Type", error);
  if (strcmp(kind, wanted) != 0)
    return st_fail(error, ST_BAD_INPUT, "%s: its data are of the type %s; only %s can be read",
                   file->name, kind, wanted);
  return ST_OK;
}

static StStatus count_parts(Hdf *file, StError *error) {
  hid_t set = H5Dopen2(file->group, "NumberOfPoints", H5P_DEFAULT);
  StHdfShape shape = {0};
  bool good = set >= 0 && st_hdf_shape(set, &shape) && shape.rows > 0 && shape.rows <= PARTS_MOST;
  if (set >= 0)
    H5Dclose(set);
  if (!good)
    return fail_damaged(file, "NumberOfPoints", error);
  file->grid.part_count = shape.rows;
  file->grid.part = ST_NEW(StGridPart, shape.rows);
  file->extent = ST_NEW(Extent, shape.rows);
  return file->grid.part && file->extent ? ST_OK : st_fail_memory(error);
}

// One number of every part: what is behind `offset` in its extent.
static StStatus read_counts(Hdf *file, const char *name, size_t offset, StError *error) {
  ST_FREE int64_t *count = NULL;
  size_t parts = file->grid.part_count, sum = 0;
  ST_TRY(
      read_table(file, name, (Rows){parts, 1, 0, parts}, H5T_NATIVE_INT64, (void **)&count, error));
  bool good = true;
  for (size_t i = 0; i < parts && good; i++) {
    good = count[i] >= 0 && count[i] <= 8 * (int64_t)ST_MESH_LIMIT;
    *(size_t *)((char *)&file->extent[i] + offset) = good ? (size_t)count[i] : 0;
    sum += good ? (size_t)count[i] : 0;
    good = good && sum <= 8 * (size_t)ST_MESH_LIMIT;
  }
  return good ? ST_OK : fail_damaged(file, name, error);
}

static StStatus read_extents(Hdf *file, StError *error) {
  ST_TRY(count_parts(file, error));
  ST_TRY(read_counts(file, "NumberOfPoints", offsetof(Extent, point_count), error));
  ST_TRY(read_counts(file, "NumberOfCells", offsetof(Extent, cell_count), error));
  return read_counts(file, "NumberOfConnectivityIds", offsetof(Extent, connectivity_count), error);
}

// Lists what H5Literate comes across in one section; arrays of other shapes are left out.
typedef struct Listing {
  Hdf *file;
  size_t rows;
  bool of_cells;
  bool no_memory;
} Listing;

static herr_t list_array(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  Listing *listing = context;
  Hdf *file = listing->file;
  StHdfShape shape = {0};
  (void)info;
  hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
  bool known = set >= 0 && st_hdf_shape(set, &shape) && shape.rows == listing->rows &&
               shape.columns > 0 && shape.columns <= COMPONENTS_MOST &&
               (shape.kind == H5T_INTEGER || shape.kind == H5T_FLOAT);
  if (set >= 0)
    H5Dclose(set);
  if (!known)
    return 0;
  char *copy = st_copy_string(name);
  if (!copy || !st_grow((void **)&file->array, &file->array_capacity, (size_t)file->array_count + 1,
                        sizeof(StGridArray))) {
    free(copy);
    listing->no_memory = true;
    return -1;
  }
  file->array[file->array_count++] = (StGridArray){.name = copy,
                                                   .of_cells = listing->of_cells,
                                                   .integer = shape.kind == H5T_INTEGER,
                                                   .components = (int)shape.columns};
  return 0;
}

// In the order in which they were written, where the file keeps that.
static H5_index_t order_of(hid_t section) {
  unsigned flags = 0;
  hid_t settings = H5Gget_create_plist(section);
  if (settings >= 0) {
    H5Pget_link_creation_order(settings, &flags);
    H5Pclose(settings);
  }
  return flags & H5P_CRT_ORDER_INDEXED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

static StStatus list_section(Hdf *file, const char *name, bool of_cells, StError *error) {
  Extent total = before(file, file->grid.part_count);
  Listing listing = {file, of_cells ? total.cell_count : total.point_count, of_cells, false};
  if (H5Lexists(file->group, name, H5P_DEFAULT) <= 0)
    return ST_OK;
  hid_t section = H5Gopen2(file->group, name, H5P_DEFAULT);
  herr_t result =
      section < 0 ? -1
                  : H5Literate(section, order_of(section), H5_ITER_INC, NULL, list_array, &listing);
  if (section >= 0)
    H5Gclose(section);
  ST_TRY_MEMORY(!listing.no_memory, error);
  return result < 0 ? fail_damaged(file, name, error) : ST_OK;
}

static StStatus split_labels(Hdf *file, size_t count, size_t width, StError *error) {
  ST_TRY_MEMORY(file->grid.label = ST_NEW(char *, count + 1), error);
  for (size_t i = 0; i < count; i++)
    file->grid.label[i] = file->grid.label_text + i * width;
  return ST_OK;
}

// Each name gets a 0 behind it.
static StStatus read_names(Hdf *file, hid_t set, StError *error) {
  StHdfShape shape = {0};
  if (!st_hdf_shape(set, &shape) || shape.kind != H5T_STRING || shape.columns != 1 ||
      shape.rows > LABELS_MOST || shape.item_size > LABELS_MOST ||
      shape.rows * shape.item_size > LABELS_MOST)
    return fail_damaged(file, "LabelNames", error);
  size_t width = shape.item_size + 1;
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  H5Tset_strpad(type, H5T_STR_NULLTERM);
  file->grid.label_text = ST_NEW(char, shape.rows *width + 1);
  bool good = file->grid.label_text &&
              (!shape.rows ||
               H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, file->grid.label_text) >= 0);
  H5Tclose(type);
  ST_TRY_MEMORY(file->grid.label_text, error);
  return good ? split_labels(file, shape.rows, width, error)
              : fail_damaged(file, "LabelNames", error);
}

static StStatus read_labels(Hdf *file, StError *error) {
  if (H5Lexists(file->file, "LabelNames", H5P_DEFAULT) <= 0)
    return split_labels(file, 0, 0, error);
  hid_t set = H5Dopen2(file->file, "LabelNames", H5P_DEFAULT);
  StStatus status =
      set >= 0 ? read_names(file, set, error) : fail_damaged(file, "LabelNames", error);
  if (set >= 0)
    H5Dclose(set);
  return status;
}

static StStatus read_time(Hdf *file, StError *error) {
  double *time = NULL;
  if (H5Lexists(file->group, "FieldData", H5P_DEFAULT) <= 0 ||
      H5Lexists(file->group, "FieldData/TimeValue", H5P_DEFAULT) <= 0)
    return ST_OK;
  ST_TRY(read_table(file, "FieldData/TimeValue", (Rows){1, 1, 0, 1}, H5T_NATIVE_DOUBLE,
                    (void **)&time, error));
  file->grid.time = *time;
  file->grid.has_time = true;
  free(time);
  return ST_OK;
}

static StStatus read_content(Hdf *file, StError *error) {
  file->group = H5Gopen2(file->file, "VTKHDF", H5P_DEFAULT);
  if (file->group < 0)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: an HDF5 file, but none of VTK (it has no VTKHDF in it)", file->name);
  ST_TRY(check_kind(file, error));
  ST_TRY(read_extents(file, error));
  ST_TRY(read_labels(file, error));
  ST_TRY(read_time(file, error));
  ST_TRY(list_section(file, "PointData", false, error));
  ST_TRY(list_section(file, "CellData", true, error));
  for (size_t i = 0; i < file->grid.part_count; i++)
    file->grid.part[i] = (StGridPart){file->extent[i].point_count, file->extent[i].cell_count,
                                      file->array_count, file->array};
  return ST_OK;
}

// HDF5 copies the bytes and does not change them.
static StStatus open_image(Hdf *file, const char *bytes, size_t size, StError *error) {
  bool no_memory;
  file->file = st_hdf_image_open((char *)bytes, size, &no_memory);
  ST_TRY_MEMORY(!no_memory, error);
  if (file->file < 0)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged, or no HDF5 file", file->name);
  return read_content(file, error);
}

static StStatus open_hdf(const char *name, const char *bytes, size_t size, StGridFile **result,
                         StError *error) {
  Hdf *file = ST_NEW(Hdf, 1);
  ST_TRY_MEMORY(file, error);
  file->grid.format = &st_grid_format_vtkhdf;
  file->file = file->group = -1;
  file->size = size;
  file->name = st_copy_string(name);
  StHdfUse use = st_hdf_begin();
  StStatus status = file->name ? open_image(file, bytes, size, error) : st_fail_memory(error);
  if (status != ST_OK)
    close_image(file);
  st_hdf_end(use);
  if (status == ST_OK)
    *result = &file->grid;
  else
    close_hdf(&file->grid);
  return status;
}

static StStatus read_array(StGridFile *grid, int part, const StGridArray *array, bool whole,
                           void **value, StError *error) {
  const Hdf *file = (Hdf *)grid;
  Extent total = before(file, grid->part_count), first = before(file, (size_t)part);
  bool cells = array->of_cells;
  const Rows rows = {cells ? total.cell_count : total.point_count, (size_t)array->components,
                     cells ? first.cell_count : first.point_count,
                     cells ? grid->part[part].cell_count : grid->part[part].point_count};
  ST_FREE char *path = st_format("%s/%s", cells ? "CellData" : "PointData", array->name);
  ST_TRY_MEMORY(path, error);
  return read_quietly(file, path, rows, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, value, error);
}

static StStatus read_points(StGridFile *grid, int part, double **value, StError *error) {
  const Hdf *file = (Hdf *)grid;
  const Rows rows = {before(file, grid->part_count).point_count, 3,
                     before(file, (size_t)part).point_count, grid->part[part].point_count};
  return read_quietly(file, "Points", rows, H5T_NATIVE_DOUBLE, (void **)value, error);
}

// Offsets say where each cell begins; each part ends with one more.
static StStatus read_cells(StGridFile *grid, int part, StVtkGrid *cells, StError *error) {
  const Hdf *file = (Hdf *)grid;
  const Extent *own = &file->extent[part];
  Extent total = before(file, grid->part_count), first = before(file, (size_t)part);
  const struct {
    const char *name;
    Rows rows;
    int64_t **to;
  } table[] = {{"Offsets",
                {total.cell_count + grid->part_count, 1, first.cell_count + (size_t)part,
                 own->cell_count + 1},
                &cells->end},
               {"Connectivity",
                {total.connectivity_count, 1, first.connectivity_count, own->connectivity_count},
                &cells->connectivity},
               {"Types", {total.cell_count, 1, first.cell_count, own->cell_count}, &cells->type}};
  for (int i = 0; i < ST_LENGTH(table); i++)
    ST_TRY(read_quietly(file, table[i].name, table[i].rows, H5T_NATIVE_INT64, (void **)table[i].to,
                        error));
  int64_t begin = cells->end[0], end = cells->end[own->cell_count];
  if (begin != 0 || end != (int64_t)own->connectivity_count)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: damaged (the offsets of its cells go from %lld to %lld where there are %zu "
                   "numbers of points)",
                   file->name, (long long)begin, (long long)end, own->connectivity_count);
  memmove(cells->end, cells->end + 1, own->cell_count * sizeof *cells->end);
  cells->connectivity_count = own->connectivity_count;
  return ST_OK;
}

const StGridFormat st_grid_format_vtkhdf = {open_hdf, close_hdf, read_points, read_cells,
                                            read_array};
