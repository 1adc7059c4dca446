// HDF5 files as bytes in memory: what is read or written as a whole goes through base/file.h like
// every other file, and HDF5 never touches the disk.
#pragma once

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

// An empty file; user_block: bytes that are kept free at its start. Negative: no memory.
hid_t st_hdf_image_create(size_t user_block);

// *bytes: before bytes for the caller, then the file without its user block; free() it, also after
// a failure.
bool st_hdf_image_take(hid_t file, size_t before, char **bytes, size_t *size);

// Opens a copy of the bytes for reading. Negative: these are no HDF5 file, or, then *no_memory,
// there is no room for the copy.
hid_t st_hdf_image_open(char *bytes, size_t size, bool *no_memory);

// An attribute of `space` from memory of the native type.
bool st_hdf_add_attribute(hid_t group, const char *name, hid_t stored, hid_t native, hid_t space,
                          const void *value);

// The shape of a stored array: a list (columns 1) or rows × columns.
typedef struct StHdfShape {
  int dimensions; // 1 or 2
  size_t rows, columns;
  H5T_class_t kind;
  size_t item_size; // bytes, as stored
} StHdfShape;

bool st_hdf_shape(hid_t set, StHdfShape *shape);

// Brackets everything that is done with HDF5. It supports one thread, so threads take turns here,
// and it prints its errors unless told not to; that setting belongs to the caller's program and is
// put back afterwards.
typedef struct StHdfUse {
  H5E_auto2_t print;
  void *context;
} StHdfUse;

StHdfUse st_hdf_begin(void);
void st_hdf_end(StHdfUse use);
