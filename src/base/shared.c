// Anonymous files of memory; others open them through /proc. Unlike a segment with a name they
// cannot be left behind, and unlike a window of MPI everyone leaves when it likes.
#include "base/shared.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Before the bytes: the handle, by which those who join know that it is the right memory.
enum { HEAD = 64 };
_Static_assert(sizeof(StSharedHandle) <= HEAD, "the handle fits");

static StStatus map_file(int file, size_t size, StShared **shared, StError *error) {
  StShared *made = ST_NEW(StShared, 1);
  void *mapped =
      made ? mmap(NULL, HEAD + size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (mapped == MAP_FAILED) {
    free(made);
    return st_fail_memory(error);
  }
#ifdef MADV_HUGEPAGE
  (void)madvise(mapped, HEAD + size, MADV_HUGEPAGE); // failure is harmless
#endif
  *made = (StShared){.bytes = (char *)mapped + HEAD, .size = size, .mapped = mapped, .file = file};
  *shared = made;
  return ST_OK;
}

StStatus st_shared_create(size_t size, StShared **shared, StSharedHandle *handle, StError *error) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int file = memfd_create("stiction", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)(HEAD + size)) != 0) {
    StStatus status =
        st_fail(error, ST_SYSTEM_FAULT, "%zu MB of memory to share with other processes: %s",
                size >> 20, strerror(errno));
    if (file >= 0)
      close(file);
    return status;
  }
  StStatus status = map_file(file, size, shared, error);
  if (status != ST_OK) {
    close(file);
    return status;
  }
  *handle = (StSharedHandle){getpid(), file, now.tv_sec * 1000000000L + now.tv_nsec};
  memcpy((*shared)->mapped, handle, sizeof *handle);
  return ST_OK;
}

static bool is_it(int file, size_t size, const StSharedHandle *handle) {
  struct stat about;
  StSharedHandle found;
  return fstat(file, &about) == 0 && (size_t)about.st_size == HEAD + size &&
         pread(file, &found, sizeof found, 0) == sizeof found &&
         memcmp(&found, handle, sizeof found) == 0;
}

StStatus st_shared_join(size_t size, const StSharedHandle *handle, StShared **shared,
                        StError *error) {
  char path[80];
  snprintf(path, sizeof path, "/proc/%ld/fd/%ld", handle->process, handle->file);
  int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  StStatus status = ST_OK;
  if (file < 0 || !is_it(file, size, handle))
    status = st_fail(error, ST_SYSTEM_FAULT, "%s: memory of another process cannot be read", path);
  if (status == ST_OK)
    status = map_file(file, size, shared, error);
  if (status == ST_OK) {
    (*shared)->file = -1;
    (*shared)->joined = true;
  }
  if (file >= 0)
    close(file);
  return status;
}

void st_shared_seal(StShared *shared) {
  (void)mprotect(shared->mapped, HEAD + shared->size, PROT_READ);
  if (shared->file >= 0)
    close(shared->file);
  shared->file = -1;
}

void st_shared_destroy(StShared *shared) {
  if (!shared)
    return;
  munmap(shared->mapped, HEAD + shared->size);
  if (shared->file >= 0)
    close(shared->file);
  free(shared);
}
