// Reads VTKHDF. Sizes are checked against each other and against what the file could hold before
// any room is made for numbers.
#include "mesh/vtkhdf_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/builder.h"
#include "mesh/hdf_image.h"

#include <string.h>

// Limit of memory for the numbers of one array: so much, or so many times the file's own size.
// Files of meshes take ten to twenty times their size; one made to grow takes a thousand times.
enum { ROOM = 64 << 20, GROWTH = 100 };
enum { PARTS_MOST = 1 << 20, COMPONENTS_MOST = 9, LABELS_MOST = 1 << 20 };

struct StVtkhdfFile {
  char *name;
  size_t size; // bytes
  hid_t file, group;
  int part_count;
  StVtkhdfExtent *part;
  StVtkhdfExtent total;
  int array_count;
  size_t array_capacity;
  StVtkhdfArray *array;
  char *label_text, **label; // into the text
  bool has_time;
  double time;
};

void st_vtkhdf_file_close(StVtkhdfFile *file) {
  if (!file)
    return;
  if (file->group >= 0)
    H5Gclose(file->group);
  if (file->file >= 0)
    H5Fclose(file->file);
  for (int i = 0; i < file->array_count; i++)
    free(file->array[i].name);
  free(file->array);
  free(file->part);
  free(file->label);
  free(file->label_text);
  free(file->name);
  free(file);
}

static StStatus fail_damaged(const StVtkhdfFile *file, const char *what, StError *error) {
  return st_fail(error, ST_BAD_INPUT, "%s: damaged (%s is missing or malformed)", file->name, what);
}

// The shape of a stored array.
typedef struct Shape {
  size_t rows, columns; // columns 1: a plain list
  H5T_class_t kind;
  size_t item_size; // bytes, as stored
} Shape;

static bool find_shape(hid_t set, Shape *shape) {
  hsize_t size[2] = {0, 1};
  hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  bool good = type >= 0 && (dimensions == 1 || dimensions == 2) &&
              H5Sget_simple_extent_dims(space, size, NULL) >= 0;
  if (good)
    *shape = (Shape){size[0], size[1], H5Tget_class(type), H5Tget_size(type)};
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  return good;
}

static bool has_room(const StVtkhdfFile *file, const Shape *shape, size_t item) {
  size_t count, bytes;
  return !__builtin_mul_overflow(shape->rows, shape->columns, &count) &&
         !__builtin_mul_overflow(count, item, &bytes) && bytes <= ROOM + GROWTH * file->size;
}

// An array of the group with this many rows and columns, as numbers of a type in memory.
static StStatus read_table(const StVtkhdfFile *file, const char *path, size_t rows, size_t columns,
                           hid_t native, void **value, StError *error) {
  hid_t set = H5Dopen2(file->group, path, H5P_DEFAULT);
  Shape shape;
  size_t item = H5Tget_size(native);
  StStatus status = ST_OK;
  if (set < 0 || !find_shape(set, &shape) || shape.rows != rows || shape.columns != columns ||
      (shape.kind != H5T_INTEGER && shape.kind != H5T_FLOAT) || !has_room(file, &shape, item))
    status = fail_damaged(file, path, error);
  if (status == ST_OK && !(*value = st_new_array(rows * columns, item)))
    status = st_fail_memory(error);
  if (status == ST_OK && rows && H5Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, *value) < 0) {
    free(*value);
    *value = NULL;
    status = fail_damaged(file, path, error);
  }
  if (set >= 0)
    H5Dclose(set);
  return status;
}

static StStatus read_quietly(const StVtkhdfFile *file, const char *path, size_t rows,
                             size_t columns, hid_t native, void **value, StError *error) {
  StHdfSilence silence = st_hdf_silence_begin();
  StStatus status = read_table(file, path, rows, columns, native, value, error);
  st_hdf_silence_end(silence);
  return status;
}

static StStatus check_kind(const StVtkhdfFile *file, StError *error) {
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

static StStatus count_parts(StVtkhdfFile *file, StError *error) {
  hid_t set = H5Dopen2(file->group, "NumberOfPoints", H5P_DEFAULT);
  Shape shape = {0};
  bool good = set >= 0 && find_shape(set, &shape) && shape.rows > 0 && shape.rows <= PARTS_MOST;
  if (set >= 0)
    H5Dclose(set);
  if (!good)
    return fail_damaged(file, "NumberOfPoints", error);
  file->part_count = (int)shape.rows;
  file->part = ST_NEW(StVtkhdfExtent, shape.rows);
  return file->part ? ST_OK : st_fail_memory(error);
}

// One number of every part: what is behind `offset` in its extent.
static StStatus read_counts(StVtkhdfFile *file, const char *name, size_t offset, StError *error) {
  ST_FREE int64_t *count = NULL;
  ST_TRY(read_table(file, name, (size_t)file->part_count, 1, H5T_NATIVE_INT64, (void **)&count,
                    error));
  size_t *sum = (size_t *)((char *)&file->total + offset);
  bool good = true;
  for (int i = 0; i < file->part_count && good; i++) {
    good = count[i] >= 0 && count[i] <= 8 * (int64_t)ST_MESH_LIMIT;
    *(size_t *)((char *)&file->part[i] + offset) = good ? (size_t)count[i] : 0;
    *sum += good ? (size_t)count[i] : 0;
    good = good && *sum <= 8 * (size_t)ST_MESH_LIMIT;
  }
  return good ? ST_OK : fail_damaged(file, name, error);
}

static StStatus read_extents(StVtkhdfFile *file, StError *error) {
  ST_TRY(count_parts(file, error));
  ST_TRY(read_counts(file, "NumberOfPoints", offsetof(StVtkhdfExtent, point_count), error));
  ST_TRY(read_counts(file, "NumberOfCells", offsetof(StVtkhdfExtent, cell_count), error));
  return read_counts(file, "NumberOfConnectivityIds", offsetof(StVtkhdfExtent, connectivity_count),
                     error);
}

// Lists what H5Literate comes across in one section; arrays of other shapes are left out.
typedef struct Listing {
  StVtkhdfFile *file;
  bool of_cells;
  bool no_memory;
} Listing;

static herr_t list_array(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  Listing *listing = context;
  StVtkhdfFile *file = listing->file;
  size_t rows = listing->of_cells ? file->total.cell_count : file->total.point_count;
  Shape shape = {0};
  (void)info;
  hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
  bool known = set >= 0 && find_shape(set, &shape) && shape.rows == rows && shape.columns > 0 &&
               shape.columns <= COMPONENTS_MOST &&
               (shape.kind == H5T_INTEGER || shape.kind == H5T_FLOAT);
  if (set >= 0)
    H5Dclose(set);
  if (!known)
    return 0;
  char *copy = st_copy_string(name);
  if (!copy || !st_grow((void **)&file->array, &file->array_capacity, (size_t)file->array_count + 1,
                        sizeof(StVtkhdfArray))) {
    free(copy);
    listing->no_memory = true;
    return -1;
  }
  file->array[file->array_count++] = (StVtkhdfArray){.name = copy,
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

static StStatus list_section(StVtkhdfFile *file, const char *name, bool of_cells, StError *error) {
  Listing listing = {file, of_cells, false};
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

static StStatus split_labels(StVtkhdfFile *file, size_t count, size_t width, StError *error) {
  ST_TRY_MEMORY(file->label = ST_NEW(char *, count + 1), error);
  for (size_t i = 0; i < count; i++)
    file->label[i] = file->label_text + i * width;
  return ST_OK;
}

// Each name gets a 0 behind it.
static StStatus read_names(StVtkhdfFile *file, hid_t set, StError *error) {
  Shape shape = {0};
  if (!find_shape(set, &shape) || shape.kind != H5T_STRING || shape.columns != 1 ||
      shape.rows > LABELS_MOST || shape.item_size > LABELS_MOST ||
      shape.rows * shape.item_size > LABELS_MOST)
    return fail_damaged(file, "LabelNames", error);
  size_t width = shape.item_size + 1;
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  H5Tset_strpad(type, H5T_STR_NULLTERM);
  file->label_text = ST_NEW(char, shape.rows *width + 1);
  bool good = file->label_text && (!shape.rows || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                          file->label_text) >= 0);
  H5Tclose(type);
  ST_TRY_MEMORY(file->label_text, error);
  return good ? split_labels(file, shape.rows, width, error)
              : fail_damaged(file, "LabelNames", error);
}

static StStatus read_labels(StVtkhdfFile *file, StError *error) {
  if (H5Lexists(file->file, "LabelNames", H5P_DEFAULT) <= 0)
    return split_labels(file, 0, 0, error);
  hid_t set = H5Dopen2(file->file, "LabelNames", H5P_DEFAULT);
  StStatus status =
      set >= 0 ? read_names(file, set, error) : fail_damaged(file, "LabelNames", error);
  if (set >= 0)
    H5Dclose(set);
  return status;
}

static StStatus read_time(StVtkhdfFile *file, StError *error) {
  double *time = NULL;
  if (H5Lexists(file->group, "FieldData", H5P_DEFAULT) <= 0 ||
      H5Lexists(file->group, "FieldData/TimeValue", H5P_DEFAULT) <= 0)
    return ST_OK;
  ST_TRY(read_table(file, "FieldData/TimeValue", 1, 1, H5T_NATIVE_DOUBLE, (void **)&time, error));
  file->time = *time;
  file->has_time = true;
  free(time);
  return ST_OK;
}

static StStatus read_content(StVtkhdfFile *file, StError *error) {
  file->group = H5Gopen2(file->file, "VTKHDF", H5P_DEFAULT);
  if (file->group < 0)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: an HDF5 file, but none of VTK (it has no VTKHDF in it)", file->name);
  ST_TRY(check_kind(file, error));
  ST_TRY(read_extents(file, error));
  ST_TRY(read_labels(file, error));
  ST_TRY(read_time(file, error));
  ST_TRY(list_section(file, "PointData", false, error));
  return list_section(file, "CellData", true, error);
}

static StStatus open_image(StVtkhdfFile *file, char *bytes, size_t size, StError *error) {
  bool no_memory;
  file->file = st_hdf_image_open(bytes, size, &no_memory);
  ST_TRY_MEMORY(!no_memory, error);
  if (file->file < 0)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged, or no HDF5 file", file->name);
  return read_content(file, error);
}

StStatus st_vtkhdf_file_open(const char *name, char *bytes, size_t size, StVtkhdfFile **result,
                             StError *error) {
  StVtkhdfFile *file = ST_NEW(StVtkhdfFile, 1);
  ST_TRY_MEMORY(file, error);
  file->file = file->group = -1;
  file->size = size;
  file->name = st_copy_string(name);
  StHdfSilence silence = st_hdf_silence_begin();
  StStatus status = file->name ? open_image(file, bytes, size, error) : st_fail_memory(error);
  if (status != ST_OK)
    st_vtkhdf_file_close(file);
  st_hdf_silence_end(silence);
  *result = status == ST_OK ? file : NULL;
  return status;
}

int st_vtkhdf_file_part_count(const StVtkhdfFile *file) {
  return file->part_count;
}

const StVtkhdfExtent *st_vtkhdf_file_part(const StVtkhdfFile *file, int part) {
  return &file->part[part];
}

const StVtkhdfExtent *st_vtkhdf_file_total(const StVtkhdfFile *file) {
  return &file->total;
}

int st_vtkhdf_file_array_count(const StVtkhdfFile *file) {
  return file->array_count;
}

const StVtkhdfArray *st_vtkhdf_file_array(const StVtkhdfFile *file, int index) {
  return &file->array[index];
}

char *const *st_vtkhdf_file_labels(const StVtkhdfFile *file) {
  return file->label;
}

bool st_vtkhdf_file_time(const StVtkhdfFile *file, double *time) {
  *time = file->time;
  return file->has_time;
}

static StStatus read_array(const StVtkhdfFile *file, const StVtkhdfArray *array, hid_t native,
                           void **value, StError *error) {
  ST_FINALLY(st_text_free) StText path = {0};
  st_text_add(&path, "%s/%s", array->of_cells ? "CellData" : "PointData", array->name);
  size_t rows = array->of_cells ? file->total.cell_count : file->total.point_count;
  return path.failed
             ? st_fail_memory(error)
             : read_quietly(file, path.data, rows, (size_t)array->components, native, value, error);
}

StStatus st_vtkhdf_file_reals(const StVtkhdfFile *file, const StVtkhdfArray *array, double **value,
                              StError *error) {
  return read_array(file, array, H5T_NATIVE_DOUBLE, (void **)value, error);
}

StStatus st_vtkhdf_file_integers(const StVtkhdfFile *file, const StVtkhdfArray *array,
                                 int64_t **value, StError *error) {
  return read_array(file, array, H5T_NATIVE_INT64, (void **)value, error);
}

StStatus st_vtkhdf_file_positions(const StVtkhdfFile *file, double **value, StError *error) {
  return read_quietly(file, "Points", file->total.point_count, 3, H5T_NATIVE_DOUBLE, (void **)value,
                      error);
}

StStatus st_vtkhdf_file_cells(const StVtkhdfFile *file, const char *name, int64_t **value,
                              StError *error) {
  const StVtkhdfExtent *total = &file->total;
  size_t rows = strcmp(name, "Connectivity") == 0 ? total->connectivity_count
                : strcmp(name, "Offsets") == 0
                    ? total->cell_count + (size_t)file->part_count // each part ends with one more
                    : total->cell_count;
  return read_quietly(file, name, rows, 1, H5T_NATIVE_INT64, (void **)value, error);
}
