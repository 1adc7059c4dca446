// Locks of open files (not of processes): fork and other descriptors of the file do not affect
// them, and F_OFD_GETLK tells whether one is held without taking it.
#include "output/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// false: the path is too long to exist.
static bool path_of(const char *folder, const char *name, char path[PATH_MAX]) {
  return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static void own_host(char host[ST_HOST_SIZE]) {
  if (gethostname(host, ST_HOST_SIZE) != 0)
    host[0] = 0;
  host[ST_HOST_SIZE - 1] = 0;
}

// Only messages need it, so a failure is none of the lock's.
static void sign(int lock) {
  char host[ST_HOST_SIZE];
  own_host(host);
  if (ftruncate(lock, 0) == 0 && pwrite(lock, host, strlen(host), 0) < 0)
    return;
}

StStatus st_folder_lock_take(const char *folder, int *lock, StError *error) {
  char path[PATH_MAX];
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (!path_of(folder, ".lock", path))
    return st_fail(error, ST_BAD_INPUT, "%s: is too long a name", folder);
  *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (*lock < 0)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be made: %s", path, strerror(errno));
  // A file system without locks has folders that are not protected.
  if (fcntl(*lock, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES))
    return st_fail(
        error, ST_BAD_INPUT,
        "%s: another run is writing there; wait until it ends or choose another folder with --out",
        folder);
  sign(*lock);
  return ST_OK;
}

static void read_host(int lock, char host[ST_HOST_SIZE]) {
  ssize_t size = pread(lock, host, ST_HOST_SIZE - 1, 0);
  host[size > 0 ? size : 0] = 0;
}

StFolderHolder st_folder_lock_look(const char *folder) {
  StFolderHolder holder = {0};
  char path[PATH_MAX], host[ST_HOST_SIZE];
  int lock = path_of(folder, ".lock", path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (lock < 0) {
    holder.certain = errno == ENOENT;
    return holder;
  }
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  bool answered = fcntl(lock, F_OFD_GETLK, &whole) == 0;
  read_host(lock, holder.host);
  own_host(host);
  holder.running = answered && whole.l_type != F_UNLCK;
  holder.certain = holder.running || (answered && strcmp(holder.host, host) == 0);
  close(lock);
  return holder;
}

StStatus st_stop_request(const char *folder, StError *error) {
  char path[PATH_MAX];
  if (!path_of(folder, ST_STOP_FILE, path))
    return st_fail(error, ST_BAD_INPUT, "%s: is too long a name", folder);
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || close(file) != 0)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be made: %s", path, strerror(errno));
  return ST_OK;
}

bool st_stop_requested(const char *folder) {
  char path[PATH_MAX];
  return path_of(folder, ST_STOP_FILE, path) && access(path, F_OK) == 0;
}

void st_stop_withdraw(const char *folder) {
  char path[PATH_MAX];
  if (path_of(folder, ST_STOP_FILE, path))
    unlink(path);
}
