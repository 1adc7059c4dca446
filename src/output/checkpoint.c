// Writes and reads checkpoint.h5. The HDF5 image is built and opened in memory only: st_file_write
// is the one writer, and a file is checked as a whole before HDF5 parses it.
#include "output/checkpoint.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/hdf_image.h"
#include "output/checksum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// HDF5 looks for its signature at 0, 512, 1024 …: a header of 512 bytes keeps the file readable by
// every HDF5 tool.
enum { FORMAT = 9, HEADER_SIZE = 512 };

static const char MAGIC[] = "Stiction checkpoint";
static const char HDF5_MAGIC[] = "\x89HDF\r\n\x1a\n";

typedef struct Whole {
  StCheckpoint *checkpoint;
  StWritten *written;
} Whole;

typedef enum ScalarKind { SCALAR_LONG, SCALAR_INT, SCALAR_UINT32, SCALAR_DOUBLE } ScalarKind;

typedef struct Scalar {
  const char *name;
  ScalarKind kind;
  bool of_writers; // in StWritten, else in StCheckpoint
  size_t offset;
} Scalar;

#define OF_STATE(kind, field)                                                                      \
  { #field, kind, false, offsetof(StCheckpoint, field) }
#define OF_WRITERS(kind, field)                                                                    \
  { #field, kind, true, offsetof(StWritten, field) }

static const Scalar SCALARS[] = {
    OF_STATE(SCALAR_LONG, step),
    OF_STATE(SCALAR_INT, frame),
    OF_STATE(SCALAR_DOUBLE, time),
    OF_STATE(SCALAR_DOUBLE, h),
    OF_STATE(SCALAR_DOUBLE, h_previous),
    OF_STATE(SCALAR_INT, steps_since_cut),
    OF_STATE(SCALAR_LONG, total_newton),
    OF_STATE(SCALAR_LONG, total_linear),
    OF_STATE(SCALAR_LONG, total_retries),
    OF_STATE(SCALAR_DOUBLE, wall_seconds),
    OF_STATE(SCALAR_DOUBLE, processor_seconds),
    OF_STATE(SCALAR_INT, vertex_count),
    OF_WRITERS(SCALAR_UINT32, scene_crc),
    OF_WRITERS(SCALAR_LONG, history_rows),
    OF_WRITERS(SCALAR_LONG, contacts_size),
    OF_WRITERS(SCALAR_UINT32, contacts_crc),
    OF_WRITERS(SCALAR_INT, frame_count),
};

typedef struct Field {
  const char *name;
  size_t offset; // of the double * in StCheckpoint
} Field;

static const Field FIELDS[] = {
    {"position", offsetof(StCheckpoint, position)},
    {"velocity", offsetof(StCheckpoint, velocity)},
    {"position_previous", offsetof(StCheckpoint, position_previous)},
    {"velocity_previous", offsetof(StCheckpoint, velocity_previous)},
    {"velocity_solved", offsetof(StCheckpoint, solved)},
    {"force", offsetof(StCheckpoint, force)},
};

static void *scalar_place(const Whole *whole, const Scalar *scalar) {
  char *base = scalar->of_writers ? (char *)whole->written : (char *)whole->checkpoint;
  return base + scalar->offset;
}

static double **field_place(const Whole *whole, const Field *field) {
  return (double **)((char *)whole->checkpoint + field->offset);
}

static hid_t memory_type(ScalarKind kind) {
  switch (kind) {
  case SCALAR_LONG: return H5T_NATIVE_LONG;
  case SCALAR_INT: return H5T_NATIVE_INT;
  case SCALAR_UINT32: return H5T_NATIVE_UINT32;
  case SCALAR_DOUBLE: return H5T_NATIVE_DOUBLE;
  }
  return H5T_NATIVE_DOUBLE;
}

static hid_t file_type(ScalarKind kind) {
  switch (kind) {
  case SCALAR_LONG: return H5T_STD_I64LE;
  case SCALAR_INT: return H5T_STD_I32LE;
  case SCALAR_UINT32: return H5T_STD_U32LE;
  case SCALAR_DOUBLE: return H5T_IEEE_F64LE;
  }
  return H5T_IEEE_F64LE;
}

void st_written_free(StWritten *written) {
  free(written->history_crc);
  free(written->frame_time);
  *written = (StWritten){0};
}

static bool write_scalar(hid_t file, const Whole *whole, const Scalar *scalar) {
  hid_t space = H5Screate(H5S_SCALAR);
  bool good = st_hdf_add_attribute(file, scalar->name, file_type(scalar->kind),
                                   memory_type(scalar->kind), space, scalar_place(whole, scalar));
  H5Sclose(space);
  return good;
}

// columns 0: a plain list of `rows` items, otherwise rows × columns.
static bool write_array(hid_t file, const char *name, hid_t stored, hid_t native, size_t rows,
                        size_t columns, const void *data) {
  hsize_t size[2] = {rows, columns};
  hid_t space = H5Screate_simple(columns ? 2 : 1, size, NULL);
  // No modification time, so that equal states give equal files.
  hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(settings, false);
  hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, settings, H5P_DEFAULT);
  bool good =
      set >= 0 && (rows == 0 || H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (set >= 0)
    H5Dclose(set);
  H5Pclose(settings);
  H5Sclose(space);
  return good;
}

static bool write_content(hid_t file, const Whole *whole) {
  bool good = true;
  for (int i = 0; i < ST_LENGTH(SCALARS); i++)
    good = good && write_scalar(file, whole, &SCALARS[i]);
  size_t vertices = (size_t)whole->checkpoint->vertex_count;
  for (int i = 0; i < ST_LENGTH(FIELDS); i++)
    good = good && write_array(file, FIELDS[i].name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, vertices, 3,
                               *field_place(whole, &FIELDS[i]));
  good = good && write_array(file, "history_crc", H5T_STD_U32LE, H5T_NATIVE_UINT32,
                             (size_t)whole->written->history_rows, 0, whole->written->history_crc);
  good = good && write_array(file, "frame_time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                             (size_t)whole->written->frame_count, 0, whole->written->frame_time);
  good = good && write_array(file, "program", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                             whole->checkpoint->program_count, 0, whole->checkpoint->program);
  return good && write_array(file, "extra", H5T_STD_U8LE, H5T_NATIVE_UCHAR,
                             whole->checkpoint->extra_size, 0, whole->checkpoint->extra);
}

// *bytes: room for the header and then the image; free() it.
static bool build_image(const Whole *whole, char **bytes, size_t *size) {
  hid_t file = st_hdf_image_create(HEADER_SIZE);
  bool good =
      file >= 0 && write_content(file, whole) && st_hdf_image_take(file, HEADER_SIZE, bytes, size);
  if (file >= 0)
    H5Fclose(file);
  return good;
}

static void write_header(char *bytes, size_t size) {
  snprintf(bytes, HEADER_SIZE, "%s\nformat %d\nsize %zu\ncrc32 %08x\n", MAGIC, FORMAT, size,
           st_checksum(bytes + HEADER_SIZE, size - HEADER_SIZE));
}

StStatus st_checkpoint_pack(const char *name, const StCheckpoint *checkpoint,
                            const StWritten *written, char **bytes, size_t *size, StError *error) {
  // Both are only read; Whole is shared with the reader, which fills them.
  Whole whole = {(StCheckpoint *)checkpoint, (StWritten *)written};
  for (int i = 0; i < ST_LENGTH(FIELDS); i++)
    ST_CHECK(*field_place(&whole, &FIELDS[i]) || checkpoint->vertex_count == 0, error);
  *bytes = NULL;
  *size = 0;
  StHdfUse use = st_hdf_begin();
  bool built = build_image(&whole, bytes, size);
  st_hdf_end(use);
  if (built) {
    write_header(*bytes, *size);
    return ST_OK;
  }
  free(*bytes);
  *bytes = NULL;
  return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be built: out of memory", name);
}

StStatus st_checkpoint_write(const char *path, const StCheckpoint *checkpoint,
                             const StWritten *written, StError *error) {
  ST_FREE char *bytes = NULL;
  size_t size;
  ST_TRY(st_checkpoint_pack(path, checkpoint, written, &bytes, &size, error));
  return st_file_write(path, bytes, size, error);
}

static StStatus check_start(const char *path, const char *bytes, size_t size, StError *error) {
  size_t magic = sizeof MAGIC - 1;
  if (size >= magic && memcmp(bytes, MAGIC, magic) == 0)
    return ST_OK;
  if (size >= sizeof HDF5_MAGIC - 1 && memcmp(bytes, HDF5_MAGIC, sizeof HDF5_MAGIC - 1) == 0)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: an HDF5 file of another program, not a Stiction checkpoint", path);
  return st_fail(error, ST_BAD_INPUT, "%s: not a Stiction checkpoint", path);
}

static StStatus check_whole(const char *path, const char *bytes, size_t size, StError *error) {
  ST_TRY(check_start(path, bytes, size, error));
  if (size < HEADER_SIZE)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (cut off after %zu bytes)", path, size);
  char header[HEADER_SIZE + 1] = {0};
  memcpy(header, bytes, HEADER_SIZE);
  int format = 0;
  size_t stated_size = 0;
  unsigned stated_crc = 0;
  int found = sscanf(header + sizeof MAGIC - 1, " format %d size %zu crc32 %x", &format,
                     &stated_size, &stated_crc);
  if (found >= 1 && format != FORMAT)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: has format %d, this version of Stiction reads format %d; resume with the "
                   "version that wrote it",
                   path, format, FORMAT);
  if (found != 3)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (unreadable header)", path);
  if (stated_size != size)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (%zu bytes instead of %zu)", path, size,
                   stated_size);
  uint32_t crc = st_checksum(bytes + HEADER_SIZE, size - HEADER_SIZE);
  if (crc != stated_crc)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (checksum %08x instead of %08x)", path, crc,
                   stated_crc);
  return ST_OK;
}

static bool read_scalar(hid_t file, const Whole *whole, const Scalar *scalar) {
  hid_t attribute = H5Aopen(file, scalar->name, H5P_DEFAULT);
  if (attribute < 0)
    return false;
  hid_t space = H5Aget_space(attribute);
  bool good = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
              H5Aread(attribute, memory_type(scalar->kind), scalar_place(whole, scalar)) >= 0;
  if (space >= 0)
    H5Sclose(space);
  H5Aclose(attribute);
  return good;
}

// Result of reading.
typedef enum Outcome { OUTCOME_GOOD, OUTCOME_DAMAGED, OUTCOME_NO_MEMORY } Outcome;

typedef struct Finding {
  Outcome outcome;
  const char *name;
} Finding;

static Finding damaged(const char *name) {
  return (Finding){OUTCOME_DAMAGED, name};
}

static Finding found(bool good, const char *name) {
  return good ? (Finding){OUTCOME_GOOD, NULL} : damaged(name);
}

typedef struct Array {
  const char *name;
  hid_t native;
  size_t item_size;
  long rows;      // required number, or -1 for any
  size_t columns; // 0: a plain list
} Array;

static bool has_shape(hid_t set, const Array *array, size_t *rows) {
  StHdfShape shape;
  size_t columns = array->columns ? array->columns : 1;
  bool good = st_hdf_shape(set, &shape) && shape.dimensions == (array->columns ? 2 : 1) &&
              (array->rows < 0 || shape.rows == (size_t)array->rows) && shape.columns == columns;
  // An array's bytes are in the file, so a damaged size cannot request unlimited memory.
  good = good && shape.rows <= H5Dget_storage_size(set) / array->item_size / columns;
  *rows = good ? shape.rows : 0;
  return good;
}

static Finding read_set(hid_t set, const Array *array, void **data, size_t *rows) {
  if (!has_shape(set, array, rows))
    return damaged(array->name);
  *data = st_new_array(array->columns ? *rows * array->columns : *rows, array->item_size);
  if (!*data)
    return (Finding){OUTCOME_NO_MEMORY, array->name};
  return found(*rows == 0 || H5Dread(set, array->native, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) >= 0,
               array->name);
}

static Finding read_array(hid_t file, Array array, void **data, size_t *rows) {
  hid_t set = H5Dopen2(file, array.name, H5P_DEFAULT);
  if (set < 0)
    return damaged(array.name);
  Finding finding = read_set(set, &array, data, rows);
  H5Dclose(set);
  return finding;
}

static Finding read_fields(hid_t file, const Whole *whole) {
  size_t rows;
  Finding finding = found(true, NULL);
  for (int i = 0; i < ST_LENGTH(FIELDS) && finding.outcome == OUTCOME_GOOD; i++) {
    Array array = {FIELDS[i].name, H5T_NATIVE_DOUBLE, sizeof(double),
                   whole->checkpoint->vertex_count, 3};
    finding = read_array(file, array, (void **)field_place(whole, &FIELDS[i]), &rows);
  }
  return finding;
}

static Finding read_lists(hid_t file, const Whole *whole) {
  StWritten *written = whole->written;
  StCheckpoint *checkpoint = whole->checkpoint;
  size_t rows;
  Array crc = {"history_crc", H5T_NATIVE_UINT32, sizeof(uint32_t), written->history_rows, 0};
  Array time = {"frame_time", H5T_NATIVE_DOUBLE, sizeof(double), written->frame_count, 0};
  Array program = {"program", H5T_NATIVE_DOUBLE, sizeof(double), -1, 0};
  Array extra = {"extra", H5T_NATIVE_UCHAR, 1, -1, 0};
  Finding finding = read_array(file, crc, (void **)&written->history_crc, &rows);
  if (finding.outcome == OUTCOME_GOOD)
    finding = read_array(file, time, (void **)&written->frame_time, &rows);
  if (finding.outcome == OUTCOME_GOOD)
    finding = read_array(file, program, (void **)&checkpoint->program, &checkpoint->program_count);
  if (finding.outcome == OUTCOME_GOOD)
    finding = read_array(file, extra, (void **)&checkpoint->extra, &checkpoint->extra_size);
  return finding;
}

static Finding read_scalars(hid_t file, const Whole *whole) {
  for (int i = 0; i < ST_LENGTH(SCALARS); i++)
    if (!read_scalar(file, whole, &SCALARS[i]))
      return damaged(SCALARS[i].name);
  const StCheckpoint *checkpoint = whole->checkpoint;
  const StWritten *written = whole->written;
  const struct {
    bool good;
    const char *name;
  } needed[] = {
      {checkpoint->step >= 0, "step"},
      {checkpoint->time >= 0 && isfinite(checkpoint->time), "time"},
      {checkpoint->h > 0 && isfinite(checkpoint->h), "h"},
      {checkpoint->h_previous >= 0 && isfinite(checkpoint->h_previous), "h_previous"},
      {checkpoint->vertex_count >= 0, "vertex_count"},
      {written->history_rows >= 0, "history_rows"},
      {written->contacts_size >= 0, "contacts_size"},
      // A state at a frame time is saved after its frame.
      {written->frame_count == (long)checkpoint->frame + 1, "frame_count"},
  };
  for (int i = 0; i < ST_LENGTH(needed); i++)
    if (!needed[i].good)
      return damaged(needed[i].name);
  return found(true, NULL);
}

static Finding check_fields(const Whole *whole) {
  size_t count = 3 * (size_t)whole->checkpoint->vertex_count;
  for (int i = 0; i < ST_LENGTH(FIELDS); i++) {
    const double *value = *field_place(whole, &FIELDS[i]);
    for (size_t k = 0; k < count; k++)
      if (!isfinite(value[k]))
        return damaged(FIELDS[i].name);
  }
  return found(true, NULL);
}

static Finding read_content(hid_t file, const Whole *whole) {
  Finding finding = read_scalars(file, whole);
  if (finding.outcome == OUTCOME_GOOD)
    finding = read_fields(file, whole);
  if (finding.outcome == OUTCOME_GOOD)
    finding = read_lists(file, whole);
  if (finding.outcome == OUTCOME_GOOD)
    finding = check_fields(whole);
  return finding;
}

static Finding read_image(char *bytes, size_t size, const Whole *whole) {
  bool no_memory;
  hid_t file = st_hdf_image_open(bytes, size, &no_memory);
  if (no_memory)
    return (Finding){OUTCOME_NO_MEMORY, NULL};
  Finding finding = file >= 0 ? read_content(file, whole) : damaged("HDF5 content");
  if (file >= 0)
    H5Fclose(file);
  return finding;
}

StStatus st_checkpoint_unpack(const char *name, char *bytes, size_t size, StCheckpoint *checkpoint,
                              StWritten *written, StError *error) {
  *checkpoint = (StCheckpoint){0};
  *written = (StWritten){0};
  StStatus status = check_whole(name, bytes, size, error);
  if (status == ST_OK) {
    Whole whole = {checkpoint, written};
    StHdfUse use = st_hdf_begin();
    Finding finding = read_image(bytes, size, &whole);
    st_hdf_end(use);
    if (finding.outcome == OUTCOME_NO_MEMORY)
      status = st_fail_memory(error);
    else if (finding.outcome == OUTCOME_DAMAGED)
      status = st_fail(error, ST_BAD_INPUT, "%s: damaged (%s is missing or malformed)", name,
                       finding.name);
  }
  if (status != ST_OK) {
    st_checkpoint_free(checkpoint);
    st_written_free(written);
  }
  return status;
}

StStatus st_checkpoint_read(const char *path, StCheckpoint *checkpoint, StWritten *written,
                            StError *error) {
  *checkpoint = (StCheckpoint){0};
  *written = (StWritten){0};
  ST_FREE char *bytes = NULL;
  size_t size = 0;
  ST_TRY(st_file_read(path, &bytes, &size, error));
  return st_checkpoint_unpack(path, bytes, size, checkpoint, written, error);
}
