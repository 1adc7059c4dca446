// The lock of a run's folder, which says whether a run writes there, and the request to stop that
// `stiction stop` leaves there. Both are files, so they work under every launcher and from every
// machine that sees the folder.
#pragma once

#include "base/status.h"

// The file whose existence asks a run to stop after its current step.
#define ST_STOP_FILE "stop"

enum { ST_HOST_SIZE = 65 }; // a host name of Linux and its end

// *lock: an open file, close() it to give the lock back; it ends with the process, however that
// ends. ST_BAD_INPUT: another process has it.
StStatus st_folder_lock_take(const char *folder, int *lock, StError *error);

typedef struct StFolderHolder {
  bool running; // a process holds the lock
  bool certain; // the lock was last taken on this machine: where locks of a network file system
                // stay on their machine, those of others look free
  char host[ST_HOST_SIZE]; // where the lock was last taken; empty: unknown
} StFolderHolder;

// Asks without taking the lock, so no run that begins now is turned away.
StFolderHolder st_folder_lock_look(const char *folder);

StStatus st_stop_request(const char *folder, StError *error);
bool st_stop_requested(const char *folder);
void st_stop_withdraw(const char *folder); // also where there is none
