// Makes one chosen call of our own code fail: the N-th allocation, or the N-th file system call.
// The linker puts these functions in front of the system's (--wrap, cmake/tests.cmake) in
// statically linked code, so calls inside MPI, PETSc, HDF5 and the C library are neither counted
// nor disturbed. The clock is frozen, so that files of equal runs are equal.
#ifndef TESTS_SUPPORT_FAULTS_H
#define TESTS_SUPPORT_FAULTS_H

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// FAULT_ROOM: writing alone, as on a full disk.
typedef enum FaultKind {
  FAULT_NONE,
  FAULT_MEMORY,
  FAULT_FILE,
  FAULT_ROOM,
  FAULT_KIND_COUNT
} FaultKind;

typedef struct Fault {
  FaultKind kind;
  long at;      // which call fails, from 1
  bool lasting; // and so do all after it
  int reason;   // errno
} Fault;

static Fault fault;
static long fault_calls[FAULT_KIND_COUNT]; // so far
static const char *fault_name = "";        // what was made to fail

// Where each allocation was made: a hash of the functions that were active. Not recorded if NULL.
enum { FAULT_PLACES = 1 << 14, FAULT_DEPTH = 64 };
static uint64_t *fault_places;

static uint64_t fault_place(void) {
  void *frame[FAULT_DEPTH];
  int count = backtrace(frame, FAULT_DEPTH);
  uint64_t hash = 1469598103934665603u; // FNV-1a, word by word
  for (int i = 0; i < count; i++)
    hash = (hash ^ (uintptr_t)frame[i]) * 1099511628211u;
  return hash;
}

static bool fault_due(FaultKind kind, const char *name) {
  long call = ++fault_calls[kind];
  if (fault_places && kind == FAULT_MEMORY && call <= FAULT_PLACES)
    fault_places[call - 1] = fault_place();
  if (kind != fault.kind || !(call == fault.at || (fault.lasting && call > fault.at)))
    return false;
  if (call == fault.at)
    fault_name = name;
  errno = kind == FAULT_MEMORY ? ENOMEM : fault.reason;
  return true;
}

#define FAULT_WRAP(type, name, kind, failed, parameters, arguments)                                \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters {                                                                  \
    return fault_due(kind, #name) ? failed : __real_##name arguments;                              \
  }

FAULT_WRAP(void *, malloc, FAULT_MEMORY, NULL, (size_t size), (size))
FAULT_WRAP(void *, calloc, FAULT_MEMORY, NULL, (size_t count, size_t size), (count, size))
FAULT_WRAP(void *, realloc, FAULT_MEMORY, NULL, (void *old, size_t size), (old, size))
FAULT_WRAP(void *, aligned_alloc, FAULT_MEMORY, NULL, (size_t alignment, size_t size),
           (alignment, size))
FAULT_WRAP(FILE *, fopen, FAULT_FILE, NULL, (const char *path, const char *mode), (path, mode))
FAULT_WRAP(ssize_t, read, FAULT_FILE, -1, (int file, void *to, size_t size), (file, to, size))
FAULT_WRAP(int, rename, FAULT_FILE, -1, (const char *from, const char *to), (from, to))
FAULT_WRAP(int, mkdir, FAULT_FILE, -1, (const char *path, mode_t mode), (path, mode))
FAULT_WRAP(int, rmdir, FAULT_FILE, -1, (const char *path), (path))
FAULT_WRAP(int, unlink, FAULT_FILE, -1, (const char *path), (path))
FAULT_WRAP(int, unlinkat, FAULT_FILE, -1, (int folder, const char *path, int flags),
           (folder, path, flags))
FAULT_WRAP(int, stat, FAULT_FILE, -1, (const char *path, struct stat *about), (path, about))
FAULT_WRAP(int, fstat, FAULT_FILE, -1, (int file, struct stat *about), (file, about))
FAULT_WRAP(int, access, FAULT_FILE, -1, (const char *path, int mode), (path, mode))
FAULT_WRAP(DIR *, opendir, FAULT_FILE, NULL, (const char *path), (path))
FAULT_WRAP(struct dirent *, readdir, FAULT_FILE, NULL, (DIR * folder), (folder))
FAULT_WRAP(char *, realpath, FAULT_FILE, NULL, (const char *path, char *to), (path, to))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return fault_due(FAULT_FILE, "open") ? -1 : __real_open(path, flags, mode);
}

// Locks alone; others are questions about standard streams.
int __real_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...) {
  if (command != F_OFD_SETLK)
    return __real_fcntl(file, command);
  va_list arguments;
  va_start(arguments, command);
  struct flock *lock = va_arg(arguments, struct flock *);
  va_end(arguments);
  return fault_due(FAULT_FILE, "fcntl") ? -1 : __real_fcntl(file, command, lock);
}

// A full disk accepts part of what is written.
ssize_t __real_write(int file, const void *from, size_t size);
ssize_t __wrap_write(int file, const void *from, size_t size);
ssize_t __wrap_write(int file, const void *from, size_t size) {
  bool broken = fault_due(FAULT_FILE, "write"), full = fault_due(FAULT_ROOM, "write");
  if (!broken && !full)
    return __real_write(file, from, size);
  int reason = errno;
  if (__real_write(file, from, size / 2) < 0)
    return -1;
  errno = reason;
  return -1;
}

// A closed file is closed, even if close fails.
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file) {
  bool failed = fault_due(FAULT_FILE, "close");
  int reason = errno, result = __real_close(file);
  errno = failed ? reason : errno;
  return failed ? -1 : result;
}

// Durability is not tested, and skipping fsync saves most of the time.
int __wrap_fsync(int file);
int __wrap_fsync(int file) {
  (void)file;
  return fault_due(FAULT_FILE, "fsync") ? -1 : 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  *time = (struct timespec){0};
  return 0;
}

int __wrap_getrusage(int who, struct rusage *usage);
int __wrap_getrusage(int who, struct rusage *usage) {
  (void)who;
  *usage = (struct rusage){0};
  return 0;
}

// The test starts MPI and PETSc once, for all the processes it makes.
void __wrap_st_runtime_stop(void);
void __wrap_st_runtime_stop(void) {}

#endif
