// HDF5's driver for files in memory.
#include "mesh/hdf_image.h"

#include "base/memory.h"

enum { GROWTH = 1 << 20 };

static hid_t in_memory(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, GROWTH, false);
  // The oldest layout, which is HDF5's default, has no checksums. Images of newer ones have wrong
  // ones: HDF5 1.10 clears a mark in the copy and leaves the sum as it was.
  return access;
}

hid_t st_hdf_image_create(size_t user_block) {
  hid_t access = in_memory(), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, user_block);
  hid_t file = H5Fcreate("file in memory", H5F_ACC_TRUNC, creation, access);
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
  *no_memory = H5Pset_file_image(access, bytes, size) < 0;
  hid_t file = *no_memory ? -1 : H5Fopen("file in memory", H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return file;
}

StHdfSilence st_hdf_silence_begin(void) {
  StHdfSilence silence = {0};
  H5Eget_auto2(H5E_DEFAULT, &silence.print, &silence.context);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return silence;
}

void st_hdf_silence_end(StHdfSilence silence) {
  H5Eset_auto2(H5E_DEFAULT, silence.print, silence.context);
}
