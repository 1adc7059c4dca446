// The folder of a run: who may write in it, which scene and meshes it belongs to, and where its
// files are. run.json marks a folder as a run's: it is the last file a new run's folder gets, and
// until then its staged form says whose the rest is.
#pragma once

#include "output/run.h"

#include <stdint.h>

typedef struct StRunFolder {
  char *path;
  char *series; // file name of the list of frames
  uint32_t scene_crc;
  int lock;   // open file with the lock, -1 for none
  bool begun; // the folder is this run's
} StRunFolder;

// Whether a run with these options may start there; writes nothing.
StStatus st_run_folder_check(const StRunOptions *options, StError *error);

// Locks the folder and prepares it: writes a new run's facts and scene, and removes the files of a
// run it replaces; checks a resumed run against its original scene and meshes.
StStatus st_run_folder_open(const StDescription *description, const StRunOptions *options,
                            StRunFolder *folder, StError *error);
// Removes leftovers of a killed run and an old request to stop. Called when a run is known to
// start: one that cannot be resumed is left as it was.
void st_run_folder_begin(StRunFolder *folder);

void st_run_folder_close(StRunFolder *folder); // gives the lock back

// folder/name, to free(); NULL: out of memory.
char *st_run_folder_file(const char *folder, const char *name);

// Whether a file of it holds exactly this text.
bool st_run_folder_holds(const char *folder, const char *name, const char *text, size_t size);
