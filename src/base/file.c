// Whole files in, whole files out.
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

// What stands there instead of a plain file, in words; NULL: a plain file.
static const char *what_else(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFREG: return NULL;
  case S_IFDIR: return "a folder";
  case S_IFIFO: return "a pipe";
  case S_IFSOCK: return "a socket";
  }
  return "a device";
}

static StStatus fail_read(const char *path, int reason, StError *error) {
  return st_fail(error, ST_BAD_INPUT, "%s: cannot be read: %s", path, strerror(reason));
}

static StStatus fail_large(const char *path, size_t most, StError *error) {
  return st_fail(error, ST_BAD_INPUT, "%s: is larger than %zu MB, the most that is read", path,
                 most >> 20);
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
  // The size that the system told may be wrong: files of /proc have none, others grow.
  while (text.length <= most && !text.failed && (got = read(file, chunk, sizeof chunk)) != 0)
    if (got > 0)
      st_text_add_bytes(&text, chunk, (size_t)got);
    else if (errno != EINTR)
      break;
  int reason = errno;
  close(file);
  st_text_add_bytes(&text, "", 0); // an empty file still gets its closing 0
  if (got >= 0 && text.length <= most && !text.failed) {
    *data = text.data;
    *size = text.length;
    return ST_OK;
  }
  bool large = text.length > most, failed = text.failed;
  st_text_free(&text);
  if (failed)
    return st_fail_memory(error);
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

StStatus st_file_write(const char *path, const void *data, size_t size, StError *error) {
  StText name = {0};
  st_text_add(&name, "%s.tmp", path);
  if (name.failed)
    return st_fail_memory(error);
  int file = open(name.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  // fsync before the rename: otherwise a power cut may leave the new name on an empty file.
  bool good = file >= 0 && write_all(file, data, size) && fsync(file) == 0;
  int reason = errno;
  if (file >= 0 && close(file) != 0 && good) {
    good = false;
    reason = errno;
  }
  if (good && rename(name.data, path) != 0) {
    good = false;
    reason = errno;
  }
  if (!good && file >= 0)
    unlink(name.data);
  st_text_free(&name);
  if (!good)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be written: %s", path, strerror(reason));
  return ST_OK;
}

StStatus st_folder_create(const char *path, StError *error) {
  StText name = {0};
  st_text_add(&name, "%s", path);
  if (name.failed)
    return st_fail_memory(error);
  StStatus status = ST_OK;
  for (size_t end = 1; end <= name.length && status == ST_OK; end++) {
    if (name.data[end] != '/' && name.data[end] != 0)
      continue;
    char kept = name.data[end];
    name.data[end] = 0;
    struct stat about;
    bool there = mkdir(name.data, 0777) == 0 ||
                 (errno == EEXIST && stat(name.data, &about) == 0 && S_ISDIR(about.st_mode));
    if (!there)
      status = st_fail(error, ST_SYSTEM_FAULT, "%s: folder cannot be made: %s", name.data,
                       strerror(errno == EEXIST ? ENOTDIR : errno));
    name.data[end] = kept;
  }
  st_text_free(&name);
  return status;
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

bool st_file_exists(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}
