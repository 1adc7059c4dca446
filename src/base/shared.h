// Memory that processes of one machine see together: one of them makes it, others join, and all
// fill it before it is sealed. It is not in any file system, and gone with the last process that
// sees it.
#pragma once

#include "base/status.h"

typedef struct StShared {
  char *bytes; // [size] 64-byte aligned
  size_t size;
  struct StShared *next; // for the owner's list

  bool joined;  // another process made it
  char *mapped; // the same with what comes before it
  int file;     // -1: nobody else can join it any more
} StShared;

// How another process finds it.
typedef struct StSharedHandle {
  long process, file, moment;
} StSharedHandle;

StStatus st_shared_create(size_t size, StShared **shared, StSharedHandle *handle, StError *error);

// Fails where the other process's memory cannot be reached, whatever it is that a process of that
// number has here.
StStatus st_shared_join(size_t size, const StSharedHandle *handle, StShared **shared,
                        StError *error);

// All have joined and filled it: from here on it is for reading only.
void st_shared_seal(StShared *shared);

void st_shared_destroy(StShared *shared); // leaves it; NULL is fine
