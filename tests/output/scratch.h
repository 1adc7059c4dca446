// A folder of its own for each test program, gone when the program ends well.
#ifndef TESTS_OUTPUT_SCRATCH_H
#define TESTS_OUTPUT_SCRATCH_H

#include "base/file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_folder[64];

static int scratch_begin(void **state) {
  (void)state;
  strcpy(scratch_folder, "/tmp/stiction-test-XXXXXX");
  return mkdtemp(scratch_folder) ? 0 : -1;
}

static int scratch_remove(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about, (void)kind, (void)place;
  return remove(path);
}

static int scratch_end(void **state) {
  (void)state;
  return nftw(scratch_folder, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

// A path in the folder; the last eight stay valid.
static inline const char *scratch(const char *name) {
  static char path[8][256];
  static int next;
  char *chosen = path[next++ % 8];
  snprintf(chosen, sizeof path[0], "%s/%s", scratch_folder, name);
  return chosen;
}

// The whole file; the program fails when it cannot be read. free() it.
static inline char *scratch_read(const char *path, size_t *size) {
  char *data = NULL;
  size_t length = 0;
  StError error = {0};
  if (st_file_read(path, &data, &length, &error) != ST_OK) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  if (size)
    *size = length;
  return data;
}

#endif
