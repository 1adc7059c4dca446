// Reads and writes whole files.
#include "base/file.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Describes what the path is instead of a plain file; NULL: a plain file.
static const char *what_else(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFREG: return NULL;
  case S_IFDIR: return "a folder";
  case S_IFIFO: return "a pipe";
  case S_IFSOCK: return "a socket";
  }
  return "a device";
}

// ST_BAD_INPUT for errors the user can fix, ST_SYSTEM_FAULT for the machine's.
static StStatus fail_read(const char *path, int reason, StError *error) {
  bool of_user = reason == ENOENT || reason == EACCES || reason == EPERM || reason == ENOTDIR ||
                 reason == ELOOP || reason == ENAMETOOLONG || reason == EINVAL || reason == ENXIO;
  return st_fail(error, of_user ? ST_BAD_INPUT : ST_SYSTEM_FAULT, "%s: cannot be read: %s", path,
                 strerror(reason));
}

static StStatus fail_large(const char *path, size_t most, StError *error) {
  return st_fail(error, ST_BAD_INPUT, "%s: is larger than %zu MB, the maximum", path, most >> 20);
}

static StStatus open_plain(const char *path, size_t most, int *file, StError *error) {
  struct stat about;
  if (stat(path, &about) != 0)
    return fail_read(path, errno, error);
  const char *other = what_else(about.st_mode);
  if (other)
    return st_fail(error, ST_BAD_INPUT, "%s: is %s, a file is needed", path, other);
  if ((uintmax_t)about.st_size > most)
    return fail_large(path, most, error);
  *file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return *file < 0 ? fail_read(path, errno, error) : ST_OK;
}

StStatus st_file_read_most(const char *path, size_t most, char **data, size_t *size,
                           StError *error) {
  int file = -1;
  ST_TRY(open_plain(path, most, &file, error));
  StText text = {0};
  char chunk[1 << 16];
  ssize_t got = 0;
  // The reported size may be wrong: files in /proc have none, others grow.
  while (text.length <= most && !text.failed && (got = read(file, chunk, sizeof chunk)) != 0)
    if (got > 0)
      st_text_add_bytes(&text, chunk, (size_t)got);
    else if (errno != EINTR)
      break;
  int reason = errno;
  close(file);
  st_text_add_bytes(&text, "", 0); // an empty file still gets its terminating 0
  if (got >= 0 && text.length <= most && !text.failed) {
    *data = text.data;
    *size = text.length;
    return ST_OK;
  }
  bool large = text.length > most, failed = text.failed;
  st_text_free(&text);
  ST_TRY_MEMORY(!failed, error);
  return large ? fail_large(path, most, error) : fail_read(path, reason, error);
}

StStatus st_file_read(const char *path, char **data, size_t *size, StError *error) {
  return st_file_read_most(path, SIZE_MAX, data, size, error);
}

static bool write_all(int file, const char *data, size_t size) {
  while (size) {
    ssize_t written = write(file, data, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    data += written;
    size -= (size_t)written;
  }
  return true;
}

static StStatus fail_write(const char *path, int reason, StError *error) {
  return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be written: %s", path, strerror(reason));
}

// path.tmp, to free(); NULL: out of memory.
static char *staged_name(const char *path) {
  return st_format("%s.tmp", path);
}

// fsync before the rename: otherwise a power cut may leave the new name on an empty file. 0, or an
// errno.
static int write_durably(const char *name, const void *data, size_t size) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return errno;
  int reason = write_all(file, data, size) && fsync(file) == 0 ? 0 : errno;
  if (close(file) != 0 && reason == 0)
    reason = errno;
  if (reason != 0)
    unlink(name);
  return reason;
}

StStatus st_file_stage(const char *path, const void *data, size_t size, StError *error) {
  ST_FREE char *name = staged_name(path);
  ST_TRY_MEMORY(name, error);
  int reason = write_durably(name, data, size);
  return reason == 0 ? ST_OK : fail_write(path, reason, error);
}

// A new name is durable once its folder is on disk. Some file systems cannot sync folders and
// return EINVAL; some folders can be written but not opened: nothing more can be done there.
static int sync_folder(const char *folder) {
  int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
    return errno == EACCES ? 0 : errno;
  int reason = fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
  close(handle);
  return reason;
}

// The same for the folder that contains the path.
static int sync_above(const char *path) {
  char *folder = st_copy_string(path);
  if (!folder)
    return ENOMEM;
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder ? 1 : 0] = 0;
  int reason = sync_folder(slash ? folder : ".");
  free(folder);
  return reason;
}

StStatus st_file_publish(const char *path, StError *error) {
  ST_FREE char *name = staged_name(path);
  ST_TRY_MEMORY(name, error);
  int reason = rename(name, path) == 0 ? sync_above(path) : errno;
  return reason == 0 ? ST_OK : fail_write(path, reason, error);
}

void st_file_unstage(const char *path) {
  ST_FREE char *name = staged_name(path);
  if (name)
    unlink(name);
}

StStatus st_file_write(const char *path, const void *data, size_t size, StError *error) {
  ST_TRY(st_file_stage(path, data, size, error));
  StStatus status = st_file_publish(path, error);
  if (status != ST_OK)
    st_file_unstage(path);
  return status;
}

// Creates one folder; an existing one is fine.
static int make_folder(const char *path) {
  struct stat about;
  if (mkdir(path, 0777) == 0)
    return sync_above(path);
  if (errno != EEXIST)
    return errno;
  if (stat(path, &about) != 0)
    return errno;
  return S_ISDIR(about.st_mode) ? 0 : ENOTDIR;
}

StStatus st_folder_create(const char *path, StError *error) {
  ST_FINALLY(st_text_free) StText name = {0};
  st_text_add(&name, "%s", path);
  ST_TRY_MEMORY(!name.failed, error);
  for (size_t end = 1; end <= name.length; end++) {
    if (name.data[end] != '/' && name.data[end] != 0)
      continue;
    char kept = name.data[end];
    name.data[end] = 0;
    int reason = make_folder(name.data);
    if (reason != 0)
      return st_fail(error, ST_SYSTEM_FAULT, "%s: the folder cannot be created: %s", name.data,
                     strerror(reason));
    name.data[end] = kept;
  }
  return ST_OK;
}

StStatus st_folder_create_above(const char *path, StError *error) {
  char *folder = st_copy_string(path), *slash = folder ? strrchr(folder, '/') : NULL;
  StStatus status = folder ? ST_OK : st_fail_memory(error);
  if (slash && slash > folder) {
    *slash = 0;
    status = st_folder_create(folder, error);
  }
  free(folder);
  return status;
}

StStatus st_file_find(const char *path, bool *found, StError *error) {
  struct stat about;
  *found = stat(path, &about) == 0;
  if (*found || errno == ENOENT || errno == ENOTDIR)
    return ST_OK;
  return fail_read(path, errno, error);
}

bool st_file_exists(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}
