// HDF5's driver for files in memory.
#include "mesh/hdf_image.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { GROWTH = 1 << 20, NAME_SIZE = 64 };

// HDF5 takes two open files of one name for the same one: a second could not be created, and
// opening it would give what is in the first.
static void name_anew(char name[NAME_SIZE]) {
  static atomic_ulong count;
  snprintf(name, NAME_SIZE, "file %lu in memory", atomic_fetch_add(&count, 1));
}

static hid_t in_memory(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, GROWTH, false);
  // The oldest layout, which is HDF5's default, has no checksums. Images of newer ones have wrong
  // ones: HDF5 1.10 clears a mark in the copy and leaves the sum as it was.
  return access;
}

hid_t st_hdf_image_create(size_t user_block) {
  hid_t access = in_memory(), creation = H5Pcreate(H5P_FILE_CREATE);
  char name[NAME_SIZE];
  name_anew(name);
  H5Pset_userblock(creation, user_block);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

bool st_hdf_image_take(hid_t file, size_t before, char **bytes, size_t *size) {
  *bytes = NULL;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0)
    return false;
  ssize_t length = H5Fget_file_image(file, NULL, 0);
  if (length <= 0)
    return false;
  *size = before + (size_t)length;
  *bytes = ST_NEW(char, *size);
  return *bytes && H5Fget_file_image(file, *bytes + before, (size_t)length) == length;
}

hid_t st_hdf_image_open(char *bytes, size_t size, bool *no_memory) {
  hid_t access = in_memory();
  char name[NAME_SIZE];
  name_anew(name);
  *no_memory = H5Pset_file_image(access, bytes, size) < 0;
  hid_t file = *no_memory ? -1 : H5Fopen(name, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

bool st_hdf_add_attribute(hid_t group, const char *name, hid_t stored, hid_t native, hid_t space,
                          const void *value) {
  hid_t attribute = H5Acreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, native, value) >= 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  return good;
}

bool st_hdf_shape(hid_t set, StHdfShape *shape) {
  hsize_t size[2] = {0, 1};
  hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  bool good = type >= 0 && (dimensions == 1 || dimensions == 2) &&
              H5Sget_simple_extent_dims(space, size, NULL) >= 0;
  if (good)
    *shape = (StHdfShape){dimensions, size[0], size[1], H5Tget_class(type), H5Tget_size(type)};
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  return good;
}

// One of the process, as HDF5's state is.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

StHdfUse st_hdf_begin(void) {
  StHdfUse use = {0};
  pthread_mutex_lock(&turn);
  H5Eget_auto2(H5E_DEFAULT, &use.print, &use.context);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return use;
}

void st_hdf_end(StHdfUse use) {
  H5Eset_auto2(H5E_DEFAULT, use.print, use.context);
  pthread_mutex_unlock(&turn);
}
