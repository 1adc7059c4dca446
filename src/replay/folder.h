// The state of a folder: whether it contains a run, and how that run ended.
#pragma once

#include "replay/recording.h"

// ST_BAD_INPUT: no such folder, or no run in it; the message names runs in subfolders.
StStatus st_recording_check_folder(const char *folder, StError *error);

// The state of a run by its summary.
typedef struct StFolderState {
  StRecordingState state; // missing: there is no summary, or it cannot be read
  double time;            // s
  char reason[400];       // of a failure or an interruption
} StFolderState;

StFolderState st_folder_state(const char *folder);
