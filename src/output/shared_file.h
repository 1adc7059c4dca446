// An HDF5 file that all processes write together, by MPI. Every call is collective.
#pragma once

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>

typedef struct StSharedFile {
  hid_t file;
  hid_t transfer; // for H5Dwrite: all processes at once
  const char *path;
} StSharedFile;

// Under path.tmp, in a folder that all processes see. path must outlive the file. Fails unless the
// disk has room for `most` bytes: HDF5 waits forever when one process alone meets a full disk.
StStatus st_shared_file_create(const char *path, size_t most, StSharedFile *shared, StError *error);

// Closes it, and gives it its name if all was good for every process; else it is taken away.
StStatus st_shared_file_publish(StSharedFile *shared, bool good, StError *error);
