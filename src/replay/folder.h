// Checks that a folder contains a run, with a helpful message if not.
#ifndef ST_REPLAY_FOLDER_H
#define ST_REPLAY_FOLDER_H

#include "base/status.h"

// ST_BAD_INPUT: no such folder, or no run in it; the message names runs in subfolders.
StStatus st_recording_check_folder(const char *folder, StError *error);

#endif
