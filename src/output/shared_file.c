// HDF5's driver for MPI.
#include "output/shared_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

// Takes the room and gives it back, which tells more than the free bytes that a disk reports:
// quotas count, too. 0, or an errno; disks that cannot do so are believed.
static int try_room(const char *name, size_t most) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return errno;
  int reason = fallocate(file, 0, 0, (off_t)most) == 0 ? 0 : errno;
  close(file);
  unlink(name);
  return reason == EOPNOTSUPP || reason == ENOSYS || reason == EINTR ? 0 : reason;
}

static StStatus check_room(const char *path, const char *name, size_t most, StError *error) {
  int reason = try_room(name, most);
  if (reason == ENOSPC || reason == EDQUOT)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be written: up to %.3g MB may be needed: %s",
                   path, 1e-6 * (double)most, strerror(reason));
  return reason == 0
             ? ST_OK
             : st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be written: %s", path, strerror(reason));
}

static hid_t create(const char *name) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, st_communicator(), MPI_INFO_NULL);
  H5Pset_coll_metadata_write(access, true);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

static StStatus fail(const char *path, StError *error) {
  return st_fail(error, ST_SYSTEM_FAULT,
                 "%s: cannot be written by all processes together: the disk may be full, or its "
                 "folder not be seen by all of them",
                 path);
}

StStatus st_shared_file_create(const char *path, size_t most, StSharedFile *shared,
                               StError *error) {
  ST_FINALLY(st_text_free) StText name = {0};
  st_text_add(&name, "%s.tmp", path);
  StStatus status = name.failed ? st_fail_memory(error) : ST_OK;
  if (status == ST_OK && st_runtime_rank() == 0)
    status = check_room(path, name.data, most, error);
  status = st_runtime_agree(status, error);
  *shared = (StSharedFile){.file = -1, .path = path};
  if (status == ST_OK)
    shared->file = create(name.data);
  ST_TRY(status);
  status = st_runtime_agree(shared->file < 0 ? fail(path, error) : ST_OK, error);
  if (status != ST_OK)
    return status;
  shared->transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(shared->transfer, H5FD_MPIO_COLLECTIVE);
  return ST_OK;
}

// Flushing has MPI put all on disk, as a file must be before it gets its name.
StStatus st_shared_file_publish(StSharedFile *shared, bool good, StError *error) {
  good = H5Fflush(shared->file, H5F_SCOPE_GLOBAL) >= 0 && good;
  good = H5Fclose(shared->file) >= 0 && good;
  H5Pclose(shared->transfer);
  StStatus status = st_runtime_agree(good ? ST_OK : fail(shared->path, error), error);
  bool first = st_runtime_rank() == 0;
  if (status == ST_OK)
    status = st_runtime_agree(first ? st_file_publish(shared->path, error) : ST_OK, error);
  if (status != ST_OK && first)
    st_file_unstage(shared->path);
  return status;
}
